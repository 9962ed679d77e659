"""Two means and their spreads in plain words: what they leave open, and what would settle it."""

from replicast.design import (
    Holdout,
    describe_design,
    describe_repeat,
)
from replicast.errors import require_instance
from replicast.formatting import format_percent, format_pvalue
from replicast.inference.methods import METHODS, default_method
from replicast.presentation.words.narrative import Narrative, Row
from replicast.presentation.words.replication import called
from replicast.replication.means import MeansReplication
from replicast.results import Interval


def narrate_means(found: MeansReplication) -> Narrative:
    """Put what two means and spreads leave open into words."""
    require_instance(found, MeansReplication, "found", "Make one with replication_from_means")
    told = (*found.means, *(found.sds or ()))
    digits = max(len(f"{number:g}".partition(".")[2]) for number in told)
    shown = [f"{mean:.{digits}f}" for mean in found.means]
    if found.sds is not None:
        shown = [f"{mean} ± {sd:.{digits}f}" for mean, sd in zip(shown, found.sds, strict=True)]
    settled = len(found.correlations) == 1
    low, high = format_percent(found.low), format_percent(found.high)
    better = called(found.better)
    repeat = f"a repeat {describe_repeat(found.design)}"
    verdict = f"The chance that {repeat} is significant for {better}: about {low}."
    if not settled and low == high:
        verdict = (
            f"{verdict[:-1]}, however closely the scores of the two go together (their correlation r), "
            "which means and spreads do not say."
        )
    elif not settled:
        verdict = (
            f"The chance that {repeat} is significant for {better} is anything from "
            f"{low} to {high}: it depends on how closely the scores of the two go together (their "
            "correlation r), which means and spreads do not say. That is not all the doubt there is: "
            "for each r the chance has a 95% range of its own, below in brackets."
        )
    verdict = verdict.replace("about over", "over").replace("about under", "under")
    rows = tuple(
        Row(
            "scores" if settled else f"r = {correlation:.2g}",
            f"{format_pvalue(pvalue)}, chance {_with_range(chance, interval)}",
            _word(correlation, found.correlations),
        )
        for correlation, pvalue, chance, interval in zip(
            found.correlations, found.pvalues, found.probabilities, found.intervals, strict=True
        )
    )
    return Narrative(
        title=f"{shown[0]} against {shown[1]} ({describe_design(found.design)})",
        verdict=verdict,
        replication="",
        reason=f"Ask the authors for {found.ask}. {_tests(found)}",
        rows=rows,
        outlook="",
        cautions=tuple(caution.text for caution in found.cautions),
    )


def _tests(found: MeansReplication) -> str:
    """Name the test whose p-values are shown."""
    if found.design.shares_training:
        return "p is that of the t-test corrected for the overlap of training sets."
    if found.design.seeds and found.design.has_split:
        return "p is that of t over seeds, which ignores the split."
    if found.design.of_cases and found.sds is None:
        return f"p is that of {METHODS[default_method(Holdout())].title}."
    if found.design.seeds:
        return f"p is that of {METHODS[default_method(found.design)].titled(found.design)}."
    return "p is that of the paired t-test."


def means_line(found: MeansReplication) -> str:
    """Say what two means leave open as a review would, and ask for what would settle it."""
    story = narrate_means(found)
    low, high = format_percent(found.low), format_percent(found.high)
    chance = f"about {low}" if low[0].isdigit() else low
    if len(found.correlations) > 1 and low != high:
        chance = f"anything from {low} to {high}, depending on the correlation of the scores"
    return (
        f"{story.title}: the probability that a replication {describe_repeat(found.design)} is "
        f"significant in the same direction is {chance}. Please report {found.ask}."
    )


def _with_range(chance: float, interval: Interval) -> str:
    """Write a chance with its range, where that says more than the chance does."""
    shown, *limits = (format_percent(one) for one in (chance, *interval))
    return shown if set(limits) == {shown} else f"{shown}  [{', '.join(limits)}]"


def _word(correlation: float, every: tuple[float, ...]) -> str:
    if len(every) == 1:
        return "seeds of the two are independent"
    if correlation == 0:
        return "nothing in common"
    return "as close as can be" if correlation == every[-1] else ""
