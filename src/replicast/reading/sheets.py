"""Sheets: columns that know the file and the row they came from."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.arrays import Bools, Floats
from replicast.errors import InvalidContentError, invalid, nearest, shorten
from replicast.reading.vocabulary.cells import Numbers, parse_coded, plain_numbers

Codes = NDArray[np.signedinteger[Any]]
_COMMA = re.compile(r"[-+]?(\d++),(\d++)\s*+%?+\s*+(?:±.*)?")
_LOOKED_AT = 2000  # different cells of a column


@dataclass(frozen=True)
class Key:
    """A column that tells rows apart: a code for each row, and the names behind the codes."""

    codes: Codes
    names: tuple[str, ...]

    @property
    def is_single(self) -> bool:
        """Whether all rows have one name."""
        return len(self.names) == 1

    @classmethod
    def constant(cls, name: str, rows: int) -> Self:
        """Return a key with one name for all rows."""
        return cls(np.zeros(rows, dtype=np.intp), (name,))

    def take(self, rows: Codes) -> "Key":
        """Return the key of chosen rows; names that no row has any more are left out."""
        codes = self.codes[rows]
        kept, again = np.unique(codes, return_inverse=True)
        return Key(np.asarray(again, dtype=np.intp), tuple(self.names[i] for i in kept))


@dataclass(frozen=True)
class Coded:
    """A column as its different cells, in order of appearance, and a code for each row.

    The code of an empty cell is -1. Whatever is asked about cells is asked about the different ones:
    a table has far fewer of them than rows.
    """

    codes: Codes
    found: "pd.Index[Any]"

    @cached_property
    def labels(self) -> list[str]:
        """The different cells as names."""
        return [label_of(cell) for cell in self.found]

    @property
    def outer(self) -> list[str]:
        """The labels whose words are looked at: all, or those at both ends of a long table."""
        if len(self.labels) <= 2 * _LOOKED_AT:
            return self.labels
        return self.labels[:_LOOKED_AT] + self.labels[-_LOOKED_AT:]

    @cached_property
    def words(self) -> list[str]:
        """The different cells in small letters."""
        return [str(cell).strip().casefold() for cell in self.found]

    def where(self, chosen: Sequence[bool], *, empty: bool = False) -> NDArray[np.bool_]:
        """Say of every row whether its cell is chosen; `empty` is the answer for empty cells."""
        return np.array([*chosen, empty], dtype=bool)[self.codes]


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A table and how to speak of its rows."""

    name: str  # file, or what else the table came from
    frame: pd.DataFrame  # columns with text names
    first_row: int = 2  # as an editor counts: 2 under a header line
    # row numbers, where they are not consecutive
    rows: Codes | None = field(default=None, repr=False)
    # name and first position of every file, if there are several
    files: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()  # what had to be assumed to read it
    caption: str = ""  # what stands above the table, or the name of its sheet
    verdicts: tuple[str, ...] = ()  # columns whose words said right or wrong

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.frame.columns)

    def place(self, position: int) -> str:
        """Name the file and row of a position; rows are counted as an editor counts."""
        row = self.first_row + position if self.rows is None else int(self.rows[position])
        file = next((name for name, start in reversed(self.files) if start <= position), self.name)
        return f"{file}, row {row}"

    def cell(self, position: int, column: str) -> str:
        """Name the file, row and column of a cell, as they stand in the file."""
        return f"{self.place(position)}, column {called(column)}"

    @cached_property
    def _coded(self) -> "dict[str, Coded]":
        return {}

    def coded(self, column: str) -> "Coded":
        """Return a column as its different cells and a code for each row; found once."""
        if column not in self._coded:
            cells = self.frame[column]
            try:
                codes, found = pd.factorize(cells)
            except TypeError:  # dicts and lists cannot be told apart so
                codes, found = pd.factorize(cells.map(str, na_action="ignore"))
            self._coded[column] = Coded(
                np.asarray(codes, dtype=np.int32), pd.Index(np.asarray(found))
            )
        return self._coded[column]

    @property
    def longest(self) -> int:
        """Number of letters in the longest cell."""
        texts = [one for one in self.columns if self.frame[one].dtype.kind not in "iufbcmM"]
        cells = (cell for column in texts for cell in self.coded(column).found)
        return max((len(cell) for cell in cells if isinstance(cell, str)), default=0)

    @cached_property
    def decimal_comma(self) -> bool:
        """Whether commas in cells are decimal: one stands where none can between thousands."""
        for column in self.frame.columns:
            if self.frame[column].dtype.kind in "OUT" or str(self.frame[column].dtype) == "str":
                cells = self.coded(column).found[:_LOOKED_AT]
                for found in filter(None, (_COMMA.fullmatch(str(cell).strip()) for cell in cells)):
                    if len(found[2]) != 3 or len(found[1]) > 3 or found[1].startswith("0"):
                        return True
        return False

    def parsed(self, column: str) -> Numbers:
        """Return a column as numbers, whatever stands in it."""
        cells = self.frame[column]
        if pd.api.types.is_numeric_dtype(cells):
            return plain_numbers(cells)
        told = self.coded(column)
        return parse_coded(told.codes, list(told.found), comma=self.decimal_comma)

    def read(self, column: str) -> Numbers:
        """Return a column as numbers, or name the first cell that is none."""
        cells = self.frame[column]
        found = self.parsed(column)
        if found.wrong.any():
            at = int(np.flatnonzero(found.wrong)[0])
            place, got = self.cell(at, column), _shown(cells.iloc[at])
            if found.wrong.sum() > np.isfinite(found.values).sum():
                place, got = f"{self.name}, column {called(column)}", f"words, as {got}"
                remedy = "Name the column of the scores with `score_column=...`"
                raise InvalidContentError(place, "numbers, or pass and fail", got, remedy)
            raise InvalidContentError(place, "a number", got, "Remove the row or complete it")
        if found.unclear is not None:
            place = f"{self.name}, column {called(column)}"
            got = f"{found.unclear!r}, where the comma may be either"
            remedy = "Write it with a decimal point, or without a comma between thousands"
            raise InvalidContentError(place, "numbers that can be read in one way", got, remedy)
        return found

    def numbers(self, column: str) -> Floats:
        """Return a column as finite floats, NaN where a cell is missing."""
        return self.read(column).values

    def labels(self, column: str) -> Key:
        """Return a key column, names in order of appearance; no cell may be empty."""
        codes, texts = self.coded(column).codes, self.coded(column).labels
        again, names = pd.factorize(np.array(texts, dtype=object))
        if (codes < 0).any() or "" in texts:
            empty = texts.index("") if "" in texts else -1
            at = int(np.flatnonzero((codes < 0) | (codes == empty))[0])
            place = self.cell(at, column)
            remedy = "Remove the row or complete it"
            raise InvalidContentError(place, "a name", "an empty cell", remedy)
        known = tuple(map(str, names))
        return Key(codes if len(names) == len(texts) else again.astype(np.int32)[codes], known)

    def ranks(self, column: str) -> Key:
        """Return a key column, names in their natural order, numbers as numbers."""
        return in_order(self.labels(column))

    def take(self, rows: Codes, note: str | None = None) -> "Sheet":
        """Return a sheet of chosen rows."""
        numbers = self.first_row + rows if self.rows is None else self.rows[rows]
        return replace(
            self,
            frame=self.frame.iloc[rows].reset_index(drop=True),
            rows=np.asarray(numbers, dtype=np.intp),
            files=self._files_of(rows),
            notes=self.notes if note is None else (*self.notes, note),
        )

    def keep(self, chosen: Bools, note: str | None = None) -> "Sheet":
        """Return a sheet of the rows for which it is said."""
        return self.take(np.flatnonzero(chosen), note)

    def _files_of(self, rows: Codes) -> tuple[tuple[str, int], ...]:
        if not self.files:
            return ()
        starts = np.array([start for _, start in self.files])
        return tuple(
            (name, int(np.searchsorted(rows, start)))
            for (name, _), start in zip(self.files, starts, strict=True)
        )

    def without(self, columns: Sequence[str], note: str | None = None) -> "Sheet":
        """Return a sheet without some columns."""
        notes = self.notes if note is None else (*self.notes, note)
        return replace(self, frame=self.frame.drop(columns=list(columns)), notes=notes)

    def with_frame(self, frame: pd.DataFrame, rows: Codes) -> "Sheet":
        """Return a sheet of other columns, each of its rows made from one of these."""
        numbers = self.first_row + rows if self.rows is None else self.rows[rows]
        return replace(self, frame=frame, rows=np.asarray(numbers, dtype=np.intp))

    def require(self, columns: Sequence[str | None], what: str) -> None:
        """Refuse a sheet without one of `columns`."""
        for column in columns:
            if column is not None and column not in self.frame.columns:
                raise invalid(
                    "source",
                    f"{what} with a column {column}",
                    f"{self.name} with columns {listing(self.columns)}",
                    nearest(column, self.columns),
                )


