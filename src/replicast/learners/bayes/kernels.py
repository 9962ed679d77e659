"""Training and prediction of naive Bayes on mixed tables."""

import math
from typing import NamedTuple

import numpy as np

from replicast.arrays import Bools, Codes, Floats, Ints
from replicast.kernels.compiled import bare, compiled
from replicast.learners.mixed.cases import Cases
from replicast.learners.protocol import UNUSED

_TINY = 1e-75  # least factor of a cell, and the size at which products are scaled up
_ONE_VALUE_PRECISION = 0.01
_ROOT_HALF = math.sqrt(0.5)


class BayesModel(NamedTuple):
    """Prior, factors of categories, and a normal distribution a class for numeric columns."""

    prior: Floats
    place: Ints  # of a nominal attribute's first factor
    factors: Floats  # of every category and class
    precision: Floats  # the average gap between neighbouring values of a numeric attribute
    mean: Floats  # (attributes, classes)
    spread: Floats


@bare
def normal_cdf(x: float) -> float:
    """Return the normal distribution function with an accurate lower tail only.

    The upper tail is one minus the lower, so far above the mean differences vanish.
    """
    scaled = x * _ROOT_HALF
    if abs(scaled) < _ROOT_HALF:
        return 0.5 + 0.5 * math.erf(scaled)
    tail = 0.5 * math.erfc(abs(scaled))
    return 1.0 - tail if x > 0.0 else tail


def empty_model(cases: Cases, n_classes: int) -> BayesModel:
    """Return a model with room for its numbers."""
    n_columns = len(cases.n_categories)
    return BayesModel(
        np.empty(n_classes),
        cases.place,
        np.empty(cases.n_cells),
        np.zeros(n_columns),
        np.zeros((n_columns, n_classes)),
        np.zeros((n_columns, n_classes)),
    )


@bare
def _precision(column: Floats, order: Ints, in_training: Bools) -> float:
    # One gap after the other: rounding to this unit is decided by its last bit.
    gaps, changes = 0.0, 0
    previous = np.nan
    for row in order:
        if not in_training[row]:
            continue
        value = column[row]
        if math.isnan(value):
            break
        if not math.isnan(previous) and value != previous:
            gaps += value - previous
            changes += 1
        previous = value
    return gaps / changes if changes else _ONE_VALUE_PRECISION


@bare
def _fill_normals(
    column: Floats,
    in_training: Bools,
    y: Ints,
    unit: float,
    n: Floats,
    mean: Floats,
    spread: Floats,
) -> None:
    """Fill number, mean and standard deviation a class of the values rounded to `unit`."""
    n_classes = len(mean)
    for k in range(n_classes):
        mean[k], spread[k], n[k] = 0.0, 0.0, 0.0
    for row in range(len(column)):
        value = column[row]
        if in_training[row] and not math.isnan(value):
            rounded = np.rint(value / unit) * unit
            mean[y[row]] += rounded
            spread[y[row]] += rounded * rounded
            n[y[row]] += 1.0
    least = unit / 6.0
    for k in range(n_classes):
        squares = spread[k]
        spread[k] = least
        if n[k] > 0.0:
            summed = mean[k]
            mean[k] = summed / n[k]
            deviation = math.sqrt(abs(squares - mean[k] * summed) / n[k])
            if deviation > 1e-10:
                spread[k] = max(least, deviation)


@bare
def _train(
    cases: Cases, in_training: Bools, counts: Ints, known_rows: Floats, model: BayesModel
) -> None:
    """Do what `train` does; `known_rows` is work space, one number a class."""
    n_classes, n = len(model.prior), 0
    for k in range(n_classes):
        model.prior[k] = 0.0
    for row in range(len(in_training)):
        if in_training[row]:
            model.prior[cases.y[row]] += 1.0
            n += 1
    for k in range(n_classes):
        model.prior[k] = (model.prior[k] + 1.0) / (n + n_classes)
    for j in range(len(cases.n_categories)):
        n_categories, place = cases.n_categories[j], cases.place[j]
        if n_categories == 0:
            column = cases.columns[j]
            unit = _precision(column, cases.order[place], in_training)
            model.precision[j] = unit
            _fill_normals(
                column, in_training, cases.y, unit, known_rows, model.mean[j], model.spread[j]
            )
            continue
        for k in range(n_classes):
            known = 0
            for v in range(n_categories):
                known += counts[place + v * n_classes + k]
            for v in range(n_categories):
                at = place + v * n_classes + k
                model.factors[at] = max((counts[at] + 1.0) / (known + n_categories), _TINY)


