"""Means over cases: clusters of cases, several answers to one, areas under the ROC curve.

The last axis holds the cases; `clusters` holds the number of each case's cluster, 0 to clusters - 1.
"""

from typing import NamedTuple

import numpy as np

from replicast.arrays import Bools, Floats, Ints
from replicast.kernels.student import moments

_ROUND_OFF = 1e-13  # of a mean of a cluster, relative to the largest difference


class CaseMean(NamedTuple):
    """A mean over cases, its standard error and the degrees of freedom of that error."""

    mean: Floats
    standard_error: Floats
    df: Floats


def case_mean(rows: Floats) -> CaseMean:
    """Return the mean of independent cases."""
    n = rows.shape[-1]
    mean, deviation = moments(rows)
    return CaseMean(mean, deviation / np.sqrt(n), np.full(mean.shape, n - 1.0))


def clustered_mean(rows: Floats, clusters: Ints) -> CaseMean:
    """Return the mean of clustered cases with a variance corrected for few, unequal clusters.

    The variance is the CR2 sandwich, and its degrees of freedom are Satterthwaite's, with cases that
    correlate within their clusters as much as these ones do (Bell & McCaffrey 2002; Imbens & Kolesár
    2016). Cases that are all alone in their clusters give `case_mean`.
    """
    sizes = np.bincount(clusters).astype(np.float64)
    n, mean, scale, sums = _residual_sums(rows, clusters, sizes)
    variance = (sums**2 / (1 - sizes / n)).sum(axis=-1) / n**2
    df = satterthwaite(sizes, cluster_correlation(rows / scale[..., None], clusters))
    return CaseMean(mean, scale * np.sqrt(variance), df)


def plain_clustered_mean(rows: Floats, clusters: Ints) -> CaseMean:
    """Return the mean with the sandwich variance times G / (G - 1) and G - 1 degrees of freedom.

    Evaluation programs print this error. With few clusters of unequal size it is too small.
    """
    sizes = np.bincount(clusters).astype(np.float64)
    groups = len(sizes)
    n, mean, scale, sums = _residual_sums(rows, clusters, sizes)
    variance = groups / (groups - 1) * (sums**2).sum(axis=-1) / n**2
    return CaseMean(mean, scale * np.sqrt(variance), np.full(mean.shape, groups - 1.0))


def _residual_sums(
    rows: Floats, clusters: Ints, sizes: Floats
) -> tuple[int, Floats, Floats, Floats]:
    """Return cases, mean, scale, and the clusters' sums of residuals over the scale.

    A sum that is nothing but round-off is 0, so that clusters with one and the same mean have no
    spread.
    """
    n = rows.shape[-1]
    largest = np.abs(rows).max(axis=-1)
    scale = np.where(largest > 0, largest, 1.0)
    scaled = rows / scale[..., None]
    mean = moments(scaled)[0]
    sums = cluster_sums(scaled, clusters) - sizes * mean[..., None]
    sums = np.where(np.abs(sums) <= _ROUND_OFF * sizes, 0.0, sums)
    return n, scale * mean, scale, sums


def cross_validated_mean(
    found: CaseMean, overlap: float, cases: int = 1, partition_noise: Floats | float = 0.0
) -> CaseMean:
    """Return a mean of cases with an error that allows for training sets which overlap.

    Fresh data change the cases and the training sets. The cases' part is the variance of their mean;
    that of the training sets is `overlap` times the variance of the mean in one run. Runs share the
    cases, so more of them leave both alone but for `partition_noise`, which is by how much the
    variance of a case is larger in one run than in the mean over runs.
    """
    mean, error, df = found
    variance = (1 + overlap) * error**2 + overlap * np.asarray(partition_noise) / cases
    return CaseMean(mean, np.sqrt(variance), df)


def cluster_sums(rows: Floats, clusters: Ints) -> Floats:
    """Add up the cases of every cluster."""
    if rows.ndim == 1:
        return np.asarray(np.bincount(clusters, weights=rows), dtype=np.float64)
    order = np.argsort(clusters, kind="stable")
    starts = np.searchsorted(clusters[order], np.arange(int(clusters.max()) + 1))
    return np.asarray(np.add.reduceat(rows[..., order], starts, axis=-1))


def cluster_correlation(rows: Floats, clusters: Ints) -> Floats:
    """Return the correlation of two cases of one cluster, by analysis of variance, within 0 and 1."""
    sizes = np.bincount(clusters).astype(np.float64)
    n, groups = sizes.sum(), len(sizes)
    if groups == n:
        return np.zeros(rows.shape[:-1])
    means = cluster_sums(rows, clusters) / sizes
    within = ((rows - means[..., clusters]) ** 2).sum(axis=-1) / (n - groups)
    return _shared_variance(means - rows.mean(axis=-1)[..., None], within, sizes)


def _shared_variance(apart: Floats, within: Floats, sizes: Floats) -> Floats:
    """Return the share of the variance that clusters share: how far apart they lie, and they within."""
    n, groups = sizes.sum(), len(sizes)
    between = (sizes * apart**2).sum(axis=-1) / (groups - 1)
    typical = (n - (sizes**2).sum() / n) / (groups - 1)
    total = between + (typical - 1) * within
    share = (between - within) / np.where(total > 0, total, 1.0)
    return np.clip(np.where(total > 0, share, 0.0), 0.0, 1.0)


