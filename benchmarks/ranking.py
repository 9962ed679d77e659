"""A board of 100 models and 10,000 cases, ranked."""

from benchmarks.timing import Target, at_most, cost, script

_RANK = """
import sys
import numpy as np
import replicast as rc
rng = np.random.default_rng(0)
models, cases = 100, 10_000
graded = sys.argv[1] == "graded"
scores = rng.random((models, cases)).round(2)
table = rc.ScoreTable(
    classifiers=tuple(f"model {i}" for i in range(models)), datasets=("board",),
    scores=(scores if graded else (scores < 0.7).astype(float))[:, None, None],
    design=rc.Cases(cases) if graded else rc.Holdout(cases),
)
print(rc.rank(table))
"""


def run() -> list[Target]:
    found = []
    for kind, words in (("graded", "graded"), ("right", "right or wrong")):
        took = cost(script(_RANK, kind))
        found += [
            at_most(f"100 models x 10,000 cases, {words}", took.seconds, 15, 5, "s"),
            at_most(f"memory: {words}", took.megabytes, 1500, 500, "MB"),
        ]
    return found
