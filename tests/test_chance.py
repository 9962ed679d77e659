"""What a chance must keep, each a defect of an earlier version."""

import json
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest

import replicast as rc
from replicast.comparison.records import Comparison
from replicast.kernels import resampled_t
from replicast.kernels.student import correlated_t
from replicast.replication.counts import DiscordanceModel
from replicast.replication.models import Goal
from replicast.replication.priors import RELATIONS, Kind, heavy_tails, prior_for, track_record


def folds(shift: float, design: rc.Design, seed: int = 3) -> rc.PairedScores:
    rng = np.random.default_rng(seed)
    first = rng.normal(0.85, 0.02, design.n_scores)
    return rc.PairedScores(
        first=first, second=first - shift + rng.normal(0, 0.015, len(first)), design=design
    )


# --------------------------------------------------------------------------- the predicted difference
@pytest.mark.parametrize(
    "design", [rc.KFold(10), rc.Datasets(20), rc.Seeds(8), rc.Seeds(5, splits=3), rc.Cases(40)]
)
def test_a_repeat_is_expected_to_show_less(design: rc.Design) -> None:
    found = rc.replicate(folds(0.012, design))
    seen, expected, limits = (
        found.observed_difference,
        found.expected_difference,
        found.predicted_interval,
    )
    assert seen is not None
    assert expected is not None
    assert limits is not None
    assert 0 < expected < seen
    assert limits.low < expected < limits.high
    close = rc.replicate(folds(0.012, design), relation="close")
    assert close.expected_difference is not None
    assert close.expected_difference < expected


def test_the_predicted_difference_favours_the_first_as_the_estimate_does() -> None:
    pair = folds(0.012, rc.KFold(10))
    one, other = (rc.replicate(each) for each in (pair, pair.swapped()))
    assert one.expected_difference == pytest.approx(-(other.expected_difference or 0))
    assert one.predicted_interval is not None
    assert other.predicted_interval is not None
    assert one.predicted_interval.low == pytest.approx(-other.predicted_interval.high)


def test_percentages_are_expected_in_points() -> None:
    """Accuracies of known test sets were expected in shares whatever the unit of the scores."""
    shares = replace(folds(0.012, rc.KFold(10)), n_test=50)
    points = replace(shares, first=100 * shares.first, second=100 * shares.second)
    one, other = (rc.replicate(each) for each in (shares, points))
    assert one.expected_difference is not None
    assert other.expected_difference == pytest.approx(100 * one.expected_difference)
    assert other.observed_difference == pytest.approx(100 * (one.observed_difference or 0))


def test_a_larger_repeat_is_predicted_more_closely() -> None:
    pair = rc.PairedCases(first=[1, 1, 1, 0] * 50, second=[1, 0, 1, 0] * 50)
    same = rc.replicate(pair)
    large = rc.replicate(pair, target_design=rc.Holdout(2000))
    assert same.predicted_interval is not None
    assert large.predicted_interval is not None
    widths = [each.high - each.low for each in (same.predicted_interval, large.predicted_interval)]
    assert widths[1] < 0.8 * widths[0]
    assert large.expected_difference == pytest.approx(same.expected_difference)


def test_a_paper_s_t_has_no_unit() -> None:
    found = rc.replicate(t=2.9, folds=10)
    assert (
        found.expected_difference is found.predicted_interval is found.observed_difference is None
    )
    counted = rc.replicate(discordant=(40, 20), cases=500)
    assert counted.observed_difference == pytest.approx(0.04)
    assert 0 < (counted.expected_difference or 0) < 0.04


