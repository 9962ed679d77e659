"""Compiled cross-validation and train-and-test of the classifiers for mixed tables."""

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Ints
from replicast.errors import invalid
from replicast.learners.mixed.classifier import MixedClassifier
from replicast.learners.mixed.table import MixedTable

TRAINING_ONLY = -1


def predict_folds(
    learner: MixedClassifier,
    table: MixedTable,
    y_codes: NDArray[np.integer],
    folds: NDArray[np.integer],
    n_classes: int,
) -> Codes:
    """Return the class number predicted for each row by the learner trained without its fold.

    Parameters
    ----------
    learner : MixedClassifier
        Gives the settings; it is not fitted and not changed.
    table : MixedTable
        All rows.
    y_codes : array of shape (rows,)
        Class numbers 0 to n_classes - 1.
    folds : array of shape (runs, rows)
        The fold of each row in each run; rows marked -1 are always trained on, never tested.
    n_classes : int
        Number of classes, those that do not occur included.

    Returns
    -------
    array of int16, shape (runs, rows)
        Equal to what refitting fold by fold gives; -1 for rows never tested.
    """
    _require_mixed(learner)
    y = _class_numbers(y_codes, len(table), n_classes)
    numbers = np.array(folds, dtype=np.int16)
    if numbers.ndim != 2 or numbers.shape[1] != len(table):
        raise invalid("folds", f"an array of shape (runs, {len(table)})", numbers.shape)
    if numbers.size and numbers.min() < TRAINING_ONLY:
        raise invalid("folds", "fold numbers from 0, or -1 for training only", int(numbers.min()))
    if ((numbers == numbers[:, :1]).all(axis=1) & (numbers[:, 0] >= 0)).any():
        raise invalid(
            "folds",
            "at least two folds a run",
            "one fold that holds every row",
            "Leave rows to train on",
        )
    return learner._predict_folds(table, y, numbers, n_classes)


def fit_predict(
    learner: MixedClassifier,
    train_table: MixedTable,
    y: NDArray[np.integer],
    test_table: MixedTable,
    n_classes: int | None = None,
) -> Codes:
    """Return the class numbers of `test_table` after training on `train_table`.

    Both tables must be coded alike; `y` holds class numbers. The learner itself stays unfitted.

    Examples
    --------
    >>> from replicast.learners.bayes.mixed import MixedNaiveBayes
    >>> table = MixedTable.from_codes(np.array([[0, 1], [0, 0], [1, 1], [1, 0]]), 2)
    >>> fit_predict(MixedNaiveBayes(), table, np.array([0, 0, 1, 1]), table)
    array([0, 0, 1, 1], dtype=int16)
    """
    _require_mixed(learner)
    classes = int(np.max(y, initial=0)) + 1 if n_classes is None else n_classes
    numbers = _class_numbers(y, len(train_table), classes)
    return learner._fit_predict(train_table, numbers, train_table.code_like(test_table), classes)


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
