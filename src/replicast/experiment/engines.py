"""Two ways to the same predictions: refit every fold, or recognise the learner and reuse work."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints
from replicast.experiment.data import Problem
from replicast.experiment.scoring import Scorer
from replicast.learners.bayes import gaussian
from replicast.learners.mixed.classifier import MixedClassifier
from replicast.learners.mixed.table import MixedTable
from replicast.learners.neighbours import euclidean
from replicast.learners.protocol import NOT_PREDICTED, trained_in
from replicast.learners.svm import machine
from replicast.learners.trees import decision
from replicast.learners.trees.cart import CartClassifier

FastPredict = Callable[[Codes], Codes]

_MOST_TREE_ROWS = 65_536  # rows are coded in two bytes there


@dataclass(frozen=True)
class Failure:
    """A fit that did not succeed: where, and what the estimator said."""

    classifier: str
    dataset: str
    run: int
    fold: int
    message: str

    def __str__(self) -> str:
        place = f"{self.dataset}, run {self.run + 1}, fold {self.fold + 1}"
        return f"{self.classifier} on {place}: {self.message}"


@dataclass(frozen=True)
class Outcome:
    """What one model did: predictions (runs, rows), scores (runs, scorers, folds), failures."""

    predicted: Any
    scores: Floats | None
    failures: list[Failure]

    def correct(self, codes: NDArray[np.int64]) -> Floats:
        """Return 1 for right, 0 for wrong and NaN for not predicted, (runs, rows)."""
        return np.where(self.predicted == NOT_PREDICTED, np.nan, self.predicted == codes)


# --------------------------------------------------------------------------- recognised learners
def recognise(model: Any, problem: Problem) -> FastPredict | None:
    """Return a fast way to the model's cross-validated predictions, if the answers are the same."""
    codes, classes = problem.codes, len(problem.classes)
    if problem.target is not None or problem.weights is not None or _is_sparse_or_text(problem.X):
        return None
    if isinstance(model, MixedClassifier):
        table = MixedTable.of(problem.X)
        return lambda folds: model.predict_folds(table, codes, folds, classes)
    X = _plain_numbers(problem.X)
    if X is None:
        return None
    scaled, final = _unwrap(model)
    found = _fast_way(final, X, scaled=scaled)
    if found is None:
        return None
    predict_folds, options = found
    return lambda folds: predict_folds(X, codes, folds, classes, **options)


def _is_sparse_or_text(X: Any) -> bool:
    return (
        not isinstance(X, pd.DataFrame) and getattr(X, "ndim", 0) + (not hasattr(X, "toarray")) < 3
    )


def _plain_numbers(X: Any) -> Floats | None:
    """Return X as floats if it is complete and numeric in double precision or whole numbers."""
    kinds = list(X.dtypes) if isinstance(X, pd.DataFrame) else [X.dtype]
    if not all(isinstance(k, np.dtype) and (k == np.float64 or k.kind in "iu") for k in kinds):
        return None
    numbers = np.ascontiguousarray(X, dtype=np.float64)
    return numbers if np.isfinite(numbers).all() else None


def _unwrap(model: Any) -> tuple[bool, Any]:
    """Return whether a plain StandardScaler comes first, and the classifier itself."""
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler

    if type(model) is not Pipeline or len(model.steps) != 2 or model.memory is not None:
        return False, model
    scaler, final = model.steps[0][1], model.steps[1][1]
    if type(scaler) is StandardScaler and scaler.with_mean and scaler.with_std:
        return True, final
    return False, model


def _fast_way(
    model: Any, X: Floats, *, scaled: bool
) -> tuple[Callable[..., Codes], dict[str, Any]] | None:
    """Return the function that does what the model does on folds, and its options."""
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    kind = type(model)
    if kind is SVC and _is_plain(model, _PLAIN_SVC):
        return machine.predict_folds, _machine_options(model, scaled=scaled)
    if scaled:
        return None
    if kind is GaussianNB and model.priors is None:
        return gaussian.predict_folds, {"var_smoothing": model.var_smoothing}
    if kind is CartClassifier and len(X) <= _MOST_TREE_ROWS:
        return decision.predict_folds, model.get_params()
    if kind is KNeighborsClassifier and _has_plain_neighbours(model, X):
        return euclidean.predict_folds, {"k": model.n_neighbors}
    return None


_PLAIN_SVC = {"kernel": "rbf", "class_weight": None, "max_iter": -1, "break_ties": False}
_PLAIN_NEIGHBOURS = {"weights": "uniform", "p": 2, "metric_params": None}


def _is_plain(model: Any, plain: dict[str, Any]) -> bool:
    return all(getattr(model, key) == value for key, value in plain.items())


