"""Replication probability: the papers' numbers, the calibrated estimators, and their properties."""

import json
import math
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

import independent as check
import replicast as rc
from goldens import golden, published
from replicast.kernels.bootstrap import bootstrap_z
from replicast.kernels.mixtures import Prior
from replicast.kernels.ranks import signed_rank_statistics, signed_rank_z
from replicast.presentation.telling import tell
from replicast.replication.counts import CountModel
from replicast.replication.curves import required_pvalues
from replicast.replication.models import Goal
from replicast.replication.rank_sums import RankModel
from replicast.replication.records import Spread
from replicast.replication.student import StudentModel

PAPER = published("berrar_2024")


def printed(value: float, text: float) -> bool:
    """Say whether a value rounds to the printed one, at the printed digits."""
    digits = len(f"{text}".partition(".")[2])
    return abs(value - text) <= 0.5000001 * 10.0**-digits


# --------------------------------------------------------------------------- as published
def test_binomial_example() -> None:
    example = PAPER["binomial_example"]
    found = rc.replicate(wins=29, datasets=44, estimator="as-published")
    assert printed(found.probability, 0.5696)  # the print rounds 29/44 to 0.66 first
    assert found.probability == pytest.approx(0.56958, abs=5e-6)
    assert found.as_published == found.probability
    assert all(map(printed, found.interval, example["interval"]))
    assert printed(found.first_pvalue, example["p_value"])


def test_bayesian_example() -> None:
    example = PAPER["bayesian_example"]
    found = rc.replicate(wins=29, datasets=44, model="bayesian", estimator="as-published")
    assert printed(found.probability, example["P"])
    assert all(map(printed, found.interval, example["interval"]))


def test_nonsignificant_example() -> None:
    example = PAPER["nonsignificant_example"]
    found = rc.replicate(wins=24, datasets=44, estimator="as-published")
    assert not found.first_significant
    assert printed(found.first_pvalue, example["p_value"])
    assert printed(found.probability, 0.0855)  # the print rounds 24/44 to 0.5455 first
    assert printed(found.interval.high, example["upper_binomial"])
    bayesian = rc.replicate(wins=24, datasets=44, model="bayesian", estimator="as-published")
    assert printed(bayesian.interval.high, example["upper_bayesian"])
    assert str(found).startswith("9 of 100 repeats would be significant\n")


def test_figure_2() -> None:
    figure = PAPER["figure2_p_values_for_44"]
    for wins in ("29", "32", "34", "35"):
        found = rc.replicate(wins=int(wins), datasets=44)
        digits = max(0, 2 - math.floor(math.log10(figure[wins])))
        assert found.first_pvalue == pytest.approx(figure[wins], abs=0.51 * 10.0**-digits)
    above = [
        wins
        for wins in range(23, 45)
        if rc.replicate(wins=wins, datasets=44, estimator="as-published").interval.low > 0.5
    ]
    assert above[0] == figure["lower_limit_above_half_from_wins"]


def test_study_1_single_experiment() -> None:
    example = PAPER["study1_group3_single"]
    binomial = rc.replicate(wins=15, datasets=20, estimator="as-published")
    bayesian = rc.replicate(wins=15, datasets=20, model="bayesian", estimator="as-published")
    assert printed(binomial.first_pvalue, example["p_value"])
    assert printed(binomial.probability, example["P_binomial"])
    assert printed(bayesian.probability, example["P_bayesian"])


def test_wilcoxon_examples() -> None:
    plain = rc.replicate(z=1.959964, datasets=20, estimator="as-published")
    assert plain.spread == Spread(value=1.0, source="assumed")
    assert plain.probability == pytest.approx(PAPER["wilcoxon_example"]["P"], abs=1e-6)
    assert plain.interval == pytest.approx(PAPER["wilcoxon_example"]["interval"], abs=1e-6)
    group = PAPER["wilcoxon_group3"]
    found = rc.replicate(z=group["Z"], datasets=20, spread=group["s"], estimator="as-published")
    assert printed(found.probability, group["P"])
    assert found.spread is not None
    assert found.spread.source == "given"


def test_t_examples() -> None:
    example = PAPER["t_example"]
    found = rc.replicate(t=2.2621572, folds=10, estimator="as-published")
    assert printed(found.probability, example["P"])
    assert all(map(printed, found.interval, example["interval"]))
    threshold = PAPER["t_threshold_for_095"]
    design = rc.KFold(10)
    pvalue = rc.required_pvalue(0.95, design=design, estimator="as-published")
    assert pvalue == pytest.approx(0.0028144, abs=5e-8)
    again = rc.replicate(pvalue=pvalue, design=design, estimator="as-published")
    assert again.probability == pytest.approx(0.95, abs=1e-9)
    assert all(map(printed, again.interval, threshold["interval"]))


@pytest.mark.parametrize(("df", "pvalue"), [(4, 0.0079), (9, 0.0028), (19, 0.0012), (99, 0.00044)])
def test_the_threshold_depends_on_the_design(df: int, pvalue: float) -> None:
    found = rc.required_pvalue(0.95, design=rc.KFold(df + 1), estimator="as-published")
    assert found == pytest.approx(pvalue, rel=0.02)


def test_the_critical_value_stays_at_the_level() -> None:
    """Eq 14 prints the critical value with the interval's level; it belongs to the test's."""
    found = rc.replicate(t=2.262, folds=10, confidence_level=0.9, estimator="as-published")
    assert found.interval == pytest.approx((0.080, 0.989), abs=5e-4)
    assert found.probability == pytest.approx(0.5235, abs=5e-5)
    wilcoxon = rc.replicate(z=1.959964, datasets=20, confidence_level=0.9, estimator="as-published")
    assert wilcoxon.interval == pytest.approx((0.05, 0.95), abs=1e-6)


def test_means_of_studies_3_and_4() -> None:
    for study, group in (("study3", "q3"), ("study4", "d11")):
        example = PAPER[study][group]
        found = rc.replicate(t=example["mean_T"], folds=10, estimator="as-published")
        assert found.probability == pytest.approx(example["P"], abs=5e-4)
        assert found.first_pvalue == pytest.approx(example["p_value"], abs=5e-5)


