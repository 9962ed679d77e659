"""Tables with blanks between their columns: as R and pandas print them, or copied from a paper."""

import re
from collections import Counter

from replicast.errors import InvalidArgumentError, invalid
from replicast.reading.syntaxes.grids import Line

_BLANKS = re.compile(r"[ \t]{2,}|\t")
_WIDE, _NARROW = re.compile(r"[^ \t]+(?: [^ \t]+)*"), re.compile(r"[^ \t]+")  # cells
_PERCENT = re.compile(r"(?<=\d)[ \t]+(?=%(?:\s|$))")  # 71 %
_TIED = "\0"  # a blank within a cell
_NUMBER = r"[-+]?(?:\d++(?:[.,]\d++)?|[.,]\d++)"
_TWO = re.compile(rf"{_NUMBER}%?\s++{_NUMBER}%?(?:\s|$)")  # two numbers in one cell
_SCORE = re.compile(rf"[*_]*+{_NUMBER} ?%?[*_]*+")
_DECIMAL = re.compile(r"\d?[.,]\d")
_BEGINS = re.compile(r"[^\w%]*\d")  # 0.91±0.02 and **92%**
_QUOTED = re.compile(r'"[^"]*"|\S+')
_CAPTION = re.compile(r"(?:table|tab\.)\s+\w+\s*[.:]\s", re.IGNORECASE)  # Table 3. Accuracy on ...


def cut_at_blanks(kept: "list[tuple[int, str]]") -> "list[Line]":
    """Cut lines into cells, the line of names as its rows are; a title above it is one cell."""
    above = _titles([line for _, line in kept])
    title = " ".join(line.strip() for _, line in kept[:above])
    titles: list[Line] = [(kept[0][0], [title])] if above else []
    kept = kept[above:]
    lines = [line for _, line in kept]
    wide = not _is_narrow(lines)
    head = _names(lines, wide=wide)
    cut = [
        (number, head if line == lines[0] else _split_blanks(line, wide=wide, width=len(head)))
        for number, line in kept
    ]
    _refuse_short_rows(cut[1:])
    if not wide:
        _refuse_numbered_names(cut[1:])
    return titles + cut


def cut_apart(line: str) -> list[str]:
    """Cut a line where more than one blank stands."""
    return _BLANKS.split(line.strip())


def _words(line: str) -> list[str]:
    """Cut a line at every blank outside of quotation marks."""
    return [
        (cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell).replace(_TIED, " ")
        for cell in _QUOTED.findall(line)
    ]


def _titles(lines: list[str]) -> int:
    """Count the lines of a caption: they are not cut where the names and rows below them are."""
    if len(lines) > 2 and _CAPTION.match(lines[0].lstrip()):
        return 1 + _titles(lines[1:])
    cut = [cut_apart(line) for line in lines[:60]]
    above = next((at for at, cells in enumerate(cut) if len(cells) > 1), len(cut))
    names, row = [*cut[above : above + 2], [], []][:2]
    apart = len(names) == len(row) > 2 and not _numbers(names)
    return above if apart and _numbers(row) else 0


def _numbers(cells: list[str]) -> bool:
    """Say whether a number stands behind the first cell."""
    return any(map(_BEGINS.match, cells[1:]))


def is_aligned(lines: list[str]) -> bool:
    """Say whether blanks stand between columns: as many of them in every line."""
    counts = Counter(len(cut_apart(line)) for line in lines[:60])
    wide, often = counts.most_common(1)[0]
    if wide > 1 and often >= 0.5 * sum(counts.values()):
        return True
    width = len(_words(lines[0]))
    counts = Counter(len(_split_blanks(line, wide=False, width=width)) for line in lines[1:60])
    counts[width] += 1
    width, often = counts.most_common(1)[0]
    return width > 2 and often >= 0.8 * sum(counts.values())


