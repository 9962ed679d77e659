"""A million long rows against pandas.read_csv, memory for ten million, and a large report."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.timing import Target, seconds
from replicast import Datasets, ScoreTable, compare_many, read_scores
from replicast.presentation.telling import rendered

_READ = """
import os, pathlib, re, sys
import replicast
def peak():
    return 1024 * int(re.search("VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])
replicast.read_scores({"a": [0.5, 0.25], "b": [0.5, 0.75]}, design=replicast.KFold(2), metric="accuracy")
before = peak()
replicast.read_scores(sys.argv[1])
print((peak() - before) / os.path.getsize(sys.argv[1]))
"""
CLASSIFIERS, DATASETS, RUNS, FOLDS = 10, 1000, 10, 10


def run() -> list[Target]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.csv"
        _write(path)
        took = seconds(
            {"ours": lambda: read_scores(path), "pandas": lambda: pd.read_csv(path)}, rounds=5
        )
        memory = _memory(path)
    table = _table(20, 100)
    report = seconds({"report": lambda: rendered(compare_many(table), ".html")}, rounds=1)
    return [
        Target(
            "1e6 long rows, pandas.read_csv", took["ours"] / took["pandas"], 3, 3, 1.5, better="low"
        ),
        Target("memory for 190 MB of them, over that size", memory, 4, 4, better="low"),
        Target("report of 20 classifiers x 100 datasets, in 20 s of CPU", 20 / report["report"], 1),
    ]


def _memory(path: Path) -> float:
    """Return the memory that reading takes above the imports, over the size of the file."""
    header, body = path.read_bytes().split(b"\n", 1)
    large = path.with_name("large.csv")
    large.write_bytes(
        header + b"\n" + b"".join(body.replace(b",d", b",%c" % c) for c in b"abcdefghij")
    )
    told = subprocess.run(
        [sys.executable, "-c", _READ, str(large)], capture_output=True, text=True, check=True
    ).stdout
    return float(told)


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