def test_published_t_against_mpmath() -> None:
    cases, rtol = golden("replication_t")
    for case in cases:
        found = rc.replicate(
            t=case["t"],
            folds=case["df"] + 1,
            significance=case["alpha"],
            confidence_level=1 - case["c"],
            estimator="as-published",
        )
        expected = case["probability"], case["low"], case["high"]
        assert (found.probability, *found.interval) == pytest.approx(expected, rel=1e-8, abs=1e-10)
    assert rtol < 1e-10


@pytest.mark.parametrize("wins", [10, 12, 15, 15.5, 19, 20])
def test_published_counts_against_the_plain_ones(wins: float) -> None:
    for model, plain in (
        ("sign", check.replication_binomial),
        ("bayesian", check.replication_bayesian),
    ):
        found = rc.replicate(wins=wins, datasets=20, model=model, estimator="as-published")
        expected = plain(wins, 20, 0.05, 0.05)
        assert (found.probability, *found.interval) == pytest.approx(expected, abs=1e-7)


def test_empirical() -> None:
    for study, group in (("study3", "q3"), ("study4", "d11"), ("study1", "group3")):
        example = PAPER[study][group]
        significant = example.get("significant", example.get("significant_binomial"))
        found = rc.empirical_replication(significant, 1000)
        assert found.probability == pytest.approx(
            example.get("F", example.get("F_binomial")), abs=5e-4
        )
        assert found.interval.low < found.probability < found.interval.high
    assert rc.empirical_replication(1, 10).probability == 0
    assert rc.empirical_replication(10, 10).probability == 1


# --------------------------------------------------------------------------- calibrated
SIGNALS = Prior((1 / 3, 1 / 3, 1 / 3), (1.0, 3.0, 9.0))


@pytest.mark.parametrize("zeros", [2, 4, 6])
def test_zeros_that_leave_too_few_differences_may_be_fewer_next_time(zeros: int) -> None:
    """The number of differences is beta-binomial; each has the chance of as many without a zero."""
    model = RankModel(share=0.9, nonzero=7 - zeros, z=1.0, datasets=7, spread=1.0)
    found = model.assess(SIGNALS, Goal(rc.Datasets(7), 1.0, 0.05, 0.95))
    known = replace(model, datasets=model.nonzero)
    expected = sum(
        stats.betabinom.pmf(size, 7, 8 - zeros, 1 + zeros)
        * known.assess(SIGNALS, Goal(rc.Datasets(size), 1.0, 0.05, 0.95)).probability
        for size in range(1, 8)
    )
    assert found.probability == pytest.approx(expected, rel=1e-9)
    assert 0 < found.low <= found.probability <= found.high < 1
    sign = CountModel(won=0, lost=0, ties=4000, rule="half")
    rare = sign.assess(SIGNALS, Goal(rc.Datasets(4000), 1.0, 0.05, 0.95))
    assert 0 < rare.probability < rare.high < 1e-6


@pytest.mark.parametrize(
    ("splits", "n_train", "n_test"), [(100, 10, 900), (30, 50, 1000), (10, 50, 950)]
)
def test_the_chance_rises_with_t_where_test_sets_are_large(
    splits: int, n_train: int, n_test: int
) -> None:
    design = rc.RandomSplits(splits=splits, n_train=n_train, n_test=n_test)
    found = [rc.replicate(t=t, design=design, test="corrected") for t in (0.5, 1, 2, 3, 5, 50)]
    chances = [one.probability for one in found]
    assert chances == sorted(chances)
    assert chances[0] < 0.01
    assert chances[3] > 0.4
    assert chances[-1] > 0.99
    for one in found:  # fresh splits can be significant, however rarely
        assert one.interval.high > 0
        assert "never" not in str(one)
        assert [each.code for each in one.cautions] == ["beyond-measured-splits"]
    half = rc.replicate(
        t=3.0, design=rc.RandomSplits(splits=30, n_train=50, n_test=50), test="corrected"
    )
    assert half.cautions == ()


@pytest.mark.parametrize(("folds", "t"), [(3, 2.0), (5, 3.0), (5, 40.0), (10, 4.0)])
def test_the_chance_is_that_of_simulated_truths(folds: int, t: float) -> None:
    """Draw signals from the prior, experiments from the signals, and keep those near this T."""
    rng = np.random.default_rng(5)
    layout = rc.KFold(folds).t_layout(corrected=True)
    model = StudentModel(statistic=t, design=rc.KFold(folds), corrected=True)
    prior = model.prior("unknown").scaled(1 / math.sqrt(layout.variance), "signal")
    spreads = rng.choice(prior.spreads, p=prior.weights, size=6_000_000)
    signals = spreads * rng.standard_normal(spreads.size)
    critical = stats.t.isf(0.025, folds - 1)

    def experiment(truth: np.ndarray) -> np.ndarray:
        noise = np.sqrt(rng.chisquare(folds - 1, truth.size) / (folds - 1))
        return layout.inflation * (truth + rng.standard_normal(truth.size)) / noise

    near = np.abs(experiment(signals) - t) < 0.05 * t
    again = experiment(np.repeat(signals[near], 5)) > critical
    found = rc.replicate(t=t, design=rc.KFold(folds), test="corrected").probability
    assert again.mean() == pytest.approx(found, abs=0.01)


statistics = st.floats(0, 30)
designs = st.one_of(
    st.builds(rc.KFold, st.integers(2, 30)),
    st.builds(rc.RepeatedKFold, runs=st.integers(1, 20), folds=st.integers(2, 20)),
    st.builds(
        rc.RandomSplits,
        splits=st.integers(2, 60),
        n_train=st.integers(10, 900),
        n_test=st.integers(5, 100),
    ),
)
estimators = st.sampled_from(["calibrated", "flat", "as-published"])


@given(statistics, designs, estimators)
@settings(max_examples=150, deadline=None)
def test_t_properties(t: float, design: rc.KFold, estimator: str) -> None:
    found = rc.replicate(t=t, design=design, estimator=estimator)
    mirrored = rc.replicate(t=-t, design=design, estimator=estimator)
    larger = rc.replicate(t=t + 0.5, design=design, estimator=estimator)
    assert 0 <= found.interval.low <= found.probability <= found.interval.high <= 1
    assert found.probability == mirrored.probability
    assert t == 0 or (found.better, mirrored.better) == ("first", "second")
    assert larger.probability >= found.probability - 1e-9
    # far out the rule over the noise, which defines the estimator, is off by about 1e-6
    assert larger.direction_probability >= found.direction_probability - 1e-5
    assert all(math.isfinite(x) for x in (found.flat, found.calibrated, found.as_published))


