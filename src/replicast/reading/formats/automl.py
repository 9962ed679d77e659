"""Results of the AutoML benchmark: results.csv, one row per fold of a framework on a task."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError, invalid, nearest
from replicast.reading.assembly import tabulate
from replicast.reading.documents import Document
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import Columns, rows_of
from replicast.reading.sheets import Sheet, join_sheets, listing
from replicast.reading.vocabulary.measures import find_measure
from replicast.scores.tables import ScoreTable

_COLUMNS = Columns(classifier="classifier", dataset="task", fold="fold", score="score")


def read_automl(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read results.csv files; folds without a result are missing and their `info` is kept.

    The metric may differ between tasks. Losses are kept as they are if all tasks have one, and
    change their sign where other tasks have scores. Files of 2019 do not name it: the column of a
    measure that equals the result does.
    """
    sheet, score = _joined(documents, request)
    frame = sheet.frame.assign(score=sheet.numbers(score))
    frame["classifier"] = _frameworks(frame)
    metrics = _metrics(sheet, frame, score)
    names = sorted(str(metric) for metric in metrics.dropna().unique())
    losing = _losing(names, sheet) if request.greater_is_better is None else set()
    negated = [name for name in names if name.lower().startswith("neg")]
    notes = [f"{name} is a loss with its sign changed: higher is better." for name in negated]
    if losing and len(losing) < len(names):
        flipped = metrics.isin(losing).to_numpy(dtype=bool)
        frame["score"] = np.where(flipped, -frame["score"], frame["score"])
        told = ", ".join(sorted(losing))
        notes.append(f"The sign of {told} was changed, so that higher is better.")
    several = len(names) > 1
    manner = Manner(
        kind="AutoML benchmark results",
        metric="result" if several or not names else names[0],
        convention=f"the measures are {listing(names)}" if several else "",
        greater_is_better=len(losing) < len(names) if several else None,
        notes=tuple(notes),
        failures=_failures(frame),
        counted="from the column fold",
    )
    return tabulate(rows_of(replace(sheet, frame=frame), _COLUMNS), manner, request)


def _joined(documents: Sequence[Document], request: Request) -> tuple[Sheet, str]:
    """Return the files as one sheet, and its column of scores."""
    sheets = [document.sheet for document in documents]
    columns = list(dict.fromkeys(name for sheet in sheets for name in sheet.columns))
    sheet = sheets[0] if len(sheets) == 1 else join_sheets(sheets, columns)
    score = request.score_column or request.metric or "result"
    if score not in sheet.columns:
        known = tuple(name for name in sheet.columns if find_measure(name) or name == "result")
        domain = f"a column of {sheet.name}: {listing(known, most=40)}"
        raise invalid("metric", domain, repr(score), nearest(score, known))
    return sheet, score


def _metrics(sheet: Sheet, frame: pd.DataFrame, score: str) -> "pd.Series[str]":
    """Return the metric of every row that has a result: named, or that of the column it equals."""
    if score != "result":
        return pd.Series(score, index=frame.index, dtype="string")
    told = frame["score"].notna()
    if "metric" in frame.columns:
        return frame["metric"].where(told).astype("string").str.strip()
    measured = {
        name: sheet.numbers(name)
        for name in sheet.columns
        if (known := find_measure(name)) is not None
        and known.scale != "time"
        and pd.api.types.is_numeric_dtype(frame[name])
    }
    metrics = pd.Series(pd.NA, index=frame.index, dtype="string")
    result = np.abs(frame["score"].to_numpy(float))
    for task in pd.unique(frame["task"][told]):
        here = ((frame["task"] == task) & told).to_numpy(dtype=bool)
        equal = [
            name
            for name, values in measured.items()
            if np.isclose(np.abs(values[here]), result[here], rtol=1e-6, atol=1e-9).all()
        ]
        if len({name in _losing([name], sheet) for name in equal}) != 1:
            got = f"result on {task}, which equals no column of a measure"
            remedy = "Name a measure with `metric=...`"
            raise InvalidContentError(sheet.name, "one measure per task", got, remedy, "metric")
        metrics[here] = equal[0]
    return metrics


def _losing(names: list[str], sheet: Sheet) -> set[str]:
    """Return the metrics that are losses; one that is not known is asked about."""
    known = {name: find_measure(name) for name in names}
    strange = next((name for name, measure in known.items() if measure is None), None)
    if strange is not None and len(names) > 1:
        got = f"{strange}, which may be better high or low"
        remedy = "Name one measure with `metric=...`"
        raise InvalidContentError(sheet.name, "measures that are known", got, remedy, "metric")
    return {name for name, measure in known.items() if measure and not measure.greater_is_better}


def _frameworks(frame: pd.DataFrame) -> "pd.Series[str]":
    """Name frameworks, with their constraint if they ran under several."""
    if "constraint" in frame.columns and frame["constraint"].nunique() > 1:
        under = " (" + frame["constraint"].astype("string").fillna("?") + ")"
        return (frame["framework"].astype("string") + under).astype(object)
    return frame["framework"]


def _failures(frame: pd.DataFrame) -> tuple[str, ...]:
    failed = frame[frame["score"].isna()].to_dict("records")
    return tuple(
        f"{one['classifier']} on {one['task']}, fold {one['fold']}: "
        f"{one['info'] if isinstance(one.get('info'), str) and one['info'] else 'no result'}"
        for one in failed
    )
