"""Runs of MLflow's `search_runs`; only the caller knows which columns mean what."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from replicast.errors import invalid, nearest
from replicast.reading.assembly import tabulate
from replicast.reading.documents import Document
from replicast.reading.formats.tables.preparing import Table, described, prepare
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import Columns, rows_of
from replicast.reading.sheets import Sheet, listing
from replicast.reading.vocabulary.roles import Role
from replicast.scores.tables import ScoreTable

_FINISHED = "FINISHED"
_PARENT = "tags.mlflow.parentRunId"


def read_mlflow(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read runs; those that did not finish have no score and stand among the failures.

    Runs that are parents of others hold means of their children, or nothing, and are left out.
    """
    sheet = _without_parents(documents[0].sheet)
    sheet = prepare(sheet, Request(where=request.where)).sheet
    labels = tuple(c for c in sheet.columns if c.startswith(("params.", "tags.")))
    metrics = tuple(c for c in sheet.columns if c.startswith("metrics."))
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
    sheet = replace(sheet, frame=frame)
    table = described(sheet)
    run, run_kind = _key(table, request.run_column, ("run", "seed"))
    fold, fold_kind = _key(table, request.fold_column, ("fold", "split", "resample", "iteration"))
    columns = Columns(
        classifier=classifier, dataset=request.dataset_column, run=run, fold=fold, score=score
    )
    metric = score.removeprefix("metrics.")
    manner = Manner(kind="MLflow runs", metric=metric, failures=failures)
    rows = rows_of(sheet, columns, {"run": run_kind, "fold": fold_kind})
    return tabulate(rows, manner, request)


def _without_parents(sheet: Sheet) -> Sheet:
    if _PARENT not in sheet.columns:
        return sheet
    parents = set(sheet.frame[_PARENT].dropna().astype(str))
    is_parent = sheet.frame["run_id"].astype(str).isin(parents).to_numpy()
    if not is_parent.any():
        return sheet
    note = f"Left out {int(is_parent.sum())} parent runs, which hold means of their children."
    return sheet.take(np.flatnonzero(~is_parent), note)


def _key(
    table: Table, asked: str | None, roles: tuple[Role, ...]
) -> tuple[str | None, Role | None]:
    """Return the column asked for, or one of params that is called so."""
    if asked is not None:
        role = table.columns[asked].role
        return asked, role if role in roles else roles[0]
    named = [
        column
        for column in table.find(*roles)
        if column.name.startswith("params.") and column.different > 1
    ]
    return (named[0].name, named[0].role) if len(named) == 1 else (None, None)


def _require(sheet: Sheet, column: str | None, argument: str, candidates: tuple[str, ...]) -> str:
    if column is not None and column in sheet.columns:
        return column
    shown = listing(candidates) if candidates else listing(sheet.columns)
    raise invalid(
        argument,
        f"a column of {sheet.name}, for instance one of {shown}",
        "none" if column is None else repr(column),
        "" if column is None else nearest(column, sheet.columns),
    )
