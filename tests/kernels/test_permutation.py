"""Sign flips, against every pattern."""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from replicast.kernels import permutation


def share(row: list[int], alternative: str) -> float:
    """Return the share of sign patterns at least as extreme, by listing them."""
    observed = sum(row)
    sums = [
        sum(s * v for s, v in zip(signs, row, strict=True))
        for signs in product((-1, 1), repeat=len(row))
    ]
    hits = {
        "greater": sum(s >= observed for s in sums),
        "less": sum(s <= observed for s in sums),
        "two-sided": sum(abs(s) >= abs(observed) for s in sums),
    }[alternative]
    return float(Fraction(hits, len(sums)))


def pvalues(rows: np.ndarray, alternative: str, resamples: int = 10, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return permutation.sign_flip_pvalues(
        rows, alternative=alternative, resamples=resamples, rng=rng
    )


@pytest.mark.parametrize("values", [[], [3], [3, 1], [2, 2, 5], [0, 1, 1, 4, 9]])
def test_partial_sums_are_all_patterns_in_order(values: list[int]) -> None:
    found = permutation._partial_sums(np.array(values, dtype=np.int64))
    expected = sorted(
        sum(s * v for s, v in zip(signs, values, strict=True))
        for signs in product((-1, 1), repeat=len(values))
    )
    assert found.tolist() == expected
    assert found.dtype == np.int64


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("n", [1, 2, 3, 6, 7])
def test_exact_pvalues_by_listing(n: int, alternative: str) -> None:
    whole = np.random.default_rng(n).integers(-5, 6, size=(8, n))
    found = pvalues(whole / 100, alternative)
    expected = [share(row.tolist(), alternative) for row in whole]
    np.testing.assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_degenerate_rows(alternative: str) -> None:
    assert pvalues(np.zeros((2, 4)), alternative).tolist() == [1.0, 1.0]
    tiny = np.array([[1e-300, 2e-300, 3e-300], [-1e-300, -2e-300, -4e-300]])
    expected = [share(row, alternative) for row in ([1, 2, 3], [-1, -2, -4])]
    np.testing.assert_allclose(pvalues(tiny, alternative), expected)
    assert pvalues(np.empty((0, 4)), alternative).shape == (0,)


def test_units_of_the_fourteenth_digit() -> None:
    rows = np.array([[0.1, 0.3 - 0.2, -0.25], [0.0, 0.0, 0.0], [3e-300, -1e-300, 0.0]])
    found = permutation.integer_rows(rows)
    assert found.dtype == np.int64
    assert found[0].tolist() == [10**13, 10**13, -25 * 10**12]
    assert found[1].tolist() == [0, 0, 0]
    np.testing.assert_allclose(found[2] / found[2, 0], [1, -1 / 3, 0], rtol=1e-9)
    assert abs(found[2, 0]) >= 10**12


def test_sums_of_very_long_rows_stay_within_the_integers() -> None:
    rows = np.full((1, 300_000), 0.9)
    whole = permutation.integer_rows(rows)
    assert int(whole[0, 0]) * 300_000 == whole.sum() < 2**62
    assert whole[0, 0] == 9 * 10**12  # one digit less
    assert permutation.integer_rows(rows[:, :50_000])[0, 0] == 9 * 10**13
    assert permutation.integer_rows(rows[:, :50_001])[0, 0] == 9 * 10**12


def test_exact_up_to_thirty_two() -> None:
    assert permutation.EXACT_UP_TO == 32
    rows = np.zeros((1, 32))
    rows[0, :3] = 1.0
    rng = np.random.default_rng(3)
    before = rng.bit_generator.state
    small = permutation.EXACT_UP_TO
    assert rows.shape[1] == small
    permutation_rows = np.zeros((1, 10))
    permutation_rows[0, :3] = 1.0
    found = permutation.sign_flip_pvalues(
        permutation_rows, alternative="two-sided", resamples=10, rng=rng
    )
    assert found.tolist() == [0.25]
    assert rng.bit_generator.state == before


@pytest.mark.parametrize(("limit", "exact"), [(4, True), (3, False)])
def test_the_limit_itself_is_exact(
    monkeypatch: pytest.MonkeyPatch, limit: int, exact: bool
) -> None:
    monkeypatch.setattr(permutation, "EXACT_UP_TO", limit)
    found = pvalues(np.array([[1.0, 2.0, 3.0, 4.0]]), "greater", resamples=10)
    assert (found.tolist() == [1 / 16]) == exact
    assert exact or found[0] * 11 == pytest.approx(round(found[0] * 11))


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_sampled_patterns_are_counted(alternative: str) -> None:
    rows = np.random.default_rng(8).integers(-6, 9, size=(3, 33)) / 10
    rows = np.vstack([rows, -rows])
    resamples = 40
    signs = np.random.default_rng(4).integers(0, 2, size=(resamples, 33), dtype=np.int8) * 2 - 1
    expected = []
    for row in np.rint(rows * 10).astype(int):
        mirrored = alternative == "less" or (alternative == "two-sided" and row.sum() < 0)
        flipped = row * (-1 if mirrored else 1)
        observed = abs(flipped.sum()) if alternative == "two-sided" else flipped.sum()
        reached = sum(int(pattern @ flipped) >= observed for pattern in signs.astype(int))
        p = (reached + 1) / (resamples + 1)
        expected.append(min(1.0, 2 * p) if alternative == "two-sided" else p)
    found = pvalues(rows, alternative, resamples=resamples, seed=4)
    np.testing.assert_allclose(found, expected, rtol=1e-15)


def test_sampled_pvalues_of_zeros_are_one() -> None:
    assert pvalues(np.zeros((1, 40)), "two-sided").tolist() == [1.0]
    assert pvalues(np.ones((1, 40)), "greater").tolist() == [1 / 11]
    assert pvalues(np.ones((1, 40)), "less").tolist() == [1.0]


def rejected(sample: np.ndarray, shift: float, tail: float) -> bool:
    return bool(pvalues((sample - shift)[None], "greater")[0] <= tail)


@pytest.mark.parametrize("confidence", [0.5, 0.75, 0.9])
def test_interval_holds_what_is_not_rejected(confidence: float) -> None:
    sample = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    tail = (1 - confidence) / 2
    low, high = permutation.sign_flip_interval(sample, 10, confidence)
    assert low < sample.mean() < high
    assert not rejected(sample, low + 1e-9, tail)
    assert rejected(sample, low - 1e-9, tail)
    assert not rejected(-sample, -high + 1e-9, tail)
    assert rejected(-sample, -high - 1e-9, tail)
    mirrored = permutation.sign_flip_interval(-sample, 10, confidence)
    assert mirrored == pytest.approx((-high, -low), rel=1e-12)


def test_interval_by_hand() -> None:
    # of two differences all four patterns: one side of 1/4 allows a tail of a quarter only
    low, high = permutation.sign_flip_interval(np.array([1.0, 3.0]), 10, 0.5)
    assert (low, high) == pytest.approx((1.0, 3.0), abs=1e-9)
    found = permutation.sign_flip_interval(np.array([1.0, 3.0]), 10, 0.6)
    assert found == (-math.inf, math.inf)
    assert permutation.sign_flip_interval(np.array([2.0, 2.0, 2.0]), 10, 0.95) == (2.0, 2.0)
    assert permutation.sign_flip_interval(np.array([1.0, 3.0]), 10, 0.5)[0] < low + 1e-9


def many_patterns(n: int, resamples: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 2, size=(resamples, n), dtype=np.int8) * 2 - 1


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95])
def test_interval_of_many_holds_what_is_not_rejected(confidence: float) -> None:
    sample = np.random.default_rng(2).normal(0.3, 1.0, 35)
    resamples, tail = 60, (1 - confidence) / 2
    low, high = permutation.sign_flip_interval(sample, resamples, confidence)
    assert low < sample.mean() < high
    signs = many_patterns(35, resamples)

    def pvalue(values: np.ndarray) -> float:
        sums = signs.astype(np.float64) @ values
        return (np.count_nonzero(sums >= values.sum() - 1e-12) + 1) / (resamples + 1)

    assert pvalue(sample - low - 1e-7) > tail
    assert pvalue(sample - low + 1e-7) <= tail
    assert pvalue(high - 1e-7 - sample) > tail
    assert pvalue(high + 1e-7 - sample) <= tail
    assert type(low) is float
    assert type(high) is float


