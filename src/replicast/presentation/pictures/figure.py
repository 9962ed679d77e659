"""What a picture shows, apart from what it is drawn with: axes, lines, dots, bars and words.

A picture is described once, in the units of its data; `canvas` draws it by matplotlib for files and
`svg` as SVG for pages. Lengths that are no data (radii, widths, offsets) are in pixels of 1/96 inch.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal
from unicodedata import east_asian_width

from replicast.formatting import format_signed
from replicast.presentation.pictures.palette import Tone

TEXT = 13  # the size of text
NARROW = 16  # its size where the screen is narrow and the picture small
Anchor = Literal["start", "middle", "end"]
Shape = Literal["disc", "ring", "cross", "square", "diamond", "left", "right"]


@dataclass(frozen=True)
class Tick:
    """A labelled place on an axis."""

    at: float
    label: str


@dataclass(frozen=True)
class Axis:
    """A direction: `start` is left or below, `stop` right or above, and either may be the larger."""

    start: float
    stop: float
    ticks: tuple[Tick, ...] = ()
    label: str = ""
    scale: Literal["linear", "log"] = "linear"
    grid: bool = False  # lines across the picture at the ticks
    line: bool = True

    def share(self, value: float) -> float:
        """Return where a value lies: 0 at the start, 1 at the stop."""
        ends = (value, self.start, self.stop)
        at, start, stop = (math.log(v) for v in ends) if self.scale == "log" else ends
        return (at - start) / (stop - start)

    def holds(self, value: float) -> bool:
        """Say whether a value lies between the ends."""
        return min(self.start, self.stop) <= value <= max(self.start, self.stop)


@dataclass(frozen=True)
class Line:
    """A curve, or with two points a whisker."""

    x: Sequence[float]
    y: Sequence[float]
    tone: Tone = "accent"
    width: float = 2.4
    dashed: bool = False
    rounded: bool = False
    opacity: float = 1.0


@dataclass(frozen=True)
class Band:
    """The area between two curves."""

    x: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    tone: Tone = "band"
    opacity: float = 0.55


@dataclass(frozen=True)
class Bar:
    """A rectangle; `said` is its value in words."""

    x: tuple[float, float]
    y: tuple[float, float]
    tone: Tone = "accent"
    opacity: float = 1.0
    said: str = ""


@dataclass(frozen=True)
class Dots:
    """Marks of one kind; `said` has the value of each in words, or is empty."""

    x: Sequence[float]
    y: Sequence[float]
    tone: Tone = "accent"
    radius: float = 4.0
    shape: Shape = "disc"
    opacity: float = 1.0
    said: tuple[str, ...] = ()
    key: bool = False  # a mark a keyboard should reach


@dataclass(frozen=True)
class Rule:
    """A straight line through the whole picture, upright at an x or level at a y."""

    at: float
    label: str = ""
    level: bool = False
    tone: Tone = "soft"
    dashed: bool = True


@dataclass(frozen=True)
class Label:
    """Words at a place: of the data, or with `of="panel"` at shares of the plot's width and height."""

    x: float
    y: float
    text: str
    tone: Tone = "soft"
    anchor: Anchor = "start"
    dx: float = 0.0
    dy: float = 0.0  # upwards
    strong: bool = False
    size: float = TEXT
    of: Literal["data", "panel"] = "data"
    halo: bool = True  # keeps lines behind from crossing the letters


@dataclass(frozen=True)
class Spots:
    """Values of curves in words, shown by pages where a pointer is above an x."""

    x: Sequence[float]
    said: tuple[str, ...]


Mark = Line | Band | Bar | Dots | Rule | Label | Spots


@dataclass(frozen=True)
class Panel:
    """One pair of axes and what is drawn on them, in this order."""

    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    title: str = ""


@dataclass(frozen=True)
class Key:
    """What a kind of mark stands for."""

    text: str
    tone: Tone = "accent"
    shape: Shape | Literal["line", "dashes"] = "disc"


