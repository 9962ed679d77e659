"""Which column beside the names of models holds the scores, and which rows are of one measure."""

import numpy as np
import pandas as pd

from replicast.errors import InvalidArgumentError, invalid
from replicast.reading.columns import Column, are_binary
from replicast.reading.formats.tables.preparing import Table
from replicast.reading.requests import Request, ask_metric
from replicast.reading.sheets import listing
from replicast.reading.vocabulary.measures import find_measure, is_neutral, is_spread
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import TESTING, VALIDATION
from replicast.reading.vocabulary.summaries import is_beside, is_summary

_COUNTS = word_lists()["counts"]
_UNFINISHED = word_lists()["unfinished"]
_LOST = word_lists()["lost"] - {"loss", "losses"}
_MOST_MEASURES = 1000
_MANY = 4  # columns that may be benchmarks, beside a measure
_PARTS = TESTING | VALIDATION
_ASIDE = _PARTS | {"mean", "average", "avg", "scores", "score", "metrics", "results"}
_DOMAIN = "a row for each dataset, fold or case"


def rows_of_one_metric(table: Table, request: Request) -> tuple[Table, str | None]:
    """Keep the rows of one measure where a column says which a row is about."""
    names = [c for c in table.find("metric") if not c.is_number and not c.is_empty]
    if not names:
        return table, None
    told = table.sheet.coded(names[0].name)
    kinds = tuple(dict.fromkeys(told.labels))
    elsewhere = request.score_column is not None or request.metric in table.sheet.columns
    if elsewhere and request.metric not in kinds:
        return table, None
    wanted = request.metric if request.metric is not None or len(kinds) > 1 else kinds[0]
    match = next((kind for kind in kinds if wanted and squeezed(kind) == squeezed(wanted)), None)
    if match is None:
        raise ask_metric(kinds, wanted)
    chosen = np.flatnonzero(told.where([label == match for label in told.labels]))
    return Table(table.sheet.take(chosen), table.columns), match


def refuse_measures(table: Table, labels: list[str], request: Request) -> None:
    """Refuse rows that are measures of one experiment, not datasets; no experiment has thousands."""
    if len(labels) > _MOST_MEASURES:
        return
    known = [one for one in labels if find_measure(one) is not None]
    asked = request.metric is not None and squeezed(request.metric) in map(squeezed, labels)
    if asked or (len(known) > 1 and 2 * len(known) > len(labels)):
        remedy = "Give the score of every dataset, fold or case in one measure"
        raise table.refusal(_DOMAIN, f"a row for each measure ({listing(known, 3)})", remedy)


def score_column(
    table: Table, classifier: str, request: Request, metric_name: str | None
) -> str | None:
    """Return the column of scores; None if every column of numbers may be a dataset; or ask.

    Scores are in the only column that is called so or measures test data, else in the only one of which
    nothing is known. `metric_name` is the measure of the rows, where a column names it.
    """
    if request.score_column is not None:
        return request.score_column
    asked = {*request.columns.values(), *(request.notes_among(table.sheet.columns) or ())}
    free = [c for c in table.columns.values() if c.name not in asked]
    numbers = [
        c
        for c in free
        if c.is_number and c.role in (None, "score") and not is_spread(c.name)
        if c.name != classifier
    ]
    if metric_name is None and _is_board(table, classifier, numbers):
        return None
    named = _named_metric(numbers, free, request.metric)
    if metric_name is not None:
        scores = [c.name for c in numbers if c.role == "score"]
        named = scores[0] if len(scores) == 1 else None
    return named or _measured(table, classifier, numbers, request, metric_name)


def _measured(
    table: Table, classifier: str, numbers: list[Column], request: Request, metric_name: str | None
) -> str | None:
    """Return the only column that is measured on test data, or may be; None if several may; or ask."""
    tested, unknown = _likeliest(numbers), list(filter(_is_unknown, numbers))
    if metric_name or not tested:
        _refuse_summaries(table)
    if len(unknown) > 1 and not tested:
        return None
    found = [c.name for c in tested or unknown or filter(_is_on_test_data, numbers)]
    another = request.metric is not None and metric_name is None
    if len(found) == 1 and not (another and not is_nameless(found[0])):
        return found[0]
    raise _ask_column(found or [c.name for c in numbers], table, classifier, request)


def _is_unknown(column: Column) -> bool:
    return column.measure is None and not column.is_counting


