"""Results of the AutoML benchmark: results.csv, a row a fold of a framework on a task."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from replicast.errors import invalid
from replicast.reading.assembly import Columns, Manner, Request, lower_is_better, tabulate
from replicast.reading.documents import Document
from replicast.reading.files import listing
from replicast.scores import ScoreTable


def is_automl(document: Document) -> bool:
    """Tell by the key columns."""
    return document.has("task", "framework", "fold")


def read_automl(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a results.csv; folds without a result are missing and their `info` is kept.

    The metric may differ between tasks. Losses are kept as they are if all tasks have one, and
    change their sign where other tasks have scores.
    """
    sheet = documents[0].sheet
    score = request.score_column or request.metric or "result"
    if score not in sheet.frame.columns:
        raise invalid(
            "metric",
            f"a column of {sheet.name}",
            repr(score),
            f"There are {listing(sheet.frame.columns, most=40)}",
        )
    frame = sheet.frame.assign(score=sheet.numbers(score, gaps=True))
    metrics = _metrics(frame, score)
    losing = {metric for metric in metrics.dropna().unique() if lower_is_better(metric)}
    names = sorted(str(metric) for metric in metrics.dropna().unique())
    lower = bool(names) and len(losing) == len(names)
    notes: list[str] = []
    if losing and not lower:
        flipped = metrics.isin(losing).to_numpy()
        frame["score"] = np.where(flipped, -frame["score"], frame["score"])
        notes.append(
            f"The sign of {', '.join(sorted(losing))} was changed, so that higher is better."
        )
    negated = [name for name in names if name.lower().startswith("neg")]
    if negated:
        notes.append(f"{', '.join(negated)} is a loss with its sign changed: higher is better.")
    frame["classifier"] = _frameworks(frame)
    manner = Manner(
        kind="AutoML benchmark results",
        metric=names[0] if len(names) == 1 else "result",
        greater_is_better=not lower,
        notes=tuple(notes),
        failures=_failures(frame),
        counted="from the column fold",
    )
    columns = Columns(classifier="classifier", dataset="task", fold="fold", score="score")
    return tabulate(replace(sheet, frame=frame), columns, manner, request)


def _metrics(frame: pd.DataFrame, score: str) -> "pd.Series[str]":
    """Return the metric of every row: failed rows do not count."""
    if score == "result" and "metric" in frame.columns:
        return frame["metric"].where(frame["score"].notna()).astype("string").str.strip()
    return pd.Series(score, index=frame.index, dtype="string")


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
