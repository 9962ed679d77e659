"""Posterior regions, against loops over all pairs."""

import numpy as np
import pytest
from scipy import integrate, stats

from replicast.kernels import posterior


@pytest.mark.parametrize("rope", [0.0, 1e-12, 0.01, 0.5])
@pytest.mark.parametrize("df", [1, 4])
def test_correlated_regions_are_student_tails(rope: float, df: float) -> None:
    mean, error = np.array([0.02, -0.3, 0.0, 0.9]), np.array([0.05, 0.2, 1.0, 0.01])
    left, inside, right = posterior.correlated_regions(mean, error, df, rope)
    np.testing.assert_allclose(left, stats.t.cdf(-rope, df, mean, error), rtol=1e-9)
    np.testing.assert_allclose(right, stats.t.sf(rope, df, mean, error), rtol=1e-9)
    assert (inside >= 0).all()
    for i in range(4):
        middle = integrate.quad(
            stats.t.pdf, -rope, rope, args=(df, mean[i], error[i]), epsabs=0, epsrel=1e-10
        )[0]
        assert inside[i] == pytest.approx(middle, rel=1e-6, abs=1e-15)


def test_regions_of_a_certain_mean_without_a_rope() -> None:
    left, inside, right = posterior.correlated_regions(
        np.array([-1.0, 0.0, 1.0, 0.0]), np.array([0.0, 0.0, 0.0, 1.0]), 4, 0.0
    )
    assert left.tolist() == [1, 0, 0, 0.5]
    assert inside.tolist() == [0, 1, 0, 0]
    assert right.tolist() == [0, 0, 1, 0.5]


def test_region_wider_than_any_score() -> None:
    left, inside, right = posterior.correlated_regions(
        np.array([0.1]), np.array([1e-200]), 4, 1e200
    )
    assert (left[0], inside[0], right[0]) == (0.0, 1.0, 0.0)


def test_regions_of_a_certain_mean() -> None:
    mean = np.array([-0.2, -0.1, 0.0, 0.1, 0.2])
    left, inside, right = posterior.correlated_regions(mean, np.zeros(5), 4, 0.1)
    assert left.tolist() == [1, 0, 0, 0, 0]
    assert inside.tolist() == [0, 1, 1, 1, 0]
    assert right.tolist() == [0, 0, 0, 0, 1]


def votes_by_pairs(row: np.ndarray, gammas: np.ndarray, rope: float) -> list[float]:
    z = [0.0, *row]
    votes = np.zeros(3)
    for draw in gammas:
        weights = draw / draw.sum()
        mass = np.zeros(3)
        for wi, zi in zip(weights, z, strict=True):
            for wj, zj in zip(weights, z, strict=True):
                region = 0 if zi + zj < -2 * rope else 2 if zi + zj > 2 * rope else 1
                mass[region] += wi * wj
        winners = mass >= mass.max() - 1e-9
        votes += winners / winners.sum()
    return (votes / len(gammas)).tolist()


@pytest.mark.parametrize("rope", [0.0, 0.125, 0.25, 1.0])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_signed_rank_regions_by_pairs(n: int, rope: float) -> None:
    rng = np.random.default_rng(n)
    rows = rng.integers(-4, 5, size=(6, n)) / 8  # ties, zeros and values on the border
    gammas = rng.gamma(1.0, size=(12, n + 1)) * 3
    batches = [gammas[:5], gammas[5:]]
    found = posterior.signed_rank_regions(rows, rope=rope, batches=batches)
    expected = [votes_by_pairs(row, gammas, rope) for row in rows]
    np.testing.assert_allclose(found / 12, expected, atol=1e-12)
    assert found.shape == (6, 3)
    none = posterior.signed_rank_regions(rows, rope=rope, batches=[])
    assert none.tolist() == [[0, 0, 0]] * 6


def votes(row: list[float], gammas: list[list[float]], rope: float) -> list[float]:
    found = posterior.signed_rank_regions(np.array([row]), rope=rope, batches=[np.array(gammas)])
    return found[0].tolist()


