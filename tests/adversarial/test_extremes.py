"""Extreme inputs: no NaN, no overflow, no endless loop, and what must hold still holds."""

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest

import replicast as rc
from replicast.comparison.many import bayesian_matrix
from replicast.replication.records import Replication

SHAPE = np.array([3.0, -4.0, 5.0, 2.0, 1.0, -1.0, 2.5, 0.5, 1.5, 6.0]) / 8
TESTS: dict[str, Any] = {
    "paired-ttest": rc.Datasets(10), "signed-rank": rc.Datasets(10), "sign-test": rc.Datasets(10),
    "sign-flip": rc.Datasets(10), "signed-rank-posterior": rc.Datasets(10),
    "corrected-ttest": rc.KFold(10),
    "correlated-posterior": rc.RandomSplits(splits=10, n_train=90, n_test=10),
    "five-by-two-ttest": rc.FiveByTwo(), "five-by-two-ftest": rc.FiveByTwo(),
}  # fmt: skip
EFFECTS = (
    rc.effects.mean_difference,
    rc.effects.standardized_difference,
    rc.effects.rank_effect,
    rc.effects.rank_biserial,
    rc.effects.probability_of_superiority,
    rc.effects.cliffs_delta,
)
DEGENERATE = rc.errors.DegenerateScoresWarning


def numbers(value: Any) -> Iterator[float]:
    """Yield every float of a record, however deep; intervals are asked for."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from numbers(item)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from numbers(item)
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in ("first_result", "scores", "design", "target_design"):
                yield from numbers(getattr(value, field.name))
        if getattr(value, "interval_rule", None) is not None:
            yield from value.confidence_interval()


def sound(call: Callable[[], Any]) -> Any:
    """Return what a call gives: without NaN, with no warning but the documented one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DEGENERATE)  # equal differences are meant here
        found = call()
        assert not any(math.isnan(number) for number in numbers(found)), found
    return found


def pair(first: Any, second: Any = None, design: Any = None, **more: Any) -> rc.PairedScores:
    first = np.asarray(first, dtype=float)
    other = np.zeros(len(first)) if second is None else second
    return rc.PairedScores(first=first, second=other, design=design or rc.Datasets(), **more)


def table(scores: np.ndarray, **more: Any) -> rc.ScoreTable:
    k, n = scores.shape
    return rc.ScoreTable(
        classifiers=tuple(f"c{i}" for i in range(k)), datasets=tuple(f"d{i}" for i in range(n)),
        scores=scores[:, :, None, None], design=rc.Datasets(), **more,
    )  # fmt: skip


# --------------------------------------------------------------------------- magnitudes
@pytest.mark.parametrize("method", TESTS)
@pytest.mark.parametrize("scale", [2.0**1000, 2.0**60, 2.0**-56, 2.0**-1000, 2.0**-1040])
def test_scaling_by_a_power_of_two_changes_no_pvalue(method: str, scale: float) -> None:
    """From subnormal scores to 1e301; the last scale leaves 34 bits of each score."""
    tolerance = 1e-8 if scale < 2.0**-1022 else 1e-11
    plain, scaled = (
        sound(lambda s=s: rc.METHODS[method].test(pair(SHAPE * s, design=TESTS[method])))
        for s in (1.0, scale)
    )
    assert scaled.pvalue == pytest.approx(plain.pvalue, rel=tolerance)
    mirrored = sound(
        lambda: rc.METHODS[method].test(pair(SHAPE * scale, design=TESTS[method]).swapped())
    )
    loose = 0.02 if method == "signed-rank-posterior" else 1e-12
    assert mirrored.pvalue == pytest.approx(scaled.pvalue, rel=1e-12, abs=loose)


