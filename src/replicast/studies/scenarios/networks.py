"""Random Bayesian networks over binary attributes: data sources with a known gap between learners.

As in Bouckaert (2004): ten binary attributes and a class. In source 1 nothing depends on anything, so no
learner is better. Sources 2 to 4 are naive Bayes structures with added arrows between attributes, found
by `calibration/network_search.py` so that C4.5 beats naive Bayes by a known amount.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from typing import Any

import numpy as np

from replicast.arrays import Codes, Floats, Ints
from replicast.experiment.partitions import fold_accuracy
from replicast.kernels.splits import random_splits, stratified_folds
from replicast.learners import C45Classifier, MixedNaiveBayes, NearestNeighbour, counting
from replicast.learners.mixed.classifier import MixedClassifier
from replicast.learners.mixed.table import MixedTable
from replicast.learners.svm import machine
from replicast.studies.scenarios import Columns, add_record, differences, empty_columns

MIXED: dict[str, MixedClassifier] = {
    "naive-bayes": MixedNaiveBayes(), "c45": C45Classifier(), "nearest": NearestNeighbour()
}  # fmt: skip
LEARNERS = (*MIXED, "tree-augmented", "stump", "svm")
PAIRS = tuple(f"{first} against {second}" for first, second in combinations(LEARNERS, 2))
# so wide a Gaussian is a straight line, with C = 1 (Keerthi & Lin 2003, Neural Computation 15)
STRAIGHT: dict[str, Any] = {"gamma": 0.001, "C": 1 / 0.002, "scaling": "none"}
_FOLDS = 10
NO_PARENT = -1


@dataclass(frozen=True)
class Network:
    """Chances of each attribute being 1, given the class and the attribute it depends on.

    `parents[i]` is an earlier attribute or `NO_PARENT`; `chances` has the shape (attributes, classes,
    parent values).
    """

    parents: tuple[int, ...]
    chances: Floats

    def sample(
        self, rows: int, rng: np.random.Generator, class_probability: float = 0.5
    ) -> tuple[Ints, Ints]:
        """Draw attributes (rows, attributes) and classes; more than two are equally frequent."""
        if self.chances.shape[1] == 2:
            y = (rng.random(rows) < class_probability).astype(np.int64)
        else:
            y = rng.integers(self.chances.shape[1], size=rows)
        X = np.empty((rows, len(self.parents)), dtype=np.int64)
        uniform = rng.random(X.shape)
        for i, parent in enumerate(self.parents):
            value = 0 if parent == NO_PARENT else X[:, parent]
            X[:, i] = uniform[:, i] < self.chances[i, y, value]
        return X, y

    def with_classes(self, classes: int) -> "Network":
        """Return the network with more classes, each the mirror of the one two before it."""
        depends = (self.chances[:, 0] != self.chances[:, 1]).any(axis=1)
        chances = [self.chances[:, 0], self.chances[:, 1]]
        for _ in range(2, classes):
            chances.append(np.where(depends[:, None], 1 - chances[-2], chances[-2]))
        return Network(self.parents, np.stack(chances, axis=1))

    def to_dict(self) -> dict[str, Any]:
        """Return the network as plain JSON."""
        return {"parents": list(self.parents), "chances": self.chances.round(6).tolist()}


@lru_cache(maxsize=1)
def _shipped() -> dict[str, Any]:
    path = files("replicast.studies.scenarios").joinpath("networks.json")
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def shipped_networks() -> tuple[Network, ...]:
    """Return the four sources that come along."""
    return tuple(
        Network(tuple(item["parents"]), np.array(item["chances"]))
        for item in _shipped()["networks"]
    )


def shipped_gaps() -> tuple[float, ...]:
    """Return by how much C4.5 beats naive Bayes on each source, on 20,000 test rows."""
    return tuple(_shipped()["gaps"])


def bayesian_network(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> Columns:
    """Compare learners on datasets from a source, each experiment repeated on new partitions.

    A record is one repetition on one dataset: differences in accuracy of `runs` runs of 10-fold
    cross-validation, of `splits` random splits, and of five runs of 2-fold cross-validation. With
    "all" for a `pair` there is one for every pair of six learners.
    """
    classes = int(levels.get("classes", 2))
    network = shipped_networks()[int(levels["source"]) - 1].with_classes(classes)
    rows, repetitions = int(levels["rows"]), int(levels["repetitions"])
    runs, splits = int(levels["runs"]), int(levels["splits"])
    stratify = bool(levels.get("stratified_splits", True))
    pairs = PAIRS if levels["pair"] == "all" else (str(levels["pair"]),)
    columns = empty_columns("replicate", "repetition", "folds", "splits", "halves", "pair")
    for replicate in replicates:
        X, y = network.sample(rows, rng, float(levels["class_probability"]))
        n_test = rows // _FOLDS
        cross = stratified_folds(y, _FOLDS, runs * repetitions, rng)
        halves = stratified_folds(y, 2, 5 * repetitions, rng)
        drawn = random_splits(y, splits * repetitions, rows - n_test, n_test, rng, stratify)
        accuracy = {
            name: [accuracies(name, X, y, folds, classes) for folds in (cross, drawn, halves)]
            for name in dict.fromkeys(name for pair in pairs for name in pair.split(" against "))
        }
        for pair in pairs:
            parts = differences(accuracy, *pair.split(" against "))
            shaped = [part.reshape(repetitions, -1) for part in parts]
            for repetition, each in enumerate(zip(*shaped, strict=True)):
                add_record(columns, replicate, repetition, *each, pair)
    if levels["pair"] != "all":
        del columns["pair"]  # a level of the study
    return columns


def accuracies(name: str, X: Ints, y: Ints, folds: Codes, classes: int = 2) -> Floats:
    """Return the accuracies (runs, folds) of a learner by its name."""
    if name == "svm":
        found = machine.predict_folds(X.astype(np.float64), y, folds, classes, **STRAIGHT)
    elif name in MIXED:
        found = MIXED[name].predict_folds(MixedTable.from_codes(X, 2), y, folds, classes)
    else:
        rule: counting.Rule = "stump" if name == "stump" else "tree-augmented"
        found = counting.predict_folds(X, y, folds, classes, rule=rule)
    return fold_accuracy(found, y, folds)
