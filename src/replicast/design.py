"""How the scores of an experiment arose.

The design carries everything a test must know about dependence between scores, so nobody passes
a correction factor by hand.
"""

import math
from dataclasses import KW_ONLY, MISSING, dataclass, fields, replace
from functools import wraps
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

from replicast.errors import invalid, nearest, require_choice, require_flag
from replicast.formatting import plural

if TYPE_CHECKING:
    from replicast.kernels.seeds import Layout

_SPLITTERS = "sklearn.model_selection."
_MOST_DIGITS = 12  # of a number in a written design
_TESTED = 20  # percent of the rows that a split tests on, unless somebody says
_SWAPPED = "Two whole numbers are easily swapped, and the test would not notice"
_OTHER_ORDER = (
    "scikit-learn's RepeatedKFold has the other order, folds before runs, and the test would not "
    "notice; its own splitter is a design too: design=cv"
)
_SPLIT = ("assumed", "shared", "none")
_Kind = TypeVar("_Kind")


def require_count(value: object, argument: str, least: int, most: int | None = None) -> int:
    """Return `value` as an int if it is an integer of at least `least`, else raise."""
    count = -math.inf if isinstance(value, bool) or not isinstance(value, Integral) else int(value)
    if count < least:
        raise invalid(argument, f"an integer of at least {least}", value)
    if most is not None and count > most:
        raise invalid(argument, f"an integer from {least:,} to {most:,}", value)
    return int(count)


def _settle_count(design: "Design", field: str, least: int) -> None:
    """Check a count and make an integer of any kind an int."""
    object.__setattr__(design, field, require_count(getattr(design, field), field, least))


def _by_name(kind: type[_Kind]) -> type[_Kind]:
    """Say in a sentence why numbers that could be swapped are given by name."""
    build: Any = kind.__init__
    free = sum(not field.kw_only for field in fields(kind))  # type: ignore[arg-type]  # a dataclass

    @wraps(build)
    def checked(self: object, *given: object, **named: object) -> None:
        if len(given) > free:
            names = ", ".join(f"{field.name}=..." for field in fields(kind))  # type: ignore[arg-type]  # likewise
            domain = f"written with names, {kind.__name__}({names})"
            remedy = _OTHER_ORDER if kind.__name__ == "RepeatedKFold" else _SWAPPED
            raise invalid(kind.__name__, domain, f"{kind.__name__}{given!r}", remedy)
        build(self, *given, **named)

    kind.__init__ = checked  # type: ignore[method-assign]  # the same call, told better
    return kind


@dataclass(frozen=True)
class Datasets:
    """One score per dataset; the scores are independent.

    `count` may be left out; it is then taken from the scores.
    """

    count: int | None = None

    def __post_init__(self) -> None:
        if self.count is not None:
            _settle_count(self, "count", 1)

    @property
    def n_scores(self) -> int | None:
        """Number of scores, if known."""
        return self.count

    @property
    def test_train_ratio(self) -> float:
        """Variance inflation n_test / n_train: none, the scores are independent."""
        return 0.0


@dataclass(frozen=True)
class KFold:
    """One run of k-fold cross-validation on one dataset."""

    folds: int = 10

    def __post_init__(self) -> None:
        _settle_count(self, "folds", 2)

    @property
    def n_scores(self) -> int:
        """Number of scores: one a fold."""
        return self.folds

    @property
    def test_train_ratio(self) -> float:
        """Size of a test fold relative to its training set."""
        return 1 / (self.folds - 1)


@_by_name
@dataclass(frozen=True, kw_only=True)
class RepeatedKFold:
    """Several runs of k-fold cross-validation on one dataset; scores in run-major order.

    Both numbers are given by name: scikit-learn's class of this name has the other order. Its splitter
    itself stands for a design too: `design=cv`.
    """

    runs: int = 10
    folds: int = 10

    def __post_init__(self) -> None:
        _settle_count(self, "runs", 1)
        _settle_count(self, "folds", 2)

    @property
    def n_scores(self) -> int:
        """Number of scores: runs times folds."""
        return self.runs * self.folds

    @property
    def test_train_ratio(self) -> float:
        """Size of a test fold relative to its training set."""
        return 1 / (self.folds - 1)


