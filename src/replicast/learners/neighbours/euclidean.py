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

from replicast.arrays import Codes, Floats, Ints, Places
from replicast.errors import invalid, require_choice
from replicast.kernels.compiled import compiled
from replicast.learners.protocol import UNUSED, no_answers

Scaling = Literal["none", "once"]

_STORED = 256  # neighbours kept for each row at most; a row that needs more is measured anew


@compiled
def _measure(columns: Floats, query: int, distances: Floats) -> None:
    """Fill the squared distances of all rows from one of them; `columns` holds them by feature."""
    distances[:] = 0.0
    for column in columns:
        own = column[query]
        for i in range(len(distances)):
            off = column[i] - own
            distances[i] += off * off


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
def _orders(columns: Floats, out: Places) -> None:
    """Fill the nearest other rows of each row."""
    n, wanted = out.shape
    measured, distances = np.empty(n), np.empty(wanted)
    for query in range(n):
        _measure(columns, query, measured)
        held = 0
        for i in range(n):
            if i != query:
                held = _insert(measured[i], i, held, distances, out[query])


@compiled
def _nearest_allowed(
    columns: Floats, query: int, fold: Codes, measured: Floats, distances: Floats, rows: Places
) -> None:
    """Fill the nearest training rows by measuring all of them."""
    _measure(columns, query, measured)
    held = 0
    for i in range(len(measured)):
        if fold[i] != UNUSED and fold[i] != fold[query]:
            held = _insert(measured[i], i, held, distances, rows)


@compiled
def _vote(
    columns: Floats, y: Codes, folds: Codes, nearest: Places, k: int, n_classes: int, out: Codes
) -> None:
    """Let the k nearest training rows of each left-out row vote."""
    n, stored = nearest.shape
    votes = np.zeros(n_classes, np.int32)
    measured, distances, rows = np.empty(n), np.empty(k), np.empty(k, np.int32)
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
                _nearest_allowed(columns, i, fold, measured, distances, rows)
                votes[:] = 0
                for place in range(k):
                    votes[y[rows[place]]] += 1
            best = 0
            for c in range(1, n_classes):
                if votes[c] > votes[best]:
                    best = c
            out[run, i] = best


def _fewest_trained(folds: Codes) -> int:
    """Return the size of the smallest training set."""
    largest = [np.bincount(run[run >= 0]).max() for run in folds]
    return int(((folds != UNUSED).sum(axis=1) - largest).min())


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
    skipped = 1 - trained / n
    needed = (k + 2 + 3 * np.sqrt((k + 2) * skipped)) / (1 - skipped)  # rarely too few
    columns = np.ascontiguousarray(X.T)
    nearest = np.empty((n, int(min(n - 1, max(k, _STORED), needed))), np.int32)
    _orders(columns, nearest)
    out = no_answers(folds)
    _vote(columns, y_codes.astype(np.int16), folds, nearest, k, n_classes, out)
    return out
