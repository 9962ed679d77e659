"""Wide tables: a column for each classifier, a row for each dataset, fold or case."""

from typing import Literal

import numpy as np

from replicast.arrays import Floats
from replicast.errors import invalid
from replicast.reading.assembly import tabulate
from replicast.reading.cases import as_cases, tabulate_cases
from replicast.reading.columns import Column
from replicast.reading.directions import name_measure
from replicast.reading.formats.tables.candidates import (
    Candidate,
    find_candidates,
    of_one_metric,
)
from replicast.reading.formats.tables.choosing import refuse_hidden_key, rows_of_one_metric
from replicast.reading.formats.tables.grouping import (
    settle_groups,
    within_wholes,
    without_wholes,
)
from replicast.reading.formats.tables.items import (
    answer_column,
    are_binary,
    case_columns,
    holds_cases,
    is_plain,
    number_answers,
    tells_apart,
)
from replicast.reading.formats.tables.preparing import (
    Table,
    cluster_column,
    one_of,
    repeats,
)
from replicast.reading.formats.tables.refusing import (
    ask_rows,
    curve,
    refuse_measures,
    refuse_probabilities,
    refuse_square,
)
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import UNTITLED, Rows, settle_percent, split_places
from replicast.reading.sheets import Key, called, in_order, listing
from replicast.reading.vocabulary.cells import Numbers
from replicast.reading.vocabulary.famous import tell_apart
from replicast.reading.vocabulary.measures import find_measure
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import Role, is_whole
from replicast.scores.tables import ScoreTable

_PLACED: tuple[Role, ...] = ("fold", "resample", "split", "iteration")
_REPEATED: tuple[Role, ...] = ("run", "seed")
_NAMED_CASES = word_lists()["cases"]
_CLASSES = frozenset(("class", "classes"))  # of one test set: no datasets, unless the user says so


def read_wide(table: Table, request: Request, title: str) -> ScoreTable:
    """Read a wide table."""
    table, named = rows_of_one_metric(table, request)
    table, notes = _without_counters(table, request)
    if table.find("step") and not table.find("case", "dataset") and not _texts(table, request):
        raise curve(table)
    candidates, spreads, more = find_candidates(table, request)
    metric, chosen = of_one_metric(candidates, request, table)
    columns = [one.column for one in chosen]
    label = _checked_label(table, chosen, metric, request)
    rows, by_order = _rows(table, chosen, spreads, label, request)
    notes += [*more, *_unused(table, rows, label, request)]
    told = named or request.metric or metric
    if told and metric:
        told, more_notes = name_measure(metric, told, request, table.sheet.name)
        notes.extend(more_notes)
    manner = Manner(
        kind="wide table",
        metric=told or "score",
        by_order=by_order,
        titles=(table.sheet.caption, title),
        notes=tuple(notes),
    )
    rows = within_wholes(as_cases(rows, request), table)
    case = _case_name(table, label, request)
    if rows.answer is not None or not tells_apart(table, case, columns):
        rows = number_answers(rows, case)
    rows, _ = settle_groups(rows, table, [case, *columns], request)
    arrange = tabulate if rows.case is None else tabulate_cases
    return arrange(rows, manner, request)


def _checked_label(
    table: Table, chosen: list[Candidate], metric: str, request: Request
) -> str | None:
    """Return the column with the names of the datasets, and refuse what is no table of scores."""
    refuse_square(table, chosen)
    refuse_probabilities(table, chosen, request)
    label = _label(table, chosen, request)
    if label is not None:
        refuse_measures(table, label, metric, request)
        if request.design is None and not table.find(*_PLACED, *_REPEATED):
            refuse_hidden_key(table, [label], [one.column for one in chosen], "dataset")
    return label


def _unused(table: Table, rows: Rows, label: str | None, request: Request) -> list[str]:
    """Say which columns have no use in this table."""
    notes = []
    keys = [c.name for c in table.find("case", "step") if label not in (None, c.name)]
    if keys:
        notes.append(f"Not used, since they count rows: {listing(keys)}.")
    cluster = cluster_column(table, request)
    if rows.cluster is None and cluster not in (None, label):
        notes.append(f"Not used, since they are no scores: {cluster}.")
    if rows.answer is None and table.find("answer"):
        notes.append(f"Not used: {listing([c.name for c in table.find('answer')])}.")
    return notes


def _without_counters(table: Table, request: Request) -> tuple[Table, list[str]]:
    """Leave out columns that count the rows, unless a design needs them as folds."""
    asked = {*request.columns.values(), *(request.classifiers or ())}
    gone = [
        column.name
        for column in table.columns.values()
        if column.name not in asked
        and (column.role == "number" or (column.is_unnamed and column.is_number))
        and column.is_whole
    ]
    counting = [
        column
        for column in table.columns.values()
        if column.is_counting and column.role is None and column.name not in (*asked, *gone)
    ]
    gone += [column.name for column in counting]
    _refuse_uncounted(table, counting, gone)
    if not gone or len(gone) == len(table.columns):
        return table, []
    sheet = table.sheet.without(gone)
    columns = {name: one for name, one in table.columns.items() if name not in gone}
    return Table(sheet, columns), [f"Not used, since they count rows: {listing(gone)}."]


