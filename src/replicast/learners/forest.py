"""Random forests for studies: the distribution of scikit-learn's forests, not their random stream.

Each tree is grown full on a bootstrap sample with the Gini criterion, trying a random subset of the
features at each node. Features are ranked once for all trees; a node puts its rows in order by
marking their places, or by insertion when they are few. Branches that no test row reaches are not
grown. Use it where forests are simulated; it does not reproduce a user's own forest.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from replicast.errors import invalid, require_choice
from replicast.kernels.compiled import compiled
from replicast.learners.decision_tree import sorted_words
from replicast.learners.splits import STEP, TRAIN_ONLY, UNUSED, scrambled

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Words = NDArray[np.uint32]
Places = NDArray[np.int32]
Codes = NDArray[np.int16]
Bytes = NDArray[np.uint8]
Vote = Literal["soft", "hard"]

_ROW_BITS = 16
_ROW = np.uint32((1 << _ROW_BITS) - 1)
_HALF = np.uint64(32)
_FEW = 40  # up to here insertion is faster than marking places


@compiled
def _put_in_order(
    rows: Words, start: int, stop: int, ordered: Words, places: Words, marks: Bytes, out: Words
) -> None:
    """Fill the words of a node's rows in the order of one feature."""
    if stop - start <= _FEW:
        for p in range(start, stop):
            word = ordered[places[rows[p]]]
            q = p - start
            while q > 0 and out[q - 1] > word:
                out[q] = out[q - 1]
                q -= 1
            out[q] = word
    else:
        for p in range(start, stop):
            marks[places[rows[p]]] = 1
        held = 0
        for place in range(len(marks)):
            out[held] = ordered[place]
            held += marks[place]
            marks[place] = 0


@compiled
def _scan_two(
    words: Words, n: int, weights: Places, ones: int, total: int, inverse: Floats, best: float
) -> tuple[float, int]:
    """Return the best score of cutting n sorted rows of two classes and the cut, 0 if below `best`.

    `weights` holds the weight of a row, and above 16 bits the part of it in the second class.
    """
    cut, running = 0, 0
    for p in range(n - 1):
        running += weights[words[p] & _ROW]
        if (words[p] >> _ROW_BITS) != (words[p + 1] >> _ROW_BITS):
            left, left_ones = running & 0xFFFF, running >> 16
            right, right_ones = total - left, ones - left_ones
            left_zeros, right_zeros = left - left_ones, right - right_ones
            score = (left_ones * left_ones + left_zeros * left_zeros) * inverse[left] + (
                right_ones * right_ones + right_zeros * right_zeros
            ) * inverse[right]
            if score > best:
                best, cut = score, p + 1
    return best, cut


@compiled
def _scan_many(
    words: Words,
    n: int,
    weights: Places,
    y: Bytes,
    counts: Ints,
    left: Ints,
    total: int,
    inverse: Floats,
    best: float,
) -> tuple[float, int]:
    """Do what `_scan_two` does for any number of classes."""
    cut, n_left, squares_left, squares_right = 0, 0, 0, 0
    for c in range(len(counts)):
        left[c] = 0
        squares_right += counts[c] * counts[c]
    for p in range(n - 1):
        row = words[p] & _ROW
        c, weight = y[row], weights[row] & 0xFFFF
        squares_left += weight * (2 * left[c] + weight)
        squares_right -= weight * (2 * (counts[c] - left[c]) - weight)
        left[c] += weight
        n_left += weight
        if (words[p] >> _ROW_BITS) != (words[p + 1] >> _ROW_BITS):
            score = squares_left * inverse[n_left] + squares_right * inverse[total - n_left]
            if score > best:
                best, cut = score, p + 1
    return best, cut


@compiled
def _add_leaf(
    tests: Places, first: int, last: int, counts: Ints, total: int, hard: bool, votes: Floats
) -> None:
    if hard:
        winner = np.argmax(counts)
        for p in range(first, last):
            votes[tests[p], winner] += 1.0
    else:
        for c in range(len(counts)):
            if counts[c] > 0:
                share = counts[c] / total
                for p in range(first, last):
                    votes[tests[p], c] += share


