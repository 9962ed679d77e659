"""Posterior probabilities that one classifier is better, practically equal, or worse."""

from collections.abc import Iterable

import numpy as np

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import compiled
from replicast.kernels.student import t_lower


def correlated_regions(
    mean: Floats, standard_error: Floats, df: float, rope: float
) -> tuple[Floats, Floats, Floats]:
    """Return the mass below -rope, inside and above rope of a shifted, scaled Student t.

    A zero standard error puts all mass on the mean.
    """
    certain = standard_error == 0
    scale = np.where(certain, 1.0, standard_error)
    with np.errstate(over="ignore"):  # a region wider than any score: infinitely many errors away
        below, above = (-rope - mean) / scale, (mean - rope) / scale
    left = np.where(certain, mean < -rope, t_lower(df, below))
    right = np.where(certain, mean > rope, t_lower(df, above))
    # from the side of the smaller tail, so that a small middle keeps its digits
    nearer = np.minimum(t_lower(df, -below), t_lower(df, -above))
    middle = np.where(certain, np.abs(mean) <= rope, nearer - np.minimum(left, right))
    return left, np.maximum(0.0, middle) if rope > 0 else np.where(certain, middle, 0.0), right


@compiled
def _walsh_reach(ordered: Floats, rope: float, low: Ints, high: Ints) -> None:
    """Fill up to which observation each one has a mean below the region, and from which above."""
    n = len(ordered)
    last = -1
    for i in range(n - 1, -1, -1):
        while last + 1 < n and ordered[i] + ordered[last + 1] < -2 * rope:
            last += 1
        low[i] = last
    first = n
    for i in range(n):
        while first - 1 >= 0 and ordered[i] + ordered[first - 1] > 2 * rope:
            first -= 1
        high[i] = first


@compiled
def _dirichlet_votes(low: Ints, high: Ints, order: Ints, gammas: Floats, votes: Floats) -> None:
    """Add how often each region is the heaviest over draws of the weights; ties are shared."""
    n = len(order)
    weights = np.empty(n)
    below, above = np.zeros(n + 1), np.zeros(n + 1)
    mass = np.empty(3)
    for draw in gammas:
        total = 0.0
        for j in range(n):
            weights[j] = draw[order[j]]
            total += weights[j]
        for j in range(n):
            weights[j] /= total
            below[j + 1] = below[j] + weights[j]
        for j in range(n - 1, -1, -1):
            above[j] = above[j + 1] + weights[j]
        left = right = 0.0
        for j in range(n - 1, -1, -1):
            left += weights[j] * below[low[j] + 1]
        for j in range(n):
            right += weights[j] * above[high[j]]
        mass[0], mass[1], mass[2] = left, max(0.0, 1.0 - left - right), right
        heaviest = mass.max()
        winners = 0
        for k in range(3):
            winners += mass[k] >= heaviest - 1e-12
        for k in range(3):
            if mass[k] >= heaviest - 1e-12:
                votes[k] += 1.0 / winners


def signed_rank_regions(rows: Floats, *, rope: float, batches: Iterable[Floats]) -> Floats:
    """Return (m, 3) counts of posterior votes of Benavoli's Bayesian signed-rank test, rows (m, n).

    `batches` yields the unnormalised Dirichlet weights (draws, n + 1), some draws at a time;
    the first column belongs to a pseudo-observation at zero, the prior.
    """
    votes = np.zeros((len(rows), 3))
    reaches = []
    for row in rows:
        observations = np.concatenate([[0.0], row])
        order = np.argsort(observations, kind="stable")
        low, high = np.empty(len(order), dtype=np.int64), np.empty(len(order), dtype=np.int64)
        _walsh_reach(observations[order], rope, low, high)
        reaches.append((low, high, order))
    for gammas in batches:
        for reach, found in zip(reaches, votes, strict=True):
            _dirichlet_votes(*reach, gammas, found)
    return votes
