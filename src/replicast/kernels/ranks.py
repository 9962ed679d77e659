"""Wilcoxon's signed-rank test on rows of paired differences."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import compiled, pays
from replicast.kernels.rounding import snap_rows

EXACT_UP_TO = 50  # counts of sign patterns stay below 2**53, so the exact tail has no round-off
_COUNT_UP_TO = 64
_LANES = 32  # rows ranked side by side
_HALF = 32  # bits, of a word that holds two counts
_ONE_EQUAL = 1 << _HALF
_INSERTION_SORT_UP_TO = 40


@compiled
def _sorted_magnitudes(row: Floats, magnitude: Floats, positive: NDArray[np.bool_]) -> int:
    """Fill the non-zero |d| in ascending order with their signs; return how many there are."""
    used = 0
    if len(row) <= _INSERTION_SORT_UP_TO:
        for value in row:
            if value != 0.0:
                size = abs(value)
                place = used
                while place > 0 and magnitude[place - 1] > size:
                    magnitude[place] = magnitude[place - 1]
                    positive[place] = positive[place - 1]
                    place -= 1
                magnitude[place] = size
                positive[place] = value > 0.0
                used += 1
        return used
    order = np.argsort(np.abs(row))
    for index in order:
        if row[index] != 0.0:
            magnitude[used] = abs(row[index])
            positive[used] = row[index] > 0.0
            used += 1
    return used


@compiled
def _doubled_ranks(magnitude: Floats, used: int, ranks: Ints) -> float:
    """Fill twice the mid-ranks of ascending magnitudes; return the tie term sum(t³ - t)."""
    tie_term = 0.0
    start = 0
    while start < used:
        stop = start + 1
        while stop < used and magnitude[stop] == magnitude[start]:
            stop += 1
        for i in range(start, stop):
            ranks[i] = start + stop + 1
        ties = float(stop - start)
        tie_term += ties * ties * ties - ties
        start = stop
    return tie_term


@compiled
def _lower_tail(ranks: Ints, used: int, limit: int, current: Floats, following: Floats) -> float:
    """Return P(doubled W <= limit) over all sign patterns, by dynamic programming over the ranks."""
    for s in range(limit + 1):
        current[s] = 0.0
    current[0] = 1.0
    reach = 0
    for i in range(used):
        rank = ranks[i]
        if rank > limit:  # ranks ascend: the others can only be left out
            break
        reach = min(limit, reach + rank)
        for s in range(rank):
            following[s] = current[s]
        for s in range(rank, reach + 1):
            following[s] = current[s] + current[s - rank]
        for s in range(reach + 1, limit + 1):
            following[s] = 0.0
        current, following = following, current
    total = 0.0
    for s in range(limit + 1):
        total += current[s]
    return total * 0.5**used


@compiled
def _statistics_by_counting(rows: Floats, doubled_w: Ints, used: Ints, tie_term: Floats) -> None:
    """Rank by comparing all pairs, `_LANES` rows side by side: no sort, and the vector units are full.

    The larger of |a| and |b| decides the sign of a + b, so 2·W+ counts pairs with a > -b and again
    with a >= -b, and each a > 0 twice; what pairs with a zero added is taken off again. The tie
    term grows by 3m(m + 1) with a value that m before it equal; m is counted in the high bits.
    """
    count, n = rows.shape
    values = np.empty((n, _LANES))
    seen, total, ties = np.empty(_LANES, np.int64), np.empty(_LANES, np.int64), np.empty(_LANES)
    zeros, above = np.empty(_LANES, np.int64), np.empty(_LANES, np.int64)
    for start in range(0, count, _LANES):
        taken = min(_LANES, count - start)
        for lane in range(taken):
            for j in range(n):
                values[j, lane] = rows[start + lane, j]
        for lane in range(_LANES):
            total[lane], ties[lane], zeros[lane], above[lane] = 0, 0, 0, 0
        for j in range(n):
            own = values[j]
            for lane in range(_LANES):
                seen[lane] = 0
            for k in range(j):
                other = values[k]
                for lane in range(_LANES):
                    a, b = own[lane], -other[lane]
                    pair = 2 if a > b else 0
                    pair += 1 if a == b else 0
                    pair += _ONE_EQUAL if abs(a) == abs(b) else 0
                    seen[lane] += pair
            for lane in range(_LANES):
                equal = seen[lane] >> _HALF
                total[lane] += seen[lane] & (_ONE_EQUAL - 1)
                zeros[lane] += own[lane] == 0.0
                above[lane] += own[lane] > 0.0
                ties[lane] += 3 * equal * (equal + 1) if own[lane] != 0.0 else 0
        for lane in range(taken):
            none, wins = zeros[lane], above[lane]
            used[start + lane] = n - none
            doubled_w[start + lane] = total[lane] + 2 * wins * (1 - none) - none * (none - 1) // 2
            tie_term[start + lane] = ties[lane]


@compiled
def _statistics_by_sorting(
    keys: NDArray[np.uint64], doubled_w: Ints, used: Ints, tie_term: Floats
) -> None:
    """Rank ascending keys: the bits of |d|, which compare like |d|, with the sign in the last."""
    count, n = keys.shape
    for i in range(count):
        first = 0
        while first < n and keys[i, first] == 0:
            first += 1
        total = np.int64(0)
        ties = 0.0
        start = first
        while start < n:
            wins = np.int64(keys[i, start] & np.uint64(1))
            stop = start + 1
            while stop < n and keys[i, stop] >> np.uint64(1) == keys[i, start] >> np.uint64(1):
                wins += np.int64(keys[i, stop] & np.uint64(1))
                stop += 1
            total += wins * (start + stop + 1 - 2 * first)
            group = float(stop - start)
            ties += group * group * group - group
            start = stop
        used[i], doubled_w[i], tie_term[i] = n - first, total, ties


@compiled
def _tied_tails(rows: Floats, limits: Ints, tails: Floats) -> None:
    count, n = rows.shape
    magnitude = np.empty(n)
    positive = np.empty(n, dtype=np.bool_)
    ranks = np.empty(n, dtype=np.int64)
    current, following = np.empty(n * (n + 1) + 1), np.empty(n * (n + 1) + 1)
    for i in range(count):
        used = _sorted_magnitudes(rows[i], magnitude, positive)
        _doubled_ranks(magnitude, used, ranks)
        tails[i] = _lower_tail(ranks, used, limits[i], current, following)


def signed_rank_statistics(rows: Floats) -> tuple[Floats, Ints, Floats]:
    """Return W+, the number of non-zero differences and the tie term of each row."""
    flat = np.ascontiguousarray(rows.reshape(-1, rows.shape[-1]))
    doubled = np.empty(len(flat), dtype=np.int64)
    used = np.empty(len(flat), dtype=np.int64)
    tie_term = np.empty(len(flat))
    if not pays(4 * flat.size * flat.shape[1]):
        _plain_statistics(flat, doubled, used, tie_term)
    elif flat.shape[1] <= _COUNT_UP_TO:
        _statistics_by_counting(flat, doubled, used, tie_term)
    else:
        _statistics_by_sorting(_rank_keys(flat), doubled, used, tie_term)
    shape = rows.shape[:-1]
    return doubled.reshape(shape) / 2, used.reshape(shape), tie_term.reshape(shape)


def _plain_statistics(rows: Floats, doubled_w: Ints, used: Ints, tie_term: Floats) -> None:
    """Do what the kernels do, with NumPy: sort, and count where there are ties or zeros."""
    n = rows.shape[1]
    keys = _rank_keys(rows)
    size = keys >> np.uint64(1)
    won = (keys & np.uint64(1)).astype(np.int64)
    doubled_w[:], used[:], tie_term[:] = 2 * (won @ np.arange(1, n + 1)), n, 0.0
    odd = (size[:, :1] == 0).any(axis=1) | (size[:, 1:] == size[:, :-1]).any(axis=1)
    if odd.any():
        doubled_w[odd], used[odd], tie_term[odd] = _counted_statistics(rows[odd])


def _rank_keys(rows: Floats) -> NDArray[np.uint64]:
    """Return ascending keys of each row: the bits of |d|, which compare like |d|, then the sign."""
    keys = np.abs(rows).view(np.uint64) << np.uint64(1)
    keys |= rows > 0
    keys.sort(axis=1)
    return keys


def _counted_statistics(rows: Floats) -> tuple[Ints, Ints, Floats]:
    """Count how many are smaller and how many as large; all numbers are whole."""
    count, n = rows.shape
    doubled_w, tie_term = np.empty(count, dtype=np.int64), np.empty(count)
    block = max(1, 2**18 // max(1, n * n))
    for start in range(0, count, block):
        some = slice(start, start + block)
        signed = rows[some]
        size = np.where(signed == 0, np.nan, np.abs(signed))  # nothing is as large as NaN
        smaller = (size[:, None, :] < size[:, :, None]).sum(axis=2)
        equal = (size[:, None, :] == size[:, :, None]).sum(axis=2)
        doubled_w[some] = np.where(signed > 0, 2 * smaller + equal + 1, 0).sum(axis=1)
        tie_term[some] = np.where(signed != 0, equal * equal - 1, 0).sum(axis=1)
    return doubled_w, np.count_nonzero(rows, axis=1), tie_term


def signed_rank_z(w_plus: Floats, used: Ints, tie_term: Floats) -> Floats:
    """Return the standardised W+ with tie and continuity correction (1/2 towards zero)."""
    n = np.asarray(used, dtype=np.float64)
    variance = n * (n + 1) * (2 * n + 1) / 24 - tie_term / 48
    centred = w_plus - n * (n + 1) / 4
    pulled = np.sign(centred) * np.maximum(np.abs(centred) - 0.5, 0.0)
    return np.where(n > 0, pulled / np.sqrt(np.where(n > 0, variance, 1.0)), 0.0)


def normal_pvalue(z: Floats, alternative: str) -> Floats:
    """Return the tail area of the standard normal."""
    match alternative:
        case "greater":
            return special.ndtr(-z)
        case "less":
            return special.ndtr(z)
        case _:
            return 2 * special.ndtr(-np.abs(z))


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


@lru_cache(maxsize=8)
def _untied_tables(longest: int) -> Floats:
    """Stack the untied tails of 0 .. longest differences, so that one look-up serves all rows."""
    tables = np.ones((longest + 1, longest * (longest + 1) // 2 + 1))
    for n in range(1, longest + 1):
        tail = untied_lower_tail(n)
        tables[n, : len(tail)] = tail
    return tables


def _exact_lower_tail(rows: Floats, doubled_limit: Ints, used: Ints, tie_term: Floats) -> Floats:
    """Return P(W <= limit) for each row: from a table without ties, row by row with them."""
    tied = tie_term > 0
    all_tied = bool(tied.all())
    if all_tied or rows.shape[1] > EXACT_UP_TO:
        tail = np.ones(len(rows))
        for n in () if all_tied else np.unique(used[~tied]):
            chosen = ~tied & (used == n)
            tail[chosen] = untied_lower_tail(int(n))[doubled_limit[chosen] // 2]
    else:
        tail = _untied_tables(rows.shape[1])[used, doubled_limit // 2]
    if tied.any():
        some = np.ascontiguousarray(rows[tied])
        if pays(len(some) * (some.shape[1] ** 3 + 200_000)):
            found = np.empty(len(some))
            _tied_tails(some, doubled_limit[tied], found)
        else:
            found = np.array(
                [_plain_tail(*each) for each in zip(some, doubled_limit[tied], strict=True)]
            )
        tail[tied] = found
    return tail


def _plain_tail(row: Floats, limit: int) -> float:
    """Do what the kernel does for one row, with NumPy: the same sums in the same order."""
    magnitude = np.sort(np.abs(row[row != 0]))
    smaller = np.searchsorted(magnitude, magnitude, side="left")
    ranks = smaller + np.searchsorted(magnitude, magnitude, side="right") + 1
    current = np.zeros(limit + 1)
    current[0] = 1.0
    for rank in ranks[ranks <= limit].tolist():
        following = current.copy()
        following[rank:] += current[: len(current) - rank]
        current = following
    return float(np.cumsum(current)[-1]) * 0.5 ** len(magnitude)


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
    match alternative:
        case "greater":
            limit = total - doubled
        case "less":
            limit = doubled
        case _:
            limit = np.minimum(doubled, total - doubled)
    tail = _exact_lower_tail(rows, limit, used, tie_term)
    return tail if alternative != "two-sided" else np.minimum(1.0, 2 * tail)


def smallest_pvalue(n: int) -> float:
    """Return the two-sided p-value of a win everywhere, on n scores without ties."""
    if n <= EXACT_UP_TO:
        return float(2.0 ** (1 - n))
    total = n * (n + 1) / 2
    return 2 * float(special.ndtr(-(total - 1) / np.sqrt(total * (2 * n + 1) / 3)))
