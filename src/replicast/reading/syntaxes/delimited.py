"""Text with a mark between cells: comma, semicolon, tab, bar or blanks."""

import csv
import io
import itertools
import re
import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from replicast.errors import InvalidArgumentError, invalid, shorten
from replicast.reading.sheets import Sheet, listing, named
from replicast.reading.syntaxes.blanks import RULED, cut_at_blanks, is_aligned
from replicast.reading.syntaxes.grids import (
    Line,
    find_header,
    looks_numeric,
    refuse_twins,
    refuse_unnamed,
    sheet_of_lines,
)
from replicast.reading.vocabulary.roles import label_columns

_HEAD = 65536
_LOOKED_AT = 60  # lines
_SMALL = 8 * 1024**2  # larger files are read at once, without a look at every line
_SAID = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # Excel's first line
_REMARK = re.compile(r"\s*(?:(?P<sure>#\s+|//\s*|%\s+)|[#%])")
# before version 3 pandas gave some numbers with 17 digits a last bit of its own
_EXACT_NUMBERS: dict[str, Any] = (
    {} if int(pd.__version__.partition(".")[0]) >= 3 else {"float_precision": "round_trip"}
)
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})++(?:\.\d+)?")
_BELOW = re.compile(r"[-+]?\d{1,3}(?:\.\d+)?")
_DOUBLE = re.compile(r'(?:^|[,;\t])"')  # a cell that begins with a quotation mark


@dataclass(frozen=True)
class Dialect:
    """How cells and lines are told apart."""

    separator: str  # between cells; empty if it is blanks
    quote: str = '"'  # around a cell
    regular: bool = True  # the first line has the names, and no line is a title or a remark

    def rows(self, lines: Iterable[str]) -> list[list[str]]:
        """Cut lines into cells."""
        if not self.separator:
            return [line.split() for line in lines]
        try:
            return list(csv.reader(lines, delimiter=self.separator, quotechar=self.quote))
        except csv.Error:
            return [line.split(self.separator) for line in lines]


def read_delimited(text: str, name: str, notes: tuple[str, ...] = ()) -> Sheet:
    """Read delimited text; the usual kind at once, anything odd line by line."""
    dialect = sniff(text)
    if not dialect.regular and len(text) <= _SMALL:
        lines, remarks = _lines(text, dialect, name)
        sheet = sheet_of_lines(lines, name, (*notes, *remarks))
    else:
        sheet = _read_at_once(text, name, dialect, notes)
    return _without_thousands(sheet) if dialect.separator == "," else sheet


def _without_thousands(sheet: Sheet) -> Sheet:
    """Read 7,192 as thousands where commas stand between cells, and smaller numbers have none."""
    frame, shown = sheet.frame, ""
    for column in frame.select_dtypes(exclude="number").columns:
        cells = list(map(str, frame[column]))
        grouped = [cell for cell in cells if _THOUSANDS.fullmatch(cell)]
        if grouped and any(map(_BELOW.fullmatch, cells)) and not sheet.decimal_comma:
            shown = shown or grouped[0]
            plain = {cell: cell.replace(",", "") for cell in grouped}
            frame = frame.assign(**{column: frame[column].replace(plain)})
    if not shown:
        return sheet
    note = f"Commas in numbers such as {shown} stand between thousands."
    return replace(sheet, frame=frame, notes=(*sheet.notes, note))


def sniff(text: str) -> Dialect:
    """Tell the mark between cells: the one that gives most lines the same number of cells."""
    lines = _first_lines(text)
    said = _SAID.fullmatch(lines[0]) if lines else None
    told = lines[1 if said else 0 :]
    if not told:
        return Dialect(",")
    body = list(itertools.filterfalse(_REMARK.match, told)) or told
    of_weka = "Key_Scheme" in told[0] and not any(map(_DOUBLE.search, told))
    quote = "'" if of_weka else '"'
    marks = [said[1]] if said else [",", ";", "\t", "|"]
    rated = {mark: _consistency(body[:_LOOKED_AT], Dialect(mark, quote)) for mark in marks}
    mark = max(marks, key=lambda one: rated[one])
    share, width = rated[mark]
    if not said and (width < 2 or share < 0.5) and is_aligned(body):
        return Dialect("", quote, regular=False)
    plain = Dialect(mark, quote)
    return Dialect(mark, quote, regular=said is None and _is_regular(text, told, plain))


def _is_regular(text: str, lines: list[str], dialect: Dialect) -> bool:
    """Say whether the first line, and it alone, has the names of all columns, and others are rows."""
    if any(f"\n{lines[0]}{end}" in text for end in ("\n", "\r\n")):  # files put together
        return False
    rows = list(enumerate(dialect.rows(lines[:_LOOKED_AT])))
    header = find_header(rows)
    first = [cell.strip() for cell in rows[0][1]][: len(header.names)]
    plain = list(header.below) == rows[1:] and first == header.names
    return plain and not _remarks(lines, dialect)


def _first_lines(text: str) -> list[str]:
    """Return the lines of the beginning in which something stands, at least the first two."""
    second = text.find("\n", text.find("\n") + 1) + 1
    head = text[: max(_HEAD, second or len(text))]
    lines = [line for line in head.splitlines() if line.strip()]
    return lines[:-1] if len(head) < len(text) and len(lines) > 1 else lines


