"""Room for the words of a figure: where its axes lie, and which ticks fit."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from unicodedata import east_asian_width

from replicast.presentation.pictures.figure import (
    TEXT,
    Axis,
    Cell,
    Figure,
    Label,
    Panel,
    Rule,
    Tick,
)

NARROW = 16  # the size of text where the screen is narrow and the picture small


@dataclass(frozen=True)
class Plot:
    """Where the axes of a panel lie, in pixels from the left and from the top."""

    left: float
    right: float
    top: float
    bottom: float

    def place(self, panel: Panel, x: float, y: float) -> tuple[float, float]:
        """Return the pixels of a point of the data."""
        return (
            self.left + panel.x.share(x) * (self.right - self.left),
            self.bottom - panel.y.share(y) * (self.bottom - self.top),
        )

    def anchor(self, panel: Panel, label: Label) -> tuple[float, float]:
        """Return the pixels at which a label is anchored, half of its height above the line."""
        if label.of == "data":
            x, y = self.place(panel, label.x, label.y)
        else:
            x = self.left + label.x * (self.right - self.left)
            y = self.bottom - label.y * (self.bottom - self.top)
        return x + label.dx, y - label.dy


def text_width(text: str, size: float = NARROW) -> float:
    """Estimate how wide a text is, on the safe side."""
    return size * sum(map(_letter, text))


@lru_cache(maxsize=1024)
def _letter(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return 1.0
    if letter in " .,:;|'!ilj()[]":
        return 0.39
    return 0.98 if letter in "%mwMW@&→←" else 0.72 if letter.isupper() else 0.64


def wrapped(text: str, width: float, size: float = TEXT) -> list[str]:
    """Break a text into lines of at most this many pixels."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def plots(figure: Figure, size: float = NARROW) -> list[Plot]:
    """Return where the axes of each panel lie, such that every word in this size has room."""
    each = figure.width / len(figure.panels)
    placed = []
    for place, panel in enumerate(figure.panels):
        cell = panel.cell or Cell(place * each, (place + 1) * each, 0.0, figure.height)
        plot = _fitted(panel, (cell.left, cell.right), cell.bottom - cell.top, size)
        placed.append(replace(plot, top=plot.top + cell.top, bottom=plot.bottom + cell.top))
    return placed


def shown_ticks(axis: Axis, pixels: float, size: float = NARROW) -> list[Tick]:
    """Return the ticks of a level axis that have room, the first ones first."""
    kept: list[tuple[float, float, Tick]] = []
    for tick in axis.ticks:
        at, half = axis.share(tick.at) * pixels, text_width(tick.label, size) / 2 + 3
        if all(at - half > high or at + half < low for low, high, _ in kept):
            kept.append((at - half, at + half, tick))
    return [tick for _, _, tick in kept]


def _fitted(panel: Panel, ends: tuple[float, float], height: float, size: float) -> Plot:
    start, stop = ends
    names = max((text_width(tick.label, size) for tick in panel.y.ticks), default=0.0)
    above = 18 * (bool(panel.y.label) + bool(panel.title) + _has_named_rule(panel))
    below = 22 * bool(panel.x.ticks) + 21 * bool(panel.x.label)
    plot = Plot(start + names + 9, stop - 8, 8 + above, height - 4 - below)
    labels = [(label, *_reach(label, size)) for label in _labels(panel)]
    for _ in range(3):  # moving an edge moves the labels
        boxes = [
            (x - before, x + after, y - above)
            for label, before, after, above in labels
            for x, y in (plot.anchor(panel, label),)
        ]
        left = plot.left + max(0.0, start + 2 - min((b[0] for b in boxes), default=plot.left))
        right = plot.right - max(0.0, max((b[1] for b in boxes), default=0.0) - stop + 2)
        top = plot.top + max(0.0, 2 - min((b[2] for b in boxes), default=plot.top))
        moved = Plot(left, max(right, left + 60), min(top, plot.bottom - 20), plot.bottom)
        if moved == plot:
            break
        plot = moved
    return plot


def _has_named_rule(panel: Panel) -> bool:
    return any(isinstance(m, Rule) and m.label and not m.level for m in panel.marks)


def heading_rows(panel: Panel) -> list[tuple[float, Label]]:
    """Return what stands above the axes, title first, and how far above."""
    rows = [
        Label(0, 1, panel.title, "ink", strong=True, of="panel"),
        Label(0, 1, panel.y.label, of="panel"),
    ]
    rows = [row for row in rows if row.text]
    lowest = 10 + 18 * _has_named_rule(panel)
    return [(lowest + 18 * (len(rows) - 1 - k), row) for k, row in enumerate(rows)]


def _labels(panel: Panel) -> Iterable[Label]:
    for mark in panel.marks:
        if isinstance(mark, Label):
            yield mark
        elif isinstance(mark, Rule) and mark.label:
            yield rule_label(panel, mark)
    for tick in panel.x.ticks:
        yield Label(panel.x.share(tick.at), 0, tick.label, "soft", "middle", of="panel")


def rule_label(panel: Panel, rule: Rule) -> Label:
    """Return the words of a rule: above an upright one, at the start of a level one."""
    if rule.level:
        y = panel.y.share(rule.at)
        return Label(0, y, rule.label, rule.tone, dx=5, dy=9 if y < 0.9 else -9, of="panel")
    x = panel.x.share(rule.at)
    return Label(x, 1, rule.label, rule.tone, anchor="middle", dy=10, of="panel")


def _reach(label: Label, size: float) -> tuple[float, float, float]:
    """Return how far a label reaches from its anchor to the left, to the right and upwards."""
    size *= label.size / TEXT
    width = text_width(label.text, size)
    before = {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
    return before, width - before, size * 0.6
