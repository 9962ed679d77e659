"""One finding: whatever is compared can be planned, gated, judged and replicated."""

from typing import Any

import numpy as np
import pytest

import replicast as rc
from replicast.comparison.tasks import compare_tasks

RNG = np.random.default_rng(3)
TRUTH = (RNG.random(300) < 0.5).astype(int)
GOOD, POOR = (TRUTH * gap + RNG.normal(size=300) for gap in (1.6, 0.9))
SEEDED = [GOOD + RNG.normal(0, 0.3, (4, 300)) > 0.5, POOR + RNG.normal(0, 0.3, (4, 300)) > 0.5]
TASKS = {
    name: rc.PairedCases(first=RNG.normal(0.3, 1, 80), second=RNG.normal(0, 1, 80))
    for name in ("maths", "law")
}
FINDINGS: dict[str, Any] = {
    "auc": rc.compare_measure("auc", TRUTH, GOOD, POOR),
    "clustered": rc.compare_measure("auc", TRUTH, GOOD, POOR, clusters=[*range(60)] * 5),
    "f1": rc.compare_measure(
        "f1", TRUTH, (GOOD > 0.5).astype(int), (POOR > 0.5).astype(int), resamples=500
    ),
    "crossed": rc.compare_seed_cases(*SEEDED),
    "tasks": compare_tasks(TASKS),
}
EVERY = pytest.mark.parametrize("name", FINDINGS)


@EVERY
def test_a_finding_has_the_chance_of_its_first_result(name: str) -> None:
    found = FINDINGS[name]
    again = rc.replicate(found)
    assert found.replication.probability == again.probability
    assert again.first_pvalue == found.pvalue


@EVERY
def test_a_finding_can_be_planned(name: str) -> None:
    found = FINDINGS[name]
    planned = rc.plan(found, probability=0.9)
    assert planned.vary == "cases"
    assert planned.current == found.n
    assert planned.now == pytest.approx(found.replication.probability)


@EVERY
def test_a_finding_can_be_gated(name: str) -> None:
    found = FINDINGS[name]
    gate = rc.gate(found, margin=0.05, significance=0.025)
    low, high = found.confidence_interval(0.95)
    assert (gate.outcome == "pass") == (low > -0.05)
    assert (gate.outcome == "fail") == (high < -0.05)
    assert gate.interval == pytest.approx((low, high), rel=1e-5)
    assert gate.difference == found.estimate
    assert gate.means == (found.first, found.second)
    assert gate.more().startswith(gate.outcome.upper())
    assert gate.to_dict()["outcome"] == gate.outcome


@EVERY
def test_a_finding_can_be_judged(name: str) -> None:
    found = FINDINGS[name]
    judged = rc.judge(found, found)
    assert judged.original.pvalue == judged.replication.pvalue == found.pvalue
    assert judged.forecast.probability == pytest.approx(found.replication.probability)
    assert judged.estimates.original == pytest.approx(found.estimate)


@EVERY
def test_a_finding_has_words_and_a_record(name: str) -> None:
    found = FINDINGS[name]
    assert found.names[0] in str(found)
    told = found.to_dict()
    assert told["pvalue"] == found.pvalue
    better = {1.0: "first better", -1.0: "second better"}[np.sign(found.estimate)]
    assert told["verdict"]["outcome"] == (better if found.pvalue < 0.05 else "inconclusive")
    assert told["significant"] == told["verdict"]["significant"] == (found.pvalue < 0.05)
    assert ("seed_share" in told) == (name == "crossed")
    assert found.evidence.confidence_interval() == found.confidence_interval()


@pytest.mark.filterwarnings(
    "ignore::replicast.errors.DegenerateScoresWarning"
)  # equal differences are meant
def test_equal_differences_out_of_folds_are_no_coin_tosses() -> None:
    truth, wrong = np.ones(20), np.zeros(20)
    pair = rc.PairedPredictions(truth=truth, first=truth, second=wrong, folds=5)
    found = rc.compare_measure("accuracy", truth, truth, wrong, folds=5)
    assert found.pvalue == rc.corrected_case_ttest(pair).pvalue == 2.0**-4


def test_a_method_beside_a_finding_is_refused() -> None:
    with pytest.raises(rc.InvalidArgumentError, match="left out for DeLong"):
        rc.gate(FINDINGS["auc"], margin=0.1, method="case-ttest")


def test_no_difference_cannot_be_planned() -> None:
    same = rc.compare_measure("auc", TRUTH, GOOD, GOOD)
    assert same.replication is None
    with pytest.raises(rc.InvalidArgumentError, match="a result that could be replicated"):
        rc.plan(same)


def test_a_comparison_is_taken_wherever_scores_are() -> None:
    scores = rc.PairedScores(
        first=RNG.normal(0.85, 0.02, 10), second=RNG.normal(0.8, 0.02, 10), design=rc.KFold(10)
    )
    found = rc.compare(scores)
    assert found.replication is not None
    assert rc.plan(found, vary="runs").now == rc.plan(scores, vary="runs").now
    assert rc.gate(found, margin=0.1).pass_pvalue == rc.gate(scores, margin=0.1).pass_pvalue
    fresh = rc.PairedScores(
        first=RNG.normal(0.85, 0.02, 10), second=RNG.normal(0.8, 0.02, 10), design=rc.KFold(10)
    )
    assert rc.judge(found, rc.compare(fresh)).outcome == rc.judge(scores, fresh).outcome


def test_two_means_are_planned_and_judged_by_their_least_reading() -> None:
    found = rc.replicate(means=(93.4, 92.1), sds=(1.2, 1.0), folds=10)
    assert rc.replicate(found).probability == found.low
    assert rc.plan(found, probability=0.8).now == pytest.approx(found.low)
    judged = rc.judge(found, rc.replicate(means=(93.0, 92.2), sds=(1.2, 1.0), folds=10))
    assert judged.unit == "standard errors"
    assert judged.forecast.probability == pytest.approx(found.low)
