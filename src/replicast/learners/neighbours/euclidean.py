"""k nearest neighbours on every fold at once: one ordering of neighbours, walked past the own fold.

The answers are those of `sklearn.neighbors.KNeighborsClassifier` with uniform weights and Euclidean
distance, for every row whose k-th and (k+1)-th nearest training rows lie at different distances.
Ties of votes go to the smallest class, as there. Where rows at equal distance straddle the k-th
place, the row that comes first is taken; scikit-learn takes whichever its heap or k-d tree happens
to hold, which depends on the algorithm and on the number of threads (its brute force with k = 1 also
takes the first). That brute force gets squared distances from scalar products, so two distances
that agree to about 14 digits count as equal here.

Scaling features with the moments of the training rows changes the ordering from fold to fold, so it
is not offered; `scaling="once"` scales with the moments of all rows.
"""

from typing import Literal

import numpy as np

from replicast.arrays import Codes, Floats, Ints, Places, Singles
from replicast.errors import invalid, require_choice
from replicast.kernels.compiled import compiled
from replicast.learners.protocol import UNUSED, no_answers

Scaling = Literal["none", "once"]

_BLOCK = 128  # queries whose distances are held at once, so that they stay in the cache
_STORED = 256  # neighbours kept for each row at most; a row that needs more is measured anew
_SLACK = 1e-5  # relative error of a distance in single precision, with a wide margin


@compiled
def _exact(X: Floats, query: int, row: int) -> float:
    total = 0.0
    for j in range(X.shape[1]):
        off = X[query, j] - X[row, j]
        total += off * off
    return total


@compiled
def _insert(distance: float, row: int, held: int, distances: Floats, rows: Places) -> int:
    """Insert into a full-or-growing ascending list; equal distances keep the order of rows."""
    if held == len(rows):
        if distance > distances[held - 1] or (
            distance == distances[held - 1] and row > rows[held - 1]
        ):
            return held
        held -= 1
    place = held
    while place > 0 and (
        distances[place - 1] > distance
        or (distances[place - 1] == distance and rows[place - 1] > row)
    ):
        distances[place] = distances[place - 1]
        rows[place] = rows[place - 1]
        place -= 1
    distances[place] = distance
    rows[place] = row
    return held + 1


