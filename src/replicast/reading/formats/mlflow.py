"""Runs of MLflow's `search_runs`: a table of parameters, tags and metrics."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from replicast.errors import invalid
from replicast.reading.documents import Document
from replicast.reading.formats.tables.reader import read_tables
from replicast.reading.requests import Request, ask_metric
from replicast.reading.sheets import Sheet, listing
from replicast.reading.vocabulary.roles import find_role
from replicast.scores.tables import ScoreTable

_FINISHED = "FINISHED"
_PARENT = "tags.mlflow.parentRunId"
_METRIC = "metrics."
_NAMED = ("params.", "tags.")


def read_mlflow(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read runs; those that did not finish have no score and stand among the failures.

    Runs that are parents of others hold means of their children, or nothing, and are left out.
    """
    sheet = _without_parents(documents[0].sheet)
    asked = {*request.columns.values()}
    own = [c for c in sheet.columns if not c.startswith((*_NAMED, _METRIC)) and c not in asked]
    metrics = [c.removeprefix(_METRIC) for c in sheet.columns if c.startswith(_METRIC)]
    metric = (request.score_column or request.metric or "").removeprefix(_METRIC)
    if metric not in metrics and (metric or len(metrics) > 1):
        raise ask_metric(metrics, metric or None)
    frame = sheet.frame.drop(columns=own).rename(columns=lambda c: c.removeprefix(_METRIC))
    named = [c for c in frame.columns if c.startswith(_NAMED)]
    models = next((c for c in named if find_role(c) == "classifier"), None)
    models = request.classifier_column or models
    if models is None:
        domain = f"a column of {sheet.name}, for instance one of {listing(named)}"
        raise invalid("classifier_column", domain, "none")
    failed = pd.Series(False, index=frame.index)
    if "status" in sheet.columns:
        failed = sheet.frame["status"].astype(str).str.strip() != _FINISHED
    frame[metrics] = frame[metrics].mask(failed, np.nan)
    runs = replace(documents[0], table=replace(sheet, frame=frame))
    table = read_tables([runs], replace(request, metric=None, score_column=metric or metrics[0]))
    told = sheet.frame.loc[failed, [models, "run_id", "status"]].itertuples(index=False)
    lost = tuple(f"{name}, run {run}: {status}" for name, run, status in told)
    return replace(table, failures=lost)


def _without_parents(sheet: Sheet) -> Sheet:
    if _PARENT not in sheet.columns:
        return sheet
    parents = set(sheet.frame[_PARENT].dropna().astype(str))
    is_parent = sheet.frame["run_id"].astype(str).isin(parents).to_numpy()
    if not is_parent.any():
        return sheet
    note = f"Left out {int(is_parent.sum())} parent runs, which hold means of their children."
    return sheet.take(np.flatnonzero(~is_parent), note)
