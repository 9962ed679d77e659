"""What a command loads before it answers, and how it reads plain words."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from replicast.cli import app
from replicast.cli.words import plain_reading

LOOK = """
import contextlib, io, sys
from replicast.cli import main
with contextlib.redirect_stdout(io.StringIO()) as told, contextlib.redirect_stderr(told):
    try:
        main()
    except SystemExit as stop:
        assert not stop.code, told.getvalue()
print(*{name.partition(".")[0] for name in sys.modules}, *sys.modules)
"""
HEAVY = {
    "numba", "sklearn", "matplotlib", "pydantic", "joblib", "jinja2", "fastapi", "distributed",
    "scipy.stats", "scipy.optimize", "scipy.integrate", "scipy.sparse", "scipy.linalg",
}  # fmt: skip
TABLES = {"pandas", "pyarrow", "narwhals"}


@pytest.fixture
def table(tmp_path: Path) -> str:
    rng = np.random.default_rng(0)
    rows = [f"d{i},{a:.3f},{b:.3f},{c:.3f}" for i, (a, b, c) in enumerate(rng.random((30, 3)))]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["dataset,svm,nb,knn", *rows]) + "\n")
    return str(path)


def loaded(*words: str) -> set[str]:
    command = [sys.executable, "-c", LOOK, *words]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize(
    "words",
    [
        ("replicate", "--t", "2.4", "--folds", "10"),
        ("replicate", "--z", "2.4", "--datasets", "20"),
        ("replicate", "--pvalue", ".03", "--folds", "10", "--runs", "10"),
        ("plan", "--t", "2.9", "--folds", "10", "--vary", "runs", "--probability", "0.8"),
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_a_reported_number_is_answered_without_tables_and_compilers(words: tuple[str, ...]) -> None:
    assert loaded(*words) & (HEAVY | TABLES) == set()


@pytest.mark.parametrize("words", [("--version",), ("--help",), ("compare", "--help")])
def test_help_loads_nothing_that_computes(words: tuple[str, ...]) -> None:
    assert loaded(*words) & (HEAVY | TABLES | {"numpy", "scipy"}) == set()


def test_compare_and_rank_load_tables_alone(table: str) -> None:
    for words in (("compare", table, "--first", "svm", "--second", "nb"), ("rank", table)):
        assert loaded(*words, "--metric", "accuracy") & HEAVY == set()


class Option:
    """An option as far as reading plain words looks at it."""

    required, nargs, multiple, callback = False, 1, False, None

    def __init__(self, name: str, default: object = None) -> None:
        self.name, self.default = name, default

    def process_value(self, _: object, value: object) -> object:
        return ("left to typer", value)


def asked(
    number: float | None = None, count: int = 3, word: str = "", path: Path | None = None
) -> None:
    """Take one word of every kind."""


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("number", "2.4", 2.4), ("number", "-.5", -0.5), ("number", "7", 7.0), ("number", None, None),
        ("count", "12", 12), ("count", 3, 3), ("word", "7", "7"), ("path", "a b.csv", Path("a b.csv")),
    ],
)  # fmt: skip
def test_plain_words_are_read_as_what_they_stand_for(name: str, value: Any, read: Any) -> None:
    [option] = plain_reading([Option(name, default=value)], asked)
    found = option.process_value(None, value)
    assert found == read
    assert type(found) is type(read)


@pytest.mark.parametrize(
    ("name", "value"),
    [("number", "two"), ("number", "1e400"), ("number", "nan"), ("count", "2.5"), ("count", "1_0"),
     ("path", ""), ("unknown", "x")],
)  # fmt: skip
def test_other_words_are_left_to_typer(name: str, value: str) -> None:
    [option] = plain_reading([Option(name)], asked)
    assert option.process_value(None, value) == ("left to typer", value)


def test_wrong_words_get_their_sentence() -> None:
    for words, domain in (
        (["--t", "two", "--folds", "10"], "`--t` must be a number, got 'two'"),
        (["--t", "2.4", "--folds", "ten"], "`--folds` must be a whole number, got 'ten'"),
    ):
        done = CliRunner().invoke(app, ["replicate", *words])
        assert done.exit_code == 2
        assert domain in done.stderr
