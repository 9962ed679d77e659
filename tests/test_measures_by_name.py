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
    assert two.method == "cases"


@pytest.mark.parametrize("case", golden("measures")[0], ids=lambda case: case["measure"])
def test_as_jiwer_and_lifelines(case: dict[str, Any]) -> None:
    found = rc.compare_measure(
        case["measure"], case["truth"], case["predicted"], case["predicted"], resamples=100
    )
    assert found.first == pytest.approx(case["value"], abs=1e-12)


# every measure once more, as a function of how often each case was drawn, (draws, cases)
def by_cases(values: np.ndarray) -> Any:
    return lambda drawn: drawn @ values / drawn.sum(axis=1)


def by_confusion(truth: np.ndarray, said: np.ndarray, value: Any) -> Any:
    """Return a measure of right answers, true cases and predictions of each class."""
    classes = np.unique(truth)

    def measured(drawn: np.ndarray) -> np.ndarray:
        right, true, told = (
            np.stack([drawn @ (mask.astype(float)) for mask in masks], axis=1)
            for masks in (
                [(truth == c) & (said == c) for c in classes],
                [truth == c for c in classes],
                [said == c for c in classes],
            )
        )
        return np.asarray(value(right, true, told, drawn.sum(axis=1)))

    return measured


def by_area(truth: np.ndarray, scores: np.ndarray) -> Any:
    """Return the share of pairs of a positive and a negative case in the right order."""
    above = scores[truth == 1][:, None] - scores[truth == 0]
    order = (above > 0) + 0.5 * (above == 0)

    def measured(drawn: np.ndarray) -> np.ndarray:
        up, down = drawn[:, truth == 1], drawn[:, truth == 0]
        return np.asarray(((up @ order) * down).sum(axis=1) / (up.sum(axis=1) * down.sum(axis=1)))

    return measured


def by_precision(truth: np.ndarray, scores: np.ndarray) -> Any:
    """Return the mean precision, threshold by threshold."""

    def measured(drawn: np.ndarray) -> np.ndarray:
        total, before = np.zeros(len(drawn)), np.zeros(len(drawn))
        for score in np.unique(scores)[::-1]:
            kept = scores >= score
            hits = drawn[:, kept] @ truth[kept]
            total += (hits - before) * hits / np.maximum(drawn[:, kept].sum(axis=1), 1)
            before = hits
        return np.asarray(total / before)

    return measured


def by_bins(truth: np.ndarray, predicted: np.ndarray) -> Any:
    sure, right = predicted.max(axis=1), predicted.argmax(axis=1) == truth
    at = np.ceil(sure * 15).astype(int)
    gaps = [np.where(at == one, sure - right, 0.0) for one in np.unique(at)]
    return lambda drawn: sum(np.abs(drawn @ gap) for gap in gaps) / drawn.sum(axis=1)


def by_order(known: np.ndarray, risk: np.ndarray) -> Any:
    time, event = known.T
    later = (time[:, None] < time) | ((time[:, None] == time) & (event == 0))
    pairs = ((event[:, None] == 1) & later).astype(float)
    order = pairs * ((risk[:, None] > risk) + 0.5 * (risk[:, None] == risk))
    return lambda drawn: (
        ((drawn @ order) * drawn).sum(axis=1) / ((drawn @ pairs) * drawn).sum(axis=1)
    )


def explained(truth: np.ndarray, said: np.ndarray) -> Any:
    def measured(drawn: np.ndarray) -> np.ndarray:
        n = drawn.sum(axis=1)
        spread = drawn @ truth**2 - (drawn @ truth) ** 2 / n
        return np.asarray(1 - drawn @ (truth - said) ** 2 / spread)

    return measured


def f1_of(right: Any, true: Any, told: Any, _: Any) -> Any:
    return 2 * right / (true + told)


def mcc_of(right: Any, true: Any, told: Any, n: Any) -> Any:
    above = n * right.sum(axis=1) - (true * told).sum(axis=1)
    below = [n**2 - (part**2).sum(axis=1) for part in (true, told)]
    return above / np.sqrt(below[0] * below[1])


def kappa_of(right: Any, true: Any, told: Any, n: Any) -> Any:
    seen, chance = right.sum(axis=1) / n, (true * told).sum(axis=1) / n**2
    return (seen - chance) / (1 - chance)


OF_COUNTS: dict[str, Any] = {
    "balanced-accuracy": lambda r, t, _s, _n: (r / t).mean(axis=1),
    "f1": lambda r, t, s, n: f1_of(r, t, s, n)[:, 1],
    "precision": lambda r, _t, s, _n: (r / s)[:, 1],
    "recall": lambda r, t, _s, _n: (r / t)[:, 1],
    "macro-f1": lambda r, t, s, n: f1_of(r, t, s, n).mean(axis=1),
    "weighted-f1": lambda r, t, s, n: (t * f1_of(r, t, s, n)).sum(axis=1) / n,
    "mcc": mcc_of,
    "kappa": kappa_of,
}


def of_draws(name: str, truth: Any, said: Any) -> Any:
    """Return a measure as a function of how often each case was drawn."""
    if name in OF_COUNTS:
        return by_confusion(truth, said, OF_COUNTS[name])
    match name:
        case "auc":
            return by_area(truth, said)
        case "auc-ovr":
            areas = [by_area((truth == c).astype(int), said[:, c]) for c in range(3)]
            return lambda drawn: sum(area(drawn) for area in areas) / 3
        case "average-precision":
            return by_precision(truth, said)
        case "ece":
            return by_bins(truth, said)
        case "r2":
            return explained(truth, said)
        case "wer" | "ratio":
            return lambda drawn: (drawn @ said) / (drawn @ truth)
        case "c-index":
            return by_order(truth, said)
        case "accuracy":
            return by_cases((truth == said).astype(float))
        case "mae":
            return by_cases(np.abs(truth - said))
        case "log-loss":
            return by_cases(-np.log(said[np.arange(N), truth]))
        case "pass@2":
            right = said.sum(axis=1)
            return by_cases(1 - (4 - right) * (3 - right) / 12)
        case _:
            return by_cases((truth - said) ** 2)


@pytest.mark.parametrize("name", KINDS)
def test_the_error_is_that_of_a_bootstrap(name: str) -> None:
    """Of 20,000 resamples, in each of which the second implementation computes the measure anew."""
    truth, first, second, _ = KINDS[name]
    found = rc.compare_measure(name, truth, first, second, rng=1)
    one, other = (of_draws(name, truth, said) for said in (first, second))
    once = np.ones((1, N))
    assert float(one(once)[0]) == pytest.approx(found.first, abs=1e-12)
    rng = np.random.default_rng(2)
    gaps = []
    for _ in range(20):
        drawn = rng.multinomial(N, np.full(N, 1 / N), size=1000).astype(float)
        gaps.append(one(drawn) - other(drawn))
    assert found.standard_error == pytest.approx(np.concatenate(gaps).std(ddof=1), rel=0.03)


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
