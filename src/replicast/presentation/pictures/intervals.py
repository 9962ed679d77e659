"""Pictures of rows: a difference with its interval, one for each experiment or part, and reruns."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from replicast.arrays import Floats
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
from replicast.presentation.pictures.ticks import pvalue_ticks, spanning
from replicast.presentation.words.audit import agreement_words
from replicast.presentation.words.judging import interval_of, unit_of
from replicast.presentation.words.scales import Scale, has_width, short_name
from replicast.replicability.procedures import PROCEDURES
from replicast.replicability.records import Audit

WIDTH = 720.0
_SIDE = 16  # letters of a name in a heading
_LABEL = 14  # letters of a name beside its row
_ROW, _AROUND = 30.0, 90.0  # pixels of a row, and of axis and title
_ALONE = 130.0  # pixels of one difference
_SMALLEST = 1e-6  # of the p-values on an axis; smaller ones are arrows at the edge


class Span(NamedTuple):
    """A row: its name, its interval, and the estimate in it; a prediction has none and is a band."""

    name: str
    limits: Sequence[float]
    estimate: float | None
    said: str = ""
    tone: Tone = "accent"
    shape: Shape = "disc"


def _rows(spans: Sequence[Span], scale: Scale) -> tuple[Panel, float]:
    """Return the rows below each other, and their height."""
    ends = [end for span in spans for end in (*span.limits, span.estimate)]
    x = spanning([end for end in ends if end is not None and abs(end) < float("inf")], 0.05, scale)
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


def parts_figure(several: Parts) -> Figure:
    """Describe the difference of every part with its interval; filled where clearly different."""

    def span(part: Part) -> Span:
        shape: Shape = "disc" if part.significant else "ring"
        return Span(part.label, part.interval, part.difference, str(part), shape=shape)

    units = {getattr(result, "unit", "score") for result in several.results.values()}
    scale = Scale(units.pop() if len(units) == 1 else "score")
    level, full = "95%", "clearly different"
    if several.outcome is not None:
        level, full = format_percent(1 - 2 * several.significance), "passed"
    panel, height = _rows([span(part) for part in several.parts], scale)
    return Figure(
        title=f"The difference by {several.by}",
        alt="; ".join(map(str, several.parts)),
        panels=(panel,),
        note=f"Lines: {level} intervals. Full dots: {full}, corrected by Holm.",
        height=height,
        data=Data.of(
            (several.by, "difference", "low", "high", "adjusted p"),
            (
                (part.label, part.difference, *part.interval, part.adjusted)
                for part in several.parts
            ),
        ),
    )


def judgement_figure(judgement: Judgement) -> Figure:
    """Describe a replication: the original, what it predicted, and what came."""
    unit, numbers = unit_of(judgement), judgement.estimates

    def span(name: str, estimate: float, error: float, tone: Tone, shape: Shape = "disc") -> Span:
        limits = interval_of(estimate, error)
        said = f"{name}: {Scale.of(unit, limits).bounded(estimate, limits)}"
        return Span(name, limits, estimate, said, tone, shape)

    original, replication = judgement.original, judgement.replication
    spans = (
        span("original", original.estimate, original.standard_error, "accent"),
        Span("predicted", numbers.prediction, None, tone="band"),
        span("replication", replication.estimate, replication.standard_error, "accent"),
        span("together", float(numbers.pooled), float(numbers.pooled_se), "ink", "diamond"),
    )
    first, second = (short_name(name, _SIDE) for name in judgement.names)
    panel, height = _rows(spans, Scale(unit))
    rows = ((row.name, "" if row.estimate is None else row.estimate, *row.limits) for row in spans)
    ahead = Label(1, 1, f"{first} better →", dy=9, anchor="end", of="panel")
    return Figure(
        title=f"{first} against {second}: {judgement.outcome}",
        alt=f"Original {format_pvalue(original.pvalue)}, replication "
        f"{format_pvalue(replication.pvalue)}, {judgement.outcome}.",
        panels=(replace(panel, marks=[*panel.marks, ahead]),),
        note="Lines: 95% intervals. Band: where the original led to expect the replication.",
        height=height,
        data=Data.of(("row", "estimate", "low", "high"), rows),
    )


def calibration_figure(ledger: Calibration) -> Figure:
    """Describe what forecasts said against what happened."""
    ticks = tuple(Tick(share, f"{share:.0%}") for share in (0.0, 0.5, 1.0))
    marks: list[Mark] = [Line((0.0, 1.0), (0.0, 1.0), "line", 1.0)]
    for group in ledger.bins:
        if group.forecasts:
            said, share = group.said, group.happened / group.forecasts
            words = f"said {format_percent(said)}: {group.happened} of {group.forecasts} happened"
            marks += [
                Line((said, said), tuple(group.interval), "band", 6.0, rounded=True),
                Dots((said,), (share,), said=(words,)),
            ]
    x, y = Axis(0.0, 1.0, ticks, "said"), Axis(0.0, 1.0, ticks, "happened", grid=True)
    return Figure(
        title="What forecasts said, and what happened",
        alt=f"{ledger.happened} of {ledger.forecasts} happened.",
        panels=(Panel(x, y, marks),),
        height=320,
    )


def interval_panel(
    estimate: float, limits: tuple[float, float], unit: str, margin: float | None = None
) -> Panel:
    """Return one difference with its interval, and a margin where there is one."""
    scale = Scale.of(unit, limits)
    marks: list[Mark] = [Rule(0.0)]
    shown = [estimate, *(limits if has_width(limits) else ())]
    if margin is not None:
        shown.append(margin)
        marks.append(Rule(margin, "margin", tone="warm"))
    axis = spanning(shown, 0.08, scale)
    marks += estimate_marks(estimate, limits, scale.bounded(estimate, limits))
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


def difference_figure(result: Gate | Look) -> Figure:
    """Describe one difference with its interval: beside its margin, or in a running comparison."""
    margin = None
    if isinstance(result, Gate):
        margin = result.margin if result.goal == "better" else -result.margin
    panel = interval_panel(result.difference, result.interval, result.unit, margin)
    title = " − ".join(short_name(name, _SIDE) for name in result.names)
    alt = f"{title}: the difference and its interval."
    return Figure(title, alt, (panel,), width=WIDTH, height=_ALONE)


# --------------------------------------------------------------------------- reruns
def audit_figure(audit: Audit) -> Figure:
    """Describe the p-values of all reruns, one row for each test."""
    level = next(iter(audit.values())).significance
    every = {name: np.array(item.pvalues).ravel() for name, item in audit.items()}
    least = max(_SMALLEST, min(level, *(float(p.min()) for p in every.values())))
    marks: list[Mark] = [Rule(level, f"p = {level:g}")]
    for row, (name, item) in enumerate(audit.items()):
        height = (len(audit) - 0.5 - row) / len(audit)
        marks += _reruns(every[name], row, least)
        marks.append(Label(1, height, agreement_words(item), "ink", dx=12, of="panel"))
    marks.append(Label(1, 1, "agree", dx=12, dy=8, of="panel"))
    titles = [PROCEDURES[name].title for name in audit]
    words = [
        f"{title}: two reruns agree {agreement_words(item)}, p from {every[name].min():.2g} to "
        f"{every[name].max():.2g}"
        for title, (name, item) in zip(titles, audit.items(), strict=True)
    ]
    label = "p-value · stronger evidence →"
    across = Axis(1.0, least / 1.3, pvalue_ticks(least, 1.0), label, "log")
    names = tuple(Tick(row, title) for row, title in enumerate(titles))
    return Figure(
        title=f"The same test on the same data, other partitions · {audit.dataset}",
        alt="; ".join(words),
        panels=(Panel(across, Axis(len(audit) - 0.5, -0.5, names, line=False), marks),),
        note="A dot is a rerun; on the right, how often two reruns agree.",
        width=620,
        height=26.0 * len(audit) + 80,
        data=Data.of(
            ("test", "p"), ((k, v) for k, values in every.items() for v in values.tolist())
        ),
    )


def _reruns(pvalues: Floats, row: int, least: float) -> Iterator[Mark]:
    """Yield the p-values of a test; those off the chart are one arrow."""
    inside = pvalues[pvalues >= _SMALLEST].tolist()
    ends = max(float(pvalues.min()), least), float(pvalues.max())
    yield Line(ends, (row, row), "line", 6.0, rounded=True)
    yield Dots(inside, [row] * len(inside), radius=3.8, opacity=0.7)
    if len(inside) < len(pvalues):
        said = f"{len(pvalues) - len(inside)} reruns below {_SMALLEST:.6f}"
        yield Dots((least,), (row,), radius=6, shape="right", said=(said,))
