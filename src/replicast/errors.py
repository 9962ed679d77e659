"""Errors and warnings a user can meet. An error keeps its parts and renders its own sentence."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self, TypeVar

Naming = Callable[[str, str | None], str]  # how an argument, or one set to a value, is written
Kind = TypeVar("Kind")
_NAMED = re.compile(r"`([A-Za-z_]\w*)(?:=([^`]*))?`")
_LONGEST = 400  # letters of what came, in a sentence


def name_in_python(argument: str, value: str | None = None) -> str:
    """Write an argument, or one set to a value, as a call in Python has it.

    Examples
    --------
    >>> name_in_python("missing", "drop-case"), name_in_python("where", "split=test")
    ("missing='drop-case'", "where={'split': 'test'}")
    """
    if value in ("True", "False"):
        return f"{argument}={value}"
    if argument == "where" and value is not None and "=" in value:
        column, _, cell = value.rpartition("=")
        return f"where={ ({column: cell})!r}"
    return argument if value is None else f"{argument}={value!r}"


class ReplicastError(Exception):
    """Root of every error raised on purpose by replicast."""

    def sentence(self, naming: Naming = name_in_python) -> str:  # noqa: ARG002  # names no argument
        """Say what is wrong; an argument is named by `naming`."""
        return super().__str__()


@dataclass(frozen=True)
class Choice:
    """One answer to a question: the argument it sets, to what, and what that means."""

    argument: str
    value: str
    meaning: str

    @property
    def is_open(self) -> bool:
        """Whether numbers have to be filled in, which stand as dots."""
        return "..." in self.value

    @property
    def marked(self) -> str:
        """The argument set to the value, marked as an argument in a sentence."""
        return f"`{self.argument}={self.value}`"


@dataclass(frozen=True)
class Question:
    """What a file leaves open: the argument asked about, the text, and answers, the likeliest first."""

    field: str
    text: str
    choices: tuple[Choice, ...]


class InvalidArgumentError(ReplicastError, ValueError):
    """An argument lies outside its domain.

    An error that an answer can mend is a question: `choices` are the answers, the likeliest first, and
    `questions` all that a file leaves open.

    In `domain` and `remedy`, backticks mark other arguments: `` `first` ``, or with a value,
    `` `missing=drop-dataset` ``; the command line and the page name them in their own way.

    Examples
    --------
    >>> error = InvalidArgumentError("folds", "an integer of at least 2", 1, "Use 10")
    >>> print(error)
    `folds` must be an integer of at least 2, got 1. Use 10.
    >>> error.sentence(lambda argument, value: f"--{argument}")
    '`--folds` must be an integer of at least 2, got 1. Use 10.'
    """

    choices: tuple[Choice, ...] = ()
    asks = ""  # what a person is asked, where it is said otherwise than the refusal

    def __init__(self, argument: str, domain: str, got: object, remedy: str = "") -> None:
        self.argument = argument
        self.domain, self.got, self.remedy = domain, show(got), remedy
        super().__init__(argument, domain, self.got, remedy)

    leads_on = True  # whether an answer was found behind which the files can be read

    def offering(self, choices: Sequence[Choice], asks: str = "") -> Self:
        """Return the error as a question with these answers, the likeliest first."""
        self.choices, self.asks = tuple(choices), asks
        if not self.remedy:
            self.remedy = "Say " + "; or ".join(f"{one.marked} {one.meaning}" for one in choices)
        return self

    @property
    def questions(self) -> tuple[Question, ...]:
        """What has to be answered before the files can be read."""
        if not self.choices:
            return ()
        text = self.asks or self.sentence(advice=False)
        return (Question(self.argument, text, self.choices),)

    def sentence(self, naming: Naming = name_in_python, *, advice: bool = True) -> str:
        """Say which argument, what is allowed, what came and, with `advice`, what to do."""
        text = f"{name_arguments(self._opening, naming)}, got {self.got.rstrip('.')}."
        return f"{text} {self.advice(naming)}".rstrip() if advice else text

    def advice(self, naming: Naming = name_in_python) -> str:
        """Say what to do, in a sentence; nothing where nothing is known."""
        if not self.remedy:
            return ""
        return f"{name_arguments(self.remedy, naming)}{'' if self.remedy[-1] in '.?!' else '.'}"

    @property
    def _opening(self) -> str:
        return f"`{self.argument}` must be {self.domain}"

    def __str__(self) -> str:
        return self.sentence()


def name_arguments(text: str, naming: Naming) -> str:
    """Write the arguments that backticks mark in a sentence as `naming` does."""
    return _NAMED.sub(lambda found: f"`{naming(found[1], found[2])}`", text)


class InvalidContentError(InvalidArgumentError):
    """What a file or a table holds is not what it must be; `place` says where.

    Examples
    --------
    >>> print(InvalidContentError("scores.csv, row 14", "a number", "'n/a'", "Remove the row"))
    scores.csv, row 14: expected a number, got 'n/a'. Remove the row.
    """

    def __init__(
        self, place: str, domain: str, got: object, remedy: str = "", argument: str = "source"
    ) -> None:
        super().__init__(argument, domain, got, remedy)
        self.place = place
        self.args = (place, domain, self.got, remedy, argument)

    @property
    def _opening(self) -> str:
        return f"{self.place}: expected {self.domain}"


class SeveralQuestionsError(InvalidArgumentError):
    """A file leaves several questions open, each an error of its own."""

    def __init__(self, asked: Sequence[InvalidArgumentError]) -> None:
        first = asked[0]
        super().__init__(first.argument, first.domain, first.got, first.remedy)
        self.asked = tuple(asked)
        self.leads_on = all(one.leads_on for one in asked)
        self.args = (self.asked,)

    @property
    def questions(self) -> tuple[Question, ...]:
        """What has to be answered before the files can be read."""
        return tuple(one for error in self.asked for one in error.questions)

    def sentence(self, naming: Naming = name_in_python, *, advice: bool = True) -> str:
        """Say what is open, question after question."""
        told = (error.sentence(naming, advice=advice) for error in self.asked)
        return " ".join(f"({at}) {text}" for at, text in enumerate(told, start=1))


class DesignMismatchError(InvalidArgumentError):
    """Scores, design and method do not fit together."""


class MissingScoresError(DesignMismatchError):
    """Scores that are compared are missing; `got` is a sentence that says whose, `domain` what may go.

    Examples
    --------
    >>> domain, remedy = "drop-dataset or drop-classifier", "Complete the table"
    >>> print(MissingScoresError("missing", domain, "svm lacks 1 score on 'iris'", remedy))
    svm lacks 1 score on 'iris'. Complete the table.
    """

    def sentence(self, naming: Naming = name_in_python, *, advice: bool = True) -> str:
        """Say whose scores are missing and, with `advice`, what to do."""
        text = f"{self.got.rstrip('.')}."
        return f"{text} {self.advice(naming)}".rstrip() if advice else text


class DesignNeededError(InvalidArgumentError):
    """A table does not tell how its scores arose; `scores` counts those of one classifier."""

    def __init__(self, domain: str, got: object, remedy: str, scores: int) -> None:
        super().__init__("design", domain, got, remedy)
        self.scores = scores
        self.args = (domain, self.got, remedy, scores)


class DegenerateScoresWarning(UserWarning):
    """The scores leave nothing to estimate; the answer is set by convention."""


EXTRAS = {
    "run": ("numba", "sklearn", "joblib", "pyarrow", "threadpoolctl"),
    "files": ("python_calamine", "narwhals"),
    "cluster": ("distributed", "dask"),
    "web": ("fastapi", "starlette", "uvicorn", "multipart", "pebble"),
}
_DISTRIBUTIONS = {"sklearn": "scikit-learn", "multipart": "python-multipart"}


class MissingExtraError(ReplicastError, ImportError):
    """A library that comes with an extra is not installed.

    Examples
    --------
    >>> print(MissingExtraError("sklearn", "run"))
    This needs scikit-learn, which is not installed. Run pip install 'replicast[run]'.
    """

    def __init__(self, module: str, extra: str) -> None:
        self.extra = extra
        library = _DISTRIBUTIONS.get(module, module).replace("_", "-")
        sentence = f"This needs {library}, which is not installed. Run {install_line(extra)}."
        super().__init__(sentence, name=module)


def install_line(extra: str) -> str:
    """Return the command that installs an extra."""
    return f"pip install 'replicast[{extra}]'"


def require_extra(extra: str) -> None:
    """Refuse to begin where a library of an extra is missing."""
    for module in EXTRAS[extra]:
        if find_spec(module) is None:
            raise MissingExtraError(module, extra)


@contextmanager
def names_extras() -> Iterator[None]:
    """Turn a library that could not be imported into the sentence that names its extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        for extra, modules in EXTRAS.items():
            if module in modules:
                raise MissingExtraError(module, extra) from None
        raise


