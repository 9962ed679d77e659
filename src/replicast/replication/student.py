"""Replication of t-tests over datasets and over cross-validation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.design import Design
from replicast.inference.layouts import coin_tosses, layout_of
from replicast.kernels import mixtures, noncentral, replication
from replicast.kernels.layouts import IMPLIED_DF, Layout
from replicast.kernels.mixtures import Mixture, Prior, Priors
from replicast.kernels.student import t_critical, t_lower
from replicast.replication.models import (
    Assessment,
    Belief,
    Chances,
    Goal,
    average,
    bounded,
    in_units,
    without_limits,
)
from replicast.replication.priors import Relation, prior_for


@dataclass(frozen=True, kw_only=True)
class StudentModel:
    """A t statistic, and how noisy the difference is where more than the scores tells it.

    With case-by-case results the signal itself is seen (`case_signal`); with accuracies and the sizes
    of the test sets, T has a second estimate of its noise (`moderated`).
    """

    statistic: float
    design: Design
    corrected: bool
    case_signal: float | None = None
    moderated: float | None = None
    noise: float | None = None  # standard error of the difference in accuracy, where it is known

    @property
    def name(self) -> str:
        """Word for the model in results."""
        return "corrected-t" if self.corrected else "paired-t"

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the model takes for granted."""
        common = "differences are roughly normal"
        if self.design.over_datasets:
            return (common, "fresh datasets come from the same population")
        known = "scores only, no case-by-case results"
        if self.case_signal is not None:
            known = "cases"
        elif self.moderated is not None:
            known = "accuracies and the sizes of their test sets"
        return (common, "a fresh dataset of the same kind and size", f"known: {known}")

    @property
    def layout(self) -> Layout:
        """How the first test sees its design."""
        return layout_of(self.design, corrected=self.corrected)

    @property
    def _seen(self) -> tuple[float, float]:
        """The t statistic that says most of the signal, and its degrees of freedom.

        Scores that differ by the same everywhere have no spread to divide by; all they tell is their
        p-value, that of as many equal signs as one run has folds.
        """
        df = self.layout.df
        if self.moderated is not None:
            return self.moderated, df + IMPLIED_DF
        if np.isinf(self.statistic):
            return t_critical(df, 2.0 ** -coin_tosses(self.design, df + 1)), df
        return self.statistic, df

    @property
    def signal_estimate(self) -> float:
        """The signal-to-noise ratio as an estimate with standard deviation about 1."""
        if self.case_signal is not None:
            return self.case_signal
        statistic, df = self._seen
        scaled = min(statistic / self.layout.inflation, 60.0)
        return -float(special.ndtri(t_lower(df, -scaled)))

    def signal_prior(self, prior: Belief | None) -> Prior:
        """Return a prior on the signal-to-noise ratio."""
        chosen = in_units(self.prior("unknown") if prior is None else prior, self.name)
        if chosen.unit == "deviation":
            return chosen.scaled(1 / float(np.sqrt(self.layout.variance)), "signal")
        if chosen.unit == "difference" and self.noise is not None:
            return chosen.scaled(1 / self.noise, "signal")
        return chosen

    def _posterior(self, prior: Prior | Priors) -> Mixture:
        if self.case_signal is not None:
            return mixtures.normal_posterior(np.asarray(self.case_signal), prior)
        statistic, df = self._seen
        return replication.statistic_posterior(statistic, df, self.layout.inflation, prior)

    def test_of(self, goal: Goal) -> replication.StudentTest:
        """Return the replication's test."""
        target = layout_of(goal.design, corrected=self.corrected)
        return self.test_with(target, goal)

    def test_with(self, target: Layout, goal: Goal) -> replication.StudentTest:
        """Return the replication's test for a layout."""
        critical = t_critical(target.df, goal.significance / 2)
        gain = float(np.sqrt(goal.data_factor * self.layout.variance / target.variance))
        return replication.StudentTest(target.df, critical, target.inflation, gain)

    def prior(self, relation: Relation) -> Prior:
        """Return what the field says: of differences in accuracy, where their noise is known."""
        if self.design.over_datasets:
            return prior_for("datasets-t", relation)
        return prior_for("one-dataset" if self.noise is None else "one-test-set", relation)

    def assess(self, prior: Belief | None, goal: Goal) -> Assessment:
        """Average the power over the posterior of the signal."""
        return self.assess_each((prior,), goal)[0]

    def assess_each(self, priors: Sequence[Belief | None], goal: Goal) -> list[Assessment]:
        """Average the power over the posterior of the signal, for each prior."""
        return self.assess_with(self.test_of(goal), priors, goal.confidence)

    def assess_with(
        self,
        test: replication.StudentTest,
        priors: Sequence[Belief | None],
        confidence: float | None,
    ) -> list[Assessment]:
        """Average the power of a given test over the posterior of the signal, for each prior."""
        return average(
            [self.signal_prior(prior) for prior in priors],
            self._posterior,
            lambda posterior: replication.student_mean_power(posterior, test),
            lambda signals: replication.student_power(signals, test),
            confidence,
        )

    def if_true(
        self, prior: Belief, goal: Goal, levels: Sequence[float], quantiles: Floats
    ) -> Chances:
        """Return the chances if the signal lies at quantiles of its posterior."""
        signals = mixtures.mixture_quantiles(self._posterior(self.signal_prior(prior)), quantiles)
        test = self.test_of(goal)
        critical = np.array([[t_critical(test.df, level / 2)] for level in levels])
        test = test._replace(critical=critical)
        return Chances(*(replication.student_power(at, test) for at in (signals, -signals)))

    def plug_in(self, goal: Goal) -> Assessment:
        """Return Eq 13 and 14 of Berrar (2024): the observed T is the noncentrality."""
        return self.plug_in_with(self.test_of(goal), goal.confidence)

    def plug_in_with(self, test: replication.StudentTest, confidence: float | None) -> Assessment:
        """Return Eq 13 and 14 for a given test."""
        if np.isinf(self.statistic):
            return Assessment(1.0, 1.0, 1.0, 1.0)
        df = self.layout.df
        scale = test.gain * test.inflation / self.layout.inflation
        centres = [self.statistic]
        if confidence is not None:
            tail = (1 - confidence) / 2
            centres += [noncentral.nct_quantile(q, df, self.statistic) for q in (tail, 1 - tail)]
        centres.append(-self.statistic)
        reached = noncentral.nct_upper(test.critical, test.df, scale * np.array(centres)).tolist()
        direction = float(t_lower(df, self.statistic))
        if confidence is None:
            at, opposite = reached
            return without_limits(at, direction, opposite)
        at, below, above, opposite = reached
        return bounded(at, below, above, direction, opposite)
