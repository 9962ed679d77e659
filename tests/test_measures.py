"""AUC, F1 and any function of cases: goldens of pROC, slow twins, and levels."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score, precision_score, recall_score, roc_auc_score
from typer.testing import CliRunner

import replicast as rc
from goldens import golden
from replicast.cli import app
from replicast.comparison.finding import Finding
from replicast.comparison.tasks import compare_tasks
from replicast.kernels import resampling
from replicast.kernels.cases import roc_areas, roc_influences
from replicast.presentation.telling import tell


def drawn(n: int, seed: int, right: tuple[float, float] = (0.9, 0.8)) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.4).astype(int)
    return truth, *(np.where(rng.random(n) < share, truth, 1 - truth) for share in right)


@pytest.mark.parametrize("case", golden("delong")[0], ids=lambda case: len(case["truth"]))
def test_areas_as_in_proc(case: dict) -> None:
    found = rc.compare_measure("auc", case["truth"], case["first"], case["second"])
    assert found.first == pytest.approx(case["first_auc"], rel=1e-10)
    assert found.second == pytest.approx(case["second_auc"], rel=1e-10)
    assert found.statistic == pytest.approx(case["statistic"], rel=1e-10)
    assert found.pvalue == pytest.approx(case["pvalue"], rel=1e-10)
    assert found.df is None
    assert found.replication is not None
    assert found.replication.first_pvalue == found.pvalue


def test_influences_are_what_leaving_nothing_out_gives() -> None:
    rng = np.random.default_rng(1)
    truth = (rng.random(60) < 0.4).astype(float)
    scores = rng.normal(size=(2, 60)).round(1) + truth
    areas, covariance = roc_areas(scores, truth)
    again, moved = roc_influences(scores, truth)
    assert again.tolist() == areas.tolist()
    for cls in (0.0, 1.0):  # by class, DeLong's covariance but for n / (n - 1)
        assert moved[:, truth == cls].sum() == pytest.approx(0, abs=1e-12)
    m = int(truth.sum())
    parts = [moved[:, truth == cls] for cls in (1.0, 0.0)]
    rebuilt = sum(
        part @ part.T * size / (size - 1) for part, size in zip(parts, (m, 60 - m), strict=True)
    )
    np.testing.assert_allclose(rebuilt, covariance, rtol=1e-10)


def test_clusters_of_areas_are_those_of_a_bootstrap() -> None:
    rng = np.random.default_rng(2)
    clusters = np.repeat(np.arange(60), 8)
    truth = (rng.random(480) < 0.4).astype(int)
    shared = rng.normal(size=(2, 60)).repeat(8, axis=1)
    first, second = truth + shared + 0.5 * rng.normal(size=(2, 480))
    plain = rc.compare_measure("auc", truth, first, second)
    found = rc.compare_measure("auc", truth, first, second, clusters=clusters)
    twin = rc.compare_measure(roc_auc_score, truth, first, second, clusters=clusters, resamples=400)
    assert found.standard_error > 1.15 * plain.standard_error
    assert found.standard_error == pytest.approx(twin.standard_error, rel=0.12)
    assert found.df == 59


@pytest.mark.parametrize(
    ("name", "function"),
    [("f1", f1_score), ("precision", precision_score), ("recall", recall_score)],
)
def test_named_measures_are_scikit_learn_s(name: str, function) -> None:
    truth, first, second = drawn(300, 3)
    fast = rc.compare_measure(name, truth, first, second)  # type: ignore[arg-type]  # a parameter
    slow = rc.compare_measure(function, truth, first, second, resamples=400)
    assert (fast.first, fast.second) == pytest.approx((slow.first, slow.second), rel=1e-12)
    assert fast.standard_error == pytest.approx(slow.standard_error, rel=0.12)
    assert (fast.resamples, slow.resamples) == (10_000, 400)
    labels = np.array(["no", "yes"])
    words = rc.compare_measure(
        name,
        labels[truth],
        labels[first],
        labels[second],
        positive="yes",  # type: ignore[arg-type]  # a parameter
    )
    assert words.estimate == fast.estimate


def test_a_mean_by_sums_is_the_t_test_of_cases() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.normal(0.2, 1, 400), rng.normal(0, 1, 400)
    found = rc.compare_measure(
        lambda sums: sums[..., 0] / sums[..., 1],
        np.zeros(400),
        first,
        second,
        statistics=lambda truth, predicted: np.stack([predicted, np.ones(len(truth))], axis=1),
    )
    cases = rc.compare(rc.PairedCases(first=first, second=second)).evidence
    assert found.estimate == pytest.approx(cases.estimate)
    assert found.standard_error == pytest.approx(cases.standard_error, rel=0.03)
    assert found.pvalue == pytest.approx(cases.pvalue, abs=0.01)


def test_resampled_sums_are_sums_of_resamples() -> None:
    rows = np.random.default_rng(5).normal(size=(7, 3))
    found = resampling.resampled_sums(rows, 5000, np.random.default_rng(6))
    np.testing.assert_allclose(found.mean(axis=0), rows.sum(axis=0), atol=0.15)
    np.testing.assert_allclose(np.cov(found.T), 7 * np.cov(rows.T, bias=True), atol=0.5)
    ones = resampling.resampled_sums(np.ones((70_000, 1)), 30, np.random.default_rng(7))
    assert (ones == 70_000).all()


def test_swapping_mirrors_and_nothing_is_no_difference() -> None:
    truth, first, second = drawn(200, 8)
    one = rc.compare_measure("f1", truth, first, second)
    other = rc.compare_measure("f1", truth, second, first)
    assert other.estimate == -one.estimate
    assert other.pvalue == pytest.approx(one.pvalue)
    same = rc.compare_measure("auc", truth, first, first)
    assert (same.estimate, same.pvalue, same.replication) == (0, 1, None)
    assert "NaN" not in str(same.to_dict())


def test_equal_models_are_seldom_called_different() -> None:
    for name in ("f1", "auc"):
        rejected = 0
        for seed in range(300):
            rng = np.random.default_rng(seed)
            truth, first, second = drawn(150, seed, (0.85, 0.85))
            if name == "auc":
                first, second = truth + rng.normal(size=(2, 150))
            found = rc.compare_measure(name, truth, first, second, resamples=300)  # type: ignore[arg-type]  # a loop
            rejected += found.significant
        assert rejected / 300 < 0.06 + 2 * np.sqrt(0.05 * 0.95 / 300)


def test_it_is_told_in_words() -> None:
    truth, first, second = drawn(400, 9)
    found = rc.compare_measure("f1", truth, first, second, names=("new", "old"))
    said = " ".join(found.more().split())
    assert "f1, 400 cases" in said
    assert "paired bootstrap, 10,000 resamples" in said
    assert found.replication is not None
    assert "fresh data" in said
    assert "new" in found._repr_html_()


def by_area(good: Any, poor: Any) -> Finding:
    truth = np.arange(200) % 2
    scores = [truth + np.random.default_rng(1).normal(size=200) * noise for noise in (good, poor)]
    return rc.compare_measure("auc", truth, *scores, names=("new", "old"))


def by_tasks(good: float, poor: float, *, loss: bool = False) -> Finding:
    rng = np.random.default_rng(2)
    sides = [rng.normal(mean, 0.02, (2, 40)) for mean in (good, poor)]
    tasks = {
        task: rc.PairedCases(first=sides[0][at], second=sides[1][at], names=("new", "old"),
                             greater_is_better=not loss)
        for at, task in enumerate(("law", "maths"))
    }  # fmt: skip
    return compare_tasks(tasks, weights=None, measure="loss" if loss else "accuracy")


@pytest.mark.parametrize(
    ("found", "ahead", "words"),
    [
        (by_area(0.5, 3), "new", " points ["),
        (by_area(3, 0.5), "old", " points ["),
        (by_tasks(0.8, 0.7), "new", " points ["),
        (by_tasks(0.7, 0.8), "old", " points ["),
        (by_tasks(0.7, 0.8, loss=True), "new", " by 0."),
        (by_tasks(0.8, 0.7, loss=True), "old", " by 0."),
    ],
)
def test_it_is_said_who_is_ahead(found: Finding, ahead: str, words: str) -> None:
    assert found.significant
    assert found.estimate > 0 or ahead == "old"
    told = tell(found)
    said = told.headline
    assert said.startswith(f"{ahead} is better than ")
    assert words in said
    assert told.lines[0].remark.startswith("lower is better; p" if words == " by 0." else "p ")
    limits = said[said.index("[") + 1 : said.index("]")].split(", ")
    low, high = (float(end) for end in limits)
    assert 0 < low < high  # the interval of whoever is ahead


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (("auroc", [1, 0], [1, 0], [1, 0]), "one of auc, accuracy"),
        (("auc", [1, 1, 1], [1, 0, 1], [1, 0, 1]), "cases of both classes"),
        (("f1", list("ab"), list("ab"), list("aa")), "`positive` must be given"),
        (("f1", [1, 0, 1], [1, 0], [1, 0, 1]), "as long as `truth`"),
        ((lambda *_: "x", [1, 0, 1], [1, 0, 1], [1, 0, 0]), "returns one number"),
        ((lambda *_: float("nan"), [1, 0, 1], [1, 0, 1], [1, 0, 0]), "finite on every resample"),
    ],
)
def test_what_is_refused(call: tuple, sentence: str) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=sentence):
        rc.compare_measure(*call)


# ---------------------------------------------------------------- the command
def run(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["compare", *words, "--json"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def refused(*words: str) -> str:
    done = CliRunner().invoke(app, ["compare", *words], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert "Traceback" not in done.output
    return " ".join(done.stderr.split())


@pytest.fixture
def tested(tmp_path: Path) -> tuple[dict[str, Path], pd.DataFrame]:
    """One test set: a column per model, a row per model and case in another order, and classes."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 120)
    said = {
        name: (by * truth + rng.normal(size=120)).round(4) for name, by in (("a", 1.2), ("b", 0.4))
    }
    told = pd.DataFrame(
        {"id": range(120), "patient": rng.integers(0, 30, 120), "y_true": truth, **said}
    )
    frames = {
        "wide": told.rename(columns={"a": "prob_a", "b": "prob_b"}),
        "long": told.melt(["id", "patient", "y_true"], var_name="model", value_name="score").sample(
            frac=1, random_state=1
        ),
        "classes": pd.DataFrame({"truth": np.where(truth, "yes", "no"), **{
            f"{name}_pred": np.where(scores > 0.5, "yes", "no") for name, scores in said.items()}}),
    }  # fmt: skip
    files = {name: tmp_path / f"{name}.csv" for name in frames}
    for name, frame in frames.items():
        frame.to_csv(files[name], index=False)
    return files, told


