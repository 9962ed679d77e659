"""Growing and collapsing C4.5 trees."""

from typing import NamedTuple

import numpy as np

from replicast.arrays import Bools, Codes, Floats, Ints
from replicast.kernels.compiled import bare, compiled
from replicast.learners.c45.arithmetic import SLACK, majority, misplaced, total
from replicast.learners.c45.candidates import (
    ABSENT,
    gain_ratio,
    nominal_candidate,
    numeric_candidate,
)
from replicast.learners.c45.rows import Division, divide, empty_division, hand_out, lay_out
from replicast.learners.c45.tree import LEAF, Tree
from replicast.learners.mixed.cases import Cases
from replicast.learners.protocol import UNUSED

NO_ROOM = -1  # instead of a number of nodes

_TOLERANCE = 1e-3  # in gains and errors, before a split counts as worse


class Ground(NamedTuple):
    """Room to grow in: rows of nodes still to be split, one segment a node, and work space.

    The first line of `lines` holds a segment's rows, the others the same rows by ascending value of
    each numeric column. Children overwrite their parent's segment.
    """

    lines: Ints  # (1 + numeric attributes, room)
    weights: Floats  # of the first line
    start: Ints  # of a node's segment
    stop: Ints
    waiting: Ints
    in_training: Bools
    weight_of: Floats  # of each row of the table
    own: Ints  # a copy of a line's segment
    averaged: Bools
    candidates: Floats  # (3, attributes): gains, split informations, cuts
    table: Floats  # class counts of all nominal cells
    parts: Floats  # (2, classes)


def empty_ground(cases: Cases, n_classes: int, capacity: int, room: int) -> tuple[Ground, Division]:
    """Return room for so many nodes, and for so many rows of nodes still to be split."""
    n, n_columns = len(cases.y), len(cases.n_categories)
    ground = Ground(
        np.empty((1 + len(cases.order), room), np.int64),
        np.empty(room),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(n, np.bool_),
        np.empty(n),
        np.empty(n, np.int64),
        np.empty(n_columns, np.bool_),
        np.empty((3, n_columns)),
        np.empty(cases.n_cells),
        np.empty((2, n_classes)),
    )
    return ground, empty_division(n, max(2, int(cases.n_categories.max())), n_classes)


@bare
def _stays_leaf(counts: Floats, node: int, min_cases: int) -> bool:
    """Return whether a node is too small or too pure to be split."""
    weight = total(counts, node)
    largest = counts[node, majority(counts, node)]
    return 2.0 * min_cases - weight > SLACK or abs(weight - largest) < SLACK


@bare
def _choose(gains: Floats, information: Floats, weight: float, averaged: Bools) -> int:
    """Return the column of the best ratio among those of at least average gain, or LEAF."""
    summed, n = 0.0, 0
    for j in range(len(gains)):
        if gains[j] != ABSENT and averaged[j]:
            summed += gains[j]
            n += 1
    if n == 0:
        return LEAF
    threshold = summed / n - _TOLERANCE
    best, chosen = 0.0, LEAF
    for j in range(len(gains)):
        if gains[j] != ABSENT and gains[j] >= threshold:
            ratio = gain_ratio(gains[j], information[j], weight)
            if ratio - best > SLACK:
                best, chosen = ratio, j
    return chosen


@bare
def _few_enough_categories(n_categories: Ints, n_rows: int, averaged: Bools) -> None:
    """Fill which columns enter the average gain: those without a crowd of categories."""
    none = True
    for j in range(len(n_categories)):
        averaged[j] = n_categories[j] == 0 or 0.3 * n_rows - n_categories[j] > SLACK
        none = none and not averaged[j]
    if none:
        for j in range(len(n_categories)):
            averaged[j] = True


@bare
def _take_rows(cases: Cases, codes: Codes, fold: int, ground: Ground) -> int:
    """Fill the segment of a root, the rows trained on when `fold` is tested; return their number."""
    n = 0
    for row in range(len(codes)):
        trained = codes[row] != fold and codes[row] != UNUSED
        ground.in_training[row] = trained
        if trained:
            ground.lines[0, n] = row
            ground.weights[n] = 1.0
            n += 1
    for line in range(len(cases.order)):
        at = 0
        for row in cases.order[line]:
            if ground.in_training[row]:
                ground.lines[1 + line, at] = row
                at += 1
    return n


@bare
def _evaluate(
    cases: Cases, ground: Ground, node: int, weight: float, min_cases: int, xlog: Floats
) -> None:
    """Fill gain, split information and cut of every column for the rows of a node."""
    start, stop = ground.start[node], ground.stop[node]
    table, n_nominal = ground.table, cases.cells.shape[1]
    for cell in range(len(table)):
        table[cell] = 0.0
    for i in range(start, stop):
        row = ground.lines[0, i]
        for j in range(n_nominal):
            table[cases.cells[row, j]] += ground.weights[i]
        ground.weight_of[row] = ground.weights[i]
    for j in range(len(cases.n_categories)):
        place, n_categories = cases.place[j], cases.n_categories[j]
        if n_categories > 0:
            gain, information = nominal_candidate(
                table, place, n_categories, weight, min_cases, ground.parts[0], xlog
            )
            cut = 0.0
        else:
            gain, information, cut = numeric_candidate(
                cases.columns[j], ground.lines[1 + place, start:stop], ground.weight_of, cases.y,
                weight, min_cases, ground.parts, xlog,
            )  # fmt: skip
        ground.candidates[0, j] = gain
        ground.candidates[1, j], ground.candidates[2, j] = information, cut


