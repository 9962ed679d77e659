"""Seeds crossed with cases: components by a loop, limits that are known, and the level."""

import numpy as np
import pytest

import replicast as rc
from replicast.kernels.crossed import crossed_difference


def drawn(seeds: int, cases: int, spread: float, rng: np.random.Generator, gap: float = 0.0):
    easy = rng.normal(size=cases)
    return [
        shift + easy + 0.5 * rng.normal(size=cases) + spread * rng.normal(size=(seeds, 1))
        + rng.normal(size=(seeds, cases))
        for shift in (gap, 0.0)
    ]  # fmt: skip


def test_parts_are_those_of_an_analysis_of_variance() -> None:
    first, second = drawn(4, 30, 0.5, np.random.default_rng(1))
    found = crossed_difference(first, second)
    assert found.difference == pytest.approx(first.mean() - second.mean())
    gaps = first.mean(axis=0) - second.mean(axis=0)
    assert found.cases == pytest.approx(np.var(gaps, ddof=1) / 30)
    seeds = 0.0
    for scores in (first, second):
        grand, by_seed, by_case = scores.mean(), scores.mean(axis=1), scores.mean(axis=0)
        between = 30 * sum((mean - grand) ** 2 for mean in by_seed) / 3
        rest = sum(
            (scores[s, c] - by_seed[s] - by_case[c] + grand) ** 2
            for s in range(4)
            for c in range(30)
        ) / (3 * 29)
        seeds += max(0.0, (between - rest) / (4 * 30))
    assert found.seeds == pytest.approx(seeds)
    assert found.error == pytest.approx(np.sqrt(found.cases + seeds))


def test_seeds_that_say_the_same_are_cases_alone() -> None:
    rng = np.random.default_rng(2)
    one, other = rng.normal(size=(2, 80))
    found = rc.compare_seed_cases(np.tile(one, (3, 1)), np.tile(other, (3, 1)))
    alone = rc.compare(rc.PairedCases(first=one, second=other)).evidence
    assert found.seed_share == 0
    assert (found.estimate, found.standard_error) == pytest.approx(
        (alone.estimate, alone.standard_error)
    )
    assert found.pvalue == pytest.approx(alone.pvalue)


@pytest.mark.parametrize("spread", [0.0, 0.1, 0.3])
def test_equal_models_are_seldom_called_different(spread: float) -> None:
    rng = np.random.default_rng(3)
    rejected = np.mean(
        [rc.compare_seed_cases(*drawn(5, 100, spread, rng)).significant for _ in range(400)]
    )
    assert rejected < 0.06 + 2 * np.sqrt(0.05 * 0.95 / 400)


def test_the_share_of_seeds_is_found() -> None:
    rng = np.random.default_rng(4)
    much = rc.compare_seed_cases(*drawn(8, 400, 1.0, rng))
    little = rc.compare_seed_cases(*drawn(8, 400, 0.0, rng))
    assert much.seed_share > 0.9 > 0.5 > little.seed_share


def test_losses_swaps_and_words() -> None:
    first, second = drawn(4, 200, 0.1, np.random.default_rng(5), gap=0.5)
    found = rc.compare_seed_cases(first, second, names=("new", "old"))
    loss = rc.compare_seed_cases(second, first, greater_is_better=False)
    assert loss.estimate == pytest.approx(found.estimate)
    assert loss.pvalue == pytest.approx(found.pvalue)
    assert found.significant
    assert found.replication is not None
    assert found.replication.better == "new"
    assert "4 seeds on 200 cases" in str(found)
    assert "one-training-set" in {caution.code for caution in found.cautions}
    same = rc.compare_seed_cases(first, first)
    assert (same.estimate, same.pvalue, same.replication) == (0, 1, None)


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ([1, 0, 1], [[1, 0], [0, 1]], "scores .seeds, cases."),
        ([[1, 0], [0, 1]], [[1, 0, 1], [0, 1, 1]], "the same 2 cases"),
        ([[1, np.nan], [0, 1]], [[1, 0], [0, 1]], "finite scores"),
    ],
)
def test_what_is_refused(first, second, sentence: str) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=sentence):
        rc.compare_seed_cases(first, second)
