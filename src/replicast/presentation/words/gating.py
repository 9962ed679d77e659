"""A gate: pass, fail or cannot tell, what it rests on, and what it could have seen."""

import math
from collections.abc import Sequence

from replicast.design import describe_design
from replicast.errors import shorten
from replicast.formatting import format_count, format_difference, format_percent, format_pvalue
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
_PASSED = {
    "not-worse": "{0} is not worse than {1} by more than {2}",
    "better": "{0} is better than {1} by more than {2}",
    "equivalent": "{0} is within {2} of {1}",
}
_FAILED = {
    "not-worse": "{0} is worse than {1} by more than {2}",
    "better": "{0} is not better than {1} by {2}",
    "equivalent": "{0} is farther than {2} from {1}",
}
_OPEN = {
    "not-worse": "whether {0} is worse than {1} by more than {2}",
    "better": "whether {0} is better than {1} by more than {2}",
    "equivalent": "whether {0} is within {2} of {1}",
}
_WORDS = {"pass": _PASSED, "fail": _FAILED, "cannot tell": _OPEN}


def tell_gate(found: Gate, account: Sequence[str] = ()) -> Document:
    """Tell whether a candidate may replace a baseline."""
    unit = unit_of_gate(found)
    scale = Scale.of(unit, found.interval)
    first, second = found.names
    margin = format_difference(found.margin, unit).replace(".0 points", " points")
    margin = margin.replace("1 points", "1 point") if margin == "1 points" else margin
    words = _WORDS[found.outcome][found.goal].format(first, second, margin)
    return Document(
        result=found,
        headline=f"{found.outcome.upper()}  {words}",
        signal=found.outcome,
        lines=_lines(found, scale),
        cautions=ranked(found.cautions, ("too-little-power",)),
        read=brief_design(found.design),
        hints=("more: --more",),
        rows=_rows(found, unit, scale),
        how=(f"Test: {found.test}, level {found.significance:g} on each side of the margin.",),
        account=tuple(account),
        quote=f"{words[:1].upper()}{words[1:]} ({scale.difference(found.difference)}, "
        f"{_interval(found, scale)}, {found.test}, {describe_design(found.design)}): {found.outcome}.",
    )


def unit_of_gate(found: Gate) -> str:
    """Tell what the differences of a gate are counted in."""
    if found.finding is not None:
        return found.finding.unit
    return "score" if found.scores is None else score_unit(found.scores)


def _lines(found: Gate, scale: Scale) -> tuple[Row, ...]:
    rows = [Row("found", _difference(found, scale), _proof(found))]
    if found.outcome == "cannot tell":
        rows.append(Row("why", _unsure(found, scale)))
    rows += [Row("gate", _sight(found)), *_truth(found)]
    lost = [shorten(name) for name in _lost(found)]
    if lost:
        more = f" … ({format_count(len(lost))})" if len(lost) > _LISTED else ""
        rows.append(Row("worse" if _graded(found) else "lost", " ".join(lost[:_LISTED]) + more))
    return tuple(rows)


_SHOULD_PASS = {
    "not-worse": "not worse by more",
    "better": "better by more",
    "equivalent": "as close",
}


def _truth(found: Gate) -> tuple[Row, ...]:
    """Say how probably the true difference is one that should pass, from end to end by relation."""
    ends = found.true_by_relation
    if ends is None:
        return ()
    low, high = (hundred(end) for end in sorted((ends.close, ends.any)))
    share = low if low == high else f"{low} to {high}"
    return (Row("truth", f"{_should_pass(found)}: {share} of 100"),)


def _should_pass(found: Gate) -> str:
    return _SHOULD_PASS[found.goal] if found.margin else "better"


def _difference(found: Gate, scale: Scale) -> str:
    return scale.bounded(found.difference, found.interval)


def _graded(found: Gate) -> bool:
    return found.design.of_cases and not found.design.binary


