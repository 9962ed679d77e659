"""Resampled sums: what a paired bootstrap needs of measures that are functions of sums."""

import numpy as np

from replicast.arrays import Floats

_AT_A_TIME = 1_000_000  # draws held in memory


def resampled_sums(rows: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Return the column sums of so many resamples of the rows.

    How often each row is drawn is counted, and the counts are multiplied with the rows: no resample
    is ever copied.
    """
    n, columns = rows.shape
    found = np.empty((resamples, columns))
    size = max(1, _AT_A_TIME // n)
    kind = np.uint16 if n <= np.iinfo(np.uint16).max else np.uint32
    for start in range(0, resamples, size):
        count = min(size, resamples - start)
        drawn = rng.integers(0, n, size=(count, n), dtype=kind).astype(np.intp)
        drawn += (np.arange(count) * n)[:, None]
        often = np.bincount(drawn.ravel(), minlength=count * n).reshape(count, n)
        found[start : start + count] = often @ rows
    return found


def precision_recall_counts(truth: Floats, predicted: Floats) -> Floats:
    """Return right positives, wrong positives and missed positives of every case (cases, 3)."""
    return np.stack([truth * predicted, (1 - truth) * predicted, truth * (1 - predicted)], axis=-1)


def f1_of(sums: Floats) -> Floats:
    """Return F1 of counts on the last axis; 0 where nothing is positive."""
    right, wrong, missed = np.moveaxis(sums, -1, 0)
    return _share(2 * right, 2 * right + wrong + missed)


def precision_of(sums: Floats) -> Floats:
    """Return the share of positive predictions that are right; 0 where there are none."""
    right, wrong, _ = np.moveaxis(sums, -1, 0)
    return _share(right, right + wrong)


def recall_of(sums: Floats) -> Floats:
    """Return the share of positive cases that are found; 0 where there are none."""
    right, _, missed = np.moveaxis(sums, -1, 0)
    return _share(right, right + missed)


def _share(part: Floats, whole: Floats) -> Floats:
    return np.asarray(part / np.where(whole == 0, 1.0, whole))