def _consistency(lines: list[str], dialect: Dialect) -> tuple[float, int]:
    """Return the share of lines that have the usual number of cells, and that number."""
    counts = Counter(len(cells) for cells in dialect.rows(lines) if cells)
    width, often = max(counts.items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
    return (often / sum(counts.values()) if width > 1 else 0.0), width


def _remarks(lines: list[str], dialect: Dialect) -> dict[int, bool]:
    """Return which lines begin with a mark for remarks and are none of the table's.

    The value says whether a line may also be a row: it has as many cells as others, and numbers.
    """
    marked = {at for at, line in enumerate(lines) if _REMARK.match(line)}
    rest = [at for at, line in enumerate(lines) if at not in marked and not RULED.fullmatch(line)]
    if not marked or not rest:
        return dict.fromkeys(marked, False)
    others = dialect.rows(lines[at] for at in rest[:_LOOKED_AT])
    usual = Counter(map(len, others)).most_common(1)[0][0]
    kinds = {at: _kind_of_marked(lines[at], dialect, usual) for at in sorted(marked)}
    if _has_numbers(others[0]):  # the first other line is a row: the names are marked, as by NumPy
        kinds = {at: one for at, one in kinds.items() if one != "names" or at > rest[0]}
    return {at: one == "either" for at, one in kinds.items() if one != "row"}


def _kind_of_marked(
    line: str, dialect: Dialect, usual: int
) -> Literal["row", "either", "names", ""]:
    """Tell what a line with a mark may be: `#1,0.9` a row, `# svm,0.9` one that somebody took out."""
    mark = _REMARK.match(line)
    sure = mark is not None and mark["sure"] is not None
    [cells] = dialect.rows([line])
    fits = usual in (len(cells), len(cells) - (not dialect.separator and sure))
    if (fits or not sure) and _has_numbers(cells):
        return "either" if sure else "row"
    return "names" if fits else ""


def _has_numbers(cells: list[str]) -> bool:
    """Say whether numbers stand behind the first cell."""
    return any(map(looks_numeric, cells[1:]))


def _lines(text: str, dialect: Dialect, name: str) -> tuple[list[Line], tuple[str, ...]]:
    """Cut text into lines of cells, without remarks; and say which lines were taken as such."""
    raw = text.splitlines()
    if dialect.separator and _SAID.fullmatch(raw[0]):
        raw[0] = ""
    numbered = [(number, line) for number, line in enumerate(raw, start=1) if line.strip()]
    remarks = _remarks([line for _, line in numbered], dialect)
    either = next((numbered[at] for at, is_row in remarks.items() if is_row), None)
    if either is not None:
        domain = "a table in which a line is a row or a remark"
        got = f"{name}, line {either[0]}, which may be either: {shorten(either[1])}"
        raise invalid("source", domain, got, "Remove the line, or the mark it begins with")
    gone = [str(numbered[at][0]) for at in remarks]
    called = "line" if len(gone) == 1 else "lines"
    notes = (f"Taken as remarks: {called} {listing(gone, 5)}.",) if gone else ()
    kept = dict(one for at, one in enumerate(numbered) if at not in remarks)
    if not dialect.separator:
        return cut_at_blanks(list(kept.items())), notes
    body = "\n".join(kept.get(number, "") for number in range(1, len(raw) + 1))
    reader = csv.reader(io.StringIO(body), delimiter=dialect.separator, quotechar=dialect.quote)
    try:
        return [(reader.line_num, cells) for cells in reader], notes
    except csv.Error as error:
        raise _ragged(name, str(error)) from None


def _read_at_once(text: str, name: str, dialect: Dialect, notes: tuple[str, ...]) -> Sheet:
    names = next(iter(dialect.rows(_first_lines(text)[:1])), [])
    options: dict[str, Any] = {
        "sep": dialect.separator or r"\s+",
        "dtype": dict.fromkeys(label_columns(names), object),
        "keep_default_na": False,
        "na_values": [""],
        # pandas is slower when it has to look for blanks before cells
        "skipinitialspace": " " in text or (dialect.separator != "\t" and "\t" in text),
        **_EXACT_NUMBERS,
    }
    if dialect.quote == "'":  # Weka quotes with apostrophes
        options.update(quotechar="'", escapechar="\\", na_values=["", "?"])
    try:
        frame = _parsed(text.encode(), **options)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError, OverflowError) as error:
        if "out of memory" in str(error):
            raise MemoryError from None
        detail = str(error).replace("Error tokenizing data. C error: ", "").strip().rstrip(".")
        raise _ragged(name, detail) from None
    if not isinstance(frame.index, pd.RangeIndex):
        # pandas takes the first cell of every row as its name if rows are longer than the header
        raise _ragged(name, "rows with more cells than the header")
    refuse_twins(names, name)
    refuse_unnamed(names, frame, name)
    return _tidied(Sheet(name=name, frame=named(frame, name), notes=notes))


def _parsed(raw: bytes, **options: Any) -> pd.DataFrame:
    """Have pandas parse a text in pieces, or at once if the pieces of a column differ in kind."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.DtypeWarning)
        try:
            frame: pd.DataFrame = pd.read_csv(io.BytesIO(raw), **options)
        except pd.errors.DtypeWarning:
            frame = pd.read_csv(io.BytesIO(raw), low_memory=False, **options)
    return frame


def _tidied(sheet: Sheet) -> Sheet:
    """Leave out rows and columns in which nothing stands."""
    frame = sheet.frame
    hollow = [c for c in frame.columns if c.startswith("Unnamed: ") and frame[c].isna().all()]
    if hollow:
        sheet = sheet.without(hollow)
    if len(frame) and frame.iloc[-1].isna().all():
        sheet = sheet.take(np.flatnonzero(~frame.isna().all(axis=1).to_numpy()))
    if sheet.frame.empty:
        got = f"{sheet.name} with a header only"
        raise invalid("source", "a table with at least one row of scores", got)
    return sheet


def _ragged(name: str, detail: str) -> InvalidArgumentError:
    return invalid("source", "a table with as many cells in every row", f"{name}: {detail}")
