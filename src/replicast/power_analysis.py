"""Could the test have seen it? Power, exact or simulated, and how much data it takes."""

from collections.abc import Sequence
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replicast.arrays import Floats
from replicast.design import (
    Datasets,
    Design,
    Holdout,
    require_count,
    require_design,
)
from replicast.errors import (
    invalid,
    is_whole,
    number,
    require_choice,
    require_finite,
    require_probability,
)
from replicast.kernels import counts, large_samples, noncentral, permutation, ranks, student
from replicast.randomness import RandomSource, generator
from replicast.results import Power
from replicast.scores import PairedScores

Approach = Literal["exact", "shifted"]
PairModel = Literal["paired", "independent"]
Item = TypeVar("Item")

STUDENT_METHODS = ("paired-ttest", "corrected-ttest", "correlated-posterior")
SIMULATED_METHODS = (
    "signed-rank",
    "signed-rank-posterior",
    "sign-test",
    "sign-flip",
    "five-by-two-ttest",  # its first difference is part of its own denominator
    "five-by-two-ftest",
)
LARGE_SAMPLE_METHODS = ("signed-rank", "signed-rank-posterior", "sign-test", "sign-flip")
POSTERIORS = ("correlated-posterior", "signed-rank-posterior")
MOST_SIMULATED = 1000
_ALWAYS = 1 - 1e-9
_MOST_CASES = 1_000_000_000_000
_LARGEST_SAMPLE = 1_000_000
_USUAL_RESAMPLES = 99_999  # of the sign-flip test where patterns are drawn


def power(
    effect: float,
    design: Design,
    *,
    method: str = "paired-ttest",
    significance: float = 0.05,
    approach: Approach = "exact",
    simulations: int = 10_000,
    rng: RandomSource = 0,
) -> Power:
    """Return the probability that a two-sided test is significant if the true d' is `effect`.

    t-tests are computed from the noncentral t (`exact`), or from a central t moved by the
    noncentrality (`shifted`), as in Neumann et al. (2021). Rank, sign and 5x2cv tests are simulated
    with normal differences, all simulations in one batch, and carry their Monte Carlo error; beyond
    1000 scores rank and sign tests are computed from the limiting distribution instead. For a
    posterior it is the chance that one side reaches 1 - significance, as `decide` asks. With
    `effect` from the data this is the power "had the true difference been what was observed".

    Parameters
    ----------
    effect : float
        Standardised difference d' = mean / sd of the differences; its sign does not matter.
    design : Design
        Design of the experiment; it must know its number of scores.
    method : str
        Key of the test in `METHODS`.

    Examples
    --------
    >>> from replicast import KFold, power
    >>> round(power(0.71, KFold(10), method="paired-ttest").power, 3)
    0.518
    >>> round(power(0.71, KFold(10), method="paired-ttest", approach="shifted").power, 2)
    0.49
    """
    require_probability(significance, "significance")
    require_choice(approach, "approach", ("exact", "shifted"))
    require_choice(method, "method", (*STUDENT_METHODS, *SIMULATED_METHODS))
    effect = require_finite(effect, "effect")
    n = require_design(design).n_scores
    if n is None or n < 2:
        raise invalid(
            "design",
            "a design with at least two scores",
            str(design),
            "Say how many, for instance Datasets(20)",
        )
    if not is_whole(simulations) or simulations < 1:
        raise invalid("simulations", "a positive number of simulations", simulations)
    error = 0.0
    # a posterior decides for one side at 1 - significance, a test for two sides
    level = min(2 * significance, _ALWAYS) if method in POSTERIORS else significance
    if method in STUDENT_METHODS:
        value = _student_power(abs(effect), design, n, method, level, approach)
    elif n > MOST_SIMULATED and method in LARGE_SAMPLE_METHODS:
        approach_used = "large-sample"
        value = _large_sample_power(abs(effect), n, method, level)
    else:
        approach_used = "simulated"
        value = _simulated_power(abs(effect), n, method, level, simulations, rng)
        error = float(np.sqrt(max(value * (1 - value), 1 / simulations) / simulations))
    return Power(
        power=value,
        method=method,
        effect=float(effect),
        design=design,
        significance=significance,
        approach=approach if method in STUDENT_METHODS else approach_used,
        monte_carlo_error=error,
    )


def _student_power(
    effect: float, design: Design, n: int, method: str, significance: float, approach: Approach
) -> float:
    df = n - 1
    ratio = 0.0 if method == "paired-ttest" else design.test_train_ratio
    ncp = effect / float(np.sqrt(1 / n + ratio))
    critical = student.t_critical(df, significance / 2)
    if approach == "exact":
        return float(noncentral.two_sided_power(critical, df, ncp))
    return float(student.t_lower(df, ncp - critical) + student.t_lower(df, -critical - ncp))


def _large_sample_power(effect: float, n: int, method: str, significance: float) -> float:
    match method:
        case "sign-test":
            return large_samples.sign_power(effect, n, significance)
        case "sign-flip":  # over so many scores its p-value is that of the t-test
            return _student_power(effect, Datasets(n), n, "paired-ttest", significance, "exact")
        case _:
            return large_samples.signed_rank_power(effect, n, significance)