def test_interval_of_many_equal_ones_or_few_patterns() -> None:
    assert permutation.sign_flip_interval(np.full(40, 0.3), 60, 0.95) == (0.3, 0.3)
    assert type(permutation.sign_flip_interval(np.full(40, 0.3), 60, 0.95)[0]) is float
    sample = np.random.default_rng(2).normal(0.3, 1.0, 35)
    assert permutation.sign_flip_interval(sample, 18, 0.9) == (-math.inf, math.inf)
    flipped = many_patterns(35, 20) < 0
    means = sorted(sample[pattern].mean() for pattern in flipped)
    found = permutation.sign_flip_interval(sample, 20, 0.9)  # one of 21 on each side
    assert found == pytest.approx((means[0], means[-1]), rel=1e-12)


def test_patterns_come_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(8).integers(-6, 9, size=(2, 33)) / 10
    sizes = [len(b) for b in permutation._sign_batches(33, 25, np.random.default_rng(4))]
    assert sizes == [25]
    monkeypatch.setattr(permutation, "_SIGNS_AT_ONCE", 330)
    batches = list(permutation._sign_batches(33, 25, np.random.default_rng(4)))
    assert [batch.shape for batch in batches] == [(10, 33), (10, 33), (5, 33)]
    assert {batch.dtype for batch in batches} == {np.dtype(np.int8)}
    assert set(np.unique(np.concatenate(batches))) == {-1, 1}
    sums = np.concatenate(batches).astype(np.int64) @ np.rint(rows * 10).astype(np.int64).T
    reached = np.count_nonzero(sums >= np.rint(rows.sum(axis=1) * 10), axis=0)
    found = pvalues(rows, "greater", resamples=25, seed=4)
    np.testing.assert_allclose(found, (reached + 1) / 26)
    monkeypatch.setattr(permutation, "_SIGNS_AT_ONCE", 5)
    single = list(permutation._sign_batches(33, 3, np.random.default_rng(4)))
    assert [len(batch) for batch in single] == [1, 1, 1]


