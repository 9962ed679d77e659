"""Text with a mark between cells: comma, semicolon, tab, bar or blanks."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from replicast.errors import InvalidArgumentError, invalid, shorten
from replicast.reading.packing import decode, latin
from replicast.reading.sheets import Sheet, listing, named
from replicast.reading.syntaxes.blanks import cut_apart, cut_at_blanks, is_aligned, short_row
from replicast.reading.syntaxes.grids import (
    Line,
    refuse_numbers_as_names,
    refuse_row_as_names,
    refuse_twins,
    sheet_of_lines,
)
from replicast.reading.syntaxes.pieces import LARGE, PIECE, is_text, joined
from replicast.reading.vocabulary.roles import label_columns

_HEAD = 65536
_FIRST = 1000  # rows that tell which names are written as numbers
_SMALL = 8 * 1024**2  # larger files are read at once, without a look at every line
_MARK = b"\xef\xbb\xbf"
_SAID = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # Excel's first line
_REMARK = re.compile(r"\s*(?:(?P<sure>#\s+|//\s*|%\s+)|[#%])")
_RULED = re.compile(r"[-=+|: \t]+")  # between the names and the rows
_DOUBLE = re.compile(rb'(?:^|[,;\t])"', re.MULTILINE)  # a cell that begins with a quotation mark
# before version 3 pandas gave some numbers with 17 digits a last bit of its own
_EXACT_NUMBERS: dict[str, Any] = (
    {} if int(pd.__version__.partition(".")[0]) >= 3 else {"float_precision": "round_trip"}
)


@dataclass(frozen=True)
class Dialect:
    """How cells and lines are told apart.

    Attributes
    ----------
    separator : str
        Between cells; empty if it is blanks.
    quote : str
        Around a cell.
    regular : bool
        Whether the first line has the names and no line is a title or a comment.
    """

    separator: str
    quote: str = '"'
    regular: bool = True


def read_delimited(raw: bytes, name: str) -> Sheet:
    """Read delimited text; the usual kind at once, anything odd line by line."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in raw:
        text, notes = decode(raw, name)
        raw = text.lstrip("\ufeff").encode()
    else:
        notes = ()
    dialect = sniff(raw)
    if not dialect.regular and len(raw) <= _SMALL:
        text, more = decode(raw, name)
        lines, remarks = _lines(text, dialect, name)
        return sheet_of_lines(lines, name, (*notes, *more, *remarks))
    return _read_at_once(raw, name, dialect, notes)


def sniff(raw: bytes) -> Dialect:
    """Tell the mark between cells: the one that gives most lines the same number of cells."""
    head = _head(raw).removeprefix(_MARK)
    text = head.decode("utf-8", errors="replace").lstrip("\r\n")
    lines = [line for line in text.splitlines() if line.strip()]
    if len(raw) > len(head) + len(_MARK) and len(lines) > 1:
        lines = lines[:-1]  # cut short
    if not lines:
        return Dialect(",")
    said = _SAID.fullmatch(lines[0])
    told = lines[1 if said else 0 :]
    rest = [line for line in told if not _REMARK.match(line)] or told
    quote = "'" if b"Key_Scheme" in head and not _DOUBLE.search(head) else '"'
    marks = [said[1]] if said else [",", ";", "\t", "|"]
    rated = [(_consistency(rest[:60], mark, quote), mark) for mark in marks]
    (share, width), mark = max(rated, key=lambda one: one[0])
    if not said and (width < 2 or share < 0.5) and is_aligned(rest):
        return Dialect("", quote, regular=False)
    remarks = _remarks(told, Dialect(mark, quote))
    body = [line for at, line in enumerate(told) if at not in remarks]
    odd = said is not None or len(body) < len(lines) or _is_odd(body or told, mark, quote, width)
    return Dialect(mark, quote, regular=not odd)


def _head(raw: bytes) -> bytes:
    """Return the beginning of a text: 64 KB of it, or its first two lines if they are longer."""
    second = raw.find(b"\n", raw.find(b"\n") + 1) + 1
    return raw[: max(_HEAD, second or len(raw))]