@compiled
def _shortlist(
    X: Floats, start: int, rough: Singles, error: Singles, lanes: Places, out: Places
) -> None:
    """Fill the nearest other rows of a block of rows from rough squared distances.

    The w-th smallest of the minima over disjoint groups of rows bounds the w-th smallest distance,
    so few rows are left to measure exactly. Non-negative floats order like their bits.
    """
    bits = rough.view(np.int32)
    n, groups, wanted = rough.shape[1], len(lanes), out.shape[1]
    distances = np.empty(wanted)
    ordered = np.empty(wanted + 1, np.int32)
    limit = np.empty(1, np.int32)
    limit_as_float = limit.view(np.float32)
    for q in range(len(rough)):
        rough[q, start + q] = np.inf
        for g in range(groups):
            lanes[g] = bits[q, g]
        for block in range(1, n // groups):
            base = block * groups
            for g in range(groups):
                lanes[g] = min(lanes[g], bits[q, base + g])
        held = 0
        for g in range(groups):
            value = lanes[g]
            if held <= wanted or value < ordered[wanted]:
                place = min(held, wanted)
                while place > 0 and ordered[place - 1] > value:
                    ordered[place] = ordered[place - 1]
                    place -= 1
                ordered[place] = value
                held = min(held + 1, wanted + 1)
        limit[0] = ordered[wanted - 1]
        bound = max(limit_as_float[0], np.float32(0)) + 2 * error[q]
        held = 0
        for block in range((n + 31) // 32):
            base = block * 32
            stop = min(base + 32, n)
            near = 0
            for i in range(base, stop):
                near += rough[q, i] <= bound
            if near > 0:
                for i in range(base, stop):
                    if rough[q, i] <= bound:
                        held = _insert(_exact(X, start + q, i), i, held, distances, out[q])


@compiled
def _nearest_allowed(X: Floats, query: int, fold: Codes, distances: Floats, rows: Places) -> None:
    """Fill the nearest training rows by measuring all of them."""
    held = 0
    for i in range(len(X)):
        if fold[i] != UNUSED and fold[i] != fold[query]:
            held = _insert(_exact(X, query, i), i, held, distances, rows)


@compiled
def _vote(
    X: Floats, y: Codes, folds: Codes, nearest: Places, k: int, n_classes: int, out: Codes
) -> None:
    """Let the k nearest training rows of each left-out row vote."""
    n, stored = nearest.shape
    votes = np.zeros(n_classes, np.int32)
    distances, rows = np.empty(k), np.empty(k, np.int32)
    for run in range(len(folds)):
        fold = folds[run]
        for i in range(n):
            own = fold[i]
            if own < 0:
                continue
            votes[:] = 0
            taken = 0
            for place in range(stored):
                row = nearest[i, place]
                if fold[row] != own and fold[row] != UNUSED:
                    votes[y[row]] += 1
                    taken += 1
                    if taken == k:
                        break
            if taken < k:  # the stored neighbours were too few
                _nearest_allowed(X, i, fold, distances, rows)
                votes[:] = 0
                for place in range(k):
                    votes[y[rows[place]]] += 1
            best = 0
            for c in range(1, n_classes):
                if votes[c] > votes[best]:
                    best = c
            out[run, i] = best


@compiled
def _fewest_trained(folds: Codes) -> int:
    """Return the size of the smallest training set."""
    sizes = np.zeros(folds.max() + 1, np.int64)
    fewest = folds.shape[1]
    for run in range(len(folds)):
        sizes[:] = 0
        used = 0
        for code in folds[run]:
            used += code != UNUSED
            if code >= 0:
                sizes[code] += 1
        fewest = min(fewest, used - sizes.max())
    return int(fewest)


def _orders(X: Floats, wanted: int) -> Places:
    """Return the `wanted` nearest other rows of each row."""
    n = len(X)
    out = np.empty((n, wanted), np.int32)
    rows = X - X.mean(axis=0)
    rows = rows / (np.abs(rows).max() or 1.0)  # keeps squares within range
    squares = np.einsum("ij,ij->i", rows, rows)
    # one product gives |q|² - 2 q·x + |x|²
    left = np.column_stack((rows, squares, np.ones(n))).astype(np.float32)
    right = np.vstack((-2 * rows.T, np.ones(n), squares)).astype(np.float32)
    error = (_SLACK * (squares + squares.max())).astype(np.float32)
    lanes = np.empty(min(n, 64 * -(-2 * wanted // 64)), np.int32)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        rough = left[start:stop] @ right
        _shortlist(X, start, rough, error[start:stop], lanes, out[start:stop])
    return out


def predict_folds(
    X: Floats,
    y_codes: Ints,
    folds: Codes,
    n_classes: int,
    *,
    k: int = 5,
    scaling: Scaling = "none",
) -> Codes:
    """Predict each row by its nearest rows outside its fold, as `protocol.FoldLearner` says.

    Parameters
    ----------
    X, y_codes, folds, n_classes
        As for every learner.
    k : int
        How many neighbours vote.
    scaling : {"none", "once"}
        Whether features are divided by their standard deviation over all rows first.

    Examples
    --------
    >>> X = np.array([[0.0], [0.2], [0.1], [5.0], [5.3], [5.1]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> folds = np.array([[0, 1, 2, 0, 1, 2]], np.int16)
    >>> predict_folds(X, y, folds, 2, k=1)
    array([[0, 0, 0, 1, 1, 1]], dtype=int16)
    """
    n, trained = len(X), _fewest_trained(folds)
    if not 1 <= k <= trained:
        raise invalid("k", f"between 1 and the {trained} rows of the smallest training set", k)
    if require_choice(scaling, "scaling", ("none", "once")) == "once":
        spread = X.std(axis=0)
        X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    rows = np.ascontiguousarray(X)
    skipped = 1 - trained / n
    needed = (k + 2 + 3 * np.sqrt((k + 2) * skipped)) / (1 - skipped)  # rarely too few
    nearest = _orders(rows, int(min(n - 1, max(k, _STORED), needed)))
    out = no_answers(folds)
    _vote(rows, y_codes.astype(np.int16), folds, nearest, k, n_classes, out)
    return out
