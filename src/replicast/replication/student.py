"""Replication of t-tests over datasets and over cross-validation."""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.design import Design
from replicast.inference.layouts import coin_tosses
from replicast.kernels import noncentral
from replicast.kernels.layouts import IMPLIED_DF, Layout, case_noise, moderated_error
from replicast.kernels.replication import Way, student_test
from replicast.kernels.student import t_critical, t_lower
from replicast.replication.models import Goal, Model
from replicast.replication.priors import Kind, heavy_tails

_USUAL_CASES = 300.0  # of a dataset whose size nobody tells
_FOLDS_WIDENED = (
    1.3  # with it 92 to 96 % of repeats lie inside, in the worlds of docs/calibration.md
)
_KNOWN_BY = {"cases": "cases", "accuracies": "accuracies and the sizes of their test sets"}
_KNOWN = np.inf  # degrees of freedom of an error that is known


class Signal(NamedTuple):
    """The signal that `cases` tell, or `accuracies` of test sets of known sizes, and how surely."""

    known: Literal["cases", "accuracies"]
    statistic: float
    df: float
    inflation: float


@dataclass(frozen=True, kw_only=True)
class StudentModel(Model):
    """A t statistic, and the `signal` where more than the scores tells how noisy the difference is.

    `cases` is the size of the dataset; `stretch` what the critical t is multiplied by, where draws say
    that t is too small.
    """

    statistic: float
    design: Design
    corrected: bool
    signal: Signal | None = None
    cases: float | None = None
    stretch: float = 1.0

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
        if self.signal is not None:
            known = _KNOWN_BY[self.signal.known]
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
    def weight(self) -> float:
        """How much data the result has: it shrinks the variance."""
        return 1 / self.layout.variance

    @property
    def pvalue(self) -> float:
        """The p-value of T."""
        return 2 * float(t_lower(self.layout.df, -self.statistic))

    @property
    def _seen(self) -> tuple[float, float, float]:
        """The statistic that says most of the signal, its degrees of freedom and its inflation.

        Scores that differ by the same everywhere have no spread to divide by; all they tell is their
        p-value, that of as many equal signs as one run has folds.
        """
        layout = self.layout
        if self.signal is not None:
            return self.signal[1:]
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
        statistic, df, inflation = self._seen
        return [Way(statistic, test, df, inflation, unit=self._unit, noise=noise)]

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

    @property
    def widened(self) -> float:
        """By how much predictions are widened; formulas know less of splits of one dataset."""
        return _FOLDS_WIDENED if self.design.shares_training else heavy_tails(self.amount[0])

    def with_cases(self, differences: Floats) -> "StudentModel":
        """Return the model that knows differences in correctness, (runs, cases), as T favours them."""
        noise = case_noise(differences, self.layout)
        signal = Signal("cases", float(differences.mean()) / noise, _KNOWN, 1.0)
        return replace(self, signal=signal, error=noise, cases=float(differences.shape[1]))

    def with_sizes(self, first: Floats, second: Floats, size: float) -> "StudentModel":
        """Return the model that knows accuracies, of which T is, on test sets of a size."""
        means, layout = (float(first.mean()), float(second.mean())), self.layout
        error = moderated_error(first - second, self.design.test_train_ratio, means, size)
        gap = abs(means[0] - means[1])
        signal = Signal("accuracies", gap / error, layout.df + IMPLIED_DF, layout.inflation)
        cases = None if self.design.folds is None else size * self.design.folds
        return replace(self, signal=signal, error=error, cases=cases)

    def at(self, pvalue: float, own: float) -> "StudentModel":
        """Return the model with another p-value; whatever tells of the signal grows in proportion.

        Equal differences have an endless T, and tell their p-value alone.
        """
        before = t_critical(self.layout.df, own / 2) if np.isinf(self.statistic) else self.statistic
        statistic = self.stretch * t_critical(self.layout.df, pvalue / 2)
        if self.signal is None:
            return replace(self, statistic=statistic)
        grown = statistic
        if before > 0:
            seen = self.signal.statistic
            grown = seen + abs(seen) * (statistic / before - 1)
        return replace(self, statistic=statistic, signal=self.signal._replace(statistic=grown))

    def published(self, goal: Goal) -> tuple[Floats, float]:
        """Return Eq 13 and 14 of Berrar (2024): the observed T is the noncentrality."""
        if np.isinf(self.statistic):
            return np.array([1.0, 0.0]), 1.0
        df, target = self.layout.df, self.target(goal)
        scale = target.inflation / self.layout.inflation / self._noise(target, goal)
        centres = [self.statistic, -self.statistic]
        centres += [noncentral.nct_quantile(tail, df, self.statistic) for tail in goal.tails]
        critical = t_critical(target.df, goal.significance / 2)
        powers = noncentral.nct_upper(critical, target.df, scale * np.array(centres))
        return powers, float(t_lower(df, self.statistic))
