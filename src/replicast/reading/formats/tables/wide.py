"""Wide tables: a column for each classifier, a row for each dataset, fold or case."""

import re

import numpy as np

from replicast.arrays import Floats
from replicast.design import Cases, Datasets, Holdout
from replicast.errors import InvalidArgumentError, InvalidContentError, shorten
from replicast.reading.assembly import tabulate
from replicast.reading.cases import tabulate_cases
from replicast.reading.columns import Column
from replicast.reading.formats.tables.candidates import (
    Candidate,
    find_candidates,
    of_one_metric,
    split_measure,
)
from replicast.reading.formats.tables.preparing import (
    Table,
    cluster_column,
    one_of,
    rows_of_one_metric,
)
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import UNTITLED, Rows, settle_percent, split_places
from replicast.reading.sheets import Key, in_order, listing
from replicast.reading.vocabulary.cells import Numbers
from replicast.reading.vocabulary.famous import tell_apart
from replicast.reading.vocabulary.measures import direction_by_arrow, find_measure
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import Role
from replicast.reading.vocabulary.summaries import has_unit
from replicast.scores.tables import ScoreTable

_PLACED: tuple[Role, ...] = ("fold", "resample", "split", "iteration")
_REPEATED: tuple[Role, ...] = ("run", "seed")
_CONFUSED = word_lists()["confusions"]
_CLASSES = frozenset(("class", "classes"))  # of one test set: no datasets, unless the user says so


def read_wide(table: Table, request: Request, title: str) -> ScoreTable:
    """Read a wide table."""
    table, named = rows_of_one_metric(table, request)
    table, notes = _without_counters(table, request)
    if table.find("step") and not table.find("case", "dataset") and not _texts(table, request):
        raise curve(table)
    candidates, spreads, more = find_candidates(table, request)
    notes += more
    metric, chosen = of_one_metric(candidates, request, table)
    _refuse_square(table, chosen)
    label = _label(table, chosen, request)
    if label is not None:
        _refuse_measures(table, label, request)
        _refuse_units(table, label, request.metric or metric)
    rows, by_order = _rows(table, chosen, spreads, label, request)
    keys = [c.name for c in table.find("case", "step") if label is not None]
    if keys:
        notes.append(f"Not used, since they count rows: {listing(keys)}.")
    if rows.answer is None and table.find("answer"):
        notes.append(f"Not used: {listing([c.name for c in table.find('answer')])}.")
    told = named or request.metric or metric
    manner = Manner(
        kind="wide table",
        metric=told or "score",
        by_order=by_order,
        title=title,
        notes=tuple(notes),
    )
    if rows.case is not None:
        return tabulate_cases(rows, manner, request)
    return tabulate(rows, manner, request)


def _without_counters(table: Table, request: Request) -> tuple[Table, list[str]]:
    """Leave out columns that count the rows, unless a design needs them as folds."""
    asked = set(request.columns.values())
    gone = [
        column.name
        for column in table.columns.values()
        if column.name not in asked
        and (column.role == "number" or (column.is_unnamed and column.is_number))
        and column.is_whole
    ]
    gone += [
        column.name
        for column in table.columns.values()
        if column.is_counting and column.role is None and column.name not in (*asked, *gone)
    ]
    if not gone or len(gone) == len(table.columns):
        return table, []
    sheet = table.sheet.without(gone)
    columns = {name: one for name, one in table.columns.items() if name not in gone}
    return Table(sheet, columns), [f"Not used, since they count rows: {listing(gone)}."]


def _label(table: Table, chosen: list[Candidate], request: Request) -> str | None:
    """Return the column with the names of the datasets, or ask what the rows are."""
    if request.dataset_column is not None:
        return request.dataset_column
    named = one_of(table.find("dataset"), "dataset", table.sheet)
    if named is not None:
        return named
    texts = _texts(table, request)
    placed = table.find(*_PLACED, *_REPEATED, "case", "step")
    if not texts or (placed and texts[0].different < len(table.sheet.frame)):
        return None
    if placed:
        return None
    label = texts[0]
    if request.rows == "datasets" or isinstance(request.design, Datasets):
        return label.name
    labels = [str(cell) for cell in table.sheet.frame[label.name]]
    known = tell_apart(labels, [one.classifier for one in chosen])
    if known == "datasets" and _CLASSES.isdisjoint(words(label.name)):
        return label.name
    if isinstance(request.design, Holdout | Cases):
        return None
    raise ask_rows(table, label, [one.column for one in chosen])


def _texts(table: Table, request: Request) -> list[Column]:
    """Return the columns of text that may name the rows."""
    return [
        c
        for c in table.columns.values()
        if c.role is None
        and not c.is_number
        and not c.is_empty
        and c.name != request.cluster_column
    ]