def test_predictions_cover_repeats_of_a_world_with_the_prior() -> None:
    """Draw true differences from the prior, cases from them, and look where the repeat falls."""
    rng = np.random.default_rng(7)
    inside = []
    for _ in range(400):
        n, rate = 200, 0.3
        spread = prior_for("cases", "close", n).spreads[0]
        share = 0.5 + rng.normal() * spread / np.sqrt(n * rate) / 2
        wins, fresh = (
            (rng.binomial(d := rng.binomial(n, rate), min(max(share, 0.0), 1.0)), d) for _ in "ab"
        )
        won, lost = wins[0], wins[1] - wins[0]
        model = DiscordanceModel(won=max(won, lost), lost=min(won, lost), cases=n)
        told = model.predict(model.prior("close"), Goal(rc.Holdout(n), 1.0, 0.05, 0.95))
        shown = (2 * fresh[0] - fresh[1]) / n * (1 if won >= lost else -1)
        inside.append(told is not None and told.low <= shown <= told.high)
    assert np.mean(inside) == pytest.approx(0.95, abs=0.025)


# --------------------------------------------------------------------------- priors and record
def test_the_file_of_priors_is_small_and_ordered() -> None:
    text = files("replicast.replication").joinpath("priors.json").read_text(encoding="utf-8")
    content = json.loads(text)
    assert len(text) < 2000
    kinds: tuple[Kind, ...] = ("cases", "datasets")
    for kind in kinds:
        assert 0 < content[kind]["close"] < content[kind]["any"]
        assert heavy_tails(kind) >= 1
        for relation in RELATIONS:
            prior = prior_for(kind, relation, 50)
            assert sum(prior.weights) == pytest.approx(1)
            assert prior_for(kind, relation, 500).spreads > prior.spreads


def test_an_answer_has_its_track_record() -> None:
    found = rc.replicate(discordant=(60, 20), cases=500, relation="any")
    record = found.track_record
    assert record is not None
    assert record.low <= found.probability <= record.high
    assert record.results >= 50
    assert f"{100 * record.low:.0f} to" in str(record)
    assert rc.replicate(t=2.9, folds=10).track_record is None
    assert track_record(1.0, "any") is not None


def test_a_plan_has_both_ends() -> None:
    first = rc.replicate(discordant=(15, 3), cases=50)
    planned = rc.plan(first)
    assert planned.probability == 0.8
    ends = planned.needed_by_relation
    assert ends.any is not None
    assert planned.needed is not None
    assert ends.any < planned.needed
    assert ends.close is None or ends.close > 3 * ends.any
    assert planned.limit_by_relation.close < planned.limit_by_relation.any
    out_of_reach = rc.plan(rc.replicate(discordant=(12, 5), cases=50), probability=0.95)
    assert "out of reach" in str(out_of_reach.needed_by_relation)


# --------------------------------------------------------------------------- few cases
@pytest.mark.parametrize("count", [8, 10, 12])
def test_a_sweep_of_few_cases_says_something(count: int) -> None:
    """10:0 of 10 gave 26 %, below 15:5 of 10,000: a prior of accuracies held it for luck."""
    found = rc.replicate(discordant=(count, 0), cases=count)
    assert found.probability > {8: 0.3, 10: 0.55, 12: 0.6}[count]
    assert (found.expected_difference or 0) > 0.5


def test_results_that_are_not_significant_are_not_written_off() -> None:
    """7 of 100 were said and 15 came true; 14 and 19 over datasets."""
    for won, lost in ((12, 6), (20, 11), (9, 3)):
        found = rc.replicate(discordant=(won, lost), cases=100, relation="any")
        assert not found.first_significant
        assert found.probability > 0.14


# --------------------------------------------------------------------------- units and doors
def test_graded_scores_have_no_unit() -> None:
    """Fractions, percent, another zero and error rates differed by up to 4 points."""
    rng = np.random.default_rng(5)
    first, second = rng.beta(5, 2, 60), rng.beta(4, 2, 60)
    same = [
        rc.PairedCases(first=first, second=second),
        rc.PairedCases(first=100 * first, second=100 * second),
        rc.PairedCases(first=2 * first - 1, second=2 * second - 1),
        rc.PairedCases(first=1 - first, second=1 - second, greater_is_better=False),
    ]
    chances = [rc.replicate(pair).probability for pair in same]
    assert chances == pytest.approx([chances[0]] * 4, abs=1e-9)


