"""Figures as SVG for pages, reports and notebooks; colours are variables of the style sheet."""

from collections.abc import Iterator
from html import escape
from itertools import pairwise

from replicast.presentation.pictures.figure import (
    TEXT,
    Bar,
    Dots,
    Figure,
    Label,
    Line,
    Mark,
    Rule,
    Shape,
    Spots,
)
from replicast.presentation.pictures.layout import Plot, plots
from replicast.presentation.pictures.palette import Tone

_MOST_STOPS = 12  # marks a keyboard stops at; beyond, the data behind the chart are shorter

_CORNERS: dict[Shape, tuple[tuple[float, float], ...]] = {  # of marks, in radii
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    "left": ((-1, 0), (0.7, -1), (0.7, 1)),
    "right": ((1, 0), (-0.7, -1), (-0.7, 1)),
}


def svg(figure: Figure) -> str:
    """Return a figure as SVG."""
    stops = sum(_stops(mark) for panel in figure.panels for mark in panel.marks)
    reached = stops <= _MOST_STOPS
    parts = []
    for plot in plots(figure):
        marks = "\n".join(_mark(plot, mark, reached) for mark in plot.panel.marks)
        words = "".join(_text(*plot.anchor(label), label) for label in plot.words)
        parts.append(f'<g aria-hidden="true">{"".join(_axes(plot))}</g>{marks}{words}')
    width, height = _n(figure.width), _n(figure.height)
    return (
        f'<svg class="chart" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="group" '
        f'aria-label="{escape(figure.alt)}">{"".join(parts)}</svg>'
    )


def _mark(plot: Plot, mark: Mark, reached: bool) -> str:
    match mark:
        case Line():
            return _line(plot, mark)
        case Bar():
            x0, y0 = plot.place(mark.x[0], mark.y[0])
            x1, y1 = plot.place(mark.x[1], mark.y[1])
            shape = (
                f'<rect x="{_n(min(x0, x1))}" y="{_n(min(y0, y1))}" width="{_n(abs(x1 - x0))}" '
                f'height="{_n(abs(y1 - y0))}" fill="{_paint(mark.tone)}"{_faint(mark.opacity)}/>'
            )
            return _told(shape, mark.said, reached)
        case Dots():
            return _dots(plot, mark, mark.key or reached)
        case Rule():
            return "".join(_mark(plot, part, reached) for part in plot.rule(mark))
        case Spots():
            return _spots(plot, mark)
        case Label():  # written with the other words
            return ""


def _line(plot: Plot, mark: Line) -> str:
    places = (plot.place(x, y) for x, y in zip(mark.x, mark.y, strict=True))
    way = "L".join(f"{_n(x)} {_n(y)}" for x, y in places)
    dash = ' stroke-dasharray="4 4"' if mark.dashed else ""
    caps = ' stroke-linecap="round"' if mark.rounded else ""
    look = f'stroke="{_paint(mark.tone)}" stroke-width="{_n(mark.width)}"{dash}{caps}'
    return f'<path fill="none" {look}{_faint(mark.opacity)} d="M{way}"/>'


def _dots(plot: Plot, mark: Dots, reached: bool) -> str:
    places = [plot.place(x, y) for x, y in zip(mark.x, mark.y, strict=True)]
    look, (dx, dy, way) = _look(mark), _outline(mark)
    outlines = [f"M{_n(x + dx)} {_n(y + dy)}{way}" for x, y in places]
    if not mark.said:
        return f'<path {look} d="{"".join(outlines)}"/>'
    return "".join(
        _told(f'<path {look} d="{outline}"/>', said, reached)
        for outline, said in zip(outlines, mark.said, strict=True)
    )


def _told(shape: str, said: str, reached: bool) -> str:
    """Wrap a shape with its value, which a pointer shows and a keyboard reaches."""
    if not said:
        return shape
    words = escape(said)
    stop = f' tabindex="0" role="img" aria-label="{words}"' if reached else ""
    return f'<g class="told"{stop}><title>{words}</title>{shape}</g>'


def _faint(opacity: float) -> str:
    return f' opacity="{opacity:g}"' if opacity < 1 else ""


def _stops(mark: Mark) -> int:
    match mark:
        case Bar(said=said):
            return bool(said)
        case Dots(said=said):
            return len(said)
        case _:
            return 0


