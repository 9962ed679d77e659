"""Wide and long tables of scores, and tables whose columns the caller names."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from replicast.design import Datasets
from replicast.errors import invalid
from replicast.reading.assembly import Columns, Manner, Request, tabulate
from replicast.reading.files import Sheet, listing
from replicast.scores import ScoreTable

_CLASSIFIER = ("classifier", "classifier_name", "model", "algorithm", "method", "estimator")
_DATASET = ("dataset", "dataset_name", "data", "task", "problem")
_RUN = ("run", "r", "repeat", "repetition", "seed")
_FOLD = ("fold", "k", "split", "resample")
_SCORE = ("score", "accuracy", "value", "values", "result", "metric_value")
_TRAIN, _TEST = ("n_train", "train_size"), ("n_test", "test_size")
_NAMES, _VALUES, _DATASETS = (
    " classifier",
    " score",
    " dataset",
)  # names no column of a sheet can have: those are stripped
_KEYS = (*_DATASET, *_RUN, *_FOLD, *_TRAIN, *_TEST)


def read_delimited(sheet: Sheet, request: Request) -> ScoreTable:
    """Read a wide or long table."""
    names = {column.lower(): column for column in sheet.frame.columns}
    classifier = request.classifier_column or _find(names, _CLASSIFIER)
    score = request.score_column or _metric(names, request) or _find(names, _SCORE)
    others = [] if classifier is None else _measures(sheet, names, classifier)
    if score is None and others:
        score = _only_one(others, classifier, request)
    gaps = request.missing != "refuse"  # else an empty cell is named with its row and column
    if classifier is not None and score is not None:
        columns = Columns(
            classifier=classifier,
            score=score,
            dataset=request.dataset_column or _find(names, _DATASET),
            run=request.run_column or _find(names, _RUN),
            fold=request.fold_column or _find(names, _FOLD),
            n_train=_find(names, _TRAIN),
            n_test=_find(names, _TEST),
        )
        named = (columns.classifier, columns.score, columns.dataset, columns.run, columns.fold)
        sheet.require([name for name in named if name is not None], "a table")
        unused = [name for name in others if name not in named]
        notes = (f"Scores are those in {score}; not used: {listing(unused, 5)}.",) if unused else ()
        manner = Manner(kind="long table", metric=score, gaps=gaps, by_order=True, notes=notes)
        return tabulate(sheet, columns, manner, request)
    long, columns = _melt(sheet, names, request)
    manner = Manner(kind="wide table", gaps=gaps, by_order=True)
    if request.metric is not None:
        manner = replace(manner, metric=request.metric)
    return tabulate(long, columns, manner, request)


def _find(names: dict[str, str], wanted: tuple[str, ...]) -> str | None:
    return next((names[name] for name in wanted if name in names), None)


def _metric(names: dict[str, str], request: Request) -> str | None:
    return None if request.metric is None else names.get(request.metric.lower())


def _measures(sheet: Sheet, names: dict[str, str], classifier: str) -> list[str]:
    """Return the columns of numbers that are neither classifier, key nor size."""
    keys = {names[name] for name in _KEYS if name in names} | {classifier}
    return [
        column
        for column in sheet.frame.columns
        if column not in keys and pd.api.types.is_numeric_dtype(sheet.frame[column])
    ]


def _only_one(measures: list[str], classifier: str | None, request: Request) -> str:
    if request.metric is None and len(measures) == 1:
        return measures[0]
    raise invalid(
        "metric",
        f"one of {listing(measures)}, the columns of numbers beside {classifier}",
        "none" if request.metric is None else repr(request.metric),
        "If these are datasets, turn the table: a row a dataset, a column a classifier",
    )


def _melt(sheet: Sheet, names: dict[str, str], request: Request) -> tuple[Sheet, Columns]:
    """Put the columns of the classifiers under each other."""
    frame = sheet.frame
    keys = {name: column for name, column in names.items() if name in _KEYS}
    asked = (request.dataset_column, request.run_column, request.fold_column)
    sheet.require([column for column in asked if column is not None], "a table")
    keys.update({column: column for column in asked if column is not None})
    dataset = request.dataset_column or _find(keys, _DATASET)
    first = frame.columns[0]
    if dataset is None and _mostly_text(frame[first]):
        dataset = keys["dataset"] = first
    classifiers = [column for column in frame.columns if column not in keys.values()]
    run, fold = request.run_column or _find(keys, _RUN), request.fold_column or _find(keys, _FOLD)
    numbered = isinstance(request.design, Datasets) and dataset is run is fold is None
    if len(classifiers) < 2:
        raise invalid(
            "source",
            "a table with a column for each of at least two classifiers",
            f"{sheet.name} with columns {listing(frame.columns)}",
            "For one row per score name the columns classifier, dataset, run, fold, score",
        )
    gaps = request.missing != "refuse"
    rows = np.tile(np.arange(len(frame)), len(classifiers))
    melted = {
        _NAMES: np.repeat(np.array(classifiers, dtype=object), len(frame)),
        _VALUES: np.concatenate([sheet.numbers(column, gaps=gaps) for column in classifiers]),
    }
    parts: dict[str, Any] = {
        column: frame[column].iloc[rows].array
        for column in frame.columns
        if column in keys.values()
    }
    if numbered:  # the caller says that rows are datasets, and a row of a wide table is one
        dataset, parts[_DATASETS] = _DATASETS, np.array([f"row {row + 1}" for row in rows])
    columns = Columns(
        classifier=_NAMES,
        score=_VALUES,
        dataset=dataset,
        run=run,
        fold=fold,
        n_train=_find(keys, _TRAIN),
        n_test=_find(keys, _TEST),
    )
    return sheet.with_frame(pd.DataFrame({**melted, **parts}), rows), columns


def _mostly_text(column: "pd.Series[str]") -> bool:
    if pd.api.types.is_numeric_dtype(column):
        return False
    return bool(pd.to_numeric(column, errors="coerce").isna().mean() > 0.5)
