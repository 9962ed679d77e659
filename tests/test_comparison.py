"""Verdicts, their words and their pictures."""

import json
import re
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replicast as rc
from replicast import InvalidArgumentError
from replicast.comparison.records import Comparison
from replicast.design import Design, parse_design
from replicast.formatting import format_pvalue
from replicast.presentation.telling import tell
from replicast.presentation.words.sizes import size_rows
from replicast.reading.vocabulary.units import score_unit
from replicast.results import SignificanceResult


def pair(d, design=None, base=0.8, **more):
    d = np.asarray(d)
    return rc.PairedScores(
        first=base + d, second=np.full(len(d), base), design=design or rc.KFold(len(d)),
        names=("svm", "nb"), **more,
    )  # fmt: skip


STRONG = np.array([3, 4, 3, 5, 4, 2, 4, 3, 5, 4]) / 100
SMALL = np.tile([0.05, -0.045, 0.004], 400)
WEAK = np.array([1, -3, 2, 0, 5, 4, -2, 3, 6, 1]) / 100
NOTHING = np.array([1, -1, 2, -2, 1, -1, 3, -3, 0.5, 0]) / 100


@pytest.mark.parametrize(
    ("differences", "group", "outcome"),
    [
        (STRONG, 1, "first better"),
        (-STRONG, 1, "second better"),
        (NOTHING, 2, "inconclusive"),
        (WEAK, 3, "inconclusive"),
        (SMALL, 4, "first better"),
    ],
)
def test_four_cells_over_datasets(differences, group: int, outcome: str) -> None:
    found = rc.compare(
        pair(differences, rc.Datasets()), method=None if group != 4 else "paired-ttest"
    )
    assert (found.verdict.group, found.verdict.outcome) == (group, outcome)
    assert found.verdict.region is None
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()
    assert (" is better than " in str(found)) == outcome.endswith("better")


@pytest.mark.parametrize(
    ("differences", "case"),
    [
        (STRONG, "significant and sizeable"),
        (STRONG / 10, "significant but small"),
        (WEAK, "not significant but sizeable"),
        (NOTHING, "no evidence"),
    ],
)
def test_on_one_dataset_size_is_in_points(differences, case: str) -> None:
    """d' of fold scores is the same for STRONG and a tenth of it: it cannot say what matters."""
    found = rc.compare(pair(differences))
    assert (found.verdict.case, found.verdict.group) == (case, None)
    assert (found.verdict.region.width, found.verdict.region.source) == (0.01, "default")
    percent = rc.compare(pair(100 * differences, base=50, metric="accuracy"))
    assert (percent.verdict.case, percent.verdict.region.width) == (case, 1)
    assert "size  " not in found.more(), "nobody chose the default region"
    assert "relevant" not in str(found.verdict) + found.more()
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()


def test_the_region_can_be_named() -> None:
    found = rc.compare(pair(STRONG), rope=0.05)
    assert found.verdict.case == "significant but small"
    assert found.verdict.outcome == "first better"
    assert "judge it by its size, less than 5 points, not by its p" in str(found)
    assert "5 points is your region" in found.more()
    assert rc.compare(pair(STRONG), rope=0.037).verdict.case == "significant and sizeable"


def test_a_hundredth_of_a_point_is_not_relevant() -> None:
    """100 folds with a gain of 0.010 points have d' = 10: very large by Cohen's cut-offs."""
    gains = np.tile([0.00009, 0.00011], 50)
    found = rc.compare(pair(gains, rc.RepeatedKFold(runs=10, folds=10)))
    assert found.effect.estimate > 8
    assert found.verdict.significant
    assert found.verdict.case == "significant but small"
    assert "very large" not in found.more()


@pytest.mark.parametrize(("folds", "least"), [(5, 1.86), (10, 1.04)])
def test_whatever_is_significant_in_few_folds_has_a_large_effect(folds: int, least: float) -> None:
    """The reason why d' of fold scores is no second opinion (docs/concepts/power-and-effect.md)."""
    rng = np.random.default_rng(4)
    rows = rng.normal(rng.uniform(0, 0.04, 2000), 0.02, (folds, 2000)).T
    pvalues = rc.METHODS["corrected-ttest"].batch_pvalues(rows, rc.KFold(folds))
    effects = np.abs(rows.mean(axis=1)) / rows.std(axis=1, ddof=1)
    assert effects[pvalues < 0.05].min() == pytest.approx(least, abs=0.03)
    assert effects[pvalues < 0.05].min() >= least - 0.005


