"""Repeated counts, against sums over outcomes."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from replicast.kernels import replication_counts as counts
from replicast.kernels.counts import critical_wins, upper_tail


@pytest.mark.parametrize("trials", [1, 4, 7])
def test_the_power_of_counts_is_counted(trials: int) -> None:
    theta = np.array([0.0, 0.2, 0.5, 0.9, 1.0])
    for critical in range(-1, trials + 3):
        expected = [
            sum(math.comb(trials, i) * t**i * (1 - t) ** (trials - i) for i in range(trials + 1))
            if critical <= 0
            else sum(
                math.comb(trials, i) * t**i * (1 - t) ** (trials - i)
                for i in range(critical, trials + 1)
            )
            for t in theta
        ]
        found = upper_tail(np.asarray(critical), np.asarray(trials), theta)
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(("wins", "trials"), [(0, 5), (5, 5), (2, 9), (8, 9), (1, 1), (0, 1)])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_clopper_pearson_like_scipy(wins: int, trials: int, confidence: float) -> None:
    low, high = counts.clopper_pearson(wins, trials, confidence)
    expected = stats.binomtest(wins, trials).proportion_ci(confidence, "exact")
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert type(low) is float
    assert type(high) is float


def test_clopper_pearson_of_half_a_win() -> None:
    low, high = counts.clopper_pearson(0.5, 6, 0.9)
    assert low == pytest.approx(stats.beta.ppf(0.05, 0.5, 6.5))
    assert high == pytest.approx(stats.beta.ppf(0.95, 1.5, 5.5))
    assert counts.clopper_pearson(5.5, 6, 0.9)[1] < 1.0


@pytest.mark.parametrize(("a", "b"), [(3.0, 5.0), (8.0, 2.0), (1.5, 30.0), (4.0, 4.0), (2.0, 1.1)])
@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_densest_interval_is_the_shortest(a: float, b: float, confidence: float) -> None:
    low, high = counts.beta_densest_interval(a, b, confidence)

    def length(tail: float) -> float:
        return float(stats.beta.ppf(tail + confidence, a, b) - stats.beta.ppf(tail, a, b))

    best = optimize.minimize_scalar(
        length, bounds=(0, 1 - confidence), method="bounded", options={"xatol": 1e-12}
    )
    assert stats.beta.cdf(high, a, b) - stats.beta.cdf(low, a, b) == pytest.approx(confidence)
    assert high - low == pytest.approx(best.fun, abs=1e-9)
    assert stats.beta.pdf(low, a, b) == pytest.approx(stats.beta.pdf(high, a, b), rel=1e-6)
    assert type(low) is float
    assert type(high) is float


def test_densest_interval_of_monotone_densities() -> None:
    falling = counts.beta_densest_interval(1.0, 4.0, 0.9)
    assert falling == (0.0, pytest.approx(1 - 0.1**0.25))
    assert counts.beta_densest_interval(0.5, 4.0, 0.9)[0] == 0.0
    assert counts.beta_densest_interval(0.5, 4.0, 0.9)[1] == pytest.approx(
        stats.beta.ppf(0.9, 0.5, 4.0)
    )
    rising = counts.beta_densest_interval(4.0, 1.0, 0.9)
    assert rising == (pytest.approx(0.1**0.25), 1.0)
    assert counts.beta_densest_interval(0.5, 1.5, 0.9)[0] == 0.0
    assert counts.beta_densest_interval(1.5, 0.5, 0.9)[1] == 1.0
    assert type(falling[1]) is float
    assert type(rising[0]) is float


# --------------------------------------------------------------------------- shares and sizes
@pytest.mark.parametrize(("a", "b", "trials"), [(1.0, 1.0, 7), (4.0, 9.0, 30), (30.0, 2.0, 44)])
@pytest.mark.parametrize("rule", ["exact", "mid-p", "half"])
def test_fresh_sizes_are_beta_binomial(a: float, b: float, trials: int, rule: str) -> None:
    found = counts.fresh_sizes(a, b, trials, 0.05, rule)
    for size in range(trials + 1):
        if rule == "half":
            least = critical_wins(trials, 0.05) - (trials - size) // 2
        else:
            least = critical_wins(size, 0.05, rule) if size else 1
        chance = stats.betabinom.pmf(size, trials, a, b)
        at = np.flatnonzero(found.sizes == size)
        if least > size or chance < 1e-12:
            assert not len(at)
        else:
            assert found.critical[at[0]] == least
            assert found.chances[at[0]] == pytest.approx(chance, rel=1e-9)


def test_very_many_sizes_are_represented() -> None:
    few = counts.fresh_sizes(31.0, 71.0, 200_000, 0.05, "exact")
    assert len(few.sizes) <= 600
    assert few.chances.sum() == pytest.approx(1, abs=1e-9)
    mean = (few.sizes * few.chances).sum()
    assert mean == pytest.approx(200_000 * 31 / 102, rel=1e-4)
