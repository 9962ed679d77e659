"""Lines of cells become a sheet: titles, one or two lines of names, then rows."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from replicast.errors import invalid, shorten
from replicast.reading.limits import HERE, Limits
from replicast.reading.sheets import Sheet
from replicast.reading.vocabulary.cells import is_missing, parse_numbers
from replicast.reading.vocabulary.roles import find_role, label_columns

Line = tuple[int, list[str]]  # number as an editor counts, and the cells
# a line of units below the names
_UNIT = re.compile(
    r"\s*+(?:[(\[]\s*+)?(?:in )?(?:%|percent|s|ms|sec|seconds|points|pts)\s*+(?:[)\]]\s*+)?"
)
# nothing, or a line between the names and the rows; possessive, since a run of hyphens that ends
# in another sign could be cut in exponentially many ways
_RULE = re.compile(r"(?:\s*+[-=:+]{2,}+)*+\s*+")
BETWEEN = " ~ "  # joins the names of two header lines; no name of one line is likely to have it


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
    full = [(number, cells) for number, cells in lines if not _RULE.fullmatch("".join(cells))]
    width = _usual_width(full)
    limits.require_shape(len(full), width, name, "texts")
    while full and _is_title(full, width):
        title = " ".join(cell.strip() for cell in full[0][1] if cell.strip())
        notes = (*notes, f"Line {full[0][0]} was taken as a title: {shorten(title.rstrip('.'))}.")
        caption = f"{caption} {title}".strip()
        full = full[1:]
    if not full:
        raise invalid("source", "a table with at least one row of scores", f"{name} with none")
    names, below = _names(full, width)
    if not below:
        raise invalid(
            "source", "a table with at least one row of scores", f"{name} with a header only"
        )
    refuse_numbers_as_names(names, name)
    cells = [_fitted(cells, width, number, name) for number, cells in below]
    columns = [
        pd.Series([row[at].strip() or None for row in cells], dtype=object) for at in range(width)
    ]
    kept = [at for at in range(width) if names[at] or columns[at].notna().any()]
    named = max((at for at in range(width) if names[at]), default=-1)
    if kept and kept[-1] > max(named, 0):
        detail = f"{name}: rows with more cells than the header"
        raise invalid("source", "a table with as many cells in every row", detail)
    titles = [names[at] or f"Unnamed: {at}" for at in kept]
    labels = label_columns(titles)
    typed = [
        columns[at] if title in labels else _typed(columns[at])
        for at, title in zip(kept, titles, strict=True)
    ]
    refuse_twins(titles, name)
    frame = pd.DataFrame(dict(zip(titles, typed, strict=True)))
    refuse_row_as_names(frame, name)
    return Sheet(
        name=name,
        frame=frame,
        rows=np.array([number for number, _ in below], dtype=np.intp),
        notes=notes,
        caption=caption,
    )


def _usual_width(lines: Sequence[Line]) -> int:
    counts = Counter(_reach(cells) for _, cells in lines[:200])
    return max(counts, key=lambda width: (counts[width], width)) if counts else 0


def _reach(cells: list[str]) -> int:
    """Return how far a line reaches: cells up to the last that is not empty."""
    return max((at + 1 for at, cell in enumerate(cells) if cell.strip()), default=0)


def _is_title(lines: Sequence[Line], width: int) -> bool:
    """Tell a line that has far fewer cells than the table below it is wide."""
    cells = [cell for cell in lines[0][1] if cell.strip()]
    return width > 2 and len(cells) == 1 and len(lines) > 2 and not _is_index_name(lines, width)


def _is_index_name(lines: Sequence[Line], width: int) -> bool:
    return len(lines) < 2 or _reach(lines[1][1]) < width - 1


def _names(lines: Sequence[Line], width: int) -> tuple[list[str], Sequence[Line]]:
    """Return the names of the columns: of one line, or of two and the name of the first column."""
    first = [cell.strip() for cell in lines[0][1]] + [""] * width
    rest = lines[1:]
    if (
        rest
        and _reach(lines[0][1]) == len(lines[0][1]) == width - 1
        and _short_by_one(lines, width)
    ):
        first = ["", *first]  # as R prints a table: rows have a name more than the header
    names = first[:width]
    if (told := _names_of_rows(names, rest, width)) is not None:
        return told
    if len(rest) > 1 and all(map(_UNIT.fullmatch, (c for c in rest[0][1][1:width]))):
        rest = rest[1:]
    elif len(rest) > 1 and _is_header_too(rest, width):
        second = [cell.strip() for cell in rest[0][1]] + [""] * width
        filled = _filled(names, second)
        names = [
            BETWEEN.join(filter(None, dict.fromkeys((above, below))))
            for above, below in zip(filled, second[:width], strict=True)
        ]
        rest = rest[1:]
        return _names_of_rows(names, rest, width) or (names, rest)
    return names, rest


def _names_of_rows(
    names: list[str], rest: Sequence[Line], width: int
) -> tuple[list[str], Sequence[Line]] | None:
    """Take the names of the first columns from the line below, where pandas writes them.

    The corner above then has the name of what stands in the columns.
    """
    reach = _reach(rest[0][1]) if len(rest) > 1 else 0
    below = [cell.strip() for cell in rest[0][1][:reach]] if reach else []
    if not below or not all(below) or reach > max(1, width - 2) or any(map(_is_number, below)):
        return None
    corner = names[reach - 1]
    if any(names[: reach - 1]) or (corner and find_role(below[-1]) is None):
        return None  # a heading above the first rows
    return [*below, *names[reach:]], rest[1:]


def _is_name_of_rows(rest: Sequence[Line]) -> bool:
    return len(rest) > 1 and _reach(rest[0][1]) == 1


def _short_by_one(lines: Sequence[Line], width: int) -> bool:
    below = lines[2:] if _is_name_of_rows(lines[1:]) else lines[1:]
    first = [cells[0].strip() for _, cells in below if cells]
    fits = all(_reach(cells) == width for _, cells in below) and bool(lines[0][1][0].strip())
    return fits and len(set(first)) == len(first)  # names of rows, each its own


def _filled(above: list[str], below: list[str]) -> list[str]:
    """Carry a name over the empty cells to its right, where cells were merged."""
    found, last = [], ""
    for at, name in enumerate(above):
        last = name or (last if at and below[at] else "")
        found.append(last)
    return found


def _is_header_too(rest: Sequence[Line], width: int) -> bool:
    """Say whether a second line has names where the lines below it have numbers."""
    second = rest[0][1][1:width]
    if sum(bool(cell.strip()) for cell in second) < 2 or any(map(_is_number, second)):
        return False
    if any(is_missing(cell) for cell in second if cell.strip()):
        return False
    below = [cell for _, cells in rest[1:6] for cell in cells[1:width] if cell.strip()]
    return sum(map(_is_number, below)) > 0.5 * max(1, len(below))


def _is_number(cell: str) -> bool:
    found = parse_numbers(pd.Series([cell], dtype=object), comma=True)
    return bool(np.isfinite(found.values[0]))


def _fitted(cells: list[str], width: int, number: int, name: str) -> list[str]:
    if _reach(cells) > width:
        detail = f"{name}: {_reach(cells)} in row {number}, {width} in others"
        raise invalid("source", "a table with as many cells in every row", detail)
    return (cells + [""] * width)[:width]


def _typed(column: "pd.Series[str]") -> "pd.Series[str]":
    """Return numbers where all cells are plain numbers or empty, else text."""
    numbers = pd.to_numeric(column, errors="coerce")
    if numbers.notna().any() and (numbers.notna() | column.isna()).all():
        return numbers
    return column


def refuse_numbers_as_names(names: Sequence[str], name: str) -> None:
    """Refuse a table whose first line holds scores: one row would be lost, and nobody is named."""
    told = [cell for cell in names if cell]
    numbers = pd.to_numeric(pd.Series(told, dtype=object), errors="coerce")
    if len(told) and numbers.notna().all() and (numbers % 1 != 0).any():
        remedy = "Write the names of the classifiers into the first line"
        got = f"{name} with {', '.join(told[:3])}"
        raise invalid("source", "a table with names in its first line", got, remedy)


def refuse_row_as_names(frame: pd.DataFrame, name: str) -> None:
    """Refuse a table without names: a number stands in its first line, and a word that comes again."""
    told = pd.to_numeric(pd.Series(frame.columns, dtype=object), errors="coerce")
    if not (told % 1 != 0)[told.notna()].any():
        return
    again = [label for label in frame.columns if (frame[label].astype(str) == label).any()]
    if again:
        remedy = "Write the names of the columns into the first line"
        got = f"{name} with {shorten(', '.join(map(str, frame.columns[:3])))}"
        raise invalid("source", "a table with names in its first line", got, remedy)


def refuse_twins(names: Sequence[str], name: str) -> None:
    """Refuse two columns of one name."""
    counts = Counter(cell.strip() for cell in names if cell.strip())
    twice = next((label for label, count in counts.items() if count > 1), None)
    if twice is not None:
        raise invalid(
            "source", "a table with a column of each name", f"{name}: {shorten(repr(twice))} twice"
        )
