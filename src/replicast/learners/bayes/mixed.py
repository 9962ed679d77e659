"""Naive Bayes for mixed tables as Weka's NaiveBayes computes it."""

import numpy as np

from replicast.arrays import Codes, Floats, Ints
from replicast.learners.bayes.kernels import distributions, empty_model, predict_folds, train
from replicast.learners.mixed.cases import prepared_cases
from replicast.learners.mixed.classifier import MixedClassifier
from replicast.learners.mixed.table import MixedTable
from replicast.learners.protocol import no_answers


class MixedNaiveBayes(MixedClassifier):
    """Naive Bayes: Laplace counts for nominal columns, rounded normals for numeric ones.

    Predictions equal those of Weka's NaiveBayes with its defaults. A missing cell is skipped.

    Examples
    --------
    >>> MixedNaiveBayes().fit([[1.0], [1.2], [3.0], [3.3]], ["a", "a", "b", "b"]).predict([[2.9]])
    array(['b'], dtype='<U1')
    """

    def _learn(self, table: MixedTable, y: Ints, n_classes: int) -> None:
        cases = prepared_cases(table, y, n_classes)
        self.model_ = empty_model(cases, n_classes)
        counts = np.bincount(cases.cells.ravel(), minlength=cases.n_cells)
        train(cases, np.ones(len(y), np.bool_), counts, self.model_)

    def _distributions(self, table: MixedTable) -> Floats:
        rows = np.arange(len(table))
        return distributions(self.model_, table.columns, table.n_categories, rows)

    def predict_folds(self, X: MixedTable, y_codes: Ints, folds: Codes, n_classes: int) -> Codes:
        """Predict each row without its fold, as `protocol.FoldLearner` says; nothing is fitted."""
        cases = prepared_cases(X, y_codes, n_classes)
        result = no_answers(folds)
        predict_folds(cases, folds, empty_model(cases, n_classes), result)
        return result
