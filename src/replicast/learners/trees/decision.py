"""Classification trees (CART, Gini) on every fold: features are sorted once for all folds and runs.

The tree is that of `sklearn.tree.DecisionTreeClassifier` with ``splitter="best"`` and all features at
each node. Scikit-learn visits the features of a node in random order, so that of equally good
splits on different features `random_state` picks one; here the first feature wins. Rows whose
prediction in scikit-learn is the same for every `random_state` are predicted alike; other rows get
one of the answers scikit-learn can give. So this does not replace a user's own tree bit for bit
unless its splits are unique.

As in scikit-learn, features are compared in single precision, values within 1e-7 of each other are
not split, and a threshold lies midway. Branches that no test row reaches are not grown.
"""

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints, Places, Singles
from replicast.errors import invalid
from replicast.kernels.compiled import compiled, inner
from replicast.learners.protocol import TRAIN_ONLY, UNUSED, no_answers
from replicast.learners.trees.cuts import ROW, ROW_BITS, Words

Bytes = NDArray[np.uint8]

_EQUAL = np.float32(1e-7)
_MOST_ROWS = 1 << ROW_BITS
_CLOSE = 1e-6  # scores closer than this are compared by scikit-learn's own formula
_PURE = 2.0**-52
_NO_SPLIT = -1  # instead of a feature
_SEVERAL = -1  # instead of the only class of some rows


@inner
def _proxy(n_left: int, squares_left: int, n_right: int, squares_right: int) -> float:
    """Return scikit-learn's score of a split, to the last bit, to break near ties alike."""
    left, right = float(n_left), float(n_right)
    gini_left = 1.0 - squares_left / (left * left)
    gini_right = 1.0 - squares_right / (right * right)
    return -right * gini_right - left * gini_left


@inner
def _scan_two(
    words: Words, y: Bytes, ones: int, least: int, inverse: Floats, best: float, proxy: float
) -> tuple[float, float, int]:
    """Return the best score of cutting a sorted segment of two classes, if it beats `best`.

    With O of N rows in the second class, o of them among n on the left, the decrease of the
    impurity grows with (oN - nO)² / n(N - n). The cut is given by n, 0 for none.
    """
    size = len(words)
    cut, excess = 0, 0
    limit = best - _CLOSE
    for p in range(size - 1):
        excess += y[words[p] & ROW] * size - ones
        n = p + 1
        surplus = float(excess)
        score = surplus * surplus * (inverse[n] * inverse[size - n])
        if (
            score > limit
            and (words[p] ^ words[n]) >> ROW_BITS != 0
            and n >= least
            and size - n >= least
        ):
            left = (excess + n * ones) // size
            right, rest = ones - left, size - n
            exact = _proxy(
                n, left * left + (n - left) ** 2, rest, right * right + (rest - right) ** 2
            )
            if exact > proxy:
                best, proxy, cut = score, exact, n
                limit = best - _CLOSE
    return best, proxy, cut


@inner
def _scan_many(
    words: Words,
    y: Bytes,
    counts: Ints,
    left: Ints,
    least: int,
    inverse: Floats,
    best: float,
    proxy: float,
) -> tuple[float, float, int]:
    """Do what `_scan_two` does for any number of classes."""
    n = len(words)
    cut, squares_left, squares_right = 0, 0, 0
    for c in range(len(counts)):
        left[c] = 0
        squares_right += counts[c] * counts[c]
    for p in range(n - 1):
        c = y[words[p] & ROW]
        squares_left += 2 * left[c] + 1
        squares_right -= 2 * (counts[c] - left[c]) - 1
        left[c] += 1
        if (words[p] >> ROW_BITS) != (words[p + 1] >> ROW_BITS):
            n_left = p + 1
            n_right = n - n_left
            score = squares_left * inverse[n_left] + squares_right * inverse[n_right]
            if score > best - _CLOSE and n_left >= least and n_right >= least:
                exact = _proxy(n_left, squares_left, n_right, squares_right)
                if exact > proxy:
                    best, proxy, cut = score, exact, n_left
    return best, proxy, cut


@inner
def _divide(words: Words, start: int, stop: int, goes_left: Bytes, buffer: Words) -> None:
    """Move the words of rows that go left before the others, keeping the order."""
    for f in range(len(words)):
        line = words[f]
        kept, held = start, 0
        for p in range(start, stop):
            word = line[p]
            left = int(goes_left[word & ROW])
            line[kept] = word
            buffer[held] = word
            kept += left
            held += 1 - left
        for p in range(held):
            line[kept + p] = buffer[p]


