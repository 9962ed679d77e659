"""replicast replicate: the chance that a paper's numbers happen again."""

from dataclasses import asdict, dataclass
from typing import Any

from replicast.cli.bundles import option
from replicast.cli.output import Output, show
from replicast.cli.reported import Forecasting, Reported
from replicast.cli.terminal import app
from replicast.cli.words import read_two


@dataclass(frozen=True, kw_only=True)
class Further:
    """The options that give two means, or what is seldom told of a result."""

    means: str | None = option("Two means, as 93.4,92.1; say --sds and --folds too.")
    sds: str | None = option("Standard deviations of the scores, as 1.2,1.0.")
    design: str | None = option(
        "Another design, e.g. random-splits:splits=100,n_train=900,n_test=100 or "
        "seeds:count=10,split=none."
    )
    spread: float | None = option("Standard deviation s* of Z.")

    @property
    def numbers(self) -> dict[str, Any]:
        """Two means, their spreads and a design, which may stand together as papers have them."""
        if self.means is not None and self.sds is None:
            from replicast.reading.vocabulary.cells import read_means

            pasted = read_means(self.means)
            if pasted is not None:
                design = self.design or pasted.design
                return {"means": pasted.means, "sds": pasted.sds, "design": design}
        told: dict[str, Any] = {"design": self.design}
        for name, example in (("means", "93.4,92.1"), ("sds", "1.2,1.0")):
            text = getattr(self, name)
            if text is not None:
                told[name] = read_two(text, name, f"two numbers such as {example}")
        return told


@dataclass(frozen=True, kw_only=True)
class Repeat:
    """The options of the repeat that is foretold."""

    confidence: float = option("Level of the interval.", 0.95)
    target: str | None = option("Design of the replication, e.g. kfold:folds=20.")
    data: float = option("Times the data of the first experiment.", 1.0)


@app.command()
def replicate(
    *,
    reported: Reported,
    further: Further,
    forecasting: Forecasting,
    repeat: Repeat,
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
    from replicast.replication.replicate import replicate

    found = replicate(
        **reported.numbers(means=further.means),
        **further.numbers,
        spread=further.spread,
        **asdict(forecasting),  # checked there
        confidence_level=repeat.confidence,
        target_design=repeat.target,
        data_factor=repeat.data,
    )
    show(found, output)