@pytest.mark.parametrize("n", [4, 33])
def test_simulated_rows_have_the_pvalues_of_rows(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    rows = np.random.default_rng(6).normal(0.2, 1.0, size=(5, n))
    rows *= np.sign(rows.sum(axis=1, keepdims=True))  # the others are seen from their side
    expected = pvalues(rows, "two-sided", resamples=30, seed=4)
    found = permutation.simulated_pvalues(rows, 30, np.random.default_rng(4))
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    monkeypatch.setattr(permutation, "_SIGNS_AT_ONCE", 10 * n)
    batched = permutation.simulated_pvalues(rows, 30, np.random.default_rng(4))
    np.testing.assert_allclose(batched, pvalues(rows, "two-sided", resamples=30, seed=4))
    monkeypatch.setattr(permutation, "EXACT_UP_TO", n)
    exact = permutation.simulated_pvalues(rows[:, :4], 30, np.random.default_rng(4))
    np.testing.assert_allclose(exact, pvalues(rows[:, :4], "two-sided"))


def test_simulated_rows_of_the_limit_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.array([[1.0, 2.1, 3.3, 4.7], [1.0, -2.1, 0.3, -0.7]])
    monkeypatch.setattr(permutation, "EXACT_UP_TO", 4)
    found = permutation.simulated_pvalues(rows, 10, np.random.default_rng(0))
    assert found[0] == 2 / 16
    monkeypatch.setattr(permutation, "EXACT_UP_TO", 3)
    sampled = permutation.simulated_pvalues(rows, 10, np.random.default_rng(0))
    assert (sampled * 11 / 2 == pytest.approx(np.round(sampled * 11 / 2))) or sampled.max() == 1
    assert sampled.max() <= 1


def test_simulated_ties_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutation, "EXACT_UP_TO", 2)
    rows = np.array([[1.0, 2.0, 4.0], [0.0, 0.0, 0.0], [1.0, 1.0, -1.0]])
    found = permutation.simulated_pvalues(rows, 40, np.random.default_rng(0))
    expected = pvalues(rows, "two-sided", resamples=40, seed=0)
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert found[1] == 1.0
    assert found[0] > 2 / 41  # the pattern seen is among those drawn