def _has_plain_neighbours(model: Any, X: Floats) -> bool:
    is_euclidean = model.metric in ("minkowski", "euclidean")
    return is_euclidean and _is_plain(model, _PLAIN_NEIGHBOURS) and _distinct_distances(X)


def _machine_options(model: Any, *, scaled: bool) -> dict[str, Any]:
    scaling = "fold" if scaled else "none"
    return {"C": model.C, "gamma": model.gamma, "tolerance": model.tol, "scaling": scaling}


_CHUNK = 256
_SAME_DISTANCE = 1e-13


def _distinct_distances(X: Floats) -> bool:
    """Say whether every row has its neighbours at different distances.

    Where two are equally far, scikit-learn's choice depends on its algorithm and thread count.
    """
    from scipy.spatial.distance import cdist

    for start in range(0, len(X), _CHUNK):
        squares = np.sort(cdist(X[start : start + _CHUNK], X, "sqeuclidean"), axis=1)[:, 1:]
        if (np.diff(squares, axis=1) <= _SAME_DISTANCE * squares[:, 1:]).any():
            return False
    return True


def recognise_resampling(model: Any, X: Floats) -> Callable[..., Codes] | None:
    """Return a fast way to predict after training on resampled rows, if the answers are the same.

    A row drawn c times is one row of weight c: moments are weighted, and the box of a support vector
    machine is c times as wide.
    """
    from sklearn.naive_bayes import GaussianNB
    from sklearn.svm import SVC

    if not np.isfinite(X).all():
        return None
    scaled, final = _unwrap(model)
    if type(final) is GaussianNB and not scaled and final.priors is None:
        return partial(gaussian.bootstrap_fit_predict, var_smoothing=final.var_smoothing)
    if type(final) is SVC and _is_plain(final, _PLAIN_SVC):
        return partial(machine.bootstrap_fit_predict, **_machine_options(final, scaled=scaled))
    return None


# --------------------------------------------------------------------------- refitting
def refit_run(
    model: Any,
    name: str,
    problem: Problem,
    run: int,
    folds: Codes,
    seed: int,
    scorers: Sequence[Scorer],
) -> tuple[Codes | Floats, Floats, list[Failure]]:
    """Fit a clone on every fold of one run; return predictions, scores (scorers, folds) and failures.

    Predictions are class codes, or numbers where numbers are predicted.
    """
    from sklearn.base import clone

    count = int(folds.max()) + 1
    classes = problem.target is None
    empty = NOT_PREDICTED if classes else np.nan
    predicted: Any = np.full(problem.n, empty, dtype=np.int16 if classes else np.float64)
    scores = np.full((len(scorers), count), np.nan)
    failures = []
    for fold in range(count):
        train, test = np.flatnonzero(trained_in(folds, fold)), np.flatnonzero(folds == fold)
        try:
            fresh = seeded(clone(model), seed, run, fold)
            predicted[test], scores[:, fold] = _fit_and_score(fresh, problem, train, test, scorers)
        except Exception as error:  # a user's estimator may raise anything; the record keeps it
            failures.append(Failure(name, problem.name, run, fold, _first_line(error)))
            predicted[test] = empty
    return predicted, scores, failures


def _fit_and_score(
    model: Any, problem: Problem, train: Ints, test: Ints, scorers: Sequence[Scorer]
) -> tuple[Any, list[float]]:
    """Fit a model; return class codes or numbers of the test rows, and what the scorers measure."""
    labels, weights = problem.labels, problem.weights
    weighed = {} if weights is None else {_weight_name(model): weights[train]}
    model.fit(problem.rows(train), labels[train], **weighed)
    rows = problem.rows(test)
    found = np.asarray(model.predict(rows))
    counted = {} if weights is None else {"sample_weight": weights[test]}
    measured = [float(scorer(model, rows, labels[test], **counted)) for scorer in scorers]
    if problem.target is not None:
        return found.ravel(), measured
    number = {label: code for code, label in enumerate(problem.classes)}
    return [number[label] for label in found.tolist()], measured


def _weight_name(model: Any) -> str:
    """Return what an estimator calls its weights: a pipeline gives them to its last step."""
    from sklearn.pipeline import Pipeline

    return (
        f"{model.steps[-1][0]}__sample_weight" if isinstance(model, Pipeline) else "sample_weight"
    )


def seeded(model: Any, seed: int, run: int, fold: int) -> Any:
    """Give every `random_state` that was left open a seed of its own, a function of the place."""
    if not hasattr(model, "get_params"):
        return model
    open_states = {
        key: int(np.random.SeedSequence([seed, run, fold]).generate_state(1)[0] % 2**31)
        for key, value in model.get_params().items()
        if key.split("__")[-1] == "random_state" and value is None
    }
    return model.set_params(**open_states) if open_states else model


def _first_line(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__
