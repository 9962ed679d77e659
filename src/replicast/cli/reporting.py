"""replicast report: a page, a paragraph, a table or a figure from a table of scores."""

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from replicast.cli.comparing import choose_pair
from replicast.cli.terminal import app, note, sentences

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from replicast.comparison import Comparison
    from replicast.scores import ScoreTable

_FORMATS = (".html", ".md", ".tex", ".csv", ".json", ".svg", ".png", ".pdf")


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
        from replicast.presentation.files import write_whole
        from replicast.reading.recognition import read_scores

        ending = output.suffix.lower()
        if ending not in _FORMATS:
            raise invalid("output", f"a file ending in {', '.join(_FORMATS)}", output.name)
        parsed = parse_design(design) if design else None
        table = read_scores(
            scores[0] if len(scores) == 1 else scores,
            design=parsed,
            missing=cast(Any, missing),  # checked there
            greater_is_better=False if lower_is_better else None,
        )
        if first is None and second is None and len(table.classifiers) > 2:
            content = _many_content(table, ending, method, significance)
        else:
            pair = table.pair(*choose_pair(table.classifiers, first, second), dataset=dataset)
            found = compare(pair, method=method, significance=significance)
            content = _content(found, ending, table.account)
        write_whole(output, content)
        note(f"Report written to {output}")


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
            return _picture(plot_differences(found), ending)
    return text.encode("utf-8")


def _many_content(
    table: "ScoreTable", ending: str, method: str | None, significance: float
) -> bytes:
    from replicast.many import compare_many
    from replicast.presentation import markup
    from replicast.presentation.many_pages import many_page, pair_table, standing_table
    from replicast.presentation.rank_plots import plot_critical_difference
    from replicast.presentation.rank_wording import narrate_many

    found = compare_many(table, method=method, significance=significance)
    story = narrate_many(found)
    standing, pairs = standing_table(found), pair_table(found)
    match ending:
        case ".html":
            text = many_page(found, account=table.account)
        case ".md":
            lead = markup.escape_markdown(story.verdict)
            text = (
                f"{lead}\n\n{markup.markdown_table(*standing)}\n\n{markup.markdown_table(*pairs)}\n"
            )
        case ".tex":
            lead = markup.escape_latex(story.verdict)
            tables = [markup.latex_table(*part, caption=story.title) for part in (standing, pairs)]
            text = "\n\n".join(["% needs \\usepackage{booktabs}", lead, *tables]) + "\n"
        case ".csv":
            text = markup.csv_table(*pairs)
        case ".json":
            text = json.dumps({**found.to_dict(), "account": list(table.account)}, indent=2) + "\n"
        case _:
            return _picture(plot_critical_difference(found), ending)
    return text.encode("utf-8")


def _picture(axes: "Axes", ending: str) -> bytes:
    sink = io.BytesIO()
    figure = axes.get_figure(root=True)
    figure.savefig(sink, format=ending[1:], dpi=160)  # type: ignore[union-attr]  # always drawn on one
    return sink.getvalue()
