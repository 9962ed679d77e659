"""Every command that reads scores takes the same options, and advises no other."""

import ast
import inspect
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.cli.options import Reading
from sentences import SOURCE
from test_packing import workbook

NAMED = re.compile(r"`([a-z_]+)(?:=[^`]*)?`")
ARGUMENTS = inspect.signature(rc.read_scores).parameters
GROUP: Any = typer.main.get_command(app)


def reads_scores(command: Any) -> bool:
    """Tell a command that takes files of scores: one or several paths."""
    return any(one.param_type_name == "argument" and one.nargs == -1 for one in command.params)


READERS = {
    name: command
    for name, command in GROUP.commands.items()
    if name != "help" and reads_scores(command)  # help takes words
}


def options_of(command: Any) -> set[str]:
    return {word for one in command.params for word in (*one.opts, *one.secondary_opts)}


def test_the_commands_that_read_scores() -> None:
    assert set(READERS) == {"compare", "rank", "gate", "judge", "stop", "plan"}


@pytest.mark.parametrize("name", READERS)
def test_they_have_the_options_of_reading(name: str) -> None:
    have = {one.name for one in READERS[name].params}
    assert set(Reading.__dataclass_fields__) <= have


def advised() -> set[str]:
    """Return the arguments of `read_scores` that sentences of the reader name."""
    found: set[str] = set()
    for room in ("reading", "scores"):
        for path in (SOURCE / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found |= set(NAMED.findall(f"{node.value}`"))
                    found |= {node.value}  # the argument that a refusal is about
    return found & set(ARGUMENTS) - {"assume"}  # which no command lets anybody say


@pytest.mark.parametrize("name", READERS)
def test_no_refusal_of_the_reader_advises_an_option_that_is_not_there(name: str) -> None:
    command = READERS[name]
    assert {"rows", "where", "sheet", "metric", "cluster_column"} <= advised()
    for argument in advised():
        shown = command.name_option(argument)
        if argument == "source":
            assert shown.isupper()
            continue
        words = re.findall(r"--[a-z-]+", shown)
        assert words, (argument, shown)
        elsewhere = re.match(r"(\w+) --", shown)  # of another command, which is named
        there = READERS[elsewhere[1]] if elsewhere else command
        assert set(words) <= options_of(there), (argument, shown)


RNG = np.random.default_rng(3)


def cases(**more: Any) -> pd.DataFrame:
    """Return 40 cases of two models, right or wrong, drawn anew."""
    right = (RNG.random((40, 2)) < (0.8, 0.5)).astype(int)
    frame = pd.DataFrame(
        {"case": [f"q{i}" for i in range(40)], "new": right[:, 0], "old": right[:, 1]}
    )
    return frame.assign(**more).melt(["case", *more], var_name="model", value_name="correct")


def doubtful(kind: str) -> tuple[pd.DataFrame, list[str]]:
    """Return a table that leaves something open, and the options that settle it."""
    match kind:
        case "rows":
            frame = pd.DataFrame(RNG.random((3, 7)).round(3), columns=[f"d{i}" for i in range(7)])
            frame.insert(0, "name", ["new", "old", "other"])
            return frame, ["--rows", "classifiers", "--higher-is-better"]
        case "where":
            return cases(part=np.resize(["test", "holdout"], 40)), ["--where", "part=test"]
        case "sheet":
            return cases(), ["--sheet", "s2"]
        case "groups":
            return cases(site=np.resize(list("abcd"), 40)), ["--columns", "cluster=none"]
        case "design":
            frame = pd.DataFrame({"new": RNG.random(40), "old": RNG.random(40)})
            return frame, ["--design", "cases", "--higher-is-better"]
        case "metric":
            frame = cases()
            return frame.assign(exact_match=frame.correct), ["--metric", "exact_match"]
        case _:
            return cases().drop(index=3), ["--missing", "drop-case"]


def written(kind: str, folder: Path) -> tuple[list[str], list[str]]:
    """Write two such tables; return the files and the options."""
    paths, settled = [], []
    for at in range(2):
        frame, settled = doubtful(kind)
        paths.append(folder / f"{kind}{at}.{'xlsx' if kind == 'sheet' else 'csv'}")
        if kind == "sheet":
            text = frame.to_csv(index=False)
            paths[-1].write_bytes(workbook(text, text))
        else:
            frame.to_csv(paths[-1], index=False)
    return [str(path) for path in paths], settled


BEHIND = {
    "gate": ["--candidate", "new", "--baseline", "old", "--margin", "1"],
    "judge": ["--data", "fresh"],
}


def run(command: str, files: list[str], options: list[str]) -> Any:
    taken = files if command == "judge" else files[:1]
    pair = [] if command in ("gate", "rank") else ["--first", "new", "--second", "old"]
    whole = [command, *taken, *options, *BEHIND.get(command, []), *pair]
    return CliRunner().invoke(app, whole, env={"COLUMNS": "400", "NO_COLOR": "1"})


@pytest.mark.parametrize(
    "kind", ["rows", "where", "sheet", "groups", "design", "metric", "missing"]
)
@pytest.mark.parametrize("name", READERS)
def test_what_a_command_asks_it_can_be_told(
    name: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files, settled = written(kind, tmp_path)
    asked = run(name, files, [])
    if kind == "missing" and name in ("compare", "plan", "rank", "report"):  # on what is shared
        assert asked.exit_code == 0, asked.output
        settled = ["--missing", "refuse"]
        asked = run(name, files, settled)
        settled = ["--missing", "drop-case"]
    assert asked.exit_code == 2, asked.output
    words = set(re.findall(r"--[a-z][a-z-]*", asked.output))
    assert settled[0] in words
    assert words <= options_of(READERS[name]), asked.output
    told = run(name, files, settled)
    assert told.exit_code in (0, 1, 3), told.output


def test_a_gate_of_one_task_reads_its_cases(tmp_path: Path) -> None:
    """`--dataset` reaches the reader, as in `compare`: the cases of that task are tested."""
    path = tmp_path / "tasks.csv"
    pd.concat([cases(task="law"), cases(task="maths")]).to_csv(path, index=False)
    words = ["gate", str(path), "--dataset", "law", *BEHIND["gate"], "--json"]
    found = json.loads(CliRunner().invoke(app, words).stdout)
    assert found["design"] == "holdout:cases=40"
    ranked = CliRunner().invoke(app, ["rank", str(path), "--dataset", "law", "--json"])
    assert json.loads(ranked.stdout)["design"] == "holdout:cases=40"
