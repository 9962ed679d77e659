"""A replication beside its original, and a ledger of forecasts."""

from replicast.formatting import format_number, format_percent, format_pvalue
from replicast.judging.records import Calibration, Judgement, Side
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import called, of_hundred
from replicast.presentation.words.scales import Scale, brief_design
from replicast.reading.vocabulary.units import score_unit
from replicast.results import Interval

_Z95 = 1.959963984540054
_AGAIN = {
    "significant, same direction": "It happened again",
    "not significant, same direction": "Not significant again, though the direction is the same",
    "not significant, no direction": "It did not happen again: no difference now",
    "not significant, other direction": "It did not happen again, and the direction is the other one",
    "significant, other direction": "The opposite happened",
}
_AFTER_NOTHING = {
    "significant, same direction": "Significant now, in the same direction",
    "not significant, same direction": "Not significant now either; the direction is the same",
    "not significant, no direction": "Not significant now either: no difference",
    "not significant, other direction": "Not significant now either; the direction is the other one",
    "significant, other direction": "Significant now, in the other direction",
}
_AFTER_A_TIE = {True: "Significant now", False: "Not significant now either"}


def unit_of(judgement: Judgement) -> str:
    """Tell what the differences of a judgement are counted in."""
    unit = score_unit(judgement.scores[0]) if judgement.scores else judgement.unit
    return "se" if unit == "standard errors" else unit


def interval_of(estimate: float, error: float) -> Interval:
    """Return the 95% interval of a normal estimate."""
    return Interval(estimate - _Z95 * error, estimate + _Z95 * error)


def tell_judgement(judgement: Judgement) -> Document:
    """Tell what became of a result when it was repeated."""
    sides = (judgement.original, judgement.replication)
    scale = Scale.of(
        unit_of(judgement), judgement.estimates.prediction, judgement.replication.estimate
    )
    if scale.noun != " points":  # without a unit, two decimals tell most numbers apart
        scale = Scale(scale.unit, max(2, scale.digits))
    designs = [brief_design(side.design) for side in sides if side.design is not None]
    leads = [_lead(judgement, side, scale) for side in sides]
    proofs = [format_pvalue(side.pvalue) for side in sides]
    headline = _headline(judgement, scale)
    return Document(
        headline=headline,
        lines=(
            Row("first", leads[0], proofs[0]),
            Row("then", leads[1], proofs[1]),
            Row(
                "expect",
                " to ".join(map(scale.number, judgement.estimates.prediction)),
                _place(judgement),
            ),
            Row("forecast", of_hundred(judgement.forecast.probability), _forecast(judgement)),
            Row("so", _together(judgement)),
        ),
        cautions=ranked(judgement.cautions),
        read=", then ".join(designs) or "two estimates with standard errors",
        rows=_rows(judgement, scale),
        how=(
            f"Forecast: {judgement.forecast.basis}.",
            "Expected: what the forecast says a repeat of this size would show (95% range); it allows "
            "for the first difference being too large where it was picked for its significance.",
            "Golden sceptical p: Held, Micheloud and Pawel (2022). Edgington (1972). Bayes factor: "
            "Verhagen and Wagenmakers (2014).",
        ),
        quote=f"{headline}: {leads[0]} ({proofs[0]}), then {leads[1]} ({proofs[1]}).",
    )


def _headline(judgement: Judgement, scale: Scale) -> str:
    if not judgement.original.estimate:
        return _AFTER_A_TIE[judgement.outcome.startswith("significant")]
    words = (_AGAIN if judgement.original_significant else _AFTER_NOTHING)[judgement.outcome]
    if judgement.outcome.startswith("significant") and ":" not in words:
        return f"{words}: {_lead(judgement, judgement.replication, scale)}"
    return words


def _lead(judgement: Judgement, side: Side, scale: Scale) -> str:
    """Say who was ahead in one of the experiments, and by how much."""
    if not side.estimate:
        return "neither is ahead"
    name = called(judgement.names[side.estimate < 0])
    return f"{name} is ahead by {scale.difference(abs(side.estimate))}"


