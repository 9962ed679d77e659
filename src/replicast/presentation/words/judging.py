"""A replication, a gate, a look and a ledger in plain words."""

import math

from replicast.design import Datasets, Holdout, describe_design
from replicast.formatting import (
    decimals,
    format_count,
    format_difference,
    format_number,
    format_percent,
    format_pvalue,
    format_signed,
    in_hundred,
)
from replicast.judging.ledger import Calibration
from replicast.judging.records import Gate, Judgement, Look, Side
from replicast.presentation.words.comparison import Narrative, Row, score_unit
from replicast.results import Interval

_Z95 = 1.959963984540054
_LISTED = 12  # flips named in the table
_OFTEN = 0.8  # the chance from which a difference counts as visible


def _range(interval: Interval, unit: str, between: str = "to") -> str:
    """Write two limits with the decimals they need, and one unit."""
    low, high = (limit * (100 if unit == "fraction" else 1) for limit in interval)
    digits = decimals(low, high)
    noun = {"score": "", "fraction": " points", "percent": " points"}.get(unit, f" {unit}")
    return f"{format_signed(low, digits)} {between} {format_signed(high, digits)}{noun}"


def unit_of(found: Judgement) -> str:
    """Tell what the differences of a judgement are counted in."""
    return score_unit(found.scores[0]) if found.scores else found.unit


def interval_of(estimate: float, error: float) -> Interval:
    """Return the 95% interval of a normal estimate."""
    return Interval(estimate - _Z95 * error, estimate + _Z95 * error)


def _difference(value: float, unit: str) -> str:
    if unit in ("standard errors", "se"):
        return f"{value:.2f} {unit}"
    return format_difference(value, unit)


# --------------------------------------------------------------------------- judge
_HAPPENED = {
    "significant, same direction": "It happened again: significant in the same direction.",
    "not significant, same direction": (
        "It was not significant again, though the direction is the same."
    ),
    "not significant, other direction": (
        "It did not happen again: not significant, and the direction is the other one."
    ),
    "significant, other direction": ("The opposite happened: significant in the other direction."),
}
_AFTER_NOTHING = {
    "significant, same direction": "It is significant now, in the same direction.",
    "not significant, same direction": "It is not significant now either; the direction is the same.",
    "not significant, other direction": (
        "It is not significant now either, and the direction is the other one."
    ),
    "significant, other direction": "It is significant now, in the other direction.",
}


def narrate_judgement(found: Judgement) -> Narrative:
    """Put a judged replication into words.

    Examples
    --------
    >>> from replicast import judge, narrate_judgement
    >>> print(narrate_judgement(judge((3.1, 1.2), (2.0, 1.0))).verdict)
    It happened again: significant in the same direction. first is ahead by 2.00 (p = 0.046), after
    3.10 (p = 0.010) in the original.
    The original predicted a replication between 0.0 and 6.2; this one lies within.
    """
    unit = unit_of(found)
    told = _HAPPENED if found.original_significant else _AFTER_NOTHING
    place = (
        "this one lies within."
        if found.within_prediction
        else "this one lies outside, farther than chance explains."
    )
    expected = _range(found.estimates.prediction, unit, "and")
    return Narrative(
        title=f"{found.names[0]} against {found.names[1]}: the original and its replication",
        verdict=(
            f"{told[found.outcome]} {_leads(found, unit)}\n"
            f"The original predicted a replication between {expected}; {place}"
        ),
        replication=_forecast_sentence(found),
        reason=_together(found),
        rows=_judgement_rows(found, "se" if unit == "standard errors" else unit),
        outlook="",
        cautions=tuple(caution.text for caution in found.cautions),
    )


def _leads(found: Judgement, unit: str) -> str:
    """Say who was ahead, then and now."""
    ahead = [found.names[side.estimate < 0] for side in (found.original, found.replication)]
    by, then = (
        f"{_difference(abs(side.estimate), unit)} ({format_pvalue(side.pvalue)})"
        for side in (found.replication, found.original)
    )
    if ahead[0] == ahead[1]:
        return f"{ahead[1]} is ahead by {by}, after {then} in the original."
    return f"{ahead[1]} is ahead by {by}; in the original {ahead[0]} was, by {then}."


