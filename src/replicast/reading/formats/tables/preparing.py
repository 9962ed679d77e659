"""A table before it is read: the rows asked for, every column with its role, no row that sums up."""

import re
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicast.arrays import Bools
from replicast.errors import InvalidContentError, invalid, nearest, shorten
from replicast.reading.columns import Column, describe_columns
from replicast.reading.formats.tables.verdicts import right_or_wrong
from replicast.reading.requests import Request, plain_column
from replicast.reading.sheets import Codes, Sheet, called, label_of, listing
from replicast.reading.syntaxes.grids import BETWEEN
from replicast.reading.vocabulary.naming import squeezed, word_lists
from replicast.reading.vocabulary.roles import (
    PLACES,
    REPEATS,
    TESTING,
    TRAINING,
    VALIDATION,
    Role,
    find_role,
    is_label,
)
from replicast.reading.vocabulary.summaries import is_cost, is_difference, is_summary

_LISTED = 1000  # rows of a table in which some may sum up others
_SURE = frozenset(("dataset", "datasets", "datensatz"))
_PARTS = TRAINING | TESTING | VALIDATION
_MOST_PARTS = 6
_TUPLE = re.compile(r"\([^(),]++(?:,[^(),]++)+\)")
_FINISHED, _UNFINISHED = word_lists()["finished"], word_lists()["unfinished"]
_NO_NAMES: tuple[Role, ...] = ("classifier", "metric", "truth", "prediction", "status")


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

    def one(self, what: str, *roles: Role) -> str | None:
        """Return the only column of some roles that varies; ask where several do, and differ."""
        found = self.find(*roles)
        varying = [column.name for column in found if column.different > 1]
        if not varying:
            return found[0].name if found else None
        varying = [name for name in varying if self._is_sure(name, varying)] or varying
        first = self.sheet.labels(varying[0]).codes if len(varying) > 1 else None
        for other in varying[1:]:
            if first is not None and not _are_same(first, self.sheet.labels(other).codes):
                remedy = f"Say which with `{what}_column=...`"
                raise InvalidContentError(
                    self.sheet.name,
                    f"one column of {what}",
                    listing(varying),
                    remedy,
                    f"{what}_column",
                )
        return varying[0]

    def _is_sure(self, name: str, others: list[str]) -> bool:
        """Say whether a column is called dataset and nothing else, and each is of one domain."""
        if squeezed(name) not in _SURE or len(others) < 2:
            return False
        frame = self.sheet.frame
        return len(frame[others].drop_duplicates()) == frame[name].nunique()


def _are_same(first: Codes, second: Codes) -> bool:
    pairs = len(np.unique(first * (int(second.max(initial=0)) + 1) + second.astype(np.int64)))
    return pairs == len(np.unique(first)) == len(np.unique(second))


def described(sheet: Sheet) -> Table:
    """Return a sheet with what is known about its columns."""
    return Table(sheet, describe_columns(sheet))


def prepare(sheet: Sheet, request: Request) -> Table:
    """Choose the rows asked for, give columns their roles, and leave out what is no score."""
    sheet = _chosen(sheet, request)
    sheet.require(list(request.columns.values()), "a table")
    _require_notes(sheet, request)
    hollow = [
        name
        for name in sheet.columns
        if name.startswith("Unnamed: ") and sheet.frame[name].isna().all()
    ]
    sheet = _without_lone(sheet.without(hollow) if hollow else sheet)
    sheet = _untupled(sheet)
    table = described(right_or_wrong(sheet, describe_columns(sheet), request))
    table = without_summaries(_of_the_test_set(table, request))
    _refuse_odd_places(table)
    _ask_places(table, request)
    return Table(table.sheet, _as_asked(table.columns, request))


def _require_notes(sheet: Sheet, request: Request) -> None:
    """Refuse a note that is neither a column nor the name of a row."""
    for name in request.notes_among(sheet.columns) or ():
        texts = [c for c in sheet.columns if not pd.api.types.is_numeric_dtype(sheet.frame[c])]
        if name not in sheet.columns and not any(name in sheet.coded(c).labels for c in texts):
            sheet.require([name], "a table")


def _without_lone(sheet: Sheet) -> Sheet:
    """Leave out lines with one cell, which are headings, rules and footnotes, and say so."""
    if len(sheet.columns) < 3 or len(sheet.frame) > _LISTED:
        return sheet
    told = sheet.frame.notna().to_numpy()
    lone = told.sum(axis=1) == 1
    if not lone.any() or lone.mean() > 0.5:
        return sheet
    first = [str(sheet.frame.iloc[int(at), int(told[at].argmax())]) for at in np.flatnonzero(lone)]
    note = f"Left out lines with one cell: {listing(first, 3)}."
    return retyped(sheet.take(np.flatnonzero(~lone), note))


