"""Judge a replication that was made: did it happen again, and was that to be expected?"""

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replicast.arrays import Floats
from replicast.design import describe_design
from replicast.errors import (
    DesignMismatchError,
    InvalidArgumentError,
    invalid,
    require_choice,
    require_positive,
    require_probability,
)
from replicast.inference.methods import METHODS, default_method
from replicast.judging.records import Forecast, JudgedEstimates, Judgement, Number, Outcome, Side
from replicast.judging.sharing import refuse_shared_names, refuse_shared_scores
from replicast.kernels import judging as kernel
from replicast.kernels.seeds import share_range
from replicast.kernels.student import t_critical
from replicast.replication.counts import CountModel, DiscordanceModel, RankModel
from replicast.replication.first_result import FirstResult, read_first_result
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication
from replicast.replication.seeds import SeedsModel
from replicast.replication.student import StudentModel
from replicast.results import Caution, Interval, SignificanceResult, is_significant
from replicast.scores.pairs import PairedScores
from replicast.scores.predictions import PairedPredictions
from replicast.scores.tables import ScoreTable

Experiment = (
    ScoreTable
    | PairedScores
    | PairedPredictions
    | SignificanceResult
    | Replication
    | FirstResult
    | tuple[float, float]
)
Data = Literal["unknown", "fresh"]
_LARGEST = 1e50  # estimate, or error, whose squares are still numbers
_SMALLEST = 1e-300  # p-value that still has a z


def judge_estimates(
    estimate: ArrayLike,
    se: ArrayLike,
    replication_estimate: ArrayLike,
    replication_se: ArrayLike,
    *,
    confidence: float = 0.95,
) -> JudgedEstimates:
    """Judge replications by estimates and standard errors alone; arrays are judged element by element.

    Parameters
    ----------
    estimate, se : float or array
        The original: a difference, positive where it favours the first, and its standard error.
    replication_estimate, replication_se : float or array
        The replication, in the same unit.
    confidence : float
        Level of the prediction interval.

    References
    ----------
    .. [1] Held, Micheloud and Pawel (2022), Annals of Applied Statistics 16, 706-720.

    Examples
    --------
    >>> from replicast import judge_estimates
    >>> found = judge_estimates(3.1, 1.2, 2.0, 1.0)
    >>> round(found.golden_p, 4), round(found.edgington_p, 5)
    (0.0272, 0.00038)
    """
    require_probability(confidence, "confidence")
    given = {
        "estimate": estimate,
        "se": se,
        "replication_estimate": replication_estimate,
        "replication_se": replication_se,
    }
    arrays = {name: _numbers(value, name) for name, value in given.items()}
    try:
        to, so, tr, sr = np.broadcast_arrays(*arrays.values())
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in arrays.values())
        raise invalid("replication_estimate", "as long as the originals", shapes) from None
    return _judged([to, so, tr, sr], confidence)


def _judged(
    numbers: list[Floats], confidence: float, evidence: tuple[Floats, Floats] | None = None
) -> JudgedEstimates:
    to, so, tr, sr = numbers
    found = kernel.judge(to, so, tr, sr, confidence=confidence, evidence=evidence)

    def out(value: Floats) -> Number:
        return float(value) if to.ndim == 0 else value

    return JudgedEstimates(
        original=out(to),
        original_se=out(so),
        replication=out(tr),
        replication_se=out(sr),
        ratio=out(found.ratio),
        sceptical_z=out(found.z_sceptical),
        golden_p=out(found.golden),
        controlled_p=out(found.controlled),
        nominal_p=out(found.nominal),
        q_pvalue=out(found.q_pvalue),
        prediction=Interval(out(found.low), out(found.high)),  # type: ignore[arg-type]  # or arrays
        edgington_p=out(found.edgington),
        bayes_factor=out(found.bayes_factor),
        pooled=out(found.pooled),
        pooled_se=out(found.pooled_se),
        confidence=confidence,
    )


def _numbers(values: ArrayLike, argument: str) -> Floats:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise invalid(argument, "a number or an array of numbers", values) from None
    if argument.endswith("se"):
        good, domain = (array >= 1 / _LARGEST) & (array <= _LARGEST), "a positive standard error"
    else:
        good, domain = np.abs(array) <= _LARGEST, "a finite estimate"
    if not good.all():
        raise invalid(argument, domain, float(array[~good].ravel()[0]))
    return array


@dataclass(frozen=True)
class _Told:
    """One experiment as judging sees it; `lead` is positive where the first was better."""

    side: Side
    lead: float
    names: tuple[str, str] | None
    first: FirstResult | None = None
    scores: PairedScores | None = None
    cautions: tuple[Caution, ...] = ()


