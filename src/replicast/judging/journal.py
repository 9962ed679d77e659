"""A file that only grows: one checked line per entry, safe when the writer is interrupted."""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from replicast.errors import InvalidContentError, ReplicastError, require_path

_CHECK = "check"
_HEAD = b'{"kind": '
_LENGTH = 12
Entry = dict[str, Any]


class JournalError(ReplicastError):
    """A journal cannot be read or written as asked; the lines it held are unharmed."""


class Contents(NamedTuple):
    """Entries of a journal, and how many lines an interrupted writer left unfinished."""

    entries: tuple[Entry, ...]
    torn: int


def digest(content: object, length: int = _LENGTH) -> str:
    """Return a short hash of anything that is valid JSON."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:length]


class Journal:
    """Lines of JSON, each with a checksum of itself.

    A line is written at once, under a lock and to the disk; one that could not be finished is taken
    back where the disk allows it, and else skipped by the reader. A whole line that was changed
    afterwards is refused.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = require_path(path, "journal")

    def append(self, entry: Entry) -> None:
        """Add an entry, whose first key is `kind`; when this returns, it is on the disk."""
        line = json.dumps({**entry, _CHECK: digest(entry)}, ensure_ascii=False, allow_nan=False)
        with self._words("written"):
            handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                with _locked(handle):
                    self._refuse_stranger(_bytes_at(handle, 0, len(_HEAD)))
                    self._write(handle, line.encode() + b"\n")
            finally:
                os.close(handle)

    def _refuse_stranger(self, head: bytes) -> None:
        """Keep a mistaken path from being read or written to: all journals begin alike."""
        if not _HEAD.startswith(head.split(b"\n")[0]):
            raise JournalError(f"{self.path.name} is no journal of replicast. Choose another file.")

    @staticmethod
    def _write(handle: int, line: bytes) -> None:
        size = os.fstat(handle).st_size
        if size and _bytes_at(handle, size - 1, 1) != b"\n":  # after an interrupted line
            line = b"\n" + line
        try:
            written = os.write(handle, line)
            if written < len(line):
                os.write(handle, line[written:])  # says why not
            os.fsync(handle)
        except OSError:
            os.ftruncate(handle, size)
            raise

    def read(self) -> Contents:
        """Return every entry; a file that is not there has none."""
        if not self.path.exists():
            return Contents((), 0)
        with self._words("read"):
            content = self.path.read_bytes()
        self._refuse_stranger(content[: len(_HEAD)])
        entries, torn = [], 0
        for number, line in enumerate(content.split(b"\n"), 1):
            if not line.strip():
                continue
            entry = _parse(line)
            if entry is None:
                torn += 1
            elif not _is_untouched(entry):
                raise InvalidContentError(
                    f"{self.path.name}, line {number}",
                    "a line as it was written",
                    "one whose checksum does not fit",
                    "Restore the file; its lines must not be edited",
                )
            else:
                entries.append({k: v for k, v in entry.items() if k != _CHECK})
        return Contents(tuple(entries), torn)

    @contextmanager
    def _words(self, done: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise JournalError(
                f"{self.path.name} cannot be {done}: {error.strerror}. What it held is unharmed."
            ) from None


def _bytes_at(handle: int, place: int, count: int) -> bytes:
    """Read a few bytes; what is written goes to the end of the file wherever one has read."""
    os.lseek(handle, place, os.SEEK_SET)
    return os.read(handle, count)


def _parse(line: bytes) -> Entry | None:
    """Return an entry, or None if the line is not whole."""
    try:
        entry = json.loads(line)
    except ValueError:  # letters that are not UTF-8 among them
        return None
    return entry if isinstance(entry, dict) and _CHECK in entry else None


def _is_untouched(entry: Entry) -> bool:
    try:
        return bool(digest({k: v for k, v in entry.items() if k != _CHECK}) == entry[_CHECK])
    except ValueError:  # a number such as 1e999, which is never written
        return False


@contextmanager
def _locked(handle: int) -> Iterator[None]:
    """Keep other writers out, where the system has locks; a line is one write in any case."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(handle, fcntl.LOCK_UN)
