"""The fold protocol for tables of numbers and names: what is asked is checked, then handed on."""

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Ints
from replicast.errors import invalid
from replicast.learners.mixed.classifier import MixedClassifier
from replicast.learners.mixed.table import MixedTable
from replicast.learners.protocol import UNUSED


def predict_folds(
    X: MixedTable,
    y_codes: NDArray[np.integer],
    folds: NDArray[np.integer],
    n_classes: int,
    *,
    learner: MixedClassifier,
) -> Codes:
    """Predict each row of a table without its fold, as `protocol.FoldLearner` says.

    The `learner` gives the settings; it is not fitted and not changed.

    Examples
    --------
    >>> from replicast.learners import MixedNaiveBayes
    >>> from replicast.learners.protocol import TRAIN_ONLY
    >>> table = MixedTable.from_codes(np.array([[0], [0], [0], [1], [1], [1]]), 2)
    >>> folds = np.array([[0, 1, TRAIN_ONLY, 0, 1, UNUSED]])
    >>> predict_folds(table, np.array([0, 0, 0, 1, 1, 1]), folds, 2, learner=MixedNaiveBayes())
    array([[ 0,  0, -1,  1,  1, -1]], dtype=int16)
    """
    _require_mixed(learner)
    y = _class_numbers(y_codes, len(X), n_classes)
    numbers = np.array(folds, dtype=np.int16)
    if numbers.ndim != 2 or numbers.shape[1] != len(X):
        raise invalid("folds", f"an array of shape (runs, {len(X)})", numbers.shape)
    if numbers.size and numbers.min() < UNUSED:
        raise invalid("folds", "fold numbers from 0, TRAIN_ONLY or UNUSED", f"{int(numbers.min())}")
    if _untrained(numbers).any():
        raise invalid(
            "folds",
            "at least two folds per run",
            "one fold that holds every row",
            "Leave rows to train on",
        )
    return learner._predict_folds(X, y, numbers, n_classes)


def fit_predict(
    X_train: MixedTable,
    y_codes: NDArray[np.integer],
    X_test: MixedTable,
    n_classes: int,
    *,
    learner: MixedClassifier,
) -> Codes:
    """Predict the rows of `X_test` after training once; both tables must be coded alike.

    Examples
    --------
    >>> from replicast.learners import MixedNaiveBayes
    >>> table = MixedTable.from_codes(np.array([[0, 1], [0, 0], [1, 1], [1, 0]]), 2)
    >>> fit_predict(table, np.array([0, 0, 1, 1]), table, 2, learner=MixedNaiveBayes())
    array([0, 0, 1, 1], dtype=int16)
    """
    _require_mixed(learner)
    numbers = _class_numbers(y_codes, len(X_train), n_classes)
    return learner._fit_predict(X_train, numbers, X_train.code_like(X_test), n_classes)


def _untrained(folds: Codes) -> NDArray[np.bool_]:
    """Say which runs have a fold that holds every row in use."""
    highest = folds.max(axis=1, keepdims=True, initial=UNUSED)
    return (((folds == highest) | (folds == UNUSED)).all(axis=1)) & (highest[:, 0] >= 0)


def _require_mixed(learner: object) -> None:
    if not isinstance(learner, MixedClassifier):
        domain = "a C45Classifier, MixedNaiveBayes or NearestNeighbour"
        raise invalid("learner", domain, type(learner).__name__)


def _class_numbers(y: NDArray[np.integer], n_rows: int, n_classes: int) -> Ints:
    numbers = np.array(y, dtype=np.int64)  # a copy: kernels compile anew for read-only arrays
    if numbers.shape != (n_rows,):
        raise invalid("y", f"one class number for each of the {n_rows} rows", numbers.shape)
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() < n_classes:
        raise invalid("y", f"class numbers from 0 to {n_classes - 1}", "others")
    return numbers
