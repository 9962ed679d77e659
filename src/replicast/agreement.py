"""Replicability from outcomes: does a test agree with itself on the same data?"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicast.errors import invalid, require_probability
from replicast.kernels import agreement
from replicast.prospects import Replicability
from replicast.results import Interval

Ints = NDArray[np.int64]


def replicability_from_counts(
    draws: Sequence[int],
    reruns: int,
    *,
    test: str = "test",
    datasets: Sequence[str] | None = None,
    significance: float = 0.05,
    confidence: float = 0.95,
) -> Replicability:
    """Return replicability from how often each dataset's reruns found no difference.

    For the numbers papers print: `draws` of `reruns` outcomes on each dataset were not significant.
    Which classifier won the others is not known, so the three-valued measure is missing.

    Examples
    --------
    >>> from replicast import replicability_from_counts
    >>> found = replicability_from_counts([10, 9, 5], 10)
    >>> found.consistent, found.almost_consistent, round(found.r2, 3)
    (1, 2, 0.748)
    """
    _require_reruns(reruns)
    require_probability(confidence, "confidence")
    for position, count in enumerate(draws):
        if count != int(count) or not 0 <= count <= reruns:
            raise invalid(
                "draws", f"counts from 0 to {reruns}, the reruns", f"{count} at position {position}"
            )
    if len(draws) == 0:
        raise invalid("draws", "counts for at least one dataset", "none")
    counts = np.array([[0, int(count), reruns - int(count)] for count in draws])
    return _record(counts, reruns, test, datasets, significance, confidence, merged=True)


def replicability_of_pvalues(
    pvalues: ArrayLike,
    signs: ArrayLike,
    *,
    test: str = "test",
    datasets: Sequence[str] | None = None,
    significance: float = 0.05,
    confidence: float = 0.95,
) -> Replicability:
    """Return replicability from the p-values and directions of all reruns.

    `pvalues` and `signs` are (datasets, reruns) or (reruns,); a positive sign favours the first
    classifier.

    Examples
    --------
    >>> from replicast import replicability_of_pvalues
    >>> found = replicability_of_pvalues([0.01, 0.2, 0.03, 0.04], [1, 1, 1, 1])
    >>> found.outcomes, round(found.r2, 2)
    (((3, 1, 0),), 0.5)
    """
    require_probability(significance, "significance")
    require_probability(confidence, "confidence")
    p = np.atleast_2d(np.asarray(pvalues, dtype=np.float64))
    direction = np.atleast_2d(np.sign(np.asarray(signs, dtype=np.float64)))
    if p.shape != direction.shape or p.ndim != 2:
        raise invalid("signs", f"of the shape of `pvalues`, {p.shape}", f"shape {direction.shape}")
    if not ((p >= 0) & (p <= 1)).all():
        raise invalid("pvalues", "between 0 and 1", "a value that is not")
    reruns = p.shape[1]
    _require_reruns(reruns)
    outcome = np.where(p < significance, direction, 0).astype(np.int64)
    counts = np.stack([(outcome == value).sum(axis=1) for value in (1, 0, -1)], axis=1)
    r1 = agreement.equal_disjoint_pairs(np.abs(outcome))
    return _record(
        counts, reruns, test, datasets, significance, confidence,
        r1=float(r1.mean()), pvalues=tuple(tuple(row) for row in p.tolist()),
    )  # fmt: skip


def _require_reruns(reruns: int) -> None:
    if reruns != int(reruns) or reruns < 2:
        raise invalid("reruns", "an integer of at least 2", reruns)


def _record(
    counts: Ints,
    reruns: int,
    test: str,
    datasets: Sequence[str] | None,
    significance: float,
    confidence: float,
    *,
    r1: float | None = None,
    pvalues: tuple[tuple[float, ...], ...] = (),
    merged: bool = False,
) -> Replicability:
    draws = counts[:, 1]
    two_valued = agreement.equal_pairs(np.stack([draws, reruns - draws], axis=1))
    r2 = float(two_valued.mean())
    if len(draws) == 1:
        interval = agreement.pairs_interval(int(draws[0]), reruns, confidence)
    else:
        interval = agreement.mean_interval(two_valued, confidence)
    names = tuple(datasets) if datasets else tuple(f"dataset {i + 1}" for i in range(len(draws)))
    least = np.minimum(draws, reruns - draws)
    spread = [agreement.pairs_variance(float(value), reruns) for value in two_valued]
    return Replicability(
        test=test,
        datasets=names,
        reruns=reruns,
        significance=significance,
        r1=r1,
        r2=r2,
        r2_three_valued=None if merged else float(agreement.equal_pairs(counts).mean()),
        normalised=2 * (r2 - 0.5),
        r1_variance=None if r1 is None else agreement.disjoint_pairs_variance(r1, reruns),
        r2_variance=float(np.mean(spread)) / len(draws),
        interval=Interval(min(interval[0], r2), max(interval[1], r2)),
        confidence=confidence,
        consistent=int(np.sum(least == 0)),
        almost_consistent=int(np.sum(least <= 1)),
        outcomes=tuple((int(a), int(b), int(c)) for a, b, c in counts),
        pvalues=pvalues,
    )