def _refuse_measures(table: Table, label: str, request: Request) -> None:
    """Refuse rows that are measures of one experiment, or better in different ways, not datasets."""
    labels = table.sheet.coded(label).labels
    if request.greater_is_better is None:
        _refuse_directions(table, labels)
    known = [one for one in labels if find_measure(one) is not None]
    if len(known) > 1 and 2 * len(known) > len(labels):
        domain = "a row for each dataset or fold"
        got = f"a row for each measure ({listing(known, 3)})"
        remedy = "Give the score of every dataset, fold or case in one measure"
        raise InvalidContentError(table.sheet.name, domain, got, remedy)
    if request.metric is not None and squeezed(request.metric) in map(squeezed, labels):
        domain = "several scores per classifier"
        got = f"one in {request.metric}"
        remedy = "One difference has no spread to judge it by: give every fold, or every case"
        raise InvalidContentError(table.sheet.name, domain, got, remedy)


def _refuse_units(table: Table, label: str, metric: str) -> None:
    """Refuse a row in a unit of its own, kg or dollars, among shares."""
    measure = find_measure(metric)
    odd = [one for one in table.sheet.coded(label).labels if has_unit(one)]
    if odd and measure is not None and measure.scale == "share":
        got = f"{listing(odd, 3)} in a unit of its own"
        remedy = "Leave out what is no score"
        raise InvalidContentError(table.sheet.name, f"scores of {metric} alone", got, remedy)


def _refuse_directions(table: Table, labels: list[str]) -> None:
    """Refuse rows of which some are better high and some low: WikiText ppl ↓ beside HellaSwag acc ↑."""
    told: dict[bool, str] = {}
    for one in labels:
        better = direction_by_arrow(one)
        split = None if better is not None else split_measure(one, -1) or split_measure(one, 0)
        measure = None if split is None else find_measure(split.metric)
        if better is None and measure is not None:
            better = measure.greater_is_better
        if better is not None:
            told.setdefault(better, one)
    if len(told) > 1:
        domain = "scores that are better in one way"
        got = f"{shorten(told[True])}, better high, beside {shorten(told[False])}, better low"
        remedy = "Keep those of one measure; or say `greater_is_better=...`, if these are but names"
        raise InvalidContentError(table.sheet.name, domain, got, remedy, "greater_is_better")


def ask_rows(table: Table, label: Column, columns: list[str]) -> InvalidArgumentError:
    """Return the question whether rows are datasets or classifiers."""
    name = "the first column, which has no name," if label.is_unnamed else f"column {label.name}"
    first = shorten(str(table.sheet.frame[label.name].iloc[0]))
    got = f"{name} with {first} and columns {listing(columns, 3)}"
    remedy = (
        "Say what a row is: `rows=...` takes datasets, or classifiers if the table has to be turned, a "
        "column for each dataset"
    )
    return InvalidContentError(
        table.sheet.name, "a table that tells classifiers from datasets", got, remedy, "rows"
    )


def _refuse_square(table: Table, chosen: list[Candidate]) -> None:
    """Refuse a matrix of pairs: confusions, p-values, distances."""
    column = next(
        (c.name for c in table.columns.values() if not c.is_number and not c.is_empty), None
    )
    if column is None or len(table.sheet.frame) != len(chosen):
        return
    below = [_bare(str(cell)) for cell in table.sheet.frame[column]]
    above = [_bare(one.classifier) for one in chosen]
    scores = np.array([table.sheet.parsed(one.column).values for one in chosen]).T
    half = bool(np.isnan(scores[np.triu_indices(len(above), 1)]).all())  # as R writes p-values
    if set(below) == set(above) or (half and len(above) > 1 and below[:-1] == above[1:]):
        domain = "a row for each dataset or fold"
        got = f"rows and columns of the same names ({listing(sorted(set(above)), 3)})"
        remedy = "A confusion matrix or a matrix of p-values holds no scores to compare"
        raise InvalidContentError(table.sheet.name, domain, got, remedy)


def _bare(name: str) -> str:
    text = re.sub(r"^(true|pred|predicted|actual|class)(?=\d)", "", name.strip().casefold())
    return "".join(word for word in words(text) if word not in _CONFUSED)