def test_scores_without_points_have_no_default_region() -> None:
    losses = rc.PairedScores(
        first=40.0 - 100 * STRONG, second=np.full(10, 40.0), design=rc.KFold(10),
        names=("svm", "nb"), greater_is_better=False,
    )  # fmt: skip
    for scores in (losses, pair(STRONG, base=2000)):
        found = rc.compare(scores)
        assert found.verdict.significant
        assert (found.verdict.case, found.verdict.region) == (None, None)
    assert rc.compare(losses, rope=5.0).verdict.case == "significant but small"
    errors = rc.PairedScores(
        first=0.4 - STRONG, second=np.full(10, 0.4), design=rc.KFold(10), greater_is_better=False,
        n_test=50,
    )  # fmt: skip
    assert rc.compare(errors).verdict.region.width == 0.01
    none = rc.compare(pair(WEAK, base=2000))
    assert none.verdict.case is None
    assert str(none).startswith("No clear difference")
    assert "p = 0.235" in str(none)


# --------------------------------------------------------------------------- posteriors
POSTERIORS = ("signed-rank-posterior", "correlated-posterior")
BORDER = np.array([16, 8, 31, 15, -4, 23, 51, 40, -9, -26, -7, 13]) / 1000


def test_a_posterior_decides_at_the_level_of_a_two_sided_test() -> None:
    """One page said better, had its power at 10% and its replication at 5%."""
    border = rc.compare(pair(BORDER, rc.Datasets()), method="signed-rank-posterior")
    assert border.evidence.first_better > 0.95
    assert border.verdict.outcome == "inconclusive"
    for seed in range(40):
        d = np.random.default_rng(seed).normal(0.012, 0.02, 12)
        posterior = rc.correlated_posterior(pair(d))
        test = rc.corrected_ttest(pair(d))
        assert rc.decide(posterior).outcome == rc.decide(test).outcome


@pytest.mark.parametrize("method", POSTERIORS)
def test_the_printed_level_of_a_posterior_is_that_of_its_rule(method: str) -> None:
    """The levels of docs/which-test.md come from batch_pvalues; here from what users get."""
    kind: rc.Design = rc.Datasets(10) if method == POSTERIORS[0] else rc.KFold(10)
    rows = np.random.default_rng(8).normal(0, 0.02, (150, 10))
    decided = [
        rc.decide(rc.METHODS[method].test(pair(row, kind))).outcome
        in ("first better", "second better")
        for row in rows
    ]
    pvalues = rc.METHODS[method].batch_pvalues(rows, kind)
    assert np.mean(decided) == pytest.approx(np.mean(pvalues < 0.05), abs=0.01)
    assert np.mean(decided) < 0.1


@pytest.mark.parametrize("method", POSTERIORS)
@pytest.mark.parametrize("differences", [STRONG, WEAK, NOTHING])
def test_a_posterior_is_never_called_significant(method: str, differences) -> None:
    kind: rc.Design = rc.Datasets() if method == POSTERIORS[0] else rc.KFold(10)
    found = rc.compare(pair(differences, kind), method=method)
    assert found.verdict.significant is None
    assert (found.verdict.case, found.verdict.group) == (None, None)
    story = tell(found)
    assert any("97.5%" in line for line in story.how)
    for said in (story.headline, story.lines[0].remark, story.how[0]):
        assert "significan" not in said
    twin = "signed-rank test" if method == POSTERIORS[0] else "corrected resampled t-test"
    rows = {row.label: row.remark for row in story.lines}
    for said in (rows["again"], story.quote):
        _, word, after = said.partition("significant")
        assert not word or twin in after  # the word is the test's
        assert "significant" not in after


def test_default_test_follows_the_design() -> None:
    ten = np.linspace(0.01, 0.1, 10)
    methods = {
        rc.Datasets(): "signed-rank",
        rc.KFold(10): "corrected-ttest",
        rc.RepeatedKFold(runs=2, folds=5): "corrected-ttest",
        rc.RandomSplits(splits=10, n_train=90, n_test=10): "corrected-ttest",
        rc.FiveByTwo(): "five-by-two-ftest",
    }
    for design, method in methods.items():
        assert rc.compare(pair(ten, design)).evidence.method == method
    predictions = rc.PairedPredictions(truth=[1] * 9, first=[1] * 9, second=[1, 1] + [0] * 7)
    assert rc.compare(predictions).evidence.method == "mcnemar"