def _split_blanks(line: str, *, wide: bool, width: int = 0) -> list[str]:
    """Cut a line at blanks; `width` is that of the header, if a name of several words may be one.

    A line in which single blanks stand, where others have several, and one with words to spare before
    its numbers are those of tables copied from a paper.
    """
    single = _words(_PERCENT.sub(_TIED, line))
    cells = cut_apart(line) if wide else single
    words = single if width > len(cells) else cells
    spare = len(words) - width
    numbers = [_SCORE.fullmatch(word) is not None for word in words]
    if width and spare >= 0 and all(numbers[spare + 1 :]) and not any(numbers[: spare + 1]):
        return [" ".join(words[: spare + 1]), *words[spare + 1 :]]
    return cells


def _refuse_short_rows(rows: "list[Line]") -> None:
    """Refuse a row in which a score is missing: between blanks nobody can see which one it was."""
    usual = Counter(len(cells) for _, cells in rows).most_common(1)[0][0] if rows else 0
    for number, cells in rows:
        scores = sum(_SCORE.fullmatch(cell) is not None for cell in cells[1:])
        if scores and len(cells) < usual:
            raise short_row(f"line {number} with {len(cells)} of {usual} cells")


def _refuse_numbered_names(rows: "list[Line]") -> None:
    """Refuse `monks 2 97.1 97.3` among rows of three scores: a name and two scores, or three scores."""
    told = [cells for _, cells in rows if len(cells) > 2]
    exact = [cells for cells in told if cells[1] == "100" or _DECIMAL.search(cells[1])]
    for number, cells in rows:
        scores = [cell for cell in cells[2:] if _SCORE.fullmatch(cell)]
        odd = len(cells) > 2 and cells[1].isdecimal() and cells[1] != "100"
        named = odd and any(map(str.isalpha, cells[0]))
        if named and 2 * len(exact) > len(told) and scores and all(map(_DECIMAL.search, scores)):
            got = f"line {number}, where {cells[1]} may belong to the name or be a score"
            remedy = (
                f"Put commas or tabs between columns, write {cells[1]}.0 for a score, or NA where one "
                "is missing"
            )
            domain = "a table with as many cells in every row"
            raise invalid("source", domain, got, remedy)


def short_row(got: str) -> InvalidArgumentError:
    """Return the refusal of a row in which a score is missing."""
    remedy = "Write NA where a score is missing, or put commas or tabs between columns"
    return invalid("source", "a table with as many cells in every row", got, remedy)


def _names(lines: list[str], *, wide: bool) -> list[str]:
    """Cut the line of names as its rows are: in `Our Method   SVM` a name has a blank of its own.

    More names than cells would give scores to the wrong name.
    """
    cut = cut_apart(lines[0]) if wide else _words(lines[0])
    rows = Counter(len(_split_blanks(line, wide=wide, width=len(cut))) for line in lines[1:])
    usual = rows.most_common(1)[0][0] if rows else len(cut)
    if len(cut) == 1 and usual > 2 and _numbers(_split_blanks(lines[1], wide=wide)):
        cut = _words(lines[0])  # names between single blanks, no title of rows
    if len(cut) <= usual:
        return cut
    apart = cut_apart(lines[0])
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
    cut = [cut_apart(line) for line in lines]
    if wide > 1 and {len(cells) for cells in cut} == {wide}:  # in the line of the names too
        if not any(_TWO.match(cell) for cells in cut for cell in cells):
            return False
        close, apart = (_line_up(lines, cell) for cell in (_NARROW, _WIDE))
        if close != apart:
            return close
        if len(_words(lines[0])) == narrow and often == len(lines) - 1:
            got = f"lines that single blanks cut into {narrow} cells and wider ones into {wide}"
            remedy = "Put commas or tabs between columns"
            raise invalid("source", "a table that can be cut in one way", got, remedy)
    return wide < 2 or (narrow > wide and often >= len(lines) - 2)


def _line_up(lines: list[str], cell: re.Pattern[str]) -> bool:
    """Say whether the cells of every column begin, or end, at one place."""
    spans = [[found.span() for found in cell.finditer(line)] for line in lines]
    if len({len(line) for line in spans[1:]} | {1 + len(spans[0])}) == 1:
        spans[1:] = [line[1:] for line in spans[1:]]  # rows have a name more than the header
    if len({len(line) for line in spans}) > 1:
        return False
    return all(
        any(len(set(ends)) == 1 for ends in zip(*column, strict=True))
        for column in zip(*spans, strict=True)
    )
