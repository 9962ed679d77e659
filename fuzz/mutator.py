"""A mutator that needs no other package: `python -m fuzz.mutator NAME CORPUS FINDS SECONDS`.

It changes files of the corpus byte by byte, word by word and by joining two of them, and keeps what
makes the reader run lines that no file before has run. atheris, where it can be had, does the same
many times as fast.
"""

import hashlib
import random
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from fuzz.targets import TARGETS

_LONGEST = 20_000  # bytes
_PATIENCE = 20  # seconds for one input
_ODD = [b"", b"\0", b"\xff", b"nan", b"-inf", b"1e999", b"0" * 50, b"\r\n", b'"', b"'", b"{", b"[[",
        b"\\", b"&", b"|---|", b"<td>", b"\xef\xbb\xbf", b"\xff\xfe", b"9" * 30, b"%", b","]  # fmt: skip


def words() -> list[bytes]:
    """Return the words of the dictionary, and odd ones."""
    text = Path(__file__).with_name("words.dict").read_text(encoding="utf-8")
    told = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    plain = [one.encode("latin-1", "ignore").decode("unicode_escape") for one in told]
    return [*_ODD, *(one.encode("latin-1", "ignore") for one in plain)]


class Mutator:
    """Changes one input into another."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._words = words()

    def change(self, corpus: list[bytes]) -> bytes:
        """Return an input made from one or two of the corpus by a few changes."""
        draw = self._random
        data = bytearray(draw.choice(corpus))
        for _ in range(draw.randint(1, 6)):
            at = draw.randrange(len(data) + 1)
            to = min(len(data), at + draw.randint(1, 1 + len(data) // 4))
            match draw.randrange(7):
                case 0:
                    data[at:at] = draw.choice(self._words)
                case 1:
                    del data[at:to]
                case 2:
                    data[at:at] = data[at:to] * draw.choice((1, 1, 2, 30))
                case 3 if data:
                    data[at % len(data)] = draw.randrange(256)
                case 4:
                    other = draw.choice(corpus)
                    data[at:] = other[draw.randrange(len(other) + 1) :]
                case 5:
                    lines = bytes(data).split(b"\n")
                    draw.shuffle(lines)
                    data = bytearray(b"\n".join(lines))
                case _:
                    data[at:to] = draw.choice(self._words)
        return bytes(data[:_LONGEST])


class Lines:
    """Which lines of the readers a call has run."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, int]] = set()
        self._new = False

    def run(self, target: Callable[[bytes], None], data: bytes) -> bool:
        """Give a reader an input; say whether it ran a line that none before has run."""
        self._new = False
        sys.settrace(self._enter)
        try:
            target(data)
        finally:
            sys.settrace(None)
        return self._new

    def _enter(self, frame: FrameType, _event: str, _value: Any) -> Any:
        return self._line if "replicast/reading" in frame.f_code.co_filename else None

    def _line(self, frame: FrameType, event: str, _value: Any) -> Any:
        place = frame.f_code.co_filename, frame.f_lineno
        if event == "line" and place not in self.seen:
            self.seen.add(place)
            self._new = True
        return self._line


def _too_slow(*_: object) -> None:
    raise TimeoutError(f"an input took more than {_PATIENCE} seconds")


def fuzz(name: str, corpus: Path, finds: Path, seconds: float, seed: int = 0) -> int:
    """Fuzz a target for a while; return how many inputs it was given."""
    target, seeds = TARGETS[name]
    known = [*seeds, *(one.read_bytes() for one in sorted(corpus.iterdir()))]
    mutator, lines, inputs = Mutator(seed), Lines(), 0
    signal.signal(signal.SIGALRM, _too_slow)
    end = time.monotonic() + seconds
    while time.monotonic() < end and len(list(finds.iterdir())) < 50:
        data = known[inputs] if inputs < len(seeds) else mutator.change(known)
        inputs += 1
        signal.alarm(_PATIENCE)
        try:
            if lines.run(target, data) and inputs > len(seeds):
                known.append(data)
                (corpus / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
        except Exception as error:  # whatever is no sentence is a find
            digest = hashlib.sha256(data).hexdigest()[:16]
            (finds / f"crash-{digest}").write_bytes(data)
            sys.stderr.write(f"{name}: {digest}: {type(error).__name__}: {error}\n")
        finally:
            signal.alarm(0)
    return inputs


if __name__ == "__main__":
    target_name, where, found, how_long = sys.argv[1:5]
    count = fuzz(target_name, Path(where), Path(found), float(how_long))
    sys.stdout.write(f"#{count}\n")
