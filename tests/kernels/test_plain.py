"""What NumPy does for a first small job is what the kernels do, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from replicast.kernels import bootstrap, ranks, student

ROWS = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(2, 40)),
    elements=st.integers(-30, 30).map(lambda k: k / 8) | st.floats(-1e6, 1e6, width=32),
)


@settings(deadline=None)
@given(ROWS)
def test_moments(rows: np.ndarray) -> None:
    mean, deviation = np.empty(len(rows)), np.empty(len(rows))
    student._moments(rows, mean, deviation)
    found = student._plain_moments(rows)
    np.testing.assert_array_equal(found[0], mean)
    np.testing.assert_array_equal(found[1], deviation)


@settings(deadline=None)
@given(ROWS)
def test_rank_sums(rows: np.ndarray) -> None:
    both = []
    for fill in (ranks._statistics_by_counting, ranks._plain_statistics):
        doubled, used = (np.empty(len(rows), dtype=np.int64) for _ in range(2))
        ties = np.empty(len(rows))
        fill(rows, doubled, used, ties)
        both.append((doubled, used, ties))
    for first, second in zip(*both, strict=True):
        np.testing.assert_array_equal(first, second)


@settings(deadline=None)
@given(ROWS, st.floats(0, 1))
def test_tails_with_ties(rows: np.ndarray, share: float) -> None:
    used = np.count_nonzero(rows, axis=1)
    limits = (share * used * (used + 1)).astype(np.int64)
    tails = np.empty(len(rows))
    ranks._tied_tails(rows, limits, tails)
    found = [ranks._plain_tail(row, int(limit)) for row, limit in zip(rows, limits, strict=True)]
    np.testing.assert_array_equal(found, tails)


@pytest.mark.parametrize("n", [2, 3, 10, 31])
@pytest.mark.parametrize("digits", [1, 9])
def test_resamples(n: int, digits: int) -> None:
    sample = np.random.default_rng(n).normal(0.3, 1, n).round(digits)
    magnitude = np.abs(sample)
    levels = np.unique(magnitude[magnitude > 0])
    group = np.where(magnitude > 0, np.searchsorted(levels, magnitude) + 1, 0)
    word = np.where(sample > 0, bootstrap._WON + 1, 1)
    z = np.empty(500)
    seed = np.uint64(2**63 + 12345)
    bootstrap._resampled_z(group, word, len(levels), seed, z)
    found = bootstrap._plainly_resampled_z(group, sample > 0, len(levels), seed, 500)
    np.testing.assert_array_equal(found, z)
