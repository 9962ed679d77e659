"""Levels of the mean over fixed tasks with new seeds: two equal algorithms, 5 and 10 seeds.

`python -m calibration.tasks` prints the table of docs/concepts/tasks.md. Tasks have scales and spreads
of their own; runs are normal, spread unequally for the two algorithms, or skewed.
"""

import sys
import warnings

import numpy as np
from scipy import special

from replicast import PairedScores, Seeds, compare_tasks
from replicast.comparison.tasks import Scaling
from replicast.kernels.ranges import range_inflation
from replicast.kernels.seeds import seed_means
from replicast.studies.summary import Rate

DRAWS = 40_000
CHECKED = 20  # draws that the test itself judges too
WORLDS = ("normal", "unequal", "skewed")
SCALES: tuple[Scaling, ...] = ("none", "range")


def runs(world: str, shape: tuple[int, int, int], rng: np.random.Generator) -> np.ndarray:
    """Draw the returns of two equal algorithms, (2, draws, tasks, seeds)."""
    noise = rng.normal(size=(2, *shape))
    if world == "skewed":
        noise = rng.gamma(2.0, size=(2, *shape)) - 2.0
    spreads = np.geomspace(1, 4, shape[1])[:, None]
    if world == "unequal":
        noise[1] *= 2
    return np.asarray(100 + 10 * np.arange(shape[1])[:, None] + spreads * noise)


def level(world: str, tasks: int, seeds: int, scaling: Scaling, count: int) -> Rate:
    """Return how often equal algorithms differ significantly; the first draws are checked one by one."""
    rng = np.random.default_rng([35, WORLDS.index(world), tasks, seeds, scaling == "range"])
    both = runs(world, (count, tasks, seeds), rng)
    if scaling == "range":
        low, high = (end(both, axis=(0, 3), keepdims=True) for end in (np.min, np.max))
        both = (both - low) / (high - low)
    first, second = both
    design = Seeds(seeds, split=None)
    told = seed_means(first - second, first, second, design.layout, paired=False)
    parts = (told.deviation**2 / seeds) / tasks**2
    variance = parts.sum(axis=1)
    df = variance**2 / (parts**2 / told.df).sum(axis=1)
    if scaling == "range":
        spreads = np.log(first.std(axis=2) / second.std(axis=2)).mean(axis=1)
        variance = variance * range_inflation(spreads, seeds)
    pvalues = 2 * special.stdtr(df, -np.abs(told.difference.mean(axis=1)) / np.sqrt(variance))
    for at in range(CHECKED):
        pairs = {
            str(task): PairedScores(first=first[at, task], second=second[at, task], design=design)
            for task in range(tasks)
        }
        assert abs(compare_tasks(pairs, scaling=scaling).pvalue - pvalues[at]) < 1e-9
    return Rate(int((pvalues < 0.05).sum()), count)


def main(count: int = DRAWS) -> None:
    """Print the table, a line as soon as it is known."""
    sizes = [(tasks, seeds) for tasks in (4, 10) for seeds in (5, 10)]
    head = " | ".join(f"{tasks} tasks, {seeds} seeds" for tasks, seeds in sizes)
    sys.stdout.write(f"| runs | scale | {head} |\n|---|---|{'---:|' * len(sizes)}\n")
    for world in WORLDS:
        for scaling in SCALES:
            rates = [level(world, *size, scaling, count) for size in sizes]
            shown = " | ".join(f"{100 * r.value:.1f} ± {100 * r.error:.1f}" for r in rates)
            sys.stdout.write(f"| {world} | {scaling} | {shown} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS)
