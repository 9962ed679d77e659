"""Compile ahead: a small experiment of every fast learner leaves its kernels ready on disk."""

import warnings
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pandas as pd

from replicast.errors import DegenerateScoresWarning
from replicast.experiment.specs import read_estimator
from replicast.kernels.compiled import compile_small_jobs
from replicast.replicability.measure import Experiment, audit
from replicast.replicability.procedures import PROCEDURES

_ROWS = 60
NUMERIC = ("gaussian-bayes", "1-nn", "tree", "svm")
MIXED = ("naive-bayes", "c45", "nearest-neighbour")


def warm_up() -> Iterator[str]:
    """Compile kernel after kernel; yield what has been done, a few times a minute.

    Examples
    --------
    >>> next(warm_up())
    'naive-bayes and c45 on names and numbers'
    """
    compile_small_jobs()
    for name, X, learners in _tables():
        for first, second in pairwise(learners):
            experiment = Experiment(
                read_estimator(first), read_estimator(second), X, np.arange(_ROWS) % 2
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DegenerateScoresWarning)
                audit(experiment, tests=list(PROCEDURES), reruns=2)
            yield f"{first} and {second} on {name}"


def _tables() -> list[tuple[str, object, tuple[str, ...]]]:
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(_ROWS, 3)) + np.arange(_ROWS)[:, None] % 2
    names = pd.DataFrame({f"x{j}": pd.Categorical(numbers[:, j] > 0.5) for j in range(3)})
    mixed = names.assign(number=numbers[:, 0])
    mixed.loc[::7, "number"] = np.nan
    return [
        ("names and numbers", mixed, MIXED),
        ("names", names, MIXED),
        ("numbers", numbers, NUMERIC),
    ]


STEPS = 2 * (len(MIXED) - 1) + len(NUMERIC) - 1
