"""Tables laid out the other way: classifiers as rows, and folds or datasets as columns."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from replicast.errors import Choice, InvalidContentError, invalid
from replicast.reading.columns import Column, are_binary, describe_columns
from replicast.reading.formats.tables.candidates import (
    OTHER_SCALE,
    Candidate,
    aside_of,
    ask_notes,
    of_one_metric,
    split_measures,
)
from replicast.reading.formats.tables.preparing import Table, described
from replicast.reading.formats.tables.scoring import refuse_measures
from replicast.reading.formats.tables.summing import sums_up
from replicast.reading.formats.tables.ways import way_of_datasets
from replicast.reading.requests import NUMBERS, Request
from replicast.reading.sheets import label_of, left_out, listing
from replicast.reading.vocabulary.famous import tell_apart
from replicast.reading.vocabulary.measures import find_measure, is_neutral, is_spread, measure_in
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import (
    PLACES,
    REPEATS,
    TESTING,
    VALIDATION,
    Role,
    find_role,
    is_setting,
    read_place,
)
from replicast.reading.vocabulary.summaries import is_beside, is_summary

_NUMBER = re.compile(r"\d+")
_SHORT = ("d", "ds")  # for datasets
_ROLES: tuple[Role | None, ...] = (None, "dataset", "split", "fold", "run")
CLASSIFIER, SCORE = "classifier", "score"
_NAMED = 12  # datasets up to which all are named
_STANDINGS = word_lists()["standings"]
_PARTS = TESTING | VALIDATION | {"public", "private", "lb", "leaderboard", "score", "set"}
_SEVERAL = 4  # datasets of which most may be on one scale
_BEYOND = 10.0  # times the largest score of most
_PERCENT = 100.0


def _melted(
    table: Table, columns: list[str], keys: Mapping[str, Sequence[Any]], score: str, kept: str = ""
) -> Table:
    """Put columns of scores under each other, told apart by new columns of keys.

    Of the other columns one is kept, or all that sum up no others.
    """
    sheet = table.sheet
    others = [name for name in table.columns if name not in columns and not is_summary(name)]
    rows = np.tile(np.arange(len(sheet.frame)), len(columns))
    frame = sheet.frame[[kept] if kept else others].iloc[rows].reset_index(drop=True)
    for key, labels in keys.items():
        frame[key] = np.repeat(np.asarray(labels), len(sheet.frame))
    for name in columns:
        sheet.read(name)  # what is no number is named where it stands
    frame[score] = np.concatenate([sheet.frame[name].to_numpy(dtype=object) for name in columns])
    return described(sheet.with_frame(frame.infer_objects(), rows))


def unfolded(table: Table, classifier: str) -> Table:
    """Put columns of folds, runs or seeds under each other, where rows name their classifier."""
    places = {
        c.name: place.kind
        for c in table.columns.values()
        if c.is_number and c.name != classifier and (place := read_place(c.name))
    }
    names = list(places)
    alike = {*places.values(), *(_NUMBER.sub("", name) for name in names)}
    if len(places) < 2 or len(alike) > 2 or table.find(*PLACES, *REPEATS):
        return table
    _, _, measured = names[0].partition("_test_")  # split0_test_accuracy
    keys = {str(places[names[0]]): names}
    return _melted(table, names, keys, measured or SCORE)


def have_answers(scores: Sequence[Column], request: Request, table: Table) -> bool:
    """Say whether old_1, old_2, new_1 and new_2 are answers of two models to every case; or ask."""
    numbers: dict[str, list[str]] = {}
    for one in scores:
        model, number = _answer_of(one.name)
        numbers.setdefault(model, []).append(number)
    first = next(iter(numbers.values()))
    counted = any(first == [str(at + start) for at in range(len(first))] for start in (0, 1))
    alike = counted and all(one == first for one in numbers.values())
    if min(len(numbers), len(first)) < 2 or not alike or not are_binary(scores):
        return False
    if request.numbered is not None:
        return request.numbered
    names = listing([one.name for one in scores], 6)
    several = f"if each of {listing(list(numbers), 3)} answered every case {len(first)} times"
    choices = (
        Choice("answer_column", NUMBERS, several),
        Choice("answer_column", "none", f"if there are {len(scores)} models"),
    )
    got = f"{names}, which may be {len(numbers)} models or {len(scores)}"
    raise table.question("answer_column", "columns that tell models from answers", got, choices)


def _answer_of(name: str) -> tuple[str, str]:
    """Return the name of a model and the number of its answer behind it: old and 1 of old_1."""
    bare = name.rstrip("0123456789")
    return bare.rstrip(" _-.#"), name[len(bare) :]


def by_answers(table: Table, chosen: Sequence[Candidate], metric: str) -> Table:
    """Put the answers of each model under each other, numbered."""
    models, numbers = zip(*(_answer_of(one.classifier) for one in chosen), strict=True)
    keys = {CLASSIFIER: models, "answer": list(map(int, numbers))}
    return _melted(table, [one.column for one in chosen], keys, metric)


def turned(table: Table, label: str | None, request: Request) -> tuple[Table, str, bool | None]:
    """Return a table of classifiers by datasets with a row for each score.

    The column of classifiers is returned too, and which way all datasets are better.
    """
    label, numbers = _label_and_numbers(table, label)
    said = request.notes_among(table.sheet.columns) or []
    names, called = _datasets([c for c in numbers if c.name not in said], table, request)
    refuse_measures(table, called, request)
    better = way_of_datasets(table, called, request.metric or "", request, said)
    table, gone = _without_others(table, label, names, request)
    others = [c.name for c in table.columns.values() if not (c.is_empty or c.is_unnamed)]
    gone |= {name: "they are no datasets" for name in others if name not in (label, *names, *said)}
    keys = _key_of_columns(called, request)
    notes = ["The table was turned: its rows are the classifiers.", *left_out(gone)]
    if keys and len(called) <= _NAMED:
        notes.append(f"Its columns are the {', '.join(keys)}s: {listing(called, _NAMED)}.")
    sheet = replace(table.sheet, notes=(*table.sheet.notes, *notes))
    return _melted(Table(sheet, table.columns), names, keys, SCORE, label), label, better


def _label_and_numbers(table: Table, label: str | None) -> tuple[str, list[Column]]:
    """Return the column that names classifiers, the first of text if none was named, and the numbers."""
    columns = table.columns.values()
    label = label or next((c.name for c in columns if not c.is_number and not c.is_empty), None)
    if label is None:  # 1, 3 and 5 neighbours
        label = next((c.name for c in columns if c.is_number and is_setting(c.name)), None)
    numbers = [c for c in columns if c.is_number and c.name != label and not c.is_unnamed]
    if label is None or not numbers:
        raise invalid("rows", "datasets for a table without names of classifiers", "'classifiers'")
    return label, numbers


def _key_of_columns(called: list[str], request: Request) -> dict[str, list[str]]:
    """Return what columns of names are, beside rows of classifiers; nothing, if they may be folds."""
    if request.asks_for_cases:
        return {"case": called}
    return {} if only_count(called) and not request.asks_for_datasets else {"dataset": called}


def _without_others(
    table: Table, label: str, columns: list[str], request: Request
) -> tuple[Table, dict[str, str]]:
    """Leave out the rows that are no classifiers, and say why: what columns would be left out for."""
    sheet = table.sheet
    names = [label_of(cell) for cell in sheet.frame[label]]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        if request.rows is None:
            raise table.refusal("one row for each classifier", f"{twice!r} twice in column {label}")
        raise invalid("rows", "classifiers only if each has one row", f"{twice!r} twice")
    frame = pd.DataFrame([sheet.numbers(name) for name in columns], columns=names)
    rows = describe_columns(replace(sheet, frame=frame))
    gone = aside_of(list(rows.values()), request, table)
    left = np.flatnonzero([name not in gone for name in names])
    return Table(sheet.take(left), table.columns), gone


def only_count(names: Sequence[str]) -> bool:
    """Say whether names count up and differ by that alone: 0 and 1, V1 and V2, score_0 and score_1.

    They may be folds, seeds or datasets; those of which the name says so, or that everybody knows,
    are datasets.

    Examples
    --------
    >>> [only_count(some) for some in (["cv0", "cv1"], ["task 1", "task 2"], ["cifar10", "cifar100"])]
    [True, False, False]
    """
    bare = {_NUMBER.sub("", name) for name in names}
    if len(names) < 2 or len(bare) > 1 or not all(map(_NUMBER.search, names)):
        return False
    [stem] = bare
    numbers = [int(_NUMBER.findall(name)[-1]) for name in names]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return False  # as OpenML calls its tasks
    named = find_role(stem) == "dataset" or squeezed(stem) in _SHORT
    return not named and tell_apart([], names) != "classifiers"


def _datasets(numbers: list[Column], table: Table, request: Request) -> tuple[list[str], list[str]]:
    """Return the columns that are datasets, and how these are called."""
    chosen = [c for c in numbers if c.role in _ROLES and not _is_aside(c, numbers)]
    if not chosen:
        got = f"none beside {listing([c.name for c in numbers])}"
        remedy = "Leave out columns that are no scores, and bring scores to one scale"
        raise table.refusal("a column for each dataset or fold alone", got, remedy)
    if request.note_column is None:
        _ask_odd(chosen, table, request)
    names = [c.name for c in chosen]
    _refuse_parts(names, table)
    split = split_measures(names, table)
    if split is None:
        return names, names
    if len({one.classifier for one in split}) < len(split):
        _, split = of_one_metric(split, request, table)
    elif not all(is_neutral(one.metric) for one in split):
        return names, names
    return [one.column for one in split], [one.classifier for one in split]


def _refuse_parts(names: list[str], table: Table) -> None:
    """Refuse the parts of one test set, as the public and the private one of a leaderboard."""
    if len(names) > 1 and all(_PARTS.issuperset(words(name)) for name in names):
        got = f"{listing(names)}, parts of one test set"
        remedy = "One difference has no spread to judge it by: give every case"
        raise table.refusal("a column for each dataset or fold", got, remedy)


def _ask_odd(chosen: list[Column], table: Table, request: Request) -> None:
    """Ask about columns called like measures among others, and about those on other scales."""
    measures = [c.name for c in chosen if c.measure is not None]
    others = [c.name for c in chosen if c.measure is None]
    if request.rows is None:
        ask_notes(measures, others, ", which may be a measure or a dataset, beside", table)
    measure = find_measure(measure_in(table.sheet.caption) or measure_in(table.sheet.name) or "")
    amount = measure is not None and measure.scale == "amount"
    if len(chosen) < _SEVERAL or amount or request.metric is not None:
        return
    usual = float(np.nanmedian([c.high for c in chosen]))
    odd = [c.name for c in chosen if _is_off_scale(c, usual)]
    if len(odd) < len(chosen) / 2:
        others = [c.name for c in chosen if c.name not in odd]
        ask_notes(odd, others, OTHER_SCALE, table)


def _is_off_scale(column: Column, usual: float) -> bool:
    """Say whether a column is far above most others, or of fractions among percent."""
    beyond = column.middle > _BEYOND * usual or column.low > _PERCENT >= usual
    return beyond or (0 <= column.low <= column.high <= 1 and usual > _PERCENT / 5)


def _is_aside(column: Column, columns: list[Column]) -> bool:
    """Say whether a column is no dataset: it sums up others, counts rows, or says what a model costs."""
    standing = column.is_counting or (column.is_whole and squeezed(column.name) in _STANDINGS)
    costs = is_beside(column.name) or is_spread(column.name)
    return standing or costs or sums_up(column, columns)


def rows_are_classifiers(table: Table, classifier: str) -> bool:
    """Say whether a column names classifiers and the others datasets; or ask."""
    names = [c.name for c in table.columns.values() if c.is_number and c.name != classifier]
    labels = [str(cell) for cell in table.sheet.frame[classifier]]
    if find_role(classifier) == "classifier" or tell_apart(labels, names) == "classifiers":
        return True
    raise ask_rows(table, table.columns[classifier], names)


def ask_rows(
    table: Table, label: Column, columns: list[str], *, turned_first: bool = False
) -> InvalidContentError:
    """Return the question whether rows are datasets or classifiers."""
    name = "the first column, which has no name," if label.is_unnamed else f"column {label.name}"
    first = str(table.sheet.frame[label.name].iloc[0])
    got = f"{name} with {listing([first])} and columns {listing(columns, 3)}"
    choices = (
        Choice("rows", "datasets", "if rows are datasets and columns classifiers"),
        Choice("rows", "classifiers", "if rows are classifiers and columns datasets"),
    )
    if turned_first or len(columns) > len(
        table.sheet.frame
    ):  # there are more datasets than classifiers, mostly
        choices = choices[::-1]
    asks = "Nothing tells classifiers from datasets. What are the rows?"
    domain = "a table that tells classifiers from datasets"
    return table.refusal(domain, got, "", "rows").offering(choices, asks)
