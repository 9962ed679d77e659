"""Signed ranks, against every sign pattern."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats
from scipy import stats as scipy_stats

import independent
from replicast.kernels import ranks

SHORT = np.random.default_rng(1).integers(-4, 5, size=(12, 7)) / 8  # ties and zeros
UNTIED = np.array([[1.0, -2.0, 3.0, 4.0, -5.0], [-1.0, 2.0, -3.0, 4.0, 5.0], [0.0, 0, 0, 2, -1]])


def plain_statistics(row: list[float]) -> tuple[float, int, float]:
    kept = [x for x in row if x != 0]
    sizes = [abs(x) for x in kept]
    w = sum(r for r, x in zip(independent.midranks(sizes), kept, strict=True) if x > 0)
    ties = sum(sizes.count(s) ** 3 - sizes.count(s) for s in set(sizes))
    return w, len(kept), ties


def plain_pvalue(row: list[float], alternative: str) -> float:
    kept = [x for x in row if x != 0]
    places = independent.midranks([abs(x) for x in kept])
    w = sum(r for r, x in zip(places, kept, strict=True) if x > 0)
    sums = [
        sum(r for r, on in zip(places, signs, strict=True) if on)
        for signs in product((0, 1), repeat=len(kept))
    ]
    above = Fraction(sum(s >= w for s in sums), len(sums))
    below = Fraction(sum(s <= w for s in sums), len(sums))
    two = min(Fraction(1), 2 * min(above, below))
    return float({"greater": above, "less": below, "two-sided": two}[alternative])


def test_limits() -> None:
    assert ranks.EXACT_UP_TO == 50


@pytest.mark.parametrize("rows", [SHORT, UNTIED, np.zeros((2, 3)), np.array([[0.5], [-0.5], [0]])])
@pytest.mark.parametrize("limit", [64, 0])
def test_statistics_of_either_way(
    monkeypatch: pytest.MonkeyPatch, rows: np.ndarray, limit: int
) -> None:
    monkeypatch.setattr(ranks, "_COUNT_UP_TO", limit)
    w, used, ties = ranks.signed_rank_statistics(rows)
    expected = [plain_statistics(row) for row in rows.tolist()]
    assert list(zip(w.tolist(), used.tolist(), ties.tolist(), strict=True)) == expected


@pytest.mark.parametrize("limit", [64, 0])
def test_negative_zeros_and_extreme_magnitudes(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(ranks, "_COUNT_UP_TO", limit)
    rows = np.array([[-0.0, 5e-324, -1e308, 0.0, 1e-300], [-5e-324, 1e308, 1e308, -0.0, -1.0]])
    w, used, ties = ranks.signed_rank_statistics(rows)
    assert w.tolist() == [3.0, 7.0]
    assert used.tolist() == [3, 4]
    assert ties.tolist() == [0.0, 6.0]


def long_rows(n: int) -> np.ndarray:
    rng = np.random.default_rng(n)
    return np.stack([rng.integers(-9, 10, size=n) / 4, rng.normal(size=n), np.zeros(n)])


@pytest.mark.parametrize("n", [39, 40, 41, 64, 65])
def test_statistics_of_long_rows(n: int) -> None:
    rows = long_rows(n)
    w, used, ties = ranks.signed_rank_statistics(rows)
    expected = [plain_statistics(row) for row in rows.tolist()]
    assert list(zip(w.tolist(), used.tolist(), ties.tolist(), strict=True)) == expected


@pytest.mark.parametrize("n", [5, 40, 41, 60])
def test_magnitudes_are_sorted_with_their_signs(n: int) -> None:
    row = long_rows(n)[1]
    row[::7] = 0.0
    magnitude, positive = np.full(n, np.nan), np.zeros(n, dtype=np.bool_)
    used = ranks._sorted_magnitudes(row, magnitude, positive)
    kept = sorted((abs(x), x > 0) for x in row.tolist() if x != 0)
    assert used == len(kept)
    assert list(zip(magnitude[:used].tolist(), positive[:used].tolist(), strict=True)) == kept
    assert np.isnan(magnitude[used:]).all()


def test_sorting_keeps_the_signs_of_ties_apart() -> None:
    row = np.array([2.0, -1.0, 1.0, -2.0, -1.0])
    magnitude, positive = np.empty(5), np.zeros(5, dtype=np.bool_)
    assert ranks._sorted_magnitudes(row, magnitude, positive) == 5
    assert magnitude.tolist() == [1, 1, 1, 2, 2]
    assert positive.tolist() == [False, True, False, True, False]  # equal ones stay in order


def test_way_is_chosen_by_length(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = []
    for way in ("counting", "sorting"):

        def recorded(*arguments: object, way: str = way) -> None:
            chosen.append(way)

        monkeypatch.setattr(ranks, f"_statistics_by_{way}", recorded)
    monkeypatch.setattr(ranks, "pays", lambda _operations: True)
    ranks.signed_rank_statistics(np.ones((1, 64)))
    ranks.signed_rank_statistics(np.ones((1, 65)))
    assert chosen == ["counting", "sorting"]


def test_statistics_of_stacks_and_views() -> None:
    stack = SHORT.reshape(3, 4, 7)
    found = ranks.signed_rank_statistics(stack)
    flat = ranks.signed_rank_statistics(SHORT)
    for whole, each in zip(found, flat, strict=True):
        assert whole.shape == (3, 4)
        np.testing.assert_array_equal(whole.reshape(-1), each)
    for whole, each in zip(ranks.signed_rank_statistics(SHORT[3]), flat, strict=True):
        assert whole.shape == ()
        assert whole == each[3]
    turned = ranks.signed_rank_statistics(np.asfortranarray(SHORT))
    np.testing.assert_array_equal(turned[0], flat[0])
    assert ranks.signed_rank_statistics(SHORT[:0])[0].shape == (0,)


def test_doubled_ranks_by_hand() -> None:
    magnitude = np.array([1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 9.0, 9.0])
    places = np.zeros(8, dtype=np.int64)
    assert ranks._doubled_ranks(magnitude, 7, places) == 6 + 24
    assert places.tolist() == [3, 3, 6, 10, 10, 10, 14, 0]
    assert ranks._doubled_ranks(magnitude, 0, places) == 0.0
    equal = np.zeros(3, dtype=np.int64)
    assert ranks._doubled_ranks(np.full(3, 2.0), 3, equal) == 24
    assert equal.tolist() == [4, 4, 4]


def test_lower_tail_by_patterns() -> None:
    places = np.array([3, 3, 6, 8, 10])
    sums = [
        sum(r for r, on in zip(places.tolist(), signs, strict=True) if on)
        for signs in product((0, 1), repeat=5)
    ]
    for limit in range(31):
        current, following = np.full(31, 7.0), np.full(31, 7.0)
        found = ranks._lower_tail(places, 5, limit, current, following)
        assert found == sum(s <= limit for s in sums) / 32
    assert ranks._lower_tail(places, 0, 0, current, following) == 1.0
    assert ranks._lower_tail(places, 1, 3, current, following) == 1.0
    assert ranks._lower_tail(places, 1, 2, current, following) == 0.5


def test_z_by_hand() -> None:
    rows = np.vstack([SHORT, np.zeros((1, 7))])
    w, used, ties = ranks.signed_rank_statistics(rows)
    found = ranks.signed_rank_z(w, used, ties)
    expected = [independent.signed_rank_normal(row)[0] for row in rows.tolist()]
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)
    assert found[-1] == 0.0
    middle = ranks.signed_rank_z(np.array([3.0, 3.25, 2.75]), np.array([3, 3, 3]), np.zeros(3))
    assert middle.tolist() == [0.0, 0.0, 0.0]
    single = ranks.signed_rank_z(np.array([6.0]), [3], np.zeros(1))
    assert single == pytest.approx(2.5 / math.sqrt(3.5))
    one = ranks.signed_rank_z(np.array([1.0]), np.array([1]), np.zeros(1))
    assert one.tolist() == [0.0]


def test_normal_tails() -> None:
    z = np.array([-1.5, 0.0, 2.0])
    np.testing.assert_allclose(ranks.normal_pvalue(z, "greater"), stats.norm.sf(z))
    np.testing.assert_allclose(ranks.normal_pvalue(z, "less"), stats.norm.cdf(z))
    np.testing.assert_allclose(ranks.normal_pvalue(z, "two-sided"), 2 * stats.norm.sf(np.abs(z)))


@pytest.mark.parametrize("n", [0, 1, 2, 5, 9])
def test_untied_tail_is_counted(n: int) -> None:
    counts = independent.signed_rank_counts(n)
    expected = np.cumsum(counts) / 2**n
    found = ranks.untied_lower_tail(n)
    assert found.tolist() == expected.tolist()
    assert not found.flags.writeable


def test_stacked_tables() -> None:
    tables = ranks._untied_tables(4)
    assert tables.shape == (5, 11)
    for n in range(5):
        tail = ranks.untied_lower_tail(n)
        assert tables[n, : len(tail)].tolist() == tail.tolist()
        assert (tables[n, len(tail) :] == 1).all()


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize(
    "rows",
    [SHORT, UNTIED, SHORT[:1], np.zeros((2, 4)), np.array([[1.0, 1.0, -2.0, 2.0, 1.0]] * 2)],
)
def test_exact_pvalues_by_patterns(rows: np.ndarray, alternative: str) -> None:
    for method in ("exact", "auto"):
        found, exact = ranks.signed_rank_pvalues(rows, method=method, alternative=alternative)
        expected = [plain_pvalue(row, alternative) for row in rows.tolist()]
        np.testing.assert_allclose(found, expected, rtol=1e-14)
        assert exact.tolist() == [True] * len(rows)
        assert exact.dtype == np.bool_


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_normal_pvalues(alternative: str) -> None:
    found, exact = ranks.signed_rank_pvalues(SHORT, method="normal", alternative=alternative)
    if alternative == "two-sided":
        z = np.array([independent.signed_rank_normal(row)[0] for row in SHORT.tolist()])
        np.testing.assert_allclose(found, ranks.normal_pvalue(z, alternative), rtol=1e-13)
    for row, pvalue in zip(SHORT, found, strict=True):
        if alternative != "two-sided" and row.any():
            kept = row[row != 0]
            sizes = scipy_stats.rankdata(np.abs(kept))
            ties = np.unique(np.abs(kept), return_counts=True)[1]
            n = len(kept)
            variance = n * (n + 1) * (2 * n + 1) / 24 - (ties**3 - ties).sum() / 48
            off = sizes[kept > 0].sum() - n * (n + 1) / 4
            tail = scipy_stats.norm.sf if alternative == "greater" else scipy_stats.norm.cdf
            pull = -0.5 if alternative == "greater" else 0.5
            assert pvalue == pytest.approx(tail((off + pull) / np.sqrt(variance)), rel=1e-12)
    assert exact.tolist() == [False] * len(SHORT)


def padded(rows: np.ndarray, n: int) -> np.ndarray:
    return np.hstack([rows, np.zeros((len(rows), n - rows.shape[1]))])


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("n", [50, 51, 55])
def test_zeros_do_not_count_towards_the_length(n: int, alternative: str) -> None:
    rows = padded(np.vstack([SHORT, padded(UNTIED, 7)]), n)
    found, exact = ranks.signed_rank_pvalues(rows, method="auto", alternative=alternative)
    expected = [plain_pvalue(row, alternative) for row in rows.tolist()]
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert exact.all()
    untied, _ = ranks.signed_rank_pvalues(padded(UNTIED, n), method="auto", alternative=alternative)
    np.testing.assert_allclose(untied, expected[-3:], rtol=1e-14)


def tail_by_counts(w: float, n: int, alternative: str) -> float:
    counts = independent.signed_rank_counts(n)
    below = Fraction(sum(counts[: int(w) + 1]), 2**n)
    above = Fraction(sum(counts[int(w) :]), 2**n)
    two = min(Fraction(1), 2 * min(above, below))
    return float({"greater": above, "less": below, "two-sided": two}[alternative])


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_fifty_differences_are_exact_and_more_are_normal(alternative: str) -> None:
    rng = np.random.default_rng(9)
    rows = np.stack([rng.permutation(np.arange(1.0, 52)) * rng.choice([-1, 1, 1], 51)] * 3)
    rows[1][np.abs(rows[1]) == 51] = 0.0  # fifty are left
    rows[2][np.abs(rows[2]) == 50] = 0.0
    found, exact = ranks.signed_rank_pvalues(rows, method="auto", alternative=alternative)
    assert exact.tolist() == [False, True, True]
    for i, row in enumerate(rows.tolist()):
        w, n, _ = plain_statistics(row)
        if n == 50:
            assert found[i] == pytest.approx(tail_by_counts(w, n, alternative), rel=1e-11)
        else:
            z = np.float64(independent.signed_rank_normal(row)[0])
            if alternative == "less":  # R's correction goes towards the middle, which lies beyond
                z += 1 / np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
            assert found[i] == pytest.approx(float(ranks.normal_pvalue(z, alternative)), rel=1e-11)
    forced, exact = ranks.signed_rank_pvalues(rows, method="exact", alternative=alternative)
    assert exact.all()
    w, n, _ = plain_statistics(rows[0].tolist())
    assert forced[0] == pytest.approx(tail_by_counts(w, n, alternative), rel=1e-11)


def test_table_serves_rows_up_to_fifty(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    plain = ranks._untied_tables

    def recorded(longest: int) -> np.ndarray:
        seen.append(longest)
        return plain(longest)

    monkeypatch.setattr(ranks, "_untied_tables", recorded)
    for n in (50, 51):
        ranks.signed_rank_pvalues(padded(UNTIED, n), method="auto", alternative="less")
    tied = np.array([[1.0, 1.0, 2.0]])
    ranks.signed_rank_pvalues(tied, method="auto", alternative="less")  # no table for ties alone
    assert seen == [50]


@pytest.mark.parametrize("n", [1, 5, 49, 50, 51, 52, 400])
def test_smallest_pvalue_is_that_of_a_win_everywhere(n: int) -> None:
    won = np.arange(1.0, n + 1)[None]
    expected, _ = ranks.signed_rank_pvalues(won, method="auto", alternative="two-sided")
    found = ranks.smallest_pvalue(n)
    assert found == pytest.approx(float(expected[0]), rel=1e-12)
    assert type(found) is float


def test_one_sided_normal_pvalues_on_the_unfavoured_side() -> None:
    """R 4.2.2: set.seed(3); x <- round(c(rnorm(60, -0.3), 0.1), 4);
    wilcox.test(x, exact = FALSE, correct = TRUE, alternative = a)$p.value"""
    x = np.array([
        -1.2619, -0.5925, -0.0412, -1.4521, -0.1042, -0.2699, -0.2146, 0.8166, -1.5189, 0.9674,
        -1.0448, -1.4312, -1.0164, -0.0473, -0.148, -0.6077, -1.253, -0.9482, 0.9243, -0.1002,
        -0.8785, -1.2423, -0.5037, -1.9665, -0.7845, -1.0411, 0.8606, 0.7121, -0.3721, -1.4368,
        0.6006, 0.5518, 0.4277, 0.4365, -0.6521, 0.4055, 1.0004, -0.2617, -1.2793, 0.4938, 0.4865,
        -0.6105, 1.3989, -1.0946, 0.0484, -2.5654, -0.4622, 0.8309, -0.7555, -1.1992, 0.4268,
        -1.1094, -0.0329, -2.0373, -1.7114, -0.7536, -1.3355, 1.0621, 0.6175, -1.0851, 0.1,
    ])  # fmt: skip
    for alternative, expected in (("greater", 0.999130984141151), ("less", 0.000890515160609303)):
        found, exact = ranks.signed_rank_pvalues(x[None], method="normal", alternative=alternative)
        assert found[0] == pytest.approx(expected, rel=1e-12)
        assert not exact[0]
    zeros = ranks.signed_rank_pvalues(np.zeros((1, 6)), method="normal", alternative="greater")
    assert zeros[0][0] == 1.0
