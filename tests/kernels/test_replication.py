"""Repeated t and rank tests, against integrals over what is unknown."""

import math

import numpy as np
import pytest
from scipy import integrate, special, stats

import independent
from replicast.kernels import replication
from replicast.kernels.counts import critical_wins
from replicast.kernels.mixtures import Mixture, Prior
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


def moments_by_nodes(statistic: float, df: float, inflation: float) -> tuple[float, float]:
    """Mean and mean square of the signal: T = inflation (lam + e) / w, summed over the nodes of w."""
    w, weights = replication.chi_nodes(df)
    total = first = second = 0.0
    for each, weight in zip(w, weights, strict=True):
        estimate = abs(statistic) / inflation * each
        for share, spread in zip(*PRIOR, strict=True):
            variance = spread**2 + 1
            mass = weight * each * share * stats.norm.pdf(estimate, 0, math.sqrt(variance))
            mean = estimate * spread**2 / variance
            total += mass
            first += mass * mean
            second += mass * (mean**2 + spread**2 / variance)
    return first / total, second / total


@pytest.mark.parametrize("statistic", [0.0, 2.0, -5.0, 30.0])
@pytest.mark.parametrize("inflation", [1.0, 1.5])
def test_posterior_of_a_statistic(statistic: float, inflation: float) -> None:
    found = replication.statistic_posterior(statistic, 9.0, inflation, PRIOR)
    assert [part.shape for part in found] == [(64,)] * 3
    assert found.weights.sum() == pytest.approx(1, abs=1e-13)
    mean = (found.weights * found.means).sum()
    square = (found.weights * (found.means**2 + found.spreads**2)).sum()
    expected = moments_by_nodes(statistic, 9.0, inflation)
    assert (mean, square) == pytest.approx(expected, rel=1e-10)


def test_statistics_are_cut_at_sixty() -> None:
    far = replication.statistic_posterior(1e300, 9.0, 1.0, PRIOR)
    near = replication.statistic_posterior(60.0, 9.0, 1.0, PRIOR)
    below = replication.statistic_posterior(59.0, 9.0, 1.0, PRIOR)
    np.testing.assert_array_equal(far.means, near.means)
    assert (below.means < near.means).all()
    scaled = replication.statistic_posterior(90.0, 9.0, 2.0, PRIOR)
    np.testing.assert_array_equal(
        scaled.means, replication.statistic_posterior(45.0, 9.0, 1.0, PRIOR).means
    )


def test_statistic_too_large_for_the_prior() -> None:
    narrow = Prior((1.0,), (0.1,))
    found = replication.statistic_posterior(60.0, 1000.0, 1.0, narrow)  # every likelihood is 0
    assert found.weights.sum() == pytest.approx(1)
    assert np.count_nonzero(found.weights) == 1
    assert found.means[found.weights > 0] == found.means.min()


def test_signal_of_cases_by_hand() -> None:
    cases = np.array([[1.0, 0.0, -1.0, 1.0, 1.0], [1.0, 1.0, 0.0, 0.0, 1.0]])
    averaged = independent.variance([1.0, 0.5, -0.5, 0.5, 1.0])
    single = (independent.variance(cases[0].tolist()) + independent.variance(cases[1].tolist())) / 2
    shared = (0.16 + 0.04 / 2) * 10 * 0.25 * single
    expected = 0.5 / math.sqrt((averaged + shared) / 5)
    found = replication.case_signal(cases, 10, 0.25)
    assert found == pytest.approx(expected, rel=1e-13)
    assert type(found) is float


def test_signal_of_classifiers_that_hardly_disagree() -> None:
    zeros = np.zeros((1, 20))
    assert replication.case_signal(zeros, 10, 0.1) == 0.0
    ones = np.ones((2, 4))  # no variance: a quarter for each
    expected = 1 / math.sqrt((0.25 + (0.16 + 0.02) * 10 * 0.1 * 0.25) / 4)
    assert replication.case_signal(ones, 10, 0.1) == pytest.approx(expected)
    rare = np.zeros((1, 40))
    rare[0, 0] = 1.0
    expected = 0.025 / math.sqrt((0.025 + 0.2 * 10 * 0.1 * 0.025) / 40)
    assert replication.case_signal(rare, 10, 0.1) == pytest.approx(expected)


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


@pytest.mark.parametrize("n", [8, 20, 50])
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


def test_critical_score_of_too_few_is_the_largest() -> None:
    assert replication.arcsine_critical(2, 0.001) == pytest.approx(
        float(replication.arcsine_score(1.0, 2))
    )
    assert type(replication.arcsine_critical(2, 0.001)) is float


def test_rank_test_has_no_gain_by_default() -> None:
    assert replication.RankTest(2.0) == (2.0, 1.0)


