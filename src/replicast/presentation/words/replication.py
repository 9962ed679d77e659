"""The chance that a result happens again, from a paper's numbers."""

from replicast.formatting import AtMost, format_number, format_pvalue
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import (
    called,
    can_be_significant,
    cannot_be_significant,
    chance_sentence,
    describe_larger,
    first_words,
    how_computed,
    is_larger,
    number_rows,
    repeat_lines,
    test_of,
)
from replicast.presentation.words.scales import Scale, brief_design, hundred, listed
from replicast.replication.counts import DiscordanceModel
from replicast.replication.curves import required_pvalues
from replicast.replication.first_result import MODELS
from replicast.replication.records import Replication
from replicast.replication.reported import REPORTED, kind_of
from replicast.results import Caution, is_significant

_ROUGH = Caution(
    "rough",
    "Only a statistic is known, so the chance is rough: where the truth was known, such chances missed "
    "by about 14 points on average, and by 25 or more where the two hardly differed.",
)
_SAID = ("which-t", "ordinary-t", "cannot-be-significant")  # by the lines
_USUAL = 0.8  # the wanted chance that stands in the answer
_READ_AS = {
    "ordinary": "ordinary paired t-test; corrected for the overlap of training sets {pvalue}",
    "unknown": "t-test not named, read as the {corrected}",
}


def tell_replication(forecast: Replication) -> Document:
    """Tell the chance that a result happens again."""
    differs = can_be_significant(forecast) and forecast.first_pvalue < 1
    needed = _required(forecast) if differs else []
    rough = (_ROUGH,) if _is_rough(forecast) else ()
    typed = _typed(forecast)
    design = brief_design(forecast.design)
    return Document(
        headline=_headline(forecast),
        lines=(*_lines(forecast), *(row for wanted, row in needed if wanted == _USUAL)),
        cautions=ranked((*forecast.cautions, *rough), _SAID),
        read=typed if design in typed else listed(typed, design),
        rows=(*number_rows(forecast), *(row for wanted, row in needed if wanted != _USUAL)),
        how=how_computed(forecast),
        quote=_quote(forecast),
    )


def _required(forecast: Replication) -> list[tuple[float, Row]]:
    """Return the p-value that the paper's own test has to show for each wanted chance."""
    needed = [(wanted, _needed(p)) for wanted, p in required_pvalues(forecast)]
    other = forecast.first_result.if_ordinary
    if other is not None:
        ordinary = required_pvalues(forecast, first=other)
        needed = [
            (wanted, f"{shown}; {_needed(p)} of an ordinary test")
            for (wanted, shown), (_, p) in zip(needed, ordinary, strict=True)
        ]
    return [
        (wanted, Row(f"for {100 * wanted:.0f}", f"of 100, the result needs {shown}", spare=True))
        for wanted, shown in needed
    ]


def _is_rough(forecast: Replication) -> bool:
    """Say whether nothing but a statistic is known of a result: no cases, and no counts."""
    statistic = getattr(forecast.first_result.model, "statistic", None)
    known = forecast.instance_data or statistic is None or forecast.design.over_datasets
    return can_be_significant(forecast) and not known


def _headline(forecast: Replication) -> str:
    if not can_be_significant(forecast):
        return "No repeat of this size can be significant"
    chances = [hundred(forecast.probability)]
    if forecast.by_test is not None:
        chances = [hundred(p) for p in (forecast.by_test.corrected, forecast.by_test.ordinary)]
    shown = " or ".join(dict.fromkeys(chances))
    unnamed = {"first": "", "second": " for the other"}  # a result that favours the other one
    named = unnamed.get(forecast.better, f" for {forecast.better}")
    pvalues = [forecast.first_pvalue]
    if forecast.by_test is not None:
        pvalues.append(forecast.by_test.ordinary_pvalue)
    again = " again" if is_significant(max(pvalues), forecast.significance) else ""
    larger = f" with {describe_larger(forecast)}" if is_larger(forecast) else ""
    return f"{shown} of 100 repeats{larger} would be significant{named}{again}"


def _lines(forecast: Replication) -> tuple[Row, ...]:
    if not can_be_significant(forecast):
        text = cannot_be_significant(forecast)
        return (Row("result", first_words(forecast)), Row("so", text[:1].lower() + text[1:]))
    pvalue = format_pvalue(forecast.first_pvalue)
    status = "" if forecast.first_significant else f"not significant at {forecast.significance:g}"
    if forecast.by_test is not None:
        corrected, ordinary = (
            hundred(forecast.by_test.corrected),
            hundred(forecast.by_test.ordinary),
        )
        once = f"{format_pvalue(forecast.by_test.ordinary_pvalue)} once corrected"
        return (
            Row(corrected, "if the paper corrected its t-test", listed(pvalue, status)),
            Row(ordinary, "if it used the ordinary one", once),
            Row("which?", "--test corrected or --test ordinary", spare=True),
        )
    own = forecast.first_result.reported_pvalue
    result = [Row("result", pvalue, listed(test_of(forecast), status))]
    if own is not None:
        result = [
            Row("result", format_pvalue(own), "in the paper, by the ordinary t-test"),
            Row("so", pvalue, "corrected for overlapping training sets"),
        ]
    # shares of counted cases have points
    unit = "fraction" if forecast.model == DiscordanceModel.name else "score"
    scale = Scale.of(unit, forecast.predicted_interval or (0.0, 1.0))
    turned = forecast.better != forecast.names[0]
    return (*result, *repeat_lines(forecast, scale, turned=turned, said=True))


def _needed(pvalue: float | None) -> str:
    return "more than any p-value shows" if pvalue is None else format_pvalue(pvalue, digits=4)


def _typed(forecast: Replication) -> str:
    """Repeat the number that a paper reported; nothing for scores."""
    given = forecast.first_result.reported
    if given is None:
        return ""
    row = REPORTED[kind_of(given)]
    shown = format_number(given[row.fields[0]])
    df = getattr(forecast.first_result.model, "df", (forecast.design.n_scores or 2) - 1)
    tied = ""
    if given.get("ties") and given.get("wins") is not None:
        lost = given["datasets"] - int(given["wins"]) - given["ties"]
        tied = f", {lost} losses and {given['ties']} ties"
    return row.words.format(**{**given, "shown": shown, "df": f"{df:g}", "tied": tied})


def _quote(forecast: Replication) -> str:
    """Repeat a result as a paper reports it, with its p-value, and say its chance of replication."""
    own = forecast.first_result.reported_pvalue
    pvalue = format_pvalue(forecast.first_pvalue if own is None else own)
    limit = (forecast.first_result.reported or {}).get("pvalue")
    if isinstance(limit, AtMost):
        pvalue = f"p < {limit:g}, read as {limit:g}"
    first, second = (called(name) for name in forecast.names)
    result = listed(_typed(forecast), pvalue)
    line = f"{first} against {second}: {result} ({_design_and_test(forecast)})."
    if first.startswith("the "):
        line = line[:1].upper() + line[1:]
    return f"{line} {chance_sentence(forecast)}"


def _design_and_test(forecast: Replication) -> str:
    """Name design and test of a reported result."""
    test = "t-test over seeds alone"
    if forecast.model in MODELS:
        test = MODELS[forecast.model].titled(forecast.design)
    if forecast.test in _READ_AS:
        test = _READ_AS[forecast.test].format(
            pvalue=format_pvalue(forecast.first_pvalue), corrected=test
        )
    halves = "half of the ties to each" if getattr(forecast.first_result.model, "ties", 0) else ""
    return listed(forecast.design.words, test, halves)
