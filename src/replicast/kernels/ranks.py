"""Wilcoxon's signed-rank test on rows of paired differences."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import compiled_in_bulk
from replicast.kernels.rounding import snap_rows
from replicast.kernels.slices import row_slices

EXACT_UP_TO = 50  # counts of sign patterns stay below 2**53, so the exact tail has no round-off


def _rank_keys(rows: Floats) -> Ints:
    """Return ascending keys of each row: the bits of |d|, which compare like |d|, then that of d < 0."""
    bits = rows.view(np.uint64)
    keys = bits << np.uint64(1)
    keys |= bits >> np.uint64(63)
    keys.sort(axis=1)
    return keys.view(np.int64)


@compiled_in_bulk
def _rank_sums(keys: Ints, doubled_w: Ints, used: Ints, tie_term: Floats) -> None:
    """Fill 2·W+ of ascending keys with mid-ranks, how many are not 0, and the tie term sum(t³ - t).

    Of those that tie, the positive come first. So each is given the rank of its place, and every pair
    of different signs that ties adds a half. The r-th of those that tie adds 3r(r - 1) to the tie term.
    """
    count, n = keys.shape
    for i in range(count):
        zeros = 0
        while zeros < n and (keys[i, zeros] | 1) == 1:
            zeros += 1
        doubled, ties = 0, 0.0
        last, run, wins = 0, 0, 0
        for j in range(zeros, n):
            size, lost = keys[i, j] | 1, keys[i, j] & 1
            again = 1 if size == last else 0
            run = again * run + 1
            wins = again * wins + 1 - lost
            doubled += 2 * (1 - lost) * (j + 1 - zeros) + lost * wins
            ties += 3.0 * run * (run - 1)
            last = size
        doubled_w[i], used[i], tie_term[i] = doubled, n - zeros, ties


@compiled_in_bulk
def _tied_tails(keys: Ints, limits: Ints, tails: Floats) -> None:
    """Fill P(doubled W <= limit) over all sign patterns, by dynamic programming over the ranks."""
    count, n = keys.shape
    for i in range(count):
        zeros = 0
        while zeros < n and (keys[i, zeros] | 1) == 1:
            zeros += 1
        limit = limits[i]
        patterns = np.zeros(limit + 1)
        patterns[0] = 1.0
        reach = 0
        start = zeros
        while start < n:
            stop = start + 1
            while stop < n and (keys[i, stop] | 1) == (keys[i, start] | 1):
                stop += 1
            rank = start + stop + 1 - 2 * zeros
            if rank > limit:  # ranks ascend: the others can only be left out
                break
            for _ in range(start, stop):
                reach = min(limit, reach + rank)
                patterns[rank : reach + 1] += patterns[: reach + 1 - rank].copy()
            start = stop
        tails[i] = patterns.sum() * 0.5 ** (n - zeros)


def _have_ties(keys: Ints) -> bool:
    """Say whether any row has ties or zeros."""
    sizes = keys | 1
    return bool((sizes[:, 1:] == sizes[:, :-1]).any() or (sizes[:, 0] == 1).any())


def signed_rank_statistics(rows: Floats) -> tuple[Floats, Ints, Floats]:
    """Return W+, the number of non-zero differences and the tie term of each row."""
    flat = np.ascontiguousarray(rows.reshape(-1, rows.shape[-1]))
    doubled = np.empty(len(flat), dtype=np.int64)
    used = np.empty(len(flat), dtype=np.int64)
    tie_term = np.empty(len(flat))
    places = np.arange(1.0, flat.shape[1] + 1)
    for some in row_slices(flat):
        keys = _rank_keys(flat[some])
        if _have_ties(keys[:64]) or _have_ties(keys):  # a few rows often tell
            _rank_sums(keys, doubled[some], used[some], tie_term[some])
        else:  # without ties and zeros ranks are places
            positive = (~keys & 1).astype(np.float64)
            doubled[some], used[some], tie_term[some] = 2 * (positive @ places), len(places), 0.0
    shape = rows.shape[:-1]
    return doubled.reshape(shape) / 2, used.reshape(shape), tie_term.reshape(shape)


def signed_rank_z(w_plus: Floats, used: Ints, tie_term: Floats) -> Floats:
    """Return the standardised W+ with tie and continuity correction (1/2 towards zero)."""
    n = np.asarray(used, dtype=np.float64)
    variance = n * (n + 1) * (2 * n + 1) / 24 - tie_term / 48
    centred = w_plus - n * (n + 1) / 4
    pulled = np.sign(centred) * np.maximum(np.abs(centred) - 0.5, 0.0)
    return np.where(n > 0, pulled / np.sqrt(np.where(n > 0, variance, 1.0)), 0.0)


def normal_pvalue(z: Floats, alternative: str) -> Floats:
    """Return the tail area of the standard normal."""
    if alternative == "two-sided":
        return 2 * special.ndtr(-np.abs(z))
    return special.ndtr(z if alternative == "less" else -z)


@lru_cache(maxsize=128)
def untied_lower_tail(n: int) -> Floats:
    """Return P(W <= w) for w = 0 .. n(n+1)/2 of n untied non-zero differences."""
    probability = np.zeros(n * (n + 1) // 2 + 1)
    probability[0] = 1.0
    for rank in range(1, n + 1):
        shifted = np.zeros_like(probability)
        shifted[rank:] = probability[:-rank]
        probability = (probability + shifted) / 2
    tail = np.cumsum(probability)
    tail.setflags(write=False)
    return tail


def critical_rank_sum(n: int, significance: float) -> int:
    """Return the least W+ of n untied differences with an exact two-sided p below `significance`.

    One more than the largest possible if there is none.
    """
    tail = untied_lower_tail(n)
    return len(tail) - int(np.count_nonzero(2 * tail < significance))


def _exact_lower_tail(rows: Floats, doubled_limit: Ints, used: Ints, tie_term: Floats) -> Floats:
    """Return P(W <= limit) for each row: from a table without ties, row by row with them."""
    tied, tail = tie_term > 0, np.ones(len(rows))
    for n in np.unique(used[~tied]):
        chosen = ~tied & (used == n)
        tail[chosen] = untied_lower_tail(int(n))[doubled_limit[chosen] // 2]
    if tied.any():
        tails = np.empty(int(tied.sum()))
        _tied_tails(_rank_keys(rows[tied]), doubled_limit[tied], tails)
        tail[tied] = tails
    return tail


def signed_rank_pvalues(
    rows: Floats,
    *,
    method: str,
    alternative: str,
    statistics: tuple[Floats, Ints, Floats] | None = None,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return p-values of rows (m, n) and which of them are exact.

    `auto` is exact, ties included, for up to 50 non-zero differences and normal above. `statistics`
    are those of `signed_rank_statistics`, if they are known.
    """
    w_plus, used, tie_term = statistics or signed_rank_statistics(rows)
    if method == "exact":
        exact = np.ones(len(rows), dtype=np.bool_)
    else:
        exact = (used <= EXACT_UP_TO) & (method == "auto")
    if exact.all():
        return _exact_pvalues(rows, w_plus, used, tie_term, alternative), exact
    pvalue = _normal_tail(w_plus, used, tie_term, alternative)
    if exact.any():
        pvalue[exact] = _exact_pvalues(
            rows[exact], w_plus[exact], used[exact], tie_term[exact], alternative
        )
    return pvalue, exact


