"""The fold protocol: what every family of learners is asked, and what it answers.

A run of cross-validation is a line of codes, one for each row of the data: 0, 1, ... is the fold in
which the row is tested, `TRAIN_ONLY` marks a row that is always trained on, `UNUSED` one that takes no
part. The answer is a line of class codes, with `NOT_PREDICTED` for rows that are not tested.

A module that keeps the protocol has the function of `FoldLearner`; `fit_predict` makes one
fit of it. Those that can also train on rows drawn several times have
`bootstrap_fit_predict(X_train, y_codes, X_test, train_counts, n_classes)`.
"""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from replicast.arrays import Bools, Codes, Floats, Ints
from replicast.kernels.splits import TRAIN_ONLY, UNUSED

__all__ = [
    "NOT_PREDICTED", "TRAIN_ONLY", "UNUSED", "FoldLearner", "each_fold", "fit_predict", "no_answers",
    "trained_in",
]  # fmt: skip

NOT_PREDICTED = -1  # the answer for a row that was not asked


class FoldLearner(Protocol):
    """A family of learners, as its module or any object with this function."""

    def predict_folds(
        self, X: Any, y_codes: Ints, folds: Codes, n_classes: int, **options: Any
    ) -> Codes:
        """Predict each row by the learner trained without the row's fold, for many runs.

        The answers are those of refitting on every fold. A class may be absent from the training
        rows of a fold; it is then never predicted there.

        Parameters
        ----------
        X : array, shape (n, features), or MixedTable
            The rows.
        y_codes : array of int
            Class of each row, 0 to `n_classes` - 1.
        folds : array of int16, shape (runs, n)
            Fold of each row in each run, `TRAIN_ONLY` or `UNUSED`.
        n_classes : int
            How many classes there are, those without rows included.
        **options
            The settings of the learner, by keyword.

        Returns
        -------
        array of int16, shape (runs, n)
            Predicted classes; `NOT_PREDICTED` for rows not tested.
        """


def no_answers(folds: Codes) -> Codes:
    """Return room for the answers to `folds`, none of them given yet."""
    return np.full(folds.shape, NOT_PREDICTED, np.int16)


def fit_predict(
    predict_folds: Callable[..., Codes], X_train: Floats, y_codes: Ints, X_test: Floats, n_classes: int,
    **options: Any,
) -> Codes:  # fmt: skip
    """Predict the test rows after training once: they are the only fold, all others are trained on."""
    n = len(y_codes)
    folds = np.repeat(np.array([TRAIN_ONLY, 0], np.int16), [n, len(X_test)])[None]
    classes = np.concatenate((y_codes, np.zeros(len(X_test), np.int64)))
    rows = np.concatenate((X_train, X_test))
    return predict_folds(rows, classes, folds, n_classes, **options)[0, n:]


def trained_in(run: Codes, fold: int) -> Bools:
    """Say which rows of a run are trained on when `fold` is tested.

    Examples
    --------
    >>> trained_in(np.array([0, 1, TRAIN_ONLY, UNUSED], np.int16), 0)
    array([False,  True,  True, False])
    """
    return (run != fold) & (run != UNUSED)


def each_fold(folds: Codes) -> Iterator[tuple[int, Bools, Bools]]:
    """Yield the run of every fold, which rows are trained on, and which are tested."""
    for run, codes in enumerate(folds):
        for fold in np.unique(codes[codes >= 0]):
            yield run, trained_in(codes, fold), codes == fold
