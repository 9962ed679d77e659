"""Worlds of one test set: fitted models meet on fresh cases."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from calibration.worlds.folds import Arrays
from calibration.worlds.populations import ENDLESS, SMALL_REAL, Floats, Population

EXPERIMENTS = 100
CASES = (60, 100, 250, 1000, 4000)
TELESCOPE_TRAINED = 2000
DRAWN_BOARDS, DRAWN_MODELS = 4, 8
_MEAN_ACCURACY, _CLOSE = 0.8, 0.005
_DISCORDANCE = (0.05, 0.2)


@dataclass(frozen=True)
class BoardWorld:
    """Pairs of a leaderboard on test sets of one size.

    `board` is a real population, or one of `close`, `stepped` and `wide`.
    """

    board: Population | str
    cases: int

    @property
    def board_name(self) -> str:
        return self.board if isinstance(self.board, str) else self.board.name

    @property
    def name(self) -> str:
        return f"board-{self.board_name}-{self.cases}"

    def experiments(self, rng: np.random.Generator, count: int = EXPERIMENTS) -> Arrays:
        """Return the rates (pairs, 2) and the discordant cases (pairs, experiments, 2)."""
        rates = rates_of(self.board)
        chances = np.column_stack([rates, np.maximum(1 - rates.sum(axis=1), 0.0)])
        drawn = [rng.multinomial(self.cases, chance, size=count)[:, :2] for chance in chances]
        return {"rates": rates, "discordant": np.array(drawn)}


@lru_cache(maxsize=32)
def rates_of(board: Population | str) -> Floats:
    """Return how often only the first, and only the second, of each pair is right."""
    if isinstance(board, str):
        rng = np.random.default_rng([2, *board.encode()])
        return np.concatenate([_drawn_board(board, rng) for _ in range(DRAWN_BOARDS)])
    return _fitted_board(board)


def _drawn_board(kind: str, rng: np.random.Generator) -> Floats:
    if kind == "close":
        accuracy = rng.normal(_MEAN_ACCURACY, _CLOSE, size=DRAWN_MODELS)
    else:
        step = {"stepped": 0.01, "wide": 0.05}[kind]
        accuracy = 0.95 - np.cumsum(rng.exponential(step, size=DRAWN_MODELS))
    rates = []
    for a, b in combinations(accuracy, 2):
        gap = abs(a - b)
        psi = gap + (1 - gap) * rng.uniform(*_DISCORDANCE)
        rates.append(((psi + a - b) / 2, (psi - a + b) / 2))
    return np.array(rates)


def _fitted_board(population: Population) -> Floats:
    X, y = population.whole()
    rng = np.random.default_rng([1, *population.name.encode()])
    shuffled = rng.permutation(len(y))
    trained = TELESCOPE_TRAINED if population.name == "telescope" else len(y) // 2
    train, test = shuffled[:trained], shuffled[trained:]
    half = np.sort(rng.permutation(X.shape[1])[: X.shape[1] // 2])
    correct = []
    for model, features in _models(half, np.arange(X.shape[1])):
        model.fit(X[np.ix_(train, features)], y[train])
        correct.append(model.predict(X[np.ix_(test, features)]) == y[test])
    return np.array(
        [(np.mean(a & ~b), np.mean(b & ~a)) for a, b in combinations(np.array(correct), 2)]
    )


def _models(half: Any, all_features: Any) -> list[tuple[Any, Any]]:
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    models = [
        GaussianNB(),
        *(KNeighborsClassifier(k) for k in (1, 5, 15, 31)),
        *(DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (3, 6, None)),
        *(SVC(C=C) for C in (0.1, 1.0, 10.0)),
    ]
    return [(GaussianNB(), half), *((model, all_features) for model in models)]


REAL_BOARDS = tuple(
    population
    for population in (*SMALL_REAL, *ENDLESS)
    if population.rows is not None and population.name != "anneal"
)
DRAWN = ("close", "stepped", "wide")
