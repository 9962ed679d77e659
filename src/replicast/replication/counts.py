"""Replication of rank sums, wins and discordant cases."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from replicast.design import Datasets, Design, Holdout
from replicast.errors import DesignMismatchError
from replicast.inference.counts import MCNEMAR
from replicast.kernels import mixtures, replication
from replicast.kernels import replication_counts as counts
from replicast.kernels.counts import critical_wins
from replicast.kernels.mixtures import Prior
from replicast.replication.models import Assessment, Goal, bounded, without_limits


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

    def assess(self, prior: Prior | None, goal: Goal) -> Assessment:
        """Average the power over the posterior of the signal; by default a uniform share."""
        n = max(self.nonzero, 1)
        fresh = self._fresh(goal)
        test = replication.RankTest(
            replication.arcsine_critical(fresh, goal.significance), float(np.sqrt(fresh / n))
        )
        score = self.signal_estimate
        if prior is None:
            signal, mass = replication.uniform_share_posterior(score, n)
            direction = 1 - replication.uniform_share_mass(0.0, score, n)
            probability = float(np.sum(mass * replication.rank_power(signal, test)))
        else:
            posterior = mixtures.normal_posterior(np.asarray(score), prior)
            direction = float(mixtures.positive_mass(posterior))
            probability = float(replication.rank_mean_power(posterior, test))
        if not self._can_be_significant(fresh, goal):
            return Assessment(0.0, 0.0, 0.0, direction)
        if goal.confidence is None:
            return without_limits(probability, direction)
        tails = (1 - goal.confidence) / 2, (1 + goal.confidence) / 2
        if prior is None:
            limits = [replication.uniform_share_quantile(q, score, n) for q in tails]
        else:
            limits = [mixtures.mixture_quantile(posterior, q) for q in tails]
        low, high = (float(replication.rank_power(limit, test)) for limit in limits)
        return bounded(probability, low, high, direction)

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
        if goal.confidence is None:
            return without_limits(reached(self.z), direction)
        reach = -float(special.ndtri((1 - goal.confidence) / 2)) * self.spread
        return bounded(reached(self.z), reached(self.z - reach), reached(self.z + reach), direction)


@dataclass(frozen=True, kw_only=True)
class CountModel:
    """Wins and losses over datasets, with a symmetric beta prior on the rate of wins."""

    name: str
    wins: int
    losses: int
    ties: int
    strength: float  # of the prior: Beta(strength, strength)

    assumptions: ClassVar[tuple[str, ...]] = ("fresh datasets come from the same population",)

    @property
    def _decided(self) -> int:
        return self.wins + self.losses

    def assess(self, prior: Prior | None, goal: Goal) -> Assessment:
        """Return the beta-binomial chance; any prior given here stands for the uniform one."""
        strength = self.strength if prior is None else 1.0
        a, b = strength + self.wins, strength + self.losses
        total = self._decided + self.ties
        count = _dataset_count(goal.design, self.name) * goal.data_factor
        fresh = max(1, round(count * max(self._decided, 1) / total))
        critical = critical_wins(fresh, goal.significance)
        chance = counts.beta_binomial_power(a, b, fresh, critical)
        direction = 1 - float(special.betainc(a, b, 0.5))
        if goal.confidence is None:
            return without_limits(chance, direction)
        low, high = counts.beta_interval(a, b, goal.confidence)
        return bounded(
            chance,
            float(counts.binomial_power(low, fresh, critical)),
            float(counts.binomial_power(high, fresh, critical)),
            direction,
        )

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
        if goal.confidence is None:
            chance = float(counts.binomial_power(np.asarray(rate), fresh, critical))
            return without_limits(chance, direction)
        if self.name == "bayesian":
            low, high = counts.beta_densest_interval(a, b, goal.confidence)
        else:
            low, high = counts.clopper_pearson(won, total, goal.confidence)
        at, below, above = counts.binomial_power(np.array([rate, low, high]), fresh, critical)
        return bounded(at, below, above, direction)


def _dataset_count(design: Design, model: str) -> int:
    if isinstance(design, Datasets) and design.count is not None:
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
        "differences in accuracy of 0.4, 1.6 or 6.4 points are typical",
    )

    def _fresh_cases(self, goal: Goal) -> int:
        if not isinstance(goal.design, Holdout) or goal.design.cases is None:
            raise DesignMismatchError("target_design", "Holdout with its cases", str(goal.design))
        return round(goal.design.cases * goal.data_factor)

    def assess(self, prior: Prior | None, goal: Goal) -> Assessment:
        """Average over the accuracy difference and over how many fresh cases are discordant."""
        discordant = max(self.won + self.lost, 1)
        share = self.won / discordant if self.won + self.lost else 0.5
        score = replication.discordance_score(share, discordant)
        chosen = replication.accuracy_prior(discordant, self.cases) if prior is None else prior
        posterior = mixtures.normal_posterior(np.asarray(score), chosen)
        direction = float(mixtures.positive_mass(posterior))
        fresh = self._fresh_cases(goal)

        def samples(kind: replication.SizeKind) -> list[replication.FreshSample]:
            return replication.fresh_samples(
                discordant, self.cases, fresh, goal.significance, kind=kind, rule=self.rule
            )

        probability = sum(
            size.weight * float(replication.rank_mean_power(posterior, size.test))
            for size in samples("predicted")
        )
        if goal.confidence is None:
            return without_limits(probability, direction)
        tails = (1 - goal.confidence) / 2, (1 + goal.confidence) / 2
        known = samples("known")
        low, high = (
            sum(size.weight * float(replication.rank_power(limit, size.test)) for size in known)
            for limit in [mixtures.mixture_quantile(posterior, q) for q in tails]
        )
        return bounded(probability, low, high, direction)

    def plug_in(self, goal: Goal) -> Assessment:
        """Take the observed share of the discordant cases, and their number, for the truth."""
        total = self.won + self.lost
        fresh = round(total * self._fresh_cases(goal) / self.cases)
        critical = critical_wins(fresh, goal.significance, self.rule)
        a, b = self.won + 1.0, self.lost + 1.0
        if total == 0:
            return Assessment(0.0, 0.0, 0.0, 0.5)
        if goal.confidence is None:
            chance = counts.binomial_power(np.asarray(self.won / total), fresh, critical)
            return without_limits(float(chance), 1 - float(special.betainc(a, b, 0.5)))
        low, high = counts.clopper_pearson(self.won, total, goal.confidence)
        rates = np.array([self.won / total, low, high])
        at, below, above = counts.binomial_power(rates, fresh, critical)
        return bounded(at, below, above, 1 - float(special.betainc(a, b, 0.5)))
