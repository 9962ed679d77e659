"""replicast replicate and replicast plan: a paper's numbers, and what the next experiment needs."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from replicast.cli.terminal import app, console, print_narrative, save_plot

if TYPE_CHECKING:
    from replicast.replication.records import Replication

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
    from replicast.design import parse_design
    from replicast.presentation.words.comparison import narrate_replication
    from replicast.replication.curves import required_pvalues
    from replicast.replication.probability import report_replication

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
        print_narrative(narrate_replication(found, required_pvalues(found)), console())
    if plot is not None:
        from replicast.presentation.pictures.replication import plot_replication_curve

        save_plot(plot_replication_curve(found.design, mark=found), plot)


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
    from replicast.replication import reported as summaries

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
    from replicast.presentation.words.comparison import narrate_plan
    from replicast.replication.planner import plan as plan_replication

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
        print_narrative(narrate_plan(found), console())
    if plot is not None:
        from replicast.presentation.pictures.replication import plot_plan

        save_plot(plot_plan(found), plot)
