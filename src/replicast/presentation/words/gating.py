"""A gate and a look at a running comparison in plain words."""

import math

from replicast.design import describe_design
from replicast.errors import require_instance, shorten
from replicast.formatting import (
    format_count,
    format_difference,
    format_number,
    format_percent,
    format_pvalue,
    in_hundred,
    range_words,
)
from replicast.judging.records import Gate, Look
from replicast.presentation.words.narrative import Narrative, Row
from replicast.reading.vocabulary.units import score_unit, unit_of

_LISTED = 12  # flips named in the table
_OFTEN = 0.8  # the chance from which a difference counts as visible


# --------------------------------------------------------------------------- gate
def narrate_gate(found: Gate) -> Narrative:
    """Put a gate into words: first what it can see, then what it says.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, gate, narrate_gate
    >>> new = [0.93, 0.95, 0.91, 0.96, 0.94, 0.92, 0.95, 0.93, 0.96, 0.94]
    >>> old = [0.93, 0.94, 0.92, 0.95, 0.94, 0.93, 0.94, 0.93, 0.95, 0.94]
    >>> pair = PairedScores(first=new, second=old, design=KFold(10), names=("new", "old"))
    >>> print(narrate_gate(gate(pair, margin=0.02)).reason)
    PASS: new is not worse than old by more than 2.0 points (p < 0.001).
    """
    require_instance(found, Gate, "found", "Make one with gate")
    unit = _unit(found)
    first, second = found.names
    return Narrative(
        title=f"{first} against {second}: {_QUESTIONS[found.goal].format(_amount(found, unit))} "
        f"({describe_design(found.design)})",
        verdict=_sight_sentence(found, unit),
        replication="",
        reason=_gate_sentence(found, unit),
        rows=_gate_rows(found, unit),
        outlook="",
        cautions=tuple(caution.text for caution in found.cautions),
    )


_QUESTIONS = {
    "not-worse": "worse by more than {}?",
    "better": "better by more than {}?",
    "equivalent": "closer than {}?",
}
_SHOWN = {
    ("not-worse", "pass"): "not worse than {1} by more than {2}",
    ("not-worse", "fail"): "worse than {1} by more than {2}",
    ("better", "pass"): "better than {1} by more than {2}",
    ("better", "fail"): "not better than {1} by as much as {2}",
    ("equivalent", "pass"): "within {2} of {1}",
    ("equivalent", "fail"): "farther than {2} from {1}",
}


def _unit(found: Gate) -> str:
    if found.scores is not None:
        return score_unit(found.scores)
    assert found.finding is not None
    better = (found.means[0] - found.means[1]) * found.difference >= 0
    return unit_of(found.means, found.finding.measure, greater_is_better=better)


def _amount(found: Gate, unit: str) -> str:
    return format_difference(found.margin, unit)


def _scores_word(found: Gate) -> str:
    if found.design.independent:
        return _size_words(found, found.n, found.design.clusters)
    return "scores like these"


def _size_words(found: Gate, size: int, clusters: int | None) -> str:
    noun = _noun(found)
    inside = "" if clusters is None else f" in {_counted(clusters, 'cluster')}"
    return f"{_counted(size, noun)}{inside}"


def _noun(found: Gate | Look) -> str:
    design = found.design
    one_run = design.folds is not None and design.runs == 1
    return design.unit if design.independent or one_run else "score"


def _counted(count: int, noun: str) -> str:
    return f"{format_count(count)} {noun}{'' if count == 1 else 's'}"


def _how_often(chance: float, verb: str, runs: str = "") -> str:
    """Say how often something happens; what the test can never show happens never."""
    return f"never {verb}" if chance == 0 else f"{verb} in {in_hundred(chance)}{runs}"


