"""Pictures of differences with their intervals: one, or one for each experiment or part."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from replicast.comparison.parts import Part, Parts
from replicast.formatting import format_percent, format_pvalue
from replicast.judging.records import Calibration, Gate, Judgement, Look
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
from replicast.presentation.pictures.ticks import spanning
from replicast.presentation.words.gating import unit_of_gate
from replicast.presentation.words.judging import interval_of, unit_of
from replicast.presentation.words.scales import Scale, has_width, short_name
from replicast.presentation.words.watching import unit_of_look

WIDTH = 720.0
_SIDE = 16  # letters of a name in a heading
_LABEL = 14  # letters of a name beside its row
_ROW, _AROUND = 30.0, 90.0  # pixels of a row, and of axis and title
_ALONE = 130.0  # pixels of one difference
_NAMES = {"score": "difference in score", "standard errors": "difference in standard errors"}


class Span(NamedTuple):
    """A row: its name, its interval, and the estimate in it; a prediction has none and is a band."""

    name: str
    limits: Sequence[float]
    estimate: float | None
    said: str = ""
    tone: Tone = "accent"
    shape: Shape = "disc"


def _rows(spans: Sequence[Span], label: str) -> tuple[Panel, float]:
    """Return the rows below each other, and their height."""
    ends = [end for span in spans for end in (*span.limits, span.estimate)]
    x = spanning([end for end in ends if end is not None and abs(end) < float("inf")], 0.05, label)
    names = tuple(Tick(row, short_name(span.name, _LABEL)) for row, span in enumerate(spans))
    marks: list[Mark] = [Rule(0.0)]
    for row, span in enumerate(spans):
        if has_width(span.limits):
            whole = 2.4 if span.estimate is not None else 14.0
            marks.append(Line(tuple(span.limits), (row, row), span.tone, whole))
        if span.estimate is not None:
            at = (span.estimate,), (row,)
            marks.append(Dots(*at, span.tone, 5.0, span.shape, said=(span.said,), key=True))
    panel = Panel(x, Axis(len(spans) - 0.4, -0.8, names, line=False), marks)
    return panel, _AROUND + _ROW * len(spans)


def parts_figure(found: Parts) -> Figure:
    """Describe the difference of every part with its interval; filled where clearly different."""

    def span(part: Part) -> Span:
        shape: Shape = "disc" if part.significant else "ring"
        return Span(part.label, part.interval, part.difference, str(part), shape=shape)

    panel, height = _rows([span(part) for part in found.parts], "difference")
    return Figure(
        title=f"The difference by {found.by}",
        alt="; ".join(map(str, found.parts)),
        panels=(panel,),
        note="Lines: 95% intervals. Full dots: clearly different, corrected by Holm.",
        height=height,
        data=Data.of(
            (found.by, "difference", "low", "high", "adjusted p"),
            ((part.label, part.difference, *part.interval, part.adjusted) for part in found.parts),
        ),
    )


def judgement_figure(found: Judgement) -> Figure:
    """Describe a replication: the original, what it predicted, and what came."""
    unit, numbers = unit_of(found), found.estimates
    factor = 100.0 if unit == "fraction" else 1.0

    def span(name: str, estimate: float, error: float, tone: Tone, shape: Shape = "disc") -> Span:
        low, high = (limit * factor for limit in interval_of(estimate, error))
        said = f"{name}: {estimate * factor:.3g}, 95% interval {low:.3g} to {high:.3g}"
        return Span(name, (low, high), estimate * factor, said, tone, shape)

    original, replication = found.original, found.replication
    predicted = [limit * factor for limit in numbers.prediction]
    spans = (
        span("original", original.estimate, original.standard_error, "accent"),
        Span("predicted", predicted, None, tone="band"),
        span("replication", replication.estimate, replication.standard_error, "accent"),
        span("together", float(numbers.pooled), float(numbers.pooled_se), "ink", "diamond"),
    )
    first, second = (short_name(name, _SIDE) for name in found.names)
    panel, height = _rows(spans, _NAMES.get(unit, "difference in points"))
    rows = ((one.name, "" if one.estimate is None else one.estimate, *one.limits) for one in spans)
    ahead = Label(1, 1, f"{first} better →", dy=9, anchor="end", of="panel")
    return Figure(
        title=f"{first} against {second}: {found.outcome}",
        alt=f"Original {format_pvalue(original.pvalue)}, replication "
        f"{format_pvalue(replication.pvalue)}, {found.outcome}.",
        panels=(replace(panel, marks=[*panel.marks, ahead]),),
        note="Lines: 95% intervals. Band: where the original led to expect the replication.",
        height=height,
        data=Data.of(("row", "estimate", "low", "high"), rows),
    )


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
    x, y = Axis(0.0, 1.0, ticks, "said"), Axis(0.0, 1.0, ticks, "happened", grid=True)
    return Figure(
        title="What forecasts said, and what happened",
        alt=f"{found.happened} of {found.forecasts} happened.",
        panels=(Panel(x, y, marks),),
        height=320,
    )


def interval_panel(
    estimate: float, limits: tuple[float, float], unit: str, margin: float | None = None
) -> Panel:
    """Return one difference with its interval, and a margin where there is one."""
    factor = 100.0 if unit == "fraction" else 1.0
    value, ends = factor * estimate, [factor * limit for limit in limits]
    marks: list[Mark] = [Rule(0.0)]
    known = [value, *(ends if has_width(limits) else ())]
    if margin is not None:
        known.append(factor * margin)
        marks.append(Rule(factor * margin, "margin", tone="warm"))
    points = unit in ("fraction", "percent")
    axis = spanning(known, 0.08, "difference in points" if points else "difference")
    words = Scale.of(unit, limits).bounded(estimate, limits)
    marks += estimate_marks(value, ends, words)
    return Panel(axis, Axis(-1.0, 1.0, line=False), marks)


def estimate_marks(
    value: float, limits: Sequence[float], words: str, level: float = 0.0
) -> list[Mark]:
    """Return an estimate as a diamond on its interval, where it has one, with its words above."""
    band = Line(tuple(limits), (level, level), "band", 9.0, rounded=True)
    return [
        *([band] if has_width(limits) else ()),
        Dots((value,), (level,), "ink", 5.5, "diamond", key=True, said=(words,)),
        Label(value, level, words, "ink", "middle", dy=17, strong=True),
    ]


def gate_figure(found: Gate) -> Figure:
    """Describe the difference of candidate and baseline beside the margin."""
    margin = found.margin if found.goal == "better" else -found.margin
    panel = interval_panel(found.difference, found.interval, unit_of_gate(found), margin)
    return _alone(panel, found.names)


def look_figure(found: Look) -> Figure:
    """Describe the difference of a running comparison with its confidence sequence."""
    panel = interval_panel(found.difference, found.interval, unit_of_look(found))
    return _alone(panel, found.names)


def _alone(panel: Panel, names: tuple[str, str]) -> Figure:
    title = " − ".join(short_name(name, _SIDE) for name in names)
    alt = f"{title}: the difference and its interval."
    return Figure(title, alt, (panel,), width=WIDTH, height=_ALONE)
