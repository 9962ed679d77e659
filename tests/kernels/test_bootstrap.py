"""The bootstrap of Z, against resamples ranked one by one."""

import math

import numpy as np
import pytest

import independent
from replicast.kernels import bootstrap
from replicast.kernels.splits import scrambled_words

MASK = 2**64 - 1


def splitmix(state: int) -> int:
    """Return the hash of a counter as its authors give it, in whole numbers."""
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def resampled(sample: list[float], resamples: int, seed: int) -> list[float]:
    """Return Z of each resample, drawing two rows from each 64 bits, the upper half first."""
    n, state, found = len(sample), seed, []
    for _ in range(resamples):
        rows: list[int] = []
        while len(rows) < n:
            state = (state + 0x9E3779B97F4A7C15) & MASK
            bits = splitmix(state)
            rows += [((bits >> 32) * n) >> 32, ((bits & 0xFFFFFFFF) * n) >> 32]
        found.append(independent.signed_rank_normal([sample[row] for row in rows[:n]])[0])
    return found


def test_hash_of_known_counters() -> None:
    gamma = 0x9E3779B97F4A7C15
    assert splitmix(gamma) == 0xE220A8397B1DCDAF  # the first number of the generator from 0
    for state in (gamma, 0, 1, 2**63 + 12345, MASK):
        found = scrambled_words(np.uint64((state - 5 * gamma) & MASK), 4, 3)
        assert found.tolist() == [splitmix((state + k * gamma) & MASK) for k in range(3)]


SAMPLES = [
    [0.3],
    [-0.3, 0.1],
    [0.1, -0.2, 0.3, 0.0, 0.2],
    [0.5, -0.5, 0.5, 0.25, 0.0, 0.0, -0.125, 1.0],
    [1.0, 1.0, 1.0, -1.0],
    [3.0, 5.0, -1.0, 4.0, 2.0, 6.0, 7.0, -8.0, 9.0, 10.0, 12.0],
    [-3.0, -5.0, -1.0, -4.0, -2.0],
]


@pytest.mark.parametrize("sample", SAMPLES)
def test_each_resample_is_ranked_like_a_sample(sample: list[float]) -> None:
    seed = int(np.random.default_rng(5).integers(0, 2**64, dtype=np.uint64))
    expected = resampled(sample, 20, seed)
    with np.errstate(over="ignore"):
        found = bootstrap.bootstrap_z(np.array(sample), 20, np.random.default_rng(5))
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)


def test_zeros_alone_have_no_z() -> None:
    with np.errstate(over="ignore"):
        found = bootstrap.bootstrap_z(np.zeros(6), 3, np.random.default_rng(0))
        none = bootstrap.bootstrap_z(np.ones(3), 0, np.random.default_rng(0))
    assert found.tolist() == [0.0, 0.0, 0.0]
    assert none.shape == (0,)


def test_seed_uses_the_whole_range() -> None:
    class Recorder:
        def integers(self, low: int, high: int, dtype: type) -> np.uint64:
            assert (low, high, dtype) == (0, 2**64, np.uint64)
            return np.uint64(7)

    with np.errstate(over="ignore"):
        found = bootstrap.bootstrap_z(np.array([1.0, -2.0, 3.0]), 6, Recorder())
    np.testing.assert_allclose(found, resampled([1.0, -2.0, 3.0], 6, 7), rtol=1e-13)


def test_sign_of_an_empty_pull() -> None:
    # two equal differences of either sign: |W+ - 3/2| is 0 or 3/2, pulled by one half
    with np.errstate(over="ignore"):
        found = bootstrap.bootstrap_z(np.array([1.0, -1.0]), 40, np.random.default_rng(1))
    far = 1 / math.sqrt(2 * 3 * 5 / 24 - 6 / 48)
    assert set(np.round(np.abs(found), 12)) == {0.0, round(far, 12)}
    assert {-1.0, 1.0} <= set(np.sign(found[np.abs(found) > 0]))
