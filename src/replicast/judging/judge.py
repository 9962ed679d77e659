"""Judge a replication that was made: did it happen again, and was that to be expected?"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replicast.arrays import Floats
from replicast.errors import (
    InvalidArgumentError,
    invalid,
    require_choice,
    require_positive,
    require_probability,
)
from replicast.judging.experiments import (
    Experiment,
    in_unit_of,
    numbers,
    pair_of,
    refuse_mismatch,
    side_of,
)
from replicast.judging.records import JudgedEstimates, Judgement, Outcome, Side, forecast_of
from replicast.judging.sharing import refuse_shared_names, refuse_shared_scores
from replicast.kernels import judging as kernel
from replicast.kernels.mixtures import DEFAULT_PRIOR, mixture_limits
from replicast.kernels.replication import Way, mean_power, posterior, predicted, student_test
from replicast.replication.counts import DiscordanceModel
from replicast.replication.probability import report_replication
from replicast.replication.records import Replication
from replicast.replication.student import StudentModel
from replicast.results import Caution, Interval, is_significant
from replicast.scores.tables import ScoreTable

Data = Literal["unknown", "fresh"]
_CONFIDENCE = 0.95  # of what the original predicts


def judge_estimates(
    estimate: ArrayLike,
    se: ArrayLike,
    replication_estimate: ArrayLike,
    replication_se: ArrayLike,
    *,
    confidence_level: float = 0.95,
) -> JudgedEstimates:
    """Judge replications by estimates and standard errors alone; arrays are judged element by element.

    Parameters
    ----------
    estimate, se : float or array
        The original: a difference, positive where it favours the first, and its standard error.
    replication_estimate, replication_se : float or array
        The replication, in the same unit.
    confidence_level : float
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
    confidence = require_probability(confidence_level, "confidence_level")
    given = {
        "estimate": estimate,
        "se": se,
        "replication_estimate": replication_estimate,
        "replication_se": replication_se,
    }
    arrays = {name: numbers(value, name) for name, value in given.items()}
    try:
        broadcast = np.broadcast_arrays(*arrays.values())
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in arrays.values())
        raise invalid("replication_estimate", "as long as the originals", shapes) from None
    return _judged(broadcast, confidence)


def _judged(
    told: Sequence[Floats], confidence: float, evidence: tuple[Floats, Floats] | None = None
) -> JudgedEstimates:
    judged = kernel.judge(*told, confidence=confidence, evidence=evidence)._asdict()
    names = ("original", "original_se", "replication", "replication_se")
    content: dict[str, Any] = dict(zip(names, told, strict=True))
    content |= {
        name: judged[name] for name in JudgedEstimates.__dataclass_fields__ if name in judged
    }
    limits = judged["low"], judged["high"]
    if told[0].ndim == 0:
        content = {name: float(value) for name, value in content.items()}
        limits = float(limits[0]), float(limits[1])
    return JudgedEstimates(**content, prediction=Interval(*limits), confidence=confidence)


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
    original, replication : ScoreTable, PairedScores, test result, or numbers
        Two experiments of one pair on different data. Numbers are (estimate, standard error), or
        what a paper reports: `replicate(t=2.9, folds=10)`.
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
    significance = require_probability(significance, "significance")
    require_choice(data, "data", ("unknown", "fresh"))
    data_factor = require_positive(
        data_factor, "data_factor", "a positive number of times the data"
    )
    if isinstance(original, ScoreTable) and isinstance(replication, ScoreTable):
        refuse_shared_names(original, replication, data)
    one, other = (
        side_of(pair_of(experiment, first, second, dataset), argument, method)
        for experiment, argument in ((original, "original"), (replication, "replication"))
    )
    if one.scores is not None and other.scores is not None:
        refuse_shared_scores(one.scores, other.scores, data)
    refuse_mismatch(one, other)
    return _judgement(one, in_unit_of(one, other, data_factor), significance, data_factor)


