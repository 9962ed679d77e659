"""replicast rank: many classifiers over many datasets."""

import json
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from replicast.cli.terminal import app, console, print_narrative, save_plot, sentences


@app.command()
def rank(
    scores: Annotated[
        list[Path], typer.Argument(help="Table of scores; several files if need be.")
    ],
    control: Annotated[
        str | None, typer.Option(help="Compare only with this classifier, e.g. the new one.")
    ] = None,
    correction: Annotated[
        str, typer.Option(help="holm, hochberg, shaffer or bonferroni.")
    ] = "holm",
    method: Annotated[str | None, typer.Option(help="Test of the pairs.")] = None,
    significance: Annotated[float, typer.Option(help="Level after correction.")] = 0.05,
    design: Annotated[str | None, typer.Option(help="How the scores arose.")] = None,
    missing: Annotated[
        str, typer.Option(help="refuse, drop-dataset or drop-classifier.")
    ] = "refuse",
    lower_is_better: Annotated[
        bool, typer.Option("--lower-is-better", help="Scores are losses.")
    ] = False,
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
    with sentences():
        from replicast.design import parse_design
        from replicast.many import compare_many
        from replicast.presentation.rank_plots import (
            plot_comparison_matrix,
            plot_critical_difference,
        )
        from replicast.presentation.rank_wording import narrate_many
        from replicast.reading.recognition import read_scores

        table = read_scores(
            scores[0] if len(scores) == 1 else scores,
            design=parse_design(design) if design else None,
            missing=cast(Any, missing),  # checked there
            greater_is_better=False if lower_is_better else None,
        )
        found = compare_many(
            table,
            control=control,
            correction=cast(Any, correction),  # checked there
            method=method,
            significance=significance,
        )
        if as_json:
            typer.echo(json.dumps({**found.to_dict(), "account": list(table.account)}, indent=2))
        else:
            print_narrative(narrate_many(found), console())
        if plot is not None:
            save_plot(plot_critical_difference(found), plot)
        if matrix is not None:
            save_plot(plot_comparison_matrix(found), matrix)
