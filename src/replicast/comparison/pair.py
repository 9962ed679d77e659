"""From paired scores to a verdict: the one place that composes. It contains no statistics."""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from replicast.comparison.cautions import scale_cautions
from replicast.design import (
    Datasets,
    Design,
    Holdout,
    KFold,
    RepeatedKFold,
    format_design,
    run_shape,
)
from replicast.effects import (
    RELEVANT,
    accuracy_difference,
    mean_difference,
    rank_effect,
    standardized_difference,
)
from replicast.errors import (
    InvalidArgumentError,
    invalid,
    require_choice,
    require_positive,
    require_probability,
)
from replicast.formatting import format_pvalue
from replicast.inference.methods import METHODS, Evidence, default_method
from replicast.inference.normality import NormalityCheck, check_normality
from replicast.power_analysis import observed_power, smallest_pvalue
from replicast.replication.first_result import read_first_result
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication
from replicast.results import (
    Caution,
    Effect,
    PosteriorResult,
    Power,
    Record,
    SignificanceResult,
    is_significant,
)
from replicast.scores import PairedPredictions, PairedScores

Outcome = Literal["first better", "second better", "equivalent", "inconclusive"]
Case = Literal["relevant", "no evidence", "significant but small", "not significant but sizeable"]

_GROUPS: dict[tuple[bool, bool], tuple[Case, int]] = {
    # (significant, medium or more) -> words and the group number of Neumann et al. (2021)
    (True, True): ("relevant", 1),
    (False, False): ("no evidence", 2),
    (False, True): ("not significant but sizeable", 3),
    (True, False): ("significant but small", 4),
}


@dataclass(frozen=True, kw_only=True)
class Verdict(Record):
    """What to conclude at a level: an outcome, and the cell of significance and effect size.

    `group` is the number Neumann et al. (2021) give to the cell; 3 and 4 are their special cases.
    """

    outcome: Outcome
    significant: bool
    significance: float
    case: Case | None = None
    group: int | None = None

    def __str__(self) -> str:
        return f"{self.outcome}; {self.case}" if self.case else self.outcome


