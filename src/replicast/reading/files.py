"""Bytes on disk become sheets: columns that know the file and the row they came from."""

import csv
import gzip
import io
import os
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.arrays import Floats
from replicast.errors import InvalidArgumentError, InvalidContentError, invalid, shorten

LARGEST = 2 * 1024**3
_HEAD = 65536
COMPLETE = "Complete the table, or say `missing=drop-dataset` or `missing=drop-classifier`"
# before version 3 pandas gave some numbers with 17 digits a last bit of its own
_EXACT_NUMBERS: dict[str, Any] = (
    {} if int(pd.__version__.partition(".")[0]) >= 3 else {"float_precision": "round_trip"}
)
_MARK = b"\xef\xbb\xbf"  # pandas reads utf-8 from bytes at once, utf-8-sig only through text


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A table and how to speak of its rows.

    Attributes
    ----------
    name : str
        File, or what else the table came from.
    frame : DataFrame
        Columns with text names.
    first_row : int
        Number of the first row as an editor counts: 2 under a header line.
    rows : array of int or None
        Row numbers, where they are not consecutive.
    files : tuple of (str, int)
        Name and first position of every file, if the rows come from several.
    notes : tuple of str
        What had to be assumed to read it.
    """

    name: str
    frame: pd.DataFrame
    first_row: int = 2
    rows: NDArray[np.intp] | None = field(default=None, repr=False)
    files: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()

    def place(self, position: int) -> str:
        """Name the file and row of a position."""
        row = self.first_row + position if self.rows is None else int(self.rows[position])
        file = next((name for name, start in reversed(self.files) if start <= position), self.name)
        return f"{file}, row {row}"

    def numbers(self, column: str, *, gaps: bool = False) -> Floats:
        """Return a column as finite floats, or name the first cell that is none.

        With `gaps`, an empty cell is NaN and no error.
        """
        cells = self.frame[column]
        values = pd.to_numeric(cells, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
        bad = ~np.isfinite(values)
        if not bad.any():
            return values
        odd = cells[bad]
        blank = odd.isna() | odd.astype(str).str.strip().str.lower().isin(("", "nan"))
        wrong = bad.copy()
        wrong[bad] = ~blank.to_numpy(dtype=bool)
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            raise InvalidArgumentError(
                f"{self.place(at)}, column {column}: expected a number, got "
                f"{_shown(cells.iloc[at])}. {_remedy(cells.iloc[at])}."
            )
        if not gaps:
            place = f"{self.place(int(np.flatnonzero(bad)[0]))}, column {column}"
            raise InvalidContentError(place, "a number", "an empty cell", COMPLETE, "missing")
        return values

    def labels(self, column: str) -> tuple[NDArray[np.intp], list[str]]:
        """Return codes and names of a key column in order of appearance; no cell may be empty."""
        codes, found = pd.factorize(self.frame[column])
        texts = [_label(value) for value in found]
        again, names = pd.factorize(np.array(texts, dtype=object))
        if (codes < 0).any() or "" in texts:
            empty = texts.index("") if "" in texts else -1
            at = int(np.flatnonzero((codes < 0) | (codes == empty))[0])
            raise InvalidArgumentError(
                f"{self.place(at)}, column {column}: expected a name, got an empty cell. "
                f"Remove the row or complete it."
            )
        return again[codes], [str(name) for name in names]

    def ranks(self, column: str) -> tuple[NDArray[np.intp], list[str]]:
        """Return codes and names of a key column in their natural order, numbers as numbers."""
        codes, names = self.labels(column)
        values = pd.to_numeric(pd.Series(names, dtype=object), errors="coerce").to_numpy(float)
        keys = [
            (bool(np.isnan(value)), 0.0 if np.isnan(value) else value, name)
            for value, name in zip(values, names, strict=True)
        ]
        order = sorted(range(len(names)), key=keys.__getitem__)
        place = np.empty(len(names), dtype=np.intp)
        place[order] = np.arange(len(names))
        return place[codes], [names[at] for at in order]

    def with_frame(self, frame: pd.DataFrame, rows: NDArray[np.intp]) -> Self:
        """Return a sheet of other columns, each of its rows made from one of these."""
        numbers = self.first_row + rows if self.rows is None else self.rows[rows]
        return replace(self, frame=frame, rows=np.asarray(numbers, dtype=np.intp))

    def require(self, columns: Sequence[str], what: str) -> None:
        """Refuse a sheet without one of `columns`."""
        for column in columns:
            if column not in self.frame.columns:
                raise invalid(
                    "source",
                    f"{what} with a column {column}",
                    f"{self.name} with columns {listing(self.frame.columns)}",
                )


def _label(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # a column of whole numbers with one gap elsewhere is read as floats
    return str(value).strip()


def _shown(cell: Any) -> str:
    return shorten(repr(getattr(cell, "item", lambda: cell)()))


def _remedy(cell: object) -> str:
    if re.fullmatch(r"\s*-?\d*,\d+\s*", str(cell)):
        return "Write a decimal point, not a comma"
    if str(cell).strip().endswith("%"):
        return "Write the number without the percent sign"
    return "Remove the row or complete it"


def listing(names: Sequence[str] | pd.Index, most: int = 12) -> str:
    """Write names in a row, the first ones if there are many.

    Examples
    --------
    >>> listing(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    texts = [shorten(str(name)) for name in names[: most + 1]]
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
        notes=tuple(note for sheet in sheets for note in sheet.notes),
    )


