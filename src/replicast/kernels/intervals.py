"""Intervals of one score: shares of cases, and means with an error."""

import numpy as np
from scipy import special

from replicast.arrays import Floats


def wilson(share: Floats, n: Floats | float, confidence: float) -> tuple[Floats, Floats]:
    """Return Wilson's interval of shares seen on n cases, which need not be a whole number.

    Examples
    --------
    >>> [round(float(end), 4) for end in wilson(np.asarray(0.9), 50, 0.95)]
    [0.7864, 0.9565]
    """
    z2 = float(special.ndtri(0.5 + confidence / 2)) ** 2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 / n * (share * (1 - share) + z2 / (4 * n))) / (1 + z2 / n)
    low, high = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
    return np.asarray(np.minimum(low, share)), np.asarray(np.maximum(high, share))
