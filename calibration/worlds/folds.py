"""Worlds of cross-validation and random splits: learners meet on fresh datasets of one population."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.worlds.populations import Floats, Ints, Population
from replicast.kernels.splits import random_splits, stratified_folds
from replicast.learners.bayes import gaussian
from replicast.learners.neighbours import euclidean
from replicast.learners.svm import machine
from replicast.learners.trees import decision

Codes = NDArray[np.int16]
Predict = Callable[[Floats, Ints, Codes, int], Codes]
Arrays = dict[str, NDArray[Any]]
EXPERIMENTS = 200
RUNS, FOLDS, FEW_FOLDS = 10, 10, 5
SPLITS = ((10, 0.1), (20, 0.2), (30, 0.33), (100, 0.3), (30, 0.5))  # how many, share tested


def _neighbours(k: int) -> Predict:
    return lambda X, y, folds, classes: euclidean.predict_folds(X, y, folds, classes, k=k)


LEARNERS: dict[str, Predict] = {
    "naive Bayes": gaussian.predict_folds,
    "1-NN": _neighbours(1),
    "5-NN": _neighbours(5),
    "15-NN": _neighbours(15),
    "tree": decision.predict_folds,
    "SVM": machine.predict_folds,
}


@dataclass(frozen=True)
class Contestant:
    """A learner, and the features it may see (all, if none are named)."""

    learner: str
    features: tuple[int, ...] = ()

    def correct(self, X: Floats, y: Ints, folds: Codes, classes: int) -> NDArray[np.int8]:
        """Return 1 where a row was predicted right, 0 where wrong, -1 where it was not tested."""
        seen = np.ascontiguousarray(X[:, self.features]) if self.features else X
        predicted = LEARNERS[self.learner](seen, y, folds, classes)
        return np.where(predicted < 0, -1, predicted == y).astype(np.int8)


FIVE = tuple(Contestant(name) for name in LEARNERS if name != "1-NN")
TWO_SETS = tuple(
    Contestant(name, features)
    for name in LEARNERS
    if name != "15-NN"
    for features in ((0, 1, 2, 3), (4, 5, 6, 7))
)


@dataclass(frozen=True)
class FoldWorld:
    """Contestants in 10x10 and 5-fold cross-validation on datasets of one size."""

    population: Population
    rows: int
    contestants: tuple[Contestant, ...] = FIVE
    pairs: tuple[tuple[int, int], ...] = tuple(combinations(range(5), 2))

    @property
    def name(self) -> str:
        return f"{self.population.name}-{self.rows}"

    def experiments(self, rng: np.random.Generator, count: int = EXPERIMENTS) -> Arrays:
        """Return correctness (contestants, experiments, runs, rows) and the folds it came from."""
        classes = self.population.classes
        folds = np.empty((count, RUNS, self.rows), dtype=np.int16)
        few = np.empty((count, 1, self.rows), dtype=np.int16)
        shape = (len(self.contestants), count)
        correct = np.empty((*shape, RUNS, self.rows), dtype=np.int8)
        correct_few = np.empty((*shape, 1, self.rows), dtype=np.int8)
        for i, (X, y) in enumerate(self.population.samples(self.rows, count, rng)):
            folds[i] = stratified_folds(y, FOLDS, RUNS, rng)
            few[i] = stratified_folds(y, FEW_FOLDS, 1, rng)
            for c, contestant in enumerate(self.contestants):
                correct[c, i] = contestant.correct(X, y, folds[i], classes)
                correct_few[c, i] = contestant.correct(X, y, few[i], classes)
        return {"folds": folds.astype(np.int8), "correct": correct,
                "few_folds": few.astype(np.int8), "few_correct": correct_few}  # fmt: skip


@dataclass(frozen=True)
class SplitWorld:
    """The five learners on random splits of datasets of one size."""

    population: Population
    rows: int
    contestants: tuple[Contestant, ...] = FIVE
    pairs: tuple[tuple[int, int], ...] = tuple(combinations(range(5), 2))

    @property
    def name(self) -> str:
        return f"{self.population.name}-{self.rows}-splits"

    def sizes(self, share: float) -> tuple[int, int]:
        """Return how many rows are trained and tested on."""
        tested = round(share * self.rows)
        return self.rows - tested, tested

    def experiments(self, rng: np.random.Generator, count: int = EXPERIMENTS) -> Arrays:
        """Return, for each way to split, right answers (contestants, experiments, splits)."""
        classes = self.population.classes
        found: Arrays = {
            f"right-{splits}-{share}": np.empty(
                (len(self.contestants), count, splits), dtype=np.int16
            )
            for splits, share in SPLITS
        }
        for i, (X, y) in enumerate(self.population.samples(self.rows, count, rng)):
            for splits, share in SPLITS:
                drawn = random_splits(y, splits, *self.sizes(share), rng)
                for c, contestant in enumerate(self.contestants):
                    correct = contestant.correct(X, y, drawn, classes)
                    found[f"right-{splits}-{share}"][c, i] = (correct == 1).sum(axis=1)
        return found
