"""Support vector machines with a Gaussian kernel, refitted on every fold or resample.

The answers are those of `sklearn.svm.SVC` with ``shrinking=False``: the solver takes LIBSVM's steps
(see `working_set`), so decision values agree to about 1e-6. Shrinking, scikit-learn's default, sets
in after as many steps as there are training rows, at most 1000; from there on the paths may part.
They may also part, rarely, where a kernel value is rounded differently in its last place. Both then
stop within `tolerance` of the same solution, and only rows whose decision value is below about 1e-3
can be predicted differently. The same holds for resamples, where repeated rows are joined.

Features are scaled inside each fold by default. With ``scaling="once"``, which lets test rows take
part in the moments, or ``"none"``, and a fixed `gamma`, one kernel matrix serves all folds and
the work is halved. Kernel values need 4 n² bytes.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from replicast.errors import invalid, require_choice
from replicast.kernels.compiled import compiled
from replicast.learners.splits import TRAIN_ONLY, UNUSED
from replicast.learners.working_set import LANES, fill_nearby, fill_rows, solve

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Codes = NDArray[np.int16]
Flags = NDArray[np.bool_]
Scaling = Literal["fold", "once", "none"]
Gamma = Literal["scale", "auto"] | float

_ASKED = -1  # role of a row to predict; other roles are how often the row is trained on
_BY_VARIANCE = -1.0  # stands for gamma="scale"
_LINES = 32


@compiled
def _scales(
    X: Floats,
    counts: Codes,
    scale: bool,
    ddof: int,
    shift: Floats,
    stretch: Floats,
    mean: Floats,
    divisor: Floats,
) -> float:
    """Fill means and divisors of the features; return the variance of all scaled entries.

    The features as given by the user are X · stretch + shift.
    """
    features = X.shape[1]
    total = 0.0
    spread = np.zeros(features)
    mean[:] = 0.0
    for i in range(len(X)):
        if counts[i] > 0:
            weight = float(counts[i])
            total += weight
            for k in range(features):
                mean[k] += weight * X[i, k]
    for k in range(features):
        mean[k] /= total
    for i in range(len(X)):
        if counts[i] > 0:
            weight = float(counts[i])
            for k in range(features):
                spread[k] += weight * (X[i, k] - mean[k]) * (X[i, k] - mean[k])
    constant = 0
    epsilon = 2.0**-52
    for k in range(features):
        spread[k] /= total
        divisor[k] = np.sqrt(spread[k] * total / (total - ddof)) if total > 1 else 0.0
        tiny = total * mean[k] * epsilon
        if spread[k] <= total * epsilon * spread[k] + tiny * tiny:
            divisor[k] = 1.0
            constant += 1
    if ddof == 1 and constant > 0:  # e1071 then leaves all features as they are
        scale = False
    grand, squares = 0.0, 0.0
    for k in range(features):
        middle = 0.0
        if not scale:
            divisor[k] = 1.0 / stretch[k]
            middle = mean[k] * stretch[k] + shift[k]
        grand += middle / features
        squares += (spread[k] / (divisor[k] * divisor[k]) + middle * middle) / features
    return squares - grand * grand


@compiled
def _transform(
    X: Floats, mean: Floats, divisor: Floats, Z: Floats, columns: Floats, squares: Floats
) -> None:
    """Fill scaled rows, the same transposed, and their squared lengths."""
    squares[:] = 0.0
    for i in range(len(X)):
        for k in range(X.shape[1]):
            Z[i, k] = (X[i, k] - mean[k]) / divisor[k]
    for k in range(X.shape[1]):
        for i in range(len(X)):
            columns[k, i] = Z[i, k]
        for i in range(len(X)):
            squares[i] += columns[k, i] * columns[k, i]


@compiled
def _vote(
    y: Ints, roles: Codes, decision: Floats, positive: int, negative: int, votes: Codes
) -> None:
    for t in range(len(y)):
        if roles[t] == _ASKED:
            votes[t, positive if decision[t] > 0 else negative] += 1


@compiled
def _predict_jobs(
    X: Floats,
    shift: Floats,
    stretch: Floats,
    y: Ints,
    n_classes: int,
    roles: Codes,
    cost: float,
    gamma: float,
    scale: bool,
    ddof: int,
    shared: bool,
    tolerance: float,
    reference: Floats,
    reference_columns: Singles,
    reference_gamma: float,
    K: Singles,
    touched: Flags,
    out: Codes,
    decision: Floats,
) -> None:
    """Solve every pair of classes for each job (a line of roles) and let the pairs vote.

    `shared` says that `K` is filled and the same for all jobs. Otherwise the lines that earlier
    jobs touched are filled beforehand, from the `reference` kernel of all rows where that is near.
    """
    rows, features = X.shape
    padded = len(decision)
    mean, divisor, excess = np.zeros(features), np.ones(features), np.empty(features)
    Z, columns = np.empty((rows, features)), np.zeros((features, padded))
    squares, scratch, work = np.empty(padded), np.empty(padded), np.empty((_LINES, padded))
    signs, box = np.ones(padded), np.zeros(padded)
    votes, present = np.empty((rows, n_classes), np.int16), np.empty(n_classes, np.int64)
    for job in range(len(roles)):
        role = roles[job]
        if not shared:
            variance = _scales(X, role, scale, ddof, shift, stretch, mean, divisor)
            _transform(X, mean, divisor, Z, columns, squares)
            used_gamma = gamma
            if gamma == _BY_VARIANCE:
                used_gamma = 1.0 / (features * variance) if variance > 0 else 1.0
            likely = np.flatnonzero(touched)
            furthest = 0.0
            for k in range(features):
                excess[k] = used_gamma / (divisor[k] * divisor[k]) - reference_gamma
                furthest = max(furthest, abs(excess[k]))
            if furthest <= 0.1 * reference_gamma:
                fill_nearby(X, reference_columns, excess, likely, reference, K)
            else:
                fill_rows(Z, columns, squares, used_gamma, likely, work, scratch, K)
        else:
            used_gamma = gamma
        present[:] = 0
        for t in range(rows):
            if role[t] > 0:
                present[y[t]] = 1
        for t in range(rows):
            for c in range(n_classes):
                votes[t, c] = present[c] - 1
        for a in range(n_classes):
            for b in range(a + 1, n_classes):
                if present[a] == 0 or present[b] == 0:
                    continue
                for t in range(rows):
                    signs[t] = 1.0 if y[t] == a else -1.0
                    taken = role[t] > 0 and (y[t] == a or y[t] == b)
                    box[t] = cost * role[t] if taken else 0.0
                solve(Z, columns, squares, used_gamma, K, touched, signs, box, tolerance, decision)
                _vote(y, role, decision, a, b, votes)
        for t in range(rows):
            if role[t] == _ASKED:
                out[job, t] = np.argmax(votes[t])


class _Machine:
    """The rows in LIBSVM's order, class by class, and the room to solve jobs on them."""

    def __init__(
        self,
        X: Floats,
        y: Ints,
        n_classes: int,
        C: float,
        gamma: Gamma,
        scaling: Scaling,
        ddof: int,
        tolerance: float,
    ) -> None:
        if C <= 0:
            raise invalid("C", "positive", C)
        require_choice(scaling, "scaling", ("fold", "once", "none"))
        self.order = np.argsort(y, kind="stable")
        rows = np.ascontiguousarray(X[self.order], np.float64)
        n, features = rows.shape
        self.y, self.n_classes = y[self.order], n_classes
        self.C, self.ddof, self.tolerance = float(C), ddof, tolerance
        self.gamma, self.scale = _gamma_number(gamma, features), scaling == "fold"
        self.shared = not self.scale and self.gamma != _BY_VARIANCE
        variance, mean, divisor = _moments(rows, scaling != "none", ddof)
        self.X = (rows - mean) / divisor  # for "fold" only to keep the products small
        self.shift, self.stretch = mean, divisor
        if scaling == "once":
            self.shift, self.stretch = np.zeros(features), np.ones(features)
        near = self.gamma
        if near == _BY_VARIANCE:
            near = 1.0 / (features * variance) if variance > 0 else 1.0
        padded = -(-n // LANES) * LANES
        columns = np.zeros((features, padded))
        columns[:, :n] = self.X.T
        kernel = np.zeros((n, padded), np.float32 if self.shared else np.float64)
        fill_rows(
            self.X, columns, (columns * columns).sum(axis=0), near, np.arange(n),
            np.empty((_LINES, padded)), np.empty(padded), kernel,
        )  # fmt: skip
        self.decision = np.zeros(padded)
        self.touched = np.full(n, self.shared)
        self.K = kernel if self.shared else np.zeros((n, padded), np.float32)
        self.reference = kernel if not self.shared else np.zeros((1, 1))
        self.columns, self.reference_gamma = columns.astype(np.float32), near

    def predict(self, roles: Codes) -> Codes:
        """Predict the asked rows of each job; roles and answers are in the order given."""
        out = np.full(roles.shape, TRAIN_ONLY, np.int16)
        _predict_jobs(
            self.X, self.shift, self.stretch, self.y, self.n_classes,
            np.ascontiguousarray(roles[:, self.order]), self.C, self.gamma, self.scale, self.ddof,
            self.shared, self.tolerance,
            self.reference, self.columns, self.reference_gamma,
            self.K, self.touched, out, self.decision,
        )  # fmt: skip
        answers = np.empty_like(out)
        answers[:, self.order] = out
        return answers


def _moments(X: Floats, scale: bool, ddof: int) -> tuple[float, Floats, Floats]:
    """Return the variance of the scaled entries, and the means and divisors of the features."""
    mean, divisor = np.empty(X.shape[1]), np.empty(X.shape[1])
    zero, one, once = np.zeros(X.shape[1]), np.ones(X.shape[1]), np.ones(len(X), np.int16)
    variance = _scales(X, once, scale, ddof, zero, one, mean, divisor)
    return variance, mean, divisor


def _gamma_number(gamma: Gamma, features: int) -> float:
    if isinstance(gamma, str):
        return (
            _BY_VARIANCE
            if require_choice(gamma, "gamma", ("scale", "auto")) == "scale"
            else (1.0 / features)
        )
    if gamma <= 0:
        raise invalid("gamma", "scale, auto or a positive number", gamma)
    return float(gamma)


def predict_folds(
    X: Floats,
    y_codes: Ints,
    folds: Codes,
    n_classes: int,
    *,
    C: float = 1.0,
    gamma: Gamma = "scale",
    scaling: Scaling = "fold",
    ddof: int = 0,
    tolerance: float = 1e-3,
) -> Codes:
    """Predict each row by the machine trained without the row's fold, for many runs.

    Parameters
    ----------
    X : array, shape (n, features)
        The rows.
    y_codes : array of int
        Class of each row, 0 to `n_classes` - 1.
    folds : array of int16, shape (runs, n)
        Fold of each row; -1 for rows always trained on, -2 for unused rows.
    n_classes : int
        How many classes there are; more than two are solved one against one.
    C, gamma, tolerance
        As in `sklearn.svm.SVC`.
    scaling : {"fold", "once", "none"}
        Scale features with the moments of each training set, of all rows once, or not at all.
    ddof : {0, 1}
        Divisor of the variances less than the count by this: 0 as in scikit-learn's
        StandardScaler, 1 as in R's e1071, which scales nothing if a feature is constant.

    Returns
    -------
    array of int16, shape (runs, n)
        Predicted classes; -1 for rows not tested.

    Examples
    --------
    >>> X = np.array([[0.0], [0.2], [0.1], [5.0], [5.3], [5.1]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> predict_folds(X, y, np.array([[0, 1, -1, 0, 1, -1]], np.int16), 2)
    array([[ 0,  0, -1,  1,  1, -1]], dtype=int16)
    """
    machine = _Machine(X, y_codes, n_classes, C, gamma, scaling, ddof, tolerance)
    out = np.full(folds.shape, TRAIN_ONLY, np.int16)
    for run, fold in enumerate(folds):
        numbers = np.unique(fold[fold >= 0])
        asked = fold == numbers[:, None]
        trained = np.where(fold == UNUSED, 0, 1)
        answers = machine.predict(np.where(asked, _ASKED, trained).astype(np.int16))
        for tested, answer in zip(asked, answers, strict=True):
            out[run, tested] = answer[tested]
    return out


def bootstrap_fit_predict(
    X_train: Floats,
    y: Ints,
    X_test: Floats,
    train_counts: NDArray[np.integer],
    n_classes: int,
    *,
    C: float = 1.0,
    gamma: Gamma = "scale",
    scaling: Scaling = "fold",
    ddof: int = 0,
    tolerance: float = 1e-3,
) -> Codes:
    """Predict the test rows after training on resampled rows, for many resamples.

    `train_counts` (resamples, n) says how often each training row is drawn. A row drawn c times is
    one row whose multiplier may reach c·C, which has the same solution as c equal rows. Other
    parameters as in `predict_folds`; ``scaling="once"`` takes the moments of `X_train`.

    Returns
    -------
    array of int16, shape (resamples, tests)
        Predicted classes.
    """
    machine, counts = _with_tests(
        X_train, y, X_test, train_counts, n_classes, C, gamma, scaling, ddof, tolerance
    )
    return machine.predict(counts)[:, len(y) :]


def _with_tests(
    X_train: Floats,
    y: Ints,
    X_test: Floats,
    train_counts: NDArray[np.integer],
    n_classes: int,
    C: float,
    gamma: Gamma,
    scaling: Scaling,
    ddof: int,
    tolerance: float,
) -> tuple[_Machine, Codes]:
    """Return a machine on the training rows followed by the test rows, and the roles of all."""
    if scaling == "once":
        _, mean, divisor = _moments(np.ascontiguousarray(X_train), True, ddof)
        X_train, X_test, scaling = (X_train - mean) / divisor, (X_test - mean) / divisor, "none"
    rows = np.vstack((X_train, X_test))
    # test rows get the last class only to have a place in the order
    classes = np.concatenate((y, np.full(len(X_test), n_classes - 1)))
    roles = np.full((len(train_counts), len(rows)), _ASKED, np.int16)
    roles[:, : len(y)] = train_counts
    return _Machine(rows, classes, n_classes, C, gamma, scaling, ddof, tolerance), roles


def fit_predict(
    X_train: Floats,
    y: Ints,
    X_test: Floats,
    n_classes: int,
    *,
    C: float = 1.0,
    gamma: Gamma = "scale",
    scaling: Scaling = "fold",
    ddof: int = 0,
    tolerance: float = 1e-3,
) -> Codes:
    """Predict the test rows after training once; parameters as in `predict_folds`."""
    machine, roles = _with_tests(
        X_train, y, X_test, np.ones((1, len(y)), np.int16), n_classes, C, gamma, scaling, ddof,
        tolerance,
    )  # fmt: skip
    return machine.predict(roles)[0, len(y) :]


def decision_values(
    X_train: Floats,
    y: Ints,
    X_test: Floats,
    *,
    C: float = 1.0,
    gamma: Gamma = "scale",
    scaling: Scaling = "fold",
    ddof: int = 0,
    tolerance: float = 1e-3,
) -> Floats:
    """Return the decision values of the test rows, positive for class 1 of the classes 0 and 1."""
    machine, roles = _with_tests(
        X_train, y, X_test, np.ones((1, len(y)), np.int16), 2, C, gamma, scaling, ddof, tolerance
    )
    machine.predict(roles)
    values = np.empty(len(machine.order))
    values[machine.order] = -machine.decision[: len(values)]
    return values[len(y) :]
