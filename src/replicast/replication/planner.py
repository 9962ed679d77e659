"""How much more is needed for a result that holds, and what cannot be had."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from replicast.arrays import Floats
from replicast.design import (
    Cases,
    Datasets,
    Design,
    Holdout,
    KFold,
    RandomSplits,
    RepeatedKFold,
    Seeds,
    describe_design,
)
from replicast.errors import (
    DesignMismatchError,
    invalid,
    require_choice,
    require_probability,
)
from replicast.formatting import format_percent
from replicast.kernels.layouts import Layout, fold_layout
from replicast.replication.cases import CaseModel
from replicast.replication.first_result import FirstResult, Observed, read_first_result
from replicast.replication.models import Assessment, Estimator, Goal, assess, belief
from replicast.replication.priors import RELATIONS, Relation
from replicast.replication.probability import STANDING
from replicast.replication.records import Plan, Replication
from replicast.replication.seeds import SeedsModel
from replicast.replication.student import StudentModel
from replicast.results import Caution, Interval

Vary = Literal["datasets", "folds", "runs", "cases", "answers", "seeds", "splits"]
VARIED = ("datasets", "folds", "runs", "cases", "answers", "seeds", "splits")

_ENDLESS = 1e6  # runs or folds beyond which nothing changes
_ENDLESS_ANSWERS = 10**6
_POINTS = 24
_ENDLESS_SEEDS = 10_000
_ENDLESS_SPLITS = 1000


@dataclass(frozen=True)
class _Dial:
    """What is turned: where it stands, how far it goes, in which steps, and the chance at a setting."""

    current: float
    largest: float
    step: float
    chance: Callable[[float], float]
    limit: float
    reason: str


def plan(
    evidence: Observed,
    *,
    probability: float = 0.95,
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
        Wanted chance that the replication is significant in the same direction.
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
    3.3
    >>> print(plan(first, probability=0.95, vary="runs"))
    More runs will not get you to 95%: however many, the chance stays at or below 74%, since all
    runs share one dataset. About 30.8 times the data would do.
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
    chosen = _choose(first.design, vary)
    voice = _Voice(estimator, relation)
    dial = _dial(first, chosen, voice, significance)
    needed = _least(dial, probability)
    reason = dial.reason
    if needed is None and chosen in ("runs", "folds"):
        more = _least(_dial(first, "cases", voice, significance), probability)
        if more is not None:
            reason += f" About {more:g} times the data would do."
    if needed is None and chosen == "seeds" and getattr(first.design, "has_split", False):
        by_splits = _dial(first, "splits", voice, significance)
        more = _least(by_splits, probability)
        if more is not None:
            reason += f" {more:g} splits with as many seeds each would do."
        elif by_splits.limit > dial.limit:
            reason += (
                f" Splits bring more, but not that: at most {format_percent(by_splits.limit)}."
            )
    stop = dial.current * 16 if needed is None else max(2 * needed, 4 * dial.current)
    amounts = np.unique(_steps(np.geomspace(dial.current, stop, _POINTS), dial.step))
    if needed is not None:
        amounts = np.union1d(amounts, [needed])
    return Plan(
        vary=chosen,
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
        band=None if needed is None else _band(first, chosen, needed, voice, significance),
        cautions=first.cautions
        + _about_answers(first, chosen)
        + (_FEW_SPLITS if chosen == "splits" and dial.current < _TELLING_SPLITS else ())
        + (_LEARNING if dial.step < 1 else ()),
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


def _about_answers(first: FirstResult, vary: str) -> tuple[Caution, ...]:
    """Say how much of the variance is taken for that of the answers: more of them change no more."""
    if vary != "answers" or not isinstance(first.model, CaseModel):
        return ()
    text = (
        f"By these data {format_percent(first.model.answer_share)} of the variance is that of the "
        "answers, which is an estimate: where cases differ more, more answers help less than shown."
    )
    return (Caution("answer-share", text),)


def _band(
    first: FirstResult, vary: str, amount: float, voice: "_Voice", significance: float
) -> Interval:
    """Return the 95% limits of the chance of a replication so large."""
    design, factor = first.design, 1.0
    match design, vary:
        case Datasets(), _:
            design = Datasets(round(amount))
        case Holdout(), _:
            design = Holdout(round(amount))
        case Cases(), "answers":
            design = replace(design, answers=round(amount))
        case Cases(), _:
            design = _more_cases(design, amount)
        case Seeds(), _:
            design = _more_seeds(design, vary, amount)
        case ((KFold(folds=folds) | RepeatedKFold(folds=folds)), "runs"):
            design = RepeatedKFold(runs=round(amount), folds=folds)
        case ((KFold() | RepeatedKFold()), "folds"):
            design = RepeatedKFold(runs=getattr(design, "runs", 1), folds=round(amount))
        case _:
            factor = amount
    found = voice.of(first, Goal(design, factor, significance, 0.95))
    return Interval(found.low, found.high)


def _more_cases(design: Cases, amount: float) -> Cases:
    """Return a test set of so many cases, with as many cases to a cluster."""
    clusters = design.clusters
    if clusters is not None and design.count is not None:
        clusters = min(max(2, round(clusters * amount / design.count)), round(amount))
    return Cases(round(amount), clusters=clusters, answers=design.answers)


def _choose(design: Design, vary: str | None) -> str:
    allowed: tuple[str, ...]
    match design:
        case Datasets():
            allowed = ("datasets",)
        case KFold() | RepeatedKFold():
            allowed = ("cases", "runs", "folds")
        case Seeds():
            allowed = ("splits", "seeds") if design.has_split else ("seeds",)
        case Cases(answers=answers) if answers > 1:
            allowed = ("cases", "answers")
        case _:
            allowed = ("cases",)
    if vary is None:
        return allowed[0]
    if isinstance(vary, str) and vary not in VARIED and isinstance(design, Cases | Holdout):
        remedy = "Questions, images or documents are cases; clusters grow along with them"
        raise invalid("vary", f"one of {', '.join(allowed)}", repr(vary), remedy)
    require_choice(vary, "vary", VARIED)
    if vary not in allowed:
        able = " or ".join(filter(None, (", ".join(allowed[:-1]), allowed[-1])))
        single = vary == "answers" and isinstance(design, Cases | Holdout)
        remedy = "Several answers to each case tell how much they vary" if single else ""
        domain = f"{able} for {describe_design(design)}"
        raise DesignMismatchError("vary", domain, repr(vary), remedy)
    return vary


class _Voice(NamedTuple):
    """Who says the chance: an estimator, about classifiers that are so related."""

    estimator: str
    relation: Relation

    def of(self, first: FirstResult, goal: Goal) -> Assessment:
        return assess(first.model, self.estimator, goal, relation=self.relation)


def _dial(first: FirstResult, vary: str, voice: _Voice, significance: float) -> _Dial:
    def chance(design: Design, factor: float = 1.0) -> float:
        goal = Goal(design, factor, significance)
        return voice.of(first, goal).probability

    design = first.design
    here = voice.of(first, Goal(design, 1.0, significance))
    certainty = here.direction
    if (
        voice.estimator == "as-published"
    ):  # the observed effect is the truth; none at all never shows
        certainty = 1.0 if certainty > 0.5 else here.probability
    sure = "since that is the chance, by this result, that its direction is right."
    match design, vary:
        case Datasets(count=int(count)), _:
            return _Dial(count, 1e5, 1, lambda n: chance(Datasets(round(n))), certainty, sure)
        case Holdout(cases=int(cases)), _:
            return _Dial(cases, 1e8, 1, lambda n: chance(Holdout(round(n))), certainty, sure)
        case Cases(answers=answers), "answers":
            if not isinstance(first.model, CaseModel) or first.model.answer_share == 0:
                remedy = "Give the scores themselves, with several answers to each case"
                domain = "cases, where nothing tells how much answers vary"
                raise invalid("vary", domain, repr(vary), remedy)
            endless = chance(replace(design, answers=_ENDLESS_ANSWERS))
            reason = "since more answers are no more cases."
            return _Dial(
                answers,
                _ENDLESS_ANSWERS,
                1,
                lambda n: chance(replace(design, answers=round(n))),
                endless,
                reason,
            )
        case Cases(count=int(count)), _:
            grown = partial(_more_cases, design)
            return _Dial(count, 1e8, 1, lambda n: chance(grown(n)), certainty, sure)
        case Seeds(), "splits":
            endless, reason = certainty, sure
            if design.test_percent:
                endless = chance(replace(design, splits=_ENDLESS_SPLITS))
                reason = "since all splits are of one dataset."
            return _Dial(
                design.splits,
                _ENDLESS_SPLITS,
                1,
                lambda n: chance(_more_seeds(design, vary, n)),
                endless,
                reason,
            )
        case Seeds(), _:
            endless, reason = certainty, sure
            if design.has_split:
                endless = chance(replace(design, count=_ENDLESS_SEEDS))
                reason = "since all seeds share a split, and fresh data would be split anew."
            return _Dial(
                design.count,
                _ENDLESS_SEEDS,
                1,
                lambda n: chance(_more_seeds(design, vary, n)),
                endless,
                reason,
            )
        case ((KFold() | RepeatedKFold() | RandomSplits()), "cases"):
            return _Dial(1.0, 1e4, 0.1, lambda factor: chance(design, factor), certainty, sure)
        case ((KFold(folds=folds) | RepeatedKFold(folds=folds)), _):
            return _shared_dataset_dial(first, vary, folds, voice, significance, chance)
    raise invalid("evidence", "from a design that can grow", str(design))


def _more_seeds(design: Seeds, vary: str, amount: float) -> Seeds:
    """Return as many seeds on more splits, or more seeds on as many splits."""
    if vary == "splits":
        return replace(design, splits=round(amount))
    return replace(design, count=round(amount))


def _shared_dataset_dial(
    first: FirstResult,
    vary: str,
    folds: int,
    voice: _Voice,
    significance: float,
    chance: Callable[[Design], float],
) -> _Dial:
    runs = getattr(first.design, "runs", 1)
    reason = "since all runs share one dataset."
    goal = Goal(first.design, 1.0, significance)
    if vary == "runs":
        layout = fold_layout(folds, _ENDLESS, 1 / (folds - 1), corrected=_corrected(first))
        limit = _limit(first, layout, voice, goal)
        return _Dial(
            runs,
            1000,
            1,
            lambda r: chance(RepeatedKFold(runs=round(r), folds=folds)),
            limit,
            reason,
        )
    reason = "since more folds cut the same cases into smaller parts."
    layout = fold_layout(_ENDLESS, runs, 1 / _ENDLESS, corrected=_corrected(first))
    limit = _limit(first, layout, voice, goal)
    return _Dial(
        folds, 500, 1, lambda k: chance(RepeatedKFold(runs=runs, folds=round(k))), limit, reason
    )


def _corrected(first: FirstResult) -> bool:
    return isinstance(first.model, StudentModel) and first.model.corrected


def _limit(first: FirstResult, layout: Layout, voice: _Voice, goal: Goal) -> float:
    """Return the chance in a layout no design can have: endless runs, or endless folds."""
    model = first.model
    if not isinstance(model, StudentModel):
        raise invalid("vary", "datasets or cases for this model", model.name)
    test = model.test_with(layout, goal)
    if voice.estimator == "as-published":
        return model.plug_in_with(test, goal.confidence).probability
    prior = belief(model, voice.estimator, voice.relation)
    return model.assess_with(test, (prior,), goal.confidence)[0].probability


def _steps(amounts: Floats, step: float) -> Floats:
    return np.round(np.round(amounts / step) * step, 6)


def _least(dial: _Dial, probability: float) -> float | None:
    """Return the least setting that reaches the target, or None."""
    if dial.chance(dial.current) >= probability:
        return dial.current
    if dial.limit < probability or dial.chance(dial.largest) < probability:
        return None
    low, high = round(dial.current / dial.step), round(dial.largest / dial.step)
    while high - low > 1:
        middle = (low + high) // 2
        enough = dial.chance(middle * dial.step) >= probability
        low, high = (low, middle) if enough else (middle, high)
    return round(high * dial.step, 6)
