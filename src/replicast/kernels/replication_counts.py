"""Probability that wins and losses, of datasets or of cases, are significant again."""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Bools, Floats, Ints
from replicast.kernels.compiled import compiled
from replicast.kernels.counts import critical_counts, critical_wins

_LISTED = 2_000_000  # trials up to which all outcomes are added up
_MOST_SIZES = 512  # sizes of a fresh sample that are added up; beyond, as many spread evenly
_EXACT_SIZES = 50  # above, the binomial tail by Peizer and Pratt is right to 1e-4
_SHARE_NODES = 32  # for each part of the prior
_QUANTILE_NODES = 129
_DEPTH = 25.0  # logarithms below its peak at which a density is cut off
_NEGLIGIBLE = 1e-12
_LEAST = 1e-200


def binomial_power(theta: Floats | float, trials: int, critical: int) -> Floats:
    """Return P(X >= critical) for X ~ Binomial(trials, theta)."""
    theta = np.asarray(theta, dtype=np.float64)
    if critical > trials:
        return np.zeros_like(theta)
    if critical <= 0:
        return np.ones_like(theta)
    return np.asarray(special.betainc(critical, trials - critical + 1, theta))


def beta_binomial_power(a: float, b: float, trials: int, critical: int) -> float:
    """Return P(X >= critical) for X ~ Binomial(trials, Beta(a, b))."""
    if critical > trials:
        return 0.0
    if trials > _LISTED:
        # P(X >= c) = P(theta > B), B ~ Beta(c, trials - c + 1): nearly a point among so many trials
        x, weights = np.polynomial.legendre.leggauss(200)
        bar = special.betaincinv(critical, trials - critical + 1, (x + 1) / 2)
        return min(1.0, float(weights @ special.betaincc(a, b, bar)) / 2)
    i = np.arange(max(critical, 0), trials + 1)
    log = (
        special.gammaln(trials + 1)
        - special.gammaln(i + 1)
        - special.gammaln(trials - i + 1)
        + special.betaln(a + i, b + trials - i)
        - special.betaln(a, b)
    )
    return float(min(1.0, np.exp(log).sum()))


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


def sized_power(share: Floats | float, fresh: FreshSizes) -> Floats:
    """Return the probability of enough wins for true shares of wins, over all sizes."""
    flat = np.ravel(np.asarray(share, dtype=np.float64))
    few = fresh.sizes <= _EXACT_SIZES
    sizes, critical = fresh.sizes[few], fresh.critical[few]
    safe = np.maximum(critical, 1)
    reached = np.where(critical > 0, special.betainc(safe, sizes - safe + 1, flat[:, None]), 1.0)
    found = reached @ fresh.chances[few]
    inside = np.clip(flat, 1e-9, 1 - 1e-9)
    _add_power(inside, fresh.sizes[~few], fresh.chances[~few], fresh.critical[~few], found)
    return np.asarray(np.minimum(found, 1.0).reshape(np.shape(share)))


@compiled
def _add_power(shares: Floats, sizes: Ints, chances: Floats, critical: Ints, found: Floats) -> None:
    """Add the tails of large binomials, by Peizer and Pratt (JASA 1968)."""
    for i in range(len(shares)):
        p = shares[i]
        q = 1.0 - p
        total = 0.0
        for j in range(len(sizes)):
            n, below = float(sizes[j]), critical[j] - 1.0
            if below < 0:
                total += chances[j]
                continue
            off = below + 2 / 3 - (n + 1 / 3) * p
            skew = q * _bend((below + 0.5) / (n * p)) + p * _bend((n - below - 0.5) / (n * q))
            z = off * math.sqrt(max(1.0 + skew, 0.0) / ((n + 1 / 6) * p * q))
            total += chances[j] * 0.5 * math.erfc(z / math.sqrt(2.0))
        found[i] += total


@compiled
def _bend(ratio: float) -> float:
    """Return (1 - x² + 2x log x) / (1 - x)², which is 0 at 1."""
    off = ratio - 1.0
    if abs(off) < 1e-3:
        return -off / 3 + off * off / 6
    return (1 - ratio * ratio + 2 * ratio * math.log(ratio)) / (off * off)


@lru_cache(maxsize=4)
def _legendre(nodes: int) -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(nodes)


class SharePrior(NamedTuple):
    """What is known of a share of wins: parts that are normal around 1/2, with wins and losses.

    The parts may bring wins and losses of their own, which makes them beta distributions.
    """

    wins: Floats
    losses: Floats
    log_weights: Floats
    spreads: Floats

    def log_density(self, share: Floats) -> Floats:
        """Return the logarithm of each part's density, up to a constant; parts on the last axis."""
        likelihood = special.xlogy(self.wins, share) + special.xlog1py(self.losses, -share)
        off = (share - 0.5) / self.spreads
        return np.asarray(likelihood - off**2 / 2 - np.log(self.spreads) + self.log_weights)

    def support(self) -> tuple[Floats, Floats]:
        """Return between which shares each part has not vanished; each has one peak."""
        zeros, ones = np.zeros_like(self.spreads), np.ones_like(self.spreads)

        def rises(x: Floats) -> Bools:
            slope = self.wins * (1 - x) - self.losses * x
            return np.asarray(slope > (x - 0.5) / self.spreads**2 * x * (1 - x))

        peak = _crossing(rises, zeros, ones)
        bar = self.log_density(peak) - _DEPTH
        low = _crossing(lambda x: self.log_density(x) < bar, zeros, peak)
        return low, _crossing(lambda x: self.log_density(x) > bar, peak, ones)


