"""Many support vector machines on the same rows: one job a training set."""

from typing import NamedTuple

import numpy as np

from replicast.arrays import Bools, Codes, Floats, Ints, Singles
from replicast.kernels.compiled import compiled
from replicast.learners.svm.kernel_rows import LINES, fill_nearby, fill_rows
from replicast.learners.svm.settings import BY_VARIANCE, fill_scales
from replicast.learners.svm.solver import decide, solve, start_cold

ASKED = -1  # role of a row to predict; other roles are how often the row is trained on


@compiled
def _transform(
    X: Floats, mean: Floats, divisor: Floats, Z: Floats, columns: Floats, squares: Floats
) -> None:
    """Fill scaled rows, the same transposed, and their squared lengths."""
    squares[:] = 0.0
    for i in range(len(X)):
        for k in range(X.shape[1]):
            Z[i, k] = (X[i, k] - mean[k]) / divisor[k]
    for k in range(X.shape[1]):
        for i in range(len(X)):
            columns[k, i] = Z[i, k]
        for i in range(len(X)):
            squares[i] += columns[k, i] * columns[k, i]


@compiled
def _vote(
    y: Ints, roles: Codes, decision: Floats, positive: int, negative: int, votes: Codes
) -> None:
    for t in range(len(y)):
        if roles[t] == ASKED:
            votes[t, positive if decision[t] > 0 else negative] += 1


class Task(NamedTuple):
    """The rows in LIBSVM's order, and the moments that put them on their own scale again."""

    X: Floats
    shift: Floats
    stretch: Floats
    y: Ints
    n_classes: int


class Rule(NamedTuple):
    """How machines are fitted; `shared` if one kernel serves all jobs."""

    cost: float
    gamma: float
    tolerance: float
    scale: bool
    ddof: int
    shared: bool


class Reference(NamedTuple):
    """The kernel of all rows on their common scale."""

    kernel: Floats
    columns: Singles
    gamma: float


class Memory(NamedTuple):
    """What jobs hand on: kernel lines, and who was a support vector; with room for decisions."""

    K: Singles
    likely: Bools
    decision: Floats


@compiled
def predict_jobs(
    task: Task, roles: Codes, rule: Rule, reference: Reference, memory: Memory, out: Codes
) -> None:
    """Solve every pair of classes for each job (a line of roles) and let the pairs vote.

    Where one kernel serves all, it is filled already. Otherwise the lines of training rows that were
    support vectors of earlier jobs are filled beforehand, from the reference where that is near.
    """
    X, shift, stretch, y, n_classes = task
    cost, gamma, tolerance, scale, ddof, shared = rule
    K, likely, decision = memory
    rows, features = X.shape
    padded = len(decision)
    mean, divisor, excess = np.zeros(features), np.ones(features), np.empty(features)
    Z, columns = np.empty((rows, features)), np.zeros((features, padded))
    squares, scratch, work = np.empty(padded), np.empty(padded), np.empty((LINES, padded))
    signs, box, alpha, F = np.ones(padded), np.zeros(padded), np.empty(padded), np.empty(padded)
    votes, present = np.empty((rows, n_classes), np.int16), np.empty(n_classes, np.int64)
    ready = np.empty(rows, np.bool_)
    for job in range(len(roles)):
        role = roles[job]
        if not shared:
            variance = fill_scales(X, role, scale, ddof, shift, stretch, mean, divisor)
            _transform(X, mean, divisor, Z, columns, squares)
            used_gamma = gamma
            if gamma == BY_VARIANCE:
                used_gamma = 1.0 / (features * variance) if variance > 0 else 1.0
            wanted = np.flatnonzero(likely & (role > 0))
            furthest = 0.0
            for k in range(features):
                excess[k] = used_gamma / (divisor[k] * divisor[k]) - reference.gamma
                furthest = max(furthest, abs(excess[k]))
            if furthest <= 0.1 * reference.gamma:
                fill_nearby(X, reference.columns, excess, wanted, reference.kernel, K)
            else:
                fill_rows(Z, columns, squares, used_gamma, wanted, work, scratch, K)
        else:
            used_gamma = gamma
        for t in range(rows):
            ready[t] = likely[t] and (shared or role[t] > 0)
            likely[t] = shared or (likely[t] and role[t] <= 0)
        present[:] = 0
        for t in range(rows):
            if role[t] > 0:
                present[y[t]] = 1
        for t in range(rows):
            for c in range(n_classes):
                votes[t, c] = present[c] - 1
        for a in range(n_classes):
            for b in range(a + 1, n_classes):
                if present[a] == 0 or present[b] == 0:
                    continue
                for t in range(rows):
                    signs[t] = 1.0 if y[t] == a else -1.0
                    taken = role[t] > 0 and (y[t] == a or y[t] == b)
                    box[t] = cost * role[t] if taken else 0.0
                start_cold(signs, box, alpha, F)
                offset = solve(
                    Z, columns, squares, used_gamma, K, ready, signs, box, tolerance, alpha, F
                )
                decide(F, signs, box, offset, decision)
                _vote(y, role, decision, a, b, votes)
                for t in range(rows):
                    likely[t] = likely[t] or alpha[t] > 0
        for t in range(rows):
            if role[t] == ASKED:
                out[job, t] = np.argmax(votes[t])
