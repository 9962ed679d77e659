"""What the caller of `read_scores` said; and what a format knows about its scores."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from replicast.design import Design, parse_design
from replicast.errors import (
    Choice,
    InvalidArgumentError,
    invalid,
    nearest,
    require_choice,
    require_flag,
)
from replicast.reading.sheets import listing

Missing = Literal["share", "refuse", "drop-dataset", "drop-classifier", "drop-case"]
MISSING: tuple[str, ...] = ("share", "refuse", "drop-dataset", "drop-classifier", "drop-case")
RowKind = Literal["datasets", "classifiers"]
ROWS: tuple[str, ...] = ("datasets", "classifiers")
_ROLES = ("classifier", "dataset", "run", "fold", "score", "cluster", "case", "answer")
NUMBERS = "numbers"  # behind the names of models tell their answers apart
_NAMES = ("metric", "dataset", "sheet", "note_column", *(f"{role}_column" for role in _ROLES))


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the caller of `read_scores` asked for."""

    design: Design | None = None
    metric: str | None = None
    missing: Missing = "share"
    greater_is_better: bool | None = None
    classifiers: Sequence[str] | None = None
    dataset: str | None = None
    rows: RowKind | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    sheet: str | None = None
    classifier_column: str | None = None
    dataset_column: str | None = None
    run_column: str | None = None
    fold_column: str | None = None
    score_column: str | None = None
    cluster_column: str | None = None
    case_column: str | None = None
    answer_column: str | None = None
    note_column: str | None = None
    unrelated: bool = False
    numbered: bool | None = None
    assume: bool = True
    by_dataset: bool = False  # cases of several datasets are not taken together

    def __post_init__(self) -> None:
        """Take `none` for the word that cases are not related, or models have no answers by number."""
        if isinstance(self.cluster_column, str) and self.cluster_column == "none":
            object.__setattr__(self, "cluster_column", None)
            object.__setattr__(self, "unrelated", True)
        if isinstance(self.answer_column, str) and self.answer_column in ("none", NUMBERS):
            object.__setattr__(self, "numbered", self.answer_column == NUMBERS)
            object.__setattr__(self, "answer_column", None)

    @property
    def asks_for_cases(self) -> bool:
        """Whether a design was given, that of the cases of one test set."""
        return self.design is not None and self.design.of_cases

    @property
    def asks_for_datasets(self) -> bool:
        """Whether a design was given, that of one score per dataset."""
        return self.design is not None and self.design.over_datasets

    @property
    def columns(self) -> dict[str, str]:
        """Columns that were named, by what they are for."""
        told = {role: getattr(self, f"{role}_column") for role in _ROLES}
        return {role: name for role, name in told.items() if name is not None}

    def notes_among(self, columns: Sequence[str]) -> list[str] | None:
        """Return the columns that hold no scores, as was said; None if nothing was said."""
        if self.note_column is None:
            return None
        named = self.note_column
        told = [named] if named in columns else named.split("+")
        return [] if named == "none" else [name.strip() for name in told]


def answered(request: Request, argument: str, value: str) -> Request:
    """Return a request with an answer to a question; a condition is added to those there are."""
    if argument == "where":
        column, _, cell = value.rpartition("=")
        return replace(request, where={**request.where, column: cell})
    if argument == "design":
        return replace(request, design=parse_design(value))
    told: Any = value == "True" if argument == "greater_is_better" else value
    return replace(request, **{argument: told})


def ask_metric(known: Sequence[str], wanted: str | None, more: str = "") -> InvalidArgumentError:
    """Return the question which measure is meant; `more` says where they stand."""
    got, hint = "none" if wanted is None else repr(wanted), nearest(wanted or "", tuple(known))
    error = invalid("metric", f"one of {listing(known)}{more}", got, hint)
    if wanted is not None:
        return error
    error.remedy = "Say which with `metric=...`"
    asks = f"Several measures can be compared: {listing(known)}. Which one?"
    return error.offering([Choice("metric", one, f"to compare by {one}") for one in known], asks)


def choose_metric(known: Sequence[str], wanted: str | None, usual: Sequence[str] = ()) -> str:
    """Return the measure that is wanted, the first usual one, or the only one; or ask which."""
    if wanted is None:
        only = known[0] if len(known) == 1 else None
        wanted = next((name for name in usual if name in known), only)
    if wanted is None or wanted not in known:
        raise ask_metric(known, wanted)
    return wanted


def plain_column(told: str, columns: Collection[str]) -> str:
    """Return the column that `where` speaks of: `dataset!` asks for rows of another dataset.

    Examples
    --------
    >>> plain_column("dataset!", ["dataset"]), plain_column("win!", ["win!"])
    ('dataset', 'win!')
    """
    return told if told in columns else told.removesuffix("!").rstrip()


def require_request(request: Request) -> Request:
    """Refuse arguments that are no names, choices or flags."""
    require_choice(request.missing, "missing", MISSING)
    if request.rows is not None:
        require_choice(request.rows, "rows", ROWS)
    for argument in _NAMES:
        name = getattr(request, argument)
        if not isinstance(name, str | None):
            raise invalid(argument, "a name, or None", name)
    if request.greater_is_better is not None:
        require_flag(request.greater_is_better, "greater_is_better")
    if not require_flag(request.assume, "assume") and request.missing == "share":
        request = replace(request, missing="refuse")
    if not isinstance(request.where, Mapping):
        raise invalid("where", "a dict from columns to values", request.where)
    names = request.classifiers
    if names is None:
        return request
    listed = isinstance(names, Sequence) and not isinstance(names, str)
    if not listed or not all(isinstance(name, str) for name in names):
        raise invalid("classifiers", "a sequence of names, or None", names)
    return replace(request, classifiers=tuple(names))


@dataclass(frozen=True, kw_only=True)
class Manner:
    """What a format knows about its scores."""

    kind: str  # name of the format, for the account
    metric: str = "score"  # name of the score
    convention: str = ""  # why the format knows which way is better; else the name has to tell
    greater_is_better: bool | None = None  # what the convention says
    by_order: bool = False  # whether rows without run and fold may be counted in their order
    of_cases: bool = False  # whether rows are cases, with a name or without
    counted: str = "from the table"  # what the design was found by
    titles: tuple[str, ...] = ()  # caption, sheet and file, which may name the measure
    binary: bool = False  # whether scores are means of answers that are right or wrong
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    unused: tuple[
        str, ...
    ] = ()  # columns of numbers that are neither scores nor say whose they are
    chosen: str = ""  # the best candidate of a search, chosen on these very scores
