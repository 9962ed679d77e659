"""What was found about two classifiers, or many."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from replicast.design import Design, format_design
from replicast.errors import invalid, require_choice
from replicast.formatting import format_percent, format_pvalue
from replicast.inference.friedman import FriedmanResult
from replicast.inference.methods import Evidence
from replicast.inference.normality import NormalityCheck
from replicast.reading.vocabulary.units import score_unit, unit_of
from replicast.replication.first_result import FirstResult
from replicast.replication.priors import Relation
from replicast.replication.records import Replication
from replicast.results import Answer, Caution, Effect, Interval, Power, Record
from replicast.scores.pairs import PairedScores

Outcome = Literal["first better", "second better", "equivalent", "inconclusive"]
Case = Literal[
    "relevant",
    "no evidence",
    "significant and sizeable",
    "significant but small",
    "not significant but sizeable",
]


@dataclass(frozen=True, kw_only=True)
class Region(Record):
    """Differences up to `width` either way, in the unit of the scores, count as too small to matter.

    `source` is `named` by the user or the `default` of one point.
    """

    width: float
    source: Literal["named", "default"]

    def __str__(self) -> str:
        return f"±{self.width:g} ({self.source})"


@dataclass(frozen=True, kw_only=True)
class Verdict(Record):
    """What to conclude at a level: an outcome, and the cell of significance and size.

    Over datasets size is the effect's label, and `group` the number Neumann et al. (2021) give to the
    cell; 3 and 4 are their special cases. On one dataset size is the difference against `region`.
    What is `equivalent` is so within `region`, and has no cell. A posterior is not `significant` or
    otherwise (None), and has none either.
    """

    outcome: Outcome
    significant: bool | None
    significance: float
    case: Case | None = None
    group: int | None = None
    region: Region | None = None

    def __str__(self) -> str:
        return f"{self.outcome}; {self.case}" if self.case else self.outcome


@dataclass(frozen=True, kw_only=True)
class Comparison(Answer):
    """Everything found about one pair: evidence, effect, power, replication, verdict, cautions.

    `outlook` holds the chances of larger replications.
    """

    _private: ClassVar[frozenset[str]] = Record._private | {"scores"}

    scores: PairedScores
    verdict: Verdict
    evidence: Evidence
    difference: Effect
    effect: Effect
    power: Power
    replication: Replication | None
    outlook: tuple[Replication, ...]
    normality: NormalityCheck | None
    smallest_pvalue: float
    cautions: tuple[Caution, ...] = ()

    @property
    def names(self) -> tuple[str, str]:
        """Who is compared."""
        return self.scores.names

    @property
    def means(self) -> tuple[float, float]:
        """Both mean scores."""
        return float(self.scores.first.mean()), float(self.scores.second.mean())

    @property
    def unit(self) -> str:
        """What differences are counted in: `fraction`, `percent` or `score`."""
        return score_unit(self.scores)

    @property
    def first_result(self) -> FirstResult | None:
        """The same as replication sees it, if there is a model of it."""
        return None if self.replication is None else self.replication.first_result

    def to_dict(self) -> dict[str, Any]:
        """Return evidence, effects, power and verdict as nested, valid JSON."""
        scores = self.scores
        pair = {
            "names": list(scores.names),
            "dataset": scores.dataset,
            "one_of_pairs": scores.one_of,
        }
        outlook = [
            {
                "target_design": format_design(larger.target_design),
                "data_factor": larger.data_factor,
                "probability": larger.probability,
            }
            for larger in self.outlook
        ]
        return {**pair, **super().to_dict(), "outlook": outlook}


@dataclass(frozen=True, kw_only=True)
class PairCell(Record):
    """Two of many classifiers. Positive differences and effects favour the first.

    Attributes
    ----------
    difference : float
        Mean difference in the unit of the scores.
    wins, ties, losses : int
        On how many datasets (or folds) the first is better, equal, worse.
    pvalue, adjusted : float
        Of the pair alone, and corrected for the number of pairs.
    better : str or None
        The classifier the test favours, None if it favours neither.
    replication, replication_interval : float and Interval, or None
        Chance that a repeat on fresh data that tests this pair alone is significant in the same
        direction (calibrated), and its 95% limits; None where there is no model or no difference.
    relation : str
        How the two were taken to be related for it: `close` rivals, `any` two, or `unknown`.
    significant : bool
        Whether the adjusted p-value lies below the level.
    """

    first: str
    second: str
    difference: float
    wins: int
    ties: int
    losses: int
    pvalue: float
    adjusted: float
    effect: float
    effect_symbol: str
    effect_label: str | None
    better: str | None
    replication: float | None
    replication_interval: Interval | None
    relation: Relation
    significant: bool

    @property
    def at_odds(self) -> bool:
        """Whether the test is significant for one classifier and the mean favours the other."""
        return self.significant and self.difference * (1 if self.better == self.first else -1) < 0

    def __str__(self) -> str:
        return f"{self.first} - {self.second}: adjusted {format_pvalue(self.adjusted)}"


@dataclass(frozen=True, kw_only=True)
class Stability(Record):
    """Chances that the order holds on as many `fresh` datasets, or cases of one test set.

    `first_stays` belongs to the first place, `order_stays` to each classifier and the next one. The
    order is that of mean ranks over datasets, or of mean scores over cases.
    """

    first_stays: float
    order_stays: tuple[float, ...]
    draws: int
    fresh: Literal["datasets", "cases"] = "datasets"

    def __str__(self) -> str:
        return f"first place stays first in {format_percent(self.first_stays)} of repeats"


@dataclass(frozen=True, kw_only=True)
class ManyComparison(Answer):
    """Everything found about many classifiers.

    Attributes
    ----------
    classifiers : tuple of str
        Best first: by mean rank over datasets, or by mean score on one dataset.
    mean_scores, average_ranks : tuple of float
        In the order of `classifiers`. On one dataset there are no ranks, and `average_ranks`,
        `friedman`, `critical_difference` and, unless its cases are known, `stability` are None.
        On two to five datasets `stability` is None too: they are too few to say.
    mean_intervals : tuple of Interval
        95% intervals of the mean scores, each of its classifier alone (`score_interval`); two of them
        that overlap do not say that a pair is equal.
    friedman : FriedmanResult or None
        Whether any classifiers differ at all.
    critical_difference : float or None
        Nemenyi's, of mean ranks. Decisions rest on the adjusted p-values, not on it.
    pairs : tuple of PairCell
        All pairs, the better ranked first; with a `control` the control against each other.
    """

    classifiers: tuple[str, ...]
    mean_scores: tuple[float, ...]
    average_ranks: tuple[float, ...] | None
    friedman: FriedmanResult | None
    critical_difference: float | None
    pairs: tuple[PairCell, ...]
    stability: Stability | None
    control: str | None
    correction: str
    method: str
    significance: float
    design: Design
    datasets: tuple[str, ...]
    metric: str
    greater_is_better: bool
    cautions: tuple[Caution, ...] = ()
    mean_intervals: tuple[Interval, ...] = ()
    direction: Literal["known", "assumed"] = "known"

    @property
    def unit(self) -> str:
        """What differences are counted in: `fraction`, `percent` or `score`."""
        return unit_of(self.mean_scores, self.metric, greater_is_better=self.greater_is_better)

    def pair(self, first: str, second: str) -> PairCell:
        """Return the cell of two classifiers, in whichever order it stands."""
        wanted = {
            require_choice(name, argument, self.classifiers)
            for argument, name in (("first", first), ("second", second))
        }
        for cell in self.pairs:
            if {cell.first, cell.second} == wanted:
                return cell
        raise invalid("first", "one of a pair that was tested", f"{first!r} and {second!r}")
