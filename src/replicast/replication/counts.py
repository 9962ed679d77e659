"""Replication of wins and discordant cases.

A share of wins is read as an angle, asin(2 share - 1), whose spread hardly depends
on the share. How many of the fresh cases or datasets are decided is not known: every number has its
chance and its own critical value.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.design import Design
from replicast.errors import DesignMismatchError
from replicast.inference.counts import MCNEMAR
from replicast.kernels import replication_counts as counts
from replicast.kernels.counts import binomial_pvalue, critical_wins, midp_value, upper_tail
from replicast.kernels.mixtures import Mixture, Prior
from replicast.kernels.replication import FreshTest, Way
from replicast.replication.models import SMOOTH, Goal, Model
from replicast.replication.priors import Kind, Relation
from replicast.replication.student import StudentModel
from replicast.results import Caution

_DISAGREE, _AGREE = 1, 3  # before any case, two models are expected to disagree on one in four
_LEAST_DECIDED = 0.5
_SMALL_TEST_SET = 200
_MOST_COUNTS = 40
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


def _angle(won: float, lost: float) -> float:
    total = won + lost
    return float(np.arcsin((won - lost) / total)) if total else 0.0


def _pvalues(decided: int, ties: int, rule: str) -> Iterator[tuple[float, int]]:
    """Yield two-sided p-values and numbers of wins, a few dozen at most."""
    won = np.arange(decided, (decided - 1) // 2, -1)
    lost = decided - won
    if rule == "mid-p":
        pvalues = midp_value(won, lost, "two-sided")
    else:
        tied = np.full(len(won), ties)
        pvalues = binomial_pvalue(won, lost, tied, ties_rule="half", alternative="two-sided")
    inside = np.flatnonzero((pvalues >= SMOOTH[0]) & (pvalues <= SMOOTH[-1]))
    for at in inside[:: max(1, -(-len(inside) // _MOST_COUNTS))].tolist():
        yield float(pvalues[at]), int(won[at])


def _way(won: int, lost: int, fresh: counts.FreshSizes, unit: float = 1.0) -> Way:
    """Return wins and losses as an angle, with the test of each number of fresh ones decided."""
    decided = max(won + lost, _LEAST_DECIDED)
    shares = (fresh.critical - 0.5) / fresh.sizes
    bars = np.arcsin(np.clip(2 * shares - 1, -1.0, 1.0)) * np.sqrt(fresh.sizes)
    test = FreshTest(bars, np.sqrt(fresh.sizes / decided), fresh.chances)
    return Way(_angle(won, lost) * float(np.sqrt(decided)), test, unit=unit)


@dataclass(frozen=True, kw_only=True)
class WonLost(Model):
    """How many datasets or cases only the better one won, and how many the other."""

    won: int
    lost: int
    rule: str = "exact"

    @property
    def _decided(self) -> int:
        return self.won + self.lost

    @property
    def weight(self) -> float:
        """How many are decided."""
        return max(self._decided, 1)

    @property
    def _shared(self) -> int:
        """How many ties the test shares out."""
        return 0

    def along(self, own: float) -> Iterator[tuple[float, Self]]:  # noqa: ARG002  # others need it
        """Yield p-values and results with as many decided."""
        for pvalue, won in _pvalues(self._decided, self._shared, self.rule):
            yield pvalue, replace(self, won=won, lost=self._decided - won)


@dataclass(frozen=True, kw_only=True)
class CountModel(WonLost, OverDatasets):
    """Wins, losses and ties over datasets.

    `rule` says what the sign test does with ties: `half` shares them out, `drop` forgets them.
    """

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
    def _shared(self) -> int:
        return self.ties if self.rule == "half" else 0

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
        rule = "half" if self.rule == "half" else "exact"
        fresh = counts.fresh_sizes(
            1 + self._decided, 1 + self.ties, self.fresh_count(goal), goal.significance, rule
        )
        return [_way(self.won, self.lost, fresh)]

    def published(self, goal: Goal) -> tuple[Floats, float]:
        """Return the binomial or Bayesian model of Berrar (2024); ties count half for each."""
        total = self._decided + self.ties
        won = self.won + self.ties / 2
        fresh = self.fresh_count(goal)
        a, b = 1 + won, 1 + total - won
        rate = a / (a + b) if self.bayesian else won / total
        rates = [rate, 1 - rate]
        if goal.confidence is not None and self.bayesian:
            rates += counts.beta_densest_interval(a, b, goal.confidence)
        elif goal.confidence is not None:
            rates += counts.clopper_pearson(won, total, goal.confidence)
        critical = critical_wins(fresh, goal.significance)
        powers = upper_tail(np.asarray(critical), np.asarray(fresh), np.array(rates))
        return powers, 1 - float(special.betainc(a, b, 0.5))


@dataclass(frozen=True, kw_only=True)
class DiscordanceModel(WonLost):
    """Cases of one test set that only one of two fitted models gets right."""

    cases: int

    name: ClassVar[str] = MCNEMAR.name
    assumptions: ClassVar[tuple[str, ...]] = (
        "the two fitted models stay as they are",
        "fresh cases come from the same population",
        "differences in accuracy are like those of published results",
    )

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """What to be careful about on a small test set."""
        if self.cases > _SMALL_TEST_SET:
            return ()
        text = (
            f"With {self.cases} test cases much depends on how large the gaps between such models "
            "really are: where they hardly differ the chance is lower, where one is right far more "
            "often it is higher, often by much (docs/calibration.md)."
        )
        return (Caution("small-test-set", text),)

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
        return _DISAGREE + self._decided, _AGREE + self.cases - self._decided

    @property
    def _rate(self) -> float:
        """The expected share of cases on which the models disagree."""
        disagree, agree = self._disagreement
        return disagree / (disagree + agree)

    @property
    def _counted(self) -> float:
        return max(self._decided, _LEAST_DECIDED)

    def ways(self, goal: Goal) -> list[Way]:
        """Return the one way: wins and losses, and how many fresh cases are discordant."""
        fresh = counts.fresh_sizes(
            *self._disagreement, self._fresh_cases(goal), goal.significance, self.rule
        )
        unit = float(np.sqrt(self._counted / (self.cases * self._rate)))
        return [_way(self.won, self.lost, fresh, unit)]

    @property
    def observed(self) -> float:
        """The difference in accuracy that was seen."""
        return (self.won - self.lost) / self.cases

    def predicted(self, prior: Prior, goal: Goal, *, noise: float = 1.0) -> Mixture:
        """Return what the difference in accuracy will be: rate of discordant cases times sin(angle)."""
        [known] = self.posterior(prior, goal).beliefs
        angle, variance = known.means / np.sqrt(self._counted), known.spreads**2 / self._counted
        disagree, agree = self._disagreement
        rate = self._rate
        squared = rate**2 + rate * (1 - rate) / (disagree + agree + 1)
        mean = rate * np.sin(angle) * np.exp(-variance / 2)
        true = squared * (1 - np.cos(2 * angle) * np.exp(-2 * variance)) / 2 - mean**2
        fresh = np.maximum(rate - mean**2, 0.0) / self._fresh_cases(goal)
        return Mixture(known.weights, mean, np.sqrt(np.maximum(true, 1e-30) + noise**2 * fresh))

    def published(self, goal: Goal) -> tuple[Floats, float]:
        """Take the observed share of the discordant cases, and their number, for the truth."""
        total = self._decided
        fresh = round(total * self._fresh_cases(goal) / self.cases)
        critical = critical_wins(fresh, goal.significance, self.rule)
        if total == 0:
            return np.zeros(2), 0.5
        rates = [self.won / total, self.lost / total]
        if goal.confidence is not None:
            rates += counts.clopper_pearson(self.won, total, goal.confidence)
        powers = upper_tail(np.asarray(critical), np.asarray(fresh), np.array(rates))
        return powers, 1 - float(special.betainc(self.won + 1.0, self.lost + 1.0, 0.5))
