"""From what people have to paired scores: predictions, cases, two arrays, or a table of two."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicast.arrays import Floats
from replicast.design import (
    Cases,
    CrossValidatedCases,
    Design,
    DesignLike,
    Holdout,
    require_paired_design,
)
from replicast.errors import DesignMismatchError, invalid
from replicast.kernels.cases import answer_variance
from replicast.scores.pairs import PairedScores
from replicast.scores.parsing import cluster_codes, parse_folds, require_numbers
from replicast.scores.tables import ScoreTable


def PairedCases(  # noqa: N802  # it builds paired scores, as KFold builds a design
    *,
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike | Sequence[object] | None = None,
    folds: int | ArrayLike | Sequence[object] | None = None,
    names: Sequence[str] = ("first", "second"),
    greater_is_better: bool = True,
    dataset: str | None = None,
) -> PairedScores:
    """Pair the scores of two models for the same cases: any numbers, one or several answers each.

    Right and wrong with one answer and no clusters are a holdout, for which McNemar's test is exact;
    everything else is compared by the mean difference of the cases.

    Parameters
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
    <PairedScores: first against second, one test set of 4 cases in 2 clusters, means 0.775 and 0.600>
    """
    one, other = (
        _parse_answers(side, word) for side, word in ((first, "first"), (second, "second"))
    )
    n = len(one)
    if n != len(other):
        domain, got = f"as long as `first` ({n} cases)", f"{len(other)} cases"
        raise DesignMismatchError("second", domain, got, "Both models need the same cases")
    codes = None if clusters is None else cluster_codes(clusters, n)[0]
    answers = max(one.shape[1], other.shape[1])
    if folds is not None:
        if one.shape != other.shape or np.isnan([one, other]).any():
            domain = "scores of every run for every case of both models"
            raise DesignMismatchError("second", domain, "gaps, or other runs")
        count = parse_folds(folds, n, codes)
        design: Design = CrossValidatedCases(folds=count, answers=answers)
        noise = float(answer_variance(one - other))
    else:
        design = Cases(n, answers=answers)
        noise = sum(float(answer_variance(side)) for side in (one, other))
    return PairedScores(
        first=_means(one),
        second=_means(other),
        design=design,
        names=names,
        greater_is_better=greater_is_better,
        dataset=dataset,
        clusters=codes,
        answer_variance=noise if answers > 1 else None,
    )


def PairedPredictions(  # noqa: N802  # likewise
    *,
    truth: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    names: Sequence[str] = ("first", "second"),
    folds: int | ArrayLike | None = None,
) -> PairedScores:
    """Pair two classifiers by what they predicted for the same cases: right is 1, wrong is 0.

    Fitted models are compared on one test set. With `folds`, a number or the fold of every case, each
    case was predicted by models trained without its fold, as `cross_val_predict` does.

    Examples
    --------
    >>> from replicast import PairedPredictions
    >>> pair = PairedPredictions(truth=[1, 0, 1], first=[1, 0, 0], second=[0, 0, 0])
    >>> pair.first.tolist(), pair.second.tolist()
    ([1.0, 1.0, 0.0], [0.0, 1.0, 0.0])
    """
    known = _parse_classes(truth, "truth")
    right = []
    for side, word in ((first, "first"), (second, "second")):
        said = _parse_classes(side, word)
        if len(said) != len(known):
            raise DesignMismatchError(word, f"as long as `truth` ({len(known)})", f"{len(said)}")
        right.append((said == known).astype(np.float64))
    design: Design = Holdout()
    if folds is not None:
        design = CrossValidatedCases(folds=parse_folds(folds, len(known)))
    return PairedScores(first=right[0], second=right[1], design=design, names=names)


def paired_scores(
    scores: Any,
    second: ArrayLike | None = None,
    design: DesignLike | None = None,
    names: tuple[str, str] | None = None,
) -> PairedScores:
    """Return what was given as paired scores: these, a table of two, or two arrays and a design.

    Instead of arrays there may be two results of scikit-learn's `cross_validate`.

    Examples
    --------
    >>> paired_scores({"test_score": [0.9, 0.8], "fit_time": [1, 1]}, [0.7, 0.8], 2)
    <PairedScores: first against second, 2-fold cross-validation, means 0.850 and 0.750>
    """
    if second is None and design is None:
        if isinstance(scores, ScoreTable):
            return _only_pair(scores, names)
        if not isinstance(scores, PairedScores):
            domain = "PairedScores, a table of two classifiers, or two arrays and a design"
            remedy = (
                "PairedScores, PairedCases and PairedPredictions pair what two models scored; "
                "read_scores makes a table of a file, a dict or a fitted search, of which `names` "
                "are two"
            )
            raise invalid("scores", domain, type(scores).__name__, remedy)
        pair = scores
    elif second is None or isinstance(scores, PairedScores):
        remedy = "PairedScores know their design and hold both classifiers"
        raise invalid("second", "given together with an array of scores", repr(second), remedy)
    else:
        first, second = _test_scores(scores, "first"), _test_scores(second, "second")
        pair = PairedScores(first=first, second=second, design=require_paired_design(design))
    return pair if names is None else replace(pair, names=names)


def _only_pair(table: ScoreTable, names: tuple[str, str] | None) -> PairedScores:
    """Return the pair of a table: the one that is named, or the only one."""
    chosen = table.classifiers if names is None else names
    if len(chosen) != 2:
        remedy = "Say which with `names`, or compare all with rank"
        domain = "a table of two classifiers"
        raise invalid("scores", domain, f"one of {len(table.classifiers)}", remedy)
    return table.pair(*chosen)


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


def _parse_classes(values: ArrayLike, argument: str) -> NDArray[Any]:
    """Return classes as an array, none of them missing."""
    domain = "a non-empty one-dimensional array"
    try:
        array = np.array(values)
    except ValueError:  # rows of several lengths
        raise invalid(argument, domain, "rows of lists") from None
    if array.ndim != 1 or len(array) == 0:
        raise invalid(argument, domain, f"shape {array.shape}")
    missing = [i for i, value in enumerate(array) if value is None or value != value]
    if missing:
        got, remedy = f"one at position {missing[0]}", "Drop the case from all three"
        raise invalid(argument, "free of missing values", got, remedy)
    return array


def _parse_answers(values: ArrayLike, argument: str) -> Floats:
    """Return answers (cases, answers), each case with one at least."""
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
    return array


def _means(answers: Floats) -> Floats:
    """Return the mean answer of every case; one answer is itself."""
    return answers[:, 0] if answers.shape[1] == 1 else np.nanmean(answers, axis=1)