def _simulated_power(
    effect: float,
    n: int,
    method: str,
    significance: float,
    simulations: int,
    rng: RandomSource,
) -> float:
    rows = generator(rng).normal(effect, 1.0, size=(simulations, n))
    match method:
        case "sign-test":
            pvalues = counts.binomial_pvalue(
                *counts.win_loss_tie(rows), ties_rule="half", alternative="two-sided"
            )
        case "sign-flip":
            pvalues = permutation.simulated_pvalues(rows, 999, np.random.default_rng(0))
        case "five-by-two-ttest":
            pvalues = student.t_pvalue(student.five_by_two_t(rows)[2], 5, "two-sided")
        case "five-by-two-ftest":
            pvalues = special.fdtrc(10, 5, student.five_by_two_f(rows))
        case _:
            pvalues, _ = ranks.signed_rank_pvalues(rows, method="auto", alternative="two-sided")
    return float(np.mean(pvalues < significance))


def observed_power(
    scores: PairedScores,
    *,
    method: str,
    significance: float = 0.05,
    approach: Approach = "exact",
    model: PairModel = "paired",
    simulations: int = 10_000,
    rng: RandomSource = 0,
) -> Power:
    """Return the power of a test had the true difference been what was observed.

    A description of the design, not new evidence: it is a function of the p-value. `paired` uses
    the spread of the differences; `independent`, as in Neumann et al. (2021), treats the two
    classifiers' scores as independent, which ignores their correlation.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, observed_power
    >>> pair = PairedScores(first=[0.9, 0.8, 0.7], second=[0.8, 0.75, 0.6], design=KFold(3))
    >>> round(observed_power(pair, method="corrected-ttest").power, 3)
    0.417
    """
    require_choice(model, "model", ("paired", "independent"))
    if method == "mcnemar":
        return _observed_mcnemar(scores, significance)
    mean, deviation = student.moments(scores.differences)
    if model == "independent":
        deviation = np.hypot(student.moments(scores.first)[1], student.moments(scores.second)[1])
    d = float(student.ratio_or_infinity(mean, deviation))
    d = float(np.clip(d, -1e3, 1e3))  # a constant difference: power 1 to every digit
    return power(
        d,
        scores.design,
        method=method,
        significance=significance,
        approach=approach,
        simulations=simulations,
        rng=rng,
    )


def _observed_mcnemar(scores: PairedScores, significance: float) -> Power:
    wins, losses, _ = counts.win_loss_tie(scores.differences)
    n = len(scores.differences)
    return power_mcnemar(int(wins) / n, int(losses) / n, cases=n, significance=significance)


def power_mcnemar(
    first_only: float, second_only: float, *, cases: int, significance: float = 0.05
) -> Power:
    """Return the power of the exact McNemar test for given rates of discordant cases.

    The number of discordant cases is random too; the power is its exact mean.

    Examples
    --------
    >>> from replicast import power_mcnemar
    >>> round(power_mcnemar(0.08, 0.04, cases=500).power, 3)
    0.703
    """
    require_probability(significance, "significance")
    for argument, rate in (("first_only", first_only), ("second_only", second_only)):
        if not 0 <= number(rate) <= 1:
            raise invalid(argument, "a rate between 0 and 1", rate)
    cases = require_count(cases, "cases", 1)
    if cases > _MOST_CASES:
        raise invalid("cases", f"at most {_MOST_CASES:,}", cases)
    total = first_only + second_only
    if total > 1:
        raise invalid("second_only", "a rate that leaves the sum at most 1", second_only)
    design = Holdout(cases)
    value = 0.0
    if total > 0:
        spread = 9 * np.sqrt(cases * total * (1 - total)) + 9
        low, high = max(0.0, cases * total - spread), min(float(cases), cases * total + spread)
        m = np.arange(int(np.ceil(low)), int(np.floor(high)) + 1)
        weight = counts.binomial_mass(m, cases, total)
        weight /= weight.sum()  # logarithms of large factorials cost digits
        critical = counts.critical_counts(m, significance)
        share = first_only / total
        reached = _binomial_upper(critical, m, share) + _binomial_upper(critical, m, 1 - share)
        value = float(np.sum(weight * reached))
    effect = _discordance_effect(first_only, second_only)
    return Power(
        power=min(1.0, value),
        method="mcnemar",
        effect=effect,
        design=design,
        significance=significance,
        approach="exact",
    )


def _discordance_effect(p: float, q: float) -> float:
    variance = p + q - (p - q) ** 2
    return float((p - q) / np.sqrt(variance)) if variance > 0 else 0.0


def _binomial_upper(k: NDArray[np.int64], n: NDArray[np.int64], p: float) -> Floats:
    """Return P(X >= k) for X ~ Binomial(n, p), zero where k > n."""
    inside = k <= n
    safe = np.where(inside, k, 1)
    upper = special.betainc(np.maximum(safe, 1e-300), np.maximum(n - safe + 1, 1), p)
    return np.where(inside, upper, 0.0)


def power_curve(
    effects: Sequence[float],
    designs: Sequence[Design],
    *,
    method: str = "paired-ttest",
    significance: float = 0.05,
    approach: Approach = "exact",
) -> tuple[tuple[Power, ...], ...]:
    """Return the power for every design (rows) and effect (columns).

    Examples
    --------
    >>> from replicast import KFold, power_curve
    >>> rows = power_curve([0.5, 0.8], [KFold(10), KFold(25)])
    >>> [[round(point.power, 2) for point in row] for row in rows]
    [[0.29, 0.62], [0.67, 0.97]]
    """
    return tuple(
        tuple(
            power(effect, design, method=method, significance=significance, approach=approach)
            for effect in _listed(effects, "effects")
        )
        for design in _listed(designs, "designs")
    )


def _listed(values: Sequence[Item], argument: str) -> list[Item]:
    try:
        return list(values)
    except TypeError:
        raise invalid(argument, "a list", type(values).__name__) from None


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
