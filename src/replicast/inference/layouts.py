"""What a design says of its scores: which hang together, and how many toss a coin of their own."""

import math

from numpy.typing import ArrayLike

from replicast.arrays import Ints
from replicast.design import Design
from replicast.errors import DesignMismatchError
from replicast.scores.parsing import cluster_codes


def coin_tosses(design: Design, n: float) -> float:
    """Return how many of n equal differences count as tosses of a coin.

    Test sets of one dataset that overlap toss none of their own: as many count as do not, which are
    the folds of one run.
    """
    if design.overlap and design.folds is not None:
        return min(n, design.folds)
    ratio = design.test_train_ratio
    return n if ratio == 0 else min(n, math.floor(1 + 1 / ratio + 1e-9))


def codes_of(clusters: ArrayLike | None, design: Design, n: int) -> Ints | None:
    """Return the cluster of every case as a number, as many as the design has."""
    count = design.clusters
    if clusters is None:
        if count is None:
            return None
        raise DesignMismatchError("clusters", f"the cluster of every case of {count}", "nothing")
    codes, found = cluster_codes(clusters, n)
    if count not in (None, found):
        raise DesignMismatchError("clusters", f"labels of {count} clusters", f"labels of {found}")
    return codes
