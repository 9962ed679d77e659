"""Posterior probabilities that one classifier is better, practically equal, or worse."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import compiled
from replicast.kernels.student import t_lower

MOST_ALONE = 4096  # differences that have a weight each; of more, neighbours share one
_GROUPS = 1024


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
    """Add how often each region is the heaviest over draws of the weights."""
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
        _vote(left, right, mass, votes)


@compiled
def _vote(left: float, right: float, mass: Floats, votes: Floats) -> None:
    """Add the vote of one draw for its heaviest region; ties are shared."""
    mass[0], mass[1], mass[2] = left, max(0.0, 1.0 - left - right), right
    heaviest = mass.max()
    winners = 0
    for k in range(3):
        winners += mass[k] >= heaviest - 1e-12
    for k in range(3):
        if mass[k] >= heaviest - 1e-12:
            votes[k] += 1.0 / winners


def group_sizes(n: int) -> Ints:
    """Return how many neighbours in the order of the differences share one weight: one, unless many.

    Sums of Dirichlet weights are Dirichlet again, and a pair of groups is on one side as a whole unless
    the border runs through it. Only there the share of the pairs stands for their weights. That
    leaves out less than 1e-5 of the variance of a region, a thousandth of what the draws leave open.
    """
    groups = n if n <= MOST_ALONE else _GROUPS
    return np.diff(np.arange(groups + 1) * n // groups)


class _Cells(NamedTuple):
    """Pairs of groups on either side: whole ones up to a place, and those on the border.

    Group 0 is the pseudo-observation; the others follow in ascending order.
    """

    below: Ints
    above: Ints
    first: Ints
    second: Ints
    left: Floats
    right: Floats

    @classmethod
    def of(cls, row: Floats, rope: float) -> "_Cells":
        """Count the pairs of every two groups on both sides."""
        ordered = np.sort(row)
        sizes = group_sizes(len(ordered))
        starts = np.concatenate([[0], np.cumsum(sizes)])
        firsts, lasts = starts[:-1], starts[1:] - 1
        under = np.searchsorted(ordered, -2 * rope - ordered, side="left")  # so many are below
        over = np.searchsorted(ordered, 2 * rope - ordered, side="right")  # from here on, above
        below = np.searchsorted(starts, under[lasts], side="right") - 1  # whole groups
        above = np.searchsorted(starts, over[firsts], side="left")
        first = np.minimum(below, np.searchsorted(starts, over[lasts], side="right") - 1)
        end = np.maximum(np.searchsorted(starts, under[firsts], side="left"), above)
        u = np.repeat(np.arange(len(sizes)), np.maximum(end - first, 0))
        v = np.concatenate([np.arange(*each) for each in zip(first, end, strict=True)])
        shares = np.empty((2, len(u)))
        for at, (one, other) in enumerate(zip(u, v, strict=True)):
            own = slice(starts[one], starts[one + 1])
            most = sizes[other]
            counts = (
                np.clip(under[own] - starts[other], 0, most).sum() * (other >= below[one]),
                np.clip(starts[other + 1] - over[own], 0, most).sum() * (other < above[one]),
            )
            shares[:, at] = np.array(counts) / (sizes[one] * most)
        # every group makes two pairs with the pseudo-observation at zero
        sides = np.array([ordered < -2 * rope, ordered > 2 * rope], dtype=np.float64)
        alone = 2 * np.add.reduceat(sides, firsts, axis=1) / sizes
        left, right = np.concatenate([shares, alone], axis=1)
        zero, each = np.zeros(len(sizes), dtype=np.int64), np.arange(len(sizes)) + 1
        return cls(
            below.astype(np.int64), above.astype(np.int64),
            np.concatenate([u + 1, zero]), np.concatenate([v + 1, each]), left, right,
        )  # fmt: skip


@compiled
def _grouped_votes(
    below: Ints, above: Ints, first: Ints, second: Ints, left: Floats, right: Floats,
    gammas: Floats, votes: Floats,
) -> None:  # fmt: skip
    """Add how often each region is the heaviest, where neighbours share a weight."""
    n = len(below)
    weights = np.empty(n + 1)
    reached = np.zeros(n + 1)
    mass = np.empty(3)
    for draw in gammas:
        total = 0.0
        for j in range(n + 1):
            total += draw[j]
        for j in range(n + 1):
            weights[j] = draw[j] / total
        for j in range(n):
            reached[j + 1] = reached[j] + weights[j + 1]
        under = over = 0.0
        for j in range(n):
            under += weights[j + 1] * reached[below[j]]
            over += weights[j + 1] * (reached[n] - reached[above[j]])
        for k in range(len(first)):
            both = weights[first[k]] * weights[second[k]]
            under += left[k] * both
            over += right[k] * both
        _vote(under, over, mass, votes)


def signed_rank_regions(rows: Floats, *, rope: float, batches: Iterable[Floats]) -> Floats:
    """Return (m, 3) counts of posterior votes of Benavoli's Bayesian signed-rank test, rows (m, n).

    `batches` yields the unnormalised Dirichlet weights (draws, groups + 1), some draws at a time, for
    the groups of `group_sizes`; the first column belongs to a pseudo-observation at zero, the prior.
    """
    votes = np.zeros((len(rows), 3))
    if rows.shape[1] > MOST_ALONE:
        cells = [_Cells.of(row, rope) for row in rows]
        for gammas in batches:
            for one, found in zip(cells, votes, strict=True):
                _grouped_votes(*one, gammas, found)
        return votes
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
