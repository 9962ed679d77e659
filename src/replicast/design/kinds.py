"""The kinds of design: datasets, cross-validation, random splits, cases and seeds.

A kind is a record with its traits, written once. Other rooms ask for a trait (what a score belongs
to, whether scores are independent, what may grow) and never for the class of a design.
"""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import wraps
from inspect import signature
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar

from replicast.design.axes import (
    ANSWERS,
    CASES,
    DATA,
    DATASETS,
    FOLDS,
    RUNS,
    SEEDS,
    SEPARATE_SPLITS,
    SPLITS,
    UNSPLIT_SEEDS,
    Axis,
    Growth,
)
from replicast.errors import DesignMismatchError, invalid, require_choice, require_flag
from replicast.formatting import join_words, plural
from replicast.kernels.layouts import Layout, fold_layout, split_layout

if TYPE_CHECKING:
    from replicast.kernels.seeds import Layout as SeedLayout

TESTED_PERCENT = 20  # of the rows, by a split of which nobody says more
SPLIT_WORDS = ("assumed", "shared", "none")
_SWAPPED = "Two whole numbers are easily swapped, and the test would not notice"
_OTHER_ORDER = (
    "scikit-learn's RepeatedKFold has the other order, folds before runs, and the test would not "
    "notice; its own splitter is a design too: design=cv"
)
_Builder = TypeVar("_Builder", bound=Callable[..., Any])


def require_count(value: object, argument: str, least: int, most: int | None = None) -> int:
    """Return `value` as an int if it is an integer of at least `least`, else raise."""
    count = -math.inf if isinstance(value, bool) or not isinstance(value, Integral) else int(value)
    if count < least:
        raise invalid(argument, f"an integer of at least {least}", value)
    if most is not None and count > most:
        raise invalid(argument, f"an integer from {least:,} to {most:,}", value)
    return int(count)


def _by_name(builder: _Builder, remedy: str = _SWAPPED) -> _Builder:
    """Say in a sentence why numbers that could be swapped are given by name."""
    known = signature(builder).parameters.values()
    free = sum(one.kind is one.POSITIONAL_OR_KEYWORD for one in known)
    name = builder.__name__
    build: Any = builder.__init__ if isinstance(builder, type) else builder  # type: ignore[misc]  # its own
    owner = 1 if isinstance(builder, type) else 0  # `self` comes first

    @wraps(build)
    def checked(*given: object, **named: object) -> Any:
        if len(given) - owner > free:
            names = ", ".join(f"{one.name}=..." for one in known)
            got = f"{name}{given[owner:]!r}"
            raise invalid(name, f"written with names, {name}({names})", got, remedy)
        return build(*given, **named)

    if isinstance(builder, type):
        builder.__init__ = checked  # type: ignore[misc]  # the same call, told better
        return builder
    return checked  # type: ignore[return-value]  # likewise


