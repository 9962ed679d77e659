"""Comparisons with slack, entropies and pessimistic errors: the arithmetic of C4.5 trees."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from replicast.arrays import Floats
from replicast.kernels.compiled import bare, compiled

SLACK = 1e-6  # differences below it are ties; sums of fractional weights carry round-off


@lru_cache(maxsize=64)
def xlogx_table(n: int) -> Floats:
    """Return x·log2(x) for x = 0, 1, ..., n."""
    x = np.arange(n + 1, dtype=np.float64)
    table = np.zeros(n + 1)
    table[1:] = x[1:] * np.log2(x[1:])
    return table


@bare
def xlogx(x: float, table: Floats) -> float:
    """Return x·log2(x), read from `table` where x is a whole number."""
    whole = int(x)
    if whole == x and 0 <= whole < len(table):
        return table[whole]
    return x * math.log2(x) if x >= SLACK else 0.0


@bare
def majority(counts: Floats, node: int) -> int:
    """Return the class with the largest count in a row; near-ties go to the lower class."""
    best, index = 0.0, 0
    for k in range(counts.shape[1]):
        if counts[node, k] - best > SLACK:
            best, index = counts[node, k], k
    return index


@bare
def total(counts: Floats, node: int) -> float:
    """Return the sum of a row, added in order."""
    result = 0.0
    for k in range(counts.shape[1]):
        result += counts[node, k]
    return result


@bare
def misplaced(counts: Floats, node: int) -> float:
    """Return the weight outside the majority class of a row."""
    return total(counts, node) - counts[node, majority(counts, node)]


class ErrorLimits(NamedTuple):
    """The upper confidence limit of an error rate, with what it needs for whole numbers ready."""

    confidence: float
    z: float
    without_errors: Floats  # what the limit adds for n = 0, 1, 2, ... cases without an error


@lru_cache(maxsize=64)
def error_limits(confidence: float, n: int) -> ErrorLimits:
    """Return the limits for up to `n` cases."""
    cases = np.arange(1, n + 1, dtype=np.float64)
    added = np.concatenate([[0.0], cases * (1.0 - confidence ** (1.0 / cases))])
    return ErrorLimits(confidence, float(ndtri(1.0 - confidence)), added)


@compiled
def added_errors(n: float, errors: float, limits: ErrorLimits) -> float:
    """Return what the upper confidence limit adds to `errors` observed among `n` cases."""
    if limits.confidence > 0.5:
        return 0.0
    if errors >= 1.0:
        return _added_from_one(n, errors, limits.z)
    whole = int(n)
    if whole == n and whole < len(limits.without_errors):
        base = limits.without_errors[whole]
    else:
        base = n * (1.0 - limits.confidence ** (1.0 / n))
    if errors == 0.0:
        return base
    return base + errors * (_added_from_one(n, 1.0, limits.z) - base)


@bare
def _added_from_one(n: float, errors: float, z: float) -> float:
    if errors + 0.5 >= n:
        return max(n - errors, 0.0)
    share = (errors + 0.5) / n
    spread = math.sqrt(share / n - share * share / n + z * z / (4.0 * n * n))
    limit = (share + z * z / (2.0 * n) + z * spread) / (1.0 + z * z / n)
    return limit * n - errors


@bare
def pessimistic_errors(counts: Floats, node: int, limits: ErrorLimits) -> float:
    """Return the errors a leaf with these class counts is expected to make on new cases."""
    n = total(counts, node)
    if abs(n) < SLACK:
        return 0.0
    errors = n - counts[node, majority(counts, node)]
    return errors + added_errors(n, errors, limits)
