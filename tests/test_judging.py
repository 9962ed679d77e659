"""Judging a replication that was made: inputs, outcomes, forecasts, refusals, words."""

import json

import numpy as np
import pytest
from scipy import special

import replicast as rc
from replicast.presentation.words.judging import narrate_judgement


def folds(shift: float, seed: int, n: int = 10, names: tuple[str, str] = ("a", "b")):
    rng = np.random.default_rng(seed)
    second = rng.normal(0.8, 0.02, n)
    first = second + shift + rng.normal(0, 0.01, n)
    return rc.PairedScores(first=first, second=second, design=rc.KFold(n), names=names)


def cases(won: int, lost: int, both: int, none: int = 0, seed: int = 0):
    first = np.repeat([1.0, 0.0, 1.0, 0.0], [won, lost, both, none])
    second = np.repeat([0.0, 1.0, 1.0, 0.0], [won, lost, both, none])
    order = np.random.default_rng(seed).permutation(len(first))
    return rc.PairedScores(first=first[order], second=second[order], design=rc.Holdout())


def test_estimates_one_by_one_and_together() -> None:
    rng = np.random.default_rng(0)
    to, tr = rng.normal(0, 2, 6), rng.normal(0, 2, 6)
    so, sr = rng.uniform(0.5, 2, 6), rng.uniform(0.5, 2, 6)
    many = rc.judge_estimates(to, so, tr, sr)
    for i in range(6):
        one = rc.judge_estimates(to[i], so[i], tr[i], sr[i])
        assert isinstance(one.golden_p, float)
        for name in ("golden_p", "controlled_p", "nominal_p", "edgington_p", "bayes_factor",
                     "pooled", "pooled_se", "q_pvalue", "sceptical_z", "ratio"):  # fmt: skip
            assert getattr(one, name) == pytest.approx(getattr(many, name)[i], rel=1e-12)
        assert one.prediction == pytest.approx([limit[i] for limit in many.prediction])
    assert len(json.loads(json.dumps(many.to_dict()))["golden_p"]) == 6
    assert rc.judge_estimates(1.0, [1.0, 2.0], 1.0, 1.0).golden_p.shape == (2,)


@pytest.mark.parametrize(
    ("given", "argument"),
    [
        ((np.nan, 1, 1, 1), "estimate"),
        ((1, 0, 1, 1), "se"),
        ((1, 1, "x", 1), "replication_estimate"),
        ((1, 1, 1, -2), "replication_se"),
        (([1, 2], 1, [1, 2, 3], 1), "replication_estimate"),
    ],
)
def test_estimates_that_are_none(given: tuple, argument: str) -> None:
    with pytest.raises(rc.InvalidArgumentError) as told:
        rc.judge_estimates(*given)
    assert told.value.argument == argument


@pytest.mark.parametrize(
    ("replication", "outcome"),
    [
        ((3.0, 1.0), "significant, same direction"),
        ((1.0, 1.0), "not significant, same direction"),
        ((-1.0, 1.0), "not significant, other direction"),
        ((-3.0, 1.0), "significant, other direction"),
    ],
)
def test_outcomes(replication: tuple[float, float], outcome: str) -> None:
    found = rc.judge((3.0, 1.0), replication)
    assert found.outcome == outcome
    assert found.again == (outcome == "significant, same direction")
    turned = rc.judge((-3.0, 1.0), (-replication[0], 1.0))
    assert turned.outcome == outcome
    assert turned.forecast == found.forecast
    happened = found.forecast.probability if found.again else 1 - found.forecast.probability
    assert found.forecast.log_score == pytest.approx(np.log(happened))
    assert json.loads(json.dumps(found.to_dict()))["outcome"] == outcome


def test_the_forecast_of_estimates_by_simulation() -> None:
    """Draw effects from the prior, keep those with this original, and count the replications."""
    rng = np.random.default_rng(1)
    lam = rng.normal(size=2_000_000) * rng.choice([1.0, 3.0, 9.0], 2_000_000)
    near = np.abs(lam + rng.normal(size=len(lam)) - 2.5) < 0.05
    ratio = 2.0
    again = lam[near] * np.sqrt(ratio) + rng.normal(size=near.sum()) > special.ndtri(0.975)
    found = rc.judge((2.5, 1.0), (1.0, 1 / np.sqrt(ratio))).forecast
    assert found.probability == pytest.approx(again.mean(), abs=4 * again.std() / near.sum() ** 0.5)


