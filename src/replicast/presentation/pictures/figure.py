"""What a picture shows, apart from what it is drawn with: axes, lines, dots, bars and words.

A picture is described once, in the units of its data; `layout` finds room for its words, `canvas` draws
it by matplotlib for files and `svg` as SVG for pages. Lengths that are no data (radii, widths, offsets)
are in pixels of 1/96 inch.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from replicast.presentation.pictures.palette import Tone

TEXT = 13  # the size of text
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
        start, stop = self.start, self.stop
        if self.scale == "log":
            value, start, stop = math.log(value), math.log(start), math.log(stop)
        return (value - start) / (stop - start)

    def value(self, share: float) -> float:
        """Return the value at a share of the way from the start."""
        if self.scale == "log":
            return float(self.start * (self.stop / self.start) ** share)
        return self.start + share * (self.stop - self.start)


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
    name: str = ""  # what it stands for, as files say below the title


@dataclass(frozen=True)
class Bar:
    """A rectangle; `said` is its value in words."""

    x: tuple[float, float]
    y: tuple[float, float]
    tone: Tone = "accent"
    opacity: float = 1.0
    said: str = ""
    name: str = ""


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
    name: str = ""


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
    halo: bool = True  # keeps curves behind from crossing the letters


@dataclass(frozen=True)
class Spots:
    """Values of curves in words, shown by pages where a pointer is above an x."""

    x: Sequence[float]
    said: tuple[str, ...]


Mark = Line | Bar | Dots | Rule | Label | Spots


@dataclass(frozen=True)
class Cell:
    """A part of a figure, in pixels from its left and its top."""

    left: float
    right: float
    top: float
    bottom: float

    def moved(self, right: float, down: float) -> "Cell":
        """Return this part in another place."""
        return Cell(self.left + right, self.right + right, self.top + down, self.bottom + down)


@dataclass(frozen=True)
class Panel:
    """One pair of axes and what is drawn on them, in this order."""

    x: Axis
    y: Axis
    marks: Sequence[Mark]
    title: str = ""
    cell: "Cell | None" = None  # its place in the figure; without one, panels share the width


@dataclass(frozen=True)
class Data:
    """The numbers behind a picture, to be taken along."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str | float | int, ...], ...]

    @classmethod
    def of(cls, headings: Sequence[str], rows: Iterable[Iterable[str | float | int]]) -> "Data":
        """Return the numbers of rows."""
        return cls(tuple(headings), tuple(tuple(row) for row in rows))


@dataclass(frozen=True)
class Figure:
    """A picture: its panels, and what it says in words to whoever does not see it."""

    title: str
    alt: str
    panels: tuple[Panel, ...]
    note: str = ""
    width: float = 480.0
    height: float = 250.0
    data: Data = Data((), ())

    @property
    def named(self) -> "dict[str, Line | Bar | Dots]":
        """The marks that stand for something, by what they stand for."""
        marks = [mark for panel in self.panels for mark in panel.marks]
        return {m.name: m for m in marks if isinstance(m, Line | Bar | Dots) and m.name}
