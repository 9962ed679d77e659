"""The flat form of a C4.5 tree and what it predicts."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import compiled
from replicast.learners.c45.arithmetic import SLACK, total
from replicast.learners.c45.rows import branch_of
from replicast.learners.protocol import NOT_PREDICTED

LEAF = -1


class Tree(NamedTuple):
    """Nodes in flat arrays; the children of a node are neighbours."""

    feature: Ints  # LEAF, or the attribute tested
    cut: Floats
    first_child: Ints
    n_branches: Ints
    counts: Floats  # (nodes, classes)


@compiled
def last_node(
    tree: Tree, sizes: Floats, columns: Floats, n_categories: Ints, row: int, node: int
) -> int:
    """Return where a row comes to rest below `node`.

    That is a leaf, a node whose test the row cannot take, or one whose branch for the row took
    nobody in training.
    """
    while tree.feature[node] != LEAF:
        feature = tree.feature[node]
        value = columns[feature, row]
        if math.isnan(value):
            return node
        child = tree.first_child[node] + branch_of(value, n_categories[feature] > 0, tree.cut[node])
        if tree.feature[child] == LEAF and sizes[child] < SLACK:
            return node
        node = child
    return node


@compiled
def add_distribution(
    tree: Tree,
    sizes: Floats,
    columns: Floats,
    n_categories: Ints,
    row: int,
    distribution: Floats,
    nodes: Ints,
    weights: Floats,
) -> None:
    """Add the class distribution of one row; `nodes` and `weights` are a stack to work with."""
    nodes[0], weights[0] = 0, 1.0
    top = 1
    while top > 0:
        top -= 1
        node = last_node(tree, sizes, columns, n_categories, row, nodes[top])
        weight = weights[top]
        if tree.feature[node] == LEAF or not math.isnan(columns[tree.feature[node], row]):
            if sizes[node] >= SLACK:
                for k in range(len(distribution)):
                    distribution[k] += weight * tree.counts[node, k] / sizes[node]
            continue
        first = tree.first_child[node]
        everything = 0.0
        for child in range(first, first + tree.n_branches[node]):
            everything += sizes[child]
        for child in range(first + tree.n_branches[node] - 1, first - 1, -1):
            if sizes[child] >= SLACK:
                nodes[top], weights[top] = child, weight * sizes[child] / everything
                top += 1


@compiled
def distributions(tree: Tree, columns: Floats, n_categories: Ints) -> Floats:
    """Return the class distribution of every row of `columns`."""
    result = np.zeros((columns.shape[1], tree.counts.shape[1]))
    n_nodes = len(tree.feature)
    nodes, weights, sizes = np.empty(n_nodes, dtype=np.int64), np.empty(n_nodes), np.empty(n_nodes)
    for node in range(n_nodes):
        sizes[node] = total(tree.counts, node)
    for row in range(columns.shape[1]):
        add_distribution(tree, sizes, columns, n_categories, row, result[row], nodes, weights)
    return result


@compiled
def predicted_class(distribution: Floats) -> int:
    """Return the most probable class; near-ties go to the lower class."""
    best, index = -1.0, 0
    for k in range(len(distribution)):
        if distribution[k] - best > SLACK:
            best, index = distribution[k], k
    return index


@compiled
def predicted_classes(
    tree: Tree, columns: Floats, n_categories: Ints, rows: Ints, result: NDArray[np.int16]
) -> None:
    """Fill result[row] with the class of each of `rows`."""
    n_nodes, n_classes = tree.counts.shape
    nodes, weights = np.empty(n_nodes, dtype=np.int64), np.empty(n_nodes)
    distribution = np.empty(n_classes)
    sizes = np.empty(n_nodes)
    for node in range(n_nodes):
        sizes[node] = total(tree.counts, node)
    label = np.full(
        n_nodes, NOT_PREDICTED, dtype=np.int16
    )  # of nodes that answered a row on their own
    for row in rows:
        node = last_node(tree, sizes, columns, n_categories, row, 0)
        alone = tree.feature[node] == LEAF or not math.isnan(columns[tree.feature[node], row])
        if alone and label[node] != NOT_PREDICTED:
            result[row] = label[node]
            continue
        distribution[:] = 0.0
        add_distribution(tree, sizes, columns, n_categories, row, distribution, nodes, weights)
        result[row] = predicted_class(distribution)
        if alone:
            label[node] = result[row]


@compiled
def without_dead_nodes(tree: Tree) -> Tree:
    """Return the tree with only the nodes that can be reached, level by level."""
    size = len(tree.feature)
    kept = np.empty(size, dtype=np.int64)
    first_child = np.zeros(size, dtype=np.int64)
    kept[0] = 0
    n = 1
    at = 0
    while at < n:
        node = kept[at]
        if tree.feature[node] != LEAF:
            first_child[at] = n
            for child in range(tree.n_branches[node]):
                kept[n] = tree.first_child[node] + child
                n += 1
        at += 1
    kept = kept[:n]
    return Tree(
        tree.feature[kept],
        tree.cut[kept],
        first_child[:n].copy(),
        tree.n_branches[kept],
        tree.counts[kept],
    )
