"""Random splits in bulk: stratified folds and stratified train/test splits as arrays of codes.

A code says what a row does in one run: 0, 1, ... is the fold in which it is tested, `TRAIN_ONLY`
marks a row that is always trained on and `UNUSED` one that takes no part.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Ints
from replicast.kernels.compiled import bare, compiled

Words = NDArray[np.uint64]

TRAIN_ONLY = -1
UNUSED = -2

STEP = np.uint64(0x9E3779B97F4A7C15)  # splitmix64: Steele, Lea & Flood (2014)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_NOBODY = -1


def _scramble(counter: Any) -> Any:
    """Return the splitmix64 word of a counter, or of each in an array."""
    word = (counter ^ (counter >> np.uint64(30))) * _FIRST
    word = (word ^ (word >> np.uint64(27))) * _SECOND
    return word ^ (word >> np.uint64(31))


scrambled = bare(_scramble)


def scrambled_words(seed: np.uint64, used: int, count: int) -> Words:
    """Return so many words from `seed` on, after so many, as a kernel draws them one by one."""
    with np.errstate(over="ignore"):
        place = np.arange(used + 1, used + count + 1, dtype=np.uint64)
        return np.asarray(_scramble(seed + STEP * place))


@bare
def _shuffle(values: NDArray[np.int32], counter: np.uint64) -> np.uint64:
    """Shuffle values in place and return the moved-on counter.

    Every 64-bit word gives two bounded numbers; their bias is below n / 2**32.
    """
    last = len(values) - 1
    while last > 0:
        counter += STEP
        word = scrambled(counter)
        place = np.int64(((word & _LOW) * np.uint64(last + 1)) >> _HALF)
        values[last], values[place] = values[place], values[last]
        last -= 1
        if last > 0:
            place = np.int64(((word >> _HALF) * np.uint64(last + 1)) >> _HALF)
            values[last], values[place] = values[place], values[last]
            last -= 1
    return counter


@compiled
def _deal_folds(order: Ints, starts: Ints, seed: np.uint64, out: Codes, folds: int) -> None:
    """Deal the rows of each class to the folds in turn; each class goes on where the last ended."""
    names = np.empty(folds, np.int32)
    dealt = np.empty(len(order), np.int32)
    for f in range(folds):
        names[f] = f
    counter = seed
    for run in range(len(out)):
        counter = _shuffle(names, counter)  # so that no fold is the larger one by design
        turn = 0
        for p in range(len(order)):
            dealt[p] = names[turn]
            turn += 1
            if turn == folds:
                turn = 0
        for c in range(len(starts) - 1):
            counter = _shuffle(dealt[starts[c] : starts[c + 1]], counter)
        row = out[run]
        for p in range(len(order)):
            row[order[p]] = dealt[p]


@bare
def _shares(sizes: Ints, wanted: int, taken: Ints, counter: np.uint64, keys: Words) -> np.uint64:
    """Fill how many of `wanted` rows each class gives: proportional, largest remainders first."""
    total, given = 0, 0
    for c in range(len(sizes)):
        total += sizes[c]
    total = total if total > 0 else 1
    for c in range(len(sizes)):
        taken[c] = sizes[c] * wanted // total
        given += taken[c]
        counter += STEP
        keys[c] = scrambled(counter)  # equal remainders are served in random order
    for _ in range(wanted - given):
        best = _NOBODY
        for c in range(len(sizes)):
            room = taken[c] * total < sizes[c] * wanted
            remainder = sizes[c] * wanted - taken[c] * total
            if room and (
                best == _NOBODY
                or remainder > sizes[best] * wanted - taken[best] * total
                or (
                    remainder == sizes[best] * wanted - taken[best] * total and keys[c] > keys[best]
                )
            ):
                best = c
        taken[best] += 1
    return counter


@compiled
def _draw_splits(
    order: Ints, starts: Ints, seed: np.uint64, n_train: int, n_test: int, out: Codes
) -> None:
    """Mark for each split the rows drawn for training and for testing."""
    groups = len(starts) - 1
    sizes, left = np.empty(groups, np.int64), np.empty(groups, np.int64)
    train, test = np.empty(groups, np.int64), np.empty(groups, np.int64)
    keys = np.empty(groups, np.uint64)
    rows = np.empty(len(order), np.int32)
    for c in range(groups):
        sizes[c] = starts[c + 1] - starts[c]
    counter = seed
    for split in range(len(out)):
        counter = _shares(sizes, n_train, train, counter, keys)
        for c in range(groups):
            left[c] = sizes[c] - train[c]
        counter = _shares(left, n_test, test, counter, keys)
        for p in range(len(order)):
            rows[p] = order[p]
        codes = out[split]
        for row in range(len(codes)):
            codes[row] = UNUSED
        for c in range(groups):
            counter = _shuffle(rows[starts[c] : starts[c + 1]], counter)
            border = starts[c] + train[c]
            for p in range(starts[c], border):
                codes[rows[p]] = TRAIN_ONLY
            for p in range(border, border + test[c]):
                codes[rows[p]] = 0


def _by_class(y_codes: Ints) -> tuple[Ints, Ints]:
    """Return the rows ordered by class and where each class starts, with the end."""
    counts = np.bincount(y_codes)
    return np.argsort(y_codes, kind="stable"), np.concatenate(([0], np.cumsum(counts)))


def _seed(rng: np.random.Generator) -> np.uint64:
    return rng.integers(0, 2**64, dtype=np.uint64)


def stratified_folds(y_codes: Ints, folds: int, runs: int, rng: np.random.Generator) -> Codes:
    """Draw the fold of every row for many runs of stratified cross-validation.

    Within each class, and over all rows, the sizes of the folds differ by at most one. Runs are
    independent, and the same state of `rng` gives the same folds.

    Parameters
    ----------
    y_codes : array of int
        Class of each row, 0 to classes - 1.
    folds, runs : int
        How many folds each run has, and how many runs to draw.
    rng : numpy.random.Generator
        Source of one seed word.

    Returns
    -------
    array of int16, shape (runs, n)
        Number of the fold in which each row is tested.

    Examples
    --------
    >>> y = np.array([0, 0, 0, 0, 1, 1])
    >>> folds = stratified_folds(y, 2, 3, np.random.default_rng(0))
    >>> [(np.bincount(run[y == 0]).tolist(), np.bincount(run[y == 1]).tolist()) for run in folds]
    [([2, 2], [1, 1]), ([2, 2], [1, 1]), ([2, 2], [1, 1])]
    """
    order, starts = _by_class(y_codes)
    out = np.empty((runs, len(y_codes)), np.int16)
    _deal_folds(order, starts, _seed(rng), out, folds)
    return out


def random_splits(
    y_codes: Ints,
    splits: int,
    n_train: int,
    n_test: int,
    rng: np.random.Generator,
    stratify: bool = True,
) -> Codes:
    """Draw many random splits into training, test and unused rows.

    Parameters
    ----------
    y_codes : array of int
        Class of each row, 0 to classes - 1.
    splits, n_train, n_test : int
        How many splits to draw, and the rows of each part.
    rng : numpy.random.Generator
        Source of one seed word.
    stratify : bool
        Whether both parts keep the shares of the classes, to the nearest row.

    Returns
    -------
    array of int16, shape (splits, n)
        0 for test rows, `TRAIN_ONLY` for training rows, `UNUSED` for rows left out.
    """
    rows = len(y_codes)
    order, starts = _by_class(y_codes if stratify else np.zeros(rows, np.int64))
    out = np.empty((splits, rows), np.int16)
    _draw_splits(order, starts, _seed(rng), n_train, n_test, out)
    return out