def test_equivalence_needs_a_region() -> None:
    tight = pair(
        np.array([1, -1, 2, -2, 1, -1, 3, -3, 0.5, 0]) / 1000, rc.RepeatedKFold(runs=2, folds=5)
    )
    evidence = rc.corrected_ttest(tight)
    assert rc.decide(evidence).outcome == "inconclusive"
    assert rc.decide(evidence, rope=0.01).outcome == "equivalent"
    posterior = rc.correlated_posterior(tight, rope=0.01)
    assert rc.decide(posterior).outcome == "equivalent"
    assert rc.decide(rc.correlated_posterior(pair(STRONG))).outcome == "first better"
    assert rc.decide(rc.correlated_posterior(pair(-STRONG))).outcome == "second better"
    with pytest.raises(
        InvalidArgumentError, match="`rope` must be a positive difference of scores"
    ):
        rc.decide(evidence, rope=0)


def codes(found: Comparison) -> set[str]:
    return {caution.code for caution in found.cautions}


def test_an_interval_that_is_not_of_the_test_says_so() -> None:
    """Ranks may decide where the mean does not; the two then stand side by side."""
    lead = np.array([0.005, 0.006, 0.1, 0.004, 0.005, 0.003, 0.005, 0.002])
    found = rc.compare(pair(lead, rc.Datasets()))
    assert found.verdict.significant
    rows = {row.label: row.value for row in tell(found).lines}
    assert (
        rows["so"]
        == "the test decides; the mean alone leaves −1.2 to 4.5 points (for the mean, by t)"
    )


def test_cautions_travel_with_the_numbers() -> None:
    assert "cannot-be-significant" in codes(rc.compare(pair([0.1, 0.2, 0.3, 0.2], rc.Datasets())))
    assert "few-datasets" in codes(
        rc.compare(pair([0.1, 0.2, 0.3, 0.2, 0.11, 0.12], rc.Datasets()))
    )
    assert "zero-differences" in codes(rc.compare(pair(NOTHING, rc.Datasets())))
    outlier = np.r_[np.full(9, 0.01) + np.arange(9) / 1e4, 0.3]
    assert "not-normal" in codes(rc.compare(pair(outlier)))
    assert "not-normal" not in codes(
        rc.compare(pair(np.tile(outlier, 10), rc.RepeatedKFold(runs=10, folds=10)))
    )
    percent = rc.PairedScores(first=np.full(9, 80) + np.arange(9), second=STRONG[:9] + 0.7,
                              design=rc.KFold(9))  # fmt: skip
    assert "mixed-scales" in codes(rc.compare(percent))
    assert "dependent-scores" in codes(rc.compare(pair(WEAK), method="paired-ttest"))
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        assert "degenerate" in codes(rc.compare(pair(np.zeros(10))))


def test_skewed_differences_are_told_to_tests_that_take_them_for_symmetric() -> None:
    """Zero-mean exponential differences: the signed-rank test rejects 12% of nulls at 20 datasets."""
    from scipy import stats

    from replicast.inference.normality import skewness

    rng = np.random.default_rng(6)
    told = {"normal": 0, "skewed": 0}
    for _ in range(150):
        samples = {"normal": rng.normal(size=20), "skewed": rng.exponential(size=20) - 1}
        for name, d in samples.items():
            found, error = skewness(d)
            assert found == pytest.approx(stats.skew(d, bias=False))
            told[name] += abs(found) > 2.576 * error
    assert told["normal"] < 8
    assert told["skewed"] > 75
    few_carry_it = np.r_[np.full(17, -0.01) + np.arange(17) / 1e4, 0.2, 0.25, 0.3]
    for method in ("signed-rank", "sign-flip", "signed-rank-posterior"):
        found = rc.compare(pair(few_carry_it, rc.Datasets()), method=method)
        [caution] = [c for c in found.cautions if c.code == "not-symmetric"]
        assert "a few datasets speak for svm" in caution.text
        assert "it may lean to nb" in caution.text
    assert "not-symmetric" not in codes(
        rc.compare(pair(few_carry_it, rc.Datasets()), method="sign-test")
    )
    assert "not-symmetric" not in codes(rc.compare(pair(STRONG, rc.Datasets())))
    assert "not-symmetric" not in codes(rc.compare(pair(few_carry_it)))