@pytest.mark.parametrize("scale", [1e301, 1e300, 1e-17, 1e-300, 1e-310, 5e-324])
def test_everything_about_scores_of_any_size(scale: float) -> None:
    scores = SHAPE * scale
    for effect in EFFECTS:
        found = sound(lambda e=effect: e(pair(scores)))
        low, high = found.confidence_interval()
        assert low <= found.estimate * (1 + 1e-12) <= high * (1 + 1e-9) or scale < 1e-300
    for method in ("shapiro-wilk", "lilliefors", "kolmogorov-smirnov"):
        found = sound(lambda m=method: rc.check_normality(scores, method=m))
        if scale > 1e-305:
            plain = rc.check_normality(SHAPE, method=method).pvalue
            assert found.pvalue == pytest.approx(plain, rel=1e-6)
    for design in (rc.Datasets(), rc.KFold(10), rc.FiveByTwo()):
        sound(lambda d=design: rc.compare(pair(scores, design=d)))
    other = scores[::-1] / 2
    for model in ("paired", "independent"):
        found = sound(
            lambda m=model: rc.observed_power(pair(scores, other), method="paired-ttest", model=m)
        )
        if scale > 1e-305:
            plain = rc.observed_power(pair(SHAPE, SHAPE[::-1] / 2), method="paired-ttest",
                                      model=model)  # fmt: skip
            assert found.power == pytest.approx(plain.power, rel=1e-9)
    both = np.array([scores, other, np.roll(scores, 3)])
    sound(lambda: rc.rank(table(both)))
    sound(lambda: rc.friedman_test(table(both)))
    sound(lambda: bayesian_matrix(table(both), draws=300))


def test_mixtures_negatives_and_losses() -> None:
    """1e300 beside 1e-300, negative scores, losses: mirrored, never NaN."""
    mixed = np.array([1e300, 1e-300, -1e300, 5e-324, 1.0, -1.0, 1e17, 1e-17, 0.0, 2e299])
    for method, design in TESTS.items():
        sound(lambda m=method, d=design: rc.METHODS[m].test(pair(mixed, design=d)))
        wins = rc.METHODS[method].test(pair(SHAPE - 5, -SHAPE - 5, design=design))
        losses = rc.METHODS[method].test(
            pair(-SHAPE - 5, SHAPE - 5, design=design, greater_is_better=False)
        )
        assert wins.pvalue == losses.pvalue
        assert wins.estimate == losses.estimate
    for effect in EFFECTS:
        sound(lambda e=effect: e(pair(mixed)))
    sound(lambda: rc.compare(pair(mixed)))
    sound(lambda: rc.rank(table(np.array([mixed, np.roll(mixed, 1)]))))


@pytest.mark.parametrize("size", [1.7e308, 1e308])
def test_scores_that_do_not_add_up_are_refused(size: float) -> None:
    with pytest.raises(rc.InvalidArgumentError, match="`first` must be scores whose differences"):
        pair(np.full(20, size))
    with pytest.raises(rc.InvalidArgumentError, match="`scores` must be small enough to add up"):
        rc.friedman_test(table(np.full((3, 20), size)))


def test_differences_below_round_off_are_ties() -> None:
    """0.8 + 1e-17 is 0.8; differences of 1e-17 between scores of 1e-17 are real."""
    same = pair(np.full(8, 0.8) + 1e-17, np.full(8, 0.8))
    assert sound(lambda: rc.paired_ttest(same)).pvalue == 1
    assert sound(lambda: rc.signed_rank(pair(np.arange(1, 9) * 1e-17))).pvalue == 2.0**-7