def _rows(
    table: Table,
    chosen: list[Candidate],
    spreads: dict[str, str],
    label: str | None,
    request: Request,
) -> tuple[Rows, bool]:
    """Put the columns of the classifiers under each other."""
    sheet = table.sheet
    n = len(sheet.frame)
    names = [one.column for one in chosen]
    read = [sheet.read(name) for name in names]
    values, notes = settle_percent(read, sheet, names)
    if any(name in spreads for name in names):
        kept = [spreads[name] for name in names if name in spreads]
        notes = (*notes, f"Spreads were kept: {listing(kept, 5)}.")
    origin = np.tile(np.arange(n), len(names))
    run, run_kind = _key(table, _REPEATED, request.run_column, "run")
    fold, fold_kind = _key(table, _PLACED, request.fold_column, "fold")
    case = _case(table, chosen, request, label, placed=bool(run or fold))
    numbered = isinstance(request.design, Datasets) and label is run is fold is None
    dataset = Key.constant(UNTITLED, n)
    if label is not None:
        dataset = sheet.labels(label)
    elif numbered:  # the caller says that rows are datasets, and a row of a wide table is one
        dataset = Key(np.arange(n, dtype=np.intp), tuple(f"row {i + 1}" for i in range(n)))

    def repeated(key: Key | None) -> Key | None:
        return None if key is None else Key(key.codes[origin], key.names)

    def column(role: Role) -> Floats | None:
        found = table.first(role)
        return None if found is None else sheet.numbers(found)[origin]

    rows = Rows(
        name=sheet.name,
        scores=np.concatenate(values),
        classifier=Key(
            np.repeat(np.arange(len(names)), n), tuple(one.classifier for one in chosen)
        ),
        dataset=Key(dataset.codes[origin], dataset.names),
        run=repeated(None if run is None else sheet.ranks(run)),
        fold=repeated(None if fold is None else sheet.ranks(fold)),
        run_kind=run_kind,
        fold_kind=fold_kind,
        case=repeated(case),
        cluster=repeated(_cluster(table, case, request)),
        answer=repeated(_answer(table, case)),
        n_train=column("n_train"),
        n_test=column("n_test"),
        spreads=_spread_values(table, names, spreads, read),
        sheet=sheet,
        origin=origin,
        notes=(*sheet.notes, *notes),
    )
    return split_places(rows), case is None


def _spread_values(
    table: Table, names: list[str], spreads: dict[str, str], read: list[Numbers]
) -> Floats | None:
    n = len(table.sheet.frame)
    found = []
    for name, numbers in zip(names, read, strict=True):
        if name in spreads and spreads[name] in table.sheet.columns:
            found.append(table.sheet.numbers(spreads[name]))
        else:
            found.append(np.full(n, np.nan) if numbers.spreads is None else numbers.spreads)
    together = np.concatenate(found)
    return None if np.isnan(together).all() else together


def _key(
    table: Table, roles: tuple[Role, ...], asked: str | None, what: str
) -> tuple[str | None, Role | None]:
    if asked is not None:
        kind = table.columns[asked].role
        return asked, kind if kind in roles else "fold" if what == "fold" else "run"
    name = one_of(table.find(*roles), what, table.sheet)
    return name, None if name is None else table.columns[name].role


def _cluster(table: Table, case: Key | None, request: Request) -> Key | None:
    """Return the clusters of cases, if a column names them."""
    named = cluster_column(table, request)
    return None if case is None or named is None else table.sheet.labels(named)


def _answer(table: Table, case: Key | None) -> Key | None:
    """Return which of several answers to a case a row is, if a column says so."""
    named = table.first("answer", "step")
    return None if case is None or named is None else table.sheet.ranks(named)


def _case(
    table: Table, chosen: list[Candidate], request: Request, label: str | None, *, placed: bool
) -> Key | None:
    """Return the key of cases if rows are cases of one test set."""
    sheet = table.sheet
    ids = [c for c in table.find("case") if c.name != request.cluster_column]
    named = max(ids, key=lambda one: one.different).name if ids else None
    if table.find("step") and named is None:
        raise curve(table)
    if placed or label is not None:
        return None
    binary = all(
        table.columns[one.column].is_whole
        and table.columns[one.column].low >= 0
        and table.columns[one.column].high <= 1
        for one in chosen
    )
    if not isinstance(request.design, Holdout | Cases) and not (
        named and binary and request.design is None
    ):
        return None
    if named is not None:
        return in_order(sheet.labels(named))
    n = len(sheet.frame)
    return Key(np.arange(n, dtype=np.intp), tuple(str(i + 1) for i in range(n)))


def curve(table: Table) -> InvalidContentError:
    """Return the refusal of a training curve."""
    step = table.first("step") or "step"
    domain = "a row for each dataset, fold or case"
    got = f"a row for each {step}: steps of training are no repeats of an experiment"
    remedy = "Give the last value of each run, with a column that says which fold or seed it is"
    return InvalidContentError(table.sheet.name, domain, got, remedy)
