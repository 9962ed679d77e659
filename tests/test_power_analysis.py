"""Power, sample size, and what a design can never show."""

import dataclasses

import numpy as np
import pytest

import independent as check
import replicast as rc
from goldens import published
from replicast import InvalidArgumentError, power_analysis


@pytest.mark.parametrize("n", [5, 10, 30])
@pytest.mark.parametrize("effect", [0.2, 0.8])
def test_exact_power_by_integration(n: int, effect: float) -> None:
    found = rc.power(effect, rc.Datasets(n), method="paired-ttest")
    assert found.power == pytest.approx(float(check.power_t_exact(effect, n, 0.0, 0.05)), rel=1e-7)
    shifted = rc.power(effect, rc.KFold(n), method="paired-ttest", approach="shifted")
    assert shifted.power == pytest.approx(
        float(check.power_t_shifted(effect, n, 0.0, 0.05)), abs=2e-3
    )


@pytest.mark.parametrize("method", ["signed-rank", "sign-flip"])
def test_simulated_power_counts_rejections(method: str) -> None:
    found = rc.power(0.6, rc.Datasets(15), method=method)
    rows = np.random.default_rng(9).normal(0.6, 1, size=(4000, 15))
    rate = np.mean(rc.METHODS[method].batch_pvalues(rows, rc.Datasets(15)) < 0.05)
    assert found.power == pytest.approx(rate, abs=0.03)
    assert found.approach == "simulated"
    assert 0.001 < found.monte_carlo_error < 0.01


@pytest.mark.parametrize(("n", "effect"), [(6, 1.0), (15, 0.6), (60, 0.3)])
def test_power_of_a_posterior_is_its_own(n: int, effect: float) -> None:
    found = rc.power(effect, rc.Datasets(n), method="signed-rank-posterior")
    rows = np.random.default_rng(9).normal(effect, 1, size=(600, n))
    pvalues = rc.METHODS["signed-rank-posterior"].batch_pvalues(rows, rc.Datasets(n), draws=2000)
    assert found.power == pytest.approx(np.mean(pvalues < 0.05), abs=0.08)
    assert found.approach == "simulated"


def test_signed_rank_power_against_brute_force() -> None:
    slow = check.power_wilcoxon_simulated(0.7, 1.0, 9, 0.05, 400, 3)
    assert rc.power(0.7, rc.Datasets(9), method="signed-rank").power == pytest.approx(
        slow, abs=0.08
    )


def test_published_wilcoxon_power_treats_scores_as_independent() -> None:
    case = published("neumann_2021")["case_t"]
    scores = rc.PairedScores(first=case["one_nn"], second=case["three_nn"], design=rc.KFold(10))
    paired = rc.observed_power(scores, method="signed-rank")
    independent = rc.observed_power(scores, method="signed-rank", model="independent")
    assert independent.power < paired.power  # the scores are positively correlated


def test_sample_size_is_the_least() -> None:
    for effect in (0.3, 0.7, 1.5):
        n = rc.sample_size(effect, method="paired-ttest")
        assert rc.power(effect, rc.Datasets(n)).power >= 0.8
        assert rc.power(effect, rc.Datasets(n - 1)).power < 0.8
    assert rc.sample_size(0.5) == pytest.approx(36, abs=2)  # Wilcoxon needs 1/0.955 as many


def test_detectable_difference_inverts_power() -> None:
    found = rc.detectable_difference(rc.RepeatedKFold(runs=10, folds=10), method="corrected-ttest")
    again = rc.power(found, rc.RepeatedKFold(runs=10, folds=10), method="corrected-ttest")
    assert again.power == pytest.approx(0.8, abs=1e-6)


def test_smallest_pvalue() -> None:
    assert rc.smallest_pvalue("signed-rank", rc.Datasets(6)) == 0.03125
    assert rc.smallest_pvalue("corrected-ttest", rc.KFold(10)) == 0
    scores = rc.PairedScores(first=[5, 6, 7, 8, 9], second=[1, 1, 1, 1, 1], design=rc.Datasets())
    found = rc.compare(scores)
    assert found.evidence.pvalue == found.smallest_pvalue == 0.0625
    assert str(found.cautions[0]) == (
        "5 scores cannot give p < 0.05 in this test: its smallest possible p is 0.0625. "
        "Use at least 6."
    )


