"""The chance of replication along p-values: what another one would have meant, and which it takes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import scipy

from replicast.design import DesignLike, require_design
from replicast.errors import invalid, require_choice, require_probability
from replicast.kernels.counts import binomial_pvalue, midp_value
from replicast.kernels.ranks import smallest_pvalue
from replicast.kernels.student import t_critical
from replicast.replication.counts import CountModel, DiscordanceModel, RankModel
from replicast.replication.first_result import FirstResult
from replicast.replication.models import Estimator, Goal, Model, assess
from replicast.replication.priors import RELATIONS, Relation
from replicast.replication.probability import STANDING
from replicast.replication.rank_sums import rank_model, z_of_pvalue
from replicast.replication.records import Replication, ReplicationCurve
from replicast.replication.reported import first_from_pvalue
from replicast.replication.seeds import SeedsModel
from replicast.replication.student import StudentModel

_SMOOTH = np.geomspace(1e-4, 0.5, 57)
_MOST_COUNTS = 40


def replication_curve(found: Replication) -> ReplicationCurve:
    """Return the chance of replication had the p-value been another one, in the same experiment.

    Calibrated and by Berrar (2024), for a replication like the first experiment. A t or Z statistic
    gives a smooth curve; wins and discordant cases have few p-values.

    Examples
    --------
    >>> from replicast import replicate, replication_curve
    >>> curve = replication_curve(replicate(t=2.9, folds=10))
    >>> round(curve.pvalues[-1], 3), round(curve.calibrated[-1], 2)
    (0.5, 0.06)
    """
    if not isinstance(found, Replication):
        raise invalid("found", "a result of one of the replication functions", type(found).__name__)
    return curve_like(found.first_result, found.significance, found.relation)


def curve_like(
    first: FirstResult, significance: float, relation: Relation = "unknown"
) -> ReplicationCurve:
    """Return the curve through results like `first`."""
    goal = Goal(first.design, 1.0, significance)
    found = list(_along(first))
    return ReplicationCurve(
        pvalues=tuple(pvalue for pvalue, _ in found),
        calibrated=tuple(
            assess(model, "calibrated", goal, relation=relation).probability for _, model in found
        ),
        as_published=tuple(model.plug_in(goal).probability for _, model in found),
        model=first.model.name,
        design=first.design,
        significance=significance,
        relation=relation,
    )


def required_pvalue(
    probability: float,
    *,
    design: DesignLike,
    relation: Relation = "unknown",
    estimator: Estimator = "calibrated",
    significance: float = 0.05,
) -> float:
    """Return the p-value at which the replication probability reaches a target.

    There is no single answer such as 0.003: it depends on the design, and on how the two
    classifiers are related.

    Examples
    --------
    >>> from replicast import KFold, required_pvalue
    >>> round(required_pvalue(0.95, design=KFold(10), estimator="as-published"), 7)
    0.0028144
    """
    design = require_design(design)
    probability = require_probability(probability, "probability")
    require_choice(relation, "relation", RELATIONS)
    require_choice(estimator, "estimator", STANDING)
    significance = require_probability(significance, "significance")
    first = first_from_pvalue(0.5, design=design, test="corrected")
    chance = partial(_chance_at, first, estimator, relation, significance)
    needed = _solve(chance, _least_pvalue(first), probability)
    if needed is None:
        raise invalid(
            "probability",
            f"at most {chance(_least_pvalue(first)):.3f} for {design}",
            probability,
            "No result of this design reaches more; use a larger one",
        )
    return needed


def _chance_at(
    first: FirstResult, estimator: str, relation: Relation, significance: float, pvalue: float
) -> float:
    """Return the chance of a result like this one with another p-value."""
    goal = Goal(first.design, 1.0, significance)
    return assess(_at(first, pvalue), estimator, goal, relation=relation).probability


def _solve(chance: Callable[[float], float], least: float, probability: float) -> float | None:
    """Return the p-value at which a chance falls below a probability; None if it never reaches it."""
    if chance(least) < probability:
        return None
    if chance(1 - 1e-12) >= probability:
        return 1.0
    low = float(np.log(least))
    root = scipy.optimize.brentq(
        lambda x: chance(float(np.exp(x))) - probability, low, -1e-12, xtol=1e-12
    )
    return float(np.exp(root))


def _least_pvalue(first: FirstResult) -> float:
    """Return the smallest p-value worth considering: over datasets that of a win on all of them."""
    if isinstance(first.model, RankModel) and first.design.count is not None:
        return max(smallest_pvalue(first.design.count), 1e-300)
    return 1e-15


def required_pvalues(
    found: Replication, wanted: Sequence[float] = (0.8, 0.95)
) -> list[tuple[float, float | None]]:
    """Return the p-values at which a result like this one reaches wanted probabilities.

    None where no result of the design reaches one; an empty list for wins and discordant cases,
    whose p-values are few.
    """
    first, model = found.first_result, found.first_result.model
    if not isinstance(model, StudentModel | RankModel | SeedsModel):
        return []
    estimator = "calibrated" if found.estimator == "empirical-bayes" else found.estimator
    chance = partial(_chance_at, first, estimator, found.relation, found.significance)
    return [(p, _solve(chance, _least_pvalue(first), p)) for p in wanted]


def _at(first: FirstResult, pvalue: float) -> StudentModel | RankModel | SeedsModel:
    """Return the model of a result with another p-value, such that its own brings it back.

    Everything the result is known by grows with its statistic: the signal in cases and accuracies,
    and for ranks the Z of the rank sum, which need not be that of an exact p-value.
    """
    model = first.model
    if isinstance(model, RankModel):
        z, own = (z_of_pvalue(p, max(model.nonzero, 1)) for p in (pvalue, first.pvalue))
        usual = rank_model(z, model.nonzero, model.spread)
        if own <= 0 or model.nonzero == 0:
            return replace(usual, datasets=model.datasets)
        one, two = (rank_model(k, model.nonzero, model.spread).share for k in (1.0, 2.0))
        seen = max(1 + (model.share - one) / (two - one), 0.0)
        ranks, plain = (round(part / own, 12) for part in (seen, model.z))  # 1 for a reported Z
        moved = rank_model(z * ranks, model.nonzero, model.spread)
        return replace(moved, z=z * plain, datasets=model.datasets)
    if isinstance(model, SeedsModel):
        return model.at(pvalue)
    assert isinstance(model, StudentModel)
    own = model.statistic  # that of equal differences is infinite; what they tell is their p-value
    if np.isinf(own):
        own = t_critical(model.layout.df, first.pvalue / 2)
    return _moved(model, own, model.stretch * t_critical(model.layout.df, pvalue / 2))


def _moved(model: StudentModel, own: float, statistic: float) -> StudentModel:
    """Return the model of another t; whatever else tells of the signal grows in proportion."""

    def grown(seen: float | None) -> float | None:
        if seen is None:
            return None
        return seen + abs(seen) * (statistic / own - 1) if own > 0 else statistic

    return replace(
        model,
        statistic=statistic,
        case_signal=grown(model.case_signal),
        moderated=grown(model.moderated),
    )


def _along(first: FirstResult) -> Iterator[tuple[float, Model]]:
    """Yield results like this one from small to large p-values."""
    model = first.model
    match model:
        case StudentModel() | RankModel() | SeedsModel():
            everything = isinstance(model, RankModel) and model.share == 1
            own = [first.pvalue] if everything and first.pvalue > _SMOOTH[0] else []
            for pvalue in (*own, *_SMOOTH.tolist()):
                other = _at(first, pvalue)
                if pvalue in own or not isinstance(other, RankModel) or other.share < 1:
                    yield pvalue, other  # beyond, so few datasets cannot give it
        case CountModel():
            decided = model.wins + model.losses
            for pvalue, won in _counts(decided, _tied(first, model)):
                yield pvalue, replace(model, wins=won, losses=decided - won)
        case DiscordanceModel():
            total = model.won + model.lost
            for pvalue, won in _counts(total, rule=model.rule):
                yield pvalue, replace(model, won=won, lost=total - won)


def _tied(first: FirstResult, model: CountModel) -> int:
    """Return how many ties the test of a result shared out: all, or none if it dropped them."""
    counts = (np.asarray(count) for count in (model.wins, model.losses, model.ties))
    wins, losses, ties = counts
    shared, dropped = (
        float(binomial_pvalue(wins, losses, ties, ties_rule=rule, alternative="two-sided"))
        for rule in ("half", "drop")
    )
    return 0 if abs(first.pvalue - dropped) < abs(first.pvalue - shared) else model.ties


def _counts(decided: int, ties: int = 0, rule: str = "exact") -> Iterator[tuple[float, int]]:
    """Yield two-sided p-values and numbers of wins, a few dozen at most."""
    won = np.arange(decided, (decided - 1) // 2, -1)
    lost = decided - won
    if rule == "mid-p":
        pvalues = midp_value(won, lost, "two-sided")
    else:
        tied = np.full(len(won), ties)
        pvalues = binomial_pvalue(won, lost, tied, ties_rule="half", alternative="two-sided")
    inside = np.flatnonzero((pvalues >= _SMOOTH[0]) & (pvalues <= _SMOOTH[-1]))
    for at in inside[:: max(1, -(-len(inside) // _MOST_COUNTS))].tolist():
        yield float(pvalues[at]), int(won[at])
