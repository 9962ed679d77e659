"""The flat form of C4.5 trees and what they predict."""

import math
from typing import NamedTuple

import numpy as np

from replicast.arrays import Codes, Floats, Ints
from replicast.kernels.compiled import bare, compiled
from replicast.learners.c45.arithmetic import SLACK
from replicast.learners.c45.rows import branch_of

LEAF = -1


class Tree(NamedTuple):
    """Nodes of a tree, or of several, in flat arrays; the children of a node are neighbours."""

    feature: Ints  # LEAF, or the attribute tested
    cut: Floats
    first_child: Ints
    n_branches: Ints
    counts: Floats  # (nodes, classes)


def empty_trees(capacity: int, n_classes: int) -> Tree:
    """Return room for so many nodes."""
    return Tree(
        np.empty(capacity, np.int64),
        np.empty(capacity),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty((capacity, n_classes)),
    )


@bare
def _add_distribution(
    trees: Tree,
    sizes: Floats,
    columns: Floats,
    n_categories: Ints,
    row: int,
    nodes: Ints,
    weights: Floats,
    distribution: Floats,
) -> None:
    """Add the class distribution of one row; `nodes` and `weights` are a stack that holds the root.

    A row comes to rest at a leaf or at a node whose branch for it took nobody in training. One whose
    cell is missing goes down all branches, by their share of the training rows.
    """
    top = 1
    while top > 0:
        top -= 1
        node, weight = nodes[top], weights[top]
        lost = False
        while trees.feature[node] != LEAF:
            feature, first = trees.feature[node], trees.first_child[node]
            value = columns[feature, row]
            if math.isnan(value):
                lost = True
                break
            child = first + branch_of(value, n_categories[feature] > 0, trees.cut[node])
            if trees.feature[child] == LEAF and sizes[child] < SLACK:
                break
            node = child
        if not lost:
            if sizes[node] >= SLACK:
                for k in range(len(distribution)):
                    distribution[k] += weight * trees.counts[node, k] / sizes[node]
            continue
        first = trees.first_child[node]
        everything = 0.0
        for child in range(first, first + trees.n_branches[node]):
            everything += sizes[child]
        for child in range(first + trees.n_branches[node] - 1, first - 1, -1):
            if sizes[child] >= SLACK:
                nodes[top], weights[top] = child, weight * sizes[child] / everything
                top += 1


@compiled
def distributions(
    trees: Tree, n_nodes: int, roots: Ints, columns: Floats, n_categories: Ints, codes: Codes
) -> Floats:
    """Return the class distribution of every row by the tree of its code, 0 where that is negative."""
    n_classes = trees.counts.shape[1]
    result = np.empty((columns.shape[1], n_classes))
    nodes, weights, sizes = np.empty(n_nodes, np.int64), np.empty(n_nodes), np.empty(n_nodes)
    for node in range(n_nodes):
        sizes[node] = 0.0
        for k in range(n_classes):
            sizes[node] += trees.counts[node, k]
    for row in range(columns.shape[1]):
        for k in range(n_classes):
            result[row, k] = 0.0
        if codes[row] >= 0:
            nodes[0], weights[0] = roots[codes[row]], 1.0
            _add_distribution(
                trees, sizes, columns, n_categories, row, nodes, weights, result[row]
            )  # fmt: skip
    return result


def most_probable(distributions: Floats) -> Ints:
    """Return the most probable class of each row; near-ties go to the lower class."""
    best = np.full(len(distributions), -1.0)
    chosen = np.zeros(len(distributions), np.int64)
    for k in range(distributions.shape[1]):
        better = distributions[:, k] - best > SLACK
        best = np.where(better, distributions[:, k], best)
        chosen[better] = k
    return chosen


def without_dead_nodes(trees: Tree, root: int) -> Tree:
    """Return one tree with only the nodes that can be reached, level by level."""
    kept, first_child = [root], []
    for node in kept:
        first_child.append(len(kept))
        if trees.feature[node] != LEAF:
            first = int(trees.first_child[node])
            kept += range(first, first + int(trees.n_branches[node]))
    return Tree(
        trees.feature[kept],
        trees.cut[kept],
        np.array(first_child, np.int64),
        trees.n_branches[kept],
        trees.counts[kept],
    )