def _proof(found: Gate) -> str:
    pvalue = found.fail_pvalue if found.outcome == "fail" else found.pass_pvalue
    proof = format_pvalue(pvalue)
    if found.design.unit != "case" or found.finding is not None:
        return f"{proof}, {plural_count(found.n, found.design.unit)}"
    words = ("better", "worse") if _graded(found) else ("gained", "lost")
    flips = f"{len(found.gained)} {words[0]}, {len(found.lost)} {words[1]}"
    return f"{proof}; {plural_count(found.n, 'case')}: {flips}"


def _unsure(found: Gate, scale: Scale) -> str:
    """Say why a gate cannot tell: it may not, no scores could have told, or these do not."""
    sight = found.sight
    if found.required_power is not None and sight.pass_chance < found.required_power:
        return f"{hundred(found.required_power)} of 100 were required"
    if not (any((sight.pass_chance, sight.fail_chance)) or math.isfinite(sight.visible)):
        return f"{plural_count(found.n, found.design.unit)} cannot show anything"
    bound = scale.difference(-found.margin if found.goal == "not-worse" else found.margin)
    return f"both sides of {'zero' if found.margin == 0 else bound} fit"


def _sight(found: Gate) -> str:
    """Say how often a good candidate passes, and how many scores would make it pass often."""
    sight, often = found.sight, found.required_power or _OFTEN
    good = "an equal candidate"
    if sight.reference != 0:
        good = f"a gain of {format_difference(sight.reference, unit_of_gate(found))}"
    strength = "strong" if sight.pass_chance >= _OFTEN else "weak"
    chance, asked = hundred(sight.pass_chance), hundred(often)
    near = sight.pass_chance < often and chance == asked
    words = f"{strength}: {good} passes {'just below ' if near else ''}{chance} of 100 times"
    if near:
        return words
    if sight.needed is not None:
        inside = "" if sight.needed_clusters is None else f" in {sight.needed_clusters:,} clusters"
        size = f"{plural_count(sight.needed, found.design.unit)}{inside}"
        return f"{words}; {size} would make it {asked}"
    if sight.pass_chance < often and found.margin == 0:
        return f"{words}; with no margin more {found.design.unit}s do not help"
    return words


def _lost(found: Gate) -> tuple[str, ...]:
    return found.lost_cases or tuple(str(at + 1) for at in found.lost)


def _interval(found: Gate, scale: Scale) -> str:
    level = format_percent(1 - 2 * found.significance)
    if not has_width(found.interval):
        return f"no {level} interval: too few {found.design.unit}s"
    return f"{level} interval {scale.between(found.interval)}"


def _rows(found: Gate, unit: str, scale: Scale) -> tuple[Row, ...]:
    sight = found.sight
    means = [scale.score(mean) for mean in found.means]
    rows = [
        Row("scores", " against ".join(means), found.test),
        Row("difference", scale.difference(found.difference), _interval(found, scale)),
        Row("p", f"{format_pvalue(found.pass_pvalue)}, {format_pvalue(found.fail_pvalue)}",
            "against passing wrongly, against failing wrongly"),
        Row("good one", f"passes {hundred(sight.pass_chance)} of 100",
            f"true difference {format_difference(sight.reference, unit)}"),
        Row("bad one", f"fails {hundred(sight.fail_chance)} of 100",
            f"true difference {format_difference(sight.bad, unit)}"),
    ]  # fmt: skip
    if found.true_chance is not None and found.true_by_relation is not None:
        ends = found.true_by_relation
        by_relation = f"{hundred(ends.close)} if close rivals, {hundred(ends.any)} if any two"
        chance = f"{_should_pass(found)}: {hundred(found.true_chance)} of 100"
        rows.append(Row("truth", chance, by_relation))
    if math.isfinite(sight.visible):
        what = "passes" if found.goal == "better" else "fails"
        rows.append(Row("visible", format_difference(sight.visible, unit), f"{what} 80 of 100"))
    if found.lost:
        rows.append(Row("lost", ", ".join(shorten(name) for name in _lost(found))))
    return tuple(rows)
