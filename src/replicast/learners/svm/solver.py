"""LIBSVM's solver for one two-class support vector machine with a Gaussian kernel.

Sequential minimal optimisation with working sets chosen by second-order information (Fan, Chen & Lin
2005), kernel values kept in single precision and all ties going to the last row, as in LIBSVM, so
that the solver takes the same steps as LIBSVM without shrinking. The gradient of all rows is kept,
which makes the decision values of left-out rows fall out of it. Searches keep one running best for
each of `LANES` lanes of rows, so that they run in the vector units.
"""

import numpy as np

from replicast.arrays import Bools, Floats, Singles
from replicast.kernels.compiled import compiled
from replicast.learners.svm.kernel_rows import LANES, fill_rows

_SMALLEST_CURVATURE = 1e-12
_TOO_MANY_STEPS = 10_000_000
_NOWHERE = -1


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
        for lane in range(LANES):
            t = block * LANES + lane
            F[t] -= row_i[t] * step_i + row_j[t] * step_j
            f = F[t] + up[t]
            highest[lane] = f if f > highest[lane] else highest[lane]
    best = -np.inf
    for lane in range(LANES):
        best = highest[lane] if highest[lane] > best else best
    place = _NOWHERE
    for lane in range(LANES):
        if highest[lane] == best:
            t = len(F) - LANES + lane
            while t > place and F[t] + up[t] != best:
                t -= LANES
            place = max(place, t)
    return place


@compiled
def _partner(row_i: Singles, top: float, F: Floats, low: Floats, gain: Singles) -> int:
    """Return the last row that, moved with i, promises the largest decrease b²/a, or `_NOWHERE`.

    Singles find the lanes that may hold it; their rows are then compared in doubles, crosswise.
    """
    zero, two, tiny = np.float32(0), np.float32(2), np.float32(_SMALLEST_CURVATURE)
    gain[:] = zero
    for block in range(len(F) // LANES):
        for lane in range(LANES):
            t = block * LANES + lane
            x, bend = np.float32(top - (F[t] + low[t])), two - two * row_i[t]
            x = x if x > zero else zero
            x *= x / (bend if bend > tiny else tiny)
            gain[lane] = x if x > gain[lane] else gain[lane]
    largest = zero
    for lane in range(LANES):
        largest = gain[lane] if gain[lane] > largest else largest
    enough = largest * np.float32(1 - 2e-6)
    place, best, best_curvature = _NOWHERE, 0.0, 1.0
    for lane in range(LANES):
        if gain[lane] >= enough:
            for block in range(len(F) // LANES):
                t = block * LANES + lane
                b = top - (F[t] + low[t])
                if b > 0.0:
                    a: float = 2.0 - 2.0 * np.float64(row_i[t])
                    a = a if a > 0.0 else _SMALLEST_CURVATURE
                    left, right = b * b * best_curvature, best * a
                    if left > right or (left == right and t > place):
                        place, best, best_curvature = t, b * b, a
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
def start_cold(y: Floats, box: Floats, alpha: Floats, F: Floats) -> None:
    """Start from nothing, as LIBSVM does."""
    for t in range(len(y)):
        alpha[t], F[t] = 0.0, (y[t] if box[t] > 0 else 0.0)


@compiled
def solve(
    X: Floats,
    columns: Floats,
    squares: Floats,
    gamma: float,
    K: Singles,
    ready: Bools,
    y: Floats,
    box: Floats,
    tolerance: float,
    alpha: Floats,
    F: Floats,
) -> float:
    """Move the multipliers and F from a start to the solution; return the threshold.

    Rows with a box of 0 are not trained on. Lines of `K` are computed when first needed and kept;
    `ready` says which are there.
    """
    padded = len(y)
    up, low = np.empty(padded), np.empty(padded)
    work, scratch = np.empty((1, padded)), np.empty(padded)
    highest, gain = np.empty(LANES), np.empty(LANES, np.float32)
    missing = np.empty(1, np.int64)
    for t in range(padded):
        up[t], low[t] = -np.inf, np.inf
        if box[t] > 0:
            _allow(t, y, alpha, box, up, low)
    i, j, step_i, step_j = 0, 0, 0.0, 0.0
    steps = 0
    while True:
        i = _step_and_search(K[i], K[j], step_i, step_j, F, up, highest)
        if steps == _TOO_MANY_STEPS:
            break
        if not ready[i]:
            missing[0] = i
            fill_rows(X, columns, squares, gamma, missing, work, scratch, K)
            ready[i] = True
        j = _partner(K[i], F[i], F, low, gain)
        # the gap is at least F[i] - F[j], so that it is searched for only near the end
        if j == _NOWHERE or (F[i] - F[j] < tolerance and F[i] - _least(F, low) < tolerance):
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
    return _offset(F, y, alpha, box)


@compiled
def decide(F: Floats, y: Floats, box: Floats, offset: float, decision: Floats) -> None:
    """Fill the decision values of all rows, positive for y = 1."""
    for t in range(len(F)):
        decision[t] = (y[t] if box[t] > 0 else 0.0) - F[t] - offset
