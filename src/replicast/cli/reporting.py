"""replicast report: a page, a paragraph, a table or a figure from a table of scores."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from replicast.cli.comparing import choose_pair
from replicast.cli.terminal import app, note, sentences


@app.command()
def report(
    scores: Annotated[
        list[Path], typer.Argument(help="Table of scores; several files if need be.")
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="File; its ending says what: html, md, tex, csv, json, svg, png or pdf.",
        ),
    ],
    first: Annotated[str | None, typer.Option(help="First classifier.")] = None,
    second: Annotated[str | None, typer.Option(help="Second classifier.")] = None,
    design: Annotated[str | None, typer.Option(help="How the scores arose.")] = None,
    dataset: Annotated[str | None, typer.Option(help="Use this dataset only.")] = None,
    method: Annotated[str | None, typer.Option(help="Test to use.")] = None,
    significance: Annotated[float, typer.Option(help="Level of the test.")] = 0.05,
    missing: Annotated[
        str, typer.Option(help="refuse, drop-dataset or drop-classifier.")
    ] = "refuse",
    lower_is_better: Annotated[
        bool, typer.Option("--lower-is-better", help="Scores are losses.")
    ] = False,
) -> None:
    """Write a report: a page to send, or a table to paste. Without a pair, of all classifiers.

    Examples
    --------
      replicast report scores.csv --first svm --second nb -o report.html

      replicast report scores.csv --first svm --second nb -o table.tex
    """  # fmt: skip
    with sentences():
        from replicast.comparison import compare
        from replicast.design import parse_design
        from replicast.errors import invalid
        from replicast.many import compare_many
        from replicast.presentation.exports import FORMATS, comparison_file, standings_file
        from replicast.presentation.files import write_whole
        from replicast.reading.recognition import read_scores

        ending = output.suffix.lower()
        if ending not in FORMATS:
            raise invalid("output", f"a file ending in {', '.join(FORMATS)}", output.name)
        parsed = parse_design(design) if design else None
        table = read_scores(
            scores[0] if len(scores) == 1 else scores,
            design=parsed,
            missing=cast(Any, missing),  # checked there
            greater_is_better=False if lower_is_better else None,
        )
        if first is None and second is None and len(table.classifiers) > 2:
            ranked = compare_many(table, method=method, significance=significance)
            content = standings_file(ranked, ending, table.account)
        else:
            pair = table.pair(*choose_pair(table.classifiers, first, second), dataset=dataset)
            found = compare(pair, method=method, significance=significance)
            content = comparison_file(found, ending, table.account)
        write_whole(output, content)
        note(f"Report written to {output}")
