"""Evaluations of Stable-Baselines3: arrays of each run, in folders as RL Zoo makes them."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from replicast.design import Seeds
from replicast.errors import InvalidContentError
from replicast.reading.assembly import tabulate
from replicast.reading.documents import Document
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import Columns, rows_of
from replicast.reading.sheets import Sheet
from replicast.scores.tables import ScoreTable

_COLUMNS = Columns(classifier="algorithm", dataset="environment", run="run", score="return")


def read_evaluations(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read the mean return of the last evaluation of every run; a run is one seed."""
    rows = []
    for at, document in enumerate(documents):
        results = np.atleast_2d(np.asarray(document.tree["results"], dtype=np.float64))
        if results.ndim != 2 or not results.size:
            got = f"an array of shape {results.shape}"
            raise InvalidContentError(document.path.name, "returns of episodes at each step", got)
        folder = document.path.parent.name
        told = re.fullmatch(r"(.+?)(?:_(\d+))?", folder)
        environment, number = (folder or "all", None) if told is None else told.groups()
        algorithm = document.label or document.path.parent.parent.name or "agent"
        rows.append((algorithm, environment, number or str(at), results[-1].mean()))
    frame = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "return"])
    sheet = Sheet(name=f"{len(documents)} files", frame=frame)
    counts = frame.groupby(["algorithm", "environment"]).size()
    if request.design is None and frame["environment"].nunique() == 1 and counts.min() > 1:
        request = replace(request, design=Seeds(int(counts.min()), split="none"))
    note = "A score is the mean return of the last evaluation of a run."
    manner = Manner(
        kind="evaluations of Stable-Baselines3", metric="return", notes=(note,),
        counted="from the files",
    )  # fmt: skip
    return tabulate(rows_of(sheet, _COLUMNS, {"run": "seed"}), manner, request)
