"""How many equal differences of a design count as tosses of a coin."""

import math

from replicast.design import Design


def coin_tosses(design: Design, n: float) -> float:
    """Return how many of n equal differences count as tosses of a coin.

    Test sets of one dataset that overlap toss none of their own: as many count as do not, which are
    the folds of one run.
    """
    if design.overlap and design.folds is not None:
        return min(n, design.folds)
    ratio = design.test_train_ratio
    return n if ratio == 0 else min(n, math.floor(1 + 1 / ratio + 1e-9))
