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
_MOST_STEPS = 200
_NEAR = 1e-13


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
    """What is known of a signal-to-noise ratio: weights, means and standard deviations of normals."""

    weights: Floats
    means: Floats
    spreads: Floats


def positive_mass(posterior: Mixture) -> Floats:
    """Return the posterior probability that the signal has the observed direction."""
    mass = special.ndtr(posterior.means / posterior.spreads)
    return np.asarray((posterior.weights * mass).sum(axis=-1))


def mixture_limits(posterior: Mixture, probabilities: Floats) -> Floats:
    """Return quantiles, by Newton's method between the quantiles of the components."""
    weights, means, spreads = posterior
    parts = means + spreads * special.ndtri(probabilities)[:, None]
    low, high, signal = parts.min(axis=-1), parts.max(axis=-1), parts @ weights
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):  # next to no density
        heights = weights / (spreads * math.sqrt(2 * math.pi))
        for _ in range(_MOST_STEPS):
            scaled = (signal[:, None] - means) / spreads
            excess = special.ndtr(scaled) @ weights - probabilities
            beyond = excess > 0
            low, high = np.where(beyond, low, signal), np.where(beyond, signal, high)
            moved = signal - excess / (np.exp(scaled * scaled / -2) @ heights)
            moved = np.where((low <= moved) & (moved <= high), moved, (low + high) / 2)
            near = np.abs(moved - signal) <= _NEAR * (np.abs(moved) + spreads.min())
            signal = moved
            if near.all():
                break
    return np.asarray(signal)


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