@given(st.floats(0, 1), st.integers(1, 300), estimators)
@settings(max_examples=150, deadline=None)
def test_z_properties(share: float, n: int, estimator: str) -> None:
    total = n * (n + 1) / 2
    z = share * max(0.0, total / 2 - 0.5) / math.sqrt(total * (2 * n + 1) / 12)
    found = rc.replicate(z=z, datasets=n, estimator=estimator)
    mirrored = rc.replicate(z=-z, datasets=n, estimator=estimator)
    smaller = rc.replicate(z=z * 0.9, datasets=n, estimator=estimator)
    assert 0 <= found.interval.low <= found.probability <= found.interval.high <= 1
    assert found.probability == mirrored.probability
    assert smaller.probability <= found.probability + 1e-9
    if n <= 5:
        assert found.probability == 0
        assert "cannot-be-significant" in [caution.code for caution in found.cautions]


@pytest.mark.parametrize(("wins", "ties"), [(29, 11), (29, 0), (9, 3), (20, 4)])
def test_ties_that_a_paper_reports(wins: int, ties: int) -> None:
    """The same as the sign test on a table with so many equal scores; more than are left is refused."""
    lost = 44 - wins - ties
    second = np.r_[np.full(wins, 0.4), np.full(lost, 0.6), np.full(ties, 0.5)]
    table = rc.PairedScores(first=np.full(44, 0.5), second=second, design=rc.Datasets())
    told = rc.replicate(wins=wins, datasets=44, ties=ties)
    seen = rc.replicate(rc.sign_test(table))
    assert (told.first_pvalue, told.probability) == (seen.first_pvalue, seen.probability)
    with pytest.raises(rc.InvalidArgumentError, match="at most the 15 datasets"):
        rc.replicate(wins=29, datasets=44, ties=16)


@pytest.mark.parametrize(
    ("wins", "ties", "said"), [(29, None, True), (29, 11, False), (44, None, False)]
)
def test_wins_without_ties_say_what_the_others_count_as(
    wins: int, ties: int | None, said: bool
) -> None:
    cautions = rc.replicate(wins=wins, datasets=44, ties=ties).cautions
    told = "Datasets not won (15) count as lost. If some were ties, say how many: it changes p."
    assert [str(one) for one in cautions] == [told] * said


@given(st.integers(1, 120), st.data(), st.sampled_from(["sign", "bayesian"]), estimators)
@settings(max_examples=150, deadline=None)
def test_wins_properties(n: int, data: st.DataObject, model: str, estimator: str) -> None:
    wins = data.draw(st.integers(0, 2 * n)) / 2
    found = rc.replicate(wins=wins, datasets=n, model=model, estimator=estimator)
    mirrored = rc.replicate(wins=n - wins, datasets=n, model=model, estimator=estimator)
    assert 0 <= found.interval.low <= found.probability <= found.interval.high <= 1
    assert found.probability == pytest.approx(mirrored.probability, abs=1e-12)


@given(st.integers(1, 2000), st.data(), estimators)
@settings(max_examples=150, deadline=None)
def test_discordant_properties(cases: int, data: st.DataObject, estimator: str) -> None:
    first = data.draw(st.integers(0, cases))
    second = data.draw(st.integers(0, cases - first))
    found = rc.replicate(discordant=(first, second), cases=cases, estimator=estimator)
    mirrored = rc.replicate(discordant=(second, first), cases=cases, estimator=estimator)
    assert 0 <= found.interval.low <= found.probability <= found.interval.high <= 1
    assert found.probability == mirrored.probability


def test_endless_replications_find_the_direction() -> None:
    """With endless data only the uncertainty of the direction is left."""
    t = rc.replicate(t=2.5, folds=10, data_factor=1e6)  # the most that may be asked for
    assert t.probability == pytest.approx(t.direction_probability, abs=5e-4)
    z = rc.replicate(z=2.2, datasets=20, target_design=rc.Datasets(10**12))
    assert z.probability == pytest.approx(z.direction_probability, abs=1e-4)
    m = rc.replicate(discordant=(40, 20), cases=500, target_design=rc.Holdout(10**11))
    assert m.probability == pytest.approx(m.direction_probability, abs=1e-4)
    wins = rc.replicate(wins=15, datasets=20, target_design=rc.Datasets(10**6))
    assert wins.probability == pytest.approx(wins.direction_probability, abs=2e-3)


def test_leaderboard() -> None:
    found = rc.replicate(discordant=(40, 20), cases=500)
    assert found.as_published == pytest.approx(0.66, abs=5e-3)
    assert found.sceptic < found.probability < found.flat < found.as_published
    nothing = rc.replicate(discordant=(0, 0), cases=500)
    assert nothing.probability < 0.1
    assert math.isfinite(nothing.probability)
    small = rc.replicate(discordant=(12, 3), cases=100)
    assert [caution.code for caution in small.cautions] == ["small-test-set"]
    truth = np.ones(500, dtype=int)
    first, second = truth.copy(), truth.copy()
    second[:40], first[40:60] = 0, 0
    pair = rc.PairedPredictions(truth=truth, first=first, second=second)
    assert rc.replicate(pair).probability == found.probability
    assert rc.replicate(rc.mcnemar(pair)).probability == found.probability
    midp = rc.replicate(rc.mcnemar(pair, pvalue_method="mid-p"))
    assert midp.probability > found.probability


# --------------------------------------------------------------------------- from scores
def folds(rng: np.random.Generator, shift: float = 0.02, runs: int = 1) -> rc.PairedScores:
    base = rng.normal(0.8, 0.03, size=10 * runs)
    design = rc.KFold(10) if runs == 1 else rc.RepeatedKFold(runs=runs, folds=10)
    return rc.PairedScores(
        first=base + rng.normal(shift, 0.02, 10 * runs), second=base, design=design
    )


