"""replicast audit, warm and datasets: rerun an experiment on new partitions."""

import gc
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer

from replicast.cli.bundles import REQUIRED, argument, option
from replicast.cli.output import Output, set_table, show
from replicast.cli.progress import progress
from replicast.cli.terminal import app, console, note

if TYPE_CHECKING:
    from replicast.datasets import Dataset


@app.command("datasets")
def list_datasets(
    as_json: bool = option("Print the list as JSON.", False, "--json"),
) -> None:
    """List the datasets that come with replicast."""
    from replicast import datasets

    found = [datasets.load(name) for name in datasets.names()]
    rows = [(d.name, len(d.X), d.X.shape[1], d.classes, d.source) for d in found]
    keys = ("name", "rows", "attributes", "classes", "source")
    if as_json:
        typer.echo(json.dumps([dict(zip(keys, row, strict=True)) for row in rows], indent=2))
        return
    cells = [keys, *([str(value) for value in row] for row in rows)]
    typer.echo("\n".join(set_table([row[:-1] for row in cells], console().width)))


@dataclass(frozen=True, kw_only=True)
class Rerunning:
    """The options of an audit: how often, by which tests, and how folds are fitted."""

    reruns: int = option("How often everything is repeated.", 10)
    tests: str | None = option("Tests to audit, separated by commas. Default: the usual ten.")
    significance: float = option("Level of the tests.", 0.05)
    seed: int = option("Seed of the partitions.", 0)
    jobs: int = option("Cores to use.", 1)
    engine: str = option("auto, or refit to fit every fold with scikit-learn.", "auto")
    small_classes: str = option("refuse or allow classes with fewer rows than folds.", "refuse")


@app.command()
def audit(
    data: str = argument("A dataset that comes with replicast, or a CSV, Parquet or ARFF file."),
    *,
    first: str = option("First classifier: a name or module:Class(...).", REQUIRED),
    second: str = option("Second classifier.", REQUIRED),
    target: str | None = option("Column of the class. Default: the last one."),
    rerunning: Rerunning,
    output: Output,
) -> None:
    """Rerun an experiment on new random partitions: does a test agree with itself?

    Examples
    --------
      replicast audit vote --first naive-bayes --second c45

      replicast audit my.csv --target class --first "sklearn.svm:SVC(C=10)" --second tree
    """
    with progress(
        f"{rerunning.reruns} reruns on {Path(data).name}"
    ) as bar:  # shown before the imports
        from replicast.errors import require_choice
        from replicast.experiment.specs import read_estimator
        from replicast.kernels.compiled import told_of_compiling
        from replicast.replicability.measure import Experiment, audit
        from replicast.replicability.procedures import USUAL

        engine = require_choice(rerunning.engine, "engine", ("auto", "refit"))
        small = require_choice(rerunning.small_classes, "small_classes", ("refuse", "allow"))
        named = None if rerunning.tests is None else rerunning.tests.split(",")
        models = read_estimator(first, "first"), read_estimator(second, "second")
        problem = _load(data, target)
        experiment = Experiment(
            *models,
            problem.X,
            problem.y,
            names=(first, second),
            dataset=problem.name,
            engine=cast(Any, engine),
            small_classes=cast(Any, small),
        )
        with told_of_compiling(bar.tell_of_compiling):
            gc.freeze()  # compiling makes garbage, and what is loaded is none: a tenth is saved
            found = audit(
                experiment,
                tests=USUAL if named is None else [name.strip() for name in named],
                reruns=rerunning.reruns,
                rng=rerunning.seed,
                significance=rerunning.significance,
                n_jobs=rerunning.jobs,
                progress=bar.advance,
            )
    show(found, output)


def _load(data: str, target: str | None) -> "Dataset":
    """Return a bundled dataset by name, or read a file."""
    from replicast import datasets
    from replicast.reading.tables import read_table

    if data in datasets.names() and target is None:
        return datasets.load(data)
    path = Path(data)
    if not path.suffix and not path.exists():
        return datasets.load(data)  # says which names there are
    frame = read_table(path)
    return datasets.from_frame(frame, path.name.split(".")[0], target)


@app.command()
def warm() -> None:
    """Compile everything once, so that the first audit does not have to wait for it."""
    import time

    begun = time.perf_counter()
    with progress("compiling") as bar:
        from replicast.replicability.warming import STEPS, warm_up

        for done, _ in enumerate(warm_up(), start=1):
            bar.advance(done, STEPS, "steps")
    note(f"Everything is compiled ({time.perf_counter() - begun:.0f} s).")
