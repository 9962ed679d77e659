"""Replication of rank sums, wins and discordant cases."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, TypeVar

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.design import Design
from replicast.errors import DesignMismatchError
from replicast.inference.counts import MCNEMAR
from replicast.kernels import mixtures, replication
from replicast.kernels import replication_counts as counts
from replicast.kernels.counts import critical_wins
from replicast.kernels.mixtures import Mixture, Prior, Priors
from replicast.replication.models import (
    Assessment,
    Belief,
    Chances,
    Goal,
    average,
    both_ways,
    bounded,
    in_units,
    without_limits,
)
from replicast.replication.priors import BetaPrior, Relation, prior_for, win_prior_for

_UNIFORM = BetaPrior((1.0,), (1.0,))
Known = TypeVar("Known")
_DISAGREE, _AGREE = 1, 3  # before any case, two models are expected to disagree on one in four


@dataclass(frozen=True, kw_only=True)
class RankModel:
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
    def signal_estimate(self) -> float:
        """The score on the arcsine scale, where its standard deviation is 1."""
        if self.nonzero == 0:
            return 0.0
        return float(replication.arcsine_score(self.share, self.nonzero))

    def _fresh(self, goal: Goal) -> int:
        count = _dataset_count(goal.design, self.name) * goal.data_factor
        return max(1, round(count * self.nonzero / self.datasets))

    def prior(self, relation: Relation) -> Prior:
        """Return what results over datasets say of the share of the rank sum."""
        return prior_for("datasets", relation)

    def _tests(self, goal: Goal) -> list[tuple[float, replication.RankTest]]:
        """Return the test of a repeat with as many zeros as the first experiment had.

        Where that leaves too few differences, the rate of zeros is not taken for known: tests of every
        number of differences, each with its chance.
        """
        sizes, chances = np.array([self._fresh(goal)]), np.ones(1)
        count = round(_dataset_count(goal.design, self.name) * goal.data_factor)
        possible, expected = (self._can_be_significant(n, goal) for n in (count, int(sizes[0])))
        if possible and not expected:
            zeros = self.datasets - self.nonzero
            sizes, chances = counts.decided_sizes(1 + self.nonzero, 1 + zeros, count)
        gains = np.sqrt(sizes / max(self.nonzero, 1)).tolist()
        bars = (replication.arcsine_critical(max(n, 1), goal.significance) for n in sizes.tolist())
        tests = map(replication.RankTest, bars, gains)
        return list(zip(chances.tolist(), tests, strict=True))

    def _signal_prior(self, prior: Belief | None) -> Prior:
        chosen = in_units(self.prior("unknown") if prior is None else prior, self.name)
        if chosen.unit != "angle":
            return chosen
        n = max(self.nonzero, 1)
        return chosen.scaled(1 / (2 * replication.arcsine_spread(n)), "signal")

    def _posterior(self, prior: Prior | Priors) -> Mixture:
        return mixtures.normal_posterior(np.asarray(self.signal_estimate), prior)

    def assess(self, prior: Belief | None, goal: Goal) -> Assessment:
        """Average the power over the posterior of the signal."""
        return self.assess_each((prior,), goal)[0]

    def assess_each(self, priors: Sequence[Belief | None], goal: Goal) -> list[Assessment]:
        """Average the power over the posterior of the signal, for each prior."""
        tests = self._tests(goal)
        return average(
            [self._signal_prior(prior) for prior in priors],
            self._posterior,
            lambda posterior: _weighted(replication.rank_mean_power, posterior, tests),
            lambda signals: _weighted(replication.rank_power, signals, tests),
            goal.confidence,
        )

    def if_true(
        self, prior: Belief, goal: Goal, levels: Sequence[float], quantiles: Floats
    ) -> Chances:
        """Return the chances if the signal lies at quantiles of its posterior."""
        posterior = self._posterior(self._signal_prior(prior))
        signals = mixtures.mixture_quantiles(posterior, quantiles)
        tests = [self._tests(one) for one in goal.at(levels)]
        power = partial(_weighted, replication.rank_power)
        return both_ways(power, signals, -signals, tests)

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


def _weighted(
    power: Callable[[Known, replication.RankTest], Floats],
    known: Known,
    tests: Sequence[tuple[float, replication.RankTest]],
) -> Floats:
    """Average the power over tests of different sizes."""
    return np.asarray(sum(chance * power(known, test) for chance, test in tests))


@dataclass(frozen=True, kw_only=True)
class CountModel:
    """Wins, losses and ties over datasets.

    `rule` says what the sign test does with ties: `half` shares them out, `drop` forgets them.
    """

    name: str
    wins: int
    losses: int
    ties: int
    rule: str = "half"

    assumptions: ClassVar[tuple[str, ...]] = (
        "fresh datasets come from the same population",
        "ties are as frequent as they were",
    )

    @property
    def _decided(self) -> int:
        return self.wins + self.losses

    def prior(self, relation: Relation) -> BetaPrior:
        """Return what results over datasets say of the rate of wins; the Bayesian model's is uniform."""
        return _UNIFORM if self.name == "bayesian" else win_prior_for(relation)

    def _share(self, prior: Belief) -> counts.SharePrior:
        """Return what is known of the rate of wins among the decided."""
        if isinstance(prior, BetaPrior):
            return counts.beta_share(
                self.wins, self.losses, np.array(prior.weights), np.array(prior.strengths)
            )
        spreads = np.array(prior.spreads) / (2 * np.sqrt(max(self._decided, 1)))
        return counts.normal_share(self.wins, self.losses, np.array(prior.weights), spreads)

    def assess(self, prior: Belief | None, goal: Goal) -> Assessment:
        """Average over the rate of wins, and over how many of the fresh datasets are ties."""
        known = self._share(self.prior("unknown") if prior is None else prior)
        return _assess_share(known, self._fresh(goal), goal)

    def _fresh(self, goal: Goal) -> counts.FreshSizes:
        count = round(_dataset_count(goal.design, self.name) * goal.data_factor)
        rule = "half" if self.rule == "half" else "exact"
        return counts.fresh_sizes(1 + self._decided, 1 + self.ties, count, goal.significance, rule)

    def if_true(
        self, prior: Belief, goal: Goal, levels: Sequence[float], quantiles: Floats
    ) -> Chances:
        """Return the chances if the rate of wins lies at quantiles of what is known of it."""
        fresh = [self._fresh(one) for one in goal.at(levels)]
        return _share_chances(self._share(prior), fresh, quantiles)

    def plug_in(self, goal: Goal) -> Assessment:
        """Return the binomial or Bayesian model of Berrar (2024); ties count half for each."""
        total = self._decided + self.ties
        won = self.wins + self.ties / 2
        fresh = round(_dataset_count(goal.design, self.name) * goal.data_factor)
        critical = critical_wins(fresh, goal.significance)
        if self.name == "bayesian":
            a, b = 1 + won, 1 + total - won
            rate = a / (a + b)
        else:
            a, b = won + 1.0, total - won + 1.0
            rate = won / total
        direction = 1 - float(special.betainc(a, b, 0.5))
        opposite = float(counts.binomial_power(1 - rate, fresh, critical))
        if goal.confidence is None:
            chance = float(counts.binomial_power(rate, fresh, critical))
            return without_limits(chance, direction, opposite)
        if self.name == "bayesian":
            low, high = counts.beta_densest_interval(a, b, goal.confidence)
        else:
            low, high = counts.clopper_pearson(won, total, goal.confidence)
        at, below, above = counts.binomial_power(np.array([rate, low, high]), fresh, critical)
        return bounded(at, below, above, direction, opposite)


