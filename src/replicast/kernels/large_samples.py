"""Power of rank and sign tests over many scores, where simulating would take long and add noise."""

import numpy as np
from scipy import special

from replicast.kernels.counts import critical_wins

_INVERSE_ROOT_3 = 1 / np.sqrt(3)


def signed_rank_power(effect: float, n: int, significance: float) -> float:
    """Return the two-sided power of Wilcoxon's test for normal differences with this d'.

    The sum of positive ranks counts the pairs with a positive mean, so its mean and variance follow
    from how often one, two or three differences with one in common are positive together; over many
    scores it is normal.
    """
    one = float(special.ndtr(effect))
    height = effect * np.sqrt(2)
    two = float(special.ndtr(height))
    three = two - 2 * float(special.owens_t(height, _INVERSE_ROOT_3))
    pairs, triples = n * (n - 1) / 2, float(n) * (n - 1) * (n - 2)
    mean = n * one + pairs * two
    variance = (
        n * one * (1 - one)
        + pairs * (2 * (one - two) ** 2 + 3 * two * (1 - two))
        + triples * (three - two**2)
    )
    total = n * (n + 1) / 2
    reach = -float(special.ndtri(significance / 2)) * np.sqrt(total * (2 * n + 1) / 12)
    spread = np.sqrt(max(variance, 1e-12))
    upper = special.ndtr((mean - total / 2 - reach) / spread)
    lower = special.ndtr((total / 2 - reach - mean) / spread)
    return float(upper + lower)


def sign_power(effect: float, n: int, significance: float) -> float:
    """Return the exact two-sided power of the sign test for normal differences with this d'."""
    critical = critical_wins(n, significance)
    if critical > n:
        return 0.0
    rate = special.ndtr(np.array([effect, -effect]))
    return float(special.betainc(critical, n - critical + 1, rate).sum())
