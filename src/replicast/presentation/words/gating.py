"""A gate: pass, fail or cannot tell, what it rests on, and what it could have seen."""

import math

from replicast.design import describe_design
from replicast.errors import shorten
from replicast.formatting import format_count, format_percent, format_pvalue
from replicast.judging.records import Gate
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.scales import (
    Scale,
    brief_design,
    has_width,
    hundred,
    plural_count,
)
from replicast.reading.vocabulary.units import score_unit

_OFTEN = 0.8  # the chance from which a gate counts as strong
_LISTED = 8  # lost cases that are named in the answer
_WORDS = {
    ("pass", "not-worse"): "{0} is not worse than {1} by more than {2}",
    ("pass", "better"): "{0} is better than {1} by more than {2}",
    ("pass", "equivalent"): "{0} is within {2} of {1}",
    ("fail", "not-worse"): "{0} is worse than {1} by more than {2}",
    ("fail", "better"): "{0} is not better than {1} by {2}",
    ("fail", "equivalent"): "{0} is farther than {2} from {1}",
    ("cannot tell", "not-worse"): "whether {0} is worse than {1} by more than {2}",
    ("cannot tell", "better"): "whether {0} is better than {1} by more than {2}",
    ("cannot tell", "equivalent"): "whether {0} is within {2} of {1}",
}
_SHOULD_PASS = {
    "not-worse": "not worse by more",
    "better": "better by more",
    "equivalent": "as close",
}


def tell_gate(found: Gate) -> Document:
    """Tell whether a candidate may replace a baseline."""
    scale = Scale.of(unit_of_gate(found), found.interval)
    words = _WORDS[found.outcome, found.goal].format(*found.names, scale.typed(found.margin))
    level = format_percent(1 - 2 * found.significance)
    interval = f"no {level} interval: too few {found.design.unit}s"
    if has_width(found.interval):
        interval = f"{level} interval {scale.between(found.interval)}"
    return Document(
        headline=f"{found.outcome.upper()}  {words}",
        signal=found.outcome,
        lines=_lines(found, scale),
        cautions=ranked(found.cautions, ("too-little-power",)),
        read=brief_design(found.design),
        hints=("more: --more",),
        rows=_rows(found, scale),
        how=(
            f"Test: {found.test}, level {found.significance:g} on each side of the margin; brackets "
            f"hold the {level} interval.",
        ),
        quote=f"{words[:1].upper()}{words[1:]} ({scale.difference(found.difference)}, "
        f"{interval}, {found.test}, {describe_design(found.design)}): {found.outcome}.",
    )


def unit_of_gate(found: Gate) -> str:
    """Tell what the differences of a gate are counted in."""
    if found.finding is not None:
        return found.finding.unit
    return "score" if found.scores is None else score_unit(found.scores)


def _lines(found: Gate, scale: Scale) -> tuple[Row, ...]:
    rows = [Row("found", scale.bounded(found.difference, found.interval), _proof(found))]
    if found.outcome == "cannot tell":
        rows.append(Row("why", _unsure(found, scale)))
    rows.append(Row("gate", _sight(found, scale)))
    if found.true_by_relation is not None:
        low, high = sorted((found.true_by_relation.close, found.true_by_relation.any))
        share = " to ".join(dict.fromkeys(map(hundred, (low, high))))
        should = _SHOULD_PASS[found.goal] if found.margin else "better"
        rows.append(Row("truth", f"{should}: {share} of 100"))
    if found.lost:
        lost = [shorten(name) for name in _lost(found)]
        more = f" … ({format_count(len(lost))})" if len(lost) > _LISTED else ""
        rows.append(Row("worse" if _graded(found) else "lost", " ".join(lost[:_LISTED]) + more))
    return tuple(rows)


def _graded(found: Gate) -> bool:
    return found.design.of_cases and not found.design.binary


def _lost(found: Gate) -> tuple[str, ...]:
    return found.lost_cases or tuple(str(at + 1) for at in found.lost)


def _proof(found: Gate) -> str:
    proof = format_pvalue(found.fail_pvalue if found.outcome == "fail" else found.pass_pvalue)
    if found.design.unit != "case" or found.finding is not None:
        return f"{proof}, {plural_count(found.n, found.design.unit)}"
    gained, lost = ("better", "worse") if _graded(found) else ("gained", "lost")
    flips = f"{len(found.gained)} {gained}, {len(found.lost)} {lost}"
    return f"{proof}; {plural_count(found.n, 'case')}: {flips}"


def _unsure(found: Gate, scale: Scale) -> str:
    """Say why a gate cannot tell: it may not, no scores could have told, or these do not."""
    sight = found.sight
    if found.required_power is not None and sight.pass_chance < found.required_power:
        return f"{hundred(found.required_power)} of 100 were required"
    if not (any((sight.pass_chance, sight.fail_chance)) or math.isfinite(sight.visible)):
        return f"{plural_count(found.n, found.design.unit)} cannot show anything"
    bound = scale.typed(-found.margin if found.goal == "not-worse" else found.margin)
    return f"both less and more than {'zero' if found.margin == 0 else bound} fit"


def _sight(found: Gate, scale: Scale) -> str:
    """Say how often a good candidate passes, and how many scores would make it pass often."""
    sight, often, unit = found.sight, found.required_power or _OFTEN, found.design.unit
    good = f"a gain of {scale.typed(sight.reference)}" if sight.reference else "an equal candidate"
    strength = "strong" if sight.pass_chance >= _OFTEN else "weak"
    chance, asked = hundred(sight.pass_chance), hundred(often)
    if sight.pass_chance < often and chance == asked:
        return f"{strength}: {good} passes just below {chance} of 100 times"
    words = f"{strength}: {good} passes {chance} of 100 times"
    if sight.needed is not None:
        inside = (
            f" in {format_count(sight.needed_clusters)} clusters" if sight.needed_clusters else ""
        )
        return f"{words}; {plural_count(sight.needed, unit)}{inside} would make it {asked}"
    if sight.pass_chance < often and found.margin == 0:
        return f"{words}; with no margin more {unit}s do not help"
    return words


def _rows(found: Gate, scale: Scale) -> tuple[Row, ...]:
    sight = found.sight
    rows = [
        Row("scores", " against ".join(map(scale.score, found.means)), found.test),
        Row("p", f"{format_pvalue(found.pass_pvalue)}, {format_pvalue(found.fail_pvalue)}",
            "against passing wrongly, against failing wrongly"),
        Row("bad one", f"fails {hundred(sight.fail_chance)} of 100",
            f"true difference {scale.typed(sight.bad)}"),
    ]  # fmt: skip
    if found.true_chance is not None and found.true_by_relation is not None:
        ends = found.true_by_relation
        by_relation = f"{hundred(ends.close)} if close rivals, {hundred(ends.any)} if any two"
        rows.append(Row("truth", f"{hundred(found.true_chance)} of 100", by_relation))
    if math.isfinite(sight.visible):
        what = "passes" if found.goal == "better" else "fails"
        rows.append(Row("visible", scale.difference(sight.visible), f"{what} 80 of 100"))
    if len(found.lost) > _LISTED:
        rows.append(Row("lost", ", ".join(shorten(name) for name in _lost(found))))
    return tuple(rows)