@dataclass(frozen=True)
class Data:
    """The numbers behind a picture, to be taken along."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str | float | int, ...], ...]


@dataclass(frozen=True)
class Figure:
    """A picture: panels side by side, and what it says in words to whoever does not see it."""

    title: str
    alt: str
    panels: tuple[Panel, ...]
    note: str = ""
    keys: tuple[Key, ...] = ()
    width: float = 480.0
    height: float = 250.0
    data: Data = field(default_factory=lambda: Data((), ()))


# --------------------------------------------------------------------------- room for the words
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
    return size * sum(_letter(letter) for letter in text)


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
    return [
        _fitted(panel, (place * each, (place + 1) * each), figure.height, size)
        for place, panel in enumerate(figure.panels)
    ]


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
    for _ in range(3):  # moving an edge moves the labels
        boxes = [_box(panel, plot, label, size) for label in _labels(panel)]
        left = plot.left + max(0.0, start + 2 - min((b[0] for b in boxes), default=plot.left))
        right = plot.right - max(0.0, max((b[1] for b in boxes), default=0.0) - stop + 2)
        top = plot.top + max(0.0, 2 - min((b[2] for b in boxes), default=plot.top))
        plot = Plot(left, max(right, left + 60), min(top, plot.bottom - 20), plot.bottom)
    return plot


def _has_named_rule(panel: Panel) -> bool:
    return any(isinstance(m, Rule) and m.label and not m.level for m in panel.marks)


def heading_rows(panel: Panel) -> list[tuple[float, Label]]:
    """Return what stands above the axes, title first, and how far above."""
    rows = [Label(0, 1, panel.title, "ink", strong=True, of="panel"),
            Label(0, 1, panel.y.label, of="panel")]  # fmt: skip
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


def _box(panel: Panel, plot: Plot, label: Label, size: float) -> tuple[float, float, float]:
    """Return left, right and upper edge of a label."""
    x, y = plot.anchor(panel, label)
    size *= label.size / TEXT
    width = text_width(label.text, size)
    before = {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
    return x - before, x - before + width, y - size * 0.6


# --------------------------------------------------------------------------- ticks
PERCENT = Axis(
    0.0, 1.0, tuple(Tick(p, f"{p:.0%}") for p in (0.0, 0.25, 0.5, 0.75, 1.0)), grid=True, line=False
)
_PVALUES = (0.05, 0.001, 0.01, 0.2, 1.0, 0.0001, 0.000001, 0.00001)


def pvalue_ticks(low: float, high: float) -> tuple[Tick, ...]:
    """Return the p-values people know between two others, those they know best first."""
    inside = [p for p in _PVALUES if low * 0.99 <= p <= high * 1.01]
    return tuple(Tick(p, f"{p:.6f}".rstrip("0").rstrip(".")) for p in inside)


def round_ticks(low: float, high: float, most: int = 6) -> tuple[Tick, ...]:
    """Return round numbers between two ends, evenly spaced, 0 among them where it lies inside."""
    span = high - low or 1.0
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(m * power for m in (1, 2, 5, 10, 20) if span / (m * power) <= most)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(Tick(k * step, format_signed(k * step, digits)) for k in range(first, last + 1))


def log_ticks(low: float, high: float) -> tuple[Tick, ...]:
    """Return 1-2-5 numbers between two ends."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = [m * 10.0**e for e in decades for m in (1, 2, 5)]
    inside = [s for s in steps if low * 0.999 <= s <= high * 1.001]
    if len(inside) > 7:
        inside = [s for s in inside if f"{s:e}"[0] == "1"]
    return tuple(Tick(s, f"{s:,g}") for s in inside)


def between(x: Sequence[float], y: Sequence[float], at: float) -> float:
    """Return the height of a curve at an x between its ends, on the scale of the points' order."""
    for (x0, y0), (x1, y1) in pairwise(zip(x, y, strict=True)):
        if min(x0, x1) <= at <= max(x0, x1):
            return y0 if x0 == x1 else y0 + (y1 - y0) * (at - x0) / (x1 - x0)
    return y[0] if abs(at - x[0]) < abs(at - x[-1]) else y[-1]


def apart(heights: Sequence[float], least: float) -> list[float]:
    """Move heights of labels apart, as little as needed, none above the top."""
    order = sorted(range(len(heights)), key=lambda k: -heights[k])
    moved = list(heights)
    above = 1.0 + least
    for k in order:
        above = moved[k] = min(heights[k], above - least)
    return moved
