"""Cross-validation with the score of every case: what tests on cases and on folds are made of."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from replicast.arrays import Codes, Floats, Ints
from replicast.kernels.cases import CaseMean, case_mean, clustered_mean
from replicast.studies.scenarios import Columns, add_record, empty_columns
from replicast.studies.scenarios.case_worlds import World

RUNS = (1, 3, 10)  # as many of them as a world has are judged on the same datasets


def case_tests(levels: Mapping[str, Any], replicates: range, rng: np.random.Generator) -> Columns:
    """Let two contestants meet in k-fold cross-validation, and keep what the tests need.

    A record is a dataset. `differences` holds the difference of every fold, `halves` those of five
    runs of 2-fold. `cases` holds four numbers for every count of runs in `RUNS`: mean difference,
    standard error of the cases of one run (root mean square over runs), its degrees of freedom, and
    the standard error of the cases' means over runs. Patients are clusters; `ignored` is the error
    of the first run without them. `models` holds mean, standard error and degrees of freedom of both
    contestants in the first run, `folds` the means of the first contestant's folds, and `only` how
    many cases of the first run one alone had right.
    """
    world = World.parse(str(levels["world"]))
    columns = empty_columns("differences", "halves", "cases", "ignored", "models", "folds", "only")
    for _ in replicates:
        drawn = world.draw(rng)
        folds = world.partition(drawn, world.folds, world.runs, rng)
        halves = world.partition(drawn, 2, 5, rng)
        scores = world.scores(drawn, folds)
        gaps = scores[0] - scores[1]
        apart = np.subtract(*world.scores(drawn, halves))
        counts = [runs for runs in RUNS if runs <= world.runs]
        models = [_mean(score[0], drawn.patients) for score in scores]
        one_run = gaps[0] if world.measure == "accuracy" else np.zeros(1)
        add_record(
            columns,
            _fold_means(gaps, folds),
            _fold_means(apart, halves),
            [float(x) for runs in counts for x in _case_errors(gaps[:runs], drawn.patients)],
            float(case_mean(gaps[0]).standard_error),
            [float(x) for model in models for x in model],
            _fold_means(scores[0, :1], folds[:1]),
            [int((one_run > 0).sum()), int((one_run < 0).sum())],
        )
    return columns


def _fold_means(values: Floats, folds: Codes) -> list[float]:
    """Return the mean of every fold, run by run."""
    means = [
        np.bincount(codes, weights=row) / np.bincount(codes)
        for row, codes in zip(values, folds, strict=True)
    ]
    return [float(x) for x in np.concatenate(means).round(12)]


def _mean(values: Floats, patients: Ints | None) -> CaseMean:
    return case_mean(values) if patients is None else clustered_mean(values, patients)


def _case_errors(gaps: Floats, patients: Ints | None) -> tuple[Any, ...]:
    """Return mean, error of one run, its degrees of freedom, and the error of means over runs."""
    _, single, df = _mean(gaps, patients)
    mean, error, _ = _mean(gaps.mean(axis=0), patients)
    return mean, np.sqrt((single**2).mean()), df.mean(), error