def test_the_command_compares_predictions_by_a_measure(
    tested: tuple[dict[str, Path], pd.DataFrame], tmp_path: Path
) -> None:
    files, told = tested
    both = told["a"], told["b"]
    expected = rc.compare_measure("auc", told["y_true"], *both)
    grouped = rc.compare_measure("auc", told["y_true"], *both, clusters=told["patient"].tolist())
    for name in ("wide", "long"):
        alone = ("--columns", "cluster=none")
        found = run(str(files[name]), "--measure", "auc", "--first", "a", "--second", "b", *alone)
        assert found["names"] == ["a", "b"]
        assert found["pvalue"] == pytest.approx(expected.pvalue, rel=1e-12)
        assert found["first"] == pytest.approx(expected.first, rel=1e-12)
        assert found["replication"]["probability"] == expected.replication.probability
        assert f"for {expected.n} cases; true classes are in column y_true" in found["account"][0]
        for words in (("--columns", "cluster=patient"), ()):
            clustered = run(str(files[name]), "--measure", "auc", *words)
            assert clustered["pvalue"] == pytest.approx(grouped.pvalue, rel=1e-9)
        assert "Cases of one patient are taken as related" in clustered["account"][-1]
    extra = tmp_path / "extra.csv"
    pd.read_csv(files["wide"]).assign(age=range(120)).to_csv(extra, index=False)
    assert run(str(extra), "--measure", "auc")["pvalue"] == pytest.approx(grouped.pvalue)
    swapped = run(str(files["wide"]), "--measure", "auc", "--first", "b", "--second", "a")
    assert swapped["estimate"] == pytest.approx(-expected.estimate, rel=1e-12)
    classes = pd.read_csv(files["classes"])
    for measure in ("f1", "precision", "recall"):
        found = run(str(files["classes"]), "--measure", measure, "--positive", "yes")
        asked = rc.compare_measure(measure, *(classes[one] for one in classes), positive="yes")
        assert (found["first"], found["pvalue"]) == pytest.approx((asked.first, asked.pvalue))
    said = (
        CliRunner()
        .invoke(app, ["compare", str(files["wide"]), "--measure", "auc", "--more"])
        .stdout
    )
    assert "DeLong's standard error" in said
    assert "of 100 repeats" in said


