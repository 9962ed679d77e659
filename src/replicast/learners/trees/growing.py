"""Trees on bootstrap samples: the inner loops of a random forest.

A node tries a few random features. Rows of two classes are cut by `cuts`; those of more classes are
put in order by marking their places, or by insertion when they are few.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints, Places
from replicast.kernels.compiled import compiled, inner
from replicast.kernels.splits import STEP, scrambled
from replicast.learners.trees import cuts
from replicast.learners.trees.cuts import FEW, NO_CUT, NOTHING, ROW, ROW_BITS, Board, Table, Words

Bytes = NDArray[np.uint8]

_HALF = np.uint64(32)
_TWO = 2  # classes
_SMALL_TOTAL = 256  # weights below this sum up within a byte
_INSERTED = 40  # up to here insertion is faster than marking places
_NO_SPLIT = -1  # instead of a feature


@inner
def _put_in_order(rows: Words, ordered: Words, places: Codes, marks: Bytes, out: Words) -> None:
    """Fill the words of a node's rows in the order of one feature."""
    if len(rows) <= _INSERTED:
        for p in range(len(rows)):
            word = ordered[places[rows[p] & ROW]]
            q = p
            while q > 0 and out[q - 1] > word:
                out[q] = out[q - 1]
                q -= 1
            out[q] = word
    else:
        for p in range(len(rows)):
            marks[places[rows[p] & ROW]] = 1
        held = 0
        for place in range(len(marks)):
            out[held] = ordered[place]
            held += marks[place]
            marks[place] = 0


@inner
def _scan_many(
    words: Words,
    n: int,
    weights: Places,
    y: Bytes,
    counts: Ints,
    left: Ints,
    total: int,
    inverse: Floats,
    best: float,
) -> tuple[float, int]:
    """Return the best score of cutting n sorted rows and the cut, 0 if none is better than `best`."""
    cut, n_left, squares_left, squares_right = 0, 0, 0, 0
    for c in range(len(counts)):
        left[c] = 0
        squares_right += counts[c] * counts[c]
    for p in range(n - 1):
        row = words[p] & ROW
        c, weight = y[row], weights[row] & 0xFFFF
        squares_left += weight * (2 * left[c] + weight)
        squares_right -= weight * (2 * (counts[c] - left[c]) - weight)
        left[c] += weight
        n_left += weight
        if (words[p] >> ROW_BITS) != (words[p + 1] >> ROW_BITS):
            score = squares_left * inverse[n_left] + squares_right * inverse[total - n_left]
            if score > best:
                best, cut = score, p + 1
    return best, cut


@inner
def _add_leaf(
    tests: Places, first: int, last: int, counts: Ints, total: int, hard: bool, votes: Floats
) -> None:
    if hard:
        winner = np.argmax(counts)
        for p in range(first, last):
            votes[tests[p], winner] += 1.0
    else:
        for c in range(len(counts)):
            if counts[c] > 0:
                share = counts[c] / total
                for p in range(first, last):
                    votes[tests[p], c] += share


class _Room(NamedTuple):
    """Memory that all trees use one after the other."""

    inverse: Floats
    marks: Bytes
    words: Words
    names: Places
    counts: Ints
    left: Ints
    stack: Ints


@inner
def _push(
    stack: Ints, height: int, start: int, stop: int, first: int, last: int, total: int, ones: int
) -> int:
    """Put a node on the stack if tests reach it, and return the height."""
    if first == last:
        return height
    stack[height, 0], stack[height, 1], stack[height, 2] = start, stop, first
    stack[height, 3], stack[height, 4], stack[height, 5] = last, total, ones
    return height + 1


