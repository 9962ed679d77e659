"""The best cut of a node by the Gini index, as scikit-learn finds it, to the last bit.

With O of N rows in the second of two classes, o of them among n on the left, the decrease of the
impurity grows with the score (oN - nO)² / n(N - n). Scores of two classes are computed in single
precision, for vector units; cuts close to the best are compared by scikit-learn's own formula, and
of equals the first wins.
"""

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Floats, Ints, Places, Singles
from replicast.kernels.compiled import inner
from replicast.learners.trees.cuts import LANES, ROW, ROW_BITS, Halves, Words

Bytes = NDArray[np.uint8]
Quads = NDArray[np.uint64]

NO_SPLIT = -1  # instead of a feature
WIDE = 16  # numbers scored in one step; arrays have as many to spare
_QUADS = LANES // 4
_SURE = 1e-5  # a larger share than single precision rounds off a score
_CLOSE = 1e-6  # the same for scores near zero
_INVALID = np.float32(-1)  # the score between rows that are not told apart
_NOTHING = int(_INVALID.view(np.int32))


@inner
def _proxy(n_left: int, squares_left: int, n_right: int, squares_right: int) -> float:
    """Return scikit-learn's score of a split, to the last bit, to break near ties alike."""
    left, right = float(n_left), float(n_right)
    gini_left = 1.0 - squares_left / (left * left)
    gini_right = 1.0 - squares_right / (right * right)
    return -right * gini_right - left * gini_left


@inner
def _proxy_of_two(left: int, left_ones: int, size: int, ones: int) -> float:
    right, right_ones = size - left, ones - left_ones
    return _proxy(
        left,
        left_ones * left_ones + (left - left_ones) ** 2,
        right,
        right_ones * right_ones + (right - right_ones) ** 2,
    )


@inner
def _score_of(bits: np.int32) -> float:
    single = np.int32(bits)
    return float(single.view(np.float32))


@inner
def _limit(highest: float) -> np.float32:
    """Return the least score in single precision with which a cut may be as good as the best."""
    return np.float32(highest - highest * _SURE - _CLOSE)


@inner
def share_out(size: int, least: int, shares: Singles) -> None:
    """Fill 1 / n(N - n) for n = 1, 2, ...; 0 where a side has fewer than the least rows."""
    for p in range(size):
        shares[p] = np.float32(1) / (np.float32(p + 1) * np.float32(size - 1 - p))
    for p in range(least - 1):
        shares[p] = 0
    for p in range(size - least, size + WIDE):
        shares[p] = 0


@inner
def scan_two(
    words: Words,
    size: int,
    excess: Places,
    ones: int,
    least: int,
    shares: Singles,
    running: Places,
    bits: Places,
    scores: Singles,
    best: float,
    proxy: float,
) -> tuple[float, float, int]:
    """Return the best score of cutting sorted rows of two classes, its proxy, and the cut.

    The cut is the number of rows on the left, 0 if none is better than the `proxy`. `excess` holds N - O
    for rows of the second class, else -O.
    """
    total = 0
    for p in range(size):
        total += excess[words[p] & ROW]
        running[p] = total
    wide = (size + WIDE - 1) // WIDE * WIDE
    for p in range(wide):
        surplus = np.float32(running[p])
        score = surplus * surplus * shares[p]
        scores[p] = score if words[p] ^ words[p + 1] > ROW else _INVALID
    top = np.int32(_NOTHING)
    for p in range(wide):  # bits of scores have the order of scores
        top = max(top, bits[p])
    highest = max(best, _score_of(top))
    limit, cut = _limit(highest), 0
    if _score_of(top) < limit:
        return best, proxy, cut
    for p in range(size):
        if scores[p] >= limit:
            n = p + 1
            if least <= n <= size - least:
                left_ones = (int(running[p]) + n * ones) // size
                exact = _proxy_of_two(n, left_ones, size, ones)
                if exact > proxy:
                    proxy, cut = exact, n
    return highest, proxy, cut