def test_where_the_level_of_repeated_runs_holds_is_told() -> None:
    ten = np.linspace(-0.01, 0.03, 100)
    repeated = tell(rc.compare(pair(ten, rc.RepeatedKFold())))
    assert "nearest neighbours or an SVM" in repeated.how[0]
    assert "SVM" not in tell(rc.compare(pair(STRONG))).how[0]
    assert "SVM" in tell(rc.compare(pair(STRONG, rc.FiveByTwo()))).how[0]


@pytest.mark.parametrize("method", sorted(rc.METHODS))
def test_words_come_from_the_record(method: str) -> None:
    rng = np.random.default_rng(3)
    for shift in (-1.2, -0.3, 0.0, 0.4, 1.5):
        kind = rc.METHODS[method].designs[0]
        sized = {
            "random-splits": rc.RandomSplits(splits=10, n_train=90, n_test=10),
            "seeds": rc.Seeds(10),
        }
        design = sized.get(kind) or parse_design(kind)
        if design.binary:
            x = rng.choice([1, 0, -1], size=60, p=[0.3, 0.6, 0.1] if shift > 0 else [0.1, 0.6, 0.3])
            scores = rc.PairedScores(first=(x > 0) * 1.0, second=(x < 0) * 1.0, design=design,
                                     names=("svm", "nb"))  # fmt: skip
        else:
            scores = pair(rng.normal(shift, 1, 10) / 100, design)
        found = rc.compare(scores, method=method)
        text = str(found)
        assert max(map(len, text.splitlines())) <= 80
        assert "nan" not in text.lower().split()
        alone = getattr(found.evidence, "details", {}).get("pvalue_of_seeds_alone")
        known = [p for p in (found.evidence.pvalue, alone) if p is not None]
        for printed in re.findall(r"\bp = (\d\.\d+)", text):
            assert min(abs(float(printed) - p) for p in known) < 6e-4
        if isinstance(found.evidence, SignificanceResult):
            assert (" is better than " in text) == bool(found.verdict.significant)
            if found.verdict.significant:
                winner = "svm" if found.evidence.estimate > 0 else "nb"
                assert text.startswith(f"{winner} ")


def test_words_for_losses_and_no_difference() -> None:
    losses = rc.PairedScores(
        first=0.4 - STRONG, second=np.full(10, 0.4), design=rc.KFold(10), names=("svm", "nb"),
        greater_is_better=False,
    )  # fmt: skip
    told = tell(rc.compare(losses))
    assert told.headline == "svm is better than nb by 0.037 [0.027, 0.047]"
    assert (told.lines[0].value, told.lines[0].remark[:15]) == (
        "0.363 and 0.400",
        "lower is better",
    )
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", rc.errors.DegenerateScoresWarning
        )  # equal differences are meant here
        same = tell(rc.compare(pair(np.zeros(10))))
    assert same.headline == "svm and nb have the same score everywhere"


def test_units() -> None:
    assert score_unit(pair(STRONG)) == "fraction"
    assert score_unit(pair(STRONG * 100, base=80, metric="accuracy")) == "percent"
    assert score_unit(pair(STRONG, base=2000)) == "score"
    assert score_unit(pair(STRONG, base=-1)) == "score"


def test_picture_draws_what_the_result_knows() -> None:
    found = rc.compare(pair(STRONG))
    axes = found.plot(figure="differences")
    low, high = found.difference.confidence_interval()
    zero, dots, interval, mean = axes.lines
    assert list(zero.get_xdata()) == [0, 0]
    assert interval.get_xdata() == pytest.approx([low, high])
    assert sorted(dots.get_xdata()) == pytest.approx(sorted(STRONG), abs=0.003)
    assert mean.get_xdata() == pytest.approx([found.difference.estimate])
    words = [text.get_text() for text in axes.texts]
    assert any(text.startswith("mean 3.7 points [") for text in words)
    assert {"← nb better", "svm better →"} <= set(words)
    assert axes.get_title(loc="left").startswith("svm − nb")


