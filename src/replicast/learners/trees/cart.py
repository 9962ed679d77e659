"""A classification tree whose ties do not depend on a random state."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from replicast.learners.protocol import fit_predict
from replicast.learners.trees import decision


class CartClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # untyped bases
    """Grow a CART tree (Gini, best split), taking the first feature among equally good ones.

    The tree of `sklearn.tree.DecisionTreeClassifier`, which leaves such ties to its random state; here
    the answer is always the same, so cross-validation can share work between folds. Only the
    branches that predicted rows reach are grown, when they are asked for.

    Parameters
    ----------
    max_depth, min_samples_leaf, min_samples_split
        As in scikit-learn.

    Examples
    --------
    >>> from replicast.learners import CartClassifier
    >>> CartClassifier().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]).predict([[1.4]])
    array(['a'], dtype='<U1')
    """

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        min_samples_split: int = 2,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_samples_split = min_samples_split

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Keep the training rows; branches grow when rows are predicted."""
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self.rows_, self.codes_ = rows, codes.astype(np.int64)
        return self

    def predict(self, X: ArrayLike) -> Any:
        """Return the class of each row."""
        check_is_fitted(self)
        rows = validate_data(self, X, reset=False, dtype=np.float64)
        classes, options = len(self.classes_), self.get_params()
        return self.classes_[
            fit_predict(decision.predict_folds, self.rows_, self.codes_, rows, classes, **options)
        ]
