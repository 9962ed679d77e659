"""Two models by a measure of all cases: those with a name, and any function of cases."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replicast.comparison.estimates import Drawn, Function
from replicast.comparison.finding import Finding, conclude
from replicast.comparison.measure_rows import KnownCases, measure_given
from replicast.design import CrossValidatedCases
from replicast.errors import DesignMismatchError, invalid
from replicast.randomness import RandomSource, generator
from replicast.replication.priors import Relation
from replicast.results import Caution
from replicast.scores.parsing import cluster_codes, parse_folds

_FEW_PARTS = 20


def compare_measure(
    measure: str | Function,
    truth: ArrayLike | None,
    first: ArrayLike,
    second: ArrayLike,
    *,
    statistics: Function | None = None,
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
    row = measure_given(measure, statistics)
    known = _known_cases(first if truth is None else truth, first, second, positive)
    n = len(known.truth)
    codes, parts = (None, n) if clusters is None else cluster_codes(clusters, n)
    if parts < 2:
        raise invalid("truth", "at least two cases, or clusters", f"{parts}")
    drawn = Drawn(codes, parts, resamples, generator(rng))
    if truth is None and row.needs not in ("answers", "anything"):
        raise invalid("truth", f"given for {row.name}", "nothing")
    one, other = (
        row.parts(known, values, word)
        for values, word in zip(known.predicted, ("first", "second"), strict=True)
    )
    found = one.against(other, drawn)
    grouped = None if codes is None else parts
    design = None
    if folds is not None:
        if found.way != "cases":
            domain = "left out unless the measure is a mean of cases, such as accuracy or mse"
            remedy = "Folds have models of their own, which such a measure mixes: choose one fold"
            raise DesignMismatchError("folds", domain, f"folds with {row.name}", remedy)
        design = CrossValidatedCases(n, clusters=grouped, folds=parse_folds(folds, n, codes))
        wider = float(np.sqrt(1 + design.overlap))
        found = found._replace(error=wider * found.error, gaps=None)
    return conclude(
        found,
        names=names,
        measure=row.name,
        n=n,
        design=design,
        clusters=grouped,
        greater_is_better=row.greater_is_better,
        significance=significance,
        relation=relation,
        cautions=_few(parts, grouped, found.error),
    )


def _known_cases(truth: Any, first: Any, second: Any, positive: object) -> KnownCases:
    """Return truth and predictions as arrays of equal length."""
    known, one, other = (
        _cases(values, word)
        for values, word in ((truth, "truth"), (first, "first"), (second, "second"))
    )
    for values, word in ((one, "first"), (other, "second")):
        if len(values) != len(known):
            raise DesignMismatchError(word, f"as long as `truth` ({len(known)})", f"{len(values)}")
    return KnownCases(known, positive, (one, other))


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


def _few(parts: int, clusters: int | None, error: float) -> tuple[Caution, ...]:
    """Say so where a standard error rests on few cases."""
    if parts >= _FEW_PARTS or error == 0:
        return ()
    what = "cases" if clusters is None else "clusters"
    text = f"Only {parts} {what}: the standard error is rough, and so is the p-value."
    return (Caution("few-cases", text),)
