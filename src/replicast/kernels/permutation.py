"""The sign-flip test: every pattern of signs for few differences, random patterns for many."""

import numpy as np
from numpy.typing import NDArray

from replicast.kernels.compiled import compiled
from replicast.kernels.rounding import rounding_unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EXACT_UP_TO = 32  # 2**16 partial sums on each side: milliseconds


@compiled
def _partial_sums(values: Ints) -> Ints:
    """Return the sums of all sign patterns of `values`, ascending."""
    sums = np.zeros(1, dtype=np.int64)
    for value in values:
        lower, upper = sums - value, sums + value
        merged = np.empty(2 * len(sums), dtype=np.int64)
        i = j = 0
        for k in range(len(merged)):  # both halves are sorted, so merging keeps the order
            if j >= len(upper) or (i < len(lower) and lower[i] <= upper[j]):
                merged[k] = lower[i]
                i += 1
            else:
                merged[k] = upper[j]
                j += 1
        sums = merged
    return sums


@compiled
def _share_at_least(magnitudes: Ints, observed: int) -> float:
    """Return the share of all sign patterns whose sum reaches `observed` (meet in the middle)."""
    half = len(magnitudes) // 2
    left, right = _partial_sums(magnitudes[:half]), _partial_sums(magnitudes[half:])
    reached = 0
    start = len(right)
    for value in left:
        while start > 0 and value + right[start - 1] >= observed:
            start -= 1
        reached += len(right) - start
    return reached / (len(left) * len(right))


@compiled
def _exact_shares(magnitudes: Ints, observed: Ints, shares: Floats) -> None:
    for i in range(len(magnitudes)):
        shares[i] = _share_at_least(magnitudes[i], observed[i])


@compiled
def _sampled_counts(rows: Ints, signs: NDArray[np.int8], limits: Ints, counts: Ints) -> None:
    for i in range(len(rows)):
        reached = 0
        for pattern in signs:
            total = 0
            for j in range(rows.shape[1]):
                total += pattern[j] * rows[i, j]
            reached += total >= limits[i]
        counts[i] = reached


def integer_rows(rows: Floats) -> Ints:
    """Express differences in units of their 14th digit, so that sums compare without round-off."""
    unit = rounding_unit(np.abs(rows).max(axis=-1, keepdims=True, initial=0.0))
    tiny = unit == 0  # all zero, or too small for the unit: scale by the largest instead
    largest = np.abs(rows).max(axis=-1, keepdims=True, initial=0.0)
    fallback = np.where(largest > 0, largest, 1.0) * 1e-14
    return np.rint(rows / np.where(tiny, fallback, unit)).astype(np.int64)


def sign_flip_pvalues(
    rows: Floats, *, alternative: str, resamples: int, rng: np.random.Generator
) -> Floats:
    """Return the sign-flip p-value of the mean of each row (m, n).

    Exact up to 32 differences; beyond, `resamples` random patterns and (b + 1)/(m + 1).
    """
    whole = integer_rows(rows)
    sums = whole.sum(axis=-1)
    if alternative == "less":
        whole, sums = -whole, -sums
    # The null distribution is symmetric, so the two-sided share is twice the one beyond |sum|.
    observed = np.abs(sums) if alternative == "two-sided" else sums
    if rows.shape[-1] <= EXACT_UP_TO:
        share = np.empty(len(whole))
        _exact_shares(np.abs(whole), observed, share)
    else:
        share = _sampled_shares(whole, observed, resamples, rng)
    return share if alternative != "two-sided" else np.minimum(1.0, 2 * share)


def _sampled_shares(
    whole: Ints, observed: Ints, resamples: int, rng: np.random.Generator
) -> Floats:
    signs = rng.integers(0, 2, size=(resamples, whole.shape[-1]), dtype=np.int8) * 2 - 1
    counts = np.empty(len(whole), dtype=np.int64)
    _sampled_counts(whole, signs.astype(np.int8), observed, counts)
    return (counts + 1) / (resamples + 1)


def sign_flip_interval(sample: Floats, resamples: int, confidence: float) -> tuple[float, float]:
    """Return the mean differences that the sign-flip test does not reject, by bisection."""
    tail = (1 - confidence) / 2

    def lower_limit(values: Floats) -> float:
        def pvalue(shift: float) -> float:
            rows = (values - shift)[None]
            rng = np.random.default_rng(0)  # the same patterns for every shift: a monotone curve
            found = sign_flip_pvalues(rows, alternative="greater", resamples=resamples, rng=rng)
            return float(found[0])

        width = float(values.max() - values.min())
        low, high = float(values.min()) - width, float(values.max())
        if width == 0:
            return low
        if pvalue(low) > tail:
            return -np.inf
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (low, middle) if pvalue(middle) > tail else (middle, high)
        return high

    return lower_limit(sample), -lower_limit(-sample)
