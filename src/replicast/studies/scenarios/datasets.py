"""Comparisons over datasets: Algorithm 2 of Berrar (2024), with its bootstrap, Algorithm 1."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Floats, Ints
from replicast.kernels.ranks import signed_rank_statistics, signed_rank_z
from replicast.learners.bayes import gaussian
from replicast.learners.svm import single
from replicast.studies.scenarios import Columns

# the learners of R's e1071: naive Bayes with n - 1 below and no smoothing; SVM with C = 1,
# gamma = 1/d, features scaled by the n - 1 standard deviation of the training rows
_BAYES: dict[str, Any] = {"ddof": 1, "var_smoothing": 0.0}
_SVM: dict[str, Any] = {"C": 1.0, "gamma": "auto", "ddof": 1}


class Drawn(NamedTuple):
    """One dataset: training and test rows of the same distribution and size."""

    X: Floats
    X_test: Floats
    y: Ints


def draw_dataset(start: int, i: int, datasets: int, rng: np.random.Generator) -> Drawn:
    """Draw dataset i of N: start + 10 i rows, i + 10 features, half of the rows positive."""
    rows, features, step = start + 10 * i, i + 10, datasets + 1 - i
    y = np.arange(rows) % 2
    parts = rng.normal(size=(2, rows, features))
    parts[:, y == 1] *= 1 + step / 50
    parts[:, y == 1] += 0.3 + step / 200
    return Drawn(parts[0], parts[1], y)


def growing_datasets(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> Columns:
    """Compare naive Bayes with an SVM over N datasets; `a` sets their sizes.

    The first `bootstrapped` experiments of each cell are also retrained on `resamples` resamples of
    all their training and test rows, for the standard deviation of Z.
    """
    start, datasets = int(levels["a"]), int(levels["datasets"])
    bootstrapped, resamples = int(levels["bootstrapped"]), int(levels["resamples"])
    differences = np.empty((len(replicates), datasets))
    retrained: list[Floats | None] = [None] * len(replicates)
    for row, replicate in enumerate(replicates):
        shaken = np.empty((resamples, datasets))
        for i in range(1, datasets + 1):
            drawn = draw_dataset(start, i, datasets, rng)
            bayes, svm = predict_both(drawn)
            differences[row, i - 1] = _gain(bayes, svm, drawn.y)
            if replicate < bootstrapped:
                shaken[:, i - 1] = _retrained_gains(drawn, resamples, rng)
        if replicate < bootstrapped:
            retrained[row] = signed_rank_z(*signed_rank_statistics(shaken.round(12)))
    return {"differences": list(differences.round(12)), "retrained_z": retrained}


def predict_both(drawn: Drawn) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return what naive Bayes and the SVM predict for the test rows."""
    X, X_test, y = drawn
    return (
        gaussian.fit_predict(X, y, X_test, 2, **_BAYES),
        single.fit_predict(X, y, X_test, 2, **_SVM),
    )


def _gain(first: NDArray[np.int16], second: NDArray[np.int16], y: Ints) -> float:
    """Return the difference in accuracy from the difference of the counts."""
    return float((first == y).sum() - (second == y).sum()) / len(y)


def _retrained_gains(drawn: Drawn, resamples: int, rng: np.random.Generator) -> Floats:
    """Return differences in accuracy after resampling training and test rows."""
    X, X_test, y = drawn
    rows = len(y)
    train, test = (rng.multinomial(rows, np.full(rows, 1 / rows), size=resamples) for _ in range(2))
    bayes = gaussian.bootstrap_fit_predict(X, y, X_test, train, 2, **_BAYES)
    svm = single.bootstrap_fit_predict(X, y, X_test, train, 2, **_SVM)
    gain = (bayes == y).astype(np.int64) - (svm == y)
    return np.asarray((gain * test).sum(axis=1) / rows)
