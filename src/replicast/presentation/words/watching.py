"""A look at a running comparison: may it stop?"""

import math
from collections.abc import Sequence

from replicast.formatting import (
    format_count,
    format_difference,
    format_number,
    format_percent,
    format_pvalue,
    range_words,
)
from replicast.judging.records import Look
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.scales import brief_design, hundred


def tell_look(found: Look, account: Sequence[str] = ()) -> Document:
    """Tell whether a running comparison is decided."""
    now, unit = found.progress, unit_of_look(found)
    noun = f"{found.design.unit}s"
    of = f" of {format_count(found.total)}" if found.total else ""
    headline = f"Not decided after {format_count(now.cases)}{of} {noun}: go on, or end it open"
    if now.better is not None and now.decided_after is not None:
        after = format_count(now.decided_after)
        headline = f"You may stop: {now.better} is better, decided after {after}{of} {noun}"
    level = format_percent(1 - found.significance)
    return Document(
        result=found,
        headline=headline,
        lines=(
            Row("won", f"{now.first_only} and {now.second_only} {noun}", " and ".join(found.names)),
            Row("found", format_difference(found.difference, unit),
                f"at every look between {range_words(found.interval, unit, 'and')}"),
            *_since(found, noun),
            *_chances(found, noun),
        ),
        cautions=ranked(found.cautions),
        read=brief_design(found.design),
        hints=("more: --more",),
        rows=_rows(found, unit, level, noun),
        how=("Evidence at any time: one mixture of bets against equal scores; it holds however often "
             "one looks.",),
        account=tuple(account),
        quote=f"{headline} (anytime-valid {format_pvalue(now.pvalue)}; {level} confidence sequence "
        f"{range_words(found.interval, unit)}).",
    )  # fmt: skip


def unit_of_look(found: Look) -> str:
    """Tell what the differences of a look are counted in."""
    if found.estimand != "mean difference":
        return "score"
    return {(0.0, 1.0): "fraction", (0.0, 100.0): "percent"}.get(found.bounds, "score")


def _since(found: Look, noun: str) -> tuple[Row, ...]:
    """Say why a decision stands that the evidence of now would not give."""
    now, needed = found.progress, 1 / found.significance
    if now.decided_after is None or now.log_e >= math.log(needed):
        return ()
    at = f"{noun[:-1]} {format_count(now.decided_after)}"
    return (Row("stands", f"the evidence was enough at {at}; later {noun} do not undo it"),)


def _chances(found: Look, noun: str) -> tuple[Row, ...]:
    """Say whether fresh sets would show it too; what is not decided has not happened yet."""
    if not found.forecasts:
        return ()
    (size, chance), (more, _) = found.forecasts
    now, later = found.forecasts_by_relation
    ahead = found.names[found.difference < 0] if found.difference else "either"
    ends = f"{hundred(now.close)} if close rivals, {hundred(now.any)} if any two"
    shown = f"for {ahead}, on {format_count(size)} fresh {noun}; {ends}"
    larger = f"{format_count(more)} {noun} {hundred(later.close)} to {hundred(later.any)}"
    return (Row("again", f"{hundred(chance)} of 100 repeats", shown), Row("larger", larger))


def _rows(found: Look, unit: str, level: str, noun: str) -> tuple[Row, ...]:
    now = found.progress
    evidence = [
        f"{1 / found.significance:g} decides",
        f"anytime-valid {format_pvalue(now.pvalue)} at best",
    ]
    if now.deciding_log_e is not None and now.decided_after is not None:
        evidence.insert(
            1, f"{_e_value(now.deciding_log_e)} after {format_count(now.decided_after)} {noun}"
        )
    return (
        Row("won", f"{now.first_only} : {now.second_only}", f"{noun} better on one side"),
        Row(
            "difference",
            format_difference(found.difference, unit),
            f"{level} confidence sequence {range_words(found.interval, unit)}",
        ),
        Row("evidence", _e_value(now.log_e), "; ".join(evidence)),
    )


def _e_value(log_e: float) -> str:
    return f"E = {format_number(math.exp(min(log_e, 700)))}"
