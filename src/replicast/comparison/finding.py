"""What was found of two models by anything that is no mean of paired scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.design import Cases, Design, Seeds
from replicast.kernels import resampled_t, student
from replicast.reading.vocabulary.units import unit_of
from replicast.replication.cases import CaseModel, stretch_of
from replicast.replication.first_result import FirstResult
from replicast.replication.models import Model
from replicast.replication.priors import Relation
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication
from replicast.replication.seeds import SeedsModel
from replicast.results import (
    Answer,
    Caution,
    Effect,
    Estimated,
    IntervalRule,
    Record,
    SignificanceResult,
    is_significant,
)
from replicast.scores.parsing import parse_names

Way = Literal["cases", "influence", "delong", "bootstrap", "fixed", "crossed", "seeds", "unpaired"]
WAYS: Mapping[str, str] = {
    "cases": "t-test of cases",
    "influence": "standard error of influences",
    "delong": "DeLong's standard error",
    "bootstrap": "paired bootstrap",
    "fixed": "t-test of cases, tasks fixed",
    "crossed": "t-test of seeds and cases",
    "seeds": "Welch's t-test of seeds, tasks fixed",
    "unpaired": "test of two sets of different cases",
}
_UNVARIED = Caution("degenerate", "The difference never varies: p is set by convention.")


@dataclass(frozen=True, kw_only=True)
class Finding(Estimated, Answer):
    """Two models by a measure of all cases. Positive estimates favour the first.

    Whatever is compared ends in an estimate with a standard error and its degrees of freedom:
    `plan`, `gate`, `judge` and the chance of replication take it as they take scores.

    Attributes
    ----------
    measure : str
        `auc`, one of the table `MEASURES`, or the name of the function or score.
    first, second : float
        The measure of both models.
    estimate, standard_error, statistic, df, pvalue : float
        First minus second (second minus first where less is better), its standard error over fresh
        cases, t (z if `df` is None), and the two-sided p-value.
    way : str
        `cases` for means of cases, `delong` for areas and `influence` where every case moves the
        measure by a known amount, `bootstrap` with its `resamples`, `fixed` for the mean score on tasks
        that are fixed, by their cases, folds or `seeds`, `crossed` for seeds on cases, `unpaired` for
        two sets of different cases.
    design : Design
        What varies: cases, those of cross-validation, or seeds.
    greater_is_better : bool
        Whether more of the measure is better.
    weights : dict
        By name: the weight of a task that is fixed; they add up to 1.
    seeds, seed_share : tuple of int, and float
        Seeds of both models, and the part of the variance that is due to them: more seeds shrink it,
        more cases the rest.
    improvement : Effect or None
        For seeds on tasks: how probably a run of the first beats one of the second, mean of the tasks.
    other_tasks : float or None
        For fixed tasks: chance that as many other tasks give a significant difference in the same
        direction. `replication` is about these tasks.
    replication : Replication or None
        Chance that as many fresh cases give a significant difference in the same direction; None
        where there is no difference.
    account : tuple of str
        How the cases were read, sentence by sentence.
    """

    _private: ClassVar[frozenset[str]] = Record._private | {"account"}

    measure: str
    names: tuple[str, str]
    n: int
    clusters: int | None
    first: float
    second: float
    estimate: float
    standard_error: float
    statistic: float
    df: float | None
    pvalue: float
    significant: bool
    significance: float
    way: Way
    design: Design
    resamples: int = 0
    replication: Replication | None = None
    cautions: tuple[Caution, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    greater_is_better: bool = True
    seeds: tuple[int, int] | None = None
    seed_share: float | None = None
    improvement: Effect | None = None
    other_tasks: float | None = None
    account: tuple[str, ...] = field(default=(), repr=False)
    interval_rule: IntervalRule = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as valid JSON, without those of other kinds of comparison.

        `difference` and `evidence` are called as in every comparison.
        """
        told = super().to_dict()
        kept = {name: value for name, value in told.items() if value is not None or name in _ALWAYS}
        difference = {"kind": f"difference in {self.measure}", "estimate": self.estimate}
        return {**kept, "difference": difference, "evidence": self.evidence.to_dict()}

    @property
    def means(self) -> tuple[float, float]:
        """The measure of both models."""
        return self.first, self.second

    @property
    def unit(self) -> str:
        """What differences are counted in: `fraction`, `percent` or `score`."""
        return unit_of(self.means, self.measure, greater_is_better=self.greater_is_better)

    @property
    def point(self) -> float | None:
        """One point in the unit of the measure, None where it has no points."""
        return {"fraction": 0.01, "percent": 1.0}.get(self.unit)

    @property
    def test(self) -> str:
        """What its p-value comes from, in words."""
        return WAYS[self.way]

    @property
    def evidence(self) -> SignificanceResult:
        """The same as the result of a test."""
        return SignificanceResult(
            method=self.way,
            names=self.names,
            n=self.n,
            estimand=f"difference in {self.measure}",
            estimate=self.estimate,
            standard_error=self.standard_error,
            statistic=self.statistic,
            df=self.df,
            pvalue=self.pvalue,
            alternative="two-sided",
            exactness=_exactness(self.standard_error, self.df),
            design=self.design,
            cautions=self.cautions,
            lead=self.estimate,
            interval_rule=self.interval_rule,
        )

    @property
    def first_result(self) -> FirstResult | None:
        """The same as replication sees it; None where there is no difference, or none that varies."""
        if self.standard_error == 0 or self.estimate == 0:
            return None
        df = float((self.clusters or self.n) - 1) if self.df is None else self.df
        size, error, design = abs(self.statistic), self.standard_error, self.design
        if design.seeds:  # what a split would change is in the error
            design = Seeds(design.seeds, split=None)
            model: Model = SeedsModel(statistic=size, df=df, design=design, error=error)
        else:
            model = CaseModel(
                statistic=size,
                design=design,
                df=df,
                corrected=design.overlap > 0,
                error=error,
                stretch=stretch_of(size, self.pvalue, df),
            )
        return FirstResult(
            model=model,
            pvalue=self.pvalue,
            design=design,
            names=self.names,
            first_better=self.statistic >= 0,
        )


