"""How much more is needed for a result that holds, and what cannot be had."""

from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

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
from replicast.results import Caution

Vary = Literal["datasets", "folds", "runs", "cases", "answers", "seeds", "splits"]
VARIED = AXES
_POINTS = 24
_SURE = "since that is the chance, by this result, that its direction is right."


@dataclass(frozen=True)
class _Dial:
    """What is turned, and whose chance it is: an estimator's, about two that are so related."""

    first: FirstResult
    axis: Axis
    estimator: str
    relation: Relation
    significance: float

    @property
    def current(self) -> float:
        """Where it stands."""
        return self.first.design.amount(self.axis.name)

    def assess(self, amount: float) -> Assessment:
        """Return the chance of a repeat at a setting, and what else is known."""
        goal = Goal(*self.first.design.grow(self.axis.name, amount), self.significance)
        return assess(self.first.model, self.estimator, goal, relation=self.relation)

    def chance(self, amount: float) -> float:
        """Return the chance of a repeat at a setting."""
        return self.assess(amount).probability

    @cached_property
    def limit(self) -> float:
        """How far the chance can rise: without a ceiling, to that of the direction seen."""
        if self.axis.ceiling:
            return self.chance(self.axis.endless)
        here = self.assess(self.current)
        if (
            self.estimator == "as-published"
        ):  # the effect seen is the truth; none at all never shows
            return 1.0 if here.direction > 0.5 else here.probability
        return here.direction

    def least(self, probability: float) -> float | None:
        """Return the least setting that reaches the target, or None."""
        if self.chance(self.current) >= probability:
            return self.current
        if self.limit < probability or self.chance(self.axis.most) < probability:
            return None
        step = self.axis.step
        between = range(round(self.current / step) + 1, round(self.axis.most / step))
        more = bisect_left(between, True, key=lambda n: self.chance(n * step) >= probability)
        return round((between.start + more) * step, 6)

    def reason(self, probability: float) -> str:
        """Say why it rises no further and, where the target is out of reach, what would do instead."""
        reason = self.axis.ceiling or _SURE
        if not self.axis.instead or self.least(probability) is not None:
            return reason
        instead = replace(self, axis=self.first.design.axis(self.axis.instead))
        more = instead.least(probability)
        if more is not None:
            return f"{reason} {self.axis.instead_words.format(amount=more)}"
        if instead.axis.ceiling and instead.limit > self.limit:
            most = f"at most {format_percent(instead.limit)}"
            return f"{reason} {instead.axis.name.capitalize()} bring more, but not that: {most}."
        return reason


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
    evidence : result, PairedScores or Replication
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
    >>> from replicast import plan, replicate
    >>> first = replicate(t=2.9, folds=10)
    >>> plan(first, probability=0.8, vary="cases").needed
    3.8
    >>> print(plan(first, probability=0.95, vary="runs"))
    More runs will not make 95 of 100 repeats significant
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
        first = replace(first, model=replace(first.model, test="fresh"), reading=_BY_FRESH_TEST)
    axis = _choose(first.design, vary)
    _refuse_untold(first, axis)
    dial = _Dial(first, axis, estimator, relation, significance)
    ends = {end: replace(dial, estimator="calibrated", relation=end) for end in ENDS}
    needed = dial.least(probability)
    amounts = _amounts(dial, needed)
    return Plan(
        vary=axis.name,
        probability=probability,
        current=dial.current,
        needed=needed,
        now=dial.chance(dial.current),
        limit=dial.limit,
        reason=dial.reason(probability),
        amounts=tuple(amounts),
        probabilities=tuple(dial.chance(amount) for amount in amounts),
        model=first.model.name,
        estimator=estimator,
        relation=relation,
        significance=significance,
        design=first.design,
        needed_by_relation=NeededByRelation(
            **{end: other.least(probability) for end, other in ends.items()}
        ),
        limit_by_relation=ByRelation(**{end: other.limit for end, other in ends.items()}),
        cautions=first.cautions + _cautions(first, dial),
    )


def _amounts(dial: _Dial, needed: float | None) -> list[float]:
    """Return the settings along which the chance is shown, what is needed among them."""
    stop = dial.current * 16 if needed is None else max(2 * needed, 4 * dial.current)
    along = np.geomspace(dial.current, stop, _POINTS)
    amounts = np.unique(np.round(np.round(along / dial.axis.step) * dial.axis.step, 6))
    if needed is not None:
        amounts = np.union1d(amounts, [needed])
    found: list[float] = amounts.tolist()
    return found


_BY_FRESH_TEST = (  # whoever plans wants a test that keeps its level
    Caution(
        "one-split",
        "Planned for the test that allows for the split, which fewer results pass than the paper's own "
        "t over seeds.",
    ),
)
_TELLING_SPLITS = 5
_FEW_SPLITS = Caution(
    "few-splits",
    "Two or three splits say little about how much splits vary, so that the test gains little by "
    "them; about five begin to tell.",
)
_LEARNING = Caution(
    "learning-curves",
    "With more data both classifiers learn more; the forecast takes their difference for the same.",
)


def _cautions(first: FirstResult, dial: _Dial) -> tuple[Caution, ...]:
    """Say what a plan along this axis takes for granted."""
    found: tuple[Caution, ...] = ()
    if dial.axis.field == "answers" and isinstance(first.model, CaseModel):
        text = (
            f"By these data {format_percent(first.model.answer_share)} of the variance is that of the "
            "answers, which is an estimate: where cases differ more, more answers help less than shown."
        )
        found += (Caution("answer-share", text),)
    if dial.axis.name == "splits" and dial.current < _TELLING_SPLITS:
        found += (_FEW_SPLITS,)
    return found if dial.axis.field else (*found, _LEARNING)


def _choose(design: Design, vary: str | None) -> Axis:
    """Return what is to grow; refuse what the design has none of."""
    if isinstance(vary, str) and vary not in VARIED and design.of_cases:
        able = ", ".join(axis.name for axis in design.axes)
        remedy = "Questions, images or documents are cases; clusters grow along with them"
        raise invalid("vary", f"one of {able}", repr(vary), remedy)
    if vary is not None:
        require_choice(vary, "vary", VARIED)
    return design.axis(vary)


def _refuse_untold(first: FirstResult, axis: Axis) -> None:
    """Refuse to plan for answers of which nothing tells how much they vary."""
    if axis.field != "answers":
        return
    if not isinstance(first.model, CaseModel) or first.model.answer_share == 0:
        remedy = "Give the scores themselves, with several answers to each case"
        domain = "cases, where nothing tells how much answers vary"
        raise invalid("vary", domain, repr(axis.name), remedy)
