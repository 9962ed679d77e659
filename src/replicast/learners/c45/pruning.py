"""Error-based pruning of C4.5 trees with subtree raising."""

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import compiled
from replicast.learners.c45.arithmetic import SLACK, ErrorLimits, pessimistic_errors, total
from replicast.learners.c45.bits import BitCases, send_bits_down
from replicast.learners.c45.rows import (
    Division,
    divide,
    empty_division,
    hand_out,
    lay_out,
)
from replicast.learners.c45.tree import LEAF, Tree
from replicast.learners.mixed.cases import Cases

Bits = NDArray[np.uint64]

Stack = tuple[Ints, Floats]  # rows and their weights
Work = tuple[Division, Ints, Floats, Ints, Ints]

_BENEFIT_OF_DOUBT = 0.1  # errors by which a simpler tree may be worse
_ENTERED = -1


@compiled
def _with_room(rows: Ints, weights: Floats, used: int, needed: int) -> tuple[Ints, Floats]:
    """Return the buffers, enlarged if they cannot hold `needed` entries."""
    if needed <= len(rows):
        return rows, weights
    more_rows, more_weights = np.empty(2 * needed, dtype=np.int64), np.empty(2 * needed)
    more_rows[:used] = rows[:used]
    more_weights[:used] = weights[:used]
    return more_rows, more_weights


@compiled
def _largest_branch(tree: Tree, node: int) -> int:
    """Return the child that holds most weight; near-ties go to the last."""
    largest, chosen = 0.0, 0
    for b in range(tree.n_branches[node]):
        size = total(tree.counts, tree.first_child[node] + b)
        if largest - size < SLACK:
            largest, chosen = size, b
    return tree.first_child[node] + chosen


@compiled
def _send_down(
    tree: Tree,
    cases: Cases,
    node: int,
    stack: Stack,
    start: int,
    stop: int,
    base: int,
    replace: bool,
    enough: float,
    work: Work,
    limits: ErrorLimits,
) -> tuple[float, Stack]:
    """Return the pessimistic errors below inner node `node` if it received the given rows.

    The rows are entries `start` to `stop` of the stack; entries from `base` on are free. With
    `replace`, the class counts below the node become those of the rows that arrive. Counting
    ends once the errors exceed `enough`.
    """
    rows, weights = stack
    division, own_rows, own_weights, waiting, begins = work
    errors = 0.0
    n_waiting, top, end = 0, base, base
    while True:
        size = stop - start
        for i in range(size):
            own_rows[i] = rows[start + i]
            own_weights[i] = weights[start + i]
        n_children, first = tree.n_branches[node], tree.first_child[node]
        missing = divide(
            cases, tree.feature[node], tree.cut[node], own_rows[:size], own_weights, n_children,
            division,
        )  # fmt: skip
        for b in range(n_children):
            division.wanted[b] = tree.feature[first + b] != LEAF
            if not division.wanted[b]:
                errors += pessimistic_errors(division.table, b, limits)
            if replace:
                for k in range(tree.counts.shape[1]):
                    tree.counts[first + b, k] = division.table[b, k]
        if errors > enough:
            return errors, (rows, weights)
        end = lay_out(division, n_children, missing, top)
        if end > top:
            rows, weights = _with_room(rows, weights, top, end)
            hand_out(own_rows[:size], own_weights, n_children, division, rows, weights)
        for b in range(n_children - 1, -1, -1):
            if division.wanted[b]:
                waiting[n_waiting], begins[n_waiting] = first + b, division.starts[b]
                n_waiting += 1
        if n_waiting == 0:
            return errors, (rows, weights)
        n_waiting -= 1
        node = waiting[n_waiting]
        start, stop = begins[n_waiting], end
        top = start  # the topmost segment is overwritten by its children


@compiled
def _share_rows(
    tree: Tree,
    cases: Cases,
    node: int,
    stack: Stack,
    starts: Ints,
    stops: Ints,
    top: int,
    work: Work,
) -> tuple[int, Stack]:
    """Write the rows of a node's inner children above `top`; return the new top."""
    rows, weights = stack
    division = work[0]
    n_children, first = tree.n_branches[node], tree.first_child[node]
    anything = False
    for b in range(n_children):
        division.wanted[b] = tree.feature[first + b] != LEAF
        anything = anything or division.wanted[b]
    if not anything:
        return top, stack
    own_rows = rows[starts[node] : stops[node]]
    own_weights = weights[starts[node] : stops[node]]
    missing = divide(
        cases, tree.feature[node], tree.cut[node], own_rows, own_weights, n_children, division
    )
    end = lay_out(division, n_children, missing, top)
    rows, weights = _with_room(rows, weights, top, end)
    hand_out(own_rows, own_weights, n_children, division, rows, weights)
    for b in range(n_children):
        starts[first + b] = division.starts[b]
        stops[first + b] = division.starts[b - 1] if b > 0 else end
    return end, (rows, weights)