def invalid(argument: str, domain: str, got: object, remedy: str = "") -> InvalidArgumentError:
    """Build the error for an argument outside its domain."""
    return InvalidArgumentError(argument, domain, got, remedy)


def show(value: object) -> str:
    """Write what came so that it fits into a sentence; text stands for itself."""
    try:
        return shorten(value if isinstance(value, str) else repr(value), _LONGEST)
    except Exception:  # whatever the value's own repr raises
        return f"a {type(value).__name__} that cannot be shown"


def shorten(text: str, most: int = 60) -> str:
    """Cut a name or a value that is too long for a sentence.

    Examples
    --------
    >>> shorten("x" * 100, 10)
    'xxxxxxx...'
    """
    return text if len(text) <= most else f"{text[: most - 3]}..."


def number(value: object) -> float:
    """Return a value as a float, NaN if it is no number; text is none, whatever it says.

    Examples
    --------
    >>> number(2), number("2")
    (2.0, nan)
    """
    if isinstance(value, str | bytes | bytearray) or getattr(value, "ndim", 0) > 0:
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


def require_flag(value: object, argument: str) -> bool:
    """Return `value` if it is True or False, of whatever kind, else raise."""
    found = number(value)
    if found not in (0, 1):
        raise invalid(argument, "True or False", value)
    return bool(found)


