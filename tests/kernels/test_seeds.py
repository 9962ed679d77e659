"""Seeds and the share of the split: slow second implementations, and simulations with known shares."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import integrate, special, stats

from replicast.kernels import replication
from replicast.kernels import seeds as kernel
from replicast.kernels.mixtures import Prior

MEDIAN = kernel.learned()["share"]["median"]
UNSEEN = np.sqrt(1 + 1 / 18) * stats.t.ppf(0.975, 17) / stats.norm.ppf(0.975)  # 18 datasets taught
SPREAD = UNSEEN * kernel.learned()["share"]["spread"]


def simulated(
    rows: int, count: int, splits: int, share: float, effect: float, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return first and second scores; the variance of two seeds' difference is 1.

    A fifth of what splits add is common to all of them, since they are splits of one dataset.
    """
    rng = np.random.default_rng(seed)
    own, common = rng.normal(size=(rows, splits, 1)), rng.normal(size=(rows, 1, 1))
    split = np.sqrt(share) * (np.sqrt(0.8) * own + np.sqrt(0.2) * common) + effect
    noise = rng.normal(scale=np.sqrt(0.5), size=(2, rows, splits, count))
    return (noise[0] + split).reshape(rows, -1), noise[1].reshape(rows, -1)


def test_means_are_those_of_a_loop() -> None:
    first, second = simulated(4, 5, 3, 1.0, 0.5, 1)
    found = kernel.seed_means(first - second, first, second, kernel.Layout(5, 3), paired=False)
    for row in range(4):
        a, b = first[row].reshape(3, 5), second[row].reshape(3, 5)
        noise = [np.mean([np.var(split, ddof=1) for split in part]) for part in (a, b)]
        assert found.difference[row] == pytest.approx((a - b).mean())
        assert found.deviation[row] ** 2 == pytest.approx(sum(noise))
        assert found.between[row] ** 2 == pytest.approx(np.var((a - b).mean(axis=1), ddof=1))
        welch = sum(noise) ** 2 / sum(part**2 / 12 for part in noise)
        assert found.df[row] == pytest.approx(welch)


def test_one_split_is_welch() -> None:
    first, second = simulated(6, 7, 1, 0.0, 0.3, 2)
    found = kernel.seed_means(first - second, first, second, kernel.Layout(7), paired=False)
    expected = stats.ttest_ind(first, second, axis=1, equal_var=False)
    np.testing.assert_allclose(kernel.seed_t(found), expected.statistic, rtol=1e-12)
    np.testing.assert_allclose(found.df, expected.df, rtol=1e-12)
    paired = kernel.seed_means(first - second, first, second, kernel.Layout(7), paired=True)
    twins = stats.ttest_rel(first, second, axis=1)
    np.testing.assert_allclose(kernel.seed_t(paired), twins.statistic, rtol=1e-12)
    assert paired.df.tolist() == [6] * 6


def test_the_tail_is_an_integral_over_the_share() -> None:
    one = np.ones(())
    found = kernel.SeedMeans(2.0 * one, one, 8.0 * one, 0.0 * one, kernel.Layout(5))

    def inside(z: float) -> float:
        error = np.sqrt(1 / 5 + MEDIAN * np.exp(SPREAD * z))
        return float(stats.norm.pdf(z) * special.stdtr(8.0, -2.0 / error))

    expected, _ = integrate.quad(inside, -9, 9, epsabs=0, epsrel=1e-11)
    assert float(kernel.fresh_tail(found, found.difference)) == pytest.approx(expected, rel=1e-7)


def test_a_small_share_is_the_plain_test_and_a_large_one_that_of_splits() -> None:
    ratio, df = np.array([4.0]), np.array([16.0])
    shares = np.array([1e-9, 1e9])
    weights = kernel.share_weights((shares, np.array([0.5, 0.5])), ratio, df, kernel.Layout(5, 3))
    assert weights[0, 0] > 0.999
    error, total = kernel._known_shares(shares, ratio, df, kernel.Layout(5, 3))
    assert total.tolist() == [18.0]
    pooled = (16 + 2 * 4) / 18  # seeds' and splits' variance of one kind
    assert error[0, 0] == pytest.approx(np.sqrt(pooled / 15), rel=1e-6)
    assert error[0, 1] ** 2 == pytest.approx(16 / 18 * 1e9 * (0.2 + 0.8 / 3), rel=1e-6)


@pytest.mark.parametrize(("splits", "share"), [(1, 0.5), (1, 1.75), (2, 3.0), (5, 1.1)])
def test_levels_by_quadrature_are_those_simulated(splits: int, share: float) -> None:
    first, second = simulated(20_000, 5, splits, share, 0.0, 3)
    found = kernel.seed_means(first - second, first, second, kernel.Layout(5, splits), paired=True)
    rate = np.mean(2 * kernel.fresh_tail(found, np.abs(found.difference)) < 0.05)
    test = kernel.fresh_test(kernel.Layout(5, splits), 4.0 * splits, 0.05)
    expected = 2 * float(kernel.seed_power(np.zeros(1), share, test)[0])
    assert rate == pytest.approx(expected, abs=0.007)


