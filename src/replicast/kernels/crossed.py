"""Seeds crossed with cases: what of the variance of a difference is due to seeds, and what to cases."""

from typing import NamedTuple

import numpy as np

from replicast.arrays import Floats


class Crossed(NamedTuple):
    """A mean difference, its standard error, degrees of freedom, and the parts of its variance.

    `seeds` and `cases` are the parts that new seeds and fresh cases would change; cases include what
    seeds and cases have together.
    """

    difference: float
    error: float
    df: float
    seeds: float
    cases: float


def crossed_difference(first: Floats, second: Floats) -> Crossed:
    """Return the difference of two models, scores (seeds, cases) each, over new seeds and fresh cases.

    Each model's scores are a seed's part, a case's part and a rest; the variance of the mean is the
    spread of the cases' mean differences plus what the seeds' means vary beyond the rest, by analysis
    of variance. Degrees of freedom are Satterthwaite's.
    """
    n = first.shape[1]
    gaps = first.mean(axis=0) - second.mean(axis=0)
    cases = float(gaps.var(ddof=1)) / n
    seeds, squares = 0.0, cases**2 / (n - 1)
    for scores in (first, second):
        k = len(scores)
        means = scores.mean(axis=1)
        rest = scores - means[:, None] - scores.mean(axis=0) + scores.mean()
        own = n * float(means.var(ddof=1))
        other = float((rest**2).sum()) / ((k - 1) * (n - 1))
        if own > other:
            seeds += (own - other) / (n * k)
            squares += (own / (n * k)) ** 2 / (k - 1)
            squares += (other / (n * k)) ** 2 / ((k - 1) * (n - 1))
    total = cases + seeds
    df = total**2 / squares if squares > 0 else float(n - 1)
    return Crossed(float(gaps.mean()), float(np.sqrt(total)), df, seeds, cases)
