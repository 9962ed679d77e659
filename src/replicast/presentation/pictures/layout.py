"""Room for the words of a figure: where its axes lie, which ticks fit, and words moved apart.

Both renderers write what stands here, so a word that has room on a page has it in a file.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from unicodedata import east_asian_width

from replicast.presentation.pictures.figure import (
    TEXT,
    Anchor,
    Cell,
    Figure,
    Label,
    Line,
    Panel,
    Rule,
    Tick,
)
from replicast.presentation.words.scales import short_name

_LETTERS = TEXT * 1.06  # letters may be wider than they are estimated
_BELOW = 17.0  # pixels of a line of words below the axes
_EDGE = 2.0  # pixels between words and the end of their cell
_NAMES = 0.5  # of the width, at most, for the names of rows
_FEWEST = 5  # letters of a name
_APART = 6.0  # pixels between the words of two ticks
_TRIES = 24  # places for a word above the axes


@dataclass(frozen=True)
class Plot:
    """A panel in its place: the frame of its axes in pixels, and its words where they have room."""

    panel: Panel
    frame: Cell
    cell: Cell
    words: tuple[Label, ...] = ()
    below: tuple[str, ...] = ()  # lines of the label below the axes

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixels of a point of the data."""
        return self.within(self.panel.x.share(x), self.panel.y.share(y))

    def within(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixels of shares of the width and of the height."""
        frame = self.frame
        return (
            frame.left + x * (frame.right - frame.left),
            frame.bottom - y * (frame.bottom - frame.top),
        )

    def anchor(self, label: Label) -> tuple[float, float]:
        """Return the pixels at which a label is anchored, half of its height above the line."""
        x, y = (self.place if label.of == "data" else self.within)(label.x, label.y)
        return x + label.dx, y - label.dy

    def box(self, label: Label) -> Cell:
        """Return the room that a label takes."""
        x, y = self.anchor(label)
        size = label.size / TEXT * _LETTERS
        width = text_width(label.text, size)
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
        return Cell(left, left + width, y - 0.6 * size, y + 0.6 * size)

    @property
    def ticks(self) -> list[tuple[Tick, Anchor]]:
        """The ticks of the level axis that have room, the first ones first, and their anchors."""
        kept: list[tuple[Tick, Anchor]] = []
        taken: list[Cell] = []
        for tick in self.panel.x.ticks:
            label = Label(self.panel.x.share(tick.at), 0, tick.label, anchor="middle", of="panel")
            box = self.box(label)
            if box.left < self.cell.left:
                label = replace(label, anchor="start")
            elif box.right > self.cell.right:
                label = replace(label, anchor="end")
            box = self.box(label)
            wide = replace(box, left=box.left - _APART, right=box.right + _APART)
            if not any(_overlap(wide, other) for other in taken):
                taken.append(box)
                kept.append((tick, label.anchor))
        return kept

    def rule(self, rule: Rule) -> Iterator[Line]:
        """Yield the parts of a straight line between the words that stand on it."""
        axis, other = self.panel.y, self.panel.x
        if rule.level:
            axis, other = other, axis
        start = 0.0
        for low, high in (*sorted(self._on(rule, other.share(rule.at))), (1.0, 1.0)):
            stop = min(low, 1.0)  # words may stand beside the axes
            if stop > start:
                ends, at = (axis.value(start), axis.value(stop)), (rule.at, rule.at)
                x, y = (ends, at) if rule.level else (at, ends)
                yield Line(x, y, rule.tone, 1.2, dashed=rule.dashed)
            start = max(start, high)

    def _on(self, rule: Rule, at: float) -> Iterator[tuple[float, float]]:
        """Yield the shares of a straight line on which words stand."""
        frame = self.frame
        width, height = frame.right - frame.left, frame.bottom - frame.top
        for box in map(self.box, self.words):
            along = (frame.bottom - box.bottom) / height, (frame.bottom - box.top) / height
            beside = (box.left - frame.left) / width, (box.right - frame.left) / width
            if rule.level:
                along, beside = beside, along
            if beside[0] < at < beside[1]:
                yield along


def text_width(text: str, size: float = _LETTERS) -> float:
    """Estimate how wide a text is, on the safe side."""
    return size * sum(map(_letter, text))


@lru_cache(maxsize=1024)
def _letter(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return 1.0
    if letter in " .,:;|'!ilj()[]":
        return 0.39
    return 0.98 if letter in "%mwMW@&→←" else 0.72 if letter.isupper() else 0.64


def wrapped(text: str, width: float, size: float = _LETTERS) -> list[str]:
    """Break a text into lines of at most this many pixels."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def plots(figure: Figure) -> list[Plot]:
    """Return the panels of a figure in their places, such that every word has room."""
    each = figure.width / len(figure.panels)
    return [
        _fitted(panel, panel.cell or Cell(k * each, (k + 1) * each, 0.0, figure.height))
        for k, panel in enumerate(figure.panels)
    ]


def _fitted(panel: Panel, cell: Cell) -> Plot:
    names = short_names(panel, cell)
    beside = max((text_width(tick.label) + 9 for tick in names.y.ticks), default=0.0)
    bottom = cell.bottom - 4 - 22 * bool(panel.x.ticks)
    frame = Cell(cell.left + beside, cell.right - 8, cell.top + 8, bottom)
    for _ in range(4):  # moving an edge moves the words
        plot = in_frame(panel, frame, cell)
        boxes = [plot.box(word) for word in plot.words]
        beyond = max((box.right for box in boxes), default=0.0) - cell.right + _EDGE
        above = cell.top + _EDGE - min((box.top for box in boxes), default=frame.top)
        needed = replace(
            frame,
            right=max(frame.right - max(0.0, beyond), frame.left + 60),
            top=min(frame.top + max(0.0, above), bottom - 20),
            bottom=bottom - _BELOW * len(plot.below) - 4 * bool(plot.below),
        )
        if needed == frame:
            break
        frame = needed
    return plot


def in_frame(panel: Panel, frame: Cell, cell: Cell) -> Plot:
    """Return a panel whose axes have their frame, with its words where they have room."""
    plot = Plot(short_names(panel, cell), frame, cell)
    middle = (frame.left + frame.right) / 2
    wide = 2 * min(middle - cell.left, cell.right - middle)
    below = tuple(wrapped(panel.x.label, wide))
    return replace(plot, words=tuple(_words_apart(plot)), below=below)


def short_names(panel: Panel, cell: Cell) -> Panel:
    """Shorten the names of rows to their share of the width; the value behind a name is kept."""
    most = _NAMES * (cell.right - cell.left)
    ticks = tuple(replace(tick, label=_shortened(tick.label, most)) for tick in panel.y.ticks)
    return replace(panel, y=replace(panel.y, ticks=ticks))


def _shortened(label: str, most: float) -> str:
    name, blank, value = label.partition("\u2002")
    letters = len(name)
    while letters > _FEWEST and text_width(name + blank + value) > most:
        letters -= 1
        name = short_name(name, letters)
    return name + blank + value


def _words_apart(plot: Plot) -> Iterator[Label]:
    """Move words until they cover no others and none reaches over the ends of its cell.

    Words above the axes stay above, those to the right of them on the right, and strong ones come
    first; headings stand above all. Small letters belong to the drawing and stay.
    """
    frame = plot.frame
    taken: list[Cell] = []

    def rank(label: Label) -> tuple[bool, bool, float]:
        box = plot.box(label)
        inside = box.left < frame.right - 1
        return inside, inside and not label.strong, abs(box.bottom - frame.top)

    labels = list(_labels(plot.panel))
    yield from (label for label in labels if label.size < TEXT)
    written = sorted((label for label in labels if label.size >= TEXT), key=rank)
    for label in (*written, *_headings(plot)):
        yield _free(plot, label, taken)


def _free(plot: Plot, label: Label, taken: list[Cell]) -> Label:
    """Return a label at the nearest free place, which is taken then."""
    frame, cell, box = plot.frame, plot.cell, plot.box(label)
    above = box.top + box.bottom < 2 * frame.top
    shift = 0.0
    if box.left < frame.right - 1:
        shift = max(cell.left - box.left, 0.0) or min(cell.right - _EDGE - box.right, 0.0)
    box = box.moved(shift, 0.0)
    tried = (box.moved(0.0, down) for down in _steps(box, plot, above=above))
    free = (place for place in tried if not any(_overlap(place, other) for other in taken))
    place = next(free, box)
    beside = box.bottom - box.top if above else 0.0
    taken.append(replace(place, left=place.left - beside, right=place.right + beside))
    return replace(label, dx=label.dx + shift, dy=label.dy + box.top - place.top)


def _labels(panel: Panel) -> Iterator[Label]:
    """Yield the words of a panel, those of upright rules above and those of level ones at the start."""
    for mark in panel.marks:
        if isinstance(mark, Label):
            yield mark
        elif isinstance(mark, Rule) and mark.label and mark.level:
            yield Label(0, panel.y.share(mark.at), mark.label, mark.tone, dx=5, dy=9, of="panel")
        elif isinstance(mark, Rule) and mark.label:
            x = panel.x.share(mark.at)
            yield Label(x, 1, mark.label, mark.tone, "middle", dy=10, of="panel")


def _headings(plot: Plot) -> Iterator[Label]:
    """Yield the lines above the axes, the lowest first; the title starts where the names of rows do."""
    frame, cell = plot.frame, plot.cell
    for line in reversed(wrapped(plot.panel.y.label, cell.right - frame.left)):
        yield Label(0, 1, line, dy=10, of="panel")
    start = cell.left - frame.left
    for line in reversed(wrapped(plot.panel.title, cell.right - cell.left)):
        yield Label(0, 1, line, "ink", dx=start, dy=10, strong=True, of="panel")


def _overlap(box: Cell, other: Cell) -> bool:
    return (
        min(box.right, other.right) - max(box.left, other.left) > 1
        and min(box.bottom, other.bottom) - max(box.top, other.top) > 1
    )


def _steps(box: Cell, plot: Plot, *, above: bool) -> Iterator[float]:
    """Yield how far down a word may move, the nearest place first."""
    step = (box.bottom - box.top) / 4
    if above:
        least = min(plot.frame.top - box.bottom, 0.0)
        yield from (least - k * step for k in range(_TRIES))
        return
    yield 0.0
    for k in range(1, 1 + int((plot.frame.bottom - plot.cell.top) / step)):
        for down in (-k * step, k * step):
            if plot.cell.top <= box.top + down and box.bottom + down <= plot.frame.bottom:
                yield down
