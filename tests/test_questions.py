"""What a file leaves open is asked all at once: in Python, in a terminal and in a pipe."""

import io
from pathlib import Path

import pytest
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.cli.asking import ask
from replicast.errors import Choice, InvalidArgumentError, Question

LOW = "svm,nb\n" + "".join(f"{0.1 + i / 100},{0.2 + i / 90}\n" for i in range(10))


@pytest.fixture
def low(tmp_path: Path) -> Path:
    """Ten rows of numbers that have no name, and of which nothing says what they are."""
    path = tmp_path / "low.csv"
    path.write_text(LOW)
    return path


def test_all_questions_come_at_once_in_python(low: Path) -> None:
    with pytest.raises(InvalidArgumentError) as error:
        rc.read_scores(low)
    design, better = error.value.questions
    assert (design.field, better.field) == ("design", "greater_is_better")
    assert design.choices[0] == Choice("design", "kfold:folds=10", "for 10 folds of one run")
    assert [one.value for one in better.choices] == ["True", "False"]
    assert all(one.meaning for one in (*design.choices, *better.choices))
    table = rc.read_scores(low, design="kfold:folds=10", greater_is_better=False)
    assert (table.design, table.direction) == (rc.KFold(10), "known")


def test_an_answer_that_does_not_help_leaves_the_other_question(low: Path) -> None:
    with pytest.raises(InvalidArgumentError) as error:
        rc.read_scores(low, design="datasets")
    assert [one.field for one in error.value.questions] == ["greater_is_better"]


def test_a_pipe_gets_the_full_command(low: Path) -> None:
    done = CliRunner().invoke(app, ["compare", str(low)])
    assert done.exit_code == 2
    said = " ".join(done.stderr.split())
    assert "--design kfold:folds=10" in said
    assert said.endswith("low.csv --design kfold:folds=10 --higher-is-better")
    words = said[said.rindex("compare") :].split()[2:]
    assert CliRunner().invoke(app, ["compare", str(low), *words]).exit_code == 0


def test_a_terminal_asks_and_goes_on(low: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replicast.cli.terminal.is_asked_here", lambda: True)
    done = CliRunner().invoke(app, ["compare", str(low)], input="\n2\n")
    assert done.exit_code == 0, done.stderr
    assert "Question 1 of 2" in done.stderr
    assert "svm" in done.stdout
    said = " ".join(done.stderr.split())
    assert said.endswith("low.csv --design kfold:folds=10 --lower-is-better")


def test_a_terminal_that_says_nothing_gets_the_sentence(
    low: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replicast.cli.terminal.is_asked_here", lambda: True)
    done = CliRunner().invoke(app, ["compare", str(low)], input="")
    assert done.exit_code == 2
    assert "Error:" in done.stderr


def test_answers_are_numbers_and_open_ones_are_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    open_one = Choice("design", "random-splits:splits=4,n_train=...,n_test=...", "for splits")
    question = Question("design", "What?", (Choice("design", "5x2", "for five"), open_one))
    monkeypatch.setattr(
        "sys.stdin", io.StringIO("9\n2\nrandom-splits:splits=4,n_train=9,n_test=1\n")
    )
    told: list[str] = []
    assert ask([question], told.append, lambda one: one.value) == [
        Choice("design", "random-splits:splits=4,n_train=9,n_test=1", "for splits")
    ]
    assert "That is no number from 1 to 2." in told


def test_who_is_compared_is_a_question_with_answers(tmp_path: Path) -> None:
    path = tmp_path / "three.csv"
    rows = (f"d{i},{0.7 + i % 4 / 20},{0.6 + i % 3 / 10},{0.5 + i % 5 / 9:.3f}" for i in range(9))
    path.write_text("\n".join(["dataset,a,b,c", *rows]))
    words = [str(path), "--first", "b", "--higher-is-better"]
    done = CliRunner().invoke(app, ["compare", *words])
    assert done.exit_code == 2
    said = " ".join(done.stderr.split())
    assert "`--second` must be one of a, b, c, got nothing" in said
    assert said.endswith("--second a")
    assert CliRunner().invoke(app, ["compare", *words, "--second", "a"]).exit_code == 0


def test_a_gate_never_assumes_which_way_is_better(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text("case,old,new\n" + "".join(f"{i},{i % 2},{i % 3 > 0:d}\n" for i in range(40)))
    words = [str(path), "--candidate", "new", "--baseline", "old", "--margin", "1"]
    done = CliRunner().invoke(app, ["gate", *words])
    assert done.exit_code == 2
    assert "--higher-is-better" in done.stderr
    assert CliRunner().invoke(app, ["gate", *words, "--higher-is-better"]).exit_code in (0, 1, 3)
    compared = CliRunner().invoke(app, ["compare", str(path), "--json"])
    assert '"direction": "assumed"' in compared.stdout
