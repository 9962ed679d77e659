"""The first answer on a machine where replicast was just installed: nothing is compiled yet."""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.timing import Target, at_most, cost

_MAIN = [sys.executable, "-c", "from replicast.cli import main; main()"]
# the command, then floor and aim of its seconds and of its megabytes
_ASKED: dict[str, tuple[list[str], tuple[float, float], tuple[float, float]]] = {
    "replicate": (["replicate", "--t", "2.4", "--folds", "10"], (1.2, 0.6), (120, 90)),
    "compare": (
        ["compare", "{}", "--metric", "accuracy", "--first", "c0", "--second", "c1"],
        (1.7, 0.85),
        (220, 160),
    ),
    "rank, 30 x 30": (["rank", "{}", "--metric", "accuracy"], (2.6, 1.3), (240, 180)),
    "audit": (
        ["audit", "vote", "--first", "naive-bayes", "--second", "c45"],
        (46, 15),
        (600, 400),
    ),
}


def run() -> list[Target]:
    found = []
    for name, (words, times, sizes) in _ASKED.items():
        with tempfile.TemporaryDirectory() as folder:
            table = _write(Path(folder) / "scores.csv")
            empty = {"NUMBA_CACHE_DIR": f"{folder}/numba", "MPLCONFIGDIR": f"{folder}/matplotlib"}
            command = [*_MAIN, *(word.replace("{}", str(table)) for word in words)]
            took = cost(command, **empty)
        found += [
            at_most(f"first answer: {name}", took.seconds, *times, "s"),
            at_most(f"memory: {name}", took.megabytes, *sizes, "MB"),
        ]
    return found


def _write(path: Path) -> Path:
    rng = np.random.default_rng(0)
    names = [f"c{i}" for i in range(30)]
    frame = pd.DataFrame(rng.normal(0.8, 0.05, (30, 30)).round(4), columns=names)
    frame.insert(0, "dataset", [f"d{i}" for i in range(30)])
    frame.to_csv(path, index=False)
    return path
