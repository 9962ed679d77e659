"""Standard input in the place of a file: a dash among the files of any command."""

import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

DASH = "-"
NAME = "standard input"
_STEP = 2**20  # bytes that are copied at a time


def read_dash(context: Any, argument: str) -> Path:
    """Return a file of what stands in standard input; it is gone when the command ends.

    As a file it can be read again, as some commands do; it holds no more than a file may.
    """
    from replicast.errors import invalid

    if NAME in context.meta:
        raise invalid(argument, "a file", "standard input a second time")
    if sys.stdin is None or sys.stdin.closed:
        raise invalid(argument, "a file", "a standard input that is closed")
    folder = tempfile.TemporaryDirectory(prefix="replicast-")
    context.call_on_close(folder.cleanup)
    path = context.meta[NAME] = Path(folder.name) / NAME
    _copy(sys.stdin.buffer, path)
    return path


def is_standard_input(name: str | Path) -> bool:
    """Tell a file that was standard input, whose name has no ending."""
    return Path(name).name == NAME


def _copy(source: BinaryIO, path: Path) -> None:
    from replicast.reading.limits import HERE

    left = HERE.packed + 1  # one too many: whoever reads the file then says so
    with path.open("wb") as target:
        while left > 0 and (piece := source.read(min(_STEP, left))):
            target.write(piece)
            left -= len(piece)
