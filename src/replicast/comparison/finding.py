"""What was found of two models by anything that is no mean of paired scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.comparison.pair import decide
from replicast.comparison.records import Verdict
from replicast.design import Cases, Seeds
from replicast.errors import require_flag, require_probability
from replicast.inference.cases import t_of_mean
from replicast.inference.layouts import coin_tosses
from replicast.kernels import student
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
    IntervalRule,
    SignificanceResult,
)
from replicast.scores.parsing import parse_names

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


class Estimate(NamedTuple):
    """A measure of both models, the standard error of the difference, and how it was found.

    Without degrees of freedom the difference is normal. `gaps` are the differences of the cases, where
    the measure is their mean: these may be skewed, and are judged as the t-test of cases judges them.
    The `difference` and its interval may be others than those of the values. Where nothing varies, the
    p-value is that of so many `tosses` of a coin: as many as there are parts, unless told.
    """

    values: tuple[float, float]
    error: float
    way: str
    df: float | None = None
    resamples: int = 0
    gaps: Floats | None = None
    difference: float | None = None
    interval_rule: IntervalRule | None = None
    tosses: float | None = None


@dataclass(frozen=True, kw_only=True)
class Finding(Answer, SignificanceResult):
    """Two models by a measure of all cases: the evidence, and what is known beside it.

    Whatever is compared ends in an estimate with a standard error and its degrees of freedom:
    `plan`, `gate`, `judge` and the chance of replication take it as they take scores. Positive
    estimates favour the first.

    Attributes
    ----------
    measure : str
        `auc`, one of the table `MEASURES`, or the name of the function or score.
    first, second : float
        The measure of both models.
    estimate, standard_error, statistic, df, pvalue : float
        First minus second (second minus first where less is better), its standard error over fresh
        cases, t (z if `df` is None), and the two-sided p-value.
    method : str
        Where the error comes from, a key of `WAYS`: `cases` for means of cases, `delong` for areas and
        `influence` where every case moves the measure by a known amount, `bootstrap` with its
        `resamples`, `fixed` for the mean score on tasks that are fixed, by their cases, folds or
        `seeds`, `crossed` for seeds on cases, `unpaired` for two sets of different cases.
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
    """

    measure: str
    clusters: int | None = None
    first: float
    second: float
    significance: float
    resamples: int = 0
    replication: Replication | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    greater_is_better: bool = True
    seeds: tuple[int, int] | None = None
    seed_share: float | None = None
    improvement: Effect | None = None
    other_tasks: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as valid JSON, without those of other kinds of comparison.

        `verdict`, `difference` and `evidence` are called as in every comparison.
        """
        told = super().to_dict()
        evidence = {name: told[name] for name in _OF_EVIDENCE if name in told}
        kept = {
            name: value
            for name, value in told.items()
            if name not in _OF_EVIDENCE_ALONE and (value is not None or name in _ALWAYS)
        }
        return {
            **kept,
            "way": self.method,
            "significant": self.significant,
            "verdict": self.verdict.to_dict(),
            "difference": {"kind": self.estimand, "estimate": self.estimate},
            "evidence": evidence,
        }

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
        return WAYS[self.method]

    @property
    def verdict(self) -> Verdict:
        """What to conclude at the level of significance."""
        return decide(self, significance=self.significance)

    @property
    def significant(self) -> bool:
        """Whether the difference is."""
        return bool(self.verdict.significant)

    @property
    def evidence(self) -> SignificanceResult:
        """A finding is the evidence itself, by the name that it has in every comparison."""
        return self

    @property
    def first_result(self) -> FirstResult | None:
        """The same as replication sees it; None where there is no difference, or none that varies."""
        error, design = self.standard_error, self.design
        if not error or self.estimate == 0:
            return None
        df = self.df if isinstance(self.df, float) else float((self.clusters or self.n) - 1)
        size = abs(self.statistic)
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
_OF_EVIDENCE = (*(one.name for one in fields(SignificanceResult)), "confidence_interval")
_OF_EVIDENCE_ALONE = frozenset(
    {"method", "estimand", "alternative", "exactness", "scheme", "details"}
)


def conclude(
    found: Estimate, *, names: Sequence[str], relation: Relation, **content: Any
) -> Finding:
    """Return the finding of an estimate; without a design it is about cases."""
    significance = require_probability(content.pop("significance"), "significance")
    more = require_flag(content.pop("greater_is_better", True), "greater_is_better")
    sign = 1.0 if more else -1.0
    first, second = found.values
    gap = sign * (first - second) + 0.0 if found.difference is None else found.difference
    n, clusters = content["n"], content.get("clusters")
    cautions = content.pop("cautions", ())
    design = content.pop("design", None) or Cases(n, clusters=clusters)
    tosses = found.tosses or coin_tosses(design, clusters or n)
    of_equal = student.constant_row_pvalue(np.asarray(gap), tosses, "two-sided")
    if found.df is None:
        evidence = _normal(gap, found.error, of_equal)
    else:
        varies = found.gaps is not None and (found.error == 0 or np.ptp(found.gaps) > 0)
        cases = sign * found.gaps if varies and found.gaps is not None else None
        evidence = t_of_mean(gap, found.error, found.df, of_equal, cases=cases)
    if found.interval_rule is not None:
        evidence["interval_rule"] = found.interval_rule
    finding = Finding(
        method=found.way,
        names=parse_names(names),
        estimand=f"difference in {content['measure']}",
        first=first,
        second=second,
        alternative="two-sided",
        lead=gap,
        significance=significance,
        greater_is_better=more,
        cautions=(*cautions, _UNVARIED) if found.error == 0 else cautions,
        design=design,
        resamples=found.resamples,
        **evidence,
        **content,
    )
    seen = finding.first_result
    if seen is None:
        return finding
    chance = report_replication(seen, relation=relation, significance=significance)
    return replace(finding, replication=chance)


def _normal(estimate: float, error: float, of_equal: Floats) -> dict[str, Any]:
    """Return what z says of an estimate and its standard error, as `t_of_mean` does for t."""
    z = float(student.ratio_or_infinity(np.asarray(estimate), np.asarray(error)))
    return {
        "estimate": estimate,
        "standard_error": error,
        "statistic": z,
        "df": None,
        "pvalue": float(of_equal) if error == 0 else 2 * float(special.ndtr(-abs(z))),
        "exactness": "convention" if error == 0 else "normal",
        "interval_rule": partial(_normal_interval, estimate, error),
    }


def _normal_interval(estimate: float, error: float, confidence: float) -> tuple[float, float]:
    half = float(special.ndtri(0.5 + confidence / 2)) * error
    return estimate - half, estimate + half
