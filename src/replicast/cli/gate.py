"""replicast gate: may this candidate replace the baseline? For continuous integration."""

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import typer

from replicast.cli.bundles import option
from replicast.cli.options import BY, METHOD, UNIT, Files, Measuring, Reading, Tasks, in_scores
from replicast.cli.output import Output, show_reply
from replicast.cli.terminal import app

if TYPE_CHECKING:
    from replicast.comparison.inquiry import Inquiry, Reply
    from replicast.errors import InvalidArgumentError
    from replicast.judging.records import Goal
    from replicast.scores.tables import ScoreTable

_ROLES = {"candidate": "the new one", "baseline": "the one it would replace"}


@dataclass(frozen=True, kw_only=True)
class Gating:
    """The options of a gate: who, how large a drop is tolerated, and how sure it must be."""

    candidate: str | None = option("The new one.")
    baseline: str | None = option("The one it would replace.")
    margin: float | None = option(
        "Drop still tolerated: points for fractions and percent, else a score."
    )
    unit: str | None = option(UNIT)
    better: bool = option(
        "Pass only if the candidate gains more than the margin.", False, "--better"
    )
    equivalent: bool = option(
        "Pass only if the two are closer than the margin, either way.", False, "--equivalent"
    )
    required_power: float | None = option(
        "Give no verdict if a candidate as good as the baseline would pass less often than this, e.g. "
        "0.8.",
        None,
        "--require-power",
    )
    significance: float = option("Chance of a wrong verdict at the margin.", 0.05)
    method: str | None = option(METHOD)

    @property
    def names(self) -> tuple[str | None, str | None]:
        """Candidate and baseline, as far as they were given."""
        return self.candidate, self.baseline

    @property
    def goal(self) -> "Goal":
        """What the candidate has to show."""
        from replicast.errors import invalid

        if self.better and self.equivalent:
            raise invalid("equivalent", "left out with `better`", "both")
        return "better" if self.better else "equivalent" if self.equivalent else "not-worse"

    @property
    def lacks_margin(self) -> bool:
        """Whether a margin must be asked for."""
        return self.margin is None and not self.better


@app.command()
def gate(
    scores: Files,
    *,
    gating: Gating,
    tasks: Tasks,
    reading: Reading,
    measuring: Measuring,
    by: str | None = option(BY),
    output: Output,
) -> None:
    """Pass, fail, or cannot tell: is the candidate worse than the baseline by more than a margin?

    The exit code is 0 for pass, 1 for fail and 3 for cannot tell; 2 is a mistake in the call.

    Examples
    --------
      replicast gate cases.csv --candidate new --baseline old --margin 2

      replicast gate scores.csv --candidate new --baseline old --margin 1 --require-power 0.8

      replicast gate cases.csv --candidate new --baseline old --margin 2 --by language
    """
    from replicast.comparison.inquiry import by_parts, observe
    from replicast.errors import invalid
    from replicast.judging.gate import gate as open_gate

    goal, level = gating.goal, gating.significance

    def answer(inquiry: "Inquiry", table: "ScoreTable | None" = None) -> "Reply":
        reply = observe(inquiry, table, significance=level)
        verdict = open_gate(
            reply.result,
            margin=in_scores(gating.margin, reply.result, "margin", gating.unit),
            goal=goal,
            significance=level,
            required_power=gating.required_power,
            method=gating.method,
        )
        return replace(reply, result=verdict)

    inquiry = reading.inquiry(scores, gating.names, assume=False, **asdict(measuring))
    inquiry = tasks.of(inquiry)
    if by is None and measuring.measure is None:
        reply = answer(inquiry, _read_or_ask(inquiry, gating))
    elif None in gating.names or gating.lacks_margin:
        domain = "given, with the candidate and the margin, beside a measure or slices"
        raise invalid("baseline", domain, "nothing")
    else:
        reply = by_parts(inquiry, by, answer, level) or answer(inquiry)
    code = reply.result.exit_code
    show_reply(replace(reply, beside={**reply.beside, "exit_code": code}), output)
    raise typer.Exit(code)


def _read_or_ask(inquiry: "Inquiry", gating: Gating) -> "ScoreTable":
    """Read the files; ask for the pair, the margin and what the files leave open in one message.

    Who is candidate and who baseline is never guessed, since it turns the question.
    """
    from replicast.errors import InvalidArgumentError, SeveralQuestionsError, invalid

    table, left_open = inquiry.guess()
    if table is not None:
        try:
            inquiry.choose(table.classifiers, _ROLES, guess=False)
        except InvalidArgumentError as error:
            if not error.choices:
                raise
            left_open.append(error)
    left_open += _without_margin(gating)
    if left_open or table is None:
        raise left_open[0] if len(left_open) == 1 else SeveralQuestionsError(left_open)
    if table.chosen in inquiry.choose(table.classifiers, _ROLES):
        got = "candidates of a search, of which the best was chosen on these folds"
        remedy = "Give the scores of the chosen one and of the baseline on data it has not seen"
        raise invalid("scores", "scores that did not choose the candidate", got, remedy)
    return table


def _without_margin(gating: Gating) -> "list[InvalidArgumentError]":
    """Ask which drop is tolerated."""
    from replicast.errors import Choice, invalid

    if not gating.lacks_margin:
        return []
    remedy = "Say which drop is still tolerated, e.g. `margin=1` for one point"
    tolerated = invalid("margin", "a positive difference", "nothing", remedy)
    return [tolerated.offering([Choice("margin", "1", "for 1 point, or 1 of the scores")])]
