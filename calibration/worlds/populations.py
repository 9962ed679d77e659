"""Populations to draw datasets from: generators, and real sets cut into disjoint samples."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast import datasets

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rows = tuple[Floats, Ints]
DATA = Path(__file__).parents[1] / "data"


@dataclass(frozen=True)
class Population:
    """Where the rows of an experiment come from: a generator, or the rows of a real set."""

    name: str
    classes: int
    generator: Callable[[int, np.random.Generator], Rows] | None = None
    rows: Callable[[], Rows] | None = None

    def samples(self, n: int, count: int, rng: np.random.Generator) -> Iterator[Rows]:
        """Yield datasets of n rows; those of a real set are disjoint within each of its shuffles."""
        if self.generator is not None:
            for _ in range(count):
                yield self.generator(n, rng)
            return
        X, y = self.whole()
        at_once = len(y) // n
        for start in range(0, count, at_once):
            shuffled = rng.permutation(len(y))
            for k in range(min(at_once, count - start)):
                chosen = shuffled[k * n : (k + 1) * n]
                yield X[chosen], y[chosen]

    def whole(self) -> Rows:
        """Return all rows of a real set."""
        if self.rows is None:
            raise ValueError(f"{self.name} has no end")
        return self.rows()


# --------------------------------------------------------------------------- generators
def _coin(n: int, rng: np.random.Generator) -> Ints:
    return rng.integers(2, size=n)


def threenorm(n: int, rng: np.random.Generator) -> Rows:
    """Two clouds at opposite corners against one at a third (Breiman 1996)."""
    a, y = 2 / np.sqrt(20), _coin(n, rng)
    corner = a * rng.choice([-1.0, 1.0], size=n)[:, None] * np.ones(20)
    other = a * np.tile([1.0, -1.0], 10)
    return rng.normal(size=(n, 20)) + np.where(y[:, None] == 1, other, corner), y


def twonorm(n: int, rng: np.random.Generator) -> Rows:
    """Two clouds at opposite corners (Breiman 1996)."""
    y = _coin(n, rng)
    return rng.normal(size=(n, 20)) + 2 / np.sqrt(20) * (2 * y - 1)[:, None], y


def ringnorm(n: int, rng: np.random.Generator) -> Rows:
    """A tight cloud inside a wide one (Breiman 1996)."""
    y = _coin(n, rng)
    X = rng.normal(size=(n, 20))
    return np.where(y[:, None] == 1, X + 2 / np.sqrt(20), 2 * X), y


def waveform(n: int, rng: np.random.Generator) -> Rows:
    """Three mixtures of two of three triangular waves, with noise (Breiman et al. 1984)."""
    at = np.arange(1, 22)
    waves = np.maximum(6 - np.abs(at - np.array([11, 15, 7])[:, None]), 0.0)
    y = rng.integers(3, size=n)
    first, second = waves[np.array([0, 0, 1])[y]], waves[np.array([1, 2, 2])[y]]
    share = rng.random((n, 1))
    return share * first + (1 - share) * second + rng.normal(size=(n, 21)), y


def correlated(n: int, rng: np.random.Generator) -> Rows:
    """Two normal classes whose ten features share half of their variance; five are shifted."""
    y = _coin(n, rng)
    X = np.sqrt(0.5) * (rng.normal(size=(n, 10)) + rng.normal(size=(n, 1)))
    X[:, :5] += 0.35 * y[:, None]
    return X, y


def checkerboard(n: int, rng: np.random.Generator) -> Rows:
    """Nine fields of two features, four idle features, a tenth of the labels wrong."""
    place = 3 * rng.random((n, 2))
    y = np.floor(place).astype(np.int64).sum(axis=1) % 2
    y = np.where(rng.random(n) < 0.1, 1 - y, y)
    return np.hstack([place, rng.normal(size=(n, 4))]), y


def moons(n: int, rng: np.random.Generator) -> Rows:
    """Two interlocked half circles with noise, and six idle features."""
    y, angle = _coin(n, rng), np.pi * rng.random(n)
    x1 = np.where(y == 1, 1 - np.cos(angle), np.cos(angle))
    x2 = np.where(y == 1, 0.5 - np.sin(angle), np.sin(angle))
    shape = np.column_stack([x1, x2]) + 0.35 * rng.normal(size=(n, 2))
    return np.hstack([shape, 0.5 * rng.normal(size=(n, 6))]), y


def clusters(n: int, rng: np.random.Generator) -> Rows:
    """Eight clusters of four classes in six dimensions, and four idle features."""
    centres = 1.2 * np.random.default_rng(8).normal(size=(8, 6))
    cluster = rng.integers(8, size=n)
    X = np.hstack([centres[cluster], np.zeros((n, 4))]) + rng.normal(size=(n, 10))
    return X, cluster % 4


def logistic(n: int, rng: np.random.Generator) -> Rows:
    """A logistic model with an interaction, three of twelve features at work."""
    X = rng.normal(size=(n, 12))
    score = 1.5 * X[:, 0] + X[:, 1] - X[:, 2] + 0.5 * X[:, 0] * X[:, 1]
    return X, (rng.random(n) < 1 / (1 + np.exp(-score))).astype(np.int64)


def exchangeable(n: int, rng: np.random.Generator) -> Rows:
    """Eight independent features, each shifted by 0.5 between the classes."""
    y = _coin(n, rng)
    return rng.normal(size=(n, 8)) + 0.5 * y[:, None], y


def unlearnable(n: int, rng: np.random.Generator) -> Rows:
    """Eight features that say nothing about a fair coin."""
    return rng.normal(size=(n, 8)), _coin(n, rng)


# --------------------------------------------------------------------------- real sets
@lru_cache(maxsize=4)
def telescope_rows() -> Rows:
    """Return the telescope events, features standardised over all of them."""
    table = pd.read_csv(DATA / "magic.csv.gz")
    y = pd.factorize(table.iloc[:, -1], sort=True)[0].astype(np.int64)
    return _standardised(table.iloc[:, :-1].to_numpy(dtype=np.float64)), y


@lru_cache(maxsize=32)
def uci_rows(name: str) -> Rows:
    """Return a UCI set as numbers: categories one by one, medians for what is missing."""
    found = datasets.load(name)
    columns = []
    for _, column in found.X.items():
        if isinstance(column.dtype, pd.CategoricalDtype):
            codes = column.cat.codes.to_numpy()
            columns += [(codes == code).astype(np.float64) for code in np.unique(codes)]
        else:
            values = column.to_numpy(dtype=np.float64)
            columns.append(np.where(np.isnan(values), np.nanmedian(values), values))
    y = pd.factorize(found.y, sort=True)[0].astype(np.int64)
    return _standardised(np.column_stack(columns)), y


@lru_cache(maxsize=1)
def digits_rows() -> Rows:
    """Return scikit-learn's images of digits."""
    from sklearn.datasets import load_digits

    found = load_digits()
    return _standardised(found.data.astype(np.float64)), found.target.astype(np.int64)


