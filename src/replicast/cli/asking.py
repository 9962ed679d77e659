"""Questions that files leave open: asked in a terminal, elsewhere told with the full command."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from replicast.errors import Choice, Question

_JOINED = ("--columns", "--where")  # further pairs stand behind a comma
_TRIES = 3


def is_asked_here() -> bool:
    """Say whether a person sits at the terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(
    questions: "Sequence[Question]", tell: Callable[[str], None], name: "Callable[[Choice], str]"
) -> "list[Choice] | None":
    """Ask all questions with numbered answers; Enter takes the first. None if nobody answers."""
    chosen = []
    for number, question in enumerate(questions, start=1):
        count = f"Question {number} of {len(questions)}. " if len(questions) > 1 else ""
        tell(f"{count}{question.text}")
        for at, choice in enumerate(question.choices, start=1):
            tell(f"  {at}  {name(choice)}  {choice.meaning}")
        answer = _answer(question, tell)
        if answer is None:
            return None
        chosen.append(answer)
    return chosen


def _answer(question: "Question", tell: Callable[[str], None]) -> "Choice | None":
    from dataclasses import replace

    last = len(question.choices)
    for _ in range(_TRIES):
        number = _line(f"Which one (1 to {last}; Enter for 1)? ")
        if number is None:
            return None
        number = number or "1"
        if number.isdecimal() and 1 <= int(number) <= last:
            choice = question.choices[int(number) - 1]
            value = _line(f"Write it out ({choice.value}): ") if choice.is_open else choice.value
            return None if value is None else replace(choice, value=value)
        tell(f"That is no number from 1 to {last}.")
    return None


def _line(prompt: str) -> str | None:
    """Ask for a line; None where nobody answers."""
    sys.stderr.write(prompt)
    sys.stderr.flush()
    text = sys.stdin.readline()
    if not text.endswith("\n"):
        sys.stderr.write("\n")  # what follows begins on a line of its own
        return None
    return text.strip()


def with_answers(given: Sequence[str], answers: Sequence[Sequence[str]]) -> list[str]:
    """Return the words of a command with answers behind them.

    Examples
    --------
    >>> with_answers(["t.csv", "--columns", "fold=k"], [["--columns", "run=r"], ["--rows", "datasets"]])
    ['t.csv', '--columns', 'fold=k,run=r', '--rows', 'datasets']
    """
    found = list(given)
    for option, *value in answers:
        if option in _JOINED and option in found[:-1]:
            at = found.index(option) + 1
            found[at] = f"{found[at]},{value[0]}"
        else:
            found += [option, *value]
    return found
