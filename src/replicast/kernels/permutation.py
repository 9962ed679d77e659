"""The sign-flip test: every pattern of signs for few differences, random patterns for many."""

from collections.abc import Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Floats, Ints
from replicast.kernels.rounding import rounding_unit

Signs = NDArray[np.int8]
Patterns = NDArray[np.uint8]
Number = TypeVar("Number", np.float64, np.int64)

EXACT_UP_TO = 32  # 2**16 partial sums on each side: milliseconds
_SIGNS_AT_ONCE = 10_000_000
_ONE_BY_ONE = 4096  # differences whose signs are drawn one by one; of more, eight at a time
_OCTETS_AT_ONCE = 2**25


def _partial_sums(values: Ints) -> Ints:
    """Return the sums of all sign patterns of `values`, ascending."""
    sums = np.zeros(1, dtype=np.int64)
    for value in values:
        sums = np.concatenate([sums - value, sums + value])
    sums.sort()
    return sums


def _share_at_least(magnitudes: Ints, observed: int) -> float:
    """Return the share of all sign patterns whose sum reaches `observed` (meet in the middle)."""
    half = len(magnitudes) // 2
    left, right = _partial_sums(magnitudes[:half]), _partial_sums(magnitudes[half:])
    reached = len(right) - np.searchsorted(right, observed - left, side="left")
    return float(reached.sum() / (len(left) * len(right)))


def _flipped_sums(values: NDArray[Number], patterns: Patterns) -> NDArray[Number]:
    """Return the sum of the values that each pattern flips; a row of `patterns` holds eight of them.

    The sums of all subsets of eight are tabulated, so that a look-up stands for eight additions.
    """
    sums = np.zeros(patterns.shape[1], dtype=values.dtype)
    table = np.zeros(256, dtype=values.dtype)
    padded = np.pad(values, (0, 8 * len(patterns) - len(values))).reshape(-1, 8)
    for octet, pattern in zip(padded, patterns, strict=True):
        for bit, value in enumerate(octet):
            table[1 << bit : 2 << bit] = table[: 1 << bit] + value
        sums += table.take(pattern)
    return sums


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
        each = zip(np.abs(whole), observed.tolist(), strict=True)
        share = np.array([_share_at_least(*pair) for pair in each])
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
    if n <= _ONE_BY_ONE:
        for signs in _sign_batches(n, resamples, rng):
            packed = np.packbits(signs < 0, axis=1, bitorder="little")
            yield np.ascontiguousarray(packed.T)
        return
    octets = -(-n // 8)
    step = max(8, _OCTETS_AT_ONCE // octets // 8 * 8)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        words = rng.integers(0, 2**64, size=octets * -(-size // 8), dtype=np.uint64)
        yield np.ascontiguousarray(words.view(np.uint8).reshape(octets, -1)[:, :size])


def _sampled_shares(
    whole: Ints, observed: Ints, resamples: int, rng: np.random.Generator
) -> Floats:
    counts, totals = np.zeros(len(whole), dtype=np.int64), whole.sum(axis=-1)
    for patterns in _pattern_batches(whole.shape[-1], resamples, rng):
        for i, row in enumerate(whole):
            flipped = _flipped_sums(row, patterns)
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
    for patterns in _pattern_batches(len(sample), resamples, np.random.default_rng(0)):
        flipped, count = _flipped_sums(sample, patterns), _flipped_sums(sizes, patterns)
        means.append(flipped[count > 0] / count[count > 0])
    ordered = np.sort(np.concatenate(means))
    never = resamples - len(ordered)  # patterns that flip nothing reach every sum
    needed = int(np.floor(tail * (resamples + 1))) - never
    if needed < 1:
        return -np.inf, np.inf
    return float(ordered[needed - 1]), float(ordered[-needed])
