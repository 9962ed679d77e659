"""Predictions case by case: the true class, and a column or a row for each classifier."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError, invalid
from replicast.reading.cases import same_labels
from replicast.reading.columns import Column, are_binary, describe_column
from replicast.reading.formats.tables.preparing import Table
from replicast.reading.formats.tables.verdicts import is_judged
from replicast.reading.requests import Request
from replicast.reading.sheets import called, listing
from replicast.reading.vocabulary.naming import word_lists, words
from replicast.reading.vocabulary.roles import is_chance, is_kind, is_whole

_SAID = word_lists()["said"]
_METRICS = ("accuracy", "acc", "correct", "correctness")
_SURE = frozenset(("true", "truth", "gold", "actual", "golden", "groundtruth"))
_FEW = 20  # classes; more whole numbers are classes only if they count from 0 or 1


@dataclass(frozen=True)
class Predictions:
    """Columns of a table of predictions."""

    truth: str
    predicted: tuple[str, ...]
    classifier: str | None = None


def find_predictions(table: Table, request: Request) -> Predictions | None:
    """Return the columns of a table of predictions, None if it is none."""
    # caret calls the truth obs, beside pred
    observed = [c for c in table.find("case") if c.name == "obs" and table.find("prediction")]
    truth = next((c for c in table.find("truth") or observed if not c.is_empty), None)
    if truth is None or request.score_column is not None:
        return None
    classifier = table.one("classifier", "classifier")
    if classifier is not None:
        return _by_row(table, truth, classifier, request)
    found = columns_of_models(table, truth)
    if are_marks(found, truth):
        return None
    found = columns_of_models(table, truth, lambda column: _agrees(table, column, truth))
    sure = not _SURE.isdisjoint(words(truth.name))  # label and y may be something else
    if sure and len(found) < 2:
        found = columns_of_models(table, truth)
    return Predictions(truth.name, tuple(c.name for c in found)) if sure or found else None


def _by_row(table: Table, truth: Column, classifier: str, request: Request) -> Predictions | None:
    """Return the columns of a table with a row for each model and case, which no verdict judges."""
    told = [c.name for c in table.find("prediction") if not c.is_empty]
    judged = any(map(_is_verdict, table.columns.values()))
    marked = are_marks([table.columns[name] for name in told], truth)
    fits = len(told) == 1 and not marked and request.metric in (None, *_METRICS) and not judged
    return Predictions(truth.name, (told[0],), classifier) if fits else None


def columns_of_models(
    table: Table, truth: Column, fits: Callable[[Column], bool] = lambda _: True
) -> list[Column]:
    """Return the columns that may hold what models said: those that say so, if two do."""
    found = [
        c
        for c in table.find("prediction", "truth", None)
        if c is not truth and not c.is_empty and fits(c)
    ]
    marked = [c for c in found if c.role == "prediction" or named_model(c.name) != c.name]
    return marked if len(marked) > 1 else found


def named_model(column: str, columns: tuple[str, ...] = ()) -> str:
    """Return the name of a model without what says that it predicts, unless another has it."""
    for word in sorted(_SAID, key=len, reverse=True):
        for short in (column.removeprefix(f"{word}_"), column.removesuffix(f"_{word}")):
            if short and short != column and short not in columns:
                return short
    return column


def are_marks(columns: Sequence[Column], truth: Column) -> bool:
    """Say whether columns hold 0 and 1 alone beside a truth with other values: what is right."""
    other = not truth.is_number or not are_binary([truth])
    return bool(columns) and other and all(c.is_number and are_binary([c]) for c in columns)


def _is_verdict(column: Column) -> bool:
    """Say whether a column says itself what is right: correct, True or False."""
    return pd.api.types.is_bool_dtype(column.sheet.frame[column.name]) and is_judged(column)


def _agrees(table: Table, column: Column, truth: Column, share: float = 0.5) -> bool:
    """Say whether most labels of a column are among the true classes (no patients, no chances)."""
    other = is_kind(column.name) or is_whole(column.name)
    if other or column.is_number != truth.is_number or is_chance(column.name):
        return False
    if not truth.is_number:
        own, known = (
            set(table.sheet.frame[one.name].dropna().astype(str).str.strip())
            for one in (column, truth)
        )
        return len(own & known) > share * len(own)
    numbers, classes = (np.unique(table.sheet.parsed(one.name).values) for one in (column, truth))
    numbers = numbers[np.isfinite(numbers)]
    return bool(np.isin(numbers, classes).sum() > share * len(numbers)) or not truth.is_whole


def judged(table: Table, found: Predictions, request: Request) -> Table:
    """Return the table with right and wrong, 1 and 0, in the place of predicted classes."""
    if request.metric not in (None, *_METRICS):
        raise invalid("metric", "accuracy for predictions case by case", repr(request.metric))
    if not found.predicted:
        domain = f"a table with {found.truth} and the predictions of a classifier"
        got = f"{table.sheet.name} with columns {listing(table.sheet.columns)}"
        raise invalid("source", domain, got)
    _refuse_amounts(table, found)
    frame, right = table.sheet.frame, {}
    for name in found.predicted:
        known = frame[name].notna().to_numpy()
        right[name] = np.full(len(frame), np.nan)
        right[name][known] = same_labels(frame[found.truth][known], frame[name][known])
    sheet = replace(table.sheet, frame=frame.drop(columns=found.truth).assign(**right))
    told = {name: column for name, column in table.columns.items() if name != found.truth}
    return Table(sheet, told | {one: describe_column(sheet, one) for one in right})


def _refuse_amounts(table: Table, found: Predictions) -> None:
    """Refuse probabilities, and predictions of amounts: equal to the unit is not the question."""
    truth, frame = table.columns[found.truth], table.sheet.frame
    empty = frame[found.truth].isna().to_numpy()
    if empty.any():
        place = f"{table.sheet.place(int(np.flatnonzero(empty)[0]))}, column {called(found.truth)}"
        remedy = "Remove the row or complete it"
        raise InvalidContentError(place, "a class", "an empty cell", remedy)
    for name in found.predicted:
        column = table.columns[name]
        other = truth.is_whole and not column.is_whole
        if other or not _agrees(table, column, truth, share=0.0):
            place = f"{table.sheet.name}, column {called(name)}"
            got = str(next(iter(frame[name].dropna()), "nothing"))
            remedy = (
                "Give classes, or compare numbers by `measure=mae`, probabilities by auc or brier"
            )
            domain = f"predicted classes like those in {found.truth}"
            raise InvalidContentError(place, domain, got, remedy)
    classes = truth.different
    counts = truth.low in (0, 1) and truth.high - truth.low + 1 <= 1.1 * classes
    if truth.is_number and (not truth.is_whole or (classes > _FEW and not counts)):
        place = f"{table.sheet.name}, column {found.truth}"
        got = f"{classes} different numbers, as a regression has"
        remedy = (
            "Compare numbers by `measure=mae`; or give the loss of every case, a column for each "
            "model, with `design=holdout`"
        )
        raise InvalidContentError(place, "classes", got, remedy)
