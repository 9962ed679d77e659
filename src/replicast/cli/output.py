"""What every answer offers on the command line: ten lines, more, JSON, or a file."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from replicast.cli.bundles import option
from replicast.cli.terminal import console, in_options, note

if TYPE_CHECKING:
    from replicast.comparison.inquiry import Reply
    from replicast.presentation.renderers.text import Line
    from replicast.results import Record

Rows = list[tuple[str, str]]
_COLOURS = {"pass": "green", "fail": "red", "cannot tell": "yellow"}


@dataclass(frozen=True, kw_only=True)
class Output:
    """The options by which an answer is shown: every command that answers has all of them."""

    output: Path | None = option(
        "Write a report (html, md, tex, csv, json, txt) or a figure (svg, png, pdf).",
        None,
        "--output",
        "-o",
    )
    more: bool = option("Show every number, caution and assumption.", False, "--more")
    figure: str | None = option("Another figure for -o, where there are several.")
    width: str | None = option("Width of the figure: column, text, or inches such as 4in.")
    bare: bool = option("A figure without title and note, for a paper.", False, "--bare")
    as_json: bool = option("Print the record as JSON.", False, "--json")


def show(
    result: "Record",
    output: Output,
    account: Sequence[str] = (),
    *,
    also: dict[str, Any] | None = None,
    **options: Any,
) -> None:
    """Print an answer, or its record, and write the file that was asked for."""
    from replicast.presentation.telling import ending_of, rendered, tell

    content = None
    if output.output is not None:
        content = rendered(
            result,
            ending_of(output.output),
            account,
            figure=output.figure,
            width=output.width,
            bare=output.bare,
            **options,
        )
    if output.as_json:
        told = {"account": list(account)} if account else {}
        typer.echo(json.dumps({**result.to_dict(), **told, **(also or {})}, indent=2))
    else:
        _print(tell(result, [in_options(line) for line in account], **options), more=output.more)
    if content is not None and output.output is not None:
        from replicast.presentation.writing import write_whole

        write_whole(output.output, content)
        note(f"Written to {output.output}")


def show_reply(reply: "Reply", output: Output) -> None:
    """Print a reply, or its record, and write the file that was asked for."""
    shown = reply.result if output.as_json or reply.shown is None else reply.shown
    show(shown, output, reply.account, also=reply.beside)


def _print(document: Any, *, more: bool) -> None:
    from replicast.presentation.renderers.text import WIDTH, answer_lines, more_lines

    screen = console()
    width = min(screen.width, WIDTH)
    lines = more_lines(document, width) if more else answer_lines(document, width)
    for line in lines:
        screen.print(_styled(line), soft_wrap=True)


def _styled(line: "Line") -> Any:
    """Return a line with its weight: the headline is bold, a verdict word alone has a colour."""
    from rich.text import Text

    style = {"headline": "bold", "title": "bold", "soft": "dim", "heading": "dim", "rule": "dim"}
    text = Text(line.text, style.get(line.kind, ""))
    if line.signal:
        text.stylize(_COLOURS[line.signal], 0, len(line.signal))
    if line.kind == "caution":
        text.highlight_words(["caution:"], "yellow")
    return text


def print_rows(context: Any, title: str, rows: Rows) -> None:
    """Print a title, and below it names with what they mean."""
    formatter = context.make_formatter()
    with formatter.section(title):
        formatter.write_dl(rows)
    typer.echo(formatter.getvalue().strip())


def set_table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    r"""Set rows of cells as text no wider than the screen; no cell is broken.

    What is too wide is turned on its side, or cut into several tables with the first column in front.

    Examples
    --------
    >>> print(*set_table([["name", "rows"], ["vote", "435"]], 80), sep="\n")
    name  rows
    vote   435
    """
    turned = [*zip(*rows, strict=True)]
    columns = _columns(rows)
    if _width(columns) > width >= _width(_columns(turned)):
        columns = _columns(turned)
    tables, taken = [], columns[:1]
    for column in columns[1:]:
        if len(taken) > 1 and _width([*taken, column]) > width:
            tables.append(taken)
            taken = columns[:1]
        taken = [*taken, column]
    return ["\n".join(map("  ".join, zip(*table, strict=True))) for table in (*tables, taken)]


def _columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the columns of a table, each cell as wide as the widest; the first is to the left."""
    columns: list[list[str]] = []
    for column in zip(*rows, strict=True):
        side = ">" if columns else "<"
        width = max(map(len, column))
        columns.append([f"{cell:{side}{width}}" for cell in column])
    return columns


def _width(columns: Sequence[Sequence[str]]) -> int:
    return sum(len(column[0]) + 2 for column in columns) - 2
