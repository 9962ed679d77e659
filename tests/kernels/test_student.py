"""Student tests, against SciPy and sums by hand."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special, stats

import independent
from replicast.kernels import student

ROWS = np.array(
    [
        [0.1, 0.3, -0.2, 0.5],
        [5.0, 7.0, 9.0, 4.0],
        [-1e200, 1e200, 3e200, 2e200],
        [1e-200, -2e-200, 3e-200, 5e-200],
        [1e8, 1e8 + 1, 1e8 + 2, 1e8 + 4],
    ]
)


def test_moments_by_plain_loops() -> None:
    mean, deviation = student.moments(ROWS)
    for i in (0, 1, 4):
        assert mean[i] == pytest.approx(independent.mean(ROWS[i].tolist()), rel=1e-14)
        expected = math.sqrt(independent.variance(ROWS[i].tolist()))
        assert deviation[i] == pytest.approx(expected, rel=1e-9)
    huge = math.sqrt(independent.variance([-1.0, 1.0, 3.0, 2.0]))
    assert deviation[2] == pytest.approx(huge * 1e200, rel=1e-14)
    tiny = math.sqrt(independent.variance([1.0, -2.0, 3.0, 5.0]))
    assert deviation[3] == pytest.approx(tiny * 1e-200, rel=1e-14, abs=0)
    np.testing.assert_allclose(mean[2:4], [1.25e200, 1.75e-200], rtol=1e-14)


def test_residuals_of_the_mean_are_taken_off() -> None:
    row = np.array([[1e15, 1e15 + 2, 1e15 + 4]])  # the mean itself rounds
    deviation = student.moments(row / 3)[1]
    values = [float(v) for v in (row / 3)[0]]
    exact = [Fraction(v) for v in values]
    middle = sum(exact) / 3
    variance = sum((v - middle) ** 2 for v in exact) / 2
    assert deviation[0] == pytest.approx(math.sqrt(variance), rel=1e-9)


def test_spread_of_close_and_large_values() -> None:
    rng = np.random.default_rng(4)
    steps = rng.choice(40, 12, replace=False) * 2.0  # units in the last place: the mean is rounded
    deviation = student.moments((1e16 + steps)[None])[1]
    assert deviation[0] == pytest.approx(steps.std(ddof=1), rel=1e-12)


def test_constant_rows_have_exactly_no_spread() -> None:
    rows = np.array([[0.1] * 7, [0.0] * 7, [-3e300] * 7, [0.1] * 6 + [0.2]])
    mean, deviation = student.moments(rows)
    assert mean[:3].tolist() == [0.1, 0.0, -3e300]
    assert deviation[:3].tolist() == [0.0, 0.0, 0.0]
    assert deviation[3] > 0
    first_differs = student.moments(np.array([[0.2, 0.1, 0.1]]))
    assert first_differs[1][0] > 0
    middle_differs = student.moments(np.array([[0.1, 0.2, 0.1]]))
    assert middle_differs[1][0] == pytest.approx(math.sqrt(0.01 / 3))
    assert student.moments(np.array([[4.0], [5.0]]))[0].tolist() == [4.0, 5.0]


def test_moments_of_stacks() -> None:
    stack = np.random.default_rng(0).normal(size=(2, 3, 4))
    mean, deviation = student.moments(stack)
    np.testing.assert_allclose(mean, stack.mean(axis=-1), rtol=1e-13)
    np.testing.assert_allclose(deviation, stack.std(axis=-1, ddof=1), rtol=1e-13)
    turned, _ = student.moments(stack.transpose(0, 2, 1))
    np.testing.assert_allclose(turned, stack.mean(axis=1), rtol=1e-13)
    assert student.moments(stack[0, 0])[0].shape == ()
    assert student.moments(np.empty((0, 4)))[1].shape == (0,)


def test_correlated_t_by_hand() -> None:
    rows = ROWS[:2]
    mean, error, t = student.correlated_t(rows, test_train_ratio=0.25)
    expected = np.sqrt((1 / 4 + 0.25) * rows.var(axis=1, ddof=1))
    np.testing.assert_allclose(error, expected, rtol=1e-13)
    np.testing.assert_allclose(t, mean / expected, rtol=1e-13)
    plain = student.correlated_t(rows, test_train_ratio=0.0)[2]
    np.testing.assert_allclose(plain, stats.ttest_1samp(rows, 0, axis=1).statistic, rtol=1e-12)


def test_correlated_t_of_stacks_and_single_rows() -> None:
    stack = np.random.default_rng(1).normal(size=(2, 3, 4))
    found = student.correlated_t(stack, test_train_ratio=0.1)
    for whole, index in ((part, i) for part in range(3) for i in np.ndindex(2, 3)):
        single = student.correlated_t(stack[index], test_train_ratio=0.1)
        assert found[whole][index] == single[whole]
    expected = stack.std(axis=-1, ddof=1) * math.sqrt(1 / 4 + 0.1)
    np.testing.assert_allclose(found[1], expected, rtol=1e-12)


def test_ratio_or_infinity() -> None:
    top = np.array([0.0, 2.0, -3.0, 4.0, -0.0, 0.0])
    bottom = np.array([0.0, 0.0, 0.0, 2.0, 0.0, 5.0])
    found = student.ratio_or_infinity(top, bottom)
    assert found.tolist() == [0.0, math.inf, -math.inf, 2.0, 0.0, 0.0]


TENS = np.random.default_rng(6).normal(0.1, 1.0, size=(3, 10))


def test_five_by_two_by_hand() -> None:
    first, spread, t = student.five_by_two_t(TENS)
    f = student.five_by_two_f(TENS)
    for i, row in enumerate(TENS):
        pairs = row.reshape(5, 2).tolist()
        assert t[i] == pytest.approx(independent.five_by_two_t(pairs)[0], rel=1e-13)
        assert f[i] == pytest.approx(independent.five_by_two_f(pairs)[0], rel=1e-13)
        assert first[i] == row[0]
        assert spread[i] == pytest.approx(row[0] / t[i], rel=1e-13)
    np.testing.assert_array_equal(student.five_by_two_t(TENS[1])[2], t[1])
    np.testing.assert_array_equal(student.five_by_two_f(TENS[1]), f[1])
    stack = np.stack([TENS, -TENS])
    np.testing.assert_array_equal(student.five_by_two_f(stack), [f, f])
    np.testing.assert_array_equal(student.five_by_two_t(stack)[2], [t, -t])


@pytest.mark.parametrize("scale", [1e200, 1e-200])
def test_five_by_two_of_extreme_scales(scale: float) -> None:
    first, spread, t = student.five_by_two_t(TENS)
    found = student.five_by_two_t(TENS * scale)
    np.testing.assert_allclose(found[2], t, rtol=1e-13)
    np.testing.assert_allclose(found[1], spread * scale, rtol=1e-13)
    np.testing.assert_allclose(
        student.five_by_two_f(TENS * scale), student.five_by_two_f(TENS), rtol=1e-13
    )
    assert first.shape == (3,)


def test_five_by_two_of_mixed_scales() -> None:
    row = np.array([[1e200, 0.0, 1e-200, 0.0, 1e-100, 0.0, 1.0, 0.0, 1e50, 0.0]])
    assert student.five_by_two_t(row)[2][0] == pytest.approx(math.sqrt(10), rel=1e-12)
    assert student.five_by_two_f(row)[0] == pytest.approx(1.0, rel=1e-12)


def test_five_by_two_of_constants() -> None:
    rows = np.array([[0.0] * 10, [0.3] * 10, [-0.3] * 10])
    assert student.five_by_two_t(rows)[2].tolist() == [0.0, math.inf, -math.inf]
    assert student.five_by_two_f(rows).tolist() == [0.0, math.inf, math.inf]
    assert student._largest(rows).tolist() == [1.0, 0.3, 0.3]


STATISTICS = np.array([0.0, 0.3, -0.7, 1.0, -1.9, 2.6, 4.0, -9.0, math.inf, -math.inf])


@pytest.mark.parametrize("df", [1, 2, 3, 4, 9, 10, 119, 120, 121, 4.5])
def test_tails_of_many_statistics(df: float) -> None:
    np.testing.assert_allclose(
        student.t_pvalue(STATISTICS, df, "greater"), stats.t.sf(STATISTICS, df), rtol=1e-11
    )
    np.testing.assert_allclose(
        student.t_pvalue(STATISTICS, df, "less"), stats.t.cdf(STATISTICS, df), rtol=1e-11
    )
    expected = 2 * stats.t.sf(np.abs(STATISTICS), df)
    found = student.t_pvalue(STATISTICS, df, "two-sided")
    np.testing.assert_allclose(found, expected, rtol=1e-11)
    few = student.t_pvalue(STATISTICS[:4], df, "two-sided")
    np.testing.assert_allclose(few, expected[:4], rtol=1e-11)
    square = student.t_pvalue(STATISTICS.reshape(2, 5).T, df, "two-sided")
    np.testing.assert_allclose(square, expected.reshape(2, 5).T, rtol=1e-11)


@pytest.mark.parametrize("df", [1, 4])
@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_one_statistic_gives_floats(alternative: str, df: float) -> None:
    found = student.t_pvalue(np.float64(1.0), df, alternative)
    assert found.shape == ()
    single = student.t_pvalue(np.array([1.0, 2.0], dtype=np.float32), df, alternative)
    assert single.dtype == np.float64
    assert isinstance(student.t_lower(df, 1.0), np.ndarray)
    assert student.t_lower(df, [1, 2]).shape == (2,)


@pytest.mark.parametrize("df", [1, 2, 2.5, 30])
def test_lower_tail_in_high_precision(df: float) -> None:
    for t in (-1e3, -2.0, -1e-9, 0.0, 0.4, 5.0):
        expected = 1 - independent.t_upper(t, df) if t > 0 else independent.t_upper(-t, df)
        assert student.t_lower(df, t) == pytest.approx(expected, rel=1e-11)


def test_lower_tail_of_one_degree_keeps_its_digits() -> None:
    assert student.t_lower(1, -1e200) == pytest.approx(1e-200 / math.pi, rel=1e-14)
    assert student.t_lower(1, 1e200) == 1.0
    assert student.t_lower(1, -math.inf) == 0.0
    assert student.t_lower(1, math.inf) == 1.0
    assert student.t_lower(1, np.array([-1.0, 0.0, 1.0])).tolist() == [0.25, 0.5, 0.75]


@pytest.mark.parametrize("df", [1, 2, 9, 40.5])
@pytest.mark.parametrize("tail", [0.4999, 0.025, 1e-12, 1e-100, 1e-280])
def test_critical_value_gives_the_tail_back(tail: float, df: float) -> None:
    found = student.t_critical(df, tail)
    assert type(found) is float
    if found < 1e150:
        assert independent.t_upper(found, df) == pytest.approx(tail, rel=1e-8, abs=0)
    else:
        assert df <= 2


@pytest.mark.parametrize("tail", [0.499, 0.25, 1e-3, 1e-12, 1e-160, 1e-300])
def test_critical_value_of_one_degree_is_a_cotangent(tail: float) -> None:
    expected = float(independent.mp.cot(independent.mp.pi * independent.mp.mpf(tail)))
    assert student.t_critical(1, tail) == pytest.approx(expected, rel=1e-12)


def test_one_degree_of_freedom_needs_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(student, "special", Patched(math.nan))
    assert student.t_critical(1, 0.25) == pytest.approx(1.0, rel=1e-14)
    assert student.t_critical(1, 1e-9) == pytest.approx(1e9 / math.pi, rel=1e-12)


@pytest.mark.parametrize("df", [1, 9])
def test_critical_value_of_other_tails(df: float) -> None:
    assert student.t_critical(df, 0.5) == pytest.approx(0.0, abs=1e-12)
    assert student.t_critical(df, 0.8) == pytest.approx(-stats.t.ppf(0.8, df), rel=1e-9)


class Patched:
    """SciPy's functions, but the quantile of Student's t is wrong."""

    def __init__(self, quantile: float) -> None:
        self.quantile = quantile

    def __getattr__(self, name: str) -> object:
        return (lambda *_: self.quantile) if name == "stdtrit" else getattr(special, name)


@pytest.mark.parametrize("tail", [1e-60, 1e-120])
@pytest.mark.parametrize("quantile", [-math.inf, math.inf, math.nan, 0.0, 5.0, -40.0, -1e20])
def test_critical_value_where_scipy_gives_up(
    monkeypatch: pytest.MonkeyPatch, tail: float, quantile: float
) -> None:
    monkeypatch.setattr(student, "special", Patched(quantile))
    found = student.t_critical(7, tail)
    assert independent.t_upper(found, 7) == pytest.approx(tail, rel=1e-9, abs=0)
    assert type(found) is float


@pytest.mark.parametrize("n", [1, 3])
def test_pvalue_of_equal_differences_is_that_of_their_signs(n: int) -> None:
    mean = np.array([0.4, 0.0, -0.4])
    tail = 2.0**-n
    assert student.constant_row_pvalue(mean, n, "greater").tolist() == [tail, 1.0, 1.0]
    assert student.constant_row_pvalue(mean, n, "less").tolist() == [1.0, 1.0, tail]
    assert student.constant_row_pvalue(mean, n, "two-sided").tolist() == [2 * tail, 1.0, 2 * tail]


def test_interval() -> None:
    low, high = student.t_interval(0.3, 0.2, 7, 0.9)
    assert (low, high) == pytest.approx(stats.t.interval(0.9, 7, 0.3, 0.2), rel=1e-12)
    assert type(low) is float
    assert student.t_interval(0.3, 0.0, 7, 0.9) == (0.3, 0.3)


@pytest.mark.parametrize("df", [1.0, 2.0, 9.0, 99.0])
def test_a_tail_of_nothing_is_never_reached(df: float) -> None:
    assert student.t_critical(df, 0.0) == math.inf
    assert student.t_critical(df, 1.0) == -math.inf
    edge = student._POLISHED_BELOW
    assert student.t_critical(df, edge) == pytest.approx(-special.stdtrit(df, edge), rel=1e-12)


def trimmed_by_fractions(row: list[float]) -> tuple[float, float]:
    """Trimmed mean and squared standard error, written out and without round-off."""
    values = sorted(map(Fraction, row))
    n = len(values)
    cut = n // 5
    kept = values[cut : n - cut]
    place, rest = Fraction(n - 1, 5).__floor__(), Fraction(n - 1, 5) % 1
    low = (1 - rest) * values[place] + rest * values[place + 1]
    high = (1 - rest) * values[-1 - place] + rest * values[-2 - place]
    pulled = [min(max(value, low), high) for value in values]
    centre = sum(pulled) / n
    variance = sum((value - centre) ** 2 for value in pulled) / (n - 1)
    return float(sum(kept) / len(kept)), float(variance / (Fraction(9, 25) * n))


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7, 9, 10, 11, 14, 20, 33])
def test_trimmed_t_by_fractions(n: int) -> None:
    rows = np.random.default_rng(n).standard_t(2, size=(2, 3, n)) + 0.5
    mean, error, statistic = student.trimmed_t(rows)
    for index in np.ndindex(2, 3):
        expected, squared = trimmed_by_fractions(rows[index].tolist())
        assert mean[index] == pytest.approx(expected, rel=1e-12)
        assert error[index] ** 2 == pytest.approx(squared, rel=1e-12)
        assert statistic[index] == pytest.approx(expected / squared**0.5, rel=1e-12)


def test_trimmed_t_without_a_spread() -> None:
    rows = np.array([[0.5] * 8 + [9.0, -7.0], [0.0] * 8 + [-1.0, 2.0], [-0.5] * 10])
    mean, error, statistic = student.trimmed_t(rows)
    assert mean.tolist() == [0.5, 0.0, -0.5]
    assert error.tolist() == [0.0, 0.0, 0.0]
    assert statistic.tolist() == [np.inf, 0.0, -np.inf]


def test_equal_differences_are_counted_row_by_row() -> None:
    found = student.constant_row_pvalue(
        np.array([0.5, -0.5, 0.0]), np.array([3, 6, 9]), "two-sided"
    )
    assert found.tolist() == [0.25, 2**-5, 1.0]
    assert student.constant_row_pvalue(np.array([0.5]), 10**6, "greater").tolist() == [0.0]