@pytest.mark.parametrize("n", [6, 8, 12, 20, 35, 50, 60])
def test_an_exact_p_is_one_result_through_every_door(n: int) -> None:
    """Wilcoxon's scores gave .71, their exact p typed in .78: it was read as a normal one."""
    for seed in range(5):
        gaps = np.random.default_rng(seed).normal(0.6, 1, n)
        pair = rc.PairedScores(first=gaps, second=np.zeros(n), design=rc.Datasets(n))
        found = rc.signed_rank(pair)
        scores = rc.replicate(pair, spread=1.0)
        doors = [
            rc.replicate(pvalue=found.pvalue, design=rc.Datasets(n)),
            rc.replicate(z=found.statistic, datasets=n),
        ]
        for door in doors:
            assert door.probability == pytest.approx(scores.probability, abs=1e-6)
            assert door.as_published == pytest.approx(scores.as_published, abs=1e-6)
            assert door.first_pvalue == pytest.approx(scores.first_pvalue)


def test_a_smaller_p_of_wilcoxon_never_lowers_the_chance() -> None:
    pvalues = np.geomspace(2.0**-11, 0.99, 60).tolist()
    chances = [rc.replicate(pvalue=p, design=rc.Datasets(12)).probability for p in pvalues]
    assert all(after <= before + 1e-12 for before, after in pairwise(chances))


def test_one_half_right_case_changes_little() -> None:
    """4:0 of 61 was 9 %, with one more half-right case 22 %."""
    first, second = [1.0] * 4 + [0.0] * 57, [0.0] * 61
    binary = rc.replicate(rc.PairedCases(first=first, second=second))
    graded = rc.replicate(rc.PairedCases(first=[*first, 0.5], second=[*second, 0.5]))
    assert abs(graded.probability - binary.probability) < 0.08


# --------------------------------------------------------------------------- skewed cases
def worlds(rng: np.random.Generator, rows: int, n: int) -> dict[str, np.ndarray]:
    return {
        "most of them zero": np.where(
            rng.random((rows, n)) < 0.8, 0.0, rng.exponential(size=(rows, n)) - 1
        ),
        "rare large losses": np.where(rng.random((rows, n)) < 0.9, 0.05, -0.45),
    }


@pytest.mark.parametrize("n", [30, 50, 100])
def test_skewed_cases_keep_the_level(n: int) -> None:
    """t alone rejects 9.6 and 11.8 % of equal models at 50 cases."""
    rng = np.random.default_rng(n)
    for name, rows in worlds(rng, 1500, n).items():
        pvalues = rc.METHODS["case-ttest"].batch_pvalues(rows, rc.Cases(n))
        assert np.mean(pvalues < 0.05) < 0.075, name  # 6.5 % and Monte Carlo error


def test_normal_cases_lose_little_power() -> None:
    rng = np.random.default_rng(8)
    rows = rng.normal(0.35, 1, size=(1500, 50))
    _, _, t = correlated_t(rows, test_train_ratio=0.0)
    plain = np.mean(np.abs(t) > 2.0096)
    drawn = np.mean(rc.METHODS["case-ttest"].batch_pvalues(rows, rc.Cases(50)) < 0.05)
    assert plain - 0.02 <= drawn <= plain


def test_few_equal_differences_cannot_tell() -> None:
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        found = rc.case_ttest(rc.PairedCases(first=[0.5] * 12, second=[0.45] * 12))
    assert found.pvalue == 1.0


def test_draws_depend_on_neither_order_nor_sign_nor_unit() -> None:
    rng = np.random.default_rng(9)
    row = rng.exponential(size=40) - 0.6
    sizes = [resampled_t.resampled_sizes(each) for each in (row, row[::-1], -row, 100 * row)]
    for other in sizes[1:]:
        np.testing.assert_allclose(sizes[0], other, rtol=1e-8)
    single = float(rc.case_ttest(rc.PairedCases(first=row, second=np.zeros(40))).pvalue)
    batch = rc.METHODS["case-ttest"].batch_pvalues(row[None], rc.Cases(40))
    assert batch[0] == pytest.approx(single)


