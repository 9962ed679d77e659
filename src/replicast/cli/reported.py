"""A paper's numbers on the command line: the options of what was reported, and what they tell."""

from dataclasses import asdict, dataclass
from typing import Any

from replicast.cli.bundles import Bundle, option
from replicast.cli.options import LEVEL, RELATION


@dataclass(frozen=True, kw_only=True)
class Reported:
    """The options that give one result of a paper and its design."""

    t: float | None = option("t statistic; say --folds or --seeds too.")
    z: float | None = option(
        "Wilcoxon's Z, with continuity correction or without; say --datasets too."
    )
    wins: float | None = option("Datasets won; say --of too.")
    ties: int | None = option("Datasets with equal scores, among those of --of; 0 says none.")
    pvalue: float | None = option("Two-sided p-value; say --folds or --datasets too.")
    discordant: str | None = option(
        "Cases only the first and only the second got right, as 40,20; say --cases too."
    )
    cases: int | None = option("Cases of the test set.")
    folds: int | None = option("Folds of the cross-validation.")
    runs: int = option("Runs of the cross-validation.", 1)
    datasets: int | None = option("Number of datasets.", None, "--datasets", "--of")
    seeds: int | None = option("Seeds of each model on one split.")
    test: str = option(
        "The t-test the paper used on folds or splits: corrected (for overlapping training sets), "
        "ordinary, or unknown, which shows both.",
        "unknown",
    )
    model: str | None = option("For wins: sign or bayesian. Default: sign.")

    def numbers(self, **others: Any) -> dict[str, Any]:
        """Return what the options say, by the names of `replicate`: one number, or one of others."""
        from replicast.errors import invalid
        from replicast.replication.reported import only_one

        told = asdict(self)
        only_one({**told, **others}, ("t", "z", "wins", "pvalue", "discordant", *others))
        if self.discordant is not None:
            counts = [part.strip() for part in self.discordant.split(",")]
            if len(counts) != 2 or not all(part.isdecimal() for part in counts):
                raise invalid("discordant", "two counts such as 40,20", repr(self.discordant))
            told["discordant"] = tuple(map(int, counts))
        return told

    def changed(self, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return the options that were given, but for some."""
        usual = asdict(type(self)())
        told = asdict(self).items()
        return {name: value for name, value in told if name not in without and value != usual[name]}


@dataclass(frozen=True, kw_only=True)
class Forecasting(Bundle):
    """The options of every chance of replication."""

    relation: str = option(RELATION, "unknown")
    estimator: str = option(
        "Whose estimate: calibrated; sceptic, who expects next to no difference; flat, which shrinks "
        "nothing; or as-published, the formula of Berrar (2024).",
        "calibrated",
    )
    significance: float = option(LEVEL, 0.05)
