"""Tables laid out the other way: classifiers as rows, and folds or datasets as columns."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from replicast.errors import Choice, InvalidArgumentError, InvalidContentError, invalid
from replicast.reading.columns import Column
from replicast.reading.formats.tables.candidates import Candidate, of_one_metric, split_measures
from replicast.reading.formats.tables.keys import are_binary
from replicast.reading.formats.tables.preparing import Table, described, without_summaries
from replicast.reading.requests import NUMBERS, Request
from replicast.reading.sheets import Sheet, Turned, label_of, left_out, listing
from replicast.reading.vocabulary.famous import tell_apart
from replicast.reading.vocabulary.measures import (
    direction_by_arrow,
    find_measure,
    is_neutral,
    is_spread,
    measure_in,
)
from replicast.reading.vocabulary.naming import squeezed, word_lists
from replicast.reading.vocabulary.roles import PLACES, REPEATS, Role, find_role, read_place
from replicast.reading.vocabulary.summaries import is_cost, is_price, is_resource, is_summary

_NUMBER = re.compile(r"\d+")
_SHORT = ("d", "ds")  # for datasets
_COUNTS = ("", "V", "X", "col", "column")  # before numbers that only count, as R's V1 and V2
_ROLES: tuple[Role | None, ...] = (None, "dataset", "split", "fold", "run")
CLASSIFIER = "classifier"
_NAMED = 12  # datasets up to which all are named
_STANDINGS = word_lists()["standings"]
_SEVERAL = 4  # datasets of which most may be on one scale
_BEYOND = 10.0  # times the largest score of most
_PERCENT = 100.0


def unfolded(table: Table, classifier: str) -> Table:
    """Put columns of folds, runs or seeds under each other, where rows name their classifier."""
    sheet = table.sheet
    places = {
        c.name: place.kind
        for c in table.columns.values()
        if c.is_number and c.name != classifier and (place := read_place(c.name))
    }
    names = list(places)
    alike = {*places.values(), *(_NUMBER.sub("", name) for name in names)}
    if len(places) < 2 or len(alike) > 2 or table.find(*PLACES, *REPEATS):
        return table
    kept = [name for name in table.columns if name not in places and not is_summary(name)]
    rows = np.tile(np.arange(len(sheet.frame)), len(names))
    frame = sheet.frame[kept].iloc[rows].reset_index(drop=True)
    frame[places[names[0]]] = np.repeat(names, len(sheet.frame))
    _, _, measured = names[0].partition("_test_")  # split0_test_accuracy
    frame[measured or "score"] = np.concatenate([sheet.numbers(name) for name in names])
    return described(sheet.with_frame(frame, rows))


def have_answers(
    scores: Sequence[Column], chosen: Sequence[Candidate], request: Request, place: str
) -> bool:
    """Say whether old_1, old_2, new_1 and new_2 are answers of two models to every case; or ask."""
    numbers: dict[str, list[str]] = {}
    for one in chosen:
        model, number = _answer_of(one.classifier)
        numbers.setdefault(model, []).append(number)
    first = next(iter(numbers.values()))
    counted = any(first == [str(at + start) for at in range(len(first))] for start in (0, 1))
    alike = all(one == first for one in numbers.values()) and "" not in numbers
    if min(len(numbers), len(first)) < 2 or not counted or not alike or not are_binary(scores):
        return False
    if request.numbered is not None:
        return request.numbered
    names = [one.classifier for one in chosen]
    got = f"{listing(names, 6)}, which may be {len(numbers)} models or {len(names)}"
    several = f"if each of {listing(list(numbers), 3)} answered every case {len(first)} times"
    choices = (
        Choice("answer_column", NUMBERS, several),
        Choice("answer_column", "none", f"if there are {len(names)} models"),
    )
    domain = "columns that tell models from answers"
    raise InvalidContentError(place, domain, got, "", "answer_column").offering(choices)


def _answer_of(name: str) -> tuple[str, str]:
    """Return the name of a model and the number of its answer behind it: old and 1 of old_1."""
    bare = name.rstrip("0123456789")
    return bare.rstrip(" _-.#"), name[len(bare) :]


def by_answers(table: Table, chosen: Sequence[Candidate], metric: str) -> Table:
    """Put the answers of each model under each other, numbered."""
    sheet, columns = table.sheet, [one.column for one in chosen]
    kept = [name for name in table.columns if name not in columns]
    rows = np.tile(np.arange(len(sheet.frame)), len(columns))
    told = [_answer_of(one.classifier) for one in chosen]
    frame = sheet.frame[kept].iloc[rows].reset_index(drop=True)
    frame[CLASSIFIER] = np.repeat([model for model, _ in told], len(sheet.frame))
    frame["answer"] = np.repeat([int(number) for _, number in told], len(sheet.frame))
    frame[metric] = np.concatenate([sheet.numbers(name) for name in columns])
    return described(sheet.with_frame(frame, rows))


def turned(table: Table, label: str | None, request: Request) -> tuple[Table, Request]:
    """Return the table with a column for each classifier and a row for each column of numbers.

    The request is returned too, without what it says about columns that are rows now.
    """
    sheet, columns = table.sheet, list(table.columns.values())
    texts = [c.name for c in columns if not c.is_number and not c.is_empty]
    label = label or next(iter(texts), None)
    numbers = [c for c in columns if c.is_number and c.name != label and not c.is_unnamed]
    if label is None or not numbers:
        raise invalid("rows", "datasets for a table without names of classifiers", "'classifiers'")
    classifiers = [label_of(cell) for cell in sheet.frame[label]]
    twice = [name for name in classifiers if classifiers.count(name) > 1]
    if twice:
        raise invalid("rows", "classifiers only if each has one row", f"{twice[0]!r} twice")
    said = request.notes_among(sheet.columns)
    names, called = _datasets([c for c in numbers if c.name not in (said or ())], table, request)
    notes = ["The table was turned: its rows are the classifiers."]
    others = [c for c in columns if c.name not in (label, *names) and not c.is_empty]
    shown = [c.name for c in others if not c.name.startswith("Unnamed: ")]
    reasons = {name: "you said so" for name in shown if name in (said or ())}
    notes += left_out(reasons | {n: "they are no datasets" for n in shown if n not in reasons})
    # folds or resamples, perhaps; who says that rows are classifiers says that D1 and D2 are datasets
    counted = _count_up(called) if request.rows else only_count(called)
    counted = counted and not request.asks_for_datasets
    if len(names) <= _NAMED and not counted:
        notes.append(f"Its columns are the datasets: {listing(called, _NAMED)}.")
    cells = sheet.frame[names].to_numpy(dtype=object).T
    frame = pd.DataFrame(cells, columns=classifiers).infer_objects()
    if not counted:
        frame.insert(0, "dataset", called)
    rows = {name: sheet.row(at) for at, name in enumerate(classifiers)}
    found = Sheet(
        name=sheet.name,
        frame=frame,
        first_row=0,
        notes=(*sheet.notes, *notes),
        caption=sheet.caption,
        turned=Turned(tuple(names), rows, tuple(said or ())),
    )
    return without_summaries(described(found)), request.without_notes(sheet.columns)


def only_count(names: Sequence[str]) -> bool:
    """Say whether names differ by a number alone: 0 and 1, V1 and V2, score_0 and score_1.

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
    named = find_role(stem) == "dataset" or squeezed(stem) in _SHORT
    return not named and tell_apart([], names) != "classifiers"


