"""Places of lines and marks for the pictures of a page, which its template draws as SVG."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from replicast.formatting import format_percent
from replicast.replication.records import Replication, ReplicationCurve

WIDTH, HEIGHT = 520, 270
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 26, 24, 46


@dataclass(frozen=True)
class Tick:
    """A labelled place on an axis."""

    at: float
    label: str


@dataclass(frozen=True)
class Mark:
    """A point with its words."""

    x: float
    y: float
    label: str
    anchor: str


@dataclass(frozen=True)
class Line:
    """A curve: its path, its class in the style sheet, and its name in the legend."""

    path: str
    style: str
    name: str = ""


@dataclass(frozen=True)
class Rule:
    """A straight line across the picture with a label."""

    at: float
    label: str
    style: str = "rule"


@dataclass(frozen=True)
class Figure:
    """Everything a picture of chances needs; `alt` says in words what it shows."""

    alt: str
    x_label: str
    y_label: str
    band: str
    lines: tuple[Line, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    across: tuple[Rule, ...] = ()
    upright: tuple[Rule, ...] = ()
    marks: tuple[Mark, ...] = ()
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    top: int = _TOP
    bottom: int = HEIGHT - _BOTTOM


Scale = Callable[[float], float]
_PERCENT_TICKS = tuple((p, f"{p:.0%}") for p in (0.0, 0.25, 0.5, 0.75, 1.0))


def _height(probability: float) -> float:
    return round(HEIGHT - _BOTTOM - probability * (HEIGHT - _TOP - _BOTTOM), 1)


_Y_TICKS = tuple(Tick(_height(p), label) for p, label in _PERCENT_TICKS)


def logarithmic(low: float, high: float) -> Scale:
    """Return a scale from `low` at the left to `high` at the right; either may be the larger."""
    first, span = np.log(low), np.log(high) - np.log(low)

    def place(value: float) -> float:
        share = (np.log(value) - first) / span if span else 0.5
        return round(float(_LEFT + share * (WIDTH - _LEFT - _RIGHT)), 1)

    return place


def linear(low: float, high: float) -> Scale:
    """Return a scale from `low` at the left to `high` at the right."""

    def place(value: float) -> float:
        share = (value - low) / (high - low)
        return round(float(_LEFT + share * (WIDTH - _LEFT - _RIGHT)), 1)

    return place


def path(x: Sequence[float], y: Sequence[float], place: Scale) -> str:
    """Return the path of a curve of chances."""
    points = (f"{place(a)} {_height(b)}" for a, b in zip(x, y, strict=True))
    return "M" + " L".join(points)


def area(x: Sequence[float], low: Sequence[float], high: Sequence[float], place: Scale) -> str:
    """Return the outline of a band between two curves."""
    return f"{path(x, low, place)} L{path(x[::-1], high[::-1], place)[1:]} Z"


def mark_at(x: float, probability: float, place: Scale) -> Mark:
    """Return a mark labelled with its chance, the words on the side that has room."""
    at = place(x)
    right = at < WIDTH * 0.7
    return Mark(at, _height(probability), format_percent(probability), "start" if right else "end")


def rule_at(probability: float, words: str, style: str = "rule") -> Rule:
    """Return a line across at a chance."""
    return Rule(_height(probability), f"{words} {format_percent(probability)}", style)


def curve_figure(curve: ReplicationCurve) -> Figure | None:
    """Return the picture of chance against p-value, without a mark; None if there is no curve."""
    x = curve.pvalues
    if len(x) < 2:
        return None
    place = logarithmic(x[-1], x[0])
    ticks = [t for t in (0.2, 0.05, 0.01, 0.001, 0.0001, 1e-5) if x[0] * 0.99 <= t <= x[-1] * 1.01]
    inside = x[0] <= curve.significance <= x[-1]
    level = curve.significance
    return Figure(
        alt="Chance of replication against the p-value of the first experiment: at p = "
        f"{x[0]:.2g} about {format_percent(curve.calibrated[0])} calibrated and "
        f"{format_percent(curve.as_published[0])} as published, at p = {x[-1]:.2g} "
        f"{format_percent(curve.calibrated[-1])} and {format_percent(curve.as_published[-1])}.",
        x_label="p-value of the first experiment",
        y_label="significant again, same direction",
        band=area(x, curve.low, curve.high, place),
        lines=(
            Line(path(x, curve.as_published_low, place), "limit"),
            Line(path(x, curve.as_published_high, place), "limit"),
            Line(path(x, curve.as_published, place), "published", "as published, limits dotted"),
            Line(path(x, curve.calibrated, place), "main", "calibrated, with its 95% band"),
        ),
        x_ticks=tuple(Tick(place(t), f"{t:g}") for t in ticks),
        y_ticks=_Y_TICKS,
        upright=(Rule(place(level), f"p = {level:g}"),) if inside else (),
    )


def curve_mark(curve: ReplicationCurve, found: Replication) -> Mark:
    """Return where a result lies on its curve; one beyond the ends is put at the end."""
    x = curve.pvalues
    inside = min(max(found.first_pvalue, x[0]), x[-1])
    return mark_at(inside, found.probability, logarithmic(x[-1], x[0]))


def chance_figure(
    x: Sequence[float],
    lines: Sequence[tuple[Sequence[float], str, str]],
    *,
    place: Scale,
    ticks: Sequence[float],
    x_label: str,
    alt: str,
    band: tuple[Sequence[float], Sequence[float]] | None = None,
    across: Sequence[Rule] = (),
    marks: Sequence[Mark] = (),
) -> Figure:
    """Return a picture of chances against something."""
    return Figure(
        alt=alt,
        x_label=x_label,
        y_label="chance",
        band="" if band is None else area(x, *band, place),
        lines=tuple(Line(path(x, y, place), style, name) for y, style, name in lines),
        x_ticks=tuple(Tick(place(t), f"{t:,g}") for t in ticks),
        y_ticks=_Y_TICKS,
        across=tuple(across),
        marks=tuple(marks),
    )
