"""Posterior probabilities that one classifier is better, practically equal, or worse."""

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replicast.kernels.compiled import compiled

Floats = NDArray[np.float64]


def correlated_regions(
    mean: Floats, standard_error: Floats, df: float, rope: float
) -> tuple[Floats, Floats, Floats]:
    """Return the mass below -rope, inside and above rope of a shifted, scaled Student t.

    A zero standard error puts all mass on the mean.
    """
    certain = standard_error == 0
    scale = np.where(certain, 1.0, standard_error)
    left = np.where(certain, mean < -rope, special.stdtr(df, (-rope - mean) / scale))
    right = np.where(certain, mean > rope, special.stdtr(df, (mean - rope) / scale))
    return left, np.maximum(0.0, 1.0 - left - right), right


@compiled
def _walsh_votes(ordered: Floats, weights: Floats, rope: float) -> tuple[float, float, float]:
    """Return the weight of Walsh means below, inside and above the region, in one sweep."""
    n = len(ordered)
    left = right = 0.0
    low, below = -1, 0.0  # below: weight of observations pairing with i to a mean < -rope
    high, above = n, 0.0
    for i in range(n - 1, -1, -1):
        while low + 1 < n and ordered[i] + ordered[low + 1] < -2 * rope:
            low += 1
            below += weights[low]
        left += weights[i] * below
    for i in range(n):
        while high - 1 >= 0 and ordered[i] + ordered[high - 1] > 2 * rope:
            high -= 1
            above += weights[high]
        right += weights[i] * above
    return left, max(0.0, 1.0 - left - right), right


@compiled
def _dirichlet_votes(
    ordered: Floats, order: NDArray[np.int64], gammas: Floats, rope: float
) -> Floats:
    """Return how often each region is the heaviest over draws of the weights; ties are shared."""
    votes = np.zeros(3)
    n = len(ordered)
    weights = np.empty(n)
    mass = np.empty(3)
    for draw in gammas:
        total = 0.0
        for j in range(n):
            weights[j] = draw[order[j]]
            total += weights[j]
        for j in range(n):
            weights[j] /= total
        mass[0], mass[1], mass[2] = _walsh_votes(ordered, weights, rope)
        heaviest = mass.max()
        winners = 0
        for k in range(3):
            winners += mass[k] >= heaviest - 1e-12
        for k in range(3):
            if mass[k] >= heaviest - 1e-12:
                votes[k] += 1.0 / winners
    return votes / len(gammas)


def signed_rank_regions(rows: Floats, *, rope: float, gammas: Floats) -> Floats:
    """Return (m, 3) posterior votes of Benavoli's Bayesian signed-rank test for rows (m, n).

    `gammas` (draws, n + 1) are unnormalised Dirichlet weights; the first column belongs to a
    pseudo-observation at zero, the prior.
    """
    votes = np.empty((len(rows), 3))
    for i, row in enumerate(rows):
        observations = np.concatenate([[0.0], row])
        order = np.argsort(observations, kind="stable")
        votes[i] = _dirichlet_votes(observations[order], order, gammas, rope)
    return votes
