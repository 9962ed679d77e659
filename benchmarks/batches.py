"""Batches of 20,000 signed-rank tests of 20 differences against SciPy's axis=1, in a fresh process."""

import json
import tempfile

from benchmarks.timing import Target, at_most, cost, script

_BATCHES = """
import json, time
import numpy as np
from scipy import stats
from replicast import METHODS, Datasets
rng = np.random.default_rng(0)
batches = [rng.normal(0.1, 1, size=(20_000, 20)) for _ in range(6)]
test, design = METHODS["signed-rank"].batch_pvalues, Datasets(20)
def timed(run):
    begun = time.process_time()
    run()
    return time.process_time() - begun
ours = [timed(lambda: test(rows, design, pvalue_method="exact")) for rows in batches]
theirs = [timed(lambda: stats.wilcoxon(rows, axis=1, method="exact")) for rows in batches[:3]]
print(json.dumps({"ours": ours, "theirs": theirs}))
"""
_ALONE = _BATCHES.replace("theirs = [timed", "theirs = [] and [timed")


def run() -> list[Target]:
    with tempfile.TemporaryDirectory() as empty:  # nothing was compiled before
        took = json.loads(cost(script(_BATCHES), NUMBA_CACHE_DIR=empty).output)
        megabytes = cost(script(_ALONE), NUMBA_CACHE_DIR=empty).megabytes
    theirs = min(took["theirs"])
    slowest = max(took["ours"][1:])
    return [
        at_most("the first batch, compiler and all", took["ours"][0], 8, 3, "s"),
        Target("every later batch, scipy.stats.wilcoxon(axis=1)", theirs / slowest, 10, 20),
        at_most("memory: batches", megabytes, 400, 300, "MB"),
    ]
