"""How designs are spelt: as text in files and options, by splitters of scikit-learn, in words."""

import math
import re
from collections.abc import Callable
from inspect import Parameter, signature
from numbers import Integral
from typing import Any, NamedTuple, Protocol, TypeAlias

from replicast.design.base import Design, require_count
from replicast.design.kinds import (
    Cases,
    CrossValidatedCases,
    CrossValidation,
    Datasets,
    FiveByTwo,
    Holdout,
    KFold,
    RandomSplits,
    RepeatedKFold,
)
from replicast.design.seeded import SPLIT_WORDS, Seeds
from replicast.errors import InvalidArgumentError, invalid, nearest, require_choice

_SPLITTERS = "sklearn.model_selection."
_REFUSED = {
    "TimeSeriesSplit": "Later folds are trained on all that came before and errors hang together in "
    "time, which no test here allows for. Compare over many series, one score each (design "
    "'datasets'), or over windows far apart, as cases with the windows as clusters"
}
_MOST_DIGITS = 12  # of a number in a written design


class Splitter(Protocol):
    """A splitter of scikit-learn, by what all of them have."""

    def get_n_splits(self, *args: Any, **options: Any) -> int:
        """Return the number of splits."""


DesignLike: TypeAlias = Design | Splitter | str | int  # whatever `require_design` understands


class Spelling(NamedTuple):
    """A design as text: what builds it, which keys it has, and an example."""

    build: Callable[..., Design]
    keys: tuple[str, ...] = ()
    example: str = ""


DESIGNS: dict[str, Spelling] = {
    "datasets": Spelling(Datasets, ("count", "groups")),
    "kfold": Spelling(KFold, ("folds",)),
    "repeated-kfold": Spelling(RepeatedKFold, ("runs", "folds")),
    "random-splits": Spelling(
        RandomSplits,
        ("splits", "n_train", "n_test"),
        "random-splits:splits=100,n_train=900,n_test=100",
    ),
    "5x2": Spelling(FiveByTwo),
    "holdout": Spelling(Holdout, ("cases",)),
    "cases": Spelling(Cases, ("count", "clusters", "answers")),
    "cross-validated-cases": Spelling(
        CrossValidatedCases, ("count", "clusters", "answers", "folds")
    ),
    "seeds": Spelling(
        Seeds, ("count", "splits", "paired", "test_percent", "split"), "seeds:count=5"
    ),
}
_FLAGS = {"yes": True, "no": False}


def cross_validation(folds: int, *, runs: int = 1) -> CrossValidation:
    """Return the design of some runs of cross-validation."""
    return CrossValidation(folds, runs=runs)


def run_shape(design: Design, n: int) -> tuple[int, int]:
    """Return (runs, folds) of `n` scores; designs without runs are one run."""
    return design.shape or (1, n)


def parse_design(text: str, argument: str = "design") -> Design:
    """Read a design written as `name` or `name:key=value,key=value`.

    Examples
    --------
    >>> parse_design("repeated-kfold:runs=10,folds=10")
    RepeatedKFold(runs=10, folds=10)
    >>> parse_design("datasets"), parse_design("10-fold"), parse_design("5 seeds").count
    (Datasets(count=None), KFold(folds=10), 5)
    """
    if not isinstance(text, str):
        raise invalid(
            argument, "a design written as text", text, "Write kfold:folds=10, for instance"
        )
    name, _, rest = _as_spelt(text.strip()).partition(":")
    spelling = DESIGNS[require_choice(name, argument, tuple(DESIGNS))]
    values: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        key, _, value = (part.strip() for part in item.partition("="))
        if key not in spelling.keys:
            raise _unknown_key(name, key, item, argument)
        values[key] = _value(name, key, value, argument)
    defaults = {one.name: one.default for one in signature(spelling.build).parameters.values()}
    missing = [
        key for key in spelling.keys if key not in values and defaults[key] is Parameter.empty
    ]
    if missing:
        example = f"Write {spelling.example}"
        raise invalid(argument, f"{name} with {', '.join(missing)}", repr(name), example)
    return spelling.build(**values)


def _unknown_key(name: str, key: str, item: str, argument: str) -> InvalidArgumentError:
    """Return the refusal of a key; cases:cases=500 and seeds:seeds=5 mean their count."""
    known = DESIGNS[name].keys
    allowed = ", ".join(known) or "no option"
    meant = "Did you mean count?" if key == name and "count" in known else nearest(key, known)
    return invalid(argument, f"{name} with {allowed}", repr(item), meant)


def _value(name: str, key: str, text: str, argument: str) -> Any:
    """Return what is written behind a key: a flag, how seeds are split, or a whole number."""
    if key in ("paired", "groups"):
        return _FLAGS[require_choice(text, argument, tuple(_FLAGS))]
    if key == "split":
        return require_choice(text, argument, SPLIT_WORDS[1:])
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        got = repr(f"{key}={text}")
        raise invalid(argument, f"{name} with a whole number for {key}", got)
    return int(text)


