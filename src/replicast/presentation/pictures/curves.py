"""Pictures of replication: chance against p-value, its range, the two experiments, and the plan."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from replicast.formatting import format_percent, format_pvalue
from replicast.presentation.pictures.figure import (
    Anchor,
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
    Spots,
)
from replicast.presentation.pictures.palette import Tone
from replicast.presentation.pictures.ticks import (
    PERCENT,
    log_ticks,
    pvalue_ticks,
    round_ticks,
)
from replicast.replication.curves import curve_like
from replicast.replication.first_result import MODELS
from replicast.replication.means import MeansReplication
from replicast.replication.records import Plan, Replication, ReplicationCurve

PUBLISHED = "Berrar 2024"
_TAKES = f"{PUBLISHED} takes the observed effect for the truth."
_COUNTED = [model for model, test in MODELS.items() if test.counts]  # their p-values are few
_PVALUES = (0.5, 0.0001)  # from left to right, for every test
_SPOTS = 24


def curve_figure(curve: ReplicationCurve, mark: Replication | None = None) -> Figure:
    """Describe the chance of replication against the p-value, and where one result lies."""
    x = curve.pvalues
    label = "p-value of the first result · stronger evidence →"
    across = Axis(*_PVALUES, pvalue_ticks(_PVALUES[1], _PVALUES[0]), label, "log")
    marks: list[Mark] = []
    if _PVALUES[1] <= curve.significance <= _PVALUES[0]:
        marks.append(Rule(curve.significance, f"p = {curve.significance:g}"))
    marks += [
        Line(x, curve.as_published, "warm", 1.6),
        Line(x, curve.calibrated),
        _name_of_line(x[0], curve.as_published[0], PUBLISHED, "warm"),
        _name_of_line(x[0], curve.calibrated[0], "calibrated", "accent"),
    ]
    if curve.model in _COUNTED:  # these are all the p-values there are
        marks.append(Dots(x, curve.calibrated, radius=2.6))
    every = slice(None, None, max(1, len(x) // _SPOTS))
    rows = list(zip(x, curve.calibrated, curve.as_published, strict=True))
    said = tuple(
        f"p = {p:.2g}: {format_percent(chance)}; {PUBLISHED}: {format_percent(other)}"
        for p, chance, other in rows[every]
    )
    marks += [Spots(x[every], said), *(() if mark is None else curve_mark(curve, mark))]
    return Figure(
        title=f"Chance of replication {curve.design.anew} · {curve.design.words}",
        alt=f"Chance of replication against the p-value of the first experiment. At {said[0]}. "
        f"At {said[-1]}.",
        panels=(Panel(across, replace(PERCENT, label="significant again, same direction"), marks),),
        note=_TAKES,
        height=290,
        data=Data.of(("p", "calibrated", "berrar_2024"), (map(float, row) for row in rows)),
    )


def result_figure(result: Replication) -> Figure:
    """Describe a result on the curve of experiments like its own."""
    return curve_figure(
        curve_like(result.first_result, result.significance, result.relation), result
    )


def curve_mark(curve: ReplicationCurve, result: Replication) -> tuple[Mark, ...]:
    """Return a result on its curve; one off the chart is an arrow at the edge."""
    p, x = result.first_pvalue, curve.pvalues
    chance = format_percent(result.probability)
    if min(x) <= p <= max(x):
        said = (f"{format_pvalue(p)}: {chance}",)
        return (
            Dots((p,), (result.probability,), "ink", 6, key=True, said=said),
            Label(p, result.probability, chance, "ink", dx=11, dy=-13, strong=True),
        )
    stronger = p < min(x)
    end = 0 if stronger else -1
    at, height = x[end], curve.calibrated[end]
    words = f"{format_pvalue(p, 4) if stronger else format_pvalue(p)}: {chance}"
    shape: Shape = "right" if stronger else "left"
    anchor: Anchor = "end" if stronger else "start"
    dx, dy = (-12, -14) if stronger else (12, 14)
    text = f"{words} →" if stronger else f"← {words}"
    return (
        Dots((at,), (height,), "ink", 8, shape, key=True, said=(f"{words}; off this chart",)),
        Label(at, height, text, "ink", anchor, dx=dx, dy=dy, strong=True),
    )


def plan_figure(plan: Plan, powers: Sequence[float] = ()) -> Figure:
    """Describe the chance of replication against the size, beside the power where it is given."""
    unit = plan.unit
    x, y = plan.amounts, plan.probabilities
    end = x[-1]
    wanted = format_percent(plan.probability)
    marks: list[Mark] = [
        Rule(plan.probability, level=True),
        Line(x, y),
        _name_of_line(end, y[-1], "replication", "accent"),
        _name_of_line(end, plan.probability, f"wanted: {wanted}", "soft"),
        Spots(x, tuple(f"{a:,.4g} {unit}: {format_percent(p)}" for a, p in zip(x, y, strict=True))),
    ]
    if plan.limit < plan.probability:
        words = f"never above {format_percent(plan.limit)}"
        marks += [
            Rule(plan.limit, level=True, tone="warm", dashed=False),
            _name_of_line(end, plan.limit, words, "warm"),
        ]
    if powers:
        marks += [Line(x, powers, "warm", 1.6), _name_of_line(end, powers[-1], "power", "warm")]
    if plan.needed is not None and x[0] <= plan.needed <= end:
        height = float(np.interp(plan.needed, x, y))
        words = f"{plan.needed:,g} {unit}"
        said = f"{words}: {format_percent(height)}"
        marks += [
            Dots((plan.needed,), (height,), "ink", 6, key=True, said=(said,)),
            Label(plan.needed, height, words, "ink", dx=7, dy=-20, strong=True),
        ]
    what = "Power and chance" if powers else "Chance"
    columns = {unit: x, "replication": y} | ({"power": powers} if powers else {})
    across = Axis(x[0], end, log_ticks(x[0], end), f"{unit} of the repeat", "log")
    return Figure(
        title=f"Planning the repeat · {plan.design.words}",
        alt=f"{what} of replication against {unit} of the repeat. {plan}",
        panels=(Panel(across, replace(PERCENT, label="significant, same direction"), marks),),
        height=270,
        data=Data.of(
            tuple(columns), (map(float, row) for row in zip(*columns.values(), strict=True))
        ),
    )


def _name_of_line(x: float, height: float, name: str, tone: Tone) -> Label:
    """Return the name of a line at its right end."""
    return Label(x, height, name, tone, dx=6, strong=tone == "accent")


def means_figure(means: MeansReplication) -> Figure:
    """Describe the chance that two means leave open, against the correlation of the scores."""
    x, y = means.correlations, means.probabilities
    said = tuple(f"r = {r:.2g}: {format_percent(p)}" for r, p in zip(x, y, strict=True))
    across = Axis(0.0, 1.0, round_ticks(0.0, 1.0), "correlation of the two scores")
    marks = (Line(x, y), Dots(x, y, said=said))
    return Figure(
        title="Chance of a significant repeat",
        alt="; ".join(said),
        panels=(Panel(across, replace(PERCENT, label="chance"), marks),),
        data=Data.of(("r", "p", "chance"), zip(x, means.pvalues, y, strict=True)),
    )
