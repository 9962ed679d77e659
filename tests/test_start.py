"""What a command loads before it answers, and how it reads plain words."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app

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
    "scipy.stats",
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


def every_option() -> list[tuple[str, Any, Any]]:
    """Return every option of every command, with the type of its value."""
    found, open_ones = [], [("replicast", typer.main.get_command(app))]
    while open_ones:
        name, command = open_ones.pop()
        open_ones += [(f"{name} {n}", c) for n, c in getattr(command, "commands", {}).items()]
        found += [
            (f"{name} {one.name}", one, one.type_descriptor.annotation)
            for one in command.get_params(typer.Context(command))
        ]
    return found


def test_every_option_reads_numbers_as_papers_print_them() -> None:
    """A true minus, which replicast itself prints, was once no number."""
    tried = []
    for name, option, kind in every_option():
        tried.append(kind)
        if kind is float:
            for text, number in (("−2.5", -2.5), ("2,5", 2.5), ("–0,125", -0.125), ("1e−3", 0.001)):
                assert option.get_runtime_param().coerce(text) == number, name
            with pytest.raises(rc.InvalidArgumentError, match="decimal point, or without a comma"):
                option.get_runtime_param().coerce("1,234")
        elif kind is int and option.min is None:
            for text, count in (("1,234", 1234), ("1 234", 1234), ("−3", -3)):
                assert option.get_runtime_param().coerce(text) == count, name
    assert tried.count(float) > 20
    assert tried.count(int) > 10


@pytest.mark.parametrize("typed", ["<0.001", "< .001", "p<0,001", "P ≤ 0.001", "<=1e−3", "< 1e-3"])
def test_a_p_value_may_be_an_upper_limit(typed: str) -> None:
    done = CliRunner().invoke(app, ["replicate", "--pvalue", typed, "--folds", "10", "--json"])
    plain = CliRunner().invoke(app, ["replicate", "--pvalue", "0.001", "--folds", "10", "--json"])
    assert done.exit_code == 0, done.stderr
    told, exact = json.loads(done.stdout), json.loads(plain.stdout)
    assert told["probability"] == exact["probability"]
    codes = [[one["code"] for one in found["cautions"]] for found in (told, exact)]
    assert ["upper-limit" in found for found in codes] == [True, False]
    said = " ".join(
        CliRunner()
        .invoke(app, ["replicate", "--pvalue", typed, "--folds", "10", "--more"])
        .stdout.split()
    )
    assert "p < 0.001, read as 0.001" in said
    assert "the chance is at least the one shown" in said


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        (["replicate", "--t", "−2,9", "--folds", "10"], ["replicate", "--t", "-2.9", "--folds", "10"]),
        (["replicate", "--means", "−0.3,−0.4", "--sds", "0.1,0.1", "--folds", "10"],
         ["replicate", "--means", "-0.3,-0.4", "--sds", "0.1,0.1", "--folds", "10"]),
        (["judge", "--original", "−3.1,1.2", "--replication", "−2.0,1.0"],
         ["judge", "--original", "-3.1,1.2", "--replication", "-2.0,1.0"]),
        (["judge", "--original", "t=−2.9,folds=10", "--replication", "pvalue=<0.001,folds=10"],
         ["judge", "--original", "t=-2.9,folds=10", "--replication", "pvalue=0.001,folds=10"]),
        (["plan", "--pvalue", "<0.001", "--folds", "10", "--vary", "runs"],
         ["plan", "--pvalue", "0.001", "--folds", "10", "--vary", "runs"]),
    ],
)  # fmt: skip
def test_numbers_among_words_are_read_so_too(words: list[str], plain: list[str]) -> None:
    found, same = (CliRunner().invoke(app, [*line, "--json"]) for line in (words, plain))
    assert found.exit_code == same.exit_code, found.stderr
    numbers = [json.loads(one.stdout) for one in (found, same)]
    for record in numbers:
        record.pop("cautions", None)
    assert numbers[0] == numbers[1]


def test_wrong_words_get_their_sentence() -> None:
    for words, domain in (
        (["--pvalue", "<x", "--folds", "10"], "`--pvalue` must be a number, got '<x'"),
        (["--t", "<2", "--folds", "10"], "`--t` must be a number, got '<2'"),
        (["--t", "two", "--folds", "10"], "`--t` must be a number, got 'two'"),
        (["--t", "2.4", "--folds", "ten"], "`--folds` must be a whole number, got 'ten'"),
    ):
        done = CliRunner().invoke(app, ["replicate", *words])
        assert done.exit_code == 2
        assert domain in done.stderr
