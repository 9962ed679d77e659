"""Evidence at any time: the closed form, its twin on a grid of bets, and false alarms."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replicast.kernels import monitoring

COUNTS = [(0, 0), (1, 0), (0, 1), (3, 2), (7, 1), (8, 8), (60, 2), (100, 80), (900, 1000),
          (2500, 2500), (5000, 4700), (10**6, 10**6 - 3000)]  # fmt: skip


@pytest.mark.parametrize(("b", "c"), COUNTS)
def test_the_closed_form_by_mpmath(b: int, c: int) -> None:
    with mp.workdps(40):
        half = mp.mpf(1) / 2
        exact = mp.log(mp.mpf(2) ** (b + c) * mp.beta(b + half, c + half) / mp.beta(half, half))
        found = mp.mpf(float(monitoring.discordant_log_e(np.array(b), np.array(c))))
        assert abs(mp.expm1(found - exact)) < 1e-12


def test_the_closed_form_case_by_case() -> None:
    """Krichevsky and Trofimov's rule: bet on the share seen so far, half a case added to each."""
    rng = np.random.default_rng(0)
    wealth, b, c = 1.0, 0, 0
    for won in rng.random(300) < 0.6:
        chance = (b + 0.5) / (b + c + 1)
        wealth *= 2 * (chance if won else 1 - chance)
        b, c = b + won, c + (not won)
        assert np.exp(monitoring.discordant_log_e(b, c)) == pytest.approx(wealth, rel=1e-12)


@given(st.integers(0, 150), st.integers(0, 100), st.integers(0, 1000))
def test_bets_give_the_closed_form_while_few_cases_differ(b: int, c: int, ties: int) -> None:
    counts = np.zeros(len(monitoring.GRID))
    counts[[0, len(counts) // 2, -1]] = c, ties, b
    found = float(monitoring.log_e(counts))
    assert found == pytest.approx(float(monitoring.discordant_log_e(b, c)), abs=1e-10)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), st.floats(-0.9, 0.9))
def test_sharing_a_difference_never_adds_evidence(differences: list[float], mean: float) -> None:
    d = np.array(differences)
    counts = monitoring.spread(d)
    assert counts.sum() == pytest.approx(len(d))
    assert counts @ monitoring.GRID == pytest.approx(d.sum(), abs=1e-9)
    stakes = monitoring.bets() / np.where(monitoring.bets() > 0, 1 + mean, 1 - mean)
    plain = np.log(np.mean(np.prod(1 + stakes[:, None] * (d - mean), axis=1)))
    found = float(monitoring.log_e(counts, mean))
    assert found <= plain + 1e-9
    assert found >= plain - 0.02 * len(d)


def test_limits_hold_the_means_that_are_not_refuted() -> None:
    rng = np.random.default_rng(4)
    counts = monitoring.spread(rng.choice([-1.0, -0.25, 0.0, 0.5, 1.0], 400))
    low, high = monitoring.confidence_limits(counts, 0.05)
    means = np.linspace(-0.999, 0.999, 4001)
    kept = means[monitoring.log_e(counts, means) < np.log(20)]
    assert low <= kept.min() <= low + 1e-3
    assert high >= kept.max() >= high - 1e-3


def test_limits_exclude_zero_exactly_when_the_case_is_decided() -> None:
    for b, c in [(31, 12), (34, 12), (40, 12), (12, 45), (5, 0), (9, 0)]:
        counts = np.zeros(len(monitoring.GRID))
        counts[[0, len(counts) // 2, -1]] = c, 100, b
        low, high = monitoring.confidence_limits(counts, 0.05)
        decided = monitoring.discordant_log_e(b, c) >= np.log(20)
        assert decided == (low > 0 or high < 0)


def streams(rng: np.random.Generator, count: int, length: int, rate: float) -> np.ndarray:
    drawn = rng.random((count, length))
    return np.where(drawn < rate / 2, 1, np.where(drawn < rate, -1, 0)).astype(np.int8)


def alarms(rng: np.random.Generator, count: int, length: int, rate: float) -> int:
    d = streams(rng, count, length, rate)
    won, lost = np.cumsum(d == 1, axis=1), np.cumsum(d == -1, axis=1)
    return int((monitoring.discordant_log_e(won, lost).max(axis=1) >= np.log(20)).sum())


def test_false_alarms_with_a_look_after_every_case() -> None:
    rng = np.random.default_rng(5)
    found = sum(alarms(rng, 250, 2000, 0.3) for _ in range(4))
    assert found <= 0.05 * 1000


@pytest.mark.slow
@pytest.mark.parametrize("rate", [1.0, 0.3, 0.1])
def test_false_alarms_over_ten_thousand_streams(rate: float) -> None:
    rng = np.random.default_rng(3)
    found = sum(alarms(rng, 500, 5000, rate) for _ in range(20))
    assert found <= 0.05 * 10_000  # 3.4 to 3.6% were seen


@pytest.mark.slow
def test_false_alarms_for_graded_scores() -> None:
    rng = np.random.default_rng(6)
    log_gains = np.log1p(monitoring.bets()[:, None] * monitoring.GRID)
    found = 0
    for _ in range(1000):
        d = rng.choice([-1.0, -0.5, 0.0, 0.25, 1.0], 2000, p=[0.15, 0.2, 0.1, 0.4, 0.15])
        place = ((d + 1) * 256).astype(int)
        wealth = np.cumsum(log_gains[:, place], axis=1)
        best = np.logaddexp.reduce(wealth, axis=0) - np.log(len(log_gains))
        found += bool((best >= np.log(20)).any())
    assert found <= 50 + 3 * np.sqrt(1000 * 0.05 * 0.95)


@pytest.mark.slow
def test_confidence_sequences_cover() -> None:
    rng = np.random.default_rng(7)
    missed = 0
    for _ in range(300):
        d = rng.choice([-1.0, 0.0, 1.0], 600, p=[0.1, 0.65, 0.25])
        for n in range(20, 601, 20):
            low, high = monitoring.confidence_limits(monitoring.spread(d[:n]), 0.05)
            if not low <= 0.15 <= high:
                missed += 1
                break
    assert missed <= 300 * 0.05 + 3 * np.sqrt(300 * 0.05 * 0.95)
