"""Long tables: a row for each score, and a column that names the classifier."""

from replicast.errors import (
    DesignNeededError,
    InvalidArgumentError,
    InvalidContentError,
    invalid,
)
from replicast.reading.assembly import tabulate
from replicast.reading.cases import as_cases, tabulate_cases
from replicast.reading.columns import Column
from replicast.reading.directions import name_measure
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
    is_item,
    is_plain,
    number_answers,
)
from replicast.reading.formats.tables.preparing import (
    Table,
    cluster_column,
    one_of,
    repeats,
)
from replicast.reading.formats.tables.refusing import ask_rows, curve
from replicast.reading.formats.tables.turning import turned, unfolded
from replicast.reading.formats.tables.wide import read_wide
from replicast.reading.requests import Manner, Request, ask_metric
from replicast.reading.rows import Columns, rows_of
from replicast.reading.sheets import listing
from replicast.reading.vocabulary.famous import tell_apart
from replicast.reading.vocabulary.measures import find_measure, is_neutral, is_spread
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import TESTING, VALIDATION, Role, find_role, read_place
from replicast.reading.vocabulary.summaries import is_price, is_resource, is_summary
from replicast.scores.tables import ScoreTable

_PLACED: tuple[Role, ...] = ("fold", "resample", "split", "iteration")
_COUNTS = word_lists()["counts"]
_SLICES = word_lists()["slices"]
_COMPARED = word_lists()["compared"]
_FOLDS = 10
_PER_CASE = 30  # at least so many rows called id are cases, not datasets
_PARTS = ("test", "testing", "val", "valid", "validation", "eval", "evaluation", "dev", "holdout",
          "mean", "average", "avg", "scores", "score", "metrics", "results")  # fmt: skip


def classifier_column(table: Table, request: Request) -> str | None:
    """Return the column that names the classifiers, if there is one."""
    if request.classifier_column is not None:
        return request.classifier_column
    named = table.find("classifier") or [c for c in table.columns.values() if _may_be_one(c)]
    return one_of(named, "classifier", table.sheet)


def _may_be_one(column: Column) -> bool:
    """Say whether a column names what is compared where no other does: optimisers, strategies."""
    return not column.is_number and not column.is_empty and squeezed(column.name) in _COMPARED


def read_long(table: Table, classifier: str, request: Request, title: str) -> ScoreTable:
    """Read a table with a column of classifiers; one that holds datasets as columns is turned."""
    table, metric_name = rows_of_one_metric(unfolded(table, classifier), request)
    score = _score_column(table, classifier, request, metric_name)
    if score is None:
        return _read_turned(table, classifier, request, title)
    if _is_curve(table, classifier):
        raise curve(table)
    metric = request.metric if _is_nameless(score) and request.metric else score
    named: tuple[str, ...] = ()
    if metric_name is not None:
        metric, named = name_measure(score, metric_name, request, table.sheet.name)
    columns, kinds = _columns(table, classifier, score, metric, request)
    _refuse_hidden_key(table, columns)
    rows = as_cases(rows_of(table.sheet, columns, kinds), request)
    rows = number_answers(within_wholes(rows, table), columns.case)
    rows, grouped = settle_groups(rows, table, columns.used, request)
    used = (*columns.used, *grouped)
    unused = [
        column.name
        for column in table.columns.values()
        if column.name not in used and not column.is_empty and column.different > 1
    ]
    notes = (f"Scores are those in {score}; not used: {listing(unused, 5)}.",) if unused else ()
    notes = (*named, *notes)
    manner = Manner(
        kind="long table",
        metric=metric,
        by_order=True,
        notes=notes,
        titles=(table.sheet.caption, title),
    )
    if rows.case is not None:
        return tabulate_cases(rows, manner, request)
    return tabulate(rows, manner, request)


def _is_curve(table: Table, classifier: str) -> bool:
    """Tell several steps of one run from a table of runs, each with its last step beside it."""
    steps = [c for c in table.find("step") if c.different > 1]
    if not steps or table.find("case", "answer"):
        return False
    keys = [c.name for c in table.find("dataset", "run", "seed", *_PLACED)]
    return bool(table.sheet.frame.duplicated([classifier, *keys]).any())