@_by_name
@dataclass(frozen=True, kw_only=True)
class RandomSplits:
    """Independent random train/test splits of one dataset."""

    splits: int
    n_train: int
    n_test: int

    def __post_init__(self) -> None:
        _settle_count(self, "splits", 2)
        _settle_count(self, "n_train", 1)
        _settle_count(self, "n_test", 1)

    @property
    def n_scores(self) -> int:
        """Number of scores: one a split."""
        return self.splits

    @property
    def test_train_ratio(self) -> float:
        """Size of the test set relative to the training set."""
        return self.n_test / self.n_train


@dataclass(frozen=True)
class FiveByTwo:
    """Five runs of two-fold cross-validation; scores in run-major order."""

    @property
    def runs(self) -> int:
        """Five runs."""
        return 5

    @property
    def folds(self) -> int:
        """Two folds."""
        return 2

    @property
    def n_scores(self) -> int:
        """Ten scores."""
        return 10

    @property
    def test_train_ratio(self) -> float:
        """The halves have the same size."""
        return 1.0


@dataclass(frozen=True)
class Holdout:
    """One fixed test set; a score is the correctness (0 or 1) of one case."""

    cases: int | None = None

    def __post_init__(self) -> None:
        if self.cases is not None:
            _settle_count(self, "cases", 1)

    @property
    def n_scores(self) -> int | None:
        """Number of cases, if known."""
        return self.cases

    @property
    def test_train_ratio(self) -> float:
        """Cases are independent given the two fitted models."""
        return 0.0


@_by_name
@dataclass(frozen=True)
class Cases:
    """The cases of one test set, each with a score of any kind; the fitted models are fixed.

    Cases may hang together in `clusters` (questions about one passage, scans of one patient), and each
    may have several `answers` of a model, whose mean is its score.
    """

    count: int | None = None
    _: KW_ONLY
    clusters: int | None = None
    answers: int = 1

    def __post_init__(self) -> None:
        for field, least in (("count", 1), ("clusters", 2)):
            if getattr(self, field) is not None:
                _settle_count(self, field, least)
        _settle_count(self, "answers", 1)
        if self.count is not None and self.clusters is not None and self.clusters > self.count:
            raise invalid("clusters", f"at most as many as the {self.count} cases", self.clusters)

    @property
    def n_scores(self) -> int | None:
        """Number of cases, if known."""
        return self.count

    @property
    def test_train_ratio(self) -> float:
        """Nothing is trained: the spread of the cases is all there is."""
        return 0.0


@_by_name
@dataclass(frozen=True)
class CrossValidatedCases(Cases):
    """The cases of one dataset, each scored by models that were trained without its fold.

    As `cross_val_predict` gives them. Fresh data would bring other cases and other training sets, and
    the training sets overlap; `folds` tells how much. Every run scores every case once: with several,
    `answers` is their number, and the score of a case is its mean over runs.
    """

    _: KW_ONLY
    folds: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        _settle_count(self, "folds", 2)
        if self.count is not None and self.folds > self.count:
            raise invalid("folds", f"at most as many as the {self.count} cases", self.folds)

    @property
    def overlap(self) -> float:
        """By how much of itself the variance of the mean grows, for training sets that overlap.

        It is n_test / n_train for every fold [1]_, and there are as many folds: k / (k - 1).

        References
        ----------
        .. [1] Nadeau and Bengio (2003), Machine Learning 52, 239-281.
        """
        return self.folds / (self.folds - 1)


