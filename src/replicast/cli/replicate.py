"""replicast replicate: the chance that a paper's numbers happen again."""

from typing import Annotated, Any

import typer

from replicast.cli.measuring import refuse_beside
from replicast.cli.options import Level, RelationWord
from replicast.cli.output import Output, show
from replicast.cli.reported import Estimator, Reported
from replicast.cli.terminal import app
from replicast.cli.words import read_two

_DESIGN = ("cases", "folds", "runs", "datasets", "seeds")  # which two means need too


@app.command()
def replicate(
    *,
    reported: Reported,
    means: Annotated[
        str | None, typer.Option(help="Two means, as 93.4,92.1; say --sds and --folds too.")
    ] = None,
    sds: Annotated[
        str | None, typer.Option(help="Standard deviations of the scores, as 1.2,1.0.")
    ] = None,
    design: Annotated[
        str | None,
        typer.Option(
            help="Another design, e.g. random-splits:splits=100,n_train=900,n_test=100 or "
            "seeds:count=10,split=none."
        ),
    ] = None,
    spread: Annotated[float | None, typer.Option(help="Standard deviation s* of Z.")] = None,
    relation: RelationWord = "unknown",
    estimator: Estimator = "calibrated",
    significance: Level = 0.05,
    confidence: Annotated[float, typer.Option(help="Level of the interval.")] = 0.95,
    target: Annotated[
        str | None,
        typer.Option(help="Design of the replication, e.g. kfold:folds=20."),
    ] = None,
    data: Annotated[float, typer.Option(help="Times the data of the first experiment.")] = 1.0,
    output: Output,
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
    from replicast.design import parse_design
    from replicast.replication.probability import report_replication
    from replicast.replication.reported import read_reported

    options: dict[str, Any] = {  # checked there
        "relation": relation,
        "estimator": estimator,
        "significance": significance,
    }
    if means is not None:
        others = {
            "data": None if data == 1.0 else data,
            "spread": spread,
            "target": target,
            "confidence": None if confidence == 0.95 else confidence,
        }
        refuse_beside("means", reported.changed(without=_DESIGN) | others)
        where = {name: getattr(reported, name) for name in _DESIGN}
        _replicate_means(means, sds, output, {**where, "design": design, **options})
        return
    given = reported.given(design, spread)
    found = report_replication(
        read_reported(given),
        **options,
        confidence_level=confidence,
        target_design=parse_design(target) if target else None,
        data_factor=data,
    )
    show(found, output, given=given)


def _replicate_means(means: str, sds: str | None, output: Output, options: dict[str, Any]) -> None:
    """Print what two means and spreads leave open."""
    from replicast.reading.vocabulary.cells import read_means
    from replicast.replication.replicate import replicate

    both = read_means(means)
    if both is not None and sds is None:
        means, sds = both
    spreads = None if sds is None else read_two(sds, "sds", "two numbers such as 1.2,1.0")
    numbers = read_two(means, "means", "two numbers such as 93.4,92.1")
    show(replicate(means=numbers, sds=spreads, **options), output)
