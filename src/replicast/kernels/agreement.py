"""Agreement of repeated outcomes: the replicability estimators of Bouckaert (2004)."""

import math

import numpy as np
from scipy import special

from replicast.arrays import Floats, Ints
from replicast.kernels.replication_counts import clopper_pearson


def equal_disjoint_pairs(outcomes: Ints) -> Floats:
    """Return R1 along the last axis: the share of disjoint neighbours that agree.

    An odd outcome at the end is left over.
    """
    even = outcomes[..., : outcomes.shape[-1] // 2 * 2]
    return np.asarray((even[..., ::2] == even[..., 1::2]).mean(axis=-1))


def equal_pairs(counts: Ints) -> Floats:
    """Return R2 from the counts of each outcome (last axis): the share of all pairs that agree."""
    n = counts.sum(axis=-1)
    return np.asarray((counts * (counts - 1)).sum(axis=-1) / (n * (n - 1)))


def disjoint_pairs_variance(replicability: float, n: int) -> float:
    """Return the variance of R1 over n outcomes."""
    return replicability * (1 - replicability) / (n // 2)


def pairs_variance(replicability: float, n: int) -> float:
    """Return the variance of R2 over n two-valued outcomes (Bouckaert 2004, Theorem 3.1, corrected)."""
    r = max(replicability, 0.5)  # two outcomes agree at least half of the time
    p = 0.5 + math.sqrt(2 * r - 1) / 2
    three_agree = p**3 + (1 - p) ** 3
    pairs = n * (n - 1) / 2
    return max(0.0, (2 * (n - 2) * (three_agree - r**2) + r - r**2) / pairs)


def pairs_interval(accepted: int, n: int, confidence: float) -> tuple[float, float]:
    """Return limits of the chance that two outcomes agree, from the exact interval of one of them.

    The chance p² + (1 - p)² is least at p = 1/2, so an interval of p that holds 1/2 reaches down to it.
    """
    low, high = clopper_pearson(accepted, n, confidence)
    ends = [p**2 + (1 - p) ** 2 for p in (low, high)]
    return (0.5 if low <= 0.5 <= high else min(ends)), max(ends)


def mean_interval(values: Floats, confidence: float) -> tuple[float, float]:
    """Return Student's interval of a mean over datasets, kept within [0, 1]."""
    n = len(values)
    mean = float(values.mean())
    if n < 2:
        return 0.0, 1.0
    half = float(special.stdtrit(n - 1, 0.5 + confidence / 2)) * float(values.std(ddof=1)) / n**0.5
    return max(0.0, mean - half), min(1.0, mean + half)
