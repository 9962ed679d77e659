"""Whatever is given for an argument, the answer is an answer or one sentence, never a traceback.

Everything the reference lists is walked: a name without a call here fails, and every parameter in its
signature gets every odd value.
"""

import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from docs import site_hooks
from sklearn.model_selection import KFold, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB

import replicast as rc

NAMES = site_hooks.documented()
RNG = np.random.default_rng(0)
FOLDS = rc.PairedScores(first=RNG.random(10) + 0.1, second=RNG.random(10), design=rc.KFold(10))
HALVES = rc.PairedScores(first=RNG.random(10) + 0.1, second=RNG.random(10), design=rc.FiveByTwo())
SETS = rc.PairedScores(first=RNG.random(12) + 0.1, second=RNG.random(12), design=rc.Datasets())
CASES = rc.PairedPredictions(truth=[1, 0, 1], first=[1, 1, 0], second=[0, 0, 1])
GRADED = rc.PairedCases(first=RNG.random((9, 2)) + 0.1, second=RNG.random(9), clusters="aabbccdde")
TABLE = rc.ScoreTable(
    classifiers=("a", "b", "c"),
    datasets=tuple(f"d{i}" for i in range(8)),
    scores=RNG.random((3, 8, 1, 1)),
    design=rc.Datasets(8),
)
X, Y = RNG.random((40, 2)), np.tile([0, 1], 20)
MODELS = (GaussianNB(), GaussianNB(var_smoothing=0.1))
EXPERIMENT = rc.Experiment(*MODELS, X, Y)
AUDIT = rc.audit(EXPERIMENT, tests=["corrected-cv-1"], reruns=2)
PAIR = rc.compare(FOLDS)
MANY = rc.rank(TABLE)
REPLICATION = rc.replicate(t=2.5, folds=10)
PLAN = rc.plan(rc.replicate(t=4.0, folds=10), probability=0.8)
GATE = rc.gate(FOLDS, margin=0.02)
JUDGEMENT = rc.judge((3.1, 1.2), (2.0, 1.0))
MONITOR = rc.Monitor()
MONITOR.add_many([1, 0, 1], [0, 0, 1])
LOOK = MONITOR.look()
LEDGER = rc.Ledger("ledger.jsonl")  # each test has a folder of its own
CALIBRATION = LEDGER.calibration()

