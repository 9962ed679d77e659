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
def test_statistics(rows: np.ndarray) -> None:
    w, used, ties = ranks.signed_rank_statistics(rows)
    expected = [plain_statistics(row) for row in rows.tolist()]
    assert list(zip(w.tolist(), used.tolist(), ties.tolist(), strict=True)) == expected


def test_negative_zeros_and_extreme_magnitudes() -> None:
    rows = np.array([[-0.0, 5e-324, -1e308, 0.0, 1e-300], [-5e-324, 1e308, 1e308, -0.0, -1.0]])
    w, used, ties = ranks.signed_rank_statistics(rows)
    assert w.tolist() == [3.0, 7.0]
    assert used.tolist() == [3, 4]
    assert ties.tolist() == [0.0, 6.0]


def test_a_batch_is_ranked_like_its_rows() -> None:
    """Many rows are compiled, few are interpreted."""
    rows = np.random.default_rng(2).integers(-9, 10, size=(20_000, 20)) / 4
    batch = ranks.signed_rank_statistics(rows)
    for i in (0, 1, 3_276, 3_277, 19_999):
        assert [each[i] for each in batch] == list(plain_statistics(rows[i].tolist()))


def long_rows(n: int) -> np.ndarray:
    rng = np.random.default_rng(n)
    return np.stack([rng.integers(-9, 10, size=n) / 4, rng.normal(size=n), np.zeros(n)])


@pytest.mark.parametrize("n", [39, 40, 41, 64, 65])
def test_statistics_of_long_rows(n: int) -> None:
    rows = long_rows(n)
    w, used, ties = ranks.signed_rank_statistics(rows)
    expected = [plain_statistics(row) for row in rows.tolist()]
    assert list(zip(w.tolist(), used.tolist(), ties.tolist(), strict=True)) == expected


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


def test_tails_by_patterns() -> None:
    row = [0.0, 1.0, -1.0, 2.0, 3.0, -3.0, 3.0]
    doubled = [3, 3, 6, 10, 10, 10]
    sums = [
        sum(r for r, on in zip(doubled, signs, strict=True) if on)
        for signs in product((0, 1), repeat=6)
    ]
    limits = np.arange(43)
    keys = ranks._rank_keys(np.tile(row, (43, 1)))
    tails = np.empty(43)
    ranks._tied_tails(keys, limits, tails)
    assert tails.tolist() == [sum(s <= limit for s in sums) / 64 for limit in limits.tolist()]
    nothing = np.empty(1)
    ranks._tied_tails(ranks._rank_keys(np.zeros((1, 3))), np.array([0]), nothing)
    assert nothing.tolist() == [1.0]


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
