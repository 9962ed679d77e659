"""Support vector machines with a Gaussian kernel, refitted on every fold or resample.

The answers are those of `sklearn.svm.SVC` with ``shrinking=False``: the solver takes LIBSVM's steps
(see `solver`), so decision values agree to about 1e-6. Shrinking, scikit-learn's default, sets
in after as many steps as there are training rows, at most 1000, which takes a large `C` or much
overlap; from there on the paths may part. They may also part, rarely, where a kernel value is rounded
differently in its last place, and for resamples, where repeated rows are joined. Both then stop
within `tolerance` of the same solution: decision values differ by 1e-3 or so, and about one
prediction in 10,000 differs, of a row with a decision value below 1e-3.

Features are scaled inside each fold by default. With ``scaling="none"`` and a fixed `gamma`, one
kernel matrix serves all folds and the work is halved. Kernel values need 4 n² bytes, or 12 n² where
folds have kernels of their own.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints
from replicast.learners.protocol import UNUSED, no_answers
from replicast.learners.svm.jobs import ASKED, Memory, Reference, Rule, Task, predict_jobs
from replicast.learners.svm.kernel_rows import LANES, LINES, fill_rows
from replicast.learners.svm.settings import BY_VARIANCE, Settings, gamma_for, moments


class _Machine:
    """The rows in LIBSVM's order, class by class, and the room to solve jobs on them."""

    def __init__(self, X: Floats, y: Ints, n_classes: int, settings: Settings) -> None:
        self.order = np.argsort(y, kind="stable")
        rows = np.ascontiguousarray(X[self.order], np.float64)
        n, features = rows.shape
        self.y, self.n_classes = y[self.order], n_classes
        self.gamma, self.settings = settings.gamma_of(features), settings
        self.scale = settings.scaling == "fold"
        self.shared = not self.scale and self.gamma != BY_VARIANCE
        variance, mean, divisor = moments(rows, self.scale, settings.ddof)
        self.X = (rows - mean) / divisor  # for "fold" only to keep the products small
        self.shift, self.stretch = mean, divisor
        near = gamma_for(self.gamma, features, variance)
        padded = -(-n // LANES) * LANES
        columns = np.zeros((features, padded))
        columns[:, :n] = self.X.T
        kernel = np.zeros((n, padded), np.float32 if self.shared else np.float64)
        fill_rows(
            self.X, columns, (columns * columns).sum(axis=0), near, np.arange(n),
            np.empty((LINES, padded)), np.empty(padded), kernel,
        )  # fmt: skip
        self.decision = np.zeros(padded)
        self.likely = np.full(n, self.shared)
        self.K = kernel if self.shared else np.zeros((n, padded), np.float32)
        self.reference = kernel if not self.shared else np.zeros((1, 1))
        self.columns, self.reference_gamma = columns.astype(np.float32), near

    def predict(self, roles: Codes) -> Codes:
        """Predict the asked rows of each job; roles and answers are in the order given."""
        out = no_answers(roles)
        tolerance, ddof = self.settings.tolerance, self.settings.ddof
        predict_jobs(
            Task(self.X, self.shift, self.stretch, self.y, self.n_classes),
            np.ascontiguousarray(roles[:, self.order]),
            Rule(float(self.settings.C), self.gamma, tolerance, self.scale, ddof, self.shared),
            Reference(self.reference, self.columns, self.reference_gamma),
            Memory(self.K, self.likely, self.decision),
            out,
        )
        answers = np.empty_like(out)
        answers[:, self.order] = out
        return answers


def predict_folds(X: Floats, y_codes: Ints, folds: Codes, n_classes: int, **options: Any) -> Codes:
    """Predict each row without its fold, as `protocol.FoldLearner` says.

    Parameters
    ----------
    X, y_codes, folds, n_classes
        As for every learner; more than two classes are solved one against one.
    **options
        See `settings.Settings`.

    Examples
    --------
    >>> X = np.array([[0.0], [0.2], [0.1], [5.0], [5.3], [5.1]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> predict_folds(X, y, np.array([[0, 1, 2, 0, 1, 2]], np.int16), 2)
    array([[0, 0, 0, 1, 1, 1]], dtype=int16)
    """
    machine = _Machine(X, y_codes, n_classes, Settings(**options))
    out = no_answers(folds)
    for run, fold in enumerate(folds):
        numbers = np.unique(fold[fold >= 0])
        asked = fold == numbers[:, None]
        trained = np.where(fold == UNUSED, 0, 1)
        answers = machine.predict(np.where(asked, ASKED, trained).astype(np.int16))
        for tested, answer in zip(asked, answers, strict=True):
            out[run, tested] = answer[tested]
    return out


def bootstrap_fit_predict(
    X_train: Floats,
    y_codes: Ints,
    X_test: Floats,
    train_counts: NDArray[np.integer],
    n_classes: int,
    **options: Any,
) -> Codes:
    """Predict the test rows after training on resampled rows, (resamples, tests).

    `train_counts` (resamples, n) says how often each training row is drawn. A row drawn c times is
    one row whose multiplier may reach c·C, which has the same solution as c equal rows.
    """
    machine, roles = _with_tests(X_train, y_codes, X_test, train_counts, n_classes, **options)
    return machine.predict(roles)[:, len(y_codes) :]


def decision_values(X_train: Floats, y_codes: Ints, X_test: Floats, **options: Any) -> Floats:
    """Return the decision values of the test rows, positive for class 1 of the classes 0 and 1."""
    once = np.ones((1, len(y_codes)), np.int16)
    machine, roles = _with_tests(X_train, y_codes, X_test, once, 2, **options)
    machine.predict(roles)
    values = np.empty(len(machine.order))
    values[machine.order] = -machine.decision[: len(values)]
    return values[len(y_codes) :]


def _with_tests(
    X_train: Floats,
    y_codes: Ints,
    X_test: Floats,
    train_counts: NDArray[np.integer],
    n_classes: int,
    **options: Any,
) -> tuple[_Machine, Codes]:
    """Return a machine on the training rows followed by the test rows, and the roles of all."""
    rows = np.vstack((X_train, X_test))
    # test rows get the last class only to have a place in the order
    classes = np.concatenate((y_codes, np.full(len(X_test), n_classes - 1)))
    roles = np.full((len(train_counts), len(rows)), ASKED, np.int16)
    roles[:, : len(y_codes)] = train_counts
    return _Machine(rows, classes, n_classes, Settings(**options)), roles
