"""A dash in the place of a file: every verb that reads one reads standard input too."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from replicast.cli import app
from replicast.cli.topics import TOPICS
from replicast.reading.limits import HERE

ROOT = Path(__file__).parents[1]
CASES = (ROOT / "src/replicast/data/example-cases.csv").read_bytes()
FOLDS = (ROOT / "src/replicast/data/breast-cancer-10x10.csv").read_bytes()
PAIR = ["--first", "svm", "--second", "logistic"]
STUDY = (
    b'name = "short"\nscenario = "normal-differences"\nreplicates = 2\nblock = 2\n'
    b"[factors]\neffect = [0.0]\n[constants]\nn = 5\n"
)
# a verb, its content, the words around the dash, and how it may end
VERBS: dict[str, tuple[bytes, list[str], int]] = {
    "compare": (FOLDS, ["compare", "-", *PAIR], 0),
    "rank": (FOLDS, ["rank", "-"], 0),
    "plan": (FOLDS, ["plan", "-", *PAIR], 0),
    "gate": (FOLDS, ["gate", "-", "--candidate", "svm", "--baseline", "logistic", "--margin", "2"], 0),
    "stop": (CASES, ["stop", "-"], 3),
    "judge": (FOLDS, ["judge", "{}/folds.csv", "-", *PAIR, "--data", "fresh"], 0),
    "ledger": (b"", ["ledger", "-"], 0),
    "audit": (b"", ["audit", "-", "--first", "1-nn", "--second", "naive-bayes", "--reruns", "2"], 0),
    "study show": (STUDY, ["study", "show", "-"], 0),
    "study run": (STUDY, ["study", "run", "-", "--store", "{}/here"], 0),
}  # fmt: skip


def run(content: bytes, words: list[str]) -> object:
    return CliRunner().invoke(app, words, input=content, env={"COLUMNS": "80"})


@pytest.mark.parametrize("name", VERBS)
def test_what_is_piped_is_answered_as_a_file_is(name: str, tmp_path: Path) -> None:
    content, words, code = VERBS[name]
    (tmp_path / "folds.csv").write_bytes(FOLDS.replace(b",0.9", b",0.8"))
    if name == "ledger":
        written = ["judge", "--original", "3.1,1.2", "--replication", "2,1", "--ledger"]
        assert CliRunner().invoke(app, [*written, str(tmp_path / "l.jsonl")]).exit_code == 0
        content = (tmp_path / "l.jsonl").read_bytes()
    if name == "audit":
        content = (ROOT / "src/replicast/data/uci/iris.arff.gz").read_bytes()
    words = [word.replace("{}", str(tmp_path)) for word in words]
    endings = {"audit": ".arff.gz", "study show": ".toml", "study run": ".toml"}
    path = tmp_path / f"given{endings.get(name, '.csv')}"
    path.write_bytes(content)
    piped = run(content, [word.replace("/here", "/there") for word in words])
    filed = run(b"", [str(path) if word == "-" else word for word in words])
    assert piped.exit_code == filed.exit_code == code, piped.output
    shown = piped.stdout.replace("standard input", "given")
    assert shown.splitlines()[0] == filed.stdout.splitlines()[0]


def test_every_verb_that_reads_a_file_is_tried() -> None:
    """An argument that is called by what a file holds belongs to a verb above."""
    reading = set()
    open_ones = [("", typer.main.get_command(app))]
    while open_ones:
        name, command = open_ones.pop()
        open_ones += [
            (f"{name} {n}".strip(), c) for n, c in getattr(command, "commands", {}).items()
        ]
        if any(one.param_type_name == "argument" for one in command.params):
            reading.add(name)
    others = {"help", "completion", "study status", "study summary", "study report", "study export"}
    assert reading - others == set(VERBS)


def test_a_dash_is_read_once() -> None:
    told = run(FOLDS, ["judge", "-", "-", *PAIR])
    assert told.exit_code == 2
    assert "standard input a second time" in " ".join(told.stderr.split())


def test_too_much_is_refused_as_a_file_is() -> None:
    usual = HERE.packed
    object.__setattr__(HERE, "packed", 1000)  # every reader holds this very record
    try:
        told = run(FOLDS, ["compare", "-", *PAIR])
    finally:
        object.__setattr__(HERE, "packed", usual)
    assert told.exit_code == 2
    told_so = " ".join(told.stderr.split())
    assert re.search(r"must be a file of at most .*, got standard input", told_so)


def test_nothing_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run(FOLDS, ["compare", "-", *PAIR]).exit_code == 0
    assert run(b"", ["compare", "-", *PAIR]).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_module_and_command_are_one() -> None:
    words = [sys.executable, "-m", "replicast", "compare", "-", *PAIR]
    told = subprocess.run(words, input=FOLDS, capture_output=True, check=False)
    assert told.returncode == 0, told.stderr
    assert told.stdout.decode() == run(FOLDS, ["compare", "-", *PAIR]).stdout


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_a_table_of_the_library(topic: str) -> None:
    title, rows = TOPICS[topic]
    told = run(b"", ["help", topic])
    assert told.exit_code == 0
    assert told.stdout.startswith(title)
    for name, _ in rows():
        assert name in told.stdout
    assert max(map(len, told.stdout.splitlines())) <= 80
    assert "docs/" not in told.stdout  # a path of the repository, which is not installed


def test_files_are_explained_by_either_name() -> None:
    told = [run(b"", ["help", word]).stdout for word in ("files", "formats")]
    assert told[0] == told[1]
    assert "Weka Experimenter results" in told[0]


def test_help_of_a_command_is_what_the_command_says() -> None:
    for words in (["gate"], ["study", "run"], ["study"]):
        assert run(b"", ["help", *words]).stdout.rstrip() == (
            run(b"", [*words, "--help"]).stdout.rstrip()
        )
    told = run(b"", ["help"]).stdout
    assert told.startswith(run(b"", ["--help"]).stdout.rstrip())
    assert all(topic in told for topic in TOPICS)
    wrong = run(b"", ["help", "desings"])
    assert wrong.exit_code == 2
    assert "Did you mean designs?" in " ".join(wrong.stderr.split())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_and_nothing_is_written(
    shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("ZDOTDIR", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    told = run(b"", ["completion", shell])
    assert "_REPLICAST_COMPLETE" in told.stdout
    refused = run(b"y\n", ["completion", shell, "--write"])
    assert refused.exit_code == 2
    assert "at a terminal" in " ".join(refused.stderr.split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("answer", "written"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_completion_asks_before_it_writes(answer: str, written: bool, tmp_path: Path) -> None:
    start = tmp_path / ".bashrc"
    start.write_text("# mine\n")
    lines = f"source '{tmp_path}/.bash_completions/replicast.sh'"
    command = [sys.executable, "-m", "replicast", "completion", "bash", "--write"]
    for _ in range(2):
        screen, inside = pty.openpty()
        os.write(screen, answer.encode())
        told = subprocess.run(
            command, stdin=inside, stderr=inside, stdout=subprocess.PIPE, check=False,
            env={**os.environ, "HOME": str(tmp_path)},
        )  # fmt: skip
        shown = os.read(screen, 65536).decode()
        os.close(inside)
        os.close(screen)
        assert told.returncode == 0, shown
    text = start.read_text()
    assert text.startswith("# mine\n")
    assert text.count(lines) == written
    assert (tmp_path / ".bash_completions").exists() == written
    assert ("Nothing was written" in shown) != written


def test_bash_completes() -> None:
    script = subprocess.run(
        [sys.executable, "-m", "replicast", "completion", "bash"], capture_output=True, text=True
    ).stdout
    asked = {**os.environ, "COMP_WORDS": "replicast comp", "COMP_CWORD": "1",
             "_REPLICAST_COMPLETE": "complete_bash"}  # fmt: skip
    told = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv[0] = 'replicast'; "
         "from replicast.cli import main; main()"],
        env=asked, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.stdout.split() == ["compare", "completion"]
    assert "complete -o default -F _replicast_completion replicast" in script