def _forecast_sentence(found: Judgement) -> str:
    when = "Forecast beforehand:" if found.forecast.registered else "We would have forecast:"
    return f"{when} {in_hundred(found.forecast.probability)} such repeats significant this way."


def _together(found: Judgement) -> str:
    needed = found.significance / 2
    golden = float(found.estimates.golden_p)
    verb = "convince" if golden <= needed else "do not convince"
    return (
        f"Together they {verb} someone who doubts the original: the golden sceptical "
        f"{format_pvalue(golden)}, and {needed:g} or less is asked for."
    )


def _judgement_rows(found: Judgement, unit: str) -> tuple[Row, ...]:
    numbers, score = found.estimates, found.forecast.log_score
    pooled = interval_of(float(numbers.pooled), float(numbers.pooled_se))
    factor = float(numbers.bayes_factor)
    odds = (
        f"1 : {format_number(1 / factor, 2)}" if factor < 1 else f"{format_number(factor, 2)} : 1"
    )
    return (
        _side_row("original", found.original, unit),
        _side_row("replication", found.replication, unit),
        Row("predicted", _range(numbers.prediction, unit), "95% range for the replication"),
        Row("agreement", format_pvalue(float(numbers.q_pvalue)), "test of one common effect (Q)"),
        Row("sceptical", format_pvalue(float(numbers.golden_p)), "golden sceptical p, one-sided"),
        Row("Edgington", format_pvalue(float(numbers.edgington_p)), "both one-sided p added up"),
        Row("Bayes factor", odds, "no effect : the original's effect"),
        Row(
            "pooled",
            _difference(float(numbers.pooled), unit),
            f"95% interval {_range(pooled, unit)}",
        ),
        Row(
            "forecast",
            f"{format_percent(found.forecast.probability)}, log score {score:.2f}".replace(
                "-", "−"
            ),
            "0 is perfect, −0.69 a coin toss",
        ),
    )


def _side_row(label: str, side: Side, unit: str) -> Row:
    limits = interval_of(side.estimate, side.standard_error)
    shown = f"95% interval {_range(limits, unit)}"
    return Row(label, _difference(side.estimate, unit), f"{shown}; {side.source}")


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
    unit = score_unit(found.scores)
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


def _amount(found: Gate, unit: str) -> str:
    return format_difference(found.margin, unit)


def _scores_word(found: Gate) -> str:
    match found.design:
        case Holdout():
            return f"{format_count(found.n)} cases"
        case Datasets():
            return f"{format_count(found.n)} datasets"
    return "scores like these"


def _sight_sentence(found: Gate, unit: str) -> str:
    """Say what the gate lets pass, and what it fails, before saying what it found."""
    sight = found.sight
    changed = len(found.gained) + len(found.lost)
    share = f", of which {format_percent(changed / found.n)} changed," if changed else ""
    good = (
        "a candidate as good as the baseline"
        if sight.reference == 0
        else f"a gain of {format_difference(sight.reference, unit)}"
    )
    parts = [f"{good} passes in {in_hundred(sight.pass_chance)} runs"]
    verb, noun = ("passes", "gain") if found.goal == "better" else ("fails", "drop")
    known = [] if found.goal == "better" else [(sight.fail_chance, -sight.bad)]
    if math.isfinite(sight.visible):
        known.append((_OFTEN, abs(sight.visible)))
    drops = [
        f"a {noun} of {format_difference(size, unit)} {verb} in {in_hundred(chance)}"
        for chance, size in sorted(known)
    ]
    text = (
        f"What this gate can see: with {_scores_word(found)}{share} {'; '.join([*parts, *drops])}."
    )
    if sight.needed is not None:
        kind = "datasets" if isinstance(found.design, Datasets) else "cases"
        text += f" About {format_count(sight.needed)} {kind} would let {good} pass in 80 of 100."
    return text


