"""AUC, F1 and any function of cases: goldens of pROC, slow twins, and levels."""

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_score, recall_score, roc_auc_score

import replicast as rc
from goldens import golden
from replicast.kernels import resampling
from replicast.kernels.cases import roc_areas, roc_influences


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
    said = " ".join(str(rc.narrate_measure(found)).split())
    assert said.startswith("new against old (f1, 400 cases)")
    assert "paired bootstrap, 10,000 resamples" in said
    assert found.replication is not None
    assert "fresh data" in said
    assert "new" in found._repr_html_()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (("auroc", [1, 0], [1, 0], [1, 0]), "one of auc, f1"),
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
