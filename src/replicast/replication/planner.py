"""How much more is needed for a result that holds, and what cannot be had."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from replicast.arrays import Floats
from replicast.design import AXES, Axis, Design
from replicast.errors import (
    invalid,
    require_choice,
    require_probability,
)
from replicast.formatting import format_percent
from replicast.replication.cases import CaseModel
from replicast.replication.first_result import FirstResult, Observed, read_first_result
from replicast.replication.models import Assessment, Estimator, Goal, assess
from replicast.replication.priors import ENDS, RELATIONS, Relation
from replicast.replication.probability import STANDING
from replicast.replication.records import ByRelation, NeededByRelation, Plan, Replication
from replicast.replication.seeds import SeedsModel
from replicast.results import Caution, Interval

Vary = Literal["datasets", "folds", "runs", "cases", "answers", "seeds", "splits"]
VARIED = AXES
_POINTS = 24


@dataclass(frozen=True)
class _Dial:
    """What is turned: where it stands, the chance at a setting, and how far that can rise and why."""

    axis: Axis
    current: float
    chance: Callable[[float], float]
    limit: float
    reason: str


def plan(
    evidence: Observed,
    *,
    probability: float = 0.8,
    vary: Vary | None = None,
    relation: Relation | None = None,
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    model: str | None = None,
) -> Plan:
    """Return how large a replication must be for a wanted chance of significance.

    More datasets or cases end at the certainty of the direction itself; more runs or folds end
    earlier, since they all share one dataset. Where the target lies beyond, the plan says so and why.

    Parameters
    ----------
    evidence : result, PairedScores, PairedPredictions, PairedCases or Replication
        The first experiment.
    probability : float
        Wanted chance that the replication is significant in the same direction. What close rivals and
        what any two would need stand in the plan beside what is asked for.
    vary : {"datasets", "folds", "runs", "cases", "answers", "seeds", "splits"}, optional
        What may grow; by default datasets, or cases where there is one dataset, or splits where there
        are seeds, or seeds where nothing is split.
    relation : {"unknown", "close", "any"}, optional
        How the two are related; by default what a Replication was asked with, else unknown.

    Examples
    --------
    >>> from replicast import plan, replication_from_t
    >>> first = replication_from_t(2.9, folds=10)
    >>> plan(first, probability=0.8, vary="cases").needed
    3.8
    >>> print(plan(first, probability=0.95, vary="runs"))
    More runs will not give 95 of 100 repeats
    <BLANKLINE>
      now      46 of 100 repeats  1 run
      limit    71 of 100 repeats  since all runs share one dataset. About 19.7 times
                                  the data would do.
      close    out of reach       if they are close rivals
      any      out of reach       if they are any two
      others   2 runs: 58, 4 runs: 64
    read: 10 folds · more: --more · page: -o page.html
    """
    probability = require_probability(probability, "probability")
    significance = require_probability(significance, "significance")
    require_choice(estimator, "estimator", STANDING)
    if relation is None:
        relation = evidence.relation if isinstance(evidence, Replication) else "unknown"
    require_choice(relation, "relation", RELATIONS)
    first = read_first_result(evidence, model=model)
    if isinstance(first.model, SeedsModel) and first.model.test == "plain":
        first = replace(first, model=replace(first.model, test="fresh"), cautions=_BY_FRESH_TEST)
    axis = _choose(first.design, vary)
    voice = _Voice(estimator, relation)
    dial = _dial(first, axis, voice, significance)
    needed = _least(dial, probability)
    reason = dial.reason
    if needed is None and axis.instead:
        instead = _dial(first, first.design.axis(axis.instead), voice, significance)
        more = _least(instead, probability)
        if more is not None:
            reason += " " + axis.instead_words.format(amount=more)
        elif instead.axis.ceiling and instead.limit > dial.limit:
            reason += f" {instead.axis.name.capitalize()} bring more, but not that: at most "
            reason += f"{format_percent(instead.limit)}."
    by_relation = {
        end: _reached(first, axis, _Voice("calibrated", end), significance, probability)
        for end in ENDS
    }
    stop = dial.current * 16 if needed is None else max(2 * needed, 4 * dial.current)
    amounts = np.unique(_steps(np.geomspace(dial.current, stop, _POINTS), axis.step))
    if needed is not None:
        amounts = np.union1d(amounts, [needed])
    return Plan(
        vary=axis.name,
        probability=probability,
        current=dial.current,
        needed=needed,
        now=dial.chance(dial.current),
        limit=dial.limit,
        reason=reason,
        amounts=tuple(amounts.tolist()),
        probabilities=tuple(dial.chance(amount) for amount in amounts.tolist()),
        model=first.model.name,
        estimator=estimator,
        relation=relation,
        significance=significance,
        design=first.design,
        needed_by_relation=NeededByRelation(
            **{end: least for end, (least, _) in by_relation.items()}
        ),
        limit_by_relation=ByRelation(**{end: limit for end, (_, limit) in by_relation.items()}),
        band=None if needed is None else _band(first, axis, needed, voice, significance),
        cautions=first.cautions
        + _about_answers(first, axis)
        + (_FEW_SPLITS if axis.name == "splits" and dial.current < _TELLING_SPLITS else ())
        + (() if axis.field else _LEARNING),
    )


_BY_FRESH_TEST = (  # whoever plans wants a test that keeps its level
    Caution(
        "one-split",
        "Planned for the test that allows for the split, which fewer results pass than the paper's own "
        "t over seeds.",
    ),
)
_TELLING_SPLITS = 5
_FEW_SPLITS = (
    Caution(
        "few-splits",
        "Two or three splits say little about how much splits vary, so that the test gains little by "
        "them; about five begin to tell.",
    ),
)
_LEARNING = (
    Caution(
        "learning-curves",
        "With more data both classifiers learn more; the forecast takes their difference for the same.",
    ),
)


def _reached(
    first: FirstResult, axis: Axis, voice: "_Voice", significance: float, probability: float
) -> tuple[float | None, float]:
    """Return what a voice says is needed, and the chance it says cannot be passed."""
    dial = _dial(first, axis, voice, significance)
    return _least(dial, probability), dial.limit


def _about_answers(first: FirstResult, axis: Axis) -> tuple[Caution, ...]:
    """Say how much of the variance is taken for that of the answers: more of them change no more."""
    if axis.field != "answers" or not isinstance(first.model, CaseModel):
        return ()
    text = (
        f"By these data {format_percent(first.model.answer_share)} of the variance is that of the "
        "answers, which is an estimate: where cases differ more, more answers help less than shown."
    )
    return (Caution("answer-share", text),)


def _band(
    first: FirstResult, axis: Axis, amount: float, voice: "_Voice", significance: float
) -> Interval:
    """Return the 95% limits of the chance of a replication so large."""
    grown = first.design.grow(axis.name, amount)
    found = voice.of(first, Goal(*grown, significance, 0.95))
    return Interval(found.low, found.high)


def _choose(design: Design, vary: str | None) -> Axis:
    """Return what is to grow; refuse what the design has none of."""
    if isinstance(vary, str) and vary not in VARIED and design.of_cases:
        able = ", ".join(axis.name for axis in design.axes)
        remedy = "Questions, images or documents are cases; clusters grow along with them"
        raise invalid("vary", f"one of {able}", repr(vary), remedy)
    if vary is not None:
        require_choice(vary, "vary", VARIED)
    return design.axis(vary)


class _Voice(NamedTuple):
    """Who says the chance: an estimator, about classifiers that are so related."""

    estimator: str
    relation: Relation

    def of(self, first: FirstResult, goal: Goal) -> Assessment:
        return assess(first.model, self.estimator, goal, relation=self.relation)


def _dial(first: FirstResult, axis: Axis, voice: _Voice, significance: float) -> _Dial:
    def chance(amount: float) -> float:
        goal = Goal(*first.design.grow(axis.name, amount), significance)
        return voice.of(first, goal).probability

    _refuse_untold(first, axis)
    current = first.design.amount(axis.name)
    if axis.ceiling:
        return _Dial(axis, current, chance, chance(axis.endless), axis.ceiling)
    here = voice.of(first, Goal(first.design, 1.0, significance))
    certainty = here.direction
    if voice.estimator == "as-published":  # the effect seen is the truth; none at all never shows
        certainty = 1.0 if certainty > 0.5 else here.probability
    sure = "since that is the chance, by this result, that its direction is right."
    return _Dial(axis, current, chance, certainty, sure)


def _refuse_untold(first: FirstResult, axis: Axis) -> None:
    """Refuse to plan for answers of which nothing tells how much they vary."""
    if axis.field != "answers":
        return
    if not isinstance(first.model, CaseModel) or first.model.answer_share == 0:
        remedy = "Give the scores themselves, with several answers to each case"
        domain = "cases, where nothing tells how much answers vary"
        raise invalid("vary", domain, repr(axis.name), remedy)


def _steps(amounts: Floats, step: float) -> Floats:
    return np.round(np.round(amounts / step) * step, 6)


def _least(dial: _Dial, probability: float) -> float | None:
    """Return the least setting that reaches the target, or None."""
    if dial.chance(dial.current) >= probability:
        return dial.current
    if dial.limit < probability or dial.chance(dial.axis.most) < probability:
        return None
    low, high = round(dial.current / dial.axis.step), round(dial.axis.most / dial.axis.step)
    while high - low > 1:
        middle = (low + high) // 2
        enough = dial.chance(middle * dial.axis.step) >= probability
        low, high = (low, middle) if enough else (middle, high)
    return round(high * dial.axis.step, 6)