@compiled
def prune(
    tree: Tree,
    cases: Cases,
    bits: BitCases,
    node_bits: Bits,
    training: Ints,
    limits: ErrorLimits,
    raising: bool,
) -> None:
    """Replace subtrees by leaves or by their largest branch where that promises fewer errors.

    A walk from the root visits children before their parent. The rows of the nodes on the way
    lie on a stack, since a raised branch must be given all rows of its parent; where rows are
    bits, `node_bits` holds those of every node.
    """
    if tree.feature[0] == LEAF:
        return
    n_nodes, n = len(tree.feature), len(training)
    stack = np.empty(4 * n, dtype=np.int64), np.empty(4 * n)
    stack[0][:n] = training
    stack[1][:n] = 1.0
    work = (
        empty_division(cases, tree.counts.shape[1]),
        np.empty(n, dtype=np.int64),
        np.empty(n),
        np.empty(n_nodes, dtype=np.int64),
        np.empty(n_nodes, dtype=np.int64),
    )
    starts, stops = np.zeros(n_nodes, dtype=np.int64), np.zeros(n_nodes, dtype=np.int64)
    stops[0] = n
    errors = np.zeros(n_nodes)
    base = np.zeros(n_nodes, dtype=np.int64)
    next_child = np.full(n_nodes, _ENTERED)
    path = np.zeros(n_nodes, dtype=np.int64)
    depth, top = 1, n
    as_bits = len(bits.of_class) > 0
    arrived, bit_counts = np.empty_like(node_bits), np.empty((1, tree.counts.shape[1]))
    while depth > 0:
        node = path[depth - 1]
        first, n_children = tree.first_child[node], tree.n_branches[node]
        if next_child[node] == _ENTERED:
            next_child[node] = 0
            base[node] = top
            if raising and not as_bits:
                top, stack = _share_rows(tree, cases, node, stack, starts, stops, top, work)
        while next_child[node] < n_children and tree.feature[first + next_child[node]] == LEAF:
            child = first + next_child[node]
            errors[child] = pessimistic_errors(tree.counts, child, limits)
            next_child[node] += 1
        if next_child[node] < n_children:
            child = first + next_child[node]
            next_child[node] += 1
            next_child[child] = _ENTERED
            path[depth] = child
            depth += 1
            continue

        top = base[node]
        as_leaf = pessimistic_errors(tree.counts, node, limits)
        as_tree = 0.0
        for child in range(first, first + n_children):
            as_tree += errors[child]
        allowed = as_tree + _BENEFIT_OF_DOUBT
        as_branch = np.inf
        big = _largest_branch(tree, node)
        if raising and tree.feature[big] == LEAF:
            as_branch = as_leaf
        elif raising:
            enough = max(allowed, as_leaf) + 1.0  # beyond it, both comparisons below are settled
            if as_bits:
                arrived[big] = node_bits[node]
                as_branch = send_bits_down(
                    tree, bits, big, arrived, False, enough, path[depth:], bit_counts, limits
                )
            else:
                as_branch, stack = _send_down(
                    tree,
                    cases,
                    big,
                    stack,
                    starts[node],
                    stops[node],
                    top,
                    False,
                    enough,
                    work,
                    limits,
                )
        if as_leaf - allowed < SLACK and as_leaf - as_branch - _BENEFIT_OF_DOUBT < SLACK:
            tree.feature[node] = LEAF
            errors[node] = as_leaf
        elif as_branch - allowed < SLACK:
            tree.feature[node], tree.cut[node] = tree.feature[big], tree.cut[big]
            tree.first_child[node] = tree.first_child[big]
            tree.n_branches[node] = tree.n_branches[big]
            if as_bits:
                send_bits_down(
                    tree, bits, node, node_bits, True, np.inf, path[depth:], bit_counts, limits
                )
            else:
                _, stack = _send_down(
                    tree,
                    cases,
                    node,
                    stack,
                    starts[node],
                    stops[node],
                    top,
                    True,
                    np.inf,
                    work,
                    limits,
                )
            next_child[node] = _ENTERED
            continue
        else:
            errors[node] = as_tree
        depth -= 1
