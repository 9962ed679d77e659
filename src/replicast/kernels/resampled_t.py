"""The symmetric bootstrap-t: how large |t| of a skewed sample becomes by chance.

Student's t of few skewed differences is too often large. Cases are drawn again with replacement, with a
fixed seed, and |t| is compared with the |t| of the draws about their own mean. A result must pass by
Student's t as well: where both are near their level, neither alone always keeps it.
"""

from functools import lru_cache

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.kernels.student import constant_row_pvalue, moments, ratio_or_infinity, t_pvalue

UP_TO = 200  # cases; beyond, t is safe
_TELLING_CASES = 30  # so many equal differences begin to tell
_DRAWS = 9999
_SEED = 20260
_RESOLVED = 0.01  # tail up to which draws are counted; beyond, Student's t is scaled to go on
_MORE = 0.035  # by how much draws are too small for each unit of skewness: samples show too little of it
_AT_ONCE = 20_000_000


@lru_cache(maxsize=4)
def _counts(n: int) -> Floats:
    """Return how often each case is drawn (draws, n)."""
    rng = np.random.default_rng(_SEED)
    return rng.multinomial(n, np.full(n, 1 / n), size=_DRAWS).astype(np.float64)


def resampled_sizes(rows: Floats) -> Floats:
    """Return the sorted |t| of draws from each row (..., n), in rows (..., draws).

    What a row gives depends neither on the order of its cases nor on their sign.
    """
    n = rows.shape[-1]
    flat = rows.reshape(-1, n)
    mean, deviation = (part[:, None] for part in moments(flat))
    scaled = (flat - mean) / np.where(deviation > 0, deviation, 1.0)
    skew = (scaled**3).mean(axis=1, keepdims=True)
    ordered = np.sort(np.where(skew < 0, -scaled, scaled), axis=1)
    more = 1 + _MORE * np.abs(skew)
    found = np.empty((len(flat), _DRAWS))
    step = max(1, _AT_ONCE // (_DRAWS * 4))
    for start in range(0, len(flat), step):
        part = ordered[start : start + step]
        drawn = part @ _counts(n).T / n
        variance = np.maximum((part**2) @ _counts(n).T / n - drawn**2, 0.0) * n / (n - 1)
        error = np.sqrt(np.where(variance > 1e-14, variance, 0.0) / n)
        with np.errstate(divide="ignore", invalid="ignore"):  # one case drawn over and over
            size = np.where(error > 0, np.abs(drawn) / error, np.where(drawn == 0, 0.0, np.inf))
        found[start : start + step] = np.sort(size * more[start : start + step], axis=1)
    return found.reshape(*rows.shape[:-1], _DRAWS)


def _bar(sizes: Floats, df: float) -> tuple[Floats, Floats]:
    """Return the |t| with the smallest tail that is counted, and what divides Student's t."""
    bar = sizes[..., round((1 - _RESOLVED) * (_DRAWS + 1)) - 1]
    return bar, bar / -special.stdtrit(df, _RESOLVED / 2)


def resampled_tail(sizes: Floats, statistic: Floats, df: float) -> Floats:
    """Return the two-sided tail of |t| among the draws of its row, at least that of Student's t."""
    size = np.abs(np.asarray(statistic))
    bar, stretch = _bar(sizes, df)
    reached = (sizes >= size[..., None] - 1e-12).sum(axis=-1)
    counted = (1 + reached) / (_DRAWS + 1)
    with np.errstate(invalid="ignore"):
        beyond = 2 * special.stdtr(df, -size / stretch)
    drawn = np.where(size <= bar, counted, np.where(np.isinf(stretch), 1.0, beyond))
    return np.maximum(drawn, 2 * special.stdtr(df, -size))


def case_pvalue(
    rows: Floats, mean: Floats, error: Floats, df: float, alternative: str = "two-sided"
) -> Floats:
    """Return the p-value of mean differences (...,) of cases (..., n) that stand by themselves.

    Up to 200 cases |t| is judged by draws too, and one side has half of the two-sided tail. Equal
    differences of few cases say nothing of how cases vary: their p is 1.
    """
    mean, error = np.asarray(mean), np.asarray(error)
    n = rows.shape[-1]
    varied = error > 0
    equal = constant_row_pvalue(mean, n, alternative)
    equal = np.ones_like(equal) if n < _TELLING_CASES else equal
    statistic = ratio_or_infinity(mean, error)
    if n > UP_TO:
        return np.where(varied, t_pvalue(statistic, df, alternative), equal)
    found = np.array(equal, dtype=np.float64)
    statistic = statistic[varied]
    tail = resampled_tail(resampled_sizes(rows[varied]), statistic, df)
    if alternative != "two-sided":
        ahead = statistic > 0 if alternative == "greater" else statistic < 0
        tail = np.where(ahead, tail / 2, 1 - tail / 2)
    found[varied] = tail
    return found


def resampled_critical(sizes: Floats, tail: float, df: float) -> float:
    """Return the |t| that has this two-sided tail among the draws of one row, and by Student's t."""
    plain = -float(special.stdtrit(df, tail / 2))
    if tail < _RESOLVED:
        return max(plain, plain * float(_bar(sizes, df)[1]))
    place = min(_DRAWS - 1, max(0, round((1 - tail) * (_DRAWS + 1)) - 1))
    return max(plain, float(sizes[place]))


def resampled_interval(
    rows: Floats, estimate: float, standard_error: float, df: float, confidence: float
) -> tuple[float, float]:
    """Return estimate ± the critical |t| of the draws times the standard error."""
    half = resampled_critical(resampled_sizes(rows), 1 - confidence, df) * standard_error
    return estimate - half, estimate + half


def resampled_bounds(
    rows: Floats, estimate: float, standard_error: float, df: float, bound: float
) -> tuple[float, float]:
    """Return the p-values of a mean of at most, and of at least, a bound: one side has half the tail."""
    statistic = (estimate - bound) / standard_error
    near = float(resampled_tail(resampled_sizes(rows), np.asarray(statistic), df)) / 2
    return (near, 1 - near) if statistic > 0 else (1 - near, near)
