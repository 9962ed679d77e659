"""Probability that wins and losses, of datasets or of cases, are significant again."""

from typing import NamedTuple

import numpy as np
import scipy
from scipy import special

from replicast.arrays import Floats, Ints
from replicast.kernels.counts import critical_counts, critical_wins

_MOST_SIZES = 512  # sizes of a fresh sample that are added up; beyond, as many spread evenly
_NEGLIGIBLE = 1e-12
_LEAST = 1e-200


class FreshSizes(NamedTuple):
    """How many decided trials a fresh sample may have, the chance of each, and the wins it takes."""

    sizes: Ints
    chances: Floats
    critical: Ints


def decided_sizes(a: float, b: float, trials: int) -> tuple[Ints, Floats]:
    """Return how many of `trials` may be decided if their rate is Beta(a, b), and the chance of each.

    Very many are represented by some, whose chances are made to add up.
    """
    ends = special.betaincinv(a, b, [_NEGLIGIBLE, 1 - _NEGLIGIBLE])
    reach = 8 * np.sqrt(trials * ends * (1 - ends)) + 8
    low = max(0, int(trials * ends[0] - reach[0]))
    high = min(trials, int(trials * ends[1] + reach[1]) + 1)
    step = max(1, (high - low) // _MOST_SIZES)
    sizes = np.arange(low, high + 1, step, dtype=np.int64)
    log = (
        special.gammaln(trials + 1) - special.gammaln(sizes + 1)
        - special.gammaln(trials - sizes + 1)
        + special.betaln(a + sizes, b + trials - sizes) - special.betaln(a, b)
    )  # fmt: skip
    chances = np.exp(log - log.max())  # logarithms of large factorials cost digits
    chances /= chances.sum()
    return sizes, chances


def fresh_sizes(a: float, b: float, trials: int, significance: float, rule: str) -> FreshSizes:
    """Return the decided ones among `trials` if their rate is Beta(a, b): a beta-binomial.

    `rule` says which wins are enough: those of the `exact` or the `mid-p` test of the decided, or
    those of the exact test of all trials after each side got `half` of the undecided. Sizes at which
    nothing is enough are left out; so are improbable ones, unless no others are left.
    """
    sizes, chances = decided_sizes(a, b, trials)
    if rule == "half":
        critical = critical_wins(trials, significance) - (trials - sizes) // 2
    else:
        critical = critical_counts(sizes, significance, rule)
    kept = (critical <= sizes) & (chances > _NEGLIGIBLE)
    if not kept.any():  # trials that are all decided may be enough, however rarely
        enough = critical_wins(trials, significance, "exact" if rule == "half" else rule)
        possible = slice(0, int(enough <= trials))
        return FreshSizes(
            np.array([trials])[possible], np.array([_LEAST])[possible], np.array([enough])[possible]
        )
    return FreshSizes(sizes[kept], chances[kept], critical[kept])


def clopper_pearson(wins: float, trials: float, confidence: float) -> tuple[float, float]:
    """Return the exact interval of a success rate; wins may be half when ties are shared."""
    tail = (1 - confidence) / 2
    low = float(special.betaincinv(wins, trials - wins + 1, tail)) if wins > 0 else 0.0
    high = float(special.betaincinv(wins + 1, trials - wins, 1 - tail)) if wins < trials else 1.0
    return low, high


def beta_densest_interval(a: float, b: float, confidence: float) -> tuple[float, float]:
    """Return the shortest interval of a beta distribution that holds this mass; a or b is above 1."""
    if a <= 1:
        return 0.0, float(special.betaincinv(a, b, confidence))
    if b <= 1:
        return float(special.betaincinv(a, b, 1 - confidence)), 1.0

    def ends(tail: float) -> Floats:
        return np.asarray(special.betaincinv(a, b, [tail, tail + confidence]))

    def excess(tail: float) -> float:  # at the shortest interval both ends have the same density
        low, high = special.xlogy(a - 1, ends(tail)) + special.xlog1py(b - 1, -ends(tail))
        return float(low - high)

    low, high = ends(scipy.optimize.bisect(excess, 0.0, 1 - confidence, xtol=1e-15)).tolist()
    return low, high
