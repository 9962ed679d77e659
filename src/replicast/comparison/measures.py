"""Measures that are no mean of cases: areas under the ROC curve, F1, and any function of cases."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats, Ints
from replicast.comparison.finding import Finding, conclude
from replicast.design import require_count
from replicast.errors import (
    DesignMismatchError,
    invalid,
    require_choice,
    require_function,
    require_probability,
)
from replicast.kernels import resampling
from replicast.kernels.cases import cluster_sums, roc_areas, roc_influences
from replicast.randomness import RandomSource, generator
from replicast.replication.priors import Relation
from replicast.results import Caution
from replicast.scores.parsing import cluster_codes, parse_names, require_numbers

Measure = Callable[..., Any]
Named = Literal["auc", "f1", "precision", "recall"]
NAMED: tuple[str, ...] = ("auc", "f1", "precision", "recall")
_OF_COUNTS: Mapping[str, Callable[[Floats], Floats]] = {
    "f1": resampling.f1_of,
    "precision": resampling.precision_of,
    "recall": resampling.recall_of,
}
_FAST, _SLOW = 10_000, 2_000  # resamples of sums, and of whole sets of cases
_MOST = 1_000_000
_FEW_PARTS = 20


class _Found(NamedTuple):
    values: tuple[float, float]
    error: float
    resamples: int = 0


def compare_measure(
    measure: Named | Measure,
    truth: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    statistics: Measure | None = None,
    clusters: Sequence[Any] | None = None,
    positive: object = None,
    names: tuple[str, str] = ("first", "second"),
    significance: float = 0.05,
    relation: Relation = "unknown",
    resamples: int | None = None,
    rng: RandomSource = 0,
) -> Finding:
    """Compare two fitted models on one test set by a measure that is no mean of cases.

    The area under the ROC curve has a standard error of its own (DeLong's, as in R's pROC); others are
    resampled: cases, or whole clusters, are drawn with replacement, for both models the same. Their
    p-value is that of t, the difference over its standard error, with one degree of freedom fewer
    than there are cases or clusters. Positive estimates favour the first model.

    Parameters
    ----------
    measure : {"auc", "f1", "precision", "recall"} or callable
        A name; or a function `measure(truth, predicted)` of arrays, higher being better. With
        `statistics`, a function of sums: it takes an array whose last axis holds the sums, and reduces
        that axis.
    truth, first, second : arrays, one entry per case
        The true classes, and what both models predict: scores of the positive class for `auc`, classes
        for `f1`, `precision` and `recall`, anything the function understands otherwise.
    statistics : callable, optional
        `statistics(truth, predicted)` returns (cases, k): what of each case the measure adds up. Much
        faster, for BLEU and its kin: matches and lengths.
    clusters : sequence of labels, optional
        Which cases hang together, as those of one patient or document.
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
    >>> print(compare_measure("auc", truth, one, other))
    first 0.960, second 0.620: difference in auc 0.340 [−0.0171, 0.697], p = 0.062 (delong, 10 cases)
    """
    _admit(measure, statistics)
    significance = require_probability(significance, "significance")
    names = parse_names(names)
    arrays = [_cases(values, word) for values, word in
              ((truth, "truth"), (first, "first"), (second, "second"))]  # fmt: skip
    n = len(arrays[0])
    for values, word in zip(arrays[1:], ("first", "second"), strict=True):
        if len(values) != n:
            raise DesignMismatchError(word, f"as long as `truth` ({n})", f"{len(values)}")
    codes, parts = (None, n) if clusters is None else cluster_codes(clusters, n)
    if parts < 2:
        raise invalid("truth", "at least two cases, or clusters", f"{parts}")
    source = generator(rng)
    if measure == "auc":
        found = _areas(arrays, codes, parts, positive)
    else:
        found = _resampled(measure, statistics, arrays, codes, positive, resamples, source)
    grouped = None if codes is None else parts
    normal = measure == "auc" and grouped is None  # as pROC has it
    return conclude(
        found.values,
        found.error,
        None if normal else float(parts - 1),
        measure=_name(measure),
        names=names,
        n=n,
        clusters=grouped,
        way="delong" if measure == "auc" else "bootstrap",
        resamples=found.resamples,
        significance=significance,
        relation=relation,
        cautions=_few(parts, grouped, found.error),
    )


def _admit(measure: object, statistics: object) -> None:
    if isinstance(measure, str):
        require_choice(measure, "measure", NAMED)
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


def _binary(values: Any, positive: object, argument: str) -> Floats:
    """Return 1 for the positive class and 0 for all others."""
    if values.ndim != 1:
        raise invalid(argument, "one class for each case", f"shape {values.shape}")
    classes = set(values.tolist())
    if positive is None:
        if not classes <= {0, 1}:
            domain = "given where classes are not 0 and 1"
            raise invalid("positive", domain, "nothing", "Name the positive class")
        positive = 1
    if np.ndim(positive) != 0 or isinstance(positive, dict | set | frozenset):  # type: ignore[arg-type]  # anything
        raise invalid("positive", "one class", positive)
    return np.asarray([value == positive for value in values.tolist()], dtype=np.float64)


def _areas(arrays: list[Any], codes: Ints | None, parts: int, positive: object) -> _Found:
    truth = _binary(arrays[0], positive, "truth")
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
    return _Found((float(areas[0]), float(areas[1])), float(np.sqrt(max(variance, 0.0))))


def _resampled(
    measure: Named | Measure,
    statistics: Measure | None,
    arrays: list[Any],
    codes: Ints | None,
    positive: object,
    resamples: int | None,
    rng: np.random.Generator,
) -> _Found:
    truth, first, second = arrays
    if isinstance(measure, str):
        of_sums: Callable[[Floats], Floats] = _OF_COUNTS[measure]
        binary = [_binary(values, positive, word) for values, word in
                  zip(arrays, ("truth", "first", "second"), strict=True)]  # fmt: skip
        rows = [resampling.precision_recall_counts(binary[0], each) for each in binary[1:]]
    elif statistics is not None:
        of_sums = partial(_told, measure)
        rows = [_statistics(statistics, truth, each) for each in (first, second)]
    else:
        count = require_count(_SLOW if resamples is None else resamples, "resamples", 100, _MOST)
        return _recomputed(measure, arrays, codes, count, rng)
    count = require_count(_FAST if resamples is None else resamples, "resamples", 100, _MOST)
    width = rows[0].shape[1]
    both = np.concatenate(rows, axis=1)
    if codes is not None:
        both = cluster_sums(both.T, codes).T
    sums = np.concatenate([both.sum(axis=0)[None], resampling.resampled_sums(both, count, rng)])
    one, other = of_sums(sums[:, :width]), of_sums(sums[:, width:])
    return _spread(one, other, len(both), count)


def _called(function: Measure, argument: str, *arrays: Any) -> Any:
    """Call a user's function; what it raises is told in a sentence, and kept as the cause."""
    try:
        return function(*arrays)
    except Exception as error:
        domain = "a function that can be called on any part of the cases"
        raise invalid(argument, domain, f"{type(error).__name__}: {error}") from error


