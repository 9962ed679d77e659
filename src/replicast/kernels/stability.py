"""Does the order of mean ranks hold on fresh datasets, or that of mean scores on fresh cases?

Two predictions of the mean ranks of a repeat are averaged. One redraws datasets from a posterior over
the datasets seen (weights from a flat Dirichlet distribution, then counts from a multinomial one). The
other takes mean ranks for normal and shrinks them towards equality: all of them, or all but one that
stands apart. Which one, and the strength of the shrinkage, are averaged over by how well they explain
the ranks. The share of ordinary bootstrap samples in
which first place stays is too high to serve as a chance of replication. Where the datasets agree they
do not show how much ranks vary: no chance is above what so many that agree leave open.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Floats, Ints
from replicast.kernels.cases import cluster_sums

DRAWS = 2000
_TIE = 1e-9
_NORMAL_FROM = 5_000
_PLENTY = 200  # datasets that agree leave nothing open
_NEGLIGIBLE = 1e-3  # share of all weights below which an explanation is left out
_RELATIVE_SPREADS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # of true ranks, in error variances


def _order_chances(means: Floats) -> Floats:
    """Return, over draws (B, K), how often column 0 is lowest and each column below the next.

    A shared first place is divided, a tie of neighbours counts half.
    """
    lowest = means <= means.min(axis=1, keepdims=True) + _TIE
    first = (lowest[:, 0] / lowest.sum(axis=1)).mean()
    gaps = np.diff(means, axis=1)
    kept = np.where(np.abs(gaps) <= _TIE, 0.5, gaps > 0).mean(axis=0)
    return np.concatenate([[first], kept])


def _resampled(ranks: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return mean ranks (B, K) over datasets redrawn by uncertain weights."""
    n = len(ranks)
    if n > _NORMAL_FROM:  # the mean over so many datasets is normal, with just this covariance
        spread = 2 / (n + 1) * np.cov(ranks, rowvar=False, bias=True)
        return rng.multivariate_normal(ranks.mean(axis=0), spread, size=draws, method="eigh")
    weights = rng.dirichlet(np.ones(n), size=draws)
    counts = rng.multinomial(n, weights / weights.sum(axis=1, keepdims=True))
    return np.asarray(counts @ ranks / n)


def _error_space(ranks: Floats) -> tuple[Floats, Floats]:
    """Return variances and directions of the error of the mean ranks, around their common mean.

    The covariance is drawn towards one in which all classifiers are alike, the more so the fewer
    datasets there are for each classifier.
    """
    n, k = ranks.shape
    centre = np.eye(k) - 1 / k
    seen = centre @ np.cov(ranks, rowvar=False) @ centre / n
    share = min(0.9, 0.5 * k / n)
    alike = np.trace(seen) / (k - 1) * centre
    variances, directions = np.linalg.eigh((1 - share) * seen + share * alike)
    used = variances > 1e-10 * max(float(variances.max()), 1e-300)
    return variances[used], directions[:, used]


def _shrunken(ranks: Floats, draws: int, rng: np.random.Generator) -> Floats | None:
    """Return order chances of the normal model, or None if the ranks never vary."""
    variances, directions = _error_space(ranks)
    if len(variances) == 0:
        return None
    means = ranks.mean(axis=0)
    signal = directions.T @ (means - means.mean())
    noise = rng.standard_normal((draws, len(variances)))
    scale = float(variances.mean())
    every = [
        *_none_alike(signal, variances, scale),
        *_one_apart(signal, variances, scale, directions),
    ]
    logs = np.array([one.log_weight for one in every])
    weights = np.exp(logs - logs.max())
    weights = np.where(weights < _NEGLIGIBLE * weights.sum(), 0.0, weights)
    chances = [
        _order_chances((one.centre + noise @ one.root().T) @ directions.T)
        for one, weight in zip(every, weights, strict=True)
        if weight
    ]
    return np.asarray(weights[weights > 0] @ np.array(chances) / weights.sum())


class _Repeat(NamedTuple):
    """Mean ranks of a repeat if one explanation holds, and how well it explains the ranks."""

    log_weight: float
    centre: Floats
    root: Callable[[], Floats]  # of the covariance; few explanations are good enough to need it


def _none_alike(signal: Floats, variances: Floats, scale: float) -> Iterator[_Repeat]:
    """Yield explanations in which the true ranks of all classifiers are spread by as much."""
    for relative in _RELATIVE_SPREADS:
        total = relative * scale + variances
        kept = relative * scale / total
        fit = float((np.log1p(relative * scale / variances) - kept * signal**2 / variances).sum())
        root = partial(np.diag, np.sqrt((kept + 1) * variances))
        yield _Repeat(-fit / 2, kept * signal, root)


def _one_apart(
    signal: Floats, variances: Floats, scale: float, directions: Floats
) -> Iterator[_Repeat]:
    """Yield explanations in which one classifier stands apart and the others are alike.

    Any one may; together they have the weight of the others before the ranks are seen.
    """
    count = len(directions)
    for place in directions - directions.mean(axis=0):  # one classifier, seen from the mean of all
        sharpness = float((place**2 / variances).sum())
        seen = float((place * signal / variances).sum())
        for relative in _RELATIVE_SPREADS:
            spread = relative * scale * count
            variance = spread / (1 + spread * sharpness)
            fit = variance * seen**2 - np.log1p(spread * sharpness)
            root = partial(_root_of_one_apart, variances, variance, place)
            yield _Repeat(fit / 2 - np.log(count), variance * seen * place, root)


def _root_of_one_apart(variances: Floats, variance: float, place: Floats) -> Floats:
    """Return a root of the error of the repeat and the doubt about how far apart one stands."""
    covariance = np.diag(variances) + variance * np.outer(place, place)
    return np.asarray(np.linalg.cholesky(covariance), dtype=np.float64)


def cluster_values(scores: Floats, clusters: Ints) -> Floats:
    """Return a row for each cluster of cases (cases, classifiers), such that means stay means.

    A cluster's row is the mean plus what the cluster adds to it: its sum of residuals, in units of
    the mean size of a cluster.
    """
    sizes = np.bincount(clusters).astype(np.float64)
    mean = scores.mean(axis=0)
    sums = cluster_sums(scores.T, clusters).T - sizes[:, None] * mean
    return np.asarray(mean + sums * len(sizes) / len(scores))


def order_chances(
    ranks: Floats, rng: np.random.Generator, draws: int = DRAWS
) -> tuple[float, Floats]:
    """Return the chance that first place stays first, and that each neighbours' order stays.

    `ranks` (datasets, classifiers) have their columns in the order of the mean ranks. The order of
    the rows does not matter.
    """
    ordered = ranks[np.lexsort(ranks.T[::-1])]
    resampled = _order_chances(_resampled(ordered, draws, rng))
    shrunken = _shrunken(ordered, draws, rng)
    both = resampled if shrunken is None else (resampled + shrunken) / 2
    both = np.minimum(both, _most_certain(min(len(ranks), _PLENTY)))
    return float(both[0]), both[1:]


def _most_certain(n: int) -> float:
    """Return how often an order would stay that n datasets agree on, with nothing known before.

    How often two change places is then Beta(1, n + 1), and n fresh datasets decide by their majority.
    """
    kept = np.arange(n + 1)
    logs = special.betaln(kept + n + 1, n - kept + 1) - special.betaln(n - kept + 1, kept + 1)
    chances = np.exp(logs)  # of keeping the order on so many, as binomial times beta
    majority = np.where(2 * kept == n, 0.5, 2 * kept > n)
    return float(majority @ chances / chances.sum())
