"""replicast replicate and replicast plan: a paper's numbers, and what the next experiment needs."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from replicast.cli.options import Explain, RelationWord
from replicast.cli.registering import register as write_plan
from replicast.cli.terminal import app, console, print_explained, print_narrative, save_plot

if TYPE_CHECKING:
    from replicast.replication.first_result import FirstResult

_Statistic = Annotated[
    float | None, typer.Option("--t", help="t statistic; say --folds or --seeds too.")
]
_Z = Annotated[float | None, typer.Option("--z", help="Wilcoxon's Z; say --datasets too.")]
_Wins = Annotated[float | None, typer.Option("--wins", help="Wins; say --of too.")]
_Ties = Annotated[
    int, typer.Option("--ties", help="Datasets with equal scores, among those of --of.")
]
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
_Means = Annotated[
    str | None, typer.Option("--means", help="Two means, as 93.4,92.1; say --sds and --folds too.")
]
_Sds = Annotated[
    str | None, typer.Option("--sds", help="Standard deviations of the scores, as 1.2,1.0.")
]
_Cases = Annotated[int | None, typer.Option("--cases", help="Cases of the test set.")]
_Folds = Annotated[int | None, typer.Option("--folds", help="Folds of the cross-validation.")]
_Runs = Annotated[int, typer.Option("--runs", help="Runs of the cross-validation.")]
_SeedCount = Annotated[
    int | None, typer.Option("--seeds", help="Seeds of each model on one split.")
]
_DatasetCount = Annotated[
    int | None, typer.Option("--datasets", "--of", help="Number of datasets.")
]
_Design = Annotated[
    str | None, typer.Option("--design", help="Another design, e.g. random-splits:splits=100,"
    "n_train=900,n_test=100.")
]  # fmt: skip
_Test = Annotated[
    str,
    typer.Option(
        "--test",
        help="The t-test the paper used on folds or splits: corrected (for overlapping training "
        "sets), ordinary, or unknown, which shows both.",
    ),
]
_Spread = Annotated[float | None, typer.Option("--spread", help="Standard deviation s* of Z.")]
_CountModel = Annotated[str, typer.Option("--model", help="For wins: sign or bayesian.")]
_Estimator = Annotated[
    str,
    typer.Option(
        help="calibrated; sceptic, who expects next to no difference; flat, which shrinks nothing; or "
        "as-published, the formula of Berrar (2024)."
    ),
]
_Level = Annotated[float, typer.Option(help="Level of the test.")]
_AsJson = Annotated[bool, typer.Option("--json", help="Print the record as JSON.")]


@app.command()
def replicate(
    t: _Statistic = None,
    z: _Z = None,
    wins: _Wins = None,
    ties: _Ties = 0,
    pvalue: _PValue = None,
    discordant: _Discordant = None,
    means: _Means = None,
    sds: _Sds = None,
    cases: _Cases = None,
    folds: _Folds = None,
    runs: _Runs = 1,
    datasets: _DatasetCount = None,
    seeds: _SeedCount = None,
    design: _Design = None,
    test: _Test = "unknown",
    spread: _Spread = None,
    model: _CountModel = "sign",
    relation: RelationWord = "unknown",
    estimator: _Estimator = "calibrated",
    significance: _Level = 0.05,
    confidence: Annotated[float, typer.Option(help="Level of the interval.")] = 0.95,
    target: Annotated[
        str | None,
        typer.Option(help="Design of the replication, e.g. kfold:folds=20."),
    ] = None,
    data: Annotated[float, typer.Option(help="Times the data of the first experiment.")] = 1.0,
    explain: Explain = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the chance against the p-value.")] = None,
    as_json: _AsJson = False,
) -> None:
    """Chance that a published result happens again on fresh data.

    Examples
    --------
      replicast replicate --t 2.9 --folds 10

      replicast replicate --t 2.9 --folds 10 --test ordinary

      replicast replicate --z 2.437 --datasets 20 --spread 0.779

      replicast replicate --wins 29 --of 44 --ties 11

      replicast replicate --pvalue 0.03 --folds 10 --runs 10

      replicast replicate --discordant 40,20 --cases 500

      replicast replicate --t 4.1 --seeds 5

      replicast replicate --means 93.4,92.1 --sds 1.2,1.0 --folds 10
    """
    if means is not None:
        if (t, z, wins, pvalue, discordant).count(None) < 5:
            from replicast.errors import invalid

            raise invalid("means", "alone: one number that was reported", repr(means))
        where = {"folds": folds, "runs": runs, "datasets": datasets, "seeds": seeds,
                 "cases": cases, "design": design}  # fmt: skip
        options = {"relation": relation, "estimator": estimator, "significance": significance}
        _replicate_means(means, sds, as_json, where | options)
        return
    from replicast.design import parse_design
    from replicast.presentation.words.replication import narrate_replication
    from replicast.presentation.words.statements import how_computed
    from replicast.replication.curves import required_pvalues
    from replicast.replication.probability import report_replication

    found = report_replication(
        _reported(
            t=t, z=z, wins=wins, ties=ties, pvalue=pvalue, discordant=discordant, cases=cases,
            folds=folds, runs=runs, datasets=datasets, seeds=seeds, design=design, test=test,
            spread=spread, model=model,
        ),
        relation=cast(Any, relation),  # checked there
        estimator=estimator,
        significance=significance,
        confidence=confidence,
        target_design=parse_design(target) if target else None,
        data_factor=data,
    )  # fmt: skip
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    else:
        print_narrative(narrate_replication(found, required_pvalues(found)), console())
        if explain:
            print_explained(how_computed(found), console())
    if plot is not None:
        from replicast.presentation.pictures.replication import plot_replication_curve

        save_plot(plot_replication_curve(found.design, mark=found), plot)


def _replicate_means(means: str, sds: str | None, as_json: bool, options: dict[str, Any]) -> None:
    """Print what two means and spreads leave open."""
    from replicast.presentation.words.means import narrate_means
    from replicast.replication.means import replication_from_means

    spreads = None if sds is None else _two_numbers(sds, "sds", "1.2,1.0")
    found = replication_from_means(_two_numbers(means, "means", "93.4,92.1"), spreads, **options)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    else:
        print_narrative(narrate_means(found), console())


def _two_numbers(text: str, option: str, example: str) -> tuple[float, float]:
    """Read two numbers with a comma between them."""
    from replicast.errors import invalid

    try:
        one, other = (float(part) for part in text.split(","))
    except ValueError:
        raise invalid(option, f"two numbers such as {example}", repr(text)) from None
    return one, other


def _reported(discordant: str | None, design: str | None, **given: Any) -> "FirstResult":
    """Read the one reported result among the options."""
    from replicast.design import parse_design
    from replicast.errors import invalid
    from replicast.replication.reported import read_reported

    if discordant is not None:
        counts = [part.strip() for part in discordant.split(",")]
        if len(counts) != 2 or not all(part.isdecimal() for part in counts):
            raise invalid("discordant", "two counts such as 40,20", repr(discordant))
        given |= {"first_only": int(counts[0]), "second_only": int(counts[1])}
    given["design"] = None if design is None else parse_design(design)
    return read_reported(given)


@app.command()
def plan(
    t: _Statistic = None,
    z: _Z = None,
    wins: _Wins = None,
    ties: _Ties = 0,
    pvalue: _PValue = None,
    discordant: _Discordant = None,
    cases: _Cases = None,
    folds: _Folds = None,
    runs: _Runs = 1,
    datasets: _DatasetCount = None,
    seeds: _SeedCount = None,
    design: _Design = None,
    test: _Test = "unknown",
    model: _CountModel = "sign",
    vary: Annotated[
        str | None,
        typer.Option(help="What may grow: datasets, folds, runs, cases, answers, seeds or splits."),
    ] = None,
    probability: Annotated[float, typer.Option(help="Wanted chance of replication.")] = 0.95,
    relation: RelationWord = "unknown",
    estimator: _Estimator = "calibrated",
    significance: _Level = 0.05,
    register: Annotated[
        Path | None, typer.Option(help="Write the plan down, to be held against the data later.")
    ] = None,
    first: Annotated[
        str | None, typer.Option(help="First classifier of a registered plan.")
    ] = None,
    second: Annotated[str | None, typer.Option(help="Second classifier.")] = None,
    method: Annotated[str | None, typer.Option(help="Test of a registered plan.")] = None,
    margin: Annotated[float | None, typer.Option(help="Margin of a registered gate.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the curve into this file.")] = None,
    as_json: _AsJson = False,
) -> None:
    """How large must the next experiment be for a wanted chance of replication?

    Examples
    --------
      replicast plan --t 2.9 --folds 10 --vary runs --probability 0.8

      replicast plan --z 1.96 --datasets 20

      replicast plan --register plan.toml --design holdout:cases=500 --first new --second old --margin 2
    """
    content = {"first": first, "second": second, "method": method or "", "margin": margin,
               "significance": significance}  # fmt: skip
    if (
        register is not None
        and design is not None
        and (t, z, wins, pvalue, discordant).count(None) == 5
    ):
        from replicast.design import parse_design

        write_plan(register, parse_design(design), **content)
        return
    from replicast.presentation.words.replication import narrate_plan
    from replicast.replication.planner import plan as plan_replication

    found = plan_replication(
        _reported(
            t=t, z=z, wins=wins, ties=ties, pvalue=pvalue, discordant=discordant, cases=cases,
            folds=folds, runs=runs, datasets=datasets, seeds=seeds, design=design, test=test,
            model=model,
        ),
        probability=probability,
        vary=cast(Any, vary),  # checked there
        relation=cast(Any, relation),
        estimator=cast(Any, estimator),
        significance=significance,
    )  # fmt: skip
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    else:
        print_narrative(narrate_plan(found), console())
    if register is not None:
        write_plan(register, found, **content)
    if plot is not None:
        from replicast.presentation.pictures.replication import plot_plan

        save_plot(plot_plan(found), plot)
