"""Evaluations of OpenML: one row per run, with one score or a list of those of its folds."""

import json
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError, invalid, nearest
from replicast.reading.assembly import tabulate
from replicast.reading.designs import require_shape
from replicast.reading.documents import Document
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import Columns, rows_of
from replicast.reading.sheets import Sheet, listing
from replicast.reading.vocabulary.roles import Role
from replicast.scores.tables import ScoreTable

_USUAL = "predictive_accuracy"


def is_openml(document: Document) -> bool:
    """Tell by the key columns."""
    return document.has("flow_name", "data_name") and (
        document.has("values") or document.has("value")
    )


def read_openml(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read evaluations; flows with several setups are told apart by their setup's number."""
    sheet, metric = _of_one_function(documents[0].sheet, request)
    _refuse_twins(sheet)
    frame = sheet.frame
    lists = (
        frame["values"].astype(object).map(_cells)
        if "values" in frame.columns
        else pd.Series([[] for _ in range(len(frame))], index=frame.index)
    )
    lengths = lists.map(len).to_numpy()
    notes = []
    if not lengths.any() and "value" in frame.columns:
        lists = frame["value"].astype(object).map(lambda value: [value])
        lengths = np.ones(len(frame), dtype=int)
        notes.append("There is one score per run: the mean over its folds.")
    elif (lengths == 0).any():
        at = int(np.flatnonzero(lengths == 0)[0])
        place = f"{sheet.place(at)}, column values"
        got = repr(str(frame["values"].iloc[at])[:40])
        remedy = "Ask OpenML for evaluations with per_fold=True"
        raise InvalidContentError(place, "a list of scores", got, remedy)
    most = int(lengths.max())
    design = request.design
    folds = most
    if most > 1 and design is not None and not design.over_datasets:
        _, folds = require_shape(most, design, sheet.name)
        notes.append("Lists of scores were taken as fold after fold, run after run.")
    rows = np.repeat(np.arange(len(frame)), lengths)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    long = pd.DataFrame(
        {
            "classifier": _flows(frame).to_numpy(dtype=object)[rows],
            "dataset": frame["data_name"].to_numpy(dtype=object)[rows],
            "run": within // folds,
            "fold": within % folds,
            "values": lists.explode().to_numpy(dtype=object),
        }
    )
    manner = Manner(
        kind="OpenML evaluations",
        metric=metric,
        notes=tuple(notes),
        counted="from the length of the lists" if most > 1 else "one score each",
    )
    columns = Columns(
        classifier="classifier", dataset="dataset", run="run", fold="fold", score="values"
    )
    # ten values may be ten folds as well as five runs of two, both of which OpenML has
    kinds: dict[str, Role | None] = {
        "run": "run", "fold": "iteration" if design is None else "fold",
    }  # fmt: skip
    found = rows_of(sheet.with_frame(long, rows), columns, kinds)
    return tabulate(found, manner, request)


def _cells(values: object) -> list[object]:
    """Return the scores of a list, or of a list written as text."""
    if isinstance(values, str):
        with suppress(ValueError, RecursionError):
            found = json.loads(values)
            if isinstance(found, list):
                return found
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
    found = tuple(str(name) for name in functions.unique())
    usual = _USUAL if _USUAL in found else None
    metric = request.metric or (found[0] if len(found) == 1 else usual)
    if metric not in found:
        remedy = nearest(metric or "", found)
        raise invalid("metric", f"one of {listing(found)}", repr(metric), remedy)
    rows = np.flatnonzero((functions == metric).to_numpy(dtype=bool))
    return sheet.take(rows), metric


def _flows(frame: pd.DataFrame) -> "pd.Series[str]":
    names = frame["flow_name"].where(frame["flow_name"].notna(), None)
    if "setup_id" not in frame.columns:
        return names
    several = frame.groupby("flow_name")["setup_id"].transform("nunique") > 1
    told = frame["flow_name"].astype(str) + " (setup " + frame["setup_id"].astype(str) + ")"
    return names.where(~several.fillna(False), told)


def _refuse_twins(sheet: Sheet) -> None:
    """Refuse two runs of one flow on one dataset: which of them counts is not for us to say."""
    keys = pd.DataFrame({"flow": _flows(sheet.frame), "data": sheet.frame["data_name"]})
    twice = keys.duplicated().to_numpy()
    if twice.any():
        at = int(np.flatnonzero(twice)[0])
        flow, data = keys.iloc[at]
        got = f"more than one run of {flow} on {data}"
        raise InvalidContentError(sheet.place(at), "one run for each", got, "Keep one run for each")
