"""Candidate splits of a C4.5 node: what one column gains and what its split costs."""

import math
from typing import Any

from numpy.typing import NDArray

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import compiled
from replicast.learners.c45.arithmetic import SLACK, xlogx

Counts = NDArray[Any]  # whole numbers, or fractions where missing cells have split rows

ABSENT = -1.0  # the gain of a column that offers no split; real gains are not negative
_NOWHERE = -1
_SAME_VALUE = 1e-5  # neighbours closer than this cannot be separated


@compiled
def gain_ratio(gain: float, information: float, weight: float) -> float:
    """Return the gain ratio, 0 where the split itself carries no information."""
    return 0.0 if abs(information) < SLACK else gain / (information / weight)


@compiled
def nominal_candidate(
    table: Counts,
    first: int,
    n_branches: int,
    weight: float,
    min_cases: int,
    sizes: Counts,
    classes: Counts,
    xlog: Floats,
) -> tuple[float, float]:
    """Return gain and split information of a branch for each category.

    `table` holds the class counts of all branches one after the other, those of this column
    from `first` on; `sizes` and `classes` are work space.
    """
    n_classes = len(classes)
    large = 0
    known = weight * 0  # a zero of the type of the weights: whole numbers are looked up fastest
    at = first
    for b in range(n_branches):
        size = weight * 0
        for k in range(n_classes):
            size += table[at + k]
        at += n_classes
        sizes[b] = size
        known += size
        large += min_cases - size < SLACK
    if large < 2:
        return ABSENT, 0.0
    for k in range(n_classes):
        classes[k] = 0
    drop = 0.0
    information = xlogx(weight, xlog) - xlogx(weight - known, xlog)
    at = first
    for b in range(n_branches):
        if sizes[b] > 0:
            own = xlogx(sizes[b], xlog)
            information -= own
            drop -= own
            for k in range(n_classes):
                classes[k] += table[at + k]
                drop += xlogx(table[at + k], xlog)
        at += n_classes
    drop += xlogx(known, xlog)
    for k in range(n_classes):
        drop -= xlogx(classes[k], xlog)
    return _gain(drop, known, weight), information


@compiled
def _gain(entropy_drop: float, known: float, weight: float) -> float:
    scaled = known / weight * entropy_drop
    return 0.0 if abs(scaled) < SLACK else scaled / known


@compiled
def numeric_candidate(
    column: Floats,
    ordered: Ints,
    weight_of: Counts,
    y: Ints,
    weight: float,
    min_cases: int,
    left: Counts,
    right: Counts,
    xlog: Floats,
) -> tuple[float, float, float]:
    """Return gain, split information and cut of the best split in two.

    `ordered` holds the node's rows by ascending value with missing cells last; `left` and
    `right` are work space for class counts.
    """
    n_classes = len(right)
    for k in range(n_classes):
        left[k] = 0
        right[k] = 0
    n_known = 0
    known = weight * 0
    for row in ordered:
        if math.isnan(column[row]):
            break
        right[y[row]] += weight_of[row]
        known += weight_of[row]
        n_known += 1
    least = 0.1 * known / n_classes
    if least - min_cases < SLACK:
        least = float(min_cases)
    elif least - 25.0 > SLACK:
        least = 25.0
    if 2.0 * least - n_known > SLACK:
        return ABSENT, 0.0, 0.0

    below, above = 0.0, 0.0
    for k in range(n_classes):
        above += xlogx(right[k], xlog)
    entropy = xlogx(known, xlog) - above
    best, best_at, best_size = 0.0, _NOWHERE, weight * 0
    n_cuts = 0
    size = weight * 0
    value = column[ordered[0]] if n_known else 0.0
    for i in range(n_known - 1):
        row = ordered[i]
        k, w = y[row], weight_of[row]
        above -= xlogx(right[k], xlog)
        below -= xlogx(left[k], xlog)
        right[k] -= w
        left[k] += w
        above += xlogx(right[k], xlog)
        below += xlogx(left[k], xlog)
        size += w
        here = value
        value = column[ordered[i + 1]]
        if not here + _SAME_VALUE < value or least - size >= SLACK:
            continue
        rest = known - size
        if least - rest >= SLACK:
            break
        n_cuts += 1
        spread = xlogx(size, xlog) - below + xlogx(rest, xlog) - above
        gain = _gain(entropy - spread, known, weight)
        if gain - best > SLACK:
            best, best_at, best_size = gain, i, size
    if best_at == _NOWHERE:
        return ABSENT, 0.0, 0.0
    gain = best - math.log2(n_cuts) / weight  # the price of having chosen among many cuts
    if gain < SLACK:
        return ABSENT, 0.0, 0.0
    information = (
        xlogx(weight, xlog)
        - xlogx(best_size, xlog)
        - xlogx(known - best_size, xlog)
        - xlogx(weight - known, xlog)
    )
    lower, upper = column[ordered[best_at]], column[ordered[best_at + 1]]
    cut = (lower + upper) / 2.0
    if cut == upper:
        cut = lower
    return gain, information, cut
