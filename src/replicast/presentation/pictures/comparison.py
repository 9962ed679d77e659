"""Pictures of two classifiers: every difference, cases right and wrong, and what a test can see."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from replicast.arrays import Floats
from replicast.comparison.records import Comparison
from replicast.formatting import format_count, format_percent, plural
from replicast.presentation.pictures.figure import (
    Axis,
    Bar,
    Data,
    Dots,
    Figure,
    Label,
    Mark,
    Panel,
    Rule,
    Spots,
    Tick,
)
from replicast.presentation.pictures.intervals import estimate_marks
from replicast.presentation.pictures.palette import Tone
from replicast.presentation.pictures.ticks import spanning
from replicast.presentation.words.scales import Scale, has_width, short_name
from replicast.scores.pairs import PairedScores

_WIDTH = 480.0
_SIDE = 16  # letters of a name beside an arrow
_FLOOR = 42.0  # pixels below the dots, for the mean and its interval
_HIGHEST = 190.0  # pixels for the dots
_RADII = (6.0, 5.0, 4.0, 3.4, 2.8, 2.3, 1.9, 1.6)
_TOLD_ALONE = 60  # up to so many dots, each tells its own value
_MOST_DOTS = 400
_MOST_ROWS = 5000  # of numbers behind a picture
_CASES: tuple[Tone, ...] = ("band", "accent", "warm", "band")

Stacks = list[tuple[float, list[float]]]


def comparison_figure(comparison: Comparison, width: float = _WIDTH) -> Figure:
    """Describe the picture of a comparison: its differences, or its cases."""
    if comparison.scores.design.binary:
        return replace(cases_figure(comparison.scores), width=width)
    return differences_figure(comparison, width)


def differences_figure(comparison: Comparison, width: float = _WIDTH) -> Figure:
    """Describe the differences as stacks of dots above their mean and its interval."""
    scores, values = comparison.scores, comparison.scores.differences
    noun = f"{scores.design.unit} pair" if scores.design.seeds else scores.design.unit
    first, second = (short_name(name, _SIDE) for name in scores.names)
    mean, limits = comparison.difference.estimate, comparison.difference.confidence_interval()
    scale = Scale.of(comparison.unit, limits)
    bounded = has_width(limits)  # else nothing varies
    axis = spanning([*values, *(limits if bounded else ())], 0.04, scale)
    pixels = (width - 24) / (axis.stop - axis.start)
    radius, stacks = stacked(values, pixels)
    top = _FLOOR + max(2 * radius * _tallest(stacks), 24.0) + 6
    words = scale.bounded(mean, limits)
    leads = partial(_lead, unit=comparison.unit, names=(first, second))
    sayings = _each_told(scores, values, leads) if len(values) <= _TOLD_ALONE else ()
    counted = () if sayings else (_counted(stacks, noun, leads),)
    marks: list[Mark] = [
        Rule(0.0),
        *_stack_marks(stacks, radius, radius / pixels, sayings),
        *counted,
        *estimate_marks(mean, limits, f"mean {words}", 12.0),
        Label(0, 1, f"← {second} better", dy=9, of="panel"),
        Label(1, 1, f"{first} better →", dy=9, anchor="end", of="panel"),
    ]
    many = f"{format_count(len(values))} {noun}s"
    won = f"{np.count_nonzero(values > 0)} in favour of {first}, {np.count_nonzero(values < 0)}"
    ends = ", the bar its 95% interval" if bounded else ""
    return Figure(
        title=f"{first} − {second} · {scores.design.words}",
        alt=f"Differences on {many}: {won} of {second}; mean {words}.",
        panels=(Panel(axis, Axis(0, top, line=False), marks),),
        note=f"Each dot is one {noun}. The diamond is the mean{ends}.",
        width=width,
        height=top + 78,
        data=_data(scores, stacks, noun),
    )


def _data(scores: PairedScores, stacks: Stacks, noun: str) -> Data:
    """Return the numbers behind the picture: every difference, or where there are many, counts."""
    if len(scores.differences) > _MOST_ROWS:
        counted = ((at, len(stack)) for at, stack in stacks)
        return Data.of(("difference, about", f"{noun}s"), counted)
    names: Sequence[str | int] = _names(scores) or range(1, len(scores.differences) + 1)
    first, second, differences = scores.first, scores.second, scores.differences
    rows = zip(names, first.tolist(), second.tolist(), differences.tolist(), strict=True)
    return Data.of((noun, *scores.names, "difference"), rows)


def _names(scores: PairedScores) -> Sequence[str]:
    """Return what the datasets or cases are called, if they have names."""
    return scores.case_names if len(scores.case_names) == len(scores.differences) else ()


def _each_told(
    scores: PairedScores, values: Floats, leads: Callable[[float], str]
) -> tuple[str, ...]:
    """Return the words of each dot, in the order of the dots: its name and its value."""
    names = _names(scores)
    order = np.argsort(values, kind="stable")
    named = (f"{short_name(names[at])}: " if names else "" for at in order.tolist())
    ordered = values[order].tolist()
    return tuple(f"{name}{leads(v)}" for name, v in zip(named, ordered, strict=True))


def _counted(stacks: Stacks, noun: str, leads: Callable[[float], str]) -> Spots:
    """Return the words of stacks whose dots are too many to say theirs."""
    said = (f"{plural(len(stack), noun)}: {leads(at)}" for at, stack in stacks)
    return Spots([at for at, _ in stacks], tuple(said))


def stacked(values: Floats, pixels: float) -> tuple[float, Stacks]:
    """Return the radius of dots and their stacks: where each stands, and the values in it.

    Values that a dot would hide share a stack, so its height is a count. The dots are as large as the
    tallest stack allows.
    """
    ordered = np.sort(values)
    for radius in _RADII:
        starts = [0]
        while (end := _next(ordered, starts[-1], 2 * radius / pixels)) < len(ordered):
            starts.append(end)
        parts = np.split(ordered, starts[1:])
        stacks = [(float(part.mean()), part.tolist()) for part in parts]
        if _tallest(stacks) * 2 * radius <= _HIGHEST:
            return radius, stacks
    return _HIGHEST / (2 * _tallest(stacks)), stacks


def _next(ordered: Floats, start: int, width: float) -> int:
    """Return where the values begin that a dot of this width on the first one would not hide."""
    return int(np.searchsorted(ordered, ordered[start] + width))


def _tallest(stacks: Stacks) -> int:
    return max(len(stack) for _, stack in stacks)


def _stack_marks(
    stacks: Stacks, radius: float, half: float, sayings: tuple[str, ...]
) -> list[Mark]:
    """Return the dots, or columns where there are thousands; `half` a stack is its width in data."""
    if sum(len(stack) for _, stack in stacks) > _MOST_DOTS:
        return [
            Bar((at - half, at + half), (_FLOOR, _FLOOR + 2 * radius * len(stack)), opacity=0.85)
            for at, stack in stacks
        ]
    x = [at for at, stack in stacks for _ in stack]
    y = [_FLOOR + radius * (2 * k + 1) for _, stack in stacks for k in range(len(stack))]
    return [Dots(x, y, "accent", radius - 0.4, opacity=0.85, said=sayings)]


def _lead(value: float, unit: str, names: Sequence[str]) -> str:
    """Say whom a difference favours, and by how much."""
    if value == 0:
        return "no difference"
    size = abs(value)
    return f"{Scale.of(unit, (0.0, size)).difference(size)} for {names[value < 0]}"


def cases_figure(scores: PairedScores) -> Figure:
    """Describe how many cases both, one or none of two classifiers got right."""
    first, second = (short_name(name, _SIDE) for name in scores.names)
    right = scores.first > 0.5, scores.second > 0.5
    counts = {
        "both right": int((right[0] & right[1]).sum()),
        f"only {first}": int((right[0] & ~right[1]).sum()),
        f"only {second}": int((~right[0] & right[1]).sum()),
        "both wrong": int((~right[0] & ~right[1]).sum()),
    }
    total, largest = len(scores.first), max(counts.values())
    marks: list[Mark] = []
    for row, ((what, count), tone) in enumerate(zip(counts.items(), _CASES, strict=True)):
        share = format_percent(count / total)
        said = f"{what}: {count}, {share}"
        words = f"{format_count(count)} ({share})"
        marks.append(Bar((0, count), (row - 0.34, row + 0.34), tone, said=said))
        marks.append(Label(count, row, words, "ink", dx=7))
    rows = Axis(3.6, -0.6, tuple(Tick(row, what) for row, what in enumerate(counts)), line=False)
    only = list(counts.values())[1:3]
    return Figure(
        title=f"{first} and {second} · {scores.design.words}",
        alt="; ".join(f"{what}: {count} cases" for what, count in counts.items()) + ".",
        panels=(Panel(Axis(0, largest, line=False), rows, marks),),
        note=f"Cases of the test set. The test compares the {only[0]} that only {first} got right with "
        f"the {only[1]} that only {second} got right.",
        height=150,
        data=Data.of(("cases", "count"), counts.items()),
    )
