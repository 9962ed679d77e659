"""Rows that sum up others are told by their numbers where a task may be called so too."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app

NAMES = ["stack", "push", "pour", "open", "close", "drag"]
A = np.array([0.812, 0.934, 0.711, 0.653, 0.884, 0.775])
B = np.array([0.795, 0.951, 0.744, 0.602, 0.851, 0.803])
HOMONYMS = ["lift", "gain", "wins", "ties", "loss", "rank", "time", "gap", "delta", "diff", "count",
            "best", "micro", "macro", "sum", "total", "max", "min", "ALL", "improvement"]  # fmt: skip


def table(*rows: tuple[str, float, float]) -> rc.ScoreTable:
    below = pd.DataFrame(rows, columns=["task", "A", "B"])
    frame = pd.concat([pd.DataFrame({"task": NAMES, "A": A, "B": B}), below], ignore_index=True)
    return rc.read_scores(frame, metric="accuracy")


@pytest.mark.parametrize("name", HOMONYMS)
def test_a_task_is_no_summary_for_its_name(name: str) -> None:
    assert name in table((name, 0.731, 0.912)).datasets


@pytest.mark.parametrize(
    ("name", "summary"),
    [("ALL", np.mean), ("total", np.sum), ("macro", np.mean), ("max", np.max), ("best", np.max),
     ("min", np.min), ("Average", np.mean), ("SD", np.std)],
)  # fmt: skip
def test_a_summary_is_left_out_and_named(name: str, summary: Callable[..., float]) -> None:
    found = table((name, round(summary(A), 3), round(summary(B), 3)))
    assert found.datasets == tuple(NAMES)
    assert f"Left out rows that sum up others: {name} in column task." in found.account


def test_a_summary_of_gaps_is_left_out() -> None:
    frame = pd.DataFrame(
        {"task": [*NAMES, "max"], "A": [*A, A.max()], "B": [np.nan, *B[1:], B.max()]}
    )
    assert "max" not in rc.read_scores(frame, metric="accuracy").datasets


def test_wins_and_gains_are_told_by_their_numbers() -> None:
    assert "wins" not in table(("wins", 3, 3)).datasets
    assert "lift" not in table(("lift", round(A[0] - A[1], 3), round(B[0] - B[1], 3))).datasets


def test_a_task_of_a_long_table_is_kept() -> None:
    rows = [
        (task, who, trial, int((at * 7 + trial) % 5 < 2))
        for at, task in enumerate(("lift", *NAMES))
        for who in "AB"
        for trial in range(8)
    ]
    frame = pd.DataFrame(rows, columns=["task", "policy", "trial", "success"])
    assert "lift" in rc.read_scores(frame).datasets


@pytest.mark.parametrize("names", [("Moyenne", "Écart-type"), ("平均", "标准差"), ("zus", "amm")])
def test_the_last_rows_are_told_in_any_language(names: tuple[str, str]) -> None:
    rows = [
        (name, round(summary(A), 3), round(summary(B), 3))
        for name, summary in zip(names, (np.mean, lambda one: np.std(one, ddof=1)), strict=True)
    ]
    assert table(*rows).datasets == tuple(NAMES)
    assert table(rows[0]).datasets == tuple(NAMES)


def test_a_mean_that_may_be_a_coincidence_is_a_dataset() -> None:
    frame = pd.DataFrame({"data": list("abcde"), "A": [8, 9, 7, 8, 8], "B": [7, 8, 9, 8, 8]})
    assert len(rc.read_scores(frame, metric="score", greater_is_better=True).datasets) == 5


def test_a_benchmark_is_no_summary_for_its_name() -> None:
    frame = pd.DataFrame(
        {
            "model": ["x", "y", "z"],
            "lift": [0.41, 0.52, 0.31],
            "stack": [0.62, 0.61, 0.55],
            "ALL": [0.83, 0.84, 0.71],
            "Average": [0.62, 0.657, 0.523],
            "rank": [2, 1, 3],
        }
    )
    assert rc.read_scores(frame, rows="classifiers").datasets == ("lift", "stack", "ALL")


def test_the_answer_names_what_was_left_out(tmp_path: Path) -> None:
    frame = pd.DataFrame({"Jeu de données": NAMES, "SVM": A, "Forêt": B})
    frame.loc[len(frame)] = ["Moyenne", A.mean().round(3), B.mean().round(3)]
    path = tmp_path / "fr.csv"
    frame.to_csv(path, index=False, sep=";", decimal=",")
    done = CliRunner().invoke(app, ["compare", str(path)])
    assert "Left out rows that sum up others: Moyenne" in " ".join(done.stdout.split())
