"""Power over many scores, against moments of simulated rank sums and counted outcomes."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from replicast.kernels import large_samples


def moments_of_rank_sum(effect: float, n: int) -> tuple[float, float]:
    """Mean and variance of W+ from its sum over pairs i <= j of [d_i + d_j > 0]."""
    one = stats.norm.cdf(effect)
    two = stats.norm.cdf(effect * math.sqrt(2))

    def shared(x: float) -> float:  # given d_1 = x
        return float(stats.norm.pdf(x - effect) * stats.norm.cdf(x + effect) ** 2)

    def with_itself(x: float) -> float:
        return float(stats.norm.pdf(x - effect) * stats.norm.cdf(x + effect))

    three = integrate.quad(shared, -9, 9 + effect, epsabs=1e-12, limit=200)[0]
    both = integrate.quad(with_itself, 0, 9 + effect, epsabs=1e-12, limit=200)[0]
    pairs = n * (n - 1) / 2
    variance = n * one * (1 - one)
    variance += pairs * two * (1 - two)
    variance += 2 * n * (n - 1) * (both - one * two)  # an observation and a pair that holds it
    variance += n * (n - 1) * (n - 2) * (three - two**2)  # two pairs that share one observation
    return n * one + pairs * two, variance


@pytest.mark.parametrize("effect", [0.0, 0.15, -0.2, 0.7])
@pytest.mark.parametrize(("n", "significance"), [(20, 0.05), (6, 0.2), (100, 0.01)])
def test_signed_rank_power_from_its_moments(effect: float, n: int, significance: float) -> None:
    mean, variance = moments_of_rank_sum(effect, n)
    null = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    z = stats.norm.isf(significance / 2)
    centre = n * (n + 1) / 4
    expected = stats.norm.sf((centre + z * null - mean) / math.sqrt(variance))
    expected += stats.norm.cdf((centre - z * null - mean) / math.sqrt(variance))
    found = large_samples.signed_rank_power(effect, n, significance)
    assert found == pytest.approx(expected, rel=1e-7)
    assert type(found) is float


def test_signed_rank_power_without_effect_is_the_level_and_grows_to_one() -> None:
    assert large_samples.signed_rank_power(0.0, 400, 0.05) == pytest.approx(0.05, abs=1e-12)
    assert large_samples.signed_rank_power(40.0, 30, 0.05) == 1.0
    assert large_samples.signed_rank_power(-40.0, 30, 0.05) == 1.0
    assert large_samples.signed_rank_power(40.0, 2, 0.01) == 0.0  # W+ = 3 for sure: too few


@pytest.mark.parametrize("effect", [0.0, 0.3, -0.8])
@pytest.mark.parametrize("n", [6, 7, 20, 5])
def test_sign_power_is_counted(effect: float, n: int) -> None:
    rate = float(stats.norm.cdf(effect))
    expected = 0.0
    for wins in range(n + 1):
        tail = sum(math.comb(n, i) for i in range(max(wins, n - wins), n + 1)) / 2**n
        if 2 * tail < 0.05:
            expected += math.comb(n, wins) * rate**wins * (1 - rate) ** (n - wins)
    found = large_samples.sign_power(effect, n, 0.05)
    assert found == pytest.approx(expected, rel=1e-10)
    assert type(found) is float


def test_sizes_beyond_the_cube_root_of_the_integers() -> None:
    n = 4_000_000
    found = large_samples.signed_rank_power(0.001, np.int64(n), 0.05)
    assert found == large_samples.signed_rank_power(0.001, n, 0.05)


def test_sign_power_where_nothing_is_significant() -> None:
    assert large_samples.sign_power(1.0, 5, 0.05) == 0.0
    assert large_samples.sign_power(1.0, 5, 0.01) == 0.0
    assert large_samples.sign_power(math.inf, 6, 0.05) == 1.0
