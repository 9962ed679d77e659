"""Ranks of several classifiers over datasets, and whether they differ at all."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.errors import (
    DesignMismatchError,
    invalid,
    require_probability,
)
from replicast.formatting import format_number, format_pvalue
from replicast.kernels.ranges import range_critical
from replicast.kernels.rounding import snap
from replicast.results import Caution, Record
from replicast.scores.gaps import lacking_scores
from replicast.scores.tables import ScoreTable


@dataclass(frozen=True, kw_only=True)
class FriedmanResult(Record):
    """Evidence that some classifiers differ over datasets.

    Attributes
    ----------
    classifiers, average_ranks : tuple
        Names and mean ranks, in the order of the table; rank 1 is best, ties share their ranks.
    n : int
        Number of datasets.
    statistic, df, pvalue : float
        Friedman's chi-square with tie correction, and its p-value.
    f_statistic, f_df, f_pvalue : float
        Iman and Davenport's F, which keeps its level better. If all datasets agree, F is infinite
        and its p-value the exact chance of that agreement.
    """

    classifiers: tuple[str, ...]
    average_ranks: tuple[float, ...]
    n: int
    statistic: float
    df: float
    pvalue: float
    f_statistic: float
    f_df: tuple[float, float]
    f_pvalue: float
    cautions: tuple[Caution, ...] = ()

    def __str__(self) -> str:
        return (
            f"{len(self.classifiers)} classifiers on {self.n} datasets: F = "
            f"{format_number(self.f_statistic)}, {format_pvalue(self.f_pvalue)} (Iman-Davenport); "
            f"chi-square = {format_number(self.statistic)}, {format_pvalue(self.pvalue)} (Friedman)"
        )


def score_matrix(table: ScoreTable) -> Floats:
    """Return mean scores (datasets, classifiers), or say which are missing.

    Examples
    --------
    >>> import numpy as np
    >>> from replicast import Datasets, ScoreTable
    >>> scores = np.array([[0.9, 0.8], [0.7, 0.8]]).reshape(2, 2, 1, 1)
    >>> table = ScoreTable(
    ...     classifiers=("a", "b"), datasets=("x", "y"), scores=scores, design=Datasets()
    ... )
    >>> score_matrix(table).tolist()
    [[0.9, 0.7], [0.8, 0.8]]
    """
    if not isinstance(table, ScoreTable):
        raise invalid("table", "a ScoreTable", type(table).__name__, "Read one with read_scores")
    if len(table.classifiers) < 2:
        raise invalid("table", "a table of at least two classifiers", f"{len(table.classifiers)}")
    scores = table.scores.reshape(len(table.classifiers), len(table.datasets), -1)
    present = ~np.isnan(scores)
    used = np.asarray(present.any(axis=0))  # what no classifier has is padding of a shorter design
    lacking = np.asarray((~present & used).any(axis=2) | ~present.any(axis=2))
    if lacking.any():
        names = [table.classifiers[i] for i in np.flatnonzero(lacking.any(axis=1))]
        raise lacking_scores(
            names,
            None,
            table.design,
            [table.datasets[k] for k in np.flatnonzero(lacking.any(axis=0))],
            alone=len(table.datasets) == 1,
            others=len(table.classifiers) - len(names),
        )
    largest = float(np.abs(scores[present]).max())
    if np.isinf(largest):
        raise invalid("scores", "finite", "an infinite score")
    if np.isinf(4 * scores[0].size * largest):
        raise invalid("scores", "small enough to add up", f"up to {largest:g}")
    return np.asarray(np.nanmean(scores, axis=-1).T)


def rank_scores(matrix: Floats, *, greater_is_better: bool = True) -> Floats:
    """Rank the classifiers (columns) on each dataset (row); 1 is best, ties share the mean rank.

    Scores that differ only by round-off are tied.

    Examples
    --------
    >>> import numpy as np
    >>> rank_scores(np.array([[0.9, 0.8, 0.9], [0.1 + 0.2, 0.3, 0.2]])).tolist()
    [[1.5, 3.0, 1.5], [1.5, 1.5, 3.0]]
    """
    size = np.abs(matrix)
    ranks = np.empty(matrix.shape)
    for j in range(matrix.shape[1]):
        with np.errstate(over="ignore"):
            ahead = snap(matrix - matrix[:, [j]], np.maximum(size, size[:, [j]]))
        ahead = ahead if greater_is_better else -ahead
        ranks[:, j] = (ahead > 0).sum(axis=1) + ((ahead == 0).sum(axis=1) + 1) / 2
    return ranks


def friedman_test(table: ScoreTable) -> FriedmanResult:
    """Test whether any of several classifiers differ over datasets.

    Friedman's chi-square on the ranks of mean scores, corrected for ties, with Iman and Davenport's
    F [1]_ [2]_. Run it before looking at pairs: in a table in which nothing differs, the largest of
    many differences looks real. Classifiers with the same scores everywhere give p = 1.

    References
    ----------
    .. [1] Iman and Davenport (1980), Communications in Statistics 9, 571-595.
    .. [2] Demšar (2006), JMLR 7, 1-30.

    Examples
    --------
    >>> import numpy as np
    >>> from replicast import Datasets, ScoreTable, friedman_test
    >>> scores = np.array([[9, 8, 9, 7], [8, 9, 7, 6], [6, 7, 5, 5.0]])[:, :, None, None]
    >>> table = ScoreTable(classifiers=("svm", "knn", "nb"), datasets=("a", "b", "c", "d"),
    ...                    scores=scores, design=Datasets())
    >>> print(friedman_test(table))
    3 classifiers on 4 datasets: F = 13.0, p = 0.007 (Iman-Davenport); chi-square = 6.50,
    p = 0.039 (Friedman)
    """
    matrix = score_matrix(table)
    if len(matrix) < 2:
        raise DesignMismatchError(
            "table",
            "a table of at least two datasets",
            "one",
            "On one dataset compare pairs by their folds: rank does",
        )
    return friedman_of_ranks(
        rank_scores(matrix, greater_is_better=table.greater_is_better), table.classifiers
    )


def friedman_of_ranks(ranks: Floats, classifiers: tuple[str, ...]) -> FriedmanResult:
    """Return the tests of equal mean ranks of ranks (datasets, classifiers)."""
    n, k = ranks.shape
    between = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    within = float(((ranks - (k + 1) / 2) ** 2).sum())
    chi2 = (k - 1) * between / within if within else 0.0
    df = (float(k - 1), float((k - 1) * (n - 1)))
    rest = n * (k - 1) - chi2
    cautions: tuple[Caution, ...] = ()
    if within == 0:
        f, f_pvalue = 0.0, 1.0
        text = "All classifiers have the same score on every dataset; p is set by convention."
        cautions = (Caution("degenerate", text),)
    elif rest <= 1e-9 * n * (k - 1):
        f, f_pvalue = math.inf, _full_agreement(ranks[0], n)
        text = "All datasets rank the classifiers alike; the p-value of F is exact."
        cautions = (Caution("full-agreement", text),)
    else:
        f = (n - 1) * chi2 / rest
        f_pvalue = float(special.fdtrc(*df, f))
    return FriedmanResult(
        classifiers=classifiers,
        average_ranks=tuple(float(rank) for rank in ranks.mean(axis=0)),
        n=n,
        statistic=chi2,
        df=float(k - 1),
        pvalue=float(special.chdtrc(k - 1, chi2)),
        f_statistic=f,
        f_df=df,
        f_pvalue=f_pvalue,
        cautions=cautions,
    )


def _full_agreement(row: Floats, n: int) -> float:
    """Return the chance that n rows with these ranks, shuffled at random, are all the same."""
    _, ties = np.unique(row, return_counts=True)
    log_orders = special.gammaln(len(row) + 1) - special.gammaln(ties + 1).sum()
    return float(np.exp(-(n - 1) * log_orders))


def nemenyi_difference(classifiers: int, datasets: int, *, significance: float = 0.05) -> float:
    """Return the difference of mean ranks from which Nemenyi's test calls two classifiers different.

    Examples
    --------
    >>> round(nemenyi_difference(5, 30), 3)
    1.114
    """
    significance = require_probability(significance, "significance")
    for argument, value in (("classifiers", classifiers), ("datasets", datasets)):
        if value < 2:
            raise invalid(argument, "an integer of at least 2", value)
    q = range_critical(significance, classifiers)
    return q * math.sqrt(classifiers * (classifiers + 1) / (12 * datasets))
