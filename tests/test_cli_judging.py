"""judge, gate, stop, and ledger on the command line."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from replicast.cli import app

SCORES = str(Path(__file__).parents[1] / "src/replicast/data/breast-cancer-10x10.csv")


def run(command: str):
    return CliRunner().invoke(app, shlex.split(command), env={"COLUMNS": "80", "NO_COLOR": "1"})


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    old = (rng.random(600) < 0.7).astype(int)
    for name, change, n in (("same", 0.03, 600), ("fresh", 0.03, 500), ("early", 0.05, 80)):
        new = np.where(rng.random(600) < change, 1 - old, old)
        frame = pd.DataFrame({"y_true": 1, "new": new, "old": old}).sample(n, random_state=1)
        frame.to_csv(f"{name}.csv", index=False)
    worse = np.where(rng.random(600) < 0.3, 0, old)
    pd.DataFrame({"y_true": 1, "new": worse, "old": old}).to_csv("worse.csv", index=False)


def test_judge_two_tables() -> None:
    done = run("judge same.csv fresh.csv --data fresh --first new --second old")
    assert done.exit_code == 0, done.output
    assert "read: 600 cases, then " in done.stdout
    found = json.loads(run("judge same.csv fresh.csv --data fresh --json").stdout)
    assert found["original"]["method"] == "mcnemar"


def test_judge_numbers() -> None:
    found = json.loads(run("judge --original 3.1,1.2 --replication 2.0,1.0 --json").stdout)
    assert found["estimates"]["golden_p"] == pytest.approx(0.02723534)
    command = "judge --original t=2.9,folds=10 --replication t=2.1,folds=10 --json"
    assert json.loads(run(command).stdout)["unit"] == "standard errors"
    wins = "judge --original wins=29,datasets=44 --replication wins=50,datasets=88 --json"
    assert json.loads(run(wins).stdout)["estimates"]["ratio"] == pytest.approx(2)
    larger = "judge --original t=2.9,folds=10 --replication t=2.1,folds=10 --times 4 --json"
    assert json.loads(run(larger).stdout)["estimates"]["ratio"] == pytest.approx(4)


@pytest.mark.parametrize("ending", ["html", "md", "tex", "csv", "json", "svg", "png", "pdf"])
def test_judge_writes_a_report(ending: str) -> None:
    command = f"judge same.csv fresh.csv --data fresh --first new --second old -o out.{ending}"
    assert run(command).exit_code == 0
    content = Path(f"out.{ending}").read_bytes()
    assert len(content) > 300
    if ending in ("html", "md", "tex"):
        assert "one test set of 600 cases" in content.decode()
    if ending == "html":
        assert "<svg" in content.decode()
        assert "http://" not in content.decode().replace("http://www.w3.org", "")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("judge --original 3,1 --replication 2,1 -o out.doc", "a file ending in .html"),
        ("judge", "two files, or `--original` and `--replication`"),
        ("judge same.csv", "got 1 tables"),
        ("judge same.csv fresh.csv --original 1,2", "got 2 tables and numbers"),
        (
            "judge same.csv same.csv --data fresh",
            "rows of scores that stand in the first table too",
        ),
        ("judge same.csv same.csv", "say `--data fresh`"),
        ("judge --original 3 --replication 2,1", "must be estimate and standard error such as"),
        ("judge --original t=2.9,fold=10 --replication 2,1", "Did you mean folds?"),
        ("judge --original t=2.9 --replication 2,1", "`folds` must be given"),
        ("judge --original 3,0 --replication 2,1", "must be a positive standard error"),
        ("judge --original t=2.9,folds=10 --replication 2,1", "in the unit of the original"),
        ("judge --original t=1,folds=10 --replication t=1,folds=10 --times 0", "`--times` must be"),
        ("gate same.csv --candidate new", "`--margin` must be a positive difference"),
        (
            "gate same.csv --candidate new --margin 200",
            "`--margin` must be below 100 points, got 200",
        ),
        (
            "gate same.csv --candidate new --margin 0.02",
            "Are 0.02 points meant, or 2? Say `--unit points`",
        ),
        ("gate same.csv --candidate new --margin 2 --unit point", "Did you mean points?"),
        (
            "compare same.csv --rope 0.01",
            "`--rope` must be a number of points, such as 2, got 0.01",
        ),
        (
            "gate same.csv --candidate new --margin 2 --better --equivalent",
            "left out with `--better`",
        ),
        (f"stop {SCORES} --first svm --second logistic", "no fresh evidence to stop on"),
        ("ledger none.jsonl", "which is not there"),
        ("ledger same.csv", "same.csv is no journal of replicast"),
    ],
)
def test_refusals(command: str, sentence: str) -> None:
    done = run(command)
    told = " ".join(done.stderr.split()) + " ".join(done.stdout.split())
    assert sentence in told
    assert done.exit_code == 2
    assert "Traceback" not in told


def test_ledger_scores_what_was_forecast_beforehand() -> None:
    assert run("compare same.csv --first new --second old --ledger f.jsonl").exit_code == 0
    assert "1 open" in run("ledger f.jsonl").stdout
    for _ in range(2):
        done = run(
            "judge same.csv fresh.csv --data fresh --first new --second old --ledger f.jsonl"
        )
        assert "written down before" in " ".join(done.stdout.split())
    found = json.loads(run("ledger f.jsonl --json").stdout)
    assert (found["forecasts"], found["registered"], found["open"]) == (1, 1, 0)
    assert len(Path("f.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("command", "code", "word"),
    [
        ("gate same.csv --candidate new --baseline old --margin 3", 0, "PASS"),
        ("gate worse.csv --candidate new --baseline old --margin 3", 1, "FAIL"),
        ("gate early.csv --candidate new --baseline old --margin 1", 3, "CANNOT TELL"),
        (
            "gate same.csv --candidate new --baseline old --margin 1.5 --require-power 0.99",
            3,
            "CANNOT",
        ),
        ("gate same.csv --candidate new --baseline old --margin 4 --equivalent", 0, "PASS"),
        ("gate worse.csv --candidate old --baseline new --better", 0, "PASS"),
        ("gate same.csv --candidate new --margin 0.03 --unit fraction", 0, "PASS"),
        ("gate same.csv --candidate new --margin 0.03 --unit points", 3, "CANNOT TELL"),
    ],
)
def test_gates(command: str, code: int, word: str) -> None:
    done = run(command)
    assert done.exit_code == code, done.output
    told = done.stdout
    assert told.startswith(word)
    assert "  gate " in told
    assert json.loads(run(f"{command} --json").stdout)["exit_code"] == code


def test_a_plain_table_of_right_and_wrong() -> None:
    frame = pd.read_csv("worse.csv").drop(columns="y_true")
    frame.insert(0, "question", [f"q{i}" for i in range(len(frame))])
    frame.to_csv("plain.csv", index=False)
    asked = run("gate plain.csv --candidate new --baseline old --margin 3")
    assert asked.exit_code == 2
    assert "--higher-is-better" in " ".join(asked.stderr.split())
    told = run("gate plain.csv --candidate new --baseline old --margin 3 --higher-is-better")
    assert told.exit_code == 1
    assert "600 cases" in told.stdout
    watched = run("stop plain.csv --first new --second old --higher-is-better")
    assert watched.stdout.startswith("You may stop: old is better")


def test_a_margin_counts_in_points() -> None:
    found = json.loads(run("gate same.csv --candidate new --baseline old --margin 3 --json").stdout)
    assert found["margin"] == pytest.approx(0.03)


def test_stop() -> None:
    done = run("stop worse.csv --first new --second old --total 1000")
    assert done.exit_code == 0
    assert re.match(r"You may stop: old is better, decided after \d+ of 1,000 cases", done.stdout)
    open_end = run("stop early.csv --first new --second old --json")
    assert open_end.exit_code == 3
    assert json.loads(open_end.stdout)["progress"]["better"] is None


@pytest.mark.parametrize("columns", [("new", "old"), ("old", "new"), ("new", "old", "third")])
def test_a_gate_does_not_guess_which_is_new(columns: tuple[str, ...]) -> None:
    """It once took the first column for the candidate, and passed the reverse question."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({name: (rng.random(300) < 0.7).astype(int) for name in columns})
    frame.to_csv("plain.csv", index=False)
    done = run("gate plain.csv --margin 2 --higher-is-better --design holdout")
    assert done.exit_code == 2
    assert f"`--candidate` must be one of {', '.join(columns)}" in " ".join(done.output.split())
    if len(columns) == 3:
        done = run("gate plain.csv --margin 2 --higher-is-better --design holdout --candidate new")
        assert "`--baseline` must be one of" in done.output
    else:
        done = run("gate plain.csv --margin 2 --higher-is-better --design holdout --candidate new")
        assert "new is worse than old" in done.stdout


def test_a_gate_without_a_margin_says_so_in_words() -> None:
    done = run("gate same.csv --candidate new --baseline old")
    assert done.exit_code == 2
    assert "got nothing" in done.output


def test_no_more_cases_than_were_planned() -> None:
    done = run("stop early.csv --first new --second old --total 50")
    assert done.exit_code == 2
    assert "`--total` must be at least 80" in done.output


def test_plans_from_seeds_of_a_paper_name_their_test() -> None:
    told = " ".join(run("plan --t 4.4 --seeds 5 --vary seeds --more").stdout.split())
    assert "Planned for the test that allows for the split" in told
    assert "paper's own test" not in told


def test_a_plan_counts_in_words_of_its_table() -> None:
    told = run("plan --wins 29 --of 44 --ties 11 --probability 0.95 --more").stdout
    assert told.startswith("63 datasets make 95 of 100 repeats significant")
    assert any(line.split()[:3] == ["63", "datasets", "96"] for line in told.splitlines())


def test_what_grows_in_a_test_set_is_called_cases() -> None:
    done = run("plan same.csv --first new --second old --vary questions")
    assert "Questions, images or documents are cases" in " ".join(done.output.split())
