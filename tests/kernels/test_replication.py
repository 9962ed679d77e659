"""Repeated t and rank tests, against integrals over what is unknown."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

import independent
from replicast.kernels import replication
from replicast.kernels.mixtures import Mixture, Prior, Priors
from replicast.kernels.replication import RankTest, StudentTest

PRIOR = Prior((0.4, 0.6), (1.0, 4.0))
TEST = StudentTest(9.0, 2.3, 1.2, 0.8)


@pytest.mark.parametrize("df", [1.0, 4.0, 9.0, 49.0])
def test_nodes_average_over_chi(df: float) -> None:
    w, weights = replication.chi_nodes(df)
    assert len(w) == 32
    assert weights.sum() == pytest.approx(1, abs=1e-14)
    mean = math.sqrt(2 / df) * math.gamma((df + 1) / 2) / math.gamma(df / 2)
    assert (weights * w).sum() == pytest.approx(mean, rel=2e-4)
    assert (weights * w**2).sum() == pytest.approx(1, rel=2e-3)
    x = np.polynomial.legendre.leggauss(32)[0]
    np.testing.assert_allclose(stats.chi2.cdf(df * w**2, df), (x + 1) / 2, rtol=1e-9)
    assert len(replication.chi_nodes(df, 7)[0]) == 7


def test_test_has_no_gain_by_default() -> None:
    assert replication.StudentTest(9.0, 2.0, 1.0) == (9.0, 2.0, 1.0, 1.0)


@pytest.mark.parametrize("lam", [0.0, 1.0, 4.0, -1.0])
def test_power_is_a_noncentral_tail(lam: float) -> None:
    expected = independent.nct_upper(2.3 / 1.2, 9.0, 0.8 * lam)
    found = replication.student_power(lam, TEST)
    assert isinstance(found, np.ndarray)
    assert found == pytest.approx(expected, abs=2e-4)
    w, weights = replication.chi_nodes(9.0)
    by_node = sum(
        weight * stats.norm.sf(2.3 * each / 1.2 - 0.8 * lam)
        for each, weight in zip(w, weights, strict=True)
    )
    assert found == pytest.approx(by_node, rel=1e-12)


def test_power_of_arrays() -> None:
    lam = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    found = replication.student_power(lam, TEST)
    each = [[float(replication.student_power(v, TEST)) for v in row] for row in lam]
    np.testing.assert_allclose(found, each, rtol=1e-13)
    assert replication.student_power([1, 2], TEST).shape == (2,)


def test_mean_power_averages_over_the_posterior() -> None:
    posterior = Mixture(np.array([0.3, 0.7]), np.array([0.5, 3.0]), np.array([0.9, 2.0]))
    grid = np.linspace(-25, 30, 8001)
    density = 0.3 * stats.norm.pdf(grid, 0.5, 0.9) + 0.7 * stats.norm.pdf(grid, 3.0, 2.0)
    expected = integrate.simpson(density * replication.student_power(grid, TEST), x=grid)
    found = replication.student_mean_power(posterior, TEST)
    assert isinstance(found, np.ndarray)
    assert found == pytest.approx(expected, abs=1e-8)
    many = Mixture(*(np.stack([part, part, part]) for part in posterior))
    np.testing.assert_allclose(
        replication.student_mean_power(many, TEST), [expected] * 3, atol=1e-8
    )


def moments_by_integrals(statistic: float, df: float, inflation: float) -> tuple[float, float]:
    """Mean and mean square of the signal, T = inflation (lam + e) / w, integrated over w."""
    moments = np.zeros(3)
    for share, spread in zip(PRIOR.weights, PRIOR.spreads, strict=True):
        variance = spread**2 + 1
        keep = spread**2 / variance
        rate = abs(statistic) / inflation

        def density(w: float, rate: float = rate, variance: float = variance) -> float:
            chi = stats.chi.pdf(w, df, scale=df**-0.5)
            return float(w * chi * stats.norm.pdf(rate * w, 0, math.sqrt(variance)))

        top = math.sqrt((df + 1) / (df + rate**2 / variance))
        for power, factor in enumerate((1.0, keep * rate, (keep * rate) ** 2)):
            found = integrate.quad(lambda w, k=power: density(w) * w**k, 0, 8 * top, points=[top])
            moments[power] += share * factor * found[0]
            moments[2] += share * keep * found[0] if power == 0 else 0.0
    return moments[1] / moments[0], moments[2] / moments[0]


@pytest.mark.parametrize("statistic", [0.0, 2.0, -5.0, 30.0, 3000.0])
@pytest.mark.parametrize("inflation", [0.01, 1.0, 1.5])
def test_posterior_of_a_statistic(statistic: float, inflation: float) -> None:
    found = replication.statistic_posterior(statistic, 9.0, inflation, PRIOR)
    assert [part.shape for part in found] == [(64,)] * 3
    assert found.weights.sum() == pytest.approx(1, abs=1e-13)
    mean = (found.weights * found.means).sum()
    square = (found.weights * (found.means**2 + found.spreads**2)).sum()
    expected = moments_by_integrals(statistic, 9.0, inflation)
    assert (mean, square) == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("df", [1.0, 2.0, 4.0, 9.0, 99.0, 400.0])
@pytest.mark.parametrize("inflation", [0.01, 0.4, 1.5])
def test_a_larger_statistic_never_lowers_the_chance(df: float, inflation: float) -> None:
    test = StudentTest(df, float(stats.t.isf(0.025, df)), inflation)
    prior = Prior((0.2, 0.3, 0.5), (1.0, 3.0, 9.0 / min(inflation, 1.0)))
    chances = [
        float(replication.student_mean_power(posterior, test))
        for posterior in (
            replication.statistic_posterior(t, df, inflation, prior)
            for t in (0.0, *np.geomspace(0.05, 1e4, 60), 1e300, 1e308)
        )
    ]
    assert (np.diff(chances) >= -1e-12).all()
    assert chances[-1] > 3 * chances[0]


def test_statistic_too_large_for_the_prior() -> None:
    """Then the noise is small, and the signal as large as the prior lets it be."""
    narrow = Prior((1.0,), (0.1,))
    far, farther = (replication.statistic_posterior(t, 1000.0, 1.0, narrow) for t in (1e6, 1e300))
    np.testing.assert_allclose(far.means, farther.means, rtol=1e-6)
    assert farther.means.mean() == pytest.approx(0.01 / math.sqrt(1.01) * math.sqrt(1001), rel=1e-3)


@pytest.mark.parametrize("statistic", [0.0, 2.0, 60.0])
def test_several_priors_give_what_each_gives_alone(statistic: float) -> None:
    weights = np.array([[0.4, 0.6], [1.0, 0.0], [0.0, 1.0]])  # 60 is too large for the second
    priors = Priors(weights, np.array([0.1, 4.0]))
    found = replication.statistic_posterior(statistic, 1000.0, 1.0, priors)
    chances = replication.student_mean_power(found, TEST).tolist()
    for row, chance in zip(weights.tolist(), chances, strict=True):
        prior = Prior(tuple(row), (0.1, 4.0))
        alone = replication.statistic_posterior(statistic, 1000.0, 1.0, prior)
        assert chance == float(replication.student_mean_power(alone, TEST))


def test_several_critical_values_of_one_test() -> None:
    critical = np.array([[0.5], [2.0], [9.0]])
    found = replication.student_power(np.array([-1.0, 3.0]), TEST._replace(critical=critical))
    for row, value in zip(found, critical.ravel().tolist(), strict=True):
        each = [float(replication.student_power(v, TEST._replace(critical=value))) for v in (-1, 3)]
        assert row.tolist() == pytest.approx(each, rel=1e-14)


# --------------------------------------------------------------------------- rank tests
@pytest.mark.parametrize("n", [1, 2, 6, 11])
def test_spread_is_that_of_all_sign_patterns(n: int) -> None:
    # W+ is a sum of independent ranks, each counted with chance 1/2
    variance = sum((rank / 2) ** 2 for rank in range(1, n + 1)) / (n * (n + 1) / 2) ** 2
    found = replication.arcsine_spread(n)
    assert found == pytest.approx(math.sqrt(variance), rel=1e-13)
    assert type(found) is float


def test_score_by_hand() -> None:
    spread = math.sqrt(13 / 252)  # n = 6
    share = np.array([0.0, 0.25, 0.5, 0.75, 1.0, 1.2, -0.3])
    turn = math.pi / 2
    expected = np.array([-turn, -turn / 3, 0, turn / 3, turn, turn, -turn]) / (2 * spread)
    np.testing.assert_allclose(
        replication.arcsine_score(share, 6), expected, rtol=1e-13, atol=1e-15
    )
    single = replication.arcsine_score(0.75, 6)
    assert isinstance(single, np.ndarray)
    assert single == pytest.approx(expected[3])


@pytest.mark.parametrize("n", [51, 80, 400])
@pytest.mark.parametrize("significance", [0.05, 0.2])
def test_critical_score_is_that_of_the_normal_test(n: int, significance: float) -> None:
    z = stats.norm.isf(significance / 2)
    total = n * (n + 1) / 2
    w = total / 2 + 0.5 + z * math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    angle = 2 * math.asin(math.sqrt(w / total)) - math.pi / 2
    expected = angle / (2 * math.sqrt((2 * n + 1) / (6 * n * (n + 1))))
    found = replication.arcsine_critical(n, significance)
    assert found == pytest.approx(expected, rel=1e-12)
    assert type(found) is float


@pytest.mark.parametrize("n", [6, 7, 10, 20])
@pytest.mark.parametrize("significance", [0.05, 0.2])
def test_critical_score_of_few_is_that_of_the_exact_test(n: int, significance: float) -> None:
    total = n * (n + 1) // 2
    pvalues = [2 * sum(independent.signed_rank_counts(n)[w:]) / 2**n for w in range(total + 1)]
    least = next(w for w in range(total + 1) if pvalues[w] < significance)
    expected = replication.arcsine_score((least - 0.5) / total, n)
    found = replication.arcsine_critical(n, significance)
    assert found == pytest.approx(float(expected), rel=1e-12)
    assert type(found) is float


def test_too_few_are_never_significant() -> None:
    assert replication.arcsine_critical(5, 0.05) == math.inf
    assert replication.arcsine_critical(51, 1e-20) == math.inf
    assert replication.rank_power(1e9, RankTest(math.inf)) == 0


def test_rank_test_has_no_gain_by_default() -> None:
    assert replication.RankTest(2.0) == (2.0, 1.0)


def test_power_is_a_normal_tail() -> None:
    test = RankTest(2.1, 1.4)
    lam = np.array([0.0, 1.0, 3.0])
    np.testing.assert_allclose(replication.rank_power(lam, test), stats.norm.sf(2.1 - 1.4 * lam))
    single = replication.rank_power(3.0, test)
    assert isinstance(single, np.ndarray)
    assert single == pytest.approx(stats.norm.sf(2.1 - 4.2))
    assert replication.rank_power([1.0, 2.0], test).shape == (2,)


def test_rank_power_by_integration() -> None:
    test = RankTest(2.1, 1.4)
    posterior = Mixture(np.array([0.3, 0.7]), np.array([0.5, 3.0]), np.array([0.9, 2.0]))
    grid = np.linspace(-25, 30, 40_001)
    density = 0.3 * stats.norm.pdf(grid, 0.5, 0.9) + 0.7 * stats.norm.pdf(grid, 3.0, 2.0)
    expected = integrate.simpson(density * stats.norm.sf(2.1 - 1.4 * grid), x=grid)
    found = replication.rank_mean_power(posterior, test)
    assert isinstance(found, np.ndarray)
    assert found == pytest.approx(expected, abs=1e-9)
    many = Mixture(*(np.stack([part, part, part]) for part in posterior))
    np.testing.assert_allclose(replication.rank_mean_power(many, test), [expected] * 3, atol=1e-9)