def judge(
    original: Experiment,
    replication: Experiment,
    *,
    first: str | None = None,
    second: str | None = None,
    dataset: str | None = None,
    method: str | None = None,
    significance: float = 0.05,
    data: Data = "unknown",
    data_factor: float = 1.0,
) -> Judgement:
    """Judge a replication that was made, by its original.

    Says whether the result was significant again in the same direction, whether the second estimate
    lies where the first one predicted it, how convincing both are together, what would have been
    forecast, and how good that forecast was. A second table made of the first one's data is refused
    where that can be seen.

    Parameters
    ----------
    original, replication : ScoreTable, PairedScores, PairedPredictions, test result, or numbers
        Two experiments of one pair on different data. Numbers are (estimate, standard error), or
        what a paper reports: `replication_from_t(2.9, folds=10)`.
    first, second, dataset : str, optional
        Which pair of two tables, and which dataset where a table has several.
    method : str, optional
        Key of the test in `METHODS`; by default the one recommended for each design.
    data : {"unknown", "fresh"}
        `fresh` says that the second table holds other data, where names or cases look the same.
    data_factor : float
        How many times the data of the original a cross-validated replication had.

    Examples
    --------
    >>> from replicast import judge
    >>> found = judge((3.1, 1.2), (2.0, 1.0))
    >>> found.outcome, found.within_prediction, round(found.forecast.probability, 2)
    ('significant, same direction', True, 0.63)
    """
    require_probability(significance, "significance")
    require_choice(data, "data", ("unknown", "fresh"))
    data_factor = require_positive(
        data_factor, "data_factor", "a positive number of times the data"
    )
    if isinstance(original, ScoreTable) and isinstance(replication, ScoreTable):
        refuse_shared_names(original, replication, data)
    told = [
        _tell(_pair_of(experiment, first, second, dataset), argument, method)
        for experiment, argument in ((original, "original"), (replication, "replication"))
    ]
    one, other = told
    if one.scores is not None and other.scores is not None:
        refuse_shared_scores(one.scores, other.scores, data)
    _refuse_mismatch(one, other)
    if one.first is not None and _is_reported(one):  # the only unit that both have
        unit = math.sqrt(_amount(one.first))
        one, other = _scaled(one, unit), _scaled(other, unit / math.sqrt(data_factor))
    return _judgement(one, other, significance, data_factor)


def _pair_of(
    experiment: Experiment, first: str | None, second: str | None, dataset: str | None
) -> Experiment:
    if isinstance(experiment, ScoreTable):
        if first is None or second is None:
            names = ", ".join(experiment.classifiers)
            raise invalid("first", f"one of {names}", "nothing", "Say which pair to judge")
        where = dataset if len(experiment.datasets) > 1 else None
        return experiment.pair(first, second, dataset=where)
    if isinstance(experiment, PairedPredictions):
        return experiment.scores
    return experiment


def _tell(experiment: Experiment, argument: str, method: str | None) -> _Told:
    """Read one experiment."""
    scores = None
    if isinstance(experiment, PairedScores):
        scores = experiment
        key = default_method(scores.design) if method is None else method
        require_choice(key, "method", tuple(METHODS))
        experiment = METHODS[key].test(scores)
    match experiment:
        case SignificanceResult():
            return _tell_result(experiment, scores, argument)
        case Replication():
            return _tell_reported(experiment.first_result)
        case FirstResult():
            return _tell_reported(experiment)
        case tuple() | list() as pair if (
            len(pair) == 2
        ):  # arrays are sequences to some Pythons only
            estimate, error = pair
            value, se = _numbers(estimate, "estimate"), _numbers(error, "se")
            if value.ndim == se.ndim == 0:
                side = Side(
                    estimate=float(value),
                    standard_error=float(se),
                    pvalue=2 * float(special.ndtr(-abs(value) / se)),
                    z=float(value / se),
                    source="estimate and standard error",
                )
                return _Told(side, float(value), None)
    raise invalid(
        argument,
        "a ScoreTable, PairedScores, PairedPredictions, a test result, a pair of estimate and standard "
        "error, or what replication_from_t and its kin return",
        type(experiment).__name__,
    )


def _tell_result(result: SignificanceResult, scores: PairedScores | None, argument: str) -> _Told:
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
    return _Told(side, result.lead, result.names, first, scores, result.cautions)


def _tell_reported(first: FirstResult) -> _Told:
    """Read a paper's statistic, with the size of its design as the only unit there is."""
    pvalue = first.model.fresh_pvalue if isinstance(first.model, SeedsModel) else first.pvalue
    z = _z_of(pvalue, 1 if first.first_better else -1)
    estimate, width = z, 1.0
    if isinstance(first.model, StudentModel) and math.isfinite(first.model.statistic):
        estimate = math.copysign(first.model.statistic, z)
        width = float(t_critical(first.model.layout.df, 0.025) / special.ndtri(0.975))
    error = 1 / math.sqrt(_amount(first))
    side = Side(
        estimate=estimate * error,
        standard_error=width * error,
        pvalue=pvalue,
        z=z,
        source=f"reported, {describe_design(first.design)}",
        design=first.design,
        method=first.model.name,
    )
    return _Told(side, z, first.names, first, cautions=first.cautions)


