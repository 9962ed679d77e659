"""Worlds of the study of tests on cases: how rows are drawn, who meets whom, how each case is scored.

A world is written in words, so that a study file holds it: a measure, a population, one learner or two,
then `name=value`. In `sets`, `patients` and `numbers` one learner meets itself on two sets of four
features; they are exchangeable, so that no difference is there to find, unless a `gap` sets them apart.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from replicast.arrays import Codes, Floats, Ints
from replicast.errors import invalid
from replicast.kernels.splits import stratified_folds
from replicast.learners.bayes import gaussian
from replicast.learners.neighbours import euclidean
from replicast.learners.protocol import each_fold
from replicast.learners.svm import machine
from replicast.learners.trees import decision

_SHIFT = 0.5  # of every feature between the classes, and its weight among numbers
_GROUP = 5  # rows of one patient
_HALF = np.sqrt(0.5)
_OPTIONS = {"rows": 0, "folds": 0, "runs": 1, "gap": 0.0, "positive": 0.5, "tails": 0.0}
_TWO_SETS = ("sets", "patients", "numbers")
_WITHOUT_EFFECT = (*_TWO_SETS, "coin")
POPULATIONS = (*_WITHOUT_EFFECT, "ring", "bend")
SPLITS = ("stratified", "plain")


class Drawn(NamedTuple):
    """Rows, what is to be predicted, and the patient of every row, if there are some."""

    X: Floats
    y: Floats
    patients: Ints | None


@dataclass(frozen=True, kw_only=True)
class World:
    """Two contestants, the rows they meet on, and how these are partitioned."""

    measure: str
    population: str
    learners: tuple[str, str]
    split: str
    rows: int
    folds: int
    runs: int
    gap: float
    positive: float
    tails: float

    @classmethod
    def parse(cls, text: str) -> "World":
        """Read a world from words, such as "accuracy sets 5-nn rows=300 folds=10"."""
        words = [word for word in text.split() if "=" not in word]
        given = dict(word.split("=", 1) for word in text.split() if "=" in word)
        split = given.pop("split", "stratified")
        measure, population, *names = words if len(words) > 2 else ("", "", "")
        is_known = (
            set(names) <= set(LEARNERS.get(measure, ()))
            and population in POPULATIONS
            and len(names) == (1 if population in _TWO_SETS else 2)
            and {"rows", "folds"} <= set(given) <= set(_OPTIONS)
            and split in SPLITS
        )
        if not is_known:
            domain = "a measure, a population, its learners, rows=, folds= and other options"
            raise invalid("world", domain, repr(text))
        options: Any = {
            name: type(usual)(given.get(name, usual)) for name, usual in _OPTIONS.items()
        }
        learners = (names[0], names[-1])
        return cls(
            measure=measure, population=population, learners=learners, split=split, **options
        )

    @property
    def is_null(self) -> bool:
        """Whether there is no difference to find."""
        return self.population in _WITHOUT_EFFECT and self.gap == 0

    @property
    def views(self) -> tuple[slice, slice]:
        """The features that each contestant sees."""
        if self.population in _TWO_SETS:
            return slice(0, 4), slice(4, 8)
        return slice(None), slice(None)

    def draw(self, rng: np.random.Generator) -> Drawn:
        """Draw a dataset."""
        n, shape = self.rows, (self.rows, 8)
        noise = rng.standard_t(self.tails, shape) if self.tails else rng.normal(size=shape)
        weights = np.repeat([_SHIFT, _SHIFT + self.gap], 4)
        if self.population == "numbers":
            X = rng.normal(size=shape)
            error = rng.standard_t(self.tails, n) if self.tails else rng.normal(size=n)
            return Drawn(X, X @ weights + error, None)
        if self.population == "bend":
            X = rng.normal(size=shape)
            return Drawn(X, X[:, 0] + np.abs(X[:, 1]) + rng.normal(size=n), None)
        patients = np.arange(n) // _GROUP if self.population == "patients" else None
        y = rng.random(n if patients is None else n // _GROUP) < self.positive
        if patients is not None:
            y, own = y[patients], rng.normal(size=(n // _GROUP, 8))
            noise = _HALF * (noise + own[patients])
        if self.population == "ring":
            noise[y] *= 1.4
        elif self.population != "coin":
            noise += weights * y[:, None]
        return Drawn(noise, y.astype(np.float64), patients)

    def partition(self, drawn: Drawn, folds: int, runs: int, rng: np.random.Generator) -> Codes:
        """Draw the fold of every row; rows of one patient stay together."""
        if drawn.patients is not None:
            nobody = np.zeros(self.rows // _GROUP, np.int64)
            return stratified_folds(nobody, folds, runs, rng)[:, drawn.patients]
        is_plain = self.split == "plain" or self.measure == "squared-error"
        strata = np.zeros(self.rows, np.int64) if is_plain else drawn.y.astype(np.int64)
        return stratified_folds(strata, folds, runs, rng)

    def scores(self, drawn: Drawn, folds: Codes) -> Floats:
        """Return the score of every case, higher is better: (contestants, runs, rows)."""
        ways = (LEARNERS[self.measure][name] for name in self.learners)
        found = [
            way(np.ascontiguousarray(drawn.X[:, view]), drawn.y, folds)
            for way, view in zip(ways, self.views, strict=True)
        ]
        return np.stack(found)


Scorer = Callable[[Floats, Floats, Codes], Floats]
Fit = Callable[[Floats, Floats, Floats], Floats]


def _right(predict: Callable[..., Codes], **options: int) -> Scorer:
    def score(X: Floats, y: Floats, folds: Codes) -> Floats:
        codes = y.astype(np.int64)
        return np.asarray(predict(X, codes, folds, 2, **options) == codes, dtype=np.float64)

    return score


def _refitted(fit: Fit, score: Callable[[Floats, Floats], Floats]) -> Scorer:
    """Return what fits anew for every fold and scores what it predicts."""

    def scores(X: Floats, y: Floats, folds: Codes) -> Floats:
        found = np.empty(folds.shape)
        for run, trained, tested in each_fold(folds):
            found[run, tested] = score(fit(X[trained], y[trained], X[tested]), y[tested])
        return found

    return scores


def _log_score(probability: Floats, y: Floats) -> Floats:
    return np.asarray(np.log(np.clip(np.where(y == 1, probability, 1 - probability), 1e-6, 1)))


def _squared_score(predicted: Floats, y: Floats) -> Floats:
    return np.asarray(-((predicted - y) ** 2))


def _chance(log_odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -30, 30))))


def _discriminant(X: Floats, y: Floats, new: Floats) -> Floats:
    """Return chances by linear discriminants: normal classes of one covariance."""
    one = y == 1
    share = (one.sum() + 1) / (len(y) + 2)
    if not 0 < one.sum() < len(y):
        return np.full(len(new), share)
    means = X[~one].mean(axis=0), X[one].mean(axis=0)
    left = X - np.where(one[:, None], means[1], means[0])
    covariance = left.T @ left / max(len(y) - 2, 1) + 1e-3 * np.eye(X.shape[1])
    weights = np.linalg.solve(covariance, means[1] - means[0])
    return _chance((new - (means[0] + means[1]) / 2) @ weights + np.log(share / (1 - share)))


def _naive(X: Floats, y: Floats, new: Floats) -> Floats:
    """Return chances by naive Bayes with normal features."""
    one = y == 1
    share = (one.sum() + 1) / (len(y) + 2)
    if not 1 < one.sum() < len(y) - 1:
        return np.full(len(new), share)
    log_odds = np.full(len(new), np.log(share / (1 - share)))
    for sign, part in ((1, X[one]), (-1, X[~one])):
        mean, variance = part.mean(axis=0), part.var(axis=0) + 1e-3
        densities = np.log(variance) + (new - mean) ** 2 / variance
        log_odds -= sign * densities.sum(axis=1) / 2
    return _chance(log_odds)


def _nearest(X: Floats, y: Floats, new: Floats, k: int = 5) -> Floats:
    distances = (X**2).sum(axis=1) - 2 * new @ X.T
    return np.asarray(y[np.argpartition(distances, k, axis=1)[:, :k]])


def _votes(X: Floats, y: Floats, new: Floats) -> Floats:
    """Return chances by the votes of the five nearest, with one more for each class."""
    return np.asarray((_nearest(X, y, new).sum(axis=1) + 1) / 7)


def _neighbours(X: Floats, y: Floats, new: Floats) -> Floats:
    return np.asarray(_nearest(X, y, new).mean(axis=1))


def _ridge(X: Floats, y: Floats, new: Floats) -> Floats:
    centre, level = X.mean(axis=0), y.mean()
    left = X - centre
    weights = np.linalg.solve(left.T @ left + np.eye(X.shape[1]), left.T @ (y - level))
    return np.asarray((new - centre) @ weights + level)


LEARNERS: dict[str, dict[str, Scorer]] = {
    "accuracy": {
        "bayes": _right(gaussian.predict_folds),
        "1-nn": _right(euclidean.predict_folds, k=1),
        "5-nn": _right(euclidean.predict_folds, k=5),
        "tree": _right(decision.predict_folds),
        "svm": _right(machine.predict_folds),
    },
    "log-loss": {
        "linear": _refitted(_discriminant, _log_score),
        "bayes": _refitted(_naive, _log_score),
        "5-nn": _refitted(_votes, _log_score),
    },
    "squared-error": {
        "ridge": _refitted(_ridge, _squared_score),
        "5-nn": _refitted(_neighbours, _squared_score),
    },
}
