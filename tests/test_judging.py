"""Judging a replication that was made: inputs, outcomes, forecasts, refusals, words."""

import json

import numpy as np
import pytest
from scipy import special

import replicast as rc
from replicast.kernels import judging as kernel
from replicast.presentation.telling import tell


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
    expected = rc.replicate(one, target_design=rc.KFold(20)).probability
    assert found.forecast.probability == expected
    assert found.estimates.ratio == pytest.approx(
        (found.original.standard_error / found.replication.standard_error) ** 2
    )


def test_a_t_test_is_significant_exactly_where_its_z_is() -> None:
    for seed in range(60):
        side = rc.judge(folds(0.006, seed, 5), folds(0.0, 1000 + seed, 5)).original
        for z in (abs(side.estimate) / side.standard_error, abs(side.z)):
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
    one, other = rc.replicate(t=2.9, folds=10), rc.replicate(t=2.1, folds=10)
    found = rc.judge(one, other)
    assert found.forecast.probability == one.probability
    assert found.outcome == "not significant, same direction"
    assert found.estimates.ratio == pytest.approx(1)
    z = special.ndtri(1 - one.first_pvalue / 2)
    assert found.original.z == pytest.approx(z)
    width = special.stdtrit(9, 0.975) / special.ndtri(0.975)
    assert (found.original.estimate, found.original.standard_error) == pytest.approx((2.9, width))
    assert found.unit == "standard errors"
    assert found.plot().get_xlabel() == "difference in standard errors"
    assert rc.judge(one, other, data_factor=4).estimates.ratio == pytest.approx(4)
    wins = rc.judge(rc.replicate(wins=29, datasets=44), rc.replicate(wins=60, datasets=88))
    assert wins.estimates.ratio == pytest.approx(2)
    ranks = rc.judge(rc.replicate(z=2.4, datasets=20), rc.replicate(z=1.0, datasets=40))
    assert ranks.estimates.ratio == pytest.approx(2)
    with pytest.raises(rc.errors.DesignMismatchError, match="in the unit of the original"):
        rc.judge(one, rc.replicate(wins=29, datasets=44))
    with pytest.raises(rc.errors.DesignMismatchError, match="in the unit of the original"):
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
        pytest.warns(rc.errors.DegenerateScoresWarning),
        pytest.raises(rc.InvalidArgumentError, match="differ by one constant"),
    ):
        rc.judge(constant, folds(0.02, 2))


def test_words() -> None:
    opposite = tell(rc.judge((3.0, 1.0), (-3.0, 1.0)))
    assert opposite.headline == "The opposite happened: the second is ahead by 3.00"
    assert "lies outside" in " ".join(str(opposite.result).split())
    after_nothing = str(rc.judge((1.0, 1.0), (3.0, 1.0)))
    assert after_nothing.startswith("Significant now, in the same direction")
    points = tell(rc.judge(cases(60, 30, 400), cases(50, 30, 300, 20)))
    assert points.lines[0].value.endswith("is ahead by 6.1 points")
    assert points.lines[0].remark == "p = 0.002"


