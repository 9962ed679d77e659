"""How the mean of cross-validated differences varies over fresh data, and what t-tests assume of it.

The constants are measured (docs/calibration.md).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from replicast.arrays import Floats

_NEVER = 1e7  # degrees of freedom from which Student's t is normal to every digit shown
_SPLIT_POWER = 1.75  # of the share trained on, in the correlation of two random splits
_IMPLIED_SHARE = 0.39  # of the way from the least possible disagreement to independent errors
IMPLIED_DF = 30.0  # that the variance two accuracies imply is worth


class Layout(NamedTuple):
    """A design as a t-test sees it.

    The variance of the mean difference over fresh data is `variance` in units of the variance of
    one case over the number of cases (one dataset, for datasets); `inflation`, or kappa, is the
    standard deviation of T where it should be 1.
    """

    df: float
    variance: float
    inflation: float


def shared_variance(runs: float) -> float:
    """Return the part of the variance that comes from sharing one dataset, for each k n_test / n_train.

    It hardly shrinks with more runs.
    """
    return 0.16 + 0.04 / runs


@lru_cache(maxsize=1024)
def fold_layout(folds: float, runs: float, ratio: float, *, corrected: bool = True) -> Layout:
    """Return the layout of `runs` runs of `folds` folds, n_test / n_train = `ratio`."""
    variance = case_variance(runs) + shared_variance(runs) * folds * ratio
    assumed = 1 / runs + (folds * ratio if corrected else 0.0)
    df = min(folds * runs - 1, _NEVER)
    return Layout(df, variance, float(np.sqrt(variance / assumed)))


def case_variance(runs: float) -> float:
    """Return the variance of a case's mean over runs, in units of that in one run."""
    return 1 - 0.3 * (1 - 1 / runs)


def case_layout(df: float, folds: float, runs: float, *, corrected: bool = True) -> Layout:
    """Return the layout of a t-test of cases in `runs` runs of `folds` folds."""
    overlap = folds / (folds - 1)
    variance = case_variance(runs) + shared_variance(runs) * overlap
    assumed = case_variance(runs) + (overlap if corrected else 0.0)
    return Layout(df, variance, float(np.sqrt(variance / assumed)))


@lru_cache(maxsize=1024)
def split_layout(splits: float, tested: float, *, corrected: bool = True) -> Layout:
    """Return the layout of random splits that test on a share of the rows.

    Two splits share test rows, training rows and the dataset they are drawn from; their differences
    correlate by tested · (1 - tested)^1.75, which is less than the corrected t-test assumes.
    """
    trained = 1 - tested
    shared = tested * trained**_SPLIT_POWER
    mean = shared + (1 - shared) / splits  # variance of the mean over that of one split
    assumed = 1 / splits + (tested / trained if corrected else 0.0)
    return Layout(splits - 1, mean / tested, float(np.sqrt(mean / assumed)))


def case_noise(cases: Floats, layout: Layout) -> float:
    """Return the standard error, over fresh data, of the mean of differences in correctness.

    `cases` is (runs, cases). The variance of one case is floored at 1/n, for classifiers that hardly
    ever disagree.
    """
    n = cases.shape[1]
    single = max(float(cases.var(axis=1, ddof=1).mean()), 1 / n)
    return float(np.sqrt(layout.variance * single / n))


def implied_variance(first: float, second: float) -> float:
    """Return the variance of one case's difference in correctness that two accuracies imply.

    The classifiers disagree on at least |first - second| of the cases, and on
    first (1 - second) + second (1 - first) if their errors are independent; usually in between.
    """
    gap = abs(first - second)
    independent = first * (1 - second) + second * (1 - first)
    return max(gap + _IMPLIED_SHARE * (independent - gap) - gap**2, 0.0)


def moderated_error(
    differences: Floats, ratio: float, accuracies: tuple[float, float], n_test: float
) -> float:
    """Return the corrected standard error, its variance moderated by what the accuracies imply.

    It has `IMPLIED_DF` degrees of freedom more than the scores alone give. A test set of `n_test`
    cases leaves half a case of doubt, however equal its scores are.
    """
    n = differences.shape[-1]
    implied = max(implied_variance(*accuracies), 0.5 / n_test) / n_test
    own = (n - 1) * float(differences.var(ddof=1))
    variance = (IMPLIED_DF * implied + own) / (IMPLIED_DF + n - 1)
    return float(np.sqrt(variance * (1 / n + ratio)))
