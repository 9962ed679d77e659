"""Where blocks are kept: one Parquet file each, named by what it holds and by its own checksum."""

import hashlib
import io
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from replicast.errors import InvalidContentError, ReplicastError
from replicast.studies.plan import Block, Study

_CHECKSUM = 16
_NAME = re.compile(rf"^([0-9a-f]{{12}}-\d{{8}}-\d{{8}})\.([0-9a-f]{{{_CHECKSUM}}})\.parquet$")
_STUDY = "study.toml"
_FINGERPRINT = "fingerprint"
_BLOCKS = "blocks"


class StoreError(ReplicastError):
    """A store cannot be used as asked; nothing finished is lost."""


class DirectoryStore:
    """Blocks as Parquet files in a folder, local or on any filesystem pyarrow knows.

    Parameters
    ----------
    location : str or Path
        A folder, or a URL such as s3://bucket/study. A block is written under a temporary name,
        synced and renamed, so that a file with its final name is whole.
    """

    def __init__(self, location: str | Path) -> None:
        self.location = str(location)
        self._local = "://" not in self.location
        try:
            if self._local:
                self._files: fs.FileSystem = fs.LocalFileSystem()
                self._root = PurePosixPath(Path(location).absolute().as_posix())
            else:
                self._files, path = fs.FileSystem.from_uri(self.location)
                self._root = PurePosixPath(path)
        except (OSError, ValueError, pa.ArrowInvalid) as error:
            raise StoreError(f"{self.location} cannot be used as a store: {error}.") from None

    def claim(self, study: Study) -> None:
        """Take the folder for a study; a folder of another study is refused."""
        with self._words("create"):
            self._files.create_dir(str(self._root / _BLOCKS), recursive=True)
        text = study.to_toml()
        if Study.from_toml(text).fingerprint != study.fingerprint:  # before anything is computed
            raise StoreError(f"The study cannot be written to {self.location} and read again.")
        if self._read_text(_FINGERPRINT) is None:
            self._sign(study.fingerprint.encode())
        if (self._read_text(_FINGERPRINT) or "").strip() != study.fingerprint:
            raise StoreError(
                f"{self.location} holds blocks of another study: scenario, factors, constants, block or "
                "seed differ. Use another folder, or the study it was made with."
            )
        self._write(PurePosixPath(_STUDY), text.encode())
        self._sweep()

    def _sign(self, content: bytes) -> None:
        """Write the fingerprint unless somebody else was quicker: of two studies one has the folder."""
        if not self._local:
            self._write(PurePosixPath(_FINGERPRINT), content)
            return
        final = Path(self._root / _FINGERPRINT)
        with self._words("write"), _draft(final, content) as draft, suppress(FileExistsError):
            os.link(draft, final)

    def _sweep(self) -> None:
        """Remove drafts whose processes have ended, killed or without power."""
        if not self._local:
            return
        for folder in (Path(self._root), Path(self._root / _BLOCKS)):
            for draft in folder.glob(".*.tmp"):
                told = draft.name.split(".")[-2]
                if told.isdecimal() and not _is_running(int(told)):
                    draft.unlink(missing_ok=True)

    def study(self) -> Study:
        """Return the study the folder was claimed for."""
        text = self._read_text(_STUDY)
        if text is None:
            raise StoreError(f"{self.location} holds no study. Run one into it first.")
        return Study.from_toml(text, _STUDY)

    def _names(self) -> dict[str, str]:
        """Return the file name of every block, by key."""
        if self._local:
            try:
                found = os.listdir(self._root / _BLOCKS)
            except FileNotFoundError:
                return {}
        else:
            selector = fs.FileSelector(str(self._root / _BLOCKS), allow_not_found=True)
            found = [info.base_name for info in self._files.get_file_info(selector)]
        names: dict[str, str] = {}
        for name in sorted(found):
            match = _NAME.match(name)
            if match is not None and names.setdefault(match[1], name) != name:
                raise StoreError(
                    f"{self.location} holds block {match[1]} twice, with different contents. "
                    "Run the study into another folder."
                )
        return names

    def finished(self) -> set[str]:
        """Return the keys of the blocks that are there; their names are enough to tell."""
        return set(self._names())

    def write(self, key: str, content: bytes) -> None:
        """Keep a block: temporary name, sync, rename."""
        self._write(PurePosixPath(_BLOCKS) / f"{key}.{_checksum(content)}.parquet", content)

    def damaged(self) -> list[str]:
        """Find blocks whose content does not match the checksum in their name; set them aside."""
        bad = []
        for key, name in sorted(self._names().items()):
            path = str(self._root / _BLOCKS / name)
            if _checksum(self._bytes(path)) != name.split(".")[1]:
                bad.append(key)
                with self._words("repair"):
                    self._files.delete_file(path)
        return bad

    def read(self) -> Iterator[tuple[str, bytes]]:
        """Yield key and content of every block, in order."""
        for key, name in sorted(self._names().items()):
            content = self._bytes(str(self._root / _BLOCKS / name))
            if _checksum(content) != name.split(".")[1]:
                raise StoreError(
                    f"{self.location}: block {key} is damaged. Run the study again to repair it."
                )
            yield key, content

    def _bytes(self, path: str) -> bytes:
        with self._words("read"), self._files.open_input_stream(path) as stream:
            return bytes(stream.read())

    def _read_text(self, name: str) -> str | None:
        path = str(self._root / name)
        if self._files.get_file_info(path).type == fs.FileType.NotFound:
            return None
        return self._bytes(path).decode()

    def _write(self, name: PurePosixPath, content: bytes) -> None:
        final = self._root / name
        with self._words("write"):
            if self._local:
                with _draft(Path(final), content) as draft:
                    os.replace(draft, final)
                return
            temporary = str(final.with_name(f".{final.name}.{os.getpid()}.tmp"))
            with self._files.open_output_stream(temporary) as stream:
                stream.write(content)
            self._files.move(temporary, str(final))

    @contextmanager
    def _words(self, action: str) -> Iterator[None]:
        """Turn a filesystem's error into a sentence."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise StoreError(
                f"Cannot {action} in {self.location}: {reason}. Finished blocks are safe; put "
                "it right and run the same command again."
            ) from None


@contextmanager
def _draft(final: Path, content: bytes) -> Iterator[Path]:
    """Yield a synced file under a temporary name, to be renamed or linked; then sync the folder."""
    draft = final.with_name(f".{final.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)
    _sync_folder(final.parent)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it runs, and is not ours
        return True
    return True


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_CHECKSUM]


def encode(columns: dict[str, Any]) -> bytes:
    """Return columns as the bytes of a Parquet file; the same columns give the same bytes."""
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink, compression="zstd", write_statistics=False)
    return sink.getvalue()


def failures(content: bytes) -> list[str]:
    """Return what the experiments of a block said that failed."""
    if "error" not in pq.read_schema(io.BytesIO(content)).names:
        return []
    return [message for message in decode(content).column("error").to_pylist() if message]


def decode(content: bytes) -> pa.Table:
    """Return the records of a block."""
    try:
        return pq.read_table(io.BytesIO(content))
    except (OSError, pa.ArrowInvalid) as error:
        raise InvalidContentError("block", "a Parquet file", f"{error}") from None


def records(store: DirectoryStore, blocks: Iterable[Block]) -> pa.Table:
    """Return the records of the given blocks that are in the store, in the order of their keys."""
    wanted = {block.key for block in blocks}
    tables = [decode(content) for key, content in store.read() if key in wanted]
    if not tables:
        return pa.table({})
    return pa.concat_tables(tables, promote_options="default")