def _count_up(names: Sequence[str]) -> bool:
    """Say whether names are numbers from 0 or 1 on, or R's V1, V2."""
    numbers = [_NUMBER.findall(name) for name in names]
    counted = ([[str(at + first)] for at in range(len(names))] for first in (0, 1))
    return numbers in counted and {_NUMBER.sub("", name).rstrip(" ._") for name in names} <= {
        *_COUNTS
    }


def _datasets(numbers: list[Column], table: Table, request: Request) -> tuple[list[str], list[str]]:
    """Return the columns that are datasets, and how these are called."""
    named = [c for c in numbers if c.role in _ROLES and not _is_aside(c.name)]
    named = [c for c in named if not _is_standing(c)] or named
    known = [c for c in named if c.measure is None]
    chosen = named
    if len(known) > 1 and request.rows is None and request.note_column != "none":
        doubtful = _like_datasets([c for c in named if c.measure is not None], known)
        if doubtful and request.note_column is None:
            raise _ask_measures(doubtful, known, table)
        chosen = [c for c in named if c in known or c in doubtful]
    _refuse_none(chosen, numbers, table)
    if request.metric is None and request.note_column is None:
        _ask_scale(chosen, table)
    names = [c.name for c in chosen]
    split = split_measures(names, table.sheet.name)
    if split is None:
        return names, names
    if len({one.classifier for one in split}) < len(split):
        _, split = of_one_metric(split, request, table)
    elif not all(is_neutral(one.metric) for one in split):
        return names, names
    return [one.column for one in split], [one.classifier for one in split]


