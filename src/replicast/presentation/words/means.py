"""Two means and their spreads: what they leave open, and what would settle it."""

from replicast.design import Holdout
from replicast.formatting import format_percent, format_pvalue
from replicast.inference.methods import METHODS, default_method
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import called, of_hundred
from replicast.presentation.words.scales import brief_design, from_to
from replicast.replication.means import MeansReplication

_DEPENDS = "how closely the scores of the two go together, which means do not say"


def tell_means(reported: MeansReplication) -> Document:
    """Tell what two means and spreads leave open."""
    settled = len(reported.correlations) == 1
    chance = from_to(reported.low, reported.high)
    named = "" if reported.better in ("first", "second") else f" for {reported.better}"
    first, last = (format_pvalue(reported.pvalues[at]) for at in (0, -1))
    lines = (
        Row("least", first, "if the scores of the two have nothing in common"),
        Row(
            "most",
            last,
            f"if they go entirely together, {reported.design.unit} by {reported.design.unit}",
        ),
    )
    reading = zip(reported.correlations, reported.pvalues, reported.probabilities, strict=True)
    return Document(
        headline=f"{chance} of 100 repeats would be significant{named}",
        lines=(
            *((Row("result", first),) if settled else lines),
            Row("ask", f"the authors for {reported.ask}"),
        ),
        cautions=ranked(reported.cautions),
        read=f"{' and '.join(_typed(reported))}, {brief_design(reported.design)}",
        rows=tuple(
            Row(f"r = {correlation:.2g}", format_pvalue(pvalue), of_hundred(probability))
            for correlation, pvalue, probability in (() if settled else reading)
        ),
        how=(_test(reported), f"r is the correlation of the scores: {_DEPENDS}."),
        quote=_quote(reported),
    )


def _test(reported: MeansReplication) -> str:
    """Name the test whose p-values are shown."""
    design = reported.design
    if design.shares_training:
        return "p is that of the t-test corrected for the overlap of training sets."
    if design.seeds and design.has_split:
        return "p is that of t over seeds, which ignores the split."
    if design.seeds or (design.of_cases and reported.sds is None):
        tested = design if design.seeds else Holdout()
        return f"p is that of {METHODS[default_method(tested)].titled(design)}."
    return "p is that of the paired t-test."


def _typed(reported: MeansReplication) -> list[str]:
    numbers = (*reported.means, *(reported.sds or ()))
    digits = max(len(f"{number:g}".partition(".")[2]) for number in numbers)
    means = [f"{mean:.{digits}f}" for mean in reported.means]
    if reported.sds is None:
        return means
    return [f"{mean} ± {sd:.{digits}f}" for mean, sd in zip(means, reported.sds, strict=True)]


def _quote(reported: MeansReplication) -> str:
    """Say what two means leave open as a review would, and ask for what would settle it."""
    low, high = format_percent(reported.low), format_percent(reported.high)
    chance = f"about {low}" if low[0].isdigit() else low
    if len(reported.correlations) > 1 and low != high:
        chance = f"{low} to {high}, depending on the correlation of the scores"
    repeat = f"a replication {reported.design.anew}"
    return (
        f"{' against '.join(_typed(reported))} ({reported.design.words}): the probability "
        f"that {repeat} is significant for {called(reported.better)} is {chance}. Please report "
        f"{reported.ask}."
    )
