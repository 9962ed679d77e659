"""The chance that a result happens again, from a paper's numbers or from scores."""

from collections.abc import Mapping, Sequence
from typing import Any

from replicast.design import describe_design
from replicast.formatting import AtMost, format_number, format_percent, format_pvalue
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import (
    again_rows,
    called,
    can_be_significant,
    cannot_be_significant,
    chance_sentence,
    describe_larger,
    expect_rows,
    first_words,
    how_computed,
    number_rows,
    record_rows,
    test_of,
)
from replicast.presentation.words.scales import Scale, brief_design, hundred
from replicast.replication.counts import DiscordanceModel
from replicast.replication.curves import required_pvalues
from replicast.replication.first_result import MODELS
from replicast.replication.records import Replication
from replicast.replication.reported import REPORTED, kind_of
from replicast.results import Caution

_ROUGH = Caution(
    "rough",
    "Only a statistic is known, so the chance is rough: where the truth was known, such chances missed "
    "by about 10 points on average, and by 25 or more where the two hardly differed.",
)
_SAID = ("which-t", "ordinary-t", "cannot-be-significant")  # by the lines
_READ_AS = {
    "ordinary": "ordinary paired t-test; corrected for the overlap of training sets {pvalue}",
    "unknown": "t-test not named, read as the {corrected}",
}


def tell_replication(
    found: Replication, account: Sequence[str] = (), given: Mapping[str, Any] | None = None
) -> Document:
    """Tell the chance that a result happens again; `given` are the fields of `REPORTED` that said it."""
    differs = can_be_significant(found) and found.first_pvalue < 1
    required = required_pvalues(found) if differs else []
    rough = (_ROUGH,) if _is_rough(found) else ()
    typed = "" if given is None else _typed(given, found)
    design = brief_design(found.design)
    return Document(
        result=found,
        headline=_headline(found),
        lines=(
            *_lines(found),
            *(
                Row("for 80", f"of 100, the result needs {_needed(p)}", spare=True)
                for wanted, p in required
                if wanted == 0.8
            ),
        ),
        cautions=ranked((*found.cautions, *rough), _SAID),
        read=typed if design in typed else ", ".join(filter(None, (typed, design))),
        rows=_rows(found, required),
        how=how_computed(found),
        account=tuple(account),
        quote=_quote(found, given),
    )


def _is_rough(found: Replication) -> bool:
    """Say whether nothing but a statistic is known of a result: no cases, and no counts."""
    statistic = getattr(found.first_result.model, "statistic", None)
    known = found.instance_data or statistic is None or found.design.over_datasets
    return can_be_significant(found) and not known


def _headline(found: Replication) -> str:
    if not can_be_significant(found):
        return "No repeat of this size can be significant"
    chances = [hundred(found.probability)]
    if found.by_test is not None:
        chances = [hundred(p) for p in (found.by_test.corrected, found.by_test.ordinary)]
    shown = " or ".join(dict.fromkeys(chances))
    unnamed = {"first": "", "second": " for the other"}  # a result that favours the other one
    named = unnamed.get(found.better, f" for {found.better}")
    again = " again" if found.first_significant else ""
    larger = ""
    if found.target_design != found.design or found.data_factor != 1:
        larger = f" with {describe_larger(found)}"
    return f"{shown} of 100 repeats{larger} would be significant{named}{again}"


