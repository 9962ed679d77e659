"""The sign-flip test: every pattern of signs for few differences, random patterns for many."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import compiled
from replicast.kernels.rounding import rounding_unit

Signs = NDArray[np.int8]
Patterns = NDArray[np.uint8]
Numbers = Floats | Ints

EXACT_UP_TO = 32  # 2**16 partial sums on each side: milliseconds
_SIGNS_AT_ONCE = 10_000_000
_ONE_BY_ONE = 4096  # differences whose signs are drawn one by one; of more, eight at a time
_OCTETS_AT_ONCE = 2**25


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
    """Add to `counts` how many sign patterns reach each row's limit."""
    for i in range(len(rows)):
        reached = 0
        for pattern in signs:
            total = 0
            for j in range(rows.shape[1]):
                total += pattern[j] * rows[i, j]
            reached += total >= limits[i]
        counts[i] += reached


@compiled
def _flipped_sums(values: Numbers, patterns: Patterns, sums: Numbers) -> None:
    """Fill the sum of the values that each pattern flips; a row of `patterns` holds eight of them.

    The sums of all subsets of eight are tabulated, so that a look-up stands for eight additions; four
    tables at a time fit into the nearest cache.
    """
    count = patterns.shape[1]
    table = np.zeros((4, 256), dtype=values.dtype)
    for p in range(count):
        sums[p] = 0
    for start in range(0, len(patterns), 4):
        for t in range(4):
            for k in range(8):
                place = 8 * (start + t) + k
                value = values[place] if place < len(values) else values[0] * 0
                for subset in range(1 << k):
                    table[t, subset + (1 << k)] = table[t, subset] + value
        last = min(4, len(patterns) - start)
        if last == 4:
            first, second = patterns[start], patterns[start + 1]
            third, fourth = patterns[start + 2], patterns[start + 3]
            for p in range(count):
                sums[p] += (table[0, first[p]] + table[1, second[p]]) + (
                    table[2, third[p]] + table[3, fourth[p]]
                )
        else:
            for t in range(last):
                for p in range(count):
                    sums[p] += table[t, patterns[start + t, p]]


def integer_rows(rows: Floats) -> Ints:
    """Express differences in units of their 14th digit, so that sums compare without round-off.

    Very long rows get a coarser unit, so that their sums stay within the integers.
    """
    largest = np.abs(rows).max(axis=-1, keepdims=True, initial=0.0)
    unit = rounding_unit(largest) * 10.0 ** max(0, np.ceil(np.log10(rows.shape[-1] / 5e4)))
    tiny = unit == 0  # all zero, or too small for the unit: scale by the largest instead
    scaled = np.where(
        tiny, rows / np.where(largest > 0, largest, 1.0) * 1e12, rows / np.where(tiny, 1.0, unit)
    )
    return np.rint(scaled).astype(np.int64)


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
    if alternative == "two-sided":
        # The null distribution is symmetric: twice the share beyond the sum, seen from its side.
        whole, sums = np.where(sums[:, None] < 0, -whole, whole), np.abs(sums)
    observed = sums - rows.shape[-1]  # each term was rounded by up to half a unit
    if rows.shape[-1] <= EXACT_UP_TO:
        share = np.empty(len(whole))
        _exact_shares(np.abs(whole), observed, share)
    else:
        share = _sampled_shares(whole, observed, resamples, rng)
    return share if alternative != "two-sided" else np.minimum(1.0, 2 * share)