_ALWAYS = frozenset({"clusters", "df", "replication"})  # null says something


def conclude(
    values: tuple[float, float],
    error: float,
    df: float | None,
    *,
    names: Sequence[str],
    estimate: float | None = None,
    gaps: Floats | None = None,
    relation: Relation,
    **content: Any,
) -> Finding:
    """Return the finding of two values, or of their difference, and its standard error.

    Without degrees of freedom the difference is normal. `gaps` are the differences of the cases, if
    these may be skewed: then it is judged as the t-test of cases judges it. Without an `interval_rule`
    of its own, and without a design, it has that of t and is about cases.
    """
    sign = 1.0 if content.get("greater_is_better", True) else -1.0
    gap = sign * (values[0] - values[1]) + 0.0 if estimate is None else estimate
    parts = content.setdefault("clusters", None) or content["n"]
    content.setdefault("interval_rule", partial(_interval, gap, error, df))
    if content.get("design") is None:
        content["design"] = Cases(content["n"], clusters=content["clusters"])
    if error == 0:
        content["cautions"] = (*content["cautions"], _UNVARIED)
    if gaps is not None and df is not None and (error == 0 or np.ptp(gaps) > 0):
        cases = sign * gaps, np.asarray(gap), np.asarray(error)
        pvalue = float(resampled_t.case_pvalue(*cases, df))
        if error > 0 and len(gaps) <= resampled_t.UP_TO:
            rule = partial(resampled_t.resampled_interval, sign * gaps, gap, error, df)
            content["interval_rule"] = rule
    else:
        pvalue = _pvalue(gap, error, df, parts)
    found = Finding(
        names=parse_names(names),
        first=values[0],
        second=values[1],
        estimate=gap,
        standard_error=error,
        statistic=float(student.ratio_or_infinity(np.asarray(gap), np.asarray(error))),
        df=df,
        pvalue=pvalue,
        significant=is_significant(pvalue, content["significance"]),
        **content,
    )
    first = found.first_result
    if first is None:
        return found
    chance = report_replication(first, relation=relation, significance=found.significance)
    return replace(found, replication=chance)


def _pvalue(gap: float, error: float, df: float | None, parts: int) -> float:
    """Return the p-value of a difference that is normal, or t; equal parts are tosses of a coin."""
    if error == 0:
        return float(student.constant_row_pvalue(np.asarray(gap), parts, "two-sided"))
    if df is None:
        return 2 * float(special.ndtr(-abs(gap / error)))
    return float(student.t_pvalue(np.asarray(gap / error), df, "two-sided"))


def _interval(
    estimate: float, error: float, df: float | None, confidence: float
) -> tuple[float, float]:
    if df is not None:
        return student.t_interval(estimate, error, df, confidence)
    half = float(special.ndtri(0.5 + confidence / 2)) * error
    return estimate - half, estimate + half


def _exactness(error: float, df: float | None) -> str:
    if error == 0:
        return "convention"
    return "normal" if df is None else "student"
