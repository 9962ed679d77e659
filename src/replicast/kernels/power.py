"""Power: the chances that a test is significant if the difference is real.

Each function returns two: significant in the direction of the effect, and in the other one.
"""

import numpy as np
from scipy import special

from replicast.kernels import counts, noncentral, student

_INVERSE_ROOT_3 = 1 / np.sqrt(3)


def student_power(
    effect: float, n: int, ratio: float, significance: float, inflation: float = 1.0
) -> tuple[float, float]:
    """Return the power of a t-test for normal differences with this d', both directions.

    The variance of the mean is taken to be (1/n + ratio) s², as in `student.correlated_t`; over fresh
    data T varies `inflation` times as much as that makes it.
    """
    critical = student.t_critical(n - 1, significance / 2) / inflation
    ncp = _noncentrality(effect, n, ratio) / inflation
    right, wrong = noncentral.nct_upper(critical, n - 1, np.array([ncp, -ncp])).tolist()
    return right, wrong


def shifted_power(effect: float, n: int, ratio: float, significance: float) -> tuple[float, float]:
    """Return the power from a central t moved by the noncentrality, as in Neumann et al. (2021)."""
    ncp = _noncentrality(effect, n, ratio)
    critical = student.t_critical(n - 1, significance / 2)
    return (
        float(student.t_lower(n - 1, ncp - critical)),
        float(student.t_lower(n - 1, -critical - ncp)),
    )


def _noncentrality(effect: float, n: int, ratio: float) -> float:
    return effect / float(np.sqrt(1 / n + ratio))


def signed_rank_power(effect: float, n: int, significance: float) -> tuple[float, float]:
    """Return the power of Wilcoxon's test for normal differences, over many scores.

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
    return float(upper), float(lower)


def sign_power(effect: float, n: int, significance: float) -> tuple[float, float]:
    """Return the exact power of the sign test for normal differences with this d'."""
    critical = np.asarray(counts.critical_wins(n, significance))
    rates = special.ndtr(np.array([effect, -effect]))
    right, wrong = counts.upper_tail(critical, np.asarray(n), rates).tolist()
    return right, wrong


def discordance_power(
    first_only: float, second_only: float, cases: int, significance: float, rule: str = "drop"
) -> tuple[float, float]:
    """Return the power of McNemar's exact test for these rates of discordant cases.

    The number of discordant cases is random too; the power is its exact mean. It is that of a sign
    test with ties too: `drop` forgets them, `half` shares them out.
    """
    total = first_only + second_only
    if total == 0:
        return 0.0, 0.0
    spread = 9 * np.sqrt(cases * total * (1 - total)) + 9
    low, high = max(0.0, cases * total - spread), min(float(cases), cases * total + spread)
    m = np.arange(int(np.ceil(low)), int(np.floor(high)) + 1)
    weight = counts.binomial_mass(m, cases, total)
    weight /= weight.sum()  # logarithms of large factorials cost digits
    if rule == "half":
        critical = counts.critical_wins(cases, significance) - (cases - m) // 2
    else:
        critical = counts.critical_counts(m, significance)
    share = max(first_only, second_only) / total
    right, wrong = (
        min(1.0, float(np.sum(weight * counts.upper_tail(critical, m, rate))))
        for rate in (share, 1 - share)
    )
    return right, wrong