class Design:
    """How the scores of an experiment arose, with the traits of its kind.

    The design carries everything a test must know about dependence between scores, so nobody passes
    a correction factor by hand.

    Attributes
    ----------
    unit : str
        What one score belongs to, in the singular.
    repeated : str
        What there can be more of with the least effort, to see how the scores are spread.
    over_datasets : bool
        Whether the scores are of different datasets.
    of_cases : bool
        Whether every score is that of a case of one test set.
    binary : bool
        Whether every score says that a case is right (1) or wrong (0).
    independent : bool
        Whether no two scores share training or test data.
    shares_training : bool
        Whether the training sets of the scores overlap.
    folds, n_train, seeds : int, optional
        Folds of a run, rows a random split trains on, and seeds on a split, where there are such.
    runs, splits, answers : int
        Runs of cross-validation, splits of a dataset, and answers to a case; 1 where there is no such.
    clusters : int, optional
        Groups of cases that hang together.
    has_split : bool
        Whether there is a split into training and test data, which fresh data would change.
    paired : bool
        Whether the scores of both classifiers belong together one by one.
    """

    unit: ClassVar[str] = "score"
    repeated: ClassVar[str] = "scores"
    over_datasets: ClassVar[bool] = False
    of_cases: ClassVar[bool] = False
    independent: ClassVar[bool] = False
    shares_training: ClassVar[bool] = False
    binary: bool = False
    count: int | None = None
    folds: int | None = None
    n_train: int | None = None
    n_test: int | None = None
    runs: int = 1
    splits: int = 1
    clusters: int | None = None
    answers: int = 1
    paired: bool = True

    @property
    def name(self) -> str:
        """Its name in files, options and forms."""
        return self.names[0]

    @property
    def names(self) -> tuple[str, ...]:
        """Its name, and others that it may be called: a test for one of them is valid here."""
        raise NotImplementedError

    @property
    def written(self) -> dict[str, object]:
        """What is written after its name, None left out."""
        raise NotImplementedError

    @property
    def words(self) -> str:
        """How the scores arose, in words."""
        raise NotImplementedError

    @property
    def axes(self) -> tuple[Axis, ...]:
        """In what ways the experiment may grow, the usual one first."""
        raise NotImplementedError

    @property
    def larger(self) -> tuple[Growth, ...]:
        """Replications a user could think of: more runs, more data, more datasets."""
        raise NotImplementedError

    @property
    def n_scores(self) -> int | None:
        """Number of scores of a classifier, if known."""
        raise NotImplementedError

    @property
    def test_train_ratio(self) -> float:
        """Size of a test set relative to its training set; 0 where training sets share nothing."""
        return 0.0

    @property
    def has_split(self) -> bool:
        """Whether there is a split into training and test data, which fresh data would change."""
        return True

    @property
    def seeds(self) -> int | None:
        """Seeds of a model on a split; None where seeds are not what varies."""
        return None

    @property
    def shape(self) -> tuple[int, int] | None:
        """(runs, folds) of the scores; None for designs of one run."""
        return None

    @property
    def layout(self) -> "SeedLayout":
        """Seeds, splits and what splits have in common, as the kernels take them."""
        raise DesignMismatchError("design", "seeds", self.words)

    def counted(self, n: int) -> "Design":  # noqa: ARG002  # likewise
        """Return the design with the count that the scores alone can tell."""
        return self

    def settled(self, *, correctness: bool) -> "Design":  # noqa: ARG002  # likewise
        """Return the design as its scores are, which may all be right (1) or wrong (0)."""
        return self

    def t_layout(self, *, corrected: bool) -> Layout:
        """Return how a plain or corrected t-test sees the scores; refuse where that is not known."""
        name = "corrected" if corrected else "paired"
        raise DesignMismatchError("design", f"one whose {name} t statistic is modelled", str(self))

    def axis(self, name: str | None = None) -> Axis:
        """Return one way to grow by its name, by default the usual one."""
        if name is None:
            return self.axes[0]
        for axis in self.axes:
            if axis.name == name:
                return axis
        able = join_words([axis.name for axis in self.axes], "or")
        raise DesignMismatchError("vary", f"{able} for {self.words}", repr(name), self._lacks(name))

    def _lacks(self, name: str) -> str:  # noqa: ARG002  # kinds that can say more use it
        """Say what would let the experiment grow in a way that it cannot."""
        return ""

    def amount(self, axis: str | None = None) -> float:
        """Return how much there is now: a count, or 1 where data are counted in multiples."""
        found = self.axis(axis)
        if not found.field:
            return 1.0
        now = getattr(self, found.field)
        if now is None:
            raise invalid("evidence", "from a design that can grow", str(self))
        return int(now)

    def grow(self, axis: str | None, amount: float) -> Growth:
        """Return the experiment with so much of something: a count, or a multiple of the data.

        Examples
        --------
        >>> from replicast import KFold
        >>> KFold(10).grow("runs", 10).design
        RepeatedKFold(runs=10, folds=10)
        >>> KFold(10).grow("cases", 4)
        Growth(design=KFold(folds=10), data_factor=4)
        """
        found = self.axis(axis)
        return Growth(self._grown(found, round(amount))) if found.field else Growth(self, amount)

    def _grown(self, axis: Axis, amount: int) -> Self:
        return replace(self, **{axis.field: amount})  # type: ignore[type-var]  # every kind is a dataclass

    def is_akin(self, other: "Design") -> bool:
        """Say whether two experiments are of one kind, so that one may repeat the other."""
        if self.shares_training and other.shares_training:
            return True
        return type(self) is type(other) and self.binary == other.binary

    def rerun(self, times: int) -> "Design":  # noqa: ARG002  # kinds that can be rerun use it
        """Return one design that holds several reruns on the same data, where there can be such."""
        raise invalid("design", "one that can be rerun", str(self))

    def multiplied(self, axis: str, factor: int) -> "Design":
        """Return the experiment with several times as much of something that is counted."""
        return self.grow(axis, self.amount(axis) * factor).design

    def _settle_count(self, name: str, least: int) -> None:
        """Check a count and make an integer of any kind an int."""
        object.__setattr__(self, name, require_count(getattr(self, name), name, least))