@pytest.mark.parametrize("resamples", [30, 39, 60])
@pytest.mark.parametrize("confidence", [0.3, 0.5, 0.6])
def test_interval_with_patterns_that_flip_nothing(
    monkeypatch: pytest.MonkeyPatch, resamples: int, confidence: float
) -> None:
    sample = np.array([1.0, 2.0, 4.0, 9.0])
    tail = (1 - confidence) / 2
    exact = permutation.sign_flip_interval(sample, resamples, confidence)
    monkeypatch.setattr(permutation, "EXACT_UP_TO", 4)
    assert permutation.sign_flip_interval(sample, resamples, confidence) == exact
    monkeypatch.setattr(permutation, "EXACT_UP_TO", 3)
    low, high = permutation.sign_flip_interval(sample, resamples, confidence)
    signs = many_patterns(4, resamples).astype(np.float64)
    assert (signs.sum(axis=1) == 4).any()

    def pvalue(values: np.ndarray) -> float:
        reached = np.count_nonzero(signs @ values >= values.sum() - 1e-12)
        return (reached + 1) / (resamples + 1)

    assert pvalue(sample - low - 1e-7) > tail
    assert pvalue(high - 1e-7 - sample) > tail
    assert pvalue(sample - low + 1e-7) <= tail
    assert pvalue(high + 1e-7 - sample) <= tail


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("whole", [[-1, -1, -1, 3], [-1, -1, -1, -1, -1, -1, 6], [2, -1, -1, 5]])
def test_rounded_thirds_are_ties(whole: list[int], alternative: str) -> None:
    found = pvalues(np.array([whole]) / 3, alternative)
    assert found.tolist() == [share(whole, alternative)]


def test_simulated_rows_of_losses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutation, "EXACT_UP_TO", 2)
    rows = np.array([[-1.0, -2.0, -4.0], [1.0, 2.0, 4.0]])
    found = permutation.simulated_pvalues(rows, 400, np.random.default_rng(0))
    np.testing.assert_allclose(found, [0.25, 0.25], atol=0.08)


@pytest.mark.parametrize("n", [33, 40, 64, 4097])
def test_eight_signs_at_a_time_are_those_of_their_bits(n: int) -> None:
    rng = np.random.default_rng(n)
    whole = rng.integers(-1000, 1000, size=n)
    [patterns] = permutation._pattern_batches(n, 21, np.random.default_rng(1))
    assert patterns.shape == (-(-n // 8), 21)
    bits = np.unpackbits(patterns, axis=0, bitorder="little")[:n]
    for values, exact in ((whole, 0.0), (whole / 7, 1e-9)):
        found = permutation._flipped_sums(values, patterns)
        np.testing.assert_allclose(found, values @ bits, rtol=0, atol=exact)
    assert 0.4 < bits.mean() < 0.6


def test_many_signs_come_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutation, "_OCTETS_AT_ONCE", 5 * 16)
    monkeypatch.setattr(permutation, "_ONE_BY_ONE", 0)
    sizes = [b.shape for b in permutation._pattern_batches(40, 37, np.random.default_rng(0))]
    assert sizes == [(5, 16), (5, 16), (5, 5)]


def test_long_rows_have_the_pvalue_and_interval_of_signs_drawn_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = np.random.default_rng(3).normal(0.15, 1, (1, 200))
    rng = np.random.default_rng(0)
    options: dict[str, Any] = {"alternative": "two-sided", "resamples": 20_000}
    one_by_one = permutation.sign_flip_pvalues(row, rng=rng, **options)[0]
    interval = permutation.sign_flip_interval(row[0], 20_000, 0.9)
    monkeypatch.setattr(permutation, "_ONE_BY_ONE", 100)
    packed = permutation.sign_flip_pvalues(row, rng=rng, **options)[0]
    error = np.sqrt(2 * one_by_one / 20_000)
    assert abs(packed - one_by_one) < 4 * 2 * error
    again = permutation.sign_flip_interval(row[0], 20_000, 0.9)
    np.testing.assert_allclose(again, interval, atol=0.01)
