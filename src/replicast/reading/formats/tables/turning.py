"""Tables laid out the other way: classifiers as rows, and folds as columns."""

import re

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError, invalid
from replicast.reading.columns import Column, describe_columns
from replicast.reading.formats.tables.candidates import split_measure, without_word_for_mean
from replicast.reading.formats.tables.preparing import Table, without_summaries
from replicast.reading.requests import Request
from replicast.reading.sheets import Sheet, label_of, listing
from replicast.reading.vocabulary.measures import is_spread
from replicast.reading.vocabulary.naming import squeezed
from replicast.reading.vocabulary.roles import Role, read_place
from replicast.reading.vocabulary.summaries import (
    is_cost,
    is_price,
    is_resource,
    is_summary,
)

_NAMED = 12  # datasets up to which all are named
_PLACED: tuple[Role, ...] = ("fold", "resample", "split", "iteration")


def turned(table: Table, classifier: str, names: list[str], request: Request) -> Table:
    """Return the table with a column for each classifier and a row for each of the columns."""
    sheet = table.sheet
    aside = [
        column.name
        for column in table.columns.values()
        if column.is_number and column.name != classifier and not column.is_unnamed
        and (column.name not in names or _is_aside(column, table, names))
    ]  # fmt: skip
    names = [name for name in names if name not in aside]
    if request.metric is None:
        _refuse_counts(table, names)
    names, called = _of_one_metric(names, request)
    values = {
        str(label): [sheet.frame[name].iloc[row] for name in names]
        for row, label in enumerate(sheet.frame[classifier].map(label_of))
    }
    if not names:
        got = f"none beside {listing(aside)}"
        raise InvalidContentError(sheet.name, "a column for each dataset or fold", got)
    notes = (*sheet.notes, "The table was turned: its rows are the classifiers.")
    if aside:
        notes = (*notes, f"Not used, since they are no datasets: {listing(aside)}.")
    if len(names) <= _NAMED and not all(map(read_place, names)):
        notes = (*notes, f"Its columns are the datasets: {listing(called, _NAMED)}.")
    frame = pd.DataFrame(values)
    if names and all(read_place(name) for name in names):
        frame.insert(0, "fold", names)
    elif not _count_up(names):
        frame.insert(0, "dataset", called)
    found = Sheet(name=sheet.name, frame=frame, first_row=1, notes=notes)
    return without_summaries(Table(found, describe_columns(found)))


def _is_aside(column: Column, table: Table, names: list[str]) -> bool:
    """Say whether a column is no dataset: it sums up others, or says what a model costs."""
    name = column.name
    if is_summary(name) or is_spread(name) or is_cost(name) or is_price(name):
        return True
    others = [table.columns[other] for other in names if not is_resource(other)]
    low, high = (pick((c.low if pick is min else c.high for c in others), default=0.0)
                 for pick in (min, max))  # fmt: skip
    return is_resource(name) and bool(others) and (column.low > high or column.high < low)


def _refuse_counts(table: Table, names: list[str]) -> None:
    """Ask about columns of numbers above 100 where the others are shares or percent."""
    odd = [name for name in names if table.columns[name].low > 100]
    within = [
        name for name in names if 0 <= table.columns[name].low <= table.columns[name].high <= 100
    ]
    if odd and len(within) > max(1, len(odd)):
        got = f"{listing(odd, 3)} with numbers above 100, which may be counts"
        remedy = "Leave out columns that are no scores, and bring scores to one scale"
        raise InvalidContentError(table.sheet.name, "columns of datasets alone", got, remedy)


def _of_one_metric(names: list[str], request: Request) -> tuple[list[str], list[str]]:
    """Return the columns of the measure asked for, where datasets have several; and their datasets."""
    for side in (0, -1):
        told = [one for name in names if (one := split_measure(name, side)) is not None]
        metrics = tuple(dict.fromkeys(squeezed(one.metric) for one in told))
        if len(told) < len(names) or len({one.classifier for one in told}) == len(names):
            continue
        wanted = None if request.metric is None else squeezed(request.metric)
        if wanted not in metrics:
            shown = tuple(dict.fromkeys(one.metric for one in told))
            got = "none" if request.metric is None else repr(request.metric)
            raise invalid("metric", f"one of {listing(shown)}", got)
        chosen = [one for one in told if squeezed(one.metric) == wanted]
        return [one.column for one in chosen], [one.classifier for one in chosen]
    return names, without_word_for_mean(names)


def _count_up(names: list[str]) -> bool:
    """Say whether names only count, as 0, 1, 2 or R's V1, V2 do: folds or resamples, no datasets."""
    bare = [re.sub(r"^(?:V|X|col|column)[ ._]?(?=\d)", "", name, flags=re.I) for name in names]
    return bare in ([str(at + begun) for at in range(len(names))] for begun in (0, 1))


def unfolded(table: Table, classifier: str) -> Table:
    """Put columns of folds, runs or seeds under each other, where classifiers have several rows."""
    sheet = table.sheet
    places = [
        (c.name, place.kind)
        for c in table.columns.values()
        if c.is_number and (place := read_place(c.name))
    ]
    if len(places) < 2 or len({kind for _, kind in places}) > 1:
        return table
    if not sheet.frame[classifier].duplicated().any() or table.find(*_PLACED, "run", "seed"):
        return table
    names = [name for name, _ in places]
    kept = [
        c.name for c in table.columns.values() if c.name not in names and not is_summary(c.name)
    ]
    rows = np.tile(np.arange(len(sheet.frame)), len(names))
    frame = sheet.frame[kept].iloc[rows].reset_index(drop=True)
    frame[places[0][1]] = np.repeat(names, len(sheet.frame))
    frame["score"] = np.concatenate([sheet.numbers(name) for name in names])
    found = sheet.with_frame(frame, rows)
    return Table(found, describe_columns(found))