def positive_pvalues(rows: Floats) -> Floats:
    """Return the p-values of a pseudomedian of at most 0, of rows that a bound was taken from."""
    return signed_rank_pvalues(snap_rows(rows), method="auto", alternative="greater")[0]


def bound_pvalues(differences: Floats, bound: float) -> tuple[float, float]:
    """Return the p-values of a pseudomedian of at most and of at least `bound`."""
    above, below = positive_pvalues(np.stack([differences - bound, bound - differences]))
    return float(above), float(below)


def _normal_tail(w_plus: Floats, used: Ints, tie_term: Floats, alternative: str) -> Floats:
    """Return normal p-values; the continuity correction of a one-sided test is against its side."""
    if alternative == "two-sided":
        return normal_pvalue(signed_rank_z(w_plus, used, tie_term), alternative)
    n = np.asarray(used, dtype=np.float64)
    variance = n * (n + 1) * (2 * n + 1) / 24 - tie_term / 48
    off = w_plus - n * (n + 1) / 4 + (0.5 if alternative == "less" else -0.5)
    tail = normal_pvalue(off / np.sqrt(np.where(n > 0, variance, 1.0)), alternative)
    return np.where(n > 0, tail, 1.0)


def _exact_pvalues(
    rows: Floats, w_plus: Floats, used: Ints, tie_term: Floats, alternative: str
) -> Floats:
    doubled = np.rint(2 * w_plus).astype(np.int64)
    total = used * (used + 1)
    limits = {"greater": total - doubled, "less": doubled}
    limit = limits.get(alternative, np.minimum(doubled, total - doubled))
    tail = _exact_lower_tail(rows, limit, used, tie_term)
    return tail if alternative != "two-sided" else np.minimum(1.0, 2 * tail)


def smallest_pvalue(n: int) -> float:
    """Return the two-sided p-value of a win everywhere, on n scores without ties."""
    if n <= EXACT_UP_TO:
        return float(2.0 ** (1 - n))
    total = n * (n + 1) / 2
    return 2 * float(special.ndtr(-(total - 1) / np.sqrt(total * (2 * n + 1) / 3)))
