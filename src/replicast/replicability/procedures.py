"""Ways to compare two classifiers on one dataset: how to split, which sample, which test."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from replicast.arrays import Floats
from replicast.design import Design, FiveByTwo, RandomSplits, RepeatedKFold
from replicast.inference.five_by_two import FIVE_BY_TWO_FTEST, FIVE_BY_TWO_TTEST
from replicast.inference.methods import METHODS
from replicast.inference.ranks import SIGN_TEST, SIGNED_RANK
from replicast.inference.student import CORRECTED_TTEST, PAIRED_TTEST
from replicast.kernels.schemes import Scheme, sample_scores

Source = Literal["cross-validation", "random splits", "5x2"]
SOURCES: tuple[Source, ...] = ("cross-validation", "random splits", "5x2")

FOLDS = 10
TEST_SHARE = 10  # a random split tests one row in ten


@dataclass(frozen=True)
class Procedure:
    """One way to compare two classifiers: splits, how many, which sample of them, which test.

    `amount` counts runs of cross-validation, or random splits. `keeps_level` is False where the test
    ignores that the scores share data, and so finds differences that are not there.
    """

    name: str
    title: str
    method: str
    source: Source
    amount: int
    scheme: Scheme = "all"
    keeps_level: bool = True


_TESTS = {
    "t": (PAIRED_TTEST.name, "t-test"),
    "sign": (SIGN_TEST.name, "sign test"),
    "rank": (SIGNED_RANK.name, "rank test"),
}
_SCHEMES: dict[str, tuple[Scheme, str]] = {
    "kfold": ("first-run", "one 10-fold"),
    "all": ("all", "all of 10x10"),
    "folds": ("folds", "10x10 averaged over folds"),
    "runs": ("runs", "10x10 averaged over runs"),
    "sorted": ("sorted", "10x10 sorted runs"),
}


def _procedures() -> Iterable[Procedure]:
    for key, both in (("5x2cv-t", FIVE_BY_TWO_TTEST), ("5x2cv-f", FIVE_BY_TWO_FTEST)):
        yield Procedure(key, both.title, both.name, "5x2", 5)
    corrected = CORRECTED_TTEST.name
    for splits in (10, 20, 50, 100):
        title = f"corrected t, {splits} random splits"
        yield Procedure(f"corrected-splits-{splits}", title, corrected, "random splits", splits)
    for runs in range(1, 11):
        title = f"corrected t, {runs}x10 cross-validation"
        yield Procedure(f"corrected-cv-{runs}", title, corrected, "cross-validation", runs)
    for test, (method, title) in _TESTS.items():
        ten = f"{title}, 10 random splits"
        yield Procedure(f"{test}-splits", ten, method, "random splits", 10, keeps_level=False)
        for key, (scheme, words) in _SCHEMES.items():
            name, kept = f"{test}-{key}", key == "sorted"
            title_of = f"{title}, {words}"
            yield Procedure(name, title_of, method, "cross-validation", 10, scheme, kept)


PROCEDURES = {procedure.name: procedure for procedure in _procedures()}
USUAL = (
    "5x2cv-t",
    "5x2cv-f",
    "t-kfold",
    "corrected-cv-1",
    "corrected-splits-10",
    "corrected-splits-100",
    "t-sorted",
    "sign-sorted",
    "rank-sorted",
    "corrected-cv-10",
)


def design_of(source: Source, amount: int, rows: int) -> Design:
    """Return the design of so many runs or splits of a dataset with so many rows."""
    match source:
        case "cross-validation":
            return RepeatedKFold(runs=amount, folds=FOLDS)
        case "random splits":
            n_test = max(1, round(rows / TEST_SHARE))
            return RandomSplits(splits=amount, n_train=rows - n_test, n_test=n_test)
        case "5x2":
            return FiveByTwo()


def judge(procedure: Procedure, differences: Floats, rows: int) -> tuple[Floats, Floats]:
    """Return p-values and directions of many comparisons on datasets of so many rows.

    `differences` is (comparisons, runs or splits, folds), with at least as many runs as are needed.
    """
    flat = differences[:, : procedure.amount].reshape(len(differences), -1)
    design = design_of(procedure.source, procedure.amount, rows)
    options = {} if procedure.scheme == "all" else {"scheme": procedure.scheme}
    pvalues = METHODS[procedure.method].batch_pvalues(flat, design, **options)
    lead = METHODS[procedure.method].lead(sample_of(procedure, differences)).round(12)
    return pvalues, np.asarray(np.sign(lead), dtype=np.float64)


def sample_of(procedure: Procedure, differences: Floats) -> Floats:
    """Return the sample that a procedure makes of differences (comparisons, runs, folds)."""
    sample = sample_scores(differences[:, : procedure.amount], procedure.scheme)
    return sample.reshape(len(differences), -1).round(12)
