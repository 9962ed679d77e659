"""The chance of replication along p-values: what another one would have meant, and which it takes."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import scipy

from replicast.design import DesignLike, require_design
from replicast.errors import invalid, require_choice, require_probability
from replicast.kernels.student import t_critical, t_lower
from replicast.replication.first_result import FirstResult
from replicast.replication.models import Estimator, Goal, assess
from replicast.replication.priors import RELATIONS, Relation
from replicast.replication.probability import STANDING
from replicast.replication.records import Replication, ReplicationCurve
from replicast.replication.reported import TTest, first_from_pvalue, overstated


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
    found = list(first.model.along(first.pvalue))
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
    test: TTest = "corrected" if design.shares_training else "unknown"
    first = first_from_pvalue(0.5, design=design, test=test)
    chance = partial(_chance_at, first, estimator, relation, significance)
    least = first.model.least_pvalue
    needed = _solve(chance, least, probability)
    if needed is None:
        raise invalid(
            "probability",
            f"at most {chance(least):.3f} for {design}",
            probability,
            "No result of this design reaches more; use a larger one",
        )
    return needed


def _chance_at(
    first: FirstResult, estimator: str, relation: Relation, significance: float, pvalue: float
) -> float:
    """Return the chance of a result like this one with another p-value."""
    goal = Goal(first.design, 1.0, significance)
    model = first.model.at(pvalue, first.pvalue)
    assert model is not None
    return assess(model, estimator, goal, relation=relation).probability


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


def required_pvalues(
    found: Replication,
    wanted: Sequence[float] = (0.8, 0.95),
    *,
    first: FirstResult | None = None,
) -> list[tuple[float, float | None]]:
    """Return the p-values at which a result like this one reaches wanted probabilities.

    None where no result of the design reaches one; an empty list for wins and discordant cases,
    whose p-values are few. They are those of the paper's own test. `first` is another reading of the
    result.
    """
    first = first or found.first_result
    if first.model.at(0.5, first.pvalue) is None:
        return []
    estimator = "calibrated" if found.estimator == "empirical-bayes" else found.estimator
    chance = partial(_chance_at, first, estimator, found.relation, found.significance)
    needed = [(p, _solve(chance, first.model.least_pvalue, p)) for p in wanted]
    return [(p, value and _as_reported(first, value)) for p, value in needed]


def _as_reported(first: FirstResult, pvalue: float) -> float:
    """Return the p-value of the paper's own t-test where `pvalue` corrects it for overlapping splits."""
    if first.reported_pvalue is None or first.design.n_scores is None:
        return pvalue
    df = first.design.n_scores - 1.0
    return 2 * float(t_lower(df, -t_critical(df, pvalue / 2) * overstated(first.design)))
