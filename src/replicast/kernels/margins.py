"""Is the difference of two paired proportions above a bound? An exact test, and its power.

`won` and `lost` count the cases that only the first and only the second gets right. A test asks
whether the difference of their rates is above `bound`, by Tango's score statistic (Statistics in
Medicine 1998). The p-value is the largest over the rates of disagreement, so that the level holds
however few cases disagree.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Bools, Floats, Ints
from replicast.kernels.counts import binomial_mass, least_enough, upper_tail

Counts = Floats | Ints | int
_RATES = 97  # rates of disagreement tried, dense at both ends
_MANY = 2000.0  # losses expected beyond which the score is normal enough
_REACH = 7.0  # standard deviations of a count that are summed over
_NEAR = 1e-3  # how closely the critical score is found, from above
_SLACK = 1e-9
_WHOLE = 1 - 1e-9


def score_z(won: Counts, lost: Counts, cases: int, bound: float) -> Floats:
    """Return how far the difference lies above `bound`, in standard errors if that were the truth."""
    b, c = np.asarray(won, np.float64), np.asarray(lost, np.float64)
    linear = b + c + bound * (b - c - 2 * cases)
    root = np.sqrt(np.maximum(linear**2 + 8 * cases * c * bound * (1 - bound), 0.0))
    rate = np.maximum((linear + root) / (4 * cases), max(0.0, -bound))  # of losing, at the bound
    variance = cases * (2 * rate + bound * (1 - bound))
    excess = b - c - cases * bound
    return np.where(variance > 0, excess / np.sqrt(np.where(variance > 0, variance, 1.0)), 0.0)


class Margin(NamedTuple):
    """What has to be shown: a difference above, or below, `bound`, by a score of at least `score`."""

    bound: float
    score: float


def shows_above(won: Counts, lost: Counts, cases: int, margin: Margin) -> Bools:
    """Say whether counts show a difference above the bound."""
    return np.asarray(score_z(won, lost, cases, margin.bound) >= margin.score - _SLACK)


def shows_below(won: Counts, lost: Counts, cases: int, margin: Margin) -> Bools:
    """Say whether counts show a difference below the bound: the same, seen from the other side."""
    return shows_above(lost, won, cases, margin._replace(bound=-margin.bound))


def outcome_probability(
    win_rate: Floats,
    loss_rate: Floats,
    cases: int,
    *,
    above: Margin | None = None,
    below: Margin | None = None,
) -> Floats:
    """Return the probability, for true rates (m,), of showing a difference above and below.

    One margin makes a test of one side, both an equivalence.
    """
    win, loss = (np.asarray(rate, np.float64)[:, None] for rate in (win_rate, loss_rate))
    reach = int(_REACH * np.sqrt(cases * float(np.max(loss * (1 - loss)))) + _REACH)
    lost = np.floor(cases * loss).astype(np.int64) + np.arange(-reach, reach + 1)
    inside = (lost >= 0) & (lost <= cases)
    lost = np.where(inside, lost, 0)
    weight = np.where(inside, binomial_mass(lost, cases, loss), 0.0)
    chance = np.clip(win / np.maximum(1 - loss, 1e-300), 0.0, 1.0)
    first = int(lost.min())
    every = np.arange(first, int(lost.max()) + 1)
    least = _fewest_wins(every, cases, above)[lost - first]
    held = upper_tail(least, cases - lost, chance)
    if below is not None:
        most = _most_wins(every, cases, below)[lost - first]
        held = np.maximum(held - upper_tail(most + 1, cases - lost, chance), 0.0)
    return np.asarray((weight * held).sum(axis=-1))


def _fewest_wins(lost: Ints, cases: int, margin: Margin | None) -> Ints:
    """Return the least number of wins that shows a difference above; cases - lost + 1 if none."""
    if margin is None:
        return np.zeros_like(lost)
    return least_enough(
        np.zeros_like(lost), cases - lost + 1, lambda wins: shows_above(wins, lost, cases, margin)
    )


def _most_wins(lost: Ints, cases: int, margin: Margin) -> Ints:
    """Return the largest number of wins that shows a difference below; -1 if none."""
    too_many = least_enough(
        np.zeros_like(lost), cases - lost + 1, lambda wins: ~shows_below(wins, lost, cases, margin)
    )
    return too_many - 1


def _tried(cases: int, bound: float) -> Floats:
    """Return the rates of losing that are tried, up to where the score is normal enough."""
    low, high = max(0.0, -bound), (1 - bound) / 2
    spacing = (1 - np.cos(np.pi * np.linspace(0, 1, _RATES))) / 2
    return low + (min(high, 2 * low + _MANY / cases) - low) * spacing


def _tails(rates: Floats, cases: int, margin: Margin) -> Floats:
    """Return the probability of a false finding at each rate of losing, and last that beyond them."""
    tails = outcome_probability(rates + margin.bound, rates, cases, above=margin)
    normal = 2 * max(0.0, -margin.bound) + _MANY / cases < (1 - margin.bound) / 2
    return np.append(tails, special.ndtr(-margin.score) if normal else 0.0)


def margin_pvalue(won: int, lost: int, cases: int, bound: float) -> float:
    """Return the exact p-value of a difference of at most `bound` against a larger one."""
    margin = Margin(bound, float(score_z(won, lost, cases, bound)))
    return float(_tails(_tried(cases, bound), cases, margin).max())


def bound_pvalues(won: int, lost: int, cases: int, bound: float) -> tuple[float, float]:
    """Return the exact p-values of a difference of at most and of at least `bound`."""
    inside = min(max(bound, -_WHOLE), _WHOLE)  # no difference is larger than 1
    return margin_pvalue(won, lost, cases, inside), margin_pvalue(lost, won, cases, -inside)


@lru_cache(maxsize=256)
def critical_margin(cases: int, bound: float, significance: float) -> Margin:
    """Return the margin with the least score whose exact p-value is below `significance`."""
    rates = _tried(cases, bound)
    low, high = 0.0, float(-special.ndtri(significance)) + 0.25
    while (tails := _tails(rates, cases, Margin(bound, high))).max() >= significance:
        low, high = high, 2 * high
        if high > _MANY:  # no outcome is extreme enough
            return Margin(bound, np.inf)
    worst = rates[
        [tails[:-1].argmax()]
    ]  # asked first: where it is exceeded, the others do not matter
    while high - low > _NEAR:
        middle = Margin(bound, (low + high) / 2)
        enough = all(_tails(some, cases, middle).max() < significance for some in (worst, rates))
        low, high = (low, middle.score) if enough else (middle.score, high)
    return Margin(bound, high)
