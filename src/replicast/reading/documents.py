"""A document is what was given, before its format is known; it is parsed as far as readers look."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from replicast.errors import InvalidArgumentError, invalid
from replicast.reading.limits import HERE, LimitError, Limits
from replicast.reading.packing import Archive, decode, is_archive
from replicast.reading.sheets import Sheet
from replicast.reading.syntaxes.arff import parse_arff
from replicast.reading.syntaxes.delimited import read_delimited
from replicast.reading.syntaxes.markup import find_markup
from replicast.reading.syntaxes.parquet import read_parquet
from replicast.reading.syntaxes.records import RefusedValueError, parse_json, records_sheet
from replicast.reading.syntaxes.spreadsheets import read_spreadsheet, spreadsheet_kind

Neighbour: TypeAlias = Callable[[Path], bytes | None]
_HEAD = 4096
_BLANK = b"\xef\xbb\xbf \t\r\n\f\v"
_MARKUP = 4 * 1024**2  # larger texts are no tables of a paper


def _alone(path: Path) -> None:
    """Return nothing: there is no file beside."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """One file, or a table or value in memory."""

    path: Path  # a name only, if it came from memory
    raw: bytes = field(default=b"", repr=False)  # its content, unpacked
    table: Sheet | None = field(default=None, repr=False)  # that came from memory
    value: Any = field(default=None, repr=False)  # a dict or list that came from memory
    label: str | None = None  # the name its owner gave it
    sheet_name: str | None = None  # of a workbook
    limits: Limits = HERE
    beside: Neighbour = field(default=_alone, repr=False)  # returns the content of a file beside it

    @cached_property
    def head(self) -> bytes:
        """The first bytes, without blanks in front."""
        return self.raw[:_HEAD].lstrip(_BLANK)

    @cached_property
    def decoded(self) -> tuple[str, tuple[str, ...]]:
        """Its text, and what had to be assumed to read it."""
        return decode(self.raw, self.path.name)

    @property
    def guessed(self) -> tuple[str, ...]:
        """What had to be assumed to read it, if it is JSON."""
        return self.decoded[1] if self.head[:1] in (b"{", b"[") else ()

    @cached_property
    def archive(self) -> Archive | None:
        """The archive it is, None if it is none."""
        return Archive(self.raw, self.path.name, self.limits) if is_archive(self.raw) else None

    @cached_property
    def is_arrays(self) -> bool:
        """Whether it is an archive of NumPy arrays."""
        names = () if self.archive is None else self.archive.names
        return bool(names) and all(name.endswith(".npy") for name in names)

    @cached_property
    def tree(self) -> Any:
        """Its value, if it is JSON or came from memory; None if it is neither."""
        if self.value is not None:
            return self.value
        if self.archive is not None and self.is_arrays:
            return _read_arrays(self.archive, self.limits)
        if self.table is not None or self.head[:1] not in (b"{", b"["):
            return None
        try:
            return parse_json(self.decoded[0], self.path.name, self.limits)
        except InvalidArgumentError as error:
            if self.head[:1] == b"{" or isinstance(error, LimitError | RefusedValueError):
                raise
            return None  # text may begin with a bracket

    @cached_property
    def _records(self) -> Sheet | None:
        return None if self.tree is None else records_sheet(self.tree, self.path.name, self.limits)

    @property
    def is_table(self) -> bool:
        """Whether it is a table, in whatever syntax."""
        if self.tree is not None:
            return self._records is not None
        return self.archive is None or spreadsheet_kind(self.archive) is not None

    @cached_property
    def sheet(self) -> Sheet:
        """Its table."""
        found = self._sheet()
        if self.table is not None or len(self.raw) > self.limits.cell:  # no cell is longer than all
            self.limits.require("cell", found.longest, self.path.name)
        return found

    def _sheet(self) -> Sheet:
        name = self.path.name
        if self.table is not None:
            return self.table
        if self._records is not None:
            return self._records
        if self.raw[:4] == b"PAR1":
            return read_parquet(self.raw, name, self.limits)
        if self.archive is not None:
            return read_spreadsheet(self.raw, name, self.sheet_name, self.limits)
        text, notes = self.decoded
        if self.head[:1] in (b"@", b"%") and b"@" in self.head:
            frame = parse_arff(text, name).frame
            if frame.empty:
                domain = "a table with at least one row of scores"
                raise invalid("source", domain, f"{name} with none")
            return Sheet(name=name, frame=frame, first_row=1, notes=notes)
        markup = find_markup(text) if len(text) <= _MARKUP else None
        if markup is not None:
            return markup(text, name, self.limits)
        return read_delimited(text, name, notes)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of its columns; none, if it is no table."""
        return self.sheet.columns if self.is_table else ()


def _read_arrays(archive: Archive, limits: Limits) -> dict[str, Any]:
    """Return the arrays of an archive; nothing in it is executed, and none is larger than it says."""
    import io

    import numpy as np

    found = {}
    for name in archive.names:
        raw = archive.read(name)
        try:
            array = np.load(io.BytesIO(raw), allow_pickle=False)
        except (ValueError, OSError, EOFError, SyntaxError, MemoryError, OverflowError) as error:
            first = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
            got = f"{archive.name}: {name}: {first}"
            raise invalid("source", "an intact archive of arrays", got) from None
        limits.require("cells", array.size, archive.name)
        found[name.removesuffix(".npy")] = array.tolist() if array.ndim == 1 else array
    return found
