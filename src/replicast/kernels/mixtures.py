"""Normal mixtures on the signal-to-noise ratio of an experiment: priors and posteriors.

The ratio is the true difference in units of the standard deviation of its estimate. Everything is
seen from the observed direction: estimates come in as they favour the better classifier.
"""

import math
from typing import Literal, NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Floats

Unit = Literal["signal", "deviation"]


class Prior(NamedTuple):
    """Mixture of centred normals on the true effect.

    `unit` says how it is measured: in standard errors of the first result, or in standard deviations of
    the seeds.
    """

    weights: tuple[float, ...]
    spreads: tuple[float, ...]
    unit: Unit = "signal"

    def scaled(self, factor: float, unit: Unit) -> "Prior":
        """Return the prior on `factor` times the effect."""
        return Prior(self.weights, tuple(factor * spread for spread in self.spreads), unit)


DEFAULT_PRIOR = Prior((1 / 3, 1 / 3, 1 / 3), (1.0, 3.0, 9.0))
FLAT_PRIOR = Prior((1.0,), (1e6,))
SCEPTIC_PRIOR = Prior((1.0,), (1.0,))


class Mixture(NamedTuple):
    """Posterior of the signal-to-noise ratio: weights, means and standard deviations.

    After several priors, weights have a row for each.
    """

    weights: Floats
    means: Floats
    spreads: Floats


def normal_posterior(estimate: Floats, prior: Prior) -> Mixture:
    """Return the posterior given estimates (...,) with unit noise; components on the last axis."""
    weights, variance = np.array(prior.weights), np.array(prior.spreads) ** 2
    total = variance + 1
    estimate = np.asarray(estimate, dtype=np.float64)[..., None]
    weights = weights.reshape(*weights.shape[:-1], *(1,) * (estimate.ndim - 1), -1)
    with np.errstate(divide="ignore"):  # a component of weight 0 has log weight -inf
        log = np.log(weights) - estimate**2 / (2 * total) - np.log(total) / 2
    posterior = np.exp(log - log.max(axis=-1, keepdims=True))
    shrink = variance / total
    means = estimate * shrink
    return Mixture(
        posterior / posterior.sum(axis=-1, keepdims=True),
        means,
        np.broadcast_to(np.sqrt(shrink), means.shape),
    )


def positive_mass(posterior: Mixture) -> Floats:
    """Return the posterior probability that the signal has the observed direction."""
    mass = special.ndtr(posterior.means / posterior.spreads)
    return np.asarray((posterior.weights * mass).sum(axis=-1))


def mixture_limits(posterior: Mixture, probabilities: Floats) -> Floats:
    """Return quantiles of each mixture, on the last axis.

    Halley's method between the quantiles of the components; bisection alone would need 60 steps.
    What one mixture gives does not depend on the others, nor on the unit of the signal: a power of
    two near the largest spread is the unit here.
    """
    weights, means, spreads = posterior
    unit = int(np.frexp(spreads.max())[1])
    means, spreads = np.ldexp(means, -unit), np.ldexp(spreads, -unit)
    weights = weights[..., None, :]
    parts = means + spreads * special.ndtri(probabilities)[:, None]
    low, high, signal = parts.min(axis=-1), parts.max(axis=-1), np.vecdot(weights, parts)
    heights = weights / (spreads * math.sqrt(2 * math.pi))
    bends = heights / (2 * spreads)
    narrow = 1e-5 * spreads.min()  # the error after a step is about its third power
    found = np.zeros(signal.shape, dtype=bool)
    with np.errstate(over="ignore", invalid="ignore"):  # where there is next to no density
        for _ in range(200):
            scaled = (signal[..., None] - means) / spreads
            density = np.exp(scaled * scaled * -0.5)
            excess = np.vecdot(weights, special.ndtr(scaled)) - probabilities
            slope = np.maximum(np.vecdot(heights, density), 1e-300)
            beyond = excess > 0
            low, high = np.where(beyond, low, signal), np.where(beyond, signal, high)
            newton = excess / slope
            bent = 1 + newton / slope * np.vecdot(bends, scaled * density)
            moved = signal - newton / np.minimum(np.maximum(bent, 0.5), 2.0)
            inside = (low <= moved) & (moved <= high)
            moved = np.where(inside, moved, (low + high) / 2)
            step = np.abs(moved - signal)
            signal = np.where(found, signal, moved)
            found |= (step <= narrow) & inside | (step <= 1e-13 * np.maximum(1.0, np.abs(moved)))
            if found.all():
                break
    return np.asarray(np.ldexp(signal, unit))


EMPIRICAL_SPREADS = (0.3, 1.0, 2.0, 3.5, 9.0)


def empirical_prior(estimates: Floats, iterations: int = 200) -> Prior:
    """Return the mixture prior that a table of signal-to-noise estimates suggests, by EM."""
    total = np.sqrt(np.array(EMPIRICAL_SPREADS) ** 2 + 1)
    likelihood = np.exp(-((np.asarray(estimates)[:, None] / total) ** 2) / 2) / total + 1e-300
    count = len(EMPIRICAL_SPREADS)
    weights = np.full(count, 1 / count)
    for _ in range(iterations):
        share = likelihood * weights
        share /= share.sum(axis=1, keepdims=True)
        weights = share.sum(axis=0) + 1 / count
        weights /= weights.sum()
    return Prior(tuple(weights.tolist()), EMPIRICAL_SPREADS)
