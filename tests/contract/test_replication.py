"""What every model of replication keeps: more in favour never lowers the chance."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import replicast as rc
from replicast.design import Design
from replicast.kernels.mixtures import SCEPTIC_PRIOR, Prior
from replicast.replication.counts import CountModel, DiscordanceModel
from replicast.replication.curves import required_pvalues
from replicast.replication.first_result import MODELS, read_first_result
from replicast.replication.models import ESTIMATORS, Goal, assess
from replicast.replication.priors import RELATIONS
from replicast.replication.records import Replication

STANDING = [name for name in ESTIMATORS if name != "empirical-bayes"]
ASKED = [*((name, "unknown") for name in STANDING), ("calibrated", "close"), ("calibrated", "any")]
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


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("cases", [20, 30, 60, 100, 250, 500, 1000, 2000])
def test_every_further_win_on_one_test_set_raises_the_chance(cases: int, relation: str) -> None:
    for lost, wins in lines(cases):
        chances = [chance_on(cases, won, lost, relation) for won in wins]
        assert all(after >= before - ROUND_OFF for before, after in pairwise(chances)), lost


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("cases", [8, 60])
def test_a_further_win_where_every_case_is_decided(cases: int, relation: str) -> None:
    """As many decided cases again, and no other number, is more than so few cases can tell.

    With a flat prior on how often two models disagree, 31:29 of 60 came out below 30:29.
    """
    for won in range(cases // 2, cases + 1):
        all_decided = chance_on(cases, won, cases - won, relation)
        assert all_decided >= chance_on(cases, won - 1, cases - won, relation) - ROUND_OFF


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
    found = rc.replicate(discordant=(30, 10), cases=60)
    assert found.probability >= 0.4
    assert found.sceptic < found.probability < found.flat < found.as_published
    assert found.direction_probability > 0.95
    assert rc.replicate(discordant=(45, 0), cases=60).probability > 0.99
    assert rc.replicate(discordant=(55, 0), cases=60).probability > 0.99
    assert rc.plan(found, probability=0.8).needed < 1000


# --------------------------------------------------------------------------- wins and ties
def ties_chance(wins: int, losses: int, ties: int, rule: str, relation: str) -> float:
    model = CountModel(won=wins, lost=losses, ties=ties, rule=rule)
    goal = Goal(rc.Datasets(wins + losses + ties), 1.0, 0.05)
    return model.assess(model.prior(relation), goal).probability


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("rule", ["half", "drop"])
@pytest.mark.parametrize("datasets", [7, 12, 20, 44])
def test_a_dataset_that_turns_raises_the_chance(datasets: int, rule: str, relation: str) -> None:
    for ties in (0, datasets // 4, datasets // 2):
        decided = datasets - ties
        chances = [
            ties_chance(wins, decided - wins, ties, rule, relation)
            for wins in range((decided + 1) // 2, decided + 1)
        ]
        assert all(after >= before - ROUND_OFF for before, after in pairwise(chances))


@pytest.mark.parametrize("rule", ["half", "drop"])
def test_nine_wins_among_eleven_ties(rule: str) -> None:
    """Ties are as frequent next time: nine wins of nine decided do not make a strong result."""
    model = CountModel(won=9, lost=0, ties=11, rule=rule)
    goal = Goal(rc.Datasets(20), 1.0, 0.05)
    firm = Prior((1.0,), (1.0,))
    found = model.assess(firm, goal).probability
    known = model.posterior(firm, goal).whole
    rng = np.random.default_rng(1)
    ties = rng.binomial(20, rng.beta(10, 12, size=200_000)[:, None])[:, 0]
    ties = 20 - ties
    angle = rng.normal(known.means[0], known.spreads[0], size=200_000) / 3  # of nine decided
    wins = rng.binomial(20 - ties, (1 + np.sin(np.clip(angle, -np.pi / 2, np.pi / 2))) / 2)
    losses = 20 - ties - wins
    rows = np.zeros((200_000, 20))
    place = np.arange(20)
    rows[place < wins[:, None]] = 1
    rows[(place >= wins[:, None]) & (place < (wins + losses)[:, None])] = -1
    pvalues = rc.METHODS["sign-test"].batch_pvalues(rows, rc.Datasets(20), ties=rule)
    share = np.mean((pvalues < 0.05) & (wins > losses))
    assert found == pytest.approx(share, abs=0.05)  # the angle is not quite normal


@pytest.mark.parametrize("rule", ["half", "drop"])
def test_more_ties_raise_nothing_beyond_what_a_simulation_says(rule: str) -> None:
    rng = np.random.default_rng(2)
    for wins, losses, ties in ((9, 1, 0), (9, 1, 6), (9, 1, 14)):
        datasets = wins + losses + ties
        model = CountModel(bayesian=True, won=wins, lost=losses, ties=ties, rule=rule)
        found = model.assess(model.prior("any"), Goal(rc.Datasets(datasets), 1.0, 0.05)).probability
        tied = rng.binomial(datasets, rng.beta(1 + ties, 1 + wins + losses, size=20_000))
        won = rng.binomial(datasets - tied, rng.beta(1 + wins, 1 + losses, size=20_000))
        rows = np.zeros((20_000, datasets))
        place = np.arange(datasets)
        rows[place < won[:, None]] = 1
        rows[(place >= won[:, None]) & (place < (datasets - tied)[:, None])] = -1
        pvalues = rc.METHODS["sign-test"].batch_pvalues(rows, rc.Datasets(datasets), ties=rule)
        share = np.mean((pvalues < 0.05) & (rows.sum(axis=1) > 0))
        assert found == pytest.approx(share, abs=0.06)  # the angle is not quite normal


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
    goal = Goal(rc.Datasets(n), 1.0, 0.05)
    for name, relation in ASKED:
        least, more = (
            assess(each.model, name, goal, relation=relation).probability
            for each in (before, after)
        )
        assert more >= least - ROUND_OFF


# --------------------------------------------------------------------------- folds
@given(st.integers(0, 2**32 - 1), st.sampled_from(["folds", "runs", "splits"]), st.floats(0, 0.05))
@settings(max_examples=60, deadline=None)
def test_shifting_all_folds_raises_the_chance(seed: int, kind: str, shift: float) -> None:
    rng = np.random.default_rng(seed)
    design: rc.Design = {
        "folds": rc.KFold(10), "runs": rc.RepeatedKFold(runs=3, folds=10),
        "splits": rc.RandomSplits(splits=20, n_train=80, n_test=20)
    }[kind]  # fmt: skip
    second = rng.normal(0.7, 0.05, design.n_scores)
    first = second + rng.normal(0.01, 0.02, design.n_scores)
    if first.mean() < second.mean():
        first = second + (second - first)
    models = [
        read_first_result(rc.PairedScores(first=first + moved, second=second, design=design)).model
        for moved in (0.0, shift)
    ]
    for name, relation in ASKED:
        goal = Goal(design, 1.0, 0.05)
        chances = [assess(each, name, goal, relation=relation).probability for each in models]
        assert chances[1] >= chances[0] - ROUND_OFF


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 3]), st.integers(0, 10))
@settings(max_examples=40, deadline=None)
def test_cases_and_accuracies_that_turn_raise_the_chance(seed: int, runs: int, turned: int) -> None:
    """Where the noise is read off the cases or the accuracies, more cases right raise the chance."""
    rng = np.random.default_rng(seed)
    design: rc.Design = rc.KFold(10) if runs == 1 else rc.RepeatedKFold(runs=runs, folds=10)
    right = rng.random((2, runs, 300)) < 0.7
    if right[0].sum() < right[1].sum():
        right = right[::-1].copy()
    models = []
    for more in (0, turned):
        first = right[0].copy()
        for run in range(runs):
            first[run, np.flatnonzero(~first[run] & right[1, run])[:more]] = True
        scores = [each.reshape(-1, 30).mean(axis=1).round(12) for each in (first, right[1])]
        cases = first.astype(float) - right[1]
        for known in ({"case_differences": cases}, {"n_test": 30.0}):
            pair = rc.PairedScores(first=scores[0], second=scores[1], design=design, **known)
            models.append(read_first_result(pair).model)
    goal = Goal(design, 1.0, 0.05)
    for relation in RELATIONS:
        for before, after in zip(models[:2], models[2:], strict=True):
            least, most = (
                assess(each, "calibrated", goal, relation=relation).probability
                for each in (before, after)
            )
            assert most >= least - ROUND_OFF


@pytest.mark.parametrize(
    "found",
    [
        rc.replicate(t=2.6, folds=10),
        rc.replicate(z=2.3, datasets=20),
        rc.replicate(wins=16, datasets=20),
        rc.replicate(discordant=(40, 18), cases=500),
        rc.replicate(t=2.4, datasets=15),
    ],
    ids=["corrected-t", "wilcoxon", "sign", "mcnemar", "paired-t"],
)
def test_the_sceptic_expects_least_and_stands_in_every_record(found: Replication) -> None:
    assert found.sceptic < found.calibrated < max(found.flat, found.as_published)
    assert "sceptic" in found.to_dict()
    first = found.first_result
    goal = Goal(first.design, 1.0, 0.05)
    assert first.model.assess(SCEPTIC_PRIOR, goal).probability == found.sceptic


# --------------------------------------------------------------------------- the chance along p-values
def over(design: Design, seed: int, n: int, mean: float, **known: object) -> rc.PairedScores:
    """Draw accuracies, and cases where asked for, of which the first has a few more right."""
    rng = np.random.default_rng(seed)
    second = rng.normal(0.7, 0.03, n)
    first = second + rng.normal(mean, 0.03, n)
    return rc.PairedScores(first=first, second=second, design=design, **known)


def with_cases(seed: int) -> rc.PairedScores:
    rng = np.random.default_rng(seed)
    cases = rng.choice([-1.0, 0.0, 1.0], (3, 300), p=[0.06, 0.8, 0.14])
    folds = cases.reshape(30, 30).mean(axis=1)
    design = rc.RepeatedKFold(runs=3, folds=10)
    known = {"first": 0.7 + folds, "second": np.full(30, 0.7), "case_differences": cases}
    return rc.PairedScores(**known, design=design)


def equal_folds(_: int) -> rc.PairedScores:
    first, second = np.full(10, 0.75), np.full(10, 0.7)
    return rc.PairedScores(first=first, second=second, design=rc.KFold(10), n_test=200.0)


def right_or_wrong(seed: int) -> rc.PairedScores:
    rng = np.random.default_rng(seed)
    right = rng.random((2, 300)) < np.array([[0.75], [0.7]])
    first, second = right.astype(float)
    return rc.PairedScores(first=first, second=second, design=rc.Holdout(300))


def seeds(seed: int, splits: int) -> rc.PairedScores:
    design = rc.Seeds(count=5, splits=splits)
    return over(design, seed, design.n_scores, 0.03)


REPEATED = rc.RepeatedKFold(runs=10, folds=10)
OBSERVED = {
    "paired-t": lambda seed: rc.paired_ttest(over(rc.Datasets(), seed, 20, 0.02)),
    "corrected-t": lambda seed: over(rc.KFold(10), seed, 10, 0.02),
    "wilcoxon": lambda seed: over(rc.Datasets(), seed, 25, 0.01),
    "sign": lambda seed: rc.sign_test(over(rc.Datasets(), seed, 25, 0.01)),
    "bayesian": lambda seed: rc.sign_test(over(rc.Datasets(), seed, 25, 0.01)),
    "mcnemar": right_or_wrong,
    "cases": lambda seed: over(rc.Cases(), seed, 60, 0.01),
    "cross-validated-cases": lambda seed: over(rc.CrossValidatedCases(folds=10), seed, 100, 0.02),
    "seeds": lambda seed: seeds(seed, 1),
    "seeds of two splits": lambda seed: seeds(seed, 2),
    "accuracies of known test sets": lambda seed: over(REPEATED, seed, 100, 0.008, n_test=70.0),
    "accuracies of random splits": lambda seed: over(
        rc.RandomSplits(splits=20, n_train=400, n_test=100), seed, 20, 0.02, n_test=100.0
    ),
    "known cases": with_cases,
    "equal folds": equal_folds,
    "plain t over folds": lambda seed: rc.paired_ttest(over(rc.KFold(10), seed, 10, 0.02)),
    "a t of a paper": lambda seed: rc.replicate(t=1.5 + seed / 2, folds=10),
    "seeds of a paper": lambda seed: rc.replicate(t=1.5 + seed / 2, design=rc.Seeds(5)),
    "a Z of a paper": lambda seed: rc.replicate(z=1.5 + seed / 4, datasets=20),
}


def test_every_model_has_its_curve_examined() -> None:
    assert set(MODELS) <= set(OBSERVED)


@pytest.mark.filterwarnings(
    "ignore::replicast.errors.DegenerateScoresWarning"
)  # equal folds are meant
@pytest.mark.parametrize(("seed", "relation"), [*enumerate(RELATIONS)])
@pytest.mark.parametrize("kind", OBSERVED)
def test_the_curve_falls_with_p_and_passes_through_its_result(
    kind: str, seed: int, relation: str
) -> None:
    """A curve that left a part of the result behind was flat, and asked for a p-value of 1."""
    model = kind if kind in MODELS else None
    found = rc.replicate(OBSERVED[kind](seed), model=model, relation=relation)
    curve = rc.replication_curve(found)
    assert list(curve.pvalues) == sorted(curve.pvalues)
    assert all(after <= before + ROUND_OFF for before, after in pairwise(curve.calibrated))
    assert curve.calibrated[0] - curve.calibrated[-1] > 0.2
    places = np.log(curve.pvalues)
    if curve.pvalues[0] <= found.first_pvalue <= curve.pvalues[-1]:
        height = np.interp(np.log(found.first_pvalue), places, curve.calibrated)
        assert height == pytest.approx(found.probability, abs=2e-3)
    for wanted, pvalue in required_pvalues(found, (0.3, 0.5, 0.8)):
        if pvalue is None or pvalue < curve.pvalues[0]:
            assert curve.calibrated[0] < wanted + ROUND_OFF
            continue
        assert (pvalue < found.first_pvalue) == (found.probability < wanted)
        assert np.interp(np.log(pvalue), places, curve.calibrated) == pytest.approx(
            wanted, abs=2e-3
        )


@pytest.mark.filterwarnings(
    "ignore::replicast.errors.DegenerateScoresWarning"
)  # equal folds are meant
@pytest.mark.parametrize(
    ("design", "folds"),
    [
        (rc.RepeatedKFold(runs=10, folds=10), 10),
        (rc.RepeatedKFold(runs=100, folds=5), 5),
        (rc.RandomSplits(splits=100, n_train=90, n_test=10), 10),
        (rc.RandomSplits(splits=30, n_train=66, n_test=34), 2),
    ],
)
def test_equal_differences_of_overlapping_folds_tell_what_one_run_tells(
    design: Design, folds: int
) -> None:
    """A hundred overlapping folds were a hundred tosses of a coin: p = 2^-99, and a chance of 100%."""
    known = {"first": np.full(design.n_scores, 0.75), "second": np.full(design.n_scores, 0.7)}
    found = rc.replicate(rc.PairedScores(**known, design=design))
    once = rc.replicate(
        rc.PairedScores(
            first=np.full(folds, 0.75), second=np.full(folds, 0.7), design=rc.KFold(folds)
        )
    )
    assert found.first_pvalue == once.first_pvalue == 2.0 ** (1 - folds)
    assert found.probability < 0.9
    assert found.interval.low < 0.5
