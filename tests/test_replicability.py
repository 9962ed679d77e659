"""Measured replicability: shared partitions, every test and scheme, words and pictures."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from typer.testing import CliRunner

import replicast as rc
from replicast import datasets
from replicast.cli import app
from replicast.kernels import ranks, splits
from replicast.learners import MixedNaiveBayes, NearestNeighbour
from replicast.presentation.telling import tell
from replicast.presentation.words.audit import recommended
from replicast.replicability import warming
from replicast.replicability.procedures import PROCEDURES, USUAL, judge
from replicast.replicability.records import Audit

DATA = datasets.load("heart-statlog")


def experiment(**options: object) -> rc.Experiment:
    return rc.Experiment(MixedNaiveBayes(), NearestNeighbour(), DATA.X, DATA.y, **options)


@pytest.fixture(scope="module")
def found() -> Audit:
    return rc.audit(experiment(), tests=list(rc.PROCEDURES), reruns=4, rng=1)


def test_every_procedure(found: Audit) -> None:
    assert set(found) == set(rc.PROCEDURES)
    assert len(found) == 2 + 4 + 10 + 3 * 6
    for item in found.values():
        assert sum(item.outcomes[0]) == 4
        assert len(item.pvalues[0]) == 4
        assert 0 <= item.r2 <= 1
        json.dumps(item.to_dict(), allow_nan=False)


def test_same_partitions_give_the_tests_of_the_package(found: Audit) -> None:
    """The first rerun is an ordinary repeated cross-validation, tested in the ordinary way."""
    from replicast.experiment.data import prepare
    from replicast.experiment.evaluation import Runner
    from replicast.experiment.partitions import fold_accuracy, partition

    generator = np.random.default_rng(1)
    seed = int(generator.integers(2**31))
    problem = prepare(DATA.X, DATA.y)
    folds = partition(problem, rc.RepeatedKFold(runs=40, folds=10), generator)[:10]
    models = {"first": MixedNaiveBayes(), "second": NearestNeighbour()}
    outcomes = Runner(problem, folds, seed).predict(models)
    first, second = (
        fold_accuracy(item.predicted, problem.codes, folds).ravel() for item in outcomes.values()
    )
    pair = rc.PairedScores(first=first, second=second, design=rc.RepeatedKFold(runs=10, folds=10))
    for name, expected in {
        "corrected-cv-10": rc.corrected_ttest(pair),
        "t-sorted": rc.paired_ttest(pair, scheme="sorted"),
        "sign-sorted": rc.sign_test(pair, scheme="sorted"),
        "rank-folds": rc.signed_rank(pair, scheme="folds"),
        "t-all": rc.paired_ttest(pair),
    }.items():
        assert found[name].pvalues[0][0] == pytest.approx(expected.pvalue, abs=1e-12), name
    single = rc.PairedScores(first=first[:10], second=second[:10], design=rc.KFold(10))
    expected = rc.corrected_ttest(single).pvalue
    assert found["corrected-cv-1"].pvalues[0][0] == pytest.approx(expected, abs=1e-12)


def test_jobs_and_seeds() -> None:
    one, two, other = (
        rc.audit(experiment(), tests=USUAL, reruns=3, rng=seed, n_jobs=jobs)
        for seed, jobs in ((5, 1), (5, 2), (6, 1))
    )
    assert one == two
    assert one != other


def test_refitting_gives_the_same() -> None:
    fast, slow = (
        rc.audit(experiment(engine=engine), tests=["5x2cv-f", "corrected-cv-1"], reruns=3)
        for engine in ("auto", "refit")
    )
    assert fast == slow


def test_several_datasets() -> None:
    iris = datasets.load("iris")
    both = [
        experiment(dataset="heart"),
        rc.Experiment(MixedNaiveBayes(), NearestNeighbour(), iris.X, iris.y, dataset="iris"),
    ]
    found = rc.audit(both, tests=["corrected-cv-1"], reruns=3)["corrected-cv-1"]
    assert found.datasets == ("heart", "iris")
    assert len(found.outcomes) == 2


def test_words(found: Audit) -> None:
    told = tell(found)
    assert "Report that one" not in found.more()
    assert "A test chosen by this table is chosen by its results" in " ".join(found.more().split())
    assert len(told.listing.rows) == len(found)
    assert any("ignores that the scores share data" in one.text for one in told.cautions)
    assert any(note.startswith("choose before you look: ") for note in told.notes)
    assert rc.PROCEDURES[recommended(found)].keeps_level
    turned = {name: replace(item, outcomes=((5, 5, 0),)) for name, item in found.items()}
    assert recommended(replace(found, tests=turned)) == recommended(found)  # results have no say
    found.plot().get_figure().canvas.draw()
    only_bad = replace(found, tests={"t-kfold": found["t-kfold"]})
    assert recommended(only_bad) is None
    assert "beforehand" not in str(only_bad)


BAD = [
    (lambda: rc.audit(experiment(), tests=["t-test"]), "`tests` must be one of"),
    (lambda: rc.audit(experiment(), tests=[]), "`tests` must be at least one"),
    (lambda: rc.audit([], reruns=2), "`experiment` must be at least one"),
    (lambda: rc.audit(experiment(), reruns=1), "`reruns` must be an integer"),
    (
        lambda: rc.audit(
            rc.Experiment(
                GaussianNB(), DecisionTreeClassifier(max_depth=-1), np.eye(40), [0, 1] * 20
            ),
            tests=["corrected-cv-1"],
        ),
        "An experiment can only be rerun if every fit succeeds",
    ),
]


@pytest.mark.parametrize(("call", "match"), BAD)
def test_mistakes(call: object, match: str) -> None:
    with pytest.raises(rc.InvalidArgumentError, match=match):
        call()


def run(*arguments: str) -> object:
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "80"})


def test_audit_on_the_command_line(tmp_path: Path) -> None:
    picture = tmp_path / "audit.png"
    words = run("audit", "iris", "--first", "naive-bayes", "--second", "nearest-neighbour",
                "--reruns", "3", "-o", str(picture))  # fmt: skip
    assert words.exit_code == 0
    assert "in every rerun" in words.stdout
    assert max(map(len, words.stdout.splitlines())) <= 80
    assert picture.stat().st_size > 5000
    table = tmp_path / "my.csv"
    frame = DATA.X.assign(kind=DATA.y.to_numpy())
    frame.to_csv(table, index=False)
    done = run("audit", str(table), "--target", "kind", "--first", "sklearn.naive_bayes:GaussianNB()",
               "--second", "sklearn.tree:DecisionTreeClassifier(max_depth=2)", "--reruns", "2",
               "--tests", "corrected-cv-1,5x2cv-f", "--json")  # fmt: skip
    record = json.loads(done.stdout)
    assert list(record) == ["corrected-cv-1", "5x2cv-f"]
    assert record["5x2cv-f"]["reruns"] == 2


def test_audit_in_a_terminal() -> None:
    arguments = ["audit", "iris", "--first", "naive-bayes", "--second", "nearest-neighbour",
                 "--reruns", "2", "--tests", "corrected-cv-1"]  # fmt: skip
    code, shown = in_a_terminal(arguments)
    assert code == 0, shown
    assert "2 reruns on iris" in shown  # the bar
    assert "read: iris" in shown
    assert "Traceback" not in shown


def test_a_first_run_says_that_it_compiles(tmp_path: Path) -> None:
    arguments = ["audit", "iris", "--first", "gaussian-bayes", "--second", "gaussian-bayes",
                 "--reruns", "2", "--tests", "corrected-cv-1"]  # fmt: skip
    for first in (True, False):
        code, shown = in_a_terminal(arguments, NUMBA_CACHE_DIR=str(tmp_path))
        assert code == 0, shown
        assert ("first run compiles" in shown) == first


def test_what_is_compiled_ahead_is_every_fast_learner() -> None:
    steps = list(warming.warm_up())
    assert len(steps) == warming.STEPS
    for name in (*warming.MIXED, *warming.NUMERIC):
        assert any(name in step for step in steps)
    for kernel in (splits._deal_folds, splits._draw_splits, ranks._rank_sums):
        assert kernel.built.signatures, "a large audit would compile it"


def in_a_terminal(arguments: list[str], **variables: str) -> tuple[int, str]:
    """Run the command line in a terminal of 80 columns; return its exit code and what was shown."""
    pty = pytest.importorskip("pty", reason="terminals are opened as POSIX systems do")
    screen, side = pty.openpty()
    command = [sys.executable, "-c", "from replicast.cli import main; main()", *arguments]
    process = subprocess.Popen(
        command,
        stdin=side,
        stdout=side,
        stderr=side,
        env={**os.environ, "COLUMNS": "80", **variables},
    )
    os.close(side)
    shown = b""
    while True:
        try:
            part = os.read(screen, 65536)
        except OSError:  # how Linux says that the other side has hung up
            break
        if not part:
            break
        shown += part
    os.close(screen)
    return process.wait(), shown.decode()


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (("vtoe", "--first", "c45", "--second", "svm"), "Did you mean vote?"),
        (
            ("no.csv", "--first", "c45", "--second", "svm"),
            "must be a file that is there, got no.csv",
        ),
        (("vote", "--first", "c4.5", "--second", "svm"), "`--first` must be one of"),
        (
            ("iris", "--first", "c45", "--second", "1-nn", "--tests", "x"),
            "`--tests` must be one of",
        ),
        (("glass", "--first", "c45", "--second", "1-nn"), "say `--small-classes allow`"),
        (("iris", "--first", "c45", "--second", "1-nn", "--reruns", "1"), "`--reruns` must be"),
    ],
)
def test_audit_mistakes(arguments: tuple[str, ...], match: str) -> None:
    done = run("audit", *arguments)
    assert done.exit_code == 2
    assert match in " ".join(done.stderr.split())


def test_datasets_on_the_command_line() -> None:
    assert "vote" in run("datasets").stdout
    assert len(json.loads(run("datasets", "--json").stdout)) == 26


@pytest.mark.parametrize("name", ["sign-kfold", "rank-all", "sign-all", "t-kfold"])
def test_directions_are_those_of_the_tests(name: str) -> None:
    """Nine small wins and one large loss a run: ranks and signs see another winner than the mean."""
    rows = np.tile([0.01] * 9 + [-0.5], (10, 1))[None]
    _, direction = judge(PROCEDURES[name], rows, 100)
    assert direction.tolist() == [-1.0 if name.startswith("t-") else 1.0]
    _, direction = judge(PROCEDURES[name], -rows, 100)
    assert direction.tolist() == [1.0 if name.startswith("t-") else -1.0]
