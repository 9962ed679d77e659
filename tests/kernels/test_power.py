"""Power against integrals, moments of rank sums and counted outcomes."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from replicast.kernels import power


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
    found = sum(power.signed_rank_power(effect, n, significance))
    assert found == pytest.approx(expected, rel=1e-7)
    assert type(found) is float


def test_signed_rank_power_without_effect_is_the_level_and_grows_to_one() -> None:
    assert sum(power.signed_rank_power(0.0, 400, 0.05)) == pytest.approx(0.05, abs=1e-12)
    assert sum(power.signed_rank_power(40.0, 30, 0.05)) == 1.0
    assert sum(power.signed_rank_power(-40.0, 30, 0.05)) == 1.0
    assert sum(power.signed_rank_power(40.0, 2, 0.01)) == 0.0  # W+ = 3 for sure: too few


@pytest.mark.parametrize("effect", [0.0, 0.3, -0.8])
@pytest.mark.parametrize("n", [6, 7, 20, 5])
def test_sign_power_is_counted(effect: float, n: int) -> None:
    rate = float(stats.norm.cdf(effect))
    expected = 0.0
    for wins in range(n + 1):
        tail = sum(math.comb(n, i) for i in range(max(wins, n - wins), n + 1)) / 2**n
        if 2 * tail < 0.05:
            expected += math.comb(n, wins) * rate**wins * (1 - rate) ** (n - wins)
    found = sum(power.sign_power(effect, n, 0.05))
    assert found == pytest.approx(expected, rel=1e-10)
    assert type(found) is float


def test_sizes_beyond_the_cube_root_of_the_integers() -> None:
    n = 4_000_000
    found = sum(power.signed_rank_power(0.001, np.int64(n), 0.05))
    assert found == sum(power.signed_rank_power(0.001, n, 0.05))


def test_sign_power_where_nothing_is_significant() -> None:
    assert sum(power.sign_power(1.0, 5, 0.05)) == 0.0
    assert sum(power.sign_power(1.0, 5, 0.01)) == 0.0
    assert sum(power.sign_power(math.inf, 6, 0.05)) == 1.0


@pytest.mark.parametrize("effect", [0.0, 0.4, -0.9, 1.2])
@pytest.mark.parametrize(("n", "ratio"), [(2, 0.0), (10, 1 / 9), (40, 0.0)])
def test_student_power_is_that_of_the_noncentral_t(effect: float, n: int, ratio: float) -> None:
    ncp = effect / math.sqrt(1 / n + ratio)
    for level in (0.05, 0.2):
        critical = stats.t.isf(level / 2, n - 1)
        exact = stats.nct.sf(critical, n - 1, ncp) + stats.nct.cdf(-critical, n - 1, ncp)
        found = sum(power.student_power(effect, n, ratio, level))
        assert found == pytest.approx(exact, rel=1e-7)
        shifted = stats.t.sf(critical - ncp, n - 1) + stats.t.cdf(-critical - ncp, n - 1)
        moved = sum(power.shifted_power(effect, n, ratio, level))
        assert moved == pytest.approx(shifted, rel=1e-10)
        assert type(found) is type(moved) is float


def counted_discordance_power(p: float, q: float, cases: int, level: float) -> float:
    total = 0.0
    for b in range(cases + 1):
        for c in range(cases + 1 - b):
            larger, n = max(b, c), b + c
            tail = 2 * sum(math.comb(n, i) for i in range(larger, n + 1)) / 2**n if n else 1.0
            mass = math.comb(cases, b) * math.comb(cases - b, c)
            total += (tail < level) * mass * p**b * q**c * (1 - p - q) ** (cases - n)
    return total


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.1), (0.1, 0.5), (0.3, 0.3), (0.6, 0.4), (0.3, 0.0)])
@pytest.mark.parametrize(("cases", "level"), [(12, 0.05), (9, 0.2), (25, 0.01)])
def test_discordance_power_is_counted(p: float, q: float, cases: int, level: float) -> None:
    found = sum(power.discordance_power(p, q, cases, level))
    assert found == pytest.approx(counted_discordance_power(p, q, cases, level), rel=1e-9)
    assert type(found) is float


def test_discordance_power_at_the_ends() -> None:
    assert sum(power.discordance_power(0.0, 0.0, 100, 0.05)) == 0.0
    assert sum(power.discordance_power(1.0, 0.0, 6, 0.05)) == 1.0
    assert sum(power.discordance_power(1.0, 0.0, 5, 0.05)) == 0.0
    assert sum(power.discordance_power(0.9, 0.0, 10**6, 0.05)) == pytest.approx(1.0, abs=1e-12)


def test_discordance_power_over_many_cases() -> None:
    p, q, cases = 0.02, 0.018, 100_000
    n = np.arange(cases + 1)
    weight = stats.binom.pmf(n, cases, p + q)
    near = n[weight > 1e-14]
    critical = stats.binom.isf(0.025, near, 0.5) + 1  # P(X >= critical) <= 0.025
    reached = sum(stats.binom.sf(critical - 1, near, share / (p + q)) for share in (p, q))
    expected = float((weight[near] * reached).sum())
    assert sum(power.discordance_power(p, q, cases, 0.05)) == pytest.approx(expected, rel=1e-7)


def test_both_directions_and_the_spread_of_the_corrected_t() -> None:
    """lam = d' / (kappa sqrt(1/n + rho)), compared with t_c / kappa; simulated with a chi."""
    kappa, n, ratio, effect = 0.761, 10, 1 / 9, 0.8
    critical = stats.t.isf(0.025, 9)
    ncp = effect / math.sqrt(1 / n + ratio)
    right, wrong = power.student_power(effect, n, ratio, 0.05, kappa)
    assert right == pytest.approx(stats.nct.sf(critical / kappa, 9, ncp / kappa), rel=1e-7)
    assert wrong == pytest.approx(stats.nct.cdf(-critical / kappa, 9, ncp / kappa), rel=1e-5)
    rng = np.random.default_rng(4)
    spread = np.sqrt(rng.chisquare(9, 200_000) / 9)
    drawn = (ncp + kappa * rng.normal(size=200_000)) / spread
    assert right == pytest.approx(np.mean(drawn > critical), abs=0.004)
    assert power.student_power(-effect, n, ratio, 0.05, kappa) == (wrong, right)
    first, second = power.discordance_power(0.02, 0.08, 200, 0.05)
    assert first > 0.4 > 0.001 > second
