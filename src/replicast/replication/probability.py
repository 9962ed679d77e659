"""The chances that a result happens again, from results, scores, or a paper's numbers."""

from dataclasses import replace
from typing import Any

from replicast.design import (
    Design,
    DesignLike,
    require_design,
)
from replicast.errors import (
    DesignMismatchError,
    invalid,
    is_whole,
    require_choice,
    require_positive,
    require_probability,
)
from replicast.kernels.mixtures import Prior
from replicast.kernels.replication_counts import clopper_pearson
from replicast.replication.first_result import FirstResult
from replicast.replication.models import (
    ESTIMATORS,
    Goal,
    Model,
    assess,
    belief,
)
from replicast.replication.priors import ENDS, RELATIONS, Relation, TrackRecord, track_record
from replicast.replication.records import (
    ByRelation,
    ByTest,
    EmpiricalReplication,
    PriorUsed,
    Replication,
)
from replicast.replication.seeds import SeedsModel
from replicast.results import Caution, Interval, is_significant

_MOST_DATA = 1e6
STANDING = ("calibrated", "sceptic", "flat", "as-published")


def report_replication(
    first: FirstResult,
    *,
    relation: Relation = "unknown",
    estimator: str = "calibrated",
    significance: float = 0.05,
    confidence_level: float = 0.95,
    repeat: tuple[DesignLike | None, float] = (None, 1.0),
    prior: Prior | None = None,
) -> Replication:
    """Assess a first result by every standing estimator and record the one asked for.

    The `repeat` has a design, by default that of the first result, and so many times its data.
    """
    require_choice(relation, "relation", RELATIONS)
    require_choice(estimator, "estimator", ESTIMATORS)
    goal = _goal(first.design, repeat, significance, confidence_level)
    chance_alone = goal._replace(confidence=None)
    model = first.model
    published = model.plug_in(goal)
    chosen = assess(model, estimator, goal, relation=relation, prior=prior)
    found = {name: assess(model, name, chance_alone, relation=relation) for name in STANDING[:3]}
    close, wide = (assess(model, "calibrated", chance_alone, relation=end) for end in ENDS)

    def otherwise(other: Model) -> float:
        """Return the chance by another reading of the first result, or another test."""
        return assess(other, estimator, chance_alone, prior=prior, relation=relation).probability

    by_test = None
    if first.if_ordinary is not None:
        by_test = ByTest(
            corrected=chosen.probability,
            ordinary=otherwise(first.if_ordinary.model),
            ordinary_pvalue=first.if_ordinary.pvalue,
        )
    fresh = again = None
    if isinstance(model, SeedsModel) and model.test == "plain":
        fresh = otherwise(replace(model, test="fresh"))
    same = goal.design == first.design and estimator != "as-published"
    if same:
        again = model.assess_again(prior or belief(model, estimator, relation), chance_alone)
    never = chosen.high == 0
    return Replication(
        probability=chosen.probability,
        **_differences(first, goal, relation),
        track_record=_record(first, chosen.probability, relation, estimator),
        interval=Interval(chosen.low, chosen.high),
        confidence=float(confidence_level),
        relation=relation,
        by_relation=ByRelation(close=close.probability, any=wide.probability),
        model=first.model.name,
        estimator=estimator,
        prior=_used(first.model.prior(relation)),
        calibrated=found["calibrated"].probability,
        sceptic=found["sceptic"].probability,
        flat=found["flat"].probability,
        as_published=published.probability,
        as_published_interval=Interval(published.low, published.high),
        opposite=chosen.opposite,
        direction_probability=(
            found["calibrated"] if estimator == "as-published" else chosen
        ).direction,
        first_pvalue=first.pvalue,
        first_significant=is_significant(first.pvalue, goal.significance),
        significance=goal.significance,
        names=first.names,
        better=first.names[0] if first.first_better else first.names[1],
        design=first.design,
        target_design=goal.design,
        data_factor=goal.data_factor,
        spread=first.spread,
        replicability=again,
        instance_data=first.instance_data,
        test=first.test,
        by_test=by_test,
        by_fresh_test=fresh,
        definition=f"significant in the same direction {first.design.anew}",
        assumptions=first.model.assumptions,
        cautions=(*first.cautions, *_cautions(goal, first.design, estimator, never=never)),
        first_result=first,
        learned=prior,
    )


