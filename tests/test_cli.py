"""The command line as a user meets it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import replicast as rc
from replicast import cli
from replicast.cli import app
from replicast.replication.records import Replication

RUNNER = CliRunner()
WIDE = "dataset,svm,nb,tree\n" + "".join(
    f"d{i},{0.8 + i / 100:.2f},{0.78 + i / 100 - (i % 3) / 100:.2f},{0.7 + i / 200:.3f}\n"
    for i in range(12)
)


@pytest.fixture
def scores(tmp_path: Path) -> str:
    path = tmp_path / "accuracy.csv"
    path.write_text(WIDE, encoding="utf-8")
    return str(path)


def run(*arguments: str):
    return RUNNER.invoke(app, list(arguments), env={"COLUMNS": "80", "NO_COLOR": "1"})


def test_compare_tells_the_story(scores: str) -> None:
    done = run("compare", scores, "--first", "svm", "--second", "nb")
    assert done.exit_code == 0
    assert done.stdout.startswith("svm is better than nb by ")
    assert "read: accuracy, 12 datasets" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_compare_gives_the_record(scores: str) -> None:
    done = run("compare", scores, "--first", "svm", "--second", "nb", "--json")
    record = json.loads(done.stdout)
    assert record["verdict"]["outcome"] == "first better"
    assert record["evidence"]["method"] == "signed-rank"
    assert record["account"][0].startswith(
        "accuracy.csv: wide table, 24 scores of 2 classifiers (svm, nb)"
    )


def test_sorted_runs_are_asked_for_by_name() -> None:
    """The t-test on sorted runs (Bouckaert 2004) is that of the Python function."""
    path = Path(rc.__file__).parent / "data" / "breast-cancer-10x10.csv"
    asked = ("compare", str(path), "--first", "svm", "--second", "naive-bayes", "--scheme")
    record = json.loads(run(*asked, "sorted", "--json").stdout)
    wanted = rc.paired_ttest(rc.read_scores(path).pair("svm", "naive-bayes"), scheme="sorted")
    assert record["evidence"]["method"] == "paired-ttest"
    assert record["evidence"]["pvalue"] == pytest.approx(wanted.pvalue)
    refused = run(*asked, "best")
    assert refused.exit_code == 2
    assert "sorted" in refused.stderr


def test_a_plain_test_on_folds_is_in_a_group_of_neumann(tmp_path: Path) -> None:
    """The case study of section 3.1 is in Group 3, and the answer says what the group ignores."""
    one = (77.32, 71.88, 72.92, 73.96, 71.88, 70.83, 78.12, 72.92, 81.25, 81.25)
    three = (77.32, 75.00, 75.00, 78.12, 77.08, 78.12, 78.12, 75.00, 80.21, 79.17)
    rows = "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(zip(one, three, strict=True)))
    path = tmp_path / "accuracy.csv"
    path.write_text(f"fold,1-NN,3-NN\n{rows}", encoding="utf-8")
    told = " ".join(run("compare", str(path), "--more").stdout.split())
    assert "Neumann" not in told  # the corrected test is not theirs
    plain = run("compare", str(path), "--method", "paired-ttest", "--more").stdout
    assert "Neumann et al. (2021): Group 3, not significant but sizeable" in " ".join(plain.split())


def test_compare_draws(scores: str, tmp_path: Path) -> None:
    target = tmp_path / "plot.png"
    done = run("compare", scores, "--first", "svm", "--second", "nb", "-o", str(target))
    assert done.exit_code == 0
    assert target.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--first", "svm", "--second", "swm"],
            "`--second` must be one of svm, nb, tree, got 'swm'. Did",
        ),
        (["--first", "svm"], "`--second` must be one of svm, nb, tree, got nothing."),
        (
            ["--first", "svm", "--second", "svm"],
            "`--second` must be another classifier than `--first`",
        ),
        (
            ["--first", "svm", "--second", "nb", "--design", "kfold:folds=x"],
            "`--design` must be kfold",
        ),
        (
            ["--first", "svm", "--second", "nb", "--method", "magic"],
            "`--method` must be one of paired",
        ),
        (
            ["--first", "svm", "--second", "nb", "--significance", "2"],
            "`--significance` must be a num",
        ),
        (
            ["--first", "svm", "--second", "nb", "--dataset", "iris"],
            "`--dataset` must be one of d0, d1",
        ),
        (
            ["--first", "svm", "--second", "nb", "-o", "x.exe"],
            "must be a file ending in .html, .md",
        ),
        (
            ["--first", "svm", "--second", "nb", "--method", "corrected-ttest"],
            "`--design` must be one of kfold, repeated-kfold, random-splits for corrected-ttest",
        ),
    ],
)
def test_mistakes_get_one_sentence_and_exit_code_2(scores: str, arguments, message) -> None:
    done = run("compare", scores, *arguments)
    assert done.exit_code == 2
    text = " ".join(done.stderr.split())
    assert message in text
    assert "Traceback" not in done.output
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "an empty file"),
        (bytes(range(256)), "holds binary data"),
        (
            b"dataset,svm,nb\niris,0.9,bad\nvote,1,1\nx,0.5,1\n",
            "row 2, column nb: expected a number, got",
        ),
        (b"svm,nb\n0.9,0.8\n", "at least two scores"),
        (b"fold,svm,nb\n1,0.9,0.8\n2,0.8,0.7\n3,0.9,0.8\n", "design with 3 scores"),
    ],
)
def test_broken_files_get_one_sentence(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "accuracy.csv"
    path.write_bytes(content)
    more = ["--design", "kfold:folds=10"] if b"fold,svm" in content else []
    if content.startswith(b"svm"):
        more = ["--design", "datasets"]
    done = run("compare", str(path), *more)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def test_demo_writes_its_plot(tmp_path: Path) -> None:
    done = run("demo", "--output", str(tmp_path / "out"))
    assert done.exit_code == 0
    assert "svm is better than naive-bayes" in done.stdout
    for name in ("naive-bayes", "logistic"):
        assert (tmp_path / "out" / f"svm-{name}.png").stat().st_size > 5000


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("replicast 0.")
    assert "compare" in run("--help").stdout


def test_installed_command_is_quiet(scores: str) -> None:
    program = Path(sys.executable).parent / "replicast"
    done = subprocess.run(
        [program, "--quiet", "compare", scores, "--first", "svm", "--second", "tree"],
        capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "80"},
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == ""
    assert "\x1b[" not in done.stdout  # no colours when not a terminal


def test_what_was_read_is_said(scores: str) -> None:
    done = run("compare", scores, "--first", "svm", "--second", "tree", "--more")
    assert "higher is better for accuracy (the file's name)" in " ".join(done.stdout.split())
    mlflow = str(Path(__file__).parent / "golden" / "formats" / "mlflow" / "runs.csv")
    named = "classifier=params.model,dataset=tags.data,fold=params.fold"
    done = run("compare", mlflow, "--columns", named, "--metric", "accuracy")
    assert done.exit_code == 0
    done = run("compare", mlflow)
    assert "Say which with `--metric ...`" in " ".join(done.stderr.split())
    done = run("rank", mlflow, "--columns", "modul=x")
    assert (
        "`--columns` must be about classifier, dataset, run, fold, score, case, answer, cluster, note"
        in " ".join(done.stderr.split())
    )


def test_names_with_markup_are_shown_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "accuracy.csv"
    rows = "".join(f"d{i},{i / 10},{i / 11}\n" for i in range(8))
    path.write_text("dataset,[red]svm[/red],<b>nb</b>\n" + rows, encoding="utf-8")
    done = run("compare", str(path))
    assert done.stdout.startswith("[red]svm[/red] is better than <b>nb</b>")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--t 2.262 --folds 10", rc.replicate(t=2.262, folds=10)),
        (
            "--t 2.262 --folds 10 --estimator as-published",
            rc.replicate(t=2.262, folds=10, estimator="as-published"),
        ),
        ("--z 2.437 --datasets 20", rc.replicate(z=2.437, datasets=20)),
        ("--wins 29 --of 44", rc.replicate(wins=29, datasets=44)),
        (
            "--wins 29 --of 44 --model bayesian",
            rc.replicate(wins=29, datasets=44, model="bayesian"),
        ),
        (
            "--pvalue 0.03 --folds 10 --runs 10",
            rc.replicate(pvalue=0.03, design=rc.RepeatedKFold(runs=10, folds=10)),
        ),
        ("--pvalue 0.03 --datasets 20", rc.replicate(pvalue=0.03, design=rc.Datasets(20))),
        ("--discordant 40,20 --cases 500", rc.replicate(discordant=(40, 20), cases=500)),
        (
            "--t 2.262 --folds 10 --target repeated-kfold:runs=10,folds=10 --data 4",
            rc.replicate(
                t=2.262, folds=10, target_design=rc.RepeatedKFold(runs=10, folds=10), data_factor=4
            ),
        ),
    ],
)
def test_replicate(arguments: str, expected: Replication) -> None:
    done = CliRunner().invoke(app, ["replicate", *arguments.split(), "--json"])
    assert json.loads(done.stdout) == expected.to_dict()
    words = CliRunner().invoke(app, ["replicate", *arguments.split()], env={"COLUMNS": "80"})
    assert words.exit_code == 0
    assert "of 100 repeats" in words.stdout
    assert max(map(len, words.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ("replicate", "`--t` must be given"),
        ("replicate --t 2 --z 2 --folds 10", "got t and z"),
        ("replicate --t 2", "`--folds` must be given"),
        ("replicate --z 2", "`--datasets` must be given with `--z`"),
        ("replicate --wins 50 --of 44", "`--wins` must be a number from 0 to 44"),
        ("replicate --wins 5", "`--datasets` must be given with `--wins`"),
        ("replicate --pvalue 1.5 --folds 10", "`--pvalue` must be a number strictly between"),
        ("replicate --t 2 --folds 1", "`--folds` must be an integer of at least 2"),
        ("replicate --discordant 40 --cases 500", "`--discordant` must be two counts"),
        ("replicate --t 2 --folds 10 --estimator bets", "`--estimator` must be one of"),
        ("plan --t 2 --folds 10 --vary datasets", "`--vary` must be cases, runs or folds"),
        ("plan --t 2 --folds 10 --probability 1", "`--probability` must be a number"),
        ("plan scores.csv --t 2", "`--t` must be left out, got 2.0. The file has the result"),
        (
            "plan --t 2 --folds 10 --metric accuracy",
            "`--metric` must be given with a file of scores",
        ),
        ("plan --discordant 40,20 --cases 500 --vary answers", "Several answers to each case tell"),
    ],
)
def test_replicate_mistakes(arguments: str, match: str) -> None:
    done = CliRunner().invoke(app, arguments.split(), env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert match in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_plan_and_pictures(tmp_path: Path) -> None:
    words = ["plan", "--t", "2.9", "--folds", "10", "--vary", "runs", "--probability", "0.95"]
    done = CliRunner().invoke(app, [*words, "-o", str(tmp_path / "plan.png")])
    assert done.stdout.startswith("More runs will not make 95 of 100 repeats significant")
    record = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert record["needed"] is None
    curve = ["replicate", "--z", "2.4", "--datasets", "20", "-o", str(tmp_path / "curve.svg")]
    assert CliRunner().invoke(app, curve).exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"plan.png", "curve.svg"}


def test_plan_reads_the_first_result_that_compare_reads(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    graded = [
        f"{model},q{case},d{case // 5},{answer},{0.5 + 0.1 * (model == 'new') + x / 5:.4f}"
        for case in range(60)
        for model in ("new", "old")
        for answer, x in enumerate(rng.normal(size=3))
    ]
    scored = [f"{m},{s},{0.8 + 0.03 * (m == 'new') + rng.normal() / 100:.4f}"
              for s in range(5) for m in ("new", "old")]  # fmt: skip
    datasets = [f"d{i},{0.7 + i / 100:.2f},{0.69 + i / 90:.4f}" for i in range(12)]
    folds = [f"{m},{f},{0.8 + rng.normal() / 50:.4f}" for f in range(10) for m in ("new", "old")]
    files = {
        "answers": ("model,case,cluster,answer,score", graded, ["cases", "answers"]),
        "seeds": ("model,seed,accuracy", scored, ["splits", "seeds"]),
        "datasets": ("dataset,new,old", datasets, ["datasets"]),
        "folds": ("model,fold,accuracy", folds, ["cases", "runs", "folds"]),
    }
    ways = ["cases", "answers", "seeds", "splits", "datasets", "runs", "folds"]
    for name, (head, lines, able) in files.items():
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
        told = ["--design", "seeds:count=5"] if name == "seeds" else ["--metric", "accuracy"]
        words = [str(path), *told, "--json"]
        compared = json.loads(CliRunner().invoke(app, ["compare", *words]).stdout)
        for way in ways:
            done = CliRunner().invoke(app, ["plan", *words, "--vary", way])
            assert done.exit_code == (0 if way in able else 2), (name, way, done.output)
            if way not in able:
                assert "`--vary` must be " in done.stderr
                continue
            planned = json.loads(done.stdout)
            assert planned["design"] == compared["evidence"]["design"]
            assert planned["now"] == pytest.approx(compared["replication"]["probability"])
            assert planned["account"][:-1] == compared["account"]
            assert planned["account"][-1].startswith("First result: new - old: ")


def test_a_plan_that_needs_no_more_says_its_own_chance() -> None:
    done = CliRunner().invoke(
        app, ["plan", "--discordant", "70,30", "--cases", "500", "--probability", "0.5"]
    )
    said = " ".join(done.stdout.split())
    assert said.startswith("No more is needed: 500 cases make 85 of 100 repeats significant")


def test_a_plan_shows_doublings() -> None:
    asked = ["plan", "--t", "4.1", "--seeds", "5", "--vary", "splits", "--more"]
    done = CliRunner().invoke(app, asked)
    numbers = done.stdout.partition("In numbers\n")[2].partition("\n\n")[0]
    shown = [line.split()[0] for line in numbers.splitlines()]
    assert shown == ["1", "2", "4", "8", "16"]


def test_the_other_of_two_needs_no_name(tmp_path):
    path = tmp_path / "accuracy.csv"
    rows = "".join(f"{i},{0.8 + i / 100},{0.7 + i / 90}\n" for i in range(12))
    path.write_text("dataset,svm,tree\n" + rows)
    by_first, by_second = (
        CliRunner().invoke(app, ["compare", str(path), option, name]).stdout
        for option, name in (("--first", "tree"), ("--second", "svm"))
    )
    assert by_first == by_second
    assert by_first.startswith("svm is better than tree")


def test_plots_that_cannot_be_written(tmp_path):
    path = tmp_path / "accuracy.csv"
    path.write_text("dataset,a,b\n" + "".join(f"{i},{i / 9},{i * i / 90}\n" for i in range(1, 9)))
    told = CliRunner().invoke(app, ["compare", str(path), "-o", str(tmp_path / "no" / "p.png")])
    assert told.exit_code == 2
    assert "must be a file that can be written" in told.output


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt, 130), (BrokenPipeError, 0)])
def test_interrupted_and_broken_pipes_end_quietly(monkeypatch, error, code):
    def stops():
        raise error

    monkeypatch.setattr("replicast.cli.app", stops)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == code


def test_names_with_brackets_are_shown(tmp_path):
    path = tmp_path / "accuracy.csv"
    rows = "".join(f"d{i},{i / 9},{i * i / 90},{1 - i / 9}\n" for i in range(1, 9))
    path.write_text("dataset,svm[rbf],knn[/b],tree[/]\n" + rows)
    told = CliRunner().invoke(app, ["rank", str(path)])
    assert told.exit_code == 0, told.output
    for name in ("svm[rbf]", "knn[/b]", "tree[/]"):
        assert name in told.stdout


def test_a_report_of_one_dataset_needs_its_folds(tmp_path):
    path = tmp_path / "accuracy.csv"
    path.write_text("dataset,a,b,c\n" + "".join(f"d{i},0.{i},0.5,1\n" for i in range(8)))
    target = str(tmp_path / "r.md")
    told = CliRunner().invoke(app, ["rank", str(path), "--dataset", "d1", "-o", target])
    assert told.exit_code == 2
    assert "give every fold, or every case" in told.output.replace("\n", " ")
    rows = [f"d{i},{f},0.{i + f + 1},0.5,0.{f + 2}\n" for i in range(2) for f in range(5)]
    path.write_text(f"dataset,fold,a,b,c\n{''.join(rows)}")
    told = CliRunner().invoke(app, ["rank", str(path), "--dataset", "d1", "-o", target,
                                    "--metric", "accuracy"])  # fmt: skip
    assert told.exit_code == 0, told.output
    assert "Design: 5-fold cross-validation" in Path(target).read_text(encoding="utf-8")


def test_cases_of_the_dataset_found_the_chance_better(tmp_path: Path) -> None:
    """Most people have scores without predictions: how many cases there were says how noisy they are."""
    file = tmp_path / "folds.csv"
    right = [
        [18, 17],
        [19, 18],
        [18, 18],
        [19, 18],
        [18, 17],
        [18, 17],
        [19, 17],
        [18, 17],
        [19, 18],
        [18, 18],
    ]
    rows = np.array(right) / 20
    file.write_text("svm,nb\n" + "\n".join(",".join(map(str, row)) for row in rows))
    asked = ["compare", str(file), "--design", "kfold:folds=10", "--metric", "accuracy", "--json"]
    alone, small, large = (
        json.loads(CliRunner().invoke(app, [*asked, *more]).stdout)["replication"]
        for more in ([], ["--cases", "200"], ["--cases", "20000"])
    )
    assert small["probability"] < alone["probability"] < large["probability"]
    assert "known: accuracies and the sizes of their test sets" in small["assumptions"]
    pair = rc.PairedScores(
        first=rows[:, 0], second=rows[:, 1], design=rc.KFold(10), names=("svm", "nb"), n_test=20
    )
    assert small["probability"] == rc.compare(pair).replication.probability
    for cases, said in (
        ("5", "at least one for each of 10 folds"),
        ("0", "must be a whole number"),
    ):
        refused = CliRunner().invoke(app, [*asked, "--cases", cases])
        assert refused.exit_code == 2
        assert said in " ".join(refused.output.split())
    scores = tmp_path / "scores.csv"
    scores.write_text(
        "dataset,svm,nb\n" + "\n".join(f"d{i},{a},{b}" for i, (a, b) in enumerate(rows))
    )
    refused = CliRunner().invoke(
        app, ["compare", str(scores), "--metric", "accuracy", "--cases", "200"]
    )
    assert refused.exit_code == 2
    assert "folds of one dataset" in " ".join(refused.output.split())
    output = tmp_path / "report.json"
    CliRunner().invoke(app, ["compare", str(file), "--design", "kfold:folds=10", "--metric",
                             "accuracy", "--cases", "200", "-o", str(output)])  # fmt: skip
    assert json.loads(output.read_text())["replication"]["probability"] == small["probability"]


def test_the_region_is_told_in_points_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "folds.csv"
    file.write_text("svm,nb\n" + "\n".join(f"{0.9 + i / 1000},{0.88 + i / 990}" for i in range(10)))
    asked = ["compare", str(file), "--design", "kfold:folds=10", "--metric", "accuracy"]
    assert "1 point is" not in CliRunner().invoke(app, [*asked, "--more"]).output
    named = CliRunner().invoke(app, [*asked, "--rope", "5", "--more"]).output
    assert "5 points is your region" in named
    assert json.loads(CliRunner().invoke(app, [*asked, "--rope", "5", "--json"]).stdout)["verdict"][
        "region"
    ] == {"width": 0.05, "source": "named"}
