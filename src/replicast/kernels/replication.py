"""Probability that a t-test or a signed-rank test is significant again.

What is known of the effect is a mixture on its signal-to-noise ratio; the power of the replication's
test is averaged over it, in closed form.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.kernels.mixtures import Mixture, Prior, Priors
from replicast.kernels.ranks import EXACT_UP_TO, critical_rank_sum

# --------------------------------------------------------------------------- t-tests
_NODES = 32  # the calibrated estimator is defined with this rule; see docs/calibration.md
_LEAST = 1e-300  # a t-test can always be significant, also where floats end before its chance
_MANY_DF, _FEW_NODES = 300, 8  # w hardly varies there; chances differ by less than 0.0001


@lru_cache(maxsize=256)
def chi_nodes(df: float, nodes: int | None = None) -> tuple[Floats, Floats]:
    """Return nodes and weights for the mean of a function of w = chi / sqrt(df)."""
    usual = _NODES if df < _MANY_DF else _FEW_NODES
    x, weights = np.polynomial.legendre.leggauss(usual if nodes is None else nodes)
    w = np.sqrt(2 * special.gammaincinv(df / 2, (x + 1) / 2) / df)
    return w, weights / 2


class StudentTest(NamedTuple):
    """A t-test as the replication sees it.

    T behaves like `inflation` times a noncentral t whose noncentrality is the signal-to-noise ratio;
    `gain` converts the ratio of the first experiment into that of the replication.
    """

    df: float
    critical: float | Floats
    inflation: float
    gain: float = 1.0


def student_power(lam: Floats | float, test: StudentTest) -> Floats:
    """Return the probability of a significant replication for a true signal-to-noise ratio.

    Several critical values of a test broadcast against the ratios.
    """
    w, weights = chi_nodes(test.df)
    bar = np.asarray(test.critical)[..., None] * (w / test.inflation)
    inside = special.ndtr(test.gain * np.asarray(lam, dtype=np.float64)[..., None] - bar)
    return np.asarray(np.maximum(inside @ weights, _LEAST))


def student_mean_power(posterior: Mixture, test: StudentTest) -> Floats:
    """Return the posterior mean of the power; the last axis of the mixture is summed over."""
    w, weights = chi_nodes(test.df)
    bar = test.critical * w / test.inflation
    spread = np.sqrt(1 + (test.gain * posterior.spreads) ** 2)
    inside = special.ndtr((test.gain * posterior.means[..., None] - bar) / spread[..., None])
    return np.asarray(np.maximum((posterior.weights * (inside @ weights)).sum(axis=-1), _LEAST))


def statistic_posterior(
    statistic: float, df: float, inflation: float, prior: Prior | Priors
) -> Mixture:
    """Return the posterior when only |T| is known: the noise level is averaged over.

    Given T and a part of the prior, the noise level w is chi distributed again, with a degree of
    freedom more and the smaller the more T outgrows what the part expects. Its nodes are therefore
    where w is, however large T.
    """
    variance = np.array(prior.spreads) ** 2
    total = variance + 1
    scaled = min(abs(statistic) / inflation, 1e300) / np.sqrt(total * df)
    shrunk = np.hypot(1.0, scaled)
    with np.errstate(divide="ignore"):  # a part of weight 0 has log weight -inf
        log = np.log(np.array(prior.weights)) - np.log(total) / 2 - (df + 1) * np.log(shrunk)
    shares = np.exp(log - log.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    w, weights = chi_nodes(df + 1)
    joint = (weights[:, None] * shares[..., None, :]).reshape(*shares.shape[:-1], -1)
    signals = w[:, None] * (scaled / shrunk * np.sqrt((df + 1) * total))
    means = signals * (variance / total)
    spreads = np.broadcast_to(np.sqrt(variance / total), means.shape)
    return Mixture(joint, means.ravel(), spreads.ravel())


# --------------------------------------------------------------------------- rank tests
def arcsine_spread(n: float) -> float:
    """Return the standard deviation of W+ / (n(n+1)/2) of n equal classifiers."""
    return float(np.sqrt((2 * n + 1) / (6 * n * (n + 1))))


def arcsine_score(share: Floats | float, n: float) -> Floats:
    """Return the share of rank sum on the arcsine scale, where its spread is 1 for every effect."""
    angle = 2 * np.arcsin(np.sqrt(np.clip(share, 0.0, 1.0))) - np.pi / 2
    return np.asarray(angle / (2 * arcsine_spread(n)))


def arcsine_critical(n: int, significance: float) -> float:
    """Return the arcsine score from which the signed-rank test is significant; inf if never.

    The test is exact for few differences and normal for many, and so is the critical rank sum; half
    a rank below it is the continuity correction.
    """
    total = n * (n + 1) / 2
    if n <= EXACT_UP_TO:
        least = critical_rank_sum(n, significance)
        return float(arcsine_score((least - 0.5) / total, n)) if least <= total else np.inf
    z = -float(special.ndtri(significance / 2))
    share = 0.5 + z * arcsine_spread(n) + 0.5 / total
    return float(arcsine_score(share, n)) if share <= 1 else np.inf


class RankTest(NamedTuple):
    """A signed-rank test as the replication sees it: critical score, and gain in signal."""

    critical: float
    gain: float = 1.0


def rank_power(lam: Floats | float, test: RankTest) -> Floats:
    """Return the probability of a significant replication for a true signal."""
    return np.asarray(special.ndtr(np.asarray(lam) * test.gain - test.critical))


def rank_mean_power(posterior: Mixture, test: RankTest) -> Floats:
    """Return the posterior mean of the power under a normal mixture."""
    spread = np.sqrt(1 + (test.gain * posterior.spreads) ** 2)
    inside = special.ndtr((test.gain * posterior.means - test.critical) / spread)
    return np.asarray((posterior.weights * inside).sum(axis=-1))