def _z_of(pvalue: float, estimate: float) -> float:
    """Return the z with a two-sided p-value, which its own test gave, in the direction seen."""
    return math.copysign(-float(special.ndtri(max(pvalue, _SMALLEST) / 2)), estimate)


def _amount(first: FirstResult) -> float:
    """Return how much data a design weighs, in a unit that all results of its kind share."""
    match first.model:
        case StudentModel() as model:
            return 1 / model.layout.variance
        case RankModel(nonzero=count):
            return max(count, 1)
        case SeedsModel(design=design):
            return 1 / float(design.layout.variance(np.asarray(share_range()[1])))
        case CountModel(wins=won, losses=lost) | DiscordanceModel(won=won, lost=lost):
            return max(won + lost, 1)
    raise invalid("original", "a result with a model of replication", first.model.name)


def _scaled(told: _Told, factor: float) -> _Told:
    estimate, error = told.side.estimate * factor, told.side.standard_error * factor
    return replace(told, side=replace(told.side, estimate=estimate, standard_error=error))


def _is_reported(told: _Told) -> bool:
    return told.scores is None and told.side.source.startswith("reported")


def _refuse_mismatch(one: _Told, other: _Told) -> None:
    if None not in (one.names, other.names) and one.names != other.names:
        got = f"{' and '.join(other.names or ())} after {' and '.join(one.names or ())}"
        raise invalid("replication", "about the same pair in the same order", got)
    kinds = {_kind(one), _kind(other)}
    if len(kinds) > 1:
        raise DesignMismatchError(
            "replication",
            "in the unit of the original",
            " after ".join((_kind(other), _kind(one))),
            "Give both as scores, both as estimates or both as one kind of statistic",
        )


def _kind(told: _Told) -> str:
    if _is_reported(told):
        return f"a reported result of the {told.side.method} model"
    return "an estimate"


def _judgement(one: _Told, other: _Told, significance: float, data_factor: float) -> Judgement:
    numbers = [
        array
        for side, whose in ((one.side, ""), (other.side, "replication_"))
        for array in (
            _numbers(side.estimate, f"{whose}estimate"),
            _numbers(side.standard_error, f"{whose}se"),
        )
    ]
    estimates = _judged(numbers, 0.95, (np.asarray(one.side.z), np.asarray(other.side.z)))
    outcome = _outcome(one, other, significance)
    low, high = estimates.prediction
    return Judgement(
        names=one.names or other.names or ("first", "second"),
        original=one.side,
        replication=other.side,
        outcome=outcome,
        significance=significance,
        original_significant=is_significant(one.side.pvalue, significance),
        within_prediction=low <= other.side.estimate <= high,
        estimates=estimates,
        forecast=_forecast(one, other, significance, data_factor, estimates, outcome),
        unit="standard errors" if _is_reported(one) else "score",
        scores=None if one.scores is None or other.scores is None else (one.scores, other.scores),
        cautions=_cautions(one, other),
    )


def _cautions(one: _Told, other: _Told) -> tuple[Caution, ...]:
    """Say of every caution which of the two experiments it is about."""
    both = [caution for caution in one.cautions if caution in other.cautions]
    told = (("Both", both), ("Original", one.cautions), ("Replication", other.cautions))
    return tuple(
        replace(caution, text=f"{whose}: {caution.text}")
        for whose, cautions in told
        for caution in cautions
        if whose == "Both" or caution not in both
    )


def _outcome(one: _Told, other: _Told, significance: float) -> Outcome:
    same = (one.lead >= 0) == (other.lead >= 0)
    if other.lead == 0:
        return "not significant, no direction"
    if is_significant(other.side.pvalue, significance):
        return "significant, same direction" if same else "significant, other direction"
    return "not significant, same direction" if same else "not significant, other direction"


def _forecast(
    one: _Told,
    other: _Told,
    significance: float,
    data_factor: float,
    estimates: JudgedEstimates,
    outcome: Outcome,
) -> Forecast:
    """Say what would have been forecast from the original, for a replication of this size."""
    chance, basis = None, "the two estimates and their errors"
    if one.first is not None:
        try:
            found = report_replication(
                one.first,
                significance=significance,
                target_design=other.side.design,
                data_factor=data_factor,
            )
            chance, basis = found.probability, f"{found.model} model, {found.estimator}"
        except InvalidArgumentError:  # another kind of design: only the estimates have one unit
            chance = None
    if chance is None:
        z, ratio = np.abs(one.side.z), np.asarray(estimates.ratio)
        chance = float(kernel.forecast(np.asarray(z), ratio, significance))
    happened = outcome == "significant, same direction"
    given = chance if happened else 1 - chance
    return Forecast(
        probability=chance,
        basis=basis,
        happened=happened,
        log_score=math.log(max(given, _SMALLEST)),
    )
