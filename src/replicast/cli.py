"""The command line: parse, call, print. Progress bars live here; statistics do not."""

import json
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import Console

    from replicast.comparison import Comparison
    from replicast.presentation.wording import Narrative
    from replicast.prospects import Replication

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
        "t",
        "z",
        "wins",
        "of",
        "pvalue",
        "discordant",
        "cases",
        "folds",
        "runs",
        "datasets",
        "sd",
        "model",
        "estimator",
        "confidence",
        "vary",
        "probability",
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
            from replicast.presentation.plots import plot_differences

            _save_plot(plot_differences(found), plot)


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
    from replicast.presentation.wording import narrate

    _print_narrative(narrate(found), console)


def _print_narrative(story: "Narrative", console: "Console") -> None:
    from rich.padding import Padding
    from rich.table import Table

    console.print(f"[bold]{_escape(story.title)}[/]\n")
    for paragraph in story.paragraphs:
        console.print(Padding(_escape(paragraph), (0, 0, 1, 2), expand=False))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(style="dim")
    for row in story.rows:
        table.add_row(row.label, _escape(row.value), _escape(row.remark))
    console.print(Padding(table, (0, 0, 0, 2), expand=False))
    if story.outlook:
        console.print(Padding(_escape(story.outlook), (1, 0, 0, 2), expand=False))
    for caution in story.cautions:
        console.print(
            Padding(f"[yellow]Caution:[/] {_escape(caution)}", (1, 0, 0, 2), expand=False)
        )


def _save_plot(axes: "Axes", path: Path) -> None:
    from replicast.errors import invalid

    if path.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise invalid("plot", "a file ending in .png, .svg or .pdf", path.name)
    try:
        axes.get_figure(root=True).savefig(path, dpi=160)  # type: ignore[union-attr]  # always drawn on one
    except OSError as error:
        raise invalid("plot", "a file that can be written", f"{path}: {error.strerror}") from None
    _console(error=True).print(f"[dim]Plot written to {_escape(str(path))}[/]")


_Statistic = Annotated[float | None, typer.Option("--t", help="t statistic; say --folds too.")]
_Z = Annotated[float | None, typer.Option("--z", help="Wilcoxon's Z; say --datasets too.")]
_Wins = Annotated[float | None, typer.Option("--wins", help="Wins; say --of too.")]
_Of = Annotated[int | None, typer.Option("--of", help="Datasets the wins are out of.")]
_PValue = Annotated[
    float | None, typer.Option("--pvalue", help="Two-sided p-value; say --folds or --datasets too.")
]
_Discordant = Annotated[
    str | None,
    typer.Option(
        "--discordant", help="Cases only the first and only the second got right, as 40,20; "
        "say --cases too."
    ),
]  # fmt: skip
_Cases = Annotated[int | None, typer.Option("--cases", help="Cases of the test set.")]
_Folds = Annotated[int | None, typer.Option("--folds", help="Folds of the cross-validation.")]
_Runs = Annotated[int, typer.Option("--runs", help="Runs of the cross-validation.")]
_DatasetCount = Annotated[int | None, typer.Option("--datasets", help="Number of datasets.")]
_Sd = Annotated[float | None, typer.Option("--sd", help="Standard deviation s* of Z.")]
_CountModel = Annotated[str, typer.Option("--model", help="For wins: binomial or bayesian.")]
_Estimator = Annotated[str, typer.Option(help="calibrated, flat or as-published.")]
_Level = Annotated[float, typer.Option(help="Level of the test.")]
_AsJson = Annotated[bool, typer.Option("--json", help="Print the record as JSON.")]


