"""Trees on bootstrap samples: the inner loops of a random forest.

A node tries a few random features. It puts its rows in order by marking their places, or, when they
are few and of two classes, compares all pairs of rows, which needs no order at all.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints, Places, Singles
from replicast.kernels.compiled import compiled
from replicast.kernels.splits import STEP, scrambled
from replicast.learners.trees.decision import NO_SPLIT, ROW, ROW_BITS

Words = NDArray[np.uint32]
Halves = NDArray[np.uint16]
Bytes = NDArray[np.uint8]

_HALF = np.uint64(32)
_LANES = 64
_FEW = 2 * _LANES  # up to here comparing all pairs of rows is faster than putting them in order
_SMALL_TOTAL = 256  # weights below this sum up within a byte
_NO_CUT = -1
_INSERTED = 40  # up to here insertion is faster than marking places


@compiled
def _put_in_order(
    rows: Words, start: int, stop: int, ordered: Words, places: Words, marks: Bytes, out: Words
) -> None:
    """Fill the words of a node's rows in the order of one feature."""
    if stop - start <= _INSERTED:
        for p in range(start, stop):
            word = ordered[places[rows[p]]]
            q = p - start
            while q > 0 and out[q - 1] > word:
                out[q] = out[q - 1]
                q -= 1
            out[q] = word
    else:
        for p in range(start, stop):
            marks[places[rows[p]]] = 1
        held = 0
        for place in range(len(marks)):
            out[held] = ordered[place]
            held += marks[place]
            marks[place] = 0


@compiled
def _scan_two(
    words: Words, n: int, weights: Places, ones: int, total: int, inverse: Floats, best: float
) -> tuple[float, int]:
    """Return the best score of cutting n sorted rows of two classes and the cut, 0 if below `best`.

    `weights` holds the weight of a row, and above 16 bits the part of it in the second class. With
    O of N in the second class, o of them among n on the left, the decrease of the impurity grows
    with (oN - nO)² / n(N - n).
    """
    cut, running = 0, 0
    for p in range(n - 1):
        running += weights[words[p] & ROW]
        left = running & 0xFFFF
        excess = float((running >> 16) * total - left * ones)
        score = excess * excess * (inverse[left] * inverse[total - left])
        if score > best and (words[p] ^ words[p + 1]) >> ROW_BITS != 0:
            best, cut = score, p + 1
    return best, cut


@compiled
def _weights_up_to(n: int, keys: Codes, packed: Halves, sums: Halves) -> None:
    """Fill for each row the weight of all rows of at most its rank, by comparing all pairs."""
    blocks = (n + _LANES - 1) // _LANES
    sums[: blocks * _LANES] = 0
    for q in range(n):
        key, weight = keys[q], packed[q]
        for block in range(blocks):
            base = block * _LANES
            for lane in range(_LANES):
                sums[base + lane] += weight if key <= keys[base + lane] else np.uint16(0)


@compiled
def _scan_few(
    n: int, keys: Codes, sums: Halves, ones: int, total: int, scores: Singles, best: float
) -> tuple[float, int]:
    """Return the best score of cutting few rows of two classes and the last rank on the left.

    The rank is `_NO_CUT` if no cut is better than `best`.

    The score is that of `_scan_two`, which all lanes compute side by side.
    """
    blocks = (n + _LANES - 1) // _LANES
    all_ones, whole = np.float32(ones), np.float32(total)
    for p in range(blocks * _LANES):
        left, left_ones = np.float32(sums[p] & 0xFF), np.float32(sums[p] >> 8)
        excess = left_ones * whole - left * all_ones
        size = left * (whole - left)
        scores[p] = excess * excess / size if size > np.float32(0) else np.float32(-1)
    cut = _NO_CUT
    for p in range(n):
        if scores[p] >= best and (scores[p] > best or keys[p] < cut):
            best, cut = scores[p], keys[p]
    return best, cut


@compiled
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
    """Do what `_scan_two` does for any number of classes."""
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


@compiled
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


class Presorted(NamedTuple):
    """The table by feature: words of rows in order, each row's place, its rank, values, classes."""

    ordered: Words
    places: Words
    ranks: Codes
    X: Singles
    y: Bytes


class _Room(NamedTuple):
    """Memory that all trees use one after the other."""

    inverse: Floats
    marks: Bytes
    words: Words
    names: Places
    keys: Codes
    packed: Halves
    sums: Halves
    scores: Singles
    counts: Ints
    left: Ints
    stack: Ints


