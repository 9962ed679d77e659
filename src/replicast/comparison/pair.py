"""From paired scores to a verdict: the one place that composes. It contains no statistics."""

from dataclasses import replace
from inspect import signature as parameters
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replicast.comparison.cautions import (
    cannot_be_significant,
    few_datasets,
    left_out,
    mismatches,
    no_replication_model,
    not_normal,
    not_symmetric,
    scale_cautions,
    shared_training,
)
from replicast.comparison.records import Case, Comparison, Outcome, Region, Verdict
from replicast.comparison.sources import pair_given, reading_options
from replicast.design import (
    DesignLike,
    KFold,
    run_shape,
)
from replicast.effects import EFFECTS, RELEVANT
from replicast.errors import (
    InvalidArgumentError,
    invalid,
    nearest,
    require_choice,
    require_instance,
    require_positive,
    require_probability,
)
from replicast.inference.evidence import seen_by
from replicast.inference.layouts import coin_tosses
from replicast.inference.methods import METHODS, Evidence, Method, default_method
from replicast.inference.normality import NormalityCheck, check_normality
from replicast.power_analysis import observed_power
from replicast.reading.door import Source
from replicast.reading.vocabulary.units import point_of
from replicast.replication.first_result import read_first_result
from replicast.replication.priors import RELATIONS, Relation
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication
from replicast.results import (
    Caution,
    Effect,
    PosteriorResult,
    SignificanceResult,
    is_significant,
)
from replicast.scores.pairs import PairedScores
from replicast.scores.tables import ScoreTable

_CELLS: dict[tuple[bool, bool], tuple[Case, int]] = {
    # (significant, sizeable) -> words and the group number of Neumann et al. (2021)
    (True, True): ("relevant", 1),
    (False, False): ("no evidence", 2),
    (False, True): ("not significant but sizeable", 3),
    (True, False): ("significant but small", 4),
}
_ON_ONE_DATASET: dict[Case, Case] = {"relevant": "significant and sizeable"}


def decide(
    evidence: Evidence,
    *,
    significance: float = 0.05,
    effect: Effect | None = None,
    rope: float | None = None,
) -> Verdict:
    """Turn evidence into a verdict at a level of the reader's choice.

    With `effect`, the verdict also names the cell of Neumann et al. (2021). With `rope`, a
    difference that two one-sided tests show to be within ±rope is `equivalent`, as in `gate`; equal
    differences tell as much as so many signs: at 0.05 five are enough. Without either,
    a result that is not significant is `inconclusive`: it is not evidence that the classifiers are
    equal. A posterior brings its own region, and decides at the level of a two-sided test: at 0.05,
    one side must hold more than 97.5%.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, corrected_ttest, decide
    >>> pair = PairedScores(first=[0.9, 0.8, 0.7], second=[0.8, 0.75, 0.6], design=KFold(3))
    >>> decide(corrected_ttest(pair)).outcome, decide(corrected_ttest(pair), significance=0.1).outcome
    ('inconclusive', 'first better')
    """
    significance = require_probability(significance, "significance")
    if rope is not None:
        rope = require_positive(rope, "rope", "a positive difference of scores")
        if significance >= 0.5:
            raise invalid("significance", "below 0.5 where equivalence is asked for", significance)
    if not isinstance(evidence, PosteriorResult | SignificanceResult):
        raise invalid("evidence", "the result of a test", type(evidence).__name__)
    if effect is not None:
        require_instance(effect, Effect, "effect")
    if isinstance(evidence, PosteriorResult):
        outcome = _posterior_outcome(evidence, significance)
        return Verdict(outcome=outcome, significant=None, significance=significance)
    significant = is_significant(evidence.pvalue, significance) and evidence.leans(significance)
    outcome = _frequentist_outcome(evidence, significant, significance, rope)
    verdict = Verdict(outcome=outcome, significant=significant, significance=significance)
    if outcome == "equivalent" and rope is not None:
        return replace(verdict, region=Region(width=rope, source="named"))
    if effect is None or effect.label is None:
        return verdict
    case, group = _CELLS[significant, effect.label in RELEVANT]
    return replace(verdict, case=case, group=group)


