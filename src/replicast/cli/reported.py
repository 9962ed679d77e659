"""A paper's numbers on the command line: the options of what was reported, and the result they tell."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from replicast.replication.first_result import FirstResult

Statistic = Annotated[
    float | None, typer.Option("--t", help="t statistic; say --folds or --seeds too.")
]
Z = Annotated[
    float | None,
    typer.Option(
        "--z", help="Wilcoxon's Z, with continuity correction or without; say --datasets too."
    ),
]
Wins = Annotated[float | None, typer.Option("--wins", help="Datasets won; say --of too.")]
Ties = Annotated[
    int, typer.Option("--ties", help="Datasets with equal scores, among those of --of.")
]
PValue = Annotated[
    float | None, typer.Option("--pvalue", help="Two-sided p-value; say --folds or --datasets too.")
]
Discordant = Annotated[
    str | None,
    typer.Option(
        "--discordant", help="Cases only the first and only the second got right, as 40,20; "
        "say --cases too."
    ),
]  # fmt: skip
Means = Annotated[
    str | None, typer.Option("--means", help="Two means, as 93.4,92.1; say --sds and --folds too.")
]
Sds = Annotated[
    str | None, typer.Option("--sds", help="Standard deviations of the scores, as 1.2,1.0.")
]
Cases = Annotated[int | None, typer.Option("--cases", help="Cases of the test set.")]
Folds = Annotated[int | None, typer.Option("--folds", help="Folds of the cross-validation.")]
Runs = Annotated[int, typer.Option("--runs", help="Runs of the cross-validation.")]
SeedCount = Annotated[int | None, typer.Option("--seeds", help="Seeds of each model on one split.")]
DatasetCount = Annotated[int | None, typer.Option("--datasets", "--of", help="Number of datasets.")]
Design = Annotated[
    str | None, typer.Option("--design", help="Another design, e.g. random-splits:splits=100,"
    "n_train=900,n_test=100 or seeds:count=10,split=none.")
]  # fmt: skip
Test = Annotated[
    str,
    typer.Option(
        "--test",
        help="The t-test the paper used on folds or splits: corrected (for overlapping training "
        "sets), ordinary, or unknown, which shows both.",
    ),
]
Spread = Annotated[float | None, typer.Option("--spread", help="Standard deviation s* of Z.")]
CountModel = Annotated[str, typer.Option("--model", help="For wins: sign or bayesian.")]
Estimator = Annotated[
    str,
    typer.Option(
        help="Whose estimate: calibrated; sceptic, who expects next to no difference; flat, which "
        "shrinks nothing; or as-published, the formula of Berrar (2024)."
    ),
]
Level = Annotated[float, typer.Option(help="Level of the test.")]
RESULTS = ("t", "z", "wins", "pvalue", "discordant")  # options that are a result by themselves


def read_result(**options: Any) -> "FirstResult":
    """Read the one reported result among the options."""
    from replicast.replication.reported import read_reported

    return read_reported(as_given(**options))


def as_given(discordant: str | None, design: str | None, **given: Any) -> dict[str, Any]:
    """Return what the options say of the one reported result, by the names of the library."""
    from replicast.design import parse_design
    from replicast.errors import invalid

    if discordant is not None:
        counts = [part.strip() for part in discordant.split(",")]
        if len(counts) != 2 or not all(part.isdecimal() for part in counts):
            raise invalid("discordant", "two counts such as 40,20", repr(discordant))
        given |= {"first_only": int(counts[0]), "second_only": int(counts[1])}
    given["design"] = None if design is None else parse_design(design)
    return given
