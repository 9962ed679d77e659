"""replicast compare and replicast demo."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from replicast.cli.bundles import option
from replicast.cli.measuring import (
    Answered,
    Asked,
    Measuring,
    fixed_tasks,
    paired,
    refuse_beside,
    side_by_side_of,
)
from replicast.cli.options import (
    BY,
    LEVEL,
    METHOD,
    RELATION,
    UNIT,
    Files,
    Pair,
    Reading,
    choose_pair,
    in_scores,
    read_files,
)
from replicast.cli.output import Output, show
from replicast.cli.terminal import app, note

if TYPE_CHECKING:
    from replicast.comparison.records import ManyComparison
    from replicast.results import Answer
    from replicast.scores.tables import ScoreTable


@dataclass(frozen=True, kw_only=True)
class Comparing:
    """The options of a comparison: by which test, of what, and what counts as a difference."""

    method: str | None = option(METHOD)
    scheme: str | None = option(
        "What a test sees of repeated cross-validation: sorted, folds or runs (averages over sorted "
        "runs, folds, runs; Bouckaert 2004), all, or first-run. Default test: the t-test."
    )
    significance: float = option(LEVEL, 0.05)
    rope: float | None = option(
        "Differences too small to matter: points for fractions and percent, else a score. Default on "
        "one dataset: 1 point."
    )
    unit: str | None = option(UNIT)
    cases: int | None = option(
        "Cases of the dataset, where the scores are accuracies of its folds: how noisy they must be is "
        "then known, and the chance of replication is better founded."
    )
    relation: str = option(RELATION, "unknown")
    by: str | None = option(BY)
    tasks: str | None = option(
        "Cases of several datasets or tasks: sample (others might have been chosen), fixed (these very "
        "ones, each with the same weight), or weights, e.g. maths=2,law=1. Default: sample."
    )
    scaling: str | None = option(
        "Scores of fixed tasks: range (0 is the lowest of a task, 1 the highest) or none."
    )
    ledger: Path | None = option("Write the forecast down in this file, to be scored later.")

    @property
    def options(self) -> dict[str, Any]:
        """What every comparison takes."""
        return {"significance": self.significance, "relation": self.relation}  # checked there

    @property
    def test(self) -> str | None:
        """The test that was named; one that sees averages is the t-test."""
        from replicast.inference.student import PAIRED_TTEST

        return self.method or (None if self.scheme is None else PAIRED_TTEST.name)

    @property
    def of_pairs(self) -> dict[str, Any]:
        """What only a comparison of paired scores takes."""
        named = ("method", "scheme", "rope", "cases", "ledger")
        return {name: getattr(self, name) for name in named}

    @property
    def fixes_tasks(self) -> bool:
        """Whether the tasks are these very ones."""
        return self.tasks is not None and self.tasks != "sample"

    def answer(self, target: Answered) -> Answered:
        """Compare two models that were read."""
        from replicast.comparison.finding import Finding
        from replicast.comparison.pair import compare as compare_pair
        from replicast.scores.fold_sizes import with_cases

        if isinstance(target.result, Finding):
            what = "unpaired cases" if target.result.way == "unpaired" else "measure"
            refuse_beside(what, {"method": self.test})
            return target
        seen = with_cases(target.result, self.cases)
        how: dict[str, Any] = {} if self.scheme is None else {"scheme": self.scheme}
        region = in_scores(self.rope, seen, "rope", self.unit)
        found = compare_pair(seen, method=self.test, rope=region, **self.options, **how)
        return target._replace(result=found)


@app.command()
def compare(
    scores: Files,
    *,
    models: Pair,
    comparing: Comparing,
    reading: Reading,
    measuring: Measuring,
    output: Output,
) -> None:
    """Compare two classifiers on their scores.

    Examples
    --------
      replicast compare scores.csv --first svm --second nb

      replicast compare folds.csv --design repeated-kfold:runs=10,folds=10 --json

      replicast compare predictions.csv --measure auc

      replicast compare cases.jsonl --tasks fixed

      replicast compare cases.csv --by language
    """
    if measuring.measure is not None:
        refuse_beside("measure", {**comparing.of_pairs, "tasks": comparing.tasks})
    if not comparing.fixes_tasks:
        refuse_beside("tasks=sample", {"scaling": comparing.scaling})

    def answer(asked: Asked) -> Answered:
        return comparing.answer(paired(asked, models.names, **comparing.options))

    asked = Asked(scores, reading, measuring)
    answered = side_by_side_of(asked, comparing.by, answer, comparing.significance)
    if answered is None and measuring.measure is None:
        answered = _compare_scores(asked, models.names, comparing)
    answered = answered or answer(asked)
    if comparing.ledger is not None:
        _write_forecast(answered.result, comparing.ledger)
    answered.show(output)


def _compare_scores(
    asked: Asked, names: tuple[str | None, str | None], comparing: Comparing
) -> Answered:
    """Compare two models of a table; where none is named, rank all and compare the first two."""
    table = _read_two(asked.source, asked.reading, names)
    if comparing.tasks is not None and comparing.fixes_tasks:
        refuse_beside("tasks", {**comparing.of_pairs, "dataset": asked.reading.dataset})
        both = choose_pair(table.classifiers, *names)
        how = (comparing.tasks, comparing.scaling)
        return fixed_tasks(asked, table, both, *how, **comparing.options)
    ranked = None
    if len(table.classifiers) > 2 and names == (None, None):
        ranked = _rank_all(table, comparing.significance, comparing.test)
        names = (ranked.classifiers[0], ranked.classifiers[1])
    answered = comparing.answer(paired(asked, names, table, **comparing.options))
    if ranked is None:
        return answered
    return answered._replace(also={**answered.also, "ranking": ranked.to_dict()}, shown=ranked)


def _read_two(
    files: list[Path], reading: Reading, names: tuple[str | None, str | None]
) -> "ScoreTable":
    """Read scores of two models or more."""
    from replicast.errors import invalid
    from replicast.inference.one_model import score_interval

    table = read_files(files, reading, classifiers=names)
    if len(table.classifiers) == 1 and names[1] is None:
        remedy = "`replicast rank` answers for one model"
        raise invalid("source", "scores of two models", f"one: {score_interval(table)}", remedy)
    return table


def _rank_all(table: "ScoreTable", significance: float, method: str | None) -> "ManyComparison":
    """Rank all classifiers where no pair was named, and say so."""
    from replicast.comparison.many import rank

    ranked = rank(table, significance=significance, method=method)
    count = len(ranked.classifiers)
    note(f"No pair was named, so all {count} are ranked; --first and --second name one.")
    return ranked


def _write_forecast(found: "Answer", ledger: Path) -> None:
    """Write down what is forecast, before anyone can know."""
    from replicast.comparison.records import Comparison
    from replicast.errors import invalid
    from replicast.judging.ledger import Ledger
    from replicast.results import SignificanceResult

    evidence = found.evidence if isinstance(found, Comparison) else None
    chance = found.replication if isinstance(found, Comparison) else None
    if not isinstance(evidence, SignificanceResult) or chance is None:
        raise invalid("ledger", "left out where there is no forecast", type(found).__name__)
    key = Ledger(ledger).forecast(evidence, chance)
    note(f"Forecast written to {ledger} ({key}); judge --ledger scores it.")


@app.command()
def demo(
    output: Path = option("Folder for the plots.", Path("demo-output"), metavar="FOLDER"),
) -> None:
    """Compare two classifiers on real scores that come with replicast."""
    from importlib.resources import as_file, files

    from replicast.comparison.pair import compare as compare_pair
    from replicast.reading.door import read_scores

    with as_file(files("replicast") / "data" / "breast-cancer-10x10.csv") as path:
        table = read_scores(path)
    output.mkdir(parents=True, exist_ok=True)
    for second in ("naive-bayes", "logistic"):
        found = compare_pair(table.pair("svm", second))
        show(found, Output(output=output / f"svm-{second}.png"))
        typer.echo()