def _untupled(sheet: Sheet) -> Sheet:
    """Take names apart that pandas wrote as tuples: ('accuracy', 'svm') above, ('iris', 0) beside."""
    named = {
        name: BETWEEN.join(part.strip(" '") for part in name.strip("()").split(","))
        for name in sheet.columns
        if _TUPLE.fullmatch(name)
    }
    sheet = replace(sheet, frame=sheet.frame.rename(columns=named)) if named else sheet
    first = sheet.columns[0]
    cells = sheet.coded(first).labels if len(sheet.frame) <= _LISTED else []
    if not cells or not all(map(_TUPLE.fullmatch, cells)):
        return sheet
    told = [cell.strip("()").split(",") for cell in sheet.frame[first]]
    parts = pd.DataFrame([[part.strip(" '") for part in cell] for cell in told], dtype=object)
    parts.columns = [f"Unnamed: {at}" for at in range(parts.shape[1])]
    rest = sheet.frame.drop(columns=first)
    return retyped(replace(sheet, frame=pd.concat([parts, rest], axis=1)))


def _as_asked(columns: dict[str, Column], request: Request) -> dict[str, Column]:
    """Give columns the roles that the caller named them for; others of these roles have none."""
    found = dict(columns)
    alike: dict[str, tuple[Role, ...]] = {"run": REPEATS, "fold": PLACES}
    for key, name in request.columns.items():
        same = alike.get(key, (key,))
        for other, column in columns.items():
            if other != name and column.role in same and key not in ("cluster", "score"):
                found[other] = replace(column, role="remark")
        told = found[name].role if found[name].role in (*PLACES, *REPEATS) else None
        kept = told if key in alike else None
        found[name] = replace(found[name], role=kept or key)  # type: ignore[arg-type]  # a role
    return found


def of_finished_runs(sheet: Sheet, request: Request) -> Sheet:
    """Leave out runs that a column of states calls crashed or still running, beside finished ones."""
    asked = {*request.where, *request.columns.values()}
    for name in sheet.columns:
        if find_role(name) != "status" or name in asked:
            continue
        told = sheet.coded(name)
        states = [str(cell).strip().casefold() for cell in told.found]
        if not {*states} <= _FINISHED | _UNFINISHED or _FINISHED.isdisjoint(states):
            continue
        gone = told.where([state in _UNFINISHED for state in states])
        count = int(gone.sum())
        if count:
            named = listing([one for one in told.labels if one.casefold() in _UNFINISHED])
            runs = f"{count} run{'s' * (count != 1)} that did not finish"
            note = f"Left out {runs}: {named} in column {called(name)}."
            return sheet.take(np.flatnonzero(~gone), note)
    return sheet


def _chosen(sheet: Sheet, request: Request) -> Sheet:
    """Keep the rows whose columns have the values asked for; `dataset!` has another."""
    for told_column, value in request.where.items():
        column = plain_column(told_column, sheet.columns)
        if column not in sheet.frame.columns:
            known = sheet.columns
            domain = f"about one of {listing(known)}"
            raise invalid("where", domain, repr(column), nearest(column, known))
        told = sheet.coded(column)
        wanted = label_of(value)
        named = told.where([label == wanted for label in told.labels])
        if not named.any():
            found = listing(list(dict.fromkeys(told.labels)))
            raise invalid("where", f"a value that {column} has: {found}", repr(value))
        other = column != told_column
        rows = np.flatnonzero(~named if other else named)
        if not len(rows):
            domain = f"such that rows are left, where {column} is never another"
            raise invalid("where", domain, repr(value))
        sign = "other than" if other else "="
        sheet = sheet.take(rows, f"Kept {len(rows):,} rows with {column} {sign} {wanted}.")
    return sheet


def _of_the_test_set(table: Table, request: Request) -> Table:
    """Keep the rows of the test set where a column tells them from those of the training set."""
    sheet = table.sheet
    for column in table.columns.values():
        asked = column.name in request.columns.values()
        if column.is_number or column.is_empty or asked or column.different > _MOST_PARTS:
            continue
        told = sheet.coded(column.name)
        words = [str(cell).strip().casefold() for cell in told.found]
        kinds = set(words)
        if not kinds <= _PARTS or len(kinds) < 2 or (told.codes < 0).any():
            continue
        wanted = kinds & TESTING or kinds - TRAINING
        if len(wanted) != 1 or column.role in ("dataset", "classifier"):
            remedy = f"Say which with `where={column.name}=...`"
            got = f"{listing(sorted(kinds))} in column {called(column.name)}"
            raise InvalidContentError(sheet.name, "rows of one test set", got, remedy, "where")
        [kept] = wanted
        rows = np.flatnonzero(told.where([word == kept for word in words]))
        count = len(told.codes)
        note = f"Only the {len(rows):,} rows with {column.name} = {kept} were used, of {count:,}."
        return described(sheet.take(rows, note).without([column.name]))
    return table


