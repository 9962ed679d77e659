"""Turn an r x k matrix of differences into the sample a test sees (Bouckaert 2004)."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Scheme = Literal["all", "folds", "runs", "sorted", "first-run"]
SCHEMES: tuple[str, ...] = ("all", "folds", "runs", "sorted", "first-run")


def sample_scores(matrix: NDArray[np.float64], scheme: Scheme) -> NDArray[np.float64]:
    """Return the sample (..., n) of differences (..., runs, folds) under a sampling scheme.

    `all`: every value. `folds`: the mean over the folds of each run. `runs`: the mean over the runs
    of each fold number. `sorted`: sort inside each run, then the mean over runs of the j-th smallest.
    `first-run`: the first run only.
    """
    match scheme:
        case "all":
            return matrix.reshape(*matrix.shape[:-2], -1)
        case "folds":
            return np.asarray(matrix.mean(axis=-1))
        case "runs":
            return np.asarray(matrix.mean(axis=-2))
        case "sorted":
            return np.asarray(np.sort(matrix, axis=-1).mean(axis=-2))
        case "first-run":
            return matrix[..., 0, :]