def test_scores_results_and_numbers_agree() -> None:
    pair = folds(np.random.default_rng(1))
    result = rc.corrected_ttest(pair)
    from_scores = rc.replicate(pair)
    assert rc.replicate(result).probability == from_scores.probability
    from_number = rc.replicate(t=result.statistic, folds=10)
    assert from_number.probability == pytest.approx(from_scores.probability, abs=1e-12)
    from_p = rc.replicate(pvalue=result.pvalue, design=rc.KFold(10))
    assert from_p.probability == pytest.approx(from_scores.probability, abs=1e-9)
    posterior = rc.correlated_posterior(pair)
    assert rc.replicate(posterior).probability == pytest.approx(from_scores.probability, abs=1e-9)
    swapped = rc.replicate(pair.swapped())
    assert swapped.probability == from_scores.probability
    assert swapped.better == from_scores.better


def test_first_run_is_a_cross_validation_of_its_own() -> None:
    pair = folds(np.random.default_rng(2), runs=3)
    result = rc.corrected_ttest(pair, scheme="first-run")
    assert rc.replicate(result).design == rc.KFold(10)


def test_datasets() -> None:
    rng = np.random.default_rng(3)
    second = rng.normal(0.7, 0.1, 20)
    pair = rc.PairedScores(
        first=second + rng.normal(0.01, 0.02, 20), second=second, design=rc.Datasets()
    )
    found = rc.replicate(pair)
    assert (found.model, found.spread.source) == ("wilcoxon", "resampled differences")
    assert rc.replicate(pair, rng=0) == found
    only_z = rc.replicate(rc.signed_rank(pair))
    assert only_z.spread.source == "assumed"
    assert only_z.calibrated == found.calibrated
    for model in ("sign", "bayesian", "paired-t"):
        assert rc.replicate(pair, model=model).model == model
    sign = rc.sign_test(pair)
    assert rc.replicate(sign, model="bayesian").model == "bayesian"
    doubled = rc.replicate(pair, target_design=rc.Datasets(40))
    assert doubled.probability > found.probability


def test_paired_t_over_datasets_has_no_overlap() -> None:
    found = rc.replicate(t=2.0930, datasets=20, estimator="as-published")
    assert found.model == "paired-t"
    assert found.probability == pytest.approx(check.nct_upper(2.0930, 19, 2.0930), abs=1e-3)


def test_cases_sharpen_the_answer() -> None:
    rng = np.random.default_rng(4)
    cases = (rng.random(1000) < 0.09).astype(float) - (rng.random(1000) < 0.05)
    fold_means = cases.reshape(10, 100).mean(axis=1)
    scores = {"first": 0.8 + fold_means, "second": np.full(10, 0.8), "design": rc.KFold(10)}
    without = rc.replicate(rc.PairedScores(**scores))
    found = rc.replicate(rc.PairedScores(**scores, case_differences=cases))
    assert found.instance_data
    assert not without.instance_data
    assert found.interval.high - found.interval.low < without.interval.high - without.interval.low
    swapped = rc.PairedScores(**scores, case_differences=cases).swapped()
    assert rc.replicate(swapped).probability == pytest.approx(found.probability)
    runs = np.tile(cases, (3, 1))
    repeated = rc.PairedScores(
        first=np.tile(scores["first"], 3),
        second=np.tile(scores["second"], 3),
        design=rc.RepeatedKFold(runs=3, folds=10),
        case_differences=runs,
    )
    both = rc.replicate(repeated)
    model = both.first_result.model
    single = max(cases.var(ddof=1), 1 / 1000)
    variance = 1 - 0.3 * (1 - 1 / 3) + (0.16 + 0.04 / 3) * 10 / 9
    assert model.error == pytest.approx(math.sqrt(variance * single / 1000))
    assert model.signal.statistic == pytest.approx(cases.mean() / model.error)


def test_sizes_of_test_sets_sharpen_the_answer() -> None:
    """Ten folds of 30 cases that happen to agree closely: T is huge, its noise is not."""
    first = np.array([26, 26, 27, 26, 26, 27, 26, 26, 26, 27]) / 30
    second = np.array([25, 24, 26, 25, 25, 26, 25, 24, 25, 26]) / 30
    scores = {"first": first, "second": second, "design": rc.KFold(10)}
    without = rc.replicate(rc.PairedScores(**scores))
    sized = rc.PairedScores(**scores, n_test=30)
    found = rc.replicate(sized)
    assert without.probability > 0.8
    assert found.probability < 0.5
    assert found.as_published == without.as_published
    assert "known: accuracies and the sizes of their test sets" in found.assumptions
    assert rc.replicate(sized.swapped()).probability == found.probability
    percent = rc.PairedScores(
        first=100 * first, second=100 * second, design=rc.KFold(10), n_test=30
    )
    assert rc.replicate(percent).probability == pytest.approx(found.probability)
    wrong = rc.PairedScores(
        first=1 - first, second=1 - second, design=rc.KFold(10), n_test=30, greater_is_better=False
    )
    assert rc.replicate(wrong).probability == pytest.approx(found.probability)


def test_a_table_of_accuracies_knows_the_sizes_of_its_test_sets() -> None:
    right = np.random.default_rng(8).integers(20, 31, size=(2, 1, 1, 10))
    sizes = np.full((1, 1, 10), 30.0)

    def table(scores: np.ndarray, metric: str) -> rc.ScoreTable:
        return rc.ScoreTable(
            classifiers=("a", "b"), datasets=("d",), scores=scores, design=rc.KFold(10),
            metric=metric, n_test=sizes,
        )  # fmt: skip

    assert table(right / 30, "score").pair("a", "b").n_test == 30  # whole numbers of cases
    assert table((right / 30).round(2), "score").pair("a", "b").n_test is None
    assert table((right / 30).round(2), "test_accuracy").pair("a", "b").n_test == 30
    assert table((100 * right / 30).round(1), "Percent_correct").pair("a", "b").n_test == 30
    assert table((right / 30).round(2), "balanced_accuracy").pair("a", "b").n_test is None
    assert table(-right / 30, "neg_error_rate").pair("a", "b").n_test is None


