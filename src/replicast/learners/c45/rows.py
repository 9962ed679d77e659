"""Rows with weights at the nodes of a C4.5 tree, and how they pass a test."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import compiled
from replicast.learners.c45.arithmetic import SLACK
from replicast.learners.mixed.cases import Cases

Branches = NDArray[np.int32]

_MISSING = -1  # instead of a branch


@compiled
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
    wanted: NDArray[np.bool_]  # whether anybody needs the rows of a branch
    starts: Ints  # where the rows of a branch begin on the stack
    cursor: Ints


@compiled
def empty_division(cases: Cases, n_classes: int) -> Division:
    """Return work space large enough for any test on these cases."""
    most = max(2, cases.n_categories.max())
    return Division(
        np.empty(len(cases.y), dtype=np.int32),
        np.empty(most, dtype=np.int64),
        np.empty((most, n_classes)),
        np.empty(most),
        np.empty(most, dtype=np.bool_),
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int64),
    )


@compiled
def divide(
    cases: Cases,
    feature: int,
    cut: float,
    rows: Ints,
    weights: Floats,
    n_branches: int,
    division: Division,
) -> int:
    """Fill branches, table and shares of a test; return the number of missing cells."""
    branch, known, table, shares = division[:4]
    n_classes = table.shape[1]
    for b in range(n_branches):
        known[b] = 0
        for k in range(n_classes):
            table[b, k] = 0.0
    column = cases.columns[feature]
    is_nominal = cases.n_categories[feature] > 0
    missing = 0
    for i in range(len(rows)):
        row = rows[i]
        value = column[row]
        if math.isnan(value):
            branch[row] = _MISSING
            missing += 1
        else:
            b = branch_of(value, is_nominal, cut)
            branch[row] = b
            known[b] += 1
            table[b, cases.y[row]] += weights[i]
    _fill_shares(table, n_branches, shares)
    if missing == 0:
        return 0
    for i in range(len(rows)):
        if branch[rows[i]] == _MISSING:
            for b in range(n_branches):
                table[b, cases.y[rows[i]]] += shares[b] * weights[i]
    _fill_shares(table, n_branches, shares)
    return missing


@compiled
def _fill_shares(table: Floats, n_branches: int, shares: Floats) -> None:
    everything = 0.0
    for b in range(n_branches):
        shares[b] = 0.0
        for k in range(table.shape[1]):
            shares[b] += table[b, k]
        everything += shares[b]
    for b in range(n_branches):
        shares[b] = 1.0 / n_branches if abs(everything) < SLACK else shares[b] / everything


@compiled
def lay_out(division: Division, n_branches: int, missing: int, base: int) -> int:
    """Fill where the rows of each wanted branch start, the last branch lowest; return the end."""
    for b in range(n_branches - 1, -1, -1):
        division.starts[b] = base
        if division.wanted[b]:
            base += division.known[b] + (missing if division.shares[b] > SLACK else 0)
    return base


@compiled
def hand_out(
    rows: Ints,
    weights: Floats,
    n_branches: int,
    division: Division,
    out_rows: Ints,
    out_weights: Floats,
) -> None:
    """Write rows and weights to their branches; a missing cell goes to all that hold weight."""
    branch, _, _, shares, wanted, starts, cursor = division
    for b in range(n_branches):
        cursor[b] = starts[b]
    for i in range(len(rows)):
        b = branch[rows[i]]
        if b != _MISSING:
            if wanted[b]:
                out_rows[cursor[b]] = rows[i]
                out_weights[cursor[b]] = weights[i]
                cursor[b] += 1
        else:
            for c in range(n_branches):
                if wanted[c] and shares[c] > SLACK:
                    out_rows[cursor[c]] = rows[i]
                    out_weights[cursor[c]] = weights[i] * shares[c]
                    cursor[c] += 1


@compiled
def hand_out_ordered(ordered: Ints, n_branches: int, division: Division, out: Ints) -> None:
    """Write rows to their branches in the order given."""
    branch, _, _, shares, wanted, starts, cursor = division
    for b in range(n_branches):
        cursor[b] = starts[b]
    for row in ordered:
        b = branch[row]
        if b != _MISSING:
            if wanted[b]:
                out[cursor[b]] = row
                cursor[b] += 1
        else:
            for c in range(n_branches):
                if wanted[c] and shares[c] > SLACK:
                    out[cursor[c]] = row
                    cursor[c] += 1
