"""What the levels of the tests hold for: two more nulls, in which something can be learned.

One learner meets itself on two exchangeable sets of features, so that there is no difference in the
population, though the learner finds one in every dataset; and differences over datasets have mean 0
but are skewed. `python -m calibration.which_test` writes the tables into docs/which-test.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.settings import accuracies
from calibration.worlds.folds import TWO_SETS, Arrays
from calibration.worlds.populations import EXCHANGEABLE
from replicast import METHODS, Datasets, FiveByTwo, KFold, RepeatedKFold
from replicast.design import Design
from replicast.kernels.splits import stratified_folds
from replicast.results import is_significant
from replicast.studies.summary import Rate

Floats = NDArray[np.float64]
ROWS = (100, 300)
DATASETS = 1000
COLLECTIONS = 10_000
SIZES = (20, 60)
SKEWED = ("signed-rank", "sign-test", "sign-flip", "paired-ttest", "signed-rank-posterior")
_LEVEL = 0.05
_TESTS: tuple[tuple[str, str, Design], ...] = (
    ("corrected t, one 10-fold", "corrected-ttest", KFold(10)),
    ("corrected t, 10x10", "corrected-ttest", RepeatedKFold(runs=10, folds=10)),
    ("5x2cv F", "five-by-two-ftest", FiveByTwo()),
    ("5x2cv t", "five-by-two-ttest", FiveByTwo()),
)
_DRAWN_ROWS = 500  # of collections for a posterior, which takes long


@dataclass(frozen=True)
class Null:
    """How often a test rejects where there is nothing to find: one line of a table."""

    label: str
    size: int
    rates: tuple[Rate, ...]

    def __str__(self) -> str:
        shown = " | ".join(f"{100 * r.value:.1f} ± {100 * r.error:.1f}" for r in self.rates)
        return f"| {self.size} | {self.label} | {shown} |"


def learners() -> list[str]:
    """Return the learners that meet themselves."""
    return list(dict.fromkeys(each.learner for each in TWO_SETS))


def feature_sets(count: int, rng: np.random.Generator) -> Iterator[Null]:
    """Yield rejections of every test, a column for each learner on two sets of features."""
    for rows in ROWS:
        found = _experiments(rows, count, rng)
        for label, test, design in _TESTS:
            rates = []
            for at in range(0, len(TWO_SETS), 2):
                gaps = _gaps(found, at, design)
                pvalues = METHODS[test].batch_pvalues(gaps, design)
                rates.append(Rate(int(is_significant(pvalues, _LEVEL).sum()), count))
            yield Null(label, rows, tuple(rates))


def _experiments(rows: int, count: int, rng: np.random.Generator) -> Arrays:
    """Return accuracies (contestants, datasets, runs, folds) of 10x10 and of 5x2."""
    shapes = {"ten": (10, 10), "two": (5, 2)}
    correct = {
        name: np.empty((len(TWO_SETS), count, runs, rows), dtype=np.int8)
        for name, (runs, _) in shapes.items()
    }
    drawn = {
        name: np.empty((count, runs, rows), dtype=np.int16) for name, (runs, _) in shapes.items()
    }
    for i, (X, y) in enumerate(EXCHANGEABLE.samples(rows, count, rng)):
        for name, (runs, folds) in shapes.items():
            drawn[name][i] = stratified_folds(y, folds, runs, rng)
            for c, contestant in enumerate(TWO_SETS):
                correct[name][c, i] = contestant.correct(X, y, drawn[name][i], EXCHANGEABLE.classes)
    return {
        name: accuracies(correct[name], drawn[name].astype(np.int8), folds)[0]
        for name, (_, folds) in shapes.items()
    }


def _gaps(found: Arrays, at: int, design: Design) -> Floats:
    accuracy = found["two" if design.folds == 2 else "ten"]
    gaps = (accuracy[at] - accuracy[at + 1]).round(12)
    if design.runs == 1:
        gaps = gaps[:, :1]
    return np.asarray(gaps.reshape(len(gaps), -1))


def skewed(count: int, rng: np.random.Generator) -> Iterator[Null]:
    """Yield rejections of tests over datasets: normal differences, then exponential ones of mean 0."""
    for size in SIZES:
        for label in ("normal", "skewed"):
            shape = count, size
            rows = rng.normal(size=shape) if label == "normal" else rng.exponential(size=shape) - 1
            rates = []
            for name in SKEWED:
                used = rows[:_DRAWN_ROWS] if METHODS[name].gives == "posterior" else rows
                pvalues = METHODS[name].batch_pvalues(used, Datasets(size))
                rates.append(Rate(int(is_significant(pvalues, _LEVEL).sum()), len(used)))
            yield Null(label, size, tuple(rates))


def feature_table(found: list[Null]) -> str:
    """Return the Markdown table of one learner on two sets of features."""
    head = [f"| rows | test | {' | '.join(learners())} |", "|---:|---|" + "---:|" * len(learners())]
    return "\n".join([*head, *map(str, found)])


def skewed_table(found: list[Null]) -> str:
    """Return the Markdown table of differences over datasets."""
    head = [
        "| datasets | differences | " + " | ".join(f"`{name}`" for name in SKEWED) + " |",
        "|---:|---|" + "---:|" * len(SKEWED),
    ]
    return "\n".join([*head, *map(str, found)])
