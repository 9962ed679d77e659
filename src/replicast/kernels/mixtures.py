"""Normal mixtures on the signal-to-noise ratio of an experiment: priors and posteriors.

The ratio is the true difference in units of the standard deviation of its estimate. Everything is
seen from the observed direction: estimates come in as they favour the better classifier.
"""

import math
from typing import Literal, NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Floats

Unit = Literal["signal", "difference", "angle", "deviation"]


class Prior(NamedTuple):
    """Mixture of centred normals on the true effect.

    `unit` says how it is measured: as the signal-to-noise ratio of the experiment, as a difference in
    accuracy (1 is 100 points), as the angle 2 asin(sqrt(share)) - pi/2 of a share of wins or of the
    rank sum, or in standard deviations of one difference.
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
    """Posterior of the signal-to-noise ratio: weights, means and standard deviations."""

    weights: Floats
    means: Floats
    spreads: Floats


def normal_posterior(estimate: Floats, prior: Prior) -> Mixture:
    """Return the posterior given estimates (...,) with unit noise; components on the last axis."""
    weights, variance = np.array(prior.weights), np.array(prior.spreads) ** 2
    total = variance + 1
    estimate = np.asarray(estimate, dtype=np.float64)[..., None]
    with np.errstate(divide="ignore"):  # a component of weight 0 has log weight -inf
        log = np.log(weights) - estimate**2 / (2 * total) - np.log(total) / 2
    posterior = np.exp(log - log.max(axis=-1, keepdims=True))
    shrink = variance / total
    return Mixture(
        posterior / posterior.sum(axis=-1, keepdims=True),
        estimate * shrink,
        np.broadcast_to(np.sqrt(shrink), posterior.shape),
    )


def mirrored(posterior: Mixture) -> Mixture:
    """Return the posterior as seen from the other direction."""
    return posterior._replace(means=-posterior.means)


def positive_mass(posterior: Mixture) -> Floats:
    """Return the posterior probability that the signal has the observed direction."""
    mass = special.ndtr(posterior.means / posterior.spreads)
    return np.asarray((posterior.weights * mass).sum(axis=-1))


def mixture_quantiles(posterior: Mixture, probabilities: Floats) -> Floats:
    """Return many quantiles of one mixture at once, to about four digits: interpolated."""
    weights, means, spreads = (np.ravel(part) for part in posterior)
    ends = special.ndtri([probabilities.min() / 2, (1 + probabilities.max()) / 2])
    grid = np.linspace((means + spreads * ends[0]).min(), (means + spreads * ends[1]).max(), 257)
    reached = special.ndtr((grid[:, None] - means) / spreads) @ weights
    return np.asarray(np.interp(probabilities, reached, grid))


def mixture_quantile(posterior: Mixture, probability: float) -> float:
    """Return a quantile of one mixture: Newton's method between the quantiles of its components."""
    weights, means, spreads = (np.ravel(part) for part in posterior)
    parts = means + spreads * special.ndtri(probability)
    low, high, signal = float(parts.min()), float(parts.max()), float(weights @ parts)
    heights = weights / spreads
    for _ in range(200):  # bisection alone would need about 60
        scaled = (signal - means) / spreads
        excess = float(weights @ special.ndtr(scaled)) - probability
        slope = float(heights @ np.exp(-0.5 * scaled * scaled))
        if excess > 0:
            high = signal
        else:
            low = signal
        moved = signal - excess * math.sqrt(2 * math.pi) / max(slope, 1e-300)
        if not low <= moved <= high:
            moved = (low + high) / 2
        if abs(moved - signal) <= 1e-13 * max(1.0, abs(moved)):
            return moved
        signal = moved
    return signal


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
