"""Predictions case by case: the true class, and a column or a row for each classifier."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from replicast.arrays import Floats
from replicast.errors import InvalidContentError, invalid
from replicast.reading.cases import same_labels, tabulate_cases
from replicast.reading.columns import Column
from replicast.reading.formats.tables.grouping import (
    settle_groups,
    within_wholes,
    without_wholes,
)
from replicast.reading.formats.tables.preparing import Table, cluster_column, one_of
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import Rows, split_places
from replicast.reading.sheets import Codes, Key, Sheet, called, listing
from replicast.reading.vocabulary.naming import words
from replicast.reading.vocabulary.roles import Role, is_kind, is_whole
from replicast.scores.tables import ScoreTable

_PREFIXES = ("y_pred_", "pred_", "prediction_", "predicted_", "yhat_", "predict_", "y_hat_")
_SUFFIXES = ("_pred", "_prediction", "_predictions", "_predicted", "_y_pred", "_label", "_yhat")
_METRICS = ("accuracy", "acc", "correct", "correctness")
_SURE = frozenset(("true", "truth", "gold", "actual", "golden", "groundtruth"))
_DEGREES = frozenset(
    ("conf", "confidence", "logit", "logits", "prob", "proba", "probability", "probs")
)
_FEW = 20  # classes; more whole numbers are classes only if they count from 0 or 1
_PLACED: tuple[Role, ...] = ("fold", "resample", "split", "iteration")
_UNUSED: tuple[Role, ...] = ("number", "size", "moment", "remark", "setting", "score")


@dataclass(frozen=True)
class Predictions:
    """Columns of a table of predictions."""

    truth: str
    predicted: tuple[str, ...]
    classifier: str | None = None


def find_predictions(table: Table, request: Request) -> Predictions | None:
    """Return the columns of a table of predictions, None if it is none."""
    truths = table.find("truth") or _observed(table)
    if not truths or request.score_column is not None:
        return None
    truth = next((c for c in truths if not c.is_empty), None)
    if truth is None:
        return None
    told = [c for c in table.find("prediction") if not c.is_empty]
    named = one_of(table.find("classifier"), "classifier", table.sheet)
    asked = request.classifier_column or named
    if asked is not None:
        if len(told) == 1 and request.metric in (None, *_METRICS):
            return Predictions(truth.name, (told[0].name,), asked)
        return None
    labels = _labels(table.sheet, truth)
    others = [
        c
        for c in table.columns.values()
        if c.name != truth.name and c.role in (None, "prediction", "truth") and not c.is_empty
    ]
    agreeing = [c for c in others if _agrees(table.sheet, c, labels, truth)]
    sure = [c for c in agreeing if not _is_aside(table, c, labels)]
    if len(sure) > 1:  # the others need not be predictions
        others = [c for c in others if not _is_aside(table, c, labels)]
        agreeing = sure
    if len(agreeing) < 1 or (len(others) > len(agreeing) and _is_sure(truth) and len(agreeing) < 2):
        return Predictions(truth.name, tuple(c.name for c in others)) if _is_sure(truth) else None
    return Predictions(truth.name, tuple(c.name for c in (others if _is_sure(truth) else agreeing)))


def _is_aside(table: Table, column: Column, labels: set[str]) -> bool:
    """Tell what stands beside predictions: how sure a model was, features, texts of cases."""
    if not _DEGREES.isdisjoint(words(column.name)[:1] + words(column.name)[-1:]):
        return True
    if is_kind(column.name) or is_whole(column.name):
        return True
    if column.role == "prediction" or _named(column.name, ()) != column.name:
        return False
    if column.is_number:
        return not column.is_whole
    unique = column.different == len(table.sheet.frame) > 2
    return unique and not _labels(table.sheet, column) & labels


def _observed(table: Table) -> list[Column]:
    """Return the true classes as caret calls them: obs, beside pred."""
    told = [c for c in table.find("prediction") if not c.is_empty]
    return [
        column
        for column in table.find("case")
        if column.name == "obs"
        and told
        and _agrees(table.sheet, told[0], _labels(table.sheet, column), column)
    ]


def _is_sure(column: Column) -> bool:
    """Say whether a name can only be that of true classes; label and y may be something else."""
    return not _SURE.isdisjoint(words(column.name))


def _labels(sheet: Sheet, column: Column) -> set[str]:
    return set(pd.unique(sheet.frame[column.name].dropna().astype(str).str.strip()))


def _numbers(sheet: Sheet, column: str) -> Floats:
    """Return the different numbers of a column."""
    found = np.unique(sheet.parsed(column).values)
    return found[np.isfinite(found)]


def _agrees(sheet: Sheet, column: Column, labels: set[str], truth: Column) -> bool:
    """Say whether a column holds the same kind of labels as the true classes."""
    if column.is_number != truth.is_number:
        return False
    if truth.is_number:
        numbers, own = _numbers(sheet, truth.name), _numbers(sheet, column.name)
        return bool(np.isin(own, numbers).sum() > 0.5 * len(own)) or not truth.is_whole
    found = _labels(sheet, column)
    return len(found & labels) > 0.5 * len(found)


def read_predictions(table: Table, found: Predictions, request: Request, title: str) -> ScoreTable:
    """Read predicted classes; the score of a case is 1 if it was predicted right, else 0."""
    sheet = table.sheet
    if request.metric not in (None, *_METRICS):
        raise invalid("metric", "accuracy for predictions case by case", repr(request.metric))
    if found.classifier is None and not found.predicted:
        raise invalid(
            "source",
            f"a table with {found.truth} and the predictions of a classifier",
            f"{sheet.name} with columns {listing(sheet.columns)}",
        )
    _refuse_amounts(table, found)
    _refuse_empty(sheet, found.truth)
    truth = sheet.frame[found.truth]
    n = len(sheet.frame)
    told = [sheet.frame[name].notna().to_numpy() for name in found.predicted]
    right = []
    for name, known in zip(found.predicted, told, strict=True):
        if not known.any():
            _refuse_empty(sheet, name)
        agree = np.full(n, np.nan)
        agree[known] = same_labels(truth[known], sheet.frame[name][known])
        right.append(agree)
    origin = np.tile(np.arange(n), len(found.predicted))
    rows = _rows(table, found, np.concatenate(right), origin, request, title)
    used = (found.truth, *found.predicted, found.classifier)
    rows, _ = settle_groups(within_wholes(rows, table), table, used, request)
    manner = Manner(
        kind="predictions",
        metric="correct",
        convention="1 is a case predicted right",
        greater_is_better=True,
        notes=_unused(table, found),
    )
    return tabulate_cases(rows, manner, request)


def _rows(
    table: Table,
    found: Predictions,
    right: Floats,
    origin: Codes,
    request: Request,
    title: str,
) -> Rows:
    sheet = table.sheet
    n = len(sheet.frame)
    if found.classifier is not None:
        classifier = sheet.labels(found.classifier)
    else:
        names = tuple(_named(name, found.predicted) for name in found.predicted)
        classifier = Key(np.repeat(np.arange(len(names)), n), names)

    def key(name: str | None, *, ranked: bool = True) -> Key | None:
        if name is None:
            return None
        one = sheet.ranks(name) if ranked else sheet.labels(name)
        return Key(one.codes[origin], one.names)

    fold = request.fold_column or one_of(table.find(*_PLACED), "fold", sheet)
    run = request.run_column or one_of(table.find("run") or table.find("seed"), "run", sheet)
    dataset = request.dataset_column or one_of(table.find("dataset"), "dataset", sheet)
    answer = table.first("answer")
    case = _case(table, found, origin, request)
    one_run = run is None and found.classifier is None and table.find("fold")
    if case is None and (one_run or not (fold or run)):  # every row of one run is a case of its own
        case = _in_order(found, classifier, origin)
    rows = Rows(
        name=sheet.name,
        scores=right,
        classifier=classifier,
        dataset=key(dataset, ranked=False) or Key.constant(title, len(origin)),
        run=key(run),
        fold=key(fold),
        run_kind=None if run is None else table.columns[run].role or "run",
        fold_kind=None if fold is None else table.columns[fold].role or "fold",
        case=case,
        answer=key(answer) if case is not None else None,
        cluster=key(cluster_column(table, request), ranked=False),
        sheet=sheet,
        origin=origin,
        notes=sheet.notes,
    )
    return split_places(rows)


def _case(table: Table, found: Predictions, origin: Codes, request: Request) -> Key | None:
    """Return the names of the cases, if a column has them."""
    named = [c for c in table.find("case") if c.name not in (found.truth, *found.predicted)]
    named = without_wholes(named, table, request) or named
    if not named:
        return None
    key = table.sheet.labels(max(named, key=lambda one: one.different).name)
    return Key(key.codes[origin], key.names)


def _in_order(found: Predictions, classifier: Key, origin: Codes) -> Key:
    """Name cases by their order in the table."""
    order = np.asarray(origin, dtype=np.intp)
    if found.classifier is not None:
        counted = pd.Series(classifier.codes).groupby(classifier.codes).cumcount()
        order = np.asarray(counted, dtype=np.intp)
    return Key(order, tuple(map(str, range(1, int(order.max()) + 2))))


def _refuse_amounts(table: Table, found: Predictions) -> None:
    """Refuse probabilities, and predictions of amounts: equal to the unit is not the question."""
    truth = table.columns[found.truth]
    for name in found.predicted:
        column = table.columns[name]
        if table.sheet.frame[name].isna().all():
            _refuse_empty(table.sheet, name)
        if (not truth.is_number and column.is_number) or (truth.is_whole and not column.is_whole):
            first = table.sheet.frame[name].dropna()
            got = str(first.iloc[0]) if len(first) else "nothing"
            place = f"{table.sheet.name}, column {called(name)}"
            domain = f"predicted classes like those in {found.truth}"
            remedy = (
                "Give classes, or compare numbers by `measure=mae`, probabilities by auc or brier"
            )
            raise InvalidContentError(place, domain, got, remedy)
        if not _is_known(table, found.truth, name):
            place = f"{table.sheet.name}, column {called(name)}"
            domain = f"predicted classes like those in {found.truth}"
            got = str(table.sheet.frame[name].dropna().iloc[0])
            remedy = (
                "Give classes, or compare numbers by `measure=mae`, probabilities by auc or brier"
            )
            raise InvalidContentError(place, domain, got, remedy)
    classes = truth.different
    if truth.is_number and (
        not truth.is_whole or (classes > _FEW and not _counts_up(truth, classes))
    ):
        place = f"{table.sheet.name}, column {found.truth}"
        got = f"{classes} different numbers, as a regression has"
        remedy = "Give the loss of every case, a column for each model, with `design=holdout`"
        raise InvalidContentError(place, "classes", got, remedy)


def _is_known(table: Table, truth: str, name: str) -> bool:
    """Say whether any prediction is one of the true classes."""
    frame = table.sheet.frame
    told = frame[name].dropna()
    if table.columns[truth].is_number and table.columns[name].is_number:
        return bool(np.isin(_numbers(table.sheet, name), _numbers(table.sheet, truth)).any())
    return bool(told.astype(str).str.strip().isin(frame[truth].astype(str).str.strip()).any())


def _counts_up(column: Column, classes: int) -> bool:
    return column.low in (0, 1) and column.high - column.low + 1 <= 1.1 * classes


def _named(column: str, columns: tuple[str, ...]) -> str:
    """Drop a prefix like pred_, unless another column then has the same name."""
    for prefix in _PREFIXES:
        short = column.removeprefix(prefix)
        if short and short != column and short not in columns:
            return short
    for suffix in _SUFFIXES:
        short = column.removesuffix(suffix)
        if short and short != column and short not in columns:
            return short
    return column


def _unused(table: Table, found: Predictions) -> tuple[str, ...]:
    used = (found.truth, *found.predicted)
    roles = (*_UNUSED, None)
    names = [c.name for c in table.columns.values() if c.role in roles and c.name not in used]
    return (f"Not used: {listing(names, 5)}.",) if names else ()


def _refuse_empty(sheet: Sheet, column: str) -> None:
    empty = sheet.frame[column].isna().to_numpy()
    if empty.any():
        place = f"{sheet.place(int(np.flatnonzero(empty)[0]))}, column {called(column)}"
        raise InvalidContentError(
            place, "a class", "an empty cell", "Remove the row or complete it"
        )