def _posterior_outcome(evidence: PosteriorResult, significance: float) -> Outcome:
    """Decide where twice the mass outside a region lies below the level: that of a two-sided test."""
    if is_significant(evidence.pvalue, significance):
        return "first better" if evidence.lead > 0 else "second better"
    return "equivalent" if evidence.equivalent > 1 - significance else "inconclusive"


def _frequentist_outcome(
    evidence: SignificanceResult, significant: bool, significance: float, rope: float | None
) -> Outcome:
    if significant:
        return "first better" if evidence.lead > 0 else "second better"
    if rope is not None and _is_within(evidence, rope, significance):
        return "equivalent"
    return "inconclusive"


def _is_within(evidence: SignificanceResult, rope: float, significance: float) -> bool:
    """Say whether two one-sided tests show a difference above -rope and below rope."""
    if evidence.bound_rule is not None:
        shown = evidence.bound_rule(-rope)[0], evidence.bound_rule(rope)[1]
        return is_significant(max(shown), significance)
    low, high = evidence.confidence_interval(1 - 2 * significance)
    told = low < high or is_significant(_by_signs(evidence), significance)
    return -rope < low and high < rope and told


def _by_signs(evidence: SignificanceResult) -> float:
    """Return the p-value of equal differences inside a region: without a spread, only signs tell.

    Each is below the upper end and above the lower one, which chance does to n of them in 2^-n.
    """
    df = evidence.df if isinstance(evidence.df, float) else np.inf
    return float(2.0 ** -coin_tosses(evidence.design, min(evidence.n, df + 1)))


def compare(
    scores: PairedScores | ScoreTable | ArrayLike | Source,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    names: tuple[str, str] | None = None,
    method: str | None = None,
    significance: float = 0.05,
    rope: float | None = None,
    relation: Relation = "unknown",
    **options: Any,
) -> Comparison:
    """Compare two classifiers: evidence, effect size, power, verdict and cautions.

    The test is chosen by the design, never by the data: signed-rank for datasets, corrected t for
    cross-validation, 5x2cv F, McNemar for right and wrong, a t-test for cases with other scores, t over
    seeds and splits; or by name. Two arrays and a `design` stand for
    `PairedScores`, and so does a table of two classifiers, or one and two `names`; a path, data frame,
    dict or fitted search is read by `read_scores`. `options` go to the test, and those of
    `read_scores` to it. Differences up to
    `rope`, in the unit of the scores, count as too small to matter:
    on one dataset size is judged by it (one point unless named, for scores that have points), and a
    difference that surely lies within a named one is called equivalent. `relation` says whether the
    two are `close` rivals or `any` two methods, for the chance of replication.

    Examples
    --------
    >>> from replicast import KFold, compare
    >>> first = [0.77, 0.72, 0.73, 0.74, 0.72, 0.71, 0.78, 0.73, 0.81, 0.82]
    >>> second = [0.77, 0.75, 0.75, 0.78, 0.77, 0.78, 0.78, 0.75, 0.80, 0.79]
    >>> comparison = compare(first, second, design=KFold(10))
    >>> comparison.verdict.case
    'not significant but sizeable'
    """
    pair = pair_given(scores, second, design, names, **reading_options(options))
    key = default_method(pair.design) if method is None else method
    require_choice(key, "method", tuple(METHODS))
    require_choice(relation, "relation", RELATIONS)
    test = METHODS[key]
    pair = seen_by(test, pair)
    if rope is not None and test.gives == "posterior":
        options["rope"], rope = rope, None
    evidence: Evidence = test.test(pair, **_known(options, test))
    scheme = options.get("scheme", "all")
    if scheme == "first-run":
        pair = _first_run(pair)
    effect, difference = (EFFECTS[word](pair, evidence) for word in (test.effect, test.difference))
    if scheme not in ("all", "first-run"):
        difference = _of_averages(difference, evidence)
    sides = 2 if options.get("alternative", "two-sided") == "two-sided" else 1
    assumed = test.assumes == "normal differences"
    normality = check_normality(pair.differences) if assumed else None
    replication, outlook, without = _replication(pair, evidence, significance, relation)
    parts = evidence.n if pair.clusters is None else pair.independent
    hopeless = cannot_be_significant(key, parts, significance, sides=sides)
    if hopeless and pair.design.over_datasets:  # too few to call it small or large
        effect = replace(effect, label=None, rule=None)
    return Comparison(
        scores=pair,
        evidence=evidence,
        difference=difference,
        effect=effect,
        power=observed_power(
            pair, method=key, significance=significance, ties=options.get("ties", "half")
        ),
        replication=replication,
        outlook=outlook,
        verdict=_verdict(pair, evidence, significance, effect, difference, rope),
        normality=normality,
        smallest_pvalue=test.smallest_pvalue(parts) * sides / 2,
        cautions=(
            *left_out(pair.left_out),
            *evidence.cautions,
            *hopeless,
            *_of_scores(pair, evidence, normality, few=not hopeless),
            *mismatches(pair, evidence, one_sided=sides == 1),
            *(without if sides == 2 else ()),
        ),
    )


