"""replicast stop: may a running comparison end?"""

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from replicast.cli.bundles import option
from replicast.cli.options import Files, Pair, Reading
from replicast.cli.output import Output, show
from replicast.cli.terminal import app
from replicast.cli.words import read_two

if TYPE_CHECKING:
    from replicast.scores.pairs import PairedScores


@app.command()
def stop(
    cases: Files,
    *,
    models: Pair,
    total: int | None = option("Cases planned."),
    bounds: str = option("Least and largest score a case can have, e.g. 0,10.", "0,1"),
    significance: float = option("Chance of a false decision, over all looks together.", 0.05),
    reading: Reading,
    output: Output,
) -> None:
    """May I stop? Look as often as you like at cases that came in random order.

    The exit code is 0 if the comparison is decided and 3 if it is still open.

    Examples
    --------
      replicast stop cases.jsonl --first new --second old --total 1000
    """
    from replicast.errors import invalid
    from replicast.formatting import join_words
    from replicast.judging.monitor import Monitor
    from replicast.reading.slices import sorted_by
    from replicast.results import Caution

    inquiry = reading.inquiry(cases, models.names, assume=False)
    table = inquiry.table()
    names = inquiry.choose(table.classifiers)
    pair = table.pair(*names, dataset=reading.dataset)
    if total is not None and total < len(pair.first):
        raise invalid("total", f"at least {len(pair.first)}, the cases that came", total)
    low, high = _limits(bounds, pair)
    watch = Monitor(
        names=names, significance=significance, total=total, design=pair.design, bounds=(low, high)
    )
    scores = (pair.first, pair.second)
    if not pair.greater_is_better:  # a loss is watched from the other end
        scores = (low + high - pair.first, low + high - pair.second)
    watch.add_many(*(side.tolist() for side in scores))
    found = watch.look()
    columns = sorted_by(inquiry.source, names, reading.sheet)
    if columns:
        text = f"The cases come sorted by {join_words(columns)}, in no random order. Shuffle them first."
        found = replace(found, cautions=(Caution("sorted-cases", text), *found.cautions))
    show(found, output, table.account, also={"direction": table.direction})
    raise typer.Exit(0 if found.progress.better else 3)


def _limits(text: str, pair: "PairedScores") -> tuple[float, float]:
    """Return the least and the largest score, which hold those that came."""
    from replicast.errors import invalid

    low, high = read_two(text, "bounds", "two numbers such as 0,10")
    least, most = (float(pick((pick(pair.first), pick(pair.second)))) for pick in (min, max))
    winners_only = pair.design.over_datasets
    if not winners_only and not low <= least <= most <= high:
        domain = "the least and the largest score a case can have"
        raise invalid("bounds", domain, f"{text} for scores from {least:g} to {most:g}")
    return low, high