@app.command()
def replicate(
    t: _Statistic = None,
    z: _Z = None,
    wins: _Wins = None,
    of: _Of = None,
    pvalue: _PValue = None,
    discordant: _Discordant = None,
    cases: _Cases = None,
    folds: _Folds = None,
    runs: _Runs = 1,
    datasets: _DatasetCount = None,
    sd: _Sd = None,
    model: _CountModel = "binomial",
    estimator: _Estimator = "calibrated",
    significance: _Level = 0.05,
    confidence: Annotated[float, typer.Option(help="Level of the interval.")] = 0.95,
    target: Annotated[
        str | None,
        typer.Option(help="Design of the replication, e.g. kfold:folds=20."),
    ] = None,
    data: Annotated[float, typer.Option(help="Times the data of the first experiment.")] = 1.0,
    plot: Annotated[Path | None, typer.Option(help="Draw the chance against the p-value.")] = None,
    as_json: _AsJson = False,
) -> None:
    """Chance that a published result happens again on fresh data.

    Examples
    --------
      replicast replicate --t 2.262 --folds 10

      replicast replicate --z 2.437 --datasets 20 --sd 0.779

      replicast replicate --wins 29 --of 44

      replicast replicate --pvalue 0.03 --folds 10 --runs 10

      replicast replicate --discordant 40,20 --cases 500
    """
    with _sentences():
        from replicast.design import parse_design
        from replicast.presentation.wording import narrate_replication
        from replicast.replication.estimates import report_replication

        first = _reported(
            t=t, z=z, wins=wins, of=of, pvalue=pvalue, discordant=discordant, cases=cases,
            folds=folds, runs=runs, datasets=datasets, sd=sd, model=model,
        )  # fmt: skip
        found = report_replication(
            first.first_result,
            estimator=estimator,
            significance=significance,
            confidence=confidence,
            target_design=parse_design(target) if target else None,
            data_factor=data,
        )
        if as_json:
            typer.echo(json.dumps(found.to_dict(), indent=2))
        else:
            required = _required(found)
            _print_narrative(narrate_replication(found, required), _console())
        if plot is not None:
            from replicast.presentation.replication_plots import plot_replication_curve

            _save_plot(plot_replication_curve(found.design, mark=found), plot)


def _required(found: "Replication") -> list[tuple[float, float | None]]:
    """Return the p-values a result of this design needs, where a p-value decides."""
    from replicast.errors import InvalidArgumentError
    from replicast.replication.summaries import required_pvalue

    if found.model not in ("wilcoxon", "corrected-t"):
        return []
    answers: list[tuple[float, float | None]] = []
    estimator = "calibrated" if found.estimator == "empirical-bayes" else found.estimator
    for wanted in (0.8, 0.95):
        try:
            needed: float | None = required_pvalue(
                wanted,
                design=found.design,
                estimator=cast(Any, estimator),  # one of three, checked there
                significance=found.significance,
            )
        except (
            InvalidArgumentError
        ):  # no result of this design reaches it: an answer, not a mistake
            needed = None
        answers.append((wanted, needed))
    return answers


def _reported(
    *,
    t: float | None,
    z: float | None,
    wins: float | None,
    of: int | None,
    pvalue: float | None,
    discordant: str | None,
    cases: int | None,
    folds: int | None,
    runs: int,
    datasets: int | None,
    sd: float | None,
    model: str,
) -> "Replication":
    """Read the one reported result among the options."""
    from replicast.design import Datasets, Design, KFold, RepeatedKFold
    from replicast.errors import invalid
    from replicast.replication import summaries

    given = {"t": t, "z": z, "wins": wins, "pvalue": pvalue, "discordant": discordant}
    named = [name for name, value in given.items() if value is not None]
    if len(named) != 1:
        raise invalid(
            "t", "given, or --z, --wins, --pvalue or --discordant: one of the five",
            " and ".join(f"--{name}" for name in named) or "none",
        )  # fmt: skip
    if t is not None:
        return summaries.replication_from_t(t, folds=folds, runs=runs, datasets=datasets)
    if z is not None:
        return summaries.replication_from_z(z, datasets=_needed(datasets, "datasets", "z"), sd=sd)
    if wins is not None:
        return summaries.replication_from_wins(wins, _needed(of, "of", "wins"), model=model)
    if discordant is not None:
        counts = discordant.split(",")
        if len(counts) != 2 or not all(part.strip().isdecimal() for part in counts):
            raise invalid("discordant", "two counts such as 40,20", repr(discordant))
        first, second = (int(part) for part in counts)
        total = _needed(cases, "cases", "discordant")
        return summaries.replication_from_discordant(first, second, cases=total)
    design: Design
    if folds is not None:
        design = KFold(folds) if runs == 1 else RepeatedKFold(runs=runs, folds=folds)
    else:
        design = Datasets(_needed(datasets, "folds", "pvalue"))
    return summaries.replication_from_pvalue(pvalue or 0.0, design=design)


