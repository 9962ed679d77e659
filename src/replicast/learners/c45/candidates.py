"""Candidate splits of a C4.5 node: what one column gains and what its split costs."""

import math

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import bare
from replicast.learners.c45.arithmetic import SLACK, xlogx

ABSENT = -1.0  # the gain of a column that offers no split; real gains are not negative
_NOWHERE = -1
_SAME_VALUE = 1e-5  # neighbours closer than this cannot be separated


@bare
def gain_ratio(gain: float, information: float, weight: float) -> float:
    """Return the gain ratio, 0 where the split itself carries no information."""
    return 0.0 if abs(information) < SLACK else gain / (information / weight)


@bare
def _gain(entropy_drop: float, known: float, weight: float) -> float:
    scaled = known / weight * entropy_drop
    return 0.0 if abs(scaled) < SLACK else scaled / known


@bare
def nominal_candidate(
    table: Floats,
    first: int,
    n_branches: int,
    weight: float,
    min_cases: int,
    classes: Floats,
    xlog: Floats,
) -> tuple[float, float]:
    """Return gain and split information of a branch for each category.

    `table` holds the class counts of all branches one after the other, those of this column
    from `first` on; `classes` is work space.
    """
    n_classes = len(classes)
    large, known = 0, 0.0
    for b in range(n_branches):
        size = 0.0
        for k in range(n_classes):
            size += table[first + b * n_classes + k]
        known += size
        large += min_cases - size < SLACK
    if large < 2:
        return ABSENT, 0.0
    for k in range(n_classes):
        classes[k] = 0.0
    drop = 0.0
    information = xlogx(weight, xlog) - xlogx(weight - known, xlog)
    for b in range(n_branches):
        at, size = first + b * n_classes, 0.0
        for k in range(n_classes):
            size += table[at + k]
        if size > 0:
            own = xlogx(size, xlog)
            information -= own
            drop -= own
            for k in range(n_classes):
                classes[k] += table[at + k]
                drop += xlogx(table[at + k], xlog)
    drop += xlogx(known, xlog)
    for k in range(n_classes):
        drop -= xlogx(classes[k], xlog)
    return _gain(drop, known, weight), information


@bare
def _best_cut(
    column: Floats,
    ordered: Ints,
    n_known: int,
    weight_of: Floats,
    y: Ints,
    known: float,
    least: float,
    weight: float,
    left: Floats,
    right: Floats,
    xlog: Floats,
) -> tuple[float, int, float, int]:
    """Return gain, place and size of the best cut, and how many there are.

    `left` and `right` are work space for class counts.
    """
    for k in range(len(left)):
        left[k] = 0.0
        right[k] = 0.0
    for i in range(n_known):
        right[y[ordered[i]]] += weight_of[ordered[i]]
    below, above = 0.0, 0.0
    for k in range(len(right)):
        above += xlogx(right[k], xlog)
    entropy = xlogx(known, xlog) - above
    size, best, best_at, best_size, n_cuts = 0.0, 0.0, _NOWHERE, 0.0, 0
    value = column[ordered[0]]
    for i in range(n_known - 1):
        row = ordered[i]
        k = y[row]
        w = weight_of[row]
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
    return best, best_at, best_size, n_cuts


@bare
def numeric_candidate(
    column: Floats,
    ordered: Ints,
    weight_of: Floats,
    y: Ints,
    weight: float,
    min_cases: int,
    parts: Floats,
    xlog: Floats,
) -> tuple[float, float, float]:
    """Return gain, split information and cut of the best split in two.

    `ordered` holds the node's rows by ascending value with missing cells last; `parts` is work space
    for two lines of class counts.
    """
    n_known = len(ordered)
    while n_known > 0 and math.isnan(column[ordered[n_known - 1]]):
        n_known -= 1
    known = 0.0
    for i in range(n_known):
        known += weight_of[ordered[i]]
    least = 0.1 * known / parts.shape[1]
    if least - min_cases < SLACK:
        least = float(min_cases)
    elif least - 25.0 > SLACK:
        least = 25.0
    if 2.0 * least - n_known > SLACK:
        return ABSENT, 0.0, 0.0
    best, best_at, best_size, n_cuts = _best_cut(
        column, ordered, n_known, weight_of, y, known, least, weight, parts[0], parts[1], xlog
    )
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
