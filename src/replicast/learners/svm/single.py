"""One two-class support vector machine at a time, trained once and asked once: for simulations.

The solver is that of `solver`; the kernel is computed in single precision throughout, which moves
decision values by about 1e-5, and only between training rows and from support vectors to test rows.
Use `machine` where many fits share rows, or where LIBSVM's own steps matter.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints, Singles
from replicast.errors import invalid
from replicast.kernels.compiled import compiled, compiled_with
from replicast.learners.protocol import each_fold, no_answers
from replicast.learners.svm.kernel_rows import LANES
from replicast.learners.svm.settings import Settings, fill_scales, gamma_for
from replicast.learners.svm.solver import solve, start_cold

_LINES = 32  # rows of a kernel made at once, while they are in the cache
_ROUND = np.float32(1.5 * 2.0**23)  # adding it leaves the nearest integer in the low bits
_LOG2_E = np.float32(1.4426950408889634)
_LN2_HIGH, _LN2_LOW = np.float32(0.693359375), np.float32(-2.12194440e-4)


@compiled_with("contract")
def _exponentials(values: Singles, scratch: Singles) -> None:
    """Replace non-positive values by their exponentials, to about two units in the last place."""
    bits = scratch.view(np.int32)
    least = np.float32(-87.0)
    for t in range(len(values)):
        x = values[t] if values[t] > least else least
        shifted = x * _LOG2_E + _ROUND
        scratch[t] = shifted
        k = shifted - _ROUND
        r = (x - k * _LN2_HIGH) - k * _LN2_LOW
        power = r * np.float32(1 / 5040.0) + np.float32(1 / 720.0)
        power = r * power + np.float32(1 / 120.0)
        power = r * power + np.float32(1 / 24.0)
        power = r * power + np.float32(1 / 6.0)
        power = r * power + np.float32(0.5)
        power = r * power + np.float32(1.0)
        values[t] = r * power + np.float32(1.0)
    for t in range(len(values)):
        bits[t] = (bits[t] + 127) << 23
    for t in range(len(values)):
        values[t] *= scratch[t]


@compiled_with("contract")
def _kernel(
    A: Singles, columns: Singles, squares_a: Singles, squares_b: Singles, gamma: float, K: Singles
) -> None:
    """Fill exp(-gamma |a - b|²) for all rows a and all columns b."""
    scratch = np.empty(columns.shape[1], np.float32)
    g, two = np.float32(gamma), np.float32(2.0)
    for start in range(0, len(A), _LINES):
        stop = min(start + _LINES, len(A))
        part = K[start:stop]
        np.dot(A[start:stop], columns, part)
        for line in range(stop - start):
            own, row = squares_a[start + line], part[line]
            for t in range(len(row)):
                x = g * (two * row[t] - own - squares_b[t])
                row[t] = x if x < np.float32(0.0) else np.float32(0.0)
            _exponentials(row, scratch)


@compiled
def _squares(A: Singles, padded: int) -> Singles:
    out = np.zeros(padded, np.float32)
    for i in range(len(A)):
        for k in range(A.shape[1]):
            out[i] += A[i, k] * A[i, k]
    return out


@compiled
def _transposed(A: Singles, padded: int) -> Singles:
    out = np.zeros((A.shape[1], padded), np.float32)
    out[:, : len(A)] = A.T
    return out


@compiled
def _decisions(
    train: Singles,
    y: Ints,
    counts: Codes,
    test: Singles,
    cost: float,
    gamma: float,
    tolerance: float,
    decision: Floats,
) -> None:
    """Fill the decision values of the test rows, positive for class 1.

    Rows come class by class, the first class with the positive sign, as LIBSVM has them.
    """
    drawn = len(train)
    padded = -(-drawn // LANES) * LANES
    squares = _squares(train, padded)
    K = np.empty((drawn, padded), np.float32)
    _kernel(train, _transposed(train, padded), squares, squares, gamma, K)
    signs, box, alpha, F = np.ones(padded), np.zeros(padded), np.empty(padded), np.empty(padded)
    at = 0
    for i in range(len(y)):
        if counts[i] > 0:
            signs[at] = 1.0 if y[i] == 0 else -1.0
            box[at] = cost * counts[i]
            at += 1
    start_cold(signs, box, alpha, F)
    none = np.empty((1, 1))
    ready = np.ones(drawn, np.bool_)
    offset = solve(none, none, none[0], gamma, K, ready, signs, box, tolerance, alpha, F)
    support = np.flatnonzero(alpha[:drawn] > 0)
    vectors, weights = train[support], (alpha[support] * signs[support]).astype(np.float32)
    asked = -(-len(test) // LANES) * LANES
    answers = np.zeros(asked)
    squares_test = _squares(test, asked)
    columns = _transposed(test, asked)
    own = squares[support]
    block = np.empty((_LINES, asked), np.float32)
    for start in range(0, len(vectors), _LINES):
        stop = min(start + _LINES, len(vectors))
        part = block[: stop - start]
        _kernel(vectors[start:stop], columns, own[start:stop], squares_test, gamma, part)
        for line in range(stop - start):
            weight = weights[start + line]
            for t in range(asked):
                answers[t] += weight * part[line, t]
    for t in range(len(test)):
        decision[t] = offset - answers[t]


def predict_folds(X: Floats, y_codes: Ints, folds: Codes, n_classes: int, **options: Any) -> Codes:
    """Predict each row without its fold, as `protocol.FoldLearner` says, two classes at most."""
    out = no_answers(folds)
    for run, trained, tested in each_fold(folds):
        once = np.ones((1, int(trained.sum())), np.int16)
        found = bootstrap_fit_predict(
            X[trained], y_codes[trained], X[tested], once, n_classes, **options
        )
        out[run, tested] = found[0]
    return out


def bootstrap_fit_predict(
    X_train: Floats,
    y_codes: Ints,
    X_test: Floats,
    train_counts: NDArray[np.integer],
    n_classes: int,
    **options: Any,
) -> Codes:
    """Predict the test rows after training on resampled rows, (resamples, tests).

    A row drawn c times is one row whose multiplier may reach c·C.
    """
    if n_classes > 2:
        raise invalid("n_classes", "2 at most", n_classes, "Use `machine` for more classes")
    values = decision_values(X_train, y_codes, X_test, train_counts, **options)
    return (values > 0).astype(np.int16)


def decision_values(
    X_train: Floats,
    y_codes: Ints,
    X_test: Floats,
    train_counts: NDArray[np.integer],
    **options: Any,
) -> Floats:
    """Return decision values (resamples, tests), positive for class 1 of the classes 0 and 1."""
    features = X_train.shape[1]
    settings = Settings(**options)
    order = np.argsort(y_codes, kind="stable")
    rows, labels = np.ascontiguousarray(X_train[order], np.float64), y_codes[order]
    counts = np.ascontiguousarray(train_counts[:, order], np.int16)
    zero, one = np.zeros(features), np.ones(features)
    mean, divisor = np.empty(features), np.empty(features)
    scale = settings.scaling == "fold"
    values = np.empty((len(counts), len(X_test)))
    for drawn, row in zip(counts, values, strict=True):
        present = np.unique(labels[drawn > 0])
        if len(present) == 1:  # nothing to separate
            row[:] = np.inf if present[0] == 1 else -np.inf
            continue
        variance = fill_scales(rows, drawn, scale, settings.ddof, zero, one, mean, divisor)
        gamma = gamma_for(settings.gamma_of(features), features, variance)
        train, test = (
            ((part - mean) / divisor).astype(np.float32) for part in (rows[drawn > 0], X_test)
        )
        _decisions(train, labels, drawn, test, float(settings.C), gamma, settings.tolerance, row)
    return values
