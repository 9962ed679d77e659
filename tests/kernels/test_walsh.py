"""Means of two observations, against lists of them."""

import math

import numpy as np
import pytest
from scipy import stats

import independent
from replicast.kernels import walsh


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_walsh_means_are_listed_and_searched(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    sample = np.random.default_rng(n).integers(-20, 21, size=n) / 4
    means = sorted((sample[i] + sample[j]) / 2 for i in range(n) for j in range(i, n))
    for value in (-9.0, means[0], means[-1], 0.0, 0.125, 9.0, means[len(means) // 2]):
        below = [mean for mean in means if mean <= value]
        expected = (
            len(below),
            max(below, default=-math.inf),
            min(means[len(below) :], default=math.inf),
        )
        assert walsh._split(np.sort(sample), float(value)) == expected
    for rank in range(1, len(means) + 1):
        found = walsh.quantile(sample, rank)
        assert found == means[rank - 1]
        assert type(found) is float
    monkeypatch.setattr(walsh, "_LIST_UP_TO", n - 1)
    for rank in range(1, len(means) + 1):
        found = walsh.quantile(sample, rank)
        assert found == means[rank - 1]
        assert type(found) is float


def test_long_samples_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    used = []
    plain = walsh._split

    def recorded(ordered: np.ndarray, value: float) -> tuple[int, float, float]:
        used.append(len(ordered))
        return plain(ordered, value)

    monkeypatch.setattr(walsh, "_split", recorded)
    assert walsh.quantile(np.zeros(400), 5) == 0.0
    assert walsh.quantile(np.arange(400.0), 1) == 0.0
    assert used == []
    low = np.r_[0.0, np.full(400, 1.0)]
    assert walsh.quantile(low, 1) == 0.0
    assert walsh.quantile(low, 2) == 0.5
    assert walsh.quantile(low, 402) == 1.0
    assert walsh.quantile(np.zeros(401), 5) == 0.0
    assert set(used) == {401}


@pytest.mark.parametrize("digits", [0, 2, 15])
def test_a_search_takes_few_looks(monkeypatch: pytest.MonkeyPatch, digits: int) -> None:
    """Ties at zero once took more than a thousand halvings, down to the least float."""
    looks = []
    plain = walsh._split

    def recorded(ordered: np.ndarray, value: float) -> tuple[int, float, float]:
        looks.append(value)
        return plain(ordered, value)

    monkeypatch.setattr(walsh, "_split", recorded)
    sample = np.random.default_rng(0).normal(size=500).round(digits)
    means = np.sort(np.add.outer(sample, sample)[np.triu_indices(500)] / 2)
    for rank in (1, 60_000, 62_625, 90_000, len(means)):
        looks.clear()
        assert walsh.quantile(sample, rank) == means[rank - 1]
        assert len(looks) <= 25


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
def test_pseudomedian_is_the_median_of_means(n: int) -> None:
    sample = np.random.default_rng(n + 20).normal(size=n)
    means = [(sample[i] + sample[j]) / 2 for i in range(n) for j in range(i, n)]
    assert walsh.pseudomedian(sample) == pytest.approx(float(np.median(means)), rel=1e-14)


@pytest.mark.parametrize("n", [6, 9, 12])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95])
def test_pseudomedian_interval_by_counting(n: int, confidence: float) -> None:
    sample = np.random.default_rng(n).normal(size=n)
    _, low, high = independent.pseudomedian(sample.tolist(), confidence)
    assert walsh.pseudomedian_interval(sample, confidence) == pytest.approx((low, high), rel=1e-13)


def test_pseudomedian_interval_of_few() -> None:
    five = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    assert walsh.pseudomedian_interval(five, 0.95) == (-math.inf, math.inf)
    assert walsh.pseudomedian_interval(five, 0.9375) == (1.0, 16.0)  # exactly 2/32 outside
    assert walsh.pseudomedian_interval(five, 0.875) == (1.5, 12.0)
    assert walsh.pseudomedian_interval(five[:1], 0.5) == (-math.inf, math.inf)


def test_pseudomedian_interval_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = np.random.default_rng(0).normal(0.2, 1.0, size=30)
    means = sorted((sample[i] + sample[j]) / 2 for i in range(30) for j in range(i, 30))
    monkeypatch.setattr(walsh, "_EXACT_INTERVAL_UP_TO", 29)
    k = math.floor(465 / 2 - stats.norm.ppf(0.95) * math.sqrt(30 * 31 * 61 / 24))
    found = walsh.pseudomedian_interval(sample, 0.9)
    assert found == pytest.approx((means[k - 1], means[465 - k]), rel=1e-13)
    wide = walsh.pseudomedian_interval(sample, 1 - 1e-7)
    assert wide == (-math.inf, math.inf)


def test_interval_is_counted_up_to_two_hundred(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    plain = walsh.untied_lower_tail

    def recorded(n: int) -> np.ndarray:
        seen.append(n)
        return plain(n)

    monkeypatch.setattr(walsh, "untied_lower_tail", recorded)
    for n in (200, 201):
        walsh.pseudomedian_interval(np.arange(float(n)), 0.95)
    assert seen == [200]