@pytest.mark.parametrize("size", [0, -3, math.nan, "many"])
def test_sizes_that_are_none(size: Any) -> None:
    with pytest.raises(rc.InvalidArgumentError, match="`n_test` must be a positive number"):
        rc.PairedScores(first=[0.5, 0.6], second=[0.4, 0.5], design=rc.KFold(2), n_test=size)
    with pytest.raises(rc.InvalidArgumentError, match="`n_test` must be given with accuracies"):
        rc.PairedScores(first=[-3.5, 0.6], second=[0.4, 0.5], design=rc.KFold(2), n_test=9)


def test_more_of_everything() -> None:
    found = rc.replicate(t=2.5, folds=10)
    runs = rc.replicate(t=2.5, folds=10, target_design=rc.RepeatedKFold(runs=10, folds=10))
    data = rc.replicate(t=2.5, folds=10, data_factor=4)
    both = rc.replicate(
        t=2.5, folds=10, target_design=rc.RepeatedKFold(runs=10, folds=10), data_factor=4
    )
    assert found.probability < runs.probability < data.probability < both.probability
    same = rc.replicate(t=2.5, folds=10, target_design=rc.KFold(10))
    assert same.probability == found.probability


# --------------------------------------------------------------------------- empirical Bayes
def test_empirical_bayes_follows_the_field() -> None:
    rng = np.random.default_rng(5)
    pair = folds(rng, shift=0.03)
    null_field = [folds(rng, shift=0.0) for _ in range(30)]
    strong_field = [folds(rng, shift=0.08) for _ in range(30)]
    plain = rc.replicate(pair)
    null, strong = (
        rc.replicate(pair, estimator="empirical-bayes", comparisons=field)
        for field in (null_field, strong_field)
    )
    assert null.probability < plain.probability < strong.probability
    assert null.estimator == "empirical-bayes"
    assert "empirical-bayes" in [caution.code for caution in null.cautions]


def test_empirical_bayes_from_a_table() -> None:
    rng = np.random.default_rng(6)
    scores = rng.normal(0.8, 0.05, size=(5, 12, 1, 1))
    table = rc.ScoreTable(
        classifiers=tuple("abcde"),
        datasets=tuple(f"d{i}" for i in range(12)),
        scores=scores,
        design=rc.Datasets(),
    )
    pair = table.pair("a", "b")
    found = rc.replicate(pair, estimator="empirical-bayes", comparisons=table)
    assert 0 <= found.probability <= 1


# --------------------------------------------------------------------------- bootstrap
def test_bootstrap_draws_every_resample_equally_often() -> None:
    sample = np.array([0.3, -0.1, 0.1, 0.0, 0.5])
    rows = sample[np.array(list(product(range(5), repeat=5)))]
    exact = signed_rank_z(*signed_rank_statistics(rows)).round(9) + 0.0
    drawn = bootstrap_z(sample, 400_000, np.random.default_rng(0)).round(9) + 0.0
    values, counts = np.unique(exact, return_counts=True)
    seen, times = np.unique(drawn, return_counts=True)
    assert seen == pytest.approx(values, abs=1e-9)
    share = counts / len(exact)
    z = (times / 400_000 - share) / np.sqrt(share * (1 - share) / 400_000)
    assert np.abs(z).max() < 4.5


def test_bootstrap_of_a_larger_sample() -> None:
    sample = np.random.default_rng(7).normal(0.3, 1, 20)
    rng = np.random.default_rng(8)
    rows = sample[rng.integers(0, 20, size=(40_000, 20))]
    plain = signed_rank_z(*signed_rank_statistics(rows))
    fast = bootstrap_z(sample, 40_000, rng)
    assert fast.std() == pytest.approx(plain.std(), rel=0.02)
    quantiles = np.linspace(0.02, 0.98, 25)
    assert np.quantile(fast, quantiles) == pytest.approx(np.quantile(plain, quantiles), abs=0.06)


def test_bootstrap_is_signed() -> None:
    sample = np.random.default_rng(9).normal(0, 1, 12)
    assert np.unique(np.sign(bootstrap_z(sample, 500, np.random.default_rng(0)))).size > 1
    assert (bootstrap_z(np.zeros(6), 10, np.random.default_rng(0)) == 0).all()


def test_retraining() -> None:
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    rng = np.random.default_rng(10)
    sets = []
    for _ in range(6):
        y = np.arange(60) % 2
        X = rng.normal(size=(60, 2)) + y[:, None]
        sets.append(rc.TrainTest(X[:30], y[:30], X[30:], y[30:]))
    spread = rc.retraining_spread(GaussianNB(), DummyClassifier(), sets, resamples=15, rng=1)
    assert spread == rc.retraining_spread(
        GaussianNB(), DummyClassifier(), sets, resamples=15, rng=1
    )
    for first, second in (
        (GaussianNB(), SVC()),
        (make_pipeline(StandardScaler(), SVC()), GaussianNB()),
    ):
        fast, slow = (
            rc.retraining_spread(first, second, sets, resamples=20, rng=2, engine=engine)
            for engine in ("auto", "refit")
        )
        assert fast == slow
    found = rc.replicate(z=1.9, datasets=6, spread=spread)
    assert found.spread == spread
    for arguments, match in (({"resamples": 1}, "`resamples` must be"), ({}, "`datasets` must be")):
        with pytest.raises(rc.InvalidArgumentError, match=match):
            rc.retraining_spread(
                GaussianNB(), GaussianNB(), sets[:1] if not arguments else sets, **arguments
            )


# --------------------------------------------------------------------------- inverse and planning
@pytest.mark.parametrize("estimator", ["calibrated", "flat", "as-published"])
@pytest.mark.parametrize(
    "design", [rc.KFold(10), rc.RepeatedKFold(runs=10, folds=10), rc.Datasets(25)]
)
def test_required_pvalue_inverts(estimator: str, design: rc.Design) -> None:
    for wanted in (0.3, 0.5, 0.8):
        pvalue = rc.required_pvalue(wanted, design=design, estimator=estimator)
        found = rc.replicate(pvalue=pvalue, design=design, estimator=estimator)
        assert found.probability == pytest.approx(wanted, abs=1e-6)


def test_unreachable_pvalue() -> None:
    with pytest.raises(rc.InvalidArgumentError, match=r"`probability` must be at most 0\.\d+ for"):
        rc.required_pvalue(0.99, design=rc.Datasets(7))