@dataclass(frozen=True)
class Datasets(Design):
    """One score per dataset; the scores are independent.

    `count` may be left out; it is then taken from the scores.
    """

    count: int | None = None

    unit = "dataset"
    repeated = "datasets"
    over_datasets = True
    independent = True
    names = ("datasets",)
    axes = (DATASETS,)

    def __post_init__(self) -> None:
        if self.count is not None:
            self._settle_count("count", 1)

    @property
    def n_scores(self) -> int | None:
        """Number of scores, if known."""
        return self.count

    @property
    def written(self) -> dict[str, object]:
        """The count."""
        return {"count": self.count}

    @property
    def words(self) -> str:
        """How many datasets."""
        return "several datasets" if self.count is None else plural(self.count, "dataset")

    @property
    def larger(self) -> tuple[Growth, ...]:
        """Twice and four times the datasets."""
        return tuple(Growth(self.multiplied("datasets", times)) for times in (2, 4))

    def counted(self, n: int) -> Design:
        """Return the design with its count."""
        return Datasets(n) if self.count is None else self

    def t_layout(self, *, corrected: bool) -> Layout:
        """Return that of independent scores; there is nothing to correct."""
        if corrected or self.count is None:
            return super().t_layout(corrected=corrected)
        return Layout(self.count - 1, 1 / self.count, 1.0)


