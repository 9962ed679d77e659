"""Experiments on the UCI datasets: replicability of tests, and special cases of p and effect size."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from replicast import datasets
from replicast.arrays import Codes, Floats
from replicast.experiment.data import Problem, prepare
from replicast.experiment.partitions import fold_accuracy
from replicast.kernels.splits import random_splits, stratified_folds
from replicast.learners import C45Classifier, MixedNaiveBayes, NearestNeighbour
from replicast.learners.bayes import gaussian
from replicast.learners.mixed.folds import predict_folds
from replicast.learners.mixed.table import MixedTable
from replicast.learners.neighbours import euclidean
from replicast.learners.svm import machine
from replicast.learners.trees import forest
from replicast.replicability.procedures import FOLDS, TEST_SHARE
from replicast.studies.scenarios import Columns

PAIRS = (("naive-bayes", "c45"), ("naive-bayes", "nearest"), ("c45", "nearest"))


def load(name: str) -> Problem:
    """Return a dataset that comes along, or an ARFF file of the user's own."""
    found = datasets.load_file(name) if name.endswith(".arff") else datasets.load(name)
    return prepare(found.X, found.y, found.name)


# --------------------------------------------------------------------------- replicability
def uci_replicability(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> Columns:
    """Repeat every comparison of three learners on one dataset with new partitions.

    A replicate is one repetition; it has a record for each pair of learners, with the differences of
    `runs` runs of 10-fold cross-validation, `splits` random splits and five runs of 2-fold.
    """
    problem = load(str(levels["dataset"]))
    table = MixedTable.of(problem.X)
    learners = {
        "naive-bayes": MixedNaiveBayes(), "c45": C45Classifier(), "nearest": NearestNeighbour()
    }  # fmt: skip
    n_test = max(1, round(problem.n / TEST_SHARE))
    columns: Columns = {
        name: [] for name in ("replicate", "first", "second", "rows", "folds", "splits", "halves")
    }
    for replicate in replicates:
        partitions = (
            stratified_folds(problem.codes, FOLDS, int(levels["runs"]), rng),
            random_splits(problem.codes, int(levels["splits"]), problem.n - n_test, n_test, rng),
            stratified_folds(problem.codes, 2, 5, rng),
        )
        accuracy = {
            name: [_accuracies(learner, table, problem, folds) for folds in partitions]
            for name, learner in learners.items()
        }
        for first, second in PAIRS:
            parts = [
                (a - b).round(12) for a, b in zip(accuracy[first], accuracy[second], strict=True)
            ]
            values = (replicate, first, second, problem.n, *parts)
            for name, value in zip(columns, values, strict=True):
                columns[name].append(value)
    return columns


def _accuracies(learner: Any, table: MixedTable, problem: Problem, folds: Codes) -> Floats:
    found = predict_folds(table, problem.codes, folds, len(problem.classes), learner=learner)
    return fold_accuracy(found, problem.codes, folds).ravel()


# --------------------------------------------------------------------------- special cases
def special_cases(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> Columns:
    """Cross-validate six learners once with `folds` folds; a record holds one learner's accuracies.

    Nominal attributes become one column a category, missing values the mean or a column of their own;
    features are standardised in each training set for the SVM, and once for nearest neighbours.
    """
    problem = load(str(levels["dataset"]))
    X = numeric_table(str(levels["dataset"]))
    classes = len(problem.classes)
    columns: Columns = {name: [] for name in ("replicate", "learner", "accuracies")}
    for replicate in replicates:
        folds = stratified_folds(problem.codes, int(levels["folds"]), 1, rng)
        predicted = {
            "random-forest-100": forest.predict_folds(
                X, problem.codes, folds, classes, rng=rng, n_trees=100
            ),
            "random-forest-300": forest.predict_folds(
                X, problem.codes, folds, classes, rng=rng, n_trees=300
            ),
            "svm": machine.predict_folds(X, problem.codes, folds, classes),
            "1-nn": euclidean.predict_folds(X, problem.codes, folds, classes, k=1, scaling="once"),
            "3-nn": euclidean.predict_folds(X, problem.codes, folds, classes, k=3, scaling="once"),
            "naive-bayes": gaussian.predict_folds(X, problem.codes, folds, classes),
        }
        for name, found in predicted.items():
            columns["replicate"].append(replicate)
            columns["learner"].append(name)
            columns["accuracies"].append(fold_accuracy(found, problem.codes, folds)[0])
    return columns


@lru_cache(maxsize=4)
def numeric_table(name: str) -> Floats:
    """Return a dataset's attributes as complete numbers."""
    frame = load(name).X
    columns = []
    for label in frame.columns:
        column = frame[label]
        if isinstance(column.dtype, pd.CategoricalDtype):
            shown = pd.get_dummies(column, dummy_na=bool(column.isna().any()), dtype=float)
            columns.append(shown.to_numpy())
        else:
            columns.append(column.fillna(column.mean()).to_numpy()[:, None])
    matrix = np.concatenate(columns, axis=1)
    return np.ascontiguousarray(matrix[:, matrix.std(axis=0) > 0])


LEARNER_PAIRS = tuple(
    combinations(
        ("random-forest-100", "random-forest-300", "svm", "1-nn", "3-nn", "naive-bayes"), 2
    )
)
