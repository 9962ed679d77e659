"""Which way is better, row by row: by an arrow, a measure in a name, or a column of words."""

from replicast.errors import Choice, InvalidContentError
from replicast.reading.formats.tables.candidates import split_measure
from replicast.reading.formats.tables.preparing import Table
from replicast.reading.requests import Request
from replicast.reading.sheets import listing
from replicast.reading.vocabulary.measures import direction_by_arrow, find_measure, measure_in
from replicast.reading.vocabulary.naming import squeezed, word_lists, words

_NO_MEASURES = frozenset(("cost", "energy", "errors", "memory", "risk"))  # datasets: credit-risk
_HIGH, _LOW = word_lists()["better-high"], word_lists()["better-low"]
_ASKING = word_lists()["better"]
_SAID = {True: "better high", False: "better low"}


def way_of_rows(table: Table) -> tuple[bool | None, str]:
    """Return which way a column of words says is better, and its name; ask where rows differ in it."""
    for column in table.columns.values():
        if column.is_number or column.is_empty or _ASKING.isdisjoint(words(column.name)):
            continue
        told = table.sheet.coded(column.name)
        if not {*told.words} <= _HIGH | _LOW:
            continue
        ways = dict(zip(told.labels, (word in _HIGH for word in told.words), strict=True))
        if len({*ways.values()}) == 1:
            return ways.popitem()[1], column.name
        choices = [
            Choice("where", f"{column.name}={label}", f"to keep what is {_SAID[way]}")
            for label, way in ways.items()
        ]
        raise _mixed(table, f"rows of {listing(told.labels, 4)} in column {column.name}", choices)
    return None, ""


def way_of_datasets(
    table: Table, labels: list[str], metric: str, request: Request, notes: list[str] | None = None
) -> bool | None:
    """Return which way all datasets are marked; refuse those of which some are better high, some low.

    What is said of all of them is no way out: it would reverse some. If they are columns, `notes` are
    those that were left out.
    """
    arrows = {label: direction_by_arrow(label) for label in labels}
    marks = {*arrows.values()}
    ways = arrows
    if marks == {None} and request.note_column != "none":
        ways = {label: _way_by_measure(label) for label in labels}
    elif None in marks:  # those without an arrow go by what is said of all
        measure = find_measure(metric or measure_in(table.sheet.name) or "")
        usual = measure is None or measure.greater_is_better
        if request.greater_is_better is not None:
            usual = request.greater_is_better
        ways = {label: usual if way is None else way for label, way in arrows.items()}
    if {True, False} <= {*ways.values()}:
        raise _mixed(table, *_beside(table, ways, notes))
    return marks.pop() if len(marks) == 1 else None


def _way_by_measure(label: str) -> bool | None:
    """Return which way is better by a measure at an end of the name of a dataset."""
    split = split_measure(label, -1) or split_measure(label, 0)
    measure = None if split is None else find_measure(split.metric)
    if split is None or measure is None or squeezed(split.metric) in _NO_MEASURES:
        return None
    return measure.greater_is_better


def _beside(
    table: Table, ways: dict[str, bool | None], notes: list[str] | None
) -> tuple[str, list[Choice]]:
    """Say which are better high, which low; and how to leave out whichever are fewer."""
    high, low = ([name for name, way in ways.items() if way is told] for told in (True, False))
    got = f"{listing(high, 4)}, better high, beside {listing(low, 4)}, better low"
    gone = min((high, low), key=len)
    meaning = f"to leave out what is {_SAID[gone is high]}"
    if notes is not None:
        return got, [Choice("note_column", "+".join([*notes, *gone]), meaning)]
    label = table.first("dataset")
    return got, [Choice("where", f"{label}!={gone[0]}", meaning)] if len(gone) == 1 else []


def _mixed(table: Table, got: str, choices: list[Choice]) -> InvalidContentError:
    domain = "scores that are better in one way"
    if choices:
        return table.question(choices[0].argument, domain, got, choices)
    return table.refusal(domain, got, "Give those that are better high, or those better low, alone")
