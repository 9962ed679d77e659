"""Before a table is read: rows chosen, rows that sum up others and columns that count left out."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicast.arrays import Floats
from replicast.errors import InvalidContentError, invalid, nearest, shorten
from replicast.reading.columns import Column, are_verdicts, describe_columns
from replicast.reading.formats.tables.tidying import retyped, tidied
from replicast.reading.requests import Request, plain_column
from replicast.reading.sheets import Codes, Sheet, called, label_of, listing
from replicast.reading.vocabulary.naming import word_lists
from replicast.reading.vocabulary.roles import (
    TESTING,
    TRAINING,
    VALIDATION,
    Role,
    find_role,
    is_sure_cluster,
)
from replicast.reading.vocabulary.summaries import is_cost, is_difference, is_summary

_LISTED = 1000  # rows of a table in which some may stand for more than a score
_PARTS = TRAINING | TESTING | VALIDATION
_RIGHT = {pair.split("/")[0] for pair in word_lists()["verdicts"]}
_FINISHED, _UNFINISHED = word_lists()["finished"], word_lists()["unfinished"]


@dataclass(frozen=True)
class Table:
    """A sheet and what is known about its columns."""

    sheet: Sheet
    columns: dict[str, Column]

    def find(self, *roles: Role) -> list[Column]:
        """Return the columns of these roles, in the order of the sheet."""
        return [column for column in self.columns.values() if column.role in roles]

    def first(self, *roles: Role) -> str | None:
        """Return the first column of these roles, those that vary before those that do not."""
        found = sorted(self.find(*roles), key=lambda column: column.different < 2)
        return found[0].name if found else None


def cluster_column(table: Table, request: Request) -> str | None:
    """Return the column of clusters: the one asked for, or one whose name leaves no doubt."""
    if request.cluster_column is not None or request.unrelated:
        return request.cluster_column
    sure = [c.name for c in table.find("cluster") if is_sure_cluster(c.name)]
    return sure[0] if sure else None


def prepare(sheet: Sheet, request: Request) -> Table:
    """Choose the rows asked for, and leave out what is no score."""
    sheet = _chosen(sheet, request)
    sheet.require(list(request.columns.values()), "a table")
    sheet = right_or_wrong(tidied(sheet))
    sheet, columns = _of_the_test_set(sheet, describe_columns(sheet), request)
    return _settled(without_summaries(Table(sheet, columns)), request)


def right_or_wrong(sheet: Sheet) -> Sheet:
    """Take pass and fail, C and I, yes and no for 1 and 0 where no other column holds scores."""
    columns = describe_columns(sheet)
    free = (None, "score", "status")
    if any(c.role in ("truth", "prediction") for c in columns.values()):
        return sheet
    scores = [c for c in columns.values() if c.is_number and c.role in (None, "score")]
    if any(not pd.api.types.is_bool_dtype(sheet.frame[c.name]) for c in scores):
        return sheet
    frame, notes = sheet.frame, []
    for name, column in columns.items():
        told = sheet.coded(name)
        texts = [str(cell).strip().casefold() for cell in told.found]
        if column.role not in free or not are_verdicts(texts):
            continue
        values = np.array([*(float(text in _RIGHT) for text in texts), np.nan])
        cells = values[told.codes]
        frame = frame.assign(**{name: cells if np.isnan(cells).any() else cells.astype(bool)})
        right, wrong = sorted(told.labels, key=lambda text: text.casefold() not in _RIGHT)
        notes.append(f"{right} is right and {wrong} is wrong in {name}.")
    if not notes:
        return sheet
    return replace(sheet, frame=frame, notes=(*sheet.notes, *notes))


def of_finished_runs(sheet: Sheet, request: Request) -> Sheet:
    """Leave out runs that a column of states calls crashed or still running, beside finished ones."""
    asked = {*request.where, *request.columns.values()}
    for name in sheet.columns:
        if find_role(name) != "status" or name in asked:
            continue
        told = sheet.coded(name)
        states = [str(cell).strip().casefold() for cell in told.found]
        if {*states} <= _FINISHED | _UNFINISHED and not _FINISHED.isdisjoint(states):
            gone = told.where([state in _UNFINISHED for state in states])
            count = int(gone.sum())
            if count:
                named = listing([one for one, state in zip(told.labels, states, strict=True)
                                 if state in _UNFINISHED])  # fmt: skip
                runs = f"{count} run{'s' * (count != 1)} that did not finish"
                note = f"Left out {runs}: {named} in column {called(name)}."
                return sheet.take(np.flatnonzero(~gone), note)
    return sheet


def _settled(table: Table, request: Request) -> Table:
    """Ask about a column that is called dataset or classifier and holds fold 1, fold 2."""
    asked, columns = request.columns, dict(table.columns)
    said: tuple[Role, ...] = ("case", "answer")
    for key in said:
        if key in asked:
            columns[asked[key]] = replace(columns[asked[key]], role=key)
    for name, column in table.columns.items():
        role = find_role(name)
        if role not in ("dataset", "classifier") or column.role in (role, None):
            continue
        if name == asked.get(role):
            columns[name] = replace(column, role=role)
        elif name not in asked.values():
            place = "run" if column.role in ("run", "seed") else "fold"
            remedy = f"Say `{role}_column={name}` if they are called so, or `{place}_column={name}`"
            got = f"{listing(table.sheet.coded(name).labels, 3)} in column {name}"
            domain, argument = f"names of {role}s", f"{role}_column"
            raise InvalidContentError(table.sheet.name, domain, got, remedy, argument)
    return Table(table.sheet, columns)


def _chosen(sheet: Sheet, request: Request) -> Sheet:
    """Keep the rows whose columns have the values asked for; `dataset!` has another."""
    for told_column, value in request.where.items():
        column = plain_column(told_column, sheet.columns)
        if column not in sheet.frame.columns:
            known = sheet.columns
            raise invalid(
                "where", f"about one of {listing(known)}", repr(column), nearest(column, known)
            )
        told = sheet.coded(column)
        wanted = label_of(value)
        named = told.where([label == wanted for label in told.labels])
        if not named.any():
            found = listing(list(dict.fromkeys(told.labels)))
            raise invalid("where", f"a value that {column} has: {found}", repr(value))
        sign, rows = "=", np.flatnonzero(named)
        if column != told_column:
            sign, rows = "other than", np.flatnonzero(~named)
        if not len(rows):
            raise invalid(
                "where", f"such that rows are left, where {column} is never another", repr(value)
            )
        sheet = sheet.take(rows, f"Kept {len(rows):,} rows with {column} {sign} {wanted}.")
    return sheet


def _of_the_test_set(
    sheet: Sheet, columns: dict[str, Column], request: Request
) -> tuple[Sheet, dict[str, Column]]:
    """Keep the rows of the test set where a column tells them from those of the training set."""
    asked = set(request.columns.values())
    for column in columns.values():
        if column.is_number or column.is_empty or column.different > 6 or column.name in asked:
            continue
        told = sheet.coded(column.name)
        words = [str(cell).strip().casefold() for cell in told.found]
        kinds = set(words)
        if not kinds <= _PARTS or len(kinds) < 2 or (told.codes < 0).any():
            continue
        rest = kinds - TRAINING
        wanted = kinds & TESTING or rest
        if len(wanted) != 1:
            domain = "rows of one test set"
            remedy = f"Say which with `where={column.name}=...`"
            got = f"{listing(sorted(kinds))} in column {called(column.name)}"
            raise InvalidContentError(sheet.name, domain, got, remedy, "where")
        [kept] = wanted
        if column.role in ("dataset", "classifier"):
            label = told.labels[words.index(kept)]
            remedy = (
                f"Say `where={column.name}={label}`, or `{column.role}_column={column.name}` if "
                f"{column.role}s are called so"
            )
            got = f"{listing(told.labels)} in column {called(column.name)}"
            raise InvalidContentError(sheet.name, "rows of one test set", got, remedy, "where")
        rows = np.flatnonzero(told.where([word == kept for word in words]))
        count = len(told.codes)
        note = f"Only the {len(rows):,} rows with {column.name} = {kept} were used, of {count:,}."
        sheet = sheet.take(rows, note).without([column.name])
        return sheet, describe_columns(sheet)
    return sheet, columns


def without_summaries(table: Table) -> Table:
    """Leave out rows that sum up or compare others, and those of times and sizes of models."""
    sheet, columns = table.sheet, table.columns
    kept = _without_costs(sheet, columns)
    kept = _without_summed(kept, columns if kept is sheet else describe_columns(kept))
    found = table if kept is sheet else Table(kept, describe_columns(kept))
    _refuse_odd_places(found)
    return found


def _refuse_odd_places(table: Table) -> None:
    """Refuse a name among the numbers of folds, runs or seeds: a row that is something else."""
    for column in table.find("fold", "run", "seed", "iteration"):
        cells = table.sheet.frame[column.name]
        if pd.api.types.is_numeric_dtype(cells) or column.different > _LISTED:
            continue
        told = table.sheet.coded(column.name)
        names = [not label.isdecimal() for label in told.labels]
        if 0 < sum(names) < len(names) / 2:
            at = int(np.flatnonzero(told.where(names))[0])
            place = f"{table.sheet.place(at)}, column {called(column.name)}"
            remedy = "Remove the row, if it sums up others"
            got = repr(shorten(told.labels[names.index(True)]))
            raise InvalidContentError(place, "a number as in other rows", got, remedy)


def _without_costs(sheet: Sheet, columns: dict[str, Column]) -> Sheet:
    """Leave out rows of a wide table that are called times, sizes of models or differences."""
    texts = [c for c in columns.values() if not c.is_number and not c.is_empty]
    long = any(c.role in ("classifier", "truth", "prediction") for c in columns.values())
    if long or not texts or texts[0].role not in (None, "dataset") or len(sheet.frame) > _LISTED:
        return sheet
    told = sheet.coded(texts[0].name)
    gone = told.where(list(map(is_cost, told.labels)))
    compared = told.where(list(map(is_difference, told.labels)))
    numbers = [c.name for c in columns.values() if c.is_number]
    if compared.any() and numbers:
        scores = np.array([sheet.parsed(name).values for name in numbers])
        gone |= compared & [_is_low(scores, row) for row in range(len(compared))]
    if not gone.any() or gone.mean() > 0.5:
        return sheet
    names = [told.labels[code] for code in dict.fromkeys(told.codes[gone])]
    note = (
        f"Left out rows that are no scores: {listing(names, 5)} in column {called(texts[0].name)}."
    )
    return retyped(sheet.take(np.flatnonzero(~gone), note))


def _is_low(scores: Floats, row: int) -> bool:
    """Say whether the numbers of a row are far below those of the others, or signed alone."""
    own, rest = scores[:, row], np.delete(scores, row, axis=1)
    own, rest = own[np.isfinite(own)], rest[np.isfinite(rest)]
    if not own.size or not rest.size or rest.min() < 0:
        return False
    return bool(own.min() < 0 or own.max() < 0.5 * np.median(rest))


def _without_summed(sheet: Sheet, columns: dict[str, Column]) -> Sheet:
    """Leave out rows that sum up others, by their names."""
    for column in columns.values():
        if pd.api.types.is_numeric_dtype(sheet.frame[column.name]) or column.role in (
            "classifier",
            "metric",
            "truth",
            "prediction",
            "status",
        ):
            continue
        if column.is_number and column.role is None:
            continue  # a dash among scores is a missing one
        told = sheet.coded(column.name)
        known = [is_summary(label) for label in told.labels]
        summary = told.where(known)
        if _is_unnamed_last(columns, told.codes):
            summary[-1] = True
        if not summary.any() or summary.all():
            continue
        if summary.mean() > 0.5 and len(sheet.frame) < _LISTED:
            got = f"mostly rows that sum up others ({listing(told.labels, 4)})"
            remedy = "Give the scores themselves: one row per dataset, fold or case"
            raise InvalidContentError(sheet.name, "a row for each dataset or fold", got, remedy)
        names = [
            shorten(label) for label, sums_up in zip(told.labels, known, strict=True) if sums_up
        ] or ["the last, which has no name"]
        note = f"Left out rows that sum up others: {listing(names, 5)} in column {called(column.name)}."
        return retyped(sheet.take(np.flatnonzero(~summary), note))
    return sheet


def _is_unnamed_last(columns: dict[str, Column], codes: Codes) -> bool:
    """Tell a last row without a name below rows that have one each, in a table of a paper."""
    long = any(c.role in ("classifier", "truth", "prediction") for c in columns.values())
    few = 2 < len(codes) < _LISTED
    return few and not long and codes[-1] < 0 and bool((np.diff(np.sort(codes[:-1])) > 0).all())


def repeats(table: Table) -> list[Column]:
    """Return the columns that number runs, or else seeds; names of single rows number nothing."""
    runs = table.find("run")
    if table.find("seed") and all(c.different == len(table.sheet.frame) for c in runs):
        return table.find("seed")
    return runs or table.find("seed")


def one_of(columns: list[Column], what: str, sheet: Sheet) -> str | None:
    """Return the only column of a role that varies; ask where several do, and differ."""
    varying = [column.name for column in columns if column.different > 1]
    if not varying:
        return columns[0].name if columns else None
    first = varying[0]
    for other in varying[1:]:
        if not _same_partition(sheet.labels(first).codes, sheet.labels(other).codes):
            domain = f"one column of {what}"
            remedy = f"Say which with `{what}_column=...`"
            raise InvalidContentError(
                sheet.name, domain, listing(varying), remedy, f"{what}_column"
            )
    return first


def _same_partition(first: Codes, second: Codes) -> bool:
    pairs = len(np.unique(first * (int(second.max(initial=0)) + 1) + second.astype(np.int64)))
    return pairs == len(np.unique(first)) == len(np.unique(second))