# ------------------------------------------------------------------ scores and their statistics
def folds_with(t: float, n: int, seed: int) -> rc.PairedScores:
    """Return folds whose corrected t is this one, with a spread of 0.02."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=n)
    noise = 0.02 * (noise - noise.mean()) / noise.std(ddof=1)
    second = 0.7 + 0.01 * rng.normal(size=n)
    lead = t * 0.02 * np.sqrt(1 / n + 1 / (n - 1))
    return rc.PairedScores(first=second + lead + noise, second=second, design=rc.KFold(n))


@pytest.mark.parametrize(
    ("first", "second"),
    [((5.6, 3), (5.6, 3)), ((3.2, 5), (3.2, 5)), ((2.4, 10), (-1.0, 10)), ((-4.0, 5), (-2.5, 5))],
)
def test_scores_and_their_t_statistics_are_judged_alike(
    first: tuple[float, int], second: tuple[float, int]
) -> None:
    """Twice t = 3.2 of 5 folds once convinced as scores, with 0.021, and did not as t, with 0.028."""
    scored = rc.judge(folds_with(*first, seed=1), folds_with(*second, seed=2))
    told = rc.judge(*(rc.replicate(t=t, folds=n, test="corrected") for t, n in (first, second)))
    assert told.outcome == scored.outcome
    assert told.original.estimate == pytest.approx(first[0])
    for name in ("ratio", "golden_p", "controlled_p", "nominal_p", "edgington_p", "q_pvalue",
                 "bayes_factor"):  # fmt: skip
        one, other = getattr(told.estimates, name), getattr(scored.estimates, name)
        assert one == pytest.approx(other, rel=1e-9), name
    unit = scored.original.estimate / first[0]
    assert [end * unit for end in told.estimates.prediction] == pytest.approx(
        list(scored.estimates.prediction)
    )
    assert told.forecast.probability == pytest.approx(scored.forecast.probability, abs=1e-9)


def test_golden_p_of_p_values_by_hand() -> None:
    """Of c = 1, z_S² is half the harmonic mean of the two z²: here of one z, so z² / 2."""
    found = rc.judge(folds_with(3.2, 5, 1), folds_with(3.2, 5, 2))
    z = special.ndtri(1 - special.stdtr(4, -3.2))
    golden = special.ndtr(-np.sqrt(z**2 / 2 * (1 + 5**0.5) / 2))
    assert found.estimates.golden_p == pytest.approx(golden, rel=1e-9)
    assert golden == pytest.approx(0.02750501, abs=1e-8)


def test_nothing_convinces_more_often_for_having_few_folds() -> None:
    """Two results without effect, 5 folds each: as often as with normal estimates, 10 in 10,000."""
    t = np.random.default_rng(0).standard_t(4, (2, 1_000_000))
    own = special.ndtri(special.stdtr(4, t))
    read_off = t * special.ndtri(0.975) / special.stdtrit(4, 0.975)
    for z, expected in ((own, 10.3e-4), (read_off, 14.7e-4)):
        scale = kernel.sceptical_z(np.abs(z[0]), np.abs(z[1]), np.ones(z.shape[1]))
        golden = kernel.golden_p(scale, z[0] * z[1] >= 0)
        assert (golden <= 0.025).mean() == pytest.approx(expected, abs=1.2e-4)


# ------------------------------------------------------------------ sentences
def said(original: tuple[float, float], replication: tuple[float, float]) -> str:
    return " ".join(rc.judge(original, replication).more().split())


@pytest.mark.parametrize(
    ("true", "outside", "unshrunk"),
    [(0.0, 0.200, 0.338), (0.5, 0.107, 0.208), (1.0, 0.057, 0.122), (1.5, 0.033, 0.073)],
)
def test_significant_originals_predict_too_much(
    true: float, outside: float, unshrunk: float
) -> None:
    """What the page says of significant originals in the true direction, by simulation."""
    rng = np.random.default_rng(2)
    first = rng.normal(true, 1, 2_000_000)
    first = first[first > special.ndtri(0.975)]
    second = rng.normal(true, 1, len(first))
    share = np.mean(np.abs(second - first) > special.ndtri(0.975) * 2**0.5)
    assert share == pytest.approx(unshrunk, abs=3.5 * np.sqrt(unshrunk / len(first)))
    low, high = rc.judge_estimates(first[0], 1.0, 0.0, 1.0).prediction
    assert (high - low) / 2 == pytest.approx(special.ndtri(0.975) * 2**0.5)
    grid = np.linspace(1.9, 9, 60)
    limits = [rc.judge((z, 1.0), (0.0, 1.0)).estimates.prediction for z in grid.tolist()]
    low, high = (np.interp(first, grid, ends) for ends in zip(*limits, strict=True))
    share = np.mean((second < low) | (second > high))
    assert share == pytest.approx(outside, abs=0.002)


def test_what_lies_outside_claims_no_more_than_is_known() -> None:
    told = said((3.0, 1.0), (-0.6, 1.0))
    assert "the repeat lies outside, as 5 of 100 do by chance" in told
    assert "ahead by 0.60" in told
    for other in ((3.0, 1.0), (9.0, 1.0)), ((1.0, 1.0), (-3.0, 1.0)), ((-3.0, 1.0), (-9.0, 1.0)):
        assert "lies outside, as 5 of 100" in said(*other)


def test_a_forecast_says_whose_way() -> None:
    for original, way in (((3.1, 1.2), "for the first"), ((-3.1, 1.2), "for the second"),
                          ((0.0, 1.0), "for one of the two")):  # fmt: skip
        rows = {row.label: row for row in tell(rc.judge(original, (2.0, 1.0))).lines}
        assert rows["forecast"].remark == f"significant {way}"


def test_no_difference_has_no_direction() -> None:
    found = rc.judge((3.1, 1.2), (0.0, 1.0))
    assert found.outcome == "not significant, no direction"
    told = tell(found)
    assert told.headline == "It did not happen again: no difference now"
    assert told.lines[1].value == "neither is ahead"
    nothing = tell(rc.judge((1.0, 1.0), (0.0, 1.0)))
    assert nothing.headline == "Not significant now either: no difference"
    assert tell(rc.judge((0.0, 1.0), (3.0, 1.0))).headline == "Significant now"
    assert tell(rc.judge((0.0, 1.0), (-1.0, 1.0))).headline == "Not significant now either"


def test_cautions_say_which_experiment_they_are_about() -> None:
    one, other, third = (rc.replicate(t=t, folds=10) for t in (2.9, 2.1, 2.9))
    texts = [caution.text for caution in rc.judge(one, other).cautions]
    assert [text.split(":")[0] for text in texts] == ["Original", "Replication"]
    (shared,) = rc.judge(one, third).cautions
    assert shared.text.startswith("Both: Which t-test")


def test_a_golden_p_just_above_what_is_asked_for_is_not_written_as_it() -> None:
    found = tell(rc.judge(folds_with(3.3, 5, 1), folds_with(3.3, 5, 2)))
    lines = {row.label: row.value for row in found.lines}
    assert "would not convince" in lines["so"]
    assert {row.label: row.value for row in found.rows}["sceptical"] == "p = 0.0254"


def test_reported_statistics_count_in_standard_errors_of_the_original() -> None:
    """A z of 1 on twice the datasets is 0.71 standard errors of the original, and not of its own."""
    found = tell(rc.judge(rc.replicate(z=2.4, datasets=20), rc.replicate(z=1.0, datasets=40)))
    assert found.lines[1].value == "the first is ahead by 0.71 se"
    assert found.lines[1].remark == "p = 0.317"


# ------------------------------------------------------------------ one prediction
def spread_over(design: rc.Design, seed: int) -> rc.PairedScores:
    rng = np.random.default_rng(seed)
    first = rng.normal(0.85, 0.02, design.n_scores)
    return rc.PairedScores(
        first=first, second=first - 0.01 + rng.normal(0, 0.015, len(first)), design=design
    )


@pytest.mark.parametrize(
    ("original", "replication"),
    [
        (spread_over(rc.KFold(10), 1), spread_over(rc.KFold(10), 2)),
        (spread_over(rc.Datasets(20), 1), spread_over(rc.Datasets(40), 2)),
        (spread_over(rc.Seeds(8), 1), spread_over(rc.Seeds(5, splits=3), 2)),
        (spread_over(rc.Cases(60), 1), spread_over(rc.Cases(200), 2)),
        (cases(40, 20, 200, 40), cases(30, 20, 300, 50)),
        (cases(20, 40, 200, 40), cases(30, 20, 300, 50)),
    ],
)
def test_what_is_expected_is_what_was_forecast(original, replication) -> None:
    """The expected range was the first estimate with both errors added: another, unshrunk model."""
    judged = rc.judge(original, replication)
    forecast = rc.replicate(original, target_design=replication.design)
    assert judged.forecast.probability == pytest.approx(forecast.probability)
    assert judged.estimates.prediction == pytest.approx(forecast.predicted_interval)
    low, high = judged.estimates.prediction
    assert judged.within_prediction == (low <= replication.differences.mean() <= high)


def test_reported_numbers_are_expected_in_standard_errors() -> None:
    t = rc.replicate(t=2.9, folds=10, test="corrected")
    low, high = rc.judge(t, rc.replicate(t=1.0, folds=10, test="corrected")).estimates.prediction
    assert low < 0.9 * 2.9 < high
    assert (low + high) / 2 < 2.9
    counts = rc.replicate(discordant=(40, 20), cases=500)
    judged = rc.judge(counts, rc.replicate(discordant=(30, 20), cases=500))
    unit = np.sqrt(60) / 500
    assert [unit * end for end in judged.estimates.prediction] == pytest.approx(
        counts.predicted_interval
    )


def test_an_estimate_alone_predicts_what_its_forecast_does() -> None:
    """The chance of significance is the part of the prediction beyond the critical value."""
    rng = np.random.default_rng(4)
    judged = rc.judge((3.1, 1.2), (2.0, 1.0))
    spreads = np.array([1.0, 3.0, 9.0])
    effects = rng.normal(size=(3_000_000,)) * rng.choice(spreads, 3_000_000)
    seen = effects + rng.normal(size=len(effects))
    after = effects[np.abs(seen - 3.1 / 1.2) < 0.02] * 1.2
    repeats = after + rng.normal(size=len(after))
    assert np.mean(repeats > special.ndtri(0.975)) == pytest.approx(
        judged.forecast.probability, abs=0.02
    )
    assert np.quantile(repeats, [0.025, 0.975]) == pytest.approx(
        judged.estimates.prediction, abs=0.12
    )
