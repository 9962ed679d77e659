"""What NumPy does for a first small job is what the kernels do, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from replicast.kernels import bootstrap, ranks, rounding, splits, student

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
@given(ROWS, st.integers(-290, 300))
def test_rounding(rows: np.ndarray, exponent: int) -> None:
    rows = rows * 10.0**exponent
    snapped = np.empty_like(rows)
    rounding._snap_each(rows, snapped)
    found = rounding.snap(rows, np.abs(rows).max(axis=1, keepdims=True))
    np.testing.assert_array_equal(found, snapped)


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


SIZES = st.lists(st.integers(0, 12), min_size=1, max_size=5).map(lambda s: [*s, 1])


def _lines(runs: int, n: int) -> list[np.ndarray]:
    return [np.empty((runs, n), np.int16) for _ in range(2)]


@settings(deadline=None)
@given(SIZES, st.integers(2, 12), st.integers(0, 2**64 - 1))
def test_folds(sizes: list[int], folds: int, seed: int) -> None:
    y = np.repeat(np.arange(len(sizes)), sizes)
    order, starts = splits._by_class(np.random.default_rng(seed).permutation(y))
    compiled, plain = _lines(7, len(y))
    splits._deal_folds(order, starts, np.uint64(seed), compiled, folds)
    splits._deal_plainly(order, starts, np.uint64(seed), plain, folds)
    np.testing.assert_array_equal(plain, compiled)


@settings(deadline=None)
@given(SIZES, st.floats(0, 1), st.floats(0, 1), st.integers(0, 2**64 - 1))
def test_splits(sizes: list[int], trained: float, tested: float, seed: int) -> None:
    y = np.repeat(np.arange(len(sizes)), sizes)
    order, starts = splits._by_class(np.random.default_rng(seed).permutation(y))
    n_train = int(trained * len(y))
    n_test = int(tested * (len(y) - n_train))
    compiled, plain = _lines(7, len(y))
    splits._draw_splits(order, starts, np.uint64(seed), n_train, n_test, compiled)
    splits._draw_plainly(order, starts, np.uint64(seed), n_train, n_test, plain)
    np.testing.assert_array_equal(plain, compiled)


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
