"""replicast gate: may this candidate replace the baseline? For continuous integration."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from replicast.cli.bundles import bundled
from replicast.cli.measuring import (
    UNMEASURED,
    Answered,
    Asked,
    By,
    Measuring,
    paired,
    side_by_side_of,
)
from replicast.cli.options import (
    UNSAID,
    Files,
    Reading,
    TestName,
    UnitWord,
    in_scores,
    read_files,
)
from replicast.cli.output import UNSHOWN, Output, show
from replicast.cli.terminal import app

if TYPE_CHECKING:
    from replicast.scores.tables import ScoreTable


@app.command()
@bundled
def gate(
    scores: Files,
    candidate: Annotated[str | None, typer.Option(help="The new one.")] = None,
    baseline: Annotated[str | None, typer.Option(help="The one it would replace.")] = None,
    margin: Annotated[
        float | None,
        typer.Option(help="Drop still tolerated: points for fractions and percent, else a score."),
    ] = None,
    unit: UnitWord = None,
    better: Annotated[
        bool,
        typer.Option("--better", help="Pass only if the candidate gains more than the margin."),
    ] = False,
    equivalent: Annotated[
        bool,
        typer.Option(
            "--equivalent", help="Pass only if the two are closer than the margin, either way."
        ),
    ] = False,
    required_power: Annotated[
        float | None,
        typer.Option(
            "--require-power",
            help="Give no verdict if a candidate as good as the baseline would pass less often than "
            "this, e.g. 0.8.",
        ),
    ] = None,
    significance: Annotated[
        float, typer.Option(help="Chance of a wrong verdict at the margin.")
    ] = 0.05,
    method: TestName = None,
    reading: Reading = UNSAID,
    measuring: Measuring = UNMEASURED,
    by: By = None,
    output: Output = UNSHOWN,
) -> None:
    """Pass, fail, or cannot tell: is the candidate worse than the baseline by more than a margin?

    The exit code is 0 for pass, 1 for fail and 3 for cannot tell; 2 is a mistake in the call.

    Examples
    --------
      replicast gate cases.csv --candidate new --baseline old --margin 2

      replicast gate scores.csv --candidate new --baseline old --margin 1 --require-power 0.8

      replicast gate cases.csv --candidate new --baseline old --margin 2 --by language
    """
    from replicast.errors import invalid
    from replicast.judging.gate import gate as open_gate

    goal = cast(Any, "better" if better else "equivalent" if equivalent else "not-worse")

    def answer(asked: Asked, table: "ScoreTable | None" = None) -> Answered:
        target = paired(asked, (candidate, baseline), table, significance=significance)
        found = open_gate(
            target.result,
            margin=in_scores(margin, target.result, "margin", unit),
            goal=goal,
            significance=significance,
            required_power=required_power,
            method=method,
        )
        return Answered(found, target.account, {**target.also, "exit_code": found.exit_code})

    if better and equivalent:
        raise invalid("equivalent", "left out with `better`", "both")
    wanted = margin is None and not better
    asked = Asked(scores, reading, measuring, assume=False)
    table = None
    if by is None and measuring.measure is None:
        table = _read_or_ask(scores, reading, (candidate, baseline), needs_margin=wanted)
        _new_and_old(table.classifiers, candidate, baseline)
        if table.chosen:
            got = "candidates of a search, of which the best was chosen on these folds"
            remedy = "Give the scores of the chosen one and of the baseline on data it has not seen"
            raise invalid("scores", "scores that did not choose the candidate", got, remedy)
    elif candidate is None or baseline is None or wanted:
        domain = "given, with the candidate and the margin, beside a measure or slices"
        raise invalid("baseline", domain, "nothing")
    several = None if table is not None else side_by_side_of(asked, by, answer, significance)
    found, account, also = answer(asked, table) if several is None else several
    show(found, output, account, also={**also, "exit_code": found.exit_code})
    raise typer.Exit(found.exit_code)


def _read_or_ask(
    files: list[Path],
    reading: Reading,
    names: tuple[str | None, str | None],
    *,
    needs_margin: bool,
) -> "ScoreTable":
    """Read the files; ask for the pair, the margin and what the files leave open in one message."""
    from replicast.errors import (
        Choice,
        InvalidArgumentError,
        SeveralQuestionsError,
        invalid,
        require_choice,
    )
    from replicast.scores.tables import resolve_name

    asked: list[InvalidArgumentError] = []
    known: tuple[str, ...] = ()
    table = None
    try:
        table = read_files(files, reading, classifiers=names, assume=False)
        known = table.classifiers
    except InvalidArgumentError as error:
        if not error.questions:
            raise
        asked = list(getattr(error, "asked", (error,)))
        known = _names_of(files, reading)
    for option, name in zip(("candidate", "baseline"), names, strict=True):
        if known and name is not None:
            require_choice(str(resolve_name(name, known)), option, known)
    if len(known) > 1:
        try:
            _new_and_old(known, *names)
        except InvalidArgumentError as error:
            if not error.questions:
                raise
            asked.append(error)
    if needs_margin:
        remedy = "Say which drop is still tolerated, e.g. `margin=1` for one point"
        tolerated = invalid("margin", "a positive difference", "nothing", remedy)
        one = Choice("margin", "1", "for 1 point, or 1 of the scores")
        asked.append(tolerated.offering([one]))
    if asked or table is None:
        raise asked[0] if len(asked) == 1 else SeveralQuestionsError(asked)
    return table


def _names_of(files: list[Path], reading: Reading) -> tuple[str, ...]:
    """Return who is in files that leave something open."""
    from replicast.errors import InvalidArgumentError

    try:
        return read_files(files, reading).classifiers
    except InvalidArgumentError:
        return ()


def _new_and_old(
    classifiers: tuple[str, ...], candidate: str | None, baseline: str | None
) -> tuple[str, str]:
    """Return candidate and baseline; which is which is never guessed, since it turns the question."""
    from replicast.cli.compare import choose_pair
    from replicast.errors import Choice, invalid

    if (candidate is None and baseline is None) or (
        len(classifiers) > 2 and None in (candidate, baseline)
    ):
        option = "candidate" if candidate is None else "baseline"
        which = "new one" if candidate is None else "one it would replace"
        domain = f"one of {', '.join(classifiers)}"
        others = [name for name in classifiers if name not in (candidate, baseline)]
        choices = [Choice(option, name, f"if {name} is the {which}") for name in others]
        raise invalid(option, domain, "nothing", f"Say which is the {which}").offering(choices)
    return choose_pair(classifiers, candidate, baseline)
