"""Lines of a Gaussian kernel matrix, as accurate as LIBSVM's and in bulk.

Columns are padded to whole blocks of `LANES`, with which the solver searches them.
"""

import numpy as np

from replicast.arrays import Floats, Ints, Singles
from replicast.kernels.compiled import compiled_with

LANES = 64
LINES = 32  # lines made at once, so that they are still in the cache when used
_ROUND_TO_INTEGER = 1.5 * 2.0**52  # adding it leaves the nearest integer in the low bits
_LOG2_E = 1.4426950408889634
_LN2_HIGH, _LN2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10


@compiled_with("contract")
def _exponentials(values: Floats, scratch: Floats, out: Singles | Floats) -> None:
    """Fill exp of non-positive values: eˣ = 2ᵏ eʳ with |r| at most ln(2)/2, relative error 7e-12.

    That rounds to the nearest single in all but one of ten thousand cases.
    """
    bits = scratch.view(np.int64)
    for t in range(len(out)):
        x = values[t] if values[t] > -700.0 else -700.0
        shifted = x * _LOG2_E + _ROUND_TO_INTEGER
        scratch[t] = shifted
        k = shifted - _ROUND_TO_INTEGER
        r = (x - k * _LN2_HIGH) - k * _LN2_LOW
        power = r * (1 / 362880.0) + 1 / 40320.0
        power = r * power + 1 / 5040.0
        power = r * power + 1 / 720.0
        power = r * power + 1 / 120.0
        power = r * power + 1 / 24.0
        power = r * power + 1 / 6.0
        power = r * power + 0.5
        power = r * power + 1.0
        values[t] = r * power + 1.0
    for t in range(len(out)):
        bits[t] = (bits[t] + 1023) << 52
    for t in range(len(out)):
        out[t] = values[t] * scratch[t]


@compiled_with("contract")
def fill_rows(
    X: Floats,
    columns: Floats,
    squares: Floats,
    gamma: float,
    wanted: Ints,
    work: Floats,
    scratch: Floats,
    K: Singles | Floats,
) -> None:
    """Fill lines of K, exp(-gamma |x_i - x_t|²) for all t; `columns` is X transposed and padded.

    Products are made for a few lines at a time, so that they are still in the cache when used.
    """
    lines, features = len(work), X.shape[1]
    chosen = np.empty((lines, features))
    for start in range(0, len(wanted), lines):
        stop = min(start + lines, len(wanted))
        for line in range(stop - start):
            chosen[line] = X[wanted[start + line]]
        np.dot(chosen, columns, work)
        for line in range(stop - start):
            i = wanted[start + line]
            own, products = squares[i], work[line]
            for t in range(len(products)):
                products[t] = gamma * (2.0 * products[t] - own - squares[t])
            _exponentials(products, scratch, K[i])
            K[i, i] = 1.0


@compiled_with("contract")
def fill_nearby(
    X: Floats, columns: Singles, excess: Floats, wanted: Ints, reference: Floats, K: Singles
) -> None:
    """Fill lines of K from those of a kernel with slightly different weights of the features.

    exp(-Σ (g + e_k) d_k²) is the reference exp(-g Σ d_k²) times a short series, if the `excess` e is
    at most a tenth of g. The exponent of the series is small, so singles give it to about 1e-9.
    """
    rows, features = X.shape
    padded = columns.shape[1]
    products, chosen = (
        np.empty((LINES, padded), np.float32),
        np.empty((LINES, features), np.float32),
    )
    squares = np.zeros(padded, np.float32)
    for k in range(features):
        for t in range(rows):
            squares[t] += excess[k] * X[t, k] * X[t, k]
    for start in range(0, len(wanted), LINES):
        stop = min(start + LINES, len(wanted))
        for line in range(stop - start):
            for k in range(features):
                chosen[line, k] = 2.0 * excess[k] * X[wanted[start + line], k]
        np.dot(chosen, columns, products)
        for line in range(stop - start):
            i = wanted[start + line]
            own, series = squares[i], products[line]
            for t in range(padded):
                x = series[t] - own - squares[t]
                power = x * np.float32(1 / 5040) + np.float32(1 / 720)
                power = x * power + np.float32(1 / 120)
                power = x * power + np.float32(1 / 24)
                power = x * power + np.float32(1 / 6)
                power = x * power + np.float32(1 / 2)
                K[i, t] = reference[i, t] * (1.0 + np.float64(x * power * x + x))
            K[i, i] = 1.0