@bare
def _on_data_value(column: Floats, order: Ints, in_training: Bools, cut: float) -> float:
    """Return the largest training value not above the cut."""
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        if column[order[middle]] - cut < SLACK:
            low = middle + 1
        else:
            high = middle
    low -= 1
    while not in_training[order[low]]:
        low -= 1
    return column[order[low]]


@bare
def _split(
    cases: Cases,
    trees: Tree,
    node: int,
    n_nodes: int,
    n_waiting: int,
    min_cases: int,
    ground: Ground,
    division: Division,
) -> int:
    """Give a node its children, from `n_nodes` on; return how many wait, or `NO_ROOM`."""
    start, stop, n_children = ground.start[node], ground.stop[node], trees.n_branches[node]
    chosen, size = trees.feature[node], stop - start
    missing = divide(
        cases.columns[chosen], cases.n_categories[chosen] > 0, trees.cut[node], cases.y,
        ground.lines[0, start:stop], ground.weight_of, n_children, division,
    )  # fmt: skip
    for b in range(n_children):
        trees.feature[n_nodes + b], trees.cut[n_nodes + b] = LEAF, 0.0
        trees.first_child[n_nodes + b], trees.n_branches[n_nodes + b] = 0, 0
        for k in range(trees.counts.shape[1]):
            trees.counts[n_nodes + b, k] = division.table[b, k]
        division.wanted[b] = not _stays_leaf(division.table, b, min_cases)
    end = lay_out(division, n_children, missing, start)
    if end > ground.lines.shape[1]:
        return NO_ROOM
    if end > start:
        own = ground.own[:size]
        for line in range(len(ground.lines) - 1, -1, -1):  # the weights left are those of line 0
            for i in range(size):
                own[i] = ground.lines[line, start + i]
            hand_out(
                own, ground.weight_of, n_children, division, ground.lines[line], ground.weights
            )
    for b in range(n_children - 1, -1, -1):
        if division.wanted[b]:
            child = n_nodes + b
            ground.start[child] = division.starts[b]
            ground.stop[child] = division.starts[b - 1] if b > 0 else end
            ground.waiting[n_waiting] = child
            n_waiting += 1
    return n_waiting


@compiled
def grow(
    cases: Cases,
    codes: Codes,
    min_cases: int,
    xlog: Floats,
    trees: Tree,
    roots: Ints,
    ground: Ground,
    division: Division,
) -> int:
    """Grow a tree for each of the roots, on the rows trained on when its fold is tested.

    Returns the number of nodes, or `NO_ROOM` if trees or ground are too small.
    """
    roots[0] = 0
    n_nodes = roots[0]  # a plain 0 would have functions compiled twice, for a constant and a number
    for fold in range(len(roots)):
        if n_nodes == len(trees.feature):
            return NO_ROOM
        root, n = n_nodes, _take_rows(cases, codes, fold, ground)
        roots[fold], n_nodes = root, n_nodes + 1
        _few_enough_categories(cases.n_categories, n, ground.averaged)
        trees.feature[root], trees.cut[root] = LEAF, 0.0
        trees.first_child[root], trees.n_branches[root] = 0, 0
        for k in range(trees.counts.shape[1]):
            trees.counts[root, k] = 0.0
        for i in range(n):
            trees.counts[root, cases.y[ground.lines[0, i]]] += 1.0
        ground.start[root], ground.stop[root] = 0, n
        ground.waiting[0] = root
        n_waiting = 0 if _stays_leaf(trees.counts, root, min_cases) else 1
        while n_waiting > 0:
            n_waiting -= 1
            node = ground.waiting[n_waiting]
            weight = total(trees.counts, node)
            _evaluate(cases, ground, node, weight, min_cases, xlog)
            chosen = _choose(ground.candidates[0], ground.candidates[1], weight, ground.averaged)
            if chosen == LEAF:
                continue
            n_children = cases.n_categories[chosen]
            if n_children == 0:
                n_children = 2
                trees.cut[node] = _on_data_value(
                    cases.columns[chosen], cases.order[cases.place[chosen]], ground.in_training,
                    ground.candidates[2, chosen],
                )  # fmt: skip
            if n_nodes + n_children > len(trees.feature):
                return NO_ROOM
            trees.feature[node], trees.first_child[node] = chosen, n_nodes
            trees.n_branches[node] = n_children
            n_waiting = _split(
                cases, trees, node, n_nodes, n_waiting, min_cases, ground, division
            )  # fmt: skip
            if n_waiting == NO_ROOM:
                return NO_ROOM
            n_nodes += n_children
    return n_nodes


@compiled
def collapse(trees: Tree, n_nodes: int) -> None:
    """Make a leaf of every node whose subtree makes no fewer training errors than it would."""
    errors = np.empty(n_nodes)
    for node in range(n_nodes - 1, -1, -1):  # children come after their parent
        if trees.feature[node] == LEAF:
            errors[node] = misplaced(trees.counts, node)
        else:
            errors[node] = 0.0
            first = trees.first_child[node]
            for child in range(first, first + trees.n_branches[node]):
                errors[node] += errors[child]
    for node in range(n_nodes):
        if trees.feature[node] != LEAF:
            as_leaf = misplaced(trees.counts, node)
            if errors[node] >= as_leaf - _TOLERANCE:
                trees.feature[node] = LEAF
