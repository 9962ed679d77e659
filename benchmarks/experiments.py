"""An audit and Berrar's studies against scikit-learn as one would ordinarily write them."""

from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks.timing import Target, at_most, cost, script, seconds
from replicast import RepeatedKFold, evaluate
from replicast.learners import CartClassifier
from replicast.studies.scenarios.cross_validated import oracle
from replicast.studies.scenarios.datasets import draw_dataset, growing_datasets

ROWS, FEATURES, RUNS = 600, 12, 100
_STUDY_1 = {"a": 690, "datasets": 20, "bootstrapped": 0, "resamples": 0}
_STUDY_3 = {"rows": 1000, "features": 20, "q": 5}
_FEW = range(4)
_STUDY = """
import numpy as np
from replicast.studies.scenarios.datasets import growing_datasets
levels = {"a": 690, "datasets": 20, "bootstrapped": 0, "resamples": 0}
growing_datasets(levels, range(4), np.random.default_rng(0))
"""


def run() -> list[Target]:
    X, y = make_classification(
        ROWS, FEATURES, n_informative=6, n_redundant=2, flip_y=0.1, class_sep=0.8, random_state=0
    )
    theirs: dict[str, Any] = {
        "naive Bayes": GaussianNB(),
        "1-NN": KNeighborsClassifier(1),
        "3-NN": KNeighborsClassifier(3),
        "SVM": make_pipeline(StandardScaler(), SVC()),
        "tree": DecisionTreeClassifier(),
    }
    ours = {**theirs, "tree": CartClassifier()}
    splits = RepeatedStratifiedKFold(n_splits=10, n_repeats=1, random_state=0)
    rng = np.random.default_rng(0)
    took = seconds(
        {
            "audit": lambda: evaluate(ours, X, y, design=RepeatedKFold(runs=RUNS, folds=10)),
            "one run, theirs": lambda: [
                cross_val_score(model, X, y, cv=splits) for model in theirs.values()
            ],
            "study 1": lambda: growing_datasets(_STUDY_1, _FEW, rng),
            "study 1, theirs": lambda: ordinary_experiment(rng),
            "study 3": lambda: oracle(_STUDY_3, _FEW, rng),
            "study 3, theirs": lambda: ordinary_cross_validation(rng),
        },
        rounds=2,
    )
    each = len(_FEW)
    audit = RUNS * took["one run, theirs"] / took["audit"]
    return [
        Target("audit, five learners, 10 reruns of 10x10: scikit-learn", audit, 15, 40),
        Target("an experiment of study 1, 20 datasets: scikit-learn",
               each * took["study 1, theirs"] / took["study 1"], 10, 20),
        Target("a fold of study 3, scaling inside: scikit-learn",
               each * took["study 3, theirs"] / took["study 3"], 8, 16),
        at_most("memory: study 1", cost(script(_STUDY)).megabytes, 500, 350, "MB"),
    ]  # fmt: skip


def ordinary_experiment(rng: np.random.Generator) -> list[float]:
    found = []
    for i in range(1, 21):
        drawn = draw_dataset(690, i, 20, rng)
        models = (GaussianNB(), make_pipeline(StandardScaler(), SVC(gamma="auto")))
        scores = [model.fit(drawn.X, drawn.y).score(drawn.X_test, drawn.y) for model in models]
        found.append(scores[0] - scores[1])
    return found


def ordinary_cross_validation(rng: np.random.Generator) -> list[float]:
    y = np.arange(1000) % 2
    X = rng.normal(size=(1000, 20))
    X[y == 1] += 0.3
    found = []
    for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(X, y):
        model: Any = make_pipeline(StandardScaler(), SVC(gamma="auto"))
        found.append(model.fit(X[train], y[train]).score(X[test], y[test]))
    return found
