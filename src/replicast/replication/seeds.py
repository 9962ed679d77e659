"""Replication of differences between seeds: on fresh data, where the split varies too."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from replicast.arrays import Floats
from replicast.design import Design, describe_design
from replicast.errors import DesignMismatchError
from replicast.kernels import mixtures, noncentral
from replicast.kernels import seeds as kernel
from replicast.kernels.mixtures import Mixture, Prior
from replicast.kernels.student import t_critical, t_lower
from replicast.replication.models import (
    Assessment,
    Belief,
    Chances,
    Goal,
    bounded,
    in_units,
    without_limits,
)
from replicast.replication.priors import Relation

Test = Literal["fresh", "plain"]
_NOTHING = 1e-9  # a share less likely changes no chance


@dataclass(frozen=True, kw_only=True)
class SeedsModel:
    """t over seeds, its degrees of freedom, and F of the splits where there are several.

    What counts as significant is `fresh`, the test that keeps its level on fresh splits, or `plain`,
    the t-test over seeds that papers report.
    """

    statistic: float
    df: float
    design: Design
    ratio: float = 1.0
    test: Test = "fresh"

    @property
    def name(self) -> str:
        """Word for the model in results."""
        return "seeds" if self.test == "fresh" else "seeds-alone"

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the model takes for granted."""
        if not self.design.has_split:
            return (
                "scores of seeds are roughly normal",
                "new seeds alone: nothing is split into training and test data",
                "true differences are as large, in deviations of the seeds, as those of published "
                "classifiers",
            )
        low, _, high = kernel.share_range()
        known = (
            "in published results"
            if self.design.splits == 1
            else "in published results and these splits"
        )
        return (
            "scores of seeds are roughly normal",
            "a fresh split of data of the same kind and size",
            f"the variance of the split is mostly {low:.1f} to {high:.1f} times that of the seeds, "
            f"{known}",
        )

    @property
    def fresh_pvalue(self) -> float:
        """The p-value of the test that keeps its level on fresh splits."""
        distance = self.statistic / float(
            np.sqrt(self.design.layout.seeds * self.design.layout.splits)
        )
        return min(
            1.0, 2 * float(kernel.fresh_tail(self._as_means(distance), np.asarray(distance)))
        )

    def _as_means(self, distance: float) -> kernel.SeedMeans:
        """Return seeds that differ so much, with a deviation of 1."""
        between = np.sqrt(self.ratio / self.design.layout.seeds) * (self.design.splits > 1)
        gap, one, df, apart = (np.asarray(part) for part in (distance, 1.0, self.df, between))
        return kernel.SeedMeans(gap, one, df, apart, self.design.layout)

    def at(self, pvalue: float) -> "SeedsModel":
        """Return the model of a result with another p-value, all else as it is."""
        if self.test == "plain":
            return replace(self, statistic=t_critical(self.df, pvalue / 2))
        found = self._as_means(0.0)
        distance = float(kernel.fresh_half(found, pvalue / 2))
        return replace(
            self,
            statistic=distance
            * float(np.sqrt(self.design.layout.seeds * self.design.layout.splits)),
        )

    @property
    def seen(self) -> kernel.Seen:
        """The first result as the kernel knows it."""
        return kernel.Seen(self.statistic, self.df, self.ratio, self.design.layout)

    def test_of(self, design: Design, significance: float) -> kernel.SeedTest:
        """Return the replication's test; its models vary as unequally as these."""
        if not design.seeds:
            raise DesignMismatchError("target_design", "Seeds", describe_design(design))
        share = self.df / (self.design.splits * (self.design.layout.seeds - 1))
        df = share * design.splits * (design.seeds - 1)
        if self.test == "fresh":
            return kernel.fresh_test(design.layout, df, significance)
        return kernel.plain_test(design.layout, df, t_critical(df, significance / 2))

    def prior(self, relation: Relation) -> Prior:
        """Return what the field says of true differences, in deviations of the seeds."""
        told = kernel.learned()["difference"]
        ends = [told["close"], told["any"]] if relation == "unknown" else [told[relation]] * 2
        weights = tuple((one + other) / 2 for one, other in zip(*ends, strict=True))
        return Prior(weights, tuple(told["components"]), "deviation")

    def _components(self, prior: Belief | None) -> tuple[Floats, Floats]:
        """Return weights, and spreads for every share of the split, in deviations of the seeds."""
        chosen = in_units(self.prior("unknown") if prior is None else prior, self.name)
        shares = self._shares
        unit = np.ones(len(shares))
        if chosen.unit == "signal":
            unit = np.sqrt(self.design.layout.variance(shares))
        return np.array(chosen.weights), unit[:, None] * np.array(chosen.spreads)

    def _posterior(self, prior: Belief | None) -> tuple[Floats, Mixture, Mixture]:
        """Return the chances of shares, what is known of the difference for each, and for all."""
        by_share, beliefs = kernel.difference_posterior(self.seen, *self._components(prior))
        weighed = by_share[:, None] * beliefs.weights
        return by_share, beliefs, Mixture(*(np.ravel(part) for part in (weighed, *beliefs[1:])))

    @property
    def _shares(self) -> Floats:
        return kernel.share_nodes(split=self.design.has_split)[0]

    def _power_at(self, true: Floats, by_share: Floats, test: kernel.SeedTest) -> Floats:
        """Return the power at true differences, over what is known of the share."""
        exact = np.zeros(len(true))
        return np.asarray(
            by_share @ np.stack([kernel.seed_power(true, exact, at, test) for at in self._shares])
        )

    def assess(self, prior: Belief | None, goal: Goal) -> Assessment:
        """Average the power over what is known of the difference and of the split's share."""
        test = self.test_of(goal.design, goal.significance)
        by_share, beliefs, whole = self._posterior(prior)
        chance, opposite = (
            sum(
                share
                * float(one.weights @ kernel.seed_power(sign * one.means, one.spreads, at, test))
                for share, one, at in zip(by_share, _each(beliefs), self._shares, strict=True)
                if share > _NOTHING
            )
            for sign in (1, -1)
        )
        direction = float(mixtures.positive_mass(whole))
        if goal.confidence is None:
            return without_limits(chance, direction, opposite)
        tail = (1 - goal.confidence) / 2
        ends = mixtures.mixture_limits(whole, np.array([tail, 1 - tail]))
        low, high = self._power_at(ends, by_share, test)
        return bounded(chance, float(low), float(high), direction, opposite)

    def if_true(
        self, prior: Belief, goal: Goal, levels: Sequence[float], quantiles: Floats
    ) -> Chances:
        """Return the chances if the difference lies at quantiles of what is known of it."""
        by_share, _, whole = self._posterior(prior)
        true = mixtures.mixture_limits(whole, quantiles)
        tests = [self.test_of(goal.design, level) for level in levels]
        again, opposite = (
            np.array([self._power_at(sign * true, by_share, test) for test in tests])
            for sign in (1, -1)
        )
        return Chances(again, opposite)

    def assess_again(self, prior: Belief | None, goal: Goal) -> float | None:
        """Return the chance with new seeds on the same splits: replicability, not replication.

        Without a split, new seeds are the replication itself.
        """
        if not self.design.has_split:
            return None
        test = self.test_of(self.design, goal.significance)
        by_share, beliefs = kernel.split_posterior(self.seen, *self._components(prior))
        chances = kernel.same_split_power(beliefs.means, beliefs.spreads, self.ratio, test)
        return float(np.clip((by_share[:, None] * beliefs.weights * chances).sum(), 0.0, 1.0))

    def plug_in(self, goal: Goal) -> Assessment:
        """Take the observed difference for the truth, and splits for all the same."""
        test = self.test_of(goal.design, goal.significance)
        unit = np.sqrt(self.design.layout.seeds * self.design.splits)
        centres = [self.statistic]
        if goal.confidence is not None:
            tail = (1 - goal.confidence) / 2
            limits = (tail, 1 - tail)
            centres += [noncentral.nct_quantile(q, self.df, self.statistic) for q in limits]
        at = np.array([*centres, -self.statistic]) / unit
        reached = kernel.seed_power(at, np.zeros(len(at)), 0.0, test).tolist()
        direction = float(t_lower(self.df, self.statistic))
        if goal.confidence is None:
            return without_limits(reached[0], direction, reached[1])
        here, low, high, opposite = reached
        return bounded(here, low, high, direction, opposite)


def _each(beliefs: Mixture) -> list[Mixture]:
    return [Mixture(*parts) for parts in zip(*beliefs, strict=True)]
