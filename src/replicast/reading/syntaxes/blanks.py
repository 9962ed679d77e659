"""Tables with blanks between their columns: as R and pandas print them, or copied from a paper."""

import re

from replicast.errors import invalid
from replicast.reading.syntaxes.grids import Line

_WIDE = re.compile(r"[ \t]{2,}|\t")
_WORD = re.compile(r'"[^"]*"|\S+')
_NUMBER = r"[-+]?(?:\d++(?:[.,]\d++)?|[.,]\d++)"
_SCORE = re.compile(rf"[*_]*+{_NUMBER} ?%?[*_]*+")
RULED = re.compile(r"[-=+|: \t]+")  # between the names and the rows


def cut_at_blanks(kept: list[tuple[int, str]]) -> list[Line]:
    """Cut lines into cells where one way gives every row as many: at wide blanks, or at all."""
    lines = [(number, line.strip()) for number, line in kept if not RULED.fullmatch(line)]
    if len(lines) < 2:
        raise invalid("source", "a table with names and rows", f"{len(lines)} lines of text")
    wide = [_WIDE.split(line) for _, line in lines]
    names, *rows = [[word.strip('"') for word in _WORD.findall(line)] for _, line in lines]
    single = [names, *(_joined(row, len(names)) for row in rows)]
    ways = [cells for cells in (wide, single) if _is_regular(cells)]
    if not ways or (ways[0] != ways[-1]) or (ways == [single] and _are_numbered(single[1:])):
        got = "lines that blanks cut into other numbers of cells, or in two ways"
        remedy = "Put commas or tabs between columns, and write NA where a score is missing"
        raise invalid("source", "a table with as many cells in every row", got, remedy)
    return [(number, cells) for (number, _), cells in zip(lines, ways[0], strict=True)]


def _joined(words: list[str], width: int) -> list[str]:
    """Put a name of several words together that stands before the numbers of a row."""
    end = len(words) - width + 1
    numbers = [_SCORE.fullmatch(word) is not None for word in words]
    if end > 1 and all(numbers[end:]) and not any(numbers[:end]):
        return [" ".join(words[:end]), *words[end:]]
    return words


def is_aligned(lines: list[str]) -> bool:
    """Say whether blanks stand between columns."""
    words = [len(line.split()) for line in lines[:60]]
    return len(words) > 1 and sum(count > 1 for count in words) > 0.8 * len(words)


def _is_regular(cells: list[list[str]]) -> bool:
    """Say whether rows have as many cells as there are names, or one more, and hold numbers.

    pandas writes the name of the rows into a line of its own, below those of the columns.
    """
    names, *rows = cells
    if len(rows) > 1 and len(rows[0]) == 1:
        rows = rows[1:]
    widths = {len(row) for row in rows}
    if len(widths) != 1 or not any(map(_SCORE.match, rows[0][1:])):
        return False
    [width] = widths
    return width > 1 and len(names) in (width, width - 1)


def _are_numbered(rows: list[list[str]]) -> bool:
    """Tell `monks 2 97.1` among rows of scores with decimals: 2 may belong to the name."""
    second = [row[1] for row in rows if len(row) > 1 and row[1] != "100"]
    exact = sum("." in cell or "," in cell for cell in second)
    return 2 * exact > len(second) and any(cell.isdecimal() for cell in second)
