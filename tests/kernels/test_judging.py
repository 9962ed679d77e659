"""Judging a replication by two estimates: R's values, closed forms and limits."""

import csv
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from replicast.kernels import judging

GOLDEN = Path(__file__).parents[1] / "golden" / "replication_success.csv"
with GOLDEN.open(encoding="utf-8") as file:
    ROWS = [
        {k: float("nan" if v == "NA" else v) for k, v in row.items()}
        for row in csv.DictReader(file)
    ]
COLUMNS = {
    "zS": "sceptical_z",
    "pS_golden": "golden_p",
    "pS_controlled_tight": "controlled_p",
    "Qp": "q_pvalue",
    "pi_low": "low",
    "pi_high": "high",
    "edgington": "edgington_p",
    "meta": "pooled",
    "meta_se": "pooled_se",
    "BFr": "bayes_factor",
    "BFr_hand": "bayes_factor",
}
sizes = st.floats(0.01, 30)
ratios = st.floats(1e-3, 1e3)


def column(name: str) -> np.ndarray:
    return np.array([row[name] for row in ROWS])


def judged(**changes: np.ndarray) -> judging.Judged:
    given = {name: column(name) for name in ("to", "so", "tr", "sr")} | changes
    return judging.judge(given["to"], given["so"], given["tr"], given["sr"])


@pytest.mark.parametrize(("theirs", "ours"), COLUMNS.items())
def test_all_rows_as_in_r(theirs: str, ours: str) -> None:
    expected, found = column(theirs), getattr(judged(), ours)
    assert len(expected) == 72
    known = ~np.isnan(expected)
    assert known.all()
    np.testing.assert_allclose(found[known], expected[known], rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(found[known], expected[known], rtol=1e-8)


def test_the_controlled_value_as_r_prints_it() -> None:
    """R integrates to an absolute 1.2e-4 of the squared value, unless the variances are equal."""
    expected, found = column("pS_controlled"), judged().controlled_p
    equal = column("c") == 1
    np.testing.assert_allclose(found[equal], expected[equal], rtol=0, atol=1e-8)
    np.testing.assert_allclose(found, expected, atol=5e-5)


@pytest.mark.parametrize("z", [1e-6, 0.05, 0.7, 2.1, 9.0])
@pytest.mark.parametrize("c", [1e-4, 0.3, 1.0, 40.0])
def test_the_controlled_value_by_mpmath(z: float, c: float) -> None:
    with mp.workdps(30):

        def tail(x: mp.mpf) -> mp.mpf:  # P(z_r large enough | z_o = x), for z_o beyond z
            return mp.npdf(x) * mp.ncdf(-z * mp.sqrt(1 + c / (x * x / mp.mpf(z) ** 2 - 1)))

        points = [z * (1 + mp.mpf(10) ** -k) for k in range(12, 0, -1)] + [z + 1, z + 3, z + 9]
        expected = mp.sqrt(mp.quad(tail, [mp.mpf(z) * (1 + mp.mpf(10) ** -25), *points]))
    found = judging.controlled_p(np.array(z), np.array(c), np.array(True))
    assert float(found) == pytest.approx(float(expected), rel=1e-9)


def test_false_alarms_of_the_controlled_value() -> None:
    rng = np.random.default_rng(2)
    z = rng.normal(size=(2, 60_000))
    for ratio in (0.25, 1.0, 4.0):
        found = judging.judge(z[0], np.ones(1), z[1] / np.sqrt(ratio), np.full(1, ratio**-0.5))
        alarms = np.mean(found.controlled_p <= 0.1)  # in the original's direction, either one
        assert alarms == pytest.approx(2 * 0.1**2, abs=4 * np.sqrt(0.02 / 60_000))


@given(sizes, sizes, ratios)
def test_nominal_is_never_below_the_larger_p(z_o: float, z_r: float, c: float) -> None:
    z = judging.sceptical_z(np.array(z_o), np.array(z_r), np.array(c))
    larger = max(special.ndtr(-z_o), special.ndtr(-z_r))
    assert judging.nominal_p(z, np.array(True)) >= larger * (1 - 1e-12)
    assert judging.nominal_p(z, np.array(True)) >= judging.golden_p(z, np.array(True))


@given(sizes, sizes, ratios)
def test_the_defining_equation(z_o: float, z_r: float, c: float) -> None:
    z2 = float(judging.sceptical_z(np.array(z_o), np.array(z_r), np.array(c))) ** 2
    product = (z_o**2 / z2 - 1) * (z_r**2 / z2 - 1)
    slope = (z_o**2 + z_r**2) / z2 + z_o**2 * z_r**2 / z2**2  # how much rounding of z2 moves it
    assert product == pytest.approx(c, rel=1e-9, abs=1e-12 * slope)


@given(sizes, sizes)
def test_limits_of_the_ratio(z_o: float, z_r: float) -> None:
    def z(c: float) -> float:
        return float(judging.sceptical_z(np.array(z_o), np.array(z_r), np.array(c)))

    assert z(0.0) == pytest.approx(min(z_o, z_r), rel=1e-7)
    assert z(1.0) == pytest.approx(1 / np.sqrt(1 / z_o**2 + 1 / z_r**2), rel=1e-12)
    assert z(1e14) < 1e-3 * max(z_o, z_r)
    assert z(2.0) <= z(1.0) <= z(0.5)


def test_turning_both_estimates_turns_what_has_a_sign() -> None:
    one, other = judged(), judged(to=-column("to"), tr=-column("tr"))
    for name in ("sceptical_z", "golden_p", "controlled_p", "nominal_p", "q_pvalue", "edgington_p",
                 "bayes_factor", "pooled_se", "ratio"):  # fmt: skip
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_array_equal(one.pooled, -other.pooled)
    np.testing.assert_array_equal(one.low, -other.high)
    np.testing.assert_array_equal(one.z_replication, -other.z_replication)


def test_the_original_and_its_replication_exchanged() -> None:
    """The sceptical value treats both alike if both are measured alike."""
    one = judging.judge(*(np.array(x) for x in (2.5, 1.0, 1.7, 1.0)))
    other = judging.judge(*(np.array(x) for x in (1.7, 1.0, 2.5, 1.0)))
    assert one.sceptical_z == pytest.approx(other.sceptical_z)
    assert one.edgington_p == pytest.approx(other.edgington_p)
    assert one.pooled == pytest.approx(other.pooled)


def test_nothing_observed() -> None:
    none = judging.judge(*(np.array(x) for x in (0.0, 1.0, 0.0, 1.0)))
    assert (none.sceptical_z, none.golden_p, none.controlled_p) == (0.0, 0.5, 0.5)
    assert none.q_pvalue == 1.0
    assert none.edgington_p == 0.5


def test_extremes_are_numbers() -> None:
    sizes = np.array([1e-300, 1e-8, 1.0, 1e8, 1e150])
    found = judging.judge(sizes[:, None], np.ones(1), sizes, np.ones(1))
    for name in ("golden_p", "controlled_p", "nominal_p", "q_pvalue", "edgington_p"):
        values = getattr(found, name)
        assert ((values >= 0) & (values <= 1)).all()
    assert np.isfinite(found.bayes_factor).all()


@given(st.floats(0, 1), st.floats(0, 1))
def test_edgington_is_the_sum_of_two_uniform_values(p: float, q: float) -> None:
    found = float(judging.edgington(np.array(p), np.array(q)))
    grid = (np.arange(400) + 0.5) / 400
    share = np.clip(p + q - grid, 0, 1).mean()  # area below the line x + y = p + q
    assert found == pytest.approx(share, abs=1e-5)
