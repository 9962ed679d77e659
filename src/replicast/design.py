"""How the scores of an experiment arose.

The design carries everything a test must know about dependence between scores, so nobody passes
a correction factor by hand.
"""

from dataclasses import dataclass, fields
from numbers import Integral
from typing import TypeAlias

from replicast.errors import invalid, nearest


def require_count(value: object, argument: str, least: int) -> int:
    """Return `value` as an int if it is an integer of at least `least`, else raise."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise invalid(argument, f"an integer of at least {least}", value)
    return int(value)


def _settle_count(design: "Design", field: str, least: int) -> None:
    """Check a count and make an integer of any kind an int."""
    object.__setattr__(design, field, require_count(getattr(design, field), field, least))


def _correlation(design: "Design") -> float:
    """Return n_test / (n_train + n_test), Nadeau and Bengio's correlation between two scores."""
    return design.test_train_ratio / (1 + design.test_train_ratio)


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

    correlation = property(_correlation)


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

    correlation = property(_correlation)


@dataclass(frozen=True)
class RepeatedKFold:
    """Several runs of k-fold cross-validation on one dataset; scores in run-major order."""

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

    correlation = property(_correlation)


@dataclass(frozen=True)
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

    correlation = property(_correlation)


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

    correlation = property(_correlation)


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

    correlation = property(_correlation)


Design: TypeAlias = Datasets | KFold | RepeatedKFold | RandomSplits | FiveByTwo | Holdout

DESIGNS: dict[str, type[Design]] = {
    "datasets": Datasets,
    "kfold": KFold,
    "repeated-kfold": RepeatedKFold,
    "random-splits": RandomSplits,
    "5x2": FiveByTwo,
    "holdout": Holdout,
}


def cross_validation(folds: int, runs: int = 1) -> Design:
    """Return the design of some runs of cross-validation; one run has no pairs of runs to correct."""
    return KFold(folds) if require_count(runs, "runs", 1) == 1 else RepeatedKFold(runs, folds)


def run_shape(design: Design, n: int) -> tuple[int, int]:
    """Return (runs, folds) of `n` scores; designs without runs are one run."""
    match design:
        case RepeatedKFold(runs=runs, folds=folds):
            return runs, folds
        case FiveByTwo():
            return 5, 2
        case _:
            return 1, n


def parse_design(text: str) -> Design:
    """Read a design written as `name` or `name:key=value,key=value`.

    Examples
    --------
    >>> parse_design("repeated-kfold:runs=10,folds=10")
    RepeatedKFold(runs=10, folds=10)
    >>> parse_design("datasets")
    Datasets(count=None)
    """
    name, _, rest = text.strip().partition(":")
    kind = DESIGNS.get(name)
    if kind is None:
        names = tuple(DESIGNS)
        raise invalid("design", f"one of {', '.join(names)}", repr(name), nearest(name, names))
    known = tuple(field.name for field in fields(kind))
    values: dict[str, int] = {}
    for item in filter(None, rest.split(",")):
        key, _, number = item.partition("=")
        key, number = key.strip(), number.strip()
        if key not in known:
            allowed = ", ".join(known) or "no option"
            raise invalid("design", f"{name} with {allowed}", repr(item), nearest(key, known))
        if not number.isdecimal():
            raise invalid("design", f"{name} with a whole number for {key}", repr(item))
        values[key] = int(number)
    return _construct(kind, name, values)


def _construct(kind: type[Design], name: str, values: dict[str, int]) -> Design:
    needed = {"splits", "n_train", "n_test"} if kind is RandomSplits else set()
    missing = sorted(needed - set(values))
    if missing:
        example = "Write random-splits:splits=100,n_train=900,n_test=100"
        raise invalid("design", f"{name} with {', '.join(missing)}", repr(name), example)
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
        case Datasets(count=None):
            return "several datasets"
        case Datasets(count=count):
            return f"{count} datasets"
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
        case Holdout(cases=None):
            return "one test set"
        case Holdout(cases=cases):
            return f"one test set of {cases} cases"


def require_design(design: object, argument: str = "design") -> Design:
    """Return `design` if it is one, else raise."""
    if not isinstance(design, Design):
        remedy = "Say how the scores arose, for instance KFold(10) or Datasets()"
        raise invalid(argument, "a design", design, remedy)
    return design


def with_count(design: Design, n: int) -> Design:
    """Fill in a count that the scores alone can tell."""
    match design:
        case Datasets(count=None):
            return Datasets(n)
        case Holdout(cases=None):
            return Holdout(n)
        case _:
            return require_design(design)
