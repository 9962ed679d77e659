"""replicast rank: many classifiers over many datasets."""

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import typer

from replicast.cli.bundles import Bundle, option
from replicast.cli.options import Files, Measuring, Reading
from replicast.cli.output import Output, show, show_reply
from replicast.cli.progress import progress
from replicast.cli.terminal import app, console, escape

if TYPE_CHECKING:
    from replicast.comparison.inquiry import Inquiry
    from replicast.scores.tables import ScoreTable


@dataclass(frozen=True, kw_only=True)
class Ranking(Bundle):
    """The options of a ranking: by which test, how corrected, and how much of it is shown."""

    control: str | None = option("Compare only with this classifier, e.g. the new one.")
    correction: str = option(
        "Correction for many pairs: holm, hochberg, shaffer or bonferroni.", "holm"
    )
    method: str | None = option("Test of a pair. Default: the one recommended for the design.")
    significance: float = option("Level after correction.", 0.05)
    relation: str | None = option(
        "How any two are related: close, any or unknown. Default: close for neighbours in the "
        "ranking, over datasets and on one test set; else unknown."
    )
    top: int | None = option("So many rows of the table. Default: 5.", min=1)
    every: bool = option("Every row of the table.", False, "--all")


@app.command()
def rank(
    scores: Files, *, ranking: Ranking, reading: Reading, measuring: Measuring, output: Output
) -> None:
    """Compare many classifiers: who is first, who differs, and would it stay so?

    Examples
    --------
      replicast rank scores.csv

      replicast rank scores.csv --control new-method --correction hochberg -o standing.png
    """
    from replicast.comparison.inquiry import Reply, by_pairs, by_parts
    from replicast.comparison.many import rank
    from replicast.comparison.pair import compare
    from replicast.errors import refuse_beside

    inquiry, level = reading.inquiry(scores, **asdict(measuring)), ranking.significance
    several: Reply | None = None
    if measuring.measure is not None:
        refuse_beside("measure", ranking.only("control", "method", "top"))
        several = by_pairs(inquiry, level, relation=ranking.relation or "unknown")
    elif reading.metric == "all":

        def leaders(part: "Inquiry") -> Reply:
            table = part.table()
            first, second, *_ = rank(table, significance=level).classifiers
            pair = table.pair(first, second)
            return Reply(compare(pair, method=ranking.method), table.account)

        several = by_parts(inquiry, None, leaders, level)
    if several is not None:
        show_reply(several, output)
        return
    table = inquiry.table()
    count = len(table.classifiers)
    if count == 1:
        _print_one(table, as_json=output.as_json)
        return
    with progress(f"comparing {count} classifiers") as bar:
        found = rank(
            table,
            **ranking.only("control", "correction", "method", "significance", "relation"),
            progress=lambda done, total: bar.advance(done, total, "pairs"),
        )
    rows = count if ranking.every else ranking.top
    show(found, output, table.account, also={"direction": table.direction}, top=rows)


def _print_one(table: "ScoreTable", *, as_json: bool) -> None:
    """Print the score of the only model of a table, with its interval."""
    from replicast.inference.one_model import score_interval

    found = score_interval(table)
    low, high = found.confidence_interval()
    if as_json:
        told = {"account": list(table.account), "direction": table.direction}
        typer.echo(json.dumps({**found.to_dict(), "interval": [low, high], **told}, indent=2))
    else:
        console().print(escape(str(found)))
