"""Gaussian naive Bayes on every fold at once: moments of all rows minus those of the fold.

The answers are those of `sklearn.naive_bayes.GaussianNB`, or with ``ddof=1, var_smoothing=0`` those
of naiveBayes in R's e1071. Rows whose classes are so close that round-off could decide are
refitted with scikit-learn, so that even exact ties are broken alike.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints
from replicast.errors import invalid
from replicast.learners.bayes.moments import predict_runs, predict_weighted
from replicast.learners.protocol import no_answers, trained_in


def _prepared(X: Floats, y: Ints, n_classes: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Return centred rows, rows less their class centre, class centres, and the centre.

    Moments about the class centres lose nothing by cancellation.
    """
    middle = X.mean(axis=0)
    centred = X - middle
    centres = np.zeros((n_classes, X.shape[1]))
    for c in range(n_classes):
        own = centred[y == c]
        if len(own):
            centres[c] = own.mean(axis=0)
    return centred, centred - centres[y], centres, middle


def _checked(var_smoothing: float, ddof: int) -> None:
    if var_smoothing < 0:
        raise invalid("var_smoothing", "zero or positive", var_smoothing)
    if ddof not in (0, 1):
        raise invalid("ddof", "0 (scikit-learn) or 1 (R's e1071)", ddof)


def _refitted(X: Floats, y: Ints, X_test: Floats, var_smoothing: float) -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB(var_smoothing=var_smoothing).fit(X, y).predict(X_test)


def predict_folds(
    X: Floats,
    y_codes: Ints,
    folds: Codes,
    n_classes: int,
    *,
    var_smoothing: float = 1e-9,
    ddof: int = 0,
) -> Codes:
    """Predict each row without its fold, as `protocol.FoldLearner` says.

    Parameters
    ----------
    X, y_codes, folds, n_classes
        As for every learner.
    var_smoothing : float
        Share of the largest variance that is added to all variances, as in scikit-learn.
    ddof : {0, 1}
        0: variances divided by the count, as in scikit-learn. 1: by the count less one, and the
        conventions of R's e1071 for zero spread and vanishing densities; use it with
        ``var_smoothing=0``. A class of one row then counts as having no spread.

    Examples
    --------
    >>> X = np.array([[0.0], [0.2], [0.1], [5.0], [5.3], [5.1]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> predict_folds(X, y, np.array([[0, 1, 2, 0, 1, 2]], np.int16), 2)
    array([[0, 0, 0, 1, 1, 1]], dtype=int16)
    """
    _checked(var_smoothing, ddof)
    centred, Z, centres, _ = _prepared(X, y_codes, n_classes)
    out = no_answers(folds)
    unsure = np.zeros(folds.shape, np.bool_)
    predict_runs(
        centred, Z, y_codes, folds, int(folds.max()) + 1, centres, var_smoothing, ddof, out, unsure
    )
    if ddof == 0 and unsure.any():
        for run in np.flatnonzero(unsure.any(axis=1)):
            for f in np.unique(folds[run, unsure[run]]):
                rows = unsure[run] & (folds[run] == f)
                train = trained_in(folds[run], f)
                out[run, rows] = _refitted(X[train], y_codes[train], X[rows], var_smoothing)
    return out


def bootstrap_fit_predict(
    X_train: Floats,
    y_codes: Ints,
    X_test: Floats,
    train_counts: NDArray[np.integer],
    n_classes: int,
    *,
    var_smoothing: float = 1e-9,
    ddof: int = 0,
) -> Codes:
    """Predict the test rows after training on resampled rows, for many resamples.

    `train_counts` (resamples, n) says how often each training row is drawn; refitting on repeated
    rows gives the same answers. Other parameters as in `predict_folds`.

    Returns
    -------
    array of int16, shape (resamples, tests)
        Predicted classes.
    """
    _checked(var_smoothing, ddof)
    _, Z, centres, middle = _prepared(X_train, y_codes, n_classes)
    weights = np.asarray(train_counts, np.int64)
    out = np.empty((len(weights), len(X_test)), np.int16)
    unsure = np.zeros(out.shape, np.bool_)
    predict_weighted(
        np.ascontiguousarray(X_test - middle), Z, y_codes, weights, centres, var_smoothing, ddof,
        out, unsure,
    )  # fmt: skip
    if ddof == 0:
        for b in np.flatnonzero(unsure.any(axis=1)):
            rows = np.repeat(np.arange(len(y_codes)), weights[b])
            out[b, unsure[b]] = _refitted(
                X_train[rows], y_codes[rows], X_test[unsure[b]], var_smoothing
            )
    return out