def test_plan() -> None:
    first = rc.replicate(z=1.96, datasets=20)
    found = rc.plan(first, probability=0.8)
    assert (found.vary, found.current) == ("datasets", 20)
    below, at = (
        rc.replicate(z=1.96, datasets=20, target_design=rc.Datasets(n)).probability
        for n in (int(found.needed) - 1, int(found.needed))
    )
    assert below < 0.8 <= at
    assert found.limit == pytest.approx(first.direction_probability)
    assert list(found.probabilities) == sorted(found.probabilities)
    assert str(found).startswith(f"{found.needed:.0f} datasets make 80 of 100 repeats significant")
    hopeless = rc.plan(first, probability=0.99)
    assert hopeless.needed is None
    assert str(hopeless).startswith("More datasets will not make 99 of 100 repeats significant")


def test_plan_with_more_runs_ends() -> None:
    first = rc.replicate(t=2.9, folds=10)
    found = rc.plan(first, probability=0.95, vary="runs")
    assert found.needed is None
    assert "share one dataset" in str(found)
    assert "out of reach" in str(found)
    many = rc.replicate(t=2.9, folds=10, target_design=rc.RepeatedKFold(runs=1000, folds=10))
    assert many.probability < found.limit + 1e-9
    assert many.probability == pytest.approx(found.limit, abs=2e-3)
    published = rc.plan(first, probability=0.9, vary="runs", estimator="as-published")
    now = rc.replicate(t=2.9, folds=10)
    assert found.now == pytest.approx(now.probability)
    assert published.limit > found.limit
    folds = rc.plan(first, probability=0.5, vary="folds").needed
    below, at = (
        rc.replicate(t=2.9, folds=10, target_design=rc.KFold(k)).probability
        for k in (int(folds) - 1, int(folds))
    )
    assert below < 0.5 <= at


@pytest.mark.parametrize("vary", ["folds", "runs", "cases"])
def test_a_plan_has_the_chance_of_what_it_asks_for(vary: str) -> None:
    first = rc.replicate(t=2.9, folds=10)
    found = rc.plan(first, probability=0.5, vary=vary)
    asked: dict[str, Any] = {"data_factor": found.needed}
    if vary == "runs":
        asked = {"target_design": rc.RepeatedKFold(runs=int(found.needed), folds=10)}
    if vary == "folds":
        asked = {"target_design": rc.RepeatedKFold(runs=1, folds=int(found.needed))}
    same = rc.replicate(t=2.9, folds=10, **asked)
    at = found.amounts.index(found.needed)
    assert found.probabilities[at] == pytest.approx(same.probability)
    told = "learning-curves" in {caution.code for caution in found.cautions}
    assert told == (vary == "cases")


@pytest.mark.parametrize("vary", ["datasets", "folds", "runs", "cases"])
def test_plan_refuses_what_does_not_fit(vary: str) -> None:
    first = rc.replicate(discordant=(40, 20), cases=500)
    if vary == "cases":
        assert rc.plan(first, probability=0.6, vary=vary).needed > 500
        return
    with pytest.raises(
        rc.errors.DesignMismatchError, match=r"`vary` must be cases for one test set"
    ):
        rc.plan(first, vary=vary)


# --------------------------------------------------------------------------- words and mistakes
BAD = [
    (lambda: rc.replicate(pvalue=0.0, design=rc.KFold(10)), "`pvalue` must be a number str"),
    (lambda: rc.replicate(pvalue=1.0, design=rc.KFold(10)), "`pvalue` must be a number str"),
    (lambda: rc.replicate(pvalue=0.1, design=rc.FiveByTwo()), "`design` must be datasets"),
    (lambda: rc.replicate(t=2.5, design=rc.FiveByTwo()), "`design` must be datasets"),
    (lambda: rc.replicate(wins=45, datasets=44), "`wins` must be a number from 0 to 44"),
    (lambda: rc.replicate(wins=3.3, datasets=44), "`wins` must be a number from 0 to 44"),
    (lambda: rc.replicate(t=2.0, folds=1), "`folds` must be an integer of at least 2"),
    (lambda: rc.replicate(t=2.0), "`folds` must be given"),
    (lambda: rc.replicate(t=2.0, folds=10, datasets=3), "`folds` must be given"),
    (lambda: rc.replicate(t=math.nan, folds=10), "`t` must be a finite"),
    (lambda: rc.replicate(z=9.0, datasets=10), "`z` must be at most"),
    (lambda: rc.replicate(z=2.0, datasets=10, spread=0), "`spread` must be a positive"),
    (lambda: rc.replicate(discordant=(40, 20), cases=50), "`second_only` must be a count"),
    (lambda: rc.replicate(discordant=(-1, 20), cases=50), "`first_only` must be a whole"),
    (lambda: rc.replicate(t=2, folds=10, data_factor=0), "`data_factor` must be a positive"),
    (lambda: rc.replicate(t=2, folds=10, significance=1), "`significance` must be a number"),
    (lambda: rc.replicate(t=2, folds=10, estimator="best"), "`estimator` must be one of"),
    (
        lambda: rc.replicate(t=2, folds=10, target_design=rc.Datasets(3)),
        "`target_design` must be a design of the kind",
    ),
    (
        lambda: rc.replicate(z=2, datasets=10, target_design=rc.Datasets()),
        "`target_design` must be a design of the kind",
    ),
    (lambda: rc.replicate([1, 2]), "`evidence` must be a test result"),
    (lambda: rc.empirical_replication(0, 10), "`significant` must be an integer from 1 to 10"),
    (lambda: rc.empirical_replication(11, 10), "`significant` must be an integer from 1 to 10"),
    (lambda: rc.empirical_replication(1, 1), "`replications` must be an integer of at least 2"),
    (
        lambda: rc.replicate(folds(np.random.default_rng(0)), estimator="empirical-bayes"),
        "`comparisons` must be 10 or more",
    ),
    (
        lambda: rc.replicate(
            folds(np.random.default_rng(0)),
            estimator="empirical-bayes",
            comparisons=[folds(np.random.default_rng(0))] * 3,
        ),
        "`comparisons` must be at least 10",
    ),
    (
        lambda: rc.replicate(folds(np.random.default_rng(0)), model="wilcoxon"),
        "`design` must be datasets for the wilcoxon model",
    ),
    (
        lambda: rc.replicate(rc.sign_flip_test(folds(np.random.default_rng(0)))),
        "`evidence` must be a result of",
    ),
    (
        lambda: rc.replicate(
            rc.corrected_ttest(folds(np.random.default_rng(0)), alternative="greater")
        ),
        "`evidence` must be a two-sided",
    ),
]