def test_bad_calls_get_their_sentence() -> None:
    with pytest.raises(
        InvalidArgumentError, match=r"`method` must be one of paired-ttest, .* got 'ttest'"
    ):
        rc.compare(pair(STRONG), method="ttest")
    with pytest.raises(
        InvalidArgumentError,
        match="`scores` must be PairedScores, a table of two classifiers, or two arrays",
    ):
        rc.compare([1, 2, 3])
    with pytest.raises(
        InvalidArgumentError,
        match="`scores` must be PairedScores, a table of two classifiers, or two arrays",
    ):
        rc.signed_rank([1, 2, 3])
    with pytest.raises(
        InvalidArgumentError, match="`significance` must be a number strictly between"
    ):
        rc.decide(rc.corrected_ttest(pair(STRONG)), significance=0)
    with pytest.raises(
        InvalidArgumentError, match="`confidence_level` must be a number strictly between 0"
    ):
        rc.corrected_ttest(pair(STRONG)).confidence_interval(95)
    with pytest.raises(
        InvalidArgumentError, match="`alternative` must be one of two-sided, greater, less"
    ):
        rc.corrected_ttest(pair(STRONG), alternative="larger")
    with pytest.raises(InvalidArgumentError, match="`rng` must be a whole number from 0 as seed"):
        rc.sign_flip_test(pair(STRONG), rng="seed")


def zeros_and(*differences: float, zeros: int = 40) -> rc.PairedScores:
    first = np.array([*differences, *[0.0] * zeros])
    return rc.PairedScores(first=first, second=np.zeros(len(first)), design=rc.Datasets())


@pytest.mark.parametrize("sign", [1, -1])
def test_zeros_do_not_turn_the_verdict(sign: int) -> None:
    """Eight wins, no loss and forty ties: the median is 0, the winner is not in doubt."""
    pair = zeros_and(*(sign * np.arange(1, 9) / 100))
    winner = "first" if sign > 0 else "second"
    for method, options in (("signed-rank", {}), ("sign-test", {"ties": "drop"})):
        found = rc.compare(pair, method=method, **options)
        assert found.evidence.pvalue < 0.05
        assert found.evidence.estimate == 0
        assert found.verdict.outcome == f"{winner} better"
        assert found.replication.better == winner
        assert str(found).startswith(f"{winner} ")


def test_an_f_test_without_a_mean_names_no_winner() -> None:
    first = np.array([1, 1.01, -1, -1.01, 1, 1, -1, -1, 0, 0])
    pair = rc.PairedScores(first=first, second=np.zeros(10), design=rc.FiveByTwo())
    found = rc.five_by_two_ftest(pair)
    assert found.pvalue < 0.05
    assert rc.decide(found).outcome == "inconclusive"


def test_the_first_run_is_described_by_its_own_scores() -> None:
    d = np.random.default_rng(0).normal(0.3, 1, 100)
    pair = rc.PairedScores(
        first=d, second=np.zeros(100), design=rc.RepeatedKFold(runs=10, folds=10)
    )
    alone = rc.PairedScores(first=d[:10], second=np.zeros(10), design=rc.KFold(10))
    found = rc.compare(pair, method="paired-ttest", scheme="first-run")
    expected = rc.compare(alone, method="paired-ttest")
    assert found.effect.estimate == expected.effect.estimate
    assert found.power == expected.power
    assert found.evidence.pvalue == pytest.approx(expected.evidence.pvalue, rel=1e-12)
    sorted_runs = rc.compare(pair, method="paired-ttest", scheme="sorted")
    assert "The test saw 10 averages" in next(
        c.text for c in sorted_runs.cautions if c.code == "scheme"
    )
    few = rc.compare(
        rc.PairedScores(
            first=d[:20], second=np.zeros(20), design=rc.RepeatedKFold(runs=4, folds=5)
        ),
        method="sign-test",
        scheme="first-run",
    )
    assert few.smallest_pvalue == 0.0625
    assert "cannot-be-significant" in {caution.code for caution in few.cautions}


def test_one_sided_tests_reach_half_the_pvalue() -> None:
    pair = rc.PairedScores(first=np.arange(1.0, 6), second=np.zeros(5), design=rc.Datasets())
    found = rc.compare(pair, alternative="greater")
    assert found.evidence.pvalue == found.smallest_pvalue == 2**-5
    codes = {caution.code for caution in found.cautions}
    assert "cannot-be-significant" not in codes
    assert "one-sided" in codes
    told = [c.text for c in rc.compare(pair).cautions if c.code == "cannot-be-significant"]
    assert told[0].endswith("its smallest possible p is 0.0625. Use at least 6.")