def require_instance(value: object, kind: type[Kind], argument: str, remedy: str = "") -> Kind:
    """Return `value` if it is of a kind, else raise."""
    if isinstance(value, kind):
        return value
    word = kind.__name__
    article = "an" if word[0] in "AEIOU" else "a"
    got = "None" if value is None else f"{type(value).__name__}"
    raise invalid(argument, f"{article} {word}", got, remedy)


def require_sequence(value: object, argument: str, least: int = 1) -> Sequence[Any]:
    """Return `value` if it is a sequence of enough items and no text, else raise."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence) or len(value) < least:
        raise invalid(argument, f"a sequence of at least {least}", value)
    return value


def require_path(value: object, argument: str) -> Path:
    """Return `value` as a path if it can be one, else raise."""
    if isinstance(value, str | Path) and str(value) and "\0" not in str(value):
        return Path(value)
    raise invalid(argument, "the path of a file", value)


def require_function(value: object, argument: str, call: str) -> None:
    """Raise if `value` can neither be called nor is None; `call` shows how it is called."""
    if value is not None and not callable(value):
        raise invalid(argument, f"a function, called as {call}, or None", value)


def require_choice(value: object, argument: str, choices: Sequence[str]) -> str:
    """Return `value` if it is one of `choices`, else raise with the nearest one."""
    if isinstance(value, str) and value in choices:
        return value
    shown = repr(value) if isinstance(value, str) else value
    raise invalid(argument, f"one of {', '.join(choices)}", shown, nearest(value, choices))


def refuse_beside(given: str, others: Mapping[str, Any]) -> None:
    """Refuse arguments that mean nothing beside this one."""
    for other, value in others.items():
        if value is not None:
            raise invalid(other, f"left out with `{given}`", repr(value))


def nearest(value: object, choices: Sequence[str]) -> str:
    """Suggest the choice that was probably meant, or nothing."""
    from difflib import get_close_matches

    if not isinstance(value, str):
        return ""
    initials = {_initials(choice): choice for choice in reversed(choices) if _initials(choice)}
    begun = [one for one in choices if len(value) > 2 and one.lower().startswith(value.lower())]
    close = (
        begun
        or get_close_matches(value, choices, n=1)
        or [
            initials[short]
            for short in get_close_matches(value.lower(), initials, n=1, cutoff=0.75)
        ]
    )
    return f"Did you mean {close[0]}?" if close else ""


def _initials(name: str) -> str:
    """Return the first letters of a name of several words: nb for naive-bayes."""
    words = [part for part in re.split(r"[-_ ]+", name) if part]
    return "".join(word[0] for word in words).lower() if len(words) > 1 else ""
