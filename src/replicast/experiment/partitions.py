"""Designs become partitions: which row is tested when, the same for every model."""

from typing import Literal

import numpy as np

from replicast.arrays import Bools, Codes, Floats, Ints
from replicast.design import Design
from replicast.errors import DesignMismatchError, invalid, require_choice
from replicast.experiment.data import Problem
from replicast.kernels.splits import random_splits, stratified_folds
from replicast.learners.protocol import NOT_PREDICTED, UNUSED

HELD_OUT = 0.2  # of the rows, where a design of seeds says nothing of its split
SmallClasses = Literal["refuse", "allow"]


def partition(
    problem: Problem,
    design: Design,
    rng: np.random.Generator,
    *,
    small_classes: SmallClasses = "refuse",
) -> Codes:
    """Return the fold of every row in every run, in the codes of `learners.protocol`.

    Folds are stratified. Random splits, a holdout and seeds are runs with the one test fold 0.
    """
    require_choice(small_classes, "small_classes", ("refuse", "allow"))
    if design.overlap:
        remedy = "Use kfold: its scores know their cases"
        raise DesignMismatchError("design", "a way to split one dataset", str(design), remedy)
    if design.folds is None:
        return _drawn(problem, design, rng)
    if problem.groups is not None:
        return _grouped(problem, design.folds, design.runs, rng)
    _enough_members(problem, design.folds, small_classes)
    return stratified_folds(problem.codes, design.folds, design.runs, rng)


def _drawn(problem: Problem, design: Design, rng: np.random.Generator) -> Codes:
    """Return test sets that are drawn at random: of random splits, a holdout or seeds."""
    if problem.groups is not None and not design.over_datasets:
        remedy = "Use folds: kfold, repeated-kfold or 5x2"
        raise DesignMismatchError("design", "folds, for groups", str(design), remedy)
    if not design.has_split:
        domain = "seeds on a split, since the rows are split into training and test data here"
        raise DesignMismatchError("design", domain, design.words)
    repeats = 1
    if design.n_train is not None and design.n_test is not None:
        n_train, n_test = design.n_train, design.n_test
    elif design.seeds is not None:
        n_test, repeats = max(1, round(problem.n * HELD_OUT)), design.seeds
        n_train = problem.n - n_test
    elif design.of_cases and design.count is not None:
        n_test = design.count
        n_train = problem.n - n_test
    else:
        raise DesignMismatchError(
            "design",
            "a way to split one dataset: kfold, repeated-kfold, random-splits, 5x2 or "
            "holdout with its cases",
            str(design),
            "Evaluate each dataset by itself",
        )
    _fits(problem, max(n_train, 1) + n_test)
    drawn = random_splits(problem.codes, design.splits, n_train, n_test, rng)
    return np.repeat(drawn, repeats, axis=0)  # seeds of one split are runs with the same rows


def _grouped(problem: Problem, folds: int, runs: int, rng: np.random.Generator) -> Codes:
    """Return folds that keep groups whole, nearly equally large: large groups first, at random."""
    assert problem.groups is not None
    sizes = np.bincount(problem.groups)
    if len(sizes) < folds:
        raise invalid("groups", f"at least as many groups as folds ({folds})", f"{len(sizes)}")
    found = np.empty((runs, problem.n), dtype=np.int16)
    for run in range(runs):
        order = rng.permutation(len(sizes))
        order = order[np.argsort(-sizes[order], kind="stable")]
        filled, place = np.zeros(folds), np.empty(len(sizes), dtype=np.int16)
        for group in order.tolist():
            emptiest = np.flatnonzero(filled == filled.min())
            place[group] = fold = int(rng.choice(emptiest))
            filled[fold] += sizes[group]
        found[run] = place[problem.groups]
    return found


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


def fold_sizes(folds: Codes) -> tuple[Floats, Floats]:
    """Return training and test rows of every (run, fold)."""
    test = _counts(folds, folds >= 0)
    used = (folds != UNUSED).sum(axis=1, keepdims=True)
    return used - test, test


def fold_accuracy(predicted: Codes, y_codes: Ints, folds: Codes) -> Floats:
    """Return the accuracy of every (run, fold); NaN where one is empty or not wholly predicted.

    Examples
    --------
    >>> y, folds = np.array([0, 0, 1, 1]), np.array([[0, 1, 0, 1]], np.int16)
    >>> fold_accuracy(np.array([[0, 0, 0, NOT_PREDICTED]], np.int16), y, folds)
    array([[0.5, nan]])
    """
    tested = folds >= 0
    sizes = _counts(folds, tested)
    right = _counts(folds, tested & (predicted == y_codes))
    answered = _counts(folds, tested & (predicted != NOT_PREDICTED))
    return np.where((answered < sizes) | (sizes == 0), np.nan, right / np.maximum(sizes, 1))


def _counts(folds: Codes, chosen: Bools) -> Floats:
    """Count the chosen rows of every (run, fold)."""
    runs, count = len(folds), int(folds.max()) + 1
    cells = (np.arange(runs)[:, None] * count + folds)[chosen]
    return np.bincount(cells, minlength=runs * count).reshape(runs, count).astype(np.float64)
