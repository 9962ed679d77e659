"""replicast compare and replicast demo."""

import json
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from replicast.cli.terminal import app, console, print_comparison, save_plot, sentences


@app.command()
def compare(
    scores: Annotated[
        list[Path],
        typer.Argument(
            help="Scores: CSV, Parquet, Weka, AutoML benchmark and others; or several files."
        ),
    ],
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
    metric: Annotated[
        str | None, typer.Option(help="Which measure, where a file has several.")
    ] = None,
    missing: Annotated[
        str, typer.Option(help="refuse, drop-dataset or drop-classifier.")
    ] = "refuse",
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
    with sentences():
        from replicast.comparison import compare as compare_pair
        from replicast.design import parse_design
        from replicast.reading.recognition import read_scores

        parsed = parse_design(design) if design else None
        table = read_scores(
            scores[0] if len(scores) == 1 else scores,
            design=parsed,
            metric=metric,
            missing=cast(Any, missing),  # checked there
            greater_is_better=False if lower_is_better else None,
        )
        names = choose_pair(table.classifiers, first, second)
        pair = table.pair(*names, dataset=dataset)
        found = compare_pair(pair, method=method, significance=significance)
        if as_json:
            typer.echo(json.dumps({**found.to_dict(), "account": list(table.account)}, indent=2))
        else:
            print_comparison(found, console())
        if plot is not None:
            from replicast.presentation.plots import plot_differences

            save_plot(plot_differences(found), plot)


def choose_pair(
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


@app.command()
def demo(
    output: Annotated[Path, typer.Option(help="Folder for the plot.")] = Path("demo-output"),
) -> None:
    """Compare two classifiers on real scores that come with replicast."""
    with sentences():
        from importlib.resources import as_file, files

        from replicast.comparison import compare as compare_pair
        from replicast.presentation.plots import plot_differences
        from replicast.presentation.replication_plots import plot_replication_curve
        from replicast.reading.recognition import read_scores

        with as_file(files("replicast") / "data" / "breast-cancer-10x10.csv") as path:
            table = read_scores(path)
        screen = console()
        for first, second in (("svm", "naive-bayes"), ("svm", "logistic")):
            found = compare_pair(table.pair(first, second))
            print_comparison(found, screen)
            screen.print()
        output.mkdir(parents=True, exist_ok=True)
        found = compare_pair(table.pair("svm", "naive-bayes"))
        save_plot(plot_differences(found), output / "differences.png")
        curve = plot_replication_curve(found.scores.design, mark=found.replication)
        save_plot(curve, output / "replication.png")