def normal_share(wins: float, losses: float, weights: Floats, spreads: Floats) -> SharePrior:
    """Return what wins and losses say of a share with a mixture of normals around 1/2 before."""
    with np.errstate(divide="ignore"):  # a part of weight 0 has log weight -inf
        log = np.log(np.asarray(weights, dtype=np.float64))
    known = np.full_like(log, wins), np.full_like(log, losses)
    return SharePrior(*known, log, np.asarray(spreads, dtype=np.float64))


def beta_share(wins: float, losses: float, weights: Floats, strengths: Floats) -> SharePrior:
    """Return what wins and losses say of a share with a mixture of symmetric betas before."""
    more = np.asarray(strengths, dtype=np.float64)
    log = np.log(weights) - special.betaln(more, more)
    return SharePrior(wins + more - 1, losses + more - 1, log, np.full_like(more, 1e6))


def share_masses(known: SharePrior) -> tuple[Floats, Floats]:
    """Return nodes and masses of a share, each part integrated by a rule of its own."""
    low, high = known.support()
    ends = np.clip([low, np.full_like(low, 0.5), high], low, high)  # cut at 1/2, for the direction
    width = np.diff(ends, axis=0)[:, None]
    x, rule = _legendre(_SHARE_NODES)
    nodes = ends[:-1, None] + width * (x[:, None] + 1) / 2
    with np.errstate(divide="ignore"):  # where 1/2 lies outside, one side has no width
        log = known.log_density(nodes) + np.log(width * rule[:, None])
    mass = np.exp(log - log.max())
    return nodes.ravel(), (mass / mass.sum()).ravel()


def share_quantiles(known: SharePrior, probabilities: Floats) -> Floats:
    """Return quantiles of a share, from the cumulated densities of its parts."""
    from scipy import integrate  # counts alone need it, and it takes long to load

    low, high = known.support()
    grid = np.linspace(low, high, _QUANTILE_NODES)
    log = known.log_density(grid)
    density = np.exp(log - log.max())
    reached = integrate.cumulative_simpson(density, dx=1.0, axis=0, initial=0.0)
    reached *= (high - low) / (_QUANTILE_NODES - 1)
    reached = np.maximum.accumulate(reached / reached[-1].sum(), axis=0)
    wanted = np.asarray(probabilities, dtype=np.float64)

    def too_low(share: Floats) -> Bools:
        parts = [np.interp(share, grid[:, k], reached[:, k]) for k in range(grid.shape[1])]
        return np.asarray(np.sum(parts, axis=0) < wanted)

    return _crossing(too_low, np.zeros_like(wanted), np.ones_like(wanted))


def _crossing(rising: Callable[[Floats], Bools], low: Floats, high: Floats) -> Floats:
    """Return where a condition that holds below stops holding, by bisection."""
    for _ in range(50):
        middle = (low + high) / 2
        below = rising(middle)
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return (low + high) / 2


def clopper_pearson(wins: float, trials: float, confidence: float) -> tuple[float, float]:
    """Return the exact interval of a success rate; wins may be half when ties are shared."""
    tail = (1 - confidence) / 2
    low = float(special.betaincinv(wins, trials - wins + 1, tail)) if wins > 0 else 0.0
    high = float(special.betaincinv(wins + 1, trials - wins, 1 - tail)) if wins < trials else 1.0
    return low, high


def beta_interval(a: float, b: float, confidence: float) -> tuple[float, float]:
    """Return the central interval of a beta distribution."""
    tail = (1 - confidence) / 2
    return float(special.betaincinv(a, b, tail)), float(special.betaincinv(a, b, 1 - tail))


def beta_densest_interval(a: float, b: float, confidence: float) -> tuple[float, float]:
    """Return the shortest interval of a beta distribution that holds this mass."""
    if a <= 1 and b <= 1:
        return beta_interval(a, b, confidence)
    if a <= 1:
        return 0.0, float(special.betaincinv(a, b, confidence))
    if b <= 1:
        return float(special.betaincinv(a, b, 1 - confidence)), 1.0

    def log_density(x: float) -> float:
        return float(special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x))

    low_tail, high_tail = 0.0, 1 - confidence
    for _ in range(100):  # at the shortest interval both ends have the same density
        tail = (low_tail + high_tail) / 2
        low = float(special.betaincinv(a, b, tail))
        high = float(special.betaincinv(a, b, tail + confidence))
        if log_density(low) < log_density(high):
            low_tail = tail
        else:
            high_tail = tail
    return low, high
