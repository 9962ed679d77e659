"""Probability that a t-test is significant again, averaged over what is known of the effect."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.kernels.mixtures import Mixture, Prior, normal_posterior

_NODES = 32  # the calibrated estimator is defined with this rule; see docs/calibration.md
_LARGEST_STATISTIC = 60.0  # beyond, every probability is 1 to six digits


@lru_cache(maxsize=256)
def chi_nodes(df: float, nodes: int = _NODES) -> tuple[Floats, Floats]:
    """Return nodes and weights for the mean of a function of w = chi / sqrt(df)."""
    x, weights = np.polynomial.legendre.leggauss(nodes)
    w = np.sqrt(2 * special.gammaincinv(df / 2, (x + 1) / 2) / df)
    return w, weights / 2


class StudentTest(NamedTuple):
    """A t-test as the replication sees it.

    T behaves like `inflation` times a noncentral t whose noncentrality is the signal-to-noise ratio;
    `gain` converts the ratio of the first experiment into that of the replication.
    """

    df: float
    critical: float
    inflation: float
    gain: float = 1.0


def student_power(lam: Floats | float, test: StudentTest) -> Floats:
    """Return the probability of a significant replication for a true signal-to-noise ratio."""
    w, weights = chi_nodes(test.df)
    bar = test.critical * w / test.inflation
    inside = special.ndtr(test.gain * np.asarray(lam, dtype=np.float64)[..., None] - bar)
    return np.asarray((weights * inside).sum(axis=-1))


def student_mean_power(posterior: Mixture, test: StudentTest) -> Floats:
    """Return the posterior mean of the power; the last axis of the mixture is summed over."""
    w, weights = chi_nodes(test.df)
    bar = test.critical * w / test.inflation
    spread = np.sqrt(1 + (test.gain * posterior.spreads) ** 2)
    inside = special.ndtr((test.gain * posterior.means[..., None] - bar) / spread[..., None])
    return np.asarray((posterior.weights * (weights * inside).sum(axis=-1)).sum(axis=-1))


def statistic_posterior(statistic: float, df: float, inflation: float, prior: Prior) -> Mixture:
    """Return the posterior when only |T| is known: the noise level is averaged over."""
    w, weights = chi_nodes(df)
    estimate = min(abs(statistic) / inflation, _LARGEST_STATISTIC) * w
    total = np.array(prior.spreads) ** 2 + 1
    evidence = (
        np.array(prior.weights) * np.exp(-(estimate[:, None] ** 2) / (2 * total)) / np.sqrt(total)
    )
    outer = weights * w * evidence.sum(axis=-1)
    inner = normal_posterior(estimate, prior)
    if outer.sum() == 0:  # the statistic is too large for every noise level but the smallest
        outer = (w == w.min()).astype(np.float64)
    joint = (outer / outer.sum())[:, None] * inner.weights
    return Mixture(joint.ravel(), inner.means.ravel(), inner.spreads.ravel())


def student_from_statistics(
    statistics: Floats, df: float, inflation: float, test: StudentTest, prior: Prior
) -> Floats:
    """Return the mean power for an array of |T| of one design.

    Few are computed one by one. Many are read off a Chebyshev series in T, built for the design to an
    error below 1e-7, which costs as much as a few hundred single values.
    """
    flat = np.minimum(np.abs(np.ravel(statistics)) / inflation, _LARGEST_STATISTIC)
    if len(flat) <= 2 * _SERIES_NODES:
        found = _each_statistic(flat, df, test, prior)
    else:
        found = _series(df, test, prior)(flat)
    return np.clip(found, 0.0, 1.0).reshape(np.shape(statistics))


_SERIES_NODES = 160
_SERIES_SCALE = 4.0


def _each_statistic(scaled: Floats, df: float, test: StudentTest, prior: Prior) -> Floats:
    return np.array(
        [student_mean_power(statistic_posterior(u, df, 1.0, prior), test) for u in scaled]
    )


@lru_cache(maxsize=32)
def _series(df: float, test: StudentTest, prior: Prior) -> Callable[[Floats], Floats]:
    """Return a Chebyshev series in u / (u + scale), which is smooth over the whole range of u."""
    top = _LARGEST_STATISTIC / (_LARGEST_STATISTIC + _SERIES_SCALE)
    x = np.polynomial.chebyshev.chebpts1(_SERIES_NODES + 1)
    folded = (x + 1) / 2 * top
    values = _each_statistic(folded * _SERIES_SCALE / (1 - folded), df, test, prior)
    coefficients = np.polynomial.chebyshev.chebfit(x, values, _SERIES_NODES)

    def probability(scaled: Floats) -> Floats:
        x = 2 * scaled / (scaled + _SERIES_SCALE) / top - 1
        return np.asarray(np.polynomial.chebyshev.chebval(x, coefficients))

    return probability


def case_signal(cases: Floats, folds: float, ratio: float) -> float:
    """Return the signal-to-noise ratio seen in differences in correctness (runs, cases).

    The variance over fresh data is that of the run averages plus the part that comes from sharing one
    dataset, which more runs do not shrink. Both variances are floored at 1/n, for classifiers that
    hardly ever disagree.
    """
    runs, n = cases.shape
    averaged = max(float(cases.mean(axis=0).var(ddof=1)), 1 / n)
    single = max(float(cases.var(axis=1, ddof=1).mean()), 1 / n)
    shared = (0.16 + 0.04 / runs) * folds * ratio
    return float(cases.mean() / np.sqrt((averaged + shared * single) / n))
