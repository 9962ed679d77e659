"""Files of scores on the command line: the options all commands share, and what was read."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from replicast.cli.terminal import note

if TYPE_CHECKING:
    from replicast.scores import ScoreTable

Files = Annotated[
    list[Path],
    typer.Argument(
        help="Scores: CSV, Parquet, Weka, AutoML benchmark and others; or several files."
    ),
]
DesignText = Annotated[
    str | None,
    typer.Option(
        "--design",
        help="How the scores arose, e.g. datasets, kfold:folds=10, "
        "repeated-kfold:runs=10,folds=10, 5x2. Default: from the columns.",
    ),
]
Metric = Annotated[
    str | None, typer.Option("--metric", help="Which measure, where a file has several.")
]
Missing = Annotated[str, typer.Option("--missing", help="refuse, drop-dataset or drop-classifier.")]
Lower = Annotated[bool, typer.Option("--lower-is-better", help="Scores are losses.")]
ColumnNames = Annotated[
    str | None,
    typer.Option(
        "--columns",
        help="Columns of other names, e.g. classifier=params.model,fold=params.fold.",
    ),
]
_COLUMNS = ("classifier", "dataset", "run", "fold", "score")


def read_files(
    files: list[Path],
    *,
    design: str | None,
    metric: str | None,
    missing: str,
    lower_is_better: bool,
    columns: str | None,
) -> "ScoreTable":
    """Read the files with the options given, and say what was read and assumed."""
    from replicast.design import parse_design
    from replicast.reading.door import read_scores

    table = read_scores(
        files[0] if len(files) == 1 else files,
        design=parse_design(design) if design else None,
        metric=metric,
        missing=missing,  # type: ignore[arg-type]  # checked there
        greater_is_better=False if lower_is_better else None,
        **_column_names(columns),
    )
    note(" ".join(table.account))
    return table


def _column_names(text: str | None) -> dict[str, Any]:
    from replicast.errors import invalid, nearest

    named = {}
    for item in filter(None, (text or "").split(",")):
        role, found, column = item.partition("=")
        if not found or role.strip() not in _COLUMNS:
            domain = f"pairs such as classifier=model of {', '.join(_COLUMNS)}"
            raise invalid("columns", domain, repr(item), nearest(role.strip(), _COLUMNS))
        named[f"{role.strip()}_column"] = column.strip()
    return named
