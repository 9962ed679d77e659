"""Replication on fresh cases: other questions of the same kind, in clusters, with several answers."""

from dataclasses import dataclass, replace

import numpy as np

from replicast.arrays import Floats
from replicast.design import Design
from replicast.errors import DesignMismatchError
from replicast.kernels import replication
from replicast.kernels.cases import case_mean, cluster_correlation
from replicast.kernels.layouts import Layout
from replicast.kernels.mixtures import Prior
from replicast.kernels.replication import FreshTest, Way
from replicast.kernels.student import t_critical
from replicast.replication.models import Goal
from replicast.replication.priors import Kind
from replicast.replication.student import StudentModel
from replicast.results import SignificanceResult
from replicast.scores.pairs import PairedScores


@dataclass(frozen=True, kw_only=True)
class CaseModel(StudentModel):
    """The t statistic of cases, and what their variance is made of.

    `answer_share` is the part of the variance that new answers to the same cases would change;
    `correlation` that of two cases of one cluster, and `cluster_size` the size of the cluster a case
    is in, on average. Of cross-validation, `corrected` says whether T allows for training sets that
    overlap.
    """

    df: float
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
        return self.design.overlap == 0

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the model takes for granted."""
        clustered = self.design.clusters is not None
        return (
            "the mean difference is roughly normal",
            f"fresh {'clusters of cases' if clustered else 'cases'} from the same population",
            "the models stay as they are" if self._stays else "models trained on as many of them",
        )

    @property
    def amount(self) -> tuple[Kind, float]:
        """Of which kind the first result is, and how many cases it has."""
        return "cases", float(self.design.count or self.df + 1)

    @property
    def layout(self) -> Layout:
        """How the test sees its cases: the variance of their mean is the unit."""
        if self._stays:
            return Layout(self.df, 1.0, 1.0)
        return self.design.t_layout(corrected=self.corrected)._replace(df=self.df)

    def assess_again(self, prior: Prior, goal: Goal) -> float | None:
        """Return the chance with new answers to the same cases: replicability, not replication.

        Cases keep what they have of the difference; only the part of the variance that is the answers'
        is drawn anew. One answer to each case does not tell that part.
        """
        if self.answer_share == 0 or not np.isfinite(self.statistic):
            return None
        error = float(np.sqrt(self.answer_share))
        critical = t_critical(self.df, goal.significance / 2)
        test = FreshTest(np.array([critical / error]), np.ones(1), np.ones(1))
        shared = (1 - self.answer_share) / self.answer_share
        way = Way(self.statistic / error, test, unit=1 / error, shared=shared)
        return replication.mean_power(replication.posterior([way], prior))

    def target(self, goal: Goal) -> Layout:
        """Return how the test sees other cases of the same kind.

        The variance of the mean is (cases + answers) (1 + (size - 1) correlation) / n.
        """
        own, design = self.design, goal.design
        if not design.of_cases or design.count is None:
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
        now = self.layout
        return Layout(df, now.variance * tied * answered / growth, now.inflation)


def stretch_of(statistic: float, pvalue: float, df: float) -> float:
    """Return by how much a test asks for a larger |t| than Student's, from its own p-value."""
    usual = t_critical(df, pvalue / 2)
    return max(1.0, statistic / usual) if usual > 0 else 1.0


def case_model(
    result: SignificanceResult, scores: PairedScores | None, *, corrected: bool = False
) -> CaseModel:
    """Return the model of a t-test of cases; scores tell what its variance is made of."""
    df = result.df if isinstance(result.df, float) else float(result.n - 1)
    error = result.standard_error or 0.0
    model = CaseModel(
        statistic=abs(result.statistic), design=result.design, df=df, corrected=corrected
    )
    if error == 0:
        return model
    stretch = stretch_of(model.statistic, result.pvalue, df)
    model = replace(model, error=error, stretch=stretch)
    if scores is None:
        return model
    shared, size = 0.0, 1.0
    if scores.clusters is not None:
        sizes = np.bincount(scores.clusters).astype(np.float64)
        shared = float(cluster_correlation(scores.differences, scores.clusters))
        size = float((sizes**2).sum() / sizes.sum())
    noise = (scores.answer_variance or 0.0) / (len(scores.differences) * error**2)
    return replace(
        model,
        answer_share=0.0 if result.design.overlap else min(noise, 1.0),
        correlation=shared,
        cluster_size=size,
    )


def normal_model(differences: Floats, design: Design) -> CaseModel:
    """Return the model of cases that are right or wrong, of which many disagree."""
    mean, error, df = (float(part) for part in case_mean(differences))
    statistic = abs(mean) / error if error > 0 else np.inf
    return CaseModel(statistic=statistic, design=design, df=df, error=error or None)
