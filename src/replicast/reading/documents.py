"""A document is what was given, before its format is known; it is parsed as far as readers look."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from replicast.errors import invalid
from replicast.reading.files import Sheet, decode, read_sheet
from replicast.reading.formats.arff import parse_arff

Neighbour: TypeAlias = Callable[[Path], bytes | None]
_HEAD = 4096
_BLANK = b"\xef\xbb\xbf \t\r\n\f\v"


def _alone(path: Path) -> None:
    """Return nothing: there is no file beside."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """One file, or a table or dict in memory.

    Attributes
    ----------
    path : Path
        Where it came from; a name only, if it came from memory.
    raw : bytes
        Its content, unpacked; empty for what came from memory.
    table : Sheet or None
        A table that came from memory.
    results : mapping or None
        A dict that came from memory.
    label : str or None
        The name its owner gave it.
    beside : callable
        Returns the content of a file beside it, None if there is no such file.
    """

    path: Path
    raw: bytes = field(default=b"", repr=False)
    table: Sheet | None = field(default=None, repr=False)
    results: Mapping[str, Any] | None = field(default=None, repr=False)
    label: str | None = None
    beside: Neighbour = field(default=_alone, repr=False)

    @cached_property
    def head(self) -> bytes:
        """The first bytes, without blanks in front."""
        return self.raw[:_HEAD].lstrip(_BLANK)

    @cached_property
    def decoded(self) -> tuple[str, tuple[str, ...]]:
        """Its text, and what had to be assumed to read it."""
        return decode(self.raw, self.path.name)

    @cached_property
    def sheet(self) -> Sheet:
        """Its table."""
        if self.table is not None:
            return self.table
        name = self.path.name
        if self.head[:1] not in (b"@", b"%") or b"\0" in self.head:
            return read_sheet(self.raw, name)
        text, notes = self.decoded
        frame = parse_arff(text, name).frame
        if frame.empty:
            raise invalid("source", "a table with at least one row of scores", f"{name} with none")
        return Sheet(name=name, frame=frame, first_row=1, notes=notes)

    def has(self, *columns: str) -> bool:
        """Say whether its table has all of these columns."""
        return set(columns) <= set(self.sheet.frame.columns)
