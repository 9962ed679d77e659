"""Binomial tests on wins, losses and ties."""

from collections.abc import Callable

import numpy as np
from scipy import special

from replicast.arrays import Bools, Floats, Ints


def win_loss_tie(rows: Floats) -> tuple[Ints, Ints, Ints]:
    """Count positive, negative and zero differences along the last axis."""
    wins = np.count_nonzero(rows > 0, axis=-1)
    losses = np.count_nonzero(rows < 0, axis=-1)
    return np.asarray(wins), np.asarray(losses), np.asarray(rows.shape[-1] - wins - losses)


def upper_tail(successes: Ints, trials: Ints, rate: Floats | float = 0.5) -> Floats:
    """Return P(X >= successes) for X ~ Binomial(trials, rate)."""
    k = np.asarray(successes, dtype=np.float64)
    n = np.asarray(trials, dtype=np.float64)
    inside = (k > 0) & (k <= n)
    safe_k, safe_n = np.where(inside, k, 1.0), np.where(inside, n, 1.0)
    return np.where(
        inside, special.betainc(safe_k, safe_n - safe_k + 1, rate), np.where(k <= 0, 1.0, 0.0)
    )


def binomial_mass(successes: Ints, trials: Ints | int, rate: Floats | float) -> Floats:
    """Return P(X = successes) for X ~ Binomial(trials, rate), by logarithms."""
    k, n = np.asarray(successes), np.asarray(trials)
    log = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return np.asarray(np.exp(log + special.xlogy(k, rate) + special.xlog1py(n - k, -rate)))


def binomial_pvalue(
    wins: Ints, losses: Ints, ties: Ints, *, ties_rule: str, alternative: str
) -> Floats:
    """Return the exact p-value of a sign test.

    `half` gives each classifier half of the ties; half a win left over counts for neither side.
    `drop` forgets the ties.
    """
    counted = ties if ties_rule == "half" else np.zeros_like(ties)
    up, down, trials = wins + counted // 2, losses + counted // 2, wins + losses + counted
    if alternative == "two-sided":
        return np.minimum(1.0, 2 * upper_tail(np.maximum(up, down), trials))
    return upper_tail(up if alternative == "greater" else down, trials)


def smallest_pvalue(n: int) -> float:
    """Return the two-sided p-value of n wins out of n."""
    return float(2.0 ** (1 - n))


def midp_value(wins: Ints, losses: Ints, alternative: str) -> Floats:
    """Return the mid-p of an exact binomial test of wins against losses."""
    trials = np.asarray(wins + losses)
    two_sided = alternative == "two-sided"
    towards = {"greater": wins, "less": losses}.get(alternative, np.maximum(wins, losses))
    tail = (upper_tail(towards, trials) + upper_tail(towards + 1, trials)) / 2
    return np.where(trials == 0, 1.0, np.minimum(1.0, 2 * tail if two_sided else tail))


def least_enough(low: Ints, high: Ints, is_enough: Callable[[Ints], Bools]) -> Ints:
    """Return the least numbers from `low` on that are enough, `high` where none below it is."""
    while (low < high).any():
        middle = (low + high) // 2
        enough = is_enough(middle) & (low < high)
        low, high = (
            np.where(enough | (low >= high), low, middle + 1),
            np.where(enough, middle, high),
        )
    return low


def critical_counts(trials: Ints, significance: float, rule: str = "exact") -> Ints:
    """Return the least numbers of wins with a two-sided p below `significance`; trials + 1 if none.

    `rule` is `exact` or `mid-p`, where the outcome itself counts half.
    """

    def is_enough(wins: Ints) -> Bools:
        if rule == "mid-p":
            return midp_value(wins, trials - wins, "two-sided") < significance
        return 2 * upper_tail(wins, trials) < significance

    return least_enough(trials // 2 + 1, trials + 1, is_enough)


def critical_wins(trials: int, significance: float, rule: str = "exact") -> int:
    """Return `critical_counts` of one number of trials."""
    return int(critical_counts(np.asarray(trials), significance, rule))


def order_statistic_interval(sample: Floats, confidence: float) -> tuple[float, float]:
    """Return the shortest sign-test interval of the median with at least this confidence."""
    ordered = np.sort(sample)
    n = len(ordered)
    ranks = np.arange(1, n // 2 + 1)
    outside = 2 * upper_tail(n - ranks + 1, np.asarray(n))
    kept = ranks[outside <= 1 - confidence]
    if len(kept) == 0:
        return -np.inf, np.inf
    return float(ordered[kept[-1] - 1]), float(ordered[n - kept[-1]])


def paired_proportions_interval(
    first_only: int, second_only: int, cases: int, confidence: float
) -> tuple[float, float]:
    """Return Bonett and Price's interval of the difference of two paired proportions.

    Adds one to each discordant count (Statistics in Medicine 2012); keeps its coverage for few cases.
    """
    z = float(special.ndtri(0.5 + confidence / 2))
    p, q = (first_only + 1) / (cases + 2), (second_only + 1) / (cases + 2)
    half = z * np.sqrt(((p + q) - (p - q) ** 2) / (cases + 2))
    return max(-1.0, p - q - half), min(1.0, p - q + half)