def simulated_means(
    sizes: Floats, correlation: float, draws: int, rng: np.random.Generator
) -> CaseMean:
    """Return what `clustered_mean` makes of normal cases in such clusters, drawn again and again.

    Their true mean is 0 and its standard deviation 1. All it depends on is drawn: the sums of the
    clusters, and the variance within them.
    """
    n, groups = sizes.sum(), len(sizes)
    variances = sizes * (1 + (sizes - 1) * correlation)
    spread = n / np.sqrt(variances.sum())  # of one case
    sums = spread * np.sqrt(variances) * rng.normal(size=(draws, groups))
    mean = sums.sum(axis=-1) / n
    apart = sums / sizes - mean[:, None]
    variance = ((sizes * apart) ** 2 / (1 - sizes / n)).sum(axis=-1) / n**2
    shared = np.zeros(draws)
    if n > groups:
        within = (1 - correlation) * spread**2 * rng.chisquare(n - groups, draws) / (n - groups)
        shared = _shared_variance(apart, within, sizes)
    return CaseMean(mean, np.sqrt(variance), satterthwaite(sizes, shared))


def satterthwaite(sizes: Floats, correlation: Floats) -> Floats:
    """Return the degrees of freedom of the CR2 variance of a mean.

    (trace B)² / trace B², where B is the covariance of the weighted residual sums of the clusters if
    cases of one cluster have this correlation. B is diagonal plus two ranks, so no matrix is made.
    """
    n = sizes.sum()
    weight = 1 / (1 - sizes / n)
    v = sizes * (1 + (sizes - 1) * np.asarray(correlation)[..., None])  # variances of the sums
    total = v.sum(axis=-1, keepdims=True)
    shared = -2 * v * sizes / n + sizes**2 * total / n**2
    trace = (weight * (v + shared)).sum(axis=-1)
    mm = (weight * sizes**2).sum()
    vm = (weight * v * sizes).sum(axis=-1)
    vv = (weight * v**2).sum(axis=-1)
    s = total[..., 0]
    ranks = 2 * (vv * mm + vm**2) / n**2 + (s * mm) ** 2 / n**4 - 4 * s * vm * mm / n**3
    diagonal = (weight**2 * v * (v + 2 * shared)).sum(axis=-1)
    return np.asarray(trace**2 / (diagonal + ranks))


def answer_variance(answers: Floats) -> Floats:
    """Return the mean over cases of the variance of a case's mean answer.

    The last axis holds the answers to one case, the one before it the cases; NaN stands for an answer
    that was not given. Cases with one answer tell nothing about it.
    """
    given = np.isfinite(answers)
    count = given.sum(axis=-1)
    mean = np.where(given, answers, 0.0).sum(axis=-1) / np.maximum(count, 1)
    squares = np.where(given, answers - mean[..., None], 0.0) ** 2
    repeated = count > 1
    spread = squares.sum(axis=-1) / np.maximum(count - 1, 1) / np.maximum(count, 1)
    told = repeated.sum(axis=-1)
    return np.asarray(np.where(repeated, spread, 0.0).sum(axis=-1) / np.maximum(told, 1))


def roc_areas(scores: Floats, positive: Floats) -> tuple[Floats, Floats]:
    """Return the area under the ROC curve of each row of scores, and DeLong's covariance of the areas.

    Midranks make it n log n (Sun & Xu 2014); tied scores count half.
    """
    wins, losses = _placements(scores, positive.astype(np.bool_))
    m, n = wins.shape[1], losses.shape[1]
    covariance = np.atleast_2d(np.cov(wins)) / m + np.atleast_2d(np.cov(losses)) / n
    return wins.mean(axis=1), covariance


def roc_influences(scores: Floats, positive: Floats) -> tuple[Floats, Floats]:
    """Return the area of each row, and how much each case moves it: sums of these are its error.

    With few cases of a class, DeLong's covariance is that of these by class.
    """
    is_positive = positive.astype(np.bool_)
    wins, losses = _placements(scores, is_positive)
    areas = wins.mean(axis=1)
    moved = np.empty(scores.shape)
    moved[:, is_positive] = (wins - areas[:, None]) / wins.shape[1]
    moved[:, ~is_positive] = (losses - areas[:, None]) / losses.shape[1]
    return areas, moved


def _placements(scores: Floats, is_positive: Bools) -> tuple[Floats, Floats]:
    """Return the share of negatives below each positive, and of positives above each negative."""
    above, below = scores[:, is_positive], scores[:, ~is_positive]
    m, n = above.shape[1], below.shape[1]
    overall = np.stack([_midranks(row) for row in np.concatenate([above, below], axis=1)])
    wins = (overall[:, :m] - np.stack([_midranks(row) for row in above])) / n
    losses = 1 - (overall[:, m:] - np.stack([_midranks(row) for row in below])) / m
    return wins, losses


def _midranks(values: Floats) -> Floats:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[place])
