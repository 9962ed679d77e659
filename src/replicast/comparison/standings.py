"""What was found about many classifiers, and what to be careful about."""

from dataclasses import dataclass

import numpy as np

from replicast.arrays import Floats
from replicast.design import Datasets, Design
from replicast.errors import invalid
from replicast.formatting import format_percent, format_pvalue, join_words
from replicast.inference.friedman import FriedmanResult
from replicast.kernels.multiplicity import adjust
from replicast.power_analysis import smallest_pvalue
from replicast.results import Caution, Interval, Record, is_significant

_FEW_DATASETS = 10


@dataclass(frozen=True, kw_only=True)
class PairCell(Record):
    """Two of many classifiers. Positive differences and effects favour the first.

    Attributes
    ----------
    difference : float
        Mean difference in the unit of the scores.
    wins, ties, losses : int
        On how many datasets (or folds) the first is better, equal, worse.
    pvalue, adjusted : float
        Of the pair alone, and corrected for the number of pairs.
    better : str or None
        The classifier the test favours, None if it favours neither.
    replication, replication_interval : float and Interval, or None
        Chance that a repeat on fresh data that tests this pair alone is significant in the same
        direction (calibrated), and its 95% limits; None where there is no model or no difference.
    significant : bool
        Whether the adjusted p-value lies below the level.
    """

    first: str
    second: str
    difference: float
    wins: int
    ties: int
    losses: int
    pvalue: float
    adjusted: float
    effect: float
    effect_symbol: str
    effect_label: str | None
    better: str | None
    replication: float | None
    replication_interval: Interval | None
    significant: bool

    @property
    def at_odds(self) -> bool:
        """Whether the test is significant for one classifier and the mean favours the other."""
        return self.significant and self.difference * (1 if self.better == self.first else -1) < 0

    def __str__(self) -> str:
        return f"{self.first} - {self.second}: adjusted {format_pvalue(self.adjusted)}"


@dataclass(frozen=True, kw_only=True)
class Stability(Record):
    """Chances that the order of mean ranks holds on as many fresh datasets.

    `first_stays` belongs to the first place, `order_stays` to each classifier and the next one.
    """

    first_stays: float
    order_stays: tuple[float, ...]
    draws: int

    def __str__(self) -> str:
        return f"first place stays first in {format_percent(self.first_stays)} of repeats"


@dataclass(frozen=True, kw_only=True)
class ManyComparison(Record):
    """Everything found about many classifiers.

    Attributes
    ----------
    classifiers : tuple of str
        Best first: by mean rank over datasets, or by mean score on one dataset.
    mean_scores, average_ranks : tuple of float
        In the order of `classifiers`. On one dataset there are no ranks, and `average_ranks`,
        `friedman`, `critical_difference` and `stability` are None.
    friedman : FriedmanResult or None
        Whether any classifiers differ at all.
    critical_difference : float or None
        Nemenyi's, of mean ranks. Decisions rest on the adjusted p-values, not on it.
    pairs : tuple of PairCell
        All pairs, the better ranked first; with a `control` the control against each other.
    """

    classifiers: tuple[str, ...]
    mean_scores: tuple[float, ...]
    average_ranks: tuple[float, ...] | None
    friedman: FriedmanResult | None
    critical_difference: float | None
    pairs: tuple[PairCell, ...]
    stability: Stability | None
    control: str | None
    correction: str
    method: str
    significance: float
    design: Design
    datasets: tuple[str, ...]
    metric: str
    greater_is_better: bool
    cautions: tuple[Caution, ...] = ()

    def pair(self, first: str, second: str) -> PairCell:
        """Return the cell of two classifiers, in whichever order it stands."""
        for cell in self.pairs:
            if {cell.first, cell.second} == {first, second}:
                return cell
        raise invalid("first", "one of a pair that was tested", f"{first!r} and {second!r}")

    def __str__(self) -> str:
        found = sum(cell.significant for cell in self.pairs)
        return (
            f"{self.classifiers[0]} first of {len(self.classifiers)}; {found} of {len(self.pairs)} "
            f"pairs differ significantly ({self.method}, {self.correction})"
        )


def cautions_over_datasets(
    friedman: FriedmanResult, ranks: Floats, significance: float
) -> tuple[Caution, ...]:
    """Say what the ranks over datasets cannot show."""
    found = []
    n = friedman.n
    if len(friedman.classifiers) > 2 and not is_significant(friedman.f_pvalue, significance):
        text = (
            "The test over all classifiers does not show that any differ "
            f"({format_pvalue(friedman.f_pvalue)}, Iman-Davenport): the largest of many differences "
            "looks real even where none is, and its chance of replication is overstated."
        )
        found.append(Caution("omnibus-not-significant", text))
    if n < _FEW_DATASETS:
        text = f"Only {n} datasets: only very regular differences can be seen."
        found.append(Caution("few-datasets", text))
    places = friedman.average_ranks
    if (ranks == ranks[0]).all() and len(set(places)) > 1:
        text = (
            f"All {n} datasets rank the classifiers alike, so nothing shows how much ranks vary: "
            "the chances that places stay are overstated."
        )
        found.append(Caution("ranks-never-vary", text))
    shared = [name for name, place in zip(friedman.classifiers, places, strict=True)
              if place == places[0]]  # fmt: skip
    if len(shared) > 1:
        text = f"{join_words(shared[:5])} share the first mean rank; their order is a convention."
        found.append(Caution("shared-first-place", text))
    return tuple(found)


def cannot_be_significant(
    method: str,
    design: Design,
    pairs: int,
    correction: str,
    names: tuple[str, ...],
    significance: float,
) -> tuple[Caution, ...]:
    """Say so if no scores whatever could give an adjusted p-value below the level."""

    def least(scores: int) -> float:
        alone = smallest_pvalue(method, Datasets(scores))
        return float(adjust(np.full(pairs, alone), correction, len(names)).min())

    n = design.n_scores
    if not isinstance(design, Datasets) or n is None or is_significant(least(n), significance):
        return ()
    needed = next(count for count in range(n, 2000) if is_significant(least(count), significance))
    noun = "pair" if pairs == 1 else "pairs"
    text = (
        f"{n} datasets and {pairs} {noun} cannot give an adjusted p < {significance:g} by "
        f"{correction}: the smallest possible is {least(n):.4g}. Use at least {needed} datasets"
        f"{', or fewer pairs, as with a control' if pairs > 1 else ''}."
    )
    return (Caution("cannot-be-significant", text),)
