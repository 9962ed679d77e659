"""Error-based pruning of C4.5 trees with subtree raising."""

from typing import NamedTuple

import numpy as np

from replicast.arrays import Codes, Floats, Ints
from replicast.kernels.compiled import bare, compiled
from replicast.learners.c45.arithmetic import SLACK, ErrorLimits, pessimistic_errors, total
from replicast.learners.c45.rows import Division, divide, hand_out, lay_out
from replicast.learners.c45.tree import LEAF, Tree
from replicast.learners.mixed.cases import Cases
from replicast.learners.protocol import UNUSED

NO_ROOM = -1.0  # instead of a number of errors
_FOR_GOOD = np.inf  # errors at which nothing ends: rows sent down to stay

_BENEFIT_OF_DOUBT = 0.1  # errors by which a simpler tree may be worse
_ENTERED = -1


class Stack(NamedTuple):
    """The rows of the nodes on the way, since a raised branch is given all rows of its parent."""

    rows: Ints
    weights: Floats
    own: Ints  # a copy of a segment
    weight_of: Floats  # of each row of the table
    starts: Ints  # of a node's segment
    stops: Ints
    base: Ints  # where the rows of a node's children begin
    next_child: Ints
    path: Ints
    errors: Floats  # of a node that is done
    waiting: Ints  # nodes that rows are to be sent down from
    begins: Ints  # and where their rows begin


def empty_stack(n_rows: int, room: int, n_nodes: int) -> Stack:
    """Return room for so many nodes and so many rows of those on the way."""
    return Stack(
        np.empty(room, np.int64),
        np.empty(room),
        np.empty(n_rows, np.int64),
        np.empty(n_rows),
        np.empty(n_nodes, np.int64),
        np.empty(n_nodes, np.int64),
        np.empty(n_nodes, np.int64),
        np.empty(n_nodes, np.int64),
        np.empty(n_nodes, np.int64),
        np.empty(n_nodes),
        np.empty(n_nodes, np.int64),
        np.empty(n_nodes, np.int64),
    )


@bare
def _largest_branch(trees: Tree, node: int) -> int:
    """Return the child that holds most weight; near-ties go to the last."""
    largest, chosen = 0.0, trees.first_child[node]
    for child in range(chosen, chosen + trees.n_branches[node]):
        size = total(trees.counts, child)
        if largest - size < SLACK:
            largest, chosen = size, child
    return chosen


@bare
def _divide_rows(
    trees: Tree,
    cases: Cases,
    node: int,
    start: int,
    stop: int,
    stack: Stack,
    division: Division,
) -> int:
    """Divide the rows from `start` to `stop` by the test of an inner node.

    Returns the number of missing cells; inner children want their rows.
    """
    first, feature = trees.first_child[node], trees.feature[node]
    for i in range(stop - start):
        row = stack.rows[start + i]
        stack.own[i], stack.weight_of[row] = row, stack.weights[start + i]
    for b in range(trees.n_branches[node]):
        division.wanted[b] = trees.feature[first + b] != LEAF
    return divide(
        cases.columns[feature], cases.n_categories[feature] > 0, trees.cut[node], cases.y,
        stack.own[: stop - start], stack.weight_of, trees.n_branches[node], division,
    )  # fmt: skip


@bare
def _pass_on(
    n_children: int, missing: int, size: int, top: int, stack: Stack, division: Division
) -> int:
    """Write divided rows to the branches that want them, from `top` on.

    Returns where they end; beyond the stack, nothing was written.
    """
    end = lay_out(division, n_children, missing, top)
    if top < end <= len(stack.rows):
        hand_out(stack.own[:size], stack.weight_of, n_children, division, stack.rows, stack.weights)
    return end


@bare
def _send_down(
    trees: Tree,
    cases: Cases,
    node: int,
    start: int,
    stop: int,
    top: int,
    enough: float,
    limits: ErrorLimits,
    stack: Stack,
    division: Division,
) -> float:
    """Return the pessimistic errors below inner node `node` if it received the given rows.

    The rows are entries `start` to `stop` of the stack; entries from `top` on are free. Counting
    ends once the errors exceed `enough`. If that is `_FOR_GOOD`, the class counts below the node
    become those of the rows that arrive. Returns `NO_ROOM` if the stack is too small.
    """
    errors, n_waiting = 0.0, 0
    while True:
        missing = _divide_rows(trees, cases, node, start, stop, stack, division)
        first = trees.first_child[node]
        for b in range(trees.n_branches[node]):
            if not division.wanted[b]:
                errors += pessimistic_errors(division.table, b, limits)
            if enough == _FOR_GOOD:
                for k in range(trees.counts.shape[1]):
                    trees.counts[first + b, k] = division.table[b, k]
        if errors > enough:
            return errors
        end = _pass_on(trees.n_branches[node], missing, stop - start, top, stack, division)
        if end > len(stack.rows):
            return NO_ROOM
        for b in range(trees.n_branches[node] - 1, -1, -1):
            if division.wanted[b]:
                stack.waiting[n_waiting], stack.begins[n_waiting] = first + b, division.starts[b]
                n_waiting += 1
        if n_waiting == 0:
            return errors
        n_waiting -= 1
        node = stack.waiting[n_waiting]
        start, stop = stack.begins[n_waiting], end
        top = start  # the topmost segment is overwritten by its children


