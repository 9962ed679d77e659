"""Adjusted p-values for a family of tests."""

from functools import lru_cache

import numpy as np

from replicast.arrays import Floats

CORRECTIONS = ("holm", "hochberg", "shaffer", "bonferroni")


def _step_down(pvalues: Floats, factors: Floats) -> Floats:
    """Multiply rising p-values by falling factors; no value lies below the one before it."""
    order = np.argsort(pvalues, kind="stable")
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(factors * pvalues[order]))
    return adjusted


def _step_up(pvalues: Floats, factors: Floats) -> Floats:
    """Multiply falling p-values by factors; no value lies above the one before it."""
    order = np.argsort(-pvalues, kind="stable")
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(factors * pvalues[order]))
    return adjusted


def bonferroni(pvalues: Floats) -> Floats:
    """Return p-values times their number."""
    return np.minimum(1.0, pvalues * len(pvalues))


def holm(pvalues: Floats) -> Floats:
    """Return Holm's step-down values: never larger than Bonferroni's, under any dependence."""
    return _step_down(pvalues, np.arange(len(pvalues), 0.0, -1.0))


def hochberg(pvalues: Floats) -> Floats:
    """Return Hochberg's step-up values, valid for positively dependent tests."""
    return _step_up(pvalues, np.arange(1.0, len(pvalues) + 1.0))


@lru_cache(maxsize=64)
def true_together(classifiers: int) -> tuple[int, ...]:
    """Return, ascending, how many of the pairwise equalities can hold at the same time.

    Equal classifiers form groups; a group of j makes j(j-1)/2 pairs equal.

    Examples
    --------
    >>> true_together(4)
    (0, 1, 2, 3, 6)
    """
    reachable: list[set[int]] = [{0}]
    for k in range(1, classifiers + 1):
        reachable.append({j * (j - 1) // 2 + c for j in range(1, k + 1) for c in reachable[k - j]})
    return tuple(sorted(reachable[classifiers]))


def shaffer(pvalues: Floats, classifiers: int) -> Floats:
    """Return Shaffer's static step-down values for all pairs of so many classifiers."""
    possible = np.array(true_together(classifiers))
    remaining = np.arange(len(pvalues), 0, -1)
    factors = possible[np.searchsorted(possible, remaining, side="right") - 1]
    return _step_down(pvalues, np.maximum(factors, 1).astype(np.float64))


def adjust(pvalues: Floats, correction: str, classifiers: int) -> Floats:
    """Return adjusted p-values by the name of the correction."""
    if correction == "shaffer":
        return shaffer(pvalues, classifiers)
    return {"holm": holm, "hochberg": hochberg, "bonferroni": bonferroni}[correction](pvalues)