@_by_name
@dataclass(frozen=True)
class Seeds:
    """Several seeds of each model on one split, or on some; scores split after split.

    Seeds vary the training alone: they share the training and the test set of their split. `paired`
    seeds belong together, for instance by the order of the data; others are drawn for each model.
    Splits are of one dataset, so they overlap: `test_percent` is how much of it a split tests on
    (0 if each is a dataset of its own).

    Where nothing is split into training and test data, as in reinforcement learning and simulation,
    `split` is "none", or None: a repeat then differs in its seeds alone. "shared" says that all seeds
    share a split, which is "assumed" where nobody says so.
    """

    count: int
    _: KW_ONLY
    splits: int = 1
    paired: bool = False
    test_percent: int = _TESTED
    split: Literal["assumed", "shared", "none"] | None = "assumed"

    def __post_init__(self) -> None:
        _settle_count(self, "count", 2)
        _settle_count(self, "splits", 1)
        tested = require_count(self.test_percent, "test_percent", 0, 90)
        object.__setattr__(self, "test_percent", tested)
        object.__setattr__(self, "paired", require_flag(self.paired, "paired"))
        split = "none" if self.split is None else require_choice(self.split, "split", _SPLIT)
        object.__setattr__(self, "split", split)
        if split == "none" and self.splits > 1:
            raise invalid("splits", "1 where there is no split", self.splits)

    @property
    def has_split(self) -> bool:
        """Whether there is a split into training and test data, which fresh data would change."""
        return self.split != "none"

    @property
    def n_scores(self) -> int:
        """Number of scores of a model: seeds times splits."""
        return self.count * self.splits

    @property
    def test_train_ratio(self) -> float:
        """None: what seeds share is the split, which has a share of its own (`kernels/seeds`)."""
        return 0.0

    @property
    def layout(self) -> "Layout":
        """Seeds, splits and what splits have in common, as the kernels take them."""
        from replicast.kernels.seeds import Layout

        return Layout(self.count, self.splits, self.test_percent / 100, self.has_split)


Design: TypeAlias = (
    Datasets
    | KFold
    | RepeatedKFold
    | RandomSplits
    | FiveByTwo
    | Holdout
    | Cases
    | CrossValidatedCases
    | Seeds
)


class Splitter(Protocol):
    """A splitter of scikit-learn, by what all of them have."""

    def get_n_splits(self, *args: Any, **options: Any) -> int:
        """Return the number of splits."""


DesignLike: TypeAlias = Design | Splitter | str | int  # whatever `require_design` understands

DESIGNS: dict[str, type[Design]] = {
    "datasets": Datasets,
    "kfold": KFold,
    "repeated-kfold": RepeatedKFold,
    "random-splits": RandomSplits,
    "5x2": FiveByTwo,
    "holdout": Holdout,
    "cases": Cases,
    "cross-validated-cases": CrossValidatedCases,
    "seeds": Seeds,
}
_NEEDED: dict[type[Design], str] = {
    RandomSplits: "random-splits:splits=100,n_train=900,n_test=100",
    Seeds: "seeds:count=5",
}
_FLAGS = {"yes": True, "no": False}


def cross_validation(folds: int, *, runs: int = 1) -> Design:
    """Return the design of some runs of cross-validation; one run has no pairs of runs to correct."""
    if require_count(runs, "runs", 1) == 1:
        return KFold(folds)
    return RepeatedKFold(runs=runs, folds=folds)


def run_shape(design: Design, n: int) -> tuple[int, int]:
    """Return (runs, folds) of `n` scores; designs without runs are one run."""
    match design:
        case RepeatedKFold(runs=runs, folds=folds):
            return runs, folds
        case FiveByTwo():
            return 5, 2
        case Seeds(count=count, splits=splits):
            return splits, count
        case _:
            return 1, n


def parse_design(text: str, argument: str = "design") -> Design:
    """Read a design written as `name` or `name:key=value,key=value`.

    Examples
    --------
    >>> parse_design("repeated-kfold:runs=10,folds=10")
    RepeatedKFold(runs=10, folds=10)
    >>> parse_design("datasets")
    Datasets(count=None)
    """
    if not isinstance(text, str):
        raise invalid(
            argument, "a design written as text", text, "Write kfold:folds=10, for instance"
        )
    name, _, rest = text.strip().partition(":")
    kind = DESIGNS[require_choice(name, argument, tuple(DESIGNS))]
    known = tuple(field.name for field in fields(kind))
    values: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        key, _, number = (part.strip() for part in item.partition("="))
        if key not in known:
            allowed = ", ".join(known) or "no option"
            # cases:cases=500 and seeds:seeds=5 mean their count, whatever looks more alike
            meant = (
                "Did you mean count?" if key == name and "count" in known else nearest(key, known)
            )
            raise invalid(argument, f"{name} with {allowed}", repr(item), meant)
        if key == "paired":
            values[key] = _FLAGS[require_choice(number, argument, tuple(_FLAGS))]
            continue
        if key == "split":
            values[key] = require_choice(number, argument, _SPLIT[1:])
            continue
        if not number.isdecimal() or len(number) > _MOST_DIGITS:
            raise invalid(argument, f"{name} with a whole number for {key}", repr(item))
        values[key] = int(number)
    needed = [field.name for field in fields(kind) if field.default is MISSING]
    missing = [key for key in needed if key not in values]
    if missing:
        example = f"Write {_NEEDED[kind]}"
        raise invalid(argument, f"{name} with {', '.join(missing)}", repr(name), example)
    return kind(**values)


