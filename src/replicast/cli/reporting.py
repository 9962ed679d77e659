"""replicast report: a page, a paragraph, a table or a figure from a table of scores."""

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from replicast.cli.comparing import choose_pair
from replicast.cli.terminal import app, console, escape, sentences

if TYPE_CHECKING:
    from replicast.comparison import Comparison

_FORMATS = (".html", ".md", ".tex", ".csv", ".json", ".svg", ".png", ".pdf")


@app.command()
def report(
    scores: Annotated[Path, typer.Argument(help="Table of scores.")],
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
    lower_is_better: Annotated[
        bool, typer.Option("--lower-is-better", help="Scores are losses.")
    ] = False,
) -> None:
    """Write a report of one comparison: a page to send, or a table to paste.

    Examples
    --------
      replicast report scores.csv --first svm --second nb -o report.html

      replicast report scores.csv --first svm --second nb -o table.tex
    """  # fmt: skip
    with sentences():
        from replicast.comparison import compare
        from replicast.design import parse_design
        from replicast.errors import invalid
        from replicast.presentation.files import write_whole
        from replicast.reading.recognition import read_scores

        ending = output.suffix.lower()
        if ending not in _FORMATS:
            raise invalid("output", f"a file ending in {', '.join(_FORMATS)}", output.name)
        parsed = parse_design(design) if design else None
        table = read_scores(
            scores, design=parsed, greater_is_better=False if lower_is_better else None
        )
        pair = table.pair(*choose_pair(table.classifiers, first, second), dataset=dataset)
        found = compare(pair, method=method, significance=significance)
        write_whole(output, _content(found, ending, table.account))
        console(error=True).print(f"[dim]Report written to {escape(str(output))}[/]")


def _content(found: "Comparison", ending: str, account: tuple[str, ...]) -> bytes:
    from replicast.presentation import markup
    from replicast.presentation.pages import comparison_page
    from replicast.presentation.plots import plot_differences
    from replicast.presentation.statements import result_line
    from replicast.presentation.wording import narrate

    story, paste = narrate(found), result_line(found)
    match ending:
        case ".html":
            text = comparison_page(found, account=account)
        case ".md":
            text = markup.narrative_markdown(story, paste)
        case ".tex":
            text = markup.narrative_latex(story, paste)
        case ".csv":
            text = markup.narrative_csv(story)
        case ".json":
            text = json.dumps({**found.to_dict(), "account": list(account)}, indent=2) + "\n"
        case _:
            sink = io.BytesIO()
            figure = plot_differences(found).get_figure(root=True)
            figure.savefig(sink, format=ending[1:], dpi=160)  # type: ignore[union-attr]  # drawn on one
            return sink.getvalue()
    return text.encode("utf-8")
