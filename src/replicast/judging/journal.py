"""A file of JSON lines that only grows: each line carries a checksum, one lock guards all writers."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from replicast.errors import InvalidContentError, ReplicastError, require_path

_HEAD = b'{"kind": '
_START = 4096  # bytes that tell a journal from other files
Entry = dict[str, Any]


class JournalError(ReplicastError):
    """A journal cannot be read or written as asked; the lines it held are unharmed."""


class Contents(NamedTuple):
    """Entries of a journal, and how many lines an interrupted writer left unfinished."""

    entries: tuple[Entry, ...]
    torn: int


def digest(content: object) -> str:
    """Return a short hash of anything that is valid JSON."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class Journal:
    """Lines of JSON; a cut one is skipped, one that was changed afterwards is refused."""

    def __init__(self, path: str | Path) -> None:
        self.path = require_path(path, "journal")

    def append(self, entry: Entry) -> None:
        """Add an entry, whose first key is `kind`; when this returns, it is on the disk."""
        self.extend(lambda _: entry, read=False)

    def extend(
        self, choose: Callable[[tuple[Entry, ...]], Entry | None], *, read: bool = True
    ) -> None:
        """Add what `choose` makes of the entries so far, if anything; no other writer comes between."""
        with self._words("written"), _locked(self.path) as handle:
            content = os.read(handle, os.fstat(handle).st_size if read else _START)
            self._refuse_stranger(content)
            entry = choose(self._parsed(content).entries if read else ())
            if entry is not None:
                line = json.dumps({**entry, "check": digest(entry)}, ensure_ascii=False)
                _write(handle, line.encode() + b"\n")

    def read(self) -> Contents:
        """Return every entry; a file that is not there has none."""
        if not self.path.exists():
            return Contents((), 0)
        with self._words("read"):
            content = self.path.read_bytes()
        self._refuse_stranger(content)
        return self._parsed(content)

    def _refuse_stranger(self, content: bytes) -> None:
        """Keep a mistaken path from being read or written to: all journals begin alike.

        A first line that was cut short is the only one, or a whole one follows.
        """
        line, _, rest = content.partition(b"\n")
        cut = line and _HEAD.startswith(line) and (content == line or rest.startswith(_HEAD))
        if content and not line.startswith(_HEAD) and not cut:
            raise JournalError(f"{self.path.name} is no journal of replicast. Choose another file.")

    def _parsed(self, content: bytes) -> Contents:
        entries, torn = [], 0
        for number, line in enumerate(content.split(b"\n"), 1):
            try:
                entry = json.loads(line)
                check = entry.pop("check")
            except (ValueError, AttributeError, KeyError, TypeError):  # not a whole line
                torn += bool(line.strip())
                continue
            if not _is_untouched(entry, check):
                domain, got = "a line as it was written", "one whose checksum does not fit"
                remedy = "Restore the file; its lines must not be edited"
                raise InvalidContentError(f"{self.path.name}, line {number}", domain, got, remedy)
            entries.append(entry)
        return Contents(tuple(entries), torn)

    @contextmanager
    def _words(self, done: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise JournalError(
                f"{self.path.name} cannot be {done}: {error.strerror}. What it held is unharmed."
            ) from None


def _is_untouched(entry: Entry, check: object) -> bool:
    try:
        return digest(entry) == check
    except ValueError:  # a number such as 1e999, which is never written
        return False


def _write(handle: int, line: bytes) -> None:
    """Write a line at the end, or nothing at all where the disk allows to take it back."""
    size = os.fstat(handle).st_size
    os.lseek(handle, max(size - 1, 0), os.SEEK_SET)
    if os.read(handle, 1) not in (b"\n", b""):  # after an interrupted line
        line = b"\n" + line
    try:
        while line:
            line = line[os.write(handle, line) :]
        os.fsync(handle)
    except OSError:
        os.ftruncate(handle, size)
        raise


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """Open a file, which is written at its end, and keep other writers out, where there are locks."""
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        with suppress(ImportError):  # Windows: a line is one write in any case
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)  # closing the file unlocks it
        yield handle
    finally:
        os.close(handle)
