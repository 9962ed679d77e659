"""A million long rows against pandas.read_csv, and the memory it takes."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.timing import Target, at_most, cost, script, seconds
from replicast import read_scores

CLASSIFIERS, DATASETS, RUNS, FOLDS = 10, 1000, 10, 10
_READ = "import sys, replicast; replicast.read_scores(sys.argv[1])"
_WRITE = (
    "import pathlib, sys; from benchmarks import reading; reading.write(pathlib.Path(sys.argv[1]))"
)
_PANDAS = "import sys, pandas; pandas.read_csv(sys.argv[1])"


def run() -> list[Target]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.csv"
        # in children, and before anything is read here: a child counts the memory of its parent too
        cost(script(_WRITE, str(path)))
        ours, theirs = (cost(script(one, str(path))).megabytes for one in (_READ, _PANDAS))
        took = seconds(
            {"ours": lambda: read_scores(path), "pandas": lambda: pd.read_csv(path)}, rounds=3
        )
    return [
        at_most("1e6 rows, pandas.read_csv", took["ours"] / took["pandas"], 3, 1.5, "x"),
        at_most("memory for them, pandas.read_csv", ours / theirs, 3.5, 1.5, "x"),
    ]


def write(path: Path) -> None:
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
