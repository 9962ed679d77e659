"""Berrar's studies against scikit-learn as one would ordinarily write them."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from benchmarks.timing import Target, seconds
from replicast.studies.execution import run_study
from replicast.studies.plan import Study
from replicast.studies.scenarios.cross_validated import oracle
from replicast.studies.scenarios.datasets import draw_dataset, growing_datasets
from replicast.studies.store import MemoryStore

_STUDY_1 = {"a": 690, "datasets": 20, "bootstrapped": 0, "resamples": 0}
_STUDY_3 = {"rows": 1000, "features": 20, "q": 5}


def run() -> list[Target]:
    rng = np.random.default_rng(0)
    few = range(4)
    took = seconds(
        {
            "one": lambda: growing_datasets(_STUDY_1, few, rng),
            "one sklearn": lambda: ordinary_experiment(rng),
            "oracle": lambda: oracle(_STUDY_3, few, rng),
            "oracle sklearn": lambda: ordinary_cross_validation(rng),
        },
        rounds=3,
    )
    fold = took["oracle sklearn"] / (took["oracle"] / len(few))
    return [
        Target("an experiment of study 1, 20 datasets", took["one sklearn"] / (took["one"] / 4), 10),
        Target("a fold of study 3, scaling inside", fold, 8),
        Target("two processes instead of one, wall time", processes_gain(), 1.6),
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


def processes_gain() -> float:
    """Return the wall time of one process over that of two, start-up included."""
    study = Study(
        name="speed", scenario="oracle", factors={"q": (3, 5)},
        constants={"rows": 1000, "features": 20}, replicates=800, block=50,
    )  # fmt: skip

    def wall(task: Callable[[], object]) -> float:
        start = time.perf_counter()
        task()
        return time.perf_counter() - start

    one = wall(lambda: run_study(study, MemoryStore(), executor="processes", jobs=1))
    two = wall(lambda: run_study(study, MemoryStore(), executor="processes", jobs=2))
    return one / two
