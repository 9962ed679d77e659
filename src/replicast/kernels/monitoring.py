"""Evidence that may be looked at after every case: e-processes and confidence sequences.

A gambler who bets the share λ on the first classifier multiplies the stake by 1 + λd with every
difference d in [-1, 1]; if the mean difference is 0, no strategy expects to gain. The bets here are
spread over λ by the arcsine law, that is Jeffreys' prior of a coin.
"""

from functools import lru_cache

import numpy as np
from scipy import special

from replicast.arrays import Floats

GRID = np.linspace(-1.0, 1.0, 513)
_BETS = 128  # they stand for the arcsine law exactly while fewer than 256 cases differ
_SERIES_FROM = 8.0
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
_TRIED, _ROUNDS = 33, 5  # means tried for a limit, and how often the bracket is narrowed


def _stirling_rest(x: Floats) -> Floats:
    """Return what Stirling's formula leaves of log Γ(x)."""
    large = np.maximum(x, _SERIES_FROM)
    series = np.polynomial.polynomial.polyval(large**-2.0, _STIRLING) / large
    small = np.minimum(x, _SERIES_FROM)
    exact = special.gammaln(small) - (small - 0.5) * np.log(small) + small
    return np.where(x < _SERIES_FROM, exact - np.log(2 * np.pi) / 2, series)


def discordant_log_e(first_only: Floats, second_only: Floats) -> Floats:
    """Return log E of counts of cases won by one side: 2^(b+c) B(b+½, c+½) / B(½, ½).

    Written so that large terms do not cancel.
    """
    b, c = np.asarray(first_only, np.float64), np.asarray(second_only, np.float64)
    total = b + c + 1
    lead = (b - c) / total
    rest = _stirling_rest(b + 0.5) + _stirling_rest(c + 0.5) - _stirling_rest(total)
    return b * np.log1p(lead) + c * np.log1p(-lead) + rest - np.log(total * np.pi / 2) / 2


@lru_cache(maxsize=1)
def bets() -> Floats:
    """Return the shares bet: equally weighted nodes of the arcsine law (Gauss and Chebyshev)."""
    nodes = np.cos((2 * np.arange(_BETS) + 1) * np.pi / (2 * _BETS))
    nodes.setflags(write=False)
    return nodes


def spread(differences: Floats) -> Floats:
    """Count differences in [-1, 1] on `GRID`, each shared by its two neighbours.

    The logarithm of a gain is concave, so sharing can only lower it: what follows stays valid, and
    -1, 0 and 1 are counted exactly.
    """
    place = (np.ravel(differences) + 1) * (len(GRID) - 1) / 2
    below = np.minimum(np.floor(place), len(GRID) - 2).astype(np.int64)
    part = place - below
    counts = np.bincount(below, 1 - part, len(GRID))
    counts += np.bincount(below + 1, part, len(GRID))
    return np.asarray(counts, np.float64)


@lru_cache(maxsize=1)
def log_gains() -> Floats:
    """Return the logarithm of what each bet (rows) makes of each difference of `GRID` (columns)."""
    gains = np.log1p(bets()[:, None] * GRID)
    gains.setflags(write=False)
    return gains


def log_e(counts: Floats, mean: Floats | float = 0.0) -> Floats:
    """Return log E of counts on `GRID`, had the mean difference been `mean` (...).

    Bets are scaled so that no difference can ruin one.
    """
    mean = np.asarray(mean, np.float64)[..., None]
    stake = bets() / np.where(bets() > 0, 1 + mean, 1 - mean)
    used = np.flatnonzero(counts)
    gains = np.log1p(stake[..., None] * (GRID[used] - mean[..., None]))
    return np.asarray(special.logsumexp(gains @ counts[used], axis=-1) - np.log(_BETS))


def confidence_limits(counts: Floats, significance: float) -> tuple[float, float]:
    """Return the limits of the means whose e-value stays below 1 / significance."""
    centre = float(counts @ GRID / counts.sum())
    limits = []
    for end in (-1.0, 1.0):
        if abs(centre - end) < 1e-12:  # every case was won by the one side
            limits.append(end)
            continue
        inside, outside = centre, end
        for _ in range(_ROUNDS):  # from outside: no mean that is kept is passed over
            means = np.linspace(outside, inside, _TRIED)
            kept = log_e(counts, means[1:-1]) < -np.log(significance)
            first = int(np.argmax(kept)) if kept.any() else _TRIED - 2
            outside, inside = float(means[first]), float(means[first + 1])
        limits.append(outside)
    return limits[0], limits[1]
