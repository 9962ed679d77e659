"""Stores for tests: a folder of its own each, gone when the tests are over."""

from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from replicast.studies.store import DirectoryStore

_FOLDER = TemporaryDirectory(prefix="replicast-stores-", ignore_cleanup_errors=True)
_NUMBERS = count()


def fresh_store() -> DirectoryStore:
    """Return a store that holds nothing yet."""
    return DirectoryStore(Path(_FOLDER.name) / str(next(_NUMBERS)))
