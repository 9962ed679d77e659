"""The range of several standard normals: the studentized range whose variance is known."""

import math
from functools import lru_cache

import numpy as np
import scipy
from scipy import special

from replicast.arrays import Floats
from replicast.kernels.noncentral import gauss_panels

_LOG_RATIOS = np.linspace(0.0, 3.0, 13)  # of two spreads: up to twenty to one
_RUNS_DRAWN = 500_000
_MOST_RUNS = 1000  # of a model; the range of more hardly moves
_REACH = 12.0  # beyond, a standard normal has no mass that counts
_LEAST = 1e-200  # so far out the widest of all pairs is as good as alone


def range_upper(width: float, count: int) -> float:
    """Return the chance that `count` standard normals lie further apart than `width`.

    The largest of them is z with density k φ(z) Φ(z)^(k-1); given it, all others are within reach with
    probability (1 - Φ(z - w) / Φ(z))^(k-1). The complement of that is integrated, so that small tails
    keep their digits.
    """
    if width <= 0:
        return 1.0
    low, high = -_REACH, width + _REACH  # the integrand is smooth on the scale of 1
    nodes, weights = gauss_panels(math.ceil((high - low) / 1.5), 24)
    z, weights = low + (high - low) * nodes, (high - low) * weights
    below, beyond = special.log_ndtr(z), special.log_ndtr(z - width)
    with np.errstate(divide="ignore"):
        missed = -np.expm1((count - 1) * np.log1p(-np.exp(beyond - below)))
    density = np.exp((count - 1) * below - z**2 / 2)
    return min(1.0, float(weights @ (density * missed)) * count / math.sqrt(2 * math.pi))


def range_critical(tail: float, count: int) -> float:
    """Return the width that the range of `count` standard normals exceeds with probability `tail`."""
    most = -math.sqrt(2) * float(special.ndtri(tail / (count * (count - 1))))  # by Bonferroni
    if tail < _LEAST:
        return most
    log = math.log(tail)

    def excess(width: float) -> float:
        found = range_upper(width, count)
        return (math.log(found) if found > 0 else -math.inf) - log

    return float(scipy.optimize.brentq(excess, 0.0, most + 1e-9, xtol=1e-12))


def range_inflation(log_ratios: Floats, runs: int) -> Floats:
    """Return by how much the variance of a mean difference is understated after scaling by the range.

    Runs of two models are divided by the range that they have together. Where one model varies more,
    `log_ratios` of both spreads from 0, the range is large where the spread is, so that spread over
    range hardly varies, and difference over range does. Of normal runs, by simulation; 1 where there
    are so many that the range does not move.
    """
    if runs > _MOST_RUNS:
        return np.ones(np.shape(log_ratios))
    return np.asarray(np.interp(np.abs(log_ratios), _LOG_RATIOS, _inflations(runs)))


@lru_cache(maxsize=16)
def _inflations(runs: int) -> Floats:
    """Simulate normal runs of two models, whose spreads have every ratio in turn."""
    draws = np.random.default_rng(0).normal(size=(2, max(1000, _RUNS_DRAWN // runs), runs))
    found = []
    for log_ratio in _LOG_RATIOS:
        one, other = draws[0] * np.exp(log_ratio / 2), draws[1] * np.exp(-log_ratio / 2)
        width = np.maximum(one.max(-1), other.max(-1)) - np.minimum(one.min(-1), other.min(-1))
        gaps = (one.mean(-1) - other.mean(-1)) / width
        told = (one.var(-1, ddof=1) + other.var(-1, ddof=1)) / runs / width**2
        found.append(max(1.0, float((gaps**2).mean() / told.mean())))
    return np.array(found)