@inner
def _grow(
    ordered: Words,
    table: Table,
    y: Bytes,
    room: _Room,
    board: Board,
    rows: Words,
    weights: Places,
    ones: int,
    total: int,
    tests: Places,
    tried: int,
    counter: np.uint64,
    hard: bool,
    votes: Floats,
) -> np.uint64:
    """Grow one tree on weighted rows, where test rows lead, and add its votes."""
    inverse, marks, words, names, counts, left, stack = room
    places, ends, slots, X, ascending = table
    packed, pairs, bits, scores, sums, lanes, tops, placed = board
    features, two = len(ordered), len(counts) == _TWO
    height = _push(stack, 0, 0, len(rows), 0, len(tests), total, ones)
    while height > 0:
        height -= 1
        start, stop, first = stack[height, 0], stack[height, 1], stack[height, 2]
        last, total, ones = stack[height, 3], stack[height, 4], stack[height, 5]
        own, n = rows[start:stop], stop - start
        if two:
            counts[0], counts[1] = total - ones, ones
        else:
            counts[:] = 0
            for p in range(n):
                counts[y[own[p] & ROW]] += weights[own[p] & ROW] & 0xFFFF
            total = counts.sum()
        few = two and n <= FEW and total < _SMALL_TOTAL
        feature, border, sum_left, best, best_bits = _NO_SPLIT, 0, 0, -0.5, NOTHING
        visited = 0 if counts.max() < total else features
        if few and visited == 0:
            cuts.pack(own, packed, pairs)
        while visited < features and (visited < tried or feature == _NO_SPLIT):
            counter += STEP
            pick = visited + np.int64(
                ((scrambled(counter) >> _HALF) * np.uint64(features - visited)) >> _HALF
            )
            names[visited], names[pick] = names[pick], names[visited]
            f = names[visited]
            visited += 1
            if few:
                for p in range(n):
                    pairs[FEW + p] = ends[f, own[p] & ROW]
                best_bits, cut = cuts.cut_few(
                    n, ones, total, packed, pairs, bits, scores, best_bits
                )
                if cut != NO_CUT:
                    feature, border, sum_left = f, cut >> 16, (cut & 0xFF) | (cut & 0xFF00) << 8
            elif two:
                top = cuts.score_many(own, weights, slots, f, ones, total, sums, lanes, tops)
                best, cut, found = cuts.best_of_many(
                    ones, total, top, inverse, sums, lanes, tops, best
                )
                if cut != NO_CUT:
                    feature, border, sum_left = f, cut, found
            else:
                _put_in_order(own, ordered[f], places[f], marks, words)
                best, cut = _scan_many(words, n, weights, y, counts, left, total, inverse, best)
                if cut > 0:
                    feature, border = f, int(ends[f, words[cut - 1] & ROW])
        if feature == _NO_SPLIT:
            _add_leaf(tests, first, last, counts, total, hard, votes)
            continue
        held, threshold = cuts.divide(own, places, ascending, feature, border, words, placed)
        middle = cuts.divide_tests(tests, first, last, X, feature, threshold)
        low, total_left, ones_left = start + held, sum_left & 0xFFFF, sum_left >> 16
        height = _push(stack, height, low, stop, middle, last, total - total_left, ones - ones_left)
        height = _push(stack, height, start, low, first, middle, total_left, ones_left)
    return counter


@compiled
def vote_trees(
    ordered: Words,
    table: Table,
    y: Bytes,
    trained: Places,
    tests: Places,
    n_trees: int,
    tried: int,
    seed: np.uint64,
    hard: bool,
    votes: Floats,
) -> None:
    """Grow trees on bootstrap samples of the `trained` rows and add their votes for the tests."""
    features, n = ordered.shape
    size, n_classes = len(trained), votes.shape[1]
    inverse = np.zeros(size + 1)
    for i in range(1, size + 1):
        inverse[i] = 1.0 / i
    room = _Room(
        inverse, np.zeros(n, np.uint8), np.empty(n + 1, np.uint32),
        np.arange(features).astype(np.int32), np.empty(n_classes, np.int64),
        np.empty(n_classes, np.int64), np.empty((2 * n + 2, 6), np.int64),
    )  # fmt: skip
    board, rows = cuts.new_board(n), np.empty(n + 1, np.uint32)
    drawn, weights = np.zeros(size, np.int32), np.zeros(n, np.int32)
    counter = seed
    for _ in range(n_trees):
        drawn[:] = 0
        for _ in range(size):
            counter += STEP
            drawn[np.int64(((scrambled(counter) >> _HALF) * np.uint64(size)) >> _HALF)] += 1
        held, ones = 0, 0
        for i in range(size):
            row, weight = trained[i], drawn[i]
            second = weight if y[row] == 1 else 0
            ones += second
            weights[row] = weight | second << 16
            rows[held] = np.uint32(row | (weight & 0xFF | (second & 0xFF) << 8) << ROW_BITS)
            held += 1 if weight > 0 else 0
        counter = _grow(
            ordered, table, y, room, board, rows[:held], weights, ones, size, tests, tried,
            counter, hard, votes,
        )  # fmt: skip
