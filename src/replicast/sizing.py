"""How large must an experiment be, and what can one of a given size show at all?"""

import numpy as np
from scipy import special

from replicast.design import Datasets, Design, require_design
from replicast.errors import invalid, number, require_choice, require_probability
from replicast.kernels import permutation, ranks
from replicast.planning import power

_LARGEST_SAMPLE = 1_000_000
_USUAL_RESAMPLES = 99_999  # of the sign-flip test where patterns are drawn


def sample_size(
    effect: float,
    *,
    probability: float = 0.8,
    method: str = "signed-rank",
    significance: float = 0.05,
) -> int:
    """Return the least number of datasets at which the power reaches `probability`.

    `effect` is d' over datasets. Simulated tests use common random numbers, so the answer is
    repeatable; it may be off by one or two datasets, for the sign test, whose power is a sawtooth,
    by up to ten.

    Examples
    --------
    >>> from replicast import sample_size
    >>> sample_size(0.5, method="paired-ttest")
    34
    """
    require_probability(probability, "probability")
    allowed = ("paired-ttest", "signed-rank", "sign-test", "sign-flip")
    require_choice(method, "method", allowed)
    if not 0 < abs(number(effect)) < np.inf:
        raise invalid(
            "effect",
            "a finite number other than 0",
            effect,
            "No number of datasets shows a difference that is not there",
        )

    def reached(n: int) -> bool:
        found = power(effect, Datasets(n), method=method, significance=significance)
        return found.power >= probability

    high = 2
    while not reached(high):
        high *= 2
        if high > _LARGEST_SAMPLE:
            raise invalid("effect", f"large enough for {_LARGEST_SAMPLE:,} datasets", effect)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def detectable_difference(
    design: Design,
    *,
    probability: float = 0.8,
    method: str = "paired-ttest",
    significance: float = 0.05,
) -> float:
    """Return the d' at which the power of a test reaches `probability`.

    Examples
    --------
    >>> from replicast import KFold, detectable_difference
    >>> round(detectable_difference(KFold(10), method="corrected-ttest"), 2)
    1.45
    """
    require_probability(probability, "probability")

    def reached(effect: float) -> bool:
        found = power(effect, design, method=method, significance=significance)
        return found.power >= probability

    if not reached(1e3):
        least = smallest_pvalue(method, design)
        raise invalid(
            "design",
            f"able to reach p < {significance:g}",
            str(design),
            f"Its smallest p-value is {least:.3g}; use more scores",
        )
    low, high = 0.0, 1.0
    while not reached(high):
        low, high = high, high * 2
    simulated = power(high, design, method=method, significance=significance).monte_carlo_error > 0
    near = 1e-4 if simulated else 1e-12  # a simulation cannot tell more
    while high - low > near * high and high > 1e-300:
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def smallest_pvalue(method: str, design: Design) -> float:
    """Return the smallest two-sided p-value a test can give with this many scores.

    Zero for tests with a continuous statistic. With five datasets Wilcoxon's test cannot reach
    p < 0.05 whatever the scores:

    Examples
    --------
    >>> from replicast import Datasets, smallest_pvalue
    >>> smallest_pvalue("signed-rank", Datasets(5))
    0.0625
    """
    if method not in ("signed-rank", "sign-test", "sign-flip", "mcnemar"):
        return 0.0
    n = require_design(design).n_scores
    if n is None:
        raise invalid("design", "a design with a known number of scores", str(design))
    if method == "signed-rank" and n > ranks.EXACT_UP_TO:
        total = n * (n + 1) / 2
        return 2 * float(special.ndtr(-(total - 1) / np.sqrt(total * (2 * n + 1) / 3)))
    if method == "sign-flip" and n > permutation.EXACT_UP_TO:
        return 2 / (_USUAL_RESAMPLES + 1)
    return float(2.0 ** (1 - n))
