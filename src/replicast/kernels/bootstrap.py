"""Bootstrap of Wilcoxon's Z from the differences alone."""

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Floats
from replicast.kernels.compiled import compiled, pays
from replicast.kernels.splits import STEP, scrambled, scrambled_words

_WON = 1 << 32  # a win is counted in the upper half of a word, a draw in the lower


@compiled
def _resampled_z(
    group: NDArray[np.int64],
    word: NDArray[np.int64],
    levels: int,
    seed: np.uint64,
    z: Floats,
) -> None:
    """Fill Z of resamples: counting into groups of equal magnitude makes ranks a running sum.

    Ranks are doubled, so that everything up to the last line is whole numbers.
    """
    n = len(group)
    size = np.uint64(n)
    state = seed
    counts = np.zeros(levels + 1, dtype=np.int64)
    for b in range(len(z)):
        i = 0
        while i < n:  # two rows from each 64 bits
            state += STEP
            bits = scrambled(state)
            row = np.int64(((bits >> np.uint64(32)) * size) >> np.uint64(32))
            counts[group[row]] += word[row]
            if i + 1 < n:
                row = np.int64(((bits & np.uint64(0xFFFFFFFF)) * size) >> np.uint64(32))
                counts[group[row]] += word[row]
            i += 2
        below, doubled, ties = 0, 0, 0
        for g in range(1, levels + 1):  # zero differences, group 0, are dropped
            count = counts[g] & 0xFFFFFFFF
            doubled += (counts[g] >> 32) * (2 * below + count + 1)
            ties += count * (count * count - 1)
            below += count
            counts[g] = 0
        variance = below * (below + 1.0) * (2.0 * below + 1.0) / 24 - ties / 48
        centred = doubled / 2 - below * (below + 1.0) / 4
        pulled = max(abs(centred) - 0.5, 0.0)
        z[b] = np.copysign(pulled, centred) / np.sqrt(variance) if below > 0 else 0.0


def bootstrap_z(sample: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Return the signed Z of so many resamples of the differences, each in O(n)."""
    magnitude = np.abs(sample)
    levels = np.unique(magnitude[magnitude > 0])
    group = np.where(magnitude > 0, np.searchsorted(levels, magnitude) + 1, 0)
    word = np.where(sample > 0, _WON + 1, 1)
    seed = rng.integers(0, 2**64, dtype=np.uint64)
    if not pays(50 * resamples * len(sample)):
        return _plainly_resampled_z(group, sample > 0, len(levels), seed, resamples)
    z = np.empty(resamples)
    _resampled_z(group.astype(np.int64), word.astype(np.int64), len(levels), seed, z)
    return z


def _plainly_resampled_z(
    group: NDArray[np.int64], won: NDArray[np.bool_], levels: int, seed: np.uint64, resamples: int
) -> Floats:
    """Do what the kernel does, on all resamples at once: the same draws, the same numbers."""
    n = len(group)
    halves = (n + 1) // 2
    bits = scrambled_words(seed, resamples * halves)
    both = np.stack([bits >> np.uint64(32), bits & np.uint64(0xFFFFFFFF)], axis=1)
    drawn = (both.reshape(resamples, 2 * halves)[:, :n] * np.uint64(n)) >> np.uint64(32)
    row = drawn.astype(np.intp)
    cell = group[row] + (levels + 1) * np.arange(resamples)[:, None]
    shape = (resamples, levels + 1)
    count = np.bincount(cell.ravel(), minlength=resamples * (levels + 1)).reshape(shape)
    wins = np.bincount(cell[won[row]], minlength=resamples * (levels + 1)).reshape(shape)
    count, wins = count[:, 1:], wins[:, 1:]  # zero differences, group 0, are dropped
    reached = np.cumsum(count, axis=1)
    doubled = (wins * (2 * (reached - count) + count + 1)).sum(axis=1)
    ties = (count * (count * count - 1)).sum(axis=1)
    below = count.sum(axis=1)
    variance = below * (below + 1.0) * (2.0 * below + 1.0) / 24 - ties / 48
    centred = doubled / 2 - below * (below + 1.0) / 4
    pulled = np.maximum(np.abs(centred) - 0.5, 0.0)
    safe = np.sqrt(np.where(below > 0, variance, 1.0))
    return np.where(below > 0, np.copysign(pulled, centred) / safe, 0.0)
