"""What commands cost before and while they answer, in CPU time of a process of their own."""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.timing import Target

_MAIN = (sys.executable, "-c", "from replicast.cli import main; main()")


def run() -> list[Target]:
    with tempfile.TemporaryDirectory() as folder:
        table = str(Path(folder) / "scores.csv")
        rng = np.random.default_rng(0)
        names = [f"c{i}" for i in range(30)]
        frame = pd.DataFrame(rng.normal(0.8, 0.05, (30, 30)).round(4), columns=names)
        frame.insert(0, "dataset", [f"d{i}" for i in range(30)])
        frame.to_csv(table, index=False)
        asked = (table, "--metric", "accuracy")
        base = _cost((sys.executable, "-c", "import numpy, scipy.special"))
        reported = _cost((*_MAIN, "replicate", "--t", "2.4", "--folds", "10"))
        compared = _cost((*_MAIN, "compare", *asked, "--first", "c0", "--second", "c1"))
        ranked = _cost((*_MAIN, "rank", *asked))
        audit = (*_MAIN, "audit", "vote", "--first", "naive-bayes", "--second", "c45")
        compiled = _cost(audit, times=1, NUMBA_CACHE_DIR=str(Path(folder) / "cache"))
        _cost(audit, times=1)
        warm = _cost(audit, times=2)
    low = "low"
    return [
        Target("replicate --t 2.4, importing NumPy and scipy.special", reported / base, 2.0, 1.7, 1.3,
               better=low),
        Target("compare of two, importing NumPy and scipy.special", compared / base, 4.5, better=low),
        Target("compare of two", compared, 1.7, 0.85, 0.57, " s", low),
        Target("rank of 900 scores", ranked, 2.6, 1.75, 1.17, " s", low),
        Target("audit, nothing compiled before", compiled, 46, 15, 8, " s", low),
        Target("audit, warm", warm, 6, unit=" s", better=low),
    ]  # fmt: skip


def _cost(command: tuple[str, ...], times: int = 5, **environment: str) -> float:
    """Return the least CPU time of a command, its children included."""
    least = float("inf")
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, capture_output=True, check=True, env={**os.environ, **environment})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = min(least, spent)
    return least
