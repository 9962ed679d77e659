"""What fuzzing found stays mended: every find is read or refused with a sentence."""

from pathlib import Path

import pytest
from fuzz.targets import TARGETS

FINDS = sorted((Path(__file__).parent / "golden" / "fuzz").glob("*/*"))


@pytest.mark.parametrize("find", FINDS, ids=lambda find: f"{find.parent.name}-{find.name}")
def test_find(find: Path) -> None:
    TARGETS[find.parent.name][0](find.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_are_read(name: str) -> None:
    target, seeds = TARGETS[name]
    for seed in seeds:
        target(seed)
        target(seed[: len(seed) // 2])
        target(seed.replace(b"\n", b"\r\n"))
        target(seed[::-1])