def _refuse_none(chosen: list[Column], numbers: list[Column], table: Table) -> None:
    """Refuse a table without any dataset."""
    if not chosen:
        got = f"none beside {listing([c.name for c in numbers])}"
        remedy = "Leave out columns that are no scores, and bring scores to one scale"
        domain = "a column for each dataset or fold alone"
        raise InvalidContentError(table.sheet.name, domain, got, remedy)


def _ask_scale(chosen: list[Column], table: Table) -> None:
    """Ask about columns far above most others, and about fractions among percent."""
    measure = find_measure(measure_in(table.sheet.caption) or measure_in(table.sheet.name) or "")
    tops = [c.high for c in chosen if np.isfinite(c.high)]
    if len(tops) < _SEVERAL or (measure is not None and measure.scale == "amount"):
        return
    usual = float(np.median(tops))
    odd = [c.name for c in chosen if _is_off_scale(c, usual)]
    if 0 < len(odd) < len(chosen) / 2:
        others = [c.name for c in chosen if c.name not in odd]
        got = f"{listing(odd)} on another scale than {listing(others, 3)}"
        raise _ask_notes(table, odd, got)


def _is_off_scale(column: Column, usual: float) -> bool:
    beyond = column.middle > _BEYOND * usual or column.low > _PERCENT >= usual
    return beyond or (0 <= column.low <= column.high <= 1 and usual > _PERCENT / 5)


def _like_datasets(measured: list[Column], known: list[Column]) -> list[Column]:
    """Return the columns that are called like measures and hold numbers as datasets do: AMI."""
    low, high = min(c.low for c in known), max(c.high for c in known)
    [(usual, _)] = Counter(direction_by_arrow(c.name) for c in known).most_common(1)
    alike = [c for c in measured if direction_by_arrow(c.name) in (usual, None)]
    return [c for c in alike if c.low <= high and low <= c.high]


def _ask_measures(doubtful: list[Column], known: list[Column], table: Table) -> InvalidContentError:
    odd, others = ([c.name for c in some] for some in (doubtful, known))
    got = f"{listing(odd)}, which may be a measure or a dataset, beside {listing(others, 3)}"
    return _ask_notes(table, odd, got)


def _ask_notes(table: Table, odd: list[str], got: str) -> InvalidContentError:
    """Return the question whether columns of a leaderboard are datasets."""
    choices = (
        Choice("note_column", "+".join(odd), f"to leave out {listing(odd, 3)}"),
        Choice("note_column", "none", "to keep all columns as datasets"),
    )
    domain = "columns of datasets alone"
    return InvalidContentError(table.sheet.name, domain, got, "", "note_column").offering(choices)


def _is_standing(column: Column) -> bool:
    """Say whether a column counts the rows, or says where each stands."""
    return column.is_counting or (column.is_whole and squeezed(column.name) in _STANDINGS)


def _is_aside(name: str) -> bool:
    """Say whether a column is no dataset: it sums up others, or says what a model costs."""
    costs = is_cost(name) or is_price(name) or is_resource(name)
    return costs or is_summary(name) or is_spread(name)


def rows_are_classifiers(table: Table, classifier: str) -> bool:
    """Say whether a column names classifiers and the others datasets; or ask."""
    names = [c.name for c in table.columns.values() if c.is_number and c.name != classifier]
    labels = [str(cell) for cell in table.sheet.frame[classifier]]
    if find_role(classifier) == "classifier" or tell_apart(labels, names) == "classifiers":
        return True
    raise ask_rows(table, table.columns[classifier], names)


def ask_rows(table: Table, label: Column, columns: list[str]) -> InvalidArgumentError:
    """Return the question whether rows are datasets or classifiers."""
    name = "the first column, which has no name," if label.is_unnamed else f"column {label.name}"
    first = str(table.sheet.frame[label.name].iloc[0])
    got = f"{name} with {listing([first])} and columns {listing(columns, 3)}"
    domain = "a table that tells classifiers from datasets"
    choices = (
        Choice("rows", "datasets", "if rows are datasets and columns classifiers"),
        Choice("rows", "classifiers", "if rows are classifiers and columns datasets"),
    )
    if len(columns) > len(table.sheet.frame):  # there are more datasets than classifiers, mostly
        choices = choices[::-1]
    return InvalidContentError(table.sheet.name, domain, got, "", "rows").offering(choices)
