"""Growing and collapsing C4.5 trees."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import compiled
from replicast.learners.c45.arithmetic import SLACK, majority, misplaced, total
from replicast.learners.c45.candidates import (
    ABSENT,
    gain_ratio,
    nominal_candidate,
    numeric_candidate,
)
from replicast.learners.c45.rows import (
    divide,
    empty_division,
    hand_out,
    hand_out_ordered,
    lay_out,
)
from replicast.learners.c45.tree import LEAF, Tree
from replicast.learners.mixed.cases import Cases

Counts = NDArray[Any]  # whole numbers, or fractions where missing cells have split rows

_TOLERANCE = 1e-3  # in gains and errors, before a split counts as worse


@compiled
def _longer(array: Ints, n: int) -> Ints:
    result = np.zeros(n, dtype=array.dtype)
    result[: len(array)] = array
    return result


@compiled
def _longer_floats(array: Floats, n: int) -> Floats:
    result = np.zeros(n)
    result[: len(array)] = array
    return result


@compiled
def _wider(matrix: Ints, n: int) -> Ints:
    result = np.empty((matrix.shape[0], n), dtype=matrix.dtype)
    result[:, : matrix.shape[1]] = matrix
    return result


@compiled
def _taller(matrix: Floats, n: int) -> Floats:
    result = np.zeros((n, matrix.shape[1]))
    result[: len(matrix)] = matrix
    return result


@compiled
def stays_leaf(counts: Floats, node: int, min_cases: int) -> bool:
    """Return whether a node is too small or too pure to be split."""
    weight = total(counts, node)
    largest = counts[node, majority(counts, node)]
    return 2.0 * min_cases - weight > SLACK or abs(weight - largest) < SLACK


@compiled
def _evaluate(
    cases: Cases,
    rows: Ints,
    weights: Counts,
    ordered: Ints,
    weight_of: Counts,
    weight: float,
    min_cases: int,
    scratch: tuple[Counts, Counts, Counts, Counts],
    xlog: Floats,
    gains: Floats,
    information: Floats,
    cuts: Floats,
) -> None:
    """Fill gain, split information and cut of every column.

    `ordered` holds the rows by ascending value of each numeric column.
    """
    table, sizes, left, right = scratch
    table[:] = 0
    n_nominal = cases.cells.shape[1]
    for i in range(len(rows)):
        for j in range(n_nominal):
            table[cases.cells[rows[i], j]] += weights[i]
    for j in range(len(cases.n_categories)):
        place, n_categories = cases.place[j], cases.n_categories[j]
        if n_categories > 0:
            gains[j], information[j] = nominal_candidate(
                table, place, n_categories, weight, min_cases, sizes, left, xlog
            )
        else:
            gains[j], information[j], cuts[j] = numeric_candidate(
                cases.columns[j], ordered[place], weight_of, cases.y, weight, min_cases,
                left, right, xlog,
            )  # fmt: skip


@compiled
def choose(gains: Floats, information: Floats, weight: float, averaged: NDArray[np.bool_]) -> int:
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


@compiled
def _on_data_value(
    column: Floats, order: Ints, in_training: NDArray[np.bool_], cut: float
) -> float:
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


@compiled
def few_enough_categories(n_categories: Ints, n_rows: int) -> NDArray[np.bool_]:
    """Return which columns enter the average gain: those without a crowd of categories."""
    averaged = np.empty(len(n_categories), dtype=np.bool_)
    none = True
    for j in range(len(n_categories)):
        averaged[j] = n_categories[j] == 0 or 0.3 * n_rows - n_categories[j] > SLACK
        none = none and not averaged[j]
    if none:
        averaged[:] = True
    return averaged


@compiled
def grow(cases: Cases, training: Ints, n_classes: int, min_cases: int, xlog: Floats) -> Tree:
    """Grow a tree on the rows `training` until nothing is left to split.

    Rows of nodes still to be split lie on a stack, one segment a node: their numbers, their
    weights and, for every numeric column, the same rows by ascending value. Children overwrite
    their parent's segment.
    """
    n, n_columns = len(training), len(cases.n_categories)
    n_all, n_numeric = len(cases.y), len(cases.order)
    in_training = np.zeros(n_all, dtype=np.bool_)
    in_training[training] = True
    averaged = few_enough_categories(cases.n_categories, n)
    most_branches = max(2, cases.n_categories.max())

    capacity = 64
    feature, cut = np.full(capacity, LEAF), np.zeros(capacity)
    first_child = np.zeros(capacity, dtype=np.int64)
    n_branches = np.zeros(capacity, dtype=np.int64)
    counts = np.zeros((capacity, n_classes))
    start, stop = np.zeros(capacity, dtype=np.int64), np.zeros(capacity, dtype=np.int64)
    waiting = np.zeros(capacity, dtype=np.int64)
    whole = np.ones(capacity, dtype=np.int64)  # no row was divided among branches on the way

    room = 2 * n
    rows, weights = np.empty(room, dtype=np.int64), np.empty(room)
    ordered = np.empty((n_numeric, room), dtype=np.int64)
    rows[:n] = training
    weights[:n] = 1.0
    for i in range(n_numeric):
        at = 0
        for row in cases.order[i]:
            if in_training[row]:
                ordered[i, at] = row
                at += 1
    for row in training:
        counts[0, cases.y[row]] += 1.0
    own_rows, own_weights = np.empty(n, dtype=np.int64), np.empty(n)
    own_order = np.empty(n, dtype=np.int64)
    weight_of = np.empty(n_all)
    gains, information, cuts = np.empty(n_columns), np.empty(n_columns), np.zeros(n_columns)
    ones = np.ones(n_all, dtype=np.int64)
    whole_scratch = (
        np.empty(cases.n_cells, dtype=np.int64), np.empty(most_branches, dtype=np.int64),
        np.empty(n_classes, dtype=np.int64), np.empty(n_classes, dtype=np.int64),
    )  # fmt: skip
    scratch = (
        np.empty(cases.n_cells), np.empty(most_branches), np.empty(n_classes), np.empty(n_classes)
    )  # fmt: skip
    division = empty_division(cases, n_classes)

    n_nodes, n_waiting = 1, 0
    if not stays_leaf(counts, 0, min_cases):
        stop[0] = n
        n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        size = stop[node] - start[node]
        weight = total(counts, node)
        for i in range(size):
            own_rows[i] = rows[start[node] + i]
            own_weights[i] = weights[start[node] + i]
        segment = ordered[:, start[node] : stop[node]]
        if whole[node]:
            _evaluate(
                cases, own_rows[:size], ones, segment, ones, size, min_cases,
                whole_scratch, xlog, gains, information, cuts,
            )  # fmt: skip
        else:
            for i in range(size):
                weight_of[own_rows[i]] = own_weights[i]
            _evaluate(
                cases, own_rows[:size], own_weights, segment, weight_of, weight, min_cases,
                scratch, xlog, gains, information, cuts,
            )  # fmt: skip
        chosen = choose(gains, information, weight, averaged)
        if chosen == LEAF:
            continue

        feature[node], first_child[node] = chosen, n_nodes
        n_children = cases.n_categories[chosen]
        if n_children == 0:
            n_children = 2
            column, order = cases.columns[chosen], cases.order[cases.place[chosen]]
            cut[node] = _on_data_value(column, order, in_training, cuts[chosen])
        n_branches[node] = n_children
        if n_nodes + n_children > capacity:
            capacity = 2 * (n_nodes + n_children)
            feature, cut = _longer(feature, capacity), _longer_floats(cut, capacity)
            feature[n_nodes:] = LEAF
            first_child, n_branches = _longer(first_child, capacity), _longer(n_branches, capacity)
            start, stop = _longer(start, capacity), _longer(stop, capacity)
            waiting, counts = _longer(waiting, capacity), _taller(counts, capacity)
            whole = _longer(whole, capacity)
        missing = divide(
            cases, chosen, cut[node], own_rows[:size], own_weights, n_children, division
        )
        for b in range(n_children):
            for k in range(n_classes):
                counts[n_nodes + b, k] = division.table[b, k]
            division.wanted[b] = not stays_leaf(division.table, b, min_cases)
        end = lay_out(division, n_children, missing, start[node])
        if end > room:
            room = 2 * end
            rows, weights = _longer(rows, room), _longer_floats(weights, room)
            ordered = _wider(ordered, room)
        if end > start[node]:
            hand_out(own_rows[:size], own_weights, n_children, division, rows, weights)
            for i in range(n_numeric):
                own_order[:size] = ordered[i, start[node] : stop[node]]
                hand_out_ordered(own_order[:size], n_children, division, ordered[i])
        for b in range(n_children - 1, -1, -1):
            if division.wanted[b]:
                whole[n_nodes + b] = whole[node] and missing == 0
                start[n_nodes + b] = division.starts[b]
                stop[n_nodes + b] = division.starts[b - 1] if b > 0 else end
                waiting[n_waiting] = n_nodes + b
                n_waiting += 1
        n_nodes += n_children
    return Tree(
        feature[:n_nodes], cut[:n_nodes], first_child[:n_nodes], n_branches[:n_nodes],
        counts[:n_nodes],
    )  # fmt: skip


@compiled
def collapse(tree: Tree) -> None:
    """Make a leaf of every node whose subtree makes no fewer training errors than it would."""
    n_nodes = len(tree.feature)
    errors = np.zeros(n_nodes)
    for node in range(n_nodes - 1, -1, -1):  # children come after their parent
        if tree.feature[node] == LEAF:
            errors[node] = misplaced(tree.counts, node)
        else:
            first = tree.first_child[node]
            for child in range(first, first + tree.n_branches[node]):
                errors[node] += errors[child]
    for node in range(n_nodes):
        if tree.feature[node] != LEAF and errors[node] >= misplaced(tree.counts, node) - _TOLERANCE:
            tree.feature[node] = LEAF