def _is_tested(column: Column) -> bool:
    """Say whether a column is called a score, or measures test data and no time."""
    if column.role == "score" or is_neutral(column.name):
        return "train" not in words(column.name)
    timed = column.measure is None or column.measure.scale in ("time", "rank")
    return not timed and _is_on_test_data(column)


def _is_on_test_data(column: Column) -> bool:
    return column.measure is not None and column.measure.part == "test"


def _likeliest(numbers: list[Column]) -> list[Column]:
    """Return the columns measured on test data: right and wrong before prices."""
    tested = _on_test_data([c for c in numbers if _is_tested(c)])
    tested = [c for c in tested if not _is_state(c)] or tested
    if any(are_binary([c]) for c in tested):
        return [c for c in tested if not is_beside(c.name)]
    said = [c for c in numbers if pd.api.types.is_bool_dtype(c.sheet.frame[c.name])]
    return said if len(said) == 1 and all(is_beside(c.name) for c in tested) else tested


def _on_test_data(columns: list[Column]) -> list[Column]:
    """Leave out a measure on validation data that stands there on test data too: val/acc, test/acc."""
    bare = {c.name: tuple(w for w in words(c.name) if w not in _PARTS) for c in columns}
    validated = [c for c in columns if not VALIDATION.isdisjoint(words(c.name))]
    tested = {bare[c.name] for c in columns if c not in validated}
    return [c for c in columns if c not in validated or bare[c.name] not in tested]


def _is_state(column: Column) -> bool:
    """Say whether a column says how a run ended, or nothing: failed is 0 or 1, timeouts always 0."""
    ended = are_binary([column]) and _UNFINISHED.issuperset(words(column.name))
    return ended or column.different < 2


def _ask_column(
    names: list[str], table: Table, classifier: str, request: Request
) -> InvalidArgumentError:
    if names and not table.repeats(classifier):
        got = f"one row for each {classifier}, with the measures {listing(names, 6)}"
        remedy = "One difference has no spread to judge it by: give every fold, or every case"
        return invalid("source", "a table with several scores per classifier", got, remedy)
    if names:
        return ask_metric(names, request.metric, f", the measures beside {classifier}")
    got = f"{table.sheet.name} with columns {listing(table.sheet.columns)}"
    return invalid("source", f"a table with a column of scores beside {classifier}", got)


def _is_board(table: Table, classifier: str, numbers: list[Column]) -> bool:
    """Tell a leaderboard, a row for each model: far more columns may be benchmarks than are measures."""
    left = [c for c in numbers if not _sums_up(c)]
    unknown, measured = list(filter(_is_unknown, left)), list(filter(_is_tested, left))
    enough = max(_MANY, 2 * len(measured)) if measured else 2
    return len(unknown) >= enough and not table.repeats(classifier)


def _sums_up(column: Column) -> bool:
    """Say whether a column of a leaderboard is no benchmark, but a cost, a harm or a mean of others."""
    lost = not _LOST.isdisjoint(words(column.name))
    return lost or column.role == "score" or is_beside(column.name) or is_summary(column.name)


def is_nameless(name: str) -> bool:
    """Say whether a column of scores says nothing about them: score, mean, 0."""
    return is_neutral(name) or not any(map(str.isalpha, name))


def _named_metric(numbers: list[Column], free: list[Column], metric: str | None) -> str | None:
    """Return the column of a measure: by its name, or with the name of the part it was taken on."""
    if metric is None:
        return None
    every = [c.name for c in (*numbers, *free)]
    if metric in every:
        return metric
    same = [name for name in every if squeezed(name) == squeezed(metric)]
    if same:
        return same[0]
    parts = {c.name: [w for w in words(c.name) if w not in _ASIDE] for c in numbers}
    parts = {name: left for name, left in parts.items() if "".join(left) == squeezed(metric)}
    tested = [name for name in parts if words(name)[0] == "test"] or [*parts]
    return tested[0] if len(tested) == 1 else None


def _refuse_summaries(table: Table) -> None:
    """Refuse means with their deviations, and counts of a confusion matrix, one row per classifier."""
    names = {squeezed(name) for name in table.sheet.columns}
    counts, got = sorted(names & _COUNTS), ""
    if names & {"mean", "avg", "average"} and any(map(is_spread, table.sheet.columns)):
        got = "their mean and spread alone, from which nothing can be paired"
    elif len(counts) > 2:
        got = f"counts of one confusion matrix per classifier ({listing(counts)})"
    if got:
        remedy = "Give the score of every fold, dataset or case"
        raise table.refusal("the scores themselves", got, remedy)