@compiled
def train(cases: Cases, in_training: Bools, counts: Ints, model: BayesModel) -> None:
    """Fill the model from the training rows, whose nominal cells are counted in `counts`."""
    _train(cases, in_training, counts, np.empty(len(model.prior)), model)


@bare
def _scale_up(p: Floats, i: int, largest: float) -> None:
    """Keep a product from vanishing."""
    if 0.0 < largest < _TINY:
        for k in range(p.shape[1]):
            p[i, k] *= 1e75


@bare
def _multiply_nominal(model: BayesModel, column: Floats, place: int, rows: Ints, p: Floats) -> None:
    n_classes = p.shape[1]
    for i in range(len(rows)):
        value = column[rows[i]]
        if math.isnan(value):
            continue
        at = place + int(value) * n_classes
        largest = 0.0
        for k in range(n_classes):
            p[i, k] *= model.factors[at + k]
            largest = max(largest, p[i, k])
        _scale_up(p, i, largest)


@bare
def _multiply_numeric(model: BayesModel, column: Floats, j: int, rows: Ints, p: Floats) -> None:
    unit = model.precision[j]
    for i in range(len(rows)):
        value = column[rows[i]]
        if math.isnan(value):
            continue
        rounded = np.rint(value / unit) * unit
        largest = 0.0
        for k in range(p.shape[1]):
            from_mean = rounded - model.mean[j, k]
            upper = normal_cdf((from_mean + unit / 2.0) / model.spread[j, k])
            lower = normal_cdf((from_mean - unit / 2.0) / model.spread[j, k])
            p[i, k] *= max(upper - lower, _TINY)
            largest = max(largest, p[i, k])
        _scale_up(p, i, largest)


@bare
def _fill_distributions(
    model: BayesModel, columns: Floats, n_categories: Ints, rows: Ints, p: Floats
) -> None:
    """Fill the class probabilities of each of `rows`."""
    n_classes = len(model.prior)
    for i in range(len(rows)):
        for k in range(n_classes):
            p[i, k] = model.prior[k]
    for j in range(len(n_categories)):
        if n_categories[j] > 0:
            _multiply_nominal(model, columns[j], model.place[j], rows, p)
        else:
            _multiply_numeric(model, columns[j], j, rows, p)
    for i in range(len(rows)):
        everything = 0.0
        for k in range(n_classes):
            everything += p[i, k]
        for k in range(n_classes):
            p[i, k] /= everything


@compiled
def distributions(model: BayesModel, columns: Floats, n_categories: Ints, rows: Ints) -> Floats:
    """Return the class probabilities of each of `rows`."""
    p = np.empty((len(rows), len(model.prior)))
    _fill_distributions(model, columns, n_categories, rows, p)
    return p


@compiled
def predict_folds(cases: Cases, folds: Codes, model: BayesModel, result: Codes) -> None:
    """Fill the class of each row as predicted without its fold.

    What a fold leaves out is subtracted from the counts of all rows.
    """
    n, n_nominal = cases.cells.shape
    everything, counts = np.empty(cases.n_cells, np.int64), np.empty(cases.n_cells, np.int64)
    in_training, rows = np.empty(n, np.bool_), np.empty(n, np.int64)
    p, known_rows = np.empty((n, len(model.prior))), np.empty(len(model.prior))
    for i in range(cases.n_cells):
        everything[i] = 0
    for row in range(n):
        for j in range(n_nominal):
            everything[cases.cells[row, j]] += 1
    for run in range(len(folds)):
        codes, n_folds = folds[run], 0
        for row in range(n):
            n_folds = codes[row] + 1 if codes[row] >= n_folds else n_folds
        for fold in range(n_folds):
            asked = 0
            for i in range(cases.n_cells):
                counts[i] = everything[i]
            for row in range(n):
                in_training[row] = codes[row] != fold and codes[row] != UNUSED
                if codes[row] == fold:
                    rows[asked] = row
                    asked += 1
                if not in_training[row]:
                    for j in range(n_nominal):
                        counts[cases.cells[row, j]] -= 1
            if asked > 0:
                _train(cases, in_training, counts, known_rows, model)
                _fill_distributions(
                    model, cases.columns, cases.n_categories, rows[:asked], p[:asked]
                )
            for i in range(asked):
                best = 0
                for k in range(1, p.shape[1]):
                    if p[i, k] > p[i, best]:
                        best = k
                result[run, rows[i]] = best
