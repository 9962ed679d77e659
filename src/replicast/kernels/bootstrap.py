"""Bootstrap of Wilcoxon's Z from the differences alone."""

import numpy as np
from numpy.typing import NDArray

from replicast.kernels.compiled import compiled

Floats = NDArray[np.float64]


@compiled
def _resampled_z(
    group: NDArray[np.int32], positive: NDArray[np.int32], groups: int, seed: np.uint64, z: Floats
) -> None:
    """Fill Z of resamples: counting into groups of equal magnitude makes ranks a running sum."""
    n = len(group)
    state = seed
    won = np.zeros(groups + 1, dtype=np.int32)
    drawn = np.zeros(groups + 1, dtype=np.int32)
    for b in range(len(z)):
        for _ in range(n):
            state += np.uint64(0x9E3779B97F4A7C15)  # splitmix64
            mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            high = (mixed ^ (mixed >> np.uint64(31))) >> np.uint64(32)
            i = np.int64((high * np.uint64(n)) >> np.uint64(32))
            drawn[group[i]] += np.int32(1)
            won[group[i]] += positive[i]
        below, rank_sum, ties = 0, 0.0, 0.0
        for g in range(1, groups + 1):
            count = int(drawn[g])
            rank_sum += won[g] * (below + (count + 1) / 2)
            ties += count * (count * count - 1)
            below += count
            drawn[g], won[g] = 0, 0
        drawn[0], won[0] = 0, 0
        variance = below * (below + 1.0) * (2.0 * below + 1) / 24 - ties / 48
        centred = rank_sum - below * (below + 1.0) / 4
        pulled = max(abs(centred) - 0.5, 0.0)
        z[b] = np.copysign(pulled, centred) / np.sqrt(variance) if below > 0 else 0.0


def bootstrap_z(sample: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Return the signed Z of so many resamples of the differences, each in O(n)."""
    magnitude = np.abs(sample)
    levels = np.unique(magnitude[magnitude > 0])
    group = np.where(magnitude > 0, np.searchsorted(levels, magnitude) + 1, 0)
    z = np.empty(resamples)
    seed = rng.integers(0, 2**64, dtype=np.uint64)
    _resampled_z(group.astype(np.int32), (sample > 0).astype(np.int32), len(levels), seed, z)
    return z