def format_design(design: Design) -> str:
    """Write a design so that `parse_design` reads it back.

    Examples
    --------
    >>> format_design(KFold(5))
    'kfold:folds=5'
    """
    name = next(name for name, kind in DESIGNS.items() if type(design) is kind)
    options = {f.name: getattr(design, f.name) for f in fields(design)}
    if isinstance(design, Seeds):  # one split and seeds of their own are not worth a word
        options |= {"splits": None if design.splits == 1 else design.splits}
        options |= {"paired": "yes" if design.paired else None}
        options |= {"test_percent": None if design.test_percent == _TESTED else design.test_percent}
        options |= {"split": None if design.split == "assumed" else design.split}
    written = ",".join(f"{key}={value}" for key, value in options.items() if value is not None)
    return f"{name}:{written}" if written else name


def describe_design(design: Design) -> str:
    """Say in words how the scores arose.

    Examples
    --------
    >>> describe_design(RepeatedKFold(runs=10, folds=10))
    '10 runs of 10-fold cross-validation'
    """
    match design:
        case Datasets(count=int(count)):
            return plural(count, "dataset")
        case Datasets():
            return "several datasets"
        case KFold(folds=folds):
            return f"{folds}-fold cross-validation"
        case RepeatedKFold(runs=1, folds=folds):
            return f"{folds}-fold cross-validation"
        case RepeatedKFold(runs=runs, folds=folds):
            return f"{runs} runs of {folds}-fold cross-validation"
        case RandomSplits(splits=splits, n_train=n_train, n_test=n_test):
            return f"{splits} random splits of {n_train} training and {n_test} test cases"
        case FiveByTwo():
            return "five runs of 2-fold cross-validation"
        case Holdout(cases=int(cases)):
            return f"one test set of {plural(cases, 'case')}"
        case Holdout():
            return "one test set"
        case CrossValidatedCases(count=count, clusters=clusters, answers=answers, folds=folds):
            words = "cases" if count is None else plural(count, "case")
            words += "" if clusters is None else f" in {clusters} clusters"
            words += " of " if answers == 1 else f" of {answers} runs of "
            return f"{words}{folds}-fold cross-validation"
        case Cases(count=count, clusters=clusters, answers=answers):
            words = "cases of one test set"
            if count is not None:
                words = f"one test set of {plural(count, 'case')}"
            words += "" if clusters is None else f" in {clusters} clusters"
            return words if answers == 1 else f"{words}, {answers} answers each"
        case Seeds(count=count, splits=splits, paired=paired):
            where = "on one split" if splits == 1 else f"on each of {splits} splits"
            where = where if design.has_split else "without a split"
            return f"{count} {'paired ' if paired else ''}seeds {where}"


def describe_repeat(design: Design) -> str:
    """Say what a repeat has anew.

    Examples
    --------
    >>> describe_repeat(KFold(10)), describe_repeat(Seeds(10, split=None))
    ('on fresh data', 'with new seeds')
    """
    without = isinstance(design, Seeds) and not design.has_split
    return "with new seeds" if without else "on fresh data"


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
        case "KFold" | "StratifiedKFold":
            return KFold(design.n_splits)  # type: ignore[attr-defined]  # as its class has it
        case "RepeatedKFold" | "RepeatedStratifiedKFold":
            return cross_validation(design.cvargs["n_splits"], runs=design.n_repeats)  # type: ignore[attr-defined]  # known by its name
        case "ShuffleSplit" | "StratifiedShuffleSplit":
            return _random_splits(design, argument, cases)
    remedy = "No test here knows how its scores depend on each other"
    raise invalid(argument, "a design, or a splitter that stands for one", design, remedy)


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


def with_count(design: Design, n: int) -> Design:
    """Fill in a count that the scores alone can tell."""
    design = require_design(design)
    match design:
        case Datasets(count=None):
            return Datasets(n)
        case Holdout(cases=None):
            return Holdout(n)
        case Cases(count=None):
            return replace(design, count=n)
    return design