def _needed(value: int | None, option: str, beside: str) -> int:
    from replicast.errors import invalid

    if value is None:
        raise invalid(option, f"given with --{beside}", "nothing", f"Add --{option}")
    return value


@app.command()
def plan(
    t: _Statistic = None,
    z: _Z = None,
    wins: _Wins = None,
    of: _Of = None,
    pvalue: _PValue = None,
    discordant: _Discordant = None,
    cases: _Cases = None,
    folds: _Folds = None,
    runs: _Runs = 1,
    datasets: _DatasetCount = None,
    model: _CountModel = "binomial",
    vary: Annotated[
        str | None, typer.Option(help="What may grow: datasets, folds, runs or cases.")
    ] = None,
    probability: Annotated[float, typer.Option(help="Wanted chance of replication.")] = 0.95,
    estimator: _Estimator = "calibrated",
    significance: _Level = 0.05,
    plot: Annotated[Path | None, typer.Option(help="Draw the curve into this file.")] = None,
    as_json: _AsJson = False,
) -> None:
    """How large must the next experiment be for a result that holds?

    Examples
    --------
      replicast plan --t 2.9 --folds 10 --vary runs --probability 0.8

      replicast plan --z 1.96 --datasets 20
    """
    with _sentences():
        from replicast.presentation.wording import narrate_plan
        from replicast.replication.outlook import plan as plan_replication

        first = _reported(
            t=t, z=z, wins=wins, of=of, pvalue=pvalue, discordant=discordant, cases=cases,
            folds=folds, runs=runs, datasets=datasets, sd=None, model=model,
        )  # fmt: skip
        found = plan_replication(
            first,
            probability=probability,
            vary=cast(Any, vary),  # checked there
            estimator=cast(Any, estimator),
            significance=significance,
        )
        if as_json:
            typer.echo(json.dumps(found.to_dict(), indent=2))
        else:
            _print_narrative(narrate_plan(found), _console())
        if plot is not None:
            from replicast.presentation.replication_plots import plot_plan

            _save_plot(plot_plan(found), plot)


@app.command()
def demo(
    output: Annotated[Path, typer.Option(help="Folder for the plot.")] = Path("demo-output"),
) -> None:
    """Compare two classifiers on real scores that come with replicast."""
    with _sentences():
        from importlib.resources import as_file, files

        from replicast.comparison import compare as compare_pair
        from replicast.presentation.plots import plot_differences
        from replicast.presentation.replication_plots import plot_replication_curve
        from replicast.reading.delimited import read_scores

        with as_file(files("replicast") / "data" / "breast-cancer-10x10.csv") as path:
            table = read_scores(path)
        console = _console()
        for first, second in (("svm", "naive-bayes"), ("svm", "logistic")):
            found = compare_pair(table.pair(first, second))
            _print_comparison(found, console)
            console.print()
        output.mkdir(parents=True, exist_ok=True)
        found = compare_pair(table.pair("svm", "naive-bayes"))
        _save_plot(plot_differences(found), output / "differences.png")
        curve = plot_replication_curve(found.scores.design, mark=found.replication)
        _save_plot(curve, output / "replication.png")


def main() -> None:
    """Run the command line; Ctrl-C ends it without a traceback."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
