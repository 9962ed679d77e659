"""One experiment as judging sees it: scores, a test result, an estimate, or a paper's statistic."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replicast.arrays import Floats
from replicast.comparison.records import Comparison
from replicast.errors import DesignMismatchError, invalid
from replicast.inference.methods import choose_method
from replicast.judging.records import SMALLEST, Side
from replicast.kernels.student import t_critical
from replicast.replication.first_result import FirstResult, Observed, first_if_any
from replicast.replication.means import MeansReplication
from replicast.replication.records import Replication
from replicast.replication.seeds import SeedsModel
from replicast.replication.student import StudentModel
from replicast.results import SignificanceResult
from replicast.scores.pairs import PairedScores
from replicast.scores.tables import ScoreTable

Experiment = Observed | ScoreTable | tuple[float, float]
_LARGEST = 1e50  # estimate, or error, whose squares are still numbers


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


def side_of(experiment: Experiment, argument: str, method: str | None) -> Side:
    """Read one experiment."""
    if isinstance(experiment, PairedScores):
        result = choose_method(experiment.design, method).test(experiment)
        return _of_result(result, first_if_any(result, scores=experiment), argument, experiment)
    match experiment:
        case SignificanceResult():
            return _of_result(experiment, first_if_any(experiment), argument)
        case Comparison(evidence=SignificanceResult() as result, scores=scores):
            return _of_result(result, first_if_any(result, scores=scores), argument, scores)
        case Replication() | MeansReplication():
            return _reported(experiment.first_result)
        case FirstResult():
            return _reported(experiment)
        case tuple() | list() as pair if (
            len(pair) == 2
        ):  # arrays are sequences to some Pythons only
            estimate, error = numbers(pair[0], "estimate"), numbers(pair[1], "se")
            if estimate.ndim == error.ndim == 0:
                return Side(
                    estimate=float(estimate),
                    standard_error=float(error),
                    pvalue=2 * float(special.ndtr(-abs(estimate) / error)),
                    z=float(estimate / error),
                    source="estimate and standard error",
                    lead=float(estimate),
                )
    raise invalid(
        argument,
        "a ScoreTable, PairedScores, what compare and the tests return, a pair of estimate and standard "
        "error, or what `replicate` returns",
        type(experiment).__name__,
    )


def _of_result(
    result: SignificanceResult,
    first: FirstResult | None,
    argument: str,
    scores: PairedScores | None = None,
) -> Side:
    if result.alternative != "two-sided":
        raise invalid(argument, "a two-sided result", f"alternative {result.alternative!r}")
    low, high = result.confidence_interval(0.95)
    error = (high - low) / (2 * float(special.ndtri(0.975)))
    if not 0 < error < math.inf:
        got = "scores that differ by one constant" if error == 0 else "too few scores for one"
        raise invalid(argument, "a result with a 95% interval", got, "Give more scores")
    return Side(
        estimate=result.estimate,
        standard_error=error,
        pvalue=result.pvalue,
        z=_z_of(result.pvalue, result.estimate),
        source=result.design.words,
        design=result.design,
        method=result.method,
        lead=result.lead,
        names=result.names,
        first_result=first,
        scores=scores,
        cautions=result.cautions,
    )


def _reported(first: FirstResult) -> Side:
    """Read a paper's statistic, with its own standard error as the only unit there is."""
    model = first.model
    pvalue = model.fresh_pvalue if isinstance(model, SeedsModel) else first.pvalue
    z = _z_of(pvalue, 1 if first.first_better else -1)
    estimate, width = z, 1.0
    if isinstance(model, StudentModel) and math.isfinite(model.statistic):
        estimate = math.copysign(model.statistic, z)
        width = float(t_critical(model.layout.df, 0.025) / special.ndtri(0.975))
    return Side(
        estimate=estimate,
        standard_error=width,
        pvalue=pvalue,
        z=z,
        source=f"reported, {first.design.words}",
        design=first.design,
        method=model.name,
        lead=z,
        names=first.names,
        reported=True,
        first_result=first,
        cautions=first.cautions,
    )


def _z_of(pvalue: float, estimate: float) -> float:
    """Return the z with a two-sided p-value, which its own test gave, in the direction seen."""
    return math.copysign(-float(special.ndtri(max(pvalue, SMALLEST) / 2)), estimate)


def in_unit_of(original: Side, replication: Side, data_factor: float) -> Side:
    """Return a replication in the unit of its original: reported ones by how much data both have."""
    if original.first_result is None or replication.first_result is None or not original.reported:
        return replication
    weight = replication.first_result.model.weight * data_factor
    factor = math.sqrt(original.first_result.model.weight / weight)
    return replace(
        replication,
        estimate=factor * replication.estimate,
        standard_error=factor * replication.standard_error,
    )


def refuse_mismatch(original: Side, replication: Side) -> None:
    """Refuse two experiments about other pairs, or in units that cannot be compared."""
    if original.names and replication.names and original.names != replication.names:
        got = f"{' and '.join(replication.names)} after {' and '.join(original.names)}"
        raise invalid("replication", "about the same pair in the same order", got)
    units = [
        f"a reported result of the {side.method} model" if side.reported else "an estimate"
        for side in (original, replication)
    ]
    if units[0] != units[1]:
        raise DesignMismatchError(
            "replication",
            "in the unit of the original",
            f"{units[1]} after {units[0]}",
            "Give both as scores, both as estimates or both as one kind of statistic",
        )
