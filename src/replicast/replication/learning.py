"""Empirical Bayes: the prior that a table of comparisons suggests."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from replicast.design import Design
from replicast.errors import invalid
from replicast.kernels.mixtures import Prior, empirical_prior
from replicast.replication.first_result import FirstResult, Observed, read_first_result
from replicast.replication.rank_sums import RankModel
from replicast.replication.student import StudentModel
from replicast.scores.tables import ScoreTable

_ENOUGH_COMPARISONS = 10


def learn_prior(first: FirstResult, comparisons: Sequence[Observed] | ScoreTable) -> Prior:
    """Return the prior that a table of comparisons like this one suggests (empirical Bayes)."""
    if not isinstance(first.model, StudentModel | RankModel):
        raise invalid(
            "estimator",
            "calibrated, flat or as-published for counts and seeds",
            "'empirical-bayes'",
            "It is there for t and Wilcoxon tests",
        )
    experiments = (
        _table_pairs(comparisons, first.design)
        if isinstance(comparisons, ScoreTable)
        else list(comparisons)
    )
    if len(experiments) < _ENOUGH_COMPARISONS:
        raise invalid(
            "comparisons",
            f"at least {_ENOUGH_COMPARISONS} comparisons",
            f"{len(experiments)}",
            "Use estimator='calibrated'",
        )
    name = first.model.name
    found = (read_first_result(each, model=name, spread=1.0).model for each in experiments)
    signals = [
        model.signal_estimate for model in found if isinstance(model, StudentModel | RankModel)
    ]
    return empirical_prior(np.array(signals))


def _table_pairs(table: ScoreTable, design: Design) -> list[Observed]:
    pairs = list(combinations(table.classifiers, 2))
    if design.over_datasets:
        return [table.pair(*pair) for pair in pairs]
    return [table.pair(*pair, dataset=name) for pair in pairs for name in table.datasets]