def _sign_batches(n: int, resamples: int, rng: np.random.Generator) -> Iterator[Signs]:
    """Yield random sign patterns (some, n), as many at a time as memory likes."""
    step = max(1, _SIGNS_AT_ONCE // n)
    for start in range(0, resamples, step):
        size = (min(step, resamples - start), n)
        yield (rng.integers(0, 2, size=size, dtype=np.int8) * 2 - 1).astype(np.int8)


def simulated_pvalues(rows: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Return two-sided sign-flip p-values of many rows without ties, where round-off decides nothing."""
    if rows.shape[-1] <= EXACT_UP_TO:
        return sign_flip_pvalues(rows, alternative="two-sided", resamples=resamples, rng=rng)
    observed = np.abs(rows.sum(axis=-1))[:, None]
    counts = np.zeros(len(rows))
    for signs in _sign_batches(rows.shape[-1], resamples, rng):
        counts += ((rows @ signs.T.astype(np.float64)) >= observed).sum(axis=1)
    return np.minimum(1.0, 2 * (counts + 1) / (resamples + 1))


def _pattern_batches(n: int, resamples: int, rng: np.random.Generator) -> Iterator[Patterns]:
    """Yield random patterns, eight signs to a byte: (n / 8, some), as many as memory likes."""
    octets = -(-n // 8)
    step = max(8, _OCTETS_AT_ONCE // octets // 8 * 8)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        words = rng.integers(0, 2**64, size=octets * -(-size // 8), dtype=np.uint64)
        yield np.ascontiguousarray(words.view(np.uint8).reshape(octets, -1)[:, :size])


def _sampled_shares(
    whole: Ints, observed: Ints, resamples: int, rng: np.random.Generator
) -> Floats:
    counts = np.zeros(len(whole), dtype=np.int64)
    if whole.shape[-1] <= _ONE_BY_ONE:
        for signs in _sign_batches(whole.shape[-1], resamples, rng):
            _sampled_counts(whole, signs, observed, counts)
        return (counts + 1) / (resamples + 1)
    totals = whole.sum(axis=-1)
    for patterns in _pattern_batches(whole.shape[-1], resamples, rng):
        flipped = np.empty(patterns.shape[1], dtype=np.int64)
        for i, row in enumerate(whole):
            _flipped_sums(row, patterns, flipped)
            counts[i] += np.count_nonzero(totals[i] - 2 * flipped >= observed[i])
    return (counts + 1) / (resamples + 1)


def sign_flip_interval(
    sample: Floats, resamples: int, confidence: float, *, sizes: Floats | None = None
) -> tuple[float, float]:
    """Return the mean differences that the sign-flip test does not reject.

    Where the sample holds sums of clusters, `sizes` holds how many differences each sum is of.
    """
    tail = (1 - confidence) / 2
    counts = np.ones(len(sample)) if sizes is None else sizes
    if len(sample) > EXACT_UP_TO:
        return _sampled_interval(sample, counts, resamples, tail)

    def lower_limit(values: Floats) -> float:
        def pvalue(shift: float) -> float:
            rows = (values - shift * counts)[None]
            rng = np.random.default_rng(0)  # not used: all patterns are counted
            found = sign_flip_pvalues(rows, alternative="greater", resamples=resamples, rng=rng)
            return float(found[0])

        means = values / counts
        width = float(means.max() - means.min())
        low, high = float(means.min()) - width, float(means.max())
        if width == 0:
            return low
        if pvalue(low) > tail:
            return -np.inf
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (low, middle) if pvalue(middle) > tail else (middle, high)
        return high

    return lower_limit(sample), -lower_limit(-sample)


def _sampled_interval(
    sample: Floats, sizes: Floats, resamples: int, tail: float
) -> tuple[float, float]:
    """Return the interval by random patterns, the same for every shift.

    A pattern reaches the sum of the shifted sample from a shift on that is the mean of those it
    flips, so the limits are order statistics of such means.
    """
    each = sample / sizes
    if (each == each[0]).all():
        return float(each[0]), float(each[0])
    means = []
    for flipped, count in _flipped(sample, sizes, resamples):
        means.append(flipped[count > 0] / count[count > 0])
    ordered = np.sort(np.concatenate(means))
    never = resamples - len(ordered)  # patterns that flip nothing reach every sum
    needed = int(np.floor(tail * (resamples + 1))) - never
    if needed < 1:
        return -np.inf, np.inf
    return float(ordered[needed - 1]), float(ordered[-needed])


def _flipped(sample: Floats, sizes: Floats, resamples: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield the sums of what random patterns flip, and of how many differences those are."""
    rng = np.random.default_rng(0)
    if len(sample) <= _ONE_BY_ONE:
        for signs in _sign_batches(len(sample), resamples, rng):
            flips = (signs < 0).astype(np.float64)
            yield flips @ sample, flips @ sizes
        return
    for patterns in _pattern_batches(len(sample), resamples, rng):
        flipped, count = np.empty(patterns.shape[1]), np.empty(patterns.shape[1])
        _flipped_sums(np.asarray(sample, dtype=np.float64), patterns, flipped)
        _flipped_sums(np.asarray(sizes, dtype=np.float64), patterns, count)
        yield flipped, count