@compiled
def _grow(
    ordered: Words,
    places: Words,
    X: Singles,
    y: Bytes,
    rows: Words,
    weights: Places,
    tests: Places,
    tried: int,
    counter: np.uint64,
    inverse: Floats,
    marks: Bytes,
    words: Words,
    names: Places,
    counts: Ints,
    left: Ints,
    stack: Ints,
    hard: bool,
    votes: Floats,
) -> np.uint64:
    """Grow one tree on weighted rows, where test rows lead, and add its votes."""
    features = len(ordered)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, len(rows), 0, len(tests)
    height = 1
    while height > 0:
        height -= 1
        start, stop = stack[height, 0], stack[height, 1]
        first, last = stack[height, 2], stack[height, 3]
        counts[:] = 0
        total = 0
        for p in range(start, stop):
            weight = weights[rows[p]] & 0xFFFF
            counts[y[rows[p]]] += weight
            total += weight
        feature, border, best = -1, 0, -np.inf
        threshold = 0.0
        visited = 0 if counts.max() < total else features
        while visited < features and (visited < tried or feature < 0):
            counter += STEP
            pick = visited + np.int64(
                ((scrambled(counter) >> _HALF) * np.uint64(features - visited)) >> _HALF
            )
            names[visited], names[pick] = names[pick], names[visited]
            f = names[visited]
            visited += 1
            _put_in_order(rows, start, stop, ordered[f], places[f], marks, words)
            if len(counts) == 2:
                best, cut = _scan_two(words, stop - start, weights, counts[1], total, inverse, best)
            else:
                best, cut = _scan_many(
                    words, stop - start, weights, y, counts, left, total, inverse, best
                )
            if cut > 0:
                feature = f
                border = places[f, words[cut] & _ROW]
                below = np.float64(X[f, words[cut - 1] & _ROW])
                above = np.float64(X[f, words[cut] & _ROW])
                threshold = below / 2.0 + above / 2.0
                if threshold == above:
                    threshold = below
        if feature < 0:
            _add_leaf(tests, first, last, counts, total, hard, votes)
            continue
        middle = first
        for p in range(first, last):
            row = tests[p]
            if X[feature, row] <= threshold:
                tests[p], tests[middle] = tests[middle], row
                middle += 1
        line = places[feature]
        low, high = start, stop
        while low < high:
            if line[rows[low]] < border:
                low += 1
            else:
                high -= 1
                rows[low], rows[high] = rows[high], rows[low]
        if middle < last:
            stack[height, 0], stack[height, 1] = low, stop
            stack[height, 2], stack[height, 3] = middle, last
            height += 1
        if middle > first:
            stack[height, 0], stack[height, 1] = start, low
            stack[height, 2], stack[height, 3] = first, middle
            height += 1
    return counter


@compiled
def _vote_trees(
    ordered: Words,
    places: Words,
    X: Singles,
    y: Bytes,
    trained: Places,
    tests: Places,
    n_trees: int,
    tried: int,
    seed: np.uint64,
    hard: bool,
    votes: Floats,
) -> None:
    """Grow trees on bootstrap samples of the `trained` rows and add their votes for the tests."""
    features, n = ordered.shape
    size = len(trained)
    inverse = np.zeros(size + 1)
    for i in range(1, size + 1):
        inverse[i] = 1.0 / i
    marks, words, rows = np.zeros(n, np.uint8), np.empty(n + 1, np.uint32), np.empty(n, np.uint32)
    weights, names = np.zeros(n, np.int32), np.arange(features).astype(np.int32)
    counts, left = np.empty(votes.shape[1], np.int64), np.empty(votes.shape[1], np.int64)
    stack = np.empty((2 * n + 2, 4), np.int64)
    counter = seed
    for _ in range(n_trees):
        weights[:] = 0
        for _ in range(size):
            counter += STEP
            row = trained[np.int64(((scrambled(counter) >> _HALF) * np.uint64(size)) >> _HALF)]
            weights[row] += 1 + ((y[row] == 1) << 16)
        held = 0
        for row in trained:
            if weights[row] > 0:
                rows[held] = row
                held += 1
        counter = _grow(
            ordered, places, X, y, rows[:held], weights, tests, tried, counter, inverse, marks,
            words, names, counts, left, stack, hard, votes,
        )  # fmt: skip


