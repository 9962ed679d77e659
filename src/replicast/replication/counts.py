"""Replication of rank sums, wins and discordant cases.

A share of wins, or of the rank sum, is read as an angle, asin(2 share - 1), whose spread hardly depends
on the share. How many of the fresh cases or datasets are decided is not known: every number has its
chance and its own critical value.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.design import Design
from replicast.errors import DesignMismatchError
from replicast.inference.counts import MCNEMAR
from replicast.kernels import replication
from replicast.kernels import replication_counts as counts
from replicast.kernels.counts import critical_wins, upper_tail
from replicast.kernels.mixtures import Mixture, Prior
from replicast.kernels.replication import FreshTest, Way
from replicast.replication.models import Assessment, Goal, Model, bounded, without_limits
from replicast.replication.priors import Kind, Relation
from replicast.replication.student import StudentModel

_DISAGREE, _AGREE = 1, 3  # before any case, two models are expected to disagree on one in four
_LEAST_DECIDED = 0.5
_UNIFORM_ANGLE = float(np.sqrt(np.pi**2 / 4 - 2))  # standard deviation of asin(2 share - 1)


def _dataset_count(design: Design, model: str) -> int:
    if design.over_datasets and design.count is not None:
        return design.count
    raise DesignMismatchError(
        "target_design", f"Datasets with a count for the {model} model", str(design)
    )


@dataclass(frozen=True, kw_only=True)
class OverDatasets(Model):
    """A result over datasets by ranks or wins; `means` is that of the mean difference."""

    means: StudentModel | None = None

    @property
    def observed(self) -> float | None:
        """The mean difference that was seen."""
        return None if self.means is None else self.means.observed

    def predicted(self, prior: Prior, goal: Goal, *, noise: float = 1.0) -> Mixture | None:
        """Return what the mean difference of a repeat will be."""
        return None if self.means is None else self.means.predicted(prior, goal, noise=noise)

    def fresh_count(self, goal: Goal) -> int:
        """Return how many datasets the repeat has."""
        return round(_dataset_count(goal.design, self.name) * goal.data_factor)


@dataclass(frozen=True, kw_only=True)
class RankModel(OverDatasets):
    """A signed-rank result: share of the rank sum that the better classifier holds."""

    share: float
    nonzero: int
    z: float
    datasets: int
    spread: float

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
        return [Way(1.0, self.signal_estimate, np.inf, 1.0, 1.0, test)]

    def _can_be_significant(self, n: int, goal: Goal) -> bool:
        return bool(2.0 ** (1 - n) < goal.significance)

    def plug_in(self, goal: Goal) -> Assessment:
        """Return Eq 11 and 12 of Berrar (2024): Z is normal around the observed one."""
        if not self._can_be_significant(self._fresh(goal), goal):
            return Assessment(0.0, 0.0, 0.0, 0.5)
        critical = -float(special.ndtri(goal.significance / 2))
        gain = np.sqrt(self._fresh(goal) / max(self.nonzero, 1))

        def reached(z: float) -> float:
            if self.spread == 0:
                return float(gain * z > critical)
            return float(special.ndtr((gain * z - critical) / self.spread))

        direction = float(special.ndtr(self.z / self.spread)) if self.spread else 1.0
        at, opposite = reached(self.z), reached(-self.z)
        if goal.confidence is None:
            return without_limits(at, direction, opposite)
        reach = -float(special.ndtri((1 - goal.confidence) / 2)) * self.spread
        return bounded(at, reached(self.z - reach), reached(self.z + reach), direction, opposite)


def _angle(won: float, lost: float) -> float:
    total = won + lost
    return float(np.arcsin((won - lost) / total)) if total else 0.0


def _count_test(fresh: counts.FreshSizes, decided: float) -> FreshTest:
    """Return the test of fresh wins and losses, for an angle with so many decided."""
    shares = (fresh.critical - 0.5) / fresh.sizes
    bars = np.arcsin(np.clip(2 * shares - 1, -1.0, 1.0)) * np.sqrt(fresh.sizes)
    return FreshTest(bars, np.sqrt(fresh.sizes / decided), fresh.chances)


@dataclass(frozen=True, kw_only=True)
class CountModel(OverDatasets):
    """Wins, losses and ties over datasets.

    `rule` says what the sign test does with ties: `half` shares them out, `drop` forgets them.
    """

    wins: int
    losses: int
    ties: int
    rule: str = "half"
    bayesian: bool = False

    assumptions: ClassVar[tuple[str, ...]] = (
        "fresh datasets come from the same population",
        "ties are as frequent as they were",
    )

    @property
    def name(self) -> str:
        """Word for the model in results."""
        return "bayesian" if self.bayesian else "sign"

    @property
    def _decided(self) -> int:
        return self.wins + self.losses

    @property
    def amount(self) -> tuple[Kind, float]:
        """Of which kind the first result is, and how many datasets it has."""
        return "datasets", float(self._decided + self.ties)

    def prior(self, relation: Relation) -> Prior:
        """Return what the field says of the wins; the Bayesian model's prior is uniform."""
        if self.bayesian:
            return Prior((1.0,), (_UNIFORM_ANGLE * float(np.sqrt(max(self._decided, 1))),))
        return super().prior(relation)

    def ways(self, goal: Goal) -> list[Way]:
        """Return the one way: wins and losses, and how many of the fresh datasets are ties."""
        decided = max(self._decided, _LEAST_DECIDED)
        rule = "half" if self.rule == "half" else "exact"
        fresh = counts.fresh_sizes(
            1 + self._decided, 1 + self.ties, self.fresh_count(goal), goal.significance, rule
        )
        signal = _angle(self.wins, self.losses) * float(np.sqrt(decided))
        return [Way(1.0, signal, np.inf, 1.0, 1.0, _count_test(fresh, decided))]

    def plug_in(self, goal: Goal) -> Assessment:
        """Return the binomial or Bayesian model of Berrar (2024); ties count half for each."""
        total = self._decided + self.ties
        won = self.wins + self.ties / 2
        fresh = self.fresh_count(goal)
        critical = critical_wins(fresh, goal.significance)
        a, b = 1 + won, 1 + total - won
        rate = a / (a + b) if self.bayesian else won / total
        direction = 1 - float(special.betainc(a, b, 0.5))
        limits: tuple[float, ...] = ()
        if goal.confidence is not None and self.bayesian:
            limits = counts.beta_densest_interval(a, b, goal.confidence)
        elif goal.confidence is not None:
            limits = counts.clopper_pearson(won, total, goal.confidence)
        return _binomial(np.array([rate, 1 - rate, *limits]), fresh, critical, direction)


