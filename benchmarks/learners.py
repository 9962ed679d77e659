"""Cross-validation of common learners against scikit-learn as an ordinary user writes it."""

from functools import partial
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks.timing import Target, seconds
from replicast.kernels.splits import stratified_folds
from replicast.learners.bayes import gaussian
from replicast.learners.neighbours import euclidean
from replicast.learners.svm import machine
from replicast.learners.trees import decision, forest

N, FEATURES, FOLDS = 1000, 20, 10
BARS = {  # reach and aim
    "naive Bayes, 100 runs of 10-fold": (800, 1000),
    "SVM, scaled in each fold": (12, 20),
    "SVM, scaled once, one kernel matrix": (40, 80),
    "tree": (40, 60),
}


def run() -> list[Target]:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], N // 2)
    X = rng.normal(size=(N, FEATURES)) + 0.35 * y[:, None]

    def theirs(estimator: Any) -> object:
        return cross_val_score(
            estimator, X, y, cv=RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=1)
        )

    def ours(module: Any, runs: int, **options: Any) -> object:
        folds = stratified_folds(y, FOLDS, runs, np.random.default_rng(1))
        return module.predict_folds(X, y, folds, 2, **options)

    pipeline = make_pipeline(StandardScaler(), SVC(gamma="auto"))
    rivals = [
        ("naive Bayes, 100 runs of 10-fold", GaussianNB(), 300,
         partial(ours, gaussian, 100), 100),
        ("5-NN, 100 runs of 10-fold", KNeighborsClassifier(), 50,
         partial(ours, euclidean, 100, k=5), 100),
        ("SVM, scaled in each fold", pipeline, 8,
         partial(ours, machine, 5, gamma="auto"), 5),
        ("SVM, scaled once, one kernel matrix", pipeline, 20,
         partial(ours, machine, 20, gamma="auto", scaling="once"), 20),
        ("SVM, one kernel matrix, warm start", pipeline, 25,
         partial(ours, machine, 20, gamma="auto", scaling="once", start="warm"), 20),
        ("tree", DecisionTreeClassifier(), 25, partial(ours, decision, 5), 5),
    ]  # fmt: skip
    candidates: dict[str, Any] = {}
    for name, estimator, _, mine, _ in rivals:
        candidates[name] = mine
        candidates[f"{name}, theirs"] = partial(theirs, estimator)
    train, test = slice(0, 900), slice(900, N)
    mixed = rng.permutation(N)
    A, b = X[mixed, :16], y[mixed]
    candidates["forest"] = lambda: forest.fit_predict(A[train], b[train], A[test], 2, rng=rng)
    candidates["forest, theirs"] = lambda: (
        RandomForestClassifier(500).fit(A[train], b[train]).predict(A[test])
    )
    took = seconds(candidates, rounds=3)
    targets = [
        Target(name, took[f"{name}, theirs"] / (took[name] / runs), floor, *BARS.get(name, ()))
        for name, _, floor, _, runs in rivals
    ]
    ratio = took["forest, theirs"] / took["forest"]
    return [*targets, Target("forest of 500 trees, 900 x 16, 100 test rows", ratio, 20, 25, 50)]