@pytest.mark.parametrize(("call", "match"), BAD)
def test_mistakes_get_a_sentence(call: object, match: str) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=match):
        call()


def test_degenerate_scores() -> None:
    same = rc.PairedScores(first=[0.5] * 10, second=[0.5] * 10, design=rc.KFold(10))
    shifted = rc.PairedScores(first=[0.6] * 10, second=[0.5] * 10, design=rc.KFold(10))
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        nothing = rc.replicate(same)
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        certain = rc.replicate(shifted)
    assert nothing.probability < 0.05
    # ten equal differences are ten equal signs, p = 0.002, and no more
    like = rc.replicate(pvalue=2.0**-9, design=rc.KFold(10))
    assert certain.probability == pytest.approx(like.probability)
    assert certain.interval.low < 0.5 < certain.probability < 0.95
    assert certain.as_published == 1
    sized = rc.PairedScores(first=[0.6] * 10, second=[0.5] * 10, design=rc.KFold(10), n_test=10)
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        assert rc.replicate(sized).probability < certain.probability
    zeros = rc.PairedScores(first=[0.5] * 8, second=[0.5] * 8, design=rc.Datasets())
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        tied = rc.replicate(zeros)
    assert 0 <= tied.probability < 0.05


def test_records_are_json() -> None:
    first = rc.replicate(z=2.437, datasets=20)
    for record in (first, rc.plan(first, probability=0.8), rc.empirical_replication(5, 10)):
        text = json.dumps(record.to_dict(), allow_nan=False)
        assert "first_result" not in text
        assert "<table" in record._repr_html_() or "<svg" in record._repr_html_()
    assert first.to_dict()["target_design"] == "datasets:count=20"


def test_comparison_leads_with_replication() -> None:
    comparison = rc.compare(folds(np.random.default_rng(1)))
    assert comparison.replication.model == "corrected-t"
    assert [item.data_factor for item in comparison.outlook] == [1.0, 4.0, 4.0]
    story = tell(comparison)
    lines = {row.label: row for row in story.lines}
    assert lines["again"].value.endswith(" of 100 repeats")
    assert lines["larger"].value.startswith("10 runs of 10 folds ")
    labels = {row.label: row for row in story.rows}
    assert labels["Berrar 2024"].remark.endswith("takes the difference seen for the truth")
    record = comparison.to_dict()
    assert record["replication"]["definition"] == "significant in the same direction on fresh data"
    assert len(record["outlook"]) == 3
    ten = rc.PairedScores(
        first=np.linspace(0.8, 0.9, 10), second=np.linspace(0.79, 0.91, 10), design=rc.FiveByTwo()
    )
    unmodelled = rc.compare(ten)
    assert unmodelled.replication is None
    assert "no-replication-model" in [caution.code for caution in unmodelled.cautions]


def test_plots_draw() -> None:
    found = rc.replicate(t=2.9, folds=10)
    axes = (
        rc.replicate(pvalue=0.1, datasets=8).plot(figure="curve"),
        rc.replicate(wins=29, datasets=44).plot(figure="curve"),
        found.plot(figure="repeats"),
        found.plot(figure="curve"),
        rc.plan(found, probability=0.8, vary="cases").plot(),
        rc.plan(found, vary="runs").plot(),
    )
    for ax in axes:
        ax.get_figure().canvas.draw()
        assert ax.get_title(loc="left")


@pytest.mark.parametrize(
    ("found", "at"),
    [
        (
            rc.replicate(t=2.9, folds=10),
            lambda p: rc.replicate(pvalue=p, design=rc.KFold(10)),
        ),
        (
            rc.replicate(z=(105 - 49 - 0.5) / 717.5**0.5, datasets=20),
            lambda p: rc.replicate(pvalue=p, design=rc.Datasets(20)),
        ),
        (
            rc.replicate(t=2.0, datasets=20),
            lambda p: rc.replicate(t=-float(special.stdtrit(19, p / 2)), datasets=20),
        ),
    ],
)
def test_the_curve_is_made_of_single_answers(found: Any, at: Any) -> None:
    curve = rc.replication_curve(found)
    for k in range(0, len(curve.pvalues), 7):
        one = at(curve.pvalues[k])
        assert curve.calibrated[k] == pytest.approx(one.calibrated, rel=1e-12)
        assert curve.as_published[k] == pytest.approx(one.as_published, rel=1e-12)
    for wanted, pvalue in required_pvalues(found):
        if pvalue is not None:
            assert at(pvalue).calibrated == pytest.approx(wanted, abs=1e-9)


def test_curves_over_counts() -> None:
    curve = rc.replication_curve(rc.replicate(wins=29, datasets=44))
    at = [rc.replicate(wins=wins, datasets=44) for wins in range(44, 22, -1)]
    known = {one.first_pvalue: one for one in at}
    for pvalue, chance in zip(curve.pvalues, curve.calibrated, strict=True):
        assert known[pvalue].calibrated == pytest.approx(chance, rel=1e-12)
    cases = rc.replication_curve(rc.replicate(discordant=(400, 200), cases=5000))
    assert 10 < len(cases.pvalues) <= 40
    assert list(cases.pvalues) == sorted(cases.pvalues)
    assert required_pvalues(rc.replicate(wins=29, datasets=44)) == []


def test_pvalues_of_the_exact_test_that_z_does_not_reach():
    """Ten wins of ten: p = 0.002 exactly, 0.0059 by Z."""
    reported = rc.replicate(pvalue=0.00195, design=rc.Datasets(10))
    everywhere = rc.replicate(z=2.752, datasets=10)
    assert reported.probability == pytest.approx(everywhere.probability, abs=5e-3)
    assert reported.first_result.pvalue == 0.00195
    chances = [
        rc.replicate(pvalue=p, design=rc.Datasets(10)).probability
        for p in (0.05, 0.02, 0.006, 0.0059, 0.004, 0.00195)
    ]
    assert chances == sorted(chances)


