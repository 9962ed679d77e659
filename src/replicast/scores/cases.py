"""Scores of two models for the cases of one test set: graded, clustered, answered several times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats, Ints
from replicast.design import (
    Cases,
    CrossValidatedCases,
    Design,
    DesignLike,
    Holdout,
    describe_design,
    require_design,
)
from replicast.errors import DesignMismatchError, invalid, require_flag
from replicast.formatting import format_number
from replicast.kernels.cases import answer_variance
from replicast.scores.pairs import PairedScores
from replicast.scores.parsing import (
    Arrays,
    cluster_codes,
    is_correctness,
    parse_folds,
    parse_names,
    require_numbers,
)
from replicast.scores.predictions import PairedPredictions


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PairedCases(Arrays):
    """Scores of two models for the same cases: any numbers, one or several answers each.

    Right and wrong with one answer and no clusters are a holdout, for which McNemar's test is exact;
    everything else is compared by the mean difference of the cases.

    Attributes
    ----------
    first, second : array (cases,) or (cases, answers)
        The scores of both models in the same order of cases. NaN where an answer was not given; every
        case needs one of each model. The models may have different numbers of answers.
    clusters : sequence of labels or None
        Which cases hang together: those of one passage, patient or document.
    folds : int or sequence of labels or None
        For cross-validation: how many folds, or the fold of every case. Every case is then scored by
        models trained without its fold, and answers are runs.
    names : tuple of str
        Names of the two models.
    greater_is_better : bool
        False for losses; positive differences favour the first model either way.
    dataset : str or None
        Name of the test set, if it has one.

    Examples
    --------
    >>> from replicast import PairedCases
    >>> PairedCases(first=[0.8, 1.0, 0.4, 0.9], second=[0.5, 1.0, 0.2, 0.7], clusters="aabb")
    <PairedCases: first against second, one test set of 4 cases in 2 clusters, means 0.775 and 0.600>
    """

    first: Floats
    second: Floats
    clusters: Ints | None = None
    folds: int | None = None
    names: tuple[str, str] = ("first", "second")
    greater_is_better: bool = True
    dataset: str | None = field(default=None, repr=False)

    if TYPE_CHECKING:  # what may be given is wider than what is kept

        def __init__(
            self,
            *,
            first: ArrayLike,
            second: ArrayLike,
            clusters: ArrayLike | Sequence[object] | None = ...,
            folds: int | ArrayLike | Sequence[object] | None = ...,
            names: Sequence[str] = ...,
            greater_is_better: bool = ...,
            dataset: str | None = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        first, second = (_parse_answers(getattr(self, side), side) for side in ("first", "second"))
        if len(first) != len(second):
            domain, got = f"as long as `first` ({len(first)} cases)", f"{len(second)} cases"
            raise DesignMismatchError("second", domain, got, "Both models need the same cases")
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "second", second)
        object.__setattr__(self, "names", parse_names(self.names))
        require_flag(self.greater_is_better, "greater_is_better")
        if self.clusters is not None:
            object.__setattr__(self, "clusters", cluster_codes(self.clusters, len(first))[0])
        if self.folds is not None:
            if first.shape != second.shape or np.isnan([first, second]).any():
                domain = "scores of every run for every case of both models"
                raise DesignMismatchError("second", domain, "gaps, or other runs")
            object.__setattr__(self, "folds", parse_folds(self.folds, len(first), self.clusters))

    @cached_property
    def scores(self) -> PairedScores:
        """The mean score of every case as paired scores."""
        answers = max(self.first.shape[1], self.second.shape[1])
        first, second = (_means(side) for side in (self.first, self.second))
        if self.folds is not None:
            design: Design = CrossValidatedCases(folds=self.folds, answers=answers)
            noise = float(answer_variance(self.first - self.second))
            return self._paired(first, second, design, noise)
        plain = answers == 1 and self.clusters is None and is_correctness(first, second)
        noise = sum(float(answer_variance(side)) for side in (self.first, self.second))
        design = Holdout(len(first)) if plain else Cases(len(first), answers=answers)
        return self._paired(first, second, design, noise)

    def _paired(self, first: Floats, second: Floats, design: Design, noise: float) -> PairedScores:
        return PairedScores(
            first=first,
            second=second,
            design=design,
            names=self.names,
            greater_is_better=self.greater_is_better,
            dataset=self.dataset,
            clusters=self.clusters,
            answer_variance=noise if design.answers > 1 else None,
        )

    def __repr__(self) -> str:
        pair = self.scores
        means = " and ".join(format_number(float(one.mean())) for one in (pair.first, pair.second))
        told = f"{' against '.join(self.names)}, {describe_design(pair.design)}, means {means}"
        return f"<PairedCases: {told}>"

    def swapped(self) -> Self:
        """Return the same cases with the models exchanged."""
        return replace(
            self, first=self.second, second=self.first, names=(self.names[1], self.names[0])
        )


Scored = PairedScores | PairedPredictions | PairedCases  # whatever holds two classifiers


def as_paired(scores: object) -> object:
    """Return the paired scores of predictions and cases, and anything else as it is."""
    return scores.scores if isinstance(scores, PairedPredictions | PairedCases) else scores


def paired_arrays(first: object, second: object, design: DesignLike | None) -> PairedScores:
    """Pair two arrays of scores, or two results of scikit-learn's `cross_validate`.

    Examples
    --------
    >>> paired_arrays({"test_score": [0.9, 0.8], "fit_time": [1, 1]}, [0.7, 0.8], 2)
    <PairedScores: first against second, 2-fold cross-validation, means 0.850 and 0.750>
    """
    if second is None or isinstance(first, Scored):
        remedy = "PairedScores know their design and hold both classifiers"
        raise invalid("second", "given together with an array of scores", repr(second), remedy)
    arrays = (_test_scores(one, word) for one, word in ((first, "first"), (second, "second")))
    one, other = arrays
    return PairedScores(first=one, second=other, design=require_design(design))


def _test_scores(given: Any, argument: str) -> Any:
    """Return the scores of a result of `cross_validate`, and anything else as it is."""
    if not isinstance(given, Mapping):
        return given
    named = [key for key in given if str(key).startswith("test_")]
    if len(named) != 1:
        domain = "a result of cross_validate with one test score"
        got = ", ".join(map(str, named)) or "none"
        raise invalid(argument, domain, got, "Give the array of the score that is meant")
    return given[named[0]]


def _parse_answers(values: ArrayLike, argument: str) -> Floats:
    """Return a read-only copy of answers (cases, answers), each case with one at least."""
    if isinstance(values, set | frozenset | dict):
        raise invalid(argument, "a sequence in a fixed order", type(values).__name__)
    array = require_numbers(values, argument)
    if array.ndim not in (1, 2) or array.size == 0:
        raise invalid(argument, "scores (cases,) or (cases, answers)", f"shape {array.shape}")
    array = array.reshape(len(array), -1)
    if np.isinf(array).any():
        case = int(np.flatnonzero(np.isinf(array).any(axis=1))[0])
        raise invalid(
            argument, "finite, or NaN for an answer not given", f"infinite in case {case}"
        )
    silent = np.flatnonzero(np.isnan(array).all(axis=1))
    if len(silent):
        remedy = "Drop the case from both models, or give its score"
        raise invalid(argument, "a score for every case", f"none for case {silent[0]}", remedy)
    array.setflags(write=False)
    return array


def _means(answers: Floats) -> Floats:
    """Return the mean answer of every case; one answer is itself."""
    return answers[:, 0] if answers.shape[1] == 1 else np.nanmean(answers, axis=1)
