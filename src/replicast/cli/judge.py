"""replicast judge and replicast ledger: a replication that was made, and how forecasts fared."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from replicast.cli.compare import choose_pair
from replicast.cli.options import (
    UNSAID,
    FirstName,
    Reading,
    SecondName,
    TestName,
    read_files,
    reads_scores,
)
from replicast.cli.terminal import app, console, note, print_narrative
from replicast.cli.words import read_number, read_pvalue

if TYPE_CHECKING:
    from replicast.judging.experiments import Experiment
    from replicast.judging.records import Judgement

_AsJson = Annotated[bool, typer.Option("--json", help="Print the record as JSON.")]


@app.command()
@reads_scores
def judge(
    tables: Annotated[
        list[Path] | None, typer.Argument(help="Scores of the original, then of the replication.")
    ] = None,
    original: Annotated[
        str | None,
        typer.Option(
            help="Numbers instead: estimate and standard error as 3.1,1.2; or t=2.9,folds=10."
        ),
    ] = None,
    replication: Annotated[
        str | None, typer.Option(help="The same of the replication, e.g. 2.0,1.0.")
    ] = None,
    first: FirstName = None,
    second: SecondName = None,
    method: TestName = None,
    significance: Annotated[float, typer.Option(help="Level of the tests.")] = 0.05,
    data: Annotated[
        str, typer.Option(help="fresh: the second table holds other data, whatever the names say.")
    ] = "unknown",
    data_factor: Annotated[
        float, typer.Option("--times", help="Times the data of the original, for cross-validation.")
    ] = 1.0,
    reading: Reading = UNSAID,
    ledger: Annotated[
        Path | None, typer.Option(help="File that collects forecasts and outcomes.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Report: html, md, tex, csv, json, svg, png or pdf.",
        ),
    ] = None,
    as_json: _AsJson = False,
) -> None:
    """Judge a replication that was made: did it happen again, and was that to be expected?

    Examples
    --------
      replicast judge original.csv replication.csv --first new --second old

      replicast judge --original 3.1,1.2 --replication 2.0,1.0

      replicast judge --original t=2.9,folds=10 --replication t=2.1,folds=10 --ledger forecasts.jsonl
    """
    from replicast.judging.judge import judge as judge_pair
    from replicast.judging.ledger import Ledger
    from replicast.presentation.words.judging import narrate_judgement
    from replicast.scores.tables import ScoreTable

    sides = _sides(tables, original, replication, reading, (first, second))
    if isinstance(sides[0], ScoreTable):
        first, second = choose_pair(sides[0].classifiers, first, second)
    found = judge_pair(
        *sides,
        first=first,
        second=second,
        dataset=reading.dataset,
        method=method,
        significance=significance,
        data=cast(Any, data),  # checked there
        data_factor=data_factor,
    )
    if ledger is not None:
        found = Ledger(ledger).record(found)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    else:
        print_narrative(narrate_judgement(found), console())
    if output is not None:
        account = [line for side in sides if isinstance(side, ScoreTable) for line in side.account]
        _write_report(found, output, account)


def _write_report(found: "Judgement", output: Path, account: list[str]) -> None:
    from replicast.errors import invalid
    from replicast.presentation.files.exports import FORMATS, PICTURES, judgement_file
    from replicast.presentation.files.writing import write_whole

    ending = output.suffix.lower()
    if ending not in FORMATS:
        raise invalid("output", f"a file ending in {', '.join(FORMATS)}", output.name)
    write_whole(output, judgement_file(found, ending, account))
    note(f"{'Figure' if ending in PICTURES else 'Report'} written to {output}")


def _sides(
    tables: list[Path] | None,
    original: str | None,
    replication: str | None,
    reading: Reading,
    names: tuple[str | None, str | None],
) -> "tuple[Experiment, Experiment]":
    """Read two tables, or two sets of numbers."""
    from replicast.errors import invalid

    if original is not None and replication is not None and not tables:
        return _numbers(original, "original"), _numbers(replication, "replication")
    if tables is None or len(tables) != 2 or original is not None or replication is not None:
        got = f"{len(tables or ())} tables" + (" and numbers" if original or replication else "")
        raise invalid("tables", "two files, or `original` and `replication`", got)
    original_table, repeated = (
        read_files([one], reading, classifiers=names, assume=False) for one in tables
    )
    return original_table, repeated


def _numbers(text: str, argument: str) -> "Experiment":
    """Read an estimate with its standard error, or a statistic with its design."""
    from replicast.errors import invalid, require_choice
    from replicast.replication.reported import REPORTED, SETTINGS, read_reported

    parts = [part.strip() for part in text.split(",")]
    try:
        if not any("=" in part for part in parts):
            estimate, error = (read_number(part) for part in parts)
            return estimate, error
        pairs = dict(part.split("=") for part in parts)
        readers: dict[str, Callable[[str], Any]] = {
            "test": str.strip, "model": str.strip, "pvalue": read_pvalue,
        }  # fmt: skip
        given = {key.strip(): readers.get(key.strip(), read_number)(value)
                 for key, value in pairs.items()}  # fmt: skip
    except ValueError:
        domain = (
            "estimate and standard error such as 3.1,1.2, or a statistic such as t=2.9,folds=10"
        )
        raise invalid(argument, domain, repr(text)) from None
    known = {name for row in REPORTED.values() for name in (*row.fields, *row.options)}
    known |= {name for names in SETTINGS.values() for name in names} - {"design"}
    for key in given:
        require_choice(key, argument, tuple(sorted(known)))
    whole = {
        key: int(value) if isinstance(value, float) and value.is_integer() else value
        for key, value in given.items()
    }
    return read_reported({**dict.fromkeys(known), "runs": 1, "test": "unknown", **whole})


@app.command()
def ledger(
    file: Annotated[Path, typer.Argument(help="Ledger that `judge --ledger` writes.")],
    as_json: _AsJson = False,
) -> None:
    """How well calibrated were the forecasts of a ledger?

    Examples
    --------
      replicast ledger forecasts.jsonl
    """
    from replicast.errors import invalid
    from replicast.judging.ledger import Ledger
    from replicast.presentation.words.judging import narrate_calibration

    if not file.exists():
        raise invalid("file", "a ledger", f"{file}, which is not there")
    found = Ledger(file).calibration()
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    else:
        print_narrative(narrate_calibration(found), console())
