"""What tells the rows of a table apart: datasets, runs, folds, cases, and the answers to a case."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicast.errors import DesignNeededError, InvalidContentError
from replicast.reading.columns import Column
from replicast.reading.formats.tables.grouping import cluster_column, without_wholes
from replicast.reading.formats.tables.preparing import Table
from replicast.reading.requests import Request
from replicast.reading.rows import Columns, Kinds, Rows
from replicast.reading.sheets import Key, listing
from replicast.reading.vocabulary.measures import Measure
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import PLACES, REPEATS, Role, is_whole

_ITEMS, _SLICES = word_lists()["items"], word_lists()["slices"]
_NAMED_CASES = word_lists()["cases"]
_PLAIN = ("id", "index", "key", "number", "no", "row", "idx")
_NO_KEYS: tuple[Role, ...] = ("moment", "status", "number", "case")
_FOLDS_OF_ONE_RUN = 10
_PER_CASE = 30  # at least so many rows called id are cases, not datasets


def is_item(name: str) -> bool:
    """Say whether a column is called like the key of single items, of which samples may be taken.

    Examples
    --------
    >>> [is_item(name) for name in ("task_id", "question", "queryId", "task", "task.id", "id")]
    [True, True, True, False, False, False]
    """
    whole = squeezed(name)
    return "." not in name and (whole in _ITEMS or whole.removesuffix("id") in _ITEMS)


def are_binary(scores: Sequence[Column]) -> bool:
    """Say whether columns of scores hold nothing but 0 and 1."""
    return all(one.is_whole and one.low >= 0 and one.high <= 1 for one in scores)


def find_keys(
    table: Table,
    classifier: str | None,
    scores: list[Column],
    measure: Measure | None,
    request: Request,
) -> tuple[Columns, Kinds]:
    """Return which columns tell rows apart, and by which words runs and folds are called."""
    run, fold = run_column(table), table.one("fold", *PLACES)
    dataset = table.one("dataset", "dataset")
    facts = Facts(table, classifier, scores, measure, request, placed=bool(fold or run))
    case = _case_column(facts)
    if dataset is None and case is None:
        dataset = _slices(facts, fold, run) if classifier else _one_row_each(facts)
    if dataset and _holds_cases(facts, dataset):
        dataset, case = None, dataset
    answer = None if case is None else _answer_column(table, case, (classifier, dataset, run, fold))
    if case and not (dataset or answer or facts.placed):
        _refuse_one_case(table, case)
    kinds = kinds_of(table, run, fold)
    if case and run and not (dataset or fold or answer):
        answer, run = _runs_of_cases(table, case, run, request)
    cluster = cluster_column(table, request) if case or request.asks_for_cases else None
    keys = Columns(
        classifier=classifier,
        score=scores[0].name,
        dataset=dataset,
        run=run,
        fold=fold,
        case=case,
        cluster=None if cluster in (dataset, case) else cluster,
        answer=answer,
        n_train=table.first("n_train"),
        n_test=table.first("n_test"),
    )
    return keys, kinds


def _refuse_one_case(table: Table, case: str) -> None:
    """Refuse rows that all have the same prompt: nothing tells which belong together."""
    rows = len(table.sheet.frame)
    if table.columns[case].different > 1 or rows < _PER_CASE:
        return
    domain = "a column that tells cases apart"
    got = f"the same {case} in all {rows} rows"
    remedy = "Give each case a number in a column called id, the same one for every model"
    raise InvalidContentError(table.sheet.name, domain, got, remedy)


@dataclass(frozen=True)
class Facts:
    """What tells keys: the table, its columns of scores and their measure, and what was asked."""

    table: Table
    classifier: str | None
    scores: list[Column]
    measure: Measure | None
    request: Request
    placed: bool

    @property
    def of_many(self) -> bool:
        """Whether the measure is about many cases: one has no accuracy of 0.9."""
        return self.measure is not None and self.measure.of_many

    @property
    def graded(self) -> bool:
        """Whether the measure is an amount, as a loss of every case is."""
        return self.measure is not None and self.measure.scale == "amount"

    @property
    def lost(self) -> bool:
        """Whether the measure is a loss, as the mean over a dataset is."""
        return self.graded and self.measure is not None and not self.measure.greater_is_better


def run_column(table: Table) -> str | None:
    """Return the column that numbers runs, or else seeds; names of single rows number nothing."""
    unique = all(c.different == len(table.sheet.frame) for c in table.find("run"))
    first: Role = "seed" if unique and table.find("seed") else "run"
    return table.one("run", first) or table.one("run", "seed")


def kinds_of(table: Table, run: str | None, fold: str | None) -> Kinds:
    """Return by which words runs and folds are called; R's mlr and mlr3 call folds iterations."""
    kinds: Kinds = {
        "run": table.columns[run].role if run else None,
        "fold": table.columns[fold].role if fold else None,
    }
    if fold and kinds["fold"] == "iteration":
        told = table.sheet.frame.get("resampling_id")
        known = {"task.id", "learner.id"} <= set(table.sheet.columns)  # mlr's default is one run
        of_mlr = known and table.columns[fold].different <= _FOLDS_OF_ONE_RUN
        if of_mlr if told is None else set(told.dropna().astype(str)) == {"cv"}:
            kinds["fold"] = "fold"
    return kinds


