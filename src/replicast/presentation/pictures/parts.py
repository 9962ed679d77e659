"""The picture of comparisons side by side: the difference and interval of every part."""

import numpy as np

from replicast.comparison.parts import Part, Parts
from replicast.presentation.pictures.figure import (
    Axis,
    Data,
    Dots,
    Figure,
    Line,
    Mark,
    Panel,
    Rule,
    Shape,
    Tick,
)
from replicast.presentation.pictures.ticks import round_ticks
from replicast.presentation.words.scales import short_name

_LABEL = 14  # letters
_ROW = 24.0  # pixels
_MARGIN = 90.0


def parts_figure(found: Parts) -> Figure:
    """Describe the difference of every part with its interval; filled where clearly different."""
    ends = [0.0, *(end for part in found.parts for end in _ends(part))]
    room = (max(ends) - min(ends)) * 0.05 or 1.0
    low, high = min(ends) - room, max(ends) + room
    count = len(found.parts)
    rows = tuple(
        Tick(count - k, short_name(part.label, _LABEL)) for k, part in enumerate(found.parts)
    )
    marks: list[Mark] = [Rule(0.0)]
    for level, part in zip(range(count, 0, -1), found.parts, strict=True):
        marks += _of(part, float(level))
    return Figure(
        title=f"The difference by {found.by}",
        alt="; ".join(map(str, found.parts)),
        panels=(
            Panel(
                Axis(low, high, round_ticks(low, high), "difference"),
                Axis(0.4, count + 0.8, rows, line=False),
                tuple(marks),
            ),
        ),
        note="Lines: 95% intervals. Full dots: clearly different, corrected by Holm.",
        height=_MARGIN + _ROW * count,
        data=Data(
            (found.by, "difference", "low", "high", "adjusted p"),
            tuple(
                (part.label, part.difference, *part.interval, part.adjusted) for part in found.parts
            ),
        ),
    )


def _ends(part: Part) -> list[float]:
    return [end for end in (part.difference, *part.interval) if np.isfinite(end)]


def _of(part: Part, level: float) -> list[Mark]:
    marks: list[Mark] = []
    if np.isfinite(tuple(part.interval)).all():
        marks.append(Line(tuple(part.interval), (level, level), "accent", 2.4))
    shape: Shape = "disc" if part.significant else "ring"
    dots = Dots((part.difference,), (level,), "accent", 5.0, shape, said=(str(part),), key=True)
    return [*marks, dots]
