"""Noncentral t, against integration in high precision."""

import math

import numpy as np
import pytest
from scipy import special, stats

import independent
from replicast.kernels import noncentral

CASES = [(2.0, 9.0, 3.0), (2.5, 4.0, -1.0), (-1.0, 3.0, 0.5), (0.0, 30.0, 2.0), (6.0, 2.5, 1.0)]


@pytest.mark.parametrize(("critical", "df", "ncp"), CASES)
def test_upper_tail_by_integration(critical: float, df: float, ncp: float) -> None:
    expected = independent.nct_upper(critical, df, ncp)
    assert noncentral.nct_upper(critical, df, ncp) == pytest.approx(expected, rel=1e-9)
    integral = noncentral._upper_integral(critical, df, ncp)
    assert integral == pytest.approx(expected, rel=1e-6)
    assert type(integral) is float


def test_upper_tail_of_arrays_and_its_range() -> None:
    critical, df, ncp = (np.array(values) for values in zip(*CASES, strict=True))
    found = noncentral.nct_upper(critical, df, ncp)
    assert found.tolist() == [float(noncentral.nct_upper(*case)) for case in CASES]
    assert noncentral.nct_upper(critical[:, None], 5, ncp).shape == (5, 5)
    assert noncentral.nct_upper(2, 5, 40) == 1.0
    assert noncentral.nct_upper(2, 5, -60) >= 0.0


def small_tail(critical: float, df: float, ncp: float) -> float:
    """Return P(T > critical) to its own digits, by mpmath over w = chi / sqrt(df) in pieces."""
    mp = independent.mp
    constant = mp.log(2) + df / 2 * mp.log(mp.mpf(df) / 2) - mp.loggamma(mp.mpf(df) / 2)

    def mass(x: object) -> object:  # x = log(w)
        density = mp.exp(constant + df * x - df / 2 * mp.exp(2 * x))
        return density * mp.erfc((critical * mp.exp(x) - ncp) / mp.sqrt(2)) / 2

    reach = 12 / math.sqrt(df)
    return float(mp.quad(mass, mp.linspace(-3 * reach, reach, 25)))


SMALL = [(9.0, 9.0, -2.0), (3.0, 5.0, -9.0), (30.0, 3.0, 0.0), (2.0, 40.0, -7.0), (8.0, 250.0, 0.5)]


@pytest.mark.parametrize(("critical", "df", "ncp"), SMALL)
def test_small_tails_keep_their_digits(critical: float, df: float, ncp: float) -> None:
    expected = small_tail(critical, df, ncp)
    assert 0 < expected < 1e-3
    near = pytest.approx(expected, rel=1e-7, abs=0)
    assert noncentral.nct_upper(critical, df, ncp) == near
    assert noncentral._upper_integral(critical, df, ncp) == near


@pytest.mark.parametrize(
    ("critical", "df", "ncp"),
    [(-9.0, 4.0, 1.0), (-2.0, 50.0, -2.5), (-3.0, 1.0, -4.0), (9.0, 4.0, 5.0), (-9.0, 4.0, -12.0)],
)
def test_integral_of_any_tail(critical: float, df: float, ncp: float) -> None:
    expected = independent.nct_upper(critical, df, ncp)
    found = noncentral._upper_integral(critical, df, ncp)
    assert found == pytest.approx(expected, rel=1e-7)
    assert type(found) is float


def test_integral_of_infinite_values() -> None:
    assert noncentral._upper_integral(math.inf, 5.0, 1.0) == 0.0
    assert noncentral._upper_integral(-math.inf, 5.0, 1.0) == 1.0
    found = noncentral.nct_upper(np.array([math.inf, -math.inf, 2.0]), 5.0, 1.0)
    assert found[:2].tolist() == [0.0, 1.0]
    assert found[2] == noncentral.nct_upper(2.0, 5.0, 1.0)


def test_large_noncentralities() -> None:
    # T / ncp is 1 / w when the normal part is nothing beside ncp
    for ncp in (2e4, 1e6):
        expected = stats.chi2.cdf(9 / 1.21, 9)  # P(1 / w > 1.1)
        assert noncentral.nct_upper(1.1 * ncp, 9.0, ncp) == pytest.approx(expected, rel=1e-3)
    assert noncentral.nct_upper(5.0, 9.0, 1e5) == 1.0
    assert noncentral.nct_upper(5.0, 9.0, -2e4) == 0.0
    assert noncentral.nct_upper(-5.0, 9.0, 2e4) == 1.0


@pytest.mark.parametrize("a", [0.5, 1.0, 4.5, 99.0, 100.0, 150.0, 1e5])
def test_constant_of_chi(a: float) -> None:
    mp = independent.mp
    expected = float(2 * mp.mpf(a) ** a * mp.exp(-a) / mp.gamma(a))
    found = noncentral._chi_constant(a)
    assert found == pytest.approx(expected, rel=1e-11)
    assert type(found) is float


