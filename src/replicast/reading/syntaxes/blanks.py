"""Tables with blanks between their columns: as R and pandas print them, or copied from a paper."""

import re

from replicast.errors import invalid
from replicast.reading.syntaxes.grids import Line

_BLANKS = re.compile(r"[ \t]{2,}|\t")
_QUOTED = re.compile(r'"[^"]*"|\S+')
_PERCENT = re.compile(r"(?<=\d)[ \t]+(?=%(?:\s|$))")  # 71 %
_NUMBER = r"[-+]?(?:\d++(?:[.,]\d++)?|[.,]\d++)"
RULED = re.compile(r"[-=+|: \t]+")  # between the names and the rows
_SCORE = re.compile(rf"[*_]*+{_NUMBER} ?%?[*_]*+")


def cut_at_blanks(kept: list[tuple[int, str]]) -> list[Line]:
    """Cut lines into cells where one way gives every row as many; a title above is one cell."""
    kept = [(at, line) for at, line in kept if not RULED.fullmatch(line)]
    lines = [line for _, line in kept]
    numeric = [_SCORE.match(line.split()[-1]) is not None for line in lines]
    above = max(0, numeric.index(True) - 1) if True in numeric else 0
    if above and len(lines[above].split()) == 1:  # pandas names the rows below the columns
        above -= 1
    cut = _fitted(lines[above:])
    if cut is not None:
        titles: list[Line] = [(kept[0][0], [" ".join(lines[:above])])] if above else []
        return titles + [(at, cells) for (at, _), cells in zip(kept[above:], cut, strict=True)]
    got = "lines that blanks cut into other numbers of cells, or in two ways"
    remedy = "Put commas or tabs between columns, and write NA where a score is missing"
    raise invalid("source", "a table with as many cells in every row", got, remedy)


def is_aligned(lines: list[str]) -> bool:
    """Say whether blanks stand between columns."""
    words = [len(line.split()) for line in lines[:60]]
    return len(words) > 1 and sum(count > 1 for count in words) > 0.8 * len(words)


def _fitted(lines: list[str]) -> list[list[str]] | None:
    """Return the cells of lines that wide or single blanks cut alike; None if neither or both do."""
    wide = _wide(lines)
    names, *rows = [_words(line) for line in lines]
    single = [names, *(_joined(row, len(names)) for row in rows)]
    fitting = [cells for cells in (wide, single) if _is_regular(cells)]
    if len(fitting) == 2 and wide != single:
        return None
    if fitting == [single] and _are_numbered(single[1:]):
        return None
    return fitting[0] if fitting else None


def _wide(lines: list[str]) -> list[list[str]]:
    """Cut lines at wide blanks; single ones in a row, where others have several, count too."""
    names, *rows = [_BLANKS.split(line.strip()) for line in lines]
    for at, line in enumerate(lines[1:]):
        words = _words(line)
        if len(rows[at]) < len(names) and _SCORE.fullmatch(words[-1]):
            rows[at] = _joined(words, len(names))
    return [names, *rows]


def _are_numbered(rows: list[list[str]]) -> bool:
    """Tell `monks 2 97.1` among rows of scores with decimals: 2 may belong to the name."""
    second = [row[1] for row in rows if len(row) > 1 and row[1] != "100"]
    exact = sum("." in cell or "," in cell for cell in second)
    return 2 * exact > len(second) and any(cell.isdecimal() for cell in second)


def _words(line: str) -> list[str]:
    """Cut a line at every blank outside of quotation marks."""
    cells = _QUOTED.findall(_PERCENT.sub("", line))
    return [cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell for cell in cells]


def _joined(words: list[str], width: int) -> list[str]:
    """Put a name of several words together that stands before the numbers of a row."""
    spare = len(words) - width
    numbers = [_SCORE.fullmatch(word) is not None for word in words]
    if spare > 0 and all(numbers[spare + 1 :]) and not any(numbers[: spare + 1]):
        return [" ".join(words[: spare + 1]), *words[spare + 1 :]]
    return words


def _is_regular(cells: list[list[str]]) -> bool:
    """Say whether rows have as many cells as there are names, or one more; a heading has one."""
    names, *rows = cells
    alone = [word for row in rows if len(row) == 1 for word in row[0].split()]
    widths = {len(row) for row in rows if len(row) > 1 or any(map(_SCORE.fullmatch, alone))}
    if len(widths) != 1 or not any(_SCORE.match(cell) for row in rows for cell in row[1:]):
        return False
    [width] = widths
    full = [row for row in rows if len(row) > 1]
    return width > 1 and len(names) in (width, width - 1) and 2 * len(full) > len(rows)