@compiled
def _grow(
    table: Presorted,
    room: _Room,
    rows: Words,
    weights: Places,
    tests: Places,
    tried: int,
    counter: np.uint64,
    hard: bool,
    votes: Floats,
) -> np.uint64:
    """Grow one tree on weighted rows, where test rows lead, and add its votes."""
    ordered, places, ranks, X, y = table
    inverse, marks, words, names, keys, packed, sums, scores, counts, left, stack = room
    features = len(ordered)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, len(rows), 0, len(tests)
    height = 1
    while height > 0:
        height -= 1
        start, stop = stack[height, 0], stack[height, 1]
        first, last = stack[height, 2], stack[height, 3]
        counts[:] = 0
        total = 0
        for p in range(start, stop):
            weight = weights[rows[p]] & 0xFFFF
            counts[y[rows[p]]] += weight
            total += weight
        feature, border, best = NO_SPLIT, 0, -0.5
        visited = 0 if counts.max() < total else features
        n = stop - start
        few = len(counts) == 2 and n <= _FEW and total < _SMALL_TOTAL
        if few and visited == 0:
            for p in range(n):
                weight = weights[rows[start + p]]
                packed[p] = (weight & 0xFF) + ((weight >> 16) << 8)
        while visited < features and (visited < tried or feature == NO_SPLIT):
            counter += STEP
            pick = visited + np.int64(
                ((scrambled(counter) >> _HALF) * np.uint64(features - visited)) >> _HALF
            )
            names[visited], names[pick] = names[pick], names[visited]
            f = names[visited]
            visited += 1
            if few:
                line = ranks[f]
                for p in range(n):
                    keys[p] = line[rows[start + p]]
                _weights_up_to(n, keys, packed, sums)
                best, rank = _scan_few(n, keys, sums, counts[1], total, scores, best)
                if rank != _NO_CUT:
                    feature, border = f, rank
                continue
            _put_in_order(rows, start, stop, ordered[f], places[f], marks, words)
            if len(counts) == 2:
                best, cut = _scan_two(words, n, weights, counts[1], total, inverse, best)
            else:
                best, cut = _scan_many(words, n, weights, y, counts, left, total, inverse, best)
            if cut > 0:
                feature, border = f, words[cut - 1] >> ROW_BITS
        if feature == NO_SPLIT:
            _add_leaf(tests, first, last, counts, total, hard, votes)
            continue
        line, values = ranks[feature], X[feature]
        low, high = start, 0
        for p in range(start, stop):  # both sides are written and one is kept: no guess to miss
            row = rows[p]
            goes_left = 1 if line[row] <= border else 0
            rows[low] = row
            words[high] = row
            low += goes_left
            high += 1 - goes_left
        below, above = np.float32(-np.inf), np.float32(np.inf)
        for p in range(start, low):
            below = max(below, values[rows[p]])
        for p in range(high):
            rows[low + p] = words[p]
            above = min(above, values[words[p]])
        threshold: float = np.float64(below) / 2.0 + np.float64(above) / 2.0
        if threshold == above:
            threshold = np.float64(below)
        middle = first
        for p in range(first, last):
            row = tests[p]
            if values[row] <= threshold:
                tests[p], tests[middle] = tests[middle], row
                middle += 1
        if middle < last:
            stack[height, 0], stack[height, 1] = low, stop
            stack[height, 2], stack[height, 3] = middle, last
            height += 1
        if middle > first:
            stack[height, 0], stack[height, 1] = start, low
            stack[height, 2], stack[height, 3] = first, middle
            height += 1
    return counter


@compiled
def vote_trees(
    table: Presorted,
    trained: Places,
    tests: Places,
    n_trees: int,
    tried: int,
    seed: np.uint64,
    hard: bool,
    votes: Floats,
) -> None:
    """Grow trees on bootstrap samples of the `trained` rows and add their votes for the tests."""
    features, n = table.ordered.shape
    y, size = table.y, len(trained)
    inverse = np.zeros(size + 1)
    for i in range(1, size + 1):
        inverse[i] = 1.0 / i
    marks, words, rows = np.zeros(n, np.uint8), np.empty(n + 1, np.uint32), np.empty(n, np.uint32)
    weights, names = np.zeros(n, np.int32), np.arange(features).astype(np.int32)
    counts, left = np.empty(votes.shape[1], np.int64), np.empty(votes.shape[1], np.int64)
    keys, packed = np.zeros(_FEW, np.int16), np.zeros(_FEW, np.uint16)
    sums, scores = np.zeros(_FEW, np.uint16), np.zeros(_FEW, np.float32)
    stack = np.empty((2 * n + 2, 4), np.int64)
    room = _Room(inverse, marks, words, names, keys, packed, sums, scores, counts, left, stack)
    counter = seed
    for _ in range(n_trees):
        weights[:] = 0
        for _ in range(size):
            counter += STEP
            row = trained[np.int64(((scrambled(counter) >> _HALF) * np.uint64(size)) >> _HALF)]
            weights[row] += 1 + ((y[row] == 1) << 16)
        held = 0
        for row in trained:
            if weights[row] > 0:
                rows[held] = row
                held += 1
        counter = _grow(table, room, rows[:held], weights, tests, tried, counter, hard, votes)
