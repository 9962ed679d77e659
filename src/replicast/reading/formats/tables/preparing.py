"""A table before it is read: the rows asked for, every column with its role, no row that sums up."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicast.errors import Choice, InvalidContentError, invalid, nearest, shorten
from replicast.formatting import LEFT_OUT, plural
from replicast.reading.columns import Column, describe_columns
from replicast.reading.formats.tables.summing import last_means, may_be_no_score, says_no_score
from replicast.reading.formats.tables.verdicts import right_or_wrong
from replicast.reading.requests import Request, plain_column
from replicast.reading.sheets import Sheet, called, label_of, listing
from replicast.reading.vocabulary.naming import word_lists
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

_LISTED = 1000  # rows of a table in which some may sum up others
_PARTS = TRAINING | TESTING | VALIDATION
_MOST_PARTS = 6
_FINISHED, _UNFINISHED = word_lists()["finished"], word_lists()["unfinished"]
_NO_NAMES: tuple[Role, ...] = ("classifier", "metric", "truth", "prediction", "status")


@dataclass(frozen=True)
class Table:
    """A sheet and what is known about its columns."""

    sheet: Sheet
    columns: dict[str, Column]

    def find(self, *roles: Role | None) -> list[Column]:
        """Return the columns of these roles, in the order of the sheet."""
        return [column for column in self.columns.values() if column.role in roles]

    def first(self, *roles: Role) -> str | None:
        """Return the first column of these roles, those that vary before those that do not."""
        found = sorted(self.find(*roles), key=lambda column: column.different < 2)
        return found[0].name if found else None

    def one(self, what: str, *roles: Role) -> str | None:
        """Return the only column of some roles that varies; ask where several do, and differ.

        Datasets of several domains are named by the column that tells most of them apart.
        """
        varying = [column.name for column in self.find(*roles) if column.different > 1]
        if len(varying) < 2:
            return varying[0] if varying else self.first(*roles)
        frame = self.sheet.frame[varying].drop_duplicates()
        finest = [name for name in varying if not frame[name].duplicated().any()]
        if not finest or (len(finest) < len(varying) and what != "dataset"):
            domain, remedy = f"one column of {what}", f"Say which with `{what}_column=...`"
            raise self.refusal(domain, listing(varying), remedy, f"{what}_column")
        return finest[0]

    def repeats(self, *columns: str) -> bool:
        """Say whether two rows have the same cells in some columns."""
        return bool(self.sheet.frame.duplicated([*columns]).any()) if columns else True

    def refusal(
        self, domain: str, got: str, remedy: str = "", argument: str = "source"
    ) -> InvalidContentError:
        """Return the refusal of what stands in this table."""
        return InvalidContentError(self.sheet.name, domain, got, remedy, argument)

    def question(
        self, argument: str, domain: str, got: str, choices: Sequence[Choice]
    ) -> InvalidContentError:
        """Return the question what this table means."""
        return self.refusal(domain, got, "", argument).offering(choices)


def described(sheet: Sheet) -> Table:
    """Return a sheet with what is known about its columns."""
    return Table(sheet, describe_columns(sheet))


def prepare(sheet: Sheet, request: Request) -> Table:
    """Choose the rows asked for, give columns their roles, and leave out what is no score."""
    sheet = rows_asked_for(sheet, request)
    sheet.require(list(request.columns.values()), "a table")
    _require_notes(sheet, request)
    sheet = _without_lone(sheet)
    table = described(right_or_wrong(sheet, describe_columns(sheet), request))
    table = _without_summaries(_of_the_test_set(table, request))
    _refuse_odd_places(table)
    return Table(table.sheet, _as_asked(table.columns, request))


def _require_notes(sheet: Sheet, request: Request) -> None:
    """Refuse a note that is neither a column nor the name of a row."""
    notes = [name for name in request.notes_among(sheet.columns) or () if name not in sheet.columns]
    if notes:
        texts = [c for c in sheet.columns if not pd.api.types.is_numeric_dtype(sheet.frame[c])]
        known = {label for column in texts for label in sheet.coded(column).labels}
        sheet.require([name for name in notes if name not in known], "a table")


def _without_lone(sheet: Sheet) -> Sheet:
    """Leave out lines with one cell, which are headings, rules and footnotes, and say so."""
    if len(sheet.columns) < 3 or len(sheet.frame) > _LISTED:
        return sheet
    told = sheet.frame.notna().to_numpy()
    lone = told.sum(axis=1) == 1
    if not lone.any() or lone.mean() > 0.5:
        return sheet
    first = [str(sheet.frame.iloc[int(at), int(told[at].argmax())]) for at in np.flatnonzero(lone)]
    note = f"{LEFT_OUT}lines with one cell: {listing(first, 3)}."
    return retyped(sheet.keep(~lone, note))


def _as_asked(columns: dict[str, Column], request: Request) -> dict[str, Column]:
    """Give columns the roles that the caller named them for; others of these roles have none."""
    found = dict(columns)
    alike: dict[str, tuple[Role, ...]] = {"run": REPEATS, "fold": PLACES}
    for key, name in request.columns.items():
        same = alike.get(key, (key,))
        if key not in ("cluster", "score"):
            others = {c.name for c in columns.values() if c.role in same and c.name != name}
            found |= {other: replace(columns[other], role="remark") for other in others}
        kept = key in alike and found[name].role in (*PLACES, *REPEATS)
        if not kept:
            found[name] = replace(found[name], role=key)  # type: ignore[arg-type]  # a role
    return found


def of_finished_runs(sheet: Sheet, request: Request) -> Sheet:
    """Leave out runs that a column of states calls crashed or still running, beside finished ones."""
    asked = {*request.where, *request.columns.values()}
    for name in sheet.columns:
        if find_role(name) != "status" or name in asked:
            continue
        told = sheet.coded(name)
        gone = told.where([state in _UNFINISHED for state in told.words])
        if {*told.words} <= _FINISHED | _UNFINISHED and gone.any() and not gone.all():
            states = listing([one for one in told.labels if one.casefold() in _UNFINISHED])
            runs = plural(int(gone.sum()), "run")
            note = f"{LEFT_OUT}{runs} that did not finish: {states} in column {called(name)}."
            return sheet.keep(~gone, note)
    return sheet


def rows_asked_for(sheet: Sheet, request: Request) -> Sheet:
    """Keep the rows whose columns have the values asked for; `dataset!` has another."""
    for told_column, value in request.where.items():
        column = plain_column(told_column, sheet.columns)
        if column not in sheet.frame.columns:
            known = sheet.columns
            domain = f"about one of {listing(known)}"
            raise invalid("where", domain, repr(column), nearest(column, known))
        told = sheet.coded(column)
        wanted = label_of(value)
        kept = told.where([label == wanted for label in told.labels])
        if not kept.any():
            found = listing(list(dict.fromkeys(told.labels)))
            raise invalid("where", f"a value that {column} has: {found}", repr(value))
        sign = "="
        if column != told_column:
            sign, kept = "other than", ~kept
        if not kept.any():
            domain = f"such that rows are left, where {column} is never another"
            raise invalid("where", domain, repr(value))
        sheet = sheet.keep(kept, f"Kept {kept.sum():,} rows with {column} {sign} {wanted}.")
    return sheet


def _of_the_test_set(table: Table, request: Request) -> Table:
    """Keep the rows of the test set where a column tells them from those of the training set."""
    asked = request.columns.values()
    for column in table.columns.values():
        if column.is_number or column.name in asked or not 1 < column.different <= _MOST_PARTS:
            continue
        told = table.sheet.coded(column.name)
        parts = {*told.words}
        if not parts <= _PARTS or (told.codes < 0).any():
            continue
        wanted = parts & TESTING or parts - TRAINING
        if len(wanted) != 1 or column.role in ("dataset", "classifier"):
            remedy = f"Say which with `where={column.name}=...`"
            got = f"{listing(sorted(parts))} in column {called(column.name)}"
            raise table.refusal("rows of one test set", got, remedy, "where")
        [part] = wanted
        kept = told.where([word == part for word in told.words])
        note = (
            f"Only the {kept.sum():,} rows with {column.name} = {part} were used, of {len(kept):,}."
        )
        return described(table.sheet.keep(kept, note).without([column.name]))
    return table


def _without_summaries(table: Table) -> Table:
    """Leave out rows that sum up others or say what models cost, by their names and their numbers."""
    sheet = table.sheet
    wide = not table.find("classifier", "truth", "prediction") and len(sheet.frame) <= _LISTED
    for column in table.columns.values():
        if column.role in _NO_NAMES or (column.is_number and column.role is None):
            continue  # a dash among scores is a missing one
        if pd.api.types.is_numeric_dtype(sheet.frame[column.name]):
            continue
        told = sheet.coded(column.name)
        named = wide and column.role in (None, "dataset")
        doubtful = [label for label in told.outer if may_be_no_score(label, named=named)]
        why = _no_scores(table, column, doubtful, named=named)
        gone = told.where([label in why for label in told.labels])
        if not gone.any() or gone.all():
            continue
        are = max(why.values())
        mostly = told.where([label in doubtful for label in told.labels]).mean() > 0.5
        if mostly and len(sheet.frame) < _LISTED:
            got = f"mostly rows that {are} ({listing(doubtful, 4)})"
            remedy = "Give the scores themselves: one row per dataset, fold or case"
            raise table.refusal("a row for each dataset or fold", got, remedy)
        where = f"{listing([*why], 5)} in column {called(column.name)}"
        return described(retyped(sheet.keep(~gone, f"{LEFT_OUT}rows that {are}: {where}.")))
    return table


def _no_scores(table: Table, column: Column, doubtful: list[str], *, named: bool) -> dict[str, str]:
    """Return the names of rows that hold no scores, and why; `named` if rows may be anything."""
    labels = table.sheet.coded(column.name).labels
    texts = [c for c in table.columns.values() if not c.is_number and not c.is_empty]
    alone = named and texts == [column] and len(labels) == len(table.sheet.frame)
    if not doubtful and not alone:
        return {}
    rows = _numbers_by_name(table, column)
    others = rows.loc[[label not in doubtful for label in labels]].to_numpy()
    why = {
        label: reason
        for label in doubtful
        if (reason := says_no_score(label, rows.loc[label].to_numpy(), others, named=named))
    }
    if alone:
        known = [at for at, label in enumerate(labels) if label in why]
        why |= {labels[at]: "sum up others" for at in last_means(rows.to_numpy(), known)}
    return why


def _numbers_by_name(table: Table, column: Column) -> pd.DataFrame:
    """Return the mean numbers of each name of rows, a column for each column, model and measure."""
    keys = {c.name: table.sheet.coded(c.name).codes for c in table.find("classifier", "metric")}
    names = table.sheet.coded(column.name)
    numbers = {
        c.name: table.sheet.parsed(c.name).values
        for c in table.columns.values()
        if c.is_number and c.role in (None, "score") and c is not column
    }
    frame = pd.DataFrame(numbers)
    if len(names.labels) == len(frame):
        return frame.set_axis(names.labels, axis=0)
    means = frame.groupby([pd.Series(names.codes, name=""), *map(pd.Series, keys.values())]).mean()
    if keys:
        means = pd.DataFrame(means.unstack(list(range(1, 1 + len(keys)))))
    return means.reindex(range(len(names.labels))).set_axis(names.labels, axis=0)


def _refuse_odd_places(table: Table) -> None:
    """Refuse a name among the numbers of folds, runs or seeds: a row that is something else."""
    for column in table.find("fold", "iteration", *REPEATS):
        told = table.sheet.coded(column.name)
        names = [not label.isdecimal() for label in told.labels]
        if 0 < sum(names) < len(names) / 2:
            at = int(np.flatnonzero(told.where(names))[0])
            got, place = shorten(told.labels[names.index(True)]), table.sheet.cell(at, column.name)
            remedy = "Remove the row, if it sums up others"
            raise InvalidContentError(place, "a number as in other rows", repr(got), remedy)


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