@pytest.mark.parametrize("n", [4, 20, 1000])
@pytest.mark.parametrize("score", [0.0, 1.5, -2.0, 3.5])
def test_posterior_of_a_uniform_share(score: float, n: int) -> None:
    spread = math.sqrt((2 * n + 1) / (6 * n * (n + 1)))
    reach = math.pi / (4 * spread)

    def density(x: np.ndarray) -> np.ndarray:
        return stats.norm.pdf(score - x) * np.cos(2 * spread * x)

    low, high = max(-reach, score - 14), min(reach, score + 14)
    grid = np.linspace(low, high, 20_001)
    whole = integrate.simpson(density(grid), x=grid)
    mean = integrate.simpson(grid * density(grid), x=grid) / whole
    square = integrate.simpson(grid**2 * density(grid), x=grid) / whole
    lam, weights = replication.uniform_share_posterior(score, n)
    assert len(lam) == 400
    assert weights.sum() == pytest.approx(1, abs=1e-13)
    assert (weights * lam).sum() == pytest.approx(mean, abs=1e-9)
    assert (weights * lam**2).sum() == pytest.approx(square, abs=1e-8)
    assert lam.min() >= low - 2
    assert lam.max() <= high + 2
    assert lam.min() == pytest.approx(max(-reach, score - 12), abs=1e-2)
    assert lam.max() == pytest.approx(min(reach, score + 12), abs=1e-2)

    for limit in (-1.0, 0.3, 2.0):
        inside = min(max(limit, low), high)
        part = np.linspace(low, inside, 20_001)
        expected = integrate.simpson(density(part), x=part) / whole if inside > low else 0.0
        found = replication.uniform_share_mass(limit, score, n)
        assert found == pytest.approx(expected, abs=1e-9)
        assert type(found) is float
    for probability in (0.025, 0.5, 0.9):
        quantile = replication.uniform_share_quantile(probability, score, n)
        assert replication.uniform_share_mass(quantile, score, n) == pytest.approx(
            probability, abs=1e-9
        )
        assert type(quantile) is float


def test_mass_outside_the_possible_signals() -> None:
    assert replication.uniform_share_mass(-1e9, 1.0, 10) == 0.0
    assert replication.uniform_share_mass(1e9, 1.0, 10) == 1.0


def test_fewer_nodes() -> None:
    lam, weights = replication.uniform_share_posterior(1.0, 10, nodes=5)
    assert len(lam) == len(weights) == 5
    x, w = replication._legendre(5)
    expected = np.polynomial.legendre.leggauss(5)
    np.testing.assert_array_equal(x, expected[0])
    np.testing.assert_array_equal(w, expected[1])


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


def test_accuracy_prior_by_hand() -> None:
    prior = replication.accuracy_prior(25, 1000)  # one point of accuracy is 10 of 5 expected cases
    assert prior == Prior((1 / 3, 1 / 3, 1 / 3), (pytest.approx(0.8), pytest.approx(3.2), 12.8))
    assert all(type(spread) is float for spread in prior.spreads)


def test_discordance_score_by_hand() -> None:
    assert replication.discordance_score(0.5, 9) == pytest.approx(0, abs=1e-14)
    assert replication.discordance_score(0.75, 9) == pytest.approx(6 * math.pi / 12)
    assert replication.discordance_score(1.0, 9) == pytest.approx(6 * math.pi / 4)
    assert replication.discordance_score(0.0, 9) == pytest.approx(-6 * math.pi / 4)
    assert replication.discordance_score(1.7, 9) == pytest.approx(6 * math.pi / 4)
    assert replication.discordance_score(-0.7, 9) == pytest.approx(-6 * math.pi / 4)
    assert type(replication.discordance_score(0.75, 9)) is float


@pytest.mark.parametrize("kind", ["known", "predicted"])
@pytest.mark.parametrize("rule", ["exact", "mid-p"])
@pytest.mark.parametrize(
    ("discordant", "cases", "fresh"), [(40, 200, 300), (6, 50, 40), (2, 100, 60), (58, 60, 61)]
)
def test_fresh_samples_node_by_node(
    discordant: int, cases: int, fresh: int, kind: replication.SizeKind, rule: str
) -> None:
    nodes, weights = special.roots_hermitenorm(7)
    rate = discordant / cases
    spread = math.sqrt(fresh * rate * (1 - rate))
    if kind == "predicted":
        spread *= math.sqrt(1 + fresh / cases)
    expected = []
    for node, weight in zip(nodes, weights / weights.sum(), strict=True):
        size = min(max(round(fresh * rate + node * spread), 1), fresh)
        least = critical_wins(size, 0.05, rule)
        if least <= size:
            share = (least - 0.5) / size
            bar = 2 * math.sqrt(size) * (math.asin(math.sqrt(share)) - math.pi / 4)
            expected.append((weight, bar, math.sqrt(size / discordant)))
    found = replication.fresh_samples(discordant, cases, fresh, 0.05, kind=kind, rule=rule)
    flat = [(each.weight, *each.test) for each in found]
    assert len(flat) == len(expected)
    np.testing.assert_allclose(np.ravel(flat), np.ravel(expected), rtol=1e-9)
    for each in found:
        assert type(each.weight) is float
        assert type(each.test.gain) is float


def test_a_sample_where_all_disagree_is_not_larger_than_itself() -> None:
    found = replication.fresh_samples(10, 10, 8, 0.05, kind="known", rule="exact")
    assert len(found) == 7
    assert {each.test.gain for each in found} == {math.sqrt(0.8)}
    nothing = replication.fresh_samples(1, 100, 10, 0.05, kind="known", rule="exact")
    assert nothing == []
    six = replication.fresh_samples(6, 6, 6, 0.05, kind="known", rule="exact")  # all six are needed
    assert len(six) == 7
