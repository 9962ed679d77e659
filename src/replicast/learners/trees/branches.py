"""The inner loops of a classification tree: nodes are cut, divided, and grown where tests reach them.

A node keeps the order of its rows in each feature, so that nothing is sorted again. The best cut is
scikit-learn's by the Gini index, to the last bit; of equally good ones the first wins.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints, Places, Singles
from replicast.kernels.compiled import inner
from replicast.learners.trees.cuts import ROW, ROW_BITS, Words, divide_tests

Bytes = NDArray[np.uint8]

_NO_SPLIT = -1  # instead of a feature
_PURE = 2.0**-52
_CLOSE = 1e-6  # scores nearer than this are compared by scikit-learn's own formula


@inner
def _proxy(n_left: int, squares_left: int, n_right: int, squares_right: int) -> float:
    """Return scikit-learn's score of a split, to the last bit, to break near ties alike."""
    left, right = float(n_left), float(n_right)
    gini_left = 1.0 - squares_left / (left * left)
    gini_right = 1.0 - squares_right / (right * right)
    return -right * gini_right - left * gini_left


class Limits(NamedTuple):
    """When a node is no longer cut."""

    max_depth: int
    min_leaf: int
    min_split: int


class Room(NamedTuple):
    """Memory that all trees use one after the other."""

    inverse: Floats
    flags: Bytes
    buffer: Words
    counts: Ints
    left: Ints
    stack: Ints


def new_room(n: int, n_classes: int) -> Room:
    """Return memory for n rows."""
    inverse = np.zeros(n + 1)
    inverse[1:] = 1.0 / np.arange(1, n + 1)
    return Room(
        inverse,
        np.zeros(n, np.uint8),
        np.empty(n, np.uint32),
        np.empty(n_classes, np.int64),
        np.empty(n_classes, np.int64),
        np.empty((2 * n + 2, 5), np.int64),
    )


@inner
def _scan(
    words: Words, y: Bytes, least: int, room: Room, best: float, proxy: float
) -> tuple[float, float, int]:
    """Return the best score of cutting sorted rows, its proxy, and the cut.

    The cut is the number of rows on the left, 0 if none is better than the `proxy`.
    """
    inverse, counts, left, n = room.inverse, room.counts, room.left, len(words)
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
def _best_cut(
    words: Words, start: int, stop: int, y: Bytes, least: int, room: Room
) -> tuple[int, int]:
    """Return the feature that cuts sorted rows best, and the number of rows on the left."""
    feature, cut, best, proxy = _NO_SPLIT, 0, 0.0, -np.inf
    for f in range(len(words)):
        best, proxy, found = _scan(words[f, start:stop], y, least, room, best, proxy)
        if found > 0:
            feature, cut = f, found
    return feature, cut


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
def _count(line: Words, y: Bytes, counts: Ints) -> tuple[int, float]:
    """Count the classes of some rows; return the most frequent, and the Gini index."""
    for c in range(len(counts)):
        counts[c] = 0
    for p in range(len(line)):
        counts[y[line[p] & ROW]] += 1
    squares, winner, whole = 0, 0, float(len(line))
    for c in range(len(counts)):
        squares += counts[c] * counts[c]
        winner = c if counts[c] > counts[winner] else winner
    return winner, 1.0 - squares / (whole * whole)


@inner
def _threshold(below: float, above: float) -> float:
    """Return the middle of two values, or the lower where that is no number between."""
    middle = below / 2.0 + above / 2.0
    return below if middle == above or np.isinf(middle) else middle


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
    words: Words, size: int, X: Singles, y: Bytes, tests: Places, limits: Limits, room: Room,
    out: Codes,
) -> None:  # fmt: skip
    """Grow a tree on the sorted rows in `words`, where test rows lead, and predict the test rows."""
    flags, stack = room.flags, room.stack
    height = _push(stack, 0, 0, size, 0, len(tests), 0)
    while height > 0:
        height -= 1
        start, stop = stack[height, 0], stack[height, 1]
        first, last, depth = stack[height, 2], stack[height, 3], stack[height, 4]
        feature, cut = _NO_SPLIT, 0
        winner, impurity = _count(words[0, start:stop], y, room.counts)
        if impurity > _PURE and depth < limits.max_depth and stop - start >= limits.min_split:
            feature, cut = _best_cut(words, start, stop, y, limits.min_leaf, room)
        if feature == _NO_SPLIT:
            for p in range(first, last):
                out[tests[p]] = winner
            continue
        line, border = words[feature], start + cut
        below, above = X[feature, line[border - 1] & ROW], X[feature, line[border] & ROW]
        middle = divide_tests(tests, first, last, X, feature, _threshold(below, above))
        for p in range(start, stop):
            flags[line[p] & ROW] = p < border
        if last > middle:
            _divide(words, start, stop, flags, room.buffer)
            height = _push(stack, height, border, stop, middle, last, depth + 1)
        else:
            keep(words, words, start, stop, flags)
        if middle > first:
            height = _push(stack, height, start, border, first, middle, depth + 1)