def _one_row_each(facts: Facts) -> str | None:
    """Return the subjects or patients that have one row each: they are what varies, as datasets do."""
    named = facts.table.find("case")
    if len(named) != 1 or facts.request.design is not None or are_binary(facts.scores):
        return None
    alone = named[0].different == len(facts.table.sheet.frame)
    return named[0].name if alone and is_whole(named[0].name) else None


def _slices(facts: Facts, fold: str | None, run: str | None) -> str | None:
    """Return the classes that a measure was taken for one by one, if they tell the rows apart."""
    keys = [one for one in (facts.classifier, fold, run) if one]
    frame = facts.table.sheet.frame
    named = [name for name in facts.table.columns if squeezed(name) in _SLICES]
    if len(named) != 1 or facts.request.design is not None or not frame.duplicated(keys).any():
        return None
    return None if frame.duplicated([*keys, named[0]]).any() else named[0]


def _is_sample(column: Column) -> bool:
    """Say whether a column tells the samples of one item apart."""
    return column.role == "case" and words(column.name)[0] == "sample"


def _case_columns(table: Table) -> list[Column]:
    """Return the columns that may name cases: no samples, where the items they are of are named."""
    named = table.find("case")
    keyed = any(is_item(one.name) for one in (*named, *table.find("dataset")))
    return [one for one in named if not (keyed and _is_sample(one))]


def _answer_column(table: Table, case: str, used: Collection[str | None]) -> str | None:
    """Return the column that tells the answers to one case apart, if one does that is not used yet."""
    samples = filter(_is_sample, table.find("case")) if is_item(case) else ()
    named = (*table.find("answer", "step"), *samples)
    return next((c.name for c in named if c.name not in (case, *used) and c.different > 1), None)


def _case_column(facts: Facts) -> str | None:
    """Return the column that names cases, if rows are cases and no folds or datasets."""
    table, request = facts.table, facts.request
    named = _case_columns(table)
    named = without_wholes(named, table) or named
    if not named or (request.design is not None and not request.asks_for_cases):
        return None
    column = max(named, key=lambda one: one.different)
    repeated = bool(table.sheet.frame.duplicated([column.name]).any())
    if request.asks_for_cases or _names_cases(facts, column, repeated=repeated):
        return column.name
    if facts.classifier is None or facts.placed or not repeated:
        return None
    domain = "a column that says what a row is"
    got = f"{column.name}, which may name datasets or cases"
    remedy = "Say `dataset_column=...` for datasets, or `design=cases` for cases"
    raise InvalidContentError(table.sheet.name, domain, got, remedy, "dataset_column")


def _names_cases(facts: Facts, column: Column, *, repeated: bool) -> bool:
    """Say whether a column names cases: as was said, by its name, or by what their scores are."""
    if facts.request.case_column is not None or are_binary(facts.scores):
        return True
    name = squeezed(column.name)
    if facts.classifier is None and facts.placed:
        return name not in _PLAIN and _tells_rows_of_folds(facts.table, column)
    if facts.classifier is None:
        return name in _NAMED_CASES and not repeated
    own = facts.scores[0].measure  # by its own name: what the caller calls it is no proof
    graded = own is not None and own.scale == "amount"
    many = not facts.placed and graded and column.different >= _PER_CASE
    return many or not (name in _PLAIN or (own is not None and own.of_many))


def _tells_rows_of_folds(table: Table, column: Column) -> bool:
    """Say whether a fold has several rows, and a column tells them apart."""
    keys = [c.name for c in table.find("dataset", *PLACES, *REPEATS)]
    frame = table.sheet.frame
    return bool(frame.duplicated(keys).any() and not frame.duplicated([*keys, column.name]).any())


