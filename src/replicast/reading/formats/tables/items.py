"""Keys of single items, as task_id and question_id: cases of one test set; samples are answers."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError
from replicast.reading.columns import Column
from replicast.reading.formats.tables.preparing import Table
from replicast.reading.requests import Request
from replicast.reading.rows import Rows
from replicast.reading.sheets import Key
from replicast.reading.vocabulary.measures import Measure
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import Role

_ITEMS = word_lists()["items"]
_PLAIN = ("id", "index", "key", "number", "no", "row", "idx")
_PLACED: tuple[Role, ...] = ("fold", "resample", "split", "iteration")


def is_item(name: str) -> bool:
    """Say whether a column is called like the key of single items, of which samples may be taken.

    Examples
    --------
    >>> [is_item(name) for name in ("task_id", "question", "queryId", "task", "task.id", "id")]
    [True, True, True, False, False, False]
    """
    whole = squeezed(name)
    return "." not in name and (whole in _ITEMS or whole.removesuffix("id") in _ITEMS)


def is_plain(name: str) -> bool:
    """Say whether a column is called like any key: id, index, row."""
    return squeezed(name) in _PLAIN


def is_sample(column: Column) -> bool:
    """Say whether a column tells the samples of one item apart."""
    return column.role == "case" and words(column.name)[0] == "sample"


def are_binary(scores: Sequence[Column]) -> bool:
    """Say whether columns of scores hold nothing but 0 and 1."""
    return all(one.is_whole and one.low >= 0 and one.high <= 1 for one in scores)


def case_columns(table: Table) -> list[Column]:
    """Return the columns that may name cases: no samples, where the items they are of are named."""
    named = table.find("case")
    keyed = any(is_item(one.name) for one in (*named, *table.find("dataset")))
    return [one for one in named if not (keyed and is_sample(one))]


def answer_column(table: Table, case: str, used: Collection[str | None]) -> str | None:
    """Return the column that tells the answers to one case apart, if one does that is not used yet."""
    samples = filter(is_sample, table.find("case")) if is_item(case) else ()
    named = (*table.find("answer", "step"), *samples)
    return next((c.name for c in named if c.name not in used and c.different > 1), None)


def holds_cases(
    table: Table,
    keys: Sequence[str],
    scores: Sequence[Column],
    measure: Measure | None,
    request: Request,
) -> bool:
    """Say whether the column called like datasets, the last key, holds cases; or ask.

    A task_id may be that of HumanEval or that of OpenML. It is a case where scores are right or wrong
    or samples are numbered, a dataset where they are means over folds, or a dataset stands beside it.
    """
    dataset = keys[-1]
    if dataset == request.dataset_column or request.dataset is not None:
        return False
    wide = len(keys) == 1
    if table.find(*_PLACED, *(("run", "seed") if wide else ())) or len(table.find("dataset")) > 1:
        return False
    others = [one for one in case_columns(table) if not _belongs(table, one.name, dataset)]
    if not all(is_plain(one.name) for one in others):
        return False
    if request.asks_for_cases:
        told = [*keys, *(one.name for one in table.find("run"))]
        return is_item(dataset) or not table.sheet.frame.duplicated(told).any()
    if request.design is not None or not is_item(dataset):
        return False
    if are_binary(scores) and not others:
        return True
    lost = measure is not None and measure.scale == "amount" and not measure.greater_is_better
    if table.find("run", "seed") or lost or (measure is not None and measure.of_many):
        return False
    if any(is_sample(one) for one in table.find("case")) and not others:
        return True
    if wide:
        return False  # names of rows in a table of a paper
    domain = "a column that says what a row is"
    got = f"{dataset}, which may name datasets or cases"
    remedy = "Say `dataset_column=...` for datasets, or `design=cases` for cases"
    raise InvalidContentError(table.sheet.name, domain, got, remedy, "dataset_column")


def tells_apart(table: Table, case: str | None, used: Collection[str]) -> bool:
    """Say whether a column that is not used tells the rows of one case apart: an organ of an image."""
    frame = table.sheet.frame
    if case is None or not is_item(case) or not frame.duplicated([case]).any():
        return False
    return any(
        not frame.duplicated([case, one.name]).any()
        for one in table.columns.values()
        if one.name not in (case, *used)
        and (one.is_whole or not one.is_number)
        and one.role not in ("moment", "status", "number", "answer")
    )


def _belongs(table: Table, name: str, item: str) -> bool:
    """Say whether a column says something of every item, as its prompt: one cell for each."""
    pairs = table.sheet.frame[[item, name]].drop_duplicates()
    return not pairs[item].duplicated().any()


def number_answers(rows: Rows, case: str | None) -> Rows:
    """Return rows whose answers are numbered, where every item has several; copies are no answers."""
    if rows.case is None or case is None or not is_item(case):
        return rows
    keys = [rows.classifier, rows.dataset, rows.run, rows.fold, rows.case]
    told = not _codes(*keys, rows.answer).duplicated().any()
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


def _codes(*keys: Key | None) -> pd.DataFrame:
    return pd.DataFrame({at: key.codes for at, key in enumerate(keys) if key is not None})
