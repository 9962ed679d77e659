"""Many datasets and many classifiers, in seconds of CPU."""

import numpy as np

from benchmarks.timing import Target, seconds
from replicast import Datasets, PairedScores, ScoreTable, compare_many, sign_flip_test
from replicast.inference.posterior import signed_rank_posterior
from replicast.presentation.telling import rendered

MANY, CLASSIFIERS = 100_000, 100


def run() -> list[Target]:
    rng = np.random.default_rng(0)
    scores = rng.normal(0.003, 1, MANY)
    pair = PairedScores(first=scores, second=np.zeros(MANY), design=Datasets())
    table = ScoreTable(
        classifiers=tuple(f"c{i}" for i in range(CLASSIFIERS)),
        datasets=tuple(f"d{i}" for i in range(30)),
        scores=rng.normal(0.8, 0.05, size=(CLASSIFIERS, 30, 1, 1)),
        design=Datasets(),
    )
    took = seconds(
        {
            "flip": lambda: sign_flip_test(pair),
            "posterior": lambda: signed_rank_posterior(pair, rope=0.001),
            "ranked": lambda: rendered(compare_many(table), ".html"),
        },
        rounds=1,
    )
    return [
        Target("sign-flip test of 1e5 datasets", took["flip"], 6, 3, 1, " s", "low"),
        Target("signed-rank posterior of 1e5 datasets", took["posterior"], 6, 3, 1, " s", "low"),
        Target("100 classifiers ranked and reported", took["ranked"], 4, 2, 1, " s", "low"),
    ]
