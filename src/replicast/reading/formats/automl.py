"""Results of the AutoML benchmark: results.csv, one row per fold of a framework on a task."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from replicast.arrays import Floats
from replicast.errors import InvalidContentError
from replicast.reading.assembly import tabulate
from replicast.reading.documents import Document
from replicast.reading.requests import Manner, Request, choose_metric
from replicast.reading.rows import Columns, rows_of
from replicast.reading.sheets import Sheet, join_sheets, listing
from replicast.reading.vocabulary.measures import find_measure
from replicast.scores.tables import ScoreTable

_RESULT = "result"
_COLUMNS = Columns(classifier="classifier", dataset="task", fold="fold", score="score")


def read_automl(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read results.csv files; folds without a result are missing and their `info` is kept.

    The metric may differ between tasks. Losses are kept as they are if all tasks have one, and
    change their sign where other tasks have scores.
    """
    sheets = [document.sheet for document in documents]
    every = dict.fromkeys(name for one in sheets for name in one.columns)
    sheet = join_sheets(sheets, list(every))
    known = [name for name in every if name == _RESULT or find_measure(name)]
    column = choose_metric(known, request.score_column or request.metric, (_RESULT,))
    scores = sheet.numbers(column)
    metrics = _metrics(sheet, column, scores)
    names = sorted(metrics.dropna().unique())
    several = len(names) > 1
    notes = [
        f"{name} is a loss with its sign changed: higher is better."
        for name in names
        if name.lower().startswith("neg")
    ]
    losses = [] if request.greater_is_better is not None else _losses(names, sheet.name)
    mixed = 0 < len(losses) < len(names)
    if mixed:
        scores = np.where(metrics.isin(losses), -scores, scores)
        notes.append(f"The sign of {', '.join(losses)} was changed, so that higher is better.")
    frame = sheet.frame.assign(score=scores, classifier=_frameworks(sheet.frame))
    manner = Manner(
        kind="AutoML benchmark results",
        metric=names[0] if len(names) == 1 else _RESULT,
        convention=f"the measures are {listing(names)}" if several else "",
        greater_is_better=mixed or not losses if several else None,
        notes=tuple(notes),
        failures=_failures(frame[np.isnan(scores)]),
        counted="from the column fold",
    )
    return tabulate(rows_of(replace(sheet, frame=frame), _COLUMNS), manner, request)


def _losses(names: list[str], place: str) -> list[str]:
    """Return the measures that are losses; of several each must be known."""
    unknown = [name for name in names if find_measure(name) is None]
    if unknown and len(names) > 1:
        got = f"{unknown[0]}, which may be better high or low"
        remedy = "Name one measure with `metric=...`"
        raise InvalidContentError(place, "measures that are known", got, remedy, "metric")
    return list(filter(_is_loss, names))


def _is_loss(name: str) -> bool:
    measure = find_measure(name)
    return measure is not None and not measure.greater_is_better


def _metrics(sheet: Sheet, column: str, scores: Floats) -> "pd.Series[str]":
    """Return the metric of every row; files of 2019 do not name it, and it is told by its column."""
    frame = sheet.frame
    told = ~np.isnan(scores)
    if column != _RESULT:
        return pd.Series(column, index=frame.index, dtype="string")
    if "metric" in frame.columns:
        return frame["metric"].where(told).astype("string").str.strip()
    measured = {
        name: np.abs(sheet.parsed(name).values)
        for name in sheet.columns
        if (measure := find_measure(name)) is not None and measure.scale != "time"
    }
    metrics = pd.Series(pd.NA, index=frame.index, dtype="string")
    for task in pd.unique(frame["task"][told]):
        here = told & (frame["task"] == task).to_numpy(dtype=bool)
        result = np.abs(scores[here])
        equal = [
            name
            for name, values in measured.items()
            if np.isclose(values[here], result, rtol=1e-6, atol=1e-9).all()
        ]
        if len(set(map(_is_loss, equal))) != 1:
            got = f"result on {task}, which equals no column of a measure"
            remedy = "Name a measure with `metric=...`"
            raise InvalidContentError(sheet.name, "one measure per task", got, remedy, "metric")
        metrics[here] = equal[0]
    return metrics


def _frameworks(frame: pd.DataFrame) -> "pd.Series[str]":
    """Name frameworks, with their constraint if they ran under several."""
    if "constraint" in frame.columns and frame["constraint"].nunique() > 1:
        under = " (" + frame["constraint"].astype("string").fillna("?") + ")"
        return (frame["framework"].astype("string") + under).astype(object)
    return frame["framework"]


def _failures(failed: pd.DataFrame) -> tuple[str, ...]:
    return tuple(
        f"{row['classifier']} on {row['task']}, fold {row['fold']}: "
        f"{row['info'] if isinstance(row.get('info'), str) and row['info'] else 'no result'}"
        for row in failed.to_dict("records")
    )
