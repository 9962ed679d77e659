"""Frozen records of what was judged."""

import math
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

import numpy as np

from replicast.arrays import Floats
from replicast.comparison.finding import Finding
from replicast.design import Design
from replicast.formatting import format_percent, format_pvalue, plural
from replicast.reading.vocabulary.units import score_unit
from replicast.replication.first_result import FirstResult
from replicast.replication.records import ByRelation
from replicast.results import Answer, Caution, Interval, Record
from replicast.scores.pairs import PairedScores

Number = float | Floats
Outcome = Literal[
    "significant, same direction",
    "not significant, same direction",
    "not significant, no direction",
    "not significant, other direction",
    "significant, other direction",
]
GateOutcome = Literal["pass", "fail", "cannot tell"]
Goal = Literal["not-worse", "better", "equivalent"]
SMALLEST = 1e-300  # chance that still has a logarithm, p-value that still has a z
GOALS = ("not-worse", "better", "equivalent")


@dataclass(frozen=True, kw_only=True)
class JudgedEstimates(Record):
    """Two estimates with standard errors, judged; arrays where arrays came in.

    Attributes
    ----------
    ratio : float
        Variance of the original over that of the replication: how much larger the second was.
    sceptical_z, golden_p, controlled_p, nominal_p : float
        Sceptical z-value and p-values, one-sided in the original's direction; a golden p of 0.025 or
        less counts as success (Held, Micheloud and Pawel 2022).
    q_pvalue : float
        p-value of two equal effects.
    prediction : Interval
        Where the first result leads one to expect the second estimate: of `judge`, what the forecast
        expects of a repeat of this size; of two estimates alone, the first with both errors added.
    edgington_p : float
        p-value of both one-sided p-values together.
    bayes_factor : float
        Of no effect against the effect the original leaves open; below 1 speaks for an effect.
    pooled, pooled_se : float
        Both estimates together, weighted by their precision.
    """

    original: Number
    original_se: Number
    replication: Number
    replication_se: Number
    ratio: Number
    sceptical_z: Number
    golden_p: Number
    controlled_p: Number
    nominal_p: Number
    q_pvalue: Number
    prediction: Interval
    edgington_p: Number
    bayes_factor: Number
    pooled: Number
    pooled_se: Number
    confidence: float

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as valid JSON; arrays become lists."""
        if not isinstance(self.golden_p, np.ndarray):
            return super().to_dict()
        return {f.name: np.asarray(getattr(self, f.name)).tolist() for f in fields(self)}

    def __str__(self) -> str:
        return f"golden sceptical p {self.golden_p}, Edgington's p {self.edgington_p}"


@dataclass(frozen=True, kw_only=True)
class Side(Record):
    """One of two experiments: its estimate, standard error, p-value and where they come from.

    The standard error is that of a normal estimate with the test's own 95% interval, `z` the normal
    value with the test's own two-sided p-value, below 0 where the second is ahead; `lead` is positive
    where the first was better. A result `reported` by a statistic alone has no unit but its own
    standard error.
    """

    _private: ClassVar[frozenset[str]] = Record._private | {
        "names",
        "reported",
        "scores",
        "cautions",
    }

    estimate: float
    standard_error: float
    pvalue: float
    z: float
    source: str
    design: Design | None = None
    method: str | None = None
    lead: float = field(repr=False)
    names: tuple[str, str] | None = field(default=None, repr=False)
    reported: bool = field(default=False, repr=False)
    first_result: FirstResult | None = field(default=None, repr=False)
    scores: PairedScores | None = field(default=None, repr=False)
    cautions: tuple[Caution, ...] = field(default=(), repr=False)

    @property
    def difference(self) -> float:
        """The mean difference, which is what a repeat is predicted to show."""
        return self.estimate if self.scores is None else float(self.scores.differences.mean())


@dataclass(frozen=True, kw_only=True)
class Forecast(Record):
    """The chance given to a significant replication, and how good it was.

    `log_score` is the logarithm of the chance given to what happened: 0 is perfect, -0.69 a coin toss.
    """

    probability: float
    basis: str
    happened: bool
    log_score: float
    registered: str | None = None


def forecast_of(
    probability: float, basis: str, happened: bool, registered: str | None = None
) -> Forecast:
    """Return a forecast with its score."""
    given = max(probability if happened else 1 - probability, SMALLEST)
    return Forecast(
        probability=probability,
        basis=basis,
        happened=happened,
        log_score=math.log(given),
        registered=registered,
    )


@dataclass(frozen=True, kw_only=True)
class Judgement(Answer):
    """A replication beside its original: what became of the result, and of its forecast.

    Differences are in the unit of the scores or, for reported statistics, in standard errors of the
    original.
    """

    names: tuple[str, str]
    original: Side
    replication: Side
    outcome: Outcome
    significance: float
    original_significant: bool
    within_prediction: bool
    estimates: JudgedEstimates
    forecast: Forecast
    unit: Literal["score", "standard errors"] = "score"
    cautions: tuple[Caution, ...] = ()

    @property
    def scores(self) -> tuple[PairedScores, PairedScores] | None:
        """The scores of both, where both have such."""
        one, other = self.original.scores, self.replication.scores
        return None if one is None or other is None else (one, other)

    @property
    def again(self) -> bool:
        """Whether the replication was significant in the original's direction."""
        return self.outcome == "significant, same direction"


