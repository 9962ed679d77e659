"""Normal densities of classes from sums and squares of rows, and the class that is the densest."""

import numpy as np

from replicast.arrays import Bools, Codes, Floats, Ints
from replicast.kernels.compiled import compiled, compiled_with, inner
from replicast.learners.protocol import UNUSED

_ROUND_OFF = 1e-14  # relative error of a moment, with room for some hundred thousand rows
_LOG_2PI = float(np.log(2 * np.pi))
_R_ZERO_SPREAD = 0.001  # e1071 replaces a standard deviation of 0, and a density of 0, by this
_R_UNDERFLOW = 38.5678**2  # R's dnorm is 0 beyond this squared distance


@inner
def _class_model(
    count: Floats,
    first: Floats,
    second: Floats,
    summed: Floats,
    centres: Floats,
    var_smoothing: float,
    ddof: int,
    mean: Floats,
    precision: Floats,
    constant: Floats,
) -> float:
    """Turn moments about the centres into means, precisions and constants of the log densities.

    `summed` are the second moments from which `second` was obtained by subtraction. Returns the
    largest relative error that round-off may have left in a precision.
    """
    classes, features = mean.shape
    total = 0.0
    for c in range(classes):
        total += count[c]
    middle, spread = np.zeros(features), np.zeros(features)
    for c in range(classes):
        if count[c] > 0:
            each, share = 1.0 / count[c], count[c] / total
            for j in range(features):
                mean[c, j] = centres[c, j] + first[c, j] * each
                middle[j] += share * mean[c, j]
    for c in range(classes):
        if count[c] > 0:
            each, share = 1.0 / count[c], count[c] / total
            for j in range(features):
                shift = mean[c, j] - middle[j]
                within = second[c, j] - first[c, j] * first[c, j] * each
                spread[j] += share * (within * each + shift * shift)
    widest, doubt = 0.0, 0.0
    for j in range(features):
        widest = max(widest, spread[j])
    smoothing = var_smoothing * widest
    for c in range(classes):
        constant[c] = -np.inf
        if count[c] > 0:
            each, freed = 1.0 / count[c], 1.0 / max(count[c] - ddof, 1.0)
            log_variances, product, own = 0.0, 1.0, precision[c]
            for j in range(features):
                variance = (second[c, j] - first[c, j] * first[c, j] * each) * freed
                if ddof == 1 and variance <= _ROUND_OFF * summed[c, j] * freed:
                    variance = _R_ZERO_SPREAD * _R_ZERO_SPREAD
                own[j] = max(variance, 0.0) + smoothing
            for j in range(features):
                product *= own[j]  # one logarithm for many factors
                if not 1e-100 < product < 1e100:
                    log_variances += np.log(product)
                    product = 1.0
            for j in range(features):
                own[j] = 1.0 / own[j]
                doubt = max(doubt, summed[c, j] * own[j] * freed)
            log_variances += np.log(product)
            constant[c] = np.log(count[c] / total) - 0.5 * (log_variances + features * _LOG_2PI)
    return _ROUND_OFF * (1.0 + doubt)


@inner
def _replaced_densities(x: Floats, mean: Floats, precision: Floats) -> float:
    """Return what e1071's replacement of vanishing densities adds to the log density."""
    added = 0.0
    for j in range(len(x)):
        square = (x[j] - mean[j]) * (x[j] - mean[j]) * precision[j]
        if square > _R_UNDERFLOW:
            own = 0.5 * (np.log(precision[j]) - _LOG_2PI - square)
            added += np.log(_R_ZERO_SPREAD) - own
    return added


@compiled_with("reassoc", "contract", "nsz")
def _decide(
    x: Floats, mean: Floats, precision: Floats, constant: Floats, doubt: float, ddof: int
) -> tuple[int, bool]:
    """Return the class of the largest log density and whether round-off might have decided."""
    winner, best, rival, size = 0, -np.inf, -np.inf, 0.0
    for c in range(len(constant)):
        if constant[c] == -np.inf:  # the class is absent from the training rows
            continue
        distance = 0.0
        for j in range(len(x)):
            off = x[j] - mean[c, j]
            distance += off * off * precision[c, j]
        value = constant[c] - 0.5 * distance
        if ddof == 1 and distance > _R_UNDERFLOW:
            value += _replaced_densities(x, mean[c], precision[c])
        size = max(size, abs(constant[c]) + abs(value))
        if value > best:
            rival, best, winner = best, value, c
        elif value > rival:
            rival = value
        elif value != value:  # a zero variance without smoothing
            rival = np.inf
    return winner, not best - rival > doubt * size