def _gate_sentence(found: Gate, unit: str) -> str:
    first, second = found.names
    if found.outcome == "cannot tell":
        why = (
            f"a gate that lets a good candidate pass in {in_hundred(found.sight.pass_chance)} runs, "
            f"where {in_hundred(found.required_power)} were required, gives no verdict."
            if found.required_power is not None and found.sight.pass_chance < found.required_power
            else f"differences from {_range(found.interval, unit)} fit, on both sides of the margin."
        )
        return f"CANNOT TELL: {why}"
    pvalue = found.pass_pvalue if found.outcome == "pass" else found.fail_pvalue
    shown = _SHOWN[found.goal, found.outcome].format(first, second, _amount(found, unit))
    return f"{found.outcome.upper()}: {first} is {shown} ({format_pvalue(pvalue)})."


def _gate_rows(found: Gate, unit: str) -> tuple[Row, ...]:
    level = format_percent(1 - 2 * found.significance)
    means = [_mean(values.mean(), unit) for values in (found.scores.first, found.scores.second)]
    rows = [
        Row("scores", f"{means[0]} against {means[1]}", found.test),
        Row(
            "difference",
            format_difference(found.difference, unit),
            f"{level} interval {_range(found.interval, unit)}",
        ),
    ]
    if isinstance(found.design, Holdout):
        flips = f"{len(found.gained)} gained, {len(found.lost)} lost"
        rows.append(Row("changed", flips, f"of {format_count(found.n)} cases"))
        if found.lost:
            named = ", ".join(str(at + 1) for at in found.lost[:_LISTED])
            more = f" and {len(found.lost) - _LISTED} more" if len(found.lost) > _LISTED else ""
            rows.append(Row("lost", "cases", f"{named}{more}"))
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
    now = found.progress
    noun = "datasets" if isinstance(found.design, Datasets) else "cases"
    unit = "score"
    if found.estimand == "mean difference":
        unit = {(0.0, 1.0): "fraction", (0.0, 100.0): "percent"}.get(found.bounds, "score")
    of = f" of {format_count(found.total)}" if found.total else ""
    bar = 1 / found.significance
    if now.better is not None and now.decided_after is not None:
        verdict = (
            f"Decided after {format_count(now.decided_after)}{of} {noun}: {now.better} is better, "
            "and you may stop."
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
                f"{level} confidence sequence {_range(found.interval, unit)}",
            ),
            Row(
                "evidence",
                f"E = {format_number(math.exp(min(now.log_e, 700)))}",
                f"{bar:g} decides; anytime-valid {format_pvalue(now.pvalue)}",
            ),
        ),
        outlook="",
        cautions=tuple(caution.text for caution in found.cautions),
    )


def _chances(found: Look) -> str:
    (size, chance), (more, later) = found.forecasts
    noun = "datasets" if isinstance(found.design, Datasets) else "cases"
    return (
        f"Would it hold? About {in_hundred(chance)} fresh sets of {format_count(size)} {noun} would be "
        f"significant this way too; of {format_count(more)}, about {in_hundred(later)}."
    )


# --------------------------------------------------------------------------- ledger
def narrate_calibration(found: Calibration) -> Narrative:
    """Put the record of a ledger's forecasts into words."""
    waiting = f"{found.open} still open" if found.open else "none open"
    title = f"{found.forecasts} forecasts with an outcome, {waiting}"
    torn = (
        (f"{found.torn} lines were cut short by an interruption and skipped.",)
        if found.torn
        else ()
    )
    if not found.forecasts:
        return Narrative(
            title, "No outcome yet: judge a replication with this ledger.", "", "", (), "", torn
        )
    off = abs(found.surprise) > 2
    agree = "That is more than chance explains." if off else "They agree as far as so few can tell."
    return Narrative(
        title=title,
        verdict=(
            f"The forecasts said {format_percent(found.said)} on average; {found.happened} of "
            f"{found.forecasts} were significant again. {agree}"
        ),
        replication="",
        reason=(
            f"Mean log score {found.log_score:.2f}, where 0 is perfect and −0.69 a coin toss; "
            f"{found.registered} of {found.forecasts} forecasts were written down beforehand."
        ).replace("score -", "score −"),
        rows=tuple(
            Row(
                f"{one.low * 100:.0f} to {one.high:.0%}",
                f"{one.happened} of {one.forecasts} happened",
                f"said {format_percent(one.said)}; {format_percent(one.interval.low)} to "
                f"{format_percent(one.interval.high)} fit what happened",
            )
            for one in found.bins
        ),
        outlook="",
        cautions=torn,
    )
