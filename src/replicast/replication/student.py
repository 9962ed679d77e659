"""Replication of t-tests over datasets and over cross-validation."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from replicast.design import Design
from replicast.inference.layouts import coin_tosses
from replicast.kernels import noncentral, replication
from replicast.kernels.layouts import IMPLIED_DF, Layout
from replicast.kernels.mixtures import Mixture, Prior
from replicast.kernels.replication import Way, student_test
from replicast.kernels.student import t_critical, t_lower
from replicast.replication.models import Assessment, Goal, Model, bounded
from replicast.replication.priors import Kind

_USUAL_CASES = 300.0  # of a dataset whose size nobody tells
_FOLDS_WIDENED = (
    1.3  # with it 92 to 96 % of repeats lie inside, in the worlds of docs/calibration.md
)
_KNOWN = np.inf  # degrees of freedom of an error that is known


@dataclass(frozen=True, kw_only=True)
class StudentModel(Model):
    """A t statistic, and how noisy the difference is where more than the scores tells it.

    With case-by-case results the signal itself is seen (`case_signal`); with accuracies and the sizes
    of the test sets, T has a second estimate of its noise (`moderated`). `error` is the standard error
    of the difference in the score's unit, where it is known, and `cases` the size of the dataset.
    """

    statistic: float
    design: Design
    corrected: bool
    case_signal: float | None = None
    moderated: float | None = None
    error: float | None = None
    cases: float | None = None
    stretch: float = (
        1.0  # what the critical t is multiplied by, where draws say that t is too small
    )

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
    def amount(self) -> tuple[Kind, float]:
        """Of which kind the first result is, and how many cases or datasets it has."""
        if self.design.over_datasets:
            return "datasets", float(self.design.count or 1)
        told = (self.design.n_train or 0) + (self.design.n_test or 0)
        return "cases", float(self.cases or told or _USUAL_CASES)

    @property
    def layout(self) -> Layout:
        """How the first test sees its design."""
        return self.design.t_layout(corrected=self.corrected)

    @property
    def _seen(self) -> tuple[float, float, float]:
        """The statistic that says most of the signal, its degrees of freedom and its inflation.

        Scores that differ by the same everywhere have no spread to divide by; all they tell is their
        p-value, that of as many equal signs as one run has folds.
        """
        layout = self.layout
        if self.case_signal is not None:
            return self.case_signal, _KNOWN, 1.0
        if self.moderated is not None:
            return self.moderated, layout.df + IMPLIED_DF, layout.inflation
        if np.isinf(self.statistic):
            tosses = coin_tosses(self.design, layout.df + 1)
            return t_critical(layout.df, 2.0**-tosses), layout.df, layout.inflation
        return self.statistic, layout.df, layout.inflation

    @property
    def signal_estimate(self) -> float:
        """The signal-to-noise ratio as an estimate with standard deviation about 1."""
        statistic, df, inflation = self._seen
        if np.isinf(df):
            return statistic
        return -float(special.ndtri(t_lower(df, -min(statistic / inflation, 60.0))))

    def target(self, goal: Goal) -> Layout:
        """Return how the test of the repeat sees its design."""
        return goal.design.t_layout(corrected=self.corrected)

    def ways(self, goal: Goal) -> list[Way]:
        """Return the one way: T with its noise, and the repeat's t-test."""
        target = self.target(goal)
        noise = self._noise(target, goal)
        critical = self.stretch * t_critical(target.df, goal.significance / 2)
        test = student_test(critical, target.df, target.inflation, 1 / noise)
        return [Way(1.0, *self._seen, self._unit, test, noise)]

    @property
    def _unit(self) -> float:
        """The unit of the prior in true standard errors; over splits of a dataset, that of its cases."""
        return 1.0 if self.design.over_datasets else 1 / float(np.sqrt(self.layout.variance))

    def _noise(self, target: Layout, goal: Goal) -> float:
        """Return the standard error of the repeat in those of the first result."""
        return float(np.sqrt(target.variance / (goal.data_factor * self.layout.variance)))

    @property
    def observed(self) -> float | None:
        """The difference that was seen, in the score's unit."""
        return None if self.error is None else self._seen[0] * self.error

    def widened(self) -> float:
        """Return by how much predictions are widened; formulas know less of splits of one dataset."""
        return _FOLDS_WIDENED if self.design.shares_training else super().widened()

    def predicted(self, prior: Prior, goal: Goal, *, noise: float = 1.0) -> Mixture | None:
        """Return what the difference of a repeat will be."""
        if not self.error:
            return None
        known = self.posterior(prior, goal)
        return replication.predicted(known, self.error, self.widened(), noise=noise)

    def plug_in(self, goal: Goal) -> Assessment:
        """Return Eq 13 and 14 of Berrar (2024): the observed T is the noncentrality."""
        if np.isinf(self.statistic):
            return Assessment(1.0, 1.0, 1.0, 1.0)
        df, target = self.layout.df, self.target(goal)
        scale = target.inflation / self.layout.inflation / self._noise(target, goal)
        centres = [self.statistic, -self.statistic]
        if goal.confidence is not None:
            tail = (1 - goal.confidence) / 2
            centres += [noncentral.nct_quantile(q, df, self.statistic) for q in (tail, 1 - tail)]
        critical = t_critical(target.df, goal.significance / 2)
        at, opposite, *limits = noncentral.nct_upper(
            critical, target.df, scale * np.array(centres)
        ).tolist()
        direction = float(t_lower(df, self.statistic))
        low, high = limits or (at, at)
        return bounded(at, low, high, direction, opposite)
