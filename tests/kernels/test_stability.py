"""Order of mean ranks, against plain loops over the same draws."""

import math

import numpy as np
import pytest
from scipy import special

from replicast.kernels import stability

RANKS = np.array(
    [
        [1.0, 2.0, 3.0],
        [1.0, 3.0, 2.0],
        [2.0, 1.0, 3.0],
        [1.0, 2.5, 2.5],
        [1.5, 1.5, 3.0],
        [3.0, 1.0, 2.0],
    ]
)


def plain_chances(means: np.ndarray) -> list[float]:
    k = means.shape[1]
    first, kept = 0.0, [0.0] * (k - 1)
    for row in means:
        lowest = [j for j in range(k) if row[j] <= min(row) + 1e-9]
        first += (0 in lowest) / len(lowest)
        for j in range(k - 1):
            tie = abs(row[j + 1] - row[j]) <= 1e-9
            kept[j] += 0.5 if tie else float(row[j + 1] > row[j])
    return [value / len(means) for value in (first, *kept)]


def test_chances_of_order_by_hand() -> None:
    means = np.array(
        [
            [1.0, 2.0, 3.0],
            [2.0, 2.0, 2.0],
            [3.0, 1.0, 1.0 + 5e-10],
            [1.0, 1.0, 4.0],
            [2.0, 3.0, 2.5],
        ]
    )
    found = stability._order_chances(means)
    expected = [(1 + 1 / 3 + 0 + 0.5 + 1) / 5, (1 + 0.5 + 0 + 0.5 + 1) / 5, (1 + 0.5 + 0.5 + 1) / 5]
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    np.testing.assert_allclose(found, plain_chances(means), rtol=1e-14)
    apart = stability._order_chances(np.array([[1.0, 1.0 + 2e-9]]))
    assert apart.tolist() == [1.0, 1.0]


def expected_error_covariance(ranks: np.ndarray) -> np.ndarray:
    n, k = ranks.shape
    centred = ranks - ranks.mean(axis=1, keepdims=True)
    seen = np.cov(centred, rowvar=False) / n
    share = min(0.9, 0.5 * k / n)
    alike = (np.eye(k) - np.full((k, k), 1 / k)) * np.trace(seen) / (k - 1)
    return (1 - share) * seen + share * alike


FIVE = np.array([[1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 5.0, 3.0, 4.0]])


@pytest.mark.parametrize("ranks", [RANKS, RANKS[:2], np.vstack([RANKS, RANKS[:, ::-1]]), FIVE])
def test_error_space_rebuilds_the_covariance(ranks: np.ndarray) -> None:
    k = ranks.shape[1]
    variances, directions = stability._error_space(ranks)
    assert variances.shape == (k - 1,)  # the common mean has no error
    assert directions.shape == (k, k - 1)
    rebuilt = directions @ np.diag(variances) @ directions.T
    np.testing.assert_allclose(rebuilt, expected_error_covariance(ranks), atol=1e-14)
    np.testing.assert_allclose(directions.sum(axis=0), 0, atol=1e-12)


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e3])
@pytest.mark.parametrize("seed", range(12))
def test_error_space_leaves_out_the_common_mean_only(seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    ranks = np.array([rng.permutation(4) + 1.0 for _ in range(9)]) * scale
    variances, directions = stability._error_space(ranks)
    assert variances.shape == (3,)
    assert directions.shape == (4, 3)


def test_error_space_of_scores_whose_sum_varies() -> None:
    scores = RANKS + np.arange(6.0)[:, None]
    np.testing.assert_allclose(
        stability._error_space(scores)[0], stability._error_space(RANKS)[0], rtol=1e-9
    )
    one_way = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]])
    variances, _ = stability._error_space(one_way)
    assert variances == pytest.approx([np.var([-1.0, 1.0, -1.0], ddof=1) / 3 / 2])


def test_ranks_that_never_vary_have_no_error() -> None:
    same = np.tile([1.0, 2.0, 3.0], (5, 1))
    variances, directions = stability._error_space(same)
    assert variances.shape == (0,)
    assert directions.shape == (3, 0)
    assert stability._repeats(same, 10, np.random.default_rng(0)) is None


