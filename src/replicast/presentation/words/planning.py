"""What the next experiment needs for a wanted chance, or why it cannot have it."""

import numpy as np

from replicast.formatting import format_count, format_percent, format_rough
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import of_hundred
from replicast.presentation.words.scales import brief_design, hundred
from replicast.replication.records import Plan


def tell_plan(found: Plan) -> Document:
    """Tell what a wanted chance of replication takes."""
    return Document(
        headline=_headline(found),
        lines=_lines(found),
        cautions=ranked(found.cautions, ("which-t",)),
        read=brief_design(found.design),
        rows=tuple(
            Row(_amount(found, amount), of_hundred(chance)) for amount, chance in milestones(found)
        ),
        how=(f"Computed with the {found.model} model, {found.estimator} estimate.",),
        quote=_quote(found),
    )


def _amount(found: Plan, amount: float) -> str:
    """Write how much, as roughly as a forecast knows it; what there was is known."""
    if found.unit != found.vary:
        return "as much data" if amount == 1 else f"{amount:,.3g} times the data"
    write = format_count if amount == found.current else format_rough
    noun = found.vary[:-1] if round(amount) == 1 else found.vary
    each = " to each case" if found.vary == "answers" else ""
    if found.vary == "cases" and found.design.clusters:
        clusters = found.design.grow("cases", round(amount)).design.clusters or 0
        each = f" in {write(clusters)} clusters"
    return f"{write(round(amount))} {noun}{each}"


def _headline(found: Plan) -> str:
    wanted = of_hundred(found.probability)
    if found.needed is not None:
        verb = "makes" if round(found.needed) == 1 or found.unit != found.vary else "make"
        amount = _amount(found, found.needed)
        if found.needed == found.current:
            return f"No more is needed: {amount} {verb} {of_hundred(found.now)} significant"
        return f"{amount} {verb} {wanted} significant"
    more = "data" if found.unit != found.vary else found.vary
    if found.limit >= found.probability:
        return f"To make {wanted} significant takes more {more} than anybody has"
    return f"More {more} will not make {wanted} significant"


def _lines(found: Plan) -> tuple[Row, ...]:
    ends = found.needed_by_relation
    rows = [Row("now", of_hundred(found.now), _amount(found, found.current))]
    if found.needed is None:
        rows.append(Row("limit", of_hundred(found.limit), found.reason))
    rows += [
        Row("close", _needed(found, ends.close), "if they are close rivals"),
        Row("any", _needed(found, ends.any), "if they are any two"),
    ]
    between = [(a, p) for a, p in milestones(found) if found.current < a != found.needed]
    if between:
        steps = ", ".join(f"{_amount(found, amount)}: {hundred(p)}" for amount, p in between[:2])
        rows.append(Row("others", steps))
    return tuple(rows)


def _needed(found: Plan, needed: float | None) -> str:
    return "out of reach" if needed is None else _amount(found, needed)


def milestones(found: Plan) -> list[tuple[float, float]]:
    """Pick five settings of the curve, equally many times as large, one of them what is needed."""
    sizes = np.log(found.amounts)
    every = np.abs(sizes - np.linspace(sizes[0], sizes[-1], 5)[:, None]).argmin(axis=1)
    if found.needed is not None:
        needed = found.amounts.index(found.needed)
        every[np.abs(sizes[every] - sizes[needed]).argmin()] = needed
    return [(found.amounts[i], found.probabilities[i]) for i in np.unique(every)]


def _quote(found: Plan) -> str:
    wanted = format_percent(found.probability)
    if found.needed is None:
        return (
            f"No number of {found.vary} gives a chance of replication of {wanted}; the limit is "
            f"{format_percent(found.limit)}."
        )
    reached = format_percent(found.probabilities[found.amounts.index(found.needed)])
    return (
        f"A replication with {_amount(found, found.needed)} has a chance of {reached} to be "
        "significant in the same direction."
    )
