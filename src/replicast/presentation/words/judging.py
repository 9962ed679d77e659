"""A replication beside its original, and a ledger of forecasts, in plain words."""

from replicast.errors import require_instance
from replicast.formatting import (
    beside_words,
    format_difference,
    format_number,
    format_percent,
    format_pvalue,
    in_hundred,
    range_words,
)
from replicast.judging.records import Calibration, Judgement, Side
from replicast.presentation.words.narrative import Narrative, Row
from replicast.reading.vocabulary.units import score_unit
from replicast.results import Interval

_Z95 = 1.959963984540054


def unit_of(found: Judgement) -> str:
    """Tell what the differences of a judgement are counted in."""
    return score_unit(found.scores[0]) if found.scores else found.unit


def interval_of(estimate: float, error: float) -> Interval:
    """Return the 95% interval of a normal estimate."""
    return Interval(estimate - _Z95 * error, estimate + _Z95 * error)


def _difference(value: float, unit: str) -> str:
    if unit in ("standard errors", "se"):
        return f"{value:.2f} {unit}".replace("-", "−")
    return format_difference(value, unit).replace("-", "−")


# --------------------------------------------------------------------------- judge
_HAPPENED = {
    "significant, same direction": "It happened again: significant in the same direction.",
    "not significant, same direction": (
        "It was not significant again, though the direction is the same."
    ),
    "not significant, no direction": "It did not happen again: there is no difference now.",
    "not significant, other direction": (
        "It did not happen again: not significant, and the direction is the other one."
    ),
    "significant, other direction": ("The opposite happened: significant in the other direction."),
}
_AFTER_NOTHING = {
    "significant, same direction": "It is significant now, in the same direction.",
    "not significant, same direction": "It is not significant now either; the direction is the same.",
    "not significant, no direction": "It is not significant now either: there is no difference.",
    "not significant, other direction": (
        "It is not significant now either, and the direction is the other one."
    ),
    "significant, other direction": "It is significant now, in the other direction.",
}
_AFTER_A_TIE = {"sig": "It is significant now.", "not": "It is not significant now either."}


def narrate_judgement(found: Judgement) -> Narrative:
    """Put a judged replication into words.

    Examples
    --------
    >>> from replicast import judge, narrate_judgement
    >>> print(narrate_judgement(judge((3.1, 1.2), (2.0, 1.0))).verdict)
    It happened again: significant in the same direction. The first is ahead by 2.00 (p = 0.046), after
    3.10 (p = 0.010) in the original.
    The original predicted a replication between 0.04 and 6.16; this one lies within.
    """
    require_instance(found, Judgement, "found", "Make one with judge")
    unit = unit_of(found)
    told = _HAPPENED if found.original_significant else _AFTER_NOTHING
    happened = told[found.outcome] if found.original.estimate else _AFTER_A_TIE[found.outcome[:3]]
    return Narrative(
        title=f"{found.names[0]} against {found.names[1]}: the original and its replication",
        verdict=f"{happened} {_leads(found, unit)}\n{_place(found, unit)}",
        replication=_forecast_sentence(found),
        reason=_together(found),
        rows=_judgement_rows(found, "se" if unit == "standard errors" else unit),
        outlook="",
        cautions=tuple(caution.text for caution in found.cautions),
    )


def _leads(found: Judgement, unit: str) -> str:
    """Say who was ahead, then and now."""
    before, now = (_ahead(found, side) for side in (found.original, found.replication))
    by, then = (
        f"{_difference(abs(side.estimate), unit)} ({format_pvalue(side.pvalue)})"
        for side in (found.replication, found.original)
    )
    if unit == "standard errors":  # those of the original are the only unit there is
        by = by.replace(unit, f"of the original's {unit}")
    lead = "Neither is ahead" if now is None else f"{now} is ahead by {by}"
    if before is None:
        return f"{lead}; in the original neither was."
    if before == now:
        return f"{lead}, after {then} in the original."
    return f"{lead}; in the original {_inside(before)} was, by {then}."


def _ahead(found: Judgement, side: Side) -> str | None:
    """Return who was ahead in one of the experiments, if anyone was."""
    names = ("The first", "The second") if found.names == ("first", "second") else found.names
    return names[side.estimate < 0] if side.estimate else None


def _place(found: Judgement, unit: str) -> str:
    """Say whether the replication lies where the original predicted it, and how much that says."""
    value, limits = found.replication.estimate, found.estimates.prediction
    said = (
        f"The original predicted a replication between {range_words(limits, unit, 'and', value)};"
    )
    if found.within_prediction:
        return f"{said} this one lies within."
    said += f" this one, {beside_words(value, limits, unit)}, lies outside, as 5 of 100 would by chance."
    if found.original_significant and (value < limits.low) == (found.original.estimate > 0):
        said += (
            " More would after an original picked for its significance: such originals are too large on "
            "average."
        )
    return said


def _inside(name: str) -> str:
    """Write a name in the middle of a sentence."""
    return name.lower() if name in ("The first", "The second") else name


def _forecast_sentence(found: Judgement) -> str:
    when = "Forecast beforehand:" if found.forecast.registered else "We would have forecast:"
    ahead = _ahead(found, found.original)
    way = "in one given direction" if ahead is None else f"in favour of {_inside(ahead)}"
    return f"{when} {in_hundred(found.forecast.probability)} such repeats significant {way}."


def _together(found: Judgement) -> str:
    needed = found.significance / 2
    golden = float(found.estimates.golden_p)
    verb = "convince" if golden <= needed else "do not convince"
    told = next(
        (digits for digits in range(3, 7) if round(golden, digits) != needed or golden == needed), 7
    )
    return (
        f"Together they {verb} someone who doubts the original: the golden sceptical "
        f"{format_pvalue(golden, told)}, and {needed:g} or less is asked for."
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
        Row(
            "predicted",
            range_words(numbers.prediction, unit, beside=found.replication.estimate),
            "95% range for the replication",
        ),
        Row("agreement", format_pvalue(float(numbers.q_pvalue)), "test of one common effect (Q)"),
        Row("sceptical", format_pvalue(float(numbers.golden_p)), "golden sceptical p, one-sided"),
        Row("Edgington", format_pvalue(float(numbers.edgington_p)), "both one-sided p added up"),
        Row("Bayes factor", odds, "no effect : the original's effect"),
        Row(
            "pooled",
            _difference(float(numbers.pooled), unit),
            f"95% interval {range_words(pooled, unit)}",
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
    shown = f"95% interval {range_words(limits, unit)}"
    return Row(label, _difference(side.estimate, unit), f"{shown}; {side.source}")


# --------------------------------------------------------------------------- ledger
def narrate_calibration(found: Calibration) -> Narrative:
    """Put the record of a ledger's forecasts into words."""
    require_instance(found, Calibration, "found", "Ask a Ledger for one")
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
