"""Folds and splits, against NumPy on all runs at once, by the same words and to the last row."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from replicast.kernels import splits


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
    words = splits.scrambled_words(seed, 0, runs * ends[-1]).reshape(runs, -1)
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
    words = splits.scrambled_words(seed, 0, drawn_splits * ends[-1]).reshape(drawn_splits, -1)
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