def without_summaries(table: Table) -> Table:
    """Leave out rows that sum up others or say what models cost, by the names of their rows."""
    sheet = table.sheet
    wide = not table.find("classifier", "truth", "prediction")
    for column in table.columns.values():
        if column.role in _NO_NAMES or not _may_name_rows(table, column):
            continue
        told = sheet.coded(column.name)
        names = wide and column.role in (None, "dataset") and len(sheet.frame) <= _LISTED
        known = [is_summary(label) or (names and is_cost(label)) for label in told.labels]
        summary = told.where(known)
        if names:
            summary |= _compared(table, told.where(list(map(is_difference, told.labels))))
        if not summary.any() or summary.all():
            continue
        labels = [told.labels[code] for code in dict.fromkeys(told.codes[summary])]
        are = "are no scores" if all(map(is_cost, labels)) else "sum up others"
        if summary.mean() > 0.5 and len(sheet.frame) < _LISTED:
            got = f"mostly rows that {are} ({listing(labels, 4)})"
            remedy = "Give the scores themselves: one row per dataset, fold or case"
            raise InvalidContentError(sheet.name, "a row for each dataset or fold", got, remedy)
        where = f"{listing(labels, 5)} in column {called(column.name)}"
        note = f"Left out rows that {are}: {where}."
        return described(retyped(sheet.take(np.flatnonzero(~summary), note)))
    return table


def _refuse_odd_places(table: Table) -> None:
    """Refuse a name among the numbers of folds, runs or seeds: a row that is something else."""
    for column in table.find("fold", "iteration", *REPEATS):
        if pd.api.types.is_numeric_dtype(table.sheet.frame[column.name]):
            continue
        told = table.sheet.coded(column.name)
        names = [not label.isdecimal() for label in told.labels]
        if 0 < sum(names) < len(names) / 2:
            at = int(np.flatnonzero(told.where(names))[0])
            place = table.sheet.cell(at, column.name)
            got = repr(shorten(told.labels[names.index(True)]))
            remedy = "Remove the row, if it sums up others"
            raise InvalidContentError(place, "a number as in other rows", got, remedy)


def _ask_places(table: Table, request: Request) -> None:
    """Ask about a column that is called dataset or classifier and holds fold 1, fold 2."""
    for name, column in table.columns.items():
        role = find_role(name)
        named = role not in ("dataset", "classifier") or column.role in (role, None)
        if named or name in request.columns.values():
            continue
        place = "run" if column.role in REPEATS else "fold"
        remedy = f"Say `{role}_column={name}` if they are called so, or `{place}_column={name}`"
        got = f"{listing(table.sheet.coded(name).labels, 3)} in column {name}"
        domain, argument = f"names of {role}s", f"{role}_column"
        raise InvalidContentError(table.sheet.name, domain, got, remedy, argument)


def _may_name_rows(table: Table, column: Column) -> bool:
    """Say whether cells are names; a dash among scores is a missing one."""
    numeric = pd.api.types.is_numeric_dtype(table.sheet.frame[column.name])
    return not numeric and not (column.is_number and column.role is None)


def _compared(table: Table, called_so: Bools) -> Bools:
    """Say which of the rows called differences hold some: far below the other rows, or signed alone."""
    numbers = [c.name for c in table.columns.values() if c.is_number]
    if not called_so.any() or not numbers:
        return np.zeros(len(called_so), dtype=bool)
    scores = np.array([table.sheet.parsed(name).values for name in numbers])
    rest = scores[:, ~called_so]
    rest = rest[np.isfinite(rest)]
    if not rest.size or rest.min() < 0:
        return np.zeros(len(called_so), dtype=bool)
    lowest, highest = np.fmin.reduce(scores), np.fmax.reduce(scores)
    low: Bools = called_so & ((lowest < 0) | (highest < 0.5 * np.median(rest)))
    return low


def retyped(sheet: Sheet) -> Sheet:
    """Read columns as numbers again that were text for the sake of rows left out, or of other files."""
    frame = sheet.frame.copy()
    for name in frame.columns:
        if pd.api.types.is_numeric_dtype(frame[name]) or is_label(name):
            continue
        numbers = pd.to_numeric(frame[name].astype(object), errors="coerce")
        if numbers.notna().any() and (numbers.notna() | frame[name].isna()).all():
            frame[name] = numbers
    return replace(sheet, frame=frame)
