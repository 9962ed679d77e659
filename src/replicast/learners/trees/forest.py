"""Random forests for studies: the distribution of scikit-learn's forests, not their random stream.

Each tree is grown full on a bootstrap sample with the Gini criterion, trying a random subset of the
features at each node. Features are ranked once for all trees. Branches that no test row reaches are
not grown. Use it where forests are simulated; it does not reproduce a user's own forest.
"""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from replicast.arrays import Bools, Codes, Floats, Ints
from replicast.errors import invalid, require_choice
from replicast.learners.protocol import each_fold, no_answers
from replicast.learners.trees.cuts import table_of
from replicast.learners.trees.decision import sorted_words
from replicast.learners.trees.growing import vote_trees

Vote = Literal["soft", "hard"]

_MOST_ROWS = 1 << 15  # places fit into 16 bits


def voter(
    X: Floats,
    y_codes: Ints,
    n_classes: int,
    rng: np.random.Generator,
    *,
    n_trees: int = 500,
    max_features: Literal["sqrt"] | int = "sqrt",
    vote: Vote = "soft",
) -> Callable[[Bools, Bools], Floats]:
    """Rank the rows once; return what answers for test rows how the trees of a forest vote.

    It is asked by training rows and test rows, and returns the mean vote for each class, one line a
    test row.

    Parameters
    ----------
    X, y_codes, n_classes
        At most 32,768 rows and 255 classes.
    rng : numpy.random.Generator
        Source of one seed word a forest; the same state gives the same forests.
    n_trees : int
        Trees of a forest.
    max_features : "sqrt" or int
        Features tried at each node.
    vote : {"soft", "hard"}
        Whether trees vote by the class shares of their leaves, as in scikit-learn, or for one class,
        as in R's randomForest.
    """
    if n_trees < 1:
        raise invalid("n_trees", "at least 1", n_trees)
    if len(X) > _MOST_ROWS:
        raise invalid("X", f"at most {_MOST_ROWS} rows", f"{len(X)} rows")
    features = X.shape[1]
    tried = int(np.sqrt(features)) if isinstance(max_features, str) else max_features
    if max_features not in ("sqrt", tried) or not 1 <= tried <= features:
        raise invalid("max_features", f"sqrt, or between 1 and {features}", max_features)
    hard = require_choice(vote, "vote", ("soft", "hard")) == "hard"
    ordered, columns = sorted_words(X)
    table, classes = table_of(ordered, columns), y_codes.astype(np.uint8)

    def votes_of(trained: Bools, tested: Bools) -> Floats:
        votes = np.zeros((len(X), n_classes))
        tests = np.flatnonzero(tested).astype(np.int32)
        vote_trees(
            ordered, table, classes, np.flatnonzero(trained).astype(np.int32), tests.copy(),
            n_trees, tried, rng.integers(0, 2**64, dtype=np.uint64), hard, votes,
        )  # fmt: skip
        return votes[tests] / n_trees

    return votes_of


def predict_folds(
    X: Floats, y_codes: Ints, folds: Codes, n_classes: int, *, rng: np.random.Generator,
    **options: Any,
) -> Codes:  # fmt: skip
    """Predict each row by a forest grown without its fold, as `protocol.FoldLearner` says.

    Options are those of `voter`; ties go to the smallest class.

    Examples
    --------
    >>> X = np.array([[0.0], [0.2], [0.1], [5.0], [5.3], [5.1]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> folds = np.array([[0, 1, 2, 0, 1, 2]], np.int16)
    >>> predict_folds(X, y, folds, 2, rng=np.random.default_rng(0), n_trees=50)
    array([[0, 0, 0, 1, 1, 1]], dtype=int16)
    """
    votes_of = voter(X, y_codes, n_classes, rng, **options)
    out = no_answers(folds)
    for run, trained, tested in each_fold(folds):
        out[run, tested] = votes_of(trained, tested).argmax(axis=1)
    return out
