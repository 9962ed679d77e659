"""Two means and their spreads: what they leave open, and what would settle it."""

from replicast.design import Holdout, describe_design, describe_repeat
from replicast.formatting import format_percent, format_pvalue
from replicast.inference.methods import METHODS, default_method
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import called, of_hundred
from replicast.presentation.words.scales import brief_design, from_to
from replicast.replication.means import MeansReplication

_DEPENDS = "how closely the scores of the two go together, which means do not say"


def tell_means(found: MeansReplication) -> Document:
    """Tell what two means and spreads leave open."""
    settled = len(found.correlations) == 1
    chance = from_to(found.low, found.high)
    named = "" if found.better in ("first", "second") else f" for {found.better}"
    first, last = (format_pvalue(found.pvalues[at]) for at in (0, -1))
    lines = (
        Row("least", first, "if the scores of the two have nothing in common"),
        Row(
            "most",
            last,
            f"if they go entirely together, {found.design.unit} by {found.design.unit}",
        ),
    )
    reading = zip(found.correlations, found.pvalues, found.probabilities, strict=True)
    return Document(
        headline=f"{chance} of 100 repeats would be significant{named}",
        lines=(
            *((Row("result", first),) if settled else lines),
            Row("ask", f"the authors for {found.ask}"),
        ),
        cautions=ranked(found.cautions),
        read=f"{' and '.join(_typed(found))}, {brief_design(found.design)}",
        rows=tuple(
            Row(f"r = {correlation:.2g}", format_pvalue(pvalue), of_hundred(probability))
            for correlation, pvalue, probability in (() if settled else reading)
        ),
        how=(_test(found), f"r is the correlation of the scores: {_DEPENDS}."),
        quote=_quote(found),
    )


def _test(found: MeansReplication) -> str:
    """Name the test whose p-values are shown."""
    design = found.design
    if design.shares_training:
        return "p is that of the t-test corrected for the overlap of training sets."
    if design.seeds and design.has_split:
        return "p is that of t over seeds, which ignores the split."
    if design.seeds or (design.of_cases and found.sds is None):
        tested = design if design.seeds else Holdout()
        return f"p is that of {METHODS[default_method(tested)].titled(design)}."
    return "p is that of the paired t-test."


def _typed(found: MeansReplication) -> list[str]:
    numbers = (*found.means, *(found.sds or ()))
    digits = max(len(f"{number:g}".partition(".")[2]) for number in numbers)
    means = [f"{mean:.{digits}f}" for mean in found.means]
    if found.sds is None:
        return means
    return [f"{mean} ± {sd:.{digits}f}" for mean, sd in zip(means, found.sds, strict=True)]


def _quote(found: MeansReplication) -> str:
    """Say what two means leave open as a review would, and ask for what would settle it."""
    low, high = format_percent(found.low), format_percent(found.high)
    chance = f"about {low}" if low[0].isdigit() else low
    if len(found.correlations) > 1 and low != high:
        chance = f"{low} to {high}, depending on the correlation of the scores"
    return (
        f"{' against '.join(_typed(found))} ({describe_design(found.design)}): the probability that a "
        f"replication {describe_repeat(found.design)} is significant for {called(found.better)} is "
        f"{chance}. Please report {found.ask}."
    )
