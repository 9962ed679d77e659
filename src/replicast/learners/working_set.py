"""LIBSVM's solver for one two-class support vector machine with a Gaussian kernel.

Sequential minimal optimisation with working sets chosen by second-order information (Fan, Chen & Lin
2005), kernel values kept in single precision and all ties going to the last row, as in LIBSVM, so
that the solver takes the same steps as LIBSVM without shrinking. The gradient of all rows is kept,
which makes the decision values of left-out rows fall out of it. Columns come in blocks of `LANES`, one
running best for each lane, so that the searches run in the vector units.
"""

import numpy as np
from numpy.typing import NDArray

from replicast.kernels.compiled import compiled, compiled_with

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

LANES = 64
_LINES = 32  # lines of kernel values made at once
_SMALLEST_CURVATURE = 1e-12
_TOO_MANY_STEPS = 10_000_000
_ROUND_TO_INTEGER = 1.5 * 2.0**52  # adding it leaves the nearest integer in the low bits
_LOG2_E = 1.4426950408889634
_LN2_HIGH, _LN2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10


@compiled_with("contract")
def exponentials(values: Floats, scratch: Floats, out: Singles | Floats) -> None:
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
            exponentials(products, scratch, K[i])
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
        np.empty((_LINES, padded), np.float32),
        np.empty((_LINES, features), np.float32),
    )
    squares = np.zeros(padded)
    for k in range(features):
        for t in range(rows):
            squares[t] += excess[k] * X[t, k] * X[t, k]
    for start in range(0, len(wanted), _LINES):
        stop = min(start + _LINES, len(wanted))
        for line in range(stop - start):
            for k in range(features):
                chosen[line, k] = 2.0 * excess[k] * X[wanted[start + line], k]
        np.dot(chosen, columns, products)
        for line in range(stop - start):
            i = wanted[start + line]
            own = squares[i]
            for t in range(padded):
                x = np.float64(products[line, t]) - own - squares[t]
                power = x * (1 / 40320.0) + 1 / 5040.0
                power = x * power + 1 / 720.0
                power = x * power + 1 / 120.0
                power = x * power + 1 / 24.0
                power = x * power + 1 / 6.0
                power = x * power + 0.5
                power = x * power + 1.0
                K[i, t] = reference[i, t] * (x * power + 1.0)
            K[i, i] = 1.0


