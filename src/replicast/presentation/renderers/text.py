"""A document as plain text: what a terminal shows and what `print` shows are the same lines."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from replicast.presentation.document import Document, Listing, Row, Section, Signal
from replicast.presentation.words.scales import short_name

WIDTH = 80
MOST_WORDS, MOST_LINES = 80, 10
_INDENT = "  "
_GAP = 2  # blanks between columns
_LEAST_NAME = 12  # of a table; narrower, columns move together
_LEAST_CUT = 8
_WIDEST_VALUE = 34  # a longer value has its remark on the next line
_LEAST_ROOM = 24  # for a remark beside its value


class Line(NamedTuple):
    """A line of text and what it is, so that a terminal can make it bold or coloured."""

    text: str
    kind: str = ""
    signal: Signal = ""


class Text(str):
    """Text that shows itself as it is at a prompt."""

    def __repr__(self) -> str:
        return str(self)


def answer_text(document: Document, width: int = WIDTH) -> str:
    """Return the answer as text."""
    return "\n".join(line.text for line in answer_lines(document, width))


def more_text(document: Document, width: int = WIDTH) -> str:
    """Return everything there is to say as text."""
    return "\n".join(line.text for line in more_lines(document, width))


def answer_lines(document: Document, width: int = WIDTH) -> list[Line]:
    """Return the few lines that are the answer, as much of it as there is room for."""
    for shorter in document.shorter():
        lines = _whole(shorter, width)
        words = sum(len(line.text.split()) for line in lines)
        foot = len(shorter.hints) < 2 or len(_foot(shorter)) <= width
        if words <= MOST_WORDS and len(lines) <= MOST_LINES and foot:
            break
    return lines


def _whole(document: Document, width: int) -> list[Line]:
    foot = _foot(document)
    headed = _headed(document, width, whole=False)
    return [*headed, *(_filled(foot, width, kind="soft") if foot else ())]


def _foot(document: Document) -> str:
    assumed = (text.rstrip(".") for text in document.assumed)
    read = "; ".join(filter(None, (document.read, *assumed)))
    return " · ".join(filter(None, (read and f"read: {read}", *document.hints)))


def _headed(document: Document, width: int, *, whole: bool) -> list[Line]:
    """Return the answer without its last line; as a whole with every row, and what else is below."""
    table, notes = document.listing, document.notes
    if table is not None and not whole:
        table, hidden = table.short()
        notes = tuple(filter(None, (*notes, hidden)))
    first, *others = _broken(document.headline, width)
    lines = [Line(first, "headline", document.signal)]
    lines += [Line(part, "headline") for part in others]
    for caution in document.shown_cautions("below" if whole else "--more"):
        lines += _filled(f"caution: {caution}", width, _INDENT, kind="caution")
    body = [*_rows(document.lines, width), *_listing(table, width)]
    if notes:
        body += _filled("; ".join(notes), width, _INDENT)
    return [*lines, Line(""), *body] if body else lines


def more_lines(document: Document, width: int = WIDTH) -> list[Line]:
    """Return the answer and everything behind it."""
    lines = _headed(document, width, whole=True)
    for title, section in document.sections:
        part = _section(section, width)
        if part:
            lines += [Line(""), Line(title, "title"), *part]
    return lines


def _section(section: Section, width: int) -> list[Line]:
    if isinstance(section, Listing):
        return _listing(section, width)
    lines = _rows([part for part in section if isinstance(part, Row)], width)
    for text in section:
        if isinstance(text, str) and text:
            lines += _filled(text, width, _INDENT)
    return lines


def _rows(rows: Sequence[Row], width: int) -> list[Line]:
    """Set rows in three columns; a remark that has no room beside its value is broken."""
    label = max((len(row.label) for row in rows), default=0) + _GAP + 1
    beside = [len(row.value) for row in rows if row.remark and len(row.value) <= _WIDEST_VALUE]
    value = max(beside, default=0) + _GAP
    return [
        line for row in rows for line in _row(f"{_INDENT}{row.label:<{label}}", row, value, width)
    ]


def _row(start: str, row: Row, value: int, width: int) -> Iterator[Line]:
    indent = " " * len(start)
    room, text = width - len(start), row.remark
    if not row.remark or len(row.value) + _GAP > value:
        text = ", ".join(filter(None, (row.value, row.remark)))
    elif room - value < _LEAST_ROOM:
        yield Line(start + row.value, "row")
        start = indent
    else:
        start, indent = f"{start}{row.value:<{value}}", indent + " " * value
        room -= value
    for part in _broken(text, room):
        yield Line(start + part, "row")
        start = indent


def _listing(table: Listing | None, width: int) -> list[Line]:
    """Set a table; the first column to the left, numbers to the right, a rule where it has one."""
    if table is None:
        return []
    names = table.headings.index("") if "" in table.headings else 0
    cells = [table.headings, *table.rows]
    wide, gap = _widths(cells, names, width - len(_INDENT))
    lines = []
    for at, row in enumerate(cells):
        shown = [short_name(cell, room) for cell, room in zip(row, wide, strict=True)]
        parts = [f"{cell:>{room}}" for cell, room in zip(shown, wide, strict=True)]
        parts[names] = f"{shown[names]:<{wide[names]}}"
        lines.append(Line(f"{_INDENT}{gap.join(parts)}".rstrip(), "row" if at else "heading"))
    if table.rule is not None:
        place, words = table.rule
        lines.insert(place + 1, Line(f"{_INDENT}---- {words} ----", "rule"))
    return lines


def _widths(cells: Sequence[Sequence[str]], names: int, room: int) -> tuple[list[int], str]:
    """Return the widths of columns and the gap between them; names give way where room is short."""
    wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
    left = room - (sum(wide) - wide[names])  # for the names and all gaps
    gaps = len(wide) - 1
    gap = _GAP if left - _GAP * gaps >= min(wide[names], _LEAST_NAME) else 1
    wide[names] = min(wide[names], max(_LEAST_CUT, left - gap * gaps))
    return wide, " " * gap


def _filled(text: str, width: int, indent: str = "", kind: str = "") -> list[Line]:
    return [Line(indent + part, kind) for part in _broken(text, width - len(indent))]


def _broken(text: str, width: int) -> list[str]:
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return wrap(plain, max(width, 20), break_on_hyphens=False) or [""]
