"""Levels of the mean over fixed tasks with new seeds: two equal algorithms, 5 and 10 seeds.

`python -m calibration.tasks` prints the table of docs/concepts/tasks.md. Tasks have scales and spreads of
their own; runs are normal, spread unequally for the two algorithms, or skewed.
"""

import sys
import warnings

import numpy as np

from replicast import PairedScores, Seeds, benchmarks_ttest
from replicast.comparison.tasks import on_one_scale
from replicast.studies.summary import Rate

DRAWS = 4_000
WORLDS = ("normal", "unequal", "skewed")


def runs(world: str, tasks: int, seeds: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the returns of two equal algorithms, (2, tasks, seeds)."""
    noise = rng.normal(size=(2, tasks, seeds))
    if world == "skewed":
        noise = rng.gamma(2.0, size=(2, tasks, seeds)) - 2.0
    spreads = np.geomspace(1, 4, tasks)[None, :, None]
    if world == "unequal":
        spreads = spreads * np.array([1.0, 2.0])[:, None, None]
    return np.asarray(100 + 10 * np.arange(tasks)[None, :, None] + spreads * noise)


def level(world: str, tasks: int, seeds: int, scaling: str, count: int) -> Rate:
    """Return how often equal algorithms differ significantly."""
    rng = np.random.default_rng([35, WORLDS.index(world), tasks, seeds, scaling == "range"])
    hits = 0
    for _ in range(count):
        first, second = runs(world, tasks, seeds, rng)
        pairs = {
            str(at): PairedScores(first=one, second=other, design=Seeds(seeds, split=None))
            for at, (one, other) in enumerate(zip(first, second, strict=True))
        }
        pairs = on_one_scale(pairs, scaling, None)  # type: ignore[arg-type]  # one of both words
        hits += benchmarks_ttest(pairs).pvalue < 0.05
    return Rate(hits, count)


def main(count: int = DRAWS) -> None:
    """Print the table, a line as soon as it is known."""
    sizes = [(tasks, seeds) for tasks in (4, 10) for seeds in (5, 10)]
    head = " | ".join(f"{tasks} tasks, {seeds} seeds" for tasks, seeds in sizes)
    sys.stdout.write(f"| runs | scale | {head} |\n|---|---|{'---:|' * len(sizes)}\n")
    for world in WORLDS:
        for scaling in ("none", "range"):
            rates = [level(world, *size, scaling, count) for size in sizes]
            shown = " | ".join(f"{100 * r.value:.1f} ± {100 * r.error:.1f}" for r in rates)
            sys.stdout.write(f"| {world} | {scaling} | {shown} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS)