def plain_repeats(ranks: np.ndarray, draws: int, seed: int) -> np.ndarray:
    """Means as seen with twice their error, and means drawn together, in loops."""
    variances, directions = stability._error_space(ranks)
    noise = np.random.default_rng(seed).standard_normal((draws, len(variances)))
    means = ranks.mean(axis=0)
    signal = [
        sum(directions[j, i] * (means[j] - means.mean()) for j in range(len(means)))
        for i in range(len(variances))
    ]
    scale = sum(variances) / len(variances)
    weights, chances = [], []
    for relative in (0.3, 1.0, 3.0, 10.0, 30.0):
        likelihood = 1.0
        fresh = np.zeros((draws, len(variances)))
        for i, variance in enumerate(variances):
            prior = relative * scale
            total = prior + variance
            likelihood *= math.exp(-(signal[i] ** 2) / (2 * total)) / math.sqrt(total)
            kept = prior / total
            # the mean of the posterior, its variance and the error of the repeat
            fresh[:, i] = kept * signal[i] + noise[:, i] * math.sqrt(kept * variance + variance)
        weights.append(likelihood)
        chances.append(plain_chances(fresh @ directions.T))
    shrunken = np.array(weights) @ np.array(chances) / sum(weights)
    as_seen = plain_chances((np.array(signal) + noise * np.sqrt(2 * variances)) @ directions.T)
    return 0.6 * shrunken + 0.4 * np.array(as_seen)


@pytest.mark.parametrize("seed", [1, 2])
def test_repeats_by_plain_loops(seed: int) -> None:
    found = stability._repeats(RANKS, 60, np.random.default_rng(seed))
    assert isinstance(found, np.ndarray)
    np.testing.assert_allclose(found, plain_repeats(RANKS, 60, seed), rtol=1e-10)


def test_order_of_hardly_varying_ranks_is_nearly_certain() -> None:
    ranks = np.tile([1.0, 2.0, 3.0], (300, 1))
    ranks[7] = [1.0, 3.0, 2.0]
    ranks[8] = [2.0, 1.0, 3.0]
    found = stability._repeats(ranks, 50, np.random.default_rng(0))
    assert found is not None
    np.testing.assert_allclose(found, [1.0, 1.0, 1.0], atol=1e-9)


def test_rows_in_any_order_give_the_same() -> None:
    first, kept = stability.order_chances(RANKS, np.random.default_rng(5), 80)
    assert type(first) is float
    ordered = np.array(sorted(RANKS.tolist()))
    expected = stability._repeats(ordered, 80, np.random.default_rng(5))
    np.testing.assert_allclose([first, *kept], expected, rtol=1e-13)
    again, _ = stability.order_chances(RANKS[::-1], np.random.default_rng(5), 80)
    assert again == first


def test_order_of_the_datasets_does_not_matter() -> None:
    one = stability.order_chances(RANKS, np.random.default_rng(5), 40)
    other = stability.order_chances(RANKS[::-1], np.random.default_rng(5), 40)
    assert one[0] == other[0]
    np.testing.assert_array_equal(one[1], other[1])


@pytest.mark.parametrize("n", [2, 5, 6, 9, 30, 1000])
def test_ranks_that_never_vary_stay_as_far_as_so_many_can_tell(n: int) -> None:
    """A uniform chance of keeping the order, kept on n datasets, then n fresh ones: integrated."""
    same = np.tile([1.0, 2.5, 2.5], (n, 1))
    first, kept = stability.order_chances(same, np.random.default_rng(0), 30)
    chance = (np.arange(20_000) + 0.5) / 20_000
    again = special.bdtrc(n // 2, n, chance)
    if n % 2 == 0:
        again += 0.5 * (special.bdtr(n // 2, n, chance) - special.bdtr(n // 2 - 1, n, chance))
    seen = chance**n
    assert first == pytest.approx(float(seen @ again / seen.sum()), abs=1e-4)
    assert kept.tolist() == [first, 0.5]


def test_two_thousand_draws_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stability.DRAWS == 2000
    seen = []
    plain = stability._repeats

    def recorded(ranks: np.ndarray, draws: int, rng: np.random.Generator) -> np.ndarray | None:
        seen.append(draws)
        return plain(ranks, draws, rng)

    monkeypatch.setattr(stability, "_repeats", recorded)
    stability.order_chances(RANKS, np.random.default_rng(0))
    assert seen == [2000]


def test_a_clear_winner_among_equals_is_not_drawn_to_the_others() -> None:
    """Ten classifiers, nine of them alike: shrunk all alike, the winner stayed first in 83%."""
    rng = np.random.default_rng(5)
    said = {"winner": [], "equal": []}
    for _ in range(25):
        for kind, chances in said.items():
            scores = rng.normal(size=(30, 10))
            scores[:, 0] += kind == "winner"
            ranks = (-scores).argsort(axis=1).argsort(axis=1) + 1.0
            ordered = ranks[:, np.argsort(ranks.mean(axis=0))]
            chances.append(stability.order_chances(ordered, rng, 400)[0])
    assert np.mean(said["winner"]) > 0.86
    assert np.mean(said["equal"]) < 0.33
