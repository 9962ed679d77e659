"""Where to cut rows of two classes in two, without putting them in order.

Few rows are compared in all pairs; many are added up where they stand among all rows. Both are
written for vector units. The place of a row tells where it stands in one feature; its end is the
last place among the rows that the feature does not tell apart from it, so that a cut is named by
the end of the rows before it.

With O of N in the second class, o of them among n on the left, the decrease of the impurity grows
with the score (oN - nO)² / n(N - n).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Places, Singles
from replicast.kernels.compiled import inner

Words = NDArray[np.uint32]
Halves = NDArray[np.uint16]

ROW_BITS = 16  # a word holds the row below these bits
ROW = np.uint32((1 << ROW_BITS) - 1)
FEW = 128  # up to here comparing all pairs is faster than adding up
LANES = 32  # numbers that are computed side by side
NO_CUT = -1
_PAIRED = 4  # rows compared with all lanes in one step
_ADDED = 4  # rows of lanes added in one step
_BLOCK = LANES * _ADDED
_INVALID = np.float32(-1)  # the score where nothing is cut off
NOTHING = int(_INVALID.view(np.int32))
_SURE = 1e-5  # a larger share than single precision rounds off a score
_ZERO = np.int16(0)
_LARGEST = np.int32(2**31 - 1)
_FAR = np.uint16(2**16 - 1)


class Table(NamedTuple):
    """By feature: place, end and slot of each row, and the values of the rows and of the places."""

    places: Codes
    ends: Codes
    slots: Halves
    X: Singles
    ascending: Singles


def table_of(ordered: Words, columns: Singles) -> Table:
    """Return the table of at most 32,768 rows from their words in order, rank above row."""
    rows, ranks = (ordered & ROW).astype(np.int64), ordered >> np.uint32(ROW_BITS)
    n = rows.shape[1]
    ends = np.broadcast_to(np.arange(n, dtype=np.int32), rows.shape).copy()
    ends[:, :-1][ranks[:, 1:] == ranks[:, :-1]] = n
    ends = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    length = -(-n // _BLOCK) * _ADDED
    by_place = {
        "places": np.broadcast_to(np.arange(n, dtype=np.int16), rows.shape),
        "ends": ends.astype(np.int16),
        "slots": (ends % length * LANES + ends // length).astype(np.uint16),
    }
    by_row = {name: np.empty(rows.shape, places.dtype) for name, places in by_place.items()}
    for name, places in by_place.items():
        np.put_along_axis(by_row[name], rows, places, axis=1)
    return Table(**by_row, X=columns, ascending=np.take_along_axis(columns, rows, axis=1))


class Board(NamedTuple):
    """Memory for cutting one node after the other.

    The second half of `pairs` holds the ends of few rows, the first half the sums up to them:
    numbers of one array at known distances need no question whether they overlap. `bits` are those
    of `scores`, which have the same order.
    """

    packed: Codes
    pairs: Codes
    bits: Places
    scores: Singles
    sums: Places
    lanes: Places
    tops: Singles
    placed: Codes


@inner
def new_board(n: int) -> Board:
    """Return memory for n rows."""
    bits = np.zeros(FEW, np.int32)
    return Board(
        np.zeros(FEW, np.int16),
        np.zeros(2 * FEW, np.int16),
        bits,
        bits.view(np.float32),
        np.zeros((n + _BLOCK - 1) // _BLOCK * _BLOCK, np.int32),
        np.zeros(LANES, np.int32),
        np.zeros(LANES, np.float32),
        np.zeros(n, np.int16),
    )


@inner
def pack(rows: Words, packed: Codes, pairs: Codes) -> None:
    """Write down the weights of few rows: a byte for the weight, one for that in the second class.

    They are the upper bits of the rows.
    """
    n = len(rows)
    for p in range(n):
        packed[p] = np.int16(rows[p] >> ROW_BITS)
    for p in range(n, min(n + LANES, FEW)):
        packed[p], pairs[FEW + p] = 0, -1


@inner
def cut_few(
    n: int,
    ones: int,
    total: int,
    packed: Codes,
    pairs: Codes,
    bits: Places,
    scores: Singles,
    best: int,
) -> tuple[int, int]:
    """Return the bits of the best score of cutting few rows, and the first end and sum on its left.

    The end is above 16 bits, the sum below; `NO_CUT` if no score is better than `best`. For each row
    all rows of at most its end are added up, by comparing all pairs; the sum is at most 255.
    """
    for block in range((n + LANES - 1) // LANES):
        base = block * LANES
        for lane in range(LANES):
            pairs[base + lane] = 0
        for step in range((n + _PAIRED - 1) // _PAIRED):
            q = step * _PAIRED
            k = FEW + q
            k0, k1, k2, k3 = pairs[k], pairs[k + 1], pairs[k + 2], pairs[k + 3]
            w0, w1, w2, w3 = packed[q], packed[q + 1], packed[q + 2], packed[q + 3]
            for lane in range(LANES):
                end = pairs[FEW + base + lane]
                pairs[base + lane] += (
                    (w0 if k0 <= end else _ZERO)
                    + (w1 if k1 <= end else _ZERO)
                    + (w2 if k2 <= end else _ZERO)
                    + (w3 if k3 <= end else _ZERO)
                )
    all_ones, whole = np.float32(ones), np.float32(total)
    for block in range((n + LANES - 1) // LANES):
        base = block * LANES
        for lane in range(LANES):
            weights = np.int32(pairs[base + lane])
            left = np.float32(np.int32(weights & 0xFF))
            left_ones = np.float32(np.int32(weights >> 8 & 0xFF))
            excess = left_ones * whole - left * all_ones
            size = left * (whole - left)
            scores[base + lane] = excess * excess / size if size > np.float32(0) else _INVALID
    top, cut = np.int32(best), _LARGEST
    for p in range(n):
        top = max(top, bits[p])
    if top == best:
        return best, NO_CUT
    for p in range(n):
        word = np.int32((np.int32(pairs[FEW + p]) << 16) | (np.int32(pairs[p]) & 0xFFFF))
        cut = min(cut, word if bits[p] == top else _LARGEST)
    return int(top), int(cut)


@inner
def score_many(
    rows: Words,
    weights: Places,
    slots: Halves,
    f: int,
    ones: int,
    total: int,
    sums: Places,
    lanes: Places,
    tops: Singles,
) -> float:
    """Return the best score of cutting rows, in single precision, and the best of each lane.

    The slots of one lane follow each other in order of the feature, and so do the lanes; in memory
    the lanes lie side by side, so that all of them are summed up and scored at once. Weights are
    those in the second class above 16 bits and all of them below.
    """
    for p in range(len(rows)):
        row = rows[p] & ROW
        sums[slots[f, row]] += weights[row]
    for lane in range(LANES):
        lanes[lane], tops[lane] = 0, _INVALID
    for step in range(len(sums) // _BLOCK):
        k = step * _BLOCK
        for lane in range(LANES):
            lanes[lane] += (
                sums[k + lane]
                + sums[k + lane + LANES]
                + sums[k + lane + 2 * LANES]
                + sums[k + lane + 3 * LANES]
            )
    running = np.int64(0)
    for lane in range(LANES):
        whole = lanes[lane]
        lanes[lane] = running
        running += whole
    total32, ones32 = np.int32(total), np.int32(ones)
    for i in range(len(sums) // LANES):
        for lane in range(LANES):
            both = np.int32(lanes[lane] + sums[i * LANES + lane])
            lanes[lane] = both
            left, left_ones = np.int32(both & 0xFFFF), np.int32(both >> 16)
            size = np.float32(np.int32(left * np.int32(total32 - left)))
            excess = np.float32(np.int32(np.int32(left_ones * total32) - np.int32(left * ones32)))
            score = excess * excess / size if size > np.float32(0) else _INVALID
            tops[lane] = score if score > tops[lane] else tops[lane]
    return float(tops.max())


@inner
def best_of_many(
    ones: int,
    total: int,
    top: float,
    inverse: Floats,
    sums: Places,
    lanes: Places,
    tops: Singles,
    best: float,
) -> tuple[float, int, int]:
    """Return the best score of many rows in double precision, its first end, and the sum up to it.

    Only lanes whose best score is close to the `top` are looked at. The end is `NO_CUT` if no score
    is better than `best`. The sums are forgotten.
    """
    length = len(sums) // LANES
    cut, sum_left = NO_CUT, np.int64(0)
    if top >= 0 and top * (1 + _SURE) > best:
        for lane in range(LANES):
            if tops[lane] < top * (1 - _SURE):
                continue
            running = np.int64(lanes[lane - 1]) if lane > 0 else np.int64(0)
            for i in range(length):
                running += sums[i * LANES + lane]
                left = running & 0xFFFF
                excess = float((running >> 16) * total - left * ones)
                score = excess * excess * (inverse[left] * inverse[total - left])
                if score > best and 0 < left < total:
                    best, cut, sum_left = score, lane * length + i, running
    sums[:] = 0
    return best, cut, int(sum_left)


@inner
def divide(
    rows: Words,
    places: Codes,
    ascending: Singles,
    f: int,
    border: int,
    buffer: Words,
    placed: Codes,
) -> tuple[int, float]:
    """Move the rows up to a border before the others; return how many, and the threshold between."""
    low, high = 0, 0
    for p in range(len(rows)):  # both sides are written and one is kept: no guess to miss
        word = rows[p]
        place = places[f, word & ROW]
        placed[p] = place
        goes_left = 1 if place <= border else 0
        rows[low] = word
        buffer[high] = word
        low += goes_left
        high += 1 - goes_left
    for p in range(high):
        rows[low + p] = buffer[p]
    below, above = _FAR, _FAR  # distances; those of the other side wrap around
    for p in range(len(rows)):
        below = min(below, np.uint16(border - placed[p]))
    for p in range(len(rows)):
        above = min(above, np.uint16(placed[p] - border - 1))
    lower = np.float64(ascending[f, border - below])
    upper = np.float64(ascending[f, border + 1 + above])
    threshold = lower / 2.0 + upper / 2.0
    return low, lower if threshold == upper else threshold


@inner
def divide_tests(tests: Places, first: int, last: int, X: Singles, f: int, threshold: float) -> int:
    """Move the tests of at most a threshold before the others; return where these begin."""
    middle = first
    for p in range(first, last):
        row = tests[p]
        tests[p], tests[middle] = tests[middle], row
        middle += 1 if X[f, row] <= threshold else 0
    return middle
