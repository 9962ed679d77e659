"""Probability that a signed-rank or McNemar test is significant again, on the arcsine scale."""

from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from scipy import optimize, special

from replicast.arrays import Floats
from replicast.kernels.counts import critical_wins
from replicast.kernels.mixtures import Mixture, Prior


def arcsine_spread(n: float) -> float:
    """Return the standard deviation of W+ / (n(n+1)/2) of n equal classifiers."""
    return float(np.sqrt((2 * n + 1) / (6 * n * (n + 1))))


def arcsine_score(share: Floats | float, n: float) -> Floats:
    """Return the share of rank sum on the arcsine scale, where its spread is 1 for every effect."""
    angle = 2 * np.arcsin(np.sqrt(np.clip(share, 0.0, 1.0))) - np.pi / 2
    return np.asarray(angle / (2 * arcsine_spread(n)))


def arcsine_critical(n: float, significance: float) -> float:
    """Return the arcsine score from which the normal signed-rank test is significant."""
    z = -float(special.ndtri(significance / 2))
    share = 0.5 + z * arcsine_spread(n) + 1 / (n * (n + 1))
    return float(arcsine_score(min(1.0, share), n))


class RankTest(NamedTuple):
    """A signed-rank test as the replication sees it: critical score, and gain in signal."""

    critical: float
    gain: float = 1.0


@lru_cache(maxsize=4)
def _legendre(nodes: int) -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(nodes)


def uniform_share_posterior(score: float, n: float, nodes: int = 400) -> tuple[Floats, Floats]:
    """Return nodes and weights of the signal given its score, under a uniform share of rank sum."""
    spread = arcsine_spread(n)
    reach = np.pi / (4 * spread)
    low, high = max(-reach, score - 12), min(reach, score + 12)
    x, weights = _legendre(nodes)
    lam = low + (high - low) * (x + 1) / 2
    mass = weights * np.exp(-((score - lam) ** 2) / 2) * np.cos(2 * spread * lam)
    return lam, mass / mass.sum()


def rank_power(lam: Floats | float, test: RankTest) -> Floats:
    """Return the probability of a significant replication for a true signal."""
    return np.asarray(special.ndtr(np.asarray(lam) * test.gain - test.critical))


def rank_mean_power(posterior: Mixture, test: RankTest) -> Floats:
    """Return the posterior mean of the power under a normal mixture."""
    spread = np.sqrt(1 + (test.gain * posterior.spreads) ** 2)
    inside = special.ndtr((test.gain * posterior.means - test.critical) / spread)
    return np.asarray((posterior.weights * inside).sum(axis=-1))


def uniform_share_mass(limit: float, score: float, n: float) -> float:
    """Return the posterior mass below `limit` under a uniform share of rank sum.

    The density is a normal times a cosine, so its integral is a complex error function.
    """
    frequency = 2 * arcsine_spread(n)
    reach = np.pi / (2 * frequency)
    ends = np.array([-reach, np.clip(limit, -reach, reach), reach])
    shifted = (ends - score - 1j * frequency) / np.sqrt(2)
    start, here, stop = (np.exp(1j * frequency * score) * special.erf(shifted)).real
    return float((here - start) / (stop - start))


def uniform_share_quantile(probability: float, score: float, n: float) -> float:
    """Return a quantile of the signal under a uniform share of rank sum."""
    reach = np.pi / (4 * arcsine_spread(n))

    def excess(signal: float) -> float:
        return uniform_share_mass(signal, score, n) - probability

    return float(optimize.brentq(excess, -reach, reach, xtol=1e-12, rtol=1e-14))


_ACCURACY_SPREADS = (0.004, 0.016, 0.064)


def accuracy_prior(discordant: float, cases: float) -> Prior:
    """Return the prior on the signal when accuracy differences are about 0.4, 1.6 or 6.4 points."""
    scale = cases / np.sqrt(discordant)
    return Prior((1 / 3,) * 3, tuple(float(s * scale) for s in _ACCURACY_SPREADS))


def discordance_score(share: float, discordant: float) -> float:
    """Return the share of discordant cases won on the arcsine scale."""
    return float(2 * np.sqrt(discordant) * (np.arcsin(np.sqrt(np.clip(share, 0, 1))) - np.pi / 4))


SizeKind = Literal["known", "predicted"]


class FreshSample(NamedTuple):
    """One possible size of the discordant set of a fresh sample, as its test sees it."""

    weight: float
    test: RankTest


def fresh_samples(
    discordant: float, cases: int, fresh: int, significance: float, *, kind: SizeKind, rule: str
) -> list[FreshSample]:
    """Return the sizes the discordant set of a fresh sample may have, by seven Hermite nodes.

    `predicted` adds the uncertainty about the rate of discordant cases, which `known` takes as seen.
    """
    x, weights = np.polynomial.hermite_e.hermegauss(7)
    rate = discordant / cases
    variance = fresh * rate * (1 - rate) * ((1 + fresh / cases) if kind == "predicted" else 1.0)
    samples = []
    for node, weight in zip(x, weights / weights.sum(), strict=True):
        size = min(max(round(fresh * rate + node * np.sqrt(variance)), 1), fresh)
        critical = critical_wins(size, significance, rule)
        if critical <= size:
            bar = discordance_score((critical - 0.5) / size, size)
            samples.append(
                FreshSample(float(weight), RankTest(bar, float(np.sqrt(size / discordant))))
            )
    return samples
