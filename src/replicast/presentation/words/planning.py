"""What the next experiment needs for a wanted chance, or why it cannot have it."""

import numpy as np

from replicast.formatting import format_count, format_percent, format_rough
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import of_hundred
from replicast.presentation.words.scales import brief_design, hundred
from replicast.replication.records import Plan


def tell_plan(plan: Plan) -> Document:
    """Tell what a wanted chance of replication takes."""
    return Document(
        headline=_headline(plan),
        lines=_lines(plan),
        cautions=ranked(plan.cautions, ("which-t",)),
        read=brief_design(plan.design),
        rows=tuple(
            Row(_amount(plan, amount), of_hundred(chance)) for amount, chance in milestones(plan)
        ),
        how=(f"Computed with the {plan.model} model, {plan.estimator} estimate.",),
        quote=_quote(plan),
    )


def _amount(plan: Plan, amount: float) -> str:
    """Write how much, as roughly as a forecast knows it; what there was is known."""
    if plan.unit != plan.vary:
        return "as much data" if amount == 1 else f"{amount:,.3g} times the data"
    write = format_count if amount == plan.current else format_rough
    noun = plan.vary[:-1] if round(amount) == 1 else plan.vary
    each = " to each case" if plan.vary == "answers" else ""
    if plan.vary == "cases" and plan.design.clusters:
        clusters = plan.design.grow("cases", round(amount)).design.clusters or 0
        each = f" in {write(clusters)} clusters"
    return f"{write(round(amount))} {noun}{each}"


def _headline(plan: Plan) -> str:
    wanted = of_hundred(plan.probability)
    if plan.needed is not None:
        verb = "makes" if round(plan.needed) == 1 or plan.unit != plan.vary else "make"
        amount = _amount(plan, plan.needed)
        if plan.needed == plan.current:
            return f"No more is needed: {amount} {verb} {of_hundred(plan.now)} significant"
        return f"{amount} {verb} {wanted} significant"
    more = "data" if plan.unit != plan.vary else plan.vary
    if plan.limit >= plan.probability:
        return f"To make {wanted} significant takes more {more} than anybody has"
    return f"More {more} will not make {wanted} significant"


def _lines(plan: Plan) -> tuple[Row, ...]:
    ends = plan.needed_by_relation
    rows = [Row("now", of_hundred(plan.now), _amount(plan, plan.current))]
    if plan.needed is None:
        rows.append(Row("limit", of_hundred(plan.limit), plan.reason))
    rows += [
        Row("close", _needed(plan, ends.close), "if they are close rivals"),
        Row("any", _needed(plan, ends.any), "if they are any two"),
    ]
    between = [(a, p) for a, p in milestones(plan) if plan.current < a != plan.needed]
    if between:
        steps = ", ".join(f"{_amount(plan, amount)}: {hundred(p)}" for amount, p in between[:2])
        rows.append(Row("others", steps))
    return tuple(rows)


def _needed(plan: Plan, needed: float | None) -> str:
    return "out of reach" if needed is None else _amount(plan, needed)


def milestones(plan: Plan) -> list[tuple[float, float]]:
    """Pick five settings of the curve, equally many times as large, one of them what is needed."""
    sizes = np.log(plan.amounts)
    every = np.abs(sizes - np.linspace(sizes[0], sizes[-1], 5)[:, None]).argmin(axis=1)
    if plan.needed is not None:
        needed = plan.amounts.index(plan.needed)
        every[np.abs(sizes[every] - sizes[needed]).argmin()] = needed
    return [(plan.amounts[i], plan.probabilities[i]) for i in np.unique(every)]


def _quote(plan: Plan) -> str:
    wanted = format_percent(plan.probability)
    if plan.needed is None:
        return (
            f"No number of {plan.vary} gives a chance of replication of {wanted}; the limit is "
            f"{format_percent(plan.limit)}."
        )
    reached = format_percent(plan.probabilities[plan.amounts.index(plan.needed)])
    return (
        f"A replication with {_amount(plan, plan.needed)} has a chance of {reached} to be "
        "significant in the same direction."
    )
