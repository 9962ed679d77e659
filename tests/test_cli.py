"""The command line as a user meets it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from replicast.cli import app

RUNNER = CliRunner()
WIDE = "dataset,svm,nb,tree\n" + "".join(
    f"d{i},{0.8 + i / 100:.2f},{0.78 + i / 100 - (i % 3) / 100:.2f},{0.7 + i / 200:.3f}\n"
    for i in range(12)
)


@pytest.fixture
def scores(tmp_path: Path) -> str:
    path = tmp_path / "scores.csv"
    path.write_text(WIDE, encoding="utf-8")
    return str(path)


def run(*arguments: str):
    return RUNNER.invoke(app, list(arguments), env={"COLUMNS": "80", "NO_COLOR": "1"})


def test_compare_tells_the_story(scores: str) -> None:
    done = run("compare", scores, "--first", "svm", "--second", "nb")
    assert done.exit_code == 0
    assert "svm against nb (12 datasets)" in done.stdout
    assert "significant in this experiment" in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_compare_gives_the_record(scores: str) -> None:
    done = run("compare", scores, "--first", "svm", "--second", "nb", "--json")
    record = json.loads(done.stdout)
    assert record["verdict"]["outcome"] == "first better"
    assert record["evidence"]["method"] == "signed-rank"
    assert record["account"][0].startswith("scores.csv: wide table, 36 scores")


def test_compare_draws(scores: str, tmp_path: Path) -> None:
    target = tmp_path / "plot.png"
    done = run("compare", scores, "--first", "svm", "--second", "nb", "--plot", str(target))
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
            ["--first", "svm", "--second", "nb", "--plot", "x.exe"],
            "must be a file ending in .png, .svg",
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
    assert done.stdout == "" or "--plot" in arguments


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "an empty file"),
        (bytes(range(256)), "holds binary data"),
        (b"dataset,svm,nb\niris,0.9,bad\n", "row 2, column nb: expected a number, got 'bad'"),
        (b"svm,nb\n0.9,0.8\n", "at least two scores"),
        (b"fold,svm,nb\n1,0.9,0.8\n2,0.8,0.7\n3,0.9,0.8\n", "design with 3 scores"),
    ],
)
def test_broken_files_get_one_sentence(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "scores.csv"
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
    assert "svm against naive-bayes on breast-cancer" in done.stdout
    assert (tmp_path / "out" / "differences.png").stat().st_size > 5000


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("replicast 0.")
    assert "compare" in run("--help").stdout


def test_installed_command_is_quick_and_quiet(scores: str) -> None:
    program = Path(sys.executable).parent / "replicast"
    done = subprocess.run(
        [program, "compare", scores, "--first", "svm", "--second", "tree"],
        capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "80"},
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == ""
    assert "\x1b[" not in done.stdout  # no colours when not a terminal


def test_names_with_markup_are_shown_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    rows = "".join(f"d{i},{i / 10},{i / 11}\n" for i in range(8))
    path.write_text("dataset,[red]svm[/red],<b>nb</b>\n" + rows, encoding="utf-8")
    done = run("compare", str(path))
    assert "[red]svm[/red] against <b>nb</b>" in done.stdout
