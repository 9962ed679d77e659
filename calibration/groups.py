"""Worlds with known truth: groups of experiments that are replications of each other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast import Datasets, KFold, PairedScores
from replicast.design import Design
from replicast.studies.scenarios.datasets import growing_datasets

Floats = NDArray[np.float64]
DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Group:
    """Experiments that differ only by their data: differences (experiments, scores), and cases."""

    name: str
    design: Design
    differences: Floats
    cases: Floats | None = None

    def experiments(self) -> Iterator[PairedScores]:
        """Yield each experiment as paired scores, with its cases where they are known."""
        for i, row in enumerate(self.differences):
            cases = None if self.cases is None else self.cases[i]
            yield PairedScores(
                first=row, second=np.zeros_like(row), design=self.design, case_differences=cases
            )


@dataclass(frozen=True)
class World:
    """A named set of groups, the models of replication it judges, and the level it asks for.

    `size` is the number of experiments in each group of the full study.
    """

    name: str
    title: str
    models: tuple[str, ...]
    groups: Callable[[int, np.random.Generator], list[Group]]
    size: int


# --------------------------------------------------------------------------- idealised
_SIGNALS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0)


def normal_differences(n: int) -> Callable[[int, np.random.Generator], list[Group]]:
    """Return groups of n normal differences whose signal-to-noise ratio runs from 0 to 4."""

    def groups(size: int, rng: np.random.Generator) -> list[Group]:
        return [
            Group(f"signal {s:g}", Datasets(n), rng.normal(s / np.sqrt(n), 1, size=(size, n)))
            for s in _SIGNALS
        ]

    return groups


# --------------------------------------------------------------------------- Algorithm 2
def bayes_against_svm(
    starts: tuple[int, ...],
) -> Callable[[int, np.random.Generator], list[Group]]:
    """Return groups of naive Bayes minus SVM (e1071's defaults) over 20 datasets of these sizes."""

    def groups(size: int, rng: np.random.Generator) -> list[Group]:
        found = []
        for start in starts:
            levels = {"a": start, "datasets": 20, "bootstrapped": 0, "resamples": 0}
            columns = growing_datasets(levels, range(size), rng)
            found.append(Group(f"a = {start}", Datasets(20), np.array(columns["differences"])))
        return found

    return groups


# --------------------------------------------------------------------------- Gaussian CV
def gaussian_cross_validation(size: int, rng: np.random.Generator) -> list[Group]:
    """Return nearest-centroid classifiers with more and with fewer features, in 10-fold CV.

    Every feature carries the same signal, so the number of features left out sets the true gap; with
    equal numbers of different features there is none.
    """
    groups = []
    for rows in (200, 400, 600):
        for used, others in (
            (range(8), range(2, 10)),
            (range(10), range(9)),
            (range(10), range(7)),
            (range(10), range(5)),
            (range(10), range(3)),
        ):
            X, y = _two_gaussians(size, rows, 10, 0.35, rng)
            first, second = (_centroid_correct(X[..., list(part)], y) for part in (used, others))
            name = f"n = {rows}, {len(used)} of 10 features against {len(others)}"
            groups.append(_cross_validated(name, first, second))
    return groups


def bayes_cross_validation(size: int, rng: np.random.Generator) -> list[Group]:
    """Return Gaussian naive Bayes against nearest centroid where the classes differ in spread."""
    groups = []
    for rows in (200, 400):
        for ratio in (1.0, 1.15, 1.3, 1.5):
            X, y = _two_gaussians(size, rows, 6, 0.5, rng)
            X[:, y == 1] *= ratio
            bayes, centroid = _bayes_correct(X, y), _centroid_correct(X, y)
            groups.append(_cross_validated(f"n = {rows}, spread {ratio:g}", bayes, centroid))
    return groups


_FOLDS = 10


def _two_gaussians(
    size: int, rows: int, features: int, shift: float, rng: np.random.Generator
) -> tuple[Floats, NDArray[np.int64]]:
    y = np.arange(rows) % 2
    X = rng.normal(size=(size, rows, features))
    X[:, y == 1] += shift
    return X, y


def _fold_of(y: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return stratified folds; the rows are independent, so their order is random already."""
    return (np.arange(len(y)) // 2) % _FOLDS


def _class_moments(X: Floats, y: Any) -> Iterator[tuple[Any, list[tuple[Floats, Floats]]]]:
    """Yield each fold and, for both classes, mean and variance of its training rows."""
    fold = _fold_of(y)
    for f in range(_FOLDS):
        moments = [
            (rows.mean(axis=1), rows.var(axis=1))
            for rows in (X[:, (fold != f) & (y == label)] for label in (0, 1))
        ]
        yield fold == f, moments


def _centroid_correct(X: Floats, y: Any) -> Floats:
    correct = np.empty(X.shape[:2])
    for test, ((mean0, _), (mean1, _)) in _class_moments(X, y):
        distance0, distance1 = (
            ((X[:, test] - mean[:, None]) ** 2).sum(axis=-1) for mean in (mean0, mean1)
        )
        correct[:, test] = (distance1 < distance0) == y[test]
    return correct


def _bayes_correct(X: Floats, y: Any) -> Floats:
    correct = np.empty(X.shape[:2])
    for test, moments in _class_moments(X, y):
        cost0, cost1 = (
            ((X[:, test] - mean[:, None]) ** 2 / variance[:, None] + np.log(variance[:, None])).sum(
                axis=-1
            )
            for mean, variance in moments
        )
        correct[:, test] = (cost1 < cost0) == y[test]
    return correct


def _cross_validated(name: str, first: Floats, second: Floats) -> Group:
    """Return the group of fold differences and case differences of two rows of correctness."""
    cases = first - second
    rows = cases.shape[1]
    fold = _fold_of(np.arange(rows) % 2)
    means = np.stack([cases[:, fold == f].mean(axis=1) for f in range(_FOLDS)], axis=1)
    return Group(name, KFold(_FOLDS), means.round(12), cases)


# --------------------------------------------------------------------------- real population
def disjoint_samples(size: int, rng: np.random.Generator) -> list[Group]:
    """Return five learners in 10-fold CV on disjoint samples of telescope events, all pairs."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    table = pd.read_csv(DATA / "magic.csv.gz")
    X = table.iloc[:, :-1].to_numpy(dtype=np.float64)
    y = pd.factorize(table.iloc[:, -1])[0]
    learners = {
        "naive Bayes": GaussianNB(),
        "linear discriminant": LinearDiscriminantAnalysis(),
        "1-NN": make_pipeline(StandardScaler(), KNeighborsClassifier(1)),
        "7-NN": make_pipeline(StandardScaler(), KNeighborsClassifier(7)),
        "tree": DecisionTreeClassifier(max_depth=5, random_state=0),
    }
    groups = []
    for rows in (300, 950):
        samples = _samples(len(y), rows, size, rng)
        folds = np.array([_stratified(y[sample]) for sample in samples])
        correct = {name: np.empty((size, rows)) for name in learners}
        for name, learner in learners.items():
            for sample, fold, row in zip(samples, folds, correct[name], strict=True):
                for f in range(_FOLDS):
                    train, test = sample[fold != f], sample[fold == f]
                    row[fold == f] = learner.fit(X[train], y[train]).predict(X[test]) == y[test]
        groups += [
            _sampled_group(f"n = {rows}, {a} against {b}", correct[a] - correct[b], folds)
            for a, b in combinations(learners, 2)
        ]
    return groups


def _samples(population: int, rows: int, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return samples of a population: disjoint ones, from as many shuffles of it as it takes."""
    whole = population // rows
    shuffles = [
        rng.permutation(population)[: whole * rows].reshape(whole, rows)
        for _ in range(-(-size // whole))
    ]
    return np.concatenate(shuffles)[:size]


def _stratified(y: Any) -> NDArray[np.int64]:
    """Return folds by counting through each class; the rows come in random order."""
    fold = np.empty(len(y), dtype=np.int64)
    start = 0
    for label in np.unique(y):
        members = np.flatnonzero(y == label)
        fold[members] = (start + np.arange(len(members))) % _FOLDS
        start += len(members)
    return fold


def _sampled_group(name: str, cases: Floats, folds: NDArray[np.int64]) -> Group:
    means = np.array(
        [
            [row[fold == f].mean() for f in range(_FOLDS)]
            for row, fold in zip(cases, folds, strict=True)
        ]
    )
    return Group(name, KFold(_FOLDS), means.round(12), cases)


WORLDS = (
    World(
        "idealised-z",
        "normal differences on 20 datasets, Wilcoxon",
        ("wilcoxon", "sign"),
        normal_differences(20),
        600,
    ),
    World(
        "idealised-t",
        "normal differences on 10 datasets, paired t",
        ("paired-t",),
        normal_differences(10),
        600,
    ),
    World(
        "algorithm-2",
        "Algorithm 2, naive Bayes against SVM on 20 datasets, a = 140 to 490",
        ("wilcoxon", "sign"),
        bayes_against_svm((140, 190, 240, 290, 340, 390, 440, 490)),
        400,
    ),
    World(
        "algorithm-2-narrow",
        "the same, a = 190 to 440",
        ("wilcoxon", "sign"),
        bayes_against_svm((190, 240, 290, 340, 390, 440)),
        400,
    ),
    World(
        "gaussian-cv",
        "Gaussian classes, 10-fold, more features against fewer",
        ("corrected-t", "corrected-t without cases"),
        gaussian_cross_validation,
        300,
    ),
    World(
        "bayes-cv",
        "Gaussian classes, 10-fold, naive Bayes against nearest centroid",
        ("corrected-t", "corrected-t without cases"),
        bayes_cross_validation,
        300,
    ),
    World(
        "population",
        "disjoint samples of real telescope events, 10-fold, five learners",
        ("corrected-t", "corrected-t without cases"),
        disjoint_samples,
        200,
    ),
)
