"""Two models by a measure of all cases: those with a name, and any function of cases."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Ints
from replicast.comparison.finding import Finding, conclude
from replicast.comparison.measure_rows import (
    AREA,
    NAMED,
    KnownCases,
    Means,
    Moved,
    Parts,
    Sums,
    Weighted,
    binary,
    find_measure,
)
from replicast.comparison.resampled import Found, Measure, resampled, resampled_sums, reweighted
from replicast.design import CrossValidatedCases
from replicast.errors import (
    DesignMismatchError,
    invalid,
    require_function,
    require_probability,
)
from replicast.inference.cases import mean_of_cases
from replicast.kernels.cases import cluster_sums, roc_areas, roc_influences
from replicast.randomness import RandomSource, generator
from replicast.replication.priors import Relation
from replicast.results import Caution
from replicast.scores.parsing import cluster_codes, parse_folds, parse_names, require_numbers

_FEW_PARTS = 20


def compare_measure(
    measure: str | Measure,
    truth: ArrayLike | None,
    first: ArrayLike,
    second: ArrayLike,
    *,
    statistics: Measure | None = None,
    clusters: Sequence[Any] | None = None,
    folds: int | Sequence[Any] | None = None,
    positive: object = None,
    names: tuple[str, str] = ("first", "second"),
    significance: float = 0.05,
    relation: Relation = "unknown",
    resamples: int | None = None,
    rng: RandomSource = 0,
) -> Finding:
    """Compare two fitted models on one test set by a measure of its cases.

    Means of cases (accuracy, losses) have the standard error of cases. The area under the ROC curve
    has one of its own (DeLong's, as in R's pROC), and so has the concordance; others are resampled:
    cases, or whole clusters, are drawn with replacement, for both models the same. Their
    p-value is that of t, the difference over its standard error, with one degree of freedom fewer
    than there are cases or clusters. Positive estimates favour the first model.

    Parameters
    ----------
    measure : str or callable
        accuracy, balanced-accuracy, f1, precision, recall, macro-f1, weighted-f1, mcc, kappa, auc,
        auc-ovr, average-precision, brier, log-loss, ece, mse, mae, r2, wer, ratio, c-index, pass@1,
        pass@5 and so on; or a function `measure(truth, predicted)` of arrays, higher being better. With
        `statistics`, a function of sums: it takes an array whose last axis holds the sums, and reduces
        that axis.
    truth, first, second : arrays, one entry per case
        The truth, and what both models predict: classes; scores of the positive class for `auc` and
        `average-precision`; probabilities, of the positive class or (cases, classes), for `brier`,
        `log-loss`, `ece` and `auc-ovr`; numbers for `mse`, `mae` and `r2`. For `wer` and `ratio` the
        truth is what to divide by, such as words, and a prediction the errors; or both are texts.
        For `c-index` the truth is (cases, 2), time and event, and predictions are risks. `pass@k`
        takes answers (cases, answers), 1 for right, and no truth. Anything the function understands
        otherwise.
    statistics : callable, optional
        `statistics(truth, predicted)` returns (cases, k): what of each case the measure adds up. Much
        faster, for BLEU and its kin: matches and lengths.
    clusters : sequence of labels, optional
        Which cases hang together, as those of one patient or document.
    folds : int or sequence of labels, optional
        For predictions out of cross-validation: how many folds, or the fold of every case. Measures
        that are means of cases only; their error is that of `corrected_case_ttest`.
    positive : label, optional
        The positive class, for named measures; needed unless classes are 0 and 1.
    resamples : int, optional
        10,000 for sums, 2,000 for other functions.

    Examples
    --------
    >>> from replicast import compare_measure
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0, 1, 0]
    >>> one = [0.9, 0.8, 0.7, 0.4, 0.5, 0.3, 0.2, 0.1, 0.6, 0.35]
    >>> other = [0.6, 0.9, 0.3, 0.5, 0.7, 0.4, 0.2, 0.3, 0.4, 0.6]
    >>> found = compare_measure("auc", truth, one, other)
    >>> round(found.first, 2), round(found.second, 2), round(found.pvalue, 3)
    (0.96, 0.62, 0.062)
    """
    _admit(measure, statistics)
    significance = require_probability(significance, "significance")
    names = parse_names(names)
    given = (first if truth is None else truth, first, second)
    arrays = [
        _cases(values, word)
        for values, word in zip(given, ("truth", "first", "second"), strict=True)
    ]
    n = len(arrays[0])
    for values, word in zip(arrays[1:], ("first", "second"), strict=True):
        if len(values) != n:
            raise DesignMismatchError(word, f"as long as `truth` ({n})", f"{len(values)}")
    codes, parts = (None, n) if clusters is None else cluster_codes(clusters, n)
    if parts < 2:
        raise invalid("truth", "at least two cases, or clusters", f"{parts}")
    source = generator(rng)
    greater_is_better = True
    if measure == AREA:
        found = _areas(arrays, codes, parts, positive)
    elif isinstance(measure, str):
        row = find_measure(measure)
        if truth is None and row.needs != "answers":
            raise invalid("truth", f"given for {measure}", "nothing")
        greater_is_better = row.greater_is_better
        known = KnownCases(arrays[0], positive, _classes(arrays) if row.needs == "classes" else ())
        both = [
            row.parts(known, values, word)
            for values, word in zip(arrays[1:], ("first", "second"), strict=True)
        ]
        found = _named(both, codes, parts, resamples, source)
    else:
        found = resampled(measure, statistics, arrays, codes, resamples, source)
    grouped = None if codes is None else parts
    design = None
    if folds is not None:
        if found.way != "cases":
            domain = "left out unless the measure is a mean of cases, such as accuracy or mse"
            remedy = "Folds have models of their own, which such a measure mixes: choose one fold"
            raise DesignMismatchError("folds", domain, f"folds with {_name(measure)}", remedy)
        design = CrossValidatedCases(n, clusters=grouped, folds=parse_folds(folds, n, codes))
        wider = float(np.sqrt(1 + design.overlap))
        found = found._replace(error=wider * found.error, gaps=None)
    sign = 1.0 if greater_is_better else -1.0
    return conclude(
        found.values,
        found.error,
        found.df,
        estimate=sign * (found.values[0] - found.values[1]) + 0.0,
        gaps=None if found.gaps is None else sign * found.gaps,
        measure=_name(measure),
        names=names,
        n=n,
        design=design,
        clusters=grouped,
        way=found.way,
        resamples=found.resamples,
        greater_is_better=greater_is_better,
        significance=significance,
        relation=relation,
        cautions=_few(parts, grouped, found.error),
    )


def _classes(arrays: list[Any]) -> tuple[Any, ...]:
    """Return all classes that occur, in a fixed order."""
    found = {value for values in arrays for value in np.ravel(values).tolist()}
    return tuple(sorted(found, key=lambda value: (str(type(value)), value)))


def _named(
    both: list[Parts],
    codes: Ints | None,
    parts: int,
    resamples: int | None,
    rng: np.random.Generator,
) -> Found:
    """Return a measure by name of both models, with the standard error that its parts have."""
    match both:
        case [Means(one), Means(other)]:
            values = float(one.mean()), float(other.mean())
            _, error, df = mean_of_cases(one - other, codes)
            gaps = one - other if codes is None else None
            return Found(values, float(error), way="cases", df=float(df), gaps=gaps)
        case [Moved(one, moved), Moved(other, also)]:
            gaps = moved - also
            sums = gaps if codes is None else cluster_sums(gaps, codes)
            spread = float(np.sqrt(parts / (parts - 1) * (sums**2).sum()))
            return Found((one, other), spread, way="influence", df=float(parts - 1))
        case [Sums(rows, of_sums), Sums(others, _)]:
            return resampled_sums([rows, others], of_sums, codes, resamples, rng)
        case [Weighted(first), Weighted(second)]:
            return reweighted([first, second], parts, codes, resamples, rng)
    raise LookupError("Both models have the same parts.")


def _admit(measure: object, statistics: object) -> None:
    if isinstance(measure, str):
        if measure != AREA:
            find_measure(measure)
        if statistics is not None:
            raise invalid("statistics", "left out for a named measure", "a function")
        return
    if measure is None:
        raise invalid("measure", f"one of {', '.join(NAMED)}, or a function", "None")
    require_function(measure, "measure", "measure(truth, predicted)")
    require_function(statistics, "statistics", "statistics(truth, predicted)")


def _cases(values: ArrayLike, argument: str) -> Any:
    if isinstance(values, str | set | frozenset | dict):
        raise invalid(argument, "a sequence in a fixed order", type(values).__name__)
    try:
        array = np.asarray(values)
    except ValueError:
        array = np.asarray(values, dtype=object)
    if array.ndim == 0 or len(array) < 2:
        raise invalid(argument, "one entry for each of at least two cases", f"shape {array.shape}")
    return array


def _areas(arrays: list[Any], codes: Ints | None, parts: int, positive: object) -> Found:
    truth = binary(arrays[0], positive, "truth")
    if not 0 < truth.sum() < len(truth):
        raise invalid("truth", "cases of both classes", "one class")
    both = [require_numbers(values, word) for values, word in
            zip(arrays[1:], ("first", "second"), strict=True)]  # fmt: skip
    for values, word in zip(both, ("first", "second"), strict=True):
        if values.ndim != 1 or not np.isfinite(values).all():
            raise invalid(word, "a finite score of the positive class for every case", "others")
    scores = np.stack(both)
    if codes is None:
        if min(truth.sum(), (1 - truth).sum()) < 2:
            raise invalid("truth", "at least two cases of either class", "one")
        areas, covariance = roc_areas(scores, truth)
        variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    else:  # clusters hold cases of both classes, whose influences add up (Obuchowski 1997)
        areas, moved = roc_influences(scores, truth)
        sums = cluster_sums(moved[0] - moved[1], codes)
        variance = parts / (parts - 1) * float((sums**2).sum())
    df = None if codes is None else float(parts - 1)  # normal, as pROC has it
    error = float(np.sqrt(max(variance, 0.0)))
    return Found((float(areas[0]), float(areas[1])), error, way="delong", df=df)


def _few(parts: int, clusters: int | None, error: float) -> tuple[Caution, ...]:
    """Say so where a standard error rests on few cases."""
    if parts >= _FEW_PARTS or error == 0:
        return ()
    what = "cases" if clusters is None else "clusters"
    text = f"Only {parts} {what}: the standard error is rough, and so is the p-value."
    return (Caution("few-cases", text),)


def _name(measure: str | Measure) -> str:
    return measure if isinstance(measure, str) else getattr(measure, "__name__", "measure")