SEEDS = rc.PairedScores(first=RNG.random(5), second=RNG.random(5), design=rc.Seeds(5))
UNSPLIT = rc.PairedScores(first=RNG.random(5), second=RNG.random(5), design=rc.Seeds(5, split=None))
OUT_OF_FOLDS = rc.PairedScores(
    first=RNG.random(20), second=RNG.random(20), design=rc.CrossValidatedCases(folds=4)
)
PAIRS = (SETS, FOLDS, HALVES, CASES, GRADED, SEEDS, OUT_OF_FOLDS)
TESTS = {
    method.test.__name__: {"scores": next(p for p in PAIRS if method.allows(p.design))}
    for method in rc.METHODS.values()
}
CALLS: dict[str, dict[str, Any]] = {
    **TESTS,
    "accuracy_difference": {"scores": CASES},
    "cliffs_delta": {"scores": FOLDS},
    "compare": {"scores": FOLDS},
    "gate": {"scores": FOLDS, "margin": 0.02},
    "mean_difference": {"scores": FOLDS},
    "probability_of_superiority": {"scores": FOLDS},
    "rank_biserial": {"scores": SETS},
    "rank_effect": {"scores": SETS},
    "standardized_difference": {"scores": FOLDS},
    "Cases": {},
    "Datasets": {},
    "Experiment": {"first": MODELS[0], "second": MODELS[1], "X": X, "y": Y},
    "FiveByTwo": {},
    "Holdout": {},
    "Ledger": {"path": "ledger.jsonl"},
    "Monitor": {},
    "KFold": {},
    "PairedCases": {"first": [0.5, 0.1], "second": [0.4, 0.2], "clusters": [1, 2]},
    "PairedPredictions": {"truth": [1, 0], "first": [1, 1], "second": [0, 0]},
    "PairedScores": {"first": [0.1, 0.2], "second": [0, 0], "design": rc.KFold(2)},
    "RandomSplits": {"splits": 10, "n_train": 90, "n_test": 10},
    "RepeatedKFold": {},
    "ScoreTable": {
        "classifiers": ("a", "b"), "datasets": ("d",), "scores": np.ones((2, 1, 1, 1)),
        "design": rc.Datasets(1),
    },
    "Seeds": {"count": 5},
    "Spread": {"value": 1.0, "source": "given"},
    "TrainTest": {"X_train": X, "y_train": Y, "X_test": X, "y_test": Y},
    "assert_not_worse": {
        "candidate": FOLDS.first, "baseline": FOLDS.second, "margin": 0.5, "design": rc.KFold(10),
        "unsure": "pass",
    },
    "benchmarks_ttest": {"benchmarks": {"one": GRADED, "two": GRADED}},
    "bayesian_matrix": {"table": TABLE, "draws": 100},
    "check_normality": {"differences": RNG.random(10)},
    "rank": {"table": TABLE},
    "score_interval": {"scores": [1, 0, 1, 1], "design": "holdout"},
    "CrossValidatedCases": {},
    "compare_tasks": {"tasks": {"one": UNSPLIT, "two": UNSPLIT}},
    "compare_unpaired": {"first": [1, 0, 1, 1], "second": [0, 0, 1, 0, 1]},
    "side_by_side": {"results": {"one": PAIR}},
    "compare_seed_cases": {"first": [[1, 0, 1], [1, 1, 1]], "second": [[0, 0, 1], [1, 0, 0]]},
    "compare_measure": {
        "measure": "f1", "truth": [1, 0, 1], "first": [1, 1, 0], "second": [0, 0, 1],
        "resamples": 100,
    },
    "decide": {"evidence": rc.corrected_ttest(FOLDS)},
    "detectable_difference": {"design": rc.KFold(10)},
    "empirical_replication": {"significant": 8, "replications": 10},
    "evaluate": {"models": list(MODELS), "X": X, "y": Y, "design": rc.KFold(2)},
    "friedman_test": {"table": TABLE},
    "judge": {"original": (3.1, 1.2), "replication": (2.0, 1.0)},
    "judge_estimates": {
        "estimate": [3.1], "se": [1.2], "replication_estimate": [2.0], "replication_se": [1.0],
    },
    "audit": {"experiment": EXPERIMENT, "tests": ["corrected-cv-1"], "reruns": 2},
    "observed_power": {"scores": FOLDS, "method": "corrected-ttest", "simulations": 100},
    "plan": {"evidence": FOLDS},
    "scenario": {"function": lambda *_: {}},
    "power": {"effect": 1.0, "design": rc.KFold(10), "simulations": 100},
    "power_curve": {"effects": [1.0], "designs": [rc.KFold(10)]},
    "power_mcnemar": {"first_only": 0.2, "second_only": 0.1, "cases": 100},
    "read_scores": {"source": {"t.csv": b"dataset,a,b\nx,1,2\ny,2,2\n"}, "metric": "accuracy"},
    "replication_curve": {"found": REPLICATION},
    "replicate": {"evidence": FOLDS},
    "required_pvalue": {"probability": 0.8, "design": rc.KFold(10)},
    "retraining_spread": {
        "first": MODELS[0], "second": MODELS[1], "datasets": [rc.TrainTest(X, Y, X, Y)] * 2,
        "resamples": 2,
    },
    "sample_size": {"effect": 1.0},
    "smallest_pvalue": {"method": "signed-rank", "design": rc.Datasets(5)},
}  # fmt: skip
FOUND: dict[str, Any] = {
    "Calibration": CALIBRATION,
    "Caution": rc.paired_ttest(FOLDS).cautions[0],
    "Comparison": PAIR,
    "Design": rc.KFold(10),
    "Effect": PAIR.difference,
    "EmpiricalReplication": rc.empirical_replication(8, 10),
    "Gate": GATE,
    "Interval": PAIR.difference.confidence_interval(),
    "JudgedEstimates": rc.judge_estimates([3.1], [1.2], [2.0], [1.0]),
    "Judgement": JUDGEMENT,
    "Ledger": LEDGER,
    "Look": LOOK,
    "ManyComparison": MANY,
    "MeansReplication": rc.replicate(means=(0.9, 0.8), cases=100),
    "Finding": rc.compare_measure("f1", [1, 0, 1], [1, 1, 0], [0, 0, 1], resamples=100),
    "Method": rc.METHODS["signed-rank"],
    "Monitor": MONITOR,
    "NormalityCheck": rc.check_normality(RNG.random(10)),
    "PairedScores": rc.PairedScores(first=RNG.random(6), second=RNG.random(6), design=rc.Cases()),
    "Audit": AUDIT,
    "Parts": rc.side_by_side({"one": PAIR}),
    "Plan": PLAN,
    "PosteriorResult": rc.correlated_posterior(FOLDS),
    "Power": rc.power(1.0, rc.KFold(10)),
    "Progress": MONITOR.progress,
    "Replicability": AUDIT["corrected-cv-1"],
    "Replication": REPLICATION,
    "ReplicationCurve": rc.replication_curve(REPLICATION),
    "ScoreInterval": rc.score_interval([1, 0, 1, 1], design="holdout"),
    "ScoreTable": TABLE,
    "SignificanceResult": rc.corrected_ttest(FOLDS),
    "Verdict": rc.decide(rc.corrected_ttest(FOLDS)),
}
REPORTED: dict[str, dict[str, Any]] = {  # the numbers a paper may report
    "discordant": {"discordant": (30, 10), "cases": 100},
    "means": {"means": (93.4, 92.1), "sds": (1.2, 1.0), "folds": 10},
    "pvalue": {"pvalue": 0.01, "design": rc.KFold(10)},
    "t": {"t": 2.5, "folds": 10},
    "wins": {"wins": 9, "datasets": 10},
    "z": {"z": 2.4, "datasets": 20},
}
METHOD_CALLS: dict[str, dict[str, Any]] = {
    "Design.counted": {"n": 10},
    "Design.grow": {"axis": "runs", "amount": 4},
    "Design.is_akin": {"other": rc.KFold(5)},
    "Design.multiplied": {"axis": "runs", "factor": 4},
    "Design.rerun": {"times": 3},
    "Design.settled": {"correctness": False},
    "Design.t_layout": {"corrected": True},
    "Ledger.forecast": {"result": rc.corrected_ttest(FOLDS), "chance": REPLICATION},
    "Ledger.record": {"judged": JUDGEMENT},
    "ManyComparison.pair": {"first": "a", "second": "b"},
    "ScoreTable.scores_of": {"name": "a"},
    "PairedScores.slices": {"labels": list("aaabbb")},
    "Method.allows": {"design": rc.KFold(10)},
    "Method.batch_pvalues": {"rows": [[0.1, 0.2, 0.3]], "design": rc.Datasets(3)},
    "Method.is_default_for": {"design": rc.KFold(10)},
    "Method.is_valid_for": {"design": rc.KFold(10)},
    "Method.tolerates": {"design": rc.KFold(10)},
    "Method.refuse": {"design": rc.KFold(10)},
    "Method.titled": {"design": rc.KFold(10)},
    "Monitor.add": {"first": 1, "second": 0},
    "Monitor.add_many": {"first": [1], "second": [0]},
    "Replicability.from_counts": {"draws": [1, 2], "reruns": 10},
    "Replicability.from_pvalues": {"pvalues": [0.1, 0.2], "signs": [1, 1]},
    "ScoreTable.apart": {"first": "a", "second": "b"},
    "ScoreTable.pair": {"first": "a", "second": "b"},
    "SignificanceResult.leans": {"significance": 0.05},
    "Finding.leans": {"significance": 0.05},
}


