"""The inner loops of a classification tree: nodes are cut, divided, and grown where tests reach them.

A node of many rows keeps their order in each feature. Few rows of two classes are in no order: they
are put in order when they are cut.
"""

from typing import NamedTuple

import numpy as np

from replicast.arrays import Codes, Floats, Ints, Places, Singles
from replicast.kernels.compiled import inner
from replicast.learners.trees.cuts import LANES, ROW, Halves, Words, divide_tests
from replicast.learners.trees.gini import (
    NO_SPLIT,
    WIDE,
    Bytes,
    Quads,
    cut_few,
    scan_in_turn,
    scan_many,
    scan_two,
    share_out,
)

FEW = 64  # up to here putting rows in order is faster than keeping the order
TWO = 2  # classes
SIDE_BY_SIDE = 8  # features from which it pays to compute numbers of a node for all of them
_PURE = 2.0**-52
_SEVERAL = -1  # instead of the only class of some rows


@inner
def _divide(words: Words, start: int, stop: int, goes_left: Bytes, buffer: Words) -> None:
    """Move the words of rows that go left before the others, keeping the order."""
    for f in range(len(words)):
        line = words[f, start:stop]
        kept, held = np.uint32(0), np.uint32(0)  # unsigned numbers need no look for negative places
        for p in range(len(line)):
            word = line[p]
            left = np.uint32(goes_left[word & ROW])
            line[kept] = word
            buffer[held] = word
            kept = np.uint32(kept + left)
            held = np.uint32(held + np.uint32(1) - left)
        rest = line[kept:]
        for p in range(len(rest)):
            rest[p] = buffer[p]


@inner
def keep(source: Words, words: Words, start: int, stop: int, wanted: Bytes) -> None:
    """Copy the words of wanted rows, keeping the order."""
    for f in range(len(words)):
        kept, line, to = np.uint32(0), source[f, start:stop], words[f, start:]
        for p in range(len(line)):
            word = line[p]
            to[kept] = word
            kept = np.uint32(kept + np.uint32(wanted[word & ROW]))


