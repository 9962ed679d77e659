"""Comparisons over datasets: Algorithm 2 of Berrar (2024), with its bootstrap, Algorithm 1."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from replicast.arrays import Codes, Floats, Ints
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
            once = np.ones((1, len(drawn.y)), np.int64)
            differences[row, i - 1] = _gains(drawn, once, once)[0]
            if replicate < bootstrapped:
                n = len(drawn.y)
                train, test = (
                    rng.multinomial(n, np.full(n, 1 / n), size=resamples) for _ in range(2)
                )
                shaken[:, i - 1] = _gains(drawn, train, test)
        if replicate < bootstrapped:
            retrained[row] = signed_rank_z(*signed_rank_statistics(shaken.round(12)))
    return {"differences": list(differences.round(12)), "retrained_z": retrained}


def predict_both(drawn: Drawn, train: Ints) -> tuple[Codes, Codes]:
    """Return what naive Bayes and the SVM predict for the test rows, (resamples, tests)."""
    X, X_test, y = drawn
    return (
        gaussian.bootstrap_fit_predict(X, y, X_test, train, 2, **_BAYES),
        single.bootstrap_fit_predict(X, y, X_test, train, 2, **_SVM),
    )


def _gains(drawn: Drawn, train: Ints, test: Ints) -> Floats:
    """Return differences in accuracy with rows as often as `train` and `test` say, a line each."""
    first, second = predict_both(drawn, train)
    gain = (first == drawn.y).astype(np.int64) - (second == drawn.y)
    return np.asarray((gain * test).sum(axis=1) / len(drawn.y))
