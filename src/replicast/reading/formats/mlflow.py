"""Runs of MLflow's `search_runs`; only the caller knows which columns mean what."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from replicast.errors import invalid, nearest
from replicast.reading.assembly import Columns, Manner, Request, lower_is_better, tabulate
from replicast.reading.documents import Document
from replicast.reading.files import Sheet, listing
from replicast.scores import ScoreTable

_FINISHED = "FINISHED"


def is_mlflow(document: Document) -> bool:
    """Tell by the run and its metrics."""
    columns = document.sheet.frame.columns
    return "run_id" in columns and any(column.startswith("metrics.") for column in columns)


def read_mlflow(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read runs; those that did not finish have no score and stand among the failures."""
    sheet = documents[0].sheet
    labels = tuple(c for c in sheet.frame.columns if c.startswith(("params.", "tags.")))
    metrics = tuple(c for c in sheet.frame.columns if c.startswith("metrics."))
    score = request.score_column or (metrics[0] if len(metrics) == 1 else None)
    if score is None and request.metric is not None:
        score = f"metrics.{request.metric.removeprefix('metrics.')}"
    classifier = _require(sheet, request.classifier_column, "classifier_column", labels)
    score = _require(sheet, score, "score_column", metrics)
    for argument in ("dataset_column", "run_column", "fold_column"):
        named: str | None = getattr(request, argument)
        if named is not None:
            _require(sheet, named, argument, labels)
    frame = sheet.frame
    failures: tuple[str, ...] = ()
    if "status" in frame.columns:
        failed = (frame["status"].astype(str).str.strip() != _FINISHED).to_numpy(dtype=bool)
        failures = tuple(
            f"{name}, run {run}: {status}"
            for name, run, status in frame.loc[failed, [classifier, "run_id", "status"]].to_numpy()
        )
        frame = frame.assign(**{score: frame[score].where(~failed, np.nan)})
    columns = Columns(
        classifier=classifier,
        dataset=request.dataset_column,
        run=request.run_column,
        fold=request.fold_column,
        score=score,
    )
    metric = score.removeprefix("metrics.")
    manner = Manner(
        kind="MLflow runs",
        metric=metric,
        greater_is_better=not lower_is_better(metric),
        failures=failures,
    )
    return tabulate(replace(sheet, frame=frame), columns, manner, request)


def _require(sheet: Sheet, column: str | None, argument: str, candidates: tuple[str, ...]) -> str:
    if column is not None and column in sheet.frame.columns:
        return column
    shown = listing(candidates) if candidates else listing(sheet.frame.columns)
    raise invalid(
        argument,
        f"a column of {sheet.name}, for instance one of {shown}",
        "none" if column is None else repr(column),
        "" if column is None else nearest(column, tuple(sheet.frame.columns)),
    )
