"""Text with a mark between cells: comma, semicolon, tab, bar or blanks."""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pandas as pd

from replicast.errors import InvalidArgumentError, invalid
from replicast.reading.packing import decode, latin
from replicast.reading.sheets import Sheet, named
from replicast.reading.syntaxes.grids import (
    Line,
    refuse_numbers_as_names,
    refuse_twins,
    sheet_of_lines,
)
from replicast.reading.syntaxes.pieces import LARGE, PIECE, joined

_HEAD = 65536
_SMALL = 8 * 1024**2  # larger files are read at once, without a look at every line
_MARK = b"\xef\xbb\xbf"
_SAID = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # Excel's first line
_QUOTED = re.compile(r'"[^"]*"|\S+')
_BLANKS = re.compile(r"[ \t]{2,}|\t")
_PERCENT = re.compile(r"(?<=\d)[ \t]+(?=%)")  # 71 %
_SCORE = re.compile(r"[*_]*[-+]?\d*[.,]?\d+%?[*_]*")
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
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in raw[:_HEAD]:
        text, notes = decode(raw, name)
        raw = text.lstrip("\ufeff").encode()
    else:
        notes = ()
    dialect = sniff(raw)
    if not dialect.regular and len(raw) <= _SMALL:
        text, more = decode(raw, name)
        return sheet_of_lines(list(_lines(text, dialect)), name, (*notes, *more))
    return _read_at_once(raw, name, dialect, notes)


def sniff(raw: bytes) -> Dialect:
    """Tell the mark between cells: the one that gives most lines the same number of cells."""
    head = raw[:_HEAD].removeprefix(_MARK)
    text = head.decode("utf-8", errors="replace").lstrip("\r\n")
    lines = [line for line in text.splitlines() if line.strip()]
    if len(raw) > _HEAD and len(lines) > 1:
        lines = lines[:-1]  # cut short
    if not lines:
        return Dialect(",")
    said = _SAID.fullmatch(lines[0])
    body = [line for line in lines[1 if said else 0 :] if not _is_comment(line, lines)]
    quote = "'" if b"Key_Scheme" in head and b'"' not in head else '"'
    marks = [said[1]] if said else [",", ";", "\t", "|"]
    rated = [(_consistency(body[:60], mark, quote), mark) for mark in marks]
    (share, width), mark = max(rated, key=lambda one: one[0])
    if not said and (width < 2 or share < 0.5) and _is_aligned(body):
        return Dialect("", quote, regular=False)
    odd = said is not None or len(body) < len(lines) or _is_odd(body, mark, quote, width)
    return Dialect(mark, quote, regular=not odd)


def _is_comment(line: str, lines: list[str]) -> bool:
    """Tell a remark: it begins with a mark for that and has fewer cells than other lines."""
    if not line.lstrip().startswith(("#", "//", "%")):
        return False
    usual = Counter(sum(map(one.count, ",;\t|")) for one in lines[:60]).most_common(1)[0][0]
    return sum(map(line.count, ",;\t|")) < usual or bool(re.match(r"\s*(#\s|//|%\s)", line))


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


def _is_aligned(lines: list[str]) -> bool:
    """Say whether blanks stand between columns: as many of them in every line."""
    counts = Counter(len(_split_blanks(line, wide=True)) for line in lines[:60])
    wide, often = counts.most_common(1)[0]
    if wide > 1 and often >= 0.5 * sum(counts.values()):
        return True
    width = len(lines[0].split())
    counts = Counter(len(_split_blanks(line, wide=False, width=width)) for line in lines[:60])
    width, often = counts.most_common(1)[0]
    return width > 2 and often >= 0.8 * sum(counts.values())


def _split_blanks(line: str, *, wide: bool, width: int = 0) -> list[str]:
    """Cut a line at blanks; `width` is that of the header, if a name of several words may be one.

    A line in which single blanks stand, where others have several, and one with words to spare before
    its numbers are those of tables copied from a paper.
    """
    text = _PERCENT.sub("", line.strip())
    single = [cell.strip('"') for cell in _QUOTED.findall(text)]
    cells = _BLANKS.split(text) if wide else single
    words = single if width > len(cells) else cells
    spare = len(words) - width
    numbers = [_SCORE.fullmatch(word) is not None for word in words]
    if width and spare >= 0 and all(numbers[spare + 1 :]) and not any(numbers[: spare + 1]):
        return [" ".join(words[: spare + 1]), *words[spare + 1 :]]
    return cells


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
    words = [cell for cell in second if cell.strip() and not _looks_numeric(cell)]
    return (len(words) == len([c for c in second if c.strip()]) and len(words) > 1
            and sum(map(_looks_numeric, third)) > len(third) / 2) or (len(rows[2]) > 1 and not any(
                cell.strip() for cell in third) and sum(map(_looks_numeric, rows[-1])) > 0)  # fmt: skip


def _looks_numeric(cell: str) -> bool:
    return re.match(r"\s*[-+]?[.,]?\d", cell) is not None