@dataclass(frozen=True, repr=False)
class CrossValidation(Design):
    """One or several runs of k-fold cross-validation on one dataset; scores in run-major order.

    `KFold`, `RepeatedKFold` and `FiveByTwo` build it. Five runs of two folds that were made for the
    5x2cv tests say so (`five_by_two`): their usual test is another one, all else is the same.
    """

    folds: int = 10
    _: KW_ONLY
    runs: int = 1
    five_by_two: bool = False

    unit = "fold"
    repeated = "runs"
    shares_training = True
    axes = (DATA, RUNS, FOLDS)

    def __post_init__(self) -> None:
        self._settle_count("folds", 2)
        self._settle_count("runs", 1)
        require_flag(self.five_by_two, "five_by_two")
        if self.five_by_two and (self.runs, self.folds) != (5, 2):
            got = f"{self.runs} runs of {self.folds} folds"
            raise invalid("five_by_two", "left out unless there are five runs of two folds", got)

    def __repr__(self) -> str:
        if self.five_by_two:
            return "FiveByTwo()"
        if self.runs == 1:
            return f"KFold(folds={self.folds})"
        return f"RepeatedKFold(runs={self.runs}, folds={self.folds})"

    @property
    def names(self) -> tuple[str, ...]:
        """Five runs of two folds are both, whoever asks for a test; one run is k-fold."""
        if self.five_by_two:
            return ("5x2", "repeated-kfold")
        if (self.runs, self.folds) == (5, 2):
            return ("repeated-kfold", "5x2")
        return ("kfold",) if self.runs == 1 else ("repeated-kfold",)

    @property
    def written(self) -> dict[str, object]:
        """Runs and folds, as far as its name does not say them."""
        if self.five_by_two:
            return {}
        runs = {} if self.runs == 1 else {"runs": self.runs}
        return {**runs, "folds": self.folds}

    @property
    def words(self) -> str:
        """Runs and folds."""
        if self.five_by_two:
            return "five runs of 2-fold cross-validation"
        once = f"{self.folds}-fold cross-validation"
        return once if self.runs == 1 else f"{self.runs} runs of {once}"

    @property
    def n_scores(self) -> int:
        """Number of scores: runs times folds."""
        return self.runs * self.folds

    @property
    def test_train_ratio(self) -> float:
        """Size of a test fold relative to its training set."""
        return 1 / (self.folds - 1)

    @property
    def shape(self) -> tuple[int, int]:
        """Runs and folds."""
        return self.runs, self.folds

    @property
    def larger(self) -> tuple[Growth, ...]:
        """One run becomes ten, on the same data and on four times as much; several get more data."""
        if self.runs > 1:
            return Growth(self, 2.0), Growth(self, 4.0)
        repeated = self.grow("runs", 10).design
        return Growth(repeated), Growth(self, 4.0), Growth(repeated, 4.0)

    def t_layout(self, *, corrected: bool) -> Layout:
        """Return that of folds whose training sets overlap."""
        return fold_layout(self.folds, self.runs, self.test_train_ratio, corrected=corrected)

    def rerun(self, times: int) -> Design:
        """Return the runs of all reruns."""
        return self.multiplied("runs", times)

    def _grown(self, axis: Axis, amount: int) -> Self:
        runs, folds = (amount, self.folds) if axis is RUNS else (self.runs, amount)
        return type(self)(folds, runs=max(1, runs))


def KFold(folds: int = 10) -> CrossValidation:  # noqa: N802  # a design, as scikit-learn calls it
    """One run of k-fold cross-validation on one dataset."""
    return CrossValidation(folds)


def _repeated_kfold(*, runs: int = 10, folds: int = 10) -> CrossValidation:
    """Several runs of k-fold cross-validation on one dataset; scores in run-major order.

    Both numbers are given by name: scikit-learn's class of this name has the other order. Its splitter
    itself stands for a design too: `design=cv`.
    """
    return CrossValidation(folds, runs=runs)


_repeated_kfold.__name__ = _repeated_kfold.__qualname__ = "RepeatedKFold"
RepeatedKFold = _by_name(_repeated_kfold, _OTHER_ORDER)


def FiveByTwo() -> CrossValidation:  # noqa: N802  # likewise
    """Five runs of two-fold cross-validation, made for the 5x2cv tests; scores in run-major order."""
    return CrossValidation(2, runs=5, five_by_two=True)


@_by_name
@dataclass(frozen=True, kw_only=True)
class RandomSplits(Design):
    """Independent random train/test splits of one dataset."""

    splits: int = field()
    n_train: int = field()
    n_test: int = field()

    unit = "split"
    repeated = "splits"
    shares_training = True
    names = ("random-splits",)
    axes = (DATA,)

    def __post_init__(self) -> None:
        self._settle_count("splits", 2)
        self._settle_count("n_train", 1)
        self._settle_count("n_test", 1)

    @property
    def n_scores(self) -> int:
        """Number of scores: one a split."""
        return self.splits

    @property
    def written(self) -> dict[str, object]:
        """Splits and sizes."""
        return {"splits": self.splits, "n_train": self.n_train, "n_test": self.n_test}

    @property
    def words(self) -> str:
        """Splits and sizes."""
        return (
            f"{self.splits} random splits of {self.n_train} training and {self.n_test} test cases"
        )

    @property
    def test_train_ratio(self) -> float:
        """Size of the test set relative to the training set."""
        return self.n_test / self.n_train

    def rerun(self, times: int) -> Design:
        """Return the splits of all reruns."""
        return replace(self, splits=self.splits * times)

    @property
    def larger(self) -> tuple[Growth, ...]:
        """Twice and four times the data."""
        return Growth(self, 2.0), Growth(self, 4.0)

    def t_layout(self, *, corrected: bool) -> Layout:
        """Return that of splits that draw from the same cases."""
        share = self.n_test / (self.n_train + self.n_test)
        return split_layout(self.splits, share, corrected=corrected)


