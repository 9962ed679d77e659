"""Pictures of two classifiers: every difference, cases right and wrong, and what a test can see."""

from collections.abc import Sequence

import numpy as np

from replicast.arrays import Floats
from replicast.comparison.records import Comparison
from replicast.design import describe_design
from replicast.formatting import format_count, format_percent
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
    Tick,
)
from replicast.presentation.pictures.intervals import estimate_marks
from replicast.presentation.pictures.palette import Tone
from replicast.presentation.pictures.ticks import spanning
from replicast.presentation.words.scales import Scale, has_width, plural_count, short_name
from replicast.reading.vocabulary.units import score_unit
from replicast.scores.pairs import PairedScores

_WIDTH = 480.0
_SIDE = 16  # letters of a name beside an arrow
_FLOOR = 42.0  # pixels below the dots, for the mean and its interval
_HIGHEST = 190.0  # pixels for the dots
_RADII = (6.0, 5.0, 4.0, 3.4, 2.8, 2.3, 1.9, 1.6)
_TOLD_ALONE = 60  # up to so many dots, each tells its own value
_MOST_DOTS = 400
_MOST_ROWS = 5000  # of numbers behind a picture

Stacks = list[tuple[float, list[float]]]


def comparison_figure(comparison: Comparison, width: float = _WIDTH) -> Figure:
    """Describe the picture of a comparison: its differences, or its cases."""
    if comparison.scores.design.binary:
        return cases_figure(comparison.scores)
    return differences_figure(comparison, width)


def differences_figure(comparison: Comparison, width: float = _WIDTH) -> Figure:
    """Describe the differences as stacks of dots above their mean and its interval."""
    scores = comparison.scores
    unit = score_unit(scores)
    scale = 100.0 if unit == "fraction" else 1.0
    noun = f"{scores.design.unit} pair" if scores.design.seeds else scores.design.unit
    first, second = (short_name(name, _SIDE) for name in scores.names)
    values = scores.differences * scale
    mean = comparison.difference.estimate * scale
    limits = [limit * scale for limit in comparison.difference.confidence_interval()]
    bounded = has_width(limits)  # else nothing varies
    label = "difference in points" if unit != "score" else "difference in score"
    axis = spanning([*values, *(limits if bounded else ())], 0.04, label)
    pixels = (width - 24) / (axis.stop - axis.start)
    radius, stacks = stacked(values, pixels)
    tallest = max(len(stack) for _, stack in stacks)
    top = _FLOOR + max(2 * radius * tallest, 24.0) + 6
    words = _in_points(unit, limits).bounded(mean, limits)
    named = (noun, unit, first, second)
    marks: list[Mark] = [
        Rule(0.0),
        *_stack_marks(stacks, radius, radius / pixels, named, _in_order(scores, values)),
        *estimate_marks(mean, limits, f"mean {words}", axis, 12.0),
        Label(0, 1, f"← {second} better", dy=9, of="panel"),
        Label(1, 1, f"{first} better →", dy=9, anchor="end", of="panel"),
    ]
    wins, losses = int((values > 0).sum()), int((values < 0).sum())
    many = f"{format_count(len(values))} {noun}s"
    return Figure(
        title=f"{first} − {second} · {describe_design(scores.design)}",
        alt=f"Differences on {many}: {wins} in favour of {first}, {losses} of {second}; mean {words}.",
        panels=(Panel(axis, Axis(0, top, line=False), tuple(marks)),),
        note=f"Each dot is one {noun}. The diamond is the mean"
        + (", the bar its 95% interval." if bounded else "."),
        width=width,
        height=top + 78,
        data=_told(scores, stacks, scale, noun),
    )


def _told(scores: PairedScores, stacks: Stacks, scale: float, noun: str) -> Data:
    """Return the numbers behind the picture: every difference, or where there are many, counts."""
    if len(scores.differences) > _MOST_ROWS:
        counted = tuple((at / scale, len(stack)) for at, stack in stacks)
        return Data(("difference, about", f"{noun}s"), counted)
    called: Sequence[str | int] = _names(scores) or range(1, len(scores.differences) + 1)
    rows = zip(called, scores.first, scores.second, scores.differences, strict=True)
    return Data(
        (noun, *scores.names, "difference"),
        tuple((name, float(a), float(b), float(d)) for name, a, b, d in rows),
    )


def _names(scores: PairedScores) -> tuple[str, ...]:
    """Return what the datasets or cases are called, if they have names."""
    return scores.case_names if len(scores.case_names) == len(scores.differences) else ()