@dataclass(frozen=True, kw_only=True)
class Sight(Record):
    """What a gate can see with data of this size and spread.

    Attributes
    ----------
    reference, pass_chance : float
        A true difference one margin inside the bound, and how often such a candidate passes.
    bad, fail_chance : float
        A true difference one margin outside, and how often such a candidate fails.
    visible : float
        The true difference from which a gate fails a candidate in 80 of 100 runs; for `better`, from
        which it passes one.
    needed, needed_clusters : int or None
        About how many scores, and in how many clusters, let the reference pass in 80 of 100 runs or as
        often as was required, where these do not and more can.
    """

    reference: float
    pass_chance: float
    bad: float
    fail_chance: float
    visible: float
    needed: int | None = None
    needed_clusters: int | None = None


@dataclass(frozen=True, kw_only=True)
class Gate(Answer):
    """Whether a candidate may replace a baseline, and what this gate was able to see.

    Attributes
    ----------
    outcome : str
        `pass` and `fail` are shown by the data at `significance`; `cannot tell` is neither.
    difference, interval : float and Interval
        Candidate minus baseline, and its interval at 1 - 2·significance.
    pass_pvalue, fail_pvalue : float
        One-sided p-values against passing wrongly and against failing wrongly.
    true_chance, true_by_relation : float and ByRelation, or None
        How probably the true difference is one that should pass, by the same prior as the chance of
        replication, and if the two are close rivals or any two; None where there is no model of it.
    gained, lost : tuple of int
        Cases that only the candidate, and only the baseline, gets right, by position; where cases are
        graded, those that became better and worse, the largest changes first.
    lost_cases : tuple of str
        The names of the lost cases, where they have names.
    scores, finding : PairedScores or Finding
        What was gated: paired scores, or a measure of all cases.
    """

    _private: ClassVar[frozenset[str]] = frozenset({"scores", "finding"})

    names: tuple[str, str]
    goal: Goal
    margin: float
    outcome: GateOutcome
    difference: float
    interval: Interval
    pass_pvalue: float
    fail_pvalue: float
    significance: float
    method: str
    test: str
    design: Design
    n: int
    sight: Sight
    true_chance: float | None = None
    true_by_relation: ByRelation | None = None
    required_power: float | None = None
    gained: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    lost_cases: tuple[str, ...] = ()
    scores: PairedScores | None = field(default=None, repr=False)
    finding: Finding | None = field(default=None, repr=False)
    cautions: tuple[Caution, ...] = ()

    @property
    def means(self) -> tuple[float, float]:
        """Mean score, or measure, of the candidate and of the baseline."""
        if self.scores is not None:
            return float(self.scores.first.mean()), float(self.scores.second.mean())
        assert self.finding is not None
        return self.finding.first, self.finding.second

    @property
    def unit(self) -> str:
        """What differences are counted in: `fraction`, `percent` or `score`."""
        if self.finding is not None:
            return self.finding.unit
        return "score" if self.scores is None else score_unit(self.scores)

    @property
    def exit_code(self) -> int:
        """0 for pass, 1 for fail, 3 for cannot tell."""
        return {"pass": 0, "fail": 1, "cannot tell": 3}[self.outcome]


