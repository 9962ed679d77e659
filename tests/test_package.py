"""The package as it is shipped: quick to import, small, silent on the network, honest about versions."""

import ast
import inspect
import json
import re
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.errors import EXTRAS

ROOT = Path(__file__).parents[1]
SCORES = "src/replicast/data/breast-cancer-10x10.csv"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_import_is_light() -> None:
    script = """
import json, resource, sys
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
known = set(sys.modules)
import replicast
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"new": sorted(set(sys.modules) - known), "grown": after - before}))
"""
    told = json.loads(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                                     check=True).stdout)  # fmt: skip
    heavy = {
        "numpy",
        "scipy",
        "pandas",
        "numba",
        "sklearn",
        "matplotlib",
        "pyarrow",
        "typer",
        "rich",
    }
    assert heavy.isdisjoint(name.partition(".")[0] for name in told["new"])
    assert told["grown"] < 20_000  # kB


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Refuse every connection, and remember who tried."""
    tried: list[Any] = []

    def refuse(*asked: Any, **_options: Any) -> None:
        tried.append(asked)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.chdir(ROOT)
    return tried


@pytest.mark.parametrize(
    "command",
    [
        f"compare {SCORES} --first svm --second naive-bayes",
        f"rank {SCORES}",
        "replicate --t 2.9 --folds 10",
        "plan --t 2.9 --folds 10",
        "audit iris --first naive-bayes --second 1-nn --reruns 2",
        "datasets",
        "study list",
        "--version",
    ],
)
def test_no_network_at_run_time(command: str, offline: list[Any]) -> None:
    done = CliRunner().invoke(app, command.split(), env={"COLUMNS": "80"})
    assert offline == []
    assert "Traceback" not in done.output
    assert done.exit_code == 0, done.output


def test_a_report_needs_no_network(offline: list[Any], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    command = ["compare", SCORES, "--first", "svm", "--second", "naive-bayes", "-o", str(page)]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert offline == []
    assert not re.search(r"(src|href)=[\"'](https?:)?//", page.read_text(encoding="utf-8"))


def test_rooms_for_users_are_listed_and_typed() -> None:
    assert {"compare", "datasets", "learners"} <= {*dir(rc)}
    assert (Path(rc.__file__).parent / "py.typed").exists()


def test_a_users_code_is_typed(tmp_path: Path) -> None:
    snippet = tmp_path / "snippet.py"
    snippet.write_text(
        "import numpy as np\n"
        "import replicast as rc\n"
        "first, second = np.array([0.9, 0.8, 0.7]), np.array([0.8, 0.7, 0.7])\n"
        "pair = rc.PairedScores(first=first, second=second, design=rc.KFold(3))\n"
        "reveal_type(rc.corrected_ttest(pair).pvalue)\n"
        "reveal_type(rc.compare(pair).verdict.outcome)\n"
        "reveal_type(rc.datasets.names())\n"
        "lists = rc.PairedScores(first=[0.9, 0.8], second=[0.8, 0.7], design='datasets')\n"
        "rc.compare([0.9, 0.8, 0.7], [0.8, 0.7, 0.7], design='kfold:folds=3')\n"
        "rc.PairedPredictions(truth=[1, 0], first=['a', 'b'], second=[1, 1])\n"
        "rc.power(0.8, 10)\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mypy", "--strict", str(snippet)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    assert "Success" in told, told
    assert 'snippet.py:5: note: Revealed type is "float"' in told, told
    assert "first better" in told
    assert 'snippet.py:7: note: Revealed type is "tuple[str, ...]"' in told.replace(
        "builtins.", ""
    ), told


def test_every_door_says_that_designs_may_be_written() -> None:
    """A record keeps a design; whoever asks for one takes all that `require_design` reads."""
    doors = {name: getattr(rc, name) for name in rc.__all__}
    asked = [
        (name, parameter)
        for name, door in doors.items()
        if inspect.isfunction(door)
        for parameter in inspect.signature(door).parameters.values()
        if parameter.name in ("design", "target_design")
    ]
    assert len(asked) >= 15
    narrow = [name for name, asks in asked if not {str, int} <= set(get_args(asks.annotation))]
    assert not narrow


def test_versions_agree() -> None:
    assert PROJECT["version"] == rc.__version__
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {rc.__version__}\n" in citation
    assert f"## {rc.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_dependency_has_both_bounds() -> None:
    extras = PROJECT["optional-dependencies"]
    named = [one for extra in _USED for one in extras[extra] if not one.startswith("replicast[")]
    for requirement in [*PROJECT["dependencies"], *named]:
        assert re.search(r">=[\d.]+,<\d+", requirement), requirement


def test_extras_are_those_that_users_are_told_of() -> None:
    extras = PROJECT["optional-dependencies"]
    assert set(EXTRAS) == set(_USED)
    for extra, modules in EXTRAS.items():
        declared = " ".join(extras[extra]).lower()
        for module in set(modules) - {"threadpoolctl", "dask"}:  # which others bring along
            assert _NAMES.get(module, module) in declared, module


_USED = ("run", "files", "web", "cluster")
_NAMES = {
    "sklearn": "scikit-learn",
    "python_calamine": "python-calamine",
    "multipart": "python-multipart",
}
_EXTRAS = {
    "web/": "web", "cli/serve.py": "web", "studies/execution.py": "cluster", "reading/": "files",
    "learners/": "run", "experiment/": "run", "studies/": "run", "kernels/compiled.py": "run",
    "web/jobs.py": "files",
}  # fmt: skip


def test_every_import_is_declared_where_it_belongs() -> None:
    """What another package happens to bring along may be gone with its next version."""
    source = ROOT / "src" / "replicast"
    extras = PROJECT["optional-dependencies"]

    def names(requirements: list[str]) -> set[str]:
        return {re.split(r"[^A-Za-z0-9_.-]", one)[0].lower() for one in requirements}

    for path in source.rglob("*.py"):
        place = path.relative_to(source).as_posix()
        allowed = names(PROJECT["dependencies"]) | {"replicast"}
        for start, extra in _EXTRAS.items():
            allowed |= names(extras[extra]) if place.startswith(start) else set()
        allowed |= {"pytest"} if place == "pytest_plugin.py" else set()  # which pytest alone loads
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for module in {one.partition(".")[0] for one in modules} - sys.stdlib_module_names:
                assert _NAMES.get(module, module) in allowed, f"{place} imports {module}"


def test_the_lock_holds_every_direct_dependency() -> None:
    lock = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    pinned = {line.partition("==")[0].lower().replace("_", "-") for line in lock.splitlines()}
    extras = PROJECT["optional-dependencies"]
    for requirement in [
        *PROJECT["dependencies"],
        *(one for extra in (*_USED, "dev") for one in extras[extra]),
    ]:
        if requirement.startswith("replicast["):
            continue
        name = re.match(r"[A-Za-z0-9_.-]+", requirement)
        assert name is not None
        assert name.group().lower().replace("_", "-") in pinned, requirement
    assert "://" not in lock  # where packages come from is the user's business


def test_the_command_for_tests_is_the_one_that_integration_runs() -> None:
    (told,) = re.findall(r"^    (make \S+) +# the tests", _read("README.md"), flags=re.MULTILINE)
    ran = [line.strip() for line in _read(".ci/run").splitlines()]
    assert ran.count(told) == 1
    assert [line for line in ran if line.startswith("make test")] == [told]


def test_what_is_left_to_the_long_run_is_there() -> None:
    for place in re.findall(
        r'^    "(tests/\S+)": "', _read("tests/conftest.py"), flags=re.MULTILINE
    ):
        path, _, name = place.partition("::")
        assert (ROOT / path).exists(), path
        assert f"def {name}" in (_read(path) if name else "def "), place


def test_every_target_that_is_named_can_be_made() -> None:
    targets = set(re.findall(r"^([a-z-]+):", _read("Makefile"), flags=re.MULTILINE))
    pages = [
        *(ROOT / ".github").rglob("*.yml"), *(ROOT / "docs").glob("*.md"), ROOT / ".ci" / "run",
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    ]  # fmt: skip
    for path in pages:
        text = path.read_text(encoding="utf-8")
        for words in re.findall(
            r"(?:`|^ *|run: )make ((?:[a-z-]+ ?)+)(?:`|$| #)", text, re.MULTILINE
        ):
            assert set(words.split()) <= targets, f"{path.name}: make {words}"


def test_what_is_missing_is_named_and_nothing_is_invented() -> None:
    """Addresses, people and identifiers that only the owners know stand in one table."""
    for name in ("pyproject.toml", "CITATION.cff", "CODE_OF_CONDUCT.md", "SECURITY.md", "paper.md"):
        text = _read(name)
        assert not re.search(r"[\w.+-]+@[\w-]+\.[a-z]{2,}", text), name
        assert not re.search(r"(?i)\b(doi|orcid)\s*[:=]", text), name
    assert "urls" not in PROJECT
    table = _read("docs/releasing.md")
    for what in ("address of the repository", "mail", "ORCID", "DOI", "trusted publisher"):
        assert what in table


def test_every_shipped_file_of_data_has_a_licence() -> None:
    rules = tomllib.loads(_read("REUSE.toml"))["annotations"]
    texts = {path.stem for path in (ROOT / "LICENSES").iterdir()}
    named = {part for rule in rules for part in rule["SPDX-License-Identifier"].split(" AND ")}
    assert named == texts
    assert set(PROJECT["license"].split(" AND ")) <= texts
    paths = [
        path
        for rule in rules
        for path in ([rule["path"]] if isinstance(rule["path"], str) else rule["path"])
    ]
    for path in paths:
        assert next(ROOT.glob(path), None) is not None, path


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")
