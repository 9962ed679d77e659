"""Random forests for studies: the distribution of scikit-learn's forests, not their random stream.

Each tree is grown full on a bootstrap sample with the Gini criterion, trying a random subset of the
features at each node. Features are ranked once for all trees. Branches that no test row reaches are
not grown. Use it where forests are simulated; it does not reproduce a user's own forest.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints
from replicast.errors import invalid, require_choice
from replicast.learners.protocol import no_answers, trained_in
from replicast.learners.trees.cuts import table_of
from replicast.learners.trees.decision import sorted_words
from replicast.learners.trees.growing import vote_trees

Vote = Literal["soft", "hard"]

_MOST_ROWS = 1 << 15  # places fit into 16 bits


class _Grower:
    """Rows ranked once, from which forests are grown for any training and test rows."""

    def __init__(
        self, X: Floats, y: Ints, n_trees: int, max_features: Literal["sqrt"] | int, vote: Vote
    ) -> None:
        if n_trees < 1:
            raise invalid("n_trees", "at least 1", n_trees)
        if len(X) > _MOST_ROWS:
            raise invalid("X", f"at most {_MOST_ROWS} rows", f"{len(X)} rows")
        features = X.shape[1]
        tried = int(np.sqrt(features)) if isinstance(max_features, str) else max_features
        if isinstance(max_features, str):
            require_choice(max_features, "max_features", ("sqrt",))
        if not 1 <= tried <= features:
            raise invalid("max_features", f"sqrt, or between 1 and {features}", max_features)
        self.hard = require_choice(vote, "vote", ("soft", "hard")) == "hard"
        self.ordered, columns = sorted_words(X)
        self.table = table_of(self.ordered, columns)
        self.y, self.n_trees, self.tried = y.astype(np.uint8), n_trees, tried

    def votes(
        self, trained: NDArray[np.bool_], tested: NDArray[np.bool_], n_classes: int,
        rng: np.random.Generator,
    ) -> Floats:  # fmt: skip
        """Return the mean vote of the trees for each class, one line a test row."""
        votes = np.zeros((len(self.y), n_classes))
        tests = np.flatnonzero(tested).astype(np.int32)
        seed = rng.integers(0, 2**64, dtype=np.uint64)
        vote_trees(
            self.ordered, self.table, self.y, np.flatnonzero(trained).astype(np.int32), tests.copy(),
            self.n_trees, self.tried, seed, self.hard, votes,
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
    """Predict each row by a forest grown without its fold, as `protocol.FoldLearner` says.

    Parameters
    ----------
    X, y_codes, folds, n_classes
        As for every learner; at most 32,768 rows and 255 classes.
    rng : numpy.random.Generator
        Source of one seed word a forest; the same state gives the same forests.
    n_trees : int
        Trees of a forest.
    max_features : "sqrt" or int
        Features tried at each node.
    vote : {"soft", "hard"}
        Whether trees vote by the class shares of their leaves, as in scikit-learn, or for one class,
        as in R's randomForest. Ties go to the smallest class.

    Examples
    --------
    >>> X = np.array([[0.0], [0.2], [0.1], [5.0], [5.3], [5.1]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> folds = np.array([[0, 1, 2, 0, 1, 2]], np.int16)
    >>> predict_folds(X, y, folds, 2, rng=np.random.default_rng(0), n_trees=50)
    array([[0, 0, 0, 1, 1, 1]], dtype=int16)
    """
    grower = _Grower(X, y_codes, n_trees, max_features, vote)
    out = no_answers(folds)
    for run, fold in enumerate(folds):
        for f in np.unique(fold[fold >= 0]):
            tested = fold == f
            votes = grower.votes(trained_in(fold, f), tested, n_classes, rng)
            out[run, tested] = votes.argmax(axis=1)
    return out


def vote_fractions(
    X_train: Floats,
    y_codes: Ints,
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
    classes = np.concatenate((y_codes, np.zeros(len(X_test), np.int64)))
    trained = np.arange(len(rows)) < len(y_codes)
    grower = _Grower(rows, classes, n_trees, max_features, vote)
    return grower.votes(trained, ~trained, n_classes, rng)


def fit_predict(
    X_train: Floats,
    y_codes: Ints,
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
        y_codes,
        X_test,
        n_classes,
        rng=rng,
        n_trees=n_trees,
        max_features=max_features,
        vote=vote,
    )
    return np.asarray(votes.argmax(axis=1), np.int16)
