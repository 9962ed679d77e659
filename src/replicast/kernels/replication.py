"""What a first result says of the true effect, and how often a repeat is then significant.

Everything is seen from the observed direction and in standard errors. A first result is a statistic
with its degrees of freedom; the prior of the true effect is a mixture of centred normals; the power of
every test is a weighted sum of normal tails. So each chance is a sum of normal tails as well.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.kernels.mixtures import Mixture, Prior
from replicast.kernels.ranks import EXACT_UP_TO, critical_rank_sum

_LEAST = 1e-300  # a t-test can always be significant, also where floats end before its chance
_STEP, _STEPS_OF_SPREAD = 0.05, 0.9  # of log w, a fifth more for each degree; of its spread
_TAIL = 1e-9
_NEVER = 1e7  # degrees of freedom from which an error is as good as known


@lru_cache(maxsize=512)
def chi_nodes(df: float, coarser: float = 1.0) -> tuple[Floats, Floats]:
    """Return nodes and weights for the mean of a function of w = chi / sqrt(df).

    The trapezoidal rule in log w, where the density is smooth and falls fast: means of normal tails
    are right to 1e-6, unless `coarser` steps are enough.
    """
    if df >= _NEVER:
        return np.ones(1), np.ones(1)
    low, high = special.gammaincinv(df / 2, _TAIL), special.gammainccinv(df / 2, _TAIL)
    ends = np.log(2 * np.array([low, high]) / df) / 2
    step = min(coarser * _STEP * (0.8 + 0.2 * df), _STEPS_OF_SPREAD / np.sqrt(2 * df))
    log_w = np.arange(ends[0], ends[1] + step, step)
    log = df * (log_w - np.expm1(2 * log_w) / 2)
    weights = np.exp(log - log.max())
    return np.exp(log_w), weights / weights.sum()


class FreshTest(NamedTuple):
    """A test to come: at a true effect of x standard errors of the first result, it is significant

    with probability Σ chances Φ(gains x - bars).
    """

    bars: Floats
    gains: Floats
    chances: Floats


def student_test(
    critical: float, df: float, inflation: float = 1.0, gain: float = 1.0
) -> FreshTest:
    """Return a t-test whose T behaves like `inflation` times a noncentral t.

    `gain` is what one standard error of the first result is in those of the repeat.
    """
    w, weights = chi_nodes(df)
    return FreshTest(critical * w / inflation, np.full(len(w), gain), weights)


def power(effects: Floats | float, test: FreshTest, spreads: Floats | float = 0.0) -> Floats:
    """Return the power at effects, or its mean over normal beliefs around them."""
    effects, spreads = (
        np.asarray(part, dtype=np.float64)[..., None] for part in (effects, spreads)
    )
    spread = np.sqrt(1 + (test.gains * spreads) ** 2)
    tails = special.ndtr((test.gains * effects - test.bars) / spread)
    least = _LEAST if np.isfinite(test.bars).any() else 0.0
    return np.asarray(np.clip((tails * test.chances).sum(axis=-1), least, 1.0))


class Way(NamedTuple):
    """One way the first result can have come about, and the test of a repeat if that is so.

    Most results have one way; those of seeds have one for each share of the split.

    Attributes
    ----------
    statistic, df, inflation : float
        T, its degrees of freedom, and the standard deviation of T where it should be 1.
    test : FreshTest
        The test of the repeat.
    weight : float
        Probability of the way before the statistic is seen.
    unit, deviation : float
        What the unit of the prior is in true standard errors of the first result; and of a prior in
        deviations of the seeds.
    noise : float
        Standard error of the repeat in those of the first result.
    scale : float
        T over the statistic that was seen, where ways have different standard errors.
    shared : float
        Variance that the first result shares with its repeat beside the true effect.
    """

    statistic: float
    test: FreshTest
    df: float = np.inf
    inflation: float = 1.0
    weight: float = 1.0
    unit: float = 1.0
    deviation: float = 1.0
    noise: float = 1.0
    scale: float = 1.0
    shared: float = 0.0


class Posterior(NamedTuple):
    """What is known of the true effect: a normal mixture for each way.

    `beliefs` are in standard errors of the way, `levels` the estimated error over the true one.
    """

    ways: Sequence[Way]
    beliefs: Sequence[Mixture]
    levels: Sequence[Floats]

    @property
    def whole(self) -> Mixture:
        """All ways as one mixture, in the unit of the prior."""
        parts = [
            (belief.weights, belief.means / way.unit, belief.spreads / way.unit)
            for way, belief in zip(self.ways, self.beliefs, strict=True)
        ]
        return Mixture(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def posterior(ways: Sequence[Way], prior: Prior) -> Posterior:
    """Weigh ways, parts of the prior and noise levels by how well they explain the statistic.

    Given T and a part of the prior, the noise level w is chi distributed again, with a degree of
    freedom more and the smaller the more T outgrows what the part expects.
    """
    if prior.unit == "deviation":
        ways = [way._replace(unit=way.deviation) for way in ways]
    logs, nodes, means, spreads, levels = [], [], [], [], []
    for way in ways:
        variance = (np.array(prior.spreads) * way.unit) ** 2 + way.shared
        total = variance + 1
        t = np.clip(way.statistic / way.inflation, -1e150, 1e150)
        with np.errstate(divide="ignore"):  # a part of weight 0 has log weight -inf
            log = np.log(np.array(prior.weights) * way.weight * way.scale) - np.log(total) / 2
        if way.df >= _NEVER:
            w, weights, level = np.ones(1), np.ones(1), np.ones((1, len(total)))
            log = log - t**2 / (2 * total)
        else:
            shrunk = np.hypot(1.0, t / np.sqrt(total * way.df))
            log = log - (way.df + 1) * np.log(shrunk)
            w, weights = chi_nodes(way.df + 1)
            level = w[:, None] * np.sqrt((way.df + 1) / way.df) / shrunk
        logs.append(log)
        nodes.append(weights)
        means.append(level * t * variance / total)
        spreads.append(np.broadcast_to(np.sqrt(variance / total), level.shape))
        levels.append(level.ravel())
    highest = max(log.max() for log in logs)
    shares = [np.exp(log - highest) for log in logs]
    whole = sum(share.sum() for share in shares)
    beliefs = [
        Mixture((node[:, None] * share / whole).ravel(), mean.ravel(), spread.ravel())
        for node, share, mean, spread in zip(nodes, shares, means, spreads, strict=True)
    ]
    return Posterior(tuple(ways), beliefs, levels)


def mean_power(known: Posterior, sign: int = 1) -> float:
    """Return the chance of a repeat that is significant in the observed direction, or the other."""
    return sum(
        float(belief.weights @ power(sign * belief.means, way.test, belief.spreads))
        for way, belief in zip(known.ways, known.beliefs, strict=True)
    )


def power_at(known: Posterior, effects: Floats, tests: Sequence[FreshTest] | None = None) -> Floats:
    """Return the power at true effects, in the unit of the prior, over what is known of the ways."""
    tests = tests or [way.test for way in known.ways]
    return np.asarray(
        sum(
            belief.weights.sum() * power(effects * way.unit, test)
            for way, belief, test in zip(known.ways, known.beliefs, tests, strict=True)
        )
    )


def predicted(
    known: Posterior, error: float, widened: float = 1.0, *, noise: float = 1.0
) -> Mixture:
    """Return what the estimate of a repeat will be, in the unit of `error`.

    `error` is the standard error of the first result as its test has it; `widened` what the true one
    is multiplied by, and `noise` that of the repeat: with 0 it is the true effect that is predicted.
    """
    parts = []
    for way, belief, level in zip(known.ways, known.beliefs, known.levels, strict=True):
        true = error / way.scale * way.inflation / level
        spread = widened * true * np.sqrt(belief.spreads**2 + (noise * way.noise) ** 2)
        parts.append((belief.weights, true * belief.means, spread))
    return Mixture(*(np.concatenate(column) for column in zip(*parts, strict=True)))


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
