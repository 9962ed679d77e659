"""Means of two observations, which the signed-rank test counts: their median and its interval."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replicast.arrays import Floats
from replicast.kernels.compiled import compiled_in_bulk
from replicast.kernels.ranks import untied_lower_tail

_LIST_UP_TO = 400
_EXACT_INTERVAL_UP_TO = 200


@compiled_in_bulk
def _at_most(ordered: Floats, value: float) -> int:
    """Count pairs i <= j whose mean is at most `value`."""
    count = 0
    high = len(ordered) - 1
    for low in range(len(ordered)):
        while high >= 0 and ordered[low] + ordered[high] > 2 * value:
            high -= 1
        if high < low:
            break
        count += high - low + 1
    return count


@lru_cache(maxsize=4)
def _couples(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the places of all pairs i <= j."""
    return np.triu_indices(n)


def quantile(sample: Floats, *ranks: int) -> float:
    """Return the rank-th smallest (from 1) of all means of two observations, itself included.

    Of several ranks the mean is returned.
    """
    if len(sample) <= _LIST_UP_TO:
        ordered = np.sort(sample)
        i, j = _couples(len(ordered))
        places = [rank - 1 for rank in ranks]
        found = np.partition((ordered[i] + ordered[j]) / 2, places)[places]
        return float(sum(found.tolist()) / len(places))
    return sum(_search(sample, rank) for rank in ranks) / len(ranks)


def _search(sample: Floats, rank: int) -> float:
    """Return the rank-th smallest by halving: there are too many means to list."""
    ordered = np.sort(sample)
    low, high = float(ordered[0]), float(ordered[-1])
    if _at_most(ordered, low) >= rank:
        return low
    while True:
        middle = low + (high - low) / 2
        if middle in (low, high):
            return high
        if _at_most(ordered, middle) >= rank:
            high = middle
        else:
            low = middle


def pseudomedian(sample: Floats) -> float:
    """Return the Hodges-Lehmann estimate: the median of all means of two observations."""
    pairs = len(sample) * (len(sample) + 1) // 2
    below, above = (pairs + 1) // 2, pairs // 2 + 1
    return quantile(sample, below, above)


def pseudomedian_interval(sample: Floats, confidence: float) -> tuple[float, float]:
    """Return the signed-rank interval of the pseudomedian; infinite where n is too small for it."""
    n = len(sample)
    pairs = n * (n + 1) // 2
    if n <= _EXACT_INTERVAL_UP_TO:
        tail = untied_lower_tail(n)
        allowed = int(np.searchsorted(tail, (1 - confidence) / 2, side="right"))
    else:
        z = float(special.ndtri(0.5 + confidence / 2))
        allowed = int(np.floor(pairs / 2 - z * np.sqrt(n * (n + 1) * (2 * n + 1) / 24)))
    if allowed < 1:
        return -np.inf, np.inf
    return quantile(sample, allowed), quantile(sample, pairs + 1 - allowed)