def _remarks(lines: list[str], dialect: Dialect) -> dict[int, bool]:
    """Return which lines begin with a mark for remarks and are none of the table's.

    The value says whether a line may also be a row: it has as many cells as others, and numbers.
    """
    marked = {at: mark for at, line in enumerate(lines) if (mark := _REMARK.match(line))}
    rest = [at for at, line in enumerate(lines) if at not in marked and not _RULED.fullmatch(line)]
    if not marked or not rest:
        return dict.fromkeys(marked, False)
    blank = not dialect.separator
    usual = _usual(len(_cells(lines[at], dialect)) for at in rest[:60])
    apart = _usual(len(cut_apart(lines[at])) for at in rest[:60]) if blank else 0
    unnamed = _has_numbers(_cells(lines[rest[0]], dialect))  # the first other line is a row
    found: dict[int, bool] = {}
    for at, begun in marked.items():
        cells = _cells(lines[at], dialect)
        sure = begun["sure"] is not None
        fits = usual in (len(cells), len(cells) - (blank and sure)) or (
            apart > 1 and len(cut_apart(lines[at])) == apart
        )
        if _has_numbers(cells) and (fits or not sure):
            if sure:  # `#1,0.9` is a row, `# svm,0.9` a row or one that somebody took out
                found[at] = True
        elif not fits or at > rest[0] or not unnamed:
            found[at] = False  # else it has the names, as NumPy writes them
    return found


def _usual(counts: Iterable[int]) -> int:
    return Counter(counts).most_common(1)[0][0]


def _cells(line: str, dialect: Dialect) -> list[str]:
    if not dialect.separator:
        return line.split()
    try:
        return next(csv.reader([line], delimiter=dialect.separator, quotechar=dialect.quote), [])
    except csv.Error:
        return line.split(dialect.separator)


def _has_numbers(cells: list[str]) -> bool:
    """Say whether numbers stand behind the first cell."""
    return any(map(_looks_numeric, cells[1:]))


def _widths(lines: list[str], mark: str, quote: str) -> list[int]:
    try:
        return [len(cells) for cells in csv.reader(lines, delimiter=mark, quotechar=quote) if cells]
    except csv.Error:
        return [line.count(mark) + 1 for line in lines]


