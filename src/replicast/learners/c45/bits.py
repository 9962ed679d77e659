"""C4.5 on small tables of nominal columns without missing cells: sets of rows are bits."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Codes, Floats, Ints
from replicast.kernels.compiled import bare, compiled
from replicast.learners.c45.arithmetic import (
    SLACK,
    ErrorLimits,
    pessimistic_errors,
    total,
    xlogx,
)
from replicast.learners.c45.candidates import ABSENT
from replicast.learners.c45.growth import (
    NO_ROOM,
    Ground,
    choose,
    few_enough_categories,
    stays_leaf,
)
from replicast.learners.c45.tree import LEAF, Tree
from replicast.learners.mixed.cases import Cases
from replicast.learners.protocol import UNUSED

Bits = NDArray[np.uint64]

_MOST_ROWS = 1024  # beyond it, small nodes deep in the tree would carry too many empty words
_MOST_CELLS = 1024
_MOST_NODES = 8192

FOR_GOOD = np.inf  # errors at which nothing ends: rows sent down to stay


class BitCases(NamedTuple):
    """The rows of every category, of every class and of every node."""

    of_category: Bits  # (categories of all columns, words)
    of_class: Bits  # (classes, words)
    first: Ints  # of each column's categories
    of_node: Bits  # (nodes, words)
    arrived: Bits  # rows sent down to a node to try it
    counts: Floats  # (1, classes): work space


def bit_cases(cases: Cases, n_classes: int, capacity: int) -> BitCases | None:
    """Return the cases as bits, or nothing if they are too many, numeric or missing."""
    n, n_categories = len(cases.y), int(cases.n_categories.sum())
    too_many = n > _MOST_ROWS or n_categories * n_classes > _MOST_CELLS
    too_large = n * int(cases.n_categories.max()) > _MOST_NODES
    if len(cases.order) or too_many or too_large or np.isnan(cases.columns).any():
        return None
    first = np.cumsum(cases.n_categories) - cases.n_categories
    member = np.arange(n_categories)[:, None] - np.repeat(first, cases.n_categories)[:, None]
    of_category = np.repeat(cases.columns, cases.n_categories, axis=0) == member
    of_class = cases.y == np.arange(n_classes)[:, None]
    words = (n + 63) // 64
    return BitCases(
        _packed(of_category, words),
        _packed(of_class, words),
        first,
        np.empty((capacity, words), np.uint64),
        np.empty((capacity, words), np.uint64),
        np.empty((1, n_classes)),
    )


def _packed(members: NDArray[np.bool_], words: int) -> Bits:
    """Return lines of truth values as bits, the first row lowest in the first word."""
    room = np.zeros((len(members), 64 * words), np.bool_)
    room[:, : members.shape[1]] = members
    packed = np.packbits(room, axis=1, bitorder="little")
    return packed.view("<u8").astype(np.uint64, copy=False)


@bare
def _count(a: Bits, i: int, b: Bits, j: int) -> int:
    """Return the number of rows two sets share.

    The compiler knows the loop that clears one bit after the other, and makes one instruction of it.
    """
    n = 0
    for k in range(a.shape[1]):
        word = a[i, k] & b[j, k]
        while word:
            word &= word - np.uint64(1)
            n += 1
    return n


@bare
def _evaluate(
    bits: BitCases,
    n_categories: Ints,
    in_class: Bits,
    counts: Ints,
    min_cases: int,
    xlog: Floats,
    table: Ints,
    candidates: Floats,
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
        candidates[0, j] = ABSENT if large < 2 else 0.0 if abs(drop) < SLACK else drop / weight
        candidates[1, j] = split


@compiled
def grow_bits(
    bits: BitCases,
    n_categories: Ints,
    codes: Codes,
    min_cases: int,
    xlog: Floats,
    trees: Tree,
    roots: Ints,
    ground: Ground,
) -> int:
    """Grow the trees that `grow` would grow, and fill the rows of their nodes."""
    n_words, n_classes = bits.of_class.shape[1], trees.counts.shape[1]
    in_class = np.empty((n_classes, n_words), np.uint64)
    own_counts = np.empty(n_classes, np.int64)
    table = np.empty(len(bits.of_category) * n_classes, np.int64)
    n_nodes = 0
    for fold in range(len(roots)):
        if n_nodes == len(trees.feature):
            return NO_ROOM
        root, n = n_nodes, 0
        roots[fold], trees.feature[root], n_nodes = root, LEAF, n_nodes + 1
        for word in range(n_words):
            bits.of_node[root, word] = np.uint64(0)
        for row in range(len(codes)):
            if codes[row] != fold and codes[row] != UNUSED:
                bits.of_node[root, row >> 6] |= np.uint64(1) << np.uint64(row & 63)
                n += 1
        for k in range(n_classes):
            trees.counts[root, k] = _count(bits.of_node, root, bits.of_class, k)
        few_enough_categories(n_categories, n, ground.averaged)
        ground.waiting[0] = root
        n_waiting = 0 if stays_leaf(trees.counts, root, min_cases) else 1
        while n_waiting > 0:
            n_waiting -= 1
            node = ground.waiting[n_waiting]
            for k in range(n_classes):
                own_counts[k] = int(trees.counts[node, k])
                for word in range(n_words):
                    in_class[k, word] = bits.of_node[node, word] & bits.of_class[k, word]
            _evaluate(
                bits, n_categories, in_class, own_counts, min_cases, xlog, table, ground.candidates
            )
            chosen = choose(
                ground.candidates[0], ground.candidates[1], total(trees.counts, node),
                ground.averaged,
            )  # fmt: skip
            if chosen == LEAF:
                continue
            n_children = n_categories[chosen]
            if n_nodes + n_children > len(trees.feature):
                return NO_ROOM
            trees.feature[node], trees.first_child[node] = chosen, n_nodes
            trees.cut[node], trees.n_branches[node] = 0.0, n_children
            for b in range(n_children - 1, -1, -1):
                category, child = bits.first[chosen] + b, n_nodes + b
                trees.feature[child] = LEAF
                for k in range(n_classes):
                    trees.counts[child, k] = table[category * n_classes + k]
                for word in range(n_words):
                    bits.of_node[child, word] = (
                        bits.of_node[node, word] & bits.of_category[category, word]
                    )
                if not stays_leaf(trees.counts, child, min_cases):
                    ground.waiting[n_waiting] = child
                    n_waiting += 1
            n_nodes += n_children
    return n_nodes


@bare
def send_bits_down(
    trees: Tree,
    bits: BitCases,
    giver: int,
    node: int,
    enough: float,
    limits: ErrorLimits,
    waiting: Ints,
) -> float:
    """Return the pessimistic errors below inner node `node` if it received the rows of `giver`.

    Counting ends once the errors exceed `enough`. If that is `FOR_GOOD`, the tree takes over the
    rows that arrive and their class counts.
    """
    replace = enough == FOR_GOOD
    to = bits.of_node if replace else bits.arrived
    for word in range(to.shape[1]):
        to[node, word] = bits.of_node[giver, word]
    errors = 0.0
    waiting[0] = node
    n_waiting = 1
    while n_waiting > 0 and errors <= enough:
        n_waiting -= 1
        node = waiting[n_waiting]
        category = bits.first[trees.feature[node]]
        child = trees.first_child[node]
        for _ in range(trees.n_branches[node]):
            for word in range(to.shape[1]):
                to[child, word] = to[node, word] & bits.of_category[category, word]
            is_leaf = trees.feature[child] == LEAF
            if is_leaf or replace:
                for k in range(trees.counts.shape[1]):
                    bits.counts[0, k] = _count(to, child, bits.of_class, k)
                    if replace:
                        trees.counts[child, k] = bits.counts[0, k]
            if is_leaf:
                errors += pessimistic_errors(bits.counts, 0, limits)
            else:
                waiting[n_waiting] = child
                n_waiting += 1
            child += 1
            category += 1
    return errors
