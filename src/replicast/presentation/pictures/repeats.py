"""A hundred repeats of an experiment, each a dot at its p-value."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from scipy import special

from replicast.design import describe_design, describe_repeat
from replicast.formatting import format_pvalue
from replicast.presentation.pictures.figure import (
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
from replicast.presentation.pictures.palette import Tone
from replicast.presentation.words.chances import of_hundred
from replicast.presentation.words.scales import short_name
from replicast.replication.records import Replication
from replicast.replication.repeats import Repeats, hundred, outcomes, repeats_of

_WIDTH = 480.0
_FLOOR = 30.0  # pixels below the dots, for the first result
_HIGHEST = 130.0  # pixels for the dots
_WORDS = 85.0  # pixels that the words beside a level take
_LINE = 15.0  # pixels from one line of words to the next
_LARGEST = 5.0  # radius of a dot
_SIDE = 18  # letters of a name below the axis
_LOOKS: tuple[tuple[Tone, Shape], ...] = (("warm", "cross"), ("soft", "ring"), ("accent", "disc"))
_OUTCOMES = ("significant the other way", "not significant", "significant this way")
_TICKS = (1.0, 0.001, 0.00001, 0.0000001)


@dataclass(frozen=True)
class Stacks:
    """Dots above each other on the steps of an axis, where several may stand side by side."""

    edges: tuple[float, ...]  # of the steps that are shown
    counts: tuple[int, ...]

    @property
    def step(self) -> float:
        """The width of a step."""
        return self.edges[1] - self.edges[0]

    def places(self, width: float, tall: float = _HIGHEST) -> tuple[float, list["Place"]]:
        """Return the radius of the dots, and where they lie, step by step."""
        pixels = width / len(self.counts)
        abreast, radius = _abreast(self.counts, pixels, tall)
        half = radius / pixels * self.step
        places = []
        for edge, count in zip(self.edges, self.counts, strict=False):
            first = edge + self.step / 2 - (min(abreast, count) - 1) * half
            for k in range(count):
                row, column = divmod(k, abreast)
                places.append(Place(first + column * 2 * half, _FLOOR + radius * (2 * row + 1)))
        return radius, places


class Place(NamedTuple):
    """Where a dot lies: x in units of the axis, y in pixels."""

    x: float
    y: float


def _abreast(counts: Sequence[int], pixels: float, tall: float) -> tuple[int, float]:
    """Return how many dots stand side by side on a step, and their radius."""
    abreast, radius = 1, min(_LARGEST, pixels / 2)
    while -(-max(counts) // abreast) * 2 * radius > tall and abreast < 8:
        abreast += 1
        radius = min(_LARGEST, pixels / 2 / abreast)
    return abreast, radius


def _stacks(known: Repeats, counts: tuple[int, ...]) -> Stacks:
    """Return the steps worth showing: those with repeats, and one beyond each level."""
    inner = [k for k, count in enumerate(counts) if count]
    middle = len(counts) // 2
    low = min(inner[0], middle - 4)
    high = max(inner[-1], middle + 4)
    step = known.edges[1] - known.edges[0]
    ends = (known.edges[0] - step, *known.edges, known.edges[-1] + step)
    return Stacks(ends[low : high + 2], counts[low : high + 1])


def repeats_figure(found: Replication, width: float = _WIDTH) -> Figure:
    """Describe a hundred repeats, and where the first result lies among them."""
    known = repeats_of(found)
    steps = hundred(known)
    stacks, counts = _stacks(known, steps), outcomes(steps)
    critical = -float(special.ndtri(found.significance / 2))
    better = short_name(found.better, _SIDE)
    radius, places = stacks.places(width - 60)
    top = max((place.y for place in places), default=0.0) + radius + 4
    axis = Axis(
        stacks.edges[0],
        stacks.edges[-1],
        _ticks(found.significance, stacks.edges),
        f"p-value · {better} better →",
    )
    marks: list[Mark] = [Rule(-critical, dashed=True), Rule(critical, dashed=True)]
    for (tone, shape), count, stop in zip(_LOOKS, counts, accumulate(counts), strict=True):
        mine = places[stop - count : stop]
        marks.append(
            Dots([p.x for p in mine], [p.y for p in mine], tone, max(radius - 0.6, 1.0), shape)
        )
    marks += [*_first_result(found, axis), *_counted(counts, critical, top, axis, width - 60)]
    high = top if _has_room(axis, critical, width - 60) else top + _LINE
    said = ", ".join(f"{count} {what}" for count, what in zip(counts, _OUTCOMES, strict=True))
    return Figure(
        title=f"What 100 repeats would find · {describe_design(found.target_design)}",
        alt=f"Of 100 repeats {describe_repeat(found.design)}: {said}.",
        panels=(Panel(axis, Axis(0, high, line=False), tuple(marks)),),
        note=_note(found, known),
        width=width,
        height=high + 66,
        data=Data(("p_from", "p_to", "direction", "of_100", "chance"), tuple(_rows(known, steps))),
    )


def _ticks(level: float, edges: Sequence[float]) -> tuple[Tick, ...]:
    ticks = []
    for p in (level, *(p for p in _TICKS if p != level)):
        z = -float(special.ndtri(p / 2)) if p < 1 else 0.0
        words = f"{p:.7f}".rstrip("0").rstrip(".")
        ticks += [Tick(at, words) for at in ({z, -z}) if edges[0] <= at <= edges[-1]]
    return tuple(ticks)


def _first_result(found: Replication, axis: Axis) -> list[Mark]:
    """Return the first result; one off the chart is an arrow at its edge."""
    z = -float(special.ndtri(found.first_pvalue / 2)) if found.first_pvalue < 1 else 0.0
    words = f"this result, {format_pvalue(found.first_pvalue)}"
    beyond = z > axis.stop
    at = axis.stop if beyond else z
    left = axis.share(at) > 0.55
    return [
        Dots((at,), (13.0,), "ink", 5.5, "right" if beyond else "diamond", said=(words,), key=True),
        Label(
            at, 13.0, words, "ink", "end" if left else "start", dx=-11 if left else 11, strong=True
        ),
    ]


def _has_room(axis: Axis, critical: float, width: float) -> bool:
    """Say whether words fit left of the left level; if not, they stand on a line of their own."""
    return axis.share(-critical) * width >= _WORDS


def _counted(
    counts: tuple[int, int, int], critical: float, top: float, axis: Axis, width: float
) -> list[Mark]:
    """Return how many repeats are of each kind: beside the levels, or at the edges if these are near."""
    opposite, neither, again = counts
    left = _has_room(axis, critical, width)
    right = (1 - axis.share(critical)) * width >= _WORDS
    return [
        Label(-critical if left else axis.start, top, f"{opposite} other way", "warm",
              "end" if left else "start", dx=-5 if left else 0, dy=9 if left else 9 + _LINE),
        Label(0, top, f"{neither} not significant", "soft", "middle", dy=9),
        Label(critical if right else axis.stop, top, f"{again} this way", "accent",
              "start" if right else "end", dx=5 if right else 0, dy=9, strong=True),
    ]  # fmt: skip


def _note(found: Replication, known: Repeats) -> str:
    each = f"Each dot is a repeat {describe_repeat(found.design)}."
    if found.interval.high == 0:
        return f"{each} None of them can be significant."
    words = [each]
    if found.first_significant and known.stronger < 0.45:
        words.append(
            f"Only {of_hundred(known.stronger)} show a smaller p-value than this result: one that was "
            "picked because it is significant tends to be a lucky one."
        )
    return " ".join(words)


def _rows(known: Repeats, counts: tuple[int, ...]) -> list[tuple[str | float | int, ...]]:
    """Return the steps with a chance as rows: from one p-value to another, and which way."""
    middle = len(known.chances) // 2
    reached = (2 * special.ndtr(-np.abs(known.edges))).tolist()
    rows: list[tuple[str | float | int, ...]] = []
    for place, (count, chance) in enumerate(zip(counts, known.chances, strict=True)):
        below = reached[place - 1] if place else 0.0
        above = reached[place] if place < len(reached) else 0.0
        low, high = sorted((below, above))
        if place == middle:
            low, high = reached[place], 1.0
        way = "either" if place == middle else "this" if place > middle else "other"
        if count or chance > 0.0005:
            rows.append((low, high, way, count, round(chance, 4)))
    return rows