ODD = (
    "2", "", b"x", None, True, object(), 1j, {}, [1.0], ["a", None], math.nan, math.inf, -math.inf, -1,
    0, 2.5, 1e308, 10**30, np.float64(0.5), np.int64(3), np.array(0.5), np.array([0.5, 1.0]),
    KFold(3), TimeSeriesSplit(), rc.KFold, len,
)  # fmt: skip


def callables() -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Yield every public function, class and method with a call that is right."""
    for name, target in NAMES.items():
        if name in CALLS:
            yield name, target, CALLS[name]
        if inspect.isclass(target) and name in FOUND:
            for method in _methods(target):
                path = f"{name}.{method}"
                usual = {"path": "page.html"} if method == "report" else {}
                yield path, getattr(FOUND[name], method), METHOD_CALLS.get(path, usual)


def _is_exception(name: str) -> bool:
    target = NAMES[name]
    return inspect.isclass(target) and issubclass(target, Exception)


def _methods(kind: type) -> list[str]:
    """Return the names of the methods that replicast itself gave a class."""
    ours = [parent for parent in kind.__mro__ if parent.__module__.startswith("replicast")]
    names = {name for parent in ours for name in vars(parent) if not name.startswith("_")}
    kept = {field.name for field in fields(kind)} if is_dataclass(kind) else set()
    return sorted(name for name in names - kept if callable(getattr(kind, name, None)))


REACHED = {name: (call, arguments) for name, call, arguments in callables()}
REACHED |= {f"replicate-{kind}": (rc.replicate, given) for kind, given in REPORTED.items()}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An odd path may be a file all the same."""
    monkeypatch.chdir(tmp_path)


def test_every_public_name_is_called() -> None:
    public = {name for name, thing in NAMES.items() if callable(thing)}
    assert public - {*FOUND, *CALLS} == {name for name in public if _is_exception(name)}
    assert {*CALLS, *METHOD_CALLS} <= {*REACHED}
    for call, arguments in REACHED.values():
        call(**arguments)
    for record in FOUND.values():
        assert str(record)
        assert repr(record)
        assert record == record


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        (name, parameter)
        for name, (call, _) in REACHED.items()
        for parameter, kind in inspect.signature(call).parameters.items()
        if kind.kind is not kind.VAR_KEYWORD
    ],
)
@pytest.mark.filterwarnings(
    "ignore::replicast.errors.DegenerateScoresWarning"
)  # equal differences are meant
def test_odd_arguments(name: str, argument: str) -> None:
    import matplotlib.pyplot as plt

    call, arguments = REACHED[name]
    for odd in ODD:
        if argument == "progress" and callable(odd):
            continue  # what a user's own function raises is the user's
        try:
            call(**{**arguments, argument: odd})
        except AssertionError:
            assert name == "assert_not_worse"  # its answer, where the candidate is worse
        except rc.ReplicastError as error:
            told = str(error)
            assert told.endswith((".", "?")), told
            assert "\n" not in told
        plt.close("all")
