"""Ask every question through the command line, and hold the answers against the truth."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from typer.testing import CliRunner

from replicast.cli import app
from variants import making, programs

FAMILIES = (
    making.measures, making.classifier_words, making.dataset_words, making.fold_words, making.company,
    making.writings, programs.scikit_learn, programs.r_base, programs.cases,
)  # fmt: skip


def entries(folder: Path, seed: int) -> Iterator[making.Entry]:
    """Write the files of a seed and yield what is true about them."""
    for number, family in enumerate(FAMILIES):
        yield from family(folder, np.random.default_rng([seed, number]))


def verdict(entry: making.Entry, folder: Path) -> tuple[str, str]:
    """Return how an answer ends, and the detail: right, asked, MISREAD or CRASH."""
    from test_collection import contradictions

    files = [entry["file"]] if isinstance(entry["file"], str) else entry["file"]
    words = [one for word in entry["ask"] for one in (files if word == "FILE" else [word])]
    here = os.getcwd()
    os.chdir(folder)
    try:
        done = CliRunner().invoke(app, [*words, "--json"], env={"COLUMNS": "400", "NO_COLOR": "1"})
    finally:
        os.chdir(here)
    if done.exit_code == 2 and "Traceback" not in done.stderr:
        return "asked", " ".join(done.stderr.split())[-300:]
    if done.exit_code != 0:
        return "CRASH", repr(done.exception)
    if entry["truth"] is None:
        return "MISREAD", "it was read, and cannot be"
    told: dict[str, Any] = json.loads(done.stdout)
    wrong = contradictions(entry["truth"], told)
    return ("MISREAD", "; ".join(wrong)) if wrong else ("right", "")


def judge(folder: Path, seed: int) -> Iterator[tuple[making.Entry, str, str]]:
    """Ask everything about the files of a seed; yield the question, the verdict and the detail."""
    for entry in entries(folder, seed):
        yield entry, *verdict(entry, folder)