def test_power_of_a_posterior_is_the_chance_of_its_decision() -> None:
    """Decided above 97.5% for one side: the two-sided t-test at 5%."""
    posterior = rc.power(0.8, rc.KFold(10), method="correlated-posterior").power
    test = rc.power(0.8, rc.KFold(10), method="corrected-ttest").power
    assert posterior == test
    rows = np.random.default_rng(1).normal(0.8, 1, (4000, 10))
    ours = np.mean(rc.METHODS["correlated-posterior"].batch_pvalues(rows, rc.KFold(10)) < 0.05)
    assert posterior == pytest.approx(ours, abs=0.03)


@pytest.mark.parametrize("rule", ["half", "drop"])
def test_the_power_of_a_sign_test_has_its_ties(rule: str) -> None:
    """Nine wins and eleven ties: with as many ties again, nine wins are not sure to be enough."""
    scores = zeros_and(*[1.0] * 9, *[-1.0] * 2, zeros=9)
    found = rc.compare(scores, method="sign-test", ties=rule).power
    drawn = np.random.default_rng(3).choice(
        [1.0, -1.0, 0.0], p=[0.45, 0.1, 0.45], size=(40_000, 20)
    )
    pvalues = rc.METHODS["sign-test"].batch_pvalues(drawn, rc.Datasets(20), ties=rule)
    assert found.power == pytest.approx(np.mean(pvalues < 0.05), abs=0.01)
    right = (pvalues < 0.05) & (drawn.sum(axis=1) > 0)
    assert found.found == pytest.approx(np.mean(right), abs=0.01)
    assert found.approach == "exact"
    assert rc.compare(scores.swapped(), method="sign-test", ties=rule).power.found == found.found


def test_accuracy_needs_cases() -> None:
    pair = rc.PairedScores(first=[0.9, 0.8, 0.7], second=[0.8, 0.75, 0.6], design=rc.KFold(3))
    with pytest.raises(
        rc.errors.DesignMismatchError, match="correctness of the cases of one test set"
    ):
        rc.effects.accuracy_difference(pair)


def test_equivalent_classifiers_are_not_asked_whether_they_differ_again() -> None:
    rng = np.random.default_rng(5)
    second = rng.random(15)
    pair = rc.PairedScores(
        first=second + 0.02 + rng.normal(0, 0.005, 15), second=second, design=rc.Datasets()
    )
    found = rc.compare(pair, method="signed-rank-posterior", rope=0.1)
    assert found.verdict.outcome == "equivalent"
    assert "again" not in {row.label for row in tell(found).lines}
    assert "significant" not in str(found)


def test_percent_among_fractions_is_told_for_rows_and_columns() -> None:
    rng = np.random.default_rng(2)
    fractions = rng.uniform(0.5, 0.9, (8, 3))
    columns, rows = fractions.copy(), fractions.copy()
    columns[:, 1] *= 100
    rows[3:5] *= 100
    for matrix, mixed in ((fractions, False), (columns, True), (rows, True)):
        table = rc.ScoreTable(
            classifiers=("a", "b", "c"),
            datasets=tuple(f"d{i}" for i in range(8)),
            scores=matrix.T[:, :, None, None],
            design=rc.Datasets(8),
        )
        for found in (rc.rank(table), rc.compare(table.pair("a", "b"))):
            assert ("mixed-scales" in {c.code for c in found.cautions}) == mixed


def test_the_unit_of_an_effect_is_its_own() -> None:
    pair = rc.PairedScores(
        first=np.linspace(0.8, 0.9, 10), second=np.linspace(0.79, 0.86, 10), design=rc.KFold(10)
    )
    told = {}
    for method in ("corrected-ttest", "signed-rank"):
        found = size_rows(rc.compare(pair, method=method))
        (told[method],) = (row for row in found if row.label == "effect")
    assert told["corrected-ttest"].value.startswith("d' = ")
    assert told["corrected-ttest"].remark == "standard deviations of differences"
    assert told["signed-rank"].value.startswith("r = ")
    assert told["signed-rank"].remark == "Z of the signed ranks over √n"


def test_statistic_and_effect_have_one_sign_that_of_the_leader() -> None:
    """The second one led with t = 3.34, and d' = -0.19 stood below."""
    rows = {row.label: row.value for row in tell(rc.compare(pair(-np.asarray(STRONG)))).rows}
    assert rows["evidence"].partition(" = ")[2][0].isdigit()
    assert rows["effect"].partition(" = ")[2][0].isdigit()


