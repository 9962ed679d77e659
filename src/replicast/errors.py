"""Errors and warnings a user can meet, and the one shape of an error sentence."""

import math


class ReplicastError(Exception):
    """Root of every error raised on purpose by replicast."""


class InvalidArgumentError(ReplicastError, ValueError):
    """An argument lies outside its domain; `argument` is its name where there is one."""

    argument: str | None = None


class DesignMismatchError(InvalidArgumentError):
    """Scores, design and method do not fit together."""


class DesignNeededError(InvalidArgumentError):
    """A table does not tell how its scores arose; `scores` counts those of one classifier."""

    def __init__(self, text: str, scores: int) -> None:
        super().__init__(text)
        self.argument = "design"
        self.scores = scores


class DegenerateScoresWarning(UserWarning):
    """The scores leave nothing to estimate; the answer is set by convention."""


_LONGEST = 400  # letters of what came, in a sentence


def sentence(argument: str, domain: str, got: object, remedy: str = "") -> str:
    """Say which argument, what is allowed, what came, and what to do.

    Examples
    --------
    >>> sentence("folds", "an integer of at least 2", 1, "Use 10 for ten-fold cross-validation")
    '`folds` must be an integer of at least 2, got 1. Use 10 for ten-fold cross-validation.'
    """
    shown = shorten(got if isinstance(got, str) else repr(got), _LONGEST)
    text = f"`{argument}` must be {domain}, got {shown}."
    if remedy and remedy[-1] not in ".?!":
        remedy += "."
    return f"{text} {remedy}".rstrip()


def shorten(text: str, most: int = 60) -> str:
    """Cut a name or a value that is too long for a sentence.

    Examples
    --------
    >>> shorten("x" * 100, 10)
    'xxxxxxx...'
    """
    return text if len(text) <= most else f"{text[: most - 3]}..."


def invalid(argument: str, domain: str, got: object, remedy: str = "") -> InvalidArgumentError:
    """Build the error for an argument outside its domain."""
    error = InvalidArgumentError(sentence(argument, domain, got, remedy))
    error.argument = argument
    return error


def number(value: object) -> float:
    """Return a value as a float, NaN if it is no number; text is none, whatever it says.

    Examples
    --------
    >>> number(2), number("2")
    (2.0, nan)
    """
    if isinstance(value, str | bytes | bytearray):
        return math.nan
    try:
        return float(value)  # type: ignore[arg-type]  # what has no float is told by the error
    except (TypeError, ValueError, OverflowError):
        return math.nan


def require_finite(value: object, argument: str) -> float:
    """Return `value` as a float if it is a finite number, else raise."""
    found = number(value)
    if not math.isfinite(found):
        raise invalid(argument, "a finite number", value)
    return found


def require_positive(value: object, argument: str, domain: str) -> float:
    """Return `value` as a float if it is a finite number above 0, else raise."""
    found = number(value)
    if not 0 < found < math.inf:
        raise invalid(argument, domain, value)
    return found


def require_probability(value: object, argument: str) -> float:
    """Return `value` if it lies strictly between 0 and 1, else raise."""
    found = number(value)
    if not 0 < found < 1:
        raise invalid(argument, "a number strictly between 0 and 1", value)
    return found


def is_whole(value: object) -> bool:
    """Say whether something is a whole number; NaN, infinity and text are not."""
    return number(value) % 1 == 0


def require_choice(value: str, argument: str, choices: tuple[str, ...]) -> str:
    """Return `value` if it is one of `choices`, else raise with the nearest one."""
    if value in choices:
        return value
    raise invalid(argument, f"one of {', '.join(choices)}", repr(value), nearest(value, choices))


def nearest(value: str, choices: tuple[str, ...]) -> str:
    """Suggest the choice that was probably meant, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(str(value), choices, n=1)
    return f"Did you mean {close[0]}?" if close else ""
