"""1e5 paired tests on rows of 20 against SciPy."""

from typing import Any

import numpy as np
from scipy import stats as scipy_stats

from benchmarks.timing import Target, seconds
from replicast import METHODS, Datasets

stats: Any = scipy_stats  # its stubs lag behind its arguments
ROWS, N, FEW = 100_000, 20, 300


def run() -> list[Target]:
    rng = np.random.default_rng(0)
    rows = rng.normal(0.1, 1, size=(ROWS, N))
    tied = rng.normal(0.1, 1, size=(ROWS, N)).round(1)
    design = Datasets(N)
    ttest, rank = METHODS["paired-ttest"].batch_pvalues, METHODS["signed-rank"].batch_pvalues
    few = rows[:FEW]
    resampling = stats.PermutationMethod(n_resamples=999, rng=0)
    took = seconds(
        {
            "t": lambda: ttest(rows, design),
            "t scipy": lambda: stats.ttest_1samp(rows, 0.0, axis=1).pvalue,
            "t loop": lambda: [stats.ttest_1samp(row, 0.0).pvalue for row in few],
            "normal": lambda: rank(tied, design, pvalue_method="normal"),
            "normal scipy": lambda: (
                stats.wilcoxon(tied[:20_000], axis=1, method="asymptotic", correction=True).pvalue
            ),
            "exact": lambda: rank(rows, design, pvalue_method="exact"),
            "exact scipy": lambda: stats.wilcoxon(rows[:20_000], axis=1, method="exact").pvalue,
            "tied": lambda: rank(tied, design, pvalue_method="exact"),
            "tied scipy": lambda: [
                stats.wilcoxon(row, method=resampling).pvalue for row in tied[:3]
            ],
        },
        rounds=3,
    )

    def each(name: str, count: int) -> float:
        return took[name] / count

    return [
        Target("paired t, scipy axis=1", each("t scipy", ROWS) / each("t", ROWS), 1.5),
        Target("paired t, scipy in a loop", each("t loop", FEW) / each("t", ROWS), 500),
        Target(
            "Wilcoxon normal with ties, scipy axis=1",
            each("normal scipy", 20_000) / each("normal", ROWS), 4,
        ),
        Target(
            "Wilcoxon exact without ties, scipy axis=1",
            each("exact scipy", 20_000) / each("exact", ROWS), 15, 25, 30,
        ),
        Target(
            "Wilcoxon exact with ties, scipy PermutationMethod(999)",
            each("tied scipy", 3) / each("tied", ROWS), 10_000,
        ),
    ]  # fmt: skip