@_by_name
@dataclass(frozen=True, repr=False)
class Cases(Design):
    """The cases of one test set, each with a score; the fitted models are fixed.

    Cases may hang together in `clusters` (questions about one passage, scans of one patient), and each
    may have several `answers` of a model, whose mean is its score. Scores are of any kind, or only say
    right and wrong (`binary`, which `Holdout` builds): paired scores of cases settle it themselves.
    """

    count: int | None = None
    _: KW_ONLY
    clusters: int | None = None
    answers: int = 1
    binary: bool = False

    unit = "case"
    repeated = "cases"
    of_cases = True
    independent = True

    def __post_init__(self) -> None:
        for name, least in (("count", 1), ("clusters", 2)):
            if getattr(self, name) is not None:
                self._settle_count(name, least)
        self._settle_count("answers", 1)
        require_flag(self.binary, "binary")
        if self.count is not None and self.clusters is not None and self.clusters > self.count:
            raise invalid("clusters", f"at most as many as the {self.count} cases", self.clusters)
        if self.binary and (self.clusters is not None or self.answers > 1):
            remedy = "Leave `binary` out"
            raise invalid("binary", "cases of their own with one answer", self.words, remedy)

    def __repr__(self) -> str:
        if self.binary:
            return f"Holdout(cases={self.count})"
        return f"Cases(count={self.count}, clusters={self.clusters}, answers={self.answers})"

    @property
    def names(self) -> tuple[str, ...]:
        """Cases that are right or wrong are cases too."""
        return ("holdout", "cases") if self.binary else ("cases",)

    @property
    def written(self) -> dict[str, object]:
        """The count, clusters and answers."""
        if self.binary:
            return {"cases": self.count}
        return {"count": self.count, "clusters": self.clusters, "answers": self.answers}

    @property
    def words(self) -> str:
        """How many cases, how they hang together, and how many answers each has."""
        words = "one test set" if self.binary else "cases of one test set"
        if self.count is not None:
            words = f"one test set of {plural(self.count, 'case')}"
        words += "" if self.clusters is None else f" in {self.clusters} clusters"
        return words if self.answers == 1 else f"{words}, {self.answers} answers each"

    @property
    def n_scores(self) -> int | None:
        """Number of cases, if known."""
        return self.count

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Cases; and answers, where several tell how much they vary."""
        return (CASES, ANSWERS) if self.answers > 1 else (CASES,)

    def _lacks(self, name: str) -> str:
        single = "Several answers to each case tell how much they vary"
        return single if name == ANSWERS.name else ""

    @property
    def larger(self) -> tuple[Growth, ...]:
        """Four and sixteen times the cases."""
        return tuple(Growth(self.multiplied("cases", times)) for times in (4, 16))

    def counted(self, n: int) -> Design:
        """Return the design with its count."""
        return replace(self, count=n) if self.count is None else self

    def settled(self, *, correctness: bool) -> Design:
        """Return single answers to cases that are right or wrong as such: one experiment, one design."""
        plain = self.clusters is None and self.answers == 1
        return replace(self, binary=True) if plain and correctness else self

    def _grown(self, axis: Axis, amount: int) -> Self:
        """Let clusters grow along, with as many cases to a cluster."""
        if axis is ANSWERS:
            return replace(self, answers=amount)
        clusters = self.clusters
        if clusters is not None and self.count is not None:
            clusters = min(max(2, round(clusters * amount / self.count)), amount)
        return replace(self, count=amount, clusters=clusters)


def Holdout(cases: int | None = None) -> Cases:  # noqa: N802  # likewise
    """One fixed test set; a score is the correctness (0 or 1) of one case."""
    if cases is not None:
        require_count(cases, "cases", 1)
    return Cases(cases, binary=True)


@_by_name
@dataclass(frozen=True)
class Seeds(Design):
    """Several seeds of each model on one split, or on some; scores split after split.

    Seeds vary the training alone: they share the training and the test set of their split. `paired`
    seeds belong together, for instance by the order of the data; others are drawn for each model.
    Splits are of one dataset, so they overlap: `test_percent` is how much of it a split tests on
    (0 if each is a dataset of its own).

    Where nothing is split into training and test data, as in reinforcement learning and simulation,
    `split` is "none", or None: a repeat then differs in its seeds alone. "shared" says that all seeds
    share a split, which is "assumed" where nobody says so.
    """

    count: int = field()
    _: KW_ONLY
    splits: int = 1
    paired: bool = False
    test_percent: int = TESTED_PERCENT
    split: Literal["assumed", "shared", "none"] | None = "assumed"

    unit = "seed"
    names = ("seeds",)

    def __post_init__(self) -> None:
        self._settle_count("count", 2)
        self._settle_count("splits", 1)
        tested = require_count(self.test_percent, "test_percent", 0, 90)
        object.__setattr__(self, "test_percent", tested)
        object.__setattr__(self, "paired", require_flag(self.paired, "paired"))
        split = "none" if self.split is None else require_choice(self.split, "split", SPLIT_WORDS)
        object.__setattr__(self, "split", split)
        if split == "none" and self.splits > 1:
            raise invalid("splits", "1 where there is no split", self.splits)

    @property
    def has_split(self) -> bool:
        """Whether there is a split into training and test data, which fresh data would change."""
        return self.split != "none"

    @property
    def seeds(self) -> int:
        """Seeds of a model on a split."""
        return self.count

    @property
    def repeated(self) -> str:  # type: ignore[override]  # depends on the split
        """Splits; where nothing is split, seeds."""
        return "splits" if self.has_split else "seeds"

    @property
    def written(self) -> dict[str, object]:
        """The count; one split and seeds of their own are not worth a word."""
        return {
            "count": self.count,
            "splits": None if self.splits == 1 else self.splits,
            "paired": "yes" if self.paired else None,
            "test_percent": None if self.test_percent == TESTED_PERCENT else self.test_percent,
            "split": None if self.split == "assumed" else self.split,
        }

    @property
    def words(self) -> str:
        """How many seeds, and on how many splits."""
        where = "on one split" if self.splits == 1 else f"on each of {self.splits} splits"
        where = where if self.has_split else "without a split"
        return f"{self.count} {'paired ' if self.paired else ''}seeds {where}"

    @property
    def n_scores(self) -> int:
        """Number of scores of a model: seeds times splits."""
        return self.count * self.splits

    @property
    def shape(self) -> tuple[int, int]:
        """Splits and the seeds on each."""
        return self.splits, self.count

    @property
    def layout(self) -> "SeedLayout":
        """Seeds, splits and what splits have in common, as the kernels take them."""
        from replicast.kernels.seeds import Layout as SeedLayout

        return SeedLayout(self.count, self.splits, self.test_percent / 100, self.has_split)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Splits before seeds; where nothing is split, seeds alone."""
        if not self.has_split:
            return (UNSPLIT_SEEDS,)
        return (SPLITS if self.test_percent else SEPARATE_SPLITS, SEEDS)

    @property
    def larger(self) -> tuple[Growth, ...]:
        """More seeds, and more splits."""
        if not self.has_split:
            return tuple(Growth(self.multiplied("seeds", times)) for times in (2, 4))
        splits = tuple(Growth(self.multiplied("splits", times)) for times in (2, 5))
        return Growth(self.multiplied("seeds", 4)), *splits
