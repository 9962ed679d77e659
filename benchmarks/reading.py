"""A million long rows against pandas.read_csv, and the memory it takes."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.timing import Target, at_most, cost, script, seconds
from replicast import read_scores

CLASSIFIERS, DATASETS, RUNS, FOLDS = 10, 1000, 10, 10
_READ = "import sys, replicast; replicast.read_scores(sys.argv[1])"


def run() -> list[Target]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.csv"
        _write(path)
        took = seconds(
            {"ours": lambda: read_scores(path), "pandas": lambda: pd.read_csv(path)}, rounds=3
        )
        megabytes = cost(script(_READ, str(path))).megabytes
        size = path.stat().st_size / 1024**2
    label = f"memory: the rows, {size:.0f} MB in the file"
    return [
        at_most("1e6 rows, pandas.read_csv", took["ours"] / took["pandas"], 3, 1.5, "x"),
        at_most(label, megabytes, 500, 300, "MB"),
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
