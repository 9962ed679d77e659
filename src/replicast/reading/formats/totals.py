"""Totals that a program wrote, a file or several for each model: lm-eval and MTEB, as one long table."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from replicast.errors import InvalidContentError
from replicast.reading.documents import Document
from replicast.reading.formats.logs.samples import mapping
from replicast.reading.formats.tables.reader import read_tables
from replicast.reading.requests import Request
from replicast.reading.sheets import sheet_of
from replicast.scores.tables import ScoreTable

_ERROR = "_stderr"
_NO_MEASURES = ("sample_len", "sample_count")
_SUM = re.compile(r"(^|[:_|])(all|_?average)(\||$)")


def read_lm_eval(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read the results of lm-eval or lighteval: every task is a dataset, its measures are columns."""
    rows = []
    for document in documents:
        tree = mapping(document.tree)
        told = mapping(tree.get("config_general", tree)).get("model_name")
        model = document.label or told or document.path.parent.name
        groups = mapping(tree.get("group_subtasks"))
        for task, measures in mapping(tree["results"]).items():
            if not groups.get(task) and not _SUM.search(task):  # groups sum up others
                row = {"model": model, "dataset": task, **_measures(mapping(measures))}
                rows.append(row)
    return _read(rows, documents, request)


def _measures(told: Mapping[str, Any]) -> dict[str, float]:
    """Return the measures of a task by name, with the filter behind it where there are several."""
    scores = {
        key: float(value)
        for key, value in told.items()
        if isinstance(value, int | float) and _ERROR not in key and key not in _NO_MEASURES
    }
    plain = [key.partition(",")[0] for key in scores]
    return {
        name if plain.count(name) == 1 else key: value
        for name, (key, value) in zip(plain, scores.items(), strict=True)
    }


def read_mteb(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read the results of MTEB: a file for each task, in a folder for each model and its revision."""
    rows = []
    for document in documents:
        tree = mapping(document.tree)
        parts = mapping(tree.get("scores"))
        told = [mapping(one) for one in parts.get("test", next(iter(parts.values()), []))]
        scores = [one["main_score"] for one in told if "main_score" in one]
        if not scores:
            name = document.path.name
            raise InvalidContentError(
                name, "the main_score of a task", "none", "Run the task again"
            )
        model = document.label or document.path.parent.parent.name or document.path.parent.name
        mean = sum(map(float, scores)) / len(scores)  # over languages, as MTEB does
        rows.append({"model": model, "dataset": tree["task_name"], "main_score": mean})
    return _read(rows, documents, request)


def _read(
    rows: Sequence[Mapping[str, Any]], documents: Sequence[Document], request: Request
) -> ScoreTable:
    name = documents[0].path.name if len(documents) == 1 else f"{len(documents)} files"
    table = sheet_of(pd.DataFrame(rows), name)
    return read_tables([Document(path=Path(name), table=table)], request)