def _sight_sentence(found: Gate, unit: str) -> str:
    """Say what the gate lets pass, and what it fails, before saying what it found."""
    sight = found.sight
    changed = len(found.gained) + len(found.lost)
    told = changed and found.design.binary
    share = f", of which {format_percent(changed / found.n)} changed," if told else ""
    good = (
        "a candidate as good as the baseline"
        if sight.reference == 0
        else f"a gain of {format_difference(sight.reference, unit)}"
    )
    parts = [f"{good} {_how_often(sight.pass_chance, 'passes', ' runs')}"]
    verb, noun = ("passes", "gain") if found.goal == "better" else ("fails", "drop")
    known = [] if found.goal == "better" else [(sight.fail_chance, -sight.bad)]
    visible = abs(sight.visible)
    sizes = (found.margin, sight.reference, abs(sight.bad))  # the margin itself: if nothing varies
    said = [format_difference(size, unit) for size in sizes]
    if math.isfinite(visible) and format_difference(visible, unit) not in said:
        known.append((_OFTEN, visible))
    drops = [
        f"a {noun} of {format_difference(size, unit)} {_how_often(chance, verb)}"
        for chance, size in sorted(known)
    ]
    text = (
        f"What this gate can see: with {_scores_word(found)}{share} {'; '.join([*parts, *drops])}."
    )
    if share and drops:
        text += f" A {noun} counts as changes beyond these."
    return f"{text}{_needed_sentence(found, good)}"


def _needed_sentence(found: Gate, good: str) -> str:
    """Say how many scores would let a good candidate pass, or that none would."""
    sight, often = found.sight, found.required_power or _OFTEN
    asked = f"let {good} pass in {in_hundred(often)}"
    if in_hundred(sight.pass_chance) == in_hundred(often):  # all but
        return ""
    if sight.needed is not None:
        size = _size_words(found, sight.needed, sight.needed_clusters)
        return f" About {size} would {asked}."
    if sight.pass_chance >= often or not found.design.independent:
        return ""
    if found.margin == 0:
        return f" More {_noun(found)}s would not change that: it is no better."
    return f" More than 10 million {_noun(found)}s would be needed to {asked}."


def _gate_sentence(found: Gate, unit: str) -> str:
    first, second = found.names
    if found.outcome == "cannot tell":
        return f"CANNOT TELL: {_unsure(found, unit)}"
    pvalue = found.pass_pvalue if found.outcome == "pass" else found.fail_pvalue
    shown = _SHOWN[found.goal, found.outcome].format(first, second, _amount(found, unit))
    return f"{found.outcome.upper()}: {first} is {shown} ({format_pvalue(pvalue)})."


def _unsure(found: Gate, unit: str) -> str:
    """Say why a gate cannot tell: it may not, no scores could have told, or these do not."""
    sight = found.sight
    if found.required_power is not None and sight.pass_chance < found.required_power:
        seen, asked = in_hundred(sight.pass_chance), in_hundred(found.required_power)
        seen = f"just below {seen}" if seen == asked else seen
        return (
            f"a gate that lets a good candidate pass in {seen} runs, where {asked} were required, "
            "gives no verdict."
        )
    if not (any((sight.pass_chance, sight.fail_chance)) or math.isfinite(sight.visible)):
        exact = found.design.over_datasets or found.design.binary
        like = "" if exact else ", with equal differences,"
        size = _counted(found.n, _noun(found))
        return f"{size}{like} cannot show anything at {found.significance:g}."
    return (
        f"differences from {range_words(found.interval, unit)} fit, on both sides of "
        f"{_bound_words(found, unit)}."
    )


def _bound_words(found: Gate, unit: str) -> str:
    if found.goal == "equivalent":
        return f"a difference of {_amount(found, unit)}"
    if found.margin == 0:
        return "zero"
    return format_difference(-found.margin if found.goal == "not-worse" else found.margin, unit)


def _gate_rows(found: Gate, unit: str) -> tuple[Row, ...]:
    level = format_percent(1 - 2 * found.significance)
    means = [_mean(value, unit) for value in found.means]
    interval = f"{level} interval {range_words(found.interval, unit)}"
    if not all(map(math.isfinite, found.interval)):
        interval = f"no {level} interval: too few {_noun(found)}s"
    rows = [
        Row("scores", f"{means[0]} against {means[1]}", found.test),
        Row("difference", format_difference(found.difference, unit), interval),
    ]
    if found.design.of_cases:
        words = ("gained", "lost") if found.design.binary else ("better", "worse")
        flips = f"{len(found.gained)} {words[0]}, {len(found.lost)} {words[1]}"
        rows.append(Row("changed", flips, f"of {_counted(found.n, 'case')}"))
        if found.lost:
            names = found.lost_cases or tuple(str(at + 1) for at in found.lost)
            named = ", ".join(shorten(name) for name in names[:_LISTED])
            more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
            rows.append(
                Row("lost" if found.design.binary else "most worse", "cases", f"{named}{more}")
            )
    return tuple(rows)