def _lines(text: str, dialect: Dialect) -> "list[Line]":
    """Cut text into lines of cells, without remarks."""
    raw = text.splitlines()
    kept = [line for line in raw if line.strip()]
    if dialect.separator:
        body = "\n".join(
            "" if _SAID.fullmatch(line) or _is_comment(line, kept) else line for line in raw
        )
        reader = csv.reader(io.StringIO(body), delimiter=dialect.separator, quotechar=dialect.quote)
        try:
            return [(reader.line_num, cells) for cells in reader]
        except csv.Error as error:
            raise invalid("source", "a table with as many cells in every row", str(error)) from None
    wide = not _is_narrow(kept)
    head = _names(kept, wide=wide)
    numbered = [
        (number, line)
        for number, line in enumerate(raw, start=1)
        if line.strip() and not _is_comment(line, kept)
    ]
    cut = [
        (number, head if line == kept[0] else _split_blanks(line, wide=wide, width=len(head)))
        for number, line in numbered
    ]
    _refuse_short_rows(cut[1:])
    return cut


def _refuse_short_rows(rows: "list[Line]") -> None:
    """Refuse a row in which a score is missing: between blanks nobody can see which one it was."""
    usual = Counter(len(cells) for _, cells in rows).most_common(1)[0][0] if rows else 0
    for number, cells in rows:
        scores = sum(_SCORE.fullmatch(cell) is not None for cell in cells[1:])
        if scores and len(cells) < usual:
            raise _short(f"line {number} with {len(cells)} of {usual} cells")


def _short(got: str) -> InvalidArgumentError:
    remedy = "Write NA where a score is missing, or put commas or tabs between columns"
    return invalid("source", "a table with as many cells in every row", got, remedy)


def _names(lines: list[str], *, wide: bool) -> list[str]:
    """Cut the line of names as its rows are: in `Our Method   SVM` a name has a blank of its own.

    More names than cells would give scores to the wrong name.
    """
    cut = _split_blanks(lines[0], wide=wide)
    rows = Counter(len(_split_blanks(line, wide=wide, width=len(cut))) for line in lines[1:])
    usual = rows.most_common(1)[0][0] if rows else len(cut)
    if len(cut) <= usual:
        return cut
    apart = _split_blanks(lines[0], wide=True)
    if len(apart) == usual:
        return apart
    got = f"{len(cut)} words in the line of names and {usual} cells in its rows"
    remedy = "Put commas, tabs or two blanks between columns"
    raise invalid("source", "a table with as many cells in every row", got, remedy)


def _is_narrow(lines: list[str]) -> bool:
    """Say whether single blanks stand between columns: they cut all rows into as many cells."""
    widths = [
        Counter(len(_split_blanks(line, wide=wide)) for line in lines[1:]).most_common(1)[0]
        for wide in (False, True)
        if lines[1:]
    ]
    if not widths:
        return False
    (narrow, often), (wide, _) = widths
    return wide < 2 or (narrow > wide and often >= len(lines) - 2)


def _read_at_once(raw: bytes, name: str, dialect: Dialect, notes: tuple[str, ...]) -> Sheet:
    options: dict[str, Any] = {
        "sep": dialect.separator or r"\s+",
        "keep_default_na": False,
        "na_values": [""],
    }
    if dialect.quote == "'":  # Weka quotes with apostrophes
        options.update(quotechar="'", escapechar="\\", na_values=["", "?"])
    header = next(iter(raw[:_HEAD].lstrip(_MARK + b"\r\n \t").splitlines()), b"")
    try:
        try:
            frame = _read_csv(raw.removeprefix(_MARK), "utf-8", options)
        except UnicodeDecodeError:
            header, notes = header.decode("latin-1").encode(), (*notes, latin(name))
            frame = _read_csv(raw, "latin-1", options)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError, OverflowError) as error:
        detail = str(error).replace("Error tokenizing data. C error: ", "").strip().rstrip(".")
        raise _ragged(name, detail) from None
    if not isinstance(frame.index, pd.RangeIndex):
        # pandas takes the first cell of every row as its name if rows are longer than the header
        raise _ragged(name, "rows with more cells than the header")
    if not dialect.separator and frame.iloc[:, -1].isna().any():
        line = int(frame.iloc[:, -1].isna().to_numpy().argmax()) + 2
        raise _short(f"{name}: line {line} with too few cells")
    names = _names_in(header, dialect)
    refuse_twins(names, name)
    refuse_numbers_as_names(names, name)
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
        with pd.read_csv(io.BytesIO(raw), chunksize=PIECE, **options) as pieces:
            frame = joined(pieces)
    return pd.read_csv(io.BytesIO(raw), **options) if frame is None else frame


def _has_blanks(raw: bytes, separator: str) -> bool:
    """Say whether a cell may begin with a blank; pandas is slower when it has to look for one."""
    return b" " in raw or (separator != "\t" and b"\t" in raw)


def _ragged(name: str, detail: str) -> InvalidArgumentError:
    return invalid("source", "a table with as many cells in every row", f"{name}: {detail}")