@dataclass(frozen=True, kw_only=True)
class Progress(Record):
    """Where a watched comparison stands after a case.

    Attributes
    ----------
    first_only, second_only : int
        Cases that the first, and the second, got better than the other.
    log_e, best : float
        Logarithm of the evidence against equal scores, now and at its largest.
    decided_after, better, deciding_log_e : int, str and float, or None
        Cases after which it was decided, for whom, and the logarithm of the evidence then.
    counts, wealth : arrays
        Differences counted on a grid, and what every bet has become: all that a next case needs.
    """

    _private: ClassVar[frozenset[str]] = frozenset({"counts", "wealth"})

    cases: int = 0
    first_only: int = 0
    second_only: int = 0
    log_e: float = 0.0
    best: float = 0.0
    decided_after: int | None = None
    better: str | None = None
    deciding_log_e: float | None = None
    counts: Floats = field(repr=False, compare=False)
    wealth: Floats = field(repr=False, compare=False)

    @property
    def pvalue(self) -> float:
        """Anytime-valid p-value: 1 over the largest evidence so far."""
        return float(np.exp(-self.best))

    def __str__(self) -> str:
        state = f"{self.better} better after {self.decided_after}" if self.better else "open"
        return f"{state} ({plural(self.cases, 'case')}, anytime {format_pvalue(self.pvalue)})"


@dataclass(frozen=True, kw_only=True)
class Look(Answer):
    """A look at a watched comparison; valid however often one looks.

    Attributes
    ----------
    estimand, difference : str and float
        Mean difference of the scores, or datasets won minus lost as a share of all.
    interval : Interval
        Confidence sequence of the difference, at 1 - significance over all looks together.
    forecasts : tuple of (cases, chance)
        Chance that a fresh set of so many cases is significant in the direction seen.
    forecasts_by_relation : tuple of ByRelation
        Each of the chances if the two are close rivals, and if they are any two.
    """

    names: tuple[str, str]
    progress: Progress
    total: int | None
    estimand: str
    difference: float
    interval: Interval
    significance: float
    bounds: tuple[float, float]
    design: Design
    forecasts: tuple[tuple[int, float], ...] = ()
    forecasts_by_relation: tuple[ByRelation, ...] = ()
    cautions: tuple[Caution, ...] = ()

    @property
    def unit(self) -> str:
        """What differences are counted in: `fraction`, `percent` or `score`."""
        if self.estimand != "mean difference":
            return "score"
        return {(0.0, 1.0): "fraction", (0.0, 100.0): "percent"}.get(self.bounds, "score")


@dataclass(frozen=True, kw_only=True)
class Bin(Record):
    """Forecasts of about one size: how many, what they said on average, and what happened."""

    low: float
    high: float
    forecasts: int
    said: float
    happened: int
    interval: Interval

    def __str__(self) -> str:
        return f"{self.forecasts} said {format_percent(self.said)}, {self.happened} happened"


@dataclass(frozen=True, kw_only=True)
class Calibration(Answer):
    """How good the forecasts of a ledger were.

    Attributes
    ----------
    forecasts, registered, open : int
        Forecasts with an outcome, those of them written down beforehand, and those still waiting.
    said, happened : float and int
        Mean chance given, and how many results were significant again.
    log_score : float
        Mean log score; 0 is perfect, -0.69 a coin toss.
    surprise : float
        Happened minus said, in standard errors; beyond 2 or 3 the forecasts were off.
    """

    forecasts: int
    registered: int
    open: int
    said: float
    happened: int
    log_score: float
    surprise: float
    bins: tuple[Bin, ...]
    torn: int = 0
