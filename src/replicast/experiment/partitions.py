"""Designs become partitions: which row is tested when, the same for every model."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes
from replicast.design import (
    Datasets,
    Design,
    FiveByTwo,
    Holdout,
    KFold,
    RandomSplits,
    RepeatedKFold,
)
from replicast.errors import DesignMismatchError, invalid, require_choice
from replicast.experiment.data import Problem
from replicast.kernels.splits import random_splits, stratified_folds

SmallClasses = Literal["refuse", "allow"]


def partition(
    problem: Problem,
    design: Design,
    rng: np.random.Generator,
    *,
    small_classes: SmallClasses = "refuse",
) -> Codes:
    """Return the fold of every row in every run: -1 for training only, -2 for unused.

    Folds are stratified. Random splits and a holdout are runs with the one test fold 0.
    """
    require_choice(small_classes, "small_classes", ("refuse", "allow"))
    match design:
        case KFold(folds=folds):
            runs = 1
        case RepeatedKFold(runs=runs, folds=folds):
            pass
        case FiveByTwo():
            runs, folds = 5, 2
        case RandomSplits(splits=splits, n_train=n_train, n_test=n_test):
            _fits(problem, n_train + n_test)
            return random_splits(problem.codes, splits, n_train, n_test, rng)
        case Holdout(cases=int(cases)):
            _fits(problem, cases + 1)
            return random_splits(problem.codes, 1, problem.n - cases, cases, rng)
        case Datasets() | Holdout():
            raise DesignMismatchError(
                "design",
                "a way to split one dataset: kfold, repeated-kfold, random-splits, 5x2 or "
                "holdout with its cases",
                str(design),
                "Evaluate each dataset by itself",
            )
    _enough_members(problem, folds, small_classes)
    return stratified_folds(problem.codes, folds, runs, rng)


def _fits(problem: Problem, needed: int) -> None:
    if needed > problem.n:
        raise invalid(
            "design",
            f"at most the {problem.n} rows of {problem.name}",
            f"{needed} rows for training and test",
        )


def _enough_members(problem: Problem, folds: int, small_classes: str) -> None:
    if folds > problem.n:
        raise invalid("folds", f"at most the {problem.n} rows of {problem.name}", folds)
    members = np.bincount(problem.codes, minlength=len(problem.classes))
    present = members[members > 0]
    if small_classes == "refuse" and present.min() < folds:
        rarest = int(np.flatnonzero(members == present.min())[0])
        raise invalid(
            "y",
            f"at least {folds} rows of every class for {folds} folds",
            f"{present.min()} of {problem.classes[rarest]!r}",
            "Use fewer folds, join or drop the class, or say `small_classes=allow`",
        )


def fold_sizes(folds: Codes) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return training and test rows of every (run, fold)."""
    count = int(folds.max()) + 1
    test = np.stack([(folds == fold).sum(axis=1) for fold in range(count)], axis=1)
    used = (folds != -2).sum(axis=1, keepdims=True)
    return (used - test).astype(np.float64), test.astype(np.float64)
