"""Scores of two classifiers as they enter the house: parsed once, valid ever after."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats, Ints
from replicast.design import (
    Cases,
    CrossValidatedCases,
    Design,
    DesignLike,
    require_paired_design,
    run_shape,
)
from replicast.errors import (
    DesignMismatchError,
    invalid,
    require_choice,
    require_flag,
    require_positive,
)
from replicast.formatting import format_number
from replicast.kernels.cases import CaseMean, clustered_mean
from replicast.kernels.rounding import snap
from replicast.kernels.schemes import SCHEMES, Scheme, sample_scores
from replicast.kernels.seeds import SeedMeans, seed_means
from replicast.scores.parsing import (
    Arrays,
    cluster_codes,
    is_correctness,
    parse_names,
    parse_scores,
    require_numbers,
)

if TYPE_CHECKING:
    from pandas import DataFrame


PERCENT = 100.0


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
        Score of the first minus score of the second for every case, where known: of correctness, or
        of whatever the scores of folds are means of.
    case_scores : array (2, runs, cases) or None
        The scores of both for every case, where known; `case_differences` then follow.
    n_test : float or None
        Cases behind each score, on average. Give it where the scores are accuracies or error rates,
        as shares or percentages: how noisy they must be is then known too.
    clusters : array of int or None
        For cases that hang together: the cluster of each, by any label.
    answer_variance : float or None
        For cases with several answers: how much of the variance of a difference is due to them.
    case_names : tuple of str, or empty
        What the cases of one test set, or the datasets, are called.
    left_out : str
        What was left out for a missing score; every comparison repeats it as a caution.
    direction : {"known", "assumed"}
        Whether a name, a program or a person says which way is better, or it was assumed.
    one_of : int
        Of how many pairs this one was taken: those of all models that were read.

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
    case_scores: Floats | None = field(default=None, repr=False)
    n_test: float | None = field(default=None, repr=False)
    clusters: Ints | None = field(default=None, repr=False)
    answer_variance: float | None = field(default=None, repr=False)
    case_names: tuple[str, ...] = field(default=(), repr=False, compare=False)
    left_out: str = field(default="", repr=False, compare=False)
    direction: Literal["known", "assumed"] = field(default="known", repr=False, compare=False)
    one_of: int = field(default=1, repr=False, compare=False)
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
            case_scores: Floats | None = ...,
            n_test: float | None = ...,
            clusters: ArrayLike | None = ...,
            answer_variance: float | None = ...,
            case_names: tuple[str, ...] = ...,
            left_out: str = ...,
            direction: Literal["known", "assumed"] = ...,
            one_of: int = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        first, second = parse_scores(self.first, "first"), parse_scores(self.second, "second")
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
        design = self._settled_design(first, second)
        magnitude = np.maximum(np.abs(first), np.abs(second))
        difference = self._turned(first, second, magnitude)
        largest = float(magnitude.max())
        if not np.isfinite(4 * len(first) * largest):
            raise invalid("first", "scores whose differences add up", f"up to {largest:g}")
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "second", second)
        object.__setattr__(self, "design", design)
        object.__setattr__(self, "names", parse_names(self.names))
        object.__setattr__(self, "differences", difference)
        if self.metric is not None and not isinstance(self.metric, str):
            raise invalid("metric", "the name of a measure, or None", self.metric)
        self._keep_cases()
        if self.n_test is not None:
            require_positive(self.n_test, "n_test", "a positive number of cases behind each score")
            least = float(min(first.min(), second.min()))
            if not 0 <= least <= largest <= PERCENT:
                domain = "given with accuracies, as shares or percentages"
                raise invalid("n_test", domain, f"scores from {least:g} to {largest:g}")

    def _settled_design(self, first: Floats, second: Floats) -> Design:
        """Return the design with the counts that the scores tell, if it fits them."""
        n, correctness = len(first), is_correctness(first, second)
        counted = require_paired_design(self.design).counted(n)
        design = self._clustered(counted, n).settled(correctness=correctness)
        if design.n_scores != n:
            raise DesignMismatchError(
                "design",
                f"a design with {n} scores, one for each difference",
                f"{design.words} with {design.n_scores}",
                "Check runs and folds, or whether rows are missing",
            )
        if design.binary and not correctness:
            raise DesignMismatchError(
                "first",
                "0 or 1 for every case of a holdout",
                "other scores",
                "Give correctness, or a design with several test sets",
            )
        return design

    def _turned(self, first: Floats, second: Floats, magnitude: Floats) -> Floats:
        """Return differences without round-off; positive ones favour the first."""
        with np.errstate(over="ignore"):  # an overflow is refused in words
            difference = snap(first - second, np.asarray(magnitude))
        if not require_flag(self.greater_is_better, "greater_is_better"):
            difference = 0.0 - difference
        difference.setflags(write=False)
        return difference

    def _keep_cases(self) -> None:
        """Keep the scores of cases, where they are known, and their differences."""
        cases = self.case_differences
        if self.case_scores is not None:
            scores = require_numbers(self.case_scores, "case_scores")
            if scores.ndim != 3 or len(scores) != 2 or not np.isfinite(scores).all():
                domain = "finite scores (2, runs, cases)"
                raise invalid("case_scores", domain, f"shape {scores.shape}")
            scores.setflags(write=False)
            object.__setattr__(self, "case_scores", scores)
            cases = self._turned(scores[0], scores[1], np.maximum(*np.abs(scores)))
        if cases is not None:
            cases = np.atleast_2d(require_numbers(cases, "case_differences"))
            cases.setflags(write=False)
            object.__setattr__(self, "case_differences", cases)

    @cached_property
    def cases(self) -> "PairedScores | None":
        """The scores of the cases of cross-validation, each the mean over runs; None if not known.

        Examples
        --------
        >>> from replicast import KFold, PairedScores
        >>> cases = [[[1, 1, 1, 0]], [[0, 1, 1, 0]]]
        >>> pair = PairedScores(first=[1, 0.5], second=[0.5, 0.5], design=KFold(2), case_scores=cases)
        >>> pair.cases
        <PairedScores: first against second, 4 cases of 2-fold cross-validation, means 0.750 and 0.500>
        """
        gaps = self.case_differences
        if gaps is None or self.design.of_cases or self.design.folds is None:
            return None
        runs, folds = run_shape(self.design, len(self.first))
        folds = self.design.folds if runs == 1 else folds
        if len(gaps) < runs or gaps.shape[1] < max(2, folds):
            return None
        both = (
            np.stack([gaps, np.zeros(gaps.shape)]) if self.case_scores is None else self.case_scores
        )
        first, second = both[:, :runs].mean(axis=1)
        spread = gaps[:runs].var(axis=0, ddof=1).mean() / runs if runs > 1 else None
        return replace(
            self,
            first=first,
            second=second,
            design=CrossValidatedCases(folds=folds, answers=runs),
            answer_variance=None if spread is None else float(spread),
            case_differences=None,
            case_scores=None,
            n_test=None,
        )

    def _clustered(self, design: Design, n: int) -> Design:
        """Return the design with the number of clusters; refuse clusters that do not fit it."""
        if self.clusters is None:
            if design.clusters is not None:
                domain = f"the cluster of every case, for {design.clusters} clusters"
                raise DesignMismatchError("clusters", domain, "nothing")
            return design
        if not design.of_cases or design.binary:
            domain = "left out unless the scores are cases of one test set"
            remedy = "Say design=Cases()"
            raise DesignMismatchError("clusters", domain, f"some for {design}", remedy)
        codes, count = cluster_codes(self.clusters, n)
        if design.clusters not in (None, count):
            got = f"labels of {count}"
            raise DesignMismatchError("clusters", f"labels of {design.clusters} clusters", got)
        object.__setattr__(self, "clusters", codes)
        return replace(cast(Cases, design), clusters=count)

    @cached_property
    def cluster_mean(self) -> CaseMean | None:
        """The mean difference of clustered cases with its error; several rooms ask for it."""
        return None if self.clusters is None else clustered_mean(self.differences, self.clusters)

    @property
    def independent(self) -> int:
        """How many parts are independent of each other: clusters where there are any, else scores."""
        return self.design.clusters or len(self.first)

    @property
    def whole(self) -> float:
        """An accuracy of all cases in the unit of the scores: 1, or 100 where they are percentages."""
        return 1.0 if max(self.first.max(), self.second.max()) <= 1 else PERCENT

    @property
    def accuracies(self) -> tuple[Floats, Floats, float] | None:
        """Both accuracies as shares and the cases behind each, if the scores are known to be such."""
        if self.n_test is None:
            return None
        first, second = self.first / self.whole, self.second / self.whole
        if not self.greater_is_better:
            first, second = 1 - first, 1 - second
        return first, second, float(self.n_test)

    @property
    def seed_means(self) -> SeedMeans | None:
        """What seeds tell of the difference and of how it varies; None for other designs."""
        if not self.design.seeds:
            return None
        return seed_means(
            self.differences,
            self.first,
            self.second,
            self.design.layout,
            paired=self.design.paired,
        )

    def __repr__(self) -> str:
        means = " and ".join(format_number(float(one.mean())) for one in (self.first, self.second))
        first, second = self.names
        told = f"{first} against {second}, {self.design.words}, means {means}"
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
            case_scores=None if self.case_scores is None else self.case_scores[::-1],
        )

    def slices(self, labels: Sequence[object]) -> dict[str, "PairedScores"]:
        """Return the cases of every label as paired scores of their own, in order of appearance.

        Examples
        --------
        >>> pair = PairedScores(first=[1, 0, 1, 1], second=[0, 0, 1, 0], design="holdout")
        >>> [(name, len(part.first)) for name, part in pair.slices(["en", "en", "fr", "fr"]).items()]
        [('en', 2), ('fr', 2)]
        """
        if not self.design.of_cases:
            raise DesignMismatchError("labels", "given with scores of cases", str(self.design))
        codes, _ = cluster_codes(labels, len(self.first), "labels")
        found = {}
        for code in dict.fromkeys(codes.tolist()):
            at = np.flatnonzero(codes == code)
            found[str(labels[int(at[0])])] = replace(
                self,
                first=self.first[at],
                second=self.second[at],
                design=self.design.grow("cases", len(at)).design
                if self.clusters is None
                else replace(cast(Cases, self.design), count=len(at), clusters=None),
                clusters=None if self.clusters is None else self.clusters[at],
                case_names=tuple(self.case_names[k] for k in at) if self.case_names else (),
            )
        return found

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
