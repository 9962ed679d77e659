"""Which way is better, dataset by dataset: by an arrow, a measure in a name, or a column of words."""

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


def _way_of_dataset(label: str) -> bool | None:
    """Return which way is better by an arrow, or by a measure at an end of the name of a dataset."""
    marked = direction_by_arrow(label)
    split = split_measure(label, -1) or split_measure(label, 0)
    measure = None if split is None else find_measure(split.metric)
    if marked is not None or split is None or squeezed(split.metric) in _WORDS or measure is None:
        return marked
    return measure.greater_is_better


def way_of_rows(table: Table) -> tuple[bool | None, str]:
    """Return which way a column of words says is better, and its name; ask where rows differ in it."""
    for column in table.columns.values():
        if column.is_number or column.is_empty or _ASKING.isdisjoint(words(column.name)):
            continue
        told = table.sheet.coded(column.name)
        cells = [str(cell).strip().casefold() for cell in told.found]
        ways = {cell in _HIGH for cell in cells}
        if {*cells} <= _HIGH | _LOW and len(ways) == 1:
            return ways.pop(), column.name
        if {*cells} <= _HIGH | _LOW:
            got = f"rows of {listing(told.labels, 4)} in column {column.name}"
            choices = [
                Choice("where", f"{column.name}={label}", f"to keep what is {_SAID[cell in _HIGH]}")
                for label, cell in zip(told.labels, cells, strict=True)
            ]
            raise _mixed(table, got, choices)
    return None, ""


def way_of_datasets(table: Table, labels: list[str], metric: str, request: Request) -> bool | None:
    """Return which way all datasets are marked; refuse those of which some are better high, some low.

    What is said of all of them is no way out: it would reverse some.
    """
    marked = {label: direction_by_arrow(label) for label in labels}
    arrows = {*marked.values()} - {None}
    ways = (
        marked if request.note_column == "none" else {one: _way_of_dataset(one) for one in labels}
    )
    if arrows and None in marked.values():  # those without an arrow go by what is said of all
        measure, usual = find_measure(metric or measure_in(table.sheet.name) or ""), True
        if request.greater_is_better is not None:
            usual = request.greater_is_better
        elif measure is not None:
            usual = measure.greater_is_better
        ways = {label: usual if way is None else way for label, way in marked.items()}
    if {True, False} <= {*ways.values()}:
        raise _mixed(table, *_beside(table, ways))
    return arrows.pop() if arrows and None not in marked.values() else None


def _beside(table: Table, ways: dict[str, bool | None]) -> tuple[str, list[Choice]]:
    """Say which are better high, which low; and how to leave out whichever are fewer."""
    high, low = ([name for name, way in ways.items() if way is told] for told in (True, False))
    got = f"{listing(high, 4)}, better high, beside {listing(low, 4)}, better low"
    gone = min((high, low), key=len)
    meaning = f"to leave out what is {_SAID[gone is high]}"
    if table.sheet.turned is not None:
        names = "+".join([*table.sheet.turned.notes, *gone])
        return got, [Choice("note_column", names, meaning)]
    label = table.first("dataset")
    return got, [Choice("where", f"{label}!={gone[0]}", meaning)] if len(gone) == 1 else []


def _mixed(table: Table, got: str, choices: list[Choice]) -> InvalidContentError:
    domain = "scores that are better in one way"
    if choices:
        return table.question(choices[0].argument, domain, got, choices)
    return table.refusal(domain, got, "Give those that are better high, or those better low, alone")
