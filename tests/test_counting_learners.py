"""The decision stump and tree-augmented naive Bayes against slow second implementations."""

from itertools import combinations

import numpy as np
import pytest

from replicast.kernels.splits import UNUSED, random_splits, stratified_folds
from replicast.learners import counting
from replicast.learners.protocol import NOT_PREDICTED, fit_predict, trained_in

Rows = np.ndarray


def stump(X: Rows, y: Rows, new: Rows, classes: int) -> list[int]:
    """Try every attribute and value in turn."""

    def entropy(part: Rows) -> float:
        counts = np.bincount(part, minlength=classes)
        shares = counts[counts > 0] / max(len(part), 1)
        return float(-len(part) * (shares * np.log(shares)).sum())

    tried = [(a, v) for a in range(X.shape[1]) for v in range(X.max() + 1)]
    costs = [round(entropy(y[X[:, a] == v]) + entropy(y[X[:, a] != v]), 6) for a, v in tried]
    a, v = tried[int(np.argmin(costs))]
    answers = []
    for row in new:
        part = y[(X[:, a] == v) == (row[a] == v)]
        answers.append(int(np.bincount(part if len(part) else y, minlength=classes).argmax()))
    return answers


def tree(X: Rows, y: Rows, new: Rows, classes: int, values: int) -> list[int]:
    """Join attributes by Kruskal's rule, then hang the tree up at attribute 0."""
    attributes = X.shape[1]

    def information(a: int, b: int) -> float:
        total = 0.0
        for k in range(classes):
            part = X[y == k]
            for v in range(values):
                for w in range(values):
                    both = np.sum((part[:, a] == v) & (part[:, b] == w))
                    if both:
                        apart = np.sum(part[:, a] == v) * np.sum(part[:, b] == w)
                        total += both * np.log(both * len(part) / apart)
        return float(total)

    pairs = sorted(combinations(range(attributes), 2), key=lambda ab: -information(*ab))
    group = list(range(attributes))
    edges = []
    for a, b in pairs:
        if group[a] != group[b]:
            edges.append((a, b))
            group = [group[a] if g == group[b] else g for g in group]
    parent, todo = {0: None}, [0]
    while todo:
        a = todo.pop()
        for one, other in (*edges, *((b, a) for a, b in edges)):
            if one == a and other not in parent:
                parent[other] = a
                todo.append(other)
    answers = []
    for row in new:
        scores = []
        for k in range(classes):
            part = X[y == k]
            score = np.log(len(part) + 0.5)
            for a in range(attributes):
                up = parent[a]
                given = part if up is None else part[part[:, up] == row[up]]
                score += np.log((np.sum(given[:, a] == row[a]) + 0.5) / (len(given) + 0.5 * values))
            scores.append(score)
        answers.append(int(np.argmax(scores)))
    return answers


@pytest.mark.parametrize(("classes", "values"), [(2, 2), (3, 2), (3, 3)])
@pytest.mark.parametrize("seed", range(3))
def test_counted_answers_are_those_of_refitting(classes: int, values: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=90)
    X = rng.integers(values, size=(90, 5))
    X[:, 1] = np.where(rng.random(90) < 0.7, X[:, 0], X[:, 1])
    X[:, 3] = np.where(rng.random(90) < 0.6, y % values, X[:, 3])
    for folds in (stratified_folds(y, 5, 2, rng), random_splits(y, 3, 60, 20, rng)):
        for rule in ("stump", "tree-augmented"):
            found = counting.predict_folds(X, y, folds, classes, rule=rule)
            assert ((found == NOT_PREDICTED) == (folds < 0)).all()
            for run, fold in enumerate(folds):
                for f in np.unique(fold[fold >= 0]):
                    kept, asked = trained_in(fold, f), fold == f
                    slow = (
                        stump(X[kept], y[kept], X[asked], classes)
                        if rule == "stump"
                        else tree(X[kept], y[kept], X[asked], classes, values)
                    )
                    assert found[run, asked].tolist() == slow
    assert UNUSED in folds  # some rows took no part


def test_one_fit_is_one_fold() -> None:
    rng = np.random.default_rng(5)
    X, y = rng.integers(2, size=(60, 4)), rng.integers(2, size=60)
    new = rng.integers(2, size=(20, 4))
    assert fit_predict(counting.predict_folds, X, y, new, 2).tolist() == stump(X, y, new, 2)
    answers = fit_predict(counting.predict_folds, X, y, new, 2, rule="tree-augmented")
    assert answers.tolist() == tree(X, y, new, 2, 2)