@inner
def _part_few(
    rows: Words, keys: Halves, X: Singles, f: int, cut: int, buffer: Words
) -> tuple[int, float, float]:
    """Move the rows up to a rank before the others; return how many, and the values beside the cut."""
    low, high = 0, 0
    below, above = np.float32(-np.inf), np.float32(np.inf)
    for p in range(len(rows)):
        word = rows[p]
        value = X[f, word & ROW]
        if keys[word & ROW, f // LANES, f % LANES] >> 1 <= cut:
            rows[low] = word
            below = max(below, value)
            low += 1
        else:
            buffer[high] = word
            above = min(above, value)
            high += 1
    for p in range(high):
        rows[low + p] = buffer[p]
    return low, float(below), float(above)


@inner
def _only_class(line: Words, start: int, stop: int, y: Bytes) -> int:
    """Return the class of the rows if they are all of one, else `_SEVERAL`."""
    own = y[line[start] & ROW]
    for p in range(start + 1, stop):
        if y[line[p] & ROW] != own:
            return _SEVERAL
    return int(own)


class Data(NamedTuple):
    """The rows: their keys, one by one and by four, the values by feature, and the classes."""

    keys: Halves
    quads: Quads
    X: Singles
    y: Bytes


class Limits(NamedTuple):
    """When a node is no longer cut; up to `few` rows of a node are in no order."""

    max_depth: int
    min_leaf: int
    min_split: int
    few: int


class Room(NamedTuple):
    """Memory that all trees use one after the other.

    `bits` are those of `scores`, which have the same order.
    """

    inverse: Floats
    flags: Bytes
    buffer: Words
    rows: Words
    excess: Places
    shares: Singles
    running: Places
    bits: Places
    scores: Singles
    quads: Quads
    own: Halves
    lanes: Places
    tops: Singles
    counts: Ints
    left: Ints
    stack: Ints


def new_room(n: int, n_classes: int) -> Room:
    """Return memory for n rows."""
    inverse, bits = np.zeros(n + 1), np.zeros(n + WIDE, np.int32)
    inverse[1:] = 1.0 / np.arange(1, n + 1)
    own = np.zeros(FEW * LANES, np.uint16)
    return Room(
        inverse, np.zeros(n, np.uint8), np.empty(n, np.uint32), np.empty(n, np.uint32),
        np.empty(n, np.int32), np.empty(n + WIDE, np.float32), np.zeros(n + WIDE, np.int32),
        bits, bits.view(np.float32), own.view(np.uint64), own, np.zeros(LANES, np.int32),
        np.zeros(LANES, np.float32), np.empty(n_classes, np.int64), np.empty(n_classes, np.int64),
        np.empty((2 * n + 2, 5), np.int64),
    )  # fmt: skip


@inner
def _best_cut(
    words: Words, start: int, stop: int, y: Bytes, least: int, room: Room
) -> tuple[int, int]:
    """Return the feature that cuts sorted rows best, and the number of rows on the left."""
    inverse, excess, shares, counts = room.inverse, room.excess, room.shares, room.counts
    n, two, several = stop - start, len(counts) == TWO, len(words) >= SIDE_BY_SIDE
    feature, cut, best, proxy = NO_SPLIT, 0, 0.0, -np.inf
    if two and several:
        share_out(n, least, shares)
        for p in range(start, stop):
            row = words[0, p] & ROW
            excess[row] = int(y[row]) * n - counts[1]
    for f in range(len(words)):
        if two and several:
            best, proxy, found = scan_two(
                words[f, start:], n, excess, counts[1], least, shares, room.running, room.bits,
                room.scores, best, proxy,
            )  # fmt: skip
        elif two:
            best, proxy, found = scan_in_turn(
                words[f, start:stop], y, counts[1], least, inverse, best, proxy
            )
        else:
            best, proxy, found = scan_many(
                words[f, start:stop], y, counts, room.left, least, inverse, best, proxy
            )
        if found > 0:
            feature, cut = f, found
    return feature, cut


@inner
def _push(
    stack: Ints, height: int, start: int, stop: int, first: int, last: int, depth: int
) -> int:
    """Put a node on the stack and return the height."""
    stack[height, 0], stack[height, 1], stack[height, 2] = start, stop, first
    stack[height, 3], stack[height, 4] = last, depth
    return height + 1


@inner
def grow(
    words: Words, size: int, data: Data, tests: Places, limits: Limits, room: Room, out: Codes
) -> None:
    """Grow a tree on the sorted rows in `words`, where test rows lead, and predict the test rows."""
    keys, quads, X, y = data
    max_depth, min_leaf, min_split, few = limits
    flags, buffer, rows, counts, stack = room.flags, room.buffer, room.rows, room.counts, room.stack
    if size <= few:
        for p in range(size):
            rows[p] = words[0, p]
    height = _push(stack, 0, 0, size, 0, len(tests), 0)
    while height > 0:
        height -= 1
        start, stop = stack[height, 0], stack[height, 1]
        first, last, depth = stack[height, 2], stack[height, 3], stack[height, 4]
        n = stop - start
        line = rows if n <= few else words[0]
        for c in range(len(counts)):
            counts[c] = 0
        for p in range(start, stop):
            counts[y[line[p] & ROW]] += 1
        squares, winner = 0, 0
        for c in range(len(counts)):
            squares += counts[c] * counts[c]
            winner = c if counts[c] > counts[winner] else winner
        feature, cut = NO_SPLIT, 0
        whole = float(n)
        if not (
            depth >= max_depth
            or n < min_split
            or n < 2 * min_leaf
            or 1.0 - squares / (whole * whole) <= _PURE
        ):
            if n <= few:
                share_out(n, min_leaf, room.shares)
                feature, cut = cut_few(
                    rows[start:stop], quads, counts[1], min_leaf, room.shares, room.quads, room.own,
                    room.lanes, room.tops,
                )  # fmt: skip
            else:
                feature, cut = _best_cut(words, start, stop, y, min_leaf, room)
        if feature == NO_SPLIT:
            for p in range(first, last):
                out[tests[p]] = winner
            continue
        if n <= few:
            held, below, above = _part_few(rows[start:stop], keys, X, feature, cut, buffer)
            border = start + held
        else:
            line, border = words[feature], start + cut
            below = float(X[feature, line[border - 1] & ROW])
            above = float(X[feature, line[border] & ROW])
        threshold = below / 2.0 + above / 2.0
        if threshold == above or threshold == np.inf or threshold == -np.inf:
            threshold = below
        middle = divide_tests(tests, first, last, X, feature, threshold)
        left_class = _only_class(line, start, border, y)
        right_class = _only_class(line, border, stop, y)
        for p in range(first, middle):
            out[tests[p]] = left_class
        for p in range(middle, last):
            out[tests[p]] = right_class
        grow_left = left_class == _SEVERAL and middle > first
        grow_right = right_class == _SEVERAL and last > middle
        if n > few:
            if few > 0:
                for p in range(start, stop):
                    rows[p] = line[p]
            many_left = grow_left and border - start > few
            many_right = grow_right and stop - border > few
            if many_left or many_right:
                for p in range(start, stop):
                    flags[line[p] & ROW] = p < border
            if many_right:
                _divide(words, start, stop, flags, buffer)
            elif many_left:
                keep(words, words, start, stop, flags)
        if grow_right:
            height = _push(stack, height, border, stop, middle, last, depth + 1)
        if grow_left:
            height = _push(stack, height, start, border, first, middle, depth + 1)