@pytest.mark.parametrize(
    "nothing",
    [rc.replicate(z=0.0, datasets=20), rc.replicate(t=0.0, folds=10)],
    ids=["z", "t"],
)
def test_more_data_do_not_show_what_was_not_seen(nothing) -> None:
    told = rc.plan(nothing, probability=0.8, estimator="as-published")
    assert told.needed is None
    assert told.limit < 0.06


# Z by Demšar's formula has no continuity correction: (55 − 27.5) / sqrt(10 · 11 · 21 / 24) = 2.803, and
# 2.752 with half a rank less
@pytest.mark.parametrize(
    ("z", "datasets", "pvalue"),
    [(2.803, 10, 2 / 2**10), (-2.803, 10, 2 / 2**10), (2.752, 10, 2 / 2**10), (2.78, 10, 2 / 2**10),
     (2.201, 6, 2 / 2**6), (2.097, 6, 2 / 2**6), (2.20, 6, 2 / 2**6)],
)  # fmt: skip
def test_a_win_everywhere_is_read_with_continuity_correction_and_without(
    z: float, datasets: int, pvalue: float
) -> None:
    found = rc.replicate(z=z, datasets=datasets)
    assert found.first_pvalue == pytest.approx(pvalue, rel=1e-12)
    scores = np.linspace(0.7, 0.9, datasets)
    pair = rc.PairedScores(
        first=scores + 0.01 * np.arange(1, datasets + 1), second=scores, design=rc.Datasets()
    )
    assert rc.signed_rank(pair).pvalue == pytest.approx(pvalue, rel=1e-12)
    everywhere = rc.replicate(pvalue=pvalue, design=rc.Datasets(datasets))
    assert found.probability == pytest.approx(everywhere.probability, rel=1e-12)


@pytest.mark.parametrize("half", [0.0, 0.5])
@pytest.mark.parametrize("n", [5, 8, 13])
def test_a_reported_z_has_the_exact_p_of_its_rank_sum(n: int, half: float) -> None:
    signs = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    sums = signs @ np.arange(1, n + 1)  # W+ of every pattern of signs
    total = n * (n + 1) // 2
    for w in range(total // 2 + 1, total + 1):
        z = round((w - total / 2 - half) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24), 3)
        if z > 0 and len(f"{z}") == 5:  # three decimals are there to be read
            exact = min(1.0, 2 * float(np.mean(sums >= w)))
            assert rc.replicate(z=z, datasets=n).first_pvalue == pytest.approx(exact)


def test_a_z_of_no_rank_sum_has_the_normal_p() -> None:
    """A mean of Z over retrained classifiers, as in Berrar's table, is no Z of one table."""
    found = rc.replicate(z=2.437, datasets=20)
    assert found.first_pvalue == pytest.approx(2 * stats.norm.sf(2.437))
    with pytest.raises(
        rc.InvalidArgumentError, match=r"at most 2\.803 in size, that of a win on all"
    ):
        rc.replicate(z=2.81, datasets=10)


def test_the_spread_of_many_datasets_is_that_of_some_of_them() -> None:
    """Resampling a million datasets took minutes; Z varies as much over five thousand of them."""
    rng = np.random.default_rng(1)
    first = rng.random(20_000)
    pair = rc.PairedScores(
        first=first, second=first + rng.standard_t(3, 20_000) / 50, design=rc.Datasets()
    )
    whole = bootstrap_z(pair.differences, 500, np.random.default_rng(0)).std(ddof=1)
    assert rc.replicate(pair).spread.value == pytest.approx(whole, rel=0.1)


def test_the_p_that_is_needed_is_that_of_the_papers_own_test() -> None:
    """An ordinary t needs a far smaller p than a corrected one; the corrected p was once told."""
    ordinary = rc.replicate(t=5.03, folds=10, test="ordinary")
    [(_, needed)] = required_pvalues(ordinary, (0.8,))
    assert needed is not None
    assert needed < 1e-4
    df, unknown = 9, rc.replicate(t=5.03, folds=10)
    t = -stats.t.ppf(needed / 2, df)
    assert rc.replicate(t=t, folds=10, test="ordinary").probability == pytest.approx(0.8, abs=1e-6)
    assert required_pvalues(unknown, (0.8,), first=unknown.first_result.if_ordinary) == [
        (0.8, pytest.approx(needed))
    ]
    told = ordinary.more()
    assert "significant by the corrected t-test in the same direction" in " ".join(told.split())
    assert "is 80% or 58%" in " ".join(unknown.more().split())


def test_no_ties_can_be_said() -> None:
    assert rc.replicate(wins=29, datasets=44, ties=0).cautions == ()
    untold = rc.replicate(wins=29, datasets=44)
    assert [caution.code for caution in untold.cautions] == ["ties-untold"]
    assert untold.probability == rc.replicate(wins=29, datasets=44, ties=0).probability


def test_again_needs_a_first_result_that_was_significant_either_way() -> None:
    assert "significant again" in str(rc.replicate(t=5.03, folds=10))
    assert "again" not in str(rc.replicate(t=2.9, folds=10)).partition("\n")[0]


def test_ties_are_counted_in_the_quote() -> None:
    found = tell(rc.replicate(wins=29, datasets=44, ties=11))
    assert "29 wins, 4 losses and 11 ties on 44 datasets, p < 0.001" in found.quote
    assert "sign test, half of the ties to each)" in found.quote
    without = tell(rc.replicate(wins=29, datasets=44, ties=0))
    assert "ties" not in without.quote


@pytest.mark.parametrize("options", [{"model": "bayesian"}, {"relation": "close"}])
def test_a_line_about_a_repeat_has_a_number(options: dict[str, str]) -> None:
    """Where both ends are one, or one was asked for, the line had words alone."""
    found = rc.replicate(wins=29, datasets=44, ties=11, **options)
    again = next(row for row in tell(found).lines if row.label == "again")
    assert again.value == f"{100 * found.probability:.0f} of 100 repeats"
