"""Replication of differences between seeds: on fresh data, where the split varies too."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from replicast.arrays import Floats
from replicast.design import Design
from replicast.errors import DesignMismatchError
from replicast.formatting import format_pvalue
from replicast.kernels import noncentral, replication
from replicast.kernels import seeds as kernel
from replicast.kernels.mixtures import Prior
from replicast.kernels.replication import Way
from replicast.kernels.student import t_critical, t_lower
from replicast.replication.models import Goal, Model
from replicast.replication.priors import Kind, Relation
from replicast.results import Caution

Test = Literal["fresh", "plain"]


@dataclass(frozen=True, kw_only=True)
class SeedsModel(Model):
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
    def cautions(self) -> tuple[Caution, ...]:
        """Say what the paper's own test does not allow for."""
        if self.test == "fresh":
            return ()
        text = (
            "Significant here means by the paper's own test, t over seeds that share one split into "
            "training and test data. By the test that allows for the split, which `compare` uses, the "
            f"result is {format_pvalue(self.fresh_pvalue)}."
        )
        return (Caution("one-split", text),)

    @property
    def amount(self) -> tuple[Kind, float]:
        """Seeds have a prior of their own; their differences have the tails of datasets."""
        return "datasets", float(self.design.layout.n_scores)

    @property
    def weight(self) -> float:
        """How much data the result has, where the share of the split is the usual one."""
        share = kernel.share_range()[1] if self.design.has_split else 0.0
        return 1 / float(self.design.layout.variance(np.asarray(share)))

    @property
    def pvalue(self) -> float:
        """The p-value of t over seeds, which papers report."""
        return 2 * float(t_lower(self.df, -self.statistic))

    @property
    def fresh_pvalue(self) -> float:
        """The p-value of the test that keeps its level on fresh splits."""
        distance = self.statistic / float(np.sqrt(self.design.layout.n_scores))
        return min(
            1.0, 2 * float(kernel.fresh_tail(self._as_means(distance), np.asarray(distance)))
        )

    def _as_means(self, distance: float) -> kernel.SeedMeans:
        """Return seeds that differ so much, with a deviation of 1."""
        between = np.sqrt(self.ratio / self.design.layout.seeds) * (self.design.splits > 1)
        gap, one, df, apart = (np.asarray(part) for part in (distance, 1.0, self.df, between))
        return kernel.SeedMeans(gap, one, df, apart, self.design.layout)

    def at(self, pvalue: float, own: float) -> "SeedsModel":  # noqa: ARG002  # others need it
        """Return the model of a result with another p-value, all else as it is."""
        if self.test == "plain":
            return replace(self, statistic=t_critical(self.df, pvalue / 2))
        found = self._as_means(0.0)
        distance = float(kernel.fresh_half(found, pvalue / 2))
        return replace(self, statistic=distance * float(np.sqrt(self.design.layout.n_scores)))

    @property
    def seen(self) -> kernel.Seen:
        """The first result as the kernel knows it."""
        return kernel.Seen(self.statistic, self.df, self.ratio, self.design.layout)

    def test_of(self, design: Design, significance: float) -> kernel.SeedTest:
        """Return the replication's test; its models vary as unequally as these."""
        if not design.seeds:
            raise DesignMismatchError("target_design", "Seeds", design.words)
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

    def ways(self, goal: Goal) -> list[Way]:
        """Return a way for each share of the split."""
        return kernel.fresh_ways(self.seen, self.test_of(goal.design, goal.significance))

    @property
    def observed(self) -> float | None:
        """The difference that was seen, in the score's unit."""
        return None if self.error is None else self.statistic * self.error

    def assess_again(self, prior: Prior, goal: Goal) -> float | None:
        """Return the chance with new seeds on the same splits: replicability, not replication.

        Without a split, new seeds are the replication itself.
        """
        if not self.design.has_split:
            return None
        test = self.test_of(self.design, goal.significance)
        ways = kernel.same_split_ways(self.seen, test)
        return min(1.0, replication.mean_power(replication.posterior(ways, prior)))

    def published(self, goal: Goal) -> tuple[Floats, float]:
        """Take the observed difference for the truth, and splits for all the same."""
        test = self.test_of(goal.design, goal.significance)
        centres = [self.statistic, -self.statistic]
        centres += [noncentral.nct_quantile(tail, self.df, self.statistic) for tail in goal.tails]
        unit = np.sqrt(self.design.layout.n_scores)
        powers = kernel.seed_power(np.array(centres) / unit, 0.0, test)
        return powers, float(t_lower(self.df, self.statistic))
