"""replicast replicate: the chance that a paper's numbers happen again."""

import json
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from replicast.cli.options import Explain, RelationWord
from replicast.cli.reported import (
    AsJson,
    Cases,
    CountModel,
    DatasetCount,
    Design,
    Discordant,
    Estimator,
    Folds,
    Level,
    Means,
    PValue,
    Runs,
    Sds,
    SeedCount,
    Spread,
    Statistic,
    Test,
    Ties,
    Wins,
    Z,
    as_given,
)
from replicast.cli.terminal import (
    app,
    console,
    print_explained,
    print_narrative,
    print_quote,
    save_plot,
)
from replicast.cli.words import read_number


@app.command()
def replicate(
    t: Statistic = None,
    z: Z = None,
    wins: Wins = None,
    ties: Ties = 0,
    pvalue: PValue = None,
    discordant: Discordant = None,
    means: Means = None,
    sds: Sds = None,
    cases: Cases = None,
    folds: Folds = None,
    runs: Runs = 1,
    datasets: DatasetCount = None,
    seeds: SeedCount = None,
    design: Design = None,
    test: Test = "unknown",
    spread: Spread = None,
    model: CountModel = "sign",
    relation: RelationWord = "unknown",
    estimator: Estimator = "calibrated",
    significance: Level = 0.05,
    confidence: Annotated[float, typer.Option(help="Level of the interval.")] = 0.95,
    target: Annotated[
        str | None,
        typer.Option(help="Design of the replication, e.g. kfold:folds=20."),
    ] = None,
    data: Annotated[float, typer.Option(help="Times the data of the first experiment.")] = 1.0,
    explain: Explain = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the chance against the p-value.")] = None,
    as_json: AsJson = False,
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
        _refuse_beside_means(
            t=t, z=z, wins=wins, pvalue=pvalue, discordant=discordant, spread=spread, target=target,
            plot=plot, ties=ties or None, explain=explain or None,
            test=None if test == "unknown" else test, data=None if data == 1.0 else data,
            confidence=None if confidence == 0.95 else confidence,
            model=None if model == "sign" else model,
        )  # fmt: skip
        where = {"folds": folds, "runs": runs, "datasets": datasets, "seeds": seeds,
                 "cases": cases, "design": design}  # fmt: skip
        options = {"relation": relation, "estimator": estimator, "significance": significance}
        _replicate_means(means, sds, as_json, where | options)
        return
    from replicast.design import parse_design
    from replicast.presentation.words.replication import narrate_replication
    from replicast.presentation.words.statements import how_computed, reported_line
    from replicast.replication.curves import required_pvalues
    from replicast.replication.probability import report_replication
    from replicast.replication.reported import read_reported

    given = as_given(
        t=t, z=z, wins=wins, ties=ties, pvalue=pvalue, discordant=discordant, cases=cases,
        folds=folds, runs=runs, datasets=datasets, seeds=seeds, design=design, test=test,
        spread=spread, model=model,
    )  # fmt: skip
    found = report_replication(
        read_reported(given),
        relation=cast(Any, relation),  # checked there
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
        print_quote(reported_line(given, found), console())
        if explain:
            print_explained(how_computed(found), console())
    if plot is not None:
        from replicast.presentation.pictures.replication import plot_replication_curve

        save_plot(plot_replication_curve(found.design, mark=found), plot)


def _refuse_beside_means(**options: Any) -> None:
    """Refuse what two means have no use for."""
    from replicast.errors import invalid

    for option, value in options.items():
        if value is not None:
            raise invalid(option, "left out with `means`", repr(value))


def _replicate_means(means: str, sds: str | None, as_json: bool, options: dict[str, Any]) -> None:
    """Print what two means and spreads leave open."""
    from replicast.presentation.words.means import means_line, narrate_means
    from replicast.reading.vocabulary.cells import read_means

    told = read_means(means)
    if told is not None and sds is None:
        means, sds = told
    from replicast.replication.means import replication_from_means

    spreads = None if sds is None else _two_numbers(sds, "sds", "1.2,1.0")
    found = replication_from_means(_two_numbers(means, "means", "93.4,92.1"), spreads, **options)
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    else:
        print_narrative(narrate_means(found), console())
        print_quote(means_line(found), console())


def _two_numbers(text: str, option: str, example: str) -> tuple[float, float]:
    """Read two numbers with a comma between them."""
    from replicast.errors import invalid

    try:
        one, other = (read_number(part) for part in text.split(","))
    except ValueError:
        raise invalid(option, f"two numbers such as {example}", repr(text)) from None
    return one, other
