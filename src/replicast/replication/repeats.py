"""What repeats of an experiment would find: their p-values in either direction."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.errors import require_instance
from replicast.formatting import format_percent
from replicast.replication.models import Chances, Goal, belief
from replicast.replication.records import Replication
from replicast.results import Record

_INSIDE = 3  # steps from p = 1, in the middle of one, to the level of significance
_STEPS = 15
_TRUTHS = 24


@dataclass(frozen=True, kw_only=True)
class Repeats(Record):
    """Where the p-values of repeats fall, as normal deviates that are positive as the first result.

    Attributes
    ----------
    again, opposite : float
        Chances of a repeat that is significant in the observed and in the other direction.
    stronger : float
        Chance of a smaller p-value than the first in the observed direction.
    edges : tuple of float
        Ends of the steps along the deviates; the levels of significance are two of them.
    chances : tuple of float
        Chance of each step, the outer two of which are open.
    truths : tuple of tuple of float
        The same for equally likely truths: what the chances are the mean of.
    """

    again: float
    opposite: float
    stronger: float
    edges: tuple[float, ...]
    chances: tuple[float, ...]
    truths: tuple[tuple[float, ...], ...]

    def __str__(self) -> str:
        return (
            f"{format_percent(self.again)} of repeats significant this way, "
            f"{format_percent(self.opposite)} the other way"
        )


def repeats_of(found: Replication) -> Repeats:
    """Return what repeats of the experiment would find, by the estimator of the record."""
    require_instance(found, Replication, "found")
    critical = -float(special.ndtri(found.significance / 2))
    heights = critical * (np.arange(_STEPS) + 0.5) / (_INSIDE + 0.5)
    levels = (2 * special.ndtr(-heights)).tolist()
    levels[_INSIDE] = found.significance
    chances = _chances(found, [*levels, found.first_pvalue])
    again, opposite = chances.again[:-1], chances.opposite[:-1]
    truths = np.concatenate([opposite[::-1], 1 - again])  # at most this far, from left to right
    steps = np.diff(truths, axis=0, prepend=0.0, append=1.0).T
    return Repeats(
        again=found.probability,
        opposite=found.opposite,
        stronger=float(chances.again[-1].mean()),
        edges=(*(-heights[::-1]).tolist(), *heights.tolist()),
        chances=tuple(_weighted(steps.mean(axis=0), found).tolist()),
        truths=tuple(tuple(step) for step in np.maximum(steps, 0.0).tolist()),
    )


def _chances(found: Replication, levels: list[float]) -> Chances:
    """Return the chances at every level, a column for each of the truths."""
    model = found.first_result.model
    goal = Goal(found.target_design, found.data_factor, found.significance)
    if found.estimator == "as-published":  # there is one truth, the observed effect
        told = [model.plug_in(level) for level in goal.at(levels)]
        again, opposite = ([one.probability for one in told], [one.opposite for one in told])
        return Chances(np.array(again)[:, None], np.array(opposite)[:, None])
    known = found.learned or belief(model, found.estimator, found.relation)
    quantiles = (np.arange(_TRUTHS) + 0.5) / _TRUTHS
    return model.if_true(known, goal, levels, quantiles)


def _weighted(steps: Floats, found: Replication) -> Floats:
    """Give the steps of each of the three outcomes together the chance it has in the record."""
    ends = _STEPS - _INSIDE, _STEPS + _INSIDE + 1
    parts = np.split(np.maximum(steps, 0.0), ends)
    wanted = found.opposite, 1 - found.opposite - found.probability, found.probability
    for part, chance in zip(parts, wanted, strict=True):
        total = part.sum()
        if total > 0:
            part *= chance / total
        else:
            part[len(part) // 2] = chance
    return np.concatenate(parts)


def hundred(found: Repeats) -> tuple[int, ...]:
    """Return how many of a hundred repeats fall on each step, evenly along their distribution."""
    reached = np.floor(100 * np.cumsum(found.chances) + 0.5)
    reached[-1] = 100
    return tuple(np.diff(reached, prepend=0.0).astype(int).tolist())


def outcomes(steps: tuple[int, ...]) -> tuple[int, int, int]:
    """Return how many repeats are significant the other way, not significant, and this way."""
    ends = _STEPS - _INSIDE, _STEPS + _INSIDE + 1
    parts = (steps[: ends[0]], steps[ends[0] : ends[1]], steps[ends[1] :])
    opposite, neither, again = (sum(part) for part in parts)
    return opposite, neither, again