def _assess_share(known: counts.SharePrior, fresh: counts.FreshSizes, goal: Goal) -> Assessment:
    """Average the power over what is known of a share of wins."""
    nodes, masses = counts.share_masses(known)
    chance = float(masses @ counts.sized_power(nodes, fresh))
    opposite = float(masses @ counts.sized_power(1 - nodes, fresh))
    direction = float(masses[nodes > 0.5].sum())
    if goal.confidence is None:
        return without_limits(chance, direction, opposite)
    tails = np.array([(1 - goal.confidence) / 2, (1 + goal.confidence) / 2])
    low, high = counts.sized_power(counts.share_quantiles(known, tails), fresh).tolist()
    return bounded(chance, low, high, direction, opposite)


def _share_chances(
    known: counts.SharePrior, fresh: Sequence[counts.FreshSizes], quantiles: Floats
) -> Chances:
    """Return the chances if a share of wins lies at quantiles of what is known of it."""
    shares = counts.share_quantiles(known, quantiles)
    return both_ways(counts.sized_power, shares, 1 - shares, fresh)


def _dataset_count(design: Design, model: str) -> int:
    if design.over_datasets and design.count is not None:
        return design.count
    raise DesignMismatchError(
        "target_design", f"Datasets with a count for the {model} model", str(design)
    )