# --------------------------------------------------------------------------- ties and sizes
@pytest.mark.parametrize("n", [2, 3, 50, 51, 64, 65, 1000])
def test_all_ties_and_one_that_is_not(n: int) -> None:
    zeros, single = np.zeros(n), np.zeros(n)
    single[n // 2] = -1e-300
    for method in ("paired-ttest", "signed-rank", "sign-test", "sign-flip"):
        options = {"resamples": 999} if method == "sign-flip" else {}
        test = rc.METHODS[method].test
        assert sound(lambda t=test, o=options: t(pair(zeros), **o)).pvalue == 1
        found = sound(lambda t=test, o=options: t(pair(single), **o))
        if method != "paired-ttest":  # random patterns: a few errors below 1
            loose = 0.15 if method == "sign-flip" and n > 32 else 1e-12
            assert found.pvalue == pytest.approx(1, abs=loose)
        mirrored = sound(lambda t=test, o=options: t(pair(-single), **o))
        assert mirrored.pvalue == pytest.approx(found.pvalue, rel=1e-12)
        assert mirrored.estimate == -found.estimate
    for effect in EFFECTS:
        for row in (zeros, single):
            sound(lambda e=effect, r=row: e(pair(r)))
    assert sound(lambda: rc.compare(pair(single))).verdict.outcome == "inconclusive"


@pytest.mark.parametrize("n", [2, 7, 1000, 10**5, 10**6])
def test_sizes(n: int) -> None:
    row = np.random.default_rng(n).normal(0.3, 1, n)
    for method in ("paired-ttest", "signed-rank", "sign-test"):
        found = sound(lambda m=method: rc.METHODS[m].test(pair(row)))
        assert 0 <= found.pvalue <= 1
    holdout = rc.PairedScores(first=row > 0, second=row > 0.5, design=rc.Holdout(n))
    assert 0 <= sound(lambda: rc.mcnemar(holdout)).pvalue <= 1
    sound(lambda: rc.mcnemar(holdout, pvalue_method="mid-p"))
    for method in ("shapiro-wilk", "lilliefors", "kolmogorov-smirnov"):
        sound(lambda m=method: rc.check_normality(row, method=m))


def test_a_hundred_thousand_datasets() -> None:
    n = 10**5
    rng = np.random.default_rng(0)
    row = rng.normal(0.005, 1, n)
    found = sound(lambda: rc.sign_flip_test(pair(row), resamples=500))
    assert found.pvalue == pytest.approx(rc.paired_ttest(pair(row)).pvalue, abs=0.1)
    low, high = found.confidence_interval()
    assert (low, high) == pytest.approx(rc.paired_ttest(pair(row)).confidence_interval(), abs=2e-3)
    sound(lambda: rc.signed_rank_posterior(pair(row), draws=200))
    sound(lambda: rc.compare(pair(row)))
    scores = rng.normal(size=(3, n)) + np.array([[0.0], [0.003], [0.02]])
    found = sound(lambda: rc.rank(table(scores)))
    assert 0.5 < found.stability.first_stays <= 1
    sound(lambda: rc.friedman_test(table(scores)))


def test_sums_of_long_rows_stay_within_the_integers() -> None:
    """A hundred thousand equal gains: units of the 14th digit would add up to 1e19."""
    row = np.full(10**5, 0.99)
    row[0] = 0.5
    found = sound(lambda: rc.sign_flip_test(pair(row), resamples=200))
    assert found.pvalue == pytest.approx(2 / 201)


def test_long_exact_tests_are_refused_in_words() -> None:
    row = np.random.default_rng(0).normal(0, 1, 1001).round(2)
    row[row == 0] = 1.0
    with pytest.raises(rc.InvalidArgumentError, match="`pvalue_method` must be auto or normal"):
        rc.signed_rank(pair(row), pvalue_method="exact")
    for digits in (2, 9):
        row = np.random.default_rng(0).normal(0, 1, 1000).round(digits)
        exact = sound(lambda r=row: rc.signed_rank(pair(r), pvalue_method="exact")).pvalue
        assert exact == pytest.approx(
            rc.signed_rank(pair(row), pvalue_method="normal").pvalue, rel=2e-3
        )


# --------------------------------------------------------------------------- replication
def settled(found: Replication) -> Replication:
    """Check what holds of every chance of replication."""
    assert 0 <= found.interval.low <= found.probability <= found.interval.high <= 1
    low, high = found.as_published_interval
    assert 0 <= low <= found.as_published <= high <= 1
    assert 0 <= found.first_pvalue <= 1
    assert all(0 <= p <= 1 for p in (found.calibrated, found.flat, found.direction_probability))
    return found


@pytest.mark.parametrize("estimator", ["calibrated", "flat", "as-published"])
@pytest.mark.parametrize("folds", [2, 10, 1000, 10**6])
def test_statistics_to_1e300(folds: int, estimator: str) -> None:
    before = 0.0
    for t in (0.0, 1e-300, 1e-8, 1.0, 5.0, 30.0, 1e3, 1e6, 1e7, 1e9, 1e20, 1e300):
        ask = {"folds": folds, "estimator": estimator}
        found = settled(sound(lambda t=t, a=ask: rc.replicate(t=t, **a)))
        mirrored = rc.replicate(t=-t, **ask)
        assert mirrored.probability == found.probability
        assert found.probability >= before - 1e-9
        before = found.probability


@pytest.mark.parametrize("pvalue", [1e-300, 1e-180, 1e-100, 1e-17, 0.05, 1 - 1e-16])
def test_pvalues_down_to_1e_300(pvalue: float) -> None:
    for design in (rc.KFold(2), rc.KFold(4), rc.KFold(6), rc.KFold(10),
                   rc.RepeatedKFold(runs=10, folds=10),
                   rc.RandomSplits(splits=2, n_train=10**6, n_test=1),
                   rc.RandomSplits(splits=10**6, n_train=1, n_test=10**6),
                   rc.KFold(10**6), rc.Datasets(10**6)):  # fmt: skip
        found = settled(sound(lambda d=design: rc.replicate(pvalue=pvalue, design=d)))
        assert found.first_pvalue == pytest.approx(pvalue, rel=1e-9)
        assert found.better == "first"
        assert found.first_result.model.name == (
            "wilcoxon" if isinstance(design, rc.Datasets) else "corrected-t"
        )
        if not isinstance(design, rc.Datasets):
            assert found.first_result.model.statistic >= 0
    with pytest.raises(rc.InvalidArgumentError, match=r"`pvalue` must be at least 0.002, "):
        rc.replicate(pvalue=1e-300, design=rc.Datasets(10))


@pytest.mark.parametrize("estimator", ["calibrated", "flat", "as-published"])
def test_counts_from_one_to_a_million(estimator: str) -> None:
    for wins, n in ((0, 1), (0.5, 1), (1, 2), (5, 5), (0, 10**6), (5 * 10**5, 10**6), (10**6,) * 2):
        for model in ("sign", "bayesian"):
            found = settled(
                sound(
                    lambda w=wins, n=n, m=model: rc.replicate(
                        wins=w, datasets=n, model=m, estimator=estimator
                    )
                )
            )
            mirrored = rc.replicate(wins=n - wins, datasets=n, model=model, estimator=estimator)
            assert mirrored.probability == pytest.approx(found.probability, rel=1e-9, abs=1e-12)
    for b, c, n in ((0, 0, 1), (1, 0, 1), (10**6, 0, 10**6), (500_500, 499_500, 10**6),
                    (1, 0, 10**8)):  # fmt: skip
        ask = {"cases": n, "estimator": estimator}
        found = settled(sound(lambda b=b, c=c, a=ask: rc.replicate(discordant=(b, c), **a)))
        assert rc.replicate(discordant=(c, b), **ask).probability == found.probability
    for z, n in ((0, 1), (0, 10**6), (866.0, 10**6), (37.0, 2000), (1e-300, 20)):
        ask = {"datasets": n, "estimator": estimator}
        found = settled(sound(lambda z=z, a=ask: rc.replicate(z=z, **a)))
        assert rc.replicate(z=-z, **ask).probability == found.probability


@pytest.mark.parametrize("confidence", [1e-300, 0.5, 1 - 1e-10, 1 - 1e-16])
@pytest.mark.parametrize("estimator", ["calibrated", "flat", "as-published"])
def test_any_confidence(confidence: float, estimator: str) -> None:
    ask = {"confidence_level": confidence, "estimator": estimator}
    settled(sound(lambda: rc.replicate(t=3.0, folds=10, **ask)))
    settled(sound(lambda: rc.replicate(z=3.0, datasets=20, **ask)))
    settled(sound(lambda: rc.replicate(wins=15, datasets=20, **ask)))
    settled(sound(lambda: rc.replicate(discordant=(40, 20), cases=500, **ask)))
    sound(lambda: rc.empirical_replication(5, 10, confidence_level=confidence))
    for effect in EFFECTS:
        found = effect(pair(SHAPE))
        low, high = sound(lambda f=found: f.confidence_interval(confidence))
        if confidence < 0.5:
            continue
        assert low <= found.estimate + 1e-9
        assert found.estimate <= high + 1e-9
    low, high = rc.paired_ttest(pair(SHAPE)).confidence_interval(confidence)
    assert np.isfinite([low, high]).all()


@pytest.mark.parametrize("significance", [1e-300, 1e-20, 0.999999])
def test_any_level(significance: float) -> None:
    level = {"significance": significance}
    settled(sound(lambda: rc.replicate(t=3.0, folds=10, **level)))
    settled(sound(lambda: rc.replicate(z=3.0, datasets=20, **level)))
    settled(sound(lambda: rc.replicate(wins=15, datasets=20, **level)))
    settled(sound(lambda: rc.replicate(discordant=(40, 20), cases=500, **level)))
    weak = rc.power(0.1, rc.Datasets(20), **level).power
    strong = rc.power(0.5, rc.Datasets(20), **level).power
    assert significance < weak < strong <= 1
    assert 0 <= sound(lambda: rc.power_mcnemar(0.1, 0.05, cases=500, **level)).power <= 1
    for design in (rc.Datasets(), rc.KFold(10)):
        sound(lambda d=design: rc.compare(pair(SHAPE, design=d), **level))
        sound(lambda d=design: rc.plan(pair(SHAPE, design=d), **level))
    found = sound(lambda: rc.rank(table(np.array([SHAPE, -SHAPE])), **level))
    assert np.isfinite(found.critical_difference)
    result = rc.paired_ttest(pair(SHAPE))
    assert rc.decide(result, **level).significant == (result.pvalue < significance)


def test_posteriors_of_identical_and_constant_scores_replicate_like_the_scores() -> None:
    """Identical classifiers were once said to differ again with over 99%."""
    for row, chance in ((np.zeros(10), (0, 0.05)), (np.full(10, 0.3), (0.7, 0.95))):
        scores = pair(row, design=rc.KFold(10))
        with pytest.warns(DEGENERATE):
            posterior = rc.correlated_posterior(scores)
        found = rc.replicate(posterior)
        with pytest.warns(DEGENERATE):
            direct = rc.replicate(scores)
        assert found.probability == pytest.approx(direct.probability, rel=1e-12)
        assert chance[0] <= found.probability <= chance[1]


# --------------------------------------------------------------------------- planning
@pytest.mark.parametrize("effect", [1e-300, 1e-8, 0.5, 1e3, 1e6, 1e300])
def test_power_of_any_effect(effect: float) -> None:
    for n in (2, 20, 10**6):
        for method in ("paired-ttest", "signed-rank", "sign-test"):
            ask = {"method": method, "simulations": 500}
            found = sound(lambda n=n, a=ask: rc.power(effect, rc.Datasets(n), **a))
            assert 0 <= found.power <= 1
            assert rc.power(-effect, rc.Datasets(n), **ask).power == found.power
    # as published both directions count; else the right one, of a test that rejects less than its level
    for approach, least in (("shifted", 0.05 * (1 - 1e-9)), ("exact", 0.015)):
        ask = {"method": "corrected-ttest", "approach": approach}
        found = sound(lambda a=ask: rc.power(effect, rc.KFold(10), **a))
        assert least <= found.power <= 1
    if effect < 1e-3:
        with pytest.raises(rc.InvalidArgumentError, match="large enough for 1,000,000 datasets"):
            rc.sample_size(effect, method="paired-ttest")
    else:
        assert sound(lambda: rc.sample_size(effect, method="paired-ttest")) >= 2


def test_planning_at_the_extremes() -> None:
    assert sound(lambda: rc.sample_size(0.1, method="signed-rank")) > 700
    assert sound(lambda: rc.detectable_difference(rc.Datasets(300), method="sign-test")) > 0.1
    for n in (2, 10**6):
        assert sound(lambda n=n: rc.detectable_difference(rc.Datasets(n))) > 0
    assert sound(lambda: rc.power_mcnemar(0.3, 0.2, cases=10**7)).power == pytest.approx(1)
    assert rc.power_mcnemar(1e-300, 1e-300, cases=10).power == 0
    assert rc.power_mcnemar(0.3, 0.2, cases=10**6).power == pytest.approx(1, abs=1e-12)
    assert rc.smallest_pvalue("sign-test", rc.Datasets(10**6)) == 0
    assert sound(lambda: rc.required_pvalue(0.99, design=rc.KFold(10**6))) > 0
    assert sound(lambda: rc.required_pvalue(1e-9, design=rc.KFold(2))) == 1
    for first in (rc.replicate(t=1e6, folds=10), rc.replicate(t=0, folds=2),
                  rc.replicate(z=0, datasets=10**6), rc.replicate(wins=1, datasets=1),
                  rc.replicate(discordant=(0, 0), cases=1)):  # fmt: skip
        for estimator in ("calibrated", "flat", "as-published"):
            found = sound(lambda f=first, e=estimator: rc.plan(f, estimator=e))
            assert all(0 <= p <= 1 for p in found.probabilities)
        sound(lambda f=first: rc.replication_curve(f))


# --------------------------------------------------------------------------- mistakes
NAN = float("nan")
MISTAKES: list[Callable[[], Any]] = [
    lambda: rc.empirical_replication(NAN, 10),
    lambda: rc.empirical_replication(5, math.inf),
    lambda: rc.replicate(discordant=(NAN, 1), cases=10),
    lambda: rc.replicate(discordant=(math.inf, 1), cases=10),
    lambda: rc.replicate(wins=NAN, datasets=10),
    lambda: rc.replicate(t=NAN, folds=10),
    lambda: rc.replicate(z=math.inf, datasets=10),
    lambda: rc.replicate(pvalue=NAN, design=rc.KFold(10)),
    lambda: rc.required_pvalue(NAN, design=rc.KFold(10)),
    lambda: rc.power(NAN, rc.KFold(10)),
    lambda: rc.power(0.5, rc.Datasets(10), method="signed-rank", simulations=0),
    lambda: rc.power_mcnemar(NAN, 0, cases=10),
    lambda: rc.power_mcnemar(0.1, 0.1, cases=-1),
    lambda: rc.sample_size(NAN),
    lambda: rc.check_normality(np.array([1.0, NAN, 2.0])),
    lambda: rc.check_normality(np.array([1.0, math.inf, 2.0])),
    lambda: rc.check_normality(np.ones((3, 3))),
    lambda: rc.sign_flip_test(pair(np.arange(40.0)), resamples=0),
    lambda: rc.signed_rank_posterior(pair(SHAPE), rope=NAN),
    lambda: rc.signed_rank_posterior(pair(SHAPE), prior=math.inf),
    lambda: rc.signed_rank_posterior(pair(SHAPE), draws=2.5),
    lambda: rc.decide(rc.paired_ttest(pair(SHAPE)), significance=NAN),
    lambda: rc.Replicability.from_pvalues([0.1, 0.2], [1, NAN]),
    lambda: rc.Replicability.from_pvalues([0.1, NAN], [1, 1]),
    lambda: rc.Replicability.from_counts([NAN], 10),
    lambda: pair([1.0, NAN]),
    lambda: rc.friedman_test(table(np.array([[1.0, NAN], [1.0, 2.0]]))),
    lambda: rc.rank(table(np.array([[1.0, math.inf], [1.0, 2.0]]))),
]


@pytest.mark.parametrize("call", MISTAKES)
def test_what_is_not_a_number_is_refused_in_words(call: Callable[[], Any]) -> None:
    with pytest.raises(rc.ReplicastError, match=r"^(`\w+` must be|c0 lacks scores) .*\."):
        call()


def test_a_region_wider_than_any_score() -> None:
    assert rc.correlated_posterior(pair(SHAPE, design=rc.KFold(10)), rope=1e308).equivalent == 1
    assert rc.signed_rank_posterior(pair(SHAPE), rope=1e308).equivalent > 0.999
