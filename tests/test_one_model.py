"""One model: its score and the interval of its expected score."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.design import Design
from replicast.kernels.intervals import wilson

RIGHT = np.repeat([1.0, 0.0], [86, 14])
GRADES = np.random.default_rng(1).normal(0.7, 0.2, 60)


def test_wilson_as_in_scipy() -> None:
    for k, n in ((0, 10), (1, 10), (86, 100), (500, 500), (7, 13)):
        for confidence in (0.9, 0.95, 0.99):
            expected = stats.binomtest(k, n).proportion_ci(confidence, method="wilson")
            assert wilson(np.asarray(k / n), n, confidence) == pytest.approx(expected, abs=1e-12)


def test_right_and_wrong_on_one_test_set() -> None:
    found = rc.score_interval(RIGHT, design="holdout", name="svm", metric="accuracy")
    expected = stats.binomtest(86, 100).proportion_ci(method="wilson")
    assert found.confidence_interval() == pytest.approx(expected)
    assert found.way == "wilson"
    assert str(found) == "svm: accuracy 0.860 [0.779, 0.915] (one test set of 100 cases)"
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("folds", [2, 5, 10])
def test_cross_validation_counts_for_fewer_cases(folds: int) -> None:
    found = rc.score_interval(RIGHT, design=rc.CrossValidatedCases(folds=folds))
    assert found.effective == pytest.approx(100 / (1 + folds / (folds - 1)))
    plain = rc.score_interval(RIGHT, design=rc.Holdout())
    (low, high), (inner_low, inner_high) = found.confidence_interval(), plain.confidence_interval()
    assert low < inner_low < inner_high < high


def test_grades_have_the_error_of_cases() -> None:
    error = GRADES.std(ddof=1) / np.sqrt(60)
    found = rc.score_interval(GRADES, design=rc.Cases())
    assert found.confidence_interval() == pytest.approx(
        stats.t.interval(0.95, 59, GRADES.mean(), error)
    )
    wider = rc.score_interval(GRADES, design=rc.CrossValidatedCases(folds=5))
    assert wider.standard_error == pytest.approx(error * np.sqrt(2.25))
    together = rc.score_interval(GRADES, design=rc.Cases(), clusters=np.arange(60) // 6)
    assert together.design.clusters == 10


@pytest.mark.parametrize(
    ("design", "ratio"),
    [
        (rc.KFold(10), 1 / 9),
        (rc.RepeatedKFold(runs=2, folds=5), 1 / 4),
        (rc.RandomSplits(splits=10, n_train=80, n_test=20), 1 / 4),
        (rc.Datasets(), 0.0),
        (rc.Seeds(10, split="none"), 0.0),
    ],
)
def test_folds_alone_have_the_corrected_error(design: Design, ratio: float) -> None:
    values = GRADES[:10]
    found = rc.score_interval(values, design=design)
    error = values.std(ddof=1) * np.sqrt(1 / 10 + ratio)
    assert found.confidence_interval(0.9) == pytest.approx(
        stats.t.interval(0.9, 9, values.mean(), error)
    )
    assert found.cautions == ()
    assert rc.score_interval(values, design=rc.Seeds(10)).cautions[0].code == "seeds-only"


def test_an_estimator_and_a_ranking() -> None:
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    data = rc.datasets.load("iris")
    one = rc.evaluate([GaussianNB()], data.X, data.y, design=rc.KFold(5))
    found = rc.score_interval(one)
    assert found.design == rc.CrossValidatedCases(150, folds=5)
    assert found.name == "GaussianNB"
    for design in (rc.KFold(5), rc.RepeatedKFold(runs=2, folds=5), rc.Holdout(50)):
        models = {"bayes": GaussianNB(), "1-nn": KNeighborsClassifier(1)}
        ranked = rc.rank(rc.evaluate(models, data.X, data.y, design=design))
        for mean, (low, high) in zip(ranked.mean_scores, ranked.mean_intervals, strict=True):
            assert low <= mean <= high
        json.dumps(ranked.to_dict(), allow_nan=False)
    table = rc.evaluate(models, data.X, data.y, design=rc.KFold(5))
    with pytest.raises(rc.InvalidArgumentError, match="`name` must be one of bayes, 1-nn"):
        rc.score_interval(table)


def test_a_file_with_one_model(tmp_path: Path) -> None:
    lines = ["id,fold,y_true,y_pred"]
    for case, right in enumerate(RIGHT):
        lines.append(f"{case},{case % 5},{'yes' if case % 2 else 'no'},"
                     f"{'yes' if bool(case % 2) == bool(right) else 'no'}")  # fmt: skip
    path = tmp_path / "one.csv"
    path.write_text("\n".join(lines))
    done = CliRunner().invoke(app, ["rank", str(path), "--json"])
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    assert record["score"] == pytest.approx(0.86)
    expected = rc.score_interval(RIGHT, design=rc.CrossValidatedCases(folds=5))
    assert record["interval"] == pytest.approx(list(expected.confidence_interval()))
    assert "0.860 [" in CliRunner().invoke(app, ["rank", str(path)]).stdout
    refused = CliRunner().invoke(app, ["compare", str(path)])
    assert refused.exit_code == 2
    assert "scores of two models, got one: " in " ".join(refused.stderr.split())


def test_what_is_refused() -> None:
    for given, options, words in (
        (RIGHT, {}, "`design` must be given with an array"),
        ([0.5], {"design": "datasets"}, "`scores` must be at least two"),
        (GRADES, {"design": "kfold:folds=5"}, "`design` must be a design with 60 scores"),
        (GRADES, {"design": "datasets", "clusters": range(60)}, "`clusters` must be given with"),
    ):
        with pytest.raises(rc.InvalidArgumentError, match=words):
            rc.score_interval(given, **options)
