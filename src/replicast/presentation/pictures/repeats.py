"""A hundred repeats of an experiment, each a dot at its p-value."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
from scipy import special

from replicast.comparison.records import Comparison
from replicast.errors import invalid
from replicast.formatting import format_pvalue
from replicast.presentation.pictures.figure import (
    Anchor,
    Axis,
    Data,
    Dots,
    Figure,
    Label,
    Mark,
    Panel,
    Rule,
    Shape,
    Tick,
)
from replicast.presentation.pictures.layout import text_width
from replicast.presentation.pictures.palette import Tone
from replicast.presentation.words.chances import of_hundred
from replicast.presentation.words.scales import short_name
from replicast.replication.records import Replication
from replicast.replication.repeats import Repeats, hundred, outcomes, repeats_of

_WIDTH = 480.0
_AROUND = 60.0  # pixels beside the dots
_FLOOR = 30.0  # pixels below the dots, for the first result
_HIGHEST = 130.0  # pixels for the dots
_BELOW = 66.0  # pixels of the axis and its words
_LINE = 16.0  # pixels from one line of words to the next
_LARGEST = 5.0  # radius of a dot
_MOST_ABREAST = 8  # dots on a step
_BESIDE = 4  # steps shown on both sides of the middle, at least
_SIDE = 18  # letters of a name below the axis
_LOOKS: tuple[tuple[Tone, Shape, Anchor, float], ...] = (
    ("warm", "cross", "end", -5.0),
    ("soft", "ring", "middle", 0.0),
    ("accent", "disc", "start", 5.0),
)
_OUTCOMES = ("significant the other way", "not significant", "significant this way")
_BRIEF = ("other way", "not significant", "this way")
_TICKS = (1.0, 0.001, 0.00001, 0.0000001)


def repeats_figure(forecast: Replication, width: float = _WIDTH) -> Figure:
    """Describe a hundred repeats, and where the first result lies among them."""
    repeats = repeats_of(forecast)
    steps = hundred(repeats)
    counts, critical = outcomes(steps), _z(forecast.significance)
    edges, shown = _worth_showing(repeats, steps)
    radius, abreast = _size(shown, (width - _AROUND) / len(shown))
    places = list(_places(edges, shown, radius * len(shown) / (width - _AROUND), abreast))
    top = _FLOOR + radius * 2 * max(row for _, row in places) + radius + 4
    ticks = _ticks(forecast.significance, edges)
    better = short_name(forecast.better, _SIDE)
    axis = Axis(edges[0], edges[-1], ticks, f"p-value · {better} better →")
    marks: list[Mark] = [Rule(-critical), Rule(critical)]
    ends = accumulate(counts)
    levels = -critical, 0.0, critical
    for (tone, shape, anchor, dx), count, end, at, brief in zip(
        _LOOKS, counts, ends, levels, _BRIEF, strict=True
    ):
        mine = places[end - count : end]
        x, y = [x for x, _ in mine], [_FLOOR + radius * (2 * row + 1) for _, row in mine]
        marks.append(Dots(x, y, tone, max(radius - 0.6, 1.0), shape))
        if count:
            words, strong = f"{count} {brief}", tone == "accent"
            marks.append(Label(at, top, words, tone, anchor, dx=dx, dy=9, strong=strong))
    marks += _first_result(forecast, axis, width - _AROUND)
    said = ", ".join(f"{count} {what}" for count, what in zip(counts, _OUTCOMES, strict=True))
    return Figure(
        title=f"What 100 repeats would find · {forecast.target_design.words}",
        alt=f"Of 100 repeats {forecast.design.anew}: {said}.",
        panels=(Panel(axis, Axis(0, top, line=False), marks),),
        note=_note(forecast, repeats),
        width=width,
        height=top + _BELOW + _LINE * bool(counts[0]),
        data=Data.of(("p_from", "p_to", "direction", "of_100", "chance"), _rows(repeats, steps)),
    )


def forecast_figure(comparison: Comparison, width: float = _WIDTH) -> Figure:
    """Describe a hundred repeats of a comparison that has a forecast."""
    if comparison.replication is None:
        raise invalid("figure", "one that this result has: there is no forecast", "'repeats'")
    return repeats_figure(comparison.replication, width)


def _z(pvalue: float) -> float:
    return -float(special.ndtri(pvalue / 2)) if pvalue < 1 else 0.0


def _worth_showing(
    repeats: Repeats, counts: tuple[int, ...]
) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return the steps with repeats, and those beside the middle: their edges and counts."""
    inner = [k for k, count in enumerate(counts) if count]
    middle = len(counts) // 2
    low, high = min(inner[0], middle - _BESIDE), max(inner[-1], middle + _BESIDE)
    step = repeats.edges[1] - repeats.edges[0]
    edges = (repeats.edges[0] - step, *repeats.edges, repeats.edges[-1] + step)
    return edges[low : high + 2], counts[low : high + 1]


