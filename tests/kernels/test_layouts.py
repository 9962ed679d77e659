"""How differences vary over fresh data, against sums by hand and a simulation."""

import math

import numpy as np
import pytest

import independent
from replicast.kernels import layouts


@pytest.mark.parametrize(
    ("runs", "kappa"), [(1, 0.761), (2, 0.807), (3, 0.829), (5, 0.850), (10, 0.868)]
)
def test_kappa_of_ten_folds(runs: int, kappa: float) -> None:
    layout = layouts.fold_layout(10, runs, 1 / 9)
    assert layout.inflation == pytest.approx(kappa, abs=5e-4)
    assert layout.df == 10 * runs - 1
    shared = (0.16 + 0.04 / runs) * 10 / 9
    assert layout.variance == pytest.approx(1 - 0.3 * (1 - 1 / runs) + shared)
    plain = layouts.fold_layout(10, runs, 1 / 9, corrected=False)
    assert plain.inflation == pytest.approx(math.sqrt(layout.variance * runs))


def test_endless_runs_keep_their_degrees_of_freedom_finite() -> None:
    assert layouts.fold_layout(10, 1e9, 1 / 9).df == 1e7


@pytest.mark.parametrize(
    ("splits", "tested", "measured"),
    [
        (10, 0.1, (0.866, 0.994)),  # medians of pairs in the worlds to fit on
        (20, 0.2, (0.683, 0.846)),
        (30, 0.33, (0.549, 0.695)),
        (100, 0.3, (0.547, 0.683)),
        (30, 0.5, (0.375, 0.511)),
    ],
)
def test_kappa_of_random_splits(splits: int, tested: float, measured: tuple[float, float]) -> None:
    layout = layouts.split_layout(splits, tested)
    assert measured[0] < layout.inflation < measured[1]
    shared = tested * (1 - tested) ** 1.75
    mean = shared + (1 - shared) / splits
    expected = mean / (1 / splits + tested / (1 - tested))
    assert layout.inflation == pytest.approx(math.sqrt(expected))
    assert layout.variance == pytest.approx(mean / tested)
    assert layout.df == splits - 1
    plain = layouts.split_layout(splits, tested, corrected=False)
    assert plain.inflation == pytest.approx(math.sqrt(mean * splits))


def test_the_variance_of_splits_is_that_of_correlated_means() -> None:
    rng = np.random.default_rng(3)
    splits, tested, cases = 20, 0.2, 100
    shared = tested * (1 - tested) ** 1.75
    common = rng.normal(scale=math.sqrt(shared), size=(40_000, 1))
    own = rng.normal(scale=math.sqrt(1 - shared), size=(40_000, splits))
    means = (common + own).mean(axis=1) / math.sqrt(tested * cases)
    found = layouts.split_layout(splits, tested).variance / cases
    assert means.var() == pytest.approx(found, rel=0.03)


def test_noise_of_cases_by_hand() -> None:
    cases = np.array([[1.0, 0.0, -1.0, 1.0, 1.0], [1.0, 1.0, 0.0, 0.0, 1.0]])
    single = (independent.variance(cases[0].tolist()) + independent.variance(cases[1].tolist())) / 2
    layout = layouts.Layout(19, 1.25, 0.9)
    found = layouts.case_noise(cases, layout)
    assert found == pytest.approx(math.sqrt(1.25 * single / 5), rel=1e-13)
    assert type(found) is float


def test_noise_of_classifiers_that_hardly_disagree() -> None:
    layout = layouts.Layout(9, 1.2, 0.8)
    for cases in (np.zeros((1, 20)), np.ones((2, 20))):
        assert layouts.case_noise(cases, layout) == pytest.approx(math.sqrt(1.2 / 20 / 20))


def test_implied_variance_lies_between_least_disagreement_and_independence() -> None:
    for first, second in ((0.8, 0.8), (0.9, 0.7), (0.99, 0.5), (0.55, 0.6)):
        gap = abs(first - second)
        independent_errors = first * (1 - second) + second * (1 - first) - gap**2
        found = layouts.implied_variance(first, second)
        assert gap - gap**2 < found < independent_errors
        assert found == layouts.implied_variance(second, first)
    assert layouts.implied_variance(0.8, 0.8) == pytest.approx(0.39 * 0.32)
    assert layouts.implied_variance(1.0, 1.0) == 0
    assert layouts.implied_variance(1.0, 0.0) == 0


def test_moderated_error_weighs_both_estimates_of_the_noise() -> None:
    differences = np.array([0.02, 0.05, 0.01, 0.04, 0.03])
    own = independent.variance(differences.tolist())
    implied = layouts.implied_variance(0.85, 0.82) / 40
    variance = (30 * implied + 4 * own) / 34
    found = layouts.moderated_error(differences, 0.25, (0.85, 0.82), 40)
    assert found == pytest.approx(math.sqrt(variance * (1 / 5 + 0.25)), rel=1e-12)
    assert type(found) is float


def test_equal_folds_leave_half_a_case_of_doubt() -> None:
    same = np.full(10, 0.1)
    found = layouts.moderated_error(same, 1 / 9, (1.0, 0.9), 20)
    implied = layouts.implied_variance(1.0, 0.9) / 20
    assert found == pytest.approx(math.sqrt(30 / 39 * implied * (1 / 10 + 1 / 9)))
    perfect = layouts.moderated_error(np.zeros(10), 1 / 9, (1.0, 1.0), 20)
    assert perfect == pytest.approx(math.sqrt(30 / 39 * 0.5 / 20 / 20 * (1 / 10 + 1 / 9)))