def _score_column(
    table: Table, classifier: str, request: Request, metric_name: str | None
) -> str | None:
    """Return the column of scores; None if every column of numbers may be a dataset; or ask."""
    if request.score_column is not None:
        return request.score_column
    asked = (classifier, *request.columns.values())
    free = [c for c in table.columns.values() if c.name not in asked]
    numbers = [c for c in free if _may_be_score(c)]
    if metric_name is not None:
        named = [c.name for c in numbers if c.role == "score"]
        if len(named) == 1:
            return named[0]
        _refuse_summary(table)
    wanted = request.metric if metric_name is None else None  # else it chose the rows
    found = None if wanted is None else _named_metric(numbers, free, wanted)
    if found is not None:
        return found
    board = not table.sheet.frame[classifier].duplicated().any()  # a row for each model
    tested = _tested(numbers, board=board)
    if not tested:
        return _unmeasured(table, classifier, numbers, request, wanted)
    others = [c for c in numbers if c.measure is None and c not in tested]
    if len(tested) == 1 and board and len(others) > 1 and _sums_up(tested[0]):
        return None  # it sums up the datasets in other columns
    if len(tested) == 1 and (wanted is None or _is_nameless(tested[0].name)):
        return tested[0].name
    if request.metric is not None and metric_name is not None:
        names = listing([c.name for c in tested])
        domain = f"one of {names}, the columns of scores in {metric_name}"
        raise invalid("score_column", domain, "none")
    raise _ask_metric(tested, classifier, request, table)


def _may_be_score(column: Column) -> bool:
    return column.is_number and column.role in (None, "score") and not is_spread(column.name)


def _tested(numbers: list[Column], *, board: bool) -> list[Column]:
    """Return the measures on test data; prices are none on a leaderboard that has other columns."""
    found = [c for c in numbers if _is_tested(c)]
    if board and sum(c.measure is None for c in numbers) > 1:
        found = [c for c in found if not (is_price(c.name) or is_resource(c.name))]
    return _of_test_data(found)


def _unmeasured(
    table: Table, classifier: str, numbers: list[Column], request: Request, wanted: str | None
) -> str | None:
    """Return the only column that may hold scores where none is called so; None if several may."""
    _refuse_summary(table)
    _refuse_confusions(table)
    measured = [c for c in numbers if c.measure is not None and c.measure.part == "test"]
    unknown = [c for c in numbers if c.measure is None and not c.is_counting]
    if len(measured) == 1 and not unknown and wanted is None:
        return measured[0].name
    if len(unknown) == 1 and (wanted is None or _is_nameless(unknown[0].name)):
        return unknown[0].name
    if len(unknown) > 1:
        return None
    raise _ask_metric(numbers, classifier, request, table)


def _sums_up(column: Column) -> bool:
    """Tell a mean over datasets that stand in columns beside it, by its name: Average, score."""
    return is_summary(column.name) or column.role == "score"


def _is_nameless(name: str) -> bool:
    """Say whether a column of scores says nothing about them: score, mean, 0."""
    return is_neutral(name) or not any(map(str.isalpha, name))


def _is_tested(column: Column) -> bool:
    """Say whether a column is a measure on test data, and no time."""
    if column.role == "score" or is_neutral(column.name):
        return "train" not in words(column.name)
    measure = column.measure
    return measure is not None and measure.part == "test" and measure.scale not in ("time", "rank")


def _of_test_data(columns: list[Column]) -> list[Column]:
    """Leave out a measure on validation data that stands there on test data too: val/acc, test/acc."""
    plain = {tuple(w for w in words(c.name) if w not in TESTING) for c in columns if not _is_val(c)}
    return [
        c
        for c in columns
        if not _is_val(c) or tuple(w for w in words(c.name) if w not in VALIDATION) not in plain
    ]


def _is_val(column: Column) -> bool:
    return not VALIDATION.isdisjoint(words(column.name))