class _Grower:
    """Rows ranked once, from which forests are grown for any training and test rows."""

    def __init__(
        self, X: Floats, y: Ints, n_trees: int, max_features: Literal["sqrt"] | int, vote: Vote
    ) -> None:
        if n_trees < 1:
            raise invalid("n_trees", "at least 1", n_trees)
        features = X.shape[1]
        tried = int(np.sqrt(features)) if isinstance(max_features, str) else max_features
        if isinstance(max_features, str):
            require_choice(max_features, "max_features", ("sqrt",))
        if not 1 <= tried <= features:
            raise invalid("max_features", f"sqrt, or between 1 and {features}", max_features)
        self.hard = require_choice(vote, "vote", ("soft", "hard")) == "hard"
        self.ordered, self.columns = sorted_words(X)
        rows = (self.ordered & _ROW).astype(np.int64)
        self.places = np.empty_like(self.ordered)
        np.put_along_axis(self.places, rows, np.arange(len(X), dtype=np.uint32)[None, :], axis=1)
        self.y, self.n_trees, self.tried = y.astype(np.uint8), n_trees, tried

    def votes(
        self, trained: NDArray[np.bool_], tested: NDArray[np.bool_], n_classes: int,
        rng: np.random.Generator,
    ) -> Floats:  # fmt: skip
        """Return the mean vote of the trees for each class, one line a test row."""
        votes = np.zeros((len(self.y), n_classes))
        tests = np.flatnonzero(tested).astype(np.int32)
        seed = rng.integers(0, 2**64, dtype=np.uint64)
        _vote_trees(
            self.ordered, self.places, self.columns, self.y,
            np.flatnonzero(trained).astype(np.int32), tests.copy(), self.n_trees, self.tried, seed,
            self.hard, votes,
        )  # fmt: skip
        return votes[tests] / self.n_trees


def predict_folds(
    X: Floats,
    y_codes: Ints,
    folds: Codes,
    n_classes: int,
    *,
    rng: np.random.Generator,
    n_trees: int = 500,
    max_features: Literal["sqrt"] | int = "sqrt",
    vote: Vote = "soft",
) -> Codes:
    """Predict each row by a forest grown without the row's fold, for many runs.

    Parameters
    ----------
    X : array, shape (n, features)
        The rows, at most 65,536.
    y_codes : array of int
        Class of each row, 0 to `n_classes` - 1.
    folds : array of int16, shape (runs, n)
        Fold of each row; -1 for rows always trained on, -2 for unused rows.
    n_classes : int
        How many classes there are, at most 255.
    rng : numpy.random.Generator
        Source of one seed word a forest; the same state gives the same forests.
    n_trees : int
        Trees of a forest.
    max_features : "sqrt" or int
        Features tried at each node.
    vote : {"soft", "hard"}
        Whether trees vote by the class shares of their leaves, as in scikit-learn, or for one class,
        as in R's randomForest. Ties go to the smallest class.

    Returns
    -------
    array of int16, shape (runs, n)
        Predicted classes; -1 for rows not tested.

    Examples
    --------
    >>> X = np.array([[0.0], [0.2], [0.1], [5.0], [5.3], [5.1]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> folds = np.array([[0, 1, -1, 0, 1, -1]], np.int16)
    >>> predict_folds(X, y, folds, 2, rng=np.random.default_rng(0), n_trees=50)
    array([[ 0,  0, -1,  1,  1, -1]], dtype=int16)
    """
    grower = _Grower(X, y_codes, n_trees, max_features, vote)
    out = np.full(folds.shape, TRAIN_ONLY, np.int16)
    for run, fold in enumerate(folds):
        for f in np.unique(fold[fold >= 0]):
            tested = fold == f
            votes = grower.votes((fold != f) & (fold != UNUSED), tested, n_classes, rng)
            out[run, tested] = votes.argmax(axis=1)
    return out


def vote_fractions(
    X_train: Floats,
    y: Ints,
    X_test: Floats,
    n_classes: int,
    *,
    rng: np.random.Generator,
    n_trees: int = 500,
    max_features: Literal["sqrt"] | int = "sqrt",
    vote: Vote = "soft",
) -> Floats:
    """Return the mean vote for each class, (tests, classes); parameters as in `predict_folds`."""
    rows = np.vstack((X_train, X_test))
    classes = np.concatenate((y, np.zeros(len(X_test), np.int64)))
    trained = np.arange(len(rows)) < len(y)
    grower = _Grower(rows, classes, n_trees, max_features, vote)
    return grower.votes(trained, ~trained, n_classes, rng)


def fit_predict(
    X_train: Floats,
    y: Ints,
    X_test: Floats,
    n_classes: int,
    *,
    rng: np.random.Generator,
    n_trees: int = 500,
    max_features: Literal["sqrt"] | int = "sqrt",
    vote: Vote = "soft",
) -> Codes:
    """Predict the test rows by one forest; parameters as in `predict_folds`."""
    votes = vote_fractions(
        X_train,
        y,
        X_test,
        n_classes,
        rng=rng,
        n_trees=n_trees,
        max_features=max_features,
        vote=vote,
    )
    return np.asarray(votes.argmax(axis=1), np.int16)
