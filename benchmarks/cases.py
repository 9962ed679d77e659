"""Cases, in seconds of CPU: a million compared, and a board of a hundred models ranked."""

import numpy as np

from benchmarks.timing import Target, seconds
from replicast import (
    Cases,
    Holdout,
    PairedCases,
    ScoreTable,
    compare,
    compare_many,
    compare_measure,
)
from replicast.arrays import Floats

MANY, MODELS, QUESTIONS = 1_000_000, 100, 10_000


def run() -> list[Target]:
    rng = np.random.default_rng(0)
    first, second = rng.random((2, MANY)).round(2)
    clusters = rng.integers(0, 50_000, MANY)
    truth = (rng.random(QUESTIONS) < 0.4).astype(int)
    said = [np.where(rng.random(QUESTIONS) < right, truth, 1 - truth) for right in (0.9, 0.89)]
    answered: dict[str, tuple[Cases, Floats]] = {
        "graded": (Cases(QUESTIONS), rng.random((MODELS, QUESTIONS)).round(2)),
        "right": (Holdout(QUESTIONS), (rng.random((MODELS, QUESTIONS)) < 0.7).astype(float)),
    }
    boards = {
        kind: ScoreTable(
            classifiers=tuple(f"model {i}" for i in range(MODELS)),
            datasets=("board",),
            scores=scores[:, None, None],
            design=design,
        )
        for kind, (design, scores) in answered.items()
    }
    took = seconds(
        {
            "compared": lambda: compare(PairedCases(first=first, second=second)),
            "clustered": lambda: compare(
                PairedCases(first=first, second=second, clusters=clusters)
            ),
            "graded": lambda: compare_many(boards["graded"]),
            "right": lambda: compare_many(boards["right"]),
            "f1": lambda: compare_measure("f1", truth, *said, resamples=10_000),
        },
        rounds=1,
    )
    return [
        Target("1e6 cases compared", took["compared"], 2, unit=" s", better="low"),
        Target(
            "1e6 cases in 50,000 clusters compared", took["clustered"], 2, unit=" s", better="low"
        ),
        Target(
            "100 models x 10,000 graded cases ranked", took["graded"], 10, unit=" s", better="low"
        ),
        Target(
            "100 models x 10,000 right or wrong ranked", took["right"], 10, unit=" s", better="low"
        ),
        Target("F1, 10,000 resamples of 10,000 cases", took["f1"], 5, unit=" s", better="low"),
    ]
