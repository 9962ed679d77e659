"""Naive Bayes for mixed tables as Weka's NaiveBayes computes it."""

import numpy as np

from replicast.arrays import Codes, Floats, Ints
from replicast.kernels.compiled import compiled
from replicast.learners.bayes.kernels import (
    BayesModel,
    distributions,
    empty_model,
    predict_folds,
    predict_rows,
    tally,
    train,
)
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
        self.model_ = _model(table.columns, table.n_categories, table.order, y, n_classes)

    def _distributions(self, table: MixedTable) -> Floats:
        rows = np.arange(len(table))
        return distributions(self.model_, table.columns, table.n_categories, rows)

    def _predict_folds(self, table: MixedTable, y: Ints, folds: Codes, n_classes: int) -> Codes:
        result = no_answers(folds)
        _predict_folds(table.columns, table.n_categories, table.order, y, folds, n_classes, result)
        return result

    def _fit_predict(
        self, table: MixedTable, y: Ints, test_table: MixedTable, n_classes: int
    ) -> Codes:
        return _fit_predict(
            table.columns, table.n_categories, table.order, y, test_table.columns, n_classes
        )


@compiled
def _model(columns: Floats, n_categories: Ints, order: Ints, y: Ints, n_classes: int) -> BayesModel:
    cases = prepared_cases(columns, n_categories, order, y, n_classes)
    model = empty_model(cases, n_classes)
    counts = np.zeros(cases.n_cells, dtype=np.int64)
    rows = np.arange(len(y))
    tally(cases, rows, counts)
    train(cases, rows, counts, model)
    return model


@compiled
def _predict_folds(
    columns: Floats,
    n_categories: Ints,
    order: Ints,
    y: Ints,
    folds: Codes,
    n_classes: int,
    result: Codes,
) -> None:
    predict_folds(
        prepared_cases(columns, n_categories, order, y, n_classes), folds, n_classes, result
    )


@compiled
def _fit_predict(
    columns: Floats, n_categories: Ints, order: Ints, y: Ints, test_columns: Floats, n_classes: int
) -> Codes:
    model = _model(columns, n_categories, order, y, n_classes)
    n_test = test_columns.shape[1]
    result = np.empty(n_test, dtype=np.int16)
    predict_rows(model, test_columns, n_categories, np.arange(n_test), result)
    return result
