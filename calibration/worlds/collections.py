"""Worlds of many datasets: two contestants on every dataset of a collection."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from calibration.worlds.folds import EXPERIMENTS, FIVE, FOLDS, Arrays
from calibration.worlds.populations import Rows, checkerboard, logistic, uci_rows, waveform
from replicast import datasets
from replicast.kernels.splits import stratified_folds
from replicast.studies.scenarios.datasets import growing_datasets

PROBLEMS = (15, 30, 60)
NORMAL_SIZES = (7, 10, 20, 44)
SIGNALS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0)
TIED_SIZES = (12, 20, 44)
TIE_RATES = (0.1, 0.3, 0.5)
WIN_RATES = (0.5, 0.6, 0.7, 0.8, 0.9)
ALGORITHM_2 = tuple(range(290, 1291, 100))
_FEWEST, _MOST = 60, 300
_PART, _PART_SHARE = 100, 2 / 3


@dataclass(frozen=True)
class ProblemWorld:
    """The five learners, one 10-fold cross-validation on each problem of a collection.

    `source` is `drawn` or `uci`; an experiment on fewer problems takes the first ones.
    """

    source: str
    pairs: tuple[tuple[int, int], ...] = tuple(combinations(range(5), 2))

    @property
    def name(self) -> str:
        return f"problems-{self.source}"

    def experiments(self, rng: np.random.Generator, count: int = EXPERIMENTS) -> Arrays:
        """Return right answers (contestants, experiments, problems) and the rows of each problem."""
        draw = drawn_problem if self.source == "drawn" else part_of_a_set
        right = np.empty((len(FIVE), count, max(PROBLEMS)), dtype=np.int32)
        rows = np.empty((count, max(PROBLEMS)), dtype=np.int32)
        for i in range(count):
            for k in range(max(PROBLEMS)):
                X, y = draw(rng)
                classes = int(y.max()) + 1
                folds = stratified_folds(y, FOLDS, 1, rng)
                rows[i, k] = len(y)
                for c, contestant in enumerate(FIVE):
                    right[c, i, k] = contestant.correct(X, y, folds, classes).sum()
        return {"right": right, "rows": rows}


def drawn_problem(rng: np.random.Generator) -> Rows:
    """Return a dataset of a generator that is itself drawn at random."""
    n = round(float(np.exp(rng.uniform(np.log(_FEWEST), np.log(_MOST)))))
    kind = rng.integers(5)
    if kind == 0:
        X, y = _normal_classes(n, rng)
    elif kind == 1:
        X, y = _ring(n, rng)
    else:
        X, y = (checkerboard, logistic, waveform)[kind - 2](n, rng)
    noise = rng.uniform(0, 1)  # how much of the spread of the features is added to them
    return X + noise * X.std(axis=0) * rng.normal(size=X.shape), y


def _normal_classes(n: int, rng: np.random.Generator) -> Rows:
    features, classes = int(rng.integers(2, 21)), int(rng.integers(2, 6))
    centres = rng.normal(scale=rng.uniform(0.2, 1.2), size=(classes, features))
    spreads = np.exp(rng.normal(scale=rng.uniform(0, 0.6), size=(classes, features)))
    mixing = np.eye(features) + rng.uniform(0, 0.5) * rng.normal(size=(features, features))
    y = rng.integers(classes, size=n)
    return (centres[y] + spreads[y] * rng.normal(size=(n, features))) @ mixing, y


def _ring(n: int, rng: np.random.Generator) -> Rows:
    features = int(rng.integers(2, 16))
    y = rng.integers(2, size=n)
    scale, shift = rng.uniform(1, 2.5), rng.uniform(0, 0.6)
    X = rng.normal(size=(n, features))
    return np.where(y[:, None] == 1, X + shift, scale * X), y


def part_of_a_set(rng: np.random.Generator) -> Rows:
    """Return random rows and a random half of the features of a random UCI set."""
    names = datasets.names()
    X, y = uci_rows(names[rng.integers(len(names))])
    rows = rng.permutation(len(y))[: min(_PART, int(_PART_SHARE * len(y)))]
    features = np.sort(rng.permutation(X.shape[1])[: max(2, X.shape[1] // 2)])
    return np.ascontiguousarray(X[np.ix_(rows, features)]), np.unique(y[rows], return_inverse=True)[
        1
    ]


@dataclass(frozen=True)
class NormalWorld:
    """Independent normal differences; a pair is a signal-to-noise ratio."""

    count: int

    @property
    def name(self) -> str:
        return f"normal-{self.count}"

    def experiments(self, rng: np.random.Generator, count: int = EXPERIMENTS) -> Arrays:
        """Return differences (pairs, experiments, datasets)."""
        centres = np.array(SIGNALS)[:, None, None] / np.sqrt(self.count)
        return {"differences": centres + rng.normal(size=(len(SIGNALS), count, self.count))}


@dataclass(frozen=True)
class TiedWorld:
    """Wins, losses and ties; a pair is a rate of wins among the decided."""

    count: int
    tie_rate: float

    @property
    def name(self) -> str:
        return f"ties-{self.count}-{self.tie_rate}"

    def experiments(self, rng: np.random.Generator, count: int = EXPERIMENTS) -> Arrays:
        """Return differences (pairs, experiments, datasets) of 1, 0 and -1."""
        decided = 1 - self.tie_rate
        chances = [(decided * w, decided * (1 - w), self.tie_rate) for w in WIN_RATES]
        size = (count, self.count)
        return {
            "differences": np.array([rng.choice([1.0, -1.0, 0.0], p=p, size=size) for p in chances])
        }


@dataclass(frozen=True)
class AlgorithmWorld:
    """Naive Bayes against SVM by Berrar's Algorithm 2; a pair is a size of the datasets."""

    name: str = "algorithm-2"

    def experiments(self, rng: np.random.Generator, count: int = EXPERIMENTS) -> Arrays:
        """Return differences (pairs, experiments, 20 datasets)."""
        found = []
        for a in ALGORITHM_2:
            levels = {"a": a, "datasets": 20, "bootstrapped": 0, "resamples": 0}
            found.append(growing_datasets(levels, range(count), rng)["differences"])
        return {"differences": np.array(found)}