@inner
def scan_in_turn(
    words: Words, y: Bytes, ones: int, least: int, inverse: Floats, best: float, proxy: float
) -> tuple[float, float, int]:
    """Do what `scan_two` does one row after the other: faster where features are few."""
    size = len(words)
    cut, excess, limit = 0, 0, best - _CLOSE
    for p in range(size - 1):
        excess += y[words[p] & ROW] * size - ones
        n = p + 1
        surplus = float(excess)
        score = surplus * surplus * (inverse[n] * inverse[size - n])
        if score > limit and words[p] ^ words[n] > ROW and n >= least and size - n >= least:
            exact = _proxy_of_two(n, (excess + n * ones) // size, size, ones)
            if exact > proxy:
                best, proxy, cut = score, exact, n
                limit = best - _CLOSE
    return best, proxy, cut


@inner
def scan_many(
    words: Words,
    y: Bytes,
    counts: Ints,
    left: Ints,
    least: int,
    inverse: Floats,
    best: float,
    proxy: float,
) -> tuple[float, float, int]:
    """Do what `scan_two` does for any number of classes."""
    n = len(words)
    cut, squares_left, squares_right = 0, 0, 0
    for c in range(len(counts)):
        left[c] = 0
        squares_right += counts[c] * counts[c]
    for p in range(n - 1):
        c = y[words[p] & ROW]
        squares_left += 2 * left[c] + 1
        squares_right -= 2 * (counts[c] - left[c]) - 1
        left[c] += 1
        if (words[p] >> ROW_BITS) != (words[p + 1] >> ROW_BITS):
            n_left = p + 1
            n_right = n - n_left
            score = squares_left * inverse[n_left] + squares_right * inverse[n_right]
            if score > best - _CLOSE and n_left >= least and n_right >= least:
                exact = _proxy(n_left, squares_left, n_right, squares_right)
                if exact > proxy:
                    best, proxy, cut = score, exact, n_left
    return best, proxy, cut


@inner
def _sort_lanes(keys: Halves, n: int) -> None:
    """Sort n rows of lanes, each lane by itself, by Batcher's merge exchange."""
    largest = 1
    while 2 * largest < n:
        largest *= 2
    p = largest
    while p > 0:
        q, r, d = largest, 0, p
        while d > 0:
            base = r
            while base < n - d:
                for i in range(base, min(base + p, n - d)):
                    low, high = np.uint64(i * LANES), np.uint64((i + d) * LANES)
                    for lane in range(LANES):
                        one, other = keys[low + np.uint64(lane)], keys[high + np.uint64(lane)]
                        keys[low + np.uint64(lane)] = min(one, other)
                        keys[high + np.uint64(lane)] = max(one, other)
                base += 2 * p
            d, q, r = q - p, q // 2, p
        p //= 2


@inner
def cut_few(
    rows: Words,
    keys: Quads,
    ones: int,
    least: int,
    shares: Singles,
    quads: Quads,
    own: Halves,
    left: Places,
    tops: Singles,
) -> tuple[int, int]:
    """Return the feature and the rank up to which few rows of two classes go left.

    The keys of a row hold its rank in each feature above the class; features lie side by side, so
    that `LANES` of them are put in order and scored at once.
    """
    size = len(rows)
    feature, cut, best, proxy = NO_SPLIT, 0, 0.0, -np.inf
    size32, ones32 = np.int32(size), np.int32(ones)
    for block in range(keys.shape[1]):
        for p in range(size):
            row = rows[p] & ROW
            for i in range(_QUADS):
                quads[p * _QUADS + i] = keys[row, block, i]
        _sort_lanes(own, size)
        for lane in range(LANES):
            left[lane], tops[lane] = 0, _INVALID
        for p in range(size - 1):
            share, expected = shares[p], np.int32(np.int32(p + 1) * ones32)
            for lane in range(LANES):
                key, after = own[p * LANES + lane], own[p * LANES + lane + LANES]
                left[lane] += np.int32(key & 1)
                surplus = np.float32(np.int32(np.int32(left[lane] * size32) - expected))
                score = surplus * surplus * share
                score = score if key ^ after > 1 else _INVALID
                tops[lane] = score if score > tops[lane] else tops[lane]
        for lane in range(LANES):
            best = max(best, float(tops[lane]))
        limit = _limit(best)
        for lane in range(LANES):
            if tops[lane] < limit:
                continue
            left_ones = 0
            for p in range(size - least):
                key, n = own[p * LANES + lane], p + 1
                left_ones += int(key & 1)
                excess = float(left_ones * size - n * ones)
                if (
                    excess * excess * shares[p] >= limit
                    and key ^ own[p * LANES + lane + LANES] > 1
                    and n >= least
                ):
                    exact = _proxy_of_two(n, left_ones, size, ones)
                    if exact > proxy:
                        feature, cut, proxy = block * LANES + lane, int(np.int64(key >> 1)), exact
            if proxy >= 0:  # nothing is better than two pure sides
                return feature, cut
    return feature, cut
