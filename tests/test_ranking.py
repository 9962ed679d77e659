"""Ranks, tests over all classifiers, corrected p-values, and whether the order holds."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import independent
import replicast as rc
from goldens import golden
from replicast.inference.friedman import (
    friedman_of_ranks,
    nemenyi_difference,
    rank_scores,
    score_matrix,
)
from replicast.kernels import multiplicity, stability


def make_table(matrix, **options) -> rc.ScoreTable:
    """Build a table from rows of datasets and columns of classifiers."""
    scores = np.asarray(matrix, dtype=float).T[:, :, None, None]
    return rc.ScoreTable(
        classifiers=tuple(f"c{i}" for i in range(scores.shape[0])),
        datasets=tuple(f"d{i}" for i in range(scores.shape[1])),
        scores=scores,
        design=rc.Datasets(),
        **options,
    )


@st.composite
def tables(draw, least: int = 2, most: int = 5):
    """Return scores in coarse steps, so that ties and equal classifiers are common."""
    n, k = draw(st.integers(2, 9)), draw(st.integers(least, most))
    row = st.lists(st.integers(0, 6), min_size=k, max_size=k)
    matrix = np.array(draw(st.lists(row, min_size=n, max_size=n))) / 10
    if draw(st.booleans()):
        matrix[:, -1] = matrix[:, 0]
    return matrix


pvalues = st.lists(
    st.floats(0, 1) | st.sampled_from([0.0, 0.01, 0.05, 1.0]), min_size=1, max_size=10
)


def test_friedman_agrees_with_r() -> None:
    cases, rtol = golden("friedman")
    for case in cases:
        found = rc.friedman_test(make_table(case["scores"]))
        numbers = [found.statistic, found.pvalue, found.f_statistic, found.f_pvalue]
        wanted = [case[key] for key in ("statistic", "pvalue", "f", "f_pvalue")]
        np.testing.assert_allclose(numbers, wanted, rtol=rtol)


@settings(max_examples=60, deadline=None)
@given(tables())
def test_friedman_agrees_with_the_double(matrix) -> None:
    found = rc.friedman_test(make_table(matrix))
    chi2, p, f, f_p = independent.friedman((-matrix).round(6).tolist())
    assert found.statistic == pytest.approx(chi2, abs=1e-9)
    assert found.pvalue == pytest.approx(p, abs=1e-9)
    assert found.f_statistic == pytest.approx(f, rel=1e-7, abs=1e-9)
    if np.isfinite(f):  # else the exact chance of full agreement stands in for zero
        assert found.f_pvalue == pytest.approx(f_p, abs=1e-9)
    assert 0 < found.f_pvalue <= 1


@settings(max_examples=40, deadline=None)
@given(tables())
def test_losses_mirror_scores(matrix) -> None:
    scores = rc.friedman_test(make_table(matrix))
    losses = rc.friedman_test(make_table(1 - matrix, greater_is_better=False))
    assert scores.average_ranks == losses.average_ranks
    assert sum(scores.average_ranks) == pytest.approx(len(matrix[0]) * (len(matrix[0]) + 1) / 2)


def test_identical_classifiers_and_full_agreement() -> None:
    same = rc.friedman_test(make_table(np.full((4, 3), 0.8)))
    assert (same.pvalue, same.f_pvalue, same.statistic) == (1.0, 1.0, 0.0)
    assert same.cautions[0].code == "degenerate"
    alike = rc.friedman_test(make_table([[0.9, 0.8, 0.7]] * 3))
    assert alike.f_statistic == np.inf
    assert alike.f_pvalue == pytest.approx(1 / 36)  # each of 3! orders equally likely, twice again
    tied = rc.friedman_test(make_table([[0.9, 0.7, 0.7]] * 3))
    assert tied.f_pvalue == pytest.approx(1 / 9)
    two = rc.friedman_test(make_table([[0.9, 0.8]] * 6))
    assert two.f_pvalue == pytest.approx(2.0**-5)  # the sign test's value
    assert alike.to_dict()["f_statistic"] is None


@pytest.mark.parametrize(("k", "n"), [(2, 2), (50, 2), (50, 40)])
def test_extreme_sizes(k: int, n: int) -> None:
    matrix = np.random.default_rng(1).normal(size=(n, k))
    found = rc.friedman_test(make_table(matrix))
    assert 0 < found.f_pvalue <= 1
    assert 0 <= found.pvalue <= 1
    assert nemenyi_difference(k, n) > 0


def test_round_off_is_a_tie() -> None:
    folds = np.array([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2]])  # means differ in the last bit
    table = rc.ScoreTable(
        classifiers=("a", "b"),
        datasets=("x", "y"),
        scores=np.stack([folds, folds[:, [2, 1, 0]]])[:, :, None, :] * 1.1,
        design=rc.KFold(3),
    )
    assert rank_scores(score_matrix(table)).tolist() == [[1.5, 1.5], [1.5, 1.5]]


def test_ranks_by_counting() -> None:
    rng = np.random.default_rng(3)
    matrix = rng.integers(0, 5, (30, 6)) / 10
    wanted = [independent.midranks([-x for x in row]) for row in matrix.tolist()]
    assert rank_scores(matrix).tolist() == wanted


def test_nemenyi_agrees_with_r_and_the_double() -> None:
    cases, rtol = golden("nemenyi")
    for case in cases:
        found = nemenyi_difference(
            case["classifiers"], case["datasets"], significance=case["alpha"]
        )
        assert found == pytest.approx(case["critical_difference"], rel=rtol)
    assert nemenyi_difference(7, 15) == pytest.approx(independent.nemenyi_difference(7, 15))


def test_refusals_are_sentences() -> None:
    with pytest.raises(rc.InvalidArgumentError, match="`table` must be a ScoreTable, got list"):
        rc.friedman_test([[0.9, 0.8]])
    with pytest.raises(rc.DesignMismatchError, match="at least two datasets, got one"):
        rc.friedman_test(make_table([[0.9, 0.8]]))
    with pytest.raises(rc.InvalidArgumentError, match="at least two classifiers, got 1"):
        rc.friedman_test(make_table([[0.9], [0.8]]))
    with pytest.raises(rc.DesignMismatchError, match=r"c2 lacks scores on 'd1'\. Complete"):
        rc.friedman_test(make_table([[0.9, 0.8, 0.7], [0.9, 0.8, np.nan]]))
    with pytest.raises(rc.InvalidArgumentError, match="`scores` must be finite"):
        rc.friedman_test(make_table([[0.9, np.inf], [0.9, 0.8]]))
    with pytest.raises(
        rc.InvalidArgumentError, match="`datasets` must be an integer of at least 2"
    ):
        nemenyi_difference(3, 1)


def test_corrections_agree_with_r() -> None:
    cases, rtol = golden("p_adjust")
    for case in cases:
        p = np.array(case["pvalues"], dtype=float)
        for name in ("holm", "hochberg", "bonferroni"):
            np.testing.assert_allclose(getattr(multiplicity, name)(p), case[name], rtol=rtol)


@settings(max_examples=80, deadline=None)
@given(pvalues)
def test_corrections_agree_with_the_doubles(values) -> None:
    p = np.array(values)
    for name in ("bonferroni", "holm", "hochberg"):
        found = getattr(multiplicity, name)(p)
        np.testing.assert_allclose(found, getattr(independent, name)(values), rtol=1e-12)
        assert (found >= p * (1 - 1e-15)).all()
        assert (np.diff(found[np.argsort(p, kind="stable")]) >= -1e-15).all()
    assert (multiplicity.holm(p) <= multiplicity.bonferroni(p)).all()
    assert (multiplicity.hochberg(p) <= multiplicity.holm(p) + 1e-15).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 7), st.data())
def test_shaffer_agrees_with_the_double(k: int, data) -> None:
    pairs = k * (k - 1) // 2
    values = data.draw(st.lists(st.floats(0, 1), min_size=pairs, max_size=pairs))
    found = multiplicity.shaffer(np.array(values), k)
    np.testing.assert_allclose(found, independent.shaffer(values, k), rtol=1e-12)
    assert (found <= multiplicity.holm(np.array(values)) + 1e-15).all()


def test_shaffer_counts_for_many_classifiers() -> None:
    assert multiplicity.true_together(50)[-1] == 1225
    assert set(multiplicity.true_together(9)) == independent.possible_true(9)


# Does the order hold? The answer is the mean of two shares of B draws, whose standard error is at
# most sqrt(2 * 0.25 / B) / 2; tolerances are four of them, plus 0.001 for the numbers below.

RANKS = {
    # name -> ranks, resampled share, shrunken share: means of 400 000 draws of an implementation
    # written from the formulas: (1) weights ~ Dirichlet(1, ..., 1), counts ~ Multinomial(N, weights),
    # share of draws in which the first column has the lowest mean, shared places divided; (2) mean
    # ranks ~ N(true, V), true ~ N(0, g v), repeat ~ N(true, V), averaged over g in 0.1 ... 100 by
    # marginal likelihood, V the centred covariance / N pulled by min(.9, .5 K / N) to exchangeable
    "close": ([[1, 2, 3], [2, 1, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3], [3, 1, 2]], 0.500, 0.481),
    "clear": ([[1, 2, 3, 4]] * 7 + [[2, 1, 4, 3], [1, 3, 2, 4], [1, 2, 4, 3]], 0.988, 0.997),
    "tied": ([[1.5, 1.5], [1, 2], [2, 1], [1, 2], [1, 2]], 0.801, 0.643),
    "many": (
        [
            [1, 2, 4, 3, 5],
            [2, 1, 3, 5, 4],
            [3, 1, 2, 4, 5],
            [1, 4, 2, 3, 5],
            [1, 2, 3, 4, 5],
            [2, 3, 1, 5, 4],
            [4, 1, 2, 3, 5],
            [1.5, 1.5, 5, 3, 4],
        ],
        0.474,
        0.461,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RANKS)
def test_first_place_agrees_with_reference_numbers(name: str) -> None:
    rows, resampled, shrunken = RANKS[name]
    ranks = np.array(rows, dtype=float)
    found, kept = stability.order_chances(ranks, np.random.default_rng(0))
    wanted = (resampled + shrunken) / 2
    assert found == pytest.approx(wanted, abs=4 * np.sqrt(0.5 / 2000) / 2 + 0.001)
    precise, _ = stability.order_chances(ranks, np.random.default_rng(1), 100_000)
    assert precise == pytest.approx(wanted, abs=4 * np.sqrt(0.5 / 100_000) / 2 + 0.001)
    assert len(kept) == ranks.shape[1] - 1
    assert ((kept >= 0) & (kept <= 1)).all()


@pytest.mark.parametrize("name", ["close", "tied"])
def test_resampling_agrees_with_enumeration(name: str) -> None:
    """Flat weights make every way of drawing N datasets out of N, as counts, equally likely."""
    ranks = np.array(RANKS[name][0], dtype=float)
    n = len(ranks)
    draws = np.array([np.bincount(c, minlength=n)
                      for c in combinations_with_replacement(range(n), n)])  # fmt: skip
    wanted = stability._order_chances(draws @ ranks / n)
    resampled = stability._resampled(ranks, 50_000, np.random.default_rng(2))
    np.testing.assert_allclose(stability._order_chances(resampled), wanted, atol=0.01)


def test_two_classifiers_have_one_order() -> None:
    ranks = np.array(RANKS["tied"][0])
    first, kept = stability.order_chances(ranks, np.random.default_rng(0))
    assert kept.tolist() == [pytest.approx(first)]


def test_ranks_that_never_vary_and_ranks_all_tied() -> None:
    first, kept = stability.order_chances(np.array([[1.0, 2, 3]] * 4), np.random.default_rng(0))
    assert (first, *kept) == pytest.approx(
        (25 / 28,) * 3
    )  # with a uniform chance of staying, by hand
    first, kept = stability.order_chances(np.full((4, 4), 2.5), np.random.default_rng(0))
    assert (first, kept.tolist()) == (0.25, [0.5] * 3)


@settings(max_examples=25, deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_order_of_datasets_does_not_matter(matrix, random) -> None:
    ranks = rank_scores(matrix)
    shuffled = ranks[random.sample(range(len(ranks)), len(ranks))]
    first = stability.order_chances(ranks, np.random.default_rng(0), 200)
    second = stability.order_chances(shuffled, np.random.default_rng(0), 200)
    assert first[0] == second[0]
    assert first[1].tolist() == second[1].tolist()


@settings(max_examples=40, deadline=None)
@given(tables(least=3))
def test_friedman_sees_no_order_of_classifiers(matrix) -> None:
    k = matrix.shape[1]
    found = friedman_of_ranks(rank_scores(matrix), tuple("abcdef"[:k]))
    mirrored = friedman_of_ranks(rank_scores(matrix[:, ::-1]), tuple("abcdef"[:k]))
    assert mirrored.average_ranks == found.average_ranks[::-1]
    assume(np.isfinite(found.f_statistic))
    assert mirrored.f_pvalue == pytest.approx(found.f_pvalue, rel=1e-9)
