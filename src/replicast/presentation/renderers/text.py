"""A document as plain text: what a terminal shows and what `print` shows are the same lines."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from replicast.presentation.document import Document, Listing, Row, Signal
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
    lines = _headed(document, width)
    foot = _foot(document)
    return [*lines, *_filled(foot, width, kind="soft")] if foot else lines


def _foot(document: Document) -> str:
    read = "; ".join(
        filter(None, (document.read, *(text.rstrip(".") for text in document.assumed)))
    )
    return " · ".join(filter(None, (read and f"read: {read}", *document.hints)))


def _headed(document: Document, width: int) -> list[Line]:
    head = Line(document.headline, "headline", document.signal)
    lines = [
        Line(part, "headline", head.signal if at == 0 else "")
        for at, part in enumerate(_broken(head.text, width))
    ]
    for caution in document.shown_cautions:
        lines += _filled(f"caution: {caution}", width, _INDENT, kind="caution")
    body = [*_rows(document.lines, width), *_listing(document.listing, width)]
    for note in document.notes:
        body += _filled(note, width, _INDENT)
    return [*lines, Line(""), *body] if body else lines


def more_lines(document: Document, width: int = WIDTH) -> list[Line]:
    """Return the answer and everything behind it."""
    lines = _headed(document, width)
    parts = [
        ("In numbers", _rows(document.rows, width)),
        *((table.title, _listing(table, width)) for table in document.tables),
        ("Cautions", _paragraphs([one.text for one in document.cautions], width)),
        ("To quote", _paragraphs([document.quote], width)),
        ("How this was computed", _paragraphs(document.how, width)),
        ("What was read", _paragraphs(document.account or [document.read], width)),
    ]
    for title, part in parts:
        if part:
            lines += [Line(""), Line(title, "title"), *part]
    return lines


def _paragraphs(texts: Sequence[str], width: int) -> list[Line]:
    return [line for text in texts if text for line in _filled(text, width, _INDENT)]


def _rows(rows: Sequence[Row], width: int) -> list[Line]:
    """Set rows in three columns; a remark that has no room beside its value is broken."""
    if not rows:
        return []
    label = max(len(row.label) for row in rows) + _GAP + 1
    beside = [len(row.value) for row in rows if row.remark and len(row.value) <= _WIDEST_VALUE]
    value = max(beside, default=0) + _GAP
    lines = []
    for row in rows:
        start = f"{_INDENT}{row.label:<{label}}"
        lines += list(_row(start, row, value, width))
    return lines


def _row(start: str, row: Row, value: int, width: int) -> Iterator[Line]:
    room = width - len(start)
    if not row.remark or len(row.value) + _GAP > value:
        text = ", ".join(filter(None, (row.value, row.remark)))
        for at, part in enumerate(_broken(text, room)):
            yield Line((start if at == 0 else " " * len(start)) + part, "row")
        return
    if room - value < _LEAST_ROOM:
        yield Line(start + row.value, "row")
        for part in _broken(row.remark, room):
            yield Line(" " * len(start) + part, "row")
        return
    for at, part in enumerate(_broken(row.remark, room - value)):
        left = f"{start}{row.value:<{value}}" if at == 0 else " " * (len(start) + value)
        yield Line(left + part, "row")


def _listing(table: Listing | None, width: int) -> list[Line]:
    """Set a table; the first column to the left, numbers to the right, a rule where it has one."""
    if table is None:
        return []
    cells = [table.headings, *table.rows]
    wide = [max(len(row[k]) for row in cells) for k in range(len(table.headings))]
    names = table.headings.index("") if "" in table.headings else 0
    gaps = len(wide) - 1
    room = width - len(_INDENT) - (sum(wide) - wide[names])  # for the names and all gaps
    gap = _GAP if room - _GAP * gaps >= min(wide[names], _LEAST_NAME) else 1
    wide[names] = min(wide[names], max(_LEAST_CUT, room - gap * gaps))
    lines = []
    for at, row in enumerate(cells):
        if table.rule is not None and at == table.rule[0] + 1:
            lines.append(Line(f"{_INDENT}---- {table.rule[1]} ----", "rule"))
        shown = [short_name(cell, wide[k]) for k, cell in enumerate(row)]
        parts = [
            f"{cell:<{wide[k]}}" if k == names else f"{cell:>{wide[k]}}"
            for k, cell in enumerate(shown)
        ]
        lines.append(
            Line((_INDENT + (" " * gap).join(parts)).rstrip(), "heading" if at == 0 else "row")
        )
    return lines


def _filled(text: str, width: int, indent: str = "", kind: str = "") -> list[Line]:
    return [Line(indent + part, kind) for part in _broken(text, width - len(indent))]


def _broken(text: str, width: int) -> list[str]:
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return wrap(plain, max(width, 20), break_on_hyphens=False) or [""]
