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
