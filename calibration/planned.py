"""Forecasts of larger replications: said against came true."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product

from calibration.scoring import Forecasts, forecast
from calibration.settings import Setting, board_setting, fold_setting, problem_setting
from calibration.store import experiments_of
from calibration.worlds import (
    BOARD_WORLDS,
    COLLECTION_WORLDS,
    FOLD_WORLDS,
    PLANNED,
    PLANNED_CASES,
    SIZES,
)
from calibration.worlds.collections import ProblemWorld
from calibration.worlds.folds import Arrays, FoldWorld
from replicast import Datasets, Holdout, KFold, RepeatedKFold
from replicast.design import CrossValidation

_ONE = KFold(10)
_TEN = RepeatedKFold(runs=10, folds=10)
KNOWN = {"cases": "cases", "sizes": "scores and sizes", "scores": "scores alone"}


def planned_cross_validation() -> Iterator[list[Forecasts]]:
    """Yield 10-fold to 2n and to 10x10, and 10x10 to 2n and 4n, in the populations with three sizes."""
    worlds = {world.name: world for world in FOLD_WORLDS}
    for name in PLANNED:
        sized = {rows: worlds[f"{name}-{rows}"] for rows in SIZES}
        found = {rows: experiments_of(world) for rows, world in sized.items()}
        for (known, told), rows in product(KNOWN.items(), SIZES):
            at = partial(_at, sized, found, known)
            yield forecast(
                at(rows, _ONE), _TEN, 1.0, at(rows, _TEN), kind=f"10-fold -> 10x10, {told}"
            )
            for first, times in ((_ONE, 2), (_TEN, 2), (_TEN, 4)):
                if rows * times in SIZES:
                    label = f"{'10-fold' if first is _ONE else '10x10'} -> {times}n, {told}"
                    target = at(times * rows, first)
                    yield forecast(
                        at(rows, first), first, float(times), target, apart=True, kind=label
                    )


def _at(
    sized: dict[int, FoldWorld],
    found: dict[int, Arrays],
    known: str,
    rows: int,
    design: CrossValidation,
) -> Setting:
    return fold_setting(sized[rows], found[rows], "", design, known)


def planned_elsewhere() -> Iterator[list[Forecasts]]:
    """Yield 15 to 30 and 60 datasets, and test sets four times as large."""
    for world in COLLECTION_WORLDS:
        if isinstance(world, ProblemWorld):
            found = experiments_of(world)
            for test in ("signed-rank", "sign-test"):
                first = problem_setting(world, found, 15, test)
                for count in (30, 60):
                    target = problem_setting(world, found, count, test)
                    label = f"15 -> {count} datasets, {test}"
                    # the larger experiment starts with the problems of the smaller one
                    yield forecast(first, Datasets(count), 1.0, target, kind=label)
    for world in BOARD_WORLDS:
        for cases, larger in PLANNED_CASES:
            if world.cases == cases:
                other = replace(world, cases=larger)
                first = board_setting(world, experiments_of(world))
                target = board_setting(other, experiments_of(other))
                label = f"test set {cases} -> {larger}"
                yield forecast(first, Holdout(larger), 1.0, target, apart=True, kind=label)
