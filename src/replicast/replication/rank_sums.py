"""Replication of rank sums; Wilcoxon's Z, sums of ranks and exact p-values, each from the other."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.errors import invalid
from replicast.kernels import replication
from replicast.kernels import replication_counts as counts
from replicast.kernels.ranks import EXACT_UP_TO, smallest_pvalue, untied_lower_tail
from replicast.kernels.replication import FreshTest, Way
from replicast.replication.counts import OverDatasets
from replicast.replication.models import SMOOTH, Goal, Model
from replicast.replication.priors import Kind

_SURE = 0.05  # ranks: digits that leave more open single out no sum


@dataclass(frozen=True, kw_only=True)
class RankModel(OverDatasets):
    """A signed-rank result: share of the rank sum that the better classifier holds."""

    share: float
    nonzero: int
    z: float
    datasets: int
    spread: float = 1.0

    name: ClassVar[str] = "wilcoxon"
    assumptions: ClassVar[tuple[str, ...]] = (
        "fresh datasets come from the same population",
        "as many zero differences as in the first experiment",
    )

    @property
    def amount(self) -> tuple[Kind, float]:
        """Of which kind the first result is, and how many datasets it has."""
        return "datasets", float(self.datasets)

    @property
    def weight(self) -> float:
        """How many datasets the ranks are of."""
        return max(self.nonzero, 1)

    @property
    def signal_estimate(self) -> float:
        """The score on the arcsine scale, where its standard deviation is 1."""
        if self.nonzero == 0:
            return 0.0
        return float(replication.arcsine_score(self.share, self.nonzero))

    def _fresh(self, goal: Goal) -> int:
        return max(1, round(self.fresh_count(goal) * self.nonzero / self.datasets))

    def ways(self, goal: Goal) -> list[Way]:
        """Return the one way: the repeat has as many zeros as the first experiment had.

        Where that leaves too few differences, the rate of zeros is not taken for known: tests of every
        number of differences, each with its chance.
        """
        sizes, chances = np.array([self._fresh(goal)]), np.ones(1)
        count = self.fresh_count(goal)
        possible, expected = (self._can_be_significant(n, goal) for n in (count, int(sizes[0])))
        if possible and not expected:
            zeros = self.datasets - self.nonzero
            sizes, chances = counts.decided_sizes(1 + self.nonzero, 1 + zeros, count)
        bars = [replication.arcsine_critical(max(n, 1), goal.significance) for n in sizes.tolist()]
        test = FreshTest(np.array(bars), np.sqrt(sizes / max(self.nonzero, 1)), chances)
        return [Way(self.signal_estimate, test)]

    def _can_be_significant(self, n: int, goal: Goal) -> bool:
        return bool(2.0 ** (1 - n) < goal.significance)

    @property
    def least_pvalue(self) -> float:
        """The p-value of a win on every dataset."""
        return max(smallest_pvalue(self.datasets), 1e-300)

    def at(self, pvalue: float, own: float) -> "RankModel":
        """Return the model with another p-value: the rank sum and Z, which has its own, both grow.

        The Z of the rank sum need not be that of an exact p-value.
        """
        z, before = (z_of_pvalue(p, max(self.nonzero, 1)) for p in (pvalue, own))
        if before <= 0 or self.nonzero == 0:
            return replace(self, share=share_of(z, self.nonzero), z=z, means=None)
        total = self.nonzero * (self.nonzero + 1) / 2
        seen = max(((self.share - 0.5) * total - 0.5) / _rank_deviation(self.nonzero), 0.0)
        ranks, plain = (round(part / before, 12) for part in (seen, self.z))  # 1 for a reported Z
        return replace(self, share=share_of(z * ranks, self.nonzero), z=z * plain, means=None)

    def along(self, own: float) -> Iterator[tuple[float, "Model"]]:
        """Yield p-values and results, but for those that so few datasets cannot give."""
        if self.share == 1 and own > SMOOTH[0]:
            yield own, self.at(own, own)
        for pvalue, other in super().along(own):
            if isinstance(other, RankModel) and other.share < 1:
                yield pvalue, other

    def published(self, goal: Goal) -> tuple[Floats, float]:
        """Return Eq 11 and 12 of Berrar (2024): Z is normal around the observed one."""
        fresh = self._fresh(goal)
        if not self._can_be_significant(fresh, goal):
            return np.zeros(2), 0.5
        critical = -float(special.ndtri(goal.significance / 2))
        gain = np.sqrt(fresh / max(self.nonzero, 1))
        ends = (self.z + float(special.ndtri(tail)) * self.spread for tail in goal.tails)
        z = np.array([self.z, -self.z, *ends])
        if self.spread == 0:
            return np.where(gain * z > critical, 1.0, 0.0), 1.0
        with np.errstate(over="ignore"):
            powers = special.ndtr((gain * z - critical) / self.spread)
        return powers, float(special.ndtr(self.z / self.spread))


def share_of(z: float, datasets: int) -> float:
    """Return the share of the rank sum that a positive Z has; above 1 if so few cannot give it."""
    total = datasets * (datasets + 1) / 2
    half = 0.5 if z != 0 else 0.0  # the continuity correction that Z had taken off
    return 0.5 + (z * _rank_deviation(datasets) + half) / total


def largest_z(datasets: int, correction: float = 0.5) -> float:
    """Return Wilcoxon's Z of a win on every dataset."""
    total = datasets * (datasets + 1) / 2
    return (total / 2 - correction) / _rank_deviation(datasets)


