"""Replicability from outcomes: published counts, enumeration, properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import independent as check
import replicast as rc
from goldens import published
from replicast.kernels.agreement import (
    disjoint_pairs_variance,
    equal_disjoint_pairs,
    equal_pairs,
    pairs_interval,
    pairs_variance,
)


def test_table_1_of_bouckaert_and_frank() -> None:
    table = published("bouckaert_frank_2004")["table1_5x2cv"]
    for pair in ("NB vs C4.5", "NB vs NN", "C4.5 vs NN"):
        draws = [row["draws"][pair] for row in table["datasets"]]
        found = rc.Replicability.from_counts(draws, 10)
        assert found.consistent == table["consistent"][pair]
        assert found.almost_consistent == table["almost_consistent"][pair]
        assert found.r2 == pytest.approx(table["replicability"][pair], abs=5e-4)


@pytest.mark.parametrize("n", range(2, 13))
def test_variances_equal_enumeration(n: int) -> None:
    for r in (0.5, 0.6, 0.82, 0.97, 1.0):
        assert pairs_variance(r, n) == pytest.approx(check.var_r2(r, n), abs=1e-12)
        assert disjoint_pairs_variance(r, n) == pytest.approx(check.var_r1(r, n), abs=1e-12)


@pytest.mark.parametrize("n", [2, 5, 10])
def test_pairs_equal_counting(n: int) -> None:
    for accepted in range(n + 1):
        found = equal_pairs(np.array([accepted, n - accepted]))
        assert float(found) == pytest.approx(check.r2(accepted, n))


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from([-1, 1])), min_size=2, max_size=30))
def test_properties(rows: list[tuple[float, int]]) -> None:
    pvalues, signs = zip(*rows, strict=True)
    found = rc.Replicability.from_pvalues(pvalues, signs)
    first, none, second = found.outcomes[0]
    assert first + none + second == found.reruns == len(rows)
    assert 0 <= found.r2_three_valued <= found.r2 + 1e-12 <= 1 + 1e-12
    assert found.interval.low <= found.r2 <= found.interval.high
    swapped = rc.Replicability.from_pvalues(pvalues, [-s for s in signs])
    assert swapped.r2 == found.r2
    outcomes = [0 if p >= 0.05 else s for p, s in rows]
    assert found.r2 == pytest.approx(check.r2_of([abs(o) for o in outcomes]))
    assert found.r2_three_valued == pytest.approx(check.r2_of(outcomes))
    assert found.pvalues[0] == pytest.approx(pvalues)


def test_disjoint_pairs() -> None:
    assert float(equal_disjoint_pairs(np.array([1, 1, 0, 1, 1]))) == 0.5


def test_interval_of_agreement() -> None:
    low, high = pairs_interval(5, 10, 0.95)
    assert low == 0.5
    assert 0.5 < high < 1
    low, high = pairs_interval(10, 10, 0.95)
    assert high == 1
    assert low == pytest.approx(0.6915**2 + 0.3085**2, abs=1e-3)


def test_several_datasets() -> None:
    found = rc.Replicability.from_pvalues(
        [[0.01, 0.01, 0.01, 0.2], [0.5, 0.6, 0.7, 0.8]], np.ones((2, 4)), datasets=("a", "b")
    )
    assert (found.consistent, found.almost_consistent) == (1, 2)
    assert found.r2 == pytest.approx((0.5 + 1) / 2)
    assert "over 2 datasets" in str(found)
    assert found.to_dict()["outcomes"] == [[3, 1, 0], [0, 4, 0]]


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: rc.Replicability.from_counts([11], 10), "`draws` must be counts from 0 to 10"),
        (lambda: rc.Replicability.from_counts([], 10), "`draws` must be counts for at least one"),
        (lambda: rc.Replicability.from_counts([1], 1), "`reruns` must be an integer of at least 2"),
        (lambda: rc.Replicability.from_pvalues([0.1], [1]), "`reruns` must be an integer"),
        (lambda: rc.Replicability.from_pvalues([0.1, 2], [1, 1]), "`pvalues` must be between"),
        (lambda: rc.Replicability.from_pvalues([0.1, 0.2], [1]), "`signs` must be of the shape"),
    ],
)
def test_mistakes(call: object, match: str) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=match):
        call()


def test_more_datasets_do_not_make_certain() -> None:
    one, two = (rc.Replicability.from_counts([10] * k, 10).interval for k in (1, 2))
    assert two == one
    low, high = rc.Replicability.from_counts([5, 10], 10).interval
    assert (low, high) == (0.5, 1.0)
    coins = rc.Replicability.from_counts([5, 5, 5], 10)  # R2 itself may lie below a half
    assert coins.interval.low <= coins.r2 < 0.5 < coins.interval.high
