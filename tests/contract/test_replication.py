"""What every model of replication keeps: more in favour never lowers the chance."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import replicast as rc
from replicast.kernels.mixtures import SCEPTIC_PRIOR
from replicast.replication.counts import CountModel, DiscordanceModel
from replicast.replication.first_result import read_first_result
from replicast.replication.models import ESTIMATORS, Goal, assess
from replicast.replication.priors import RELATIONS, BetaPrior

STANDING = [name for name in ESTIMATORS if name != "empirical-bayes"]
ROUND_OFF = 1e-9


# --------------------------------------------------------------------------- one test set
def chance_on(cases: int, won: int, lost: int, relation: str) -> float:
    model = DiscordanceModel(won=won, lost=lost, cases=cases)
    goal = Goal(rc.Holdout(cases), 1.0, 0.05)
    return model.assess(model.prior(relation), goal).probability


def lines(cases: int) -> Iterator[tuple[int, range]]:
    """Yield losses, and wins from as many to forty more: every one up to 30 cases, then some."""
    every = range(cases // 2 + 1)
    some = [lost for lost in (0, 1, 3, 10, 25, 60, 150, 400) if lost <= cases // 2]
    for lost in every if cases <= 30 else some:
        yield lost, range(lost, min(cases - lost, lost + 40) + 1)


@pytest.mark.parametrize("cases", [20, 30, 60, 100, 250, 500, 1000, 2000])
def test_every_further_win_on_one_test_set_raises_the_chance(cases: int) -> None:
    for lost, wins in lines(cases):
        chances = [chance_on(cases, won, lost, "unknown") for won in wins]
        assert all(after >= before - ROUND_OFF for before, after in pairwise(chances)), lost


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_loss_that_becomes_a_win_raises_the_chance(relation: str) -> None:
    for cases in (20, 60, 250):
        for total in (cases // 5, cases // 2, cases):
            chances = [
                chance_on(cases, won, total - won, relation)
                for won in range((total + 1) // 2, total + 1, max(1, total // 30))
            ]
            assert all(after >= before - ROUND_OFF for before, after in pairwise(chances))


def test_strong_results_on_small_test_sets_hold() -> None:
    """Gaps of 30 points and more exist; a prior without a tail held 30 against 10 for luck."""
    found = rc.replication_from_discordant(30, 10, cases=60)
    assert found.probability >= 0.4
    assert found.sceptic < found.probability < found.flat < found.as_published
    assert found.direction_probability > 0.95
    assert rc.replication_from_discordant(45, 0, cases=60).probability > 0.99
    assert rc.replication_from_discordant(55, 0, cases=60).probability > 0.99
    assert rc.plan(found, probability=0.8).needed < 1000


# --------------------------------------------------------------------------- wins and ties
def ties_chance(wins: int, losses: int, ties: int, rule: str) -> float:
    model = CountModel(name="sign", wins=wins, losses=losses, ties=ties, rule=rule)
    return model.assess(None, Goal(rc.Datasets(wins + losses + ties), 1.0, 0.05)).probability


@pytest.mark.parametrize("rule", ["half", "drop"])
@pytest.mark.parametrize("datasets", [7, 12, 20, 44])
def test_a_dataset_that_turns_raises_the_chance(datasets: int, rule: str) -> None:
    for ties in (0, datasets // 4, datasets // 2):
        decided = datasets - ties
        chances = [
            ties_chance(wins, decided - wins, ties, rule)
            for wins in range((decided + 1) // 2, decided + 1)
        ]
        assert all(after >= before - ROUND_OFF for before, after in pairwise(chances))


@pytest.mark.parametrize(("rule", "expected"), [("half", 0.18), ("drop", 0.47)])
def test_nine_wins_among_eleven_ties(rule: str, expected: float) -> None:
    """Ties are as frequent next time: nine wins of nine decided do not make a strong result."""
    model = CountModel(name="sign", wins=9, losses=0, ties=11, rule=rule)
    firm = BetaPrior((1.0,), (2.0,))
    found = model.assess(firm, Goal(rc.Datasets(20), 1.0, 0.05)).probability
    rng = np.random.default_rng(1)
    ties = rng.binomial(20, rng.beta(12, 10, size=200_000))
    wins = rng.binomial(20 - ties, rng.beta(11, 2, size=200_000))
    losses = 20 - ties - wins
    rows = np.zeros((200_000, 20))
    place = np.arange(20)
    rows[place < wins[:, None]] = 1
    rows[(place >= wins[:, None]) & (place < (wins + losses)[:, None])] = -1
    pvalues = rc.METHODS["sign-test"].batch_pvalues(rows, rc.Datasets(20), ties=rule)
    share = np.mean((pvalues < 0.05) & (wins > losses))
    assert found == pytest.approx(share, abs=0.004)
    assert found == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize("rule", ["half", "drop"])
def test_more_ties_raise_nothing_beyond_what_a_simulation_says(rule: str) -> None:
    rng = np.random.default_rng(2)
    for wins, losses, ties in ((9, 1, 0), (9, 1, 6), (9, 1, 14)):
        datasets = wins + losses + ties
        model = CountModel(name="bayesian", wins=wins, losses=losses, ties=ties, rule=rule)
        found = model.assess(None, Goal(rc.Datasets(datasets), 1.0, 0.05)).probability
        tied = rng.binomial(datasets, rng.beta(1 + ties, 1 + wins + losses, size=20_000))
        won = rng.binomial(datasets - tied, rng.beta(1 + wins, 1 + losses, size=20_000))
        rows = np.zeros((20_000, datasets))
        place = np.arange(datasets)
        rows[place < won[:, None]] = 1
        rows[(place >= won[:, None]) & (place < (datasets - tied)[:, None])] = -1
        pvalues = rc.METHODS["sign-test"].batch_pvalues(rows, rc.Datasets(datasets), ties=rule)
        share = np.mean((pvalues < 0.05) & (rows.sum(axis=1) > 0))
        assert found == pytest.approx(share, abs=0.015)


# --------------------------------------------------------------------------- ranks
@given(st.integers(0, 2**32 - 1), st.sampled_from([6, 7, 10, 20, 44, 60]))
@settings(max_examples=60, deadline=None)
def test_a_sign_that_turns_raises_the_chance(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    differences = rng.normal(0.3, 1, size=n)
    first = rc.PairedScores(first=differences, second=np.zeros(n), design=rc.Datasets())
    lost = np.flatnonzero(differences < 0)
    ahead = rc.signed_rank(first).statistic >= 0
    if not ahead or not len(lost):
        return
    better = differences.copy()
    better[rng.choice(lost)] *= -1
    turned = rc.PairedScores(first=better, second=np.zeros(n), design=rc.Datasets())
    before, after = (read_first_result(pair, spread=1.0) for pair in (first, turned))
    for name in STANDING:
        goal = Goal(rc.Datasets(n), 1.0, 0.05)
        least = assess(before.model, name, goal).probability
        assert assess(after.model, name, goal).probability >= least - ROUND_OFF


# --------------------------------------------------------------------------- folds
@given(st.integers(0, 2**32 - 1), st.sampled_from(["folds", "runs", "splits"]), st.floats(0, 0.05))
@settings(max_examples=60, deadline=None)
def test_shifting_all_folds_raises_the_chance(seed: int, kind: str, shift: float) -> None:
    rng = np.random.default_rng(seed)
    design: rc.Design = {
        "folds": rc.KFold(10), "runs": rc.RepeatedKFold(3, 10), "splits": rc.RandomSplits(20, 80, 20)
    }[kind]  # fmt: skip
    second = rng.normal(0.7, 0.05, design.n_scores)
    first = second + rng.normal(0.01, 0.02, design.n_scores)
    if first.mean() < second.mean():
        first = second + (second - first)
    for name in STANDING:
        chances = [
            assess(
                read_first_result(
                    rc.PairedScores(first=first + moved, second=second, design=design)
                ).model,
                name,
                Goal(design, 1.0, 0.05),
            ).probability
            for moved in (0.0, shift)
        ]
        assert chances[1] >= chances[0] - ROUND_OFF


@pytest.mark.parametrize(
    "found",
    [
        rc.replication_from_t(2.6, folds=10),
        rc.replication_from_z(2.3, datasets=20),
        rc.replication_from_wins(16, 20),
        rc.replication_from_discordant(40, 18, cases=500),
        rc.replication_from_t(2.4, datasets=15),
    ],
    ids=["corrected-t", "wilcoxon", "sign", "mcnemar", "paired-t"],
)
def test_the_sceptic_expects_least_and_stands_in_every_record(found: rc.Replication) -> None:
    assert found.sceptic < found.calibrated < max(found.flat, found.as_published)
    assert "sceptic" in found.to_dict()
    first = found.first_result
    goal = Goal(first.design, 1.0, 0.05)
    assert first.model.assess(SCEPTIC_PRIOR, goal).probability == found.sceptic