@pytest.mark.parametrize("difference", [0.01, 0.0])
@pytest.mark.parametrize("design", [rc.KFold, rc.Datasets])
def test_equal_differences_are_equivalent_by_as_many_signs(difference: float, design: Any) -> None:
    """An interval of no width is no evidence: below five, 2^-n is not below 0.05 (enumeration)."""
    test = rc.corrected_ttest if design is rc.KFold else rc.paired_ttest
    for n in (2, 3, 4, 5):
        scores = rc.PairedScores(
            first=np.full(n, 0.8 + difference), second=np.full(n, 0.8), design=design(n)
        )
        with pytest.warns(rc.errors.DegenerateScoresWarning):
            evidence = test(scores)
        with pytest.warns(rc.errors.DegenerateScoresWarning):
            found = rc.compare(scores, method=evidence.method)
        outcome = rc.decide(evidence, rope=0.02).outcome
        flips = [sum(signs) == n for signs in product((0, 1), repeat=n)]
        assert (outcome == "equivalent") == (np.mean(flips) < 0.05)
        assert "no spread, so no 95% interval" in tell(found).quote
        assert "all fit" not in str(found)
        assert "[1.0, 1.0]" not in str(found)


def test_an_interval_of_another_method_is_called_so_where_it_disagrees() -> None:
    truth = np.ones(40, dtype=int)
    first, second = truth.copy(), truth.copy()
    first[:4], second[4:16] = 0, 0
    found = rc.compare(rc.PairedPredictions(truth=truth, first=first, second=second))
    assert not found.verdict.significant
    assert found.difference.confidence_interval().low > 0
    rows = {row.label: row.value for row in tell(found).lines}
    assert rows["so"] == "the test decides, not the interval (by Bonett and Price)"
    folds = pair([0.01, 0.03, -0.01, 0.02, 0.015], rc.KFold(5))
    assert "(corrected for overlap)" in tell(rc.compare(folds, method="paired-ttest")).quote
    assert "(corrected for overlap)" not in tell(rc.compare(folds)).quote


def test_a_one_sided_test_says_so_at_its_p_and_once() -> None:
    differences = [0.02, 0.0, 0.02, -0.005, 0.03, 0.01, -0.005, 0.02, 0.01, 0.0]
    scores = pair(differences, rc.KFold(10), base=np.linspace(0.7, 0.8, 10))
    one = rc.compare(scores, alternative="greater")
    assert one.evidence.pvalue == pytest.approx(rc.compare(scores).evidence.pvalue / 2)
    told = tell(one)
    assert f"one-sided {format_pvalue(one.evidence.pvalue)}" in str(one)
    assert "one-sided" in {row.label: row.remark for row in told.rows}["evidence"]
    assert [caution.code for caution in one.cautions] == ["one-sided"]
    assert one.replication is None


REPEATED = [
    rc.KFold(10), rc.RepeatedKFold(runs=5, folds=2), rc.FiveByTwo(),
    rc.RandomSplits(splits=10, n_train=90, n_test=10), rc.Seeds(10),
]  # fmt: skip


@pytest.mark.parametrize("design", REPEATED, ids=str)
@pytest.mark.parametrize("turned", [False, True])
def test_one_number_for_all_folds_is_cautioned_about(design: Design, turned: bool) -> None:
    """The mean of a paper, repeated for every fold, is no score of that fold."""
    ours, published = 0.8839 + WEAK, np.full(10, 0.861)
    first, second = (published, ours) if turned else (ours, published)
    scores = rc.PairedScores(first=first, second=second, design=design, names=("x", "y"))
    told = [one.text for one in rc.compare(scores).cautions if one.code == "one-number"]
    who = "x" if turned else "y"
    assert len(told) == 1
    assert told[0].startswith(
        f"All 10 scores of '{who}' are the same number, 0.861. If it is one mean"
    )
    assert "one-number" in codes(rc.gate(scores, margin=0.01))
    table = rc.ScoreTable(
        classifiers=("x", "y", "z"), datasets=("d",), design=design,
        scores=np.array([first, second, first + 0.01 * STRONG]).reshape(3, 1, *_shape(design)),
    )  # fmt: skip
    assert "one-number" in codes(rc.rank(table))


