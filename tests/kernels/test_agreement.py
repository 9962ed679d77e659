"""Replicability estimators, against counted pairs and enumerated outcomes."""

import math

import numpy as np
import pytest
from scipy import stats

import independent
from replicast.kernels import agreement


def test_disjoint_pairs_by_hand() -> None:
    outcomes = np.array([[0, 0, 1, 0, 2, 2, 1], [0, 1, 1, 0, 0, 2, 2], [3, 3, 3, 3, 3, 3, 0]])
    found = agreement.equal_disjoint_pairs(outcomes)
    assert isinstance(found, np.ndarray)
    np.testing.assert_allclose(found, [2 / 3, 0.0, 1.0])
    single = agreement.equal_disjoint_pairs(outcomes[0])
    assert isinstance(single, np.ndarray)
    assert single == 2 / 3
    assert agreement.equal_disjoint_pairs(np.zeros((2, 3, 4), dtype=np.int64)).shape == (2, 3)
    assert agreement.equal_disjoint_pairs(np.array([1, 1])) == 1.0
    assert agreement.equal_disjoint_pairs(np.array([1, 0, 0, 1])) == 0.0


def test_all_pairs_are_counted() -> None:
    counts = np.array([[3, 2, 0], [1, 1, 3], [5, 0, 0], [2, 1, 2]])
    found = agreement.equal_pairs(counts)
    expected = [independent.r2_of([v for v in range(3) for _ in range(row[v])]) for row in counts]
    np.testing.assert_allclose(found, expected, rtol=1e-15)
    single = agreement.equal_pairs(counts[0])
    assert isinstance(single, np.ndarray)
    assert single == 0.4
    assert agreement.equal_pairs(counts.reshape(2, 2, 3)).shape == (2, 2)


@pytest.mark.parametrize("n", [2, 5, 6, 9])
@pytest.mark.parametrize("r", [0.5, 0.55, 0.8, 1.0])
def test_variances_are_those_of_the_enumerated_outcomes(r: float, n: int) -> None:
    assert agreement.disjoint_pairs_variance(r, n) == pytest.approx(independent.var_r1(r, n))
    assert agreement.pairs_variance(r, n) == pytest.approx(independent.var_r2(r, n), abs=1e-15)


def test_variance_of_impossible_replicability_is_that_of_a_half() -> None:
    assert agreement.pairs_variance(0.3, 6) == agreement.pairs_variance(0.5, 6) > 0
    assert agreement.pairs_variance(1.0, 6) == 0.0
    assert 0 <= agreement.pairs_variance(1 - 1e-16, 1000) < 1e-12


@pytest.mark.parametrize(
    ("accepted", "n"), [(0, 5), (5, 5), (1, 9), (3, 9), (8, 9), (25, 30), (5, 30), (1, 2)]
)
@pytest.mark.parametrize("confidence", [0.5, 0.9])
def test_interval_of_agreement_from_the_exact_binomial(
    accepted: int, n: int, confidence: float
) -> None:
    low, high = agreement.pairs_interval(accepted, n, confidence)
    rate = stats.binomtest(accepted, n).proportion_ci(confidence)
    grid = np.linspace(rate.low, rate.high, 200_001)
    agree = grid**2 + (1 - grid) ** 2
    assert low == pytest.approx(agree.min(), abs=1e-9)
    assert high == pytest.approx(agree.max(), abs=1e-9)
    assert type(low) is float
    assert type(high) is float


def test_interval_of_agreement_by_hand() -> None:
    assert agreement.pairs_interval(4, 4, 0.9) == (0.5, 1.0)  # p from 0.05**(1/4) = 0.47
    assert agreement.pairs_interval(0, 4, 0.9) == (0.5, 1.0)
    low = 0.05 ** (1 / 8)
    assert agreement.pairs_interval(8, 8, 0.9) == (pytest.approx(low**2 + (1 - low) ** 2), 1.0)
    assert agreement.pairs_interval(0, 8, 0.9) == (pytest.approx(low**2 + (1 - low) ** 2), 1.0)
    assert agreement.pairs_interval(1, 1, 0.0) == (0.5, 1.0)  # p from exactly one half
    assert agreement.pairs_interval(0, 1, 0.0) == (0.5, 1.0)


def test_interval_of_a_mean_is_students_within_zero_and_one() -> None:
    values = np.array([0.4, 0.5, 0.7])
    low, high = agreement.mean_interval(values, 0.8)
    expected = stats.t.interval(0.8, 2, values.mean(), values.std(ddof=1) / math.sqrt(3))
    assert (low, high) == pytest.approx(expected)
    assert type(low) is float
    assert type(high) is float
    assert agreement.mean_interval(np.array([0.1, 0.9]), 0.95) == (0.0, 1.0)
    two = np.array([0.4, 0.6])
    assert agreement.mean_interval(two, 0.5) == pytest.approx((0.4, 0.6))  # t is 1 for df 1
    assert agreement.mean_interval(np.array([0.3]), 0.95) == (0.0, 1.0)
    assert agreement.mean_interval(np.array([0.0, 0.02, 0.2]), 0.95)[0] == 0.0
    assert agreement.mean_interval(np.array([1.0, 0.98, 0.8]), 0.95)[1] == 1.0
