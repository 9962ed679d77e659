"""Wide tables: a column for each classifier, a row for each dataset, fold or case."""

import re
from dataclasses import dataclass

import numpy as np

from replicast.arrays import Floats
from replicast.design import Cases, Datasets, Holdout
from replicast.errors import InvalidArgumentError, InvalidContentError, invalid, nearest, shorten
from replicast.reading.assembly import tabulate
from replicast.reading.cases import tabulate_cases
from replicast.reading.columns import Column
from replicast.reading.formats.tables.preparing import Table, cluster_column, one_of
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import UNTITLED, Rows, settle_percent, split_places
from replicast.reading.sheets import Key, in_order, listing
from replicast.reading.syntaxes.grids import BETWEEN
from replicast.reading.vocabulary.cells import Numbers
from replicast.reading.vocabulary.famous import tell_apart
from replicast.reading.vocabulary.measures import find_measure, is_neutral, is_spread
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import Role
from replicast.reading.vocabulary.summaries import is_summary
from replicast.scores import ScoreTable

_PLACED: tuple[Role, ...] = ("fold", "resample", "split", "iteration")
_REPEATED: tuple[Role, ...] = ("run", "seed")
_UNUSED: tuple[Role, ...] = (
    "size", "moment", "status", "remark", "setting", "metric", "cluster", "answer",
)  # fmt: skip
_CONFUSED = word_lists()["confusions"]
_FILLERS = word_lists()["parts"]


@dataclass(frozen=True)
class Candidate:
    """A column that may hold the scores of a classifier: its name, the classifier's, the measure's."""

    column: str
    classifier: str
    metric: str = ""


def read_wide(table: Table, request: Request, title: str) -> ScoreTable:
    """Read a wide table."""
    table, notes = _without_counters(table, request)
    candidates, spreads, more = _candidates(table, request)
    notes += more
    metric, chosen = _of_one_metric(candidates, request, table)
    _refuse_square(table, chosen)
    label = _label(table, chosen, request)
    rows, by_order = _rows(table, chosen, spreads, label, request)
    keys = [c.name for c in table.find("case", "step") if label is not None]
    if keys:
        notes.append(f"Not used, since they count rows: {listing(keys)}.")
    told = request.metric or metric
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


def _candidates(
    table: Table, request: Request
) -> tuple[list[Candidate], dict[str, str], list[str]]:
    """Return the columns that can hold scores of classifiers, their spreads, and what to say."""
    asked = set(request.columns.values())
    free = [
        column
        for column in table.columns.values()
        if column.role in (None, "truth", "prediction")
        and column.is_number
        and column.name not in asked
    ]
    notes = []
    spreads = _spreads(free)
    # a name with an accent, süm, is one of its own and no word that lost it
    summaries = [
        c.name for c in free if c.name.isascii() and is_summary(c.name) and c.measure is None
    ]
    sizes = _other_scale([c for c in free if c.name not in (*spreads.values(), *summaries)])
    unused = [c.name for c in table.columns.values() if c.role in _UNUSED and c.name not in asked]
    texts = [c.name for c in table.columns.values()
             if c.role is None and not c.is_number and not c.is_empty][1:]  # fmt: skip
    for names, why in (
        (summaries, "they sum up others"),
        (sizes, "they are counts or sizes"),
        ([*unused, *texts], "they are no scores"),
    ):
        if names:
            notes.append(f"Not used, since {why}: {listing(names)}.")
    left = [c for c in free if c.name not in (*spreads.values(), *summaries, *sizes)]
    split = _split_measures(left)
    if split is not None:
        return split, spreads, notes
    measured = [c for c in left if _is_measure(c)]
    if measured and len(measured) == len(left):
        raise _one_model([c.name for c in measured], table)
    times = [
        c.name for c in measured if c.measure is not None and c.measure.scale in ("time", "rank")
    ]
    if times:
        notes.append(f"Not used, since they are times or ranks: {listing(times)}.")
    odd = [c.name for c in measured if c.name not in times]
    if odd:
        got = f"{listing(odd)} beside {listing([c.name for c in left if c.name not in odd], 4)}"
        remedy = "Leave out the columns of measures, or rename classifiers called so"
        raise InvalidContentError(table.sheet.name, "columns of classifiers alone", got, remedy)
    left = [c for c in left if c.name not in times]
    if len(left) < 2:
        raise _too_few([c.name for c in left], table)
    return [Candidate(c.name, c.name.strip()) for c in left], spreads, notes


def _is_measure(column: Column) -> bool:
    return column.measure is not None or (is_neutral(column.name) and squeezed(column.name) != "")


def _spreads(columns: list[Column]) -> dict[str, str]:
    """Pair columns of means with those of their spread: svm and svm_std."""
    names = {squeezed(column.name): column.name for column in columns}
    found = {}
    for column in columns:
        if is_spread(column.name) and len(words(column.name)) > 1:
            rest = "".join(w for w in words(column.name) if not is_spread(w))
            mean = names.get(rest) or names.get(rest + "mean") or names.get(f"mean{rest}")
            found[mean or column.name] = column.name
    return found