def _named_metric(numbers: list[Column], free: list[Column], metric: str) -> str | None:
    """Return the column of a measure: by its name, or with the name of the part it was taken on."""
    wanted = squeezed(metric)
    for column in [*numbers, *free]:
        if column.name == metric:
            return column.name
    exact = [c.name for c in [*numbers, *free] if squeezed(c.name) == wanted]
    if exact:
        return exact[0]
    parts = [
        c.name for c in numbers if "".join(w for w in words(c.name) if w not in _PARTS) == wanted
    ]
    tested = [name for name in parts if words(name)[0] == "test"] or parts
    return tested[0] if len(tested) == 1 else None


def _ask_metric(
    numbers: list[Column], classifier: str, request: Request, table: Table
) -> InvalidArgumentError:
    names = [c.name for c in numbers]
    if not names:
        got = f"{table.sheet.name} with columns {listing(table.sheet.columns)}"
        return invalid("source", f"a table with a column of scores beside {classifier}", got)
    return ask_metric(names, request.metric, f", the measures beside {classifier}")


def _refuse_summary(table: Table) -> None:
    """Refuse means and standard deviations, one row per classifier."""
    names = {squeezed(name) for name in table.sheet.columns}
    means = names & {"mean", "avg", "average"}
    if means and any(is_spread(name) for name in table.sheet.columns):
        domain = "the scores themselves"
        got = "their mean and spread alone, from which nothing can be paired"
        remedy = "Give the score of every fold, dataset or case"
        raise InvalidContentError(table.sheet.name, domain, got, remedy)


def _refuse_confusions(table: Table) -> None:
    """Refuse counts of a confusion matrix, one row per classifier."""
    counts = [name for name in table.sheet.columns if squeezed(name) in _COUNTS]
    if len(counts) > 2:
        domain = "scores per fold, dataset or case"
        got = f"counts of one confusion matrix per classifier ({listing(counts)})"
        remedy = "Give the predictions of every case, from which models can be paired"
        raise InvalidContentError(table.sheet.name, domain, got, remedy)


def _columns(
    table: Table, classifier: str, score: str, metric: str, request: Request
) -> tuple[Columns, dict[str, Role | None]]:
    """Return which columns are keys."""
    sheet = table.sheet
    fold = request.fold_column or one_of(table.find(*_PLACED), "fold", sheet)
    run = request.run_column or one_of(repeats(table), "run", sheet)
    dataset = request.dataset_column or one_of(
        [c for c in table.find("dataset") if c.name not in (fold, run, request.cluster_column)],
        "dataset",
        sheet,
    )
    case = _case_column(table, score, request, has_place=bool(fold or run))
    if dataset is None and case is None:
        dataset = _slices(table, [classifier, *filter(None, (fold, run))], request)
    scores = [table.columns[score]]
    if dataset and holds_cases(table, (classifier, dataset), scores, find_measure(metric), request):
        dataset, case = None, dataset
    kinds: dict[str, Role | None] = {
        "fold": _resampled(table, fold) or _kind(table, fold, request.fold_column, "fold"),
        "run": _kind(table, run, request.run_column, "run"),
    }
    chosen = {classifier, score, fold, run, dataset, case}
    cluster = cluster_column(table, request)
    answer = None if case is None else answer_column(table, case, chosen)
    if case and kinds["run"] == "run" and not (dataset or fold or answer):
        answer, run = _runs_of_cases(table, case, run, request)
    return Columns(
        classifier=classifier,
        score=score,
        dataset=dataset,
        run=run,
        fold=fold,
        case=case,
        cluster=cluster if case and cluster not in chosen else None,
        answer=answer,
        n_train=table.first("n_train"),
        n_test=table.first("n_test"),
    ), kinds


def _slices(table: Table, keys: list[str], request: Request) -> str | None:
    """Return the classes that a measure was taken for one by one, if they tell the rows apart."""
    frame = table.sheet.frame
    named = [c.name for c in table.columns.values() if squeezed(c.name) in _SLICES]
    if len(named) != 1 or request.design is not None or not frame.duplicated(keys).any():
        return None
    return None if frame.duplicated([*keys, named[0]]).any() else named[0]