def averaged(effect: float, count: int, splits: int) -> float:
    """Return how often equal models, or such that differ, are told apart over published shares."""
    z, weights = kernel.normal_nodes()
    shares = MEDIAN * np.exp(kernel.learned()["share"]["spread"] * z)
    test = kernel.fresh_test(kernel.Layout(count, splits), 2.0 * splits * (count - 1), 0.05)
    at = np.array([effect, -effect])
    return float(weights @ [kernel.seed_power(at, share, test).sum() for share in shares])


@pytest.mark.parametrize("count", [3, 5, 10, 20])
@pytest.mark.parametrize("splits", [1, 2, 3, 5, 10])
def test_the_level_is_kept_over_published_shares(count: int, splits: int) -> None:
    """With a prior of its own for several splits the level fell to 1 % and the power with it."""
    assert 0.03 < averaged(0.0, count, splits) < 0.06
    test = kernel.fresh_test(kernel.Layout(count, splits), 2.0 * splits * (count - 1), 0.05)
    assert 2 * float(kernel.seed_power(np.zeros(1), 3.0, test)[0]) < 0.15


@pytest.mark.parametrize("effect", [1.0, 2.0, 4.0])
def test_more_splits_or_seeds_never_lower_the_power(effect: float) -> None:
    for count in (3, 5, 10):
        by_splits = [averaged(effect, count, splits) for splits in (1, 2, 3, 4, 5, 7, 10)]
        assert (np.diff(by_splits) > 0).all()
    for splits in (1, 2, 5):
        by_seeds = [averaged(effect, count, splits) for count in (3, 4, 5, 8, 12, 20)]
        assert (np.diff(by_seeds) > -0.001).all()  # the doubt about the share costs a little


def test_power_with_an_effect_is_that_simulated() -> None:
    first, second = simulated(20_000, 5, 3, 1.0, 2.0, 4)
    found = kernel.seed_means(first - second, first, second, kernel.Layout(5, 3), paired=False)
    tails = kernel.fresh_tail(found, found.difference)
    test = kernel.fresh_test(kernel.Layout(5, 3), 24.0, 0.05)
    expected = kernel.seed_power(np.full(1, 2.0), 1.0, test)
    assert np.mean(tails < 0.025) == pytest.approx(float(expected[0]), abs=0.01)


def test_the_posterior_is_that_of_a_simulation() -> None:
    """Draw differences, shares and results; keep those with nearly this t; compare the means."""
    rng = np.random.default_rng(5)
    rows, spreads, weights = 3_000_000, np.array([0.5, 3.0]), np.array([0.6, 0.4])
    true = rng.normal(size=rows) * rng.choice(spreads, p=weights, size=rows)
    share = MEDIAN * np.exp(SPREAD * rng.normal(size=rows))
    mean = true + np.sqrt(1 / 5 + share) * rng.normal(size=rows)
    t = mean * np.sqrt(5) / np.sqrt(rng.chisquare(8, size=rows) / 8)
    near = np.abs(t - 4.0) < 0.1
    seen = kernel.Seen(4.0, 8.0, 1.0, kernel.Layout(5))
    prior = Prior(tuple(weights.tolist()), tuple(spreads.tolist()), "deviation")
    test = kernel.fresh_test(kernel.Layout(5), 8.0, 0.05)
    known = replication.posterior(kernel.fresh_ways(seen, test), prior)
    assert known.whole.weights @ known.whole.means == pytest.approx(true[near].mean(), abs=0.05)
    by_share = np.array([belief.weights.sum() for belief in known.beliefs])
    expected_share = float(by_share @ np.log(kernel.few_share_nodes()[0]))
    assert expected_share == pytest.approx(np.log(share[near]).mean(), abs=0.05)
    there = replication.posterior(kernel.same_split_ways(seen, test), prior)
    on_split = sum(float(belief.weights @ belief.means) for belief in there.beliefs) / np.sqrt(5)
    assert on_split > 1.5  # close to what was seen


def test_seeds_that_never_vary_leave_everything_open() -> None:
    zero, one = np.zeros(()), np.ones(())
    silent = kernel.SeedMeans(one, zero, 8.0 * one, zero, kernel.Layout(5))
    assert float(kernel.fresh_tail(silent, one)) == pytest.approx(0.5)
    assert kernel.fresh_interval(silent, 0.95) == (-np.inf, np.inf)
    assert float(kernel.fresh_error(silent)) == np.inf
    splits = kernel.SeedMeans(one, zero, 8.0 * one, 0.5 * one, kernel.Layout(5, 4))
    low, high = kernel.fresh_interval(splits, 0.95)
    corrected = 0.5 * np.sqrt(1 / 4 + 0.2 / 0.8)  # Nadeau and Bengio's, for a fifth tested
    half = stats.t.ppf(0.975, 3) * corrected
    assert (low, high) == (pytest.approx(1 - half), pytest.approx(1 + half))
    assert float(kernel.fresh_tail(splits, one)) == pytest.approx(stats.t.sf(1 / corrected, 3))
