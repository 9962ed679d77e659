"""Results of every kind: what the command line would print of them is kept beside this file."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

import replicast as rc
from replicast.comparison.finding import Finding
from replicast.comparison.parts import Parts
from replicast.comparison.records import ManyComparison
from replicast.judging.records import Look
from replicast.learners import MixedNaiveBayes, NearestNeighbour
from replicast.replicability.records import Audit
from replicast.results import Answer

DATA = files("replicast").joinpath("data")
SCORES = Path(__file__).parents[2] / "examples" / "scores"


@cache
def folds() -> rc.ScoreTable:
    return rc.read_scores(str(DATA.joinpath("breast-cancer-10x10.csv")))


@cache
def datasets() -> rc.ScoreTable:
    return rc.read_scores(str(DATA.joinpath("example-datasets.csv")), metric="accuracy")


@cache
def cases() -> rc.PairedScores:
    return rc.read_scores(str(DATA.joinpath("example-cases.csv"))).pair("naive-bayes", "c45")


@cache
def seeds() -> rc.ScoreTable:
    return rc.read_scores(str(SCORES / "seeds.csv"))


def ranked(classifiers: int, over: int, gap: float = 0.02) -> ManyComparison:
    rng = np.random.default_rng(classifiers)
    scores = 0.8 - gap * np.arange(classifiers)[:, None] + rng.normal(0, 0.02, (classifiers, over))
    names = tuple(f"gradient-boosting-{i}" for i in range(classifiers))
    table = rc.ScoreTable(
        classifiers=names, datasets=tuple(f"d{i}" for i in range(over)), metric="accuracy",
        scores=scores[:, :, None, None], design=rc.Datasets(),
    )  # fmt: skip
    return rc.rank(table)


def graded(gap: float, clusters: int | None = None) -> rc.PairedScores:
    rng = np.random.default_rng(4)
    base = rng.uniform(0.5, 0.9, 120)
    groups = None if clusters is None else np.arange(120) % clusters
    return rc.PairedCases(
        first=base + gap + rng.normal(0, 0.05, 120), second=base, clusters=groups,
        names=("fast_unet", "unet"),
    )  # fmt: skip


def areas(strength: float) -> Finding:
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 2, 400)
    first, second = (truth * lift + rng.normal(size=400) for lift in (strength, 1.0))
    return rc.compare_measure("auc", truth, first, second, names=("new", "old"))


def watched(right: int) -> Look:
    watch = rc.Monitor(names=("new", "old"), total=1000)
    watch.add_many([1] * 30, [0] * right + [1] * (30 - right))
    return watch.look()


def crossed() -> Finding:
    rng = np.random.default_rng(2)
    easy = rng.normal(size=300)
    first, second = (easy + gap + rng.normal(size=(5, 300)) > 0 for gap in (0.4, 0.1))
    return rc.compare_seed_cases(first, second)


def audit() -> Audit:
    iris = rc.datasets.load("iris")
    experiment = rc.Experiment(
        MixedNaiveBayes(), NearestNeighbour(), iris.X, iris.y, names=("naive-bayes", "1-nn"),
        dataset="iris",
    )  # fmt: skip
    return rc.audit(experiment, reruns=3)


def noisy(design: rc.PairedScores | None = None, lift: float = 0.02) -> rc.PairedScores:
    rng = np.random.default_rng(1)
    base = rng.normal(0.8, 0.03, 10)
    return rc.PairedScores(
        first=base + rng.normal(lift, 0.02, 10), second=base, design=rc.KFold(10),
        names=("a model with a rather long name", "another one"),
    )  # fmt: skip


def sliced(*, gated: bool) -> Parts:
    rng = np.random.default_rng(4)
    pair = rc.PairedScores(first=rng.random(600) < 0.8, second=rng.random(600) < 0.7, design="holdout",
                           names=("new", "old"))  # fmt: skip
    ask = (lambda part: rc.gate(part, margin=0.03)) if gated else rc.compare
    parts = pair.slices(["en", "es", "fr"] * 200)
    results = {name: ask(part) for name, part in parts.items()}
    return rc.side_by_side(results, by="language", whole=ask(pair))


def measured() -> Parts:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 200)
    first, second = (1 / (1 + np.exp(-truth * lift - rng.normal(size=200))) for lift in (2.0, 1.0))
    names = ("auc", "average-precision", "brier", "log-loss", "ece", "mae", "mse")
    return rc.side_by_side(
        {name: rc.compare_measure(name, truth, first, second) for name in names}, by="measure"
    )


def tasks(count: int) -> Finding:
    rng = np.random.default_rng(6)
    runs = rc.Seeds(5, split=None)
    pairs = {
        f"task {at}": rc.PairedScores(first=rng.normal(11, 1, 5), second=rng.normal(10, 1, 5),
                                      design=runs, names=("new", "old"))
        for at in range(count)
    }  # fmt: skip
    return rc.compare_tasks(pairs, measure="return")


EXAMPLES: dict[str, Callable[[], Answer]] = {
    "compare-clear": lambda: rc.compare(folds().pair("svm", "naive-bayes")),
    "compare-unclear": lambda: rc.compare(folds().pair("svm", "logistic")),
    "compare-equivalent": lambda: rc.compare(folds().pair("svm", "logistic"), rope=0.02),
    "compare-close": lambda: rc.compare(folds().pair("svm", "naive-bayes"), relation="close"),
    "compare-posterior": lambda: rc.compare(noisy(), method="correlated-posterior", rope=0.01),
    "compare-datasets": lambda: rc.compare(datasets().pair("c45", "naive-bayes")),
    "compare-few-datasets": lambda: rc.compare(
        rc.PairedScores(first=[0.9, 0.8, 0.7, 0.75], second=[0.8, 0.7, 0.6, 0.7], design=rc.Datasets())
    ),
    "compare-cases": lambda: rc.compare(cases()),
    "compare-graded": lambda: rc.compare(graded(0.03)),
    "compare-clusters": lambda: rc.compare(graded(0.03, 20)),
    "compare-seeds": lambda: rc.compare(seeds().pair("tabm", "mlp")),
    "compare-five-by-two": lambda: rc.compare(
        rc.PairedScores(first=np.linspace(0.8, 0.9, 10), second=np.linspace(0.79, 0.91, 10),
                        design=rc.FiveByTwo())
    ),
    "compare-loss": lambda: rc.compare(
        rc.PairedScores(first=[1.2, 2.2, 0.55, 3.1, 0.8, 1.4, 1.9], metric="rmse",
                        second=[1.4, 2.35, 0.6, 3.0, 0.99, 1.7, 2.15], design=rc.Datasets(),
                        greater_is_better=False)
    ),
    "compare-long-names": lambda: rc.compare(noisy()),
    "compare-ordinary-t": lambda: rc.compare(noisy(), method="paired-ttest"),
    "measure-clear": lambda: areas(3.0),
    "measure-unclear": lambda: areas(1.1),
    "measure-crossed": crossed,
    "measure-several": measured,
    "slices": lambda: sliced(gated=False),
    "slices-gated": lambda: sliced(gated=True),
    "tasks-few": lambda: tasks(4),
    "tasks": lambda: tasks(10),
    "unpaired": lambda: rc.compare_unpaired([1] * 80 + [0] * 20, [1] * 60 + [0] * 40),
    "rank-three": lambda: rc.rank(datasets()),
    "rank-five": lambda: ranked(5, 20),
    "rank-sixty": lambda: ranked(60, 20, 0.003),
    "rank-few": lambda: ranked(3, 4),
    "rank-folds": lambda: rc.rank(folds()),
    "replicate-t": lambda: rc.replicate(t=2.4, folds=10),
    "replicate-ordinary": lambda: rc.replicate(t=2.9, folds=10, test="ordinary"),
    "replicate-corrected": lambda: rc.replicate(t=2.9, folds=10, test="corrected"),
    "replicate-z": lambda: rc.replicate(z=2.437, datasets=20),
    "replicate-wins": lambda: rc.replicate(wins=29, datasets=44, ties=11),
    "replicate-never": lambda: rc.replicate(wins=4, datasets=4),
    "replicate-seeds": lambda: rc.replicate(t=4.1, seeds=5),
    "replicate-discordant": lambda: rc.replicate(discordant=(40, 20), cases=500),
    "means-folds": lambda: rc.replicate(means=(93.4, 92.1), sds=(1.2, 1.0), folds=10),
    "means-seeds": lambda: rc.replicate(means=(81.2, 80.5), sds=(0.4, 0.5), seeds=5),
    "plan-cases": lambda: rc.plan(rc.replicate(discordant=(15, 3), cases=50), probability=0.8),
    "plan-runs": lambda: rc.plan(rc.replicate(t=2.9, folds=10), vary="runs", probability=0.8),
    "plan-datasets": lambda: rc.plan(rc.replicate(z=2.4, datasets=20), probability=0.8),
    "gate-pass": lambda: rc.gate(cases(), margin=0.02),
    "gate-fail": lambda: rc.gate(graded(-0.08), margin=0.02),
    "gate-cannot-tell": lambda: rc.gate(cases(), margin=0.02, goal="better"),
    "gate-required": lambda: rc.gate(cases(), margin=0.02, required_power=0.8),
    "judge-again": lambda: rc.judge((3.1, 1.2), (2.0, 1.0)),
    "judge-not": lambda: rc.judge((3.1, 1.2), (-0.4, 0.8)),
    "judge-scores": lambda: rc.judge(noisy(), noisy(lift=0.01)),
    "stop-decided": lambda: watched(9),
    "stop-open": lambda: watched(2),
    "audit": audit,
}  # fmt: skip