def _mean(value: float, unit: str) -> str:
    if unit == "score":
        return format_number(value)
    return f"{value * (100 if unit == 'fraction' else 1):.1f}%"


# --------------------------------------------------------------------------- stop
def narrate_look(found: Look) -> Narrative:
    """Put a look at a running comparison into words.

    Examples
    --------
    >>> from replicast import Monitor, narrate_look
    >>> watch = Monitor(names=("new", "old"), total=1000)
    >>> _ = watch.add_many([1] * 30, [0] * 9 + [1] * 21)
    >>> print(narrate_look(watch.look()).verdict)
    Decided after 7 of 1,000 cases: new is better, and you may stop.
    """
    require_instance(found, Look, "found", "Ask a Monitor for one")
    now = found.progress
    noun = f"{_noun(found)}s"
    unit = "score"
    if found.estimand == "mean difference":
        unit = {(0.0, 1.0): "fraction", (0.0, 100.0): "percent"}.get(found.bounds, "score")
    of = f" of {format_count(found.total)}" if found.total else ""
    if now.better is not None and now.decided_after is not None:
        verdict = (
            f"Decided after {format_count(now.decided_after)}{of} {noun}: {now.better} is better, "
            f"and you may stop.{_since(found, noun)}"
        )
    else:
        verdict = f"Not decided after {format_count(now.cases)}{of} {noun}: go on, or end it open."
    level = format_percent(1 - found.significance)
    return Narrative(
        title=f"{found.names[0]} against {found.names[1]}, {format_count(now.cases)}{of} {noun}",
        verdict=verdict,
        replication=_chances(found),
        reason="",
        rows=(
            Row("won", f"{now.first_only} : {now.second_only}", f"{noun} better on one side"),
            Row(
                "difference",
                format_difference(found.difference, unit),
                f"{level} confidence sequence {range_words(found.interval, unit)}"
                f"{', without 0' if now.better is not None and 0.0 in found.interval else ''}",
            ),
            _evidence_row(found, noun),
        ),
        outlook="",
        cautions=tuple(caution.text for caution in found.cautions),
    )


def _since(found: Look, noun: str) -> str:
    """Say why a decision stands that the evidence of now would not give."""
    now, needed = found.progress, 1 / found.significance
    if now.decided_after is None or now.log_e >= math.log(needed):
        return ""
    return (
        f" The decision stands: E reached {needed:g} at {noun[:-1]} "
        f"{format_count(now.decided_after)}, which between equals it ever does in at most 1 of "
        f"{needed:g} runs. That it is {format_number(math.exp(now.log_e))} now does not undo it."
    )


def _evidence_row(found: Look, noun: str) -> Row:
    """Tell the evidence that decided, and what it is now where more came after it."""
    now, after = found.progress, found.progress.decided_after
    told = [
        f"{1 / found.significance:g} decides",
        f"anytime-valid {format_pvalue(now.pvalue)} at best",
    ]
    if now.deciding_log_e is None or after is None:
        return Row("evidence", _e_value(now.log_e), "; ".join(told))
    if now.cases > after:
        told.insert(1, f"{_e_value(now.log_e)} after all {format_count(now.cases)}")
    value = f"{_e_value(now.deciding_log_e)} after {format_count(after)} {noun}"
    return Row("evidence", value, "; ".join(told))


def _e_value(log_e: float) -> str:
    return f"E = {format_number(math.exp(min(log_e, 700)))}"


def _chances(found: Look) -> str:
    """Say whether fresh sets would show it too; what is not decided has not happened yet."""
    (size, chance), (more, later) = found.forecasts
    sets = f"fresh sets of {_counted(size, _noun(found))}"
    then = f"of {format_count(more)}, {_about(later)}."
    ahead = found.names[found.difference < 0] if found.difference else None
    first = _about(chance)
    first = first[0].upper() + first[1:]
    if ahead is not None and found.progress.better == ahead:
        return f"Would it happen again? {first} {sets} would be significant this way too; {then}"
    way = "in one given direction" if ahead is None else f"in favour of {ahead}"
    return f"Would a repeat be significant? {first} {sets} would be, {way}; {then}"


def _about(chance: float) -> str:
    shown = in_hundred(chance)
    return f"about {shown}" if shown[0].isdigit() else shown
