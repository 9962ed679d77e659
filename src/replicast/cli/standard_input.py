"""Standard input in the place of a file: a dash among the files of any command."""

import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

DASH = "-"
NAME = "standard input"
_STEP = 2**20  # bytes that are copied at a time


def read_dashes(context: Any, arguments: list[Any]) -> None:
    """Put standard input in the place of a dash: a file that is gone when the command ends.

    As a file it can be read again, as some commands do; it holds no more than a file may.
    """
    from replicast.errors import invalid

    given = {one.name: context.params.get(one.name) for one in arguments}
    dashes = []
    for name, words in given.items():
        listed = words if isinstance(words, list) else [words]
        dashes += [name for word in listed if _is_dash(word)]
    if not dashes:
        return
    if len(dashes) > 1:
        raise invalid(str(dashes[1]).upper(), "a file", "standard input a second time")
    if sys.stdin is None or sys.stdin.closed:
        raise invalid(str(dashes[0]).upper(), "a file", "a standard input that is closed")
    folder = tempfile.TemporaryDirectory(prefix="replicast-")
    context.call_on_close(folder.cleanup)
    path = Path(folder.name) / NAME
    _copy(sys.stdin.buffer, path)
    for name, words in given.items():
        if isinstance(words, list):
            context.params[name] = [path if _is_dash(word) else word for word in words]
        elif _is_dash(words):
            context.params[name] = type(words)(path)


def is_standard_input(name: str | Path) -> bool:
    """Tell a file that was standard input, whose name has no ending."""
    return Path(name).name == NAME


def _is_dash(word: object) -> bool:
    return isinstance(word, str | Path) and str(word) == DASH


def _copy(source: BinaryIO, path: Path) -> None:
    from replicast.reading.limits import HERE

    left = HERE.packed + 1  # one too many: whoever reads the file then says so
    with path.open("wb") as target:
        while left > 0 and (piece := source.read(min(_STEP, left))):
            target.write(piece)
            left -= len(piece)