def _holds_cases(facts: Facts, dataset: str) -> bool:
    """Say whether a column called like datasets holds cases.

    A task_id may be that of HumanEval or that of OpenML. It is a case unless a dataset stands beside
    it or its scores are means over folds; a task is one where every score is right or wrong.
    """
    table, request, frame = facts.table, facts.request, facts.table.sheet.frame
    wide = facts.classifier is None
    others = [squeezed(name) for name in _not_of(table, dataset)]
    if not _may_hold_cases(facts, dataset) or not {*others} <= {*_PLAIN}:
        return False
    alone = not frame.duplicated([dataset, *([] if wide else [facts.classifier])]).any()
    item = is_item(dataset)
    if request.design is not None:
        return request.asks_for_cases and (item or alone)
    if are_binary(facts.scores):
        constant = {(one.low, one.high) for one in facts.scores} <= {(0, 0), (1, 1)}
        return not constant and (item or (alone and not others))
    of_many = facts.lost or facts.of_many or bool(table.find(*REPEATS))
    return item and not of_many and (not wide or any(map(_is_sample, table.find("case"))))


def _may_hold_cases(facts: Facts, dataset: str) -> bool:
    """Say whether nobody calls the column datasets, and neither folds nor datasets stand beside it."""
    request, table = facts.request, facts.table
    told = request.dataset is not None or dataset == request.dataset_column
    placed = table.find(*PLACES, *(REPEATS if facts.classifier is None else ()))
    return not told and not placed and len(table.find("dataset")) < 2


def _not_of(table: Table, dataset: str) -> list[str]:
    """Return the columns of cases that differ within a value of a column, as its prompt does not."""
    pairs = table.sheet.frame.groupby(dataset, observed=True)
    return [c.name for c in _case_columns(table) if (pairs[c.name].nunique() > 1).any()]


def _runs_of_cases(
    table: Table, case: str, run: str, request: Request
) -> tuple[str | None, str | None]:
    """Take the runs of cases for answers if the caller says so; of an item, ask what they are."""
    count = table.columns[run].different
    if table.columns[run].role != "run":
        return None, run
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


def refuse_hidden_key(table: Table, keys: Columns) -> None:
    """Refuse rows of one classifier or dataset that only a column nobody named tells apart."""
    told = [one for one in (keys.classifier, keys.dataset, keys.case, keys.answer) if one]
    cased = keys.case is not None and (keys.answer is not None or not is_item(keys.case))
    placed = keys.run is not None or keys.fold is not None
    if cased or placed or not told or not table.sheet.frame.duplicated(told).any():
        return
    free = [c for c in table.columns.values() if c.name not in keys.used]
    hidden = [c.name for c in free if _tells_apart(c, told, table.sheet.frame)]
    if hidden:
        whose = "dataset" if keys.classifier is None else "classifier"
        domain = f"a column that tells the rows of one {whose} apart"
        got = f"{listing(hidden, 4)}, of which nothing says what it is"
        remedy = (
            "Say `dataset_column=...`, `fold_column=...` or `run_column=...`, or keep some rows with "
            "`where=...`"
        )
        raise InvalidContentError(table.sheet.name, domain, got, remedy, "dataset_column")


def _tells_apart(column: Column, keys: list[str], frame: pd.DataFrame) -> bool:
    """Say whether a column tells rows of the same keys apart, and has all its values for the first."""
    broken = column.is_number and not column.is_whole
    if column.role in _NO_KEYS or broken or column.different < 2:
        return False
    pairs = len(frame[[keys[0], column.name]].drop_duplicates())
    crossed = pairs == frame[keys[0]].nunique() * frame[column.name].nunique()
    return bool(crossed) and not frame.duplicated([*keys, column.name]).any()


def number_answers(rows: Rows, case: str | None) -> Rows:
    """Return rows whose answers are numbered, where every item has several; copies are no answers."""
    if rows.case is None or case is None or not is_item(case):
        return rows
    keys = [rows.classifier, rows.dataset, rows.run, rows.fold, rows.case]
    codes = {at: key.codes for at, key in enumerate((*keys, rows.answer)) if key is not None}
    told = not pd.DataFrame(codes).duplicated().any()
    if told and rows.answer is None:
        return rows
    groups = pd.Series(rows.scores).groupby([key.codes for key in keys if key is not None])
    sizes = groups.size()
    if told and rows.answer is not None and len(rows.answer.names) == sizes.max():
        return rows
    if not told and (sizes.min() < 2 or (groups.nunique() < 2).all()):
        return rows
    names = tuple(str(at + 1) for at in range(int(sizes.max())))
    return replace(rows, answer=Key(np.asarray(groups.cumcount(), dtype=np.intp), names))
