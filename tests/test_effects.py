"""Effects, their intervals and labels."""

import numpy as np
import pytest

import independent as check
import replicast as rc
from replicast.effects import RULES, label_effect

EFFECTS = (
    rc.mean_difference, rc.standardized_difference, rc.rank_effect, rc.probability_of_superiority,
    rc.cliffs_delta, rc.rank_biserial,
)  # fmt: skip


def pair(first, second=None, design=None):
    second = np.zeros(len(first)) if second is None else second
    return rc.PairedScores(first=first, second=second, design=design or rc.Datasets())


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda f: f.__name__)
def test_swap_mirrors_and_interval_holds_the_estimate(effect) -> None:
    rng = np.random.default_rng(0)
    for n in (3, 8, 25):
        scores = pair(rng.normal(0.4, 1, n).round(1), rng.normal(0, 1, n).round(1))
        one, other = effect(scores), effect(scores.swapped())
        centre = 1.0 if effect is rc.probability_of_superiority else 0.0
        assert other.estimate == pytest.approx(centre - one.estimate, abs=1e-12)
        assert other.label == one.label
        low, high = one.confidence_interval()
        assert low <= one.estimate <= high
        narrow = one.confidence_interval(0.5)
        assert low <= narrow.low <= narrow.high <= high
        mirrored = other.confidence_interval()
        assert (centre - mirrored.high, centre - mirrored.low) == pytest.approx(
            (low, high), abs=1e-7
        )
        assert one.to_dict()["confidence_interval"] == [low, high]


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("difference", [0.0, 0.1])
def test_constant_differences_are_never_nan(effect, difference: float) -> None:
    found = effect(pair(np.full(7, 0.5 + difference), np.full(7, 0.5)))
    assert not np.isnan(found.estimate)
    assert not np.isnan(found.confidence_interval()).any()


@pytest.mark.parametrize("true", [0.0, 0.5, 1.0])
def test_interval_of_standardized_difference_covers(true: float) -> None:
    rng = np.random.default_rng(2)
    hits = []
    for _ in range(300):
        low, high = rc.standardized_difference(pair(rng.normal(true, 1, 12))).confidence_interval()
        hits.append(low <= true <= high)
    assert np.mean(hits) == pytest.approx(0.95, abs=0.04)


@pytest.mark.parametrize("shift", [0.0, 0.6, 1.5])
def test_interval_of_superiority_covers(shift: float) -> None:
    from scipy.special import ndtr

    rng = np.random.default_rng(3)
    true = float(ndtr(shift / np.sqrt(2)))
    hits = []
    for _ in range(400):
        x = rng.normal(size=(2, 25))
        second = x[0]
        first = 0.5 * x[0] + np.sqrt(0.75) * x[1] + shift  # paired: correlation one half
        low, high = rc.probability_of_superiority(pair(first, second)).confidence_interval()
        hits.append(low <= true <= high)
    assert np.mean(hits) > 0.92


def test_effects_against_brute_force() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        a, b = rng.integers(0, 6, 9).astype(float), rng.integers(0, 6, 9).astype(float)
        assert rc.probability_of_superiority(pair(a, b)).estimate == pytest.approx(
            check.a12(a.tolist(), b.tolist())
        )
        assert rc.cliffs_delta(pair(a, b)).estimate == pytest.approx(
            check.cliffs_delta(a.tolist(), b.tolist())
        )


def test_labels_by_their_named_rules() -> None:
    d = [label_effect(x, "cohen-1988-d") for x in (0.19, 0.2, 0.5, 0.8, 1.3)]
    assert d == ["negligible", "small", "medium", "large", "very large"]
    assert [label_effect(-x, "cohen-1988-r") for x in (0.05, 0.1, 0.3, 0.5)] == [
        "negligible", "small", "medium", "large",
    ]  # fmt: skip
    for cuts, words in RULES.values():
        assert len(words) == len(cuts) + 1


def test_accuracy_difference_interval_covers() -> None:
    rng = np.random.default_rng(5)
    hits = []
    for _ in range(500):
        x = rng.choice([1, -1, 0], p=[0.15, 0.05, 0.8], size=60)
        scores = pair((x > 0) * 1.0, (x < 0) * 1.0, rc.Holdout())
        low, high = rc.accuracy_difference(scores).confidence_interval()
        hits.append(low <= 0.10 <= high)
    assert np.mean(hits) == pytest.approx(0.95, abs=0.03)
