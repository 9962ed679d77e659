"""Seeds crossed with cases: the score of every seed on every case of one test set."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats
from replicast.design import Cases
from replicast.errors import DesignMismatchError, invalid, require_flag, require_probability
from replicast.formatting import format_number, format_percent, format_pvalue
from replicast.kernels import student
from replicast.kernels.crossed import crossed_difference
from replicast.replication.cases import CaseModel
from replicast.replication.first_result import FirstResult
from replicast.replication.priors import Relation
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication
from replicast.results import Caution, Interval, IntervalRule, Record, is_significant
from replicast.scores.parsing import parse_names, require_numbers

_ONE_TRAINING_SET = Caution(
    "one-training-set",
    "Seeds and cases vary here; the training data do not. Other training data would vary more.",
)


@dataclass(frozen=True, kw_only=True)
class CrossedComparison(Record):
    """Two models by every seed on every case. Positive estimates favour the first.

    Attributes
    ----------
    seeds, cases : tuple of int, and int
        Seeds of the first and of the second model, and cases of the test set.
    estimate, standard_error, df, pvalue : float
        Mean difference, its standard error over new seeds and fresh cases, degrees of freedom
        (Satterthwaite's) and two-sided p-value.
    seed_share : float
        The part of that variance that is due to seeds: more seeds shrink it, more cases the rest.
    replication : Replication or None
        Chance that as many fresh cases, with new seeds, give a significant difference in the same
        direction; None where there is no difference.
    """

    names: tuple[str, str]
    seeds: tuple[int, int]
    cases: int
    first: float
    second: float
    estimate: float
    standard_error: float
    statistic: float
    df: float
    pvalue: float
    significant: bool
    significance: float
    seed_share: float
    replication: Replication | None
    cautions: tuple[Caution, ...] = ()
    interval_rule: IntervalRule = field(repr=False, compare=False)

    def confidence_interval(self, confidence: float = 0.95) -> Interval:
        """Return the two-sided interval of the difference."""
        confidence = require_probability(confidence, "confidence")
        return Interval(*(float(end) for end in self.interval_rule(confidence)))

    def __str__(self) -> str:
        low, high = (format_number(end) for end in self.confidence_interval())
        one, other = self.seeds
        seeds = f"{one} seeds" if one == other else f"{one} and {other} seeds"
        return (
            f"{self.names[0]} - {self.names[1]}: {format_number(self.estimate)} [{low}, {high}], "
            f"{format_pvalue(self.pvalue)} ({seeds} on {self.cases} cases; "
            f"{format_percent(self.seed_share)} of the variance is due to seeds)"
        )


def compare_seed_cases(
    first: ArrayLike,
    second: ArrayLike,
    *,
    names: tuple[str, str] = ("first", "second"),
    greater_is_better: bool = True,
    significance: float = 0.05,
    relation: Relation = "unknown",
) -> CrossedComparison:
    """Compare two models by the score of every seed on every case of one test set.

    With the predictions of every seed, the cases tell how much the test set matters, and the seeds how
    much training does: nothing has to be borrowed from the field but what other training data would
    change. Where seeds hardly matter, more seeds are of no use; `seed_share` says so.

    Parameters
    ----------
    first, second : arrays (seeds, cases)
        Scores of the cases, for instance 1 for right and 0 for wrong; the cases are the same and in the
        same order, seeds are each model's own.
    greater_is_better : bool
        False for losses.

    Examples
    --------
    >>> import numpy as np
    >>> from replicast import compare_seed_cases
    >>> rng = np.random.default_rng(2)
    >>> easy = rng.normal(size=300)
    >>> first, second = (easy + gap + rng.normal(size=(5, 300)) > 0 for gap in (0.4, 0.1))
    >>> found = compare_seed_cases(first, second)
    >>> print(found)
    first - second: 0.0647 [0.0320, 0.0973], p < 0.001 (5 seeds on 300 cases; 4% of the variance is
    due to seeds)
    """
    arrays = [_scores(first, "first"), _scores(second, "second")]
    one, other = arrays
    if one.shape[1] != other.shape[1]:
        domain = f"scores of the same {one.shape[1]} cases as `first`"
        raise DesignMismatchError("second", domain, f"{other.shape[1]} cases")
    significance = require_probability(significance, "significance")
    names = parse_names(names)
    sign = 1.0 if require_flag(greater_is_better, "greater_is_better") else -1.0
    found = crossed_difference(sign * one, sign * other)
    n = one.shape[1]
    statistic = float(
        student.ratio_or_infinity(np.asarray(found.difference), np.asarray(found.error))
    )
    if found.error == 0:
        pvalue = float(student.constant_row_pvalue(np.asarray(found.difference), n, "two-sided"))
    else:
        pvalue = 2 * float(student.t_lower(found.df, -abs(statistic)))
    replication = None
    if found.error > 0 and found.difference != 0:
        design = Cases(n)
        result = FirstResult(
            model=CaseModel(statistic=abs(statistic), design=design, df=found.df),
            pvalue=pvalue,
            design=design,
            names=names,
            first_better=statistic >= 0,
        )
        replication = report_replication(result, relation=relation, significance=significance)
    variance = found.seeds + found.cases
    return CrossedComparison(
        names=names,
        seeds=(len(one), len(other)),
        cases=n,
        first=float(one.mean()),
        second=float(other.mean()),
        estimate=found.difference,
        standard_error=found.error,
        statistic=statistic,
        df=found.df,
        pvalue=pvalue,
        significant=is_significant(pvalue, significance),
        significance=significance,
        seed_share=found.seeds / variance if variance > 0 else 0.0,
        replication=replication,
        cautions=(_ONE_TRAINING_SET,),
        interval_rule=partial(student.t_interval, found.difference, found.error, found.df),
    )


def _scores(values: ArrayLike, argument: str) -> Floats:
    array = require_numbers(values, argument)
    if array.ndim != 2 or min(array.shape) < 2:
        domain = "scores (seeds, cases), at least two of each"
        raise invalid(argument, domain, f"shape {array.shape}")
    if not np.isfinite(array).all() or not np.isfinite(np.abs(array).max() ** 2 * array.size):
        raise invalid(argument, "finite scores whose squares add up", "others")
    return array