def test_mcnemar_power_by_enumeration() -> None:
    n, p, q = 12, 0.5, 0.1
    total = 0.0
    from math import comb

    for b in range(n + 1):
        for c in range(n + 1 - b):
            mass = comb(n, b) * comb(n - b, c) * p**b * q**c * (1 - p - q) ** (n - b - c)
            total += mass * (b + c > 0 and check.mcnemar_exact(b, c) < 0.05)
    assert rc.power_mcnemar(p, q, cases=n).power == pytest.approx(total, rel=1e-9)
    assert rc.power_mcnemar(0, 0, cases=n).power == 0


def test_power_curve_has_a_row_for_each_design() -> None:
    rows = rc.power_curve([0.1, 0.71, 1.2], [rc.KFold(10), rc.KFold(25), rc.KFold(50)])
    assert [row[1].power for row in rows] == sorted(row[1].power for row in rows)
    assert [[item.effect for item in row] for row in rows] == [[0.1, 0.71, 1.2]] * 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: rc.power(0.5, rc.Datasets()),
            "`design` must be a design with at least two scores",
        ),
        (lambda: rc.power(float("nan"), rc.KFold(3)), "`effect` must be a finite number, got nan."),
        (lambda: rc.power(1, rc.KFold(3), method="t"), "`method` must be one of paired-ttest"),
        (
            lambda: rc.power(1, rc.KFold(3), significance=5),
            "`significance` must be a number strictly",
        ),
        (
            lambda: rc.sample_size(0),
            "`effect` must be a finite number other than 0, got 0. No number",
        ),
        (
            lambda: rc.detectable_difference(rc.Datasets(4), method="sign-test"),
            "`design` must be able",
        ),
        (lambda: rc.power_mcnemar(0.9, 0.3, cases=5), "`second_only` must be a rate that leaves"),
    ],
)
def test_bad_plans_get_their_sentence(call, message) -> None:
    with pytest.raises(InvalidArgumentError) as error:
        call()
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("method", ["signed-rank", "sign-flip", "trimmed-ttest"])
@pytest.mark.parametrize("effect", [0.0, 0.03, 0.08, 0.12])
def test_large_samples_agree_with_simulation(method: str, effect: float) -> None:
    n = power_analysis.MOST_SIMULATED
    found = rc.power(effect, rc.Datasets(n), method=method, simulations=4000, rng=1)
    assert found.approach == "simulated"
    rule = rc.METHODS[method].power["large-sample"]
    simulated, computed = found.power, sum(rule(effect, n, rc.Datasets(n), 0.05))
    error = np.sqrt(max(computed * (1 - computed), 0.02) / 4000)
    assert abs(simulated - computed) < 3.5 * error + (0.005 if method == "sign-flip" else 0)


def test_a_hundred_thousand_datasets() -> None:
    found = rc.power(0.01, rc.Datasets(100_000), method="signed-rank")
    assert (found.approach, found.monte_carlo_error) == ("large-sample", 0.0)
    assert found.power == pytest.approx(0.87, abs=0.01)  # ncp 3.16 of the t-test, efficiency 3/pi
    assert rc.sample_size(0.01, probability=0.9, method="signed-rank") > 100_000


@pytest.mark.parametrize(
    ("method", "n"), [("signed-rank", 51), ("signed-rank", 200), ("sign-flip", 60)]
)
def test_the_smallest_pvalue_is_that_of_a_win_everywhere(method: str, n: int) -> None:
    everywhere = rc.PairedScores(
        first=np.arange(1.0, n + 1), second=np.zeros(n), design=rc.Datasets()
    )
    found = rc.METHODS[method].test(everywhere).pvalue
    assert rc.smallest_pvalue(method, rc.Datasets(n)) == pytest.approx(found, rel=1e-9)


@pytest.mark.parametrize("effect", [0.0, 0.5, 2.0])
def test_power_of_the_five_by_two_ttest_is_what_simulation_finds(effect: float) -> None:
    """Its first difference is in its own denominator, so that T is not noncentral t."""
    rows = np.random.default_rng(77).normal(effect, 1, (40_000, 10))
    found = (rc.METHODS["five-by-two-ttest"].batch_pvalues(rows, rc.FiveByTwo()) < 0.05).mean()
    told = rc.power(effect, rc.FiveByTwo(), method="five-by-two-ttest")
    assert told.approach == "simulated"
    assert told.power == pytest.approx(found, abs=0.015)