@inner
def _keep(words: Words, start: int, stop: int, goes_left: Bytes, wanted: int) -> int:
    """Move the words of rows of one side to the front, keeping the order; return where they end."""
    kept = start
    for f in range(len(words)):
        line = words[f]
        kept = start
        for p in range(start, stop):
            word = line[p]
            line[kept] = word
            kept += goes_left[word & ROW] == wanted
    return kept


@inner
def _only_class(line: Words, start: int, stop: int, y: Bytes) -> int:
    """Return the class of the rows if they are all of one, else `_SEVERAL`."""
    own = y[line[start] & ROW]
    for p in range(start + 1, stop):
        if y[line[p] & ROW] != own:
            return _SEVERAL
    return int(own)


@inner
def _grow(
    words: Words,
    X: Singles,
    y: Bytes,
    n_classes: int,
    tests: Places,
    max_depth: int,
    min_leaf: int,
    min_split: int,
    inverse: Floats,
    goes_left: Bytes,
    buffer: Words,
    stack: Ints,
    out: Codes,
) -> None:
    """Grow a tree on the sorted rows in `words`, where test rows lead, and predict the test rows."""
    features = len(words)
    counts, left = np.empty(n_classes, np.int64), np.empty(n_classes, np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, words.shape[1], 0, len(tests)
    stack[0, 4] = 0
    height = 1
    while height > 0:
        height -= 1
        start, stop = stack[height, 0], stack[height, 1]
        first, last, depth = stack[height, 2], stack[height, 3], stack[height, 4]
        n = stop - start
        counts[:] = 0
        for p in range(start, stop):
            counts[y[words[0, p] & ROW]] += 1
        squares, winner = 0, 0
        for c in range(n_classes):
            squares += counts[c] * counts[c]
            winner = c if counts[c] > counts[winner] else winner
        feature, cut, best, proxy = _NO_SPLIT, 0, -np.inf, -np.inf
        whole = float(n)
        if not (
            depth >= max_depth
            or n < min_split
            or n < 2 * min_leaf
            or 1.0 - squares / (whole * whole) <= _PURE
        ):
            for f in range(features):
                if n_classes == 2:
                    best, proxy, found = _scan_two(
                        words[f, start:stop], y, counts[1], min_leaf, inverse, best, proxy
                    )
                else:
                    best, proxy, found = _scan_many(
                        words[f, start:stop], y, counts, left, min_leaf, inverse, best, proxy
                    )
                if found > 0:
                    feature, cut = f, found
        if feature == _NO_SPLIT:
            for p in range(first, last):
                out[tests[p]] = winner
            continue
        line = words[feature]
        border = start + cut
        below = np.float64(X[feature, line[border - 1] & ROW])
        above = np.float64(X[feature, line[border] & ROW])
        threshold = below / 2.0 + above / 2.0
        if threshold == above or threshold == np.inf or threshold == -np.inf:
            threshold = below
        middle = first
        for p in range(first, last):
            row = tests[p]
            if X[feature, row] <= threshold:
                tests[p], tests[middle] = tests[middle], row
                middle += 1
        left_class = _only_class(line, start, border, y)
        right_class = _only_class(line, border, stop, y)
        for p in range(first, middle):
            out[tests[p]] = left_class
        for p in range(middle, last):
            out[tests[p]] = right_class
        grow_left = left_class == _SEVERAL and middle > first
        grow_right = right_class == _SEVERAL and last > middle
        if grow_left or grow_right:
            for p in range(start, stop):
                goes_left[line[p] & ROW] = p < border
        if grow_left and grow_right:
            _divide(words, start, stop, goes_left, buffer)
        elif grow_left:
            border = _keep(words, start, stop, goes_left, 1)
        elif grow_right:
            stop = _keep(words, start, stop, goes_left, 0)
            border = start
        if grow_right:
            stack[height, 0], stack[height, 1], stack[height, 2] = border, stop, middle
            stack[height, 3], stack[height, 4] = last, depth + 1
            height += 1
        if grow_left:
            stack[height, 0], stack[height, 1], stack[height, 2] = start, border, first
            stack[height, 3], stack[height, 4] = middle, depth + 1
            height += 1


@compiled
def _predict_runs(
    ordered: Words,
    X: Singles,
    y: Bytes,
    folds: Codes,
    n_classes: int,
    max_depth: int,
    min_leaf: int,
    min_split: int,
    out: Codes,
) -> None:
    """Grow one tree for each fold of each run; `ordered` holds all rows sorted by each feature."""
    features, n = ordered.shape
    inverse, goes_left = np.zeros(n + 1), np.zeros(n, np.uint8)
    for i in range(1, n + 1):
        inverse[i] = 1.0 / i
    buffer, stack = np.empty(n, np.uint32), np.empty((2 * n + 2, 5), np.int64)
    room, tests = np.empty(features * n, np.uint32), np.empty(n, np.int32)
    trained = np.empty(n, np.uint8)
    for run in range(len(folds)):
        fold = folds[run]
        for f in range(fold.max() + 1):
            size, asked = 0, 0
            for i in range(n):
                trained[i] = fold[i] != f and fold[i] != UNUSED
                size += int(trained[i])
                if fold[i] == f:
                    tests[asked] = i
                    asked += 1
            if asked == 0:
                continue
            words = room[: features * size].reshape(features, size)
            for k in range(features):
                held = 0
                for p in range(n):
                    if trained[ordered[k, p] & ROW]:
                        words[k, held] = ordered[k, p]
                        held += 1
            _grow(
                words, X, y, n_classes, tests[:asked], max_depth, min_leaf, min_split, inverse,
                goes_left, buffer, stack, out[run],
            )  # fmt: skip


def sorted_words(X: Floats) -> tuple[Words, Singles]:
    """Return the rows sorted by each feature as words of rank and row, and the features in singles.

    Neighbouring values that scikit-learn does not tell apart share a rank; nothing depends on the
    order of the rows that do.
    """
    if len(X) > _MOST_ROWS:
        raise invalid("X", f"at most {_MOST_ROWS} rows", f"{len(X)} rows")
    columns = np.ascontiguousarray(X.T, np.float32)
    order = np.argsort(columns, axis=1)
    ascending = np.take_along_axis(columns, order, axis=1)
    ranks = np.zeros(columns.shape, np.uint32)
    ranks[:, 1:] = np.cumsum(ascending[:, 1:] > ascending[:, :-1] + _EQUAL, axis=1)
    return (ranks << np.uint32(ROW_BITS)) | order.astype(np.uint32), columns


def predict_folds(
    X: Floats,
    y_codes: Ints,
    folds: Codes,
    n_classes: int,
    *,
    max_depth: int | None = None,
    min_samples_leaf: int = 1,
    min_samples_split: int = 2,
) -> Codes:
    """Predict each row without its fold, as `protocol.FoldLearner` says.

    Parameters
    ----------
    X, y_codes, folds, n_classes
        As for every learner; at most 65,536 rows and 255 classes.
    max_depth, min_samples_leaf, min_samples_split
        As in `sklearn.tree.DecisionTreeClassifier`.

    Examples
    --------
    >>> X = np.array([[0.0], [0.2], [0.1], [5.0], [5.3], [5.1]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> predict_folds(X, y, np.array([[0, 1, 2, 0, 1, 2]], np.int16), 2)
    array([[0, 0, 0, 1, 1, 1]], dtype=int16)
    """
    if min_samples_leaf < 1:
        raise invalid("min_samples_leaf", "at least 1", min_samples_leaf)
    if max_depth is not None and max_depth < 1:
        raise invalid("max_depth", "at least 1, or None", max_depth)
    ordered, columns = sorted_words(X)
    out = no_answers(folds)
    _predict_runs(
        ordered, columns, y_codes.astype(np.uint8), folds, n_classes,
        len(X) if max_depth is None else max_depth, min_samples_leaf, max(2, min_samples_split),
        out,
    )  # fmt: skip
    return out


def fit_predict(
    X_train: Floats,
    y_codes: Ints,
    X_test: Floats,
    n_classes: int,
    *,
    max_depth: int | None = None,
    min_samples_leaf: int = 1,
    min_samples_split: int = 2,
) -> Codes:
    """Predict the test rows after growing one tree; parameters as in `predict_folds`."""
    folds = np.repeat(np.array([TRAIN_ONLY, 0], np.int16), [len(X_train), len(X_test)])
    out = predict_folds(
        np.vstack((X_train, X_test)),
        np.concatenate((y_codes, np.zeros(len(X_test), np.int64))),
        folds[None, :],
        n_classes,
        max_depth=max_depth,
        min_samples_leaf=min_samples_leaf,
        min_samples_split=min_samples_split,
    )
    return out[0, len(y_codes) :].copy()
