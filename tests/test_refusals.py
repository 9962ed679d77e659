"""One sentence for every mistake: which argument, what is allowed, what came, what to do."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import replicast as rc
from replicast import datasets
from replicast.experiment.specs import read_estimator
from replicast.inference.normality import check_normality

RNG = np.random.default_rng(5)
ROWS = RNG.normal(size=(3, 10))
TEN_BY_TEN = rc.RepeatedKFold(runs=10, folds=10)


def pair(n: int = 10, design: Any = None, seed: int = 1, gain: float = 0.1) -> rc.PairedScores:
    rng = np.random.default_rng(seed)
    second = rng.random(n)
    return rc.PairedScores(
        first=second + gain + rng.normal(0, 0.05, n), second=second, design=design or rc.Datasets()
    )


def table(n_datasets: int) -> rc.ScoreTable:
    return rc.ScoreTable(
        classifiers=("a", "b"),
        datasets=tuple(f"d{i}" for i in range(n_datasets)),
        scores=RNG.random((2, n_datasets, 1, 10)),
        design=rc.KFold(10),
    )


FRAME = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "kind": list("abab")})
METHODS = rc.METHODS

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a target that is none of the columns": (
        lambda: datasets.from_frame(FRAME, "toy", "kinds"),
        "`target` must be one of x, kind, got 'kinds'. Did you mean kind?",
    ),
    "a table of nothing but classes": (
        lambda: datasets.from_frame(FRAME[["kind"]], "toy"),
        "`data` must be a table with attributes and a class, got 1 columns.",
    ),
    "a scheme that leaves one value": (
        lambda: METHODS["signed-rank"].test(pair(10, rc.KFold(10)), scheme="average-runs"),
        "`scheme` must be one of",
    ),
    "a cube of rows": (
        lambda: METHODS["signed-rank"].batch_pvalues(np.zeros((2, 2, 5)), rc.Datasets(5)),
        "`rows` must be a matrix with one row for each test, got shape (2, 2, 5).",
    ),
    "rows of another width": (
        lambda: METHODS["signed-rank"].batch_pvalues(ROWS, rc.Datasets(9)),
        "`rows` must be 9 differences wide, got 10.",
    ),
    "rows with infinity": (
        lambda: METHODS["signed-rank"].batch_pvalues(
            np.where(ROWS > 1, np.inf, ROWS), rc.Datasets(10)
        ),
        "`rows` must be finite, got a value that is not.",
    ),
    "one difference": (
        lambda: check_normality([0.1]),
        "`differences` must be at least two values, got 1.",
    ),
    "a design of unknown size": (
        lambda: rc.smallest_pvalue("signed-rank", rc.Datasets()),
        "`design` must be a design with a known number of scores, got",
    ),
    "the sorted scheme": (
        lambda: rc.replicate(METHODS["paired-ttest"].test(pair(100, TEN_BY_TEN), scheme="sorted")),
        "`evidence` must be from the sampling scheme all or first-run, got 'sorted'. No model",
    ),
    "a spread of nothing": (
        lambda: rc.replicate(pair(12), spread=0),
        "`spread` must be a positive standard deviation of Z, got 0.",
    ),
    "a posterior with a rope": (
        lambda: rc.replicate(rc.correlated_posterior(pair(10, rc.KFold(10)), rope=0.01)),
        "`evidence` must be a correlated posterior without a rope, or another result, got",
    ),
    "empirical Bayes of counts": (
        lambda: rc.replicate(
            rc.sign_test(pair(12)), estimator="empirical-bayes", comparisons=table(12)
        ),
        "`estimator` must be calibrated, flat or as-published for counts and seeds, "
        "got 'empirical-bayes'.",
    ),
    "empirical Bayes of few": (
        lambda: rc.replicate(
            pair(10, rc.KFold(10)), estimator="empirical-bayes", comparisons=table(3)
        ),
        "`comparisons` must be at least",
    ),
    "fresh datasets without their number": (
        lambda: rc.replicate(rc.sign_test(pair(12)), target_design=rc.Datasets()),
        "`target_design` must be",
    ),
    "folds for a count of wins": (
        lambda: rc.replicate(rc.sign_test(pair(12)), target_design=rc.KFold(10)),
        "`target_design` must be",
    ),
    "fresh cases for t": (
        lambda: rc.replicate(t=2.5, folds=10, target_design=rc.Holdout(100)),
        "`",
    ),
    "folds for discordant cases": (
        lambda: rc.replicate(discordant=(30, 10), cases=100, target_design=rc.KFold(10)),
        "`target_design` must be a design of the kind of Holdout(cases=100), with its size, got",
    ),
    "a p-value of one score": (
        lambda: rc.replicate(pvalue=0.01, design=rc.Datasets(1)),
        "`pvalue` must be at least 1, the least that Wilcoxon's test gives for Datasets(count=1)",
    ),
    "predictions in two dimensions": (
        lambda: rc.PairedPredictions(truth=[[1, 0]], first=[1, 0], second=[1, 1]),
        "`truth` must be a non-empty one-dimensional array, got shape (1, 2).",
    ),
    "scores of another shape": (
        lambda: rc.ScoreTable(
            classifiers=("a", "b"), datasets=("d",), scores=np.zeros((2, 3)), design=rc.KFold(3)
        ),
        "`scores` must be of shape (2, 1) x runs x folds, got shape (2, 3).",
    ),
    "an interval of a test without one": (
        lambda: replace(rc.sign_test(pair()), interval_rule=None).confidence_interval(),
        "`result` must be a result with an interval, got sign-test.",
    ),
    "no rows": (
        lambda: rc.evaluate(
            [GaussianNB(), LogisticRegression()], np.zeros((0, 2)), [], design=rc.KFold(3)
        ),
        "`X` must be a table with at least one row, got an empty one.",
    ),
    "rows of different lengths": (
        lambda: rc.evaluate(
            [GaussianNB(), LogisticRegression()], [[1.0], [1.0, 2.0]], [0, 1], design=rc.KFold(2)
        ),
        "`X` must be a table of rows and columns, got list.",
    ),
    "a module there is not": (
        lambda: read_estimator("sklearn.nowhere.Tree()", "first"),
        "`first` must be",
    ),
    "plans for what cannot grow": (
        lambda: rc.plan(rc.five_by_two_ttest(pair(10, rc.FiveByTwo())), probability=0.8),
        "`",
    ),
    "equivalence at a level of a half": (
        lambda: rc.decide(rc.sign_test(pair()), rope=0.1, significance=0.5),
        "`significance` must be below 0.5 where equivalence is asked for, got 0.5.",
    ),
    "more data in each of several datasets": (
        lambda: rc.replicate(pair(12), data_factor=4),
        "`data_factor` must be 1 for results over datasets, got 4. What more data in each dataset",
    ),
    "a number written as text": (
        lambda: rc.replicate(t="2", folds=10),
        "`t` must be",
    ),
}


@pytest.mark.parametrize("mistake", REFUSED)
def test_a_mistake_gets_one_sentence(mistake: str) -> None:
    call, sentence = REFUSED[mistake]
    with pytest.raises(rc.ReplicastError) as caught:
        call()
    told = str(caught.value)
    assert told.startswith(sentence) or sentence in told
    assert told.endswith((".", "?"))
    assert "\n" not in told
