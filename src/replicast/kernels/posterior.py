"""Posterior probabilities that one classifier is better, practically equal, or worse."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from replicast.arrays import Floats, Ints
from replicast.kernels.slices import row_slices
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


class _Reach(NamedTuple):
    """Observations in ascending order: how many have a mean with each below the region, or above."""

    below: Ints
    above: Ints
    order: Ints

    @classmethod
    def of(cls, row: Floats, rope: float) -> "_Reach":
        """Count for the row and a pseudo-observation at zero."""
        observations = np.concatenate([[0.0], row])
        order = np.argsort(observations, kind="stable")
        ordered = observations[order]
        below = np.searchsorted(ordered, -2 * rope - ordered, side="left")
        above = len(ordered) - np.searchsorted(ordered, 2 * rope - ordered, side="right")
        return cls(below, above, order)

    def masses(self, gammas: Floats) -> tuple[Floats, Floats]:
        """Return the mass of the pairs below the region and above it, for draws of the weights."""
        weights = gammas[:, self.order]
        weights /= weights.sum(axis=1, keepdims=True)
        from_left, from_right = _running(weights), _running(weights[:, ::-1])
        return (
            np.vecdot(weights, from_left[:, self.below]),
            np.vecdot(weights, from_right[:, self.above]),
        )


def _running(weights: Floats) -> Floats:
    """Return the sums of the first 0, 1, 2, ... weights."""
    sums = np.zeros((len(weights), weights.shape[1] + 1))
    np.cumsum(weights, axis=1, out=sums[:, 1:])
    return sums


def _votes(below: Floats, above: Floats) -> Floats:
    """Return how many draws have their heaviest region below, inside and above; ties are shared."""
    masses = np.stack([below, np.maximum(0.0, 1.0 - below - above), above], axis=1)
    heaviest = masses >= masses.max(axis=1, keepdims=True) - 1e-12
    return np.asarray((heaviest / heaviest.sum(axis=1, keepdims=True)).sum(axis=0))


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

    def masses(self, gammas: Floats) -> tuple[Floats, Floats]:
        """Return the mass of the pairs below the region and above it, for draws of the weights."""
        weights = gammas / gammas.sum(axis=1, keepdims=True)
        alone = weights[:, 1:]
        reached = _running(alone)
        both = weights[:, self.first] * weights[:, self.second]
        under = np.vecdot(alone, reached[:, self.below]) + both @ self.left
        over = np.vecdot(alone, reached[:, -1:] - reached[:, self.above]) + both @ self.right
        return under, over


def signed_rank_regions(rows: Floats, *, rope: float, batches: Iterable[Floats]) -> Floats:
    """Return (m, 3) counts of posterior votes of Benavoli's Bayesian signed-rank test, rows (m, n).

    `batches` yields the unnormalised Dirichlet weights (draws, groups + 1), some draws at a time, for
    the groups of `group_sizes`; the first column belongs to a pseudo-observation at zero, the prior.
    """
    kind = _Cells if rows.shape[1] > MOST_ALONE else _Reach
    pairs = [kind.of(row, rope) for row in rows]
    votes = np.zeros((len(rows), 3))
    for gammas in batches:
        for some in row_slices(gammas):
            draws = gammas[some]
            votes += [_votes(*each.masses(draws)) for each in pairs]
    return votes
