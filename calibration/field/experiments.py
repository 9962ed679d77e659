"""Experiments and their replications, cut out of the corpora.

An experiment is a random part of a table, its replications are the other parts. Close competitors
are found prospectively: the ranking comes from one half of the columns, the experiments from the other.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.field.corpora import Floats, Table

Integers = NDArray[np.int64]
Relation = Literal["any", "close"]
RELATIONS: tuple[Relation, ...] = ("any", "close")
CLOSE_RANKS = 3


@dataclass(frozen=True)
class Arena:
    """Columns open for experiments, and the pairs of models that meet there."""

    columns: Integers
    first: Integers
    second: Integers


def arena(table: Table, relation: Relation, rng: np.random.Generator) -> Arena:
    """Return all pairs on all columns, or those close on one half, on the other half."""
    models, columns = table.scores.shape
    order = rng.permutation(columns)
    first, second = np.triu_indices(models, 1)
    if relation == "any":
        return Arena(order, first, second)
    half = columns // 2
    place = ranking(table.scores[:, order[:half]], rng)
    near = np.abs(place[first] - place[second]) <= CLOSE_RANKS
    return Arena(order[half:], first[near], second[near])


def ranking(scores: Floats, rng: np.random.Generator) -> Integers:
    """Return the place of each model by its mean rank over columns; ties are broken at random.

    For right and wrong answers the mean rank orders as the accuracy does.
    """
    ahead = np.array([np.sign(row - scores).sum() for row in scores])
    place = np.empty(len(scores), dtype=np.int64)
    place[np.lexsort((rng.random(len(scores)), ahead))] = np.arange(len(scores))
    return place


def parts(columns: Integers, size: int) -> Integers:
    """Cut the columns into parts of a size, one part a row; what is left over is not used."""
    count = len(columns) // size
    return columns[: count * size].reshape(count, size)


def replicated(pvalues: Floats, lead: Floats, level: float = 0.05) -> tuple[Floats, Floats]:
    """Return which results are significant, and the share of other parts significant that way.

    Both arrays have a row for each part and a column for each pair; `lead` has the sign of the result.
    """
    direction = np.where(pvalues < level, np.sign(lead), 0)
    agreeing = np.array([(direction == np.sign(row)).sum(axis=0) for row in lead])
    own = direction != 0
    return own, (agreeing - own) / (len(pvalues) - 1)
