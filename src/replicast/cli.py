"""The command line: parse, call, print. Progress bars live here; statistics do not."""

import json
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from replicast.comparison import Comparison

app = typer.Typer(
    name="replicast",
    help="Compare classifiers: is A better, by how much, could the test have seen it, "
    "and will it happen again?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_MAX_WIDTH = 100


def _console(*, error: bool = False) -> "Console":
    from rich.console import Console

    probe = Console(stderr=error)
    return Console(stderr=error, width=min(probe.width, _MAX_WIDTH), highlight=False)


@contextmanager
def _sentences() -> Iterator[None]:
    """Show a user's mistake as one sentence with exit code 2, and warnings not at all.

    What warnings say stands among the cautions of the result.
    """
    from replicast.errors import DegenerateScoresWarning, ReplicastError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateScoresWarning)
            yield
    except ReplicastError as error:
        _console(error=True).print(f"[bold red]Error:[/] {_escape(_as_options(str(error)))}")
        raise typer.Exit(2) from None


def _as_options(text: str) -> str:
    """Name arguments as the command line does."""
    for name in (
        "first",
        "second",
        "design",
        "dataset",
        "method",
        "significance",
        "scheme",
        "rope",
    ):
        text = text.replace(f"`{name}`", f"`--{name}`")
    return text


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Print the version when asked."""
    if show:
        from replicast import __version__

        typer.echo(f"replicast {__version__}")
        raise typer.Exit


@app.command()
def compare(
    scores: Annotated[Path, typer.Argument(help="Table of scores: wide or long CSV.")],
    first: Annotated[str | None, typer.Option(help="First classifier.")] = None,
    second: Annotated[str | None, typer.Option(help="Second classifier.")] = None,
    design: Annotated[
        str | None,
        typer.Option(
            help="How the scores arose, e.g. datasets, kfold:folds=10, "
            "repeated-kfold:runs=10,folds=10, 5x2. Default: from the columns."
        ),
    ] = None,
    dataset: Annotated[str | None, typer.Option(help="Use this dataset only.")] = None,
    method: Annotated[
        str | None, typer.Option(help="Test to use. Default: the one recommended for the design.")
    ] = None,
    significance: Annotated[float, typer.Option(help="Level of the test.")] = 0.05,
    lower_is_better: Annotated[
        bool, typer.Option("--lower-is-better", help="Scores are losses.")
    ] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the differences into this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record as JSON.")] = False,
) -> None:
    """Compare two classifiers on their scores.

    Examples
    --------
      replicast compare scores.csv --first svm --second nb

      replicast compare folds.csv --design repeated-kfold:runs=10,folds=10 --json
    """
    with _sentences():
        from replicast.comparison import compare as compare_pair
        from replicast.design import parse_design
        from replicast.reading.delimited import read_scores

        parsed = parse_design(design) if design else None
        table = read_scores(scores, design=parsed, greater_is_better=not lower_is_better)
        names = _choose_pair(table.classifiers, first, second)
        pair = table.pair(*names, dataset=dataset)
        found = compare_pair(pair, method=method, significance=significance)
        if as_json:
            typer.echo(json.dumps({**found.to_dict(), "account": list(table.account)}, indent=2))
        else:
            _print_comparison(found, _console())
        if plot is not None:
            _save_plot(found, plot)


def _choose_pair(
    classifiers: tuple[str, ...], first: str | None, second: str | None
) -> tuple[str, str]:
    """Complete the pair where there is no choice, else ask for it."""
    from replicast.errors import invalid

    if first is not None and second is not None:
        if first == second:
            raise invalid("second", "another classifier than `first`", repr(second))
        return first, second
    others = [name for name in classifiers if name not in (first, second)]
    if first is None and second is None and len(classifiers) == 2:
        return classifiers[0], classifiers[1]
    if len(others) == 1 and len(classifiers) == 2:
        return (first, others[0]) if first is not None else (others[0], str(second))
    missing = "first" if first is None else "second"
    raise invalid(
        missing, f"one of {', '.join(classifiers)}", "nothing", "Say which pair to compare"
    )


def _print_comparison(found: "Comparison", console: "Console") -> None:
    from rich.padding import Padding
    from rich.table import Table

    from replicast.presentation.wording import narrate

    story = narrate(found)
    console.print(f"[bold]{_escape(story.title)}[/]\n")
    console.print(Padding(_escape(story.verdict), (0, 0, 1, 2), expand=False))
    if story.reason:
        console.print(Padding(_escape(story.reason), (0, 0, 1, 2), expand=False))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(style="dim")
    for row in story.rows:
        table.add_row(row.label, _escape(row.value), _escape(row.remark))
    console.print(Padding(table, (0, 0, 0, 2), expand=False))
    for caution in story.cautions:
        console.print(
            Padding(f"[yellow]Caution:[/] {_escape(caution)}", (1, 0, 0, 2), expand=False)
        )


def _save_plot(found: "Comparison", path: Path) -> None:
    from replicast.errors import invalid
    from replicast.presentation.plots import plot_differences

    if path.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise invalid("plot", "a file ending in .png, .svg or .pdf", path.name)
    try:
        plot_differences(found).get_figure(root=True).savefig(path, dpi=160)  # type: ignore[union-attr]
    except OSError as error:
        raise invalid("plot", "a file that can be written", f"{path}: {error.strerror}") from None
    _console(error=True).print(f"[dim]Plot written to {_escape(str(path))}[/]")


@app.command()
def demo(
    output: Annotated[Path, typer.Option(help="Folder for the plot.")] = Path("demo-output"),
) -> None:
    """Compare two classifiers on real scores that come with replicast."""
    with _sentences():
        from importlib.resources import as_file, files

        from replicast.comparison import compare as compare_pair
        from replicast.reading.delimited import read_scores

        with as_file(files("replicast") / "data" / "breast-cancer-10x10.csv") as path:
            table = read_scores(path)
        console = _console()
        for first, second in (("svm", "naive-bayes"), ("svm", "logistic")):
            found = compare_pair(table.pair(first, second))
            _print_comparison(found, console)
            console.print()
        output.mkdir(parents=True, exist_ok=True)
        _save_plot(compare_pair(table.pair("svm", "naive-bayes")), output / "differences.png")


def main() -> None:
    """Run the command line; Ctrl-C ends it without a traceback."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
