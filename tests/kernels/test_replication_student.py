"""Repeated t-tests, against integrals over the noise level."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

import independent
from replicast.kernels import replication_student as student
from replicast.kernels.mixtures import Mixture, Prior
from replicast.kernels.replication_student import StudentTest

PRIOR = Prior((0.4, 0.6), (1.0, 4.0))
TEST = StudentTest(9.0, 2.3, 1.2, 0.8)


@pytest.mark.parametrize("df", [1.0, 4.0, 9.0, 49.0])
def test_nodes_average_over_chi(df: float) -> None:
    w, weights = student.chi_nodes(df)
    assert len(w) == 32
    assert weights.sum() == pytest.approx(1, abs=1e-14)
    mean = math.sqrt(2 / df) * math.gamma((df + 1) / 2) / math.gamma(df / 2)
    assert (weights * w).sum() == pytest.approx(mean, rel=2e-4)
    assert (weights * w**2).sum() == pytest.approx(1, rel=2e-3)
    x = np.polynomial.legendre.leggauss(32)[0]
    np.testing.assert_allclose(stats.chi2.cdf(df * w**2, df), (x + 1) / 2, rtol=1e-9)
    assert len(student.chi_nodes(df, 7)[0]) == 7


def test_test_has_no_gain_by_default() -> None:
    assert student.StudentTest(9.0, 2.0, 1.0) == (9.0, 2.0, 1.0, 1.0)


@pytest.mark.parametrize("lam", [0.0, 1.0, 4.0, -1.0])
def test_power_is_a_noncentral_tail(lam: float) -> None:
    expected = independent.nct_upper(2.3 / 1.2, 9.0, 0.8 * lam)
    found = student.student_power(lam, TEST)
    assert isinstance(found, np.ndarray)
    assert found == pytest.approx(expected, abs=2e-4)
    w, weights = student.chi_nodes(9.0)
    by_node = sum(
        weight * stats.norm.sf(2.3 * each / 1.2 - 0.8 * lam)
        for each, weight in zip(w, weights, strict=True)
    )
    assert found == pytest.approx(by_node, rel=1e-12)


def test_power_of_arrays() -> None:
    lam = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    found = student.student_power(lam, TEST)
    each = [[float(student.student_power(v, TEST)) for v in row] for row in lam]
    np.testing.assert_allclose(found, each, rtol=1e-13)
    assert student.student_power([1, 2], TEST).shape == (2,)


def test_mean_power_averages_over_the_posterior() -> None:
    posterior = Mixture(np.array([0.3, 0.7]), np.array([0.5, 3.0]), np.array([0.9, 2.0]))
    grid = np.linspace(-25, 30, 8001)
    density = 0.3 * stats.norm.pdf(grid, 0.5, 0.9) + 0.7 * stats.norm.pdf(grid, 3.0, 2.0)
    expected = integrate.simpson(density * student.student_power(grid, TEST), x=grid)
    found = student.student_mean_power(posterior, TEST)
    assert isinstance(found, np.ndarray)
    assert found == pytest.approx(expected, abs=1e-8)
    many = Mixture(*(np.stack([part, part, part]) for part in posterior))
    np.testing.assert_allclose(student.student_mean_power(many, TEST), [expected] * 3, atol=1e-8)


def moments_by_nodes(statistic: float, df: float, inflation: float) -> tuple[float, float]:
    """Mean and mean square of the signal: T = inflation (lam + e) / w, summed over the nodes of w."""
    w, weights = student.chi_nodes(df)
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
    found = student.statistic_posterior(statistic, 9.0, inflation, PRIOR)
    assert [part.shape for part in found] == [(64,)] * 3
    assert found.weights.sum() == pytest.approx(1, abs=1e-13)
    mean = (found.weights * found.means).sum()
    square = (found.weights * (found.means**2 + found.spreads**2)).sum()
    expected = moments_by_nodes(statistic, 9.0, inflation)
    assert (mean, square) == pytest.approx(expected, rel=1e-10)


def test_statistics_are_cut_at_sixty() -> None:
    far = student.statistic_posterior(1e300, 9.0, 1.0, PRIOR)
    near = student.statistic_posterior(60.0, 9.0, 1.0, PRIOR)
    below = student.statistic_posterior(59.0, 9.0, 1.0, PRIOR)
    np.testing.assert_array_equal(far.means, near.means)
    assert (below.means < near.means).all()
    scaled = student.statistic_posterior(90.0, 9.0, 2.0, PRIOR)
    np.testing.assert_array_equal(
        scaled.means, student.statistic_posterior(45.0, 9.0, 1.0, PRIOR).means
    )


def test_statistic_too_large_for_the_prior() -> None:
    narrow = Prior((1.0,), (0.1,))
    found = student.statistic_posterior(60.0, 1000.0, 1.0, narrow)  # every likelihood is 0
    assert found.weights.sum() == pytest.approx(1)
    assert np.count_nonzero(found.weights) == 1
    assert found.means[found.weights > 0] == found.means.min()


@pytest.mark.parametrize("shape", [(3,), (2, 2), ()])
def test_mean_power_of_few_statistics_is_that_of_each(shape: tuple[int, ...]) -> None:
    statistics = np.linspace(-6.0, 9.0, math.prod(shape)).reshape(shape)
    found = student.student_from_statistics(statistics, 9.0, 1.2, TEST, PRIOR)
    assert found.shape == shape
    for index in np.ndindex(*shape):
        posterior = student.statistic_posterior(float(statistics[index]), 9.0, 1.2, PRIOR)
        expected = student.student_mean_power(posterior, TEST)
        assert found[index] == pytest.approx(float(expected), rel=1e-12)
    one = student.student_from_statistics(np.array([1e9]), 9.0, 1.2, TEST, PRIOR)
    cut = student.student_from_statistics(np.array([72.0]), 9.0, 1.2, TEST, PRIOR)
    assert one == cut


def test_series_agrees_with_single_values(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    plain = student._each_statistic

    def recorded(scaled: np.ndarray, *rest: object) -> np.ndarray:
        calls.append(len(scaled))
        return plain(scaled, *rest)

    student._series.cache_clear()
    monkeypatch.setattr(student, "_each_statistic", recorded)
    probe = np.array([0.0, 0.5, 1.0, 2.2, 3.0, 5.0, 8.0, 20.0, 60.0, 71.9, 500.0])
    singles = student.student_from_statistics(probe, 9.0, 1.2, TEST, PRIOR)
    many = np.tile(probe, 30).reshape(30, 11)[:, ::-1]
    found = student.student_from_statistics(-many, 9.0, 1.2, TEST, PRIOR)
    assert found.shape == (30, 11)
    np.testing.assert_allclose(found, np.tile(singles, (30, 1))[:, ::-1], atol=1e-7)
    assert calls == [11, 161]
    calls.clear()
    student.student_from_statistics(np.full(320, 1.0), 9.0, 1.2, TEST, PRIOR)
    assert calls == [320]
    calls.clear()
    student.student_from_statistics(np.full(321, 1.0), 9.0, 1.2, TEST, PRIOR)
    assert calls == []  # the series is kept


def test_series_stays_a_probability(monkeypatch: pytest.MonkeyPatch) -> None:
    def beyond(*design: object) -> object:
        return lambda scaled: scaled - 1

    monkeypatch.setattr(student, "_series", beyond)
    statistics = np.full(400, 1.5)
    statistics[:2] = [0.0, 5.0]
    found = student.student_from_statistics(statistics, 9.0, 1.0, TEST, PRIOR)
    assert found[:3].tolist() == [0.0, 1.0, 0.5]


def test_signal_of_cases_by_hand() -> None:
    cases = np.array([[1.0, 0.0, -1.0, 1.0, 1.0], [1.0, 1.0, 0.0, 0.0, 1.0]])
    averaged = independent.variance([1.0, 0.5, -0.5, 0.5, 1.0])
    single = (independent.variance(cases[0].tolist()) + independent.variance(cases[1].tolist())) / 2
    shared = (0.16 + 0.04 / 2) * 10 * 0.25 * single
    expected = 0.5 / math.sqrt((averaged + shared) / 5)
    found = student.case_signal(cases, 10, 0.25)
    assert found == pytest.approx(expected, rel=1e-13)
    assert type(found) is float


def test_signal_of_classifiers_that_hardly_disagree() -> None:
    zeros = np.zeros((1, 20))
    assert student.case_signal(zeros, 10, 0.1) == 0.0
    ones = np.ones((2, 4))  # no variance: a quarter for each
    expected = 1 / math.sqrt((0.25 + (0.16 + 0.02) * 10 * 0.1 * 0.25) / 4)
    assert student.case_signal(ones, 10, 0.1) == pytest.approx(expected)
    rare = np.zeros((1, 40))
    rare[0, 0] = 1.0
    expected = 0.025 / math.sqrt((0.025 + 0.2 * 10 * 0.1 * 0.025) / 40)
    assert student.case_signal(rare, 10, 0.1) == pytest.approx(expected)
