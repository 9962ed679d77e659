"""How scores arose, told from the shape of the table; what cannot be told is asked for."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.arrays import Floats
from replicast.design import (
    Datasets,
    Design,
    FiveByTwo,
    Holdout,
    KFold,
    RandomSplits,
    RepeatedKFold,
    cross_validation,
    describe_design,
    run_shape,
)
from replicast.errors import DesignMismatchError, DesignNeededError

Codes = NDArray[np.intp]
Sizes = dict[str, Floats | None]


def settle_design(
    cube: Floats, sizes: Sizes, design: Design | None, kind: str, name: str
) -> tuple[Design, bool]:
    """Return the design, and whether the runs must be averaged since it cannot be known."""
    if design is not None:
        return design, False
    _, n_datasets, runs, folds = cube.shape
    if (runs, folds) == (1, 1):
        return (Datasets(n_datasets) if n_datasets > 1 else Holdout()), False
    if folds == 1:
        train, test = sizes["n_train"], sizes["n_test"]
        if train is not None and test is not None:
            return RandomSplits(runs, _middle(train), _middle(test)), False
        if n_datasets > 1:
            return Datasets(n_datasets), True
        remedy = f"Add `design=random-splits:splits={runs},n_train=...,n_test=...`"
        domain = f"given when {kind} has runs but no folds"
        raise DesignNeededError(domain, name, remedy, runs)
    if (runs, folds) == (5, 2):
        return FiveByTwo(), False
    return cross_validation(folds, runs), False


def _middle(sizes: Floats) -> int:
    return max(1, int(np.nanmedian(sizes)))


def describe_sizes(design: Design, sizes: Sizes, given: bool) -> tuple[str, ...]:
    """Say what is assumed about the sizes of training and test sets."""
    train, test = sizes["n_train"], sizes["n_test"]
    if isinstance(design, RandomSplits) and not given and train is not None and test is not None:
        if np.nanmin(test) < np.nanmax(test) or np.nanmin(train) < np.nanmax(train):
            said = f"their medians, {design.n_train} and {design.n_test}, are used"
            return (f"Training and test sets differ in size; {said}.",)
    elif isinstance(design, KFold | RepeatedKFold | FiveByTwo) and test is None:
        return ("Set sizes are unknown; folds are taken as equally large.",)
    return ()


def number_rows(
    c: Codes, d: Codes, design: Design | None, name: str
) -> tuple[Codes, Codes, tuple[int, int]]:
    """Give numbers to the scores of each classifier on each dataset in file order: runs, then folds."""
    count = pd.Series(np.zeros(len(c))).groupby([c, d]).cumcount().to_numpy()
    most = int(count.max()) + 1
    if most == 1:
        return np.zeros(len(c), int), np.zeros(len(c), int), (1, 1)
    if design is None:
        domain = "given when a file has several rows for one dataset and no run or fold column"
        remedy = f"Add for instance `design=kfold:folds={most}` or a dataset column"
        raise DesignNeededError(domain, "none", remedy, most)
    if isinstance(design, Datasets):
        raise DesignMismatchError(
            "design",
            "a cross-validation design for several scores per dataset",
            "datasets",
            f"{name} has {most} rows for one dataset; name the datasets in a column called dataset",
        )
    runs, folds = run_shape(design, most)
    if design.n_scores not in (None, most):
        raise _wrong_count(most, design, name)
    positions = np.asarray(count, dtype=np.intp)
    return positions // folds, positions % folds, (runs, folds)


def _wrong_count(most: int, design: Design, name: str) -> DesignMismatchError:
    return DesignMismatchError(
        "design",
        f"a design with {most} scores, as {name} has rows",
        f"{describe_design(design)} with {design.n_scores}",
        "Check runs and folds, or whether rows are missing",
    )


def arrange(n: int, design: Design | None, name: str, remedy: str) -> tuple[int, int, str]:
    """Return runs, folds and a note for a list of `n` scores without names of runs and folds.

    Up to ten scores are taken as the folds of one run. More could be ten runs of ten folds as well
    as one run of a hundred, which a test must not mix up, so a design is then asked for.
    """
    if design is not None and not isinstance(design, Datasets):
        if design.n_scores not in (None, n):
            raise _wrong_count(n, design, name)
        runs, folds = run_shape(design, n)
        return runs, folds, "Lists of scores were taken as fold after fold, run after run."
    if n > 10:
        todo = f"Give the runs and folds{remedy}"
        raise DesignNeededError(f"given for lists of {n} scores", "none", todo, n)
    return 1, n, f"Lists of {n} scores were taken as the folds of one run."
