"""A look at a running comparison: may it stop?"""

import math

from replicast.formatting import format_count, format_number, format_percent, format_pvalue
from replicast.judging.records import Look
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import of_hundred, of_rivals
from replicast.presentation.words.scales import Scale, brief_design, from_to


def tell_look(look: Look) -> Document:
    """Tell whether a running comparison is decided."""
    now, noun = look.progress, f"{look.design.unit}s"
    scale = Scale.of(look.unit, look.interval)
    of = f" of {format_count(look.total)}" if look.total else ""
    headline = f"Not decided after {format_count(now.cases)}{of} {noun}: go on, or end it open"
    if now.better is not None and now.decided_after is not None:
        after = format_count(now.decided_after)
        headline = f"You may stop: {now.better} is better, decided after {after}{of} {noun}"
    level = format_percent(1 - look.significance)
    return Document(
        headline=headline,
        lines=(
            Row("won", f"{now.first_only} and {now.second_only} {noun}", " and ".join(look.names)),
            Row(
                "found",
                scale.difference(look.difference),
                f"at every look between {scale.between(look.interval, 'and')}",
            ),
            *_since(look, noun),
            *_chances(look, noun),
        ),
        cautions=ranked(look.cautions),
        read=brief_design(look.design),
        rows=(_evidence(look, noun),),
        how=(
            "Evidence at any time: one mixture of bets against equal scores; it holds however often "
            f"one looks, and so does the {level} confidence sequence, the ends of what was found.",
        ),
        quote=f"{headline} (anytime-valid {format_pvalue(now.pvalue)}; {level} confidence sequence "
        f"{scale.between(look.interval)}).",
    )


def _since(look: Look, noun: str) -> tuple[Row, ...]:
    """Say why a decision stands that the evidence of now would not give."""
    now, needed = look.progress, 1 / look.significance
    if now.decided_after is None or now.log_e >= math.log(needed):
        return ()
    at = f"{look.design.unit} {format_count(now.decided_after)}"
    return (Row("stands", f"the evidence was enough at {at}; later {noun} do not undo it"),)


def _chances(look: Look, noun: str) -> tuple[Row, ...]:
    """Say whether fresh sets would show it too; what is not decided has not happened yet."""
    if not look.forecasts:
        return ()
    (size, chance), (more, _) = look.forecasts
    now, later = look.forecasts_by_relation
    ahead = look.names[look.difference < 0] if look.difference else "either"
    shown = f"for {ahead}, on {format_count(size)} fresh {noun}; {of_rivals(now)}"
    larger = f"{format_count(more)} {noun} {from_to(later.close, later.any)}"
    return (Row("again", of_hundred(chance), shown), Row("larger", larger))


def _evidence(look: Look, noun: str) -> Row:
    now = look.progress
    remarks = [f"{1 / look.significance:g} decides"]
    if now.deciding_log_e is not None and now.decided_after is not None:
        after = format_count(now.decided_after)
        remarks.append(f"{_e_value(now.deciding_log_e)} after {after} {noun}")
    remarks.append(f"anytime-valid {format_pvalue(now.pvalue)} at best")
    return Row("evidence", _e_value(now.log_e), "; ".join(remarks))


def _e_value(log_e: float) -> str:
    return f"E = {format_number(math.exp(min(log_e, 700)))}"
