"""Repeated tests, against integrals over what is unknown."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

import independent
from replicast.kernels import replication
from replicast.kernels.mixtures import Prior
from replicast.kernels.replication import FreshTest, Way, student_test

PRIOR = Prior((0.4, 0.6), (1.0, 4.0))
TEST = student_test(2.3, 9.0, 1.2, 0.8)


def way(statistic: float, df: float, inflation: float = 1.0, test: FreshTest = TEST) -> Way:
    return Way(statistic, test, df, inflation)


@pytest.mark.parametrize("df", [1.0, 4.0, 9.0, 49.0, 1000.0])
def test_nodes_average_over_chi(df: float) -> None:
    w, weights = replication.chi_nodes(df)
    assert weights.sum() == pytest.approx(1, abs=1e-12)
    mean = math.sqrt(2 / df) * math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2))
    assert (weights * w).sum() == pytest.approx(mean, rel=1e-6)
    assert (weights * w**2).sum() == pytest.approx(1, rel=1e-5)
    assert len(replication.chi_nodes(df, 3.0)[0]) <= len(w)


def test_a_known_error_has_one_node() -> None:
    w, weights = replication.chi_nodes(np.inf)
    assert (w.tolist(), weights.tolist()) == ([1.0], [1.0])


@pytest.mark.parametrize("lam", [0.0, 1.0, 4.0, -1.0])
@pytest.mark.parametrize("df", [1.0, 2.0, 5.0, 9.0, 40.0])
def test_power_is_a_noncentral_tail(lam: float, df: float) -> None:
    expected = independent.nct_upper(2.3 / 1.2, df, 0.8 * lam)
    found = replication.power(lam, student_test(2.3, df, 1.2, 0.8))
    assert isinstance(found, np.ndarray)
    assert found == pytest.approx(expected, abs=1e-6)


def test_power_of_arrays_and_of_beliefs() -> None:
    lam = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    found = replication.power(lam, TEST)
    each = [[float(replication.power(v, TEST)) for v in row] for row in lam]
    np.testing.assert_allclose(found, each, rtol=1e-13)
    grid = np.linspace(-15, 20, 8001)
    density = stats.norm.pdf(grid, 2.0, 1.5)
    expected = integrate.simpson(density * replication.power(grid, TEST), x=grid)
    assert replication.power(2.0, TEST, 1.5) == pytest.approx(expected, abs=1e-8)


def moments_by_integrals(statistic: float, df: float, inflation: float) -> tuple[float, float]:
    """Mean and mean square of the signal, T = inflation (lam + e) / w, integrated over w."""
    moments = np.zeros(3)
    for share, spread in zip(PRIOR.weights, PRIOR.spreads, strict=True):
        variance = spread**2 + 1
        keep = spread**2 / variance
        rate = statistic / inflation

        def density(w: float, rate: float = rate, variance: float = variance) -> float:
            chi = stats.chi.pdf(w, df, scale=df**-0.5)
            return float(w * chi * stats.norm.pdf(rate * w, 0, math.sqrt(variance)))

        top = math.sqrt((df + 1) / (df + rate**2 / variance))
        for power, factor in enumerate((1.0, keep * rate, (keep * rate) ** 2)):
            found = integrate.quad(lambda w, k=power: density(w) * w**k, 0, 8 * top, points=[top])
            moments[power] += share * factor * found[0]
            moments[2] += share * keep * found[0] if power == 0 else 0.0
    return moments[1] / moments[0], moments[2] / moments[0]


@pytest.mark.parametrize("statistic", [0.0, 2.0, 5.0, 30.0])
@pytest.mark.parametrize("inflation", [0.5, 1.0, 1.5])
def test_posterior_of_a_statistic(statistic: float, inflation: float) -> None:
    found = replication.posterior([way(statistic, 9.0, inflation)], PRIOR).whole
    assert found.weights.sum() == pytest.approx(1, abs=1e-12)
    mean = (found.weights * found.means).sum()
    square = (found.weights * (found.means**2 + found.spreads**2)).sum()
    expected = moments_by_integrals(statistic, 9.0, inflation)
    assert (mean, square) == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_a_statistic_of_the_other_sign_is_mirrored() -> None:
    one, other = (replication.posterior([way(t, 9.0)], PRIOR) for t in (2.0, -2.0))
    assert replication.mean_power(one) == pytest.approx(
        replication.mean_power(other, -1), rel=1e-12
    )
    known = replication.posterior([way(2.0, np.inf)], PRIOR).whole
    shrunk = np.array(PRIOR.spreads) ** 2 / (1 + np.array(PRIOR.spreads) ** 2)
    np.testing.assert_allclose(known.means, 2 * shrunk)


@pytest.mark.parametrize("df", [1.0, 2.0, 4.0, 9.0, 99.0, 400.0])
@pytest.mark.parametrize("inflation", [0.01, 0.4, 1.5])
def test_a_larger_statistic_never_lowers_the_chance(df: float, inflation: float) -> None:
    test = student_test(float(stats.t.isf(0.025, df)), df, inflation)
    prior = Prior((0.2, 0.3, 0.5), (1.0, 3.0, 9.0 / min(inflation, 1.0)))
    chances = [
        replication.mean_power(replication.posterior([way(t, df, inflation, test)], prior))
        for t in (0.0, *np.geomspace(0.05, 1e4, 40), 1e300)
    ]
    assert (np.diff(chances) >= -1e-7).all()
    assert chances[-1] > 3 * chances[0]


def test_ways_are_weighed_by_their_evidence() -> None:
    """Two ways of the same result: of which the one with the likelier statistic gains."""
    small, large = way(0.5, np.inf), way(5.0, np.inf)
    narrow = Prior((1.0,), (1.0,))
    known = replication.posterior([small, large], narrow)
    shares = [belief.weights.sum() for belief in known.beliefs]
    odds = stats.norm.pdf(0.5, 0, math.sqrt(2)) / stats.norm.pdf(5.0, 0, math.sqrt(2))
    assert shares[0] / shares[1] == pytest.approx(odds)


def test_what_a_repeat_shares_is_not_noise() -> None:
    alone = replication.posterior([way(2.0, np.inf)], Prior((1.0,), (1.0,)))
    shared = way(2.0, np.inf)._replace(shared=3.0)
    wider = replication.posterior([shared], Prior((1.0,), (1.0,)))
    assert wider.whole.means[0] == pytest.approx(2 * 4 / 5)
    assert alone.whole.means[0] == pytest.approx(2 * 1 / 2)


def test_a_prediction_has_the_noise_of_the_repeat() -> None:
    way_of = way(2.0, np.inf)._replace(noise=0.5)
    found = replication.predicted(replication.posterior([way_of], Prior((1.0,), (3.0,))), 0.1)
    assert found.means[0] == pytest.approx(0.1 * 2 * 0.9)
    assert found.spreads[0] == pytest.approx(0.1 * math.sqrt(0.9 + 0.25))


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