@dataclass(frozen=True, kw_only=True)
class DiscordanceModel:
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

    def _fresh_cases(self, goal: Goal) -> int:
        if not goal.design.binary or goal.design.count is None:
            raise DesignMismatchError("target_design", "Holdout with its cases", str(goal.design))
        return round(goal.design.count * goal.data_factor)

    def prior(self, relation: Relation) -> Prior:
        """Return what results on one test set say of differences in accuracy."""
        return prior_for("one-test-set", relation)

    def _share(self, prior: Belief | None) -> counts.SharePrior:
        """Return what is known of the share of the discordant cases that are won."""
        discordant = self.won + self.lost
        chosen = in_units(self.prior("unknown") if prior is None else prior, self.name)
        if chosen.unit == "signal":
            chosen = chosen.scaled(np.sqrt(max(discordant, 1)) / self.cases, "difference")
        disagree, agree = self._disagreement
        rate = disagree / (disagree + agree)
        spreads = np.array(chosen.spreads) / (2 * rate)
        return counts.normal_share(self.won, self.lost, np.array(chosen.weights), spreads)

    @property
    def _disagreement(self) -> tuple[int, int]:
        """How often two such models disagree, and agree: as expected before any case, and as seen."""
        discordant = self.won + self.lost
        return _DISAGREE + discordant, _AGREE + self.cases - discordant

    def _fresh(self, goal: Goal) -> counts.FreshSizes:
        return counts.fresh_sizes(
            *self._disagreement, self._fresh_cases(goal), goal.significance, self.rule
        )

    def assess(self, prior: Belief | None, goal: Goal) -> Assessment:
        """Average over the accuracy difference and over how many fresh cases are discordant."""
        return _assess_share(self._share(prior), self._fresh(goal), goal)

    def if_true(
        self, prior: Belief, goal: Goal, levels: Sequence[float], quantiles: Floats
    ) -> Chances:
        """Return the chances if the share won lies at quantiles of what is known of it."""
        fresh = [self._fresh(one) for one in goal.at(levels)]
        return _share_chances(self._share(prior), fresh, quantiles)

    def plug_in(self, goal: Goal) -> Assessment:
        """Take the observed share of the discordant cases, and their number, for the truth."""
        total = self.won + self.lost
        fresh = round(total * self._fresh_cases(goal) / self.cases)
        critical = critical_wins(fresh, goal.significance, self.rule)
        a, b = self.won + 1.0, self.lost + 1.0
        if total == 0:
            return Assessment(0.0, 0.0, 0.0, 0.5)
        direction = 1 - float(special.betainc(a, b, 0.5))
        shares = np.array([self.won, self.lost]) / total
        chance, opposite = counts.binomial_power(shares, fresh, critical)
        if goal.confidence is None:
            return without_limits(float(chance), direction, float(opposite))
        limits = np.array(counts.clopper_pearson(self.won, total, goal.confidence))
        below, above = counts.binomial_power(limits, fresh, critical)
        return bounded(chance, below, above, direction, opposite)