@dataclass(frozen=True, kw_only=True)
class Comparison(Record):
    """Everything found about one pair: evidence, effect, power, replication, verdict, cautions.

    `outlook` holds the chances of larger replications, for whoever wants the result to hold.
    """

    scores: PairedScores
    evidence: Evidence
    difference: Effect
    effect: Effect
    power: Power
    replication: Replication | None
    outlook: tuple[Replication, ...]
    verdict: Verdict
    normality: NormalityCheck | None
    smallest_pvalue: float
    cautions: tuple[Caution, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return evidence, effects, power and verdict as nested, valid JSON."""
        return {
            "names": list(self.scores.names),
            "dataset": self.scores.dataset,
            "verdict": self.verdict.to_dict(),
            "evidence": self.evidence.to_dict(),
            "difference": self.difference.to_dict(),
            "effect": self.effect.to_dict(),
            "power": self.power.to_dict(),
            "replication": self.replication.to_dict() if self.replication else None,
            "outlook": [
                {
                    "target_design": format_design(larger.target_design),
                    "data_factor": larger.data_factor,
                    "probability": larger.probability,
                }
                for larger in self.outlook
            ],
            "normality": self.normality.to_dict() if self.normality else None,
            "smallest_pvalue": self.smallest_pvalue,
            "cautions": [{"code": c.code, "text": c.text} for c in self.cautions],
        }

    def __str__(self) -> str:
        return f"{self.verdict.outcome}: {self.evidence}"


def decide(
    evidence: Evidence,
    *,
    significance: float = 0.05,
    effect: Effect | None = None,
    rope: float | None = None,
) -> Verdict:
    """Turn evidence into a verdict at a level of the reader's choice.

    With `effect`, the verdict also names the cell of Neumann et al. (2021). With `rope`, a
    difference whose 1 - 2·significance interval lies within ±rope is `equivalent`; a posterior
    brings its own region. Without either, a result that is not significant is `inconclusive`: it is
    not evidence that the classifiers are equal.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, corrected_ttest, decide
    >>> pair = PairedScores(first=[0.9, 0.8, 0.7], second=[0.8, 0.75, 0.6], design=KFold(3))
    >>> decide(corrected_ttest(pair)).outcome, decide(corrected_ttest(pair), significance=0.1).outcome
    ('inconclusive', 'first better')
    """
    require_probability(significance, "significance")
    if rope is not None:
        rope = require_positive(rope, "rope", "a positive difference of scores")
        if significance >= 0.5:
            raise invalid("significance", "below 0.5 where equivalence is asked for", significance)
    if not isinstance(evidence, PosteriorResult | SignificanceResult):
        raise invalid("evidence", "the result of a test", type(evidence).__name__)
    if isinstance(evidence, PosteriorResult):
        outcome = _posterior_outcome(evidence, significance)
        significant = outcome in ("first better", "second better")
    else:
        significant = is_significant(evidence.pvalue, significance)
        outcome = _frequentist_outcome(evidence, significant, significance, rope)
    if effect is None or effect.label is None:
        return Verdict(outcome=outcome, significant=significant, significance=significance)
    case, group = _GROUPS[significant, effect.label in RELEVANT]
    return Verdict(
        outcome=outcome, significant=significant, significance=significance, case=case, group=group
    )


def _posterior_outcome(evidence: PosteriorResult, significance: float) -> Outcome:
    wanted = 1 - significance
    if evidence.first_better > wanted:
        return "first better"
    if evidence.second_better > wanted:
        return "second better"
    return "equivalent" if evidence.equivalent > wanted else "inconclusive"


def _frequentist_outcome(
    evidence: SignificanceResult, significant: bool, significance: float, rope: float | None
) -> Outcome:
    if significant and evidence.lead != 0:  # F may be large where the mean is exactly 0
        return "first better" if evidence.lead > 0 else "second better"
    if rope is not None:
        low, high = evidence.confidence_interval(1 - 2 * significance)
        if -rope < low and high < rope:
            return "equivalent"
    return "inconclusive"


def compare(
    scores: PairedScores | PairedPredictions,
    *,
    method: str | None = None,
    significance: float = 0.05,
    **options: Any,
) -> Comparison:
    """Compare two classifiers: evidence, effect size, power, verdict and cautions.

    The test is chosen by the design, never by the data: signed-rank for datasets, corrected t for
    cross-validation, 5x2cv F, or McNemar; or by name. `options` go to the test.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, compare
    >>> first = [0.77, 0.72, 0.73, 0.74, 0.72, 0.71, 0.78, 0.73, 0.81, 0.82]
    >>> second = [0.77, 0.75, 0.75, 0.78, 0.77, 0.78, 0.78, 0.75, 0.80, 0.79]
    >>> comparison = compare(PairedScores(first=first, second=second, design=KFold(10)))
    >>> comparison.verdict.case
    'not significant but sizeable'
    """
    pair = scores.scores if isinstance(scores, PairedPredictions) else scores
    if not isinstance(pair, PairedScores):
        raise invalid("scores", "PairedScores or PairedPredictions", type(scores).__name__)
    key = default_method(pair.design) if method is None else method
    require_choice(key, "method", tuple(METHODS))
    evidence: Evidence = METHODS[key].test(pair, **options)
    if options.get("scheme") == "first-run":
        pair = _first_run(pair)
    effect = rank_effect(pair) if _rank_based(key) else standardized_difference(pair)
    difference = accuracy_difference(pair) if key == "mcnemar" else mean_difference(pair)
    one_sided = options.get("alternative", "two-sided") != "two-sided"
    least = smallest_pvalue(key, Datasets(evidence.n)) / (2 if one_sided else 1)
    normality = check_normality(pair.differences) if key in _ASSUME_NORMAL else None
    replication, outlook, without = _replication(pair, evidence, significance)
    return Comparison(
        scores=pair,
        evidence=evidence,
        difference=difference,
        effect=effect,
        power=observed_power(pair, method=key, significance=significance),
        replication=replication,
        outlook=outlook,
        verdict=decide(evidence, significance=significance, effect=effect),
        normality=normality,
        smallest_pvalue=least,
        cautions=(
            *evidence.cautions,
            *_cautions(pair, least, significance, normality),
            *_mismatches(pair, evidence, one_sided),
            *without,
        ),
    )


def _first_run(pair: PairedScores) -> PairedScores:
    """Return the scores of the first run, a cross-validation of its own."""
    _, folds = run_shape(pair.design, len(pair.differences))
    return replace(
        pair,
        first=pair.first[:folds],
        second=pair.second[:folds],
        design=KFold(folds),
        case_differences=None,
    )


def _mismatches(pair: PairedScores, evidence: Evidence, one_sided: bool) -> tuple[Caution, ...]:
    """Say where effect and power describe something else than the test that was run."""
    found = []
    scores = len(pair.differences)
    if evidence.n != scores:
        text = f"The test saw {evidence.n} averages; effect and power are those of all {scores} scores."
        found.append(Caution("scheme", text))
    if one_sided:
        text = (
            "The test is one-sided; power and chance of replication are those of the two-sided one."
        )
        found.append(Caution("one-sided", text))
    return tuple(found)


def _replication(
    pair: PairedScores, evidence: Evidence, significance: float
) -> tuple[Replication | None, tuple[Replication, ...], tuple[Caution, ...]]:
    """Return the chance of replication, those of larger ones, and why if there is none."""
    try:
        if isinstance(evidence, PosteriorResult):
            model = "corrected-t" if evidence.method == "correlated-posterior" else "wilcoxon"
            first = read_first_result(pair, model=model)
        else:
            first = read_first_result(evidence, scores=pair)
    except InvalidArgumentError:
        text = f"There is no model of replication for this use of {evidence.method}."
        return None, (), (Caution("no-replication-model", text),)
    found = report_replication(first, significance=significance)
    larger = tuple(
        report_replication(
            first, significance=significance, target_design=design, data_factor=factor
        )
        for design, factor in _larger(pair.design)
    )
    return found, larger, found.cautions


def _larger(design: Design) -> tuple[tuple[Design, float], ...]:
    """Return replications a user could think of: more runs, more data, more datasets."""
    match design:
        case Datasets(count=int(count)):
            return (Datasets(2 * count), 1.0), (Datasets(4 * count), 1.0)
        case Holdout(cases=int(cases)):
            return (Holdout(4 * cases), 1.0), (Holdout(16 * cases), 1.0)
        case KFold(folds=folds) | RepeatedKFold(folds=folds, runs=1):
            repeated = RepeatedKFold(runs=10, folds=folds)
            return (repeated, 1.0), (design, 4.0), (repeated, 4.0)
        case _:
            return (design, 2.0), (design, 4.0)


_ENOUGH_FOR_T = 30  # from here on the mean is normal enough whatever the differences look like
_ASSUME_NORMAL = ("paired-ttest", "corrected-ttest", "five-by-two-ttest", "five-by-two-ftest")


def _rank_based(method: str) -> bool:
    return method in ("signed-rank", "sign-test", "signed-rank-posterior")


def _cautions(
    pair: PairedScores, least: float, significance: float, normality: NormalityCheck | None
) -> tuple[Caution, ...]:
    found: list[Caution] = []
    n = len(pair.differences)
    if least >= significance:
        needed = n + int(np.floor(np.log2(least / significance))) + 1
        found.append(
            Caution(
                "cannot-be-significant",
                f"{n} scores cannot give p < {significance:g} in this test: its smallest possible p "
                f"is {least:.4g}. Use at least {needed}.",
            )
        )
    elif isinstance(pair.design, Datasets) and n < 10:
        found.append(
            Caution(
                "few-datasets", f"Only {n} datasets: only very regular differences can be seen."
            )
        )
    if normality is not None and normality.pvalue < 0.05 and n < _ENOUGH_FOR_T:
        other = "signed-rank" if isinstance(pair.design, Datasets) else "more runs"
        found.append(
            Caution(
                "not-normal",
                f"The differences do not look normal ({normality.name}, "
                f"{format_pvalue(normality.pvalue)}); with {n} of them the t-test may be off. "
                f"Compare with {other}.",
            )
        )
    both = np.stack([pair.first, pair.second], axis=1)
    found.extend(scale_cautions(both, over_datasets=isinstance(pair.design, Datasets)))
    return tuple(found)
