"""Files as bytes: read, unpacked and taken out of archives, within limits; nothing is executed."""

import bz2
import gzip
import io
import lzma
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from replicast.errors import InvalidArgumentError, invalid, shorten
from replicast.reading.limits import HERE, Limits

_STEP = 2**24  # bytes that are read at a time
_WRITTEN = re.compile(rb"[^\xef\xbb\xbf\r\n\t \f\v]")
_SCHEMA = 1024**2  # bytes at the beginning of a database in which its tables are described
EXPORT_RUNS = "Write the runs with `mlflow.search_runs().to_csv(...)`, and give that"
_ZSTANDARD = 93  # number of the method in archives; Python knows it from 3.14 on
_PACKED: dict[bytes, tuple[str, Callable[..., Any]]] = {
    b"\x1f\x8b": ("gzip", lambda file: gzip.GzipFile(fileobj=file)),
    b"BZh": ("bzip2", bz2.BZ2File),
    b"\xfd7zXZ\x00": ("xz", lzma.LZMAFile),
}
_BLANK = b"\xef\xbb\xbf \t\r\n\f\v"
_WIDE = (  # marks at the beginning of a text whose letters have several bytes; the longer ones first
    ((b"\xff\xfe\0\0", b"\0\0\xfe\xff"), "utf-32"),
    ((b"\xff\xfe", b"\xfe\xff"), "utf-16"),
)
_REFUSED = (
    *((bytes([0x80, protocol]), "a pickle") for protocol in (2, 3, 4, 5)),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF", "an HDF5 file"),
    (b"%PDF", "a PDF"),
    (b"SQLite format 3", "a SQLite database"),
    (b"ARROW1", "an Arrow file"),
    (b"\xd0\xcf\x11\xe0", "an Excel workbook of before 2007"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"RDX", "an R data file"),
    (b"X\n\x00", "an R data file"),
)


def load(path: Path, limits: Limits = HERE) -> bytes:
    """Return the bytes of a file, unpacked; refuse what cannot hold scores."""
    try:
        with path.open("rb") as file:
            raw = _read(file, path.name, limits)
    except InvalidArgumentError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise invalid("source", "a readable file", f"{shorten(path.name)}: {reason}") from None
    return unpack(raw, path.name, limits)


def _read(file: BinaryIO, name: str, limits: Limits) -> bytes:
    """Read a file to its end, or to the limit: what it says of its size may be wrong or nothing."""
    told = os.fstat(file.fileno())
    if stat.S_ISBLK(told.st_mode) or (stat.S_ISCHR(told.st_mode) and not file.isatty()):
        raise invalid("source", "a file or a pipe", f"{name}, a device")
    limits.require("packed", told.st_size, name)
    raw = file.read(told.st_size + 1) if told.st_size else b""
    if told.st_size and len(raw) <= told.st_size:
        return raw
    pieces, size = [raw], len(raw)
    while piece := file.read(_STEP):
        pieces.append(piece)
        size += len(piece)
        if size > limits.packed:
            raise limits.beyond("packed", f"{name} with more")
    return b"".join(pieces)


def unpack(raw: bytes, name: str, limits: Limits = HERE, left: int | None = None) -> bytes:
    """Return bytes unpacked from gzip, bzip2 or xz, once, within the limits.

    Of the files in one archive, `left` is what the others have left of its limit.
    """
    if is_packed(raw):
        raw = _unpacked(raw, name, limits, left)
        if is_packed(raw) or is_archive(raw):
            raise invalid("source", "a file packed once", f"{name}, packed twice", "Unpack it")
    limits.require("unpacked" if left is None else "archive", len(raw), name)
    if _WRITTEN.search(raw) is None:
        raise invalid("source", "a table of scores", f"{name}, an empty file")
    _refuse_others(raw, name)
    if raw[:4096].lstrip(_BLANK)[:1] in (b"{", b"["):
        limits.require_json(raw, name)
    elif not is_archive(raw) and raw[:4] != b"PAR1":
        limits.require_text(raw, name)
    return raw


def _unpacked(raw: bytes, name: str, limits: Limits, left: int | None) -> bytes:
    limit, most = ("unpacked", limits.unpacked) if left is None else ("archive", left)
    allowed = limits.unpacking(len(raw))
    if allowed < most:
        limit, most = "ratio", allowed
    kind, reader = next(told for mark, told in _PACKED.items() if raw.startswith(mark))
    try:
        with reader(io.BytesIO(raw)) as file:
            found: bytes = file.read(most + 1)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as error:
        raise invalid("source", f"an intact {kind} file", f"{name}: {error}") from None
    if len(found) > most:
        raise limits.beyond(limit, f"{name} with more when unpacked")
    return found


