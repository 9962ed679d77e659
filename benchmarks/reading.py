"""A million long rows against pandas.read_csv, and the report of a large table."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.timing import Target, seconds
from replicast import Datasets, ScoreTable, compare_many, read_scores
from replicast.presentation.files.standings_page import many_page

CLASSIFIERS, DATASETS, RUNS, FOLDS = 10, 1000, 10, 10


def run() -> list[Target]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.csv"
        _write(path)
        took = seconds(
            {"ours": lambda: read_scores(path), "pandas": lambda: pd.read_csv(path)}, rounds=3
        )
    table = _table(20, 100)
    report = seconds({"report": lambda: many_page(compare_many(table))}, rounds=1)
    return [
        Target("1e6 long rows, pandas.read_csv", took["pandas"] / took["ours"], 1 / 3),
        Target("report of 20 classifiers x 100 datasets, in 20 s of CPU", 20 / report["report"], 1),
    ]


def _write(path: Path) -> None:
    rng = np.random.default_rng(0)
    shape = (CLASSIFIERS, DATASETS, RUNS, FOLDS)
    classifier, dataset, run_number, fold = (index.ravel() for index in np.indices(shape))
    pd.DataFrame(
        {
            "classifier": np.char.add("c", classifier.astype(str)),
            "dataset": np.char.add("d", dataset.astype(str)),
            "run": run_number,
            "fold": fold,
            "accuracy": rng.random(len(fold)).round(4),
        }
    ).to_csv(path, index=False)


def _table(classifiers: int, datasets: int) -> ScoreTable:
    rng = np.random.default_rng(1)
    scores = rng.normal(0.8, 0.05, size=(classifiers, datasets, 1, 1))
    return ScoreTable(
        classifiers=tuple(f"c{i}" for i in range(classifiers)),
        datasets=tuple(f"d{i}" for i in range(datasets)),
        scores=scores,
        design=Datasets(),
    )