def _size(counts: Sequence[int], pixels: float) -> tuple[float, int]:
    """Return the radius of the dots, and how many stand side by side on a step of so many pixels."""
    for abreast in range(1, _MOST_ABREAST + 1):
        radius = min(_LARGEST, pixels / 2 / abreast)
        if -(-max(counts) // abreast) * 2 * radius <= _HIGHEST:
            break
    return radius, abreast


def _places(
    edges: Sequence[float], counts: Sequence[int], share: float, abreast: int
) -> Iterator[tuple[float, int]]:
    """Yield where each dot lies, step by step: its x, and its row; a radius is a share of a step."""
    step = edges[1] - edges[0]
    for edge, count in zip(edges, counts, strict=False):
        first = edge + step / 2 - (min(abreast, count) - 1) * share * step
        for k in range(count):
            row, column = divmod(k, abreast)
            yield first + column * 2 * share * step, row


def _ticks(level: float, edges: Sequence[float]) -> tuple[Tick, ...]:
    ticks = []
    for p in (level, *(p for p in _TICKS if p != level)):
        words = f"{p:.7f}".rstrip("0").rstrip(".")
        ticks += [Tick(at, words) for at in {_z(p), -_z(p)} if edges[0] <= at <= edges[-1]]
    return tuple(ticks)


def _first_result(forecast: Replication, axis: Axis, pixels: float) -> list[Mark]:
    """Return the first result, its words where they have room; one off the chart is an arrow."""
    z = _z(forecast.first_pvalue)
    words = f"this result, {format_pvalue(forecast.first_pvalue)}"
    shape: Shape = "right" if z > axis.stop else "diamond"
    at = min(z, axis.stop)
    share = axis.share(at)
    if max(share, 1 - share) * pixels < text_width(words):
        words = format_pvalue(forecast.first_pvalue)
    right = (1 - share) * pixels > text_width(words)
    anchor: Anchor = "start" if right else "end"
    dx = 11.0 if right else -11.0
    return [
        Dots((at,), (13.0,), "ink", 5.5, shape, said=(words,), key=True),
        Label(at, 13.0, words, "ink", anchor, dx=dx, strong=True),
    ]


def _note(forecast: Replication, repeats: Repeats) -> str:
    each = f"Each dot is a repeat {forecast.design.anew}."
    if forecast.interval.high == 0:
        return f"{each} None of them can be significant."
    words = [each]
    if forecast.first_significant and repeats.stronger < 0.45:
        words.append(
            f"Only {of_hundred(repeats.stronger)} show a smaller p-value than this result: one that was "
            "picked because it is significant tends to be a lucky one."
        )
    return " ".join(words)


def _rows(repeats: Repeats, counts: tuple[int, ...]) -> list[tuple[str | float | int, ...]]:
    """Return the steps with a chance as rows: from one p-value to another, and which way."""
    middle = len(repeats.chances) // 2
    reached = (2 * special.ndtr(-np.abs(repeats.edges))).tolist()
    rows: list[tuple[str | float | int, ...]] = []
    for place, (count, chance) in enumerate(zip(counts, repeats.chances, strict=True)):
        below = reached[place - 1] if place else 0.0
        above = reached[place] if place < len(reached) else 0.0
        low, high = sorted((below, above))
        if place == middle:
            low, high = reached[place], 1.0
        way = "either" if place == middle else "this" if place > middle else "other"
        if count or chance > 0.0005:
            rows.append((low, high, way, count, round(chance, 4)))
    return rows
