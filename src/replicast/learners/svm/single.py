"""One two-class support vector machine at a time, trained once and asked once: for simulations.

The solver is that of `working_set`; the kernel is computed in single precision throughout, which moves
decision values by about 1e-5, and only between training rows and from support vectors to test rows.
Use `support_vectors` where many fits share rows, or where LIBSVM's own steps matter.
"""

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints, Singles
from replicast.kernels.compiled import compiled, compiled_with
from replicast.learners.svm.kernel_rows import LANES
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
def _scaled(
    X: Floats, counts: Ints, X_test: Floats, ddof: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Scale drawn training rows and test rows with the moments of the draws, class order kept."""
    n, features = X.shape
    total, drawn = 0, 0
    for i in range(n):
        total += counts[i]
        drawn += counts[i] > 0
    mean, spread = np.zeros(features), np.zeros(features)
    for i in range(n):
        for k in range(features):
            mean[k] += counts[i] * X[i, k]
    for k in range(features):
        mean[k] /= total
    for i in range(n):
        for k in range(features):
            spread[k] += counts[i] * (X[i, k] - mean[k]) ** 2
    for k in range(features):
        spread[k] = np.sqrt(spread[k] / (total - ddof))
        if spread[k] == 0.0:
            spread[k] = 1.0
    train = np.empty((drawn, features), np.float32)
    at = 0
    for i in range(n):
        if counts[i] > 0:
            for k in range(features):
                train[at, k] = (X[i, k] - mean[k]) / spread[k]
            at += 1
    test = np.empty((len(X_test), features), np.float32)
    for i in range(len(X_test)):
        for k in range(features):
            test[i, k] = (X_test[i, k] - mean[k]) / spread[k]
    return train, test


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
    for i in range(len(A)):
        for k in range(A.shape[1]):
            out[k, i] = A[i, k]
    return out


@compiled
def _decisions(
    X: Floats,
    y: Ints,
    counts: Ints,
    X_test: Floats,
    cost: float,
    gamma: float,
    ddof: int,
    tolerance: float,
    decision: Floats,
) -> None:
    """Fill the decision values of the test rows, positive for class 1.

    Rows come class by class, the first class with the positive sign, as LIBSVM has them.
    """
    train, test = _scaled(X, counts, X_test, ddof)
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


def decision_values(
    X_train: Floats,
    y: Ints,
    X_test: Floats,
    train_counts: NDArray[np.integer],
    *,
    C: float = 1.0,
    gamma: float | None = None,
    ddof: int = 0,
    tolerance: float = 1e-3,
) -> Floats:
    """Return decision values (resamples, tests), positive for class 1; see `bootstrap_fit_predict`."""
    order = np.argsort(y, kind="stable")
    rows, labels = np.ascontiguousarray(X_train[order], np.float64), y[order]
    counts = np.ascontiguousarray(train_counts[:, order], np.int64)
    width = 1.0 / rows.shape[1] if gamma is None else float(gamma)
    values = np.empty((len(counts), len(X_test)))
    for drawn, row in zip(counts, values, strict=True):
        _decisions(rows, labels, drawn, X_test, C, width, ddof, tolerance, row)
    return values


def fit_predict(
    X_train: Floats,
    y: Ints,
    X_test: Floats,
    *,
    C: float = 1.0,
    gamma: float | None = None,
    ddof: int = 0,
    tolerance: float = 1e-3,
) -> Codes:
    """Predict the test rows, 0 or 1, after training on scaled rows; `gamma` None is 1 / features."""
    once = np.ones((1, len(y)), np.int64)
    values = decision_values(
        X_train, y, X_test, once, C=C, gamma=gamma, ddof=ddof, tolerance=tolerance
    )
    return (values[0] > 0).astype(np.int16)


def bootstrap_fit_predict(
    X_train: Floats,
    y: Ints,
    X_test: Floats,
    train_counts: NDArray[np.integer],
    *,
    C: float = 1.0,
    gamma: float | None = None,
    ddof: int = 0,
    tolerance: float = 1e-3,
) -> Codes:
    """Predict the test rows after training on resampled rows, (resamples, tests).

    A row drawn c times is one row whose multiplier may reach c·C.
    """
    values = decision_values(
        X_train, y, X_test, train_counts, C=C, gamma=gamma, ddof=ddof, tolerance=tolerance
    )
    return (values > 0).astype(np.int16)
