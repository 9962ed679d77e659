"""The range of normals against numbers of mpmath."""

import math

import numpy as np
import pytest
from scipy import stats

from replicast.kernels.ranges import range_critical, range_inflation, range_upper

# mpmath 1.3, 30 digits: findroot of k * quad(phi * (Phi^(k-1) - (Phi - Phi(z - q))^(k-1))) - tail
GOLDEN = {
    (2, 0.5): 0.95387255240893975,
    (2, 0.05): 2.7718076486993559,
    (2, 0.001): 4.6535075310270493,
    (2, 1e-09): 8.6400107698268906,
    (2, 1e-14): 10.944961249724768,
    (5, 0.5): 2.2568824930261941,
    (5, 0.05): 3.8576555103786233,
    (5, 0.001): 5.4837536861726061,
    (5, 1e-09): 9.1455604404507276,
    (5, 1e-14): 11.351691306525202,
    (30, 0.5): 4.0373421637378567,
    (30, 0.05): 5.3012895740311644,
    (30, 0.001): 6.6512281573527256,
    (30, 1e-09): 9.9205582038480542,
    (30, 1e-14): 11.989134736353978,
    (200, 0.5): 5.4453038957813999,
    (200, 0.05): 6.4959132639351732,
    (200, 0.001): 7.6693572357394011,
    (200, 1e-09): 10.65047217956622,
    (200, 1e-14): 12.603055587639766,
}


@pytest.mark.parametrize(("key", "width"), GOLDEN.items(), ids=str)
def test_critical_widths(key: tuple[int, float], width: float) -> None:
    count, tail = key
    assert range_critical(tail, count) == pytest.approx(width, rel=1e-12)
    assert range_upper(width, count) == pytest.approx(tail, rel=1e-10)


@pytest.mark.parametrize("count", [2, 3, 7, 20, 100])
@pytest.mark.parametrize("tail", [0.5, 0.1, 0.05, 0.01])
def test_critical_widths_of_scipy(count: int, tail: float) -> None:
    theirs = stats.studentized_range.ppf(1 - tail, count, np.inf)
    assert range_critical(tail, count) == pytest.approx(float(theirs), rel=1e-10)


def test_extreme_widths() -> None:
    assert range_upper(0.0, 5) == 1.0
    assert range_upper(200.0, 5) == 0.0
    far = range_critical(1e-300, 4)
    assert far > range_critical(1e-150, 4) > range_critical(1e-9, 4)
    by_pair = -math.sqrt(2) * stats.norm.ppf(1e-12 / 12)  # Bonferroni's is a little wider
    assert 0 < by_pair - range_critical(1e-12, 4) < 1e-3


@pytest.mark.parametrize("runs", [3, 5, 10])
def test_a_range_understates_what_varies_unequally(runs: int) -> None:
    draws = np.random.default_rng(runs).normal(size=(2, 200_000, runs))
    for log_ratio in (0.0, 1.0, -1.0, 2.5):
        one, other = draws[0] * math.exp(log_ratio), draws[1]
        width = np.ptp(np.concatenate([one, other], axis=1), axis=1)
        moved = ((one.mean(1) - other.mean(1)) / width) ** 2
        told = (one.var(1, ddof=1) + other.var(1, ddof=1)) / runs / width**2
        found = float(range_inflation(np.array(log_ratio), runs))
        assert found == pytest.approx(max(1.0, moved.mean() / told.mean()), rel=0.02)


def test_a_range_of_very_many_runs_hardly_moves() -> None:
    assert range_inflation(np.array([0.0, 2.0]), 1000).max() < 1.01
    assert range_inflation(np.array([0.0, 2.0]), 1001).tolist() == [1, 1]
