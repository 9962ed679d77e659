"""The corrected t-test of cases: from arrays, predictions, evaluated models and files."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import replicast as rc
from replicast.design import format_design, parse_design
from replicast.kernels.cases import case_mean, clustered_mean, cross_validated_mean
from replicast.presentation.study import write_report
from replicast.studies.execution import run_study
from replicast.studies.library import STUDIES
from replicast.studies.reports import read_findings
from replicast.studies.scenarios.case_worlds import World
from stores import fresh_store

TWO = {"first": [1, 1, 0, 1, 1, 0], "second": [0, 1, 0, 1, 0, 0]}


def scores(n: int = 90, seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=n)
    return np.stack([shared + 0.3 + 0.5 * rng.normal(size=n), shared])


def by_fractions(differences: list[int], folds: int) -> Fraction:
    """Return the square of t, exactly."""
    n = len(differences)
    mean = Fraction(sum(differences), n)
    variance = sum((d - mean) ** 2 for d in differences) / (n - 1)
    return mean**2 / (variance / n * (1 + Fraction(folds, folds - 1)))


def test_t_by_fractions() -> None:
    rng = np.random.default_rng(1)
    for folds in (2, 5, 10):
        row = rng.integers(-1, 2, size=40)
        pair = rc.PairedScores(
            first=row, second=np.zeros(40), design=rc.CrossValidatedCases(folds=folds)
        )
        found = rc.corrected_case_ttest(pair)
        assert found.statistic**2 == pytest.approx(float(by_fractions(row.tolist(), folds)))
        assert found.df == 39


def test_several_runs_share_the_cases() -> None:
    """The cases' part is that of means over runs; the training sets' part that of one run."""
    rng = np.random.default_rng(2)
    runs, n, folds = 4, 60, 5
    case = rng.normal(0.2, 1, size=n)
    gaps = case + rng.normal(0, 0.7, size=(runs, n))
    both = np.stack([gaps, np.zeros(gaps.shape)])
    folded = gaps.reshape(runs, folds, -1).mean(axis=2).ravel()
    pair = rc.PairedScores(
        first=folded,
        second=np.zeros(runs * folds),
        design=rc.RepeatedKFold(runs=runs, folds=folds),
        case_scores=both,
    )
    found = rc.corrected_case_ttest(pair)
    of_means = gaps.mean(axis=0).var(ddof=1) / n
    of_one_run = gaps.var(axis=1, ddof=1).mean() / n
    within = gaps.var(axis=0, ddof=1).mean()
    one_run = of_means + within * (1 - 1 / runs) / n  # the same in expectation
    assert found.standard_error**2 == pytest.approx(of_means + folds / (folds - 1) * one_run)
    assert one_run == pytest.approx(of_one_run, rel=0.15)
    assert found.design == rc.CrossValidatedCases(n, folds=folds, answers=runs)
    again = rc.PairedCases(first=both[0].T, second=both[1].T, folds=folds)
    assert rc.corrected_case_ttest(again).pvalue == pytest.approx(found.pvalue, rel=1e-12)


def test_one_run_is_the_first_of_the_formula() -> None:
    one = scores()
    pair = rc.PairedCases(first=one[0], second=one[1], folds=10)
    found = rc.corrected_case_ttest(pair)
    plain = stats.ttest_rel(one[0], one[1])
    assert found.statistic == pytest.approx(plain.statistic / np.sqrt(1 + 10 / 9))
    assert found.df == plain.df


def test_clusters_count_as_clusters() -> None:
    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(20), 5)
    gap = np.repeat(rng.normal(0.3, 1, 20), 5) + 0.2 * rng.normal(size=100)
    folds = clusters % 5
    pair = rc.PairedCases(first=gap, second=np.zeros(100), clusters=clusters, folds=folds)
    found = rc.corrected_case_ttest(pair)
    _, error, df = clustered_mean(gap, clusters)
    assert found.standard_error == pytest.approx(float(error) * np.sqrt(1 + 5 / 4))
    assert found.df == pytest.approx(float(df))
    assert 0 < rc.compare(pair).power.power < 1
    with pytest.raises(
        rc.errors.DesignMismatchError, match="`folds` must be such that no cluster is in two"
    ):
        rc.PairedCases(first=gap, second=np.zeros(100), clusters=clusters, folds=np.arange(100) % 5)


def test_cross_validated_mean_of_a_batch() -> None:
    rows = np.random.default_rng(6).normal(size=(3, 25))
    found = cross_validated_mean(case_mean(rows), 1.25)
    assert found.standard_error == pytest.approx(rows.std(axis=1, ddof=1) / 5 * 1.5)


def test_predictions_out_of_folds() -> None:
    truth = [1, 1, 1, 1, 1, 0]
    kinds = {"folds": 3}, {"folds": [0, 0, 1, 1, 2, 2]}, {"folds": "aabbcc"}
    for given in kinds:
        pair = rc.PairedPredictions(truth=truth, first=TWO["first"], second=TWO["second"], **given)
        assert pair.design == rc.CrossValidatedCases(6, folds=3)
        assert rc.compare(pair).evidence.method == "corrected-case-ttest"
    with pytest.raises(rc.InvalidArgumentError, match="`folds` must be at least 2 and at most"):
        rc.PairedPredictions(truth=truth, **TWO, folds=7)
    with pytest.raises(
        rc.errors.DesignMismatchError, match="`folds` must be one label for each of 6 cases"
    ):
        rc.PairedPredictions(truth=truth, **TWO, folds=[0, 1])


def test_evaluated_models_know_their_cases() -> None:
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    data = rc.datasets.load("iris")
    models = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1, random_state=0)}
    table = rc.evaluate(models, data.X, data.y, design=rc.KFold(5), rng=1)
    pair = table.pair("bayes", "stump")
    found = rc.compare(pair, method="corrected-case-ttest")
    assert found.evidence.n == 150
    assert found.evidence.design == rc.CrossValidatedCases(150, folds=5)
    assert found.scores.first.mean() == pytest.approx(pair.first.mean())
    assert found.replication is not None
    assert found.replication.probability > 0.9
    assert rc.compare(pair).evidence.n == 5  # by folds, unless asked for
    uncorrected = rc.compare(pair.cases, method="case-ttest")
    assert uncorrected.evidence.statistic > found.evidence.statistic
    assert "dependent-scores" in {caution.code for caution in uncorrected.cautions}


def test_evaluated_regressors_know_their_cases() -> None:
    from sklearn.dummy import DummyRegressor
    from sklearn.linear_model import Ridge

    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 3))
    y = X[:, 0] + rng.normal(size=80)
    models = {"ridge": Ridge(), "mean": DummyRegressor()}
    table = rc.evaluate(models, X, y, design=rc.KFold(5), scoring="neg_mean_squared_error", rng=1)
    pair = table.pair("ridge", "mean")
    assert pair.case_differences.mean() == pytest.approx(pair.differences.mean())
    found = rc.corrected_case_ttest(pair)
    assert found.n == 80
    assert found.estimate == pytest.approx(pair.differences.mean())


@pytest.mark.parametrize("numbered", [True, False])
def test_a_file_of_predictions_out_of_folds(tmp_path: Path, numbered: bool) -> None:
    rng = np.random.default_rng(4)
    lines = ["id,fold,y_true,pred_a,pred_b" if numbered else "fold,y_true,pred_a,pred_b"]
    right = rng.random((60, 2)) < (0.9, 0.6)
    for case, (a, b) in enumerate(right):
        said = ",".join("yes" if one else "no" for one in (a, b))
        lines.append(f"{case}," * numbered + f"{case % 5},yes,{said}")
    lines[1] = lines[1].replace(",yes,", ",no,", 1)
    path = tmp_path / "cases.csv"
    path.write_text("\n".join(lines))
    found = rc.compare(rc.read_scores(path).pair("a", "b"), method="corrected-case-ttest")
    assert found.evidence.n == 60
    right[0] = ~right[0]
    assert found.evidence.estimate == pytest.approx(np.subtract(*right.mean(axis=0)))


def test_without_cases_it_is_refused() -> None:
    pair = rc.PairedScores(first=[0.9, 0.8, 0.7], second=[0.8, 0.7, 0.7], design=rc.KFold(3))
    with pytest.raises(rc.errors.DesignMismatchError, match="corrected-case-ttest"):
        rc.compare(pair, method="corrected-case-ttest")


def test_swapping_swaps_the_cases() -> None:
    cases = [[[1, 1, 1, 0]], [[0, 1, 1, 0]]]
    pair = rc.PairedScores(first=[1, 0.5], second=[0.5, 0.5], design=rc.KFold(2), case_scores=cases)
    other = pair.swapped()
    assert other.case_differences.tolist() == [[-1, 0, 0, 0]]
    assert other.cases.first.tolist() == pair.cases.second.tolist()
    with pytest.raises(rc.InvalidArgumentError, match=r"`case_scores` must be finite scores"):
        rc.PairedScores(first=[1, 0], second=[0, 1], design=rc.KFold(2), case_scores=[[1, 0]])


def test_the_design_is_spelt_and_said() -> None:
    design = rc.CrossValidatedCases(300, folds=5, answers=3)
    assert parse_design(format_design(design)) == design
    assert design.words == "300 cases of 3 runs of 5-fold cross-validation"
    with pytest.raises(rc.InvalidArgumentError, match="`folds` must be at most as many as the 4"):
        rc.CrossValidatedCases(4, folds=5)


def test_the_chance_is_that_of_the_same_engine() -> None:
    """The T of the test varies by the kappa of cross-validation; the chance rises with it."""
    one = scores()
    pair = rc.PairedCases(first=one[0], second=one[1], folds=10)
    found = rc.replicate(pair)
    as_fixed = rc.replicate(rc.PairedCases(first=one[0], second=one[1]))
    assert found.model == "cross-validated-cases"
    assert 0 < found.probability <= as_fixed.probability
    larger = rc.replicate(pair, target_design=rc.CrossValidatedCases(360, folds=10))
    assert larger.probability > found.probability


def test_a_world_in_small(tmp_path: Path) -> None:
    worlds = (
        "accuracy sets bayes rows=50 folds=5 runs=3",
        "log-loss patients linear rows=50 folds=5",
        "squared-error numbers ridge rows=50 folds=2 gap=0.5",
        "accuracy ring bayes 5-nn rows=50 folds=5 runs=3",
    )
    study = replace(STUDIES["case-tests"], factors={"world": worlds}, replicates=50, block=25)
    store = fresh_store()
    run_study(study, store)
    found = read_findings(store)
    assert [one.runs for one in found.read] == [1, 1, 3, 1, 1, 3]
    text = write_report(store, tmp_path).read_text(encoding="utf-8")
    assert "**One run.** The highest level is" in text
    assert "| accuracy sets bayes rows=50 folds=5 runs=3 | level | 50 |" in text
    json.dumps(found.summary.to_dict(), allow_nan=False)


def test_tests_in_the_study_are_those_of_the_package() -> None:
    """Records hold errors; the tests made of them are the tests that people run."""
    study = replace(
        STUDIES["case-tests"],
        factors={"world": ("accuracy sets 5-nn rows=60 folds=5 gap=0.8",)},
        replicates=25,
        block=25,
    )
    store = fresh_store()
    run_study(study, store)
    read = read_findings(store).read[0]
    world, block = World.parse(read.name), next(study.blocks())
    rng, hits = study.rng(block), 0
    for _ in range(25):
        drawn = world.draw(rng)
        folds = world.partition(drawn, 5, 1, rng)
        world.partition(drawn, 2, 5, rng)
        first, second = world.scores(drawn, folds)[:, 0]
        pair = rc.PairedCases(first=first, second=second, folds=folds[0])
        hits += rc.corrected_case_ttest(pair).pvalue < 0.05
    assert read.rejected["cases"].hits == hits
    assert 0 < hits < 25


def test_the_worlds_are_at_most_sixty_and_named_right() -> None:
    worlds = STUDIES["case-tests"].factors["world"]
    assert len(worlds) == 60
    assert sum(World.parse(text).is_null for text in worlds) == 45
    for wrong in ("accuracy sets bayes rows=50", "accuracy sets ridge rows=50 folds=5", "gain"):
        with pytest.raises(rc.InvalidArgumentError, match="`world` must be a measure"):
            World.parse(wrong)
