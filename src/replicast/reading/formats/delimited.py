"""Wide and long tables of scores, and tables whose columns the caller names."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from replicast.design import Datasets
from replicast.errors import InvalidArgumentError, invalid, nearest
from replicast.reading.assembly import Columns, Manner, Request, tabulate
from replicast.reading.documents import Document
from replicast.reading.files import Sheet, listing
from replicast.scores import ScoreTable

# names of columns in small letters, without blanks, hyphens and underscores
_CLASSIFIER = (
    "classifier", "classifiername", "model", "modelname", "algorithm", "method", "estimator", "learner",
)  # fmt: skip
_DATASET = ("dataset", "datasetname", "datasetid", "data", "task", "problem")
_RUN = ("run", "r", "repeat", "repetition", "seed")
_FOLD = ("fold", "foldid", "cvfold", "k", "split", "resample")
_SCORE = ("score", "accuracy", "value", "values", "result", "metricvalue")
_METRIC = ("metric", "metricname", "measure")
_TRAIN, _TEST = ("ntrain", "trainsize"), ("ntest", "testsize")
_NAMES, _VALUES, _DATASETS = (
    " classifier",
    " score",
    " dataset",
)  # names no column of a sheet can have: those are stripped
_KEYS = (*_DATASET, *_RUN, *_FOLD, *_TRAIN, *_TEST)
_LETTERS = ("r", "k")  # may be classifiers where every column is one
_NUMBERING = ("unnamed:0", "index", "id", "row", "")
_PARTS = {"train", "training", "test", "testing", "val", "valid", "validation", "dev"}
_SUMMARIES = {
    "mean", "average", "avg", "avg.", "std", "sd", "std. dev.", "median", "overall", "mean rank",
    "average rank", "avg. rank", "avg rank",
}  # fmt: skip


def is_delimited(document: Document) -> bool:
    """Take every table that no other reader knows."""
    return bool(len(document.sheet.frame.columns))


def read_delimited(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a wide or long table."""
    sheet = _without_numbering(documents[0].sheet)
    names: dict[str, str] = {}
    for column in sheet.frame.columns:
        names.setdefault(_plain(column), column)
    classifier = request.classifier_column or _named_classifier(sheet, names)
    metric_column = _metric_column(sheet, names)
    score = request.score_column or _metric(names, request) or _find(names, _SCORE)
    others = [] if classifier is None else _measures(sheet, names, classifier)
    if score is None and others:
        score = _only_one(others, classifier, request)
    gaps = request.missing != "refuse"  # else an empty cell is named with its row and column
    if classifier is not None and score is not None:
        metric = score
        if metric_column is not None and _plain(score) in _SCORE:
            sheet, metric = _rows_of_one_metric(sheet, metric_column, request)
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
        _refuse_other_rows(sheet, columns)
        used = {*named, columns.n_train, columns.n_test, metric_column if metric != score else None}
        unused = [column for column in sheet.frame.columns if column not in used]
        notes = (f"Scores are those in {score}; not used: {listing(unused, 5)}.",) if unused else ()
        manner = Manner(kind="long table", metric=metric, gaps=gaps, by_order=True, notes=notes)
        return tabulate(sheet, columns, manner, request)
    long, columns = _melt(sheet, names, request)
    _refuse_other_rows(long, columns)
    manner = Manner(kind="wide table", gaps=gaps, by_order=True)
    if request.metric is not None:
        manner = replace(manner, metric=request.metric)
    return tabulate(long, columns, manner, request)


def _plain(name: str) -> str:
    """Write a column's name in small letters, without blanks, hyphens and underscores."""
    return re.sub(r"[\s_-]+", "", name.lower())


def _find(names: dict[str, str], wanted: tuple[str, ...]) -> str | None:
    return next((names[name] for name in wanted if name in names), None)


def _named_classifier(sheet: Sheet, names: dict[str, str]) -> str | None:
    """Return the column of classifiers; one with decimals is a classifier called like that."""
    found = _find(names, _CLASSIFIER)
    return None if found is None or sheet.frame[found].dtype.kind == "f" else found


def _metric(names: dict[str, str], request: Request) -> str | None:
    return None if request.metric is None else names.get(_plain(request.metric))


def _without_numbering(sheet: Sheet) -> Sheet:
    """Leave out a column that only numbers the rows, as pandas writes it."""
    for column in sheet.frame.columns if sheet.frame.shape[1] > 2 else ():
        cells = sheet.frame[column]
        if _plain(column) in _NUMBERING and pd.api.types.is_integer_dtype(cells):
            count = np.arange(len(cells))
            if (cells == count).all() or (cells == count + 1).all():
                shown = column or "without a name"
                note = f"Column {shown} numbers the rows and was not used."
                frame = sheet.frame.drop(columns=column)
                return replace(sheet, frame=frame, notes=(*sheet.notes, note))
    return sheet


def _metric_column(sheet: Sheet, names: dict[str, str]) -> str | None:
    """Return the column that says which metric a row is about."""
    found = _find(names, _METRIC)
    return found if found is not None and _mostly_text(sheet.frame[found]) else None


def _rows_of_one_metric(sheet: Sheet, column: str, request: Request) -> tuple[Sheet, str]:
    cells = sheet.frame[column].astype(str).str.strip()
    kinds = tuple(dict.fromkeys(cells))
    wanted = request.metric if request.metric is not None or len(kinds) > 1 else kinds[0]
    if wanted not in kinds:
        got = "none" if wanted is None else repr(wanted)
        raise invalid("metric", f"one of {listing(kinds)}", got, nearest(wanted or "", kinds))
    chosen = np.flatnonzero((cells == wanted).to_numpy())
    return sheet.with_frame(sheet.frame.iloc[chosen].reset_index(drop=True), chosen), wanted


def _refuse_other_rows(sheet: Sheet, columns: Columns) -> None:
    """Refuse rows that summarise others, and scores on training sets."""
    for column in (columns.dataset, columns.run, columns.fold):
        if column is None:
            continue
        words = sheet.frame[column].astype(str).str.strip().str.lower()
        summary = words.isin(_SUMMARIES).to_numpy()
        if summary.any():
            at = int(np.flatnonzero(summary)[0])
            raise InvalidArgumentError(
                f"{sheet.place(at)}, column {column.strip()}: expected the scores themselves, got a row "
                f"called {sheet.frame[column].iloc[at]!s}. Remove rows that summarise others."
            )
        if column == columns.fold and set(words) <= _PARTS and len(set(words)) > 1:
            raise InvalidArgumentError(
                f"{sheet.name}, column {column}: expected folds, got {listing(sorted(set(words)))}. "
                f"Keep the rows of the test set and leave the column out."
            )


def _measures(sheet: Sheet, names: dict[str, str], classifier: str) -> list[str]:
    """Return the columns of numbers that are neither classifier, key nor size."""
    keys = {names[name] for name in _KEYS if name in names} | {classifier}
    return [c for c in sheet.frame.columns if c not in keys and _mostly_numbers(sheet.frame[c])]


def _mostly_numbers(column: "pd.Series[str]") -> bool:
    """Say whether most cells are numbers, also with a percent sign or a decimal comma."""
    if pd.api.types.is_numeric_dtype(column):
        return True
    texts = column.dropna().astype(str).str.strip().str.rstrip("%").str.replace(",", ".")
    return bool(len(texts)) and bool(pd.to_numeric(texts, errors="coerce").notna().mean() > 0.5)


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
    keys = {name: c for name, c in names.items() if name in _KEYS and name not in _LETTERS}
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
