"""Batches of 20,000 signed-rank tests of 20 differences against SciPy's axis=1, in a fresh process.

Rows without ties need no compiler; rows with ties (scores are rounded) do. Exact p-values of those have
no rival: SciPy takes the normal approximation there, in about the same time.
"""

import json
import tempfile

from benchmarks.timing import Target, at_most, cost, script

_BATCHES = """
import json, sys, time
import numpy as np
from scipy import stats
from replicast import METHODS, Datasets
rng = np.random.default_rng(0)
digits, method, theirs = int(sys.argv[1]), sys.argv[2], sys.argv[3]
batches = [rng.normal(0.1, 1, size=(20_000, 20)).round(digits) for _ in range(6)]
test, design = METHODS["signed-rank"].batch_pvalues, Datasets(20)
def timed(run):
    begun = time.process_time()
    run()
    return time.process_time() - begun
ours = [timed(lambda: test(rows, design, pvalue_method=method)) for rows in batches]
scipy = [
    timed(lambda: stats.wilcoxon(rows, axis=1, method=theirs, correction=theirs == "asymptotic"))
    for rows in batches[: 0 if theirs == "none" else 3]
]
print(json.dumps({"ours": ours, "scipy": scipy}))
"""


def run() -> list[Target]:
    with tempfile.TemporaryDirectory() as empty:  # nothing was compiled before
        plain, normal, exact = (
            json.loads(cost(script(_BATCHES, *words), NUMBA_CACHE_DIR=f"{empty}/{at}").output)
            for at, words in enumerate(
                (
                    ("17", "exact", "exact"),
                    ("1", "normal", "asymptotic"),
                    ("1", "exact", "asymptotic"),
                )
            )
        )
        alone = cost(script(_BATCHES, "1", "exact", "none"), NUMBA_CACHE_DIR=empty)

    def times(took: dict[str, list[float]]) -> float:
        """Return how many times faster the slowest batch from the second on is."""
        return min(took["scipy"]) / max(took["ours"][1:])

    return [
        Target("exact, no ties: every later batch, scipy axis=1", times(plain), 10, 20),
        Target("normal, ties: every later batch, scipy axis=1", times(normal), 4, 10),
        at_most("exact, ties: every later batch", max(exact["ours"][1:]), 0.5, 0.05, "s"),
        at_most("the first batch with ties, compiler and all", exact["ours"][0], 8, 3, "s"),
        at_most("memory: batches", alone.megabytes, 400, 300, "MB"),
    ]