def _shape(design: Design) -> tuple[int, int]:
    return {rc.RepeatedKFold: (5, 2), rc.FiveByTwo: (5, 2), rc.RandomSplits: (10, 1)}.get(
        type(design), (1, 10)
    )


@pytest.mark.parametrize("design", [rc.Datasets(), rc.Cases(), rc.KFold(10)], ids=str)
def test_other_numbers_that_stay_the_same_are_not(design: Design) -> None:
    """Chance on every dataset is one number; so is 0 where differences are given, or both are fixed."""
    scores = rc.PairedScores(first=0.5 + WEAK, second=np.full(10, 0.5), design=design)
    assert ("one-number" in codes(rc.compare(scores))) == (design.folds is not None)
    zero = rc.PairedScores(first=WEAK, second=np.zeros(10), design=design)
    assert "one-number" not in codes(rc.compare(zero))
    with pytest.warns(rc.errors.DegenerateScoresWarning):
        both = rc.compare(rc.PairedScores(first=zero.second, second=zero.second, design=design))
    assert "one-number" not in codes(both)


@pytest.mark.parametrize("method", ["paired-ttest", "corrected-ttest"])
@pytest.mark.parametrize("scheme", ["sorted", "folds", "runs"])
def test_the_interval_of_a_scheme_is_that_of_its_test(method: str, scheme: str) -> None:
    """Averages over sorted runs were once quoted with the interval of all scores."""
    rng = np.random.default_rng(4)
    first, second = rng.normal(0.8, 0.02, 30), rng.normal(0.78, 0.02, 30)
    design = rc.RepeatedKFold(runs=3, folds=10)
    found = rc.compare(first, second, design=design, method=method, scheme=scheme)
    assert found.evidence.n < 30
    assert found.difference.confidence_interval() == found.evidence.confidence_interval()
    assert found.difference.estimate == pytest.approx(found.evidence.estimate)


def test_a_pair_of_many_says_of_how_many(tmp_path: Path) -> None:
    """p of a pair that was picked from five models said nothing of the other nine."""
    rng = np.random.default_rng(4)
    level = rng.uniform(0.7, 0.9, 20)
    scores = np.stack([level + rng.normal(k * 0.006, 0.012, 20) for k in range(5)])
    table = rc.ScoreTable(
        classifiers=tuple("abcde"), datasets=tuple(f"d{k}" for k in range(20)),
        scores=scores[:, :, None, None], design=rc.Datasets(),
    )  # fmt: skip
    found = rc.compare(table.pair("e", "a"))
    assert "one of 10 pairs" in " ".join(str(found).split())
    assert found.to_dict()["one_of_pairs"] == 10
    cell = next(c for c in rc.rank(table).pairs if {c.first, c.second} == {"a", "e"})
    most = min(1, 10 * found.evidence.pvalue)
    assert cell.adjusted <= most + 1e-12
    assert "Holm" in found.more()
    file = tmp_path / "five.csv"
    rows = [",".join(["dataset", *"abcde"])]
    rows += [",".join([f"d{k}", *(f"{value:.4f}" for value in scores[:, k])]) for k in range(20)]
    file.write_text("\n".join(rows))
    read = rc.read_scores(file, classifiers=("e", "a"))
    assert set(read.classifiers) == {"a", "e"}
    assert read.pair("e", "a").one_of == 10
    alone = rc.compare(rc.read_scores(file, classifiers=("e", "a")).pair("e", "a"))
    assert "one of 10 pairs" in " ".join(str(alone).split())
    two = rc.ScoreTable(
        classifiers=("a", "b"), datasets=table.datasets, scores=scores[:2, :, None, None],
        design=rc.Datasets(),
    )  # fmt: skip
    assert "pairs" not in str(rc.compare(two.pair("a", "b")))


def test_the_interval_beside_a_lead_is_that_of_the_leader() -> None:
    old, new = np.full(7, 100.0), np.array([101.0, 102, 103, 104, 105, 106, 700])
    found = rc.compare(rc.PairedScores(first=old, second=new, design=rc.Datasets()))
    low, high = found.difference.confidence_interval()
    assert found.verdict.outcome == "second better"
    assert low < 0 < high
    assert f"leaves \N{MINUS SIGN}{high:.0f} to {-low:.0f}" in " ".join(str(found).split())
