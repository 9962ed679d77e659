"""One experiment as judging sees it: scores, a test result, an estimate, or a paper's statistic."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replicast.arrays import Floats
from replicast.comparison.records import Comparison
from replicast.design import describe_design
from replicast.errors import DesignMismatchError, InvalidArgumentError, invalid
from replicast.inference.methods import choose_method
from replicast.judging.records import SMALLEST, Side
from replicast.kernels.seeds import share_range
from replicast.kernels.student import t_critical
from replicast.replication.counts import CountModel, DiscordanceModel, RankModel
from replicast.replication.first_result import FirstResult, read_first_result
from replicast.replication.means import MeansReplication
from replicast.replication.records import Replication
from replicast.replication.seeds import SeedsModel
from replicast.replication.student import StudentModel
from replicast.results import Caution, SignificanceResult
from replicast.scores.pairs import PairedScores
from replicast.scores.tables import ScoreTable

Experiment = (
    ScoreTable
    | PairedScores
    | SignificanceResult
    | Comparison
    | Replication
    | MeansReplication
    | FirstResult
    | tuple[float, float]
)
_LARGEST = 1e50  # estimate, or error, whose squares are still numbers


@dataclass(frozen=True)
class Told:
    """One experiment as judging sees it; `lead` is positive where the first was better."""

    side: Side
    lead: float
    names: tuple[str, str] | None
    reported: bool = False  # by a statistic alone, whose unit is its own standard error
    first: FirstResult | None = None
    scores: PairedScores | None = None
    cautions: tuple[Caution, ...] = ()

    @property
    def unit(self) -> str:
        """What kind of number it is, in words."""
        return (
            f"a reported result of the {self.side.method} model" if self.reported else "an estimate"
        )

    @property
    def difference(self) -> float:
        """The mean difference, which is what a repeat is predicted to show."""
        return self.side.estimate if self.scores is None else float(self.scores.differences.mean())


def numbers(values: ArrayLike, argument: str) -> Floats:
    """Return finite estimates, or positive standard errors where the argument is one."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise invalid(argument, "a number or an array of numbers", values) from None
    if argument.endswith("se"):
        good, domain = (array >= 1 / _LARGEST) & (array <= _LARGEST), "a positive standard error"
    else:
        good, domain = np.abs(array) <= _LARGEST, "a finite estimate"
    if not good.all():
        raise invalid(argument, domain, float(array[~good].ravel()[0]))
    return array


def pair_of(
    experiment: Experiment, first: str | None, second: str | None, dataset: str | None
) -> Experiment:
    """Return the scores of the pair that is meant; other experiments are of one pair."""
    if isinstance(experiment, ScoreTable):
        if first is None or second is None:
            names = ", ".join(experiment.classifiers)
            raise invalid("first", f"one of {names}", "nothing", "Say which pair to judge")
        where = dataset if len(experiment.datasets) > 1 else None
        return experiment.pair(first, second, dataset=where)
    return experiment


def tell(experiment: Experiment, argument: str, method: str | None) -> Told:
    """Read one experiment."""
    if isinstance(experiment, PairedScores):
        test = choose_method(experiment.design, method).test
        return _tell_result(test(experiment), experiment, argument)
    match experiment:
        case SignificanceResult():
            return _tell_result(experiment, None, argument)
        case Comparison(evidence=SignificanceResult() as result):
            return _tell_result(result, experiment.scores, argument)
        case Replication() | MeansReplication():
            return _tell_reported(experiment.first_result)
        case FirstResult():
            return _tell_reported(experiment)
        case tuple() | list() as pair if (
            len(pair) == 2
        ):  # arrays are sequences to some Pythons only
            estimate, error = pair
            value, se = numbers(estimate, "estimate"), numbers(error, "se")
            if value.ndim == se.ndim == 0:
                side = Side(
                    estimate=float(value),
                    standard_error=float(se),
                    pvalue=2 * float(special.ndtr(-abs(value) / se)),
                    z=float(value / se),
                    source="estimate and standard error",
                )
                return Told(side, float(value), None)
    raise invalid(
        argument,
        "a ScoreTable, PairedScores, what compare and the tests return, a pair of estimate and standard "
        "error, or what `replicate` returns",
        type(experiment).__name__,
    )


