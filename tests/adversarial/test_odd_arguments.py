"""Whatever is given for an argument, the answer is an answer or one sentence, never a traceback."""

import inspect
import math
from typing import Any

import numpy as np
import pytest

import replicast as rc

RNG = np.random.default_rng(0)
FOLDS = rc.PairedScores(first=RNG.random(10) + 0.1, second=RNG.random(10), design=rc.KFold(10))
SETS = rc.PairedScores(first=RNG.random(12) + 0.1, second=RNG.random(12), design=rc.Datasets())
HALVES = rc.PairedScores(first=RNG.random(10), second=RNG.random(10), design=rc.FiveByTwo())
CASES = rc.PairedPredictions(truth=[1, 0, 1], first=[1, 1, 0], second=[0, 0, 1])
TABLE = rc.ScoreTable(
    classifiers=("a", "b", "c"),
    datasets=tuple(f"d{i}" for i in range(8)),
    scores=RNG.random((3, 8, 1, 1)),
    design=rc.Datasets(8),
)
LEVELS = {"significance": 0.05, "confidence": 0.95}

CALLS: dict[str, dict[str, Any]] = {
    "KFold": {"folds": 10},
    "RepeatedKFold": {"runs": 10, "folds": 10},
    "RandomSplits": {"splits": 10, "n_train": 90, "n_test": 10},
    "Datasets": {"count": 10},
    "Holdout": {"cases": 10},
    "PairedScores": {"first": [0.1, 0.2], "second": [0, 0], "design": rc.KFold(2), "names": ("a", "b")},
    "PairedPredictions": {"truth": [1, 0], "first": [1, 1], "second": [0, 0], "names": ("a", "b")},
    "replication_from_t": {
        "t": 2.5, "folds": 10, "runs": 1, "estimator": "flat", "data_factor": 1.0, **LEVELS,
    },
    "replication_from_z": {"z": 2.4, "datasets": 20, "spread": 1.0, "estimator": "flat", **LEVELS},
    "replication_from_wins": {"wins": 9, "datasets": 10, **LEVELS},
    "replication_from_pvalue": {"pvalue": 0.01, "design": rc.KFold(10), **LEVELS},
    "replication_from_discordant": {"first_only": 30, "second_only": 10, "cases": 100, **LEVELS},
    "required_pvalue": {"probability": 0.8, "design": rc.KFold(10), "significance": 0.05},
    "replication_probability": {"evidence": SETS, "spread": 1.0, "rng": 0, **LEVELS},
    "empirical_replication": {"significant": 8, "replications": 10, "confidence": 0.95},
    "plan": {"evidence": FOLDS, "probability": 0.8, "significance": 0.05},
    "compare": {"scores": FOLDS, "method": None, "significance": 0.05},
    "compare_many": {"table": TABLE, "control": None, "significance": 0.05, "correction": "holm"},
    "decide": {"evidence": rc.corrected_ttest(FOLDS), "significance": 0.05, "rope": None},
    "friedman_test": {"table": TABLE},
    "bayesian_matrix": {"table": TABLE, "rope": 0.01, "draws": 100},
    "power": {"effect": 1.0, "design": rc.KFold(10), "method": "paired-ttest", "significance": 0.05},
    "power_curve": {"effects": [1.0], "designs": [rc.KFold(10)], "method": "paired-ttest"},
    "power_mcnemar": {"first_only": 0.2, "second_only": 0.1, "cases": 100, "significance": 0.05},
    "sample_size": {"effect": 1.0, "probability": 0.8, "method": "paired-ttest"},
    "detectable_difference": {"design": rc.KFold(10), "probability": 0.8, "method": "paired-ttest"},
    "judge": {
        "original": FOLDS, "replication": (0.1, 0.05), "method": None, "significance": 0.05,
        "data": "unknown", "data_factor": 1.0,
    },
    "judge_estimates": {
        "estimate": 1.0, "se": 1.0, "replication_estimate": 1.0, "replication_se": 1.0,
        "confidence": 0.95,
    },
    "gate": {
        "scores": FOLDS, "margin": 0.1, "goal": "not-worse", "significance": 0.05, "method": None,
        "required_power": None,
    },
    "Monitor": {
        "names": ("a", "b"), "significance": 0.05, "bounds": (0.0, 1.0), "total": 10, "design": None,
    },
    "RegisteredPlan": {
        "first": "a", "second": "b", "design": rc.KFold(10), "method": "", "significance": 0.05,
        "goal": None, "margin": None, "registered": "2026-01-01",
    },
    "smallest_pvalue": {"method": "signed-rank", "design": rc.Datasets(5)},
    "corrected_ttest": {"scores": FOLDS, "alternative": "two-sided", "scheme": "all"},
    "correlated_posterior": {"scores": FOLDS, "rope": 0.0},
    "signed_rank_posterior": {"scores": SETS, "rope": 0.0, "prior": 0.5, "draws": 100, "rng": 0},
    "sign_flip_test": {"scores": SETS, "resamples": 100, "rng": 0, "alternative": "two-sided"},
    "check_normality": {"differences": RNG.random(10), "method": "shapiro-wilk"},
    "standardized_difference": {"scores": FOLDS},
    "accuracy_difference": {"scores": CASES},
    "replication_curve": {"found": rc.replication_from_t(2.5, folds=10)},
    "read_scores": {
        "source": {"t.csv": b"dataset,a,b\nx,1,2\ny,2,2\n"}, "design": None, "metric": "accuracy",
        "greater_is_better": None, "classifiers": None, "dataset": None, "rows": None, "where": None,
        "sheet": None,
    },
}  # fmt: skip
for method in rc.METHODS.values():  # every test, with its options as they are unless told
    pair = next(each for each in (SETS, FOLDS, HALVES, CASES.scores) if method.allows(each.design))
    options = list(inspect.signature(method.test).parameters.values())[1:]
    usual = {option.name: option.default for option in options}
    CALLS.setdefault(method.test.__name__, {"scores": pair, **usual})
ODD = (
    "2", "", b"x", None, True, object(), 1j, {}, [1.0], math.nan, math.inf, -math.inf, -1, 0, 2.5,
    1e308, 10**30, np.float64(0.5), np.int64(3), np.array(0.5),
)  # fmt: skip


def test_the_calls_are_right() -> None:
    for name, arguments in CALLS.items():
        getattr(rc, name)(**arguments)


@pytest.mark.parametrize(
    ("name", "argument"), [(name, argument) for name in CALLS for argument in CALLS[name]]
)
@pytest.mark.filterwarnings(
    "ignore::replicast.DegenerateScoresWarning"
)  # equal differences are meant here
def test_odd_arguments(name: str, argument: str) -> None:
    for odd in ODD:
        try:
            getattr(rc, name)(**{**CALLS[name], argument: odd})
        except rc.ReplicastError as error:
            told = str(error)
            assert told.endswith((".", "?")), told
            assert "\n" not in told
