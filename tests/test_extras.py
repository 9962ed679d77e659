"""The core alone: every verb answers without the extras, and who needs one is told its name."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from replicast.errors import EXTRAS

BLOCKED = """
import sys
for name in %r:
    sys.modules[name] = None  # as if it were not installed
from replicast.__main__ import main
sys.argv[0] = "replicast"
main()
"""
ROOT = Path(__file__).parents[1]


def core(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that has none of the extras."""
    modules = [module for named in EXTRAS.values() for module in named]
    command = [sys.executable, "-c", BLOCKED % modules, *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    table = np.round(rng.normal(0.8, 0.05, (20, 3)), 3)
    lines = [f"d{i},{a},{b},{c}" for i, (a, b, c) in enumerate(table.tolist())]
    (tmp_path / "scores.csv").write_text("\n".join(["dataset,svm,nb,knn", *lines]) + "\n")
    again = np.round(rng.normal(0.8, 0.05, (20, 3)), 3)
    lines = [f"e{i},{a},{b},{c}" for i, (a, b, c) in enumerate(again.tolist())]
    (tmp_path / "fresh.csv").write_text("\n".join(["dataset,svm,nb,knn", *lines]) + "\n")
    right = rng.random((300, 2)) < (0.7, 0.8)
    cases = [f"{i},{int(a)},{int(b)}" for i, (a, b) in enumerate(right.tolist())]
    (tmp_path / "cases.csv").write_text("\n".join(["case,old,new", *cases]) + "\n")
    records = [{"case": i, "old": int(a), "new": int(b)} for i, (a, b) in enumerate(right.tolist())]
    (tmp_path / "cases.json").write_text(json.dumps(records))
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        "compare scores.csv --first svm --second nb --metric accuracy",
        "compare scores.csv --first svm --second nb --metric accuracy -o plot.png",
        "compare cases.json --first new --second old --metric accuracy",
        "rank scores.csv --metric accuracy",
        "replicate --t 2.4 --folds 10",
        "replicate --discordant 15,3 --cases 50",
        "plan --t 2.9 --folds 10 --vary runs --probability 0.8",
        "gate cases.csv --baseline old --candidate new --metric accuracy --margin 5",
        "judge scores.csv fresh.csv --first svm --second nb --metric accuracy --data fresh",
        "stop cases.csv --first new --second old --metric accuracy",
        "demo --output shown",
        "datasets",
    ],
    ids=lambda words: words.split(" --")[0],
)
def test_a_verb_of_the_core_needs_no_extra(folder: Path, words: str) -> None:
    ended = core(*words.split(), cwd=folder)
    assert ended.returncode in (0, 1), ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout.strip()


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("audit iris --first 1-nn --second 3-nn", "run"),
        ("study run berrar-1 --store here", "run"),
        ("warm", "run"),
        ("serve --open never", "web"),
        ("compare cases.parquet --first old --second new", "files"),
    ],
)
def test_who_needs_an_extra_is_told_the_line(folder: Path, words: str, extra: str) -> None:
    (folder / "cases.parquet").write_bytes(b"PAR1" + bytes(40) + b"PAR1")
    ended = core(*words.split(), cwd=folder)
    assert ended.returncode == 2, ended.stderr
    assert f"pip install 'replicast[{extra}]'" in " ".join(ended.stderr.split())
    assert "Traceback" not in ended.stderr


COMMANDS = re.findall(
    r"^\| `replicast (.*?)` \|",
    (ROOT / "README.md").read_text(encoding="utf-8"),
    flags=re.MULTILINE,
)


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_of_the_readme_works_or_names_its_extra(folder: Path, words: str) -> None:
    """The files that it names are there: two tables over datasets, and one of cases."""
    for name, original in (("first.csv", "scores.csv"), ("then.csv", "fresh.csv")):
        rows = [line.split(",")[:3] for line in (folder / original).read_text().splitlines()]
        (folder / name).write_text("\n".join(",".join(row) for row in rows) + "\n")
    asks = words.split()[0] in ("gate", "judge", "stop")  # which never guess a direction
    ended = core(*words.split(), *(["--metric", "accuracy"] if asks else []), cwd=folder)
    assert "Traceback" not in ended.stderr
    if ended.returncode == 2:
        assert re.search(r"pip install 'replicast\[\w+\]'", " ".join(ended.stderr.split())), (
            ended.stderr
        )
    else:
        assert ended.returncode in (0, 1, 3), ended.stderr
        assert ended.stdout.strip()


def test_the_readme_names_every_verb_of_the_core() -> None:
    assert len(COMMANDS) >= 8
    assert {words.split()[0] for words in COMMANDS} >= {"compare", "rank", "gate", "audit", "serve"}


def test_no_extra_is_imported_at_the_start() -> None:
    """Neither by the package nor by its command line, whatever is installed."""
    modules = [module for named in EXTRAS.values() for module in named]
    source = f"""
import sys, replicast, replicast.cli
try:
    replicast.cli.app(["--help"], standalone_mode=False)
finally:
    print("loaded:", *(set({modules}) & set(sys.modules)))
"""
    ended = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True
    )
    assert ended.stdout.splitlines()[-1] == "loaded:"


def test_python_names_the_extra_too(tmp_path: Path) -> None:
    source = """
import sys
sys.modules["sklearn"] = None
import replicast as rc
for name in rc.__all__:
    try:
        getattr(rc, name)
    except ImportError as error:
        assert "pip install 'replicast[run]'" in str(error), (name, error)
try:
    rc.evaluate({"a": None, "b": None}, [[1.0]] * 4, [0, 1, 0, 1], 2)
except ImportError as error:
    print(error)
"""
    ended = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, cwd=tmp_path
    )
    assert "pip install 'replicast[run]'" in ended.stdout, ended.stderr