def _tell_result(result: SignificanceResult, scores: PairedScores | None, argument: str) -> Told:
    if result.alternative != "two-sided":
        raise invalid(argument, "a two-sided result", f"alternative {result.alternative!r}")
    low, high = result.confidence_interval(0.95)
    error = (high - low) / (2 * float(special.ndtri(0.975)))
    if not 0 < error < math.inf:
        got = "scores that differ by one constant" if error == 0 else "too few scores for one"
        raise invalid(argument, "a result with a 95% interval", got, "Give more scores")
    side = Side(
        estimate=result.estimate,
        standard_error=error,
        pvalue=result.pvalue,
        z=_z_of(result.pvalue, result.estimate),
        source=describe_design(result.design),
        design=result.design,
        method=result.method,
    )
    try:
        first = read_first_result(result, scores=scores)
    except InvalidArgumentError:  # no model of its replication: the estimates forecast
        first = None
    return Told(
        side, result.lead, result.names, first=first, scores=scores, cautions=result.cautions
    )


def _tell_reported(first: FirstResult) -> Told:
    """Read a paper's statistic, with the size of its design as the only unit there is."""
    pvalue = first.model.fresh_pvalue if isinstance(first.model, SeedsModel) else first.pvalue
    z = _z_of(pvalue, 1 if first.first_better else -1)
    estimate, width = z, 1.0
    if isinstance(first.model, StudentModel) and math.isfinite(first.model.statistic):
        estimate = math.copysign(first.model.statistic, z)
        width = float(t_critical(first.model.layout.df, 0.025) / special.ndtri(0.975))
    error = 1 / math.sqrt(amount_of(first))
    side = Side(
        estimate=estimate * error,
        standard_error=width * error,
        pvalue=pvalue,
        z=z,
        source=f"reported, {describe_design(first.design)}",
        design=first.design,
        method=first.model.name,
    )
    return Told(side, z, first.names, reported=True, first=first, cautions=first.cautions)


def _z_of(pvalue: float, estimate: float) -> float:
    """Return the z with a two-sided p-value, which its own test gave, in the direction seen."""
    return math.copysign(-float(special.ndtri(max(pvalue, SMALLEST) / 2)), estimate)


def amount_of(first: FirstResult) -> float:
    """Return how much data a design weighs, in a unit that all results of its kind share."""
    match first.model:
        case StudentModel() as model:
            return 1 / model.layout.variance
        case RankModel(nonzero=count):
            return max(count, 1)
        case SeedsModel(design=design):
            share = share_range()[1] if design.has_split else 0.0
            return 1 / float(design.layout.variance(np.asarray(share)))
        case CountModel(wins=won, losses=lost) | DiscordanceModel(won=won, lost=lost):
            return max(won + lost, 1)
    raise invalid("original", "a result with a model of replication", first.model.name)


def scaled(told: Told, factor: float) -> Told:
    """Return the same in another unit."""
    estimate, error = told.side.estimate * factor, told.side.standard_error * factor
    return replace(told, side=replace(told.side, estimate=estimate, standard_error=error))


def refuse_mismatch(one: Told, other: Told) -> None:
    """Refuse two experiments about other pairs, or in units that cannot be compared."""
    if one.names and other.names and one.names != other.names:
        got = f"{' and '.join(other.names)} after {' and '.join(one.names)}"
        raise invalid("replication", "about the same pair in the same order", got)
    if one.unit != other.unit:
        raise DesignMismatchError(
            "replication",
            "in the unit of the original",
            f"{other.unit} after {one.unit}",
            "Give both as scores, both as estimates or both as one kind of statistic",
        )
