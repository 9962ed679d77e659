"""Does the order of mean ranks hold on fresh datasets, or that of mean scores on fresh cases?

The means of a repeat are normal: around the means that were seen, with twice their covariance, and
around means that are first drawn together, by how much the means differ beyond their errors. The chance
lies between the two: on published boards the first is too high, the second too low.
The share of ordinary bootstrap samples in which first place stays is too high to serve as a chance of
replication. Where the datasets agree they do not show how much ranks vary: no chance is above what so
many that agree leave open.
"""

import numpy as np
from scipy import special

from replicast.arrays import Floats, Ints
from replicast.kernels.cases import cluster_sums

DRAWS = 2000
_TIE = 1e-9
_PLENTY = 200  # datasets that agree leave nothing open
_RELATIVE_SPREADS = (0.3, 1.0, 3.0, 10.0, 30.0)  # of true means, in error variances
_SHRUNKEN = 0.6  # weight of the means drawn together, by published boards


def _order_chances(means: Floats) -> Floats:
    """Return, over draws (B, K), how often column 0 is lowest and each column below the next.

    A shared first place is divided, a tie of neighbours counts half.
    """
    lowest = means <= means.min(axis=1, keepdims=True) + _TIE
    first = (lowest[:, 0] / lowest.sum(axis=1)).mean()
    gaps = np.diff(means, axis=1)
    kept = np.where(np.abs(gaps) <= _TIE, 0.5, gaps > 0).mean(axis=0)
    return np.concatenate([[first], kept])


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


def _repeats(ranks: Floats, draws: int, rng: np.random.Generator) -> Floats | None:
    """Return order chances of the normal model, or None if the ranks never vary."""
    variances, directions = _error_space(ranks)
    if len(variances) == 0:
        return None
    means = ranks.mean(axis=0)
    signal = directions.T @ (means - means.mean())
    noise = rng.standard_normal((draws, len(variances)))
    as_seen = _order_chances((signal + noise * np.sqrt(2 * variances)) @ directions.T)
    logs, chances = [], []
    for relative in _RELATIVE_SPREADS:
        total = relative * float(variances.mean()) + variances
        kept = 1 - variances / total
        logs.append(-float((np.log(total) + signal**2 / total).sum()) / 2)
        drawn = kept * signal + noise * np.sqrt((1 + kept) * variances)
        chances.append(_order_chances(drawn @ directions.T))
    weights = np.exp(np.array(logs) - max(logs))
    shrunken = weights @ np.array(chances) / weights.sum()
    return np.asarray(_SHRUNKEN * shrunken + (1 - _SHRUNKEN) * as_seen)


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
    found = _repeats(ordered, draws, rng)
    if found is None:  # all datasets agree
        found = _order_chances(ordered.mean(axis=0, keepdims=True))
    found = np.minimum(found, _most_certain(min(len(ranks), _PLENTY)))
    return float(found[0]), found[1:]


def _most_certain(n: int) -> float:
    """Return how often an order would stay that n datasets agree on, with nothing known before.

    How often two change places is then Beta(1, n + 1), and n fresh datasets decide by their majority.
    """
    kept = np.arange(n + 1)
    logs = special.betaln(kept + n + 1, n - kept + 1) - special.betaln(n - kept + 1, kept + 1)
    chances = np.exp(logs)  # of keeping the order on so many, as binomial times beta
    majority = np.where(2 * kept == n, 0.5, 2 * kept > n)
    return float(majority @ chances / chances.sum())