def _standardised(X: Floats) -> Floats:
    """Scale features by their moments over the whole set; drop those that never change."""
    spread = X.std(axis=0)
    kept = spread > 0
    return np.ascontiguousarray((X[:, kept] - X[:, kept].mean(axis=0)) / spread[kept])


def _uci(name: str, classes: int) -> Population:
    return Population(name, classes, rows=lambda: uci_rows(name))


ENDLESS = (
    Population("threenorm", 2, threenorm),
    Population("waveform", 3, waveform),
    Population("ringnorm", 2, ringnorm),
    Population("correlated", 2, correlated),
    Population("checkerboard", 2, checkerboard),
    Population("telescope", 2, rows=telescope_rows),
)
SMALL_REAL = (
    _uci("vehicle", 4),
    _uci("vowel", 11),
    _uci("credit-g", 2),
    _uci("diabetes", 2),
    _uci("anneal", 5),
    Population("digits", 10, rows=digits_rows),
)
EXCHANGEABLE = Population("exchangeable", 2, exchangeable)
UNLEARNABLE = Population("unlearnable", 2, unlearnable)
TO_FIT_ON = (
    Population("twonorm", 2, twonorm),
    Population("moons", 2, moons),
    Population("clusters", 4, clusters),
    Population("logistic", 2, logistic),
    _uci("breast-w", 2),
    _uci("credit-a", 2),
)
