"""What NumPy does, for a first small job or for these tests, is what the kernels do, to the last bit."""

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


# --------------------------------------------- folds and splits for all runs at once, by the same words
def _shuffle_runs(values: np.ndarray, words: np.ndarray) -> None:
    """Shuffle each line in place by its own words."""
    runs, n = values.shape
    each, halves = np.arange(runs), np.stack((words & splits._LOW, words >> splits._HALF), axis=2)
    for step, last in enumerate(range(n - 1, 0, -1)):
        word = halves[:, step // 2, step % 2]
        place = ((word * np.uint64(last + 1)) >> splits._HALF).astype(np.intp)
        kept = values[each, place]
        values[each, place] = values[:, last]
        values[:, last] = kept


def _deal_plainly(
    order: np.ndarray, starts: np.ndarray, seed: np.uint64, out: np.ndarray, folds: int
) -> None:
    """Do what `_deal_folds` does."""
    runs, n = out.shape
    ends = np.cumsum([folds // 2, *(np.diff(starts) // 2)])
    words = splits.scrambled_words(seed, runs * ends[-1]).reshape(runs, -1)
    names = np.tile(np.arange(folds, dtype=np.int32), (runs, 1))
    _shuffle_runs(names, words[:, : ends[0]])
    for run in range(1, runs):
        names[run] = names[run - 1, names[run]]  # each run shuffles what the last one left
    dealt = names[:, np.arange(n) % folds]
    for c in range(len(starts) - 1):
        _shuffle_runs(dealt[:, starts[c] : starts[c + 1]], words[:, ends[c] : ends[c + 1]])
    out[:, order] = dealt


def _plain_shares(sizes: np.ndarray, wanted: int, keys: np.ndarray) -> np.ndarray:
    """Do what `_shares` does, on each line."""
    taken, remainder = np.divmod(sizes * wanted, np.maximum(sizes.sum(axis=1, keepdims=True), 1))
    served = np.lexsort((keys, remainder), axis=1)[:, ::-1]
    more = np.arange(sizes.shape[1]) < wanted - taken.sum(axis=1, keepdims=True)
    np.put_along_axis(remainder, served, more.astype(np.int64), axis=1)
    return np.asarray(taken + remainder)


def _draw_plainly(
    order: np.ndarray,
    starts: np.ndarray,
    seed: np.uint64,
    n_train: int,
    n_test: int,
    out: np.ndarray,
) -> None:
    """Do what `_draw_splits` does."""
    drawn_splits, sizes = len(out), np.diff(starts)
    groups = len(sizes)
    ends = 2 * groups + np.cumsum([0, *(sizes // 2)])
    words = splits.scrambled_words(seed, drawn_splits * ends[-1]).reshape(drawn_splits, -1)
    left = np.tile(sizes, (drawn_splits, 1))
    train = _plain_shares(left, n_train, words[:, :groups])
    used = train + _plain_shares(left - train, n_test, words[:, groups : 2 * groups])
    rows = np.tile(order.astype(np.int32), (drawn_splits, 1))
    for c in range(groups):
        drawn, place = rows[:, starts[c] : starts[c + 1]], np.arange(sizes[c])
        _shuffle_runs(drawn, words[:, ends[c] : ends[c + 1]])
        codes = np.where(place < used[:, c, None], 0, splits.UNUSED)
        codes[place < train[:, c, None]] = splits.TRAIN_ONLY
        np.put_along_axis(out, drawn.astype(np.intp), codes.astype(np.int16), axis=1)


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
    _deal_plainly(order, starts, np.uint64(seed), plain, folds)
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
    _draw_plainly(order, starts, np.uint64(seed), n_train, n_test, plain)
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
