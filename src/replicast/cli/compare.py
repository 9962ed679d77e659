"""replicast compare and replicast demo."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from replicast.cli.bundles import Bundle, option
from replicast.cli.options import (
    BY,
    LEVEL,
    METHOD,
    RELATION,
    UNIT,
    Files,
    Measuring,
    Pair,
    Reading,
    Tasks,
    in_scores,
)
from replicast.cli.output import Output, show, show_reply
from replicast.cli.terminal import app, note

if TYPE_CHECKING:
    from replicast.comparison.inquiry import Inquiry, Reply
    from replicast.results import Answer
    from replicast.scores.tables import ScoreTable


@dataclass(frozen=True, kw_only=True)
class Comparing(Bundle):
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
    ledger: Path | None = option("Write the forecast down in this file, to be scored later.")

    @property
    def options(self) -> dict[str, Any]:
        """What every comparison takes."""
        return self.only("significance", "relation")  # checked there

    @property
    def test(self) -> str | None:
        """The test that was named; one that sees averages is the t-test."""
        from replicast.inference.student import PAIRED_TTEST

        return self.method or (None if self.scheme is None else PAIRED_TTEST.name)

    def refuse_for_pairs(self, given: str, **others: Any) -> None:
        """Refuse what only a comparison of paired scores takes."""
        from replicast.errors import refuse_beside

        refuse_beside(given, self.only("method", "scheme", "rope", "cases", "ledger") | others)

    def answer(self, inquiry: "Inquiry", table: "ScoreTable | None" = None) -> "Reply":
        """Compare two models."""
        from replicast.comparison.finding import Finding
        from replicast.comparison.inquiry import observe
        from replicast.comparison.pair import compare as compare_pair
        from replicast.errors import refuse_beside
        from replicast.scores.fold_sizes import with_cases

        reply = observe(inquiry, table, **self.options)
        if isinstance(reply.result, Finding):
            what = "unpaired cases" if reply.result.method == "unpaired" else "measure"
            refuse_beside(what, {"method": self.test})
            return reply
        pair = with_cases(reply.result, self.cases)
        how: dict[str, Any] = {} if self.scheme is None else {"scheme": self.scheme}
        region = in_scores(self.rope, pair, "rope", self.unit)
        comparison = compare_pair(pair, method=self.test, rope=region, **self.options, **how)
        return replace(reply, result=comparison)


@app.command()
def compare(
    scores: Files,
    *,
    models: Pair,
    comparing: Comparing,
    tasks: Tasks,
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
    from replicast.comparison.inquiry import by_parts

    if measuring.measure is not None:
        comparing.refuse_for_pairs("measure", tasks=tasks.tasks)
    inquiry = tasks.of(reading.inquiry(scores, models.names, **asdict(measuring)))
    reply = by_parts(inquiry, comparing.by, comparing.answer, comparing.significance)
    if reply is None and measuring.measure is not None:
        reply = comparing.answer(inquiry)
    elif reply is None:
        reply = _compare_scores(comparing, inquiry)
    if comparing.ledger is not None:
        _write_forecast(reply.result, comparing.ledger)
    show_reply(reply, output)


def _compare_scores(comparing: Comparing, inquiry: "Inquiry") -> "Reply":
    """Compare two models of a table; where none is named, rank all and compare the first two."""
    from replicast.comparison.inquiry import NOBODY
    from replicast.comparison.many import rank
    from replicast.errors import invalid
    from replicast.inference.one_model import score_interval

    table = inquiry.table()
    count = len(table.classifiers)
    if count == 1 and inquiry.names[1] is None:
        remedy = "`replicast rank` answers for one model"
        raise invalid("source", "scores of two models", f"one: {score_interval(table)}", remedy)
    if inquiry.tasks is not None:
        comparing.refuse_for_pairs("tasks", dataset=inquiry.request.dataset)
    if inquiry.tasks is not None or count == 2 or inquiry.names != NOBODY:
        return comparing.answer(inquiry, table)
    ranked = rank(table, significance=comparing.significance, method=comparing.test)
    note(f"No pair was named, so all {count} are ranked; --first and --second name one.")
    first, second, *_ = ranked.classifiers
    reply = comparing.answer(replace(inquiry, names=(first, second)), table)
    beside = {**reply.beside, "ranking": ranked.to_dict()}
    return replace(reply, beside=beside, shown=ranked)


def _write_forecast(found: "Answer", ledger: Path) -> None:
    """Write down what is forecast, before anyone can know."""
    from replicast.errors import invalid
    from replicast.judging.ledger import Ledger
    from replicast.results import SignificanceResult

    evidence, chance = (getattr(found, name, None) for name in ("evidence", "replication"))
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
