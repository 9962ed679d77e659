"""How cost grows when one size is doubled: 2x is in proportion, 4x with the square."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from benchmarks.timing import Target, seconds
from replicast import METHODS, Datasets, KFold, ScoreTable, compare_many, evaluate, read_scores

_SLACK = 1.7  # caches and noise


def run() -> list[Target]:
    lines = {
        "rows of a long table, read": (_read, 200_000, 2),
        "rows tested by Wilcoxon, n = 20": (_rows, 50_000, 2),
        "differences of a row, Wilcoxon normal": (_length, 1_000, 2),
        "datasets, sign-flip by random signs": (_flips, 20_000, 2),
        "datasets, 20 classifiers ranked": (_datasets, 100, 2),
        "classifiers ranked on 30 datasets": (_classifiers, 25, 4),
        "folds of naive Bayes and tree": (_folds, 10, 2),
        "cases of naive Bayes and tree": (_cases, 1_000, 2),
    }
    found = []
    for name, (make, size, expected) in lines.items():
        with TemporaryDirectory() as folder:
            jobs = {str(n): make(n, Path(folder)) for n in (size, 2 * size)}
            took = seconds(jobs, rounds=3)
        ratio = took[str(2 * size)] / took[str(size)]
        label = f"{name}, {size:,} doubled (in theory {expected}x)"
        found.append(Target(label, ratio, expected * _SLACK, better="low"))
    return found


Job = Callable[[], object]


def _read(rows: int, folder: Path) -> Job:
    path = folder / f"{rows}.csv"
    rng = np.random.default_rng(0)
    place = np.arange(rows)
    classifier, fold = np.char.add("c", (place % 10).astype(str)), place // 10 % 10
    columns = {"classifier": classifier, "dataset": place // 100, "fold": fold}
    pd.DataFrame({**columns, "accuracy": rng.random(rows)}).to_csv(path, index=False)
    return lambda: read_scores(path)


def _rows(count: int, _: Path) -> Job:
    rows = np.random.default_rng(0).normal(size=(count, 20))
    return lambda: METHODS["signed-rank"].batch_pvalues(rows, Datasets(20))


def _length(n: int, _: Path) -> Job:
    rows = np.random.default_rng(0).normal(size=(200, n))
    return lambda: METHODS["signed-rank"].batch_pvalues(rows, Datasets(n), pvalue_method="normal")


def _flips(n: int, _: Path) -> Job:
    rows = np.random.default_rng(0).normal(size=(1, n))
    return lambda: METHODS["sign-flip"].batch_pvalues(rows, Datasets(n))


def _datasets(n: int, _: Path) -> Job:
    return lambda: compare_many(_table(20, n))


def _classifiers(n: int, _: Path) -> Job:
    return lambda: compare_many(_table(n, 30))


def _table(classifiers: int, datasets: int) -> ScoreTable:
    return ScoreTable(
        classifiers=tuple(f"c{i}" for i in range(classifiers)),
        datasets=tuple(f"d{i}" for i in range(datasets)),
        scores=np.random.default_rng(1).normal(0.8, 0.05, size=(classifiers, datasets, 1, 1)),
        design=Datasets(),
    )


def _folds(folds: int, _: Path) -> Job:
    return _evaluated(600, folds)


def _cases(cases: int, _: Path) -> Job:
    return _evaluated(cases, 10)


def _evaluated(cases: int, folds: int) -> Job:
    rng = np.random.default_rng(0)
    y = np.arange(cases) % 2
    X = rng.normal(size=(cases, 10)) + 0.5 * y[:, None]
    rivals = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=4)}
    return lambda: evaluate(rivals, X, y, design=KFold(folds))
