"""Ranks, tests over all classifiers, corrected p-values, and whether the order holds."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

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
    with pytest.raises(rc.errors.DesignMismatchError, match="at least two datasets, got one"):
        rc.friedman_test(make_table([[0.9, 0.8]]))
    with pytest.raises(rc.InvalidArgumentError, match="at least two classifiers, got 1"):
        rc.friedman_test(make_table([[0.9], [0.8]]))
    with pytest.raises(rc.errors.DesignMismatchError, match=r"c2 lacks scores on 'd1'\. Complete"):
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


# Does the order hold? The answer is 0.6 and 0.4 of two shares of the same B draws, whose standard error
# is at most sqrt(0.25 / B); tolerances are four of them, plus 0.002 for the numbers below.

RANKS = {
    # name -> ranks, share as seen, shrunken share: of 400 000 draws of an implementation written from
    # the formulas, in coordinates orthogonal to the common mean: (1) repeat ~ N(seen, 2 V); (2) seen
    # ~ N(true, V), true ~ N(0, g v), repeat ~ N(true, V), averaged over g in 0.3, 1, 3, 10, 30 by
    # marginal likelihood; V the covariance / N pulled by min(.9, .5 K / N) to v I, v its mean variance
    "close": ([[1, 2, 3], [2, 1, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3], [3, 1, 2]], 0.496, 0.485),
    "clear": ([[1, 2, 3, 4]] * 7 + [[2, 1, 4, 3], [1, 3, 2, 4], [1, 2, 4, 3]], 0.997, 0.996),
    "tied": ([[1.5, 1.5], [1, 2], [2, 1], [1, 2], [1, 2]], 0.761, 0.669),
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
        0.459,
        0.461,
    ),
}  # fmt: skip


def most_certain(n: int) -> float:
    """The chance that n datasets that agree are followed by a majority of n: by integration."""
    kept = np.arange(n + 1)
    counted = np.where(2 * kept == n, 0.5, 2 * kept > n)

    def density(rate: float) -> float:
        majority = counted @ stats.binom.pmf(kept, n, rate)
        return float(majority * stats.beta.pdf(rate, n + 1, 1))

    return float(integrate.quad(density, 0, 1)[0])


@pytest.mark.parametrize("name", RANKS)
def test_first_place_agrees_with_reference_numbers(name: str) -> None:
    rows, as_seen, shrunken = RANKS[name]
    ranks = np.array(rows, dtype=float)
    found, kept = stability.order_chances(ranks, np.random.default_rng(0))
    wanted = min(0.6 * shrunken + 0.4 * as_seen, most_certain(len(rows)))
    assert found == pytest.approx(wanted, abs=4 * np.sqrt(0.25 / 2000) + 0.002)
    precise, _ = stability.order_chances(ranks, np.random.default_rng(1), 100_000)
    assert precise == pytest.approx(wanted, abs=4 * np.sqrt(0.25 / 100_000) + 0.002)
    assert len(kept) == ranks.shape[1] - 1
    assert ((kept >= 0) & (kept <= 1)).all()


def test_first_of_two_agrees_with_the_normal_integral() -> None:
    """Two classifiers have one difference, so both shares are values of Phi."""
    gaps = np.array([second - first for first, second in RANKS["tied"][0]])
    error = gaps.var(ddof=1) / len(gaps)
    signal = gaps.mean()
    spreads = np.array([0.3, 1.0, 3.0, 10.0, 30.0]) * error
    kept = spreads / (spreads + error)
    weights = stats.norm.pdf(signal, 0, np.sqrt(spreads + error))
    shrunken = stats.norm.cdf(kept * signal / np.sqrt((1 + kept) * error))
    wanted = 0.6 * np.average(shrunken, weights=weights)
    wanted += 0.4 * stats.norm.cdf(signal / np.sqrt(2 * error))
    ranks = np.array(RANKS["tied"][0])
    found, _ = stability.order_chances(ranks, np.random.default_rng(2), 400_000)
    assert found == pytest.approx(wanted, abs=4 * np.sqrt(0.25 / 400_000))


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