def test_panels_integrate_over_the_unit() -> None:
    nodes, weights = noncentral.gauss_panels(12, 32)
    assert len(nodes) == len(weights) == 384
    for power in (0, 1, 5):
        assert (weights * nodes**power).sum() == pytest.approx(1 / (power + 1), rel=1e-13)


def test_integral_around_a_peak() -> None:
    found = noncentral._integral(lambda x: -((x - 3) ** 2) / 2e-4, -50.0, 50.0)
    assert found == pytest.approx(math.sqrt(2e-4 * math.pi), rel=1e-9)
    edge = noncentral._integral(lambda x: -x, 0.0, 40.0)
    assert edge == pytest.approx(1.0, rel=1e-12)
    other = noncentral._integral(lambda x: x - 400, 0.0, 40.0)
    assert other == pytest.approx(math.exp(-360), rel=1e-12, abs=0)
    assert noncentral._integral(lambda x: np.full(x.shape, -np.inf), 0.0, 1.0) == 0.0
    assert type(found) is float


class Patched:
    """SciPy's functions with some replaced."""

    def __init__(self, **replaced: object) -> None:
        self.replaced = replaced

    def __getattr__(self, name: str) -> object:
        return self.replaced[name] if name in self.replaced else getattr(special, name)


def test_lost_tails_are_integrated(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = special.nctdtr

    def losing(df: np.ndarray, ncp: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.where(ncp == -1.5, np.nan, exact(df, ncp, t))

    monkeypatch.setattr(noncentral, "special", Patched(nctdtr=losing))
    ncp = np.array([0.5, 1.5, 1.5, 3.0])
    critical = np.array([2.0, 2.0, 1.0, 2.0])
    found = noncentral.nct_upper(critical, 7.0, ncp)
    expected = [independent.nct_upper(c, 7.0, n) for c, n in zip(critical, ncp, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-7)
    single = noncentral.nct_upper(2.0, 7.0, 1.5)
    assert single == pytest.approx(expected[1], rel=1e-7)


def test_only_small_tails_are_integrated(monkeypatch: pytest.MonkeyPatch) -> None:
    tails = np.array([1e-6, 0.99e-6, 0.3, 1.5])
    monkeypatch.setattr(noncentral, "special", Patched(nctdtr=lambda *_: tails.copy()))
    monkeypatch.setattr(noncentral, "_upper_integral", lambda *_: -7.0)
    found = noncentral.nct_upper(np.full(4, 2.0), 5.0, 1.0)
    assert found.tolist() == [1e-6, 0.0, 0.3, 1.0]
    noncentralities = np.array([1e4, -1e4, 1.01e4, -1.01e4])
    found = noncentral.nct_upper(np.full(4, 2.0), 5.0, noncentralities)
    assert found.tolist() == [1e-6, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("statistic", [0.0, 2.3, -4.0, 55.0])
@pytest.mark.parametrize("tail", [0.025, 0.5, 0.975])
def test_noncentrality_limit_gives_the_tail_back(statistic: float, tail: float) -> None:
    limit = noncentral.noncentrality_limit(statistic, 9, tail)
    assert type(limit) is float
    assert stats.nct.sf(statistic, 9, limit) == pytest.approx(tail, abs=1e-9)


def test_noncentrality_limit_of_far_tails_and_infinities() -> None:
    assert noncentral.noncentrality_limit(math.inf, 9, 0.025) == math.inf
    assert noncentral.noncentrality_limit(-math.inf, 9, 0.025) == -math.inf
    nearest = special.ndtri(1e-15)  # smaller tails are taken for this one; at 0 T has the sign of z
    assert noncentral.noncentrality_limit(0.0, 4, 1e-40) == pytest.approx(nearest, rel=1e-6)
    assert noncentral.noncentrality_limit(0.0, 4, 0.0) == pytest.approx(nearest, rel=1e-6)
    assert noncentral.noncentrality_limit(0.0, 4, 1.0) == pytest.approx(-nearest, rel=1e-3)
    assert noncentral.noncentrality_limit(0.0, 4, 0.1) == pytest.approx(special.ndtri(0.1))


def test_huge_noncentralities_are_proportional() -> None:
    for huge in (3e17, 1e30):
        quantile = noncentral.nct_quantile(0.8, 9, huge)
        w = math.sqrt(stats.chi2.ppf(0.2, 9) / 9)  # P(ncp / w < quantile)
        assert quantile == pytest.approx(huge / w, rel=1e-6)
        assert type(quantile) is float


def test_huge_statistics_are_proportional() -> None:
    for huge in (3e17, 1e30):
        limit = noncentral.noncentrality_limit(huge, 9, 0.8)
        w = math.sqrt(stats.chi2.ppf(0.8, 9) / 9)  # P(ncp / w > statistic)
        assert limit == pytest.approx(huge * w, rel=1e-6)
        assert type(limit) is float


def test_quantiles_of_the_nearest_and_of_large_noncentralities() -> None:
    assert noncentral.nct_quantile(0.0, 30, 1.0) == noncentral.nct_quantile(1e-15, 30, 1.0)
    assert noncentral.nct_quantile(1.0, 30, 1.0) == noncentral.nct_quantile(1 - 1e-15, 30, 1.0)
    found = noncentral.nct_quantile(0.9, 9, 5000.0)
    assert found == pytest.approx(5000 / math.sqrt(stats.chi2.ppf(0.1, 9) / 9), rel=1e-4)


@pytest.mark.parametrize("probability", [0.01, 0.5, 0.975])
@pytest.mark.parametrize(("df", "ncp"), [(9, 0.0), (9, 2.3), (4, -3.0), (30, 12.0), (2, 25.0)])
def test_quantile_gives_the_probability_back(probability: float, df: float, ncp: float) -> None:
    found = noncentral.nct_quantile(probability, df, ncp)
    assert type(found) is float
    assert noncentral.nct_upper(found, df, ncp) == pytest.approx(1 - probability, abs=2e-9)


@pytest.mark.parametrize("broken", [math.nan, math.inf, 0.0, 1.0])
@pytest.mark.parametrize(
    ("probability", "df", "ncp"), [(0.025, 9, 2.3), (0.975, 4, -3.0), (0.9999, 2, 5.0)]
)
def test_quantile_where_scipy_fails(
    monkeypatch: pytest.MonkeyPatch, broken: float, probability: float, df: float, ncp: float
) -> None:
    expected = special.nctdtrit(df, ncp, probability)
    monkeypatch.setattr(noncentral, "special", Patched(nctdtrit=lambda *_: broken))
    found = noncentral.nct_quantile(probability, df, ncp)
    assert found == pytest.approx(expected, rel=1e-8)
    assert type(found) is float


def test_tails_beyond_the_floats() -> None:
    for critical, ncp, expected in (
        (0.5, -41.0, 0.0),
        (0.0, -41.0, 0.0),
        (-0.5, 41.0, 1.0),
        (5.0, -1e5, 0.0),
        (-5.0, 1e5, 1.0),
    ):
        found = noncentral._upper_integral(critical, 5.0, ncp)
        assert found == expected
        assert type(found) is float
    # on the other side of zero nothing is certain
    upper = noncentral._upper_integral(45.0, 5.0, 41.0)
    assert upper == pytest.approx(independent.nct_upper(45.0, 5.0, 41.0), rel=1e-7)
    lower = noncentral._upper_integral(-45.0, 5.0, -41.0)
    assert lower == pytest.approx(independent.nct_upper(-45.0, 5.0, -41.0), rel=1e-7)


@pytest.mark.parametrize("statistic", [0.5, -0.5, 3.0, -30.0])
@pytest.mark.parametrize("tail", [1e-9, 1 - 1e-9])
def test_noncentrality_limits_far_from_the_statistic(statistic: float, tail: float) -> None:
    limit = noncentral.noncentrality_limit(statistic, 3, tail)
    assert noncentral.nct_upper(statistic, 3, limit) == pytest.approx(tail, rel=1e-6)


def test_tails_on_the_near_side_of_zero() -> None:
    assert noncentral._upper_integral(0.5, 5.0, 41.0) == pytest.approx(1.0, abs=1e-9)
    assert noncentral._upper_integral(-0.5, 5.0, -41.0) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("df", "ncp"), [(9, 2.3), (4, -3.0), (30, 0.0)])
def test_no_search_where_scipy_is_right(
    monkeypatch: pytest.MonkeyPatch, df: float, ncp: float
) -> None:
    monkeypatch.setattr(noncentral, "_root", None)
    found = noncentral.nct_quantile(0.3, df, ncp)
    assert noncentral.nct_upper(found, df, ncp) == pytest.approx(0.7, abs=2e-9)


def test_a_critical_value_of_zero_far_from_the_centre() -> None:
    assert float(noncentral.nct_upper(0.0, 9, 2e4)) == 1
    assert float(noncentral.nct_upper(0.0, 9, -2e4)) == 0


@pytest.mark.parametrize("size", [2e15, 3e17, 1e200])
@pytest.mark.parametrize("probability", [0.025, 0.2, 0.5])
def test_huge_negative_values_mirror_positive_ones(size: float, probability: float) -> None:
    """T of -ncp is -T of ncp, so quantiles and limits change sign with the tail."""
    for df in (1.0, 9.0, 200.0):
        quantile = noncentral.nct_quantile(probability, df, -size)
        assert quantile < 0
        assert quantile == pytest.approx(
            -noncentral.nct_quantile(1 - probability, df, size), rel=1e-9
        )
        limit = noncentral.noncentrality_limit(-size, df, probability)
        assert limit < 0
        assert limit == pytest.approx(
            -noncentral.noncentrality_limit(size, df, 1 - probability), rel=1e-9
        )
