"""The worlds every figure comes from, fixed before any estimator was run on them: see README.md."""

from typing import Protocol

import numpy as np

from calibration.worlds.boards import CASES, DRAWN, REAL_BOARDS, BoardWorld
from calibration.worlds.collections import (
    NORMAL_SIZES,
    TIE_RATES,
    TIED_SIZES,
    AlgorithmWorld,
    NormalWorld,
    ProblemWorld,
    TiedWorld,
)
from calibration.worlds.folds import TWO_SETS, Arrays, FoldWorld, SplitWorld
from calibration.worlds.populations import (
    ENDLESS,
    EXCHANGEABLE,
    SMALL_REAL,
    TO_FIT_ON,
    UNLEARNABLE,
    Population,
)

SIZES = (150, 300, 600)
FIT_SIZES = (100, 250, 500)
SPLIT_ROWS = 300
NEAR_NULL = 0.1  # share of significant experiments below which a pair counts as near-null


class World(Protocol):
    """Something experiments can be drawn from."""

    @property
    def name(self) -> str:
        """Unique name; the seed is made of it."""

    def experiments(self, rng: np.random.Generator, count: int) -> Arrays:
        """Draw so many experiments of every pair."""


def _rows_of_a_small_set(population: Population) -> int:
    return 150 if len(population.whole()[1]) >= 1200 else 100


def _two_sets(rows: int) -> FoldWorld:
    pairs = tuple((i, i + 1) for i in range(0, len(TWO_SETS), 2))
    return FoldWorld(EXCHANGEABLE, rows, TWO_SETS, pairs)


FOLD_WORLDS = (
    *(FoldWorld(population, rows) for population in ENDLESS for rows in SIZES),
    *(FoldWorld(population, _rows_of_a_small_set(population)) for population in SMALL_REAL),
    *(_two_sets(rows) for rows in (100, 300)),
    FoldWorld(UNLEARNABLE, 200),
)
SPLIT_WORLDS = (
    *(SplitWorld(population, SPLIT_ROWS) for population in ENDLESS),
    *(SplitWorld(population, _rows_of_a_small_set(population)) for population in SMALL_REAL[:2]),
)
_BOARDS: tuple[Population | str, ...] = (*REAL_BOARDS, *DRAWN)
BOARD_WORLDS = tuple(BoardWorld(board, cases) for board in _BOARDS for cases in CASES)
COLLECTION_WORLDS: tuple[World, ...] = (
    ProblemWorld("drawn"),
    ProblemWorld("uci"),
    *(NormalWorld(count) for count in NORMAL_SIZES),
    AlgorithmWorld(),
    *(TiedWorld(count, rate) for count in TIED_SIZES for rate in TIE_RATES),
)
PLANNED = tuple(population.name for population in ENDLESS)
PLANNED_CASES = ((100, 400), (250, 1000))
WORLDS: tuple[World, ...] = (*FOLD_WORLDS, *SPLIT_WORLDS, *BOARD_WORLDS, *COLLECTION_WORLDS)

_FITTED = tuple(
    (population, rows)
    for population in TO_FIT_ON
    for rows in (FIT_SIZES if population.rows is None else (80,))
)
FIT_WORLDS: tuple[World, ...] = (
    *(FoldWorld(population, rows) for population, rows in _FITTED),
    *(SplitWorld(population, rows) for population, rows in _FITTED),
)
