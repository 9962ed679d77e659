"""Learners of nominal tables that only count: the decision stump and tree-augmented naive Bayes.

Bouckaert (2004) compares both with others. All training sets of many runs are counted at once, by one
product of matrices; nothing is refitted.
"""

from typing import Literal

import numpy as np

from replicast.arrays import Bools, Codes, Floats, Ints
from replicast.learners.protocol import no_answers, trained_in

Rule = Literal["stump", "tree-augmented"]
_AT_ONCE = 500  # training sets counted together: some megabytes
_PSEUDOCOUNT = 0.5  # as Weka's SimpleEstimator


def predict_folds(
    X: Ints, y_codes: Ints, folds: Codes, n_classes: int, *, rule: Rule = "stump"
) -> Codes:
    """Predict each row of a nominal table without its fold, as `protocol.FoldLearner` says.

    Parameters
    ----------
    X : array of int, shape (n, attributes)
        Codes 0, 1, ... of the values; no cell is missing.
    y_codes, folds, n_classes
        As for every learner.
    rule : {"stump", "tree-augmented"}
        The stump asks whether one attribute has one value, chosen by the entropy of the classes.
        Tree-augmented naive Bayes [1]_ lets each attribute depend on one other besides the class, by
        the spanning tree of largest conditional mutual information.

    References
    ----------
    .. [1] Friedman, Geiger & Goldszmidt (1997), Machine Learning 29, 131-163.

    Examples
    --------
    >>> X = np.array([[0, 1], [0, 0], [0, 1], [1, 0], [1, 1], [1, 0]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> predict_folds(X, y, np.array([[0, 1, 2, 0, 1, 2]], np.int16), 2)
    array([[0, 0, 0, 1, 1, 1]], dtype=int16)
    """
    out = no_answers(folds)
    jobs = [(run, f) for run in range(len(folds)) for f in np.unique(folds[run][folds[run] >= 0])]
    answer = _stump if rule == "stump" else _augmented
    cells = _cells(X, y_codes, n_classes, pairs=rule != "stump")
    for start in range(0, len(jobs), _AT_ONCE):
        some = jobs[start : start + _AT_ONCE]
        trained = np.array([trained_in(folds[run], f) for run, f in some])
        job, row = np.nonzero(np.array([folds[run] == f for run, f in some]))
        runs = np.array([run for run, _ in some])
        out[runs[job], row] = answer(_counted(trained, cells), X[row], job)
    return out


def _cells(X: Ints, y: Ints, n_classes: int, *, pairs: bool) -> Floats:
    """Return what each row adds to the counts: (n, attributes, values, [the same again,] classes)."""
    values = np.eye(int(X.max()) + 1)[X]
    classes = np.eye(n_classes)[y]
    if not pairs:
        return np.einsum("nav,nk->navk", values, classes)
    return np.einsum("nav,nbw,nk->navbwk", values, values, classes)


def _counted(trained: Bools, cells: Floats) -> Floats:
    flat = trained.astype(np.float64) @ cells.reshape(len(cells), -1)
    return np.asarray(flat.reshape(len(trained), *cells.shape[1:]).round())


def _stump(counts: Floats, X: Ints, job: Ints) -> Ints:
    """Answer rows by the stump of their job; `counts` is (jobs, attributes, values, classes)."""
    whole = counts[:, :1].sum(axis=2, keepdims=True)
    other = whole - counts
    entropy = (_entropy(counts) + _entropy(other)).reshape(len(counts), -1).round(9)
    attribute, value = np.divmod(entropy.argmin(axis=1), counts.shape[2])
    each = np.arange(len(counts))
    sides = np.stack([part[each, attribute, value] for part in (other, counts)], axis=1)
    sides = np.where(sides.sum(axis=2, keepdims=True) > 0, sides, whole[:, 0])
    has = X[np.arange(len(X)), attribute[job]] == value[job]
    return np.asarray(sides.argmax(axis=2)[job, has.astype(np.int64)])


def _entropy(counts: Floats) -> Floats:
    """Return the entropy of the last axis, in nats times its sum."""
    total = counts.sum(axis=-1)
    return np.asarray(_x_log_x(total) - _x_log_x(counts).sum(axis=-1))


def _x_log_x(x: Floats) -> Floats:
    return x * np.log(np.maximum(x, 1.0))  # counts: whole numbers


def _augmented(counts: Floats, X: Ints, job: Ints) -> Ints:
    """Answer rows by the tree of their job; `counts` is (jobs, a, values of a, b, values of b, k)."""
    jobs, attributes, values, _, _, _ = counts.shape
    each = np.arange(jobs)
    parent = _spanning_parents(_information(counts))
    single = np.einsum("javavk->javk", counts)
    of_class = single[:, 0].sum(axis=1)
    score = np.log(of_class + _PSEUDOCOUNT)[job]
    for a in range(attributes):
        above = parent[:, a]
        rooted = (above == a)[:, None, None, None]
        together = np.where(rooted, single[:, a, :, None, :], counts[each, a, :, above])
        given = np.where(rooted, of_class[:, None, None, :], single[each, above][:, None])
        chance = (together + _PSEUDOCOUNT) / (given + _PSEUDOCOUNT * values)
        score += np.log(chance[job, X[:, a], X[np.arange(len(X)), above[job]]])
    return np.asarray(score.argmax(axis=1))


def _information(counts: Floats) -> Floats:
    """Return the mutual information of all pairs of attributes given the class, times the rows."""
    single = np.einsum("javavk->javk", counts)
    alone = _x_log_x(single).sum(axis=(2, 3))
    classes = _x_log_x(single[:, 0].sum(axis=1)).sum(axis=1)
    together = _x_log_x(counts).sum(axis=(2, 4, 5))
    return np.asarray(together - alone[:, :, None] - alone[:, None, :] + classes[:, None, None])


def _spanning_parents(weights: Floats) -> Ints:
    """Return the parent of each attribute in the heaviest tree from attribute 0 on (Prim)."""
    jobs, attributes, _ = weights.shape
    each = np.arange(jobs)
    parent = np.zeros((jobs, attributes), np.int64)
    best = weights[:, 0].round(9)
    best[:, 0] = -np.inf
    for _ in range(attributes - 1):
        chosen = best.argmax(axis=1)
        best[each, chosen] = -np.inf
        offered = weights[each, chosen].round(9)
        better = (offered > best) & (best > -np.inf)
        parent = np.where(better, chosen[:, None], parent)
        best = np.where(better, offered, best)
    return parent