def load(path: Path) -> bytes:
    """Return the bytes of a file, unpacked if gzipped; refuse what cannot be a table of scores."""
    try:
        size = os.stat(path).st_size
        if size > LARGEST:
            raise _too_large(path.name, f"{size / 1024**3:.1f} GB")
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, InvalidArgumentError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise invalid("source", "a readable file", f"{path.name}: {reason}") from None
    return unpack(raw, path.name)


def unpack(raw: bytes, name: str, largest: int = LARGEST) -> bytes:
    """Return the bytes of a table, unpacked if gzipped, but never more than `largest`."""
    if raw[:2] == b"\x1f\x8b":
        try:
            with gzip.open(io.BytesIO(raw)) as file:
                raw = file.read(largest + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise invalid("source", "an intact gzip file", f"{name}: {error}") from None
        if len(raw) > largest:
            raise _too_large(name, "more when unpacked", largest)
    if not raw.strip(_MARK + b"\r\n\t \f\v"):
        raise invalid("source", "a table of scores", f"{name}, an empty file")
    return raw


def _too_large(name: str, size: str, largest: int = LARGEST) -> InvalidArgumentError:
    limit = f"{largest // 1024**3} GB" if largest >= 1024**3 else f"{largest // 1024**2} MB"
    return invalid(
        "source",
        f"a file of at most {limit}",
        f"{name} with {size}",
        "Keep the columns classifier, dataset, run, fold and score, or one file a dataset",
    )


def decode(raw: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return text and, if it was not UTF-8, a note saying so."""
    if b"\0" in raw[:_HEAD]:
        raise _binary(name)
    try:
        return raw.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        return raw.decode("latin-1"), (_latin(name),)


def _binary(name: str) -> InvalidArgumentError:
    return invalid(
        "source", "a text file", f"{name}, which holds binary data", "Export the table as CSV"
    )


def _latin(name: str) -> str:
    return f"{name} is not UTF-8 and was read as Latin-1; check names with accents."


def read_sheet(raw: bytes, name: str) -> Sheet:
    """Read the bytes of a delimited text or Parquet file."""
    if raw[:4] == b"PAR1":
        try:
            frame = pd.read_parquet(io.BytesIO(raw))
        except MemoryError:
            raise
        except Exception as error:  # damaged metadata make pandas and pyarrow raise anything
            first = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
            raise invalid("source", "an intact Parquet file", f"{name}: {first}") from None
        return sheet_of(frame, name)
    if b"\0" in raw[:_HEAD]:
        raise _binary(name)
    frame, notes = _parse(raw, name)
    if not isinstance(frame.index, pd.RangeIndex):
        # pandas takes the first cell of every row as its name if rows are longer than the header
        raise _ragged(name, "rows with more cells than the header")
    if frame.empty:
        raise invalid(
            "source", "a table with at least one row of scores", f"{name} with a header only"
        )
    return Sheet(name=name, frame=_named(frame, name), notes=notes)


def _header_of(raw: bytes) -> bytes:
    return next(iter(raw[:_HEAD].lstrip(_MARK + b"\r\n \t").splitlines()), b"")


def separator_of(raw: bytes) -> str:
    """Return comma, semicolon or tab: the one most frequent in the header."""
    header = _header_of(raw)
    return max((",", ";", "\t"), key=lambda mark: header.count(mark.encode()))


def _parse(raw: bytes, name: str) -> tuple[pd.DataFrame, tuple[str, ...]]:
    header, separator = _header_of(raw), separator_of(raw)
    options: dict[str, Any] = {"sep": separator, "keep_default_na": False, "na_values": [""]}
    if b"Key_Scheme" in header and b'"' not in raw[:_HEAD]:  # Weka quotes with apostrophes
        options.update(quotechar="'", escapechar="\\", na_values=["", "?"])
    notes: tuple[str, ...] = ()
    try:
        try:
            frame = _read_csv(raw.removeprefix(_MARK), "utf-8", options)
        except UnicodeDecodeError:
            header, notes = header.decode("latin-1").encode(), (_latin(name),)
            frame = _read_csv(raw, "latin-1", options)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError, OverflowError) as error:
        detail = str(error).replace("Error tokenizing data. C error: ", "").strip().rstrip(".")
        raise _ragged(name, detail) from None
    _refuse_twins(header, separator, options.get("quotechar", '"'), name)
    return frame, notes


def _read_csv(raw: bytes, encoding: str, options: dict[str, Any]) -> pd.DataFrame:
    frame: pd.DataFrame = pd.read_csv(
        io.BytesIO(raw),
        encoding=encoding,
        skipinitialspace=True,
        low_memory=False,
        **_EXACT_NUMBERS,
        **options,
    )
    return frame


def _ragged(name: str, detail: str) -> InvalidArgumentError:
    return invalid("source", "a table with as many cells in every row", f"{name}: {detail}")


def _refuse_twins(header: bytes, separator: str, quote: str, name: str) -> None:
    """Refuse two columns of one name, which pandas would rename without a word."""
    text = header.decode("utf-8", errors="replace")
    try:
        cells = next(csv.reader([text], delimiter=separator, quotechar=quote), [])
    except csv.Error:
        return
    counts = Counter(cell.strip() for cell in cells if cell.strip())
    twice = next((label for label, count in counts.items() if count > 1), None)
    if twice is not None:
        raise invalid(
            "source", "a table with a column of each name", f"{name}: {shorten(repr(twice))} twice"
        )


def sheet_of(frame: pd.DataFrame, name: str = "data frame") -> Sheet:
    """Take a data frame as a sheet; an index that says something becomes a column."""
    if frame.index.nlevels > 1 or frame.index.name is not None:
        frame = frame.reset_index()
    elif not pd.api.types.is_numeric_dtype(frame.index):
        frame = frame.rename_axis("dataset").reset_index()
    if frame.empty:
        raise invalid("source", "a table with at least one row of scores", f"an empty {name}")
    return Sheet(name=name, frame=_named(frame.reset_index(drop=True), name), first_row=0)


def _named(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    if frame.columns.nlevels > 1:
        raise invalid("source", "a table with one line of column names", f"{name} with several")
    frame = frame.set_axis([str(column).strip() for column in frame.columns], axis=1)
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise invalid(
            "source", "a table with a column of each name", f"{name}: {shorten(repr(twice))} twice"
        )
    return frame