def test_scores_are_judged_by_their_own_tests() -> None:
    one, other = folds(0.02, 1), folds(0.015, 2, n=20)
    found = rc.judge(one, other)
    result = rc.corrected_ttest(one)
    assert found.original.pvalue == result.pvalue
    low, high = result.confidence_interval(0.95)
    assert found.original.standard_error == pytest.approx((high - low) / 2 / special.ndtri(0.975))
    expected = rc.replication_probability(one, target_design=rc.KFold(20)).probability
    assert found.forecast.probability == expected
    assert found.estimates.ratio == pytest.approx(
        (found.original.standard_error / found.replication.standard_error) ** 2
    )


def test_a_t_test_is_significant_exactly_where_its_z_is() -> None:
    for seed in range(60):
        side = rc.judge(folds(0.006, seed, 5), folds(0.0, 1000 + seed, 5)).original
        z = abs(side.estimate) / side.standard_error
        assert (z > special.ndtri(0.975)) == (side.pvalue < 0.05)


def test_datasets_and_cases() -> None:
    rng = np.random.default_rng(3)
    one, other = (
        rc.PairedScores(first=rng.normal(0.03, 0.05, n), second=np.zeros(n), design=rc.Datasets())
        for n in (20, 30)
    )
    assert rc.judge(one, other).original.method == "signed-rank"
    found = rc.judge(cases(60, 30, 400), cases(50, 30, 300, 20))
    assert found.original.method == "mcnemar"
    assert found.original.estimate == pytest.approx(30 / 490)
    predictions = rc.PairedPredictions(truth=[1] * 50, first=[1] * 50, second=[1] * 40 + [0] * 10)
    assert rc.judge(predictions, cases(10, 1, 60)).again


def test_other_kinds_of_design_are_judged_by_their_estimates() -> None:
    found = rc.judge(folds(0.02, 1, names=("first", "second")), cases(30, 20, 400))
    assert found.forecast.basis == "the two estimates and their errors"


def test_two_reported_statistics() -> None:
    one, other = rc.replication_from_t(2.9, folds=10), rc.replication_from_t(2.1, folds=10)
    found = rc.judge(one, other)
    assert found.forecast.probability == one.probability
    assert found.outcome == "not significant, same direction"
    assert found.estimates.ratio == pytest.approx(1)
    z = special.ndtri(1 - one.first_pvalue / 2)
    assert (found.original.estimate, found.original.standard_error) == pytest.approx((z, 1))
    assert found.unit == "standard errors"
    assert rc.judge(one, other, data_factor=4).estimates.ratio == pytest.approx(4)
    wins = rc.judge(rc.replication_from_wins(29, 44), rc.replication_from_wins(60, 88))
    assert wins.estimates.ratio == pytest.approx(2)
    ranks = rc.judge(
        rc.replication_from_z(2.4, datasets=20), rc.replication_from_z(1.0, datasets=40)
    )
    assert ranks.estimates.ratio == pytest.approx(2)
    with pytest.raises(rc.DesignMismatchError, match="in the unit of the original"):
        rc.judge(one, rc.replication_from_wins(29, 44))
    with pytest.raises(rc.DesignMismatchError, match="in the unit of the original"):
        rc.judge(one, (2.0, 1.0))


def table(names: tuple[str, ...], seed: int) -> rc.ScoreTable:
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0.6, 0.9, (2, len(names), 1, 1))
    return rc.ScoreTable(
        classifiers=("a", "b"), datasets=names, scores=scores, design=rc.Datasets()
    )


def test_tables_by_pair() -> None:
    one, other = table(tuple("abcdefgh"), 0), table(tuple("ijklmnop"), 1)
    assert rc.judge(one, other, first="a", second="b").names == ("a", "b")
    with pytest.raises(rc.InvalidArgumentError, match="Say which pair"):
        rc.judge(one, other, first="a")


def test_the_same_datasets_are_a_question() -> None:
    one, other = table(tuple("abcdefgh"), 0), table(tuple("efghijkl"), 1)
    with pytest.raises(rc.InvalidArgumentError, match="e, f, g and 1 more in both tables") as told:
        rc.judge(one, other, first="a", second="b")
    assert told.value.argument == "data"
    assert rc.judge(one, other, first="a", second="b", data="fresh").names == ("a", "b")


