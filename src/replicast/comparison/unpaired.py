"""Two models on different cases: compared without pairs, and what pairs would have bought."""

import math
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from replicast.comparison.finding import Estimate, Finding, conclude
from replicast.errors import DesignMismatchError, require_flag
from replicast.kernels.intervals import wilson
from replicast.replication.priors import Relation
from replicast.results import Caution, IntervalRule
from replicast.scores.parsing import is_correctness, parse_scores

_ALIKE = 0.5  # correlation of two models on one case, as is usual


def compare_unpaired(
    first: ArrayLike,
    second: ArrayLike,
    *,
    names: tuple[str, str] = ("first", "second"),
    greater_is_better: bool = True,
    measure: str = "score",
    significance: float = 0.05,
    relation: Relation = "unknown",
) -> Finding:
    """Compare two models that were tested on different cases, such as another hospital's.

    Right and wrong are compared as two proportions: by z with the pooled variance times N/(N - 1)
    [1]_, with Newcombe's interval [2]_; other scores by Welch's t. Cases of different sets differ in
    how hard they are, which pairs would cancel: a caution says what these would have bought.

    Parameters
    ----------
    first, second : arrays
        The score of every case: 0 and 1 are right and wrong, others any numbers.
    greater_is_better : bool
        False for losses.

    References
    ----------
    .. [1] Campbell (2007), Statistics in Medicine 26, 3661-3675.
    .. [2] Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.

    Examples
    --------
    >>> from replicast import compare_unpaired
    >>> found = compare_unpaired([1] * 56 + [0] * 14, [1] * 48 + [0] * 32)
    >>> round(found.estimate, 2), [round(end, 4) for end in found.confidence_interval()]
    (0.2, [0.0524, 0.3339])
    """
    sides = [parse_scores(values, word) for values, word in ((first, "first"), (second, "second"))]
    for values, word in zip(sides, ("first", "second"), strict=True):
        if len(values) < 2:
            raise DesignMismatchError(word, "scores of at least two cases", f"{len(values)}")
    sign = 1.0 if require_flag(greater_is_better, "greater_is_better") else -1.0
    one, other = (float(values.mean()) for values in sides)
    m, n = map(len, sides)
    df: float | None = None
    rule: IntervalRule | None = None
    if is_correctness(*sides):
        share = (one * m + other * n) / (m + n)
        variance = share * (1 - share) * (1 / m + 1 / n) * (m + n) / (m + n - 1)
        rule = partial(_newcombe, (one, m), (other, n), sign)
    else:
        parts = [float(values.var(ddof=1)) / len(values) for values in sides]
        variance = sum(parts)
        squares = sum(part**2 / (len(v) - 1) for part, v in zip(parts, sides, strict=True))
        df = variance**2 / squares if squares > 0 else float(m + n - 2)
    ways = math.lgamma(m + n + 1) - math.lgamma(m + 1) - math.lgamma(n + 1)  # to divide the cases
    tosses = ways / math.log(2)
    error = float(np.sqrt(variance))
    return conclude(
        Estimate((one, other), error, "unpaired", df, interval_rule=rule, tosses=tosses),
        names=names,
        measure=measure,
        n=m + n,
        greater_is_better=sign > 0,
        significance=significance,
        relation=relation,
        cautions=(_lost(m, n),),
    )


def _newcombe(
    one: tuple[float, int], other: tuple[float, int], sign: float, confidence: float
) -> tuple[float, float]:
    (first, m), (second, n) = one, other
    low, high = (float(end) for end in wilson(np.asarray(first), m, confidence))
    below, above = (float(end) for end in wilson(np.asarray(second), n, confidence))
    gap = first - second
    ends = (
        gap - float(np.hypot(first - low, above - second)),
        gap + float(np.hypot(high - first, second - below)),
    )
    return ends if sign > 0 else (-ends[1], -ends[0])


def _lost(m: int, n: int) -> Caution:
    fewer = round(100 * (1 - np.sqrt(1 - _ALIKE)))
    text = (
        f"The two answered different cases ({m} and {n}), so how hard these are adds to the error. "
        f"On the same cases, two models that are alike as usual (correlation {_ALIKE:g}) would have an "
        f"error {fewer}% smaller: as if there were {1 / (1 - _ALIKE):g} times as many."
    )
    return Caution("unpaired", text)