def in_order(key: Key) -> Key:
    """Return a key whose names stand in their natural order: numbers as numbers, fold2 before fold10."""

    def natural(name: str) -> list[tuple[int, float, str]]:
        return [
            (0, float(part), "") if part.isdecimal() else (1, 0.0, part)
            for part in re.split(r"(\d+)", name)
            if part
        ]

    order = sorted(range(len(key.names)), key=lambda at: natural(key.names[at]))
    if order == list(range(len(order))):
        return key
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order))
    return Key(place[key.codes], tuple(key.names[at] for at in order))


def label_of(value: object) -> str:
    """Write a cell as a name; 3.0 is 3, since a gap elsewhere makes floats of whole numbers."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value).strip()


def _shown(cell: Any) -> str:
    return shorten(repr(getattr(cell, "item", lambda: cell)()))


_UNNAMED = re.compile(r"Unnamed: (\d+)(?:_level_\d+)?")


def called(column: str) -> str:
    """Write the name of a column, or its number if it has none.

    Examples
    --------
    >>> called("fold "), called("Unnamed: 0")
    ('fold', '1 (without a name)')
    """
    found = _UNNAMED.fullmatch(column.strip())
    return f"{int(found[1]) + 1} (without a name)" if found else column.strip()


def left_out(reasons: Mapping[str, str]) -> tuple[str, ...]:
    """Say which columns are not used, and why.

    Examples
    --------
    >>> left_out({"time": "you said so", "score": "no model is called so"})
    ('Not used, since you said so: time.', 'Not used, since no model is called so: score.')
    """
    return tuple(
        f"Not used, since {why}: {listing([name for name in reasons if reasons[name] == why])}."
        for why in dict.fromkeys(reasons.values())
    )


def listing(names: Sequence[str] | pd.Index, most: int = 12) -> str:
    """Write names in a row, the first ones if there are many.

    Examples
    --------
    >>> listing(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    texts = [
        f"column {called(str(name))}"
        if _UNNAMED.fullmatch(str(name).strip())
        else shorten(str(name).strip()) or "one without a name"
        for name in names[: most + 1]
    ]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(texts[:most]) + more


def join_sheets(sheets: Sequence[Sheet], columns: Sequence[str]) -> Sheet:
    """Put sheets of one format under each other, keeping the columns asked for."""
    starts = np.cumsum([0] + [len(sheet.frame) for sheet in sheets])
    frames = [sheet.frame.reindex(columns=list(columns)).astype(object) for sheet in sheets]
    rows = [
        np.arange(len(s.frame)) + s.first_row if s.rows is None else s.rows for s in sheets
    ]  # fmt: skip
    name = sheets[0].name if len(sheets) == 1 else f"{len(sheets)} files"
    return Sheet(
        name=name,
        frame=pd.concat(frames, ignore_index=True),
        rows=np.concatenate(rows),
        files=tuple((s.name, int(start)) for s, start in zip(sheets, starts, strict=False)),
        notes=tuple(dict.fromkeys(note for sheet in sheets for note in sheet.notes)),
    )


def sheet_of(frame: pd.DataFrame, name: str = "data frame") -> Sheet:
    """Take a data frame as a sheet; an index that says something becomes a column."""
    if frame.index.nlevels > 1 or frame.index.name is not None:
        names = [
            f"Unnamed: {level}" if label is None else str(label)
            for level, label in enumerate(frame.index.names)
        ]
        frame = frame.set_axis(frame.index.set_names(names), axis=0).reset_index()
    elif not pd.api.types.is_numeric_dtype(frame.index):
        frame = frame.rename_axis("Unnamed: 0").reset_index()
    if frame.empty:
        raise invalid("source", "a table with at least one row of scores", f"an empty {name}")
    return Sheet(name=name, frame=named(frame.reset_index(drop=True), name), first_row=0)


def named(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return a frame whose columns have different names; several lines of names become one."""
    if frame.columns.nlevels > 1:
        columns = [
            " ~ ".join(filter(None, (str(part).strip() for part in parts)))
            for parts in frame.columns
        ]
    else:
        columns = [str(name).strip() for name in frame.columns]
    frame = frame.set_axis(columns, axis=1)
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise invalid(
            "source", "a table with a column of each name", f"{name}: {shorten(repr(twice))} twice"
        )
    return frame
