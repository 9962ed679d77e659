"""The nearest neighbour in mixed tables as Weka's IBk with one neighbour finds it."""

import numpy as np

from replicast.arrays import Codes, Floats, Ints
from replicast.learners.mixed.classifier import MixedClassifier
from replicast.learners.mixed.table import MixedTable
from replicast.learners.neighbours.kernels import predict_folds, vote_rows
from replicast.learners.protocol import no_answers


class NearestNeighbour(MixedClassifier):
    """One nearest neighbour by Euclidean distance on columns scaled to their range.

    Predictions equal those of Weka's IBk with K = 1. All training rows at the smallest distance
    vote. As there, rows to predict widen the ranges for themselves and for later rows of the
    same call, so predictions may depend on the order of rows.

    Examples
    --------
    >>> NearestNeighbour().fit([[1.0], [1.2], [3.0], [3.3]], ["a", "a", "b", "b"]).predict([[2.9]])
    array(['b'], dtype='<U1')
    """

    def _learn(self, table: MixedTable, y: Ints, n_classes: int) -> None:  # noqa: ARG002  # every row is kept as it is
        self.training_table_, self.training_codes_ = table, y

    def _distributions(self, table: MixedTable) -> Floats:
        n_classes, n = len(self.classes_), len(self.training_codes_)
        stored = self.training_table_
        votes = vote_rows(
            stored.columns, stored.n_categories, self.training_codes_, table.columns, n_classes
        )
        voters = votes.sum(axis=1, keepdims=True)
        return np.asarray((votes + 1.0 / n) / (voters + n_classes / n))

    def predict_folds(self, X: MixedTable, y_codes: Ints, folds: Codes, n_classes: int) -> Codes:
        """Predict each row without its fold, as `protocol.FoldLearner` says; nothing is fitted."""
        result = no_answers(folds)
        predict_folds(X.columns, X.n_categories, y_codes, folds, n_classes, result)
        return result
