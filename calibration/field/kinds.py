"""What is learned of each kind of design: the components of its prior, and what a pair says of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from scipy import special

from calibration.field.corpora import Floats, Table, datasets, one_test_set, own_test_sets
from calibration.field.experiments import RELATIONS, Arena, Relation, arena
from calibration.field.fitting import fit_weights, in_likelihood_order, normal_likelihood
from replicast.kernels.mixtures import Prior, Unit
from replicast.kernels.ranks import signed_rank_statistics
from replicast.kernels.replication import arcsine_spread

_HALVINGS = 8
_USUAL_CASES = 300


@dataclass(frozen=True)
class Kind:
    """One kind of design: what its prior is about, and the components, from narrow to wide."""

    name: str
    about: str
    unit: Unit | Literal["strength"]
    components: tuple[float, ...]
    tables: Callable[[], list[Table]]
    likelihood: Callable[[Table, Arena, tuple[float, ...]], Floats]

    def prior(self, weights: Floats) -> Prior:
        """Return the prior that these weights make; one on wins is no mixture of normals."""
        if self.unit == "strength":
            raise ValueError(self.name)
        return Prior(tuple(weights.tolist()), self.components, self.unit)


def accuracy_gaps(table: Table, where: Arena, spreads: tuple[float, ...]) -> Floats:
    """Return the likelihood of each pair's gap in accuracy, with its standard error."""
    gaps = _differences(table, where)
    count = gaps.shape[1]
    variance = np.maximum(gaps.var(axis=1, ddof=1), 1 / count)  # models that never disagree
    return normal_likelihood(gaps.mean(axis=1), np.sqrt(variance / count), spreads)


def rank_shares(table: Table, where: Arena, spreads: tuple[float, ...]) -> Floats:
    """Return the likelihood of each pair's share of the rank sum, on the arcsine scale."""
    w_plus, used, _ = signed_rank_statistics(_differences(table, where))
    used = np.maximum(used, 1)
    angle = 2 * np.arcsin(np.sqrt(w_plus / (used * (used + 1) / 2))) - np.pi / 2
    errors = 2 * np.array([arcsine_spread(n) for n in used.tolist()])
    return normal_likelihood(angle, errors, spreads)


def wins(table: Table, where: Arena, strengths: tuple[float, ...]) -> Floats:
    """Return the likelihood of each pair's wins and losses under symmetric beta distributions."""
    gaps = _differences(table, where)
    won, lost = ((gaps > 0).sum(axis=1), (gaps < 0).sum(axis=1))
    b = np.array(strengths)
    log = special.betaln(won[:, None] + b, lost[:, None] + b) - special.betaln(b, b)
    return np.asarray(np.exp(log - log.max(axis=1, keepdims=True)))


def standardised_means(table: Table, where: Arena, spreads: tuple[float, ...]) -> Floats:
    """Return the likelihood of each pair's mean difference in units of its standard deviation."""
    gaps = _differences(table, where)
    count = gaps.shape[1]
    effect = gaps.mean(axis=1) / np.maximum(gaps.std(axis=1, ddof=1), 1e-12)
    return normal_likelihood(effect, np.sqrt(1 / count + effect**2 / (2 * count)), spreads)


def signals(table: Table, where: Arena, spreads: tuple[float, ...]) -> Floats:
    """Return the likelihood of each pair's gap in standard errors, with as many cases as is usual."""
    gaps = _differences(table, where)[:, :_USUAL_CASES]
    count = gaps.shape[1]
    error = np.sqrt(np.maximum(gaps.var(axis=1, ddof=1), 1 / count) / count)
    return normal_likelihood(gaps.mean(axis=1) / error, np.ones(len(gaps)), spreads)


def _differences(table: Table, where: Arena) -> Floats:
    scores = table.scores[:, where.columns]
    return np.asarray((scores[where.first] - scores[where.second]).round(9))


_SIZES = (0.02, 0.06, 0.15, 0.35, 0.7, 1.4)
KINDS = (
    Kind(
        "one-test-set",
        "difference in accuracy",
        "difference",
        (0.002, 0.006, 0.015, 0.04, 0.1, 0.25),
        one_test_set,
        accuracy_gaps,
    ),
    Kind("datasets", "share of the rank sum, as an angle", "angle", _SIZES, datasets, rank_shares),
    Kind(
        "wins",
        "share of datasets won; components are strengths of symmetric beta distributions",
        "strength",
        (300.0, 100.0, 30.0, 10.0, 3.0, 1.0),
        datasets,
        wins,
    ),
    Kind(
        "datasets-t",
        "mean difference over datasets in units of its standard deviation",
        "deviation",
        _SIZES,
        partial(datasets, one_unit=True),
        standardised_means,
    ),
    Kind(
        "one-dataset",
        "difference on one dataset of usual size, in standard errors of its cases",
        "deviation",
        (0.3, 1.0, 3.0, 9.0),
        own_test_sets,
        signals,
    ),
)


def fit(kind: Kind, tables: Sequence[Table], seed: int) -> dict[Relation, Floats]:
    """Return the weights of both relations, learned from these tables."""
    found = {}
    for relation in RELATIONS:
        rng = np.random.default_rng(seed)
        rows, counts = [], []
        for table in tables:
            siblings = sum(other.corpus == table.corpus for other in tables)
            halvings = 1 if relation == "any" else _HALVINGS
            for _ in range(halvings):
                each = kind.likelihood(table, arena(table, relation, rng), kind.components)
                rows.append(each)
                weight = len(table.models) / (siblings * halvings * len(each))
                counts.append(np.full(len(each), weight))
        found[relation] = fit_weights(np.concatenate(rows), np.concatenate(counts))
    wide, narrow = in_likelihood_order(found["any"], found["close"])
    return {"any": wide, "close": narrow}
