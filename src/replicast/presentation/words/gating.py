"""A gate: pass, fail or cannot tell, what it rests on, and what it could have seen."""

import math

from replicast.errors import shorten
from replicast.formatting import format_count, format_percent, format_pvalue, plural
from replicast.judging.records import Gate
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import of_rivals
from replicast.presentation.words.scales import (
    Scale,
    brief_design,
    from_to,
    has_width,
    hundred,
)

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


def tell_gate(gate: Gate) -> Document:
    """Tell whether a candidate may replace a baseline."""
    scale = Scale.of(gate.unit, gate.interval)
    words = _WORDS[gate.outcome, gate.goal].format(*gate.names, scale.typed(gate.margin))
    interval = _interval(gate, scale)
    return Document(
        headline=f"{gate.outcome.upper()}  {words}",
        signal=gate.outcome,
        lines=_lines(gate, scale, interval),
        cautions=ranked(gate.cautions, ("too-little-power",)),
        read=brief_design(gate.design),
        rows=_rows(gate, scale),
        how=(f"Test: {gate.test}, level {gate.significance:g} on each side of the margin.",),
        quote=f"{words[:1].upper()}{words[1:]} ({scale.difference(gate.difference)}, "
        f"{interval}, {gate.test}, {gate.design.words}): {gate.outcome}.",
    )


def _interval(gate: Gate, scale: Scale) -> str:
    """Write the interval by which the gate decides, or say why there is none."""
    level = format_percent(1 - 2 * gate.significance)
    if not has_width(gate.interval):
        return f"no {level} interval: too few {gate.design.unit}s"
    return f"{level} interval {scale.between(gate.interval)}"


def _lines(gate: Gate, scale: Scale, interval: str) -> tuple[Row, ...]:
    pvalue = format_pvalue(gate.fail_pvalue if gate.outcome == "fail" else gate.pass_pvalue)
    rows = [Row("found", scale.difference(gate.difference), f"{interval}; {pvalue}")]
    if gate.outcome == "cannot tell":
        rows.append(Row("why", _unsure(gate, scale)))
    rows.append(Row("gate", _sight(gate, scale)))
    if gate.true_by_relation is not None:
        share = from_to(*sorted((gate.true_by_relation.close, gate.true_by_relation.any)))
        should = _SHOULD_PASS[gate.goal] if gate.margin else "better"
        rows.append(Row("truth", f"{should}: {share} of 100"))
    return (*rows, *_flips(gate))


def _flips(gate: Gate) -> tuple[Row, ...]:
    """Say how many cases were gained and lost, and name the first ones of those lost."""
    if not (gate.gained or gate.lost):
        return ()
    graded = gate.design.of_cases and not gate.design.binary
    gained, lost = ("better", "worse") if graded else ("gained", "lost")
    more = " …" if len(gate.lost) > _LISTED else ""
    names = " ".join(shorten(name) for name in _lost(gate)[:_LISTED])
    count = f"{format_count(len(gate.lost))} ({gained} {format_count(len(gate.gained))})"
    return (Row(lost, f"{count}: {names}{more}" if names else count),)


def _lost(gate: Gate) -> tuple[str, ...]:
    return gate.lost_cases or tuple(str(at + 1) for at in gate.lost)


def _unsure(gate: Gate, scale: Scale) -> str:
    """Say why a gate cannot tell: it may not, no scores could have told, or these do not."""
    sight = gate.sight
    if gate.required_power is not None and sight.pass_chance < gate.required_power:
        return f"{hundred(gate.required_power)} of 100 were required"
    if not (any((sight.pass_chance, sight.fail_chance)) or math.isfinite(sight.visible)):
        return f"{plural(gate.n, gate.design.unit)} cannot show anything"
    bound = scale.typed(-gate.margin if gate.goal == "not-worse" else gate.margin)
    return f"both less and more than {'zero' if gate.margin == 0 else bound} fit"


def _sight(gate: Gate, scale: Scale) -> str:
    """Say how often a good candidate passes, and how many scores would make it pass often."""
    sight, often, unit = gate.sight, gate.required_power or _OFTEN, gate.design.unit
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
        return f"{words}; {plural(sight.needed, unit)}{inside} would make it {asked}"
    if sight.pass_chance < often and gate.margin == 0:
        return f"{words}; with no margin more {unit}s do not help"
    return words


def _rows(gate: Gate, scale: Scale) -> tuple[Row, ...]:
    sight = gate.sight
    rows = [
        Row("scores", " against ".join(map(scale.score, gate.means)), gate.test),
        Row(
            "p",
            f"{format_pvalue(gate.pass_pvalue)}, {format_pvalue(gate.fail_pvalue)}",
            "against passing wrongly, against failing wrongly",
        ),
        Row(
            "bad one",
            f"fails {hundred(sight.fail_chance)} of 100",
            f"true difference {scale.typed(sight.bad)}",
        ),
    ]
    if gate.true_chance is not None and gate.true_by_relation is not None:
        both = of_rivals(gate.true_by_relation)
        rows.append(Row("truth", f"{hundred(gate.true_chance)} of 100", both))
    if math.isfinite(sight.visible):
        what = "passes" if gate.goal == "better" else "fails"
        rows.append(Row("visible", scale.difference(sight.visible), f"{what} 80 of 100"))
    if len(gate.lost) > _LISTED:
        rows.append(Row("lost", ", ".join(shorten(name) for name in _lost(gate))))
    return tuple(rows)
