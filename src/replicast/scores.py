"""Scores as they enter the house: parsed once, valid ever after."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicast.arrays import Bools, Floats, Ints
from replicast.design import (
    Cases,
    Datasets,
    Design,
    DesignLike,
    FiveByTwo,
    Holdout,
    RandomSplits,
    Seeds,
    describe_design,
    require_design,
    run_shape,
    with_count,
)
from replicast.errors import (
    DesignMismatchError,
    invalid,
    is_whole,
    require_choice,
    require_flag,
    require_positive,
)
from replicast.formatting import format_number
from replicast.kernels.cases import CaseMean, clustered_mean
from replicast.kernels.rounding import snap
from replicast.kernels.schemes import SCHEMES, Scheme, sample_scores
from replicast.kernels.seeds import SeedMeans, seed_means

if TYPE_CHECKING:
    from pandas import DataFrame

_PERCENT = 100.0
_ACCURACY = re.compile(
    r"(?<!balanced.)accuracy|(^|_)acc(_|\b)|percent.?correct|error.?rate", re.IGNORECASE
)
GAPS = "drop-dataset or drop-classifier where scores that are compared are missing"
_CASE_GAPS = "drop-case where cases that are compared are missing"
_COMPLETE_CASES = "Complete the table, or leave them out of both with `missing=drop-case`"
COMPLETE = "Complete the table, or read it with `missing=drop-dataset` or `missing=drop-classifier`"


class Arrays:
    """Records that hold arrays: equal if all their fields are."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        named = [one.name for one in fields(self) if one.compare]  # type: ignore[arg-type]  # all are dataclasses
        return all(_same(getattr(self, name), getattr(other, name)) for name in named)

    __hash__ = None  # type: ignore[assignment]  # arrays have none either


def _same(one: object, other: object) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if not isinstance(one, np.ndarray) or not isinstance(other, np.ndarray):
        return type(one) is type(other) and one == other
    return np.array_equal(one, other, equal_nan=one.dtype.kind == other.dtype.kind == "f")


def _parse_scores(values: ArrayLike, argument: str) -> Floats:
    """Return a read-only copy of finite one-dimensional scores."""
    if isinstance(values, set | frozenset | dict):
        raise invalid(argument, "a sequence in a fixed order", type(values).__name__)
    array = require_numbers(values, argument)
    if array.ndim != 1:
        raise invalid(argument, "one-dimensional", f"an array of shape {array.shape}")
    bad = np.flatnonzero(~np.isfinite(array))
    if len(bad):
        remedy = "Drop the split from both classifiers or impute its score"
        raise invalid(argument, "finite", f"{array[bad[0]]} at position {bad[0]}", remedy)
    array.setflags(write=False)
    return array


