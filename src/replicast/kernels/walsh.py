"""Means of two observations, which the signed-rank test counts: their median and its interval."""

import math
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
def _split(ordered: Floats, value: float) -> tuple[int, float, float]:
    """Count the means up to `value`; return the largest of them and the smallest of the others."""
    count, last = 0, len(ordered) - 1
    below, above = -np.inf, np.inf
    high = last
    for low in range(len(ordered)):
        while high >= low and ordered[low] + ordered[high] > 2 * value:
            high -= 1
        if high < last:
            above = min(above, ordered[low] + ordered[max(low, high + 1)])
        if high < low:
            break
        below = max(below, ordered[low] + ordered[high])
        count += high - low + 1
    return count, below / 2, above / 2


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
    ordered = np.sort(sample)
    return sum(_search(ordered, rank) for rank in ranks) / len(ranks)


def _search(ordered: Floats, rank: int) -> float:
    """Return the rank-th smallest by false position between means: there are too many to list.

    Where one end stays, its distance counts half (the Illinois rule); every third step halves.
    """
    low, high = float(ordered[0]), float(ordered[-1])
    short, over = float(rank), len(ordered) * (len(ordered) + 1) / 2 - rank + 1
    last = steps = 0
    while low < high:
        steps += 1
        share = short / (short + over) if steps % 3 else 0.5
        value = min(low + (high - low) * share, math.nextafter(high, low))
        count, below, above = _split(ordered, value)
        side = 1 if count >= rank else -1
        if side > 0:
            high, over = float(below), count - rank + 1.0
            short /= 2 if last == side else 1
        else:
            low, short = float(above), float(rank - count)
            over /= 2 if last == side else 1
        last = side
    return high


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
