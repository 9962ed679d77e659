"""Comparisons in 10-fold cross-validation: Algorithms 3 and 4 of Berrar (2024)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints
from replicast.kernels.splits import stratified_folds
from replicast.learners.svm import single
from replicast.learners.trees import forest
from replicast.studies.scenarios import Columns, add_record, empty_columns

_FOLDS = 10


def _draw(features: int, rows: int, rng: np.random.Generator) -> tuple[Floats, Ints, Codes]:
    """Draw two Gaussian classes 0.3 apart in every feature, and stratified folds of them."""
    y = np.arange(rows) % 2
    X = rng.normal(size=(rows, features))
    X[y == 1] += 0.3
    return X, y, stratified_folds(y, _FOLDS, 1, rng)


def _svm_wrong(X: Floats, y: Ints, folds: Codes) -> NDArray[np.bool_]:
    """Cross-validate the SVM of R's e1071, scaled in each training set, and say where it is wrong."""
    return np.asarray(single.predict_folds(X, y, folds, 2, gamma="auto", ddof=1)[0] != y)


def oracle(levels: Mapping[str, Any], replicates: range, rng: np.random.Generator) -> Columns:
    """Compare an SVM that is told q% of each fold's classes with the same SVM that is not."""
    rows, q = int(levels["rows"]), int(levels["q"])
    columns = empty_columns("differences", "first_only", "second_only")
    for _ in replicates:
        X, y, folds = _draw(int(levels["features"]), rows, rng)
        wrong = _wrong_by_fold(_svm_wrong(X, y, folds), folds[0])
        revealed = _revealed(wrong, rows // _FOLDS, q, rng)
        add_record(columns, revealed / (rows // _FOLDS), int(revealed.sum()), 0)
    return columns


def _wrong_by_fold(wrong: NDArray[np.bool_], fold: Codes) -> Ints:
    return np.bincount(fold[wrong], minlength=_FOLDS)


def _revealed(wrong: Ints, size: int, percent: int, rng: np.random.Generator) -> Ints:
    """Return how many wrong cases of each fold are among the revealed ones."""
    told = round(size * percent / 100)
    return rng.hypergeometric(wrong, size - wrong, told)


def svm_against_forest(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> Columns:
    """Compare an SVM with a random forest as the number of features grows."""
    rows, trees = int(levels["rows"]), int(levels["trees"])
    columns = empty_columns("differences", "first_only", "second_only")
    for _ in replicates:
        X, y, folds = _draw(int(levels["features"]), rows, rng)
        svm = ~_svm_wrong(X, y, folds)
        trees_right = (
            forest.predict_folds(X, y, folds, 2, rng=rng, n_trees=trees, vote="hard")[0] == y
        )
        gain = svm.astype(np.int64) - trees_right
        by_fold = np.bincount(folds[0], weights=gain, minlength=_FOLDS)
        shares = by_fold / np.bincount(folds[0], minlength=_FOLDS)
        add_record(columns, shares, int((gain > 0).sum()), int((gain < 0).sum()))
    return columns