def _lines(found: Replication) -> tuple[Row, ...]:
    if not can_be_significant(found):
        text = cannot_be_significant(found)
        return (Row("result", first_words(found)), Row("so", text[:1].lower() + text[1:]))
    status = "" if found.first_significant else f"not significant at {found.significance:g}"
    if found.by_test is not None:
        corrected, ordinary = found.by_test.corrected, found.by_test.ordinary
        return (
            Row(hundred(corrected), "if the paper corrected its t-test",
                f"{format_pvalue(found.first_pvalue)}{status and f', {status}'}"),
            Row(hundred(ordinary), "if it used the ordinary one",
                f"{format_pvalue(found.by_test.ordinary_pvalue)} once corrected"),
            Row("which?", "--test corrected or --test ordinary"),
        )  # fmt: skip
    own = found.first_result.reported_pvalue
    result = [Row("result", format_pvalue(found.first_pvalue), ", ".join(
        filter(None, (test_of(found), status)))),]  # fmt: skip
    if own is not None:
        result = [
            Row("result", format_pvalue(own), "in the paper, by the ordinary t-test"),
            Row("so", format_pvalue(found.first_pvalue), "corrected for overlapping training sets"),
        ]
    return (
        *result,
        *again_rows(found, said=True),
        *expect_rows(found, _scale(found), turned=found.better != found.names[0]),
        *record_rows(found),
    )


def _scale(found: Replication) -> Scale:
    """Return the unit of a repeat's difference: shares of counted cases have points."""
    unit = "fraction" if found.model == DiscordanceModel.name else "score"
    return Scale.of(unit, found.predicted_interval or (0.0, 1.0))


def _needed(pvalue: float | None) -> str:
    return "more than any p-value shows" if pvalue is None else format_pvalue(pvalue, digits=4)


def _rows(found: Replication, required: Sequence[tuple[float, float | None]]) -> tuple[Row, ...]:
    status = "significant" if found.first_significant else "not significant"
    value = f"{format_pvalue(found.first_pvalue)}, {status} at {found.significance:g}"
    design = ", ".join(filter(None, (describe_design(found.design), test_of(found))))
    rows = [Row("first result", value, design)]
    own = found.first_result.reported_pvalue
    if own is not None:
        paper = f"ordinary t-test, {describe_design(found.design)}"
        rows = [
            Row("first result", f"{format_pvalue(own)} in the paper", paper),
            Row("corrected", value, "for the overlap of training sets"),
        ]
    if found.by_test is not None:
        pvalue = format_pvalue(found.by_test.ordinary_pvalue)
        rows.append(Row("if ordinary", format_percent(found.by_test.ordinary), pvalue))
    rows += number_rows(found)
    rows += [
        Row(f"for {wanted:.0%}", _needed(pvalue), "needed in this design")
        for wanted, pvalue in required
    ]
    return tuple(rows)


def _typed(given: Mapping[str, Any], found: Replication) -> str:
    """Repeat the number that was typed."""
    row = REPORTED[kind_of(given)]
    shown = format_number(given[row.fields[0]])
    df = getattr(found.first_result.model, "df", (found.design.n_scores or 2) - 1)
    tied = f" and {given['ties']} ties" if given.get("ties") else ""
    return row.words.format(**{**given, "shown": shown, "df": f"{df:g}", "tied": tied})


def _quote(found: Replication, given: Mapping[str, Any] | None) -> str:
    """Repeat a result as a paper reports it, with its p-value, and say its chance of replication."""
    own = found.first_result.reported_pvalue
    pvalue = format_pvalue(found.first_pvalue if own is None else own)
    typed = ""
    if given is not None:
        typed = _typed(given, found)
        if isinstance(given.get("pvalue"), AtMost):
            pvalue = f"p < {given['pvalue']:g}, read as {given['pvalue']:g}"
    first, second = (called(name) for name in found.names)
    told = ", ".join(filter(None, (typed, pvalue)))
    line = f"{first} against {second}: {told} ({_design_and_test(found)})."
    if first.startswith("the "):
        line = line[:1].upper() + line[1:]
    return f"{line} {chance_sentence(found)}"


def _design_and_test(found: Replication) -> str:
    """Name design and test of a reported result."""
    test = "t-test over seeds alone"
    if found.model in MODELS:
        test = MODELS[found.model].titled(found.design)
    if found.test in _READ_AS:
        test = _READ_AS[found.test].format(pvalue=format_pvalue(found.first_pvalue), corrected=test)
    return f"{describe_design(found.design)}, {test}"
