"""replicast plan: what the next experiment needs, after a paper's numbers or scores of one's own."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from replicast.cli.bundles import argument, option
from replicast.cli.options import METHOD, Measuring, Pair, Reading, Tasks
from replicast.cli.output import Output, show
from replicast.cli.reported import Forecasting, Reported
from replicast.cli.terminal import app

if TYPE_CHECKING:
    from replicast.comparison.inquiry import Inquiry
    from replicast.replication.first_result import FirstResult
    from replicast.replication.records import Replication


@dataclass(frozen=True, kw_only=True)
class Planning(Forecasting):
    """The options of a plan: what is wanted, what may grow, and by which test."""

    vary: str | None = option(
        "What may grow: datasets, folds, runs, cases, answers, seeds or splits."
    )
    probability: float = option("Wanted chance of replication.", 0.8)
    method: str | None = option(METHOD)


@app.command()
def plan(
    scores: list[Path] | None = argument(
        "Scores of the first experiment, as `compare` reads them.", None
    ),
    *,
    reported: Reported,
    planning: Planning,
    pair: Pair,
    tasks: Tasks,
    reading: Reading,
    measuring: Measuring,
    output: Output,
) -> None:
    """How large must the next experiment be for a wanted chance of replication?

    Examples
    --------
      replicast plan cases.jsonl --first new --second old --probability 0.8

      replicast plan answers.csv --vary answers

      replicast plan seeds.csv --design seeds:count=5 --vary splits

      replicast plan folds.csv --vary runs

      replicast plan scores.csv --first svm --second nb --vary datasets

      replicast plan --t 2.9 --folds 10 --vary runs --probability 0.8

      replicast plan --z 1.96 --datasets 20

      replicast plan --t 4.1 --seeds 5 --vary seeds

      replicast plan --discordant 40,20 --cases 500
    """
    from replicast.errors import invalid
    from replicast.replication.planner import plan as plan_replication
    from replicast.replication.replicate import replicate

    # options of a paper's numbers beside a file, and those of a file without one
    of_files = {**reading.told, **asdict(tasks), **asdict(measuring)}
    told = reported.changed(without=("cases",)) if scores else of_files
    for given, value in told.items():
        if value is not None:
            domain = "left out" if scores else "given with a file of scores"
            remedy = "The file has the result and its design" if scores else ""
            raise invalid(given, domain, repr(value), remedy)
    result: FirstResult | Replication
    account: tuple[str, ...] = ()
    if scores:
        inquiry = tasks.of(reading.inquiry(scores, pair.names, **asdict(measuring)))
        result, account = _read_first(inquiry, planning.method, reported.cases)
    else:
        result = replicate(**reported.numbers(), design=reading.design)
    wanted = planning.only("probability", "vary", "relation", "estimator", "significance")
    show(plan_replication(result, **wanted), output, account)


def _read_first(
    inquiry: "Inquiry", method: str | None, cases: int | None
) -> "tuple[FirstResult, tuple[str, ...]]":
    """Read the first result from scores, by the test that `compare` would use, and say what it is."""
    from replicast.comparison.finding import Finding
    from replicast.comparison.inquiry import observe
    from replicast.errors import invalid, refuse_beside
    from replicast.inference.methods import choose_method
    from replicast.replication.first_result import read_first_result
    from replicast.scores.fold_sizes import with_cases

    reply = observe(inquiry)
    if isinstance(reply.result, Finding):
        refuse_beside("measure", {"method": method, "cases": cases})
        evidence, first = reply.result.brief, reply.result.first_result
        if first is None:
            raise invalid("scores", "two models that differ, to plan for", "no difference")
    else:
        pair = with_cases(reply.result, cases)
        evidence = choose_method(pair.design, method).test(pair)
        first = read_first_result(evidence, scores=pair)
    return first, (*reply.account, f"First result: {evidence}.")
