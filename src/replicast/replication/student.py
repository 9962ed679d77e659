"""Replication of t-tests over datasets and over cross-validation."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import special

from replicast.design import Datasets, Design, KFold, RandomSplits, RepeatedKFold
from replicast.errors import DesignMismatchError
from replicast.kernels import mixtures, noncentral, replication
from replicast.kernels.mixtures import DEFAULT_PRIOR, Mixture, Prior
from replicast.kernels.student import t_critical, t_lower
from replicast.replication.models import Assessment, Belief, Goal, bounded, in_units, without_limits
from replicast.replication.priors import Relation, prior_for

_NEVER = 1e7  # degrees of freedom from which Student's t is normal to every digit shown


class Layout(NamedTuple):
    """A design as the t-test sees it.

    The variance of the mean difference over fresh data is `variance` in units of the variance of
    one case over the number of cases (one dataset, for datasets); `inflation` is the standard
    deviation of T where it should be 1.
    """

    df: float
    variance: float
    inflation: float


@lru_cache(maxsize=1024)
def cross_validation_layout(
    folds: float, runs: float, ratio: float, *, corrected: bool = True
) -> Layout:
    """Return the layout of `runs` runs of `folds` folds; random splits make a fraction of a run."""
    own = 1 - 0.3 * (1 - 1 / runs) if runs >= 1 else 1 / runs
    variance = own + replication.shared_variance(runs) * folds * ratio
    assumed = 1 / runs + (folds * ratio if corrected else 0.0)
    df = min(folds * runs - 1, _NEVER)
    return Layout(df, variance, float(np.sqrt(variance / assumed)))


def layout_of(design: Design, *, corrected: bool) -> Layout:
    """Return how a t-test sees a design."""
    match design:
        case Datasets(count=int(count)) if not corrected:
            return Layout(count - 1, 1 / count, 1.0)
        case KFold(folds=folds):
            return cross_validation_layout(folds, 1, design.test_train_ratio, corrected=corrected)
        case RepeatedKFold(runs=runs, folds=folds):
            ratio = design.test_train_ratio
            return cross_validation_layout(folds, runs, ratio, corrected=corrected)
        case RandomSplits(splits=splits, n_train=n_train, n_test=n_test):
            share = (n_train + n_test) / n_test
            ratio = design.test_train_ratio
            return cross_validation_layout(share, splits / share, ratio, corrected=corrected)
    name = "corrected-t" if corrected else "paired-t"
    raise DesignMismatchError("design", f"one the {name} model of replication covers", str(design))


@dataclass(frozen=True, kw_only=True)
class StudentModel:
    """A t statistic, with the signal seen in the cases themselves where they are known."""

    statistic: float
    design: Design
    corrected: bool
    case_signal: float | None = None

    @property
    def name(self) -> str:
        """Word for the model in results."""
        return "corrected-t" if self.corrected else "paired-t"

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the model takes for granted."""
        common = "differences are roughly normal"
        if isinstance(self.design, Datasets):
            return (common, "fresh datasets come from the same population")
        known = "cases" if self.case_signal is not None else "scores only, no case-by-case results"
        return (common, "a fresh dataset of the same kind and size", f"known: {known}")

    @property
    def layout(self) -> Layout:
        """How the first test sees its design."""
        return layout_of(self.design, corrected=self.corrected)

    @property
    def signal_estimate(self) -> float:
        """The signal-to-noise ratio as an estimate with standard deviation about 1."""
        if self.case_signal is not None:
            return self.case_signal
        scaled = min(self.statistic / self.layout.inflation, 60.0)
        return -float(special.ndtri(t_lower(self.layout.df, -scaled)))

    def _posterior(self, prior: Prior) -> Mixture:
        layout = self.layout
        if self.case_signal is None:
            return replication.statistic_posterior(
                self.statistic, layout.df, layout.inflation, prior
            )
        cases = mixtures.normal_posterior(np.asarray(self.case_signal), prior)
        if getattr(self.design, "runs", 1) < 2:
            return cases
        # several runs: neither source alone was better calibrated than both together
        other = replication.statistic_posterior(self.statistic, layout.df, layout.inflation, prior)
        return Mixture(
            np.concatenate([cases.weights, other.weights]) / 2,
            np.concatenate([cases.means, other.means]),
            np.concatenate([cases.spreads, other.spreads]),
        )

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
        """Return what results over datasets say of the signal; on one dataset, the default."""
        if isinstance(self.design, Datasets):
            return prior_for("datasets-t", relation)
        return DEFAULT_PRIOR

    def assess(self, prior: Belief | None, goal: Goal) -> Assessment:
        """Average the power over the posterior of the signal."""
        return self.assess_with(self.test_of(goal), prior, goal.confidence)

    def assess_with(
        self, test: replication.StudentTest, prior: Belief | None, confidence: float | None
    ) -> Assessment:
        """Average the power of a given test over the posterior of the signal."""
        chosen = in_units(self.prior("unknown") if prior is None else prior, self.name)
        if chosen.unit == "deviation":
            chosen = chosen.scaled(1 / float(np.sqrt(self.layout.variance)), "signal")
        posterior = self._posterior(chosen)
        chance = float(replication.student_mean_power(posterior, test))
        direction = float(mixtures.positive_mass(posterior))
        if confidence is None:
            return without_limits(chance, direction)
        tail = (1 - confidence) / 2
        ends = [mixtures.mixture_quantile(posterior, q) for q in (tail, 1 - tail)]
        limits = replication.student_power(np.array(ends), test)
        return bounded(chance, float(limits[0]), float(limits[1]), direction)

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
        reached = noncentral.nct_upper(test.critical, test.df, scale * np.array(centres)).tolist()
        direction = float(t_lower(df, self.statistic))
        if confidence is None:
            return without_limits(reached[0], direction)
        at, below, above = reached
        return bounded(at, below, above, direction)