def _judgement(one: Side, other: Side, significance: float, data_factor: float) -> Judgement:
    told = [
        numbers(value, f"{whose}{name}")
        for side, whose in ((one, ""), (other, "replication_"))
        for value, name in ((side.estimate, "estimate"), (side.standard_error, "se"))
    ]
    estimates = _judged(told, _CONFIDENCE, (np.asarray(one.z), np.asarray(other.z)))
    outcome = _outcome(one, other, significance)
    repeat = _repeat_of(one, other, significance, data_factor)
    prediction, chance = _estimated(one, float(estimates.ratio), significance)
    basis = "the two estimates and their errors"
    if repeat is not None:
        prediction = _in_errors(one, repeat.predicted_interval) or prediction
        chance, basis = repeat.probability, f"{repeat.model} model, {repeat.estimator}"
    return Judgement(
        names=one.names or other.names or ("first", "second"),
        original=one,
        replication=other,
        outcome=outcome,
        significance=significance,
        original_significant=is_significant(one.pvalue, significance),
        within_prediction=prediction.low <= other.difference <= prediction.high,
        estimates=replace(estimates, prediction=prediction),
        forecast=forecast_of(chance, basis, outcome == "significant, same direction"),
        unit="standard errors" if one.reported else "score",
        cautions=_cautions(one, other),
    )


def _cautions(one: Side, other: Side) -> tuple[Caution, ...]:
    """Say of every caution which of the two experiments it is about."""
    both = [caution for caution in one.cautions if caution in other.cautions]
    told = (("Both", both), ("Original", one.cautions), ("Replication", other.cautions))
    return tuple(
        replace(caution, text=f"{whose}: {caution.text}")
        for whose, cautions in told
        for caution in cautions
        if whose == "Both" or caution not in both
    )


def _outcome(one: Side, other: Side, significance: float) -> Outcome:
    if other.lead == 0:
        return "not significant, no direction"
    same = (one.lead >= 0) == (other.lead >= 0)
    if is_significant(other.pvalue, significance):
        return "significant, same direction" if same else "significant, other direction"
    return "not significant, same direction" if same else "not significant, other direction"


def _repeat_of(
    one: Side, other: Side, significance: float, data_factor: float
) -> Replication | None:
    """Return what would have been forecast from the original for a replication of this size.

    A reported t has the unit that both are judged in: its own standard error.
    """
    if one.first_result is None:
        return None
    first = one.first_result
    if one.reported and isinstance(first.model, StudentModel):
        first = replace(first, model=replace(first.model, error=1.0))
    try:
        repeat = (other.design, data_factor)
        return report_replication(first, significance=significance, repeat=repeat)
    except InvalidArgumentError:  # another kind of design: only the estimates have one unit
        return None


def _in_errors(one: Side, predicted: Interval | None) -> Interval | None:
    """Return a prediction as differences are judged: reported counts in standard errors."""
    model = None if one.first_result is None else one.first_result.model
    if predicted is None or not one.reported or not isinstance(model, DiscordanceModel):
        return predicted
    unit = model.cases / math.sqrt(model.weight)
    return Interval(unit * predicted.low, unit * predicted.high)


def _estimated(one: Side, ratio: float, significance: float) -> tuple[Interval, float]:
    """Return where an estimate alone leads one to expect the next, and its chance of significance."""
    noise = 1 / math.sqrt(ratio)
    test = student_test(-float(special.ndtri(significance / 2)), math.inf, gain=1 / noise)
    known = posterior([Way(abs(one.z), test, noise=noise)], DEFAULT_PRIOR)
    tails = np.array([(1 - _CONFIDENCE) / 2, (1 + _CONFIDENCE) / 2])
    unit = math.copysign(one.standard_error, one.z)
    limits = sorted((unit * mixture_limits(predicted(known, 1.0), tails)).tolist())
    return Interval(*limits), mean_power(known)