def test_what_the_command_asks_about_measures(
    tested: tuple[dict[str, Path], pd.DataFrame], tmp_path: Path
) -> None:
    files, told = tested
    wide, classes = str(files["wide"]), str(files["classes"])
    assert "`--measure` must be one of auc, accuracy" in refused(wide, "--measure", "ac")
    assert "`--metric` must be left out with `--measure`" in refused(
        wide, "--measure", "auc", "--metric", "x"
    )
    assert "have `--measure auc` or brier" in refused(wide, "--measure", "f1")
    assert "`--positive` must be given" in refused(classes, "--measure", "f1")
    assert "`--positive` must be one of " in refused(classes, "--measure", "f1", "--positive", "y")
    assert "the scores of at least two models beside truth" in refused(classes, "--measure", "auc")
    assert "`--second` must be one of a, b" in refused(
        wide, "--measure", "auc", "--first", "a", "--second", "c"
    )
    for name, change, sentence in (
        ("fold", {"fold": [1, 2] * 60}, "left out unless the measure is a mean of cases"),
        ("dataset", {"dataset": ["x", "y"] * 60}, "`--dataset` must be one of x, y"),
        (
            "empty",
            {"a": [np.nan, *told["a"][1:]]},
            "column a: expected one of its scores, got an empty",
        ),
    ):
        path = tmp_path / f"{name}.csv"
        told.assign(**change).to_csv(path, index=False)
        assert sentence in refused(str(path), "--measure", "auc")
    path = tmp_path / "dataset.csv"
    assert run(str(path), "--measure", "auc", "--dataset", "x")["n"] == 60
    path = tmp_path / "none.csv"
    told.drop(columns="y_true").to_csv(path, index=False)
    assert "a column of true classes such as y_true" in refused(str(path), "--measure", "auc")
    long = pd.read_csv(files["long"])
    for name, frame, sentence in (
        ("gap", long.iloc[1:], "the same cases and truth for all"),
        ("twice", pd.concat([long, long.iloc[:1]]), "one row for each model and case"),
    ):
        path = tmp_path / f"{name}.csv"
        frame.to_csv(path, index=False)
        assert sentence in refused(str(path), "--measure", "auc")
