"""The picture of a replication: the original, what it predicted, and what came."""

from typing import TYPE_CHECKING

from replicast.formatting import format_percent, format_pvalue
from replicast.judging.records import Calibration, Judgement
from replicast.presentation.pictures.figure import (
    Axis,
    Data,
    Dots,
    Figure,
    Label,
    Line,
    Mark,
    Panel,
    Rule,
    Shape,
    Tick,
)
from replicast.presentation.pictures.palette import Tone
from replicast.presentation.pictures.ticks import round_ticks
from replicast.presentation.words.judging import interval_of, unit_of
from replicast.presentation.words.scales import short_name
from replicast.results import Interval

if TYPE_CHECKING:
    pass

_ROWS = ("original", "predicted", "replication", "together")
_SIDE = 18  # letters of a name


def judgement_figure(found: Judgement) -> Figure:
    """Describe the picture of a replication."""
    unit = unit_of(found)
    scale = 100.0 if unit == "fraction" else 1.0
    numbers = found.estimates
    centres = (found.original.estimate, None, found.replication.estimate, float(numbers.pooled))
    spans = (
        interval_of(found.original.estimate, found.original.standard_error),
        numbers.prediction,
        interval_of(found.replication.estimate, found.replication.standard_error),
        interval_of(float(numbers.pooled), float(numbers.pooled_se)),
    )
    ends = [0.0, *(limit * scale for span in spans for limit in span)]
    room = (max(ends) - min(ends)) * 0.05
    low, high = min(ends) - room, max(ends) + room
    words = {"score": "difference in score", "standard errors": "difference in standard errors"}
    axis = Axis(low, high, round_ticks(low, high), words.get(unit, "difference in points"))
    levels = Axis(0.4, 4.8, tuple(Tick(4 - k, name) for k, name in enumerate(_ROWS)), line=False)
    first, second = (short_name(name, _SIDE) for name in found.names)
    return Figure(
        title=f"{first} against {second}: {found.outcome}",
        alt=f"Original {format_pvalue(found.original.pvalue)}, replication "
        f"{format_pvalue(found.replication.pvalue)}, {found.outcome}.",
        panels=(Panel(axis, levels, _marks(centres, spans, scale, first)),),
        note="Lines: 95% intervals. Band: where the original led to expect the replication.",
        height=230.0,
        data=Data(
            ("row", "estimate", "low", "high"),
            tuple(
                (name, "" if centre is None else centre, *span)
                for name, centre, span in zip(_ROWS, centres, spans, strict=True)
            ),
        ),
    )


def _marks(
    centres: tuple[float | None, ...],
    spans: tuple[Interval, ...],
    scale: float,
    name_ahead: str,
) -> tuple[Mark, ...]:
    marks: list[Mark] = [Rule(0.0)]
    for k, (name, centre, span) in enumerate(zip(_ROWS, centres, spans, strict=True)):
        ends, level = [limit * scale for limit in span], (4.0 - k, 4.0 - k)
        if centre is None:
            marks.append(Line(ends, level, "band", 14.0))
            continue
        tone: Tone = "ink" if name == "together" else "accent"
        shape: Shape = "diamond" if name == "together" else "disc"
        marks.append(Line(ends, level, tone, 2.4))
        said = f"{name}: {centre * scale:.3g}, 95% interval {ends[0]:.3g} to {ends[1]:.3g}"
        marks.append(Dots((centre * scale,), level[:1], tone, 5.0, shape, said=(said,), key=True))
    marks.append(Label(1, 1, f"{name_ahead} better →", dy=9, anchor="end", of="panel"))
    return tuple(marks)


def calibration_figure(found: Calibration) -> Figure:
    """Describe what forecasts said against what happened."""
    ticks = tuple(Tick(share, f"{share:.0%}") for share in (0.0, 0.5, 1.0))
    marks: list[Mark] = [Line((0.0, 1.0), (0.0, 1.0), "line", 1.0)]
    for one in found.bins:
        if one.forecasts:
            said, share = one.said, one.happened / one.forecasts
            words = f"said {format_percent(said)}: {one.happened} of {one.forecasts} happened"
            marks += [
                Line((said, said), tuple(one.interval), "band", 6.0, rounded=True),
                Dots((said,), (share,), said=(words,)),
            ]
    return Figure(
        title="What forecasts said, and what happened",
        alt=f"{found.happened} of {found.forecasts} happened.",
        panels=(
            Panel(
                Axis(0.0, 1.0, ticks, "said"),
                Axis(0.0, 1.0, ticks, "happened", grid=True),
                tuple(marks),
            ),
        ),
        height=320,
    )
