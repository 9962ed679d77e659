"""Predictions case by case in one table: the true class and a column a classifier."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from replicast.errors import InvalidArgumentError, invalid
from replicast.reading.assembly import Manner, Request
from replicast.reading.cases import TestedCases, same_labels, stem, tabulate_cases
from replicast.reading.documents import Document
from replicast.reading.files import Sheet, listing
from replicast.scores import ScoreTable

_TRUTH = ("y_true", "truth", "true_label", "true_class", "ground_truth")
_ID = ("id", "case", "case_id", "doc_id", "instance", "index", "unnamed: 0")
_PLACES = ("fold", "split", "run", "seed", "dataset")  # say where a case was tested
_PREFIXES = ("y_pred_", "pred_")


def is_predictions(document: Document) -> bool:
    """Tell by the column of true classes."""
    return _truth(document.sheet) is not None


def _truth(sheet: Sheet) -> str | None:
    return next((c for c in sheet.frame.columns if c.lower() in _TRUTH), None)


def read_predictions(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read predicted classes; the score of a case is 1 if it was predicted right, else 0."""
    sheet, path = documents[0].sheet, documents[0].path
    if request.metric not in (None, "accuracy", "correct"):
        raise invalid("metric", "accuracy for predictions case by case", repr(request.metric))
    truth = _truth(sheet) or "y_true"
    ids = next((c for c in sheet.frame.columns if c.lower() in _ID), None)
    keys = [column for column in sheet.frame.columns if column.lower() in _PLACES]
    columns = [column for column in sheet.frame.columns if column not in (truth, ids, *keys)]
    if len(columns) < 2:
        raise invalid(
            "source",
            f"a table with {truth} and the predictions of at least two classifiers",
            f"{sheet.name} with columns {listing(sheet.frame.columns)}",
        )
    true = sheet.frame[truth]
    _refuse_empty(sheet, truth)
    names = _ids(sheet, ids)
    tested = []
    for column in columns:
        told = sheet.frame[column].notna().to_numpy()
        if request.missing == "refuse" or not told.any():
            _refuse_empty(sheet, column)
        right = same_labels(true[told], sheet.frame[column][told])
        if _decimals(sheet.frame[column]) and not _decimals(true):
            raise _no_class(sheet, column, truth)
        if not right.any() and not set(sheet.frame[column].astype(str)) & set(true.astype(str)):
            raise _no_class(sheet, column, truth)
        tested.append(
            TestedCases(
                source=sheet.name,
                classifier=_named(column, columns),
                dataset=stem(path),
                resample=0,
                right=right.astype(np.int8),
                ids=tuple(name for name, known in zip(names, told, strict=True) if known),
                accuracy=float(right.mean()),
            )
        )
    manner = Manner(kind="predictions", metric="correct", greater_is_better=True, notes=sheet.notes)
    return tabulate_cases(tested, manner, request, in_one_file=True)


def _decimals(column: "pd.Series[str]") -> bool:
    """Say whether a column has numbers that are not whole: probabilities, not classes."""
    values = pd.to_numeric(column, errors="coerce").dropna()
    return bool((values % 1 != 0).any())


def _no_class(sheet: Sheet, column: str, truth: str) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"{sheet.name}, column {column}: expected predicted classes like those in {truth}, got "
        f"{sheet.frame[column].iloc[0]!s}. Give classes, not probabilities."
    )


def _named(column: str, columns: list[str]) -> str:
    """Drop a prefix like pred_, unless another column then has the same name."""
    for prefix in _PREFIXES:
        short = column.removeprefix(prefix)
        if short and short != column and short not in columns:
            return short
    return column


def _ids(sheet: Sheet, column: str | None) -> tuple[str, ...]:
    if column is None:
        return tuple(map(str, range(len(sheet.frame))))
    names = sheet.frame[column].astype(str)
    twice = names.duplicated().to_numpy()
    if twice.any():
        at = int(np.flatnonzero(twice)[0])
        raise InvalidArgumentError(
            f"{sheet.place(at)}: more than one case {column} = {names.iloc[at]}. Keep one row for each."
        )
    return tuple(names)


def _refuse_empty(sheet: Sheet, column: str) -> None:
    empty = sheet.frame[column].isna().to_numpy()
    if empty.any():
        raise InvalidArgumentError(
            f"{sheet.place(int(np.flatnonzero(empty)[0]))}, column {column}: expected a class, got an "
            f"empty cell. Remove the row or complete it."
        )
