"""What is known of every design: its traits, which other rooms ask for in place of its class."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from inspect import signature
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from replicast.design.axes import Axis, Growth
from replicast.errors import DesignMismatchError, invalid, require_instance, require_positive
from replicast.formatting import join_words
from replicast.kernels.layouts import Layout

if TYPE_CHECKING:
    from replicast.kernels.seeds import Layout as SeedLayout

_LARGEST_COUNT = 10**15  # floats count no further one by one
_MOST_AMOUNT = 10**12
_MOST_FACTOR = 10**6
_SWAPPED = "Two whole numbers are easily swapped, and the test would not notice"
OTHER_ORDER = (
    "scikit-learn's RepeatedKFold has the other order, folds before runs, and the test would not "
    "notice; its own splitter is a design too: design=cv"
)
_Builder = TypeVar("_Builder", bound=Callable[..., Any])


def require_count(value: object, argument: str, least: int, most: int | None = None) -> int:
    """Return `value` as an int if it is an integer of at least `least`, else raise."""
    count = -math.inf if isinstance(value, bool) or not isinstance(value, Integral) else int(value)
    if count < least:
        raise invalid(argument, f"an integer of at least {least}", value)
    if most is None and count > _LARGEST_COUNT:
        raise invalid(argument, f"an integer from {least:,} to {_LARGEST_COUNT:,}", value)
    if most is not None and count > most:
        raise invalid(argument, f"an integer from {least:,} to {most:,}", value)
    return int(count)


def by_name(builder: _Builder, remedy: str = _SWAPPED) -> _Builder:
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
    five_by_two : bool
        Whether the scores were made for the 5x2cv tests, whose statistics no other test reads.
    independent : bool
        Whether no two scores share training or test data.
    shares_training : bool
        Whether the scores are of test sets whose training sets overlap.
    overlap : float
        For cases of cross-validation: by how much of itself the variance of their mean grows, since
        the training sets overlap. 0 for all others.
    outlook : tuple of (axis, factor)
        Larger experiments worth a thought.
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
    groups : bool
        Whether datasets are the groups of one, each tested by models trained on the others.
    """

    unit: ClassVar[str] = "score"
    repeated: ClassVar[str] = "scores"
    over_datasets: ClassVar[bool] = False
    of_cases: ClassVar[bool] = False
    independent: ClassVar[bool] = False
    shares_training: ClassVar[bool] = False
    outlook: tuple[tuple[str, int], ...] = ()
    binary: bool = False
    five_by_two: bool = False
    count: int | None = None
    folds: int | None = None
    n_train: int | None = None
    n_test: int | None = None
    runs: int = 1
    splits: int = 1
    clusters: int | None = None
    answers: int = 1
    paired: bool = True
    groups: bool = False

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
    def anew(self) -> str:
        """What a repeat has anew, in words."""
        return "on fresh data" if self.has_split else "with new seeds"

    @property
    def axes(self) -> tuple[Axis, ...]:
        """In what ways the experiment may grow, the usual one first."""
        raise NotImplementedError

    @property
    def larger(self) -> tuple[Growth, ...]:
        """Replications a user could think of: more runs, more data, more datasets."""
        return tuple(self.multiplied(axis, times) for axis, times in self.outlook)

    @property
    def n_scores(self) -> int | None:
        """Number of scores of a classifier, if known."""
        return self.count

    @property
    def test_train_ratio(self) -> float:
        """Size of a test set relative to its training set; 0 where training sets share nothing."""
        return 0.0

    @property
    def overlap(self) -> float:
        """By how much of itself the variance of a mean of cases grows, where training sets overlap."""
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

    def counted(self, n: int) -> Self:
        """Return the design with the count that the scores alone can tell."""
        return self._grown("count", n) if self.n_scores is None else self

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
            if isinstance(name, str) and axis.name == name:
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
        Growth(design=KFold(folds=10), data_factor=4.0)
        """
        found = self.axis(axis)
        domain = f"a positive amount, at most {_MOST_AMOUNT:,}"
        amount = require_positive(amount, "amount", domain)
        if amount > _MOST_AMOUNT:
            raise invalid("amount", domain, amount)
        if not found.field:
            return Growth(self, amount)
        return Growth(self._grown(found.field, round(amount)))

    def _grown(self, field: str, amount: int) -> Self:
        return replace(self, **{field: amount})  # type: ignore[type-var]  # every kind is a dataclass

    def is_akin(self, other: "Design") -> bool:
        """Say whether two experiments are of one kind, so that one may repeat the other."""
        require_instance(other, Design, "other")
        if self.shares_training and other.shares_training:
            return True
        return type(self) is type(other) and self.binary == other.binary

    def rerun(self, times: int) -> Self:
        """Return one design that holds several reruns on the same data, where there can be such."""
        if not self.shares_training:
            raise invalid("design", "one that can be rerun", str(self))
        now: int = getattr(self, self.repeated)
        return self._grown(self.repeated, now * require_count(times, "times", 1))

    def multiplied(self, axis: str, factor: int) -> Growth:
        """Return the experiment with several times as much of something."""
        require_count(factor, "factor", 1, _MOST_FACTOR)
        return self.grow(axis, self.amount(axis) * factor)

    def _settle_count(self, name: str, least: int) -> None:
        """Check a count and make an integer of any kind an int."""
        object.__setattr__(self, name, require_count(getattr(self, name), name, least))
