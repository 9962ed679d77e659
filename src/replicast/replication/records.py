"""Frozen records about the next experiment."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from replicast.design import Design
from replicast.formatting import format_number, format_percent
from replicast.replication.priors import Relation, TrackRecord
from replicast.results import Answer, Caution, Interval, Record

if TYPE_CHECKING:
    from replicast.kernels.mixtures import Prior
    from replicast.replication.first_result import FirstResult


@dataclass(frozen=True, kw_only=True)
class Spread(Record):
    """Standard deviation of Wilcoxon's Z over repeated experiments, and how it was obtained.

    `source` is `retrained` (Algorithm 1 of Berrar 2024), `resampled differences`, `given`, or
    `assumed` (1, the value for equal classifiers).
    """

    value: float
    source: str
    resamples: int = 0

    def __str__(self) -> str:
        detail = f", {self.resamples} resamples" if self.resamples else ""
        return f"s* = {format_number(self.value)} ({self.source}{detail})"


@dataclass(frozen=True, kw_only=True)
class ByRelation(Record):
    """The chance of replication if the two are close rivals, and if they are any two methods."""

    close: float
    any: float

    def __str__(self) -> str:
        return (
            f"{format_percent(self.close)} if they are close rivals, "
            f"{format_percent(self.any)} if any two"
        )


@dataclass(frozen=True, kw_only=True)
class NeededByRelation(Record):
    """How much a plan needs if the two are close rivals, and if they are any two; None: out of reach."""

    close: float | None
    any: float | None

    def __str__(self) -> str:
        close, wide = (
            "out of reach" if amount is None else f"{amount:,g}"
            for amount in (self.close, self.any)
        )
        return f"{close} if they are close rivals, {wide} if any two"


@dataclass(frozen=True, kw_only=True)
class ByTest(Record):
    """The chance of replication by the t-test a paper used, where it does not say which.

    `ordinary_pvalue` is what an ordinary t-test of that t gives once it is corrected for the overlap
    of the training sets.
    """

    corrected: float
    ordinary: float
    ordinary_pvalue: float

    def __str__(self) -> str:
        return (
            f"{format_percent(self.corrected)} if the t-test was corrected for the overlap of "
            f"training sets, {format_percent(self.ordinary)} if it was not"
        )


@dataclass(frozen=True, kw_only=True)
class PriorUsed(Record):
    """What was taken for granted about the true effect: a mixture, and the unit of its components.

    `unit` is `signal` (standard errors of the first result) or `deviation` (standard deviations of the
    seeds), in which the components are standard deviations of normals around zero.
    """

    unit: str
    components: tuple[float, ...]
    weights: tuple[float, ...]

    def __str__(self) -> str:
        parts = zip(self.weights, self.components, strict=True)
        return f"{self.unit}: " + ", ".join(f"{weight:.2g} on {size:g}" for weight, size in parts)


@dataclass(frozen=True, kw_only=True)
class Replication(Answer):
    """Predicted chance that an experiment on fresh data is significant in the observed direction.

    Attributes
    ----------
    probability, interval : float and Interval
        The estimate, and the power at the ends of what is known of the effect, at `confidence`.
    observed_difference, expected_difference : float or None
        The mean difference that was seen, and the one a repeat will show on average, in the score's
        unit; positive favours the first classifier. None where a paper's number has no unit.
    predicted_interval : Interval or None
        What a repeat of the target design will show, at `confidence`.
    track_record : TrackRecord or None
        What became of published results with such a chance, for the relation that was told
        (docs/track-record.md); None for cross-validation and seeds, which it has none of.
    relation, by_relation : str and ByRelation
        How the two are related, as far as the asker said, and the estimate for both ends.
    test, by_test : str or None, and ByTest or None
        Which t-test a paper used, `corrected`, `ordinary` or `unknown`, for a t or p-value over splits
        of one dataset; and if unknown, the estimate for both. `probability` is then that of the
        corrected one.
    by_fresh_test : float or None
        For a t over seeds that a paper reports: the chance that a repeat is significant by the test that
        allows for the split, which `probability` is not about.
    prior : PriorUsed
        The weights that `relation` stands for.
    model : str
        `sign`, `bayesian`, `wilcoxon`, `paired-t`, `corrected-t`, `mcnemar`, `cases`, `seeds`, or
        `seeds-alone` for a t over seeds that a paper reports.
    estimator : str
        `calibrated`, `sceptic`, `flat`, `as-published` or `empirical-bayes`.
    calibrated, sceptic, flat, as_published : float
        The values of the four standing estimators, whichever was asked for. The sceptic holds true
        signals to be no larger than their noise; where nothing much differs, that is right.
    opposite : float
        Chance that the next experiment is significant in the other direction.
    replicability : float or None
        Chance of the same on the same data, with new seeds, or with new answers to the same cases; None
        where nothing but fresh data would do.
    direction_probability : float
        Posterior probability that the classifier seen to be better is better.
    first_pvalue, first_significant : float and bool
        The first result. If it is not significant, `probability` is the chance that the next is.
    definition : str
        What counts as a replication.
    assumptions : tuple of str
        What the model takes for granted.
    """

    probability: float
    interval: Interval
    confidence: float
    relation: Relation
    by_relation: ByRelation
    model: str
    estimator: str
    prior: PriorUsed
    calibrated: float
    sceptic: float
    flat: float
    as_published: float
    as_published_interval: Interval
    opposite: float
    direction_probability: float
    first_pvalue: float
    first_significant: bool
    significance: float
    names: tuple[str, str]
    better: str
    design: Design
    target_design: Design
    data_factor: float = 1.0
    observed_difference: float | None = None
    expected_difference: float | None = None
    predicted_interval: Interval | None = None
    track_record: TrackRecord | None = None
    spread: Spread | None = None
    replicability: float | None = None
    instance_data: bool = False
    test: str | None = None
    by_test: ByTest | None = None
    by_fresh_test: float | None = None
    definition: str = "significant in the same direction on fresh data"
    assumptions: tuple[str, ...] = ()
    cautions: tuple[Caution, ...] = ()
    first_result: "FirstResult" = field(repr=False, compare=False)
    learned: "Prior | None" = field(default=None, repr=False, compare=False)  # by empirical Bayes


@dataclass(frozen=True, kw_only=True)
class ReplicationCurve(Record):
    """Chance of replication against the p-value, for one kind of experiment."""

    pvalues: tuple[float, ...]
    calibrated: tuple[float, ...]
    as_published: tuple[float, ...]
    model: str
    design: Design
    significance: float
    relation: Relation = "unknown"

    def __str__(self) -> str:
        return f"{len(self.pvalues)} points of the {self.model} model at {self.significance:g}"


@dataclass(frozen=True, kw_only=True)
class EmpiricalReplication(Record):
    """Share of real replications that were significant in the same direction (Definition 2)."""

    probability: float
    interval: Interval
    confidence: float
    significant: int
    replications: int

    def __str__(self) -> str:
        low, high = (format_percent(limit) for limit in self.interval)
        return (
            f"{format_percent(self.probability)} [{low}, {high}] of replications significant again "
            f"({self.significant} of {self.replications} experiments were)"
        )


@dataclass(frozen=True, kw_only=True)
class Plan(Answer):
    """How much more is needed for a wanted chance of replication, or why it cannot be had.

    Attributes
    ----------
    vary, current, needed : str and int
        What grows (`datasets`, `folds`, `runs`, `cases`, `seeds` or `splits`), how much there was, and
        how much a replication needs; `needed` is None if the target cannot be reached.
    now, limit : float
        Probability with a replication like the first experiment, and with an endless one.
    reason : str
        Why the limit is where it is.
    amounts, probabilities : tuple of float
        The curve from now towards the limit.
    needed_by_relation, limit_by_relation : NeededByRelation and ByRelation
        What close rivals and what any two methods need, None where it cannot be reached; and the
        chance that an endless replication has for either.
    """

    vary: str
    probability: float
    current: float
    needed: float | None
    now: float
    limit: float
    reason: str
    amounts: tuple[float, ...]
    probabilities: tuple[float, ...]
    model: str
    estimator: str
    significance: float
    design: Design
    needed_by_relation: NeededByRelation
    limit_by_relation: ByRelation
    relation: Relation = "unknown"
    cautions: tuple[Caution, ...] = ()

    @property
    def unit(self) -> str:
        """What the amounts count; cases of cross-validation count as multiples of the first data."""
        return self.vary if self.design.axis(self.vary).field else "times the data"

    @property
    def cost(self) -> str:
        """What one more of them costs."""
        return self.design.axis(self.vary).cost
