"""A look at a running comparison: may it stop?"""

import math

from replicast.formatting import format_count, format_number, format_percent, format_pvalue
from replicast.judging.records import Look
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import of_hundred
from replicast.presentation.words.scales import Scale, brief_design, hundred


def tell_look(found: Look) -> Document:
    """Tell whether a running comparison is decided."""
    now, noun = found.progress, f"{found.design.unit}s"
    scale = Scale.of(unit_of_look(found), found.interval)
    of = f" of {format_count(found.total)}" if found.total else ""
    headline = f"Not decided after {format_count(now.cases)}{of} {noun}: go on, or end it open"
    if now.better is not None and now.decided_after is not None:
        after = format_count(now.decided_after)
        headline = f"You may stop: {now.better} is better, decided after {after}{of} {noun}"
    level = format_percent(1 - found.significance)
    return Document(
        headline=headline,
        lines=(
            Row("won", f"{now.first_only} and {now.second_only} {noun}", " and ".join(found.names)),
            Row("found", scale.difference(found.difference),
                f"at every look between {scale.between(found.interval, 'and')}"),
            *_since(found, noun),
            *_chances(found, noun),
        ),
        cautions=ranked(found.cautions),
        read=brief_design(found.design),
        hints=("more: --more",),
        rows=(_evidence(found, noun),),
        how=("Evidence at any time: one mixture of bets against equal scores; it holds however often "
             f"one looks, and so does the {level} confidence sequence, the ends of what was found.",),
        quote=f"{headline} (anytime-valid {format_pvalue(now.pvalue)}; {level} confidence sequence "
        f"{scale.between(found.interval)}).",
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
    at = f"{found.design.unit} {format_count(now.decided_after)}"
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
    return (Row("again", of_hundred(chance), shown), Row("larger", larger))


def _evidence(found: Look, noun: str) -> Row:
    now = found.progress
    told = [f"{1 / found.significance:g} decides"]
    if now.deciding_log_e is not None and now.decided_after is not None:
        after = format_count(now.decided_after)
        told.append(f"{_e_value(now.deciding_log_e)} after {after} {noun}")
    told.append(f"anytime-valid {format_pvalue(now.pvalue)} at best")
    return Row("evidence", _e_value(now.log_e), "; ".join(told))


def _e_value(log_e: float) -> str:
    return f"E = {format_number(math.exp(min(log_e, 700)))}"