@compiled_with("reassoc", "contract", "nsz")
def _add_moments(
    Z: Floats, y: Ints, fold: Codes, others: int, count: Floats, first: Floats, second: Floats
) -> None:
    """Sum rows and their squares by fold and class; rows only trained on go to part `others`."""
    classes = count.shape[1]
    count[:], first[:], second[:] = 0.0, 0.0, 0.0
    ones = count.reshape(-1)
    for i in range(len(Z)):
        if fold[i] != UNUSED:
            part = (fold[i] if fold[i] >= 0 else others) * classes + y[i]
            ones[part] += 1.0
            for j in range(Z.shape[1]):
                first[part, j] += Z[i, j]
                second[part, j] += Z[i, j] * Z[i, j]


@inner
def _total(parts: Floats, total: Floats) -> None:
    """Sum blocks of `len(total)` lines."""
    classes = len(total)
    total[:] = 0.0
    for part in range(len(parts)):
        for j in range(total.shape[1]):
            total[part % classes, j] += parts[part, j]


@compiled
def predict_runs(
    X: Floats,
    Z: Floats,
    y: Ints,
    folds: Codes,
    n_folds: int,
    centres: Floats,
    var_smoothing: float,
    ddof: int,
    out: Codes,
    unsure: Bools,
) -> None:
    """Predict every left-out row of every run; `Z` holds the rows less their class centre."""
    classes, features = centres.shape
    parts = (n_folds + 1) * classes
    count = np.empty((n_folds + 1, classes))
    first, second = np.empty((parts, features)), np.empty((parts, features))
    all_first, all_second = np.empty((classes, features)), np.empty((classes, features))
    first_left, second_left = np.empty((classes, features)), np.empty((classes, features))
    mean, precision = np.zeros((classes, features)), np.zeros((classes, features))
    constant = np.empty(classes)
    for run in range(len(folds)):
        fold = folds[run]
        _add_moments(Z, y, fold, n_folds, count, first, second)
        _total(first, all_first)
        _total(second, all_second)
        all_count = count.sum(axis=0)
        for f in range(n_folds):
            for c in range(classes):
                part = f * classes + c
                count[f, c] = all_count[c] - count[f, c]
                for j in range(features):
                    first_left[c, j] = all_first[c, j] - first[part, j]
                    second_left[c, j] = all_second[c, j] - second[part, j]
            doubt = _class_model(
                count[f], first_left, second_left, all_second, centres, var_smoothing, ddof,
                mean, precision, constant,
            )  # fmt: skip
            for i in range(len(X)):
                if fold[i] == f:
                    out[run, i], unsure[run, i] = _decide(
                        X[i], mean, precision, constant, doubt, ddof
                    )


@compiled
def predict_weighted(
    X_test: Floats,
    Z: Floats,
    y: Ints,
    weights: Ints,
    centres: Floats,
    var_smoothing: float,
    ddof: int,
    out: Codes,
    unsure: Bools,
) -> None:
    """Predict the test rows after training on rows repeated by `weights`, one resample a line."""
    classes, features = centres.shape
    count = np.empty(classes)
    first, second = np.empty((classes, features)), np.empty((classes, features))
    mean, precision = np.zeros((classes, features)), np.zeros((classes, features))
    constant = np.empty(classes)
    for b in range(len(weights)):
        count[:], first[:], second[:] = 0.0, 0.0, 0.0
        for i in range(len(Z)):
            weight = float(weights[b, i])
            if weight > 0:
                count[y[i]] += weight
                for j in range(Z.shape[1]):
                    first[y[i], j] += weight * Z[i, j]
                    second[y[i], j] += weight * Z[i, j] * Z[i, j]
        doubt = _class_model(
            count, first, second, second, centres, var_smoothing, ddof, mean, precision, constant
        )
        for i in range(len(X_test)):
            out[b, i], unsure[b, i] = _decide(X_test[i], mean, precision, constant, doubt, ddof)