def _goal(
    design: Design,
    repeat: tuple[DesignLike | None, float],
    significance: float,
    confidence: float,
) -> Goal:
    """Return the replication asked about; refuse more data where nothing tells what they change."""
    target, data_factor = repeat
    level = require_probability(significance, "significance")
    sure = require_probability(confidence, "confidence_level")
    domain = "a positive number of times the data, at most a million"
    if require_positive(data_factor, "data_factor", domain) > _MOST_DATA:
        raise invalid("data_factor", domain, data_factor)
    if (design.over_datasets or design.seeds) and data_factor != 1:
        kind, where = ("seeds", "for seeds") if design.seeds else ("datasets", "in each dataset")
        remedy = f"What more data {where} change is not known; ask for more {design.axis().name}"
        raise invalid("data_factor", f"1 for results over {kind}", data_factor, remedy)
    return Goal(_target(design, target), float(data_factor), level, sure)


def _cautions(goal: Goal, design: Design, estimator: str, *, never: bool) -> tuple[Caution, ...]:
    """Say what to be careful about, beside what the first result says itself."""
    found = [*_beyond_half(design)]
    if never:
        target = goal.design.words
        text = (
            f"{target[:1].upper()}{target[1:]} can never be significant at {goal.significance:g}, "
            "whatever the scores."
        )
        found.append(Caution("cannot-be-significant", text))
    if estimator == "empirical-bayes":
        text = (
            "The typical effect was learned from the table itself; where nothing in the table "
            "differs, the chance is overstated. Look at the test over all classifiers first."
        )
        found.append(Caution("empirical-bayes", text))
    return tuple(found)


def chance_of_difference(
    first: FirstResult, low: float, high: float, relation: Relation = "unknown"
) -> float | None:
    """Return how probably the true difference, as it favours the first, lies between two limits."""
    if not first.first_better:
        low, high = -high, -low
    goal = Goal(first.design, 1.0, 0.05)
    return first.model.chance_between(first.model.prior(relation), goal, low, high)


def _beyond_half(design: Design) -> tuple[Caution, ...]:
    """Say so where random splits test on more of the rows than any that were measured."""
    if not design.shares_training or design.test_train_ratio <= 1:
        return ()
    text = (
        "How random splits vary over fresh data was measured for test sets of at most half the cases. "
        "These are larger, so the chance is an extrapolation."
    )
    return (Caution("beyond-measured-splits", text),)


def _record(
    first: FirstResult, probability: float, relation: Relation, estimator: str
) -> TrackRecord | None:
    """Return what became of answers like this one; only cases and datasets have been scored."""
    measured = first.design.over_datasets or first.design.of_cases
    return track_record(probability, relation) if measured and estimator == "calibrated" else None


def _differences(first: FirstResult, goal: Goal, relation: Relation) -> dict[str, Any]:
    """Return the difference that was seen, and what a repeat will show, as they favour the first."""
    model, side = first.model, 1 if first.first_better else -1
    seen = model.observed
    found: dict[str, Any] = {} if seen is None else {"observed_difference": side * seen}
    repeat = model.predict(belief(model, "calibrated", relation), goal)
    if repeat is not None:
        limits = sorted((side * repeat.low, side * repeat.high))
        found["expected_difference"] = side * repeat.expected
        found["predicted_interval"] = Interval(*limits)
    return found


def _used(held: Prior) -> PriorUsed:
    return PriorUsed(unit=held.unit, components=held.spreads, weights=held.weights)


def _target(design: Design, target: DesignLike | None) -> Design:
    if target is None:
        return design
    target = require_design(target, "target_design")
    if design.is_akin(target) and target.n_scores is not None:
        return target
    raise DesignMismatchError(
        "target_design",
        f"a design of the kind of {design}, with its size",
        str(target),
        "A replication is the same experiment on fresh data, larger or smaller",
    )


def empirical_replication(
    significant: int, replications: int, *, confidence_level: float = 0.95
) -> EmpiricalReplication:
    """Return the share of real replications that agree with a significant experiment.

    Definition 2 of Berrar (2024): of `replications` experiments, `significant` are significant in
    the same direction; each of those sees (significant - 1) / (replications - 1) of the others
    agree. The interval is exact binomial: it shows the Monte Carlo error.

    Examples
    --------
    >>> from replicast import empirical_replication
    >>> round(empirical_replication(496, 1000).probability, 3)
    0.495
    """
    confidence = require_probability(confidence_level, "confidence_level")
    if not is_whole(replications) or replications < 2:
        raise invalid("replications", "an integer of at least 2", replications)
    if not is_whole(significant) or not 1 <= significant <= replications:
        raise invalid(
            "significant",
            f"an integer from 1 to {replications}, the number of replications",
            significant,
            "Without a significant experiment there is nothing to replicate",
        )
    others = int(replications) - 1
    agreeing = int(significant) - 1
    return EmpiricalReplication(
        probability=agreeing / others,
        interval=Interval(*clopper_pearson(agreeing, others, confidence)),
        confidence=confidence,
        significant=int(significant),
        replications=int(replications),
    )
