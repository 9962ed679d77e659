"""What the classifiers for mixed tables share: coding of data and classes, the scikit-learn side."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from replicast.arrays import Codes, Floats, Ints
from replicast.learners.classes import class_codes
from replicast.learners.mixed.table import MixedTable


class MixedClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]  # untyped bases
    """A classifier that takes data frames with nominal columns and missing cells as they are."""

    classes_: NDArray[Any]
    n_features_in_: int
    table_: MixedTable

    def fit(self, X: object, y: object) -> Self:
        """Learn from a data frame, a numeric array or a `MixedTable`, and a class for each row."""
        self._check_parameters()
        table = MixedTable.of(X)
        self.classes_, codes = class_codes(y, len(table))
        self.n_features_in_ = table.n_columns
        if table.names is not None and all(isinstance(name, str) for name in table.names):
            self.feature_names_in_ = np.array(table.names, dtype=object)
        self._learn(table, codes, len(self.classes_))
        # Only the attributes are needed to code new rows, not the training rows.
        self.table_ = table.take(np.arange(0))
        return self

    def predict_proba(self, X: object) -> Floats:
        """Return the class distribution of each row, classes in the order of `classes_`."""
        check_is_fitted(self)
        return self._distributions(self.table_.code_like(X))

    def predict(self, X: object) -> NDArray[Any]:
        """Return the class of each row."""
        chosen = self._chosen(self.predict_proba(X))
        return self.classes_[chosen]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def _check_parameters(self) -> None:
        """Raise if a parameter lies outside its domain."""

    @abstractmethod
    def _learn(self, table: MixedTable, y: Ints, n_classes: int) -> None:
        """Take in the training table."""

    @abstractmethod
    def _distributions(self, table: MixedTable) -> Floats:
        """Return the class distribution of each row."""

    def _chosen(self, distributions: Floats) -> Ints:
        return np.asarray(distributions.argmax(axis=1), dtype=np.int64)

    @abstractmethod
    def predict_folds(self, X: MixedTable, y_codes: Ints, folds: Codes, n_classes: int) -> Codes:
        """Predict each row without its fold, as `protocol.FoldLearner` says; nothing is fitted."""
