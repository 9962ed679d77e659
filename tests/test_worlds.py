"""The worlds of the calibration study: fixed, told apart, and built as their list says."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from calibration import worlds
from calibration.worlds.boards import BoardWorld, rates_of
from calibration.worlds.collections import NormalWorld, ProblemWorld, TiedWorld
from calibration.worlds.folds import FoldWorld, SplitWorld
from calibration.worlds.populations import ENDLESS, SMALL_REAL, TO_FIT_ON

LIST = (Path(worlds.__file__).parent / "README.md").read_text(encoding="utf-8")
BY_NAME = {world.name: world for world in (*worlds.WORLDS, *worlds.FIT_WORLDS)}


def test_worlds_are_many_and_listed() -> None:
    assert len(worlds.FOLD_WORLDS) >= 16
    assert len(BY_NAME) == len(worlds.WORLDS) + len(worlds.FIT_WORLDS)
    for population in (*ENDLESS, *SMALL_REAL, *TO_FIT_ON):
        assert f"`{population.name}`" in LIST


def test_no_constant_is_scored_where_it_was_fitted() -> None:
    scored = {world.population.name for world in (*worlds.FOLD_WORLDS, *worlds.SPLIT_WORLDS)}
    assert scored.isdisjoint(population.name for population in TO_FIT_ON)


@pytest.mark.parametrize("name", ["waveform-150", "vowel-100", "exchangeable-100", "breast-w-80"])
def test_cross_validation(name: str) -> None:
    world = BY_NAME[name]
    assert isinstance(world, FoldWorld)
    found = world.experiments(np.random.default_rng(1), 2)
    assert found["correct"].shape == (len(world.contestants), 2, 10, world.rows)
    assert set(np.unique(found["correct"])) == {0, 1}
    assert np.array_equal(np.unique(found["folds"]), np.arange(10))
    assert np.array_equal(np.unique(found["few_folds"]), np.arange(5))
    again = world.experiments(np.random.default_rng(1), 2)
    assert all(np.array_equal(found[key], again[key]) for key in found)


def test_two_feature_sets_are_exchangeable() -> None:
    world = BY_NAME["exchangeable-100"]
    assert isinstance(world, FoldWorld)
    for i, j in world.pairs:
        first, second = world.contestants[i], world.contestants[j]
        assert first.learner == second.learner
        assert set(first.features).isdisjoint(second.features)


def test_random_splits() -> None:
    world = BY_NAME["vehicle-100-splits"]
    assert isinstance(world, SplitWorld)
    found = world.experiments(np.random.default_rng(1), 2)
    assert world.sizes(0.33) == (67, 33)
    assert found["right-100-0.3"].shape == (5, 2, 100)
    assert 0 <= found["right-100-0.3"].min() <= found["right-100-0.3"].max() <= 30


def test_samples_of_a_real_set_are_disjoint_within_a_shuffle() -> None:
    vehicle = SMALL_REAL[0]
    drawn = [
        {row.tobytes() for row in X} for X, _ in vehicle.samples(100, 8, np.random.default_rng(1))
    ]
    shared = [len(a & b) for a, b in combinations(drawn, 2)]
    assert max(shared) <= 2  # the set holds a few equal rows


def test_boards() -> None:
    rates = rates_of("wide")
    gaps = np.abs(rates[:, 0] - rates[:, 1])
    assert rates.shape == (4 * 28, 2)
    assert (rates > 0).all()
    assert (rates.sum(axis=1) <= 1).all()
    assert gaps.max() > 0.25
    assert np.abs(np.subtract(*rates_of("close").T)).max() < 0.03
    found = BoardWorld("wide", 60).experiments(np.random.default_rng(1), 5)
    assert found["discordant"].shape == (112, 5, 2)
    assert found["discordant"].sum(axis=2).max() <= 60


def test_collections() -> None:
    found = ProblemWorld("uci").experiments(np.random.default_rng(1), 1)
    assert found["right"].shape == (5, 1, 60)
    assert (found["right"] <= found["rows"]).all()
    assert found["rows"].max() <= 100
    normal = NormalWorld(7).experiments(np.random.default_rng(1), 3)["differences"]
    assert normal.shape == (9, 3, 7)
    tied = TiedWorld(20, 0.5).experiments(np.random.default_rng(1), 100)["differences"]
    assert np.mean(tied == 0) == pytest.approx(0.5, abs=0.03)
