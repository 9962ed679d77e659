"""Bootstrap of Wilcoxon's Z from the differences alone."""

import numpy as np

from replicast.arrays import Bools, Floats, Ints
from replicast.kernels.ranks import signed_rank_z
from replicast.kernels.splits import scrambled_words

_HALF = np.uint64(32)
_LOWER = np.uint64(0xFFFFFFFF)
_DRAWN_AT_ONCE = 2**18


def bootstrap_z(sample: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Return the signed Z of so many resamples of the differences.

    Counting into groups of equal magnitude makes ranks a running sum: no resample is sorted.
    """
    magnitude = np.abs(sample)
    levels, level = np.unique(magnitude, return_inverse=True)
    if levels[0] > 0:  # group 0 is that of zero differences, which are dropped
        level = level + 1
    seed = rng.integers(0, 2**64, dtype=np.uint64)
    z = np.empty(resamples)
    step = max(1, _DRAWN_AT_ONCE // len(sample))
    words = (len(sample) + 1) // 2  # two rows from each word
    for start in range(0, resamples, step):
        count = min(step, resamples - start)
        drawn = _draw(seed, start * words, count, len(sample))
        z[start : start + count] = _group_z(level, sample > 0, drawn)
    return z


def _draw(seed: np.uint64, used: int, count: int, n: int) -> Ints:
    """Return which rows so many resamples draw, after so many words."""
    bits = scrambled_words(seed, used, count * ((n + 1) // 2))
    halves = np.stack([bits >> _HALF, bits & _LOWER], axis=1).reshape(count, -1)[:, :n]
    return ((halves * np.uint64(n)) >> _HALF).astype(np.int64)


def _group_z(level: Ints, won: Bools, drawn: Ints) -> Floats:
    """Return Z of each resample from how often each level of |d| is drawn and won."""
    resamples, levels = len(drawn), int(level.max()) + 1
    shape = (resamples, levels)
    cell = level[drawn] + levels * np.arange(resamples)[:, None]
    count, wins = (
        np.bincount(cells, minlength=resamples * levels).reshape(shape)[:, 1:]
        for cells in (cell.ravel(), cell[won[drawn]])
    )
    reached = np.cumsum(count, axis=1)
    doubled = (wins * (2 * reached - count + 1)).sum(axis=1)
    ties = (count * (count * count - 1)).sum(axis=1)
    return signed_rank_z(doubled / 2, count.sum(axis=1), ties)