def test_the_interval_of_cases_agrees_with_their_p() -> None:
    rng = np.random.default_rng(10)
    for _ in range(20):
        row = rng.exponential(size=25) - 0.7
        found = rc.case_ttest(rc.PairedCases(first=row, second=np.zeros(25)))
        low, high = found.confidence_interval(0.95)
        assert (found.pvalue < 0.05) == (low > 0 or high < 0)


# --------------------------------------------------------------------------- equal folds
@pytest.mark.filterwarnings(
    "ignore::replicast.errors.DegenerateScoresWarning"
)  # equal differences are meant
@pytest.mark.parametrize("method", ["corrected-ttest", "paired-ttest", "correlated-posterior"])
def test_overlapping_folds_are_no_coin_tosses(method: str) -> None:
    """100 equal differences of 10x10 folds had p = 2^-99 and a chance of 100 %."""
    scores = np.random.default_rng(1).normal(0.8, 0.02, 100)

    def equal(design: rc.Design) -> Comparison:
        first = scores[: design.n_scores]
        return rc.compare(first + 0.02, first, design=design, method=method)

    one, ten = (equal(rc.RepeatedKFold(runs=runs, folds=10)) for runs in (1, 10))
    splits = equal(rc.RandomSplits(splits=100, n_train=90, n_test=10))
    assert one.evidence.pvalue == 2.0**-9
    for found in (ten, splits):
        assert found.evidence.pvalue >= one.evidence.pvalue
        if found.replication is not None:
            assert 0.3 < found.replication.probability < 0.9


# --------------------------------------------------------------------------- curves
RESULTS = {
    "t": lambda: rc.replicate(t=2.9, folds=10),
    "accuracies": lambda: rc.replicate(
        rc.PairedScores(
            first=[0.95, 0.93, 0.94, 0.96, 0.92, 0.95, 0.93, 0.97, 0.94, 0.95],
            second=[0.93, 0.92, 0.93, 0.93, 0.92, 0.93, 0.91, 0.95, 0.93, 0.92],
            design=rc.KFold(10),
            n_test=60,
        )
    ),
    "datasets": lambda: rc.replicate(z=2.4, datasets=20),
    "wins": lambda: rc.replicate(wins=15, datasets=20),
    "cases": lambda: rc.replicate(discordant=(40, 20), cases=500),
    "graded": lambda: rc.replicate(
        rc.PairedCases(first=np.random.default_rng(1).beta(5, 2, 60), second=[0.66] * 60)
    ),
    "seeds": lambda: rc.replicate(t=4.0, seeds=5),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_a_curve_falls_with_p_and_passes_through_its_own_mark(kind: str) -> None:
    found = RESULTS[kind]()
    curve = rc.replication_curve(found)
    assert all(after <= before + 1e-9 for before, after in pairwise(curve.calibrated))
    assert curve.calibrated[0] > curve.calibrated[-1] + 0.2
    own = float(np.interp(np.log(found.first_pvalue), np.log(curve.pvalues), curve.calibrated))
    assert own == pytest.approx(found.probability, abs=0.02)


def test_a_gate_on_skewed_cases_lets_few_worse_candidates_pass() -> None:
    """10.6 % passed at the bound itself, by Student's t."""
    rng = np.random.default_rng(12)
    passed = 0
    for _ in range(80):
        difference = (
            np.where(rng.random(50) < 0.9, 0.05, -0.45) - 0.02
        )  # on average just at the bound
        pair = rc.PairedCases(first=0.5 + difference, second=np.full(50, 0.5))
        passed += rc.gate(pair, margin=0.02).outcome == "pass"
    assert passed / 80 < 0.09
