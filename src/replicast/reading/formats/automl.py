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


def is_automl(document: Document) -> bool:
    """Tell by the key columns."""
    return document.has("task", "framework", "fold")


def read_automl(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read results.csv files; folds without a result are missing and their `info` is kept.

    The metric may differ between tasks. Losses are kept as they are if all tasks have one, and
    change their sign where other tasks have scores. Files of 2019 do not name it: the column of a
    measure that equals the result does.
    """
    sheets = [document.sheet for document in documents]
    columns = list(dict.fromkeys(name for sheet in sheets for name in sheet.columns))
    sheet = sheets[0] if len(sheets) == 1 else join_sheets(sheets, columns)
    score = request.score_column or request.metric or "result"
    if score not in sheet.columns:
        known = tuple(name for name in sheet.columns if find_measure(name) or name == "result")
        raise invalid(
            "metric",
            f"a column of {sheet.name}: {listing(known, most=40)}",
            repr(score),
            nearest(score, known),
        )
    numbers = sheet.numbers(score)
    frame = sheet.frame.assign(score=numbers)
    metrics = _metrics(sheet, frame, score)
    names = sorted(str(metric) for metric in metrics.dropna().unique())
    lower, notes = False, []
    if request.greater_is_better is None:
        losing = _losing(names, sheet)
        lower = bool(names) and len(losing) == len(names)
        if losing and not lower:
            flipped = metrics.isin(losing).to_numpy(dtype=bool)
            frame["score"] = np.where(flipped, -frame["score"], frame["score"])
            notes.append(
                f"The sign of {', '.join(sorted(losing))} was changed, so that higher is better."
            )
    negated = [name for name in names if name.lower().startswith("neg")]
    if negated:
        notes.append(f"{', '.join(negated)} is a loss with its sign changed: higher is better.")
    frame["classifier"] = _frameworks(frame)
    single = len(names) == 1
    manner = Manner(
        kind="AutoML benchmark results",
        metric=names[0] if single else "result",
        convention="" if single else f"the measures are {listing(names)}",
        greater_is_better=None if single or not names else not lower,
        notes=tuple(notes),
        failures=_failures(frame),
        counted="from the column fold",
    )
    wanted = Columns(classifier="classifier", dataset="task", fold="fold", score="score")
    return tabulate(rows_of(replace(sheet, frame=frame), wanted), manner, request)


def _metrics(sheet: Sheet, frame: pd.DataFrame, score: str) -> "pd.Series[str]":
    """Return the metric of every row: failed rows do not count."""
    if score != "result":
        return pd.Series(score, index=frame.index, dtype="string")
    told = frame["score"].notna()
    if "metric" in frame.columns:
        return frame["metric"].where(told).astype("string").str.strip()
    return _equal_columns(sheet, frame, told)


def _equal_columns(sheet: Sheet, frame: pd.DataFrame, told: "pd.Series[bool]") -> "pd.Series[str]":
    """Return for every task the measure whose column equals the result wherever there is one."""
    candidates = {}
    for name in sheet.columns:
        known = find_measure(name)
        if (
            known is not None
            and known.scale != "time"
            and pd.api.types.is_numeric_dtype(frame[name])
        ):
            candidates[name] = sheet.numbers(name)
    metrics = pd.Series(pd.NA, index=frame.index, dtype="string")
    result = frame["score"].to_numpy(float)
    for task in pd.unique(frame["task"]):
        here = ((frame["task"] == task) & told).to_numpy(dtype=bool)
        if not here.any():
            continue
        equal = [
            name
            for name, values in candidates.items()
            if np.isclose(np.abs(values[here]), np.abs(result[here]), rtol=1e-6, atol=1e-9).all()
        ]
        if len({_greater(name) for name in equal}) != 1:
            got = f"result on {task}, which equals no column of a measure"
            remedy = "Name a measure with `metric=...`"
            raise InvalidContentError(sheet.name, "one measure per task", got, remedy, "metric")
        metrics[here] = equal[0]
    return metrics


def _greater(name: str) -> bool:
    known = find_measure(name)
    return known is not None and known.greater_is_better


def _losing(names: list[str], sheet: Sheet) -> set[str]:
    """Return the metrics that are losses; one that is not known is asked about."""
    losing = set()
    for name in names:
        known = find_measure(name)
        if known is None and len(names) > 1:
            got = f"{name}, which may be better high or low"
            remedy = "Name one measure with `metric=...`"
            raise InvalidContentError(sheet.name, "measures that are known", got, remedy, "metric")
        if known is not None and not known.greater_is_better:
            losing.add(name)
    return losing


def _frameworks(frame: pd.DataFrame) -> "pd.Series[str]":
    """Name frameworks, with their constraint if they ran under several."""
    if "constraint" in frame.columns and frame["constraint"].nunique() > 1:
        under = " (" + frame["constraint"].astype("string").fillna("?") + ")"
        return (frame["framework"].astype("string") + under).astype(object)
    return frame["framework"]


def _failures(frame: pd.DataFrame) -> tuple[str, ...]:
    failed = frame[frame["score"].isna()]
    said = failed["info"] if "info" in frame.columns else pd.Series("", index=failed.index)
    return tuple(
        f"{name} on {task}, fold {fold}: {'no result' if pd.isna(info) or info == '' else info}"
        for name, task, fold, info in zip(
            failed["classifier"], failed["task"], failed["fold"], said, strict=True
        )
    )
