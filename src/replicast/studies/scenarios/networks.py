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
from typing import Any

import numpy as np

from replicast.arrays import Codes, Floats, Ints
from replicast.experiment.partitions import fold_accuracy
from replicast.kernels.splits import random_splits, stratified_folds
from replicast.learners import C45Classifier, MixedNaiveBayes, NearestNeighbour
from replicast.learners.mixed.folds import predict_folds
from replicast.learners.mixed.table import MixedTable
from replicast.studies.scenarios import Columns

LEARNERS = {"naive-bayes": MixedNaiveBayes, "c45": C45Classifier, "nearest": NearestNeighbour}
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
        """Draw attributes (rows, attributes) and classes."""
        y = (rng.random(rows) < class_probability).astype(np.int64)
        X = np.empty((rows, len(self.parents)), dtype=np.int64)
        uniform = rng.random(X.shape)
        for i, parent in enumerate(self.parents):
            value = 0 if parent == NO_PARENT else X[:, parent]
            X[:, i] = uniform[:, i] < self.chances[i, y, value]
        return X, y

    def to_dict(self) -> dict[str, Any]:
        """Return the network as plain JSON."""
        return {"parents": list(self.parents), "chances": self.chances.round(6).tolist()}


@lru_cache(maxsize=1)
def shipped_networks() -> tuple[Network, ...]:
    """Return the four sources that come along."""
    path = files("replicast.studies.scenarios").joinpath("networks.json")
    content = json.loads(path.read_text(encoding="utf-8"))
    return tuple(
        Network(tuple(item["parents"]), np.array(item["chances"])) for item in content["networks"]
    )


def bayesian_network(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> Columns:
    """Compare two learners on datasets from a source, each experiment repeated on new partitions.

    A record is one repetition on one dataset: differences in accuracy of `runs` runs of 10-fold
    cross-validation, of `splits` random splits, and of five runs of 2-fold cross-validation.
    """
    network = shipped_networks()[int(levels["source"]) - 1]
    rows, repetitions = int(levels["rows"]), int(levels["repetitions"])
    runs, splits = int(levels["runs"]), int(levels["splits"])
    first, second = (LEARNERS[name]() for name in str(levels["pair"]).split(" against "))
    columns: Columns = {
        name: [] for name in ("replicate", "repetition", "folds", "splits", "halves")
    }
    for replicate in replicates:
        X, y = network.sample(rows, rng, float(levels["class_probability"]))
        table = MixedTable.from_codes(X, 2)
        cross = stratified_folds(y, _FOLDS, runs * repetitions, rng)
        halves = stratified_folds(y, 2, 5 * repetitions, rng)
        drawn = random_splits(y, splits * repetitions, rows - rows // _FOLDS, rows // _FOLDS, rng)
        parts = [
            differences(first, second, table, y, folds).reshape(repetitions, -1)
            for folds in (cross, drawn, halves)
        ]
        for repetition in range(repetitions):
            columns["replicate"].append(replicate)
            columns["repetition"].append(repetition)
            for name, values in zip(("folds", "splits", "halves"), parts, strict=True):
                columns[name].append(values[repetition])
    return columns


def differences(first: Any, second: Any, table: MixedTable, y: Ints, folds: Codes) -> Floats:
    """Return differences in accuracy (runs, folds)."""
    accuracy = [
        fold_accuracy(predict_folds(table, y, folds, 2, learner=learner), y, folds)
        for learner in (first, second)
    ]
    return (accuracy[0] - accuracy[1]).round(12)
