"""Student tests on rows of paired differences."""

from functools import lru_cache

import numpy as np
from scipy import special

from replicast.arrays import Floats, Ints
from replicast.kernels.slices import row_slices

_POLISHED_BELOW = 1e-4


def moments(rows: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard deviation (n - 1) along the last axis; exactly 0 for a constant row."""
    flat = np.ascontiguousarray(rows.reshape(-1, rows.shape[-1]))
    mean, deviation = np.empty(len(flat)), np.empty(len(flat))
    for some in row_slices(flat):
        mean[some], deviation[some] = _row_moments(flat[some])
    return mean.reshape(rows.shape[:-1]), deviation.reshape(rows.shape[:-1])


def _row_moments(rows: Floats) -> tuple[Floats, Floats]:
    """Scale each row by its largest value, so that no square leaves the floats."""
    n = rows.shape[1]
    columns = np.ascontiguousarray(rows.T)  # quicker than along short rows
    low, high = columns.min(axis=0), columns.max(axis=0)
    constant = low == high
    largest = np.where(constant, 1.0, np.maximum(-low, high))
    mean = np.einsum("ij->i", rows / n)
    with np.errstate(over="ignore"):  # of constant rows, which are not scaled
        off = (rows - mean[:, None]) / largest[:, None]
    residual, squares = np.einsum("ij->i", off), np.vecdot(off, off)
    deviation = largest * np.sqrt((squares - residual * residual / n) / max(n - 1, 1))
    return np.where(constant, low, mean), np.where(constant, 0.0, deviation)


def correlated_t(rows: Floats, *, test_train_ratio: float) -> tuple[Floats, Floats, Floats]:
    """Return mean, its standard error and the t statistic of each row.

    The variance of the mean is (1/n + test_train_ratio) s²; a ratio of 0 is the plain paired t.
    The statistic of a constant row is 0 if the constant is 0, else infinite.
    """
    mean, deviation = moments(rows)
    standard_error = deviation * np.sqrt(1 / rows.shape[-1] + test_train_ratio)
    return mean, standard_error, ratio_or_infinity(mean, standard_error)


def trimmed_t(rows: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the 20 % trimmed mean of each row, its standard error and the t statistic.

    A fifth of the row is left out at either end; the standard error comes from the row Winsorised at
    its 20 % and 80 % quantiles. Where these are equal, the statistic is 0 or infinite.
    """
    n = rows.shape[-1]
    ordered = np.sort(rows, axis=-1)
    mean, _ = moments(ordered[..., n // 5 : n - n // 5])
    place, beyond = divmod(n - 1, 5)  # a quantile lies fifths of the way from one value to the next
    low, high = (
        ends[..., place] + beyond / 5 * (ends[..., place + 1] - ends[..., place])
        for ends in (ordered, ordered[..., ::-1])
    )
    _, deviation = moments(np.clip(rows, low[..., None], high[..., None]))
    error = deviation / (0.6 * np.sqrt(n))
    return mean, error, ratio_or_infinity(mean, error)


def ratio_or_infinity(numerator: Floats, denominator: Floats) -> Floats:
    """Divide; 0/0 is 0 and x/0 is infinite with the sign of x, without a floating-point warning."""
    zero = denominator == 0
    safe = numerator / np.where(zero, 1.0, denominator)
    return np.where(zero, np.where(numerator == 0, 0.0, np.copysign(np.inf, numerator)), safe)


def five_by_two_t(rows: Floats) -> tuple[Floats, Floats, Floats]:
    """Return first difference, its standard error and Dietterich's t for rows of ten (5 x 2)."""
    scale = _largest(rows)
    gaps = _fold_gaps(rows) / scale[..., None]
    spread = scale * np.sqrt((gaps**2 / 2).mean(axis=-1))
    first = rows[..., 0]
    return first, spread, ratio_or_infinity(first, spread)


def five_by_two_f(rows: Floats) -> Floats:
    """Return Alpaydin's combined F statistic, F(10, 5), for rows of ten (5 x 2)."""
    scale = _largest(rows)[..., None]
    spread = ((_fold_gaps(rows) / scale) ** 2 / 2).sum(axis=-1)
    return ratio_or_infinity(((rows / scale) ** 2).sum(axis=-1), 2 * spread)


def five_by_two_interval(differences: Floats, confidence: float) -> tuple[float, float]:
    """Return the mean differences that the combined F-test of ten differences does not reject.

    Endless in both directions where it rejects them all: the runs then disagree more than the folds
    of each run.
    """
    scale = float(_largest(differences))
    scaled = differences / scale
    mean = float(scaled.mean())
    within = float((_fold_gaps(scaled) ** 2).sum()) / 2
    critical = float(special.fdtri(10, 5, confidence))
    room = 2 * critical * within - float(((scaled - mean) ** 2).sum())
    if room < 0:
        return -np.inf, np.inf
    half = float(np.sqrt(room / 10))
    return scale * (mean - half), scale * (mean + half)


def _fold_gaps(rows: Floats) -> Floats:
    """Return the difference of the two folds of each run (5 x 2)."""
    return rows[..., 1::2] - rows[..., 0::2]


def _largest(rows: Floats) -> Floats:
    """Return the largest magnitude of each row, or 1: dividing by it keeps squares in range."""
    largest = np.abs(rows).max(axis=-1)
    return np.where(largest > 0, largest, 1.0)


def t_lower(df: float, statistic: Floats | float) -> Floats:
    """Return P(T < statistic) of Student's t.

    With one degree of freedom SciPy squares the statistic, which costs half of the digits of small
    ones and overflows for large ones; there the tail is an angle.
    """
    if df != 1:
        return np.asarray(special.stdtr(df, statistic), dtype=np.float64)
    return np.asarray(np.arctan2(1.0, -np.asarray(statistic, dtype=np.float64)) / np.pi)


@lru_cache(maxsize=4096)
def t_critical(df: float, tail: float) -> float:
    """Return the value that Student's t exceeds with probability `tail`, however small.

    SciPy gives infinity or a wrong value for some of the smallest tails, so those are polished by
    Newton's method on logarithms; and 1 - tail would lose them.
    """
    if tail <= 0 or tail >= 1:  # SciPy takes both for the upper end
        return np.inf if tail <= 0 else -np.inf
    if df == 1 and tail < 0.5:
        return float(1 / np.tan(np.pi * tail))
    found = -float(special.stdtrit(df, tail))
    if tail >= _POLISHED_BELOW:
        return found
    if not 0 < found < np.inf:
        found = float(np.sqrt(df / special.betaincinv(df / 2, 0.5, 2 * tail)))
    for _ in range(60):
        here = float(t_lower(df, -found))
        if here <= 0 or abs(here / tail - 1) < 1e-14:
            break
        slope = df / (1 + df / found**2)  # of -log(tail) over log(t), far out
        found *= float(np.exp(np.log(here / tail) / slope))
    return found


def t_pvalue(statistic: Floats, df: float, alternative: str) -> Floats:
    """Return the tail area of Student's t; infinite statistics give 0 or 1."""
    if alternative == "two-sided":
        return 2 * t_lower(df, -np.abs(statistic))
    return t_lower(df, statistic if alternative == "less" else -statistic)


def constant_row_pvalue(mean: Floats, n: float | Ints, alternative: str) -> Floats:
    """Return the exact sign-flip p-value of n equal differences, the convention for zero variance."""
    tail = np.exp2(-np.asarray(n, dtype=np.float64))
    if alternative == "two-sided":
        return np.where(mean == 0, 1.0, 2 * tail)
    return np.where(mean < 0 if alternative == "less" else mean > 0, tail, 1.0)


def above_pvalue(excess: float, standard_error: float, df: float, tosses: float) -> float:
    """Return the p-value of an estimate that lies `excess` above a bound; without an error, by signs."""
    if standard_error == 0:
        return float(constant_row_pvalue(np.asarray(excess), tosses, "greater"))
    return float(t_lower(df, -excess / standard_error))


def t_interval(
    estimate: float, standard_error: float, df: float, confidence: float
) -> tuple[float, float]:
    """Return the two-sided interval estimate ± t·se."""
    half = t_critical(df, (1 - confidence) / 2) * standard_error
    return estimate - half, estimate + half
