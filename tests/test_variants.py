"""Files like those of the collection with other words and numbers: none is misread."""

from pathlib import Path

import numpy as np
import pytest

from variants import making, programs
from variants.headers import WORDS
from variants.judging import FAMILIES, verdict
from variants.measures import NAMES

SMALL = {making.measures: 0.1}  # `python -m variants` asks about all of them, for many seeds
READ = 0.8  # at least so many are answered, not asked about


def test_there_are_300_measures_and_100_words() -> None:
    assert len(NAMES) >= 300
    assert sum(map(len, WORDS.values())) >= 100


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_no_variant_is_misread(family, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # one of a table
    rng = np.random.default_rng(20)
    made = family(tmp_path, rng, SMALL[family]) if family in SMALL else family(tmp_path, rng)
    entries = list(made)
    found = [verdict(entry, tmp_path) for entry in entries]
    wrong = [
        (entry["what"], *one)
        for entry, one in zip(entries, found, strict=True)
        if one[0] in ("MISREAD", "CRASH")
    ]
    assert wrong == []
    should = [one for entry, one in zip(entries, found, strict=True) if entry["truth"] is not None]
    if family is not programs.r_base or should:  # R may not be installed
        assert np.mean([one == ("right", "") for one in should]) >= READ
