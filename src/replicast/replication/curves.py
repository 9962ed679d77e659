"""The chance of replication along p-values: what a smaller or larger one would have meant."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy import special

from replicast.design import Datasets, Design
from replicast.errors import invalid
from replicast.kernels.counts import upper_tail
from replicast.kernels.student import t_critical
from replicast.replication.counts import CountModel, DiscordanceModel, RankModel
from replicast.replication.first_result import FirstResult, count_model
from replicast.replication.models import Goal, Model, assess
from replicast.replication.records import Replication, ReplicationCurve
from replicast.replication.reported import (
    from_pvalue,
    least_pvalue,
    rank_model,
    solve_pvalue,
)
from replicast.replication.student import StudentModel

_SMOOTH = np.geomspace(1e-4, 0.2, 49)
_MOST_COUNTS = 40
_COUNTED = 1e-6, 0.5  # p-values between which a curve over counts is drawn
_CONFIDENCE = 0.95


def replication_curve(found: Replication) -> ReplicationCurve:
    """Return the chance of replication had the p-value been another one, in the same experiment.

    Calibrated and as published, each with its 95% limits, for a replication like the first
    experiment. A t or Z statistic gives a smooth curve; wins and discordant cases have few p-values.

    Examples
    --------
    >>> from replicast import replication_curve, replication_from_t
    >>> curve = replication_curve(replication_from_t(2.9, folds=10))
    >>> round(curve.pvalues[-1], 3), round(curve.calibrated[-1], 2)
    (0.2, 0.16)
    """
    if not isinstance(found, Replication):
        raise invalid("found", "a result of one of the replication functions", type(found).__name__)
    return curve_like(found.first_result, found.significance)


def curve_of_design(design: Design, model: str | None, significance: float) -> ReplicationCurve:
    """Return the curve of the test recommended for a design, or of a count of wins."""
    if model is None:
        return curve_like(from_pvalue(0.5, design, ("first", "second")), significance)
    if not isinstance(design, Datasets) or design.count is None:
        raise invalid("design", f"datasets with a count for the {model} model", str(design))
    counted = count_model("bayesian" if model == "bayesian" else "sign", design.count, 0)
    return curve_like(FirstResult(model=counted, pvalue=0.5, design=design), significance)


def curve_like(first: FirstResult, significance: float) -> ReplicationCurve:
    """Return the curve through results like `first`."""
    goal = Goal(first.design, 1.0, significance, _CONFIDENCE)
    rows = []
    for pvalue, model in _along(first.model):
        ours, published = assess(model, "calibrated", goal), model.plug_in(goal)
        rows.append((pvalue, *ours[:3], *published[:3]))
    columns = [tuple(column) for column in zip(*rows, strict=True)] or [()] * 7
    pvalues, calibrated, low, high, as_published, published_low, published_high = columns
    return ReplicationCurve(
        pvalues=pvalues,
        calibrated=calibrated,
        low=low,
        high=high,
        as_published=as_published,
        as_published_low=published_low,
        as_published_high=published_high,
        model=first.model.name,
        design=first.design,
        significance=significance,
    )


def required_pvalues(
    found: Replication, wanted: Sequence[float] = (0.8, 0.95)
) -> list[tuple[float, float | None]]:
    """Return the p-values at which a result like this one reaches wanted probabilities.

    None where no result of the design reaches one; an empty list for wins and discordant cases,
    whose p-values are few.
    """
    first: FirstResult = found.first_result
    model = first.model
    if not isinstance(model, StudentModel | RankModel):
        return []
    goal = Goal(first.design, 1.0, found.significance)
    estimator = "calibrated" if found.estimator == "empirical-bayes" else found.estimator

    def chance(pvalue: float) -> float:
        return assess(_at(model, pvalue), estimator, goal).probability

    least = least_pvalue(first.design) if isinstance(model, RankModel) else 1e-15
    best = chance(least)
    return [(p, None if best < p else solve_pvalue(chance, least, p)) for p in wanted]


def _at(model: StudentModel | RankModel, pvalue: float) -> StudentModel | RankModel:
    """Return the model of a result with another p-value, by its scores alone."""
    if isinstance(model, RankModel):
        return rank_model(-float(special.ndtri(pvalue / 2)), model.datasets, model.spread)
    statistic = t_critical(model.layout.df, pvalue / 2)
    return replace(model, statistic=statistic, case_signal=None)


def _along(model: Model) -> Iterator[tuple[float, Model]]:
    """Yield results like this one from small to large p-values."""
    match model:
        case StudentModel() | RankModel():
            for pvalue in _SMOOTH.tolist():
                other = _at(model, pvalue)
                if not isinstance(other, RankModel) or other.share <= 1:
                    yield pvalue, other  # beyond, so few datasets cannot give it
        case CountModel():
            total = model.wins + model.losses + model.ties
            for pvalue, won in _counts(total):
                yield pvalue, count_model(model.name, won, total - won)
        case DiscordanceModel():
            for pvalue, won in _counts(model.won + model.lost):
                yield pvalue, replace(model, won=won, lost=model.won + model.lost - won)


def _counts(total: int) -> Iterator[tuple[float, int]]:
    """Yield two-sided p-values and numbers of wins out of `total`, a few dozen at most."""
    won = np.arange(total, total // 2, -1)
    pvalues = 2 * upper_tail(won, np.full(len(won), total))
    inside = np.flatnonzero((pvalues >= _COUNTED[0]) & (pvalues <= _COUNTED[1]))
    for at in inside[:: max(1, -(-len(inside) // _MOST_COUNTS))].tolist():
        yield float(pvalues[at]), int(won[at])
