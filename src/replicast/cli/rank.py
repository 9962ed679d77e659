"""replicast rank: many classifiers over many datasets."""

import json
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from replicast.cli.options import (
    UNSAID,
    Files,
    Reading,
    read_files,
    reads_scores,
    told_by,
)
from replicast.cli.progress import progress
from replicast.cli.terminal import app, console, print_narrative, save_plot


@app.command()
@reads_scores
def rank(
    scores: Files,
    control: Annotated[
        str | None, typer.Option(help="Compare only with this classifier, e.g. the new one.")
    ] = None,
    correction: Annotated[
        str,
        typer.Option(help="Correction for many pairs: holm, hochberg, shaffer or bonferroni."),
    ] = "holm",
    method: Annotated[
        str | None,
        typer.Option(help="Test of a pair. Default: the one recommended for the design."),
    ] = None,
    significance: Annotated[float, typer.Option(help="Level after correction.")] = 0.05,
    relation: Annotated[
        str | None,
        typer.Option(
            help="How any two are related: close, any or unknown. Default: close for neighbours in "
            "the ranking, over datasets and on one test set; else unknown."
        ),
    ] = None,
    reading: Reading = UNSAID,
    plot: Annotated[Path | None, typer.Option(help="Draw the standing into this file.")] = None,
    matrix: Annotated[Path | None, typer.Option(help="Draw all pairs into this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record as JSON.")] = False,
) -> None:
    """Compare many classifiers: who is first, who differs, and would it stay so?

    Examples
    --------
      replicast rank scores.csv

      replicast rank scores.csv --control new-method --correction hochberg --plot standing.png
    """
    from replicast.comparison.many import compare_many
    from replicast.presentation.pictures.standings import (
        plot_comparison_matrix,
        plot_critical_difference,
    )
    from replicast.presentation.words.standings import narrate_many

    table = read_files(scores, reading)
    with progress(f"comparing {len(table.classifiers)} classifiers") as bar:
        found = compare_many(
            table,
            control=control,
            correction=cast(Any, correction),  # checked there
            method=method,
            significance=significance,
            relation=cast(Any, relation),  # checked there
            progress=lambda done, total: bar.advance(done, total, "pairs"),
        )
    if as_json:
        typer.echo(json.dumps({**found.to_dict(), **told_by(table)}, indent=2))
    else:
        print_narrative(narrate_many(found), console())
    if plot is not None:
        save_plot(plot_critical_difference(found), plot)
    if matrix is not None:
        save_plot(plot_comparison_matrix(found), matrix)