def test_the_same_scores_are_refused() -> None:
    one = folds(0.02, 1)
    with pytest.raises(rc.InvalidArgumentError, match="10 rows of scores that stand in the first"):
        rc.judge(one, one, data="fresh")
    order = np.random.default_rng(0).permutation(10)
    longer = rc.PairedScores(
        first=np.append(one.first[order], [0.7, 0.71]),
        second=np.append(one.second[order], [0.72, 0.7]),
        design=rc.KFold(12),
        names=one.names,
    )
    with pytest.raises(rc.InvalidArgumentError, match="10 rows of scores"):
        rc.judge(one, longer)
    whole = cases(30, 10, 200)
    with pytest.raises(rc.InvalidArgumentError, match="scores on fresh data"):
        rc.judge(whole, whole)


def test_the_same_cases_with_new_answers_are_a_question() -> None:
    rng = np.random.default_rng(5)
    skill = rng.random(400)

    def answers() -> rc.PairedScores:
        drawn = rng.random((2, 400))
        first, second = (drawn < np.clip(np.stack([skill + 0.1, skill]), 0, 1)).astype(float)
        return rc.PairedScores(first=first, second=second, design=rc.Holdout())

    with pytest.raises(rc.InvalidArgumentError, match="far more often than chance"):
        rc.judge(answers(), answers())
    assert rc.judge(answers(), answers(), data="fresh")


def test_fresh_cases_of_one_size_are_not_suspected() -> None:
    rng = np.random.default_rng(6)
    for _ in range(200):
        one, other = (
            rc.PairedScores(first=(rng.random(300) < 0.8) * 1.0, second=(rng.random(300) < 0.7) * 1.0,
                            design=rc.Holdout()) for _ in range(2)
        )  # fmt: skip
        rc.judge(one, other)


def test_coarse_scores_may_repeat_by_chance() -> None:
    rng = np.random.default_rng(7)
    one, other = (
        rc.PairedScores(first=rng.choice([0.7, 0.8, 0.9], 10), second=rng.choice([0.7, 0.8], 10),
                        design=rc.KFold(10)) for _ in range(2)
    )  # fmt: skip
    assert rc.judge(one, other)


@pytest.mark.parametrize(
    "odd", [3.0, "x", (1.0,), (1.0, 2.0, 3.0), None, (np.nan, 1.0), (1.0, -1.0), ([1, 2], 1.0)]
)
def test_what_is_no_experiment(odd: object) -> None:
    with pytest.raises(rc.InvalidArgumentError):
        rc.judge(odd, (1.0, 1.0))


def test_other_refusals() -> None:
    with pytest.raises(rc.InvalidArgumentError, match="the same pair in the same order"):
        rc.judge(folds(0.02, 1), folds(0.02, 2, names=("b", "a")))
    one_sided = rc.corrected_ttest(folds(0.02, 1), alternative="greater")
    with pytest.raises(rc.InvalidArgumentError, match="two-sided"):
        rc.judge(one_sided, folds(0.02, 2))
    few = rc.PairedScores(first=[1.0, 2, 3, 4], second=[0.0, 0.5, 1, 2], design=rc.Datasets())
    with pytest.raises(rc.InvalidArgumentError, match="too few scores"):
        rc.judge(few, few)
    constant = rc.PairedScores(first=[0.5] * 10, second=[0.25] * 10, design=rc.KFold(10))
    with (
        pytest.warns(rc.DegenerateScoresWarning),
        pytest.raises(rc.InvalidArgumentError, match="differ by one constant"),
    ):
        rc.judge(constant, folds(0.02, 2))


def test_words() -> None:
    story = str(narrate_judgement(rc.judge((3.0, 1.0), (-3.0, 1.0))))
    assert "The opposite happened" in story
    assert "lies outside" in " ".join(story.split())
    after_nothing = str(narrate_judgement(rc.judge((1.0, 1.0), (3.0, 1.0))))
    assert "It is significant now" in after_nothing
    assert "It happened again" not in after_nothing
    points = str(narrate_judgement(rc.judge(cases(60, 30, 400), cases(50, 30, 300, 20))))
    assert "after 6.1 points (p = 0.002) in the original" in " ".join(points.split())
    assert "in the original the first was, by 3.00" in " ".join(story.split())
