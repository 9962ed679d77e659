"""C4.5 on small tables of nominal columns without missing cells: sets of rows are bits."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import compiled
from replicast.learners.c45.arithmetic import (
    SLACK,
    ErrorLimits,
    pessimistic_errors,
    total,
    xlogx,
)
from replicast.learners.c45.candidates import ABSENT
from replicast.learners.c45.growth import choose, few_enough_categories, stays_leaf
from replicast.learners.c45.tree import LEAF, Tree
from replicast.learners.mixed.cases import Cases

Bits = NDArray[np.uint64]

_MOST_ROWS = 1024  # beyond it, small nodes deep in the tree would carry too many empty words
_MOST_CELLS = 1024
_MOST_NODES = 8192


class BitCases(NamedTuple):
    """The rows of every category and of every class; without classes if bits do not suit."""

    of_category: Bits  # (categories of all columns, words)
    of_class: Bits  # (classes, words)
    first: Ints  # of each column's categories


@compiled
def _ones_in(word: np.uint64) -> int:
    """Return the number of bits set; the compiler knows this loop and makes one instruction of it."""
    n = 0
    while word:
        word &= word - np.uint64(1)
        n += 1
    return n


@compiled
def bit_cases(cases: Cases, n_classes: int) -> BitCases:
    """Return the cases as bits, or nothing if they are too many, numeric or missing."""
    n_columns, n = cases.columns.shape
    unsuited = BitCases(
        np.empty((0, 0), dtype=np.uint64),
        np.empty((0, 0), dtype=np.uint64),
        np.empty(0, dtype=np.int64),
    )
    n_categories = cases.n_categories.sum()
    too_many = n > _MOST_ROWS or n_categories * n_classes > _MOST_CELLS
    if len(cases.order) or too_many or n * cases.n_categories.max() > _MOST_NODES:
        return unsuited
    n_words = (n + 63) // 64
    of_category = np.zeros((n_categories, n_words), dtype=np.uint64)
    of_class = np.zeros((n_classes, n_words), dtype=np.uint64)
    first = np.zeros(n_columns, dtype=np.int64)
    flag = np.empty(n, dtype=np.uint64)
    for i in range(n):
        flag[i] = np.uint64(1) << np.uint64(i & 63)
        of_class[cases.y[i], i >> 6] |= flag[i]
    for j in range(n_columns):
        if j > 0:
            first[j] = first[j - 1] + cases.n_categories[j - 1]
        for i in range(n):
            value = cases.columns[j, i]
            if math.isnan(value):
                return unsuited
            of_category[first[j] + int(value), i >> 6] |= flag[i]
    return BitCases(of_category, of_class, first)


@compiled
def _count(a: Bits, i: int, b: Bits, j: int) -> int:
    """Return the number of rows two sets share."""
    n = 0
    for word in range(a.shape[1]):
        n += _ones_in(a[i, word] & b[j, word])
    return n


@compiled
def _evaluate(
    bits: BitCases,
    n_categories: Ints,
    in_class: Bits,
    counts: Ints,
    min_cases: int,
    xlog: Floats,
    table: Ints,
    gains: Floats,
    information: Floats,
) -> None:
    """Fill class counts of every category, and gain and split information of every column."""
    n_classes = len(counts)
    weight = 0
    for k in range(n_classes):
        weight += counts[k]
    for j in range(len(n_categories)):
        first, last = bits.first[j], bits.first[j] + n_categories[j] - 1
        for k in range(n_classes):
            rest = counts[k]
            for category in range(first, last):
                n = _count(in_class, k, bits.of_category, category)
                table[category * n_classes + k] = n
                rest -= n
            table[last * n_classes + k] = rest
        large = 0
        drop, split = 0.0, xlogx(weight, xlog)
        for category in range(first, last + 1):
            size = 0
            for k in range(n_classes):
                size += table[category * n_classes + k]
            large += size >= min_cases
            if size > 0:
                own = xlogx(size, xlog)
                split -= own
                drop -= own
                for k in range(n_classes):
                    drop += xlogx(table[category * n_classes + k], xlog)
        drop += xlogx(weight, xlog)
        for k in range(n_classes):
            drop -= xlogx(counts[k], xlog)
        gains[j] = ABSENT if large < 2 else 0.0 if abs(drop) < SLACK else drop / weight
        information[j] = split


@compiled
def grow_bits(
    bits: BitCases,
    n_categories: Ints,
    training: Ints,
    n_classes: int,
    min_cases: int,
    xlog: Floats,
) -> tuple[Tree, Bits]:
    """Grow the tree that `grow` would grow; return it with the rows of its nodes."""
    n_words, n_columns = bits.of_class.shape[1], len(n_categories)
    averaged = few_enough_categories(n_categories, len(training))
    # Each split leaves two branches with a case or more, so the tree has fewer splits than rows.
    capacity = len(training) * n_categories.max() + 1
    feature = np.full(capacity, LEAF)
    first_child = np.empty(capacity, dtype=np.int64)
    n_branches = np.empty(capacity, dtype=np.int64)
    counts = np.empty((capacity, n_classes))
    rows = np.empty((capacity, n_words), dtype=np.uint64)
    waiting = np.empty(capacity, dtype=np.int64)
    in_class = np.empty((n_classes, n_words), dtype=np.uint64)
    own_counts = np.empty(n_classes, dtype=np.int64)
    table = np.empty(len(bits.of_category) * n_classes, dtype=np.int64)
    gains, information = np.empty(n_columns), np.empty(n_columns)
    for word in range(n_words):
        rows[0, word] = np.uint64(0)
    for row in training:
        rows[0, row >> 6] |= np.uint64(1) << np.uint64(row & 63)
    for k in range(n_classes):
        counts[0, k] = _count(rows, 0, bits.of_class, k)
    n_nodes = 1
    n_waiting = 0 if stays_leaf(counts, 0, min_cases) else 1
    waiting[0] = 0
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        for k in range(n_classes):
            own_counts[k] = int(counts[node, k])
            for word in range(n_words):
                in_class[k, word] = rows[node, word] & bits.of_class[k, word]
        _evaluate(
            bits, n_categories, in_class, own_counts, min_cases, xlog, table, gains, information
        )
        chosen = choose(gains, information, total(counts, node), averaged)
        if chosen == LEAF:
            continue
        feature[node], first_child[node] = chosen, n_nodes
        n_branches[node] = n_categories[chosen]
        for b in range(n_branches[node]):
            category, child = bits.first[chosen] + b, n_nodes + b
            for k in range(n_classes):
                counts[child, k] = table[category * n_classes + k]
            for word in range(n_words):
                rows[child, word] = rows[node, word] & bits.of_category[category, word]
        for child in range(n_nodes + n_branches[node] - 1, n_nodes - 1, -1):
            if not stays_leaf(counts, child, min_cases):
                waiting[n_waiting] = child
                n_waiting += 1
        n_nodes += n_branches[node]
    tree = Tree(
        feature[:n_nodes],
        np.zeros(n_nodes),
        first_child[:n_nodes],
        n_branches[:n_nodes],
        counts[:n_nodes],
    )
    return tree, rows[:n_nodes]


@compiled
def send_bits_down(
    tree: Tree,
    bits: BitCases,
    node: int,
    arrived: Bits,
    replace: bool,
    enough: float,
    waiting: Ints,
    counts: Floats,
    limits: ErrorLimits,
) -> float:
    """Return the pessimistic errors below inner node `node` with the rows arrived[node].

    Fills the rows that arrive below. With `replace`, the tree takes over their class counts;
    counting ends once the errors exceed `enough`.
    """
    errors = 0.0
    waiting[0] = node
    n_waiting = 1
    while n_waiting > 0 and errors <= enough:
        n_waiting -= 1
        node = waiting[n_waiting]
        category = bits.first[tree.feature[node]]
        child = tree.first_child[node]
        for _ in range(tree.n_branches[node]):
            for word in range(arrived.shape[1]):
                arrived[child, word] = arrived[node, word] & bits.of_category[category, word]
            is_leaf = tree.feature[child] == LEAF
            if is_leaf or replace:
                for k in range(tree.counts.shape[1]):
                    counts[0, k] = _count(arrived, child, bits.of_class, k)
                    if replace:
                        tree.counts[child, k] = counts[0, k]
            if is_leaf:
                errors += pessimistic_errors(counts, 0, limits)
            else:
                waiting[n_waiting] = child
                n_waiting += 1
            child += 1
            category += 1
    return errors
