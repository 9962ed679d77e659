"""Pictures of replication: chance against p-value, its range, the two experiments, and the plan."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from replicast.design import describe_design, describe_repeat
from replicast.formatting import format_percent, format_pvalue
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
    Spots,
)
from replicast.presentation.pictures.ticks import (
    PERCENT,
    apart,
    between,
    log_ticks,
    pvalue_ticks,
    round_ticks,
)
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
    axis = Axis(
        *_PVALUES,
        pvalue_ticks(_PVALUES[1], _PVALUES[0]),
        "p-value of the first result · stronger evidence →",
        "log",
    )
    marks: list[Mark] = []
    if axis.holds(curve.significance):
        marks.append(Rule(curve.significance, f"p = {curve.significance:g}"))
    marks += [
        Line(x, curve.as_published, "warm", 1.6),
        Line(x, curve.calibrated),
        *_named_ends(
            x[::-1],
            (
                (PUBLISHED, "warm", curve.as_published[::-1]),
                ("calibrated", "accent", curve.calibrated[::-1]),
            ),
        ),
    ]
    if curve.model in _COUNTED:  # these are all the p-values there are
        marks.append(Dots(x, curve.calibrated, radius=2.6))
    every = slice(None, None, max(1, len(x) // _SPOTS))
    rows = list(zip(x, curve.calibrated, curve.as_published, strict=True))
    said = tuple(
        f"p = {p:.2g}: {format_percent(chance)}; {PUBLISHED}: {format_percent(other)}"
        for p, chance, other in rows[every]
    )
    marks.append(Spots(x[every], said))
    return Figure(
        title=f"Chance of replication {describe_repeat(curve.design)} · {describe_design(curve.design)}",
        alt=f"Chance of replication against the p-value of the first experiment. At {said[0]}. "
        f"At {said[-1]}.",
        panels=(
            Panel(
                axis,
                Axis(
                    0, 1, PERCENT.ticks, "significant again, same direction", grid=True, line=False
                ),
                (*marks, *(() if mark is None else curve_mark(curve, mark))),
            ),
        ),
        note=_TAKES,
        height=290,
        data=Data(
            ("p", "calibrated", "berrar_2024"),
            tuple(tuple(float(v) for v in row) for row in rows),
        ),
    )


def curve_mark(curve: ReplicationCurve, found: Replication) -> tuple[Mark, ...]:
    """Return a result on its curve; one off the chart is an arrow at the edge."""
    p, x = found.first_pvalue, curve.pvalues
    chance = format_percent(found.probability)
    if min(x) <= p <= max(x):
        right = np.log(p / min(x)) > 0.35 * np.log(max(x) / min(x))
        return (
            Dots((p,), (found.probability,), "ink", 6, key=True,
                 said=(f"{format_pvalue(p)}: {chance}",)),
            Label(p, found.probability, chance, "ink",
                  "start" if right else "end", dx=11 if right else -11, dy=-13, strong=True),
        )  # fmt: skip
    beyond = p < min(x)
    at, shape = (x[0], "right") if beyond else (x[-1], "left")
    height = curve.calibrated[0 if beyond else -1]
    words = f"{format_pvalue(p, 4) if beyond else format_pvalue(p)}: {chance}"
    return (
        Dots((at,), (height,), "ink", 8, shape, key=True,  # type: ignore[arg-type]  # one of the shapes
             said=(f"{words}; off this chart",)),
        Label(at, height, f"{words} →" if beyond else f"← {words}", "ink",
              "end" if beyond else "start", dx=-12 if beyond else 12, dy=-14 if beyond else 14,
              strong=True),
    )  # fmt: skip


def plan_figure(found: Plan, powers: Sequence[float] = ()) -> Figure:
    """Describe the chance of replication against the size, beside the power where it is given."""
    unit = found.unit
    x, y = found.amounts, found.probabilities
    wanted = format_percent(found.probability)
    marks: list[Mark] = [Rule(found.probability, level=True)]
    lines: list[tuple[str, Any, Sequence[float]]] = [
        ("replication", "accent", y),
        (f"wanted: {wanted}", "soft", (found.probability,) * len(x)),
    ]
    if found.limit < found.probability:
        marks.append(Rule(found.limit, level=True, tone="warm", dashed=False))
        words = f"never above {format_percent(found.limit)}"
        lines.append((words, "warm", (found.limit,) * len(x)))
    if powers:
        marks.append(Line(x, powers, "warm", 1.6))
        lines.append(("power", "warm", powers))
    marks += [
        Line(x, y),
        *_named_ends(x, lines),
        Spots(x, tuple(f"{a:,.4g} {unit}: {format_percent(p)}" for a, p in zip(x, y, strict=True))),
    ]
    if found.needed is not None and x[0] <= found.needed <= x[-1]:
        height = between(x, y, found.needed)
        words = f"{found.needed:,g} {unit}"
        right = np.log(found.needed / x[0]) < 0.75 * np.log(x[-1] / x[0])
        marks += [
            Dots((found.needed,), (height,), "ink", 6, key=True,
                 said=(f"{words}: {format_percent(height)}",)),
            Label(found.needed, height, words, "ink", "start" if right else "end",
                  dx=7 if right else -9, dy=-20 if right else 15, strong=True),
        ]  # fmt: skip
    return Figure(
        title=f"Planning the repeat · {describe_design(found.design)}",
        alt=f"{'Power and chance' if powers else 'Chance'} of replication against {unit} of the repeat. "
        f"{found}",
        panels=(
            Panel(
                Axis(x[0], x[-1], log_ticks(x[0], x[-1]), f"{unit} of the repeat", "log"),
                Axis(0, 1, PERCENT.ticks, "significant, same direction", grid=True, line=False),
                tuple(marks),
            ),
        ),
        height=270,
        data=Data(
            (unit, "replication", *(("power",) if powers else ())),
            tuple(
                tuple(float(v) for v in row)
                for row in zip(x, y, *((powers,) if powers else ()), strict=True)
            ),
        ),
    )


def _named_ends(
    x: Sequence[float], lines: Sequence[tuple[str, Any, Sequence[float]]]
) -> list[Label]:
    """Return the names of lines at their right ends, apart from each other."""
    heights = apart([y[-1] for _, _, y in lines], 0.1)
    return [
        Label(x[-1], height, name, tone, dx=6, strong=tone == "accent")
        for (name, tone, _), height in zip(lines, heights, strict=True)
    ]


def means_figure(found: MeansReplication) -> Figure:
    """Describe the chance that two means leave open, against the correlation of the scores."""
    x, y = found.correlations, found.probabilities
    said = tuple(f"r = {r:.2g}: {format_percent(p)}" for r, p in zip(x, y, strict=True))
    marks: list[Mark] = [Line(x, y), Dots(x, y, said=said)]
    return Figure(
        title="Chance of a significant repeat",
        alt="; ".join(said),
        panels=(
            Panel(
                Axis(0.0, 1.0, round_ticks(0.0, 1.0), "correlation of the two scores"),
                replace(PERCENT, label="chance"),
                tuple(marks),
            ),
        ),
        data=Data(("r", "p", "chance"), tuple(zip(x, found.pvalues, y, strict=True))),
    )
