"""Measures by name: each is that of scikit-learn, jiwer or lifelines, with the error of a bootstrap."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

import replicast as rc
from goldens import golden
from replicast.comparison.measure_rows import MEASURES, NAMED

RNG = np.random.default_rng(33)
N = 300
THREE = RNG.integers(3, size=N)
TWO = RNG.integers(2, size=N)
TARGET = RNG.normal(size=N)


def classes(share: float) -> np.ndarray:
    return np.where(RNG.random(N) < share, THREE, RNG.integers(3, size=N))


def pair_of_classes(share: float) -> np.ndarray:
    return np.where(RNG.random(N) < share, TWO, RNG.integers(2, size=N))


def chances(strength: float) -> np.ndarray:
    raw = np.exp(strength * np.eye(3)[THREE] + RNG.normal(size=(N, 3)))
    return raw / raw.sum(axis=1, keepdims=True)


def chance(strength: float) -> np.ndarray:
    return 1 / (1 + np.exp(-(strength * (2 * TWO - 1) + RNG.normal(size=N)))).round(3)


def ece(truth: np.ndarray, predicted: np.ndarray) -> float:
    """Return the calibration error of fifteen bins, bin by bin."""
    sure, right = predicted.max(axis=1), predicted.argmax(axis=1) == truth
    total = 0.0
    for low in range(15):
        within = (sure > low / 15) & (sure <= (low + 1) / 15)
        if within.any():
            total += within.mean() * abs(sure[within].mean() - right[within].mean())
    return total


def pass_at(k: int) -> Any:
    def value(_: Any, answers: np.ndarray) -> float:
        """Count all choices of k answers."""
        chosen = list(combinations(range(answers.shape[1]), k))
        return float(np.mean([[row[list(some)].max() for some in chosen] for row in answers]))

    return value


KINDS: dict[str, tuple[Any, Any, Any, Any]] = {
    "accuracy": (THREE, classes(0.7), classes(0.6), metrics.accuracy_score),
    "balanced-accuracy": (THREE, classes(0.7), classes(0.6), metrics.balanced_accuracy_score),
    "f1": (TWO, pair_of_classes(0.7), pair_of_classes(0.6), metrics.f1_score),
    "precision": (TWO, pair_of_classes(0.7), pair_of_classes(0.6), metrics.precision_score),
    "recall": (TWO, pair_of_classes(0.7), pair_of_classes(0.6), metrics.recall_score),
    "macro-f1": (THREE, classes(0.7), classes(0.6),
                 lambda t, p: metrics.f1_score(t, p, average="macro")),
    "weighted-f1": (THREE, classes(0.7), classes(0.6),
                    lambda t, p: metrics.f1_score(t, p, average="weighted")),
    "mcc": (THREE, classes(0.7), classes(0.6), metrics.matthews_corrcoef),
    "kappa": (THREE, classes(0.7), classes(0.6), metrics.cohen_kappa_score),
    "auc": (TWO, chance(0.8), chance(0.6), metrics.roc_auc_score),
    "auc-ovr": (THREE, chances(1.2), chances(0.9),
                lambda t, p: metrics.roc_auc_score(t, p, multi_class="ovr", average="macro")),
    "average-precision": (TWO, chance(0.8), chance(0.6), metrics.average_precision_score),
    "brier": (TWO, chance(0.8), chance(0.6), metrics.brier_score_loss),
    "log-loss": (THREE, chances(1.2), chances(0.9), metrics.log_loss),
    "ece": (THREE, chances(1.2), chances(0.3), ece),
    "mse": (TARGET, TARGET + RNG.normal(size=N), TARGET + 1.2 * RNG.normal(size=N),
            metrics.mean_squared_error),
    "mae": (TARGET, TARGET + RNG.normal(size=N), TARGET + 1.2 * RNG.normal(size=N),
            metrics.mean_absolute_error),
    "r2": (TARGET, TARGET + 0.5 * RNG.normal(size=N), TARGET + 0.6 * RNG.normal(size=N),
           metrics.r2_score),
    "wer": (RNG.integers(5, 30, size=N), RNG.integers(0, 6, size=N), RNG.integers(0, 5, size=N),
            lambda t, p: p.sum() / t.sum()),
    "ratio": (RNG.integers(5, 30, size=N), RNG.integers(0, 6, size=N), RNG.integers(0, 5, size=N),
              lambda t, p: p.sum() / t.sum()),
    "c-index": (np.stack([RNG.exponential(size=N).round(2), RNG.random(N) < 0.7], axis=1),
                RNG.normal(size=N), RNG.normal(size=N).round(1), None),
    "pass@2": (None, RNG.random((N, 4)) < 0.5, RNG.random((N, 4)) < 0.4, pass_at(2)),
}  # fmt: skip


def test_every_measure_is_tried() -> None:
    assert {*KINDS} - {"pass@2"} | {"pass@k"} == set(NAMED)


@pytest.mark.parametrize("name", KINDS)
def test_the_value_is_that_of_another_program(name: str) -> None:
    truth, first, second, value = KINDS[name]
    found = rc.compare_measure(name, truth, first, second, resamples=100)
    better = (
        1
        if name == "auc" or name not in MEASURES
        else (1 if MEASURES[name].greater_is_better else -1)
    )
    assert found.estimate == pytest.approx(better * (found.first - found.second), abs=1e-15)
    if value is not None:
        assert found.first == pytest.approx(value(truth, first), abs=1e-12)
        assert found.second == pytest.approx(value(truth, second), abs=1e-12)


def test_several_classes_of_the_brier_score() -> None:
    one, other = chances(1.2), chances(0.9)
    found = rc.compare_measure("brier", THREE, one, other)
    assert found.first == pytest.approx(metrics.brier_score_loss(THREE, one), abs=1e-12)
    two = rc.compare_measure("log-loss", TWO, chance(0.8), chance(0.7))
    assert two.way == "cases"


@pytest.mark.parametrize("case", golden("measures")[0], ids=lambda case: case["measure"])
def test_as_jiwer_and_lifelines(case: dict[str, Any]) -> None:
    found = rc.compare_measure(
        case["measure"], case["truth"], case["predicted"], case["predicted"], resamples=100
    )
    assert found.first == pytest.approx(case["value"], abs=1e-12)


@pytest.mark.parametrize("name", KINDS)
def test_the_error_is_that_of_a_bootstrap(name: str) -> None:
    """Of 20,000 resamples; of fewer where a measure has to be computed anew for each."""
    truth, first, second, value = KINDS[name]
    found = rc.compare_measure(name, truth, first, second, rng=1)
    rng = np.random.default_rng(2)
    if found.way == "cases":
        gaps = np.subtract(*(case_values(name, truth, side) for side in (first, second)))
        error = gaps[rng.integers(0, N, size=(20_000, N))].mean(axis=1).std(ddof=1)
        assert found.standard_error == pytest.approx(error, rel=0.03)
        return
    if found.resamples:
        again = rc.compare_measure(name, truth, first, second, rng=3, resamples=20_000)
        assert found.standard_error == pytest.approx(again.standard_error, rel=0.03)
    count = 200
    value = concordance if name == "c-index" else value
    drawn = rng.integers(0, N, size=(count, N))
    gaps = [value(truth[at], first[at]) - value(truth[at], second[at]) for at in drawn]
    tolerance = 0.03 + 3 / np.sqrt(2 * count)
    assert found.standard_error == pytest.approx(np.std(gaps, ddof=1), rel=tolerance)


def case_values(name: str, truth: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """Return what every case adds to a mean, written out."""
    match name:
        case "accuracy":
            return (truth == predicted).astype(float)
        case "mae":
            return np.abs(truth - predicted)
        case "log-loss":
            return -np.log(predicted[np.arange(N), truth])
        case "pass@2":
            right = predicted.sum(axis=1)
            return 1 - (4 - right) * (3 - right) / 12
        case _:
            return (truth - predicted) ** 2


def concordance(known: np.ndarray, risk: np.ndarray) -> float:
    time, event = known.T
    later = (time[:, None] < time) | ((time[:, None] == time) & (event == 0))
    pairs = (event[:, None] == 1) & later
    higher, same = risk[:, None] > risk, risk[:, None] == risk
    return float((pairs * (higher + 0.5 * same)).sum() / pairs.sum())


def test_clusters_and_what_is_refused() -> None:
    groups = np.repeat(np.arange(60), 5)
    for name in ("mse", "r2", "c-index"):
        truth, first, second, _ = KINDS[name]
        found = rc.compare_measure(name, truth, first, second, clusters=groups, resamples=500)
        assert found.clusters == 60
    for name, truth, first, words in (
        ("macro-f2", THREE, THREE, "`measure` must be one of auc"),
        ("brier", TWO, 2.0 * TWO, "`first` must be probabilities that add up to 1"),
        ("mse", TARGET, TARGET * np.nan, "`first` must be a finite number for every case"),
        ("r2", 0 * TARGET, TARGET, "`truth` must be numbers that differ"),
        ("wer", 0 * TWO, TWO, "`truth` must be what to divide by"),
        ("pass@5", None, KINDS["pass@2"][1], "`first` must be at least 5 answers to every case"),
        ("mcc", None, THREE, "`truth` must be given for mcc"),
        (
            "log-loss",
            THREE,
            chances(1)[:, :2],
            "`first` must be a column for each of the 3 classes",
        ),
        ("c-index", TWO, TWO, "`truth` must be a finite number for every case"),
    ):
        with pytest.raises(rc.InvalidArgumentError, match=words):
            rc.compare_measure(name, truth, first, first)