def test_a_test_without_a_formula_on_cases_is_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    known = rc.METHODS["mcnemar"]
    without = dataclasses.replace(known, name="unknown", cases_power=None)
    monkeypatch.setattr(power_analysis, "METHODS", {"unknown": without})
    truth = np.ones(120)
    first, second = truth.copy(), truth.copy()
    first[:10], second[10:34] = 0, 0
    pair = rc.PairedScores(first=first, second=second, design=rc.Holdout())
    found = rc.observed_power(pair, method="unknown")
    exact = sum(known.cases_power(24 / 120, 10 / 120, 120, 0.05))
    assert found.approach == "simulated"
    assert found.power == pytest.approx(exact, abs=4 * found.monte_carlo_error)
    assert 0.3 < exact < 0.9


@pytest.mark.parametrize("method", sorted(rc.METHODS))
def test_a_design_a_test_does_not_allow_has_no_power(method: str) -> None:
    for design in (rc.Datasets(12), rc.KFold(10), rc.FiveByTwo(), rc.Holdout(40)):
        if rc.METHODS[method].allows(design) and not design.binary:
            assert 0 <= rc.power(1.0, design, method=method, simulations=50).power <= 1
        else:
            with pytest.raises(InvalidArgumentError, match=r"^`design` must be"):
                rc.power(1.0, design, method=method)


def test_smallest_pvalues_of_unknown_tests_are_not_made_up() -> None:
    with pytest.raises(InvalidArgumentError, match="`method` must be one of paired-ttest"):
        rc.smallest_pvalue("signed-ranks", rc.Datasets(5))


def test_many_scores_without_a_formula_are_simulated_in_few_runs() -> None:
    without = dataclasses.replace(rc.METHODS["paired-ttest"], name="unknown", power={})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(power_analysis, "METHODS", {"unknown": without})
        found = rc.power(0.01, rc.Datasets(100_000), method="unknown")
    assert found.approach == "simulated"
    assert found.power == pytest.approx(rc.power(0.01, rc.Datasets(100_000)).power, abs=0.1)
    assert 0.01 < found.monte_carlo_error < 0.05


def test_power_under_cross_validation_allows_for_how_t_varies() -> None:
    """Reviewed over 12 worlds: one 10-fold run detects 1.37 and not 1.45, ten runs 0.946."""
    one, ten = (
        rc.detectable_difference(design, method="corrected-ttest")
        for design in (rc.KFold(10), rc.RepeatedKFold(runs=10, folds=10))
    )
    assert (one, ten) == pytest.approx((1.368, 0.946), abs=1e-3)
    splits = rc.power(
        0.5, rc.RandomSplits(splits=10, n_train=90, n_test=10), method="corrected-ttest"
    )
    folds = rc.power(0.5, rc.KFold(10), method="corrected-ttest")
    assert splits.power != pytest.approx(folds.power, abs=0.005)  # kappa is not the same


@pytest.mark.parametrize("method", ["corrected-ttest", "five-by-two-ftest"])
def test_found_counts_the_right_direction_only(method: str) -> None:
    design = rc.KFold(10) if method == "corrected-ttest" else rc.FiveByTwo()
    none, small = (rc.power(effect, design, method=method) for effect in (0.0, 0.2))
    assert none.found == pytest.approx(none.power / 2, abs=0.01)
    assert none.found < small.found < small.power
    assert rc.power_mcnemar(0.04, 0.08, cases=500).found == pytest.approx(
        rc.power_mcnemar(0.08, 0.04, cases=500).found
    )


@pytest.mark.parametrize(("effect", "expected"), [(0.3, 154), (0.5, 61), (0.8, 25)])
def test_the_sign_test_has_enough_with_every_larger_number(effect: float, expected: int) -> None:
    found = rc.sample_size(effect, method="sign-test")
    powers = [
        rc.power(effect, rc.Datasets(n), method="sign-test").power
        for n in range(found - 1, 3 * found)
    ]
    assert powers[0] < 0.8 <= min(powers[1:])
    assert found == expected
