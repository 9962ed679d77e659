"""Effects, their intervals and labels."""

import math

import numpy as np
import pytest

import independent as check
import replicast as rc
from replicast.effects import RULES, label_effect

EFFECTS = (
    rc.effects.mean_difference,
    rc.effects.standardized_difference,
    rc.effects.rank_effect,
    rc.effects.probability_of_superiority,
    rc.effects.cliffs_delta,
    rc.effects.rank_biserial,
)


def pair(first, second=None, design=None):
    second = np.zeros(len(first)) if second is None else second
    return rc.PairedScores(first=first, second=second, design=design or rc.Datasets())


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda f: f.__name__)
def test_swap_mirrors_and_interval_holds_the_estimate(effect) -> None:
    rng = np.random.default_rng(0)
    for n in (3, 8, 25):
        scores = pair(rng.normal(0.4, 1, n).round(1), rng.normal(0, 1, n).round(1))
        one, other = effect(scores), effect(scores.swapped())
        centre = 1.0 if effect is rc.effects.probability_of_superiority else 0.0
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
        low, high = rc.effects.standardized_difference(
            pair(rng.normal(true, 1, 12))
        ).confidence_interval()
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
        low, high = rc.effects.probability_of_superiority(pair(first, second)).confidence_interval()
        hits.append(low <= true <= high)
    assert np.mean(hits) > 0.92


def test_effects_against_brute_force() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        a, b = rng.integers(0, 6, 9).astype(float), rng.integers(0, 6, 9).astype(float)
        assert rc.effects.probability_of_superiority(pair(a, b)).estimate == pytest.approx(
            check.a12(a.tolist(), b.tolist())
        )
        assert rc.effects.cliffs_delta(pair(a, b)).estimate == pytest.approx(
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
        low, high = rc.effects.accuracy_difference(scores).confidence_interval()
        hits.append(low <= 0.10 <= high)
    assert np.mean(hits) == pytest.approx(0.95, abs=0.03)


# --------------------------------------------------------------------------- intervals and zero
def test_rank_biserial_of_five_wins_holds_zero() -> None:
    """Five of five positive: p = 0.0625, so zero is not ruled out."""
    pair = rc.PairedScores(first=[5.0, 4, 3, 2, 1], second=[0.0] * 5, design=rc.Datasets())
    low, high = rc.effects.rank_biserial(pair).confidence_interval()
    tosses, t = 3 * 5 * 6 / (2 * 11), 2.7764451
    doubt = t**2 / tosses
    share = ((1 + doubt / 2) - math.sqrt(doubt * doubt / 4)) / (1 + doubt)
    assert low == pytest.approx(2 * share - 1, abs=1e-6)
    assert low < 0 < high == 1


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_rank_biserial_and_the_test_agree_about_zero(confidence: float) -> None:
    rng = np.random.default_rng(5)
    told = 0
    for _ in range(400):
        n = int(rng.integers(4, 25))
        differences = rng.normal(rng.uniform(0, 0.9), 1, size=n)
        pair = rc.PairedScores(first=differences, second=np.zeros(n), design=rc.Datasets())
        found = rc.effects.rank_biserial(pair)
        low, high = found.confidence_interval(confidence)
        significant = rc.signed_rank(pair).pvalue < 1 - confidence
        assert low >= 0 or high <= 0 if significant else low <= 0 <= high
        told += "interval-ends-at-zero" in {caution.code for caution in found.cautions}
    assert told > 0


def test_rank_biserial_intervals_cover() -> None:
    """True share of rank sum by enumeration of pairs: P(X > 0) among Walsh averages, simulated."""
    rng = np.random.default_rng(6)
    for n, least in ((4, 0.95), (6, 0.95), (10, 0.94), (20, 0.9)):
        for draw in (
            lambda size: rng.normal(0.5, 1, size),
            lambda size: rng.exponential(1, size) - 0.7,
            lambda size: rng.standard_t(3, size) + 0.8,
        ):
            sums = draw((40_000, n))
            rows = np.abs(sums).argsort(axis=1).argsort(axis=1) + 1
            truth = 2 * float(((rows * (sums > 0)).sum(axis=1) / (n * (n + 1) / 2)).mean()) - 1
            inside = 0
            for _ in range(400):
                pair = rc.PairedScores(first=draw(n), second=np.zeros(n), design=rc.Datasets())
                low, high = rc.effects.rank_biserial(pair).confidence_interval()
                inside += low <= truth <= high
            assert inside / 400 >= least - 0.035, n


REVIEWED = [0.03, 0.02, 0.06, 0.05, -0.02, -0.01, 0.03, 0.02, 0.03, 0.03]


def five_by_two(differences: list[float] | np.ndarray) -> rc.PairedScores:
    return rc.PairedScores(
        first=np.asarray(differences), second=np.zeros(10), design=rc.FiveByTwo()
    )


def test_the_interval_of_five_by_two_inverts_its_test() -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        rows = rng.normal(0.02, 0.03, size=10)
        found = rc.five_by_two_ftest(five_by_two(rows))
        low, high = found.confidence_interval()
        if not np.isfinite(low):
            continue
        for end in (low, high):
            assert rc.five_by_two_ftest(five_by_two(rows - end)).pvalue == pytest.approx(0.05)
        inside = rc.five_by_two_ftest(five_by_two(rows - rows.mean())).pvalue
        assert inside > 0.05
        assert (found.pvalue < 0.05) == (not low <= 0 <= high)


def test_runs_that_disagree_more_than_their_folds_have_no_interval() -> None:
    found = rc.five_by_two_ftest(five_by_two(REVIEWED))
    assert found.pvalue == pytest.approx(0.0009, abs=5e-5)
    assert found.confidence_interval() == (-math.inf, math.inf)
    assert "no-interval" in {caution.code for caution in found.cautions}
    compared = rc.compare(five_by_two(REVIEWED))
    assert "no-interval" in {caution.code for caution in compared.cautions}
    grid = np.linspace(-0.2, 0.2, 81)
    assert all(
        rc.five_by_two_ftest(five_by_two(np.array(REVIEWED) - g)).pvalue < 0.05 for g in grid
    )