def _in_order(scores: PairedScores, values: Floats) -> list[str]:
    """Return the names in the order of the dots, each to stand before what its dot tells."""
    names = _names(scores)
    if not names:
        return [""] * len(values)
    return [f"{short_name(names[at])}: " for at in np.argsort(values, kind="stable").tolist()]


def stacked(values: Floats, pixels: float) -> tuple[float, Stacks]:
    """Return the radius of dots and their stacks: where each stands, and the values in it.

    Values that a dot would hide share a stack, so its height is a count. The dots are as large as the
    tallest stack allows.
    """
    for radius in _RADII:
        stacks = _stacks(values, 2 * radius / pixels)
        if max(len(stack) for _, stack in stacks) * 2 * radius <= _HIGHEST:
            return radius, stacks
    tallest = max(len(stack) for _, stack in stacks)
    return _HIGHEST / (2 * tallest), stacks


def _stacks(values: Floats, width: float) -> Stacks:
    if len(values) > _MOST_DOTS:  # columns of equal width do as well
        ordered = np.sort(values)
        bins = np.floor((ordered - ordered[0]) / width)
        starts = np.flatnonzero(np.diff(bins)) + 1
        return [(float(part.mean()), part.tolist()) for part in np.split(ordered, starts)]
    groups: list[list[float]] = []
    for value in sorted(float(v) for v in values):
        if groups and value - groups[-1][0] < width:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [(float(np.mean(group)), group) for group in groups]


def _stack_marks(
    stacks: Stacks, radius: float, half: float, words: tuple[str, str, str, str], called: list[str]
) -> list[Mark]:
    """Return the dots; each tells its name and value, or where there are many, each stack does.

    `half` is half the width of a stack in units of the data. Thousands of dots are columns instead.
    """
    noun, unit, *names = words
    count = sum(len(stack) for _, stack in stacks)
    drawn = count <= _MOST_DOTS
    x = [at for at, stack in stacks for _ in stack] if drawn else []
    y = [_FLOOR + radius * (2 * k + 1) for _, stack in stacks for k in range(len(stack) * drawn)]
    if count <= _TOLD_ALONE:
        flat = (value for _, stack in stacks for value in stack)
        said = tuple(f"{n}{_lead(v, unit, names)}" for n, v in zip(called, flat, strict=True))
        return [Dots(x, y, "accent", radius - 0.4, opacity=0.85, said=said)]
    columns = [
        Bar(
            (at - half, at + half),
            (_FLOOR, _FLOOR + 2 * radius * len(stack)),
            "accent",
            0.0 if drawn else 0.85,
            said=f"{plural_count(len(stack), noun)}: {_lead(at, unit, names)}",
        )
        for at, stack in stacks
    ]
    return [*([Dots(x, y, "accent", radius - 0.3, opacity=0.85)] if drawn else ()), *columns]


def _in_points(unit: str, limits: Sequence[float]) -> Scale:
    """Return the scale of numbers that are in points already, where the unit has any."""
    return Scale.of("score" if unit == "score" else "percent", limits)


def _lead(value: float, unit: str, names: Sequence[str]) -> str:
    """Say whom a difference favours, and by how much."""
    if value == 0:
        return "no difference"
    size = abs(value)
    return f"{_in_points(unit, (0.0, size)).difference(size)} for {names[0 if value > 0 else 1]}"


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
    tones: tuple[Tone, ...] = ("band", "accent", "warm", "band")
    for row, ((what, count), tone) in enumerate(zip(counts.items(), tones, strict=True)):
        share = format_percent(count / total)
        marks += [
            Bar(
                (0, count), (3 - row - 0.34, 3 - row + 0.34), tone, said=f"{what}: {count}, {share}"
            ),
            Label(count, 3 - row, f"{format_count(count)} ({share})", "ink", dx=7),
        ]
    ticks = tuple(Tick(3 - row, what) for row, what in enumerate(counts))
    only = list(counts.values())[1:3]
    return Figure(
        title=f"{first} and {second} · {describe_design(scores.design)}",
        alt="; ".join(f"{what}: {count} cases" for what, count in counts.items()) + ".",
        panels=(
            Panel(Axis(0, largest, line=False), Axis(-0.6, 3.6, ticks, line=False), tuple(marks)),
        ),
        note=f"Cases of the test set. The test compares the {only[0]} that only {first} got right with "
        f"the {only[1]} that only {second} got right.",
        height=150,
        data=Data(("cases", "count"), tuple(counts.items())),
    )
