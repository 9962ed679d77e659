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

from replicast.arrays import Codes, Floats, Ints, Singles
from replicast.errors import invalid
from replicast.kernels.compiled import compiled
from replicast.learners.protocol import UNUSED, no_answers
from replicast.learners.trees.branches import Bytes, Limits, Room, grow, keep, new_room
from replicast.learners.trees.cuts import ROW_BITS, Words

_EQUAL = np.float32(1e-7)
_MOST_ROWS = 1 << ROW_BITS


@compiled
def _predict_runs(
    ordered: Words, X: Singles, y: Bytes, folds: Codes, limits: Limits, room: Room, out: Codes
) -> None:
    """Grow one tree for each fold of each run; `ordered` holds all rows sorted by each feature."""
    features, n = ordered.shape
    tests = np.empty(n, np.int32)
    words, trained = np.zeros((features, n + 1), np.uint32), np.empty(n, np.uint8)
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
            keep(ordered, words, 0, n, trained)
            grow(words, size, X, y, tests[:asked], limits, room, out[run])


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
    deepest = len(X) if max_depth is None else max_depth
    limits = Limits(deepest, min_samples_leaf, max(2, min_samples_split))
    room = new_room(len(X), n_classes)
    _predict_runs(ordered, columns, y_codes.astype(np.uint8), folds, limits, room, out)
    return out
