"""Replication probabilities in bulk against SciPy."""

from typing import Any

import numpy as np
from scipy import stats as scipy_stats

from benchmarks.timing import Target, seconds
from replicast.kernels.bootstrap import bootstrap_z
from replicast.kernels.noncentral import nct_upper
from replicast.kernels.student import t_critical

stats: Any = scipy_stats  # its stubs lag behind its arguments
MANY, FEW, RESAMPLES, N = 100_000, 300, 20_000, 20


def run() -> list[Target]:
    rng = np.random.default_rng(0)
    statistics = np.abs(rng.normal(2, 2, size=MANY))
    critical = t_critical(9.0, 0.025)
    sample = rng.normal(0.3, 1, N)

    def loop() -> list[float]:
        return [
            float(stats.nct.sf(stats.t.ppf(0.975, 9), 9, statistic))
            for statistic in statistics[:FEW]
        ]

    took = seconds(
        {
            "published": lambda: nct_upper(critical, 9.0, statistics),
            "loop": loop,
            "bootstrap": lambda: bootstrap_z(sample, RESAMPLES, rng),
            "numpy": lambda: ranked_bootstrap(sample, RESAMPLES // 10, rng),
            "counted": lambda: counted_bootstrap(sample, RESAMPLES, rng),
        },
        rounds=5,
    )
    return [
        Target(
            "1e5 as-published t, SciPy in a loop",
            (took["loop"] / FEW) / (took["published"] / MANY), 30,
        ),
        Target(
            "bootstrap of Z, N = 20, vectorised NumPy and rankdata",
            10 * took["numpy"] / took["bootstrap"], 15,
        ),
        Target(
            "bootstrap of Z, N = 20, our counting in NumPy",
            took["counted"] / took["bootstrap"], 8,
        ),
    ]  # fmt: skip


def ranked_bootstrap(sample: Any, resamples: int, rng: np.random.Generator) -> Any:
    """Resample and rank all rows at once, as a user would write it."""
    n = len(sample)
    rows = sample[rng.integers(0, n, size=(resamples, n))]
    ranks = stats.rankdata(np.abs(rows), axis=1)
    ordered = np.sort(ranks, axis=1)
    same = np.sum(ordered[:, :, None] == ordered[:, None, :], axis=2)
    return _standardised((ranks * (rows > 0)).sum(axis=1), (same**2 - 1).sum(axis=1), n)


def counted_bootstrap(sample: Any, resamples: int, rng: np.random.Generator) -> Any:
    """Do what the kernel does without a compiler: count draws of each value, no sorting."""
    n = len(sample)
    place = np.argsort(np.argsort(np.abs(sample)))
    drawn = place[rng.integers(0, n, size=(resamples, n))]
    counts = np.zeros((resamples, n))
    np.add.at(counts, (np.arange(resamples)[:, None], drawn), 1.0)
    midranks = np.cumsum(counts, axis=1) - (counts - 1) / 2
    rank_sum = (counts * midranks)[:, place[sample > 0]].sum(axis=1)
    return _standardised(rank_sum, (counts**3 - counts).sum(axis=1), n)


def _standardised(rank_sum: Any, ties: Any, n: int) -> Any:
    centred = rank_sum - n * (n + 1) / 4
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    return np.sign(centred) * np.maximum(np.abs(centred) - 0.5, 0) / np.sqrt(variance)