_SPELT = (  # as people write it
    (re.compile(r"(\d+)[ -]?folds?(?:[ -]?(?:cv|cross[ -]?validation))?", re.I), r"kfold:folds=\1"),
    (re.compile(r"(?:kfold|cv)[: -]?(\d+)", re.I), r"kfold:folds=\1"),
    (re.compile(r"5\s*[x×*]\s*2(?:[ -]?folds?)?(?:[ -]?cv)?", re.I), "5x2"),
    (
        re.compile(r"(\d+)\s*[x×*]\s*(\d+)(?:[ -]?folds?)?(?:[ -]?cv)?", re.I),
        r"repeated-kfold:runs=\1,folds=\2",
    ),
    (re.compile(r"(?:seeds?:(\d+)|(\d+) seeds?)", re.I), r"seeds:count=\1\2"),
    (re.compile(r"(\d+) (datasets|cases)", re.I), r"\2:count=\1"),
)


def _as_spelt(text: str) -> str:
    """Return the spelling of a design that is written as people write it, others as they are."""
    for pattern, written in _SPELT:
        match = pattern.fullmatch(text)
        if match is not None:
            return match.expand(written)
    return text


def format_design(design: Design) -> str:
    """Write a design so that `parse_design` reads it back.

    Examples
    --------
    >>> format_design(KFold(5))
    'kfold:folds=5'
    """
    options = design.written.items()
    written = ",".join(f"{key}={value}" for key, value in options if value is not None)
    return f"{design.name}:{written}" if written else design.name


def require_design(design: object, argument: str = "design", *, cases: int | None = None) -> Design:
    """Return a design: one of ours, one written as text, a number of folds, or a splitter.

    With `cases`, the rows of the data, a splitter of scikit-learn may give its sizes as shares.

    Examples
    --------
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> require_design(RepeatedStratifiedKFold(n_splits=5, n_repeats=3))
    RepeatedKFold(runs=3, folds=5)
    >>> require_design(10), require_design("holdout")
    (KFold(folds=10), Holdout(cases=None))
    """
    if isinstance(design, Design):
        return design
    if isinstance(design, str):
        return parse_design(design, argument)
    if type(design) is not bool and isinstance(design, Integral):
        return KFold(require_count(design, argument, 2))
    kinds = type(design).__mro__
    splitter = next((kind for kind in kinds if kind.__module__.startswith(_SPLITTERS)), None)
    if splitter is None:
        remedy = "Say how the scores arose, for instance KFold(10), Datasets() or 'kfold:folds=10'"
        raise invalid(argument, "a design", design, remedy)
    match splitter.__name__:
        case "KFold" | "StratifiedKFold" | "GroupKFold" | "StratifiedGroupKFold":
            return KFold(design.n_splits)  # type: ignore[attr-defined]  # as its class has it
        case "RepeatedKFold" | "RepeatedStratifiedKFold":
            return cross_validation(design.cvargs["n_splits"], runs=design.n_repeats)  # type: ignore[attr-defined]  # known by its name
        case "ShuffleSplit" | "StratifiedShuffleSplit":
            return _random_splits(design, argument, cases)
        case "LeaveOneGroupOut":
            return Datasets(groups=True)
    remedy = _REFUSED.get(
        splitter.__name__, "No test here knows how its scores depend on each other"
    )
    raise invalid(argument, "a design, or a splitter that stands for one", design, remedy)


def require_paired_design(design: object, argument: str = "design") -> Design:
    """Return the design of two models' scores; refuse a splitter that drew other folds for each.

    Examples
    --------
    >>> from sklearn.model_selection import KFold as Splitter
    >>> require_paired_design(Splitter(5, shuffle=True, random_state=0))
    KFold(folds=5)
    """
    found = require_design(design, argument)
    shuffles = hasattr(design, "random_state") and getattr(design, "shuffle", True)
    if shuffles and not isinstance(design.random_state, Integral):  # type: ignore[attr-defined]  # asked above
        remedy = (
            "Each time it splits anew, so the scores of two models are no pairs: give it a number as "
            f"random_state before scoring them. If both had the same splits, say design={found!r}"
        )
        raise invalid(argument, "a splitter with the same splits every time", design, remedy)
    return found


def _random_splits(splitter: Any, argument: str, cases: int | None) -> RandomSplits:
    """Read the sizes of a ShuffleSplit as scikit-learn does: shares of the cases, or counts."""
    test, train = splitter.test_size, splitter.train_size
    if test is None and train is None:
        test = 0.1
    if cases is not None:
        test = math.ceil(test * cases) if isinstance(test, float) else test
        train = math.floor(train * cases) if isinstance(train, float) else train
        test, train = (cases - train if test is None else test), train
        train = cases - test if train is None else train
    if not isinstance(test, int) or not isinstance(train, int):
        remedy = "Say how many cases: RandomSplits(splits=..., n_train=..., n_test=...)"
        raise invalid(argument, "a design with its sizes", splitter, remedy)
    return RandomSplits(splits=splitter.n_splits, n_train=train, n_test=test)