def _other_scale(columns: list[Column]) -> list[str]:
    """Return columns of large whole numbers beside fractions: counts and sizes, not scores."""
    fractions = [c for c in columns if not c.is_whole and c.high <= 1 and c.low >= -1]
    if len(fractions) < 2:
        return []
    return [c.name for c in columns if c.is_whole and c.high > 100]


def _split_measures(columns: list[Column]) -> list[Candidate] | None:
    """Take names such as rpart~Accuracy or nb_auc apart, if all of them are made so."""
    if len(columns) < 2:
        return None
    for side in (0, -1):
        found = [_split(column.name, side) for column in columns]
        told = [one for one in found if one is not None]
        if len(told) == len(columns) and len({one.classifier for one in told}) > 1:
            return told
    return None


def _split(name: str, side: int) -> Candidate | None:
    """Split off the measure at the front (0) or the back (-1) of a name."""
    for mark in (BETWEEN.strip(), " - "):
        if mark in name:
            parts = [part.strip() for part in name.split(mark)]
            metric, rest = parts[side], parts[1:] if side == 0 else parts[:-1]
            if find_measure(metric) is None or not any(rest):
                return None
            return Candidate(name, mark.join(rest).strip(), metric)
    parts = re.split(r"[\s_\-.:/|()\[\]]+", name.strip().strip("()[]"))
    for taken in (3, 2, 1):
        if len(parts) > taken:
            chosen = parts[:taken] if side == 0 else parts[-taken:]
            rest = parts[taken:] if side == 0 else parts[:-taken]
            measure = find_measure("_".join(chosen))
            model = "_".join(rest)
            named = find_measure(model) is None and not _FILLERS.issuperset(words(model))
            if measure is not None and measure.part == "test" and named:
                return Candidate(name, model, "_".join(chosen))
    return None


def _of_one_metric(
    candidates: list[Candidate], request: Request, table: Table
) -> tuple[str, list[Candidate]]:
    """Return the candidates of the measure asked for, or of the only one."""
    metrics = list(dict.fromkeys(one.metric for one in candidates))
    if metrics == [""]:
        return "", candidates
    wanted = (
        request.metric if request.metric is not None else metrics[0] if len(metrics) == 1 else None
    )
    match = next((one for one in metrics if wanted and squeezed(one) == squeezed(wanted)), None)
    if match is None and request.metric is not None and len(metrics) == 1:
        match = metrics[0]
    if match is None:
        got = "none" if request.metric is None else repr(request.metric)
        remedy = nearest(request.metric or "", tuple(metrics))
        raise invalid("metric", f"one of {listing(metrics)}", got, remedy)
    chosen = [one for one in candidates if one.metric == match]
    if len(chosen) < 2:
        raise _too_few([one.column for one in chosen], table)
    return match, chosen


def _label(table: Table, chosen: list[Candidate], request: Request) -> str | None:
    """Return the column with the names of the datasets, or ask what the rows are."""
    if request.dataset_column is not None:
        return request.dataset_column
    named = one_of(table.find("dataset"), "dataset", table.sheet)
    if named is not None:
        return named
    texts = [c for c in table.columns.values()
             if c.role is None and not c.is_number and not c.is_empty
             and c.name != request.cluster_column]  # fmt: skip
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
    if known == "datasets":
        return label.name
    if isinstance(request.design, Holdout | Cases):
        return None
    raise ask_rows(table, label, [one.column for one in chosen])


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
    below = {_bare(str(cell)) for cell in table.sheet.frame[column]}
    above = {_bare(one.classifier) for one in chosen}
    if below == above:
        domain = "a row for each dataset or fold"
        got = f"rows and columns of the same names ({listing(sorted(above), 3)})"
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


def _case(
    table: Table, chosen: list[Candidate], request: Request, label: str | None, *, placed: bool
) -> Key | None:
    """Return the key of cases if rows are cases of one test set."""
    sheet = table.sheet
    named = table.first("case")
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
    if named is not None and table.columns[named].different == len(sheet.frame):
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


def _one_model(measures: list[str], table: Table) -> InvalidContentError:
    domain = "scores of at least two classifiers"
    got = f"one model with the measures {listing(measures, 6)}"
    remedy = "Give a file for each model, or a column that names the model"
    return InvalidContentError(table.sheet.name, domain, got, remedy)


def _too_few(names: list[str], table: Table) -> InvalidArgumentError:
    got = f"{table.sheet.name} with columns {listing(table.sheet.columns)}"
    if len(names) == 1:
        got += f", of which {names[0]} alone holds scores"
    remedy = "For one row per score name the columns classifier, dataset, run, fold, score"
    return invalid(
        "source", "a table with a column for each of at least two classifiers", got, remedy
    )