@bare
def _share_rows(
    trees: Tree, cases: Cases, node: int, top: int, stack: Stack, division: Division
) -> int:
    """Write the rows of a node's inner children above `top`; return the new top."""
    first, n_children = trees.first_child[node], trees.n_branches[node]
    only_leaves = True
    for child in range(first, first + n_children):
        only_leaves = only_leaves and trees.feature[child] == LEAF
    if only_leaves:
        return top
    start, stop = stack.starts[node], stack.stops[node]
    missing = _divide_rows(trees, cases, node, start, stop, stack, division)
    end = _pass_on(n_children, missing, stop - start, top, stack, division)
    for b in range(n_children):
        stack.starts[first + b] = division.starts[b]
        stack.stops[first + b] = division.starts[b - 1] if b > 0 else end
    return end


@compiled
def prune(
    trees: Tree,
    roots: Ints,
    cases: Cases,
    codes: Codes,
    limits: ErrorLimits,
    raising: bool,
    stack: Stack,
    division: Division,
) -> bool:
    """Replace subtrees by leaves or by their largest branch where that promises fewer errors.

    A walk from each root visits children before their parent. Returns whether the stack had enough
    room.
    """
    for fold in range(len(roots)):
        root, depth = roots[fold], 1
        if trees.feature[root] == LEAF:
            continue
        stack.starts[root] = 0
        top = stack.starts[root]
        for row in range(len(codes)):
            if codes[row] != fold and codes[row] != UNUSED:
                stack.rows[top], stack.weights[top] = row, 1.0
                top += 1
        stack.stops[root] = top
        stack.path[0], stack.next_child[root] = root, _ENTERED
        while depth > 0:
            node = stack.path[depth - 1]
            first, n_children = trees.first_child[node], trees.n_branches[node]
            if stack.next_child[node] == _ENTERED:
                stack.next_child[node], stack.base[node] = 0, top
                if raising:
                    top = _share_rows(trees, cases, node, top, stack, division)
                    if top > len(stack.rows):
                        return False
            child = first + stack.next_child[node]
            while child < first + n_children and trees.feature[child] == LEAF:
                stack.errors[child] = pessimistic_errors(trees.counts, child, limits)
                child += 1
            stack.next_child[node] = child - first + 1
            if child < first + n_children:
                stack.path[depth], stack.next_child[child] = child, _ENTERED
                depth += 1
                continue

            top = stack.base[node]
            as_leaf = pessimistic_errors(trees.counts, node, limits)
            as_tree = 0.0
            for child in range(first, first + n_children):
                as_tree += stack.errors[child]
            allowed = as_tree + _BENEFIT_OF_DOUBT
            as_branch, big = np.inf, _largest_branch(trees, node)
            start, stop = stack.starts[node], stack.stops[node]
            if raising and trees.feature[big] == LEAF:
                as_branch = as_leaf
            elif raising:
                enough = max(allowed, as_leaf) + 1.0  # beyond it, both comparisons are settled
                as_branch = _send_down(
                    trees, cases, big, start, stop, top, enough, limits, stack, division
                )
                if as_branch == NO_ROOM:
                    return False
            if as_leaf - allowed < SLACK and as_leaf - as_branch - _BENEFIT_OF_DOUBT < SLACK:
                trees.feature[node] = LEAF
                stack.errors[node] = as_leaf
            elif as_branch - allowed < SLACK:
                trees.feature[node], trees.cut[node] = trees.feature[big], trees.cut[big]
                trees.first_child[node] = trees.first_child[big]
                trees.n_branches[node] = trees.n_branches[big]
                sent = _send_down(
                    trees, cases, node, start, stop, top, _FOR_GOOD, limits, stack, division
                )
                if sent == NO_ROOM:
                    return False
                stack.next_child[node] = _ENTERED
                continue
            else:
                stack.errors[node] = as_tree
            depth -= 1
    return True