def _consistency(lines: list[str], mark: str, quote: str) -> tuple[float, int]:
    counts = Counter(_widths(lines, mark, quote))
    if not counts:
        return 0.0, 0
    width, often = max(counts.items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
    return (often / sum(counts.values()) if width > 1 else 0.0), width


def _is_odd(lines: list[str], mark: str, quote: str, width: int) -> bool:
    """Say whether a line is a title, or names stand in two lines, or rows have a name more."""
    try:
        rows = list(csv.reader(lines[:8], delimiter=mark, quotechar=quote))
    except csv.Error:
        return False
    first = [cell for cell in rows[0] if cell.strip()]
    if (width > 2 and len(first) <= 1) or len(rows[0]) < width:
        return True
    if len(rows) < 3:
        return False
    second, third = rows[1][1:], rows[2][1:]
    if not any(cell.strip() for cell in third[len(third) // 2 :]) and not any(
        map(_looks_numeric, rows[2])
    ):
        return True  # names of the first columns below those of the others
    words = [cell for cell in second if cell.strip() and not _looks_numeric(cell)]
    return (len(words) == len([c for c in second if c.strip()]) and len(words) > 1
            and sum(map(_looks_numeric, third)) > len(third) / 2) or (len(rows[2]) > 1 and not any(
                cell.strip() for cell in third) and sum(map(_looks_numeric, rows[-1])) > 0)  # fmt: skip


def _looks_numeric(cell: str) -> bool:
    return re.match(r"\s*[-+]?[.,]?\d", cell) is not None


def _lines(text: str, dialect: Dialect, name: str) -> "tuple[list[Line], tuple[str, ...]]":
    """Cut text into lines of cells, without remarks; and say which lines were taken as such."""
    raw = text.splitlines()
    numbered = [
        (number, line)
        for number, line in enumerate(raw, start=1)
        if line.strip() and not (dialect.separator and _SAID.fullmatch(line))
    ]
    remarks = _remarks([line for _, line in numbered], dialect)
    for at, either in remarks.items():
        if either:
            number, line = numbered[at]
            domain = "a table in which a line is a row or a remark"
            got = f"{name}, line {number}, which may be either: {shorten(line)}"
            raise invalid("source", domain, got, "Remove the line, or the mark it begins with")
    gone = [str(numbered[at][0]) for at in remarks]
    notes = (f"Taken as remarks: {'line' if len(gone) == 1 else 'lines'} {listing(gone, 5)}.",)
    kept = [one for at, one in enumerate(numbered) if at not in remarks]
    return _cut(raw, kept, dialect), notes if gone else ()


def _cut(raw: list[str], kept: "list[tuple[int, str]]", dialect: Dialect) -> "list[Line]":
    """Cut the lines that are kept into cells."""
    if dialect.separator:
        body = dict(kept)
        text = "\n".join(body.get(number, "") for number in range(1, len(raw) + 1))
        reader = csv.reader(io.StringIO(text), delimiter=dialect.separator, quotechar=dialect.quote)
        try:
            return [(reader.line_num, cells) for cells in reader]
        except csv.Error as error:
            raise invalid("source", "a table with as many cells in every row", str(error)) from None
    return cut_at_blanks(kept)


def _read_at_once(raw: bytes, name: str, dialect: Dialect, notes: tuple[str, ...]) -> Sheet:
    options: dict[str, Any] = {
        "sep": dialect.separator or r"\s+",
        "keep_default_na": False,
        "na_values": [""],
    }
    if dialect.quote == "'":  # Weka quotes with apostrophes
        options.update(quotechar="'", escapechar="\\", na_values=["", "?"])
    header = next(iter(_head(raw).lstrip(_MARK + b"\r\n \t").splitlines()), b"")
    options["dtype"] = dict.fromkeys(label_columns(_names_in(header, dialect)), str)
    try:
        try:
            frame = _read_csv(raw.removeprefix(_MARK), "utf-8", options)
        except UnicodeDecodeError:
            header, notes = header.decode("latin-1").encode(), (*notes, latin(name))
            frame = _read_csv(raw, "latin-1", options)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError, OverflowError) as error:
        if "out of memory" in str(error):
            raise MemoryError from None
        detail = str(error).replace("Error tokenizing data. C error: ", "").strip().rstrip(".")
        raise _ragged(name, detail) from None
    if not isinstance(frame.index, pd.RangeIndex):
        # pandas takes the first cell of every row as its name if rows are longer than the header
        raise _ragged(name, "rows with more cells than the header")
    if not dialect.separator and frame.iloc[:, -1].isna().any():
        line = int(frame.iloc[:, -1].isna().to_numpy().argmax()) + 2
        raise short_row(f"{name}: line {line} with too few cells")
    names = _names_in(header, dialect)
    refuse_twins(names, name)
    refuse_numbers_as_names(names, name)
    refuse_row_as_names(frame, name)
    return _tidied(Sheet(name=name, frame=named(frame, name), notes=notes))


def _names_in(header: bytes, dialect: Dialect) -> list[str]:
    text = header.decode("utf-8", errors="replace")
    try:
        return next(
            csv.reader([text], delimiter=dialect.separator or " ", quotechar=dialect.quote), []
        )
    except csv.Error:
        return []


def _tidied(sheet: Sheet) -> Sheet:
    """Leave out rows and columns in which nothing stands."""
    frame = sheet.frame
    hollow = [c for c in frame.columns if c.startswith("Unnamed: ") and frame[c].isna().all()]
    if hollow:
        sheet = sheet.without(hollow)
    if len(frame) and frame.iloc[-1].isna().all():
        import numpy as np

        sheet = sheet.take(np.flatnonzero(~frame.isna().all(axis=1).to_numpy()))
    if sheet.frame.empty:
        raise invalid(
            "source", "a table with at least one row of scores", f"{sheet.name} with a header only"
        )
    return sheet


def _read_csv(raw: bytes, encoding: str, options: dict[str, Any]) -> pd.DataFrame:
    """Read large text in pieces, and at once if it is small or pieces differ in kind."""
    options = {"encoding": encoding, "low_memory": False, **_EXACT_NUMBERS, **options}
    options["skipinitialspace"] = _has_blanks(raw, options["sep"])
    frame: pd.DataFrame | None = None
    if len(raw) > LARGE:
        labels = options["dtype"]
        guessed = options | {"dtype": {}}  # pandas is slower when it is told that names are text
        first = pd.read_csv(io.BytesIO(raw), nrows=_FIRST, **guessed)
        guessed["dtype"] = {
            one: str for one in labels if one not in first or not is_text(first[one])
        }
        with pd.read_csv(io.BytesIO(raw), chunksize=PIECE, **guessed) as pieces:
            frame = joined(pieces, labels)
    return pd.read_csv(io.BytesIO(raw), **options) if frame is None else frame


def _has_blanks(raw: bytes, separator: str) -> bool:
    """Say whether a cell may begin with a blank; pandas is slower when it has to look for one."""
    return b" " in raw or (separator != "\t" and b"\t" in raw)


def _ragged(name: str, detail: str) -> InvalidArgumentError:
    return invalid("source", "a table with as many cells in every row", f"{name}: {detail}")
