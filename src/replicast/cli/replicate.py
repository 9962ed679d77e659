"""replicast replicate: the chance that a paper's numbers happen again."""

from dataclasses import asdict
from typing import Any

from replicast.cli.bundles import option
from replicast.cli.output import Output, show
from replicast.cli.reported import Forecasting, Reported
from replicast.cli.terminal import app
from replicast.cli.words import read_two

_DESIGN = ("cases", "folds", "runs", "datasets", "seeds")  # which two means need too


@app.command()
def replicate(
    *,
    reported: Reported,
    means: str | None = option("Two means, as 93.4,92.1; say --sds and --folds too."),
    sds: str | None = option("Standard deviations of the scores, as 1.2,1.0."),
    design: str | None = option(
        "Another design, e.g. random-splits:splits=100,n_train=900,n_test=100 or "
        "seeds:count=10,split=none."
    ),
    spread: float | None = option("Standard deviation s* of Z."),
    forecasting: Forecasting,
    confidence: float = option("Level of the interval.", 0.95),
    target: str | None = option("Design of the replication, e.g. kfold:folds=20."),
    data: float = option("Times the data of the first experiment.", 1.0),
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
    from replicast.errors import refuse_beside
    from replicast.replication.probability import report_replication
    from replicast.replication.reported import read_reported

    options: dict[str, Any] = asdict(forecasting)  # checked there
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
