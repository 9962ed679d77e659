"""Forecasts of several models, as Nixtla's cross_validation returns them: errors of every series."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from replicast.errors import invalid
from replicast.reading.assembly import tabulate
from replicast.reading.documents import Document
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import Rows
from replicast.reading.sheets import Key, listing
from replicast.scores.tables import ScoreTable

_KEYS = ("unique_id", "ds", "cutoff", "y")
_MEASURES = ("mae", "mse", "rmse")


def read_forecasts(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Return the error of every model on every series; its windows are averaged."""
    sheet = documents[0].sheet
    metric = request.metric or "mae"
    if metric not in _MEASURES:
        raise invalid("metric", f"one of {', '.join(_MEASURES)} for forecasts", repr(metric))
    models = [
        name
        for name in sheet.columns
        if name not in _KEYS and "-lo-" not in name and "-hi-" not in name
        and not sheet.parsed(name).wrong.any()  # a model may be called model
    ]  # fmt: skip
    if len(models) < 2:
        got = f"{sheet.name} with columns {listing(sheet.columns)}"
        raise invalid("source", "forecasts of at least two models", got)
    series, truth = sheet.labels("unique_id"), sheet.numbers("y")
    errors = []
    for name in models:
        missed = np.abs(truth - sheet.numbers(name)) ** (1 if metric == "mae" else 2)
        mean = pd.Series(missed).groupby(series.codes).mean().to_numpy(dtype=np.float64)
        errors.append(np.sqrt(mean) if metric == "rmse" else mean)
    count = len(series.names)
    rows = Rows(
        name=sheet.name,
        scores=np.concatenate(errors),
        classifier=Key(np.repeat(np.arange(len(models)), count), tuple(models)),
        dataset=Key(np.tile(np.arange(count), len(models)), series.names),
        notes=(*sheet.notes, f"The {metric} of a series is that of all its forecasts."),
    )
    return tabulate(rows, Manner(kind="forecasts", metric=metric), request)