def _forecast(judgement: Judgement) -> str:
    """Say what was forecast, and for whom."""
    ahead = judgement.names[judgement.original.estimate < 0] if judgement.original.estimate else ""
    way = f"for {called(ahead)}" if ahead else "for one of the two"
    return f"significant {way}{', written down before' if judgement.forecast.registered else ''}"


def _place(judgement: Judgement) -> str:
    """Say whether the replication lies where the original predicted it."""
    if judgement.within_prediction:
        return "after the first; the repeat lies inside"
    return "after the first; the repeat lies outside, as 5 of 100 do by chance"


def _together(judgement: Judgement) -> str:
    convinced = float(judgement.estimates.golden_p) <= judgement.significance / 2
    verb = "would" if convinced else "would not"
    return f"both together {verb} convince someone who doubted the first"


def _rows(judgement: Judgement, scale: Scale) -> tuple[Row, ...]:
    numbers = judgement.estimates
    pooled = interval_of(float(numbers.pooled), float(numbers.pooled_se))
    factor = float(numbers.bayes_factor)
    odds = (
        f"1 : {format_number(1 / factor, 2)}" if factor < 1 else f"{format_number(factor, 2)} : 1"
    )
    return (
        _side_row("original", judgement.original, scale),
        _side_row("replication", judgement.replication, scale),
        Row("agreement", format_pvalue(float(numbers.q_pvalue)), "test of one common effect (Q)"),
        Row(
            "sceptical",
            _golden(judgement),
            f"golden sceptical p, one-sided; {judgement.significance / 2:g} or less convinces",
        ),
        Row("Edgington", format_pvalue(float(numbers.edgington_p)), "both one-sided p added up"),
        Row("Bayes factor", odds, "no effect : the original's effect"),
        Row(
            "pooled",
            scale.difference(float(numbers.pooled)),
            f"95% interval {scale.between(pooled)}",
        ),
        _score_row(judgement.forecast.log_score),
    )


def _score_row(log_score: float) -> Row:
    score = f"{log_score:.2f}".replace("-", "−")
    return Row("score", score, "log score of the forecast; 0 is perfect, −0.69 a coin toss")


def _golden(judgement: Judgement) -> str:
    """Write the sceptical p-value with the digits that tell it from what is asked for."""
    golden, needed = float(judgement.estimates.golden_p), judgement.significance / 2
    apart = (
        digits for digits in range(3, 7) if round(golden, digits) != needed or golden == needed
    )
    return format_pvalue(golden, next(apart, 7))


def _side_row(label: str, side: Side, scale: Scale) -> Row:
    limits = interval_of(side.estimate, side.standard_error)
    return Row(label, f"95% interval {scale.between(limits)}", side.source)


# --------------------------------------------------------------------------- ledger
def tell_calibration(ledger: Calibration) -> Document:
    """Tell how the forecasts of a ledger fared."""
    headline = "No outcome yet: judge a replication with this ledger"
    lines: tuple[Row, ...] = ()
    if ledger.forecasts:
        said, of = format_percent(ledger.said), f"{ledger.happened} of {ledger.forecasts}"
        headline = f"Forecasts said {said}; {of} happened"
        chance = "they agree as far as so few can tell"
        before = f"{ledger.registered} of {ledger.forecasts}"
        lines = (
            Row("so", "more than chance explains" if abs(ledger.surprise) > 2 else chance),
            Row("before", before, "were written down beforehand"),
            _score_row(ledger.log_score),
        )
    cut = f"{ledger.torn} lines were cut short by an interruption and skipped"
    return Document(
        headline=headline,
        lines=lines,
        notes=(cut,) if ledger.torn else (),
        read=f"{ledger.forecasts} forecasts with an outcome, {ledger.open or 'none'} open",
        rows=tuple(
            Row(
                f"{group.low * 100:.0f} to {group.high:.0%}",
                f"{group.happened} of {group.forecasts} happened",
                f"said {format_percent(group.said)}; {format_percent(group.interval.low)} to "
                f"{format_percent(group.interval.high)} fit what happened",
            )
            for group in ledger.bins
        ),
    )
