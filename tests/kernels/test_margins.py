"""Paired proportions against a margin: Tango's score, exactness and power by enumeration."""

from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from replicast.kernels import counts, margins
from replicast.kernels.margins import Margin


def by_likelihood(b: int, c: int, n: int, bound: float) -> float:
    """The score with the rate of losing found by maximising the likelihood at the bound."""

    def minus_log(rate: float) -> float:
        parts = ((b, rate + bound), (c, rate), (n - b - c, 1 - 2 * rate - bound))
        return -sum(k * np.log(p) for k, p in parts if k)

    low, high = max(0.0, -bound) + 1e-12, (1 - bound) / 2 - 1e-12
    rate = optimize.minimize_scalar(minus_log, bounds=(low, high), method="bounded",
                                    options={"xatol": 1e-13}).x  # fmt: skip
    return (b - c - n * bound) / np.sqrt(n * (2 * rate + bound - bound**2))


@pytest.mark.parametrize("bound", [-0.1, -0.02, 0.0, 0.05])
@pytest.mark.parametrize(("b", "c", "n"), [(3, 5, 40), (12, 4, 60), (1, 1, 30), (20, 20, 200)])
def test_the_score_by_likelihood(b: int, c: int, n: int, bound: float) -> None:
    found = float(margins.score_z(b, c, n, bound))
    assert found == pytest.approx(by_likelihood(b, c, n, bound), abs=1e-4)


def test_tangos_example() -> None:
    """Soft contact lenses, 44 patients: 1 against 0 at a margin of 0.1 gives Z = 1.709."""
    assert float(margins.score_z(0, 1, 44, -0.1)) == pytest.approx(1.709, abs=0.001)


def test_without_a_margin_it_is_mcnemars_z() -> None:
    assert float(margins.score_z(15, 5, 100, 0.0)) == pytest.approx(10 / np.sqrt(20))


@given(st.integers(1, 60), st.data())
def test_wins_raise_the_score_and_losses_lower_it(n: int, data: st.DataObject) -> None:
    b = data.draw(st.integers(0, n - 1))
    c = data.draw(st.integers(0, n - 1 - b))
    bound = data.draw(st.sampled_from([-0.3, -0.02, 0.0, 0.02, 0.3]))
    here = margins.score_z(b, c, n, bound)
    assert margins.score_z(b + 1, c, n, bound) >= here - 1e-9
    assert margins.score_z(b, c + 1, n, bound) <= here + 1e-9


def enumerated(p: float, q: float, n: int, wanted) -> float:
    total = 0.0
    for b, c in product(range(n + 1), repeat=2):
        if b + c <= n and wanted(b, c):
            total += comb(n, b) * comb(n - b, c) * p**b * q**c * (1 - p - q) ** (n - b - c)
    return total


@pytest.mark.parametrize(("p", "q"), [(0.1, 0.1), (0.02, 0.07), (0.3, 0.2), (0.0, 0.05)])
def test_probabilities_by_enumeration(p: float, q: float) -> None:
    n, above, below = 25, Margin(-0.2, 1.4), Margin(0.25, 1.2)
    rates = np.array([p]), np.array([q])

    def up(b: int, c: int) -> bool:
        return bool(margins.score_z(b, c, n, -0.2) >= 1.4)

    def down(b: int, c: int) -> bool:
        return bool(margins.score_z(c, b, n, -0.25) >= 1.2)

    for chosen, wanted in (
        ({"above": above}, up),
        ({"below": below}, down),
        ({"above": above, "below": below}, lambda b, c: up(b, c) and down(b, c)),
        ({}, lambda *_: True),
    ):
        found = float(margins.outcome_probability(*rates, n, **chosen)[0])
        assert found == pytest.approx(enumerated(p, q, n, wanted), abs=1e-9)


@pytest.mark.parametrize(
    ("n", "bound"), [(12, -0.2), (30, -0.1), (30, 0.1), (80, -0.02), (80, 0.0)]
)
def test_the_level_holds_for_every_rate_of_disagreement(n: int, bound: float) -> None:
    margin = margins.critical_margin(n, bound, 0.05)
    rates = np.linspace(max(0.0, -bound), (1 - bound) / 2, 1500)
    alarms = margins.outcome_probability(rates + bound, rates, n, above=margin)
    assert alarms.max() < 0.05 + 2e-4
    looser = Margin(bound, margin.score - 0.1)
    assert margins.outcome_probability(rates + bound, rates, n, above=looser).max() > 0.03


@pytest.mark.parametrize("bound", [-0.15, 0.0, 0.1])
def test_pvalue_and_critical_score_agree(bound: float) -> None:
    n = 24
    margin = margins.critical_margin(n, bound, 0.05)
    for b, c in product(range(0, n + 1, 2), range(0, 12, 2)):
        if b + c > n:
            continue
        score = float(margins.score_z(b, c, n, bound))
        if abs(score - margin.score) > 2e-3:
            assert (margins.margin_pvalue(b, c, n, bound) < 0.05) == (score > margin.score)


def test_too_few_cases_show_nothing() -> None:
    margin = margins.critical_margin(3, -0.01, 0.01)
    assert (
        float(margins.outcome_probability(np.array([0.5]), np.array([0.0]), 3, above=margin)[0])
        == 0
    )


def test_a_million_cases_are_no_long_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(successes: Any, trials: Any, rate: Any) -> Any:
        asked.append(np.broadcast(successes, trials, rate).size)
        return counts.upper_tail(successes, trials, rate)

    monkeypatch.setattr(margins, "upper_tail", counted)
    margins.critical_margin.cache_clear()
    margins.critical_margin(1_000_000, -0.02, 0.05)
    assert sum(asked) < 8 * asked[0]  # every rate at every score: 13 times
    assert max(asked) < 500_000  # binomial tails held at a time


def test_many_cases_are_normal() -> None:
    margin = margins.critical_margin(200_000, -0.01, 0.05)
    assert margin.score == pytest.approx(1.645, abs=0.01)
    found = margins.outcome_probability(np.array([0.1]), np.array([0.11]), 200_000, above=margin)
    assert float(found[0]) == pytest.approx(0.05, abs=0.003)
