"""Evaluations of OpenML by fold: a row a run, the scores of its folds as one list."""

import json
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import pandas as pd

from replicast.errors import InvalidArgumentError, invalid
from replicast.reading.assembly import Columns, Manner, Request, lower_is_better, tabulate
from replicast.reading.designs import arrange
from replicast.reading.documents import Document
from replicast.reading.files import Sheet, listing
from replicast.scores import ScoreTable

_USUAL = "predictive_accuracy"


def is_openml(document: Document) -> bool:
    """Tell by the key columns."""
    return document.has("flow_name", "data_name", "values")


def read_openml(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read evaluations; flows with several setups are told apart by their setup's number."""
    sheet, metric = _of_one_function(documents[0].sheet, request)
    frame = sheet.frame
    lists = frame["values"].map(_cells)
    lengths = lists.map(len).to_numpy()
    if (lengths == 0).any():
        at = int(np.flatnonzero(lengths == 0)[0])
        raise InvalidArgumentError(
            f"{sheet.place(at)}, column values: expected a list of scores, got "
            f"{str(frame['values'].iloc[at])[:40]!r}. Ask OpenML for evaluations with per_fold=True."
        )
    remedy = ", for instance design=RepeatedKFold(10, 10)"
    _, folds, note = arrange(int(lengths.max()), request.design, sheet.name, remedy)
    _refuse_twins(sheet)
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
        greater_is_better=not lower_is_better(metric),
        notes=(note,) if int(lengths.max()) > 1 else (),
        counted="from the length of the lists",
    )
    columns = Columns(
        classifier="classifier", dataset="dataset", run="run", fold="fold", score="values"
    )
    return tabulate(sheet.with_frame(long, rows), columns, manner, request)


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
    if "function" not in sheet.frame.columns:
        return sheet, request.metric or "score"
    functions = sheet.frame["function"].astype("string").fillna("")
    found = [str(name) for name in functions.unique()]
    usual = _USUAL if _USUAL in found else None
    metric = request.metric or (found[0] if len(found) == 1 else usual)
    if metric not in found:
        raise invalid("metric", f"one of {listing(found)}", repr(metric))
    rows = np.flatnonzero((functions == metric).to_numpy(dtype=bool))
    return sheet.with_frame(sheet.frame.iloc[rows].reset_index(drop=True), rows), metric


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
        raise InvalidArgumentError(
            f"{sheet.place(at)}: more than one run of {flow} on {data}. Keep one run for each."
        )
