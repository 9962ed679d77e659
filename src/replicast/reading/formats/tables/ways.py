"""Which way is better, dataset by dataset: by an arrow, a measure in a name, or a column of words."""

from collections.abc import Mapping

from replicast.errors import Choice, InvalidContentError
from replicast.reading.formats.tables.candidates import split_measure
from replicast.reading.formats.tables.preparing import Table
from replicast.reading.requests import Request
from replicast.reading.sheets import listing
from replicast.reading.vocabulary.measures import direction_by_arrow, find_measure, measure_in
from replicast.reading.vocabulary.naming import squeezed, word_lists, words

_WORDS = frozenset(("cost", "energy", "errors", "memory", "risk"))  # datasets end so: credit-risk
_HIGH, _LOW = word_lists()["better-high"], word_lists()["better-low"]
_ASKING = word_lists()["better"]
_SAID = {True: "better high", False: "better low"}
Ways = Mapping[str, bool | None]


def way_of_measure(name: str) -> bool | None:
    """Return which way is better by an arrow, or by the measure of this name."""
    measure, better = find_measure(name), direction_by_arrow(name)
    return measure.greater_is_better if better is None and measure is not None else better


def _way_of_dataset(label: str) -> bool | None:
    """Return which way is better by an arrow, or by a measure at an end of the name of a dataset."""
    marked = direction_by_arrow(label)
    split = split_measure(label, -1) or split_measure(label, 0)
    if marked is not None or split is None or squeezed(split.metric) in _WORDS:
        return marked
    return way_of_measure(split.metric)


def way_of_rows(table: Table) -> tuple[bool | None, str]:
    """Return which way a column of words says is better, and its name; ask where rows differ in it."""
    for column in table.columns.values():
        if column.is_number or _ASKING.isdisjoint(words(column.name)):
            continue
        told = table.sheet.coded(column.name)
        cells = [str(cell).strip().casefold() for cell in told.found]
        if not cells or not {*cells} <= _HIGH | _LOW:
            continue
        ways = {cell in _HIGH for cell in cells}
        if len(ways) == 1:
            return ways.pop(), column.name
        got = f"rows of {listing(told.labels, 4)} in column {column.name}"
        choices = [
            Choice("where", f"{column.name}={label}", f"to keep what is {_SAID[cell in _HIGH]}")
            for label, cell in zip(told.labels, cells, strict=True)
        ]
        raise _mixed(table, got, choices)
    return None, ""


def refuse_measures_of_ways(table: Table, measures: list[str]) -> None:
    """Refuse rows in measures of which some are better high and some low."""
    ways = {name: way_of_measure(name) for name in measures}
    if {True, False} <= {*ways.values()}:
        choices = [Choice("metric", name, f"to keep the rows of {name}") for name in measures]
        raise _mixed(table, _beside(ways), choices)


def way_of_datasets(table: Table, labels: list[str], metric: str, request: Request) -> bool | None:
    """Return which way all datasets are marked; refuse those of which some are better high, some low.

    What is said of all of them is no way out: it would reverse some.
    """
    if way_of_rows(table)[1]:
        return None
    marked = {label: direction_by_arrow(label) for label in labels}
    ways = {label: _way_of_dataset(label) for label in labels}
    arrows = {*marked.values()}
    if {True, False} <= {*ways.values()}:
        if {True, False} <= arrows or request.note_column != "none":
            raise _mixed(table, _beside(ways), _without(table, ways))
        return None
    if len(arrows) == 1:
        return arrows.pop()
    told = request.greater_is_better
    if told is None:
        told = way_of_measure(metric or measure_in(table.sheet.name) or "")
    marked_so = next((way for way in arrows if way is not None), None)
    if marked_so is None or told == marked_so or (told is None and marked_so):
        return None
    named = {label: way for label, way in marked.items() if way is not None}
    choices = _without(table, named)
    if request.greater_is_better is None and told is None:
        choices.append(
            Choice("greater_is_better", str(marked_so), f"if all are {_SAID[marked_so]}")
        )
    others = [label for label in labels if label not in named]
    got = f"{listing(list(named), 4)}, {_SAID[marked_so]}, beside {listing(others, 3)}"
    raise _mixed(table, got, choices)


def _beside(ways: Ways) -> str:
    high, low = ([name for name, way in ways.items() if way is told] for told in (True, False))
    return f"{listing(high, 4)}, better high, beside {listing(low, 4)}, better low"


def _without(table: Table, ways: Ways) -> list[Choice]:
    """Return how to leave out the datasets that are better high, or low: whichever are fewer."""
    high, low = ([name for name, way in ways.items() if way is told] for told in (True, False))
    gone = min((high, low), key=lambda names: (not names, len(names)))
    meaning = f"to leave out what is {_SAID[gone is high]}"
    if table.sheet.turned is not None:
        names = "+".join([*table.sheet.turned.notes, *gone])
        return [Choice("note_column", names, meaning)]
    if len(gone) > 1:
        return []
    label = next(c.name for c in table.columns.values() if c.role == "dataset")
    return [Choice("where", f"{label}!={gone[0]}", meaning)]


def _mixed(table: Table, got: str, choices: list[Choice]) -> InvalidContentError:
    domain = "scores that are better in one way"
    remedy = "" if choices else "Give those that are better high, or those better low, alone"
    argument = choices[0].argument if choices else "source"
    error = InvalidContentError(table.sheet.name, domain, got, remedy, argument)
    return error.offering(choices) if choices else error
