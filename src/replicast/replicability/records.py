"""Replicability: does a test agree with itself on the same data?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicast.design import require_count
from replicast.errors import invalid, require_probability
from replicast.formatting import format_percent
from replicast.kernels import agreement
from replicast.results import Answer, Caution, Interval, Record, is_significant
from replicast.scores.parsing import require_numbers

_MOST_RERUNS = 10**9


@dataclass(frozen=True, kw_only=True)
class Replicability(Record):
    """How often a test agrees with itself on the same data under new random partitions.

    Measured, not predicted; about the same data, unlike replication, which is about fresh data. Also
    called: R1 and R2, normalized replicability (Bouckaert 2004), R(k, n), consistency (Bouckaert and
    Frank 2004).

    Attributes
    ----------
    r1, r2 : float
        Share of equal outcomes among disjoint pairs and among all pairs of reruns (Bouckaert 2004);
        r1 is None where only counts are known. Across datasets, their means.
    r2_three_valued : float or None
        The same telling the two winners apart, which the published measure does not.
    normalised : float
        2 (r2 - 1/2): 0 for a coin, 1 for full agreement.
    r1_variance, r2_variance : float
        Their exact variances, given that the estimate is the truth.
    consistent, almost_consistent : int
        Datasets on which all reruns agree, and on which at most one differs.
    outcomes : tuple of tuple
        For each dataset: reruns in which the first was better, neither, and the second.
    pvalues : tuple of tuple
        For each dataset the p-values of all reruns; empty if only counts are known.
    """

    test: str
    datasets: tuple[str, ...]
    reruns: int
    significance: float
    r1: float | None
    r2: float
    r2_three_valued: float | None
    normalised: float
    r1_variance: float | None
    r2_variance: float
    interval: Interval
    confidence: float
    consistent: int
    almost_consistent: int
    outcomes: tuple[tuple[int, int, int], ...]
    pvalues: tuple[tuple[float, ...], ...] = ()
    cautions: tuple[Caution, ...] = ()

    @classmethod
    def from_counts(
        cls,
        draws: Sequence[int],
        reruns: int,
        *,
        test: str = "test",
        datasets: Sequence[str] | None = None,
        significance: float = 0.05,
        confidence_level: float = 0.95,
    ) -> Self:
        """Read replicability off how often each dataset's reruns found no difference.

        For the numbers papers print: draws are reruns that did not reject, of `reruns` on each
        dataset. Which classifier won the others is not known, so the three-valued measure is missing.

        Examples
        --------
        >>> from replicast import Replicability
        >>> found = Replicability.from_counts([10, 9, 5], 10)
        >>> found.consistent, found.almost_consistent, round(found.r2, 3)
        (1, 2, 0.748)
        """
        reruns = require_count(reruns, "reruns", 2, _MOST_RERUNS)
        undecided = require_numbers(draws, "draws").ravel()
        for position, count in enumerate(undecided.tolist()):
            if count % 1 or not 0 <= count <= reruns:
                shown = f"{count:g} at position {position}"
                raise invalid("draws", f"counts from 0 to {reruns}, the reruns", shown)
        if len(undecided) == 0:
            raise invalid("draws", "counts for at least one dataset", "none")
        counts = np.array([[0, int(count), reruns - int(count)] for count in undecided])
        found = cls._of_counts(counts, test, datasets, significance, confidence_level)
        return replace(found, r2_three_valued=None)

    @classmethod
    def from_pvalues(
        cls,
        pvalues: ArrayLike,
        signs: ArrayLike,
        *,
        test: str = "test",
        datasets: Sequence[str] | None = None,
        significance: float = 0.05,
        confidence_level: float = 0.95,
    ) -> Self:
        """Measure replicability on the p-values and directions of all reruns.

        Both are (datasets, reruns) or (reruns,); a positive sign favours the first classifier.

        Examples
        --------
        >>> from replicast import Replicability
        >>> found = Replicability.from_pvalues([0.01, 0.2, 0.03, 0.04], [1, 1, 1, 1])
        >>> found.outcomes, round(found.r2, 2)
        (((3, 1, 0),), 0.5)
        """
        significance = require_probability(significance, "significance")
        p = np.atleast_2d(require_numbers(pvalues, "pvalues"))
        direction = np.atleast_2d(np.sign(require_numbers(signs, "signs")))
        if p.shape != direction.shape or p.ndim != 2:
            domain = f"of the shape of `pvalues`, {p.shape}"
            raise invalid("signs", domain, f"shape {direction.shape}")
        if not ((p >= 0) & (p <= 1)).all():
            raise invalid("pvalues", "between 0 and 1", "a value that is not")
        if np.isnan(direction).any():
            raise invalid("signs", "numbers", "a value that is not")
        require_count(p.shape[1], "reruns", 2)
        significant = is_significant(p, significance)
        outcome = np.where(significant, direction, 0).astype(np.int64)
        counts = np.stack([(outcome == value).sum(axis=1) for value in (1, 0, -1)], axis=1)
        r1 = float(agreement.equal_disjoint_pairs(np.abs(outcome)).mean())
        found = cls._of_counts(counts, test, datasets, significance, confidence_level)
        return replace(
            found,
            r1=r1,
            r1_variance=agreement.disjoint_pairs_variance(r1, p.shape[1]) / len(p),
            pvalues=tuple(tuple(row) for row in p.tolist()),
        )

    @classmethod
    def _of_counts(
        cls,
        counts: NDArray[np.int64],
        test: str,
        datasets: Sequence[str] | None,
        significance: float,
        confidence_level: float,
    ) -> Self:
        """Fill the record from (datasets, 3) counts: first better, neither, second better."""
        confidence = require_probability(confidence_level, "confidence_level")
        reruns = int(counts[0].sum())
        draws = counts[:, 1]
        agreeing = agreement.equal_pairs(np.stack([draws, reruns - draws], axis=1))
        r2 = float(agreeing.mean())
        if len(draws) == 1:
            low, high = agreement.pairs_interval(int(draws[0]), reruns, confidence)
        else:
            low, high = agreement.mean_interval(agreeing, confidence)
            if low == high:  # no spread to judge by: at least as unsure as about one of them
                low, high = agreement.pairs_interval(int(draws[0]), reruns, confidence)
            low, high = max(low, 0.5), max(high, 0.5)  # two outcomes agree at least half the time
        least = np.minimum(draws, reruns - draws)
        spread = [agreement.pairs_variance(float(value), reruns) for value in agreeing]
        return cls(
            test=test,
            datasets=_labels(datasets, len(draws)),
            reruns=reruns,
            significance=significance,
            r1=None,
            r2=r2,
            r2_three_valued=float(agreement.equal_pairs(counts).mean()),
            normalised=2 * (r2 - 0.5),
            r1_variance=None,
            r2_variance=float(np.mean(spread)) / len(draws),
            interval=Interval(min(low, r2), max(high, r2)),
            confidence=confidence,
            consistent=int(np.sum(least == 0)),
            almost_consistent=int(np.sum(least <= 1)),
            outcomes=tuple((int(a), int(b), int(c)) for a, b, c in counts),
        )

    def __str__(self) -> str:
        low, high = (format_percent(limit) for limit in self.interval)
        over = f" over {len(self.datasets)} datasets" if len(self.datasets) > 1 else ""
        return (
            f"{self.test}: two reruns agree {format_percent(self.r2)} [{low}, {high}] of the time"
            f"{over} ({self.reruns} reruns)"
        )


def _labels(datasets: Sequence[str] | None, count: int) -> tuple[str, ...]:
    if datasets is None:
        return tuple(f"dataset {i + 1}" for i in range(count))
    if isinstance(datasets, str) or not isinstance(datasets, Sequence) or len(datasets) != count:
        raise invalid("datasets", f"{count} names, one for each dataset", datasets)
    return tuple(map(str, datasets))


@dataclass(frozen=True, kw_only=True, eq=False)
class Audit(Answer, Mapping[str, Replicability]):
    """The replicability of several tests, by name: which of them agree with themselves.

    Attributes
    ----------
    tests : mapping of str to Replicability
        One for each test, with the p-values of all reruns.
    names, dataset : tuple of str, and str
        The two classifiers, and the data that were partitioned anew.
    """

    tests: Mapping[str, Replicability]
    names: tuple[str, str]
    dataset: str

    @property
    def reruns(self) -> int:
        """How often everything was repeated."""
        return next(iter(self.tests.values())).reruns

    def __getitem__(self, name: str) -> Replicability:
        return self.tests[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tests)

    def __len__(self) -> int:
        return len(self.tests)

    def to_dict(self) -> dict[str, Any]:
        """Return the record of each test as valid JSON."""
        return {name: item.to_dict() for name, item in self.tests.items()}