def require_numbers(values: ArrayLike, argument: str) -> Floats:
    """Return a copy of numbers as an array of floats, whatever its shape, else raise."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise invalid(argument, "numbers", _first_stranger(values)) from None


def _first_stranger(values: ArrayLike) -> str:
    for position, value in enumerate(values if isinstance(values, Sequence) else [values]):
        try:
            float(value)
        except (TypeError, ValueError):
            return f"{value!r} at position {position}"
    return f"a {type(values).__name__}"


def parse_names(names: Sequence[str]) -> tuple[str, str]:
    """Return the names of two classifiers."""
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != 2:
        raise invalid("names", "two classifier names", repr(names))
    return str(names[0]), str(names[1])


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PairedScores(Arrays):
    """Scores of two classifiers on the same test sets.

    Attributes
    ----------
    first, second : array of float
        Scores in the same order; for repeated designs run by run.
    design : Design
        How the scores arose.
    names : tuple of str
        Names of the two classifiers.
    greater_is_better : bool
        False for losses; positive `differences` favour the first classifier either way.
    dataset : str or None
        Name of the dataset, if there is one.
    metric : str or None
        Name of the measure, if it has one: only shares are spoken of in percent and points.
    case_differences : array (runs, cases) or None
        Correctness of the first minus correctness of the second for every case, where known.
    n_test : float or None
        Cases behind each score, on average. Give it where the scores are accuracies or error rates,
        as shares or percentages: how noisy they must be is then known too.
    clusters : array of int or None
        For cases that hang together: the cluster of each, by any label.
    answer_variance : float or None
        For cases with several answers: how much of the variance of a difference is due to them.
    case_names : tuple of str, or empty
        What the cases of one test set are called.

    Examples
    --------
    >>> from replicast import KFold, PairedScores
    >>> pair = PairedScores(first=[0.9, 0.8, 0.85], second=[0.8, 0.8, 0.9], design=KFold(3))
    >>> pair.differences.tolist()
    [0.1, 0.0, -0.05]
    """

    first: Floats
    second: Floats
    design: Design
    names: tuple[str, str] = ("first", "second")
    greater_is_better: bool = True
    dataset: str | None = None
    metric: str | None = field(default=None, repr=False)
    case_differences: Floats | None = field(default=None, repr=False)
    n_test: float | None = field(default=None, repr=False)
    clusters: Ints | None = field(default=None, repr=False)
    answer_variance: float | None = field(default=None, repr=False)
    case_names: tuple[str, ...] = field(default=(), repr=False, compare=False)
    differences: Floats = field(init=False, repr=False, compare=False)

    if TYPE_CHECKING:  # what may be given is wider than what is kept

        def __init__(
            self,
            *,
            first: ArrayLike,
            second: ArrayLike,
            design: DesignLike,
            names: Sequence[str] = ...,
            greater_is_better: bool = ...,
            dataset: str | None = ...,
            metric: str | None = ...,
            case_differences: Floats | None = ...,
            n_test: float | None = ...,
            clusters: ArrayLike | None = ...,
            answer_variance: float | None = ...,
            case_names: tuple[str, ...] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        first, second = _parse_scores(self.first, "first"), _parse_scores(self.second, "second")
        if len(first) != len(second):
            raise DesignMismatchError(
                "second",
                f"as long as `first` ({len(first)} scores)",
                f"{len(second)} scores",
                "Both classifiers need a score on every test set",
            )
        if len(first) < 2:
            raise DesignMismatchError(
                "first",
                "at least two scores",
                f"{len(first)}",
                "One difference has no spread to judge it by; give the score of every fold, "
                "or the predictions for every case",
            )
        design = self._clustered(with_count(self.design, len(first)), len(first))
        if design.n_scores != len(first):
            raise DesignMismatchError(
                "design",
                f"a design with {len(first)} scores, one for each difference",
                f"{design} with {design.n_scores}",
                "Check runs and folds, or whether rows are missing",
            )
        if isinstance(design, Holdout) and not is_correctness(first, second):
            raise DesignMismatchError(
                "first",
                "0 or 1 for every case of a holdout",
                "other scores",
                "Give correctness, or a design with several test sets",
            )
        magnitude = np.maximum(np.abs(first), np.abs(second))
        with np.errstate(over="ignore"):  # an overflow is refused below, in words
            difference = snap(first - second, np.asarray(magnitude))
        if not require_flag(self.greater_is_better, "greater_is_better"):
            difference = 0.0 - difference
        largest = float(magnitude.max())
        if not np.isfinite(4 * len(first) * largest):
            raise invalid("first", "scores whose differences add up", f"up to {largest:g}")
        difference.setflags(write=False)
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "second", second)
        object.__setattr__(self, "design", design)
        object.__setattr__(self, "names", parse_names(self.names))
        object.__setattr__(self, "differences", difference)
        if self.metric is not None and not isinstance(self.metric, str):
            raise invalid("metric", "the name of a measure, or None", self.metric)
        if self.case_differences is not None:
            cases = np.atleast_2d(require_numbers(self.case_differences, "case_differences"))
            cases.setflags(write=False)
            object.__setattr__(self, "case_differences", cases)
        if self.n_test is not None:
            require_positive(self.n_test, "n_test", "a positive number of cases behind each score")
            if not 0 <= min(first.min(), second.min()) <= largest <= _PERCENT:
                raise invalid(
                    "n_test",
                    "given with accuracies, as shares or percentages",
                    f"scores from {min(first.min(), second.min()):g} to {largest:g}",
                )

    def _clustered(self, design: Design, n: int) -> Design:
        """Return the design with the number of clusters; refuse clusters that do not fit it."""
        if self.clusters is None:
            if isinstance(design, Cases) and design.clusters is not None:
                domain = f"the cluster of every case, for {design.clusters} clusters"
                raise DesignMismatchError("clusters", domain, "nothing")
            return design
        if not isinstance(design, Cases):
            domain = "left out unless the scores are cases of one test set"
            remedy = "Say design=Cases()"
            raise DesignMismatchError("clusters", domain, f"some for {design}", remedy)
        codes, count = cluster_codes(self.clusters, n)
        if design.clusters not in (None, count):
            got = f"labels of {count}"
            raise DesignMismatchError("clusters", f"labels of {design.clusters} clusters", got)
        object.__setattr__(self, "clusters", codes)
        return replace(design, clusters=count)

    @cached_property
    def cluster_mean(self) -> CaseMean | None:
        """The mean difference of clustered cases with its error; several rooms ask for it."""
        return None if self.clusters is None else clustered_mean(self.differences, self.clusters)

    @property
    def independent(self) -> int:
        """How many parts are independent of each other: clusters where there are any, else scores."""
        clusters = self.design.clusters if isinstance(self.design, Cases) else None
        return clusters or len(self.first)

    @property
    def accuracies(self) -> tuple[Floats, Floats, float] | None:
        """Both accuracies as shares and the cases behind each, if the scores are known to be such."""
        if self.n_test is None:
            return None
        unit = 1.0 if max(self.first.max(), self.second.max()) <= 1 else _PERCENT
        first, second = self.first / unit, self.second / unit
        if not self.greater_is_better:
            first, second = 1 - first, 1 - second
        return first, second, float(self.n_test)

    @property
    def seed_means(self) -> SeedMeans | None:
        """What seeds tell of the difference and of how it varies; None for other designs."""
        if not isinstance(self.design, Seeds):
            return None
        return seed_means(
            self.differences,
            self.first,
            self.second,
            self.design.splits,
            paired=self.design.paired,
        )

    def __repr__(self) -> str:
        means = " and ".join(format_number(float(one.mean())) for one in (self.first, self.second))
        first, second = self.names
        told = f"{first} against {second}, {describe_design(self.design)}, means {means}"
        return f"<PairedScores: {told}>"

    def to_frame(self) -> "DataFrame":
        """Return the scores and their differences as a data frame, one row per test set."""
        from pandas import DataFrame

        columns = dict(zip(self.names, (self.first, self.second), strict=True))
        return DataFrame({**columns, "difference": self.differences})

    def swapped(self) -> Self:
        """Return the same scores with the classifiers exchanged."""
        cases = None if self.case_differences is None else 0.0 - self.case_differences
        return replace(
            self,
            first=self.second,
            second=self.first,
            names=(self.names[1], self.names[0]),
            case_differences=cases,
        )

    def sample(self, scheme: Scheme = "all") -> Floats:
        """Return the differences a test sees under a sampling scheme (Bouckaert 2004).

        Examples
        --------
        >>> from replicast import RepeatedKFold
        >>> design = RepeatedKFold(runs=2, folds=2)
        >>> pair = PairedScores(first=[4, 1, 2, 2], second=[0, 0, 0, 0], design=design)
        >>> pair.sample("folds").tolist(), pair.sample("sorted").tolist()
        ([2.5, 2.0], [1.5, 3.0])
        """
        require_choice(scheme, "scheme", SCHEMES)
        if scheme == "all":
            return self.differences
        runs, folds = run_shape(self.design, len(self.differences))
        if runs == 1 and scheme not in ("first-run", "sorted", "runs"):
            raise DesignMismatchError(
                "scheme",
                "all or first-run for a design with one run",
                repr(scheme),
                "Use RepeatedKFold for several runs",
            )
        sampled = sample_scores(self.differences.reshape(runs, folds), scheme)
        return snap(sampled, np.asarray(np.abs(self.differences).max()))


def is_correctness(first: Floats, second: Floats) -> bool:
    """Say whether every score is 0 or 1."""
    return bool(np.isin(first, (0.0, 1.0)).all() and np.isin(second, (0.0, 1.0)).all())


def _are_codes(labels: NDArray[np.generic]) -> bool:
    """Say whether labels are the numbers from 0 on, each in use."""
    numbers = labels.astype(np.int64)
    if len(numbers) == 0 or numbers.min() < 0 or numbers.max() >= len(numbers):
        return False
    return bool((np.bincount(numbers) > 0).all())


def cluster_codes(labels: object, n: int) -> tuple[Ints, int]:
    """Return the clusters of n cases as numbers from 0, and how many clusters there are."""
    if isinstance(labels, set | frozenset | dict) or not hasattr(labels, "__len__"):
        raise invalid("clusters", "a label for every case", type(labels).__name__)
    array = np.asarray(list(labels) if isinstance(labels, str) else labels)
    if array.ndim != 1 or len(array) != n:
        raise DesignMismatchError("clusters", f"one label for each of {n} cases", f"{array.shape}")
    if array.dtype.kind in "iub" and _are_codes(array):
        codes = array
    elif array.dtype.kind in "iub":
        _, codes = np.unique(array, return_inverse=True)
    else:
        places: dict[object, int] = {}
        codes = np.array([places.setdefault(label, len(places)) for label in array.tolist()])
        if any(label is None or label != label for label in places):
            raise invalid("clusters", "a label for every case", "a missing one")
    count = int(codes.max()) + 1
    if count < 2:
        remedy = (
            "Cases that all hang together are one observation; leave clusters out if they do not"
        )
        raise DesignMismatchError("clusters", "two or more", "one", remedy)
    codes = codes.astype(np.int64)
    codes.setflags(write=False)
    return codes, count


def with_cases(scores: PairedScores, cases: int | None) -> PairedScores:
    """Return accuracies of folds that know how many cases their dataset has.

    Examples
    --------
    >>> from replicast import KFold, PairedScores
    >>> pair = PairedScores(first=[0.9, 0.8], second=[0.8, 0.8], design=KFold(2))
    >>> with_cases(pair, 300).n_test
    150.0
    """
    if cases is None:
        return scores
    folds = 2 if isinstance(scores.design, FiveByTwo) else getattr(scores.design, "folds", None)
    if folds is None:
        domain = "given with accuracies of the folds of one dataset"
        raise invalid("cases", domain, describe_design(scores.design))
    if not is_whole(cases) or cases < folds:
        raise invalid("cases", f"a whole number, at least one for each of {folds} folds", cases)
    return replace(scores, n_test=cases / folds)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PairedPredictions(Arrays):
    """Predictions of two fitted classifiers for the same cases of one test set.

    Examples
    --------
    >>> pair = PairedPredictions(truth=[1, 0, 1], first=[1, 0, 0], second=[0, 0, 0])
    >>> pair.discordant
    (1, 0)
    """

    truth: NDArray[np.generic]
    first: NDArray[np.generic]
    second: NDArray[np.generic]
    names: tuple[str, str] = ("first", "second")

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            truth: ArrayLike,
            first: ArrayLike,
            second: ArrayLike,
            names: Sequence[str] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        arrays = {name: np.array(getattr(self, name)) for name in ("truth", "first", "second")}
        for name, array in arrays.items():
            if array.ndim != 1 or len(array) == 0:
                raise invalid(name, "a non-empty one-dimensional array", f"shape {array.shape}")
            if len(array) != len(arrays["truth"]):
                raise DesignMismatchError(
                    name, f"as long as `truth` ({len(arrays['truth'])})", f"{len(array)}"
                )
            missing = [i for i, value in enumerate(array) if value is None or value != value]
            if missing:
                raise invalid(
                    name,
                    "free of missing values",
                    f"one at position {missing[0]}",
                    "Drop the case from all three",
                )
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        object.__setattr__(self, "names", parse_names(self.names))

    def __repr__(self) -> str:
        first, second = self.names
        return f"<PairedPredictions: {first} against {second}, {len(self.truth)} cases>"

    @property
    def discordant(self) -> tuple[int, int]:
        """Cases only the first got right, and cases only the second got right."""
        first, second = self.first == self.truth, self.second == self.truth
        return int(np.count_nonzero(first & ~second)), int(np.count_nonzero(second & ~first))

    @property
    def scores(self) -> PairedScores:
        """Correctness of every case as paired scores of a holdout."""
        return PairedScores(
            first=(self.first == self.truth).astype(np.float64),
            second=(self.second == self.truth).astype(np.float64),
            design=Holdout(len(self.truth)),
            names=self.names,
        )

    def swapped(self) -> Self:
        """Return the same predictions with the classifiers exchanged."""
        return replace(
            self, first=self.second, second=self.first, names=(self.names[1], self.names[0])
        )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ScoreTable(Arrays):
    """Scores of several classifiers: classifier x dataset x run x fold.

    Attributes
    ----------
    classifiers, datasets : tuple of str
        Labels of the first two axes.
    scores : array (classifiers, datasets, runs, folds)
        NaN where there is no score.
    design : Design
        How the scores of one dataset arose; `Datasets` if there is one score each.
    n_train, n_test : array (datasets, runs, folds) or None
        Set sizes, where known.
    account : tuple of str
        What was read, dropped and assumed.
    correct : tuple of arrays (classifiers, runs, cases), or empty
        For each dataset: 1 if a case was predicted right, 0 if wrong, -1 if it was not tested.
    failures : tuple of str
        Fits that did not succeed; their scores are missing.
    spreads : array (classifiers, datasets, runs, folds) or None
        Standard deviations that stood beside the scores, where they are means.
    case_names : tuple of str, or empty
        For the cases of one test set, which are the folds of the scores: what they are called.
    clusters : array (cases,) or None
        For cases of one test set: the cluster of each.
    answer_variances : array (classifiers,) or None
        For cases with several answers: the variance of a mean answer of each classifier.
    """

    classifiers: tuple[str, ...]
    datasets: tuple[str, ...]
    scores: Floats
    design: Design
    metric: str = "score"
    greater_is_better: bool = True
    n_train: Floats | None = None
    n_test: Floats | None = None
    account: tuple[str, ...] = ()
    correct: tuple[NDArray[np.int8], ...] = field(default=(), repr=False)
    failures: tuple[str, ...] = ()
    spreads: Floats | None = field(default=None, repr=False)
    case_names: tuple[str, ...] = field(default=(), repr=False)
    clusters: Ints | None = field(default=None, repr=False)
    answer_variances: Floats | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        scores = require_numbers(self.scores, "scores")
        for argument in ("classifiers", "datasets"):
            object.__setattr__(self, argument, _parse_labels(getattr(self, argument), argument))
        expected = (len(self.classifiers), len(self.datasets))
        if scores.ndim != 4 or scores.shape[:2] != expected:
            raise invalid("scores", f"of shape {expected} x runs x folds", f"shape {scores.shape}")
        scores.setflags(write=False)
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "design", require_design(self.design))
        require_flag(self.greater_is_better, "greater_is_better")

    def _repr_html_(self) -> str:
        part: str = import_module("replicast.presentation.files.notebook").notebook_part(self)
        return part

    def __repr__(self) -> str:
        sets = f"{len(self.datasets)} dataset{'s' * (len(self.datasets) != 1)}"
        sizes = f"{len(self.classifiers)} classifiers, {sets}"
        better = "higher" if self.greater_is_better else "lower"
        told = f"{sizes}, {self.metric}, {better} is better, {describe_design(self.design)}"
        return f"<ScoreTable: {told}>"

    def to_frame(self) -> "DataFrame":
        """Return one row per score: classifier, dataset, run, fold and score; gaps are left out."""
        from pandas import DataFrame

        i, k, run, fold = np.nonzero(~np.isnan(self.scores))
        return DataFrame(
            {
                "classifier": np.array(self.classifiers, dtype=object)[i],
                "dataset": np.array(self.datasets, dtype=object)[k],
                "run": run,
                "fold": fold,
                self.metric: self.scores[i, k, run, fold],
            }
        )

    def pair(self, first: str, second: str, *, dataset: str | None = None) -> PairedScores:
        """Return the paired scores of two classifiers.

        With `dataset`, or with one dataset in the table, its scores; otherwise the mean score of
        each dataset, which is what a comparison over datasets needs.
        """
        i, j = self._index(first, "first"), self._index(second, "second")
        if dataset is None and len(self.datasets) > 1:
            return self._pair_over_datasets(i, j)
        k = 0 if dataset is None else _position(dataset, self.datasets, "dataset")
        both = self.scores[[i, j], k].reshape(2, -1)
        gaps = np.isnan(both)
        present: Bools = np.ones(both.shape[1], dtype=np.bool_)
        if gaps.any():  # some may be padding, or scores of others alone
            present = np.asarray(~gaps.all(axis=0))
            both = both[:, present]
            self._refuse_missing(np.isnan(both), (first, second), self.datasets[k])
        first_scores, second_scores = both
        design = self._design_on(k)
        if present.sum() == 1 and self.correct:  # one test set, which has a score for every case
            cases = self.correct[k][[i, j]].reshape(2, -1)
            cases = cases[:, (cases >= 0).any(axis=0)]  # others may have been tested on more
            self._refuse_missing(cases < 0, (first, second), self.datasets[k])
            first_scores, second_scores = cases.astype(np.float64)
            design = Holdout(cases.shape[1])
        elif isinstance(design, Cases):
            design = Cases(int(present.sum()), answers=design.answers)
        elif dataset is not None and len(first_scores) == 1:
            domain, got = "one with several scores per classifier", f"{dataset!r} with one"
            raise invalid("dataset", domain, got, "Compare over all datasets, or give every fold")
        return PairedScores(
            first=first_scores,
            second=second_scores,
            design=design,
            names=(first, second),
            greater_is_better=self.greater_is_better,
            dataset=self.datasets[k],
            metric=self.metric,
            case_differences=self._case_differences(i, j, k),
            n_test=self._cases_a_score(k, both, present),
            clusters=self._clusters_of(present),
            case_names=self._names_of(present),
            answer_variance=None
            if self.answer_variances is None
            else float(self.answer_variances[[i, j]].sum()),
        )

    def _names_of(self, present: Bools) -> tuple[str, ...]:
        """Return what some cases are called, if they have names."""
        if len(self.case_names) != len(present) or present.all():
            return self.case_names if len(self.case_names) == len(present) else ()
        return tuple(self.case_names[at] for at in np.flatnonzero(present))

    def _clusters_of(self, present: Bools) -> Ints | None:
        """Return the clusters of some cases."""
        clusters = self.clusters
        return clusters if clusters is None or present.all() else clusters[present]

    def _cases_a_score(self, k: int, scores: Floats, present: Bools) -> float | None:
        """Return the cases behind each score of a dataset, if the scores are accuracies.

        Those of a metric so called are; so are scores that are whole numbers of their cases.
        """
        if (
            isinstance(self.design, Datasets | Holdout | Cases)
            or not 0 <= scores.min() <= scores.max() <= 100
        ):
            return None
        if self.n_test is not None:
            sizes = self.n_test[k].reshape(-1)[present]
        elif isinstance(self.design, RandomSplits):
            sizes = np.full(scores.shape[1], float(self.design.n_test))
        else:
            return None
        right = scores * sizes / (1 if scores.max() <= 1 else _PERCENT)
        counted = np.abs(right - np.rint(right)).max() < 1e-6
        if not np.isfinite(sizes).all() or not (counted or _ACCURACY.search(self.metric)):
            return None
        return float(sizes.mean())

    def _design_on(self, k: int) -> Design:
        """Return the design on one dataset: random splits have the set sizes of that dataset."""
        if not isinstance(self.design, RandomSplits) or self.n_train is None or self.n_test is None:
            return self.design
        sizes = [np.nanmedian(size[k]) for size in (self.n_train, self.n_test)]
        if not np.isfinite(sizes).all():
            return self.design
        n_train, n_test = (max(1, int(size)) for size in sizes)
        return replace(self.design, n_train=n_train, n_test=n_test)

    def _case_differences(self, i: int, j: int, k: int) -> Floats | None:
        """Return the differences in correctness, if every case was tested in every run."""
        if not self.correct:
            return None
        first, second = self.correct[k][i], self.correct[k][j]
        if (first < 0).any() or (second < 0).any():
            return None
        return np.asarray(first - second.astype(np.float64))

    def _index(self, name: str, argument: str) -> int:
        return _position(name, self.classifiers, argument)

    def _pair_over_datasets(self, i: int, j: int) -> PairedScores:
        names = (self.classifiers[i], self.classifiers[j])
        both = self.scores[[i, j]]
        used = np.asarray(~np.isnan(both).all(axis=0))
        used |= ~used.any(axis=(1, 2), keepdims=True)
        missing = np.isnan(both) & used
        for k in np.flatnonzero(missing.any(axis=(0, 2, 3))):
            self._refuse_missing(missing[:, k], names, self.datasets[k])
        means = np.nanmean(both.reshape(2, len(self.datasets), -1), axis=-1)
        rows_are_cases = isinstance(self.design, Holdout) and both[0, 0].size == 1
        return PairedScores(
            first=means[0],
            second=means[1],
            design=Holdout() if rows_are_cases else Datasets(len(self.datasets)),
            names=names,
            greater_is_better=self.greater_is_better,
            metric=self.metric,
        )

    def _refuse_missing(self, missing: Bools, names: tuple[str, str], dataset: str) -> None:
        if missing.any():
            lacking = [n for n, gaps in zip(names, missing, strict=True) if gaps.any()]
            cases = isinstance(self.design, Holdout | Cases)
            raise DesignMismatchError(
                "missing",
                _CASE_GAPS if cases else GAPS,
                f"{int(missing.sum())} missing on {dataset!r} for {' and '.join(lacking)}",
                _COMPLETE_CASES if cases else COMPLETE,
            )


def _position(name: object, labels: tuple[str, ...], argument: str) -> int:
    return labels.index(require_choice(name, argument, labels))


def _parse_labels(labels: Sequence[str], argument: str) -> tuple[str, ...]:
    if isinstance(labels, str) or not isinstance(labels, Sequence):
        raise invalid(argument, "a sequence of names", labels)
    named = tuple(str(label) for label in labels)
    if len(set(named)) != len(named):
        twice = next(label for label in named if named.count(label) > 1)
        raise invalid(argument, "different names", f"{twice!r} twice")
    return named
