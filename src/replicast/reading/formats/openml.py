"""Evaluations of OpenML: one row per run, with one score or a list of those of its folds."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError
from replicast.reading.assembly import tabulate
from replicast.reading.designs import require_shape
from replicast.reading.documents import Document
from replicast.reading.requests import Manner, Request, choose_metric
from replicast.reading.rows import Columns, Kinds, rows_of
from replicast.reading.sheets import Sheet
from replicast.scores.tables import ScoreTable

_USUAL = "predictive_accuracy"
_COLUMNS = Columns(classifier="flow", dataset="data", run="run", fold="fold", score="values")


def read_openml(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read evaluations; flows with several setups are told apart by their setup's number."""
    sheet, metric = _of_one_function(documents[0].sheet, request)
    frame = sheet.frame.assign(flow=_flows(sheet.frame), data=sheet.frame["data_name"])
    twice = frame.duplicated(["flow", "data"]).to_numpy()
    if twice.any():  # which of them counts is not for us to say
        at = int(np.flatnonzero(twice)[0])
        got = f"more than one run of {frame['flow'].iloc[at]} on {frame['data'].iloc[at]}"
        raise InvalidContentError(sheet.place(at), "one run for each", got, "Keep one run for each")
    lists, notes = _lists(sheet)
    lengths = lists.map(len).to_numpy()
    design, most = request.design, int(lengths.max())
    folds = most
    if most > 1 and design is not None and not design.over_datasets:
        _, folds = require_shape(most, design, sheet.name)
        notes.append("Lists of scores were taken as fold after fold, run after run.")
    rows = np.repeat(np.arange(len(frame)), lengths)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    long = frame[["flow", "data"]].iloc[rows].reset_index(drop=True)
    long = long.assign(
        run=within // folds, fold=within % folds, values=lists.explode().to_numpy(dtype=object)
    )
    manner = Manner(
        kind="OpenML evaluations",
        metric=metric,
        notes=tuple(notes),
        counted="from the length of the lists" if most > 1 else "one score each",
    )
    # ten values may be ten folds as well as five runs of two, both of which OpenML has
    kinds: Kinds = {"run": "run", "fold": "iteration" if design is None else "fold"}
    found = rows_of(sheet.with_frame(long, rows), _COLUMNS, kinds)
    return tabulate(found, manner, request)


def _lists(sheet: Sheet) -> "tuple[pd.Series[Any], list[str]]":
    """Return the scores of every run, and what to say about them."""
    frame = sheet.frame
    lists = pd.Series([[]] * len(frame))
    if "values" in frame.columns:
        lists = frame["values"].astype(object).map(_cells)
    lengths = lists.map(len).to_numpy()
    if not lengths.any() and "value" in frame.columns:
        note = "There is one score per run: the mean over its folds."
        return frame["value"].astype(object).map(lambda value: [value]), [note]
    if (lengths == 0).any():
        at = int(np.flatnonzero(lengths == 0)[0])
        place = f"{sheet.place(at)}, column values"
        got = repr(str(frame["values"].iloc[at])[:40])
        remedy = "Ask OpenML for evaluations with per_fold=True"
        raise InvalidContentError(place, "a list of scores", got, remedy)
    return lists, []


def _cells(values: object) -> list[object]:
    """Return the scores of a list, or of a list written as text."""
    if isinstance(values, str):
        inner = values.strip().removeprefix("[").removesuffix("]")
        return [cell.strip() for cell in inner.split(",")] if inner.strip() else []
    if isinstance(values, list | tuple | np.ndarray):
        return list(values)
    return [values] if isinstance(values, int | float) and values == values else []


def _of_one_function(sheet: Sheet, request: Request) -> tuple[Sheet, str]:
    """Keep the rows of one measure."""
    if "function" not in sheet.columns:
        return sheet, request.metric or "score"
    functions = sheet.frame["function"].astype("string").fillna("")
    metric = choose_metric([str(name) for name in functions.unique()], request.metric, (_USUAL,))
    return sheet.take(np.flatnonzero((functions == metric).to_numpy(dtype=bool))), metric


def _flows(frame: pd.DataFrame) -> "pd.Series[str]":
    names = frame["flow_name"].where(frame["flow_name"].notna(), None)
    if "setup_id" not in frame.columns:
        return names
    several = frame.groupby("flow_name")["setup_id"].transform("nunique") > 1
    told = frame["flow_name"].astype(str) + " (setup " + frame["setup_id"].astype(str) + ")"
    return names.where(~several.fillna(False), told)