def _told(measure: Measure, sums: Floats) -> Floats:
    """Ask a user's function of sums, and hold it to its shape."""
    found = require_numbers(_called(measure, "measure", sums), "measure")
    if found.shape != sums.shape[:-1]:
        domain = "a function that reduces the last axis of its sums"
        raise invalid("measure", domain, f"shape {found.shape} of {sums.shape}")
    return found


def _statistics(statistics: Measure, truth: Any, predicted: Any) -> Floats:
    found = require_numbers(_called(statistics, "statistics", truth, predicted), "statistics")
    found = found.reshape(len(found), -1) if found.ndim else found
    if found.ndim != 2 or len(found) != len(truth) or not np.isfinite(found).all():
        domain = "a function that returns finite numbers (cases, k)"
        raise invalid("statistics", domain, f"shape {found.shape}")
    return found


def _recomputed(
    measure: Measure, arrays: list[Any], codes: Ints | None, count: int, rng: np.random.Generator
) -> _Found:
    """Compute a measure anew for every resample of the cases."""
    truth, first, second = arrays
    n = len(truth)
    members = None
    parts = n
    if codes is not None:
        parts = int(codes.max()) + 1
        order = np.argsort(codes, kind="stable")
        members = np.split(order, np.searchsorted(codes[order], np.arange(1, parts)))
    found = np.empty((count + 1, 2))
    for row in range(count + 1):
        at = np.arange(n)
        if row:
            drawn = rng.integers(0, parts, size=parts)
            at = drawn if members is None else np.concatenate([members[part] for part in drawn])
        for column, predicted in enumerate((first, second)):
            value = _called(measure, "measure", truth[at], predicted[at])
            try:
                found[row, column] = float(value)
            except (TypeError, ValueError):
                raise invalid("measure", "a function that returns one number", value) from None
    return _spread(found[:, 0], found[:, 1], parts, count)


def _spread(one: Floats, other: Floats, parts: int, count: int) -> _Found:
    """Return both values and the standard error of their difference; the first row is the data."""
    if not np.isfinite([one, other]).all():
        remedy = "Let it return a number for every set of cases, also where a class is missing"
        raise invalid("measure", "a function that is finite on every resample", "others", remedy)
    error = float((one - other)[1:].std(ddof=1)) * float(np.sqrt(parts / (parts - 1)))
    return _Found((float(one[0]), float(other[0])), error, count)


def _few(parts: int, clusters: int | None, error: float) -> tuple[Caution, ...]:
    """Say so where a standard error rests on few cases."""
    if parts >= _FEW_PARTS or error == 0:
        return ()
    what = "cases" if clusters is None else "clusters"
    text = f"Only {parts} {what}: the standard error is rough, and so is the p-value."
    return (Caution("few-cases", text),)


def _name(measure: Named | Measure) -> str:
    return measure if isinstance(measure, str) else getattr(measure, "__name__", "measure")
