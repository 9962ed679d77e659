"""replicast compare and replicast demo."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from replicast.cli.bundles import bundled
from replicast.cli.measuring import (
    UNMEASURED,
    Answered,
    Asked,
    By,
    Measuring,
    Scale,
    fixed_tasks,
    paired,
    refuse_beside,
    side_by_side_of,
)
from replicast.cli.options import (
    UNSAID,
    DatasetCases,
    Files,
    FirstName,
    Reading,
    RelationWord,
    Rope,
    SecondName,
    TestName,
    UnitWord,
    in_scores,
    read_files,
)
from replicast.cli.output import UNSHOWN, Output, show
from replicast.cli.terminal import app, note

if TYPE_CHECKING:
    from replicast.comparison.records import ManyComparison
    from replicast.results import Answer
    from replicast.scores.tables import ScoreTable


@app.command()
@bundled
def compare(
    scores: Files,
    first: FirstName = None,
    second: SecondName = None,
    method: TestName = None,
    scheme: Annotated[
        str | None,
        typer.Option(
            help="What a test sees of repeated cross-validation: sorted, folds or runs (averages over "
            "sorted runs, folds, runs; Bouckaert 2004), all, or first-run. Default test: the t-test."
        ),
    ] = None,
    significance: Annotated[float, typer.Option(help="Level of the test.")] = 0.05,
    rope: Rope = None,
    unit: UnitWord = None,
    cases: DatasetCases = None,
    relation: RelationWord = "unknown",
    reading: Reading = UNSAID,
    measuring: Measuring = UNMEASURED,
    by: By = None,
    tasks: Annotated[
        str | None,
        typer.Option(
            help="Cases of several datasets or tasks: sample (others might have been chosen), fixed "
            "(these very ones, each with the same weight), or weights, e.g. maths=2,law=1. Default: "
            "sample."
        ),
    ] = None,
    scaling: Scale = None,
    ledger: Annotated[
        Path | None, typer.Option(help="Write the forecast down in this file, to be scored later.")
    ] = None,
    output: Output = UNSHOWN,
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
    from replicast.comparison.finding import Finding
    from replicast.comparison.pair import compare as compare_pair
    from replicast.inference.student import PAIRED_TTEST
    from replicast.scores.pairs import with_cases

    if measuring.measure is not None:
        refuse_beside("measure", {"method": method, "scheme": scheme, "rope": rope, "cases": cases,
                                  "tasks": tasks, "ledger": ledger})  # fmt: skip
    if scheme is not None and method is None:
        method = PAIRED_TTEST.name
    options: dict[str, Any] = {"significance": significance, "relation": relation}  # checked there

    def answer(asked: Asked, table: "ScoreTable | None" = None) -> Answered:
        target = paired(asked, (first, second), table, **options)
        if isinstance(target.result, Finding):
            refuse_beside("measure" if measuring.measure else "unpaired cases", {"method": method})
            return target
        seen = with_cases(target.result, cases)
        told: dict[str, Any] = {} if scheme is None else {"scheme": scheme}
        region = in_scores(rope, seen, "rope", unit)
        return target._replace(
            result=compare_pair(seen, method=method, rope=region, **options, **told)
        )

    asked = Asked(scores, reading, measuring)
    several = side_by_side_of(asked, by, answer, significance)
    if several is not None:
        show(several.result, output, several.account)
        return
    table = None if measuring.measure else read_files(scores, reading, classifiers=(first, second))
    if table is not None and len(table.classifiers) == 1 and second is None:
        from replicast.errors import invalid
        from replicast.inference.one_model import score_interval

        remedy = "`replicast rank` answers for one model"
        raise invalid("source", "scores of two models", f"one: {score_interval(table)}", remedy)
    ranked = None
    fixed = tasks is not None and tasks != "sample"
    if table and first is second is None and len(table.classifiers) > 2 and not fixed:
        ranked = _rank_all(table, significance, method)
        first, second = ranked.classifiers[:2]
    if table is not None and tasks is not None and fixed:
        refuse_beside("tasks", {"method": method, "scheme": scheme, "rope": rope, "cases": cases,
                                "ledger": ledger, "dataset": reading.dataset})  # fmt: skip
        names = choose_pair(table.classifiers, first, second)
        by_tasks, account = fixed_tasks(asked, table, names, tasks, scaling, **options)
        show(by_tasks, output, account)
        return
    refuse_beside("tasks=sample", {"scaling": scaling})
    found, account, also = answer(asked, table)
    if ledger is not None:
        _write_forecast(found, ledger)
    if ranked is not None and table is not None and not output.as_json:
        show(ranked, output, table.account)
        return
    ranking = {} if ranked is None else {"ranking": ranked.to_dict()}
    show(found, output, account, also={**also, **ranking})


def _rank_all(table: "ScoreTable", significance: float, method: str | None) -> "ManyComparison":
    """Rank all classifiers where no pair was named, and say so."""
    from replicast.comparison.many import compare_many

    ranked = compare_many(table, significance=significance, method=method)
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


def choose_pair(
    classifiers: tuple[str, ...], first: str | None, second: str | None
) -> tuple[str, str]:
    """Complete the pair where there is no choice, else ask for it."""
    from replicast.errors import invalid
    from replicast.scores.tables import resolve_name

    first, second = (
        None if one is None else str(resolve_name(one, classifiers)) for one in (first, second)
    )
    if first is not None and second is not None:
        if first == second:
            raise invalid("second", "another classifier than `first`", repr(second))
        return first, second
    others = [name for name in classifiers if name not in (first, second)]
    if first is None and second is None and len(classifiers) == 2:
        return classifiers[0], classifiers[1]
    if len(others) == 1 and len(classifiers) == 2:
        return (first, others[0]) if first is not None else (others[0], str(second))
    missing = "first" if first is None else "second"
    raise invalid(
        missing, f"one of {', '.join(classifiers)}", "nothing", "Say which pair to compare"
    )


@app.command()
def demo(
    output: Annotated[Path, typer.Option(help="Folder for the plots.", metavar="FOLDER")] = Path(
        "demo-output"
    ),
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
