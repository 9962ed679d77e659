"""Nearest neighbours on mixed tables with ranges that follow the rows seen."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints
from replicast.kernels.compiled import compiled
from replicast.learners.protocol import UNUSED


class Scaled(NamedTuple):
    """Stored rows with numeric columns scaled to the ranges last asked for."""

    columns: Floats
    n_categories: Ints
    scaled: Floats  # (attributes, rows)
    low: Floats  # the range each column of `scaled` is scaled to
    high: Floats


@compiled
def prepared(columns: Floats, n_categories: Ints) -> Scaled:
    """Return the rows, not yet scaled to any range."""
    unknown = np.full(len(columns), np.nan)
    return Scaled(columns, n_categories, columns.copy(), unknown, unknown.copy())


@compiled
def _position(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low) if high > low else 0.0


@compiled
def _rescale(store: Scaled, j: int, low: float, high: float) -> None:
    """Scale column j to a new range, if it is new."""
    if store.low[j] == low and store.high[j] == high:
        return
    store.low[j], store.high[j] = low, high
    for i in range(store.columns.shape[1]):
        value = store.columns[j, i]
        store.scaled[j, i] = np.nan if math.isnan(value) else _position(value, low, high)


@compiled
def training_ranges(
    store: Scaled, is_training: NDArray[np.bool_], low: Floats, high: Floats
) -> None:
    """Fill the range of the known training values of each numeric column."""
    for j in range(len(low)):
        low[j], high[j] = np.inf, -np.inf
        if store.n_categories[j] > 0:
            continue
        for i in range(store.columns.shape[1]):
            if is_training[i]:
                value = store.columns[j, i]
                if value < low[j]:
                    low[j] = value
                if value > high[j]:
                    high[j] = value


@compiled
def _farther(position: float) -> float:
    """Return the largest difference a missing cell may have to a known one."""
    return 1.0 - position if position < 0.5 else position


@compiled
def _add_differences(
    scaled: Floats, query: float, is_nominal: bool, low: float, high: float, distances: Floats
) -> None:
    """Add one column's squared differences to the distances of all stored rows."""
    if is_nominal:
        for i in range(len(distances)):
            distances[i] += 1.0 if scaled[i] != query else 0.0  # missing differs from everything
    elif math.isnan(query):
        for i in range(len(distances)):
            difference = 1.0 if math.isnan(scaled[i]) else _farther(scaled[i])
            distances[i] += difference * difference
    else:
        position = _position(query, low, high)
        if_missing = _farther(position)
        for i in range(len(distances)):
            difference = if_missing if math.isnan(scaled[i]) else position - scaled[i]
            distances[i] += difference * difference


@compiled
def fill_votes(
    store: Scaled,
    is_training: NDArray[np.bool_],
    y: Ints,
    queries: Floats,
    row: int | np.integer,
    low: Floats,
    high: Floats,
    distances: Floats,
    votes: Floats,
) -> None:
    """Fill the number of nearest training rows a class; the query widens the ranges first."""
    distances[:] = 0.0
    for j in range(len(low)):
        query = queries[j, row]
        is_nominal = store.n_categories[j] > 0
        if not is_nominal:
            if query < low[j]:
                low[j] = query
            if query > high[j]:
                high[j] = query
            _rescale(store, j, low[j], high[j])
        _add_differences(store.scaled[j], query, is_nominal, low[j], high[j], distances)
    nearest = np.inf
    for i in range(len(distances)):
        if is_training[i] and distances[i] < nearest:
            nearest = distances[i]
    votes[:] = 0.0
    for i in range(len(distances)):
        if is_training[i] and distances[i] == nearest:
            votes[y[i]] += 1.0


@compiled
def _first_largest(votes: Floats) -> int:
    best = 0
    for k in range(1, len(votes)):
        if votes[k] > votes[best]:
            best = k
    return best


@compiled
def vote_rows(
    columns: Floats, n_categories: Ints, y: Ints, queries: Floats, n_classes: int
) -> Floats:
    """Return the votes for every query row, in the order of the queries."""
    store = prepared(columns, n_categories)
    everyone = np.ones(len(y), dtype=np.bool_)
    low, high = np.empty(len(columns)), np.empty(len(columns))
    training_ranges(store, everyone, low, high)
    distances = np.empty(len(y))
    result = np.empty((queries.shape[1], n_classes))
    for row in range(queries.shape[1]):
        fill_votes(store, everyone, y, queries, row, low, high, distances, result[row])
    return result


@compiled
def predict_folds(
    columns: Floats, n_categories: Ints, y: Ints, folds: Codes, n_classes: int, result: Codes
) -> None:
    """Fill the class of each row as predicted without its fold.

    The scaled columns are shared by all folds: most folds have the same ranges.
    """
    store = prepared(columns, n_categories)
    low, high = np.empty(len(columns)), np.empty(len(columns))
    distances, votes = np.empty(len(y)), np.empty(n_classes)
    for run in range(len(folds)):
        for fold in range(folds[run].max() + 1):
            tested = np.flatnonzero(folds[run] == fold)
            if len(tested) == 0:
                continue
            is_training = (folds[run] != fold) & (folds[run] != UNUSED)
            training_ranges(store, is_training, low, high)
            for row in tested:
                fill_votes(store, is_training, y, columns, row, low, high, distances, votes)
                result[run, row] = _first_largest(votes)
