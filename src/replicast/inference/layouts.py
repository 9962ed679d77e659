"""How a t-test sees a design: its degrees of freedom, and how T varies over fresh data."""

import math

from replicast.design import (
    CrossValidatedCases,
    Datasets,
    Design,
    KFold,
    RandomSplits,
    RepeatedKFold,
)
from replicast.errors import DesignMismatchError
from replicast.kernels.layouts import Layout, case_layout, fold_layout, split_layout


def coin_tosses(design: Design, n: float) -> float:
    """Return how many of n equal differences count as tosses of a coin.

    Test sets of one dataset that overlap toss none of their own: as many count as do not, which are
    the folds of one run.
    """
    if isinstance(design, CrossValidatedCases):
        return min(n, design.folds)
    ratio = design.test_train_ratio
    return n if ratio == 0 else min(n, math.floor(1 + 1 / ratio + 1e-9))


def layout_of(design: Design, *, corrected: bool) -> Layout:
    """Return how a plain or corrected t-test sees a design; refuse those it is not known for."""
    match design:
        case Datasets(count=int(count)) if not corrected:
            return Layout(count - 1, 1 / count, 1.0)
        case KFold(folds=folds):
            return fold_layout(folds, 1, design.test_train_ratio, corrected=corrected)
        case RepeatedKFold(runs=runs, folds=folds):
            return fold_layout(folds, runs, design.test_train_ratio, corrected=corrected)
        case CrossValidatedCases(folds=folds, answers=runs) if corrected:
            parts = design.clusters or design.count or 2
            return case_layout(parts - 1, folds, runs)
        case RandomSplits(splits=splits, n_train=n_train, n_test=n_test):
            return split_layout(splits, n_test / (n_train + n_test), corrected=corrected)
    name = "corrected" if corrected else "paired"
    raise DesignMismatchError("design", f"one whose {name} t statistic is modelled", str(design))