@compiled
def _step_and_search(
    row_i: Singles,
    row_j: Singles,
    step_i: float,
    step_j: float,
    F: Floats,
    up: Floats,
    highest: Floats,
) -> int:
    """Move F = -y·gradient; return the last row of the largest F that may rise.

    `up` and `low` hold 0 for rows that may rise or fall and an infinity for the others.
    """
    highest[:] = -np.inf
    for block in range(len(F) // LANES):
        base = block * LANES
        for lane in range(LANES):
            t = base + lane
            f = F[t] - (row_i[t] * step_i + row_j[t] * step_j)
            F[t] = f
            rise = f + up[t]
            highest[lane] = rise if rise > highest[lane] else highest[lane]
    best = -np.inf
    for lane in range(LANES):
        best = highest[lane] if highest[lane] > best else best
    place = -1
    for lane in range(LANES):
        if highest[lane] == best:
            t = len(F) - LANES + lane
            while t > place and F[t] + up[t] != best:
                t -= LANES
            place = max(place, t)
    return place


@compiled
def _partner(
    row_i: Singles,
    top: float,
    F: Floats,
    low: Floats,
    gain: Floats,
    curvature: Floats,
    best_gain: Floats,
    best_curvature: Floats,
) -> int:
    """Return the last row that, moved with i, promises the largest decrease b²/a, or -1.

    Fractions are compared by multiplying crosswise, which spares the divisions.
    """
    gain[:] = 0.0
    curvature[:] = 1.0
    for block in range(len(F) // LANES):
        base = block * LANES
        for lane in range(LANES):
            t = base + lane
            b = top - (F[t] + low[t])
            b = b if b > 0.0 else 0.0
            a: float = 2.0 - 2.0 * np.float64(row_i[t])
            a = a if a > 0.0 else _SMALLEST_CURVATURE
            square = b * b
            better = square * curvature[lane] > gain[lane] * a
            gain[lane] = square if better else gain[lane]
            curvature[lane] = a if better else curvature[lane]
    half = LANES // 2
    for lane in range(half):  # halving keeps the comparisons side by side
        better = gain[lane + half] * curvature[lane] > gain[lane] * curvature[lane + half]
        best_gain[lane] = gain[lane + half] if better else gain[lane]
        best_curvature[lane] = curvature[lane + half] if better else curvature[lane]
    while half > 1:
        half //= 2
        for lane in range(half):
            g, c = best_gain[lane + half], best_curvature[lane + half]
            better = g * best_curvature[lane] > best_gain[lane] * c
            best_gain[lane] = g if better else best_gain[lane]
            best_curvature[lane] = c if better else best_curvature[lane]
    g, c = best_gain[0], best_curvature[0]
    place = -1
    for lane in range(LANES):
        if gain[lane] * c == g * curvature[lane]:
            t = len(F) - LANES + lane
            while t > place:
                b = top - (F[t] + low[t])
                a = 2.0 - 2.0 * np.float64(row_i[t])
                a = a if a > 0.0 else _SMALLEST_CURVATURE
                if b > 0 and b * b * curvature[lane] == gain[lane] * a:
                    break
                t -= LANES
            place = max(place, t)
    return place


@compiled
def _moved(
    a_i: float,
    a_j: float,
    f_i: float,
    f_j: float,
    y_i: float,
    y_j: float,
    curvature: float,
    box_i: float,
    box_j: float,
) -> tuple[float, float]:
    """Return the two multipliers after an exact step along their line, clipped to the box."""
    if y_i != y_j:
        delta = (y_i * f_i + y_j * f_j) / curvature
        difference = a_i - a_j
        a_i += delta
        a_j += delta
        if difference > 0:
            if a_j < 0:
                a_i, a_j = difference, 0.0
        elif a_i < 0:
            a_i, a_j = 0.0, -difference
        if difference > box_i - box_j:
            if a_i > box_i:
                a_i, a_j = box_i, box_i - difference
        elif a_j > box_j:
            a_i, a_j = box_j + difference, box_j
    else:
        delta = (y_j * f_j - y_i * f_i) / curvature
        total = a_i + a_j
        a_i -= delta
        a_j += delta
        if total > box_i:
            if a_i > box_i:
                a_i, a_j = box_i, total - box_i
        elif a_j < 0:
            a_i, a_j = total, 0.0
        if total > box_j:
            if a_j > box_j:
                a_i, a_j = total - box_j, box_j
        elif a_i < 0:
            a_i, a_j = 0.0, total
    return a_i, a_j


@compiled
def _allow(t: int, y: Floats, alpha: Floats, box: Floats, up: Floats, low: Floats) -> None:
    """Note whether F of row t may rise and whether it may fall."""
    below, above = alpha[t] < box[t], alpha[t] > 0
    may_rise = below if y[t] > 0 else above
    may_fall = above if y[t] > 0 else below
    up[t] = 0.0 if may_rise else -np.inf
    low[t] = 0.0 if may_fall else np.inf


@compiled
def _least(F: Floats, low: Floats) -> float:
    least = np.inf
    for t in range(len(F)):
        if F[t] + low[t] < least:
            least = F[t] + low[t]
    return least


@compiled
def _offset(F: Floats, y: Floats, alpha: Floats, box: Floats) -> float:
    """Return the threshold: the mean over free rows, or the middle of what bound rows allow."""
    total, free = 0.0, 0
    upper, lower = np.inf, -np.inf
    for t in range(len(F)):
        if box[t] > 0:
            value = -F[t]
            if 0 < alpha[t] < box[t]:
                total += value
                free += 1
            elif (alpha[t] > 0) == (y[t] > 0):
                lower = max(lower, value)
            else:
                upper = min(upper, value)
    return total / free if free > 0 else 0.5 * (upper + lower)


@compiled
def solve(
    X: Floats,
    columns: Floats,
    squares: Floats,
    gamma: float,
    K: Singles,
    ready: Flags,
    y: Floats,
    box: Floats,
    tolerance: float,
    decision: Floats,
) -> int:
    """Fill the decision values of all rows, positive for y = 1; return the number of steps.

    Rows with a box of 0 are not trained on. Lines of `K` are computed when first needed and kept;
    `ready` says which are there.
    """
    padded, F = len(y), decision
    alpha, up, low = np.zeros(padded), np.empty(padded), np.empty(padded)
    work, scratch = np.empty((1, padded)), np.empty(padded)
    first, second, third, fourth = (
        np.empty(LANES), np.empty(LANES), np.empty(LANES), np.empty(LANES)
    )  # fmt: skip
    missing = np.empty(1, np.int64)
    for t in range(padded):
        F[t], up[t], low[t] = 0.0, -np.inf, np.inf
        if box[t] > 0:
            F[t] = y[t]
            _allow(t, y, alpha, box, up, low)
    i, j, step_i, step_j = 0, 0, 0.0, 0.0
    steps = 0
    while True:
        i = _step_and_search(K[i], K[j], step_i, step_j, F, up, first)
        if steps == _TOO_MANY_STEPS:
            break
        if not ready[i]:
            missing[0] = i
            fill_rows(X, columns, squares, gamma, missing, work, scratch, K)
            ready[i] = True
        j = _partner(K[i], F[i], F, low, first, second, third, fourth)
        # the gap is at least F[i] - F[j], so that it is searched for only near the end
        if j < 0 or (F[i] - F[j] < tolerance and F[i] - _least(F, low) < tolerance):
            break
        if not ready[j]:
            missing[0] = j
            fill_rows(X, columns, squares, gamma, missing, work, scratch, K)
            ready[j] = True
        curvature: float = 2.0 - 2.0 * np.float64(K[i, j])
        if curvature <= 0:
            curvature = _SMALLEST_CURVATURE
        old_i, old_j = alpha[i], alpha[j]
        alpha[i], alpha[j] = _moved(old_i, old_j, F[i], F[j], y[i], y[j], curvature, box[i], box[j])
        step_i, step_j = y[i] * (alpha[i] - old_i), y[j] * (alpha[j] - old_j)
        _allow(i, y, alpha, box, up, low)
        _allow(j, y, alpha, box, up, low)
        steps += 1
    offset = _offset(F, y, alpha, box)
    for t in range(padded):
        decision[t] = (y[t] if box[t] > 0 else 0.0) - F[t] - offset
    return steps