def _refuse_uncounted(table: Table, counting: list[Column], gone: list[str]) -> None:
    """Ask about a column that looks like an index where too few scores are left without it."""
    scores = [c.name for c in table.columns.values() if c.is_number and c.name not in gone]
    if not counting or len(scores) != 1 or table.columns[scores[0]].role is not None:
        return
    name = counting[0].name
    first, second = table.sheet.parsed(name).values[:2]
    raise invalid(
        "source",
        "a table with a column for each of at least two classifiers",
        f"{table.sheet.name}, where {scores[0]} holds scores and {called(name)} looks like an index "
        f"({first:g}, {second:g}, ...)",
        "Name the two with `classifiers`, if both hold scores",
    )


def _label(table: Table, chosen: list[Candidate], request: Request) -> str | None:
    """Return the column with the names of the datasets, or ask what the rows are."""
    if request.dataset_column is not None or request.case_column is not None:
        return request.dataset_column
    named = one_of(table.find("dataset"), "dataset", table.sheet)
    if named is not None:
        scores = [table.columns[one.column] for one in chosen]
        measure = find_measure(request.metric or chosen[0].metric)
        return None if holds_cases(table, [named], scores, measure, request) else named
    whole = _one_row_each(table, chosen, request)
    if whole is not None:
        return whole
    texts = _texts(table, request)
    if not texts or table.find(*_PLACED, *_REPEATED, "case", "step"):
        return None
    return _named_rows(table, texts[0], chosen, request)


def _named_rows(
    table: Table, label: Column, chosen: list[Candidate], request: Request
) -> str | None:
    """Return the column of text that names the rows, if they are datasets; or ask."""
    if request.rows == "datasets" or request.asks_for_datasets:
        return label.name
    labels = [str(cell) for cell in table.sheet.frame[label.name]]
    known = tell_apart(labels, [one.classifier for one in chosen])
    if known == "datasets" and _CLASSES.isdisjoint(words(label.name)):
        return label.name
    if request.asks_for_cases:
        return None
    raise ask_rows(table, label, [one.column for one in chosen])


def _one_row_each(table: Table, chosen: list[Candidate], request: Request) -> str | None:
    """Return the subjects or patients that have one row each: they are what varies, as datasets do."""
    named = [c for c in table.find("case") if is_whole(c.name)]
    others = [c for c in table.find("case") if not is_whole(c.name)]
    scores = [table.columns[one.column] for one in chosen]
    if len(named) != 1 or others or request.design is not None or are_binary(scores):
        return None
    return named[0].name if named[0].different == len(table.sheet.frame) else None


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
    run, run_kind = _key(table, repeats(table), request.run_column, "run")
    fold, fold_kind = _key(table, table.find(*_PLACED), request.fold_column, "fold")
    case = _case(table, chosen, request, label, placed=bool(run or fold))
    numbered = request.asks_for_datasets and label is run is fold is None
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
        answer=repeated(_answer(table, case, _case_name(table, label, request))),
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
    table: Table, columns: list[Column], asked: str | None, what: Literal["run", "fold"]
) -> tuple[str | None, Role | None]:
    if asked is not None:
        kind = table.columns[asked].role
        return asked, kind if kind in (*_PLACED, *_REPEATED) else what
    name = one_of(columns, what, table.sheet)
    return name, None if name is None else table.columns[name].role


def _cluster(table: Table, case: Key | None, request: Request) -> Key | None:
    """Return the clusters of cases, if a column names them."""
    named = cluster_column(table, request)
    return None if case is None or named is None else table.sheet.labels(named)


def _answer(table: Table, case: Key | None, name: str | None) -> Key | None:
    """Return which of several answers to a case a row is, if a column says so."""
    named = None if case is None else answer_column(table, name or "", (name,))
    return None if named is None else table.sheet.ranks(named)


def _case_name(table: Table, label: str | None, request: Request) -> str | None:
    """Return the column that names the cases: called so, or that of items if it names no datasets."""
    if request.case_column is not None:
        return request.case_column
    ids = [c for c in case_columns(table) if c.name != request.cluster_column]
    ids = without_wholes(ids, table, request) or ids
    ids = ids or (table.find("dataset") if label is None else [])
    return max(ids, key=lambda one: one.different).name if ids else None


def _is_case(table: Table, named: str | None) -> bool:
    """Say whether a column names cases whatever their scores are: images, segments, questions."""
    if named is None or is_whole(named):
        return False
    repeated = table.sheet.frame.duplicated([named]).any()
    return not repeated and not is_plain(named) and squeezed(named) in _NAMED_CASES


def _case(
    table: Table, chosen: list[Candidate], request: Request, label: str | None, *, placed: bool
) -> Key | None:
    """Return the key of cases if rows are cases of one test set."""
    sheet = table.sheet
    named = _case_name(table, label, request)
    if table.find("step") and named is None:
        raise curve(table)
    if placed or label is not None:
        return None
    binary = are_binary([table.columns[one.column] for one in chosen])
    told = bool(table.find("dataset")) or binary or _is_case(table, named)
    told = told or request.case_column is not None
    if not request.asks_for_cases and not (named and told and request.design is None):
        return None
    if named is not None:
        return in_order(sheet.labels(named))
    n = len(sheet.frame)
    return Key(np.arange(n, dtype=np.intp), tuple(str(i + 1) for i in range(n)))