def _refuse_others(raw: bytes, name: str) -> None:
    """Refuse what would run code when it is opened, or is no table."""
    kind = next((kind for mark, kind in _REFUSED if raw.startswith(mark)), None)
    if kind is None:
        return
    remedy = "Write the table as CSV, Parquet or JSON"
    if kind == "a SQLite database" and b"CREATE TABLE experiments" in raw[:_SCHEMA]:
        kind, remedy = "the database of MLflow", EXPORT_RUNS
    if kind == "a pickle":
        remedy = f"Opening one runs the code in it, so replicast never does. {remedy}"
    raise invalid("source", "a table of scores", f"{name}, {kind}", remedy)


def is_packed(raw: bytes) -> bool:
    """Tell what `unpack` unpacks."""
    return raw.startswith(tuple(_PACKED))


def is_archive(raw: bytes) -> bool:
    """Tell a zip archive, which spreadsheets and logs of Inspect are too."""
    return raw.startswith(b"PK\x03\x04")


LOG_HEADERS = ("header.json", "_journal/start.json")  # of a log of Inspect


class Archive:
    """A zip archive in memory; members are read one at a time, and counted against the limits."""

    def __init__(self, raw: bytes, name: str, limits: Limits = HERE) -> None:
        self.name, self._limits = name, limits
        self._left = min(limits.archive, limits.unpacking(len(raw)))
        try:
            self._file = zipfile.ZipFile(io.BytesIO(raw))
            self._members = {
                member.filename: member
                for member in self._file.infolist()
                if member.filename and not member.is_dir() and not _is_litter(member.filename)
            }
        except Exception as error:  # damaged archives make zipfile raise anything
            raise invalid("source", "an intact zip archive", f"{name}: {error}") from None
        limits.require("members", len(self._members), name)
        unpacked = sum(member.file_size for member in self._members.values())
        limits.require("archive", unpacked, name)
        if unpacked > self._left:
            raise limits.beyond("ratio", f"{name} with more")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the files in it."""
        return tuple(self._members)

    @property
    def is_log(self) -> bool:
        """Whether it is a log of Inspect."""
        return any(header in self._members for header in LOG_HEADERS)

    def read(self, member: str) -> bytes:
        """Return the content of one file in it; nothing is written to disk, whatever its name is."""
        told = self._members[member]
        if told.file_size > self._left:
            raise self._limits.beyond("archive", f"{self.name} with more when unpacked")
        try:
            if told.compress_type == _ZSTANDARD:
                raw = self._zstandard(told)
            else:
                with self._file.open(told) as file:
                    raw = file.read(told.file_size + 1)
        except InvalidArgumentError:
            raise
        except Exception as error:  # and so do codecs
            reason = str(error) or type(error).__name__
            got = f"{self.name}: {shorten(member)}: {reason.splitlines()[0]}"
            raise invalid("source", "an intact zip archive", got) from None
        self._left -= len(raw)
        if len(raw) > told.file_size:
            raise invalid(
                "source", "an intact zip archive", f"{self.name}: {shorten(member)} is longer"
            )
        return raw

    def _zstandard(self, told: zipfile.ZipInfo) -> bytes:
        """Unpack a member that Python's zipfile cannot, with the codec of pyarrow."""
        import pyarrow as pa

        source = self._file.fp
        if source is None or told.flag_bits & 1:
            raise ValueError("it is encrypted")
        source.seek(told.header_offset + 26)
        lengths = source.read(4)
        source.seek(
            int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little"), 1
        )
        packed = source.read(told.compress_size)
        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
            raw: bytes = stream.read(told.file_size + 1)
        if zlib.crc32(raw) != told.CRC:
            raise ValueError("its checksum is wrong")
        return raw


def _is_litter(name: str) -> bool:
    """Tell what a Mac or a folder adds to an archive."""
    parts = PurePosixPath(name).parts
    return not parts or parts[0] == "__MACOSX" or parts[-1].startswith(".")


def decode(raw: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return text and, if its encoding was a guess, a note saying so."""
    encoding = next((encoding for marks, encoding in _WIDE if raw.startswith(marks)), None)
    if encoding is not None:
        try:
            return raw.decode(encoding), ()
        except UnicodeDecodeError:
            got = f"{name}, damaged {encoding.upper()}"
            raise invalid("source", "a text file", got) from None
    if b"\0" in raw:
        got = f"{name}, which holds binary data"
        raise invalid("source", "a text file", got, "Export the table as CSV")
    try:
        return raw.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        note = f"{name} is not UTF-8 and was read as Latin-1; check names with accents."
        return raw.decode("latin-1"), (note,)
