"""replicast report: a page, a paragraph, a table or a figure from a table of scores."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from replicast.cli.compare import choose_pair
from replicast.cli.options import (
    RELATION,
    UNSAID,
    DatasetCases,
    Files,
    FirstName,
    Reading,
    Rope,
    SecondName,
    TestName,
    UnitWord,
    in_scores,
    read_files,
    reads_scores,
)
from replicast.cli.progress import progress
from replicast.cli.terminal import app, note


@app.command()
@reads_scores
def report(
    scores: Files,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="File; its ending says what: html, pdf, md, tex, csv, json, or the figure: svg, png.",
        ),
    ],
    first: FirstName = None,
    second: SecondName = None,
    method: TestName = None,
    significance: Annotated[float, typer.Option(help="Level of the test.")] = 0.05,
    rope: Rope = None,
    unit: UnitWord = None,
    cases: DatasetCases = None,
    relation: Annotated[str | None, RELATION] = None,
    reading: Reading = UNSAID,
) -> None:
    """Write a report: a page to send, or a table to paste. Without a pair, of all classifiers.

    Examples
    --------
      replicast report scores.csv --first svm --second nb -o report.html

      replicast report scores.csv --first svm --second nb -o table.tex
    """  # fmt: skip
    from replicast.comparison.many import compare_many
    from replicast.comparison.pair import compare
    from replicast.errors import invalid, nearest
    from replicast.presentation.files.exports import (
        FORMATS,
        PICTURES,
        comparison_file,
        standings_file,
    )
    from replicast.presentation.files.writing import write_whole
    from replicast.scores.pairs import with_cases

    ending = output.suffix.lower()
    if ending not in FORMATS:
        remedy = nearest(ending, tuple(FORMATS))
        raise invalid("output", f"a file ending in {', '.join(FORMATS)}", output.name, remedy)
    table = read_files(scores, reading, classifiers=(first, second))
    if first is None and second is None and len(table.classifiers) > 2:
        for name, value in (("rope", rope), ("cases", cases)):
            if value is not None:
                remedy = "Say --first and --second"
                raise invalid(name, "given with a pair of classifiers", value, remedy)
        with progress(f"comparing {len(table.classifiers)} classifiers") as bar:
            ranked = compare_many(
                table,
                method=method,
                significance=significance,
                relation=cast(Any, relation),  # checked there
                progress=lambda done, total: bar.advance(done, total, "pairs"),
            )
        content = standings_file(ranked, ending, table.account)
    else:
        chosen = choose_pair(table.classifiers, first, second)
        pair = with_cases(table.pair(*chosen, dataset=reading.dataset), cases)
        found = compare(
            pair,
            method=method,
            significance=significance,
            rope=in_scores(rope, pair, "rope", unit),
            relation=cast(Any, relation or "unknown"),  # checked there
        )
        content = comparison_file(found, ending, table.account)
    write_whole(output, content)
    note(f"{'Figure' if ending in PICTURES else 'Report'} written to {output}")
