"""replicast study: list, show, run, status, summary and report."""

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from replicast.cli.bundles import REQUIRED, argument, option
from replicast.cli.output import print_rows, set_table
from replicast.cli.progress import progress
from replicast.cli.standard_input import is_standard_input
from replicast.cli.terminal import App, Group, app, console, escape

if TYPE_CHECKING:
    from replicast.studies.plan import Study

study_app = App(
    cls=Group,
    help="Monte Carlo studies: planned, resumable, on one machine or a cluster.",
    no_args_is_help=True,
)
app.add_typer(study_app, name="study")

_NAME = "A study by name, or a .toml file; - is standard input."
_FOLDER = "Folder (or URL) the study was run into."


def _find(name: str) -> "Study":
    from replicast.studies.library import find_study
    from replicast.studies.plan import Study

    is_file = name.endswith(".toml") or is_standard_input(name)
    return Study.read(name) if is_file else find_study(name)


@study_app.command("list")
def list_studies(context: typer.Context) -> None:
    """List the studies that come with replicast."""
    from replicast.studies.library import STUDIES

    rows = []
    for study in STUDIES.values():
        minutes = f", {study.minutes} min" if study.minutes else ""
        rows.append((study.name, f"{study.title}. {study.experiments}{minutes}"))
    print_rows(context, "Studies", rows)


@study_app.command()
def show(
    name: str = argument(_NAME),
) -> None:
    """Print a study as TOML, ready to be changed and run."""
    typer.echo(_find(name).to_toml(), nl=False)


@study_app.command()
def run(
    name: str = argument(_NAME),
    store: str = option("Folder (or URL) for the results.", REQUIRED),
    replicates: int | None = option("Experiments in each cell; rounded up to whole blocks.", min=1),
    jobs: int = option("Processes to use.", 1, min=1),
    executor: str | None = option("serial, processes or dask. Default: by the jobs."),
    scheduler: str | None = option("Address of a Dask scheduler; without it one is started."),
) -> None:
    """Run a study, or what is missing of it. Ctrl-C is safe: run the same command to resume.

    Examples
    --------
      replicast study run berrar-1 --store runs/b1 --jobs 2

      replicast study run mine.toml --store runs/mine --replicates 200
    """
    from dataclasses import replace

    from replicast.studies.execution import run_study
    from replicast.studies.store import DirectoryStore

    study = _find(name)
    if replicates is not None:
        whole = -(-replicates // study.block) * study.block
        if whole != replicates:
            console(error=True).print(
                f"{whole} replicates instead of {replicates}: this study runs in blocks of "
                f"{study.block}."
            )
        study = replace(study, replicates=whole)
    chosen = executor or ("processes" if jobs > 1 else "serial")
    try:
        total = sum(1 for _ in study.blocks()) * study.block
        with progress(f"study {study.name}") as bar:
            report = run_study(
                study,
                DirectoryStore(store),
                executor=chosen,
                jobs=jobs,
                scheduler=scheduler,
                progress=lambda blocks: bar.advance(blocks * study.block, total, "experiments"),
            )
    except KeyboardInterrupt:
        console(error=True).print(
            f"Stopped. Finished blocks are safe in {escape(store)}; run the same command to resume."
        )
        raise typer.Exit(130) from None
    screen = console()
    if report.repaired:
        damaged = ", ".join(report.repaired)
        screen.print(f"{len(report.repaired)} damaged blocks computed again: {damaged}.")
    if report.failed:
        screen.print(
            f"{len(report.failed)} of the computed blocks failed and count in nothing. The first said: "
            f"{escape(report.failed[0].splitlines()[0])}"
        )
        if len(report.failed) == report.computed:
            raise typer.Exit(2)
    screen.print(
        f"{escape(study.name)}: {report.computed} blocks computed, {report.found} were there already."
    )
    following = shlex.join(
        ["replicast", "study", "report", store, "--output", f"reports/{study.name}"]
    )
    screen.print(f"Next: {escape(following)}", soft_wrap=True)


@study_app.command()
def status(
    folder: str = argument(_FOLDER),
    as_json: bool = option("Print the state as JSON.", False, "--json"),
) -> None:
    """Say how much of a study is there."""
    from replicast.studies.store import DirectoryStore

    store = DirectoryStore(folder)
    study = store.study()
    blocks = [block.key for block in study.blocks()]
    there = len(store.finished() & set(blocks))
    state = {"study": study.name, "blocks": len(blocks), "finished": there}
    if as_json:
        typer.echo(json.dumps(state))
        return
    console().print(
        f"{escape(study.name)}: {there:,} of {len(blocks):,} blocks "
        f"({there * study.block:,} of {len(blocks) * study.block:,} experiments)"
    )


@study_app.command()
def summary(
    folder: str = argument(_FOLDER),
    as_json: bool = option("Print the summary as JSON.", False, "--json"),
) -> None:
    """Summarise what is there, every number with its Monte Carlo error."""
    from replicast.studies.reports import summarise
    from replicast.studies.store import DirectoryStore

    found = summarise(DirectoryStore(folder))
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
        return
    screen = console()
    screen.print(f"[bold]{escape(found.title)}[/]\n")
    tables = set_table([found.headings, *found.rows], screen.width)
    screen.print(escape("\n\n".join(tables)))
    for note in found.notes:
        screen.print(f"\n{escape(note)}")


@study_app.command()
def report(
    folder: str = argument(_FOLDER),
    output: Path = option("Folder for the report.", Path("report"), metavar="FOLDER"),
) -> None:
    """Write tables and figures, beside the published ones where there are any."""
    from replicast.presentation.study import write_report
    from replicast.studies.store import DirectoryStore

    page = write_report(DirectoryStore(folder), output)
    console().print(f"Report written to {escape(str(page))}")
