"""The action for continuous integration: its steps are run as a runner would run them."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
CASES = "cases.csv"
PYTHON = """#!/bin/sh
if [ "$1 $2" = "-m pip" ]; then echo "$@" >> "$RUNNER_TEMP/pip"; exit 0; fi
exec "{}" "$@"
"""


class Run:
    """One run of all steps that are scripts, with the files a runner hands in."""

    def __init__(self, folder: Path, **inputs: str) -> None:
        given = {name: one.get("default", "") for name, one in ACTION["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        wanted = {name for name, one in ACTION["inputs"].items() if one.get("required")}
        assert all(given[name] for name in wanted)
        python = folder / "bin" / "python"
        python.parent.mkdir()
        python.write_text(PYTHON.format(sys.executable))
        python.chmod(0o755)
        files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            path.touch()
        told: list[subprocess.CompletedProcess[str]] = []
        for step in ACTION["runs"]["steps"]:
            if "run" not in step:
                continue
            assert "${{" not in step["run"]  # what is written by others reaches the shell as data
            environment = {name: _resolved(text, given) for name, text in step["env"].items()}
            told.append(
                subprocess.run(
                    ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                    cwd=folder, capture_output=True, text=True, check=False,
                    env={**os.environ, **environment, **{n: str(p) for n, p in files.items()},
                         "RUNNER_TEMP": str(folder), "GITHUB_ACTION_PATH": str(ROOT),
                         "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"},
                )
            )  # fmt: skip
        self.code, self.stdout = told[-1].returncode, told[-1].stdout
        self.installed = (folder / "pip").read_text().split()[-1]
        self.summary = files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
        lines = files["GITHUB_OUTPUT"].read_text().splitlines()
        self.outputs = dict(line.split("=", 1) for line in lines)


def _resolved(text: str, inputs: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    def table(name: str, lost: int, gained: int, same: int) -> None:
        rows = [(0, 1)] * lost + [(1, 0)] * gained + [(1, 1)] * same
        lines = [f"{i},{new},{old}" for i, (new, old) in enumerate(rows)]
        (tmp_path / name).write_text("\n".join(["case,new one,old", *lines]) + "\n")

    table("good cases.csv", 2, 30, 400)
    table("bad.csv", 60, 2, 400)
    table("few.csv", 1, 1, 10)
    return tmp_path


ASKED = {
    "candidate": "new one", "baseline": "old", "margin": "2", "metric": "accuracy",
}  # fmt: skip


def test_a_good_candidate_passes(folder: Path) -> None:
    ran = Run(folder, scores="good*.csv", **ASKED)
    assert ran.code == 0, ran.stdout
    assert ran.outputs == {"outcome": "pass", "exit-code": "0"}
    assert ran.summary.startswith("# PASS  new one is not worse than old")
    assert "good cases.csv" in ran.summary
    assert ran.stdout.startswith("PASS")
    assert ran.installed == str(ROOT)


def test_a_bad_candidate_fails(folder: Path) -> None:
    ran = Run(folder, scores="bad.csv", package="replicast==0.3", **ASKED)
    assert ran.code == 1
    assert ran.outputs == {"outcome": "fail", "exit-code": "1"}
    assert ran.summary.startswith("# FAIL")
    assert "::error title=replicast gate::" in ran.stdout
    assert ran.installed == "replicast==0.3"


@pytest.mark.parametrize(("word", "code"), [("fail", 3), ("pass", 0)])
def test_what_cannot_be_told_fails_unless_it_may_pass(word: str, code: int, folder: Path) -> None:
    ran = Run(folder, scores="few.csv", cannot_tell=word, **ASKED)
    assert ran.code == code
    assert ran.outputs == {"outcome": "cannot tell", "exit-code": "3"}
    assert ran.summary.startswith("# CANNOT TELL")
    assert (("::warning" in ran.stdout), ("::error" in ran.stdout)) == (code == 0, code != 0)


def test_a_mistake_stands_in_the_summary(folder: Path) -> None:
    ran = Run(folder, scores="missing.csv", **ASKED)
    assert ran.code == 2
    assert ran.outputs == {"outcome": "mistake", "exit-code": "2"}
    assert "must be a readable file" in " ".join(ran.summary.split())


def test_options_are_words_and_never_code(folder: Path) -> None:
    ran = Run(folder, scores="good*.csv", options="--better --significance 0.01", **ASKED)
    assert ran.outputs["outcome"] in ("pass", "fail", "cannot tell")
    for unfriendly in ("$(touch made)", "; touch made", "`touch made`"):
        again = folder / str(len(list(folder.iterdir())))
        again.mkdir()
        Run(again, scores=unfriendly, **{**ASKED, "candidate": unfriendly, "options": unfriendly})
        assert not (again / "made").exists()


def test_inputs_and_outputs_are_all_used() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    steps: list[dict[str, Any]] = ACTION["runs"]["steps"]
    assert ACTION["runs"]["using"] == "composite"
    assert all(step.get("shell") == "bash" for step in steps if "run" in step)
    for name in ACTION["inputs"]:
        assert re.search(rf"inputs\.{name}\b", text), name
