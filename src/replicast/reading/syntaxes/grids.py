"""Lines of cells become a sheet: titles, one or two lines of names, then rows."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicast.errors import invalid, shorten
from replicast.reading.limits import HERE, Limits
from replicast.reading.sheets import Sheet, listing
from replicast.reading.vocabulary.cells import is_missing
from replicast.reading.vocabulary.measures import is_spread, measure_in
from replicast.reading.vocabulary.roles import find_role, label_columns

Line = tuple[int, list[str]]  # number as an editor counts, and the cells
# nothing, or a line between the names and the rows; possessive, since a run of hyphens that ends
# in another sign could be cut in exponentially many ways
_RULE = re.compile(r"(?:\s*+[-=:+]{2,}+)*+\s*+")
_NUMERIC = re.compile(r"[\s*_`$~(]*+[-+−–]?[.,]?\d")
BETWEEN = " ~ "  # joins the names of two header lines; no name of one line is likely to have it


def looks_numeric(cell: str) -> bool:
    """Say whether a cell begins like a number."""
    return _NUMERIC.match(cell) is not None


@dataclass(frozen=True)
class Header:
    """What stands above the rows of a table: titles, and the names of the columns."""

    names: list[str]
    below: Sequence[Line]
    titles: tuple[Line, ...] = ()
    repeated: tuple[int, ...] = ()  # numbers of the lines below that say the names again


def sheet_of_lines(
    lines: Sequence[Line],
    name: str,
    notes: tuple[str, ...] = (),
    limits: Limits = HERE,
    caption: str = "",
) -> Sheet:
    """Find the names of the columns among the first lines, and take the others as rows."""
    for _, line in lines:
        limits.require("cell", max(map(len, line), default=0), name)
    header = find_header(lines)
    limits.require_shape(len(header.below), len(header.names), name, "texts")
    if not header.below:
        got = f"{name} with {'a header only' if header.names else 'none'}"
        raise invalid("source", "a table with at least one row of scores", got)
    for number, cells in header.titles:
        title = " ".join(cell.strip() for cell in cells if cell.strip())
        notes = (*notes, f"Line {number} was taken as a title: {shorten(title.rstrip('.'))}.")
        caption = f"{caption} {title}".strip()
    if header.repeated:
        told = listing([str(number) for number in header.repeated], 5)
        notes = (*notes, f"The names of the columns stand again in line {told}.")
    frame = _frame(header, name)
    rows = np.array([number for number, _ in header.below], dtype=np.intp)
    return Sheet(name=name, frame=frame, rows=rows, notes=notes, caption=caption)


def find_header(lines: Sequence[Line]) -> Header:
    """Tell the names of the columns, of one line or of two, from titles above and rows below."""
    full = [(number, cells) for number, cells in lines if not _RULE.fullmatch("".join(cells))]
    counts = Counter(_reach(cells) for _, cells in full[:200])
    width = max(counts, key=lambda one: (counts[one], one)) if counts else 0
    begin = 0
    while width > 2 and len(full) - begin > 2 and sum(map(bool, _stripped(full[begin][1]))) == 1:
        begin += 1
    if begin and _reach(full[begin][1]) < width - 1:
        begin = 0  # the name of what stands in the columns
    names, below = _names(full[begin:], width) if full else ([], [])
    first = _stripped(full[begin][1]) if full else []
    repeated = tuple(number for number, cells in below if _stripped(cells) == first)
    rows = [line for line in below if line[0] not in repeated] if repeated else below
    found = Header(_with_own_spreads(names), rows, tuple(full[:begin]), repeated)
    return _told_apart(found, below) if repeated and begin else found


def _told_apart(header: Header, below: Sequence[Line]) -> Header:
    """Give the rows of tables that stand under each other the measures above them, in a column."""
    measures = _measures_above(header.titles, below, header.repeated)
    if not measures or "metric" in header.names:
        return header
    width = len(header.names)
    rows = [
        (at, [*(cells + [""] * width)[:width], measures[at]])
        for at, cells in header.below
        if at in measures
    ]
    return replace(header, names=[*header.names, "metric"], below=rows)


def _measures_above(
    titles: Sequence[Line], below: Sequence[Line], repeated: Sequence[int]
) -> dict[int, str]:
    """Return the measure of every row, where several tables stand in one, each with its title."""
    title = "".join(titles[-1][1])
    found: dict[int, str] = {}
    for before, (number, _) in zip((None, *below), below, strict=False):
        if number in repeated and before is not None:
            title = "".join(before[1])
            found.pop(before[0], None)
        else:
            found[number] = measure_in(title) or ""
    return found if len({*found.values()}) > 1 and all(found.values()) else {}


def _stripped(cells: Sequence[str]) -> list[str]:
    return [cell.strip() for cell in cells]


def _with_own_spreads(names: list[str]) -> list[str]:
    """Call columns of spreads that have one name by the columns before them: SVM, ±, RF, ±."""
    return [
        f"{names[at - 1]} {name}" if at and names.count(name) > 1 and is_spread(name) else name
        for at, name in enumerate(names)
    ]


def _frame(header: Header, name: str) -> pd.DataFrame:
    """Return the rows below the names as columns, numbers where all cells are such."""
    names, width = header.names, len(header.names)
    rows = [_fitted(cells, width, f"{name}: row {number}") for number, cells in header.below]
    columns = [pd.Series(column, dtype=object) for column in zip(*rows, strict=True)]
    kept = [at for at in range(width) if names[at] or columns[at].notna().any()]
    if kept and kept[-1] > max((at for at in range(width) if names[at]), default=0):
        detail = f"{name}: rows with more cells than the header"
        raise invalid("source", "a table with as many cells in every row", detail)
    titles = [names[at] or f"Unnamed: {at}" for at in kept]
    refuse_twins(titles, name)
    labels = label_columns(titles)
    found = {}
    for title, at in zip(titles, kept, strict=True):
        numbers = pd.to_numeric(columns[at], errors="coerce")
        plain = numbers.notna().any() and (numbers.notna() | columns[at].isna()).all()
        found[title] = numbers if plain and title not in labels else columns[at]
    frame = pd.DataFrame(found)
    refuse_unnamed(names, frame, name)
    return frame


def _fitted(cells: list[str], width: int, place: str) -> list[str | None]:
    if _reach(cells) > width:
        detail = f"{place} with {_reach(cells)}, others with {width}"
        raise invalid("source", "a table with as many cells in every row", detail)
    return [cell.strip() or None for cell in (cells + [""] * width)[:width]]


def _reach(cells: list[str]) -> int:
    """Return how far a line reaches: cells up to the last that is not empty."""
    return max((at + 1 for at, cell in enumerate(cells) if cell.strip()), default=0)


def _names(lines: Sequence[Line], width: int) -> tuple[list[str], Sequence[Line]]:
    """Return the names of the columns: of one line, or of two and the name of the first column."""
    first = [cell.strip() for cell in lines[0][1]]
    rest = lines[1:]
    if _reach(first) == len(first) == width - 1 and first and _have_names(rest, width) and first[0]:
        first = ["", *first]  # as R prints a table: rows have a name more than the header
    names = (first + [""] * width)[:width]
    if (told := _names_of_rows(names, rest, width)) is not None:
        return told
    if len(rest) < 2 or not _is_header_too(rest, width):
        return names, rest
    second = ([cell.strip() for cell in rest[0][1]] + [""] * width)[:width]
    both = _merged(names, second)
    return _names_of_rows(both, rest[1:], width) or (both, rest[1:])


def _merged(first: list[str], second: list[str]) -> list[str]:
    """Join two lines of names; one above several merged cells belongs to all of them."""
    last, both = "", []
    for at, (above, below) in enumerate(zip(first, second, strict=True)):
        last = above or (last if at and below else "")
        both.append(BETWEEN.join(filter(None, dict.fromkeys((last, below)))))
    return both


def _have_names(rows: Sequence[Line], width: int) -> bool:
    """Say whether every row is as wide as the table, and has a name of its own."""
    below = rows[1:] if len(rows) > 1 and _reach(rows[0][1]) == 1 else rows
    first = [cells[0].strip() for _, cells in below if cells]
    fits = all(_reach(cells) == width for _, cells in below)
    return bool(below) and fits and len(set(first)) == len(first)


def _names_of_rows(
    names: list[str], rest: Sequence[Line], width: int
) -> tuple[list[str], Sequence[Line]] | None:
    """Take the names of the first columns from the line below, where pandas writes them.

    The corner above then has the name of what stands in the columns.
    """
    reach = _reach(rest[0][1]) if len(rest) > 1 else 0
    below = [cell.strip() for cell in rest[0][1][:reach]] if reach else []
    if not below or not all(below) or reach > max(1, width - 2) or any(map(looks_numeric, below)):
        return None
    if any(names[: reach - 1]) or (names[reach - 1] and find_role(below[-1]) is None):
        return None  # a heading above the first rows
    return [*below, *names[reach:]], rest[1:]


def _is_header_too(rest: Sequence[Line], width: int) -> bool:
    """Say whether a second line has names where the lines below it have numbers."""
    second = [cell for cell in rest[0][1][1:width] if cell.strip()]
    if len(second) < 2 or any(looks_numeric(cell) or is_missing(cell) for cell in second):
        return False
    below = [cell for _, cells in rest[1:6] for cell in cells[1:width] if cell.strip()]
    return sum(map(looks_numeric, below)) > 0.5 * max(1, len(below))


def refuse_unnamed(names: Sequence[str], frame: pd.DataFrame, name: str) -> None:
    """Refuse a table whose first line holds scores: one row would be lost, and nobody is named.

    All cells of that line are numbers, or one is and a word in it comes again in its column.
    """
    told = [cell for cell in names if cell]
    numbers = pd.to_numeric(pd.Series(told, dtype=object), errors="coerce")
    if not (numbers % 1 != 0)[numbers.notna()].any():
        return
    if numbers.notna().all() or any((frame[one].astype(str) == one).any() for one in frame.columns):
        remedy = "Write the names of the columns into the first line"
        got = f"{name} with {shorten(', '.join(told[:3]))}"
        raise invalid("source", "a table with names in its first line", got, remedy)


def refuse_twins(names: Sequence[str], name: str) -> None:
    """Refuse two columns of one name."""
    counts = Counter(cell.strip() for cell in names if cell.strip())
    twice = next((label for label, count in counts.items() if count > 1), None)
    if twice is not None:
        raise invalid(
            "source", "a table with a column of each name", f"{name}: {shorten(repr(twice))} twice"
        )
