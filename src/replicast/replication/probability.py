"""The chances that a result happens again, from results, scores, or a paper's numbers."""

from collections.abc import Sequence
from dataclasses import replace

from replicast.design import (
    Design,
    DesignLike,
    describe_design,
    describe_repeat,
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
from replicast.randomness import RandomSource
from replicast.replication.first_result import (
    FirstResult,
    Observed,
    learn_prior,
    read_first_result,
)
from replicast.replication.models import (
    ESTIMATORS,
    Estimator,
    Goal,
    Prediction,
    SameData,
    assess,
    belief,
)
from replicast.replication.priors import ENDS, RELATIONS, Relation, band_of
from replicast.replication.records import (
    ByRelation,
    ByTest,
    EmpiricalReplication,
    PriorUsed,
    Replication,
    Spread,
    TrackRecord,
)
from replicast.replication.seeds import SeedsModel
from replicast.results import Caution, Interval, is_significant
from replicast.scores.tables import ScoreTable

_MOST_DATA = 1e6
STANDING = ("calibrated", "sceptic", "flat", "as-published")


def replication_probability(
    evidence: Observed,
    *,
    relation: Relation = "unknown",
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
    confidence: float = 0.95,
    target_design: DesignLike | None = None,
    data_factor: float = 1.0,
    model: str | None = None,
    comparisons: Sequence[Observed] | ScoreTable | None = None,
    spread: Spread | float | None = None,
    rng: RandomSource = 0,
) -> Replication:
    """Return the chance that an experiment on fresh data is significant in the same direction.

    `calibrated`, the default, allows for the effect being uncertain and for the result having been
    picked because it is significant. `sceptic` expects next to nothing, `flat` shrinks nothing, and
    `as-published` takes the observed effect for the truth, as in Berrar (2024). All four stand in the
    result. If the first result is not
    significant, the answer is the chance that the next one is. This is about fresh data; agreement
    under new partitions of the same data is replicability, another question.

    Parameters
    ----------
    evidence : SignificanceResult, PosteriorResult, PairedScores, PairedPredictions or PairedCases
        The first experiment. With scores the test is the one recommended for the design, or that of
        `model`; case-by-case results make the answer for cross-validation much sharper.
    relation : {"unknown", "close", "any"}
        How the two are related, by what was known before the experiment: `close` rivals (the best
        against the runner-up, a method against its next version) or `any` two methods. It says which
        results this one is like; both ends stand in the result.
    estimator : {"calibrated", "sceptic", "flat", "as-published", "empirical-bayes"}
        `empirical-bayes` learns the typical effect from 10 or more `comparisons`.
    target_design : Design, optional
        Design of the replication, if it differs from the first: more datasets, folds, runs or cases.
    data_factor : float
        How many times the data of the first experiment each dataset of the replication has.
    model : {"sign", "bayesian", "wilcoxon", "paired-t", "corrected-t", "mcnemar", "cases", "seeds"}, \
            optional
        Model of the replication.
    comparisons : sequence of experiments or ScoreTable, optional
        For `empirical-bayes`: the comparisons of the same kind this one belongs to.
    spread : float or Spread, optional
        Standard deviation of Wilcoxon's Z for `as-published`; by default a bootstrap of the
        differences, or 1 if only Z is known.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, replication_probability
    >>> first = [0.93, 0.95, 0.91, 0.96, 0.94, 0.92, 0.95, 0.93, 0.96, 0.94]
    >>> second = [0.90, 0.94, 0.90, 0.93, 0.90, 0.91, 0.94, 0.93, 0.92, 0.92]
    >>> pair = PairedScores(first=first, second=second, design=KFold(10), names=("svm", "nb"))
    >>> print(replication_probability(pair))
    50 of 100 repeats would be significant for svm again
      caution: only a statistic is known, so the chance is rough
    <BLANKLINE>
      result   p = 0.013  corrected resampled t-test
      again    18 if close rivals, 58 if any two; Berrar 2024: 78
      expect   0.016      a repeat would show −0.006 to 0.037
      for 80   of 100, the result needs p = 0.0007
    read: 10 folds · more: --more · page: -o page.html
    """
    first = read_first_result(evidence, model=model, spread=spread, rng=rng)
    prior = None
    if require_choice(estimator, "estimator", ESTIMATORS) == "empirical-bayes":
        if comparisons is None:
            raise invalid(
                "comparisons", "10 or more comparisons for empirical-bayes", "nothing",
                "Give the table the result comes from",
            )  # fmt: skip
        prior = learn_prior(first, comparisons)
    return report_replication(
        first,
        relation=relation,
        estimator=estimator,
        significance=significance,
        confidence=confidence,
        target_design=target_design,
        data_factor=data_factor,
        prior=prior,
    )


def report_replication(
    first: FirstResult,
    *,
    relation: Relation = "unknown",
    estimator: str = "calibrated",
    significance: float = 0.05,
    confidence: float = 0.95,
    target_design: DesignLike | None = None,
    data_factor: float = 1.0,
    prior: Prior | None = None,
) -> Replication:
    """Assess a first result by every standing estimator and record the one asked for."""
    require_choice(relation, "relation", RELATIONS)
    require_choice(estimator, "estimator", ESTIMATORS)
    significance = require_probability(significance, "significance")
    confidence = require_probability(confidence, "confidence")
    domain = "a positive number of times the data, at most a million"
    if require_positive(data_factor, "data_factor", domain) > _MOST_DATA:
        raise invalid("data_factor", domain, data_factor)
    if first.design.over_datasets and data_factor != 1:
        remedy = "What more data in each dataset change is not known; ask for more datasets"
        raise invalid("data_factor", "1 for results over datasets", data_factor, remedy)
    if first.design.seeds and data_factor != 1:
        more = first.design.axis().name
        remedy = f"What more data change for seeds is not known; ask for more {more}"
        raise invalid("data_factor", "1 for results over seeds", data_factor, remedy)
    target = _target(first.design, target_design)
    goal = Goal(target, float(data_factor), significance, confidence)
    chance_alone = goal._replace(confidence=None)
    model = first.model
    published = model.plug_in(goal)
    held = prior or belief(model, estimator, relation)
    chosen = published if estimator == "as-published" else model.assess(held, goal)
    found = {name: assess(model, name, chance_alone, relation=relation) for name in STANDING[:3]}
    close, wide = (assess(model, "calibrated", chance_alone, relation=end) for end in ENDS)
    predicted = model.predict(belief(model, "calibrated", relation), goal)
    side = 1 if first.first_better else -1
    by_test = None
    if first.if_ordinary is not None:
        other = assess(first.if_ordinary.model, estimator, chance_alone, prior=prior,
                       relation=relation)  # fmt: skip
        by_test = ByTest(
            corrected=chosen.probability,
            ordinary=other.probability,
            ordinary_pvalue=first.if_ordinary.pvalue,
        )
    fresh = again = None
    if isinstance(first.model, SeedsModel) and first.model.test == "plain":
        allowing = replace(first.model, test="fresh")
        fresh = assess(
            allowing, estimator, chance_alone, prior=prior, relation=relation
        ).probability
    same = target == first.design and estimator != "as-published"
    if isinstance(first.model, SameData) and same:
        again = first.model.assess_again(
            prior or belief(first.model, estimator, relation), chance_alone
        )
    cautions = (*first.cautions, *_beyond_half(first.design))
    if chosen.high == 0:
        said = describe_design(target)
        never = f"can never be significant at {significance:g}, whatever the scores"
        text = f"{said[:1].upper()}{said[1:]} {never}."
        cautions += (Caution("cannot-be-significant", text),)
    if estimator == "empirical-bayes":
        text = (
            "The typical effect was learned from the table itself; where nothing in the table "
            "differs, the chance is overstated. Look at the test over all classifiers first."
        )
        cautions += (Caution("empirical-bayes", text),)
    return Replication(
        probability=chosen.probability,
        observed_difference=None if model.observed is None else side * model.observed,
        expected_difference=None if predicted is None else side * predicted.expected,
        predicted_interval=None if predicted is None else _towards(predicted, side),
        track_record=_record(first, chosen.probability, relation, estimator),
        interval=Interval(chosen.low, chosen.high),
        confidence=confidence,
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
        first_significant=is_significant(first.pvalue, significance),
        significance=significance,
        names=first.names,
        better=first.names[0] if first.first_better else first.names[1],
        design=first.design,
        target_design=target,
        data_factor=float(data_factor),
        spread=first.spread,
        replicability=again,
        instance_data=first.instance_data,
        test=first.test,
        by_test=by_test,
        by_fresh_test=fresh,
        definition=f"significant in the same direction {describe_repeat(first.design)}",
        assumptions=first.model.assumptions,
        cautions=cautions,
        first_result=first,
        learned=prior,
    )


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
    band = band_of(probability, relation) if measured and estimator == "calibrated" else None
    return None if band is None else TrackRecord(**band._asdict())


def _towards(predicted: Prediction, side: int) -> Interval:
    """Return the limits as they favour the first, not the better."""
    return Interval(*sorted((side * predicted.low, side * predicted.high)))


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
    significant: int, replications: int, *, confidence: float = 0.95
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
    confidence = require_probability(confidence, "confidence")
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