def _runs_of_cases(
    table: Table, case: str, run: str | None, request: Request
) -> tuple[str | None, str | None]:
    """Take the runs of cases for answers if the caller says so; of an item, ask what they are."""
    count = 0 if run is None else table.columns[run].different
    if request.asks_for_cases:
        return run if count > 1 else None, None
    if request.design is None and is_item(case) and count > 1:
        remedy = (
            "Say `design=cases` if every run is another answer to the same cases, or "
            f"`design=seeds:count={count}` if the models were trained anew for every run"
        )
        domain = "given for cases with several runs"
        raise DesignNeededError(domain, f"{case} and {run}", remedy, count)
    return None, run


def _kind(table: Table, name: str | None, asked: str | None, what: Role) -> Role | None:
    if name is None:
        return None
    role = table.columns[name].role if name in table.columns else None
    return what if asked is not None and role not in (*_PLACED, "run", "seed") else role


def _resampled(table: Table, fold: str | None) -> Role | None:
    """Tell folds of R's mlr and mlr3, which call them iterations."""
    if fold is None or fold not in table.columns or table.columns[fold].role != "iteration":
        return None
    told = table.sheet.frame.get("resampling_id")
    if told is not None:
        return "fold" if set(told.dropna().astype(str)) == {"cv"} else None
    known = {"task.id", "learner.id"} <= set(table.sheet.columns)  # mlr's default is one run
    return "fold" if known and table.columns[fold].different <= _FOLDS else None


def _case_column(table: Table, score: str, request: Request, *, has_place: bool) -> str | None:
    """Return the column that names cases, if rows are cases and no folds or datasets."""
    if request.case_column is not None:
        return request.case_column
    named = [c for c in case_columns(table) if c.name != request.dataset_column]
    if not named:
        return None
    named = without_wholes(named, table, request) or named
    column = max(named, key=lambda one: one.different)
    scores = table.columns[score]
    binary = are_binary([scores])
    plain = is_plain(column.name)
    measure = scores.measure
    of_many = measure is not None and measure.of_many  # one case has no accuracy of 0.9
    said = request.asks_for_cases
    if said or binary or not (plain or of_many):
        return column.name
    graded = measure is not None and measure.scale == "amount"
    if not has_place and graded and column.different >= _PER_CASE:
        return column.name
    if has_place or column.different == len(table.sheet.frame):
        return None
    domain = "a column that says what a row is"
    got = f"{column.name}, which may name datasets or cases"
    remedy = "Say `dataset_column=...` for datasets, or `design=cases` for cases"
    raise InvalidContentError(table.sheet.name, domain, got, remedy, "dataset_column")


def _refuse_hidden_key(table: Table, columns: Columns) -> None:
    """Refuse rows that only a column nobody named tells apart."""
    keys = [
        getattr(columns, key) for key in ("classifier", "dataset", "run", "fold", "case", "answer")
    ]
    untold = columns.case is None or (is_item(columns.case) and columns.answer is None)
    if untold and not (columns.run or columns.fold):
        used = [key for key in keys if key is not None]
        refuse_hidden_key(table, used, columns.used, "classifier")


def _read_turned(table: Table, classifier: str, request: Request, title: str) -> ScoreTable:
    """Read a table whose rows are classifiers, as papers have it."""
    numbers = [c for c in table.columns.values()
               if c.is_number and c.role is None and c.name != classifier]  # fmt: skip
    names = [c.name for c in numbers]
    labels = [str(cell) for cell in table.sheet.frame[classifier]]
    if len(set(labels)) < len(labels):
        raise _ask_metric(numbers, classifier, request, table)
    places = [read_place(name) for name in names]
    told = all(places) or request.rows == "classifiers" or find_role(classifier) == "classifier"
    if not told and tell_apart(labels, names) != "classifiers":
        raise ask_rows(table, table.columns[classifier], names)
    return read_wide(turned(table, classifier, names, request), request, title)