def z_of_pvalue(pvalue: float, datasets: int) -> float:
    """Return the size of Z, with continuity correction, that has a two-sided p-value.

    Up to 50 datasets p is the exact one, as it is from scores; a p-value between those of two sums of
    ranks is read as lying between the two.
    """
    if datasets > EXACT_UP_TO:
        return min(-float(special.ndtri(pvalue / 2)), largest_z(datasets))
    tails = untied_lower_tail(datasets)
    lost = float(np.interp(np.log(pvalue / 2), np.log(tails), np.arange(len(tails))))
    return max(0.0, (len(tails) - 1 - 2 * lost - 1) / 2 / _rank_deviation(datasets))


def _rank_deviation(datasets: int) -> float:
    """Return the standard deviation of the sum of ranks between equal classifiers."""
    return float(np.sqrt(datasets * (datasets + 1) * (2 * datasets + 1) / 24))


def rank_sum_of(z: float, datasets: int) -> tuple[float, float]:
    """Return a reported size of Z with continuity correction, and its p-value.

    Where its digits single out a sum of ranks, with the correction or without as SPSS has it, p is
    exact; any other Z, such as a mean of several, is taken as corrected, and p is the normal one.
    """
    most = largest_z(datasets, 0.0)
    digits = max(2, len(repr(z).partition(".")[2]))
    rounded = 0.5 * 10.0**-digits if "e" not in repr(z) else 0.0
    if z > most + max(rounded, 1e-9):
        domain = f"at most {most:.3f} in size, that of a win on all of {datasets} datasets"
        remedy = "Z is meant with continuity correction or without; `datasets` leaves ties out"
        raise invalid("z", domain, z, remedy)
    total = datasets * (datasets + 1) // 2
    deviation = _rank_deviation(datasets)
    unsure = rounded * deviation + 1e-9 * total
    if datasets <= EXACT_UP_TO and unsure <= _SURE:
        for half in (0.5, 0.0):
            lost = total / 2 - z * deviation - half  # the smaller sum of ranks
            if abs(lost - round(lost)) <= unsure and z:
                tail = untied_lower_tail(datasets)[max(0, round(lost))]
                corrected = (total / 2 - round(lost) - 0.5) / deviation
                return max(0.0, corrected), min(1.0, 2 * float(tail))
    size = min(z, largest_z(datasets))
    if size < z and datasets <= EXACT_UP_TO:  # a win everywhere
        return size, 2.0 ** (1 - datasets)
    return size, 2 * float(special.ndtr(-size))