def _binomial(rates: Floats, fresh: int, critical: int, direction: float) -> Assessment:
    """Return what a rate of wins, its mirror and perhaps its limits lead to."""
    at, opposite, *limits = upper_tail(np.asarray(critical), np.asarray(fresh), rates).tolist()
    low, high = limits or (at, at)
    return bounded(at, low, high, direction, opposite)


@dataclass(frozen=True, kw_only=True)
class DiscordanceModel(Model):
    """Cases of one test set that only one of two fitted models gets right."""

    won: int
    lost: int
    cases: int
    rule: str = "exact"

    name: ClassVar[str] = MCNEMAR.name
    assumptions: ClassVar[tuple[str, ...]] = (
        "the two fitted models stay as they are",
        "fresh cases come from the same population",
        "differences in accuracy are like those of published results",
    )

    @property
    def amount(self) -> tuple[Kind, float]:
        """Of which kind the first result is, and how many cases it has."""
        return "cases", float(self.cases)

    def _fresh_cases(self, goal: Goal) -> int:
        if not goal.design.binary or goal.design.count is None:
            raise DesignMismatchError("target_design", "Holdout with its cases", str(goal.design))
        return round(goal.design.count * goal.data_factor)

    @property
    def _disagreement(self) -> tuple[int, int]:
        """How often two such models disagree, and agree: as expected before any case, and as seen."""
        discordant = self.won + self.lost
        return _DISAGREE + discordant, _AGREE + self.cases - discordant

    @property
    def _rate(self) -> float:
        """The expected share of cases on which the models disagree."""
        disagree, agree = self._disagreement
        return disagree / (disagree + agree)

    @property
    def _decided(self) -> float:
        return max(self.won + self.lost, _LEAST_DECIDED)

    def ways(self, goal: Goal) -> list[Way]:
        """Return the one way: wins and losses, and how many fresh cases are discordant."""
        fresh = counts.fresh_sizes(
            *self._disagreement, self._fresh_cases(goal), goal.significance, self.rule
        )
        decided = self._decided
        unit = float(np.sqrt(decided / (self.cases * self._rate)))
        signal = _angle(self.won, self.lost) * float(np.sqrt(decided))
        return [Way(1.0, signal, np.inf, 1.0, unit, _count_test(fresh, decided))]

    @property
    def observed(self) -> float:
        """The difference in accuracy that was seen."""
        return (self.won - self.lost) / self.cases

    def predicted(self, prior: Prior, goal: Goal, *, noise: float = 1.0) -> Mixture:
        """Return what the difference in accuracy will be: rate of discordant cases times sin(angle)."""
        [known] = self.posterior(prior, goal).beliefs
        angle, variance = known.means / np.sqrt(self._decided), known.spreads**2 / self._decided
        disagree, agree = self._disagreement
        rate = self._rate
        squared = rate**2 + rate * (1 - rate) / (disagree + agree + 1)
        mean = rate * np.sin(angle) * np.exp(-variance / 2)
        true = squared * (1 - np.cos(2 * angle) * np.exp(-2 * variance)) / 2 - mean**2
        fresh = np.maximum(rate - mean**2, 0.0) / self._fresh_cases(goal)
        return Mixture(known.weights, mean, np.sqrt(np.maximum(true, 1e-30) + noise**2 * fresh))

    def plug_in(self, goal: Goal) -> Assessment:
        """Take the observed share of the discordant cases, and their number, for the truth."""
        total = self.won + self.lost
        fresh = round(total * self._fresh_cases(goal) / self.cases)
        critical = critical_wins(fresh, goal.significance, self.rule)
        if total == 0:
            return Assessment(0.0, 0.0, 0.0, 0.5)
        direction = 1 - float(special.betainc(self.won + 1.0, self.lost + 1.0, 0.5))
        rates = [self.won / total, self.lost / total]
        if goal.confidence is not None:
            rates += counts.clopper_pearson(self.won, total, goal.confidence)
        return _binomial(np.array(rates), fresh, critical, direction)
