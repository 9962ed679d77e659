"""Two models by a measure of all cases, in plain words."""

from replicast.comparison.measures import MeasureComparison
from replicast.errors import require_instance
from replicast.formatting import format_number, format_pvalue
from replicast.presentation.words.narrative import Narrative, Row
from replicast.presentation.words.replication import fresh_data, optimism, replication_rows

_WAYS = {
    "delong": "DeLong's standard error",
    "bootstrap": "paired bootstrap",
    "fixed": "t-test of cases, tasks fixed",
}


def narrate_measure(found: MeasureComparison) -> Narrative:
    """Put a comparison by AUC, F1 or another measure into words.

    Examples
    --------
    >>> from replicast import compare_measure, narrate_measure
    >>> truth, one = [1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.7, 0.2]
    >>> found = compare_measure("auc", truth, one, [0.6, 0.4, 0.7, 0.5, 0.3, 0.8])
    >>> print(narrate_measure(found).verdict)
    first has auc 0.889, second 0.556: no significant difference in this experiment (p = 0.439).
    """
    require_instance(found, MeasureComparison, "found", "Make one with compare_measure")
    first, second = found.names
    cases = f"{found.n} cases"
    if found.clusters is not None:
        cases += f" in {found.clusters} clusters"
    if found.weights:
        cases += f" of {len(found.weights)} tasks with fixed weights"
    outcome = "the difference is significant" if found.significant else "no significant difference"
    low, high = (format_number(end) for end in found.confidence_interval())
    way = _WAYS[found.way]
    way += f", {found.resamples:,} resamples" if found.resamples else ""
    again = found.replication
    symbol = "z" if found.df is None else "t"
    return Narrative(
        title=f"{first} against {second} ({found.measure}, {cases})",
        verdict=f"{first} has {found.measure} {format_number(found.first)}, {second} "
        f"{format_number(found.second)}: {outcome} in this experiment "
        f"({format_pvalue(found.pvalue)}).",
        replication="" if again is None else fresh_data(again),
        reason="" if again is None else optimism(again),
        rows=(
            Row("difference", format_number(found.estimate), f"95% interval {low} to {high}"),
            Row("evidence", f"{symbol} = {format_number(found.statistic)}, "
                f"{format_pvalue(found.pvalue)}", way),
            *(() if again is None else replication_rows(again)),
        ),
        outlook="",
        cautions=tuple(caution.text for caution in found.cautions),
    )  # fmt: skip