def _n(value: float) -> str:
    """Write pixels, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def _paint(tone: Tone) -> str:
    return f"var(--{tone})"


def _look(mark: Dots) -> str:
    paint = _paint(mark.tone)
    faint = _faint(mark.opacity)
    if mark.shape == "ring":
        return f'fill="{_paint("card")}" stroke="{paint}" stroke-width="1.4"{faint}'
    if mark.shape == "cross":
        return f'fill="none" stroke="{paint}" stroke-width="1.8"{faint}'
    return f'fill="{paint}"{faint}'


def _outline(mark: Dots) -> tuple[float, float, str]:
    """Return where the outline of a mark begins, seen from its middle, and its way from there."""
    r = round(mark.radius, 1)  # as it is written: half a circle is not half of a rounded one
    if mark.shape in _CORNERS:
        (x, y), *corners = [(a * r, b * r) for a, b in _CORNERS[mark.shape]]
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise([(x, y), *corners])]
        return x, y, "".join(f"l{_n(dx)} {_n(dy)}" for dx, dy in steps) + "z"
    if mark.shape == "cross":
        r *= 0.85
        return -r, -r, f"l{_n(2 * r)} {_n(2 * r)}m0 {_n(-2 * r)}l{_n(-2 * r)} {_n(2 * r)}"
    half = f"a{_n(r)} {_n(r)} 0 1 0 "
    return -r, 0.0, f"{half}{_n(2 * r)} 0{half}{_n(-2 * r)} 0z"


def _axes(plot: Plot) -> Iterator[str]:
    x, y, frame = plot.panel.x, plot.panel.y, plot.frame
    left, bottom = _n(frame.left), _n(frame.bottom)
    yield from _rows(plot)
    for tick, anchor in plot.ticks:
        at, _ = plot.within(x.share(tick.at), 0)
        if x.grid:
            yield f'<path stroke="var(--line)" d="M{_n(at)} {_n(frame.top)}V{bottom}"/>'
        yield f'<path stroke="var(--soft)" d="M{_n(at)} {bottom}v4"/>'
        yield _text(at, frame.bottom + 14, Label(0, 0, tick.label, anchor=anchor))
    if x.line:
        yield f'<path stroke="var(--line)" d="M{left} {bottom}H{_n(frame.right)}"/>'
    if y.line and y.ticks:
        yield f'<path stroke="var(--line)" d="M{left} {_n(frame.top)}V{bottom}"/>'
    middle = (frame.left + frame.right) / 2
    for row, line in enumerate(plot.below):
        yield _text(middle, frame.bottom + 34 + 17 * row, Label(0, 0, line, anchor="middle"))


def _rows(plot: Plot) -> Iterator[str]:
    """Yield the names beside the axes, and lines across where they are wanted."""
    axis, frame = plot.panel.y, plot.frame
    tone: Tone = "soft" if axis.line or axis.grid else "ink"
    for tick in axis.ticks:
        _, y = plot.within(0, axis.share(tick.at))
        if axis.grid:
            yield f'<path stroke="var(--line)" d="M{_n(frame.left)} {_n(y)}H{_n(frame.right)}"/>'
        yield _text(frame.left - 6, y, Label(0, 0, tick.label, tone, anchor="end"))


def _text(x: float, y: float, label: Label) -> str:
    anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    named = [name for name, said in (("strong", label.strong), ("bare", not label.halo)) if said]
    look = f' class="{" ".join(named)}"' if named else ""
    size = f' font-size="{_n(label.size)}"' if label.size != TEXT else ""
    tone = f' fill="{_paint(label.tone)}"' if label.tone != "soft" else ""
    more = f"{anchor}{look}{size}{tone}"
    return f'<text x="{_n(x)}" y="{_n(y + 4)}"{more}>{escape(label.text)}</text>'


def _spots(plot: Plot, mark: Spots) -> str:
    """Return strips that show the values at an x, from one middle to the next."""
    frame = plot.frame
    at = [plot.within(plot.panel.x.share(x), 0)[0] for x in mark.x]
    strips = sorted(zip(at, mark.said, strict=True))
    edges = [(a[0] + b[0]) / 2 for a, b in pairwise(strips)]
    edges = [frame.left, *edges, frame.right]
    top, height = _n(frame.top), _n(frame.bottom - frame.top)
    return "".join(
        f'<rect class="spot" x="{_n(low)}" y="{top}" width="{_n(high - low)}" height="{height}">'
        f"<title>{escape(said)}</title></rect>"
        for (_, said), (low, high) in zip(strips, pairwise(edges), strict=True)
    )