def test_votes_by_hand() -> None:
    assert votes([2.0], [[0.0, 1.0]], 0.5) == [0, 0, 1]
    # weights 1/2 at zero, 1/4 at -1, 1/4 at 1: below 5/16, inside 6/16, above 5/16
    assert votes([-1.0, 1.0], [[2.0, 1.0, 1.0]], 0.0) == [0, 1, 0]
    # no weight at zero: below 1/4, inside 1/2, above 1/4; and with most of it to the sides
    gammas = [[0.0, 1.0, 1.0], [0.0, 3.0, 1.0], [0.0, 1.0, 3.0]]
    assert votes([-1.0, 1.0], gammas, 0.0) == pytest.approx([1, 1, 1])
    assert votes([0.5], [[0.0, 1.0]], 0.5) == [0, 1, 0]  # the border belongs to the region
    assert votes([-0.5], [[0.0, 1.0]], 0.5) == [0, 1, 0]


def test_ties_between_regions_are_shared() -> None:
    # weights at -3 and 2 make sums -6, -1 and 4: nothing inside, and exactly half of it above
    root = 0.5**0.5
    assert votes([-3.0, 2.0], [[0.0, 1.0 - root, root]], 0.0) == pytest.approx([0.5, 0, 0.5])
    # weight w at 2 and the rest at zero: above 1 - (1 - w)², inside (1 - w)²
    assert votes([2.0], [[root, 1.0 - root]], 0.5) == pytest.approx([0, 0.5, 0.5])
    assert votes([-2.0], [[root, 1.0 - root]], 0.5) == pytest.approx([0.5, 0.5, 0])
    # three regions of a third each: -9, 0 and 9 with w² + 2wu = 1/3 at either side
    u = (1 / 3) ** 0.5
    near = votes([2.0], [[root + 1e-9, 1.0 - root]], 0.5)
    assert near == [0, 1, 0]
    assert votes([2.0], [[u, 1 - u]], 0.5) == [0, 0, 1]


@pytest.mark.parametrize(
    ("n", "rope", "digits"), [(4500, 0.0, 9), (5000, 0.004, 9), (5000, 0.02, 1)]
)
def test_groups_of_neighbours_have_the_pairs_of_their_members(
    n: int, rope: float, digits: int
) -> None:
    row = np.random.default_rng(n).normal(0.01, 1, n).round(digits)
    cells = posterior._Cells.of(row, rope)
    weights = np.concatenate([[0.3], posterior.group_sizes(n)]) / (n + 0.3)
    reached = np.concatenate([[0.0], np.cumsum(weights[1:])])
    own = weights[1:]
    pairs = weights[cells.first] * weights[cells.second]
    left = own @ reached[cells.below] + cells.left @ pairs
    right = own @ (reached[-1] - reached[cells.above]) + cells.right @ pairs
    each = np.full(n, 1 / (n + 0.3))
    sums = row[:, None] + row
    zero = 2 * (weights[0] * each).sum() / n
    assert left == pytest.approx(
        each[0] ** 2 * (sums < -2 * rope).sum() + zero * (row < -2 * rope).sum(), rel=1e-12
    )
    assert right == pytest.approx(
        each[0] ** 2 * (sums > 2 * rope).sum() + zero * (row > 2 * rope).sum(), rel=1e-12
    )


def test_groups_of_neighbours_vote_as_their_members_do(monkeypatch: pytest.MonkeyPatch) -> None:
    row = np.random.default_rng(1).normal(0.01, 1, (1, 4200))

    def votes() -> np.ndarray:
        sizes = posterior.group_sizes(4200)
        rng = np.random.default_rng(len(sizes))
        weights = [
            np.column_stack([rng.gamma(0.5, size=4000), rng.gamma(sizes, size=(4000, len(sizes)))])
        ]
        return posterior.signed_rank_regions(row, rope=0.0, batches=weights)[0] / 4000

    grouped = votes()
    monkeypatch.setattr(posterior, "MOST_ALONE", 5000)
    alone = votes()
    assert abs(grouped[0] - alone[0]) < 4 * np.sqrt(2 * alone[0] * (1 - alone[0]) / 4000)
