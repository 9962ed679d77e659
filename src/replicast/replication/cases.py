"""Replication on fresh cases: other questions of the same kind, in clusters, with several answers."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.design import Cases, CrossValidatedCases, Design
from replicast.errors import DesignMismatchError
from replicast.inference.layouts import layout_of
from replicast.kernels.cases import case_mean, cluster_correlation
from replicast.kernels.layouts import Layout
from replicast.kernels.replication import StudentTest
from replicast.kernels.student import t_critical
from replicast.replication.models import Belief, Goal
from replicast.replication.student import StudentModel
from replicast.results import SignificanceResult
from replicast.scores.pairs import PairedScores


@dataclass(frozen=True, kw_only=True)
class CaseModel(StudentModel):
    """The t statistic of cases, and what their variance is made of.

    `answer_share` is the part of the variance that new answers to the same cases would change;
    `correlation` that of two cases of one cluster, and `cluster_size` the size of the cluster a case
    is in, on average. `inflation` is the standard deviation of T over fresh data, where training sets
    that overlap are corrected for.
    """

    df: float
    inflation: float = 1.0
    corrected: bool = False
    answer_share: float = 0.0
    correlation: float = 0.0
    cluster_size: float = 1.0

    @property
    def name(self) -> str:
        """Word for the model in results."""
        return "cases" if self._stays else "cross-validated-cases"

    @property
    def _stays(self) -> bool:
        """Whether the fitted models are those of the first result; else fresh data train others."""
        return not isinstance(self.design, CrossValidatedCases)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the model takes for granted."""
        clustered = isinstance(self.design, Cases) and self.design.clusters is not None
        return (
            "the mean difference is roughly normal",
            f"fresh {'clusters of cases' if clustered else 'cases'} from the same population",
            "the models stay as they are" if self._stays else "models trained on as many of them",
        )

    @property
    def layout(self) -> Layout:
        """How the test sees its cases: the variance of their mean is the unit."""
        return Layout(self.df, 1.0, self.inflation)

    def test_of(self, goal: Goal) -> StudentTest:
        """Return the replication's test."""
        return self.test_with(self._target(goal.design), goal)

    def assess_again(self, prior: Belief | None, goal: Goal) -> float | None:
        """Return the chance with new answers to the same cases: replicability, not replication.

        Cases keep what they have of the difference; only the part of the variance that is the answers'
        is drawn anew. One answer to each case does not tell that part.
        """
        if self.answer_share == 0 or not np.isfinite(self.statistic):
            return None
        known = self.signal_prior(prior)
        apart = (
            np.array(known.spreads) ** 2 + 1 - self.answer_share
        )  # variance of these cases' means
        total = apart + self.answer_share
        explained = -(self.statistic**2) / (2 * total)
        weights = known.weights * np.exp(explained - explained.max()) / np.sqrt(total)
        shrunk = apart / total
        critical = t_critical(self.df, goal.significance / 2)
        spread = np.sqrt(shrunk * self.answer_share + self.answer_share)
        chances = special.ndtr((shrunk * self.statistic - critical) / spread)
        return float(weights @ chances / weights.sum())

    def _target(self, design: Design) -> Layout:
        """Return how the test sees other cases of the same kind.

        The variance of the mean is (cases + answers) (1 + (size - 1) correlation) / n.
        """
        own = self.design
        if not isinstance(design, Cases) or not isinstance(own, Cases) or not design.count:
            raise DesignMismatchError("target_design", "Cases with their count", str(design))
        growth = design.count / (own.count or 1)
        parts = growth
        if own.clusters is not None and design.clusters is not None:
            parts = design.clusters / own.clusters
        size = max(1.0, self.cluster_size * growth / parts)
        tied = (1 + (size - 1) * self.correlation) / (
            1 + (self.cluster_size - 1) * self.correlation
        )
        answered = 1 - self.answer_share + self.answer_share * own.answers / design.answers
        df = max((self.df + 1) * parts - 1, 1.0)
        return Layout(df, tied * answered / growth, self.inflation)


def case_model(result: SignificanceResult, scores: PairedScores | None) -> CaseModel:
    """Return the model of a t-test of cases; scores tell what its variance is made of."""
    df = result.df if isinstance(result.df, float) else float(result.n - 1)
    design = result.design
    folded = isinstance(design, CrossValidatedCases)
    inflation = layout_of(design, corrected=True).inflation if folded else 1.0
    model = CaseModel(statistic=abs(result.statistic), design=design, df=df, inflation=inflation)
    error = result.standard_error or 0.0
    if scores is None or error == 0:
        return model
    shared, size = 0.0, 1.0
    if scores.clusters is not None:
        sizes = np.bincount(scores.clusters).astype(np.float64)
        shared = float(cluster_correlation(scores.differences, scores.clusters))
        size = float((sizes**2).sum() / sizes.sum())
    noise = (scores.answer_variance or 0.0) / (len(scores.differences) * error**2)
    return replace(
        model,
        noise=error * inflation if _are_shares(scores) else None,
        answer_share=0.0 if folded else min(noise, 1.0),
        correlation=shared,
        cluster_size=size,
    )


def normal_model(differences: Floats, design: Cases) -> CaseModel:
    """Return the model of cases that are right or wrong, of which many disagree."""
    mean, error, df = (float(part) for part in case_mean(differences))
    statistic = abs(mean) / error if error > 0 else np.inf
    return CaseModel(statistic=statistic, design=design, df=df, noise=error or None)


def _are_shares(scores: PairedScores) -> bool:
    """Say whether scores lie between 0 and 1 and more is better, as accuracies do."""
    low = min(scores.first.min(), scores.second.min())
    high = max(scores.first.max(), scores.second.max())
    return scores.greater_is_better and bool(0 <= low <= high <= 1)
