"""Binomial tests, against outcomes counted with whole numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special, stats

from replicast.kernels import counts


def at_least(k: int, n: int) -> Fraction:
    return Fraction(sum(math.comb(n, i) for i in range(max(k, 0), n + 1)), 2**n)


def test_wins_losses_and_ties_by_hand() -> None:
    rows = np.array([[[1.0, -2.0, 0.0, 3.0, -0.0], [0.0, 0.0, -1e-300, -5.0, -6.0]]])
    wins, losses, ties = counts.win_loss_tie(rows)
    assert wins.tolist() == [[2, 0]]
    assert losses.tolist() == [[1, 3]]
    assert ties.tolist() == [[2, 2]]
    for each in counts.win_loss_tie(rows[0, 0]):
        assert isinstance(each, np.ndarray)
    assert [int(each) for each in counts.win_loss_tie(rows[0, 0])] == [2, 1, 2]


@pytest.mark.parametrize("n", [0, 1, 2, 5, 8])
def test_upper_tail_is_counted(n: int) -> None:
    k = np.arange(-2, n + 3)
    expected = [float(at_least(int(each), n)) for each in k]
    np.testing.assert_allclose(counts.upper_tail(k, np.asarray(n)), expected, rtol=1e-13)
    whole = counts.upper_tail([1, 2], [2, 3])
    np.testing.assert_allclose(whole, [0.75, 0.5])
    assert counts.upper_tail(np.array([4]), np.array([3])).tolist() == [0.0]
    assert counts.upper_tail(np.array([0]), np.array([3])).tolist() == [1.0]


@pytest.mark.parametrize("ties_rule", ["half", "drop"])
@pytest.mark.parametrize(("wins", "losses", "ties"), [(7, 2, 3), (1, 6, 2), (3, 3, 0), (0, 0, 5)])
def test_sign_test_is_counted(wins: int, losses: int, ties: int, ties_rule: str) -> None:
    shared = ties // 2 if ties_rule == "half" else 0
    n = wins + losses + (ties if ties_rule == "half" else 0)
    expected = {
        "greater": at_least(wins + shared, n),
        "less": at_least(losses + shared, n),
        "two-sided": min(Fraction(1), 2 * at_least(max(wins, losses) + shared, n)),
    }
    for alternative, value in expected.items():
        found = counts.binomial_pvalue(
            np.array([wins]),
            np.array([losses]),
            np.array([ties]),
            ties_rule=ties_rule,
            alternative=alternative,
        )
        np.testing.assert_allclose(found, [float(value)], rtol=1e-13)


@pytest.mark.parametrize(("wins", "losses"), [(7, 2), (2, 7), (3, 3), (0, 4), (1, 0), (4, 3)])
def test_midp_counts_the_outcome_half(wins: int, losses: int) -> None:
    n = wins + losses

    def mid(k: int) -> Fraction:
        return at_least(k + 1, n) + Fraction(math.comb(n, k), 2 ** (n + 1))

    larger = max(wins, losses)
    expected = {
        "greater": mid(wins),
        "less": mid(losses),
        "two-sided": min(Fraction(1), 2 * mid(larger)),
    }
    for alternative, value in expected.items():
        found = counts.midp_value(np.array([wins]), np.array([losses]), alternative)
        np.testing.assert_allclose(found, [float(value)], rtol=1e-13)


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_midp_without_any_difference_is_one(alternative: str) -> None:
    found = counts.midp_value(np.array([0, 1]), np.array([0, 0]), alternative)
    assert found[0] == 1.0
    assert found[1] == {"greater": 0.25, "less": 0.75, "two-sided": 0.5}[alternative]
    assert counts.midp_value(0, 0, alternative) == 1.0


@pytest.mark.parametrize("trials", [0, 1, 2, 5, 6, 7, 20, 33])
@pytest.mark.parametrize("significance", [0.05, 0.01, 0.0625, 0.5, 1.0])
def test_critical_wins_by_search(trials: int, significance: float) -> None:
    def first(pvalue: dict[int, Fraction]) -> int:
        below = [w for w, p in pvalue.items() if p < Fraction(significance)]
        return min(below, default=trials + 1)

    candidates = range(trials // 2 + 1, trials + 1)
    exact = {w: 2 * at_least(w, trials) for w in candidates}
    mid = {w: at_least(w, trials) + at_least(w + 1, trials) for w in candidates}
    assert counts.critical_wins(trials, significance) == first(exact)
    assert counts.critical_wins(trials, significance, "exact") == first(exact)
    assert counts.critical_wins(trials, significance, "mid-p") == first(mid)


@pytest.mark.parametrize("significance", [0.05, 0.0625, 0.5, 1.0])
def test_critical_counts_are_those_of_each(significance: float) -> None:
    trials = np.array([[0, 1, 2, 5, 6], [7, 20, 33, 4, 100]])
    expected = [[counts.critical_wins(int(n), significance) for n in row] for row in trials]
    assert counts.critical_counts(trials, significance).tolist() == expected
    assert counts.critical_counts(trials[:0], significance).shape == (0, 5)


def test_significance_must_be_undercut() -> None:
    assert counts.critical_wins(5, 0.0625) == 6  # five of five have exactly 1/16
    assert counts.critical_wins(5, 0.0626) == 5
    assert counts.critical_wins(4, 0.0625, "mid-p") == 5
    assert counts.critical_wins(4, 0.0626, "mid-p") == 4


@pytest.mark.parametrize("n", [1, 2, 5, 6, 9, 12])
@pytest.mark.parametrize("confidence", [0.5, 0.75, 0.9375, 0.95, 0.99])
def test_median_interval_by_search(n: int, confidence: float) -> None:
    sample = np.random.default_rng(n).permutation(np.arange(1.0, n + 1)) ** 2
    ordered = np.sort(sample)
    allowed = [
        r for r in range(1, n // 2 + 1) if 2 * at_least(n - r + 1, n) <= Fraction(1 - confidence)
    ]
    low, high = counts.order_statistic_interval(sample, confidence)
    if allowed:
        assert (low, high) == (ordered[allowed[-1] - 1], ordered[n - allowed[-1]])
    else:
        assert (low, high) == (-math.inf, math.inf)
    assert type(low) is float
    assert type(high) is float


def test_median_interval_of_an_even_sample_may_use_the_middle_pair() -> None:
    # three below and three above: 2 * P(X >= 4) of six = 11/16
    assert counts.order_statistic_interval(np.arange(6.0), 0.3) == (2.0, 3.0)
    assert counts.order_statistic_interval(np.arange(6.0), 0.32) == (1.0, 4.0)


def test_bonett_and_price_by_hand() -> None:
    z = special.ndtri(0.975)
    p, q, n = 11 / 52, 4 / 52, 52
    half = z * math.sqrt((p + q - (p - q) ** 2) / n)
    found = counts.paired_proportions_interval(10, 3, 50, 0.95)
    assert found == pytest.approx((p - q - half, p - q + half), rel=1e-14)
    low, high = counts.paired_proportions_interval(3, 10, 50, 0.95)
    assert (-high, -low) == pytest.approx(found)
    narrow = counts.paired_proportions_interval(10, 3, 50, 0.5)
    assert narrow[1] - narrow[0] == pytest.approx(2 * half * stats.norm.ppf(0.75) / z)


def test_bonett_and_price_stay_within_one() -> None:
    assert counts.paired_proportions_interval(2, 0, 2, 0.999)[1] == 1.0
    assert counts.paired_proportions_interval(0, 2, 2, 0.999)[0] == -1.0
    low, high = counts.paired_proportions_interval(0, 0, 0, 0.9999999)
    assert (low, high) == (-1.0, 1.0)


def test_upper_tail_of_any_rate() -> None:
    rates = np.array([0.0, 0.2, 0.7, 1.0])
    for successes in range(-1, 8):
        found = counts.upper_tail(np.asarray(successes), np.asarray(6), rates)
        np.testing.assert_allclose(found, stats.binom.sf(successes - 1, 6, rates), rtol=1e-13)


def test_smallest_pvalue_is_that_of_wins_alone() -> None:
    for n in (1, 5, 60, 10**6):
        alone = counts.binomial_pvalue(
            np.asarray(n), np.asarray(0), np.asarray(0), ties_rule="drop", alternative="two-sided"
        )
        found = counts.smallest_pvalue(n)
        assert found == pytest.approx(float(alone), rel=1e-12)
        assert type(found) is float