def _of_scores(
    pair: PairedScores, evidence: Evidence, normality: NormalityCheck | None, *, few: bool
) -> tuple[Caution, ...]:
    """Say what is odd about scores, whatever came of the test; `few` datasets if nothing did."""
    over_datasets = pair.design.over_datasets
    return (
        *(few_datasets(len(pair.differences)) if over_datasets and few else ()),
        *shared_training(pair),
        *not_normal(pair, normality),
        *not_symmetric(pair, evidence.method),
        *scale_cautions(np.stack([pair.first, pair.second], axis=1), over_datasets=over_datasets),
    )


def _of_averages(difference: Effect, evidence: Evidence) -> Effect:
    """Return the mean difference with the interval of the test that saw averages of the scores."""
    if not isinstance(evidence, SignificanceResult) or evidence.estimand != difference.symbol:
        return difference
    return replace(difference, interval_rule=evidence.confidence_interval)


def _verdict(
    pair: PairedScores,
    evidence: Evidence,
    significance: float,
    effect: Effect,
    difference: Effect,
    rope: float | None,
) -> Verdict:
    """Decide; over datasets size is that of the effect, on one dataset that of the difference.

    d' of fold scores cannot say it: it grows with the cases in a fold, and whatever is significant in
    few folds has a large one. So the difference is held against the region that was named, else against
    one point either way; where points mean nothing, there is no size.
    """
    if pair.design.over_datasets:
        return decide(evidence, significance=significance, effect=effect, rope=rope)
    verdict, point = decide(evidence, significance=significance, rope=rope), point_of(pair)
    if verdict.significant is None or verdict.outcome == "equivalent":
        return verdict
    if rope is not None:
        region = Region(width=float(rope), source="named")
    elif point is not None:
        region = Region(width=point, source="default")
    else:
        return verdict
    # a decimal difference that equals the region but for round-off lies outside it
    sizeable = abs(difference.estimate) * (1 + 1e-9) >= region.width
    case, _ = _CELLS[verdict.significant, sizeable]
    return replace(verdict, case=_ON_ONE_DATASET.get(case, case), region=region)


def _known(options: dict[str, Any], test: Method) -> dict[str, Any]:
    """Return the options if the test has them, else raise."""
    given = ("scores", "second", "design")
    known = tuple(name for name in parameters(test.test).parameters if name not in given)
    for name in options:
        if name not in known:
            domain = f"one of {', '.join(known)} for {test.name}"
            raise invalid("options", domain, repr(name), nearest(name, known))
    return options


def _first_run(pair: PairedScores) -> PairedScores:
    """Return the scores of the first run, a cross-validation of its own."""
    _, folds = run_shape(pair.design, len(pair.differences))
    return replace(
        pair,
        first=pair.first[:folds],
        second=pair.second[:folds],
        design=KFold(folds),
        case_differences=None,
        case_scores=None,
    )


def _replication(
    pair: PairedScores, evidence: Evidence, significance: float, relation: Relation
) -> tuple[Replication | None, tuple[Replication, ...], tuple[Caution, ...]]:
    """Return the chance of replication, those of larger ones, and why if there is none."""
    models = METHODS[evidence.method].replication
    try:
        if isinstance(evidence, PosteriorResult) and models:  # the test of its model, on its scores
            first = read_first_result(pair, model=models[0])
        else:
            first = read_first_result(evidence, scores=pair)
    except InvalidArgumentError:
        return None, (), (no_replication_model(evidence.method),)
    found = report_replication(first, relation=relation, significance=significance)
    larger = tuple(
        report_replication(first, relation=relation, significance=significance, repeat=growth)
        for growth in pair.design.larger
    )
    return found, larger, found.cautions
