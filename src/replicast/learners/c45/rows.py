"""Rows with weights at the nodes of a C4.5 tree, and how they pass a test."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Bools, Floats, Ints
from replicast.kernels.compiled import bare
from replicast.learners.c45.arithmetic import SLACK

Branches = NDArray[np.int32]

_MISSING = -1  # instead of a branch


@bare
def branch_of(value: float, is_nominal: bool, cut: float) -> int:
    """Return the branch of a known value."""
    if is_nominal:
        return int(value)
    return 0 if value - cut < SLACK else 1


class Division(NamedTuple):
    """How a test divides the rows of a node; entries beyond its branches are left over."""

    branch: Branches  # of each row of the table, or `_MISSING`
    known: Ints  # number of rows a branch without those of missing cells
    table: Floats  # (branches, classes) counts; a missing cell counts in all branches
    shares: Floats  # of the weight, a branch
    wanted: Bools  # whether anybody needs the rows of a branch
    starts: Ints  # where the rows of a branch begin on the stack
    cursor: Ints


def empty_division(n_rows: int, most_branches: int, n_classes: int) -> Division:
    """Return work space for tests with so many branches."""
    return Division(
        np.empty(n_rows, np.int32),
        np.empty(most_branches, np.int64),
        np.empty((most_branches, n_classes)),
        np.empty(most_branches),
        np.empty(most_branches, np.bool_),
        np.empty(most_branches, np.int64),
        np.empty(most_branches, np.int64),
    )


@bare
def divide(
    column: Floats,
    is_nominal: bool,
    cut: float,
    y: Ints,
    rows: Ints,
    weight_of: Floats,
    n_branches: int,
    division: Division,
) -> int:
    """Fill branches, table and shares of a test; return the number of missing cells."""
    branch, table, shares = division.branch, division.table, division.shares
    for b in range(n_branches):
        division.known[b] = 0
        for k in range(table.shape[1]):
            table[b, k] = 0.0
    missing = 0
    for row in rows:
        value = column[row]
        if math.isnan(value):
            branch[row] = _MISSING
            missing += 1
        else:
            b = branch_of(value, is_nominal, cut)
            branch[row] = b
            division.known[b] += 1
            table[b, y[row]] += weight_of[row]
    _fill_shares(table, n_branches, shares)
    if missing > 0:
        for row in rows:
            if branch[row] == _MISSING:
                for b in range(n_branches):
                    table[b, y[row]] += shares[b] * weight_of[row]
        _fill_shares(table, n_branches, shares)
    return missing


@bare
def _fill_shares(table: Floats, n_branches: int, shares: Floats) -> None:
    everything = 0.0
    for b in range(n_branches):
        shares[b] = 0.0
        for k in range(table.shape[1]):
            shares[b] += table[b, k]
        everything += shares[b]
    for b in range(n_branches):
        shares[b] = 1.0 / n_branches if abs(everything) < SLACK else shares[b] / everything


@bare
def lay_out(division: Division, n_branches: int, missing: int, base: int) -> int:
    """Fill where the rows of each wanted branch start, the last branch lowest; return the end."""
    for b in range(n_branches - 1, -1, -1):
        division.starts[b] = base
        if division.wanted[b]:
            base += division.known[b] + (missing if division.shares[b] > SLACK else 0)
    return base


@bare
def hand_out(
    rows: Ints,
    weight_of: Floats,
    n_branches: int,
    division: Division,
    out_rows: Ints,
    out_weights: Floats,
) -> None:
    """Write rows and their weights to their branches in the order given.

    A row with a missing cell goes to all branches that hold weight.
    """
    cursor, shares = division.cursor, division.shares
    for b in range(n_branches):
        cursor[b] = division.starts[b]
    for row in rows:
        own = division.branch[row]
        first, last = (0, n_branches) if own == _MISSING else (own, own + 1)
        for b in range(first, last):
            if division.wanted[b] and (own != _MISSING or shares[b] > SLACK):
                out_rows[cursor[b]] = row
                share = shares[b] if own == _MISSING else 1.0
                out_weights[cursor[b]] = weight_of[row] * share
                cursor[b] += 1
