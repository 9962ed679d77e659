"""A paper's numbers on the command line: the options of what was reported, and what they tell."""

from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer


@dataclass(frozen=True, kw_only=True)
class Reported:
    """The options that give one result of a paper and its design."""

    t: Annotated[
        float | None, typer.Option("--t", help="t statistic; say --folds or --seeds too.")
    ] = None
    z: Annotated[
        float | None,
        typer.Option(
            "--z", help="Wilcoxon's Z, with continuity correction or without; say --datasets too."
        ),
    ] = None
    wins: Annotated[float | None, typer.Option(help="Datasets won; say --of too.")] = None
    ties: Annotated[int, typer.Option(help="Datasets with equal scores, among those of --of.")] = 0
    pvalue: Annotated[
        float | None, typer.Option(help="Two-sided p-value; say --folds or --datasets too.")
    ] = None
    discordant: Annotated[
        str | None,
        typer.Option(
            help="Cases only the first and only the second got right, as 40,20; say --cases too."
        ),
    ] = None
    cases: Annotated[int | None, typer.Option(help="Cases of the test set.")] = None
    folds: Annotated[int | None, typer.Option(help="Folds of the cross-validation.")] = None
    runs: Annotated[int, typer.Option(help="Runs of the cross-validation.")] = 1
    datasets: Annotated[
        int | None, typer.Option("--datasets", "--of", help="Number of datasets.")
    ] = None
    seeds: Annotated[int | None, typer.Option(help="Seeds of each model on one split.")] = None
    test: Annotated[
        str,
        typer.Option(
            help="The t-test the paper used on folds or splits: corrected (for overlapping training "
            "sets), ordinary, or unknown, which shows both."
        ),
    ] = "unknown"
    model: Annotated[str, typer.Option(help="For wins: sign or bayesian.")] = "sign"

    def given(self, design: str | None, spread: float | None = None) -> dict[str, Any]:
        """Return what the options say of the one reported result, by the names of the library."""
        from replicast.design import parse_design
        from replicast.errors import invalid

        told = {**asdict(self), "spread": spread}
        discordant = told.pop("discordant")
        if discordant is not None:
            counts = [part.strip() for part in discordant.split(",")]
            if len(counts) != 2 or not all(part.isdecimal() for part in counts):
                raise invalid("discordant", "two counts such as 40,20", repr(discordant))
            told |= {"first_only": int(counts[0]), "second_only": int(counts[1])}
        return {**told, "design": None if design is None else parse_design(design)}

    def changed(self, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return the options that were given, but for some."""
        usual = asdict(type(self)())
        told = asdict(self).items()
        return {name: value for name, value in told if name not in without and value != usual[name]}


Estimator = Annotated[
    str,
    typer.Option(
        help="Whose estimate: calibrated; sceptic, who expects next to no difference; flat, which "
        "shrinks nothing; or as-published, the formula of Berrar (2024)."
    ),
]
