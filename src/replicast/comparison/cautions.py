"""Are all scores on one scale? Percent among fractions is a mistake that no test notices."""

import numpy as np
from numpy.typing import NDArray

from replicast.results import Caution

_MIXED = Caution(
    "mixed-scales", "Some scores look like percent, others like fractions: bring all to one scale."
)


def scale_cautions(matrix: NDArray[np.float64], *, over_datasets: bool) -> tuple[Caution, ...]:
    """Return a caution if some classifiers (columns), or datasets (rows), look like percent alone.

    Examples
    --------
    >>> [found] = scale_cautions(np.array([[0.9, 80.0], [0.8, 75.0]]), over_datasets=True)
    >>> found.code
    'mixed-scales'
    """
    for axis in (0, 1) if over_datasets else (0,):
        tops = np.abs(matrix).max(axis=axis)
        low, high = float(tops.min()), float(tops.max())
        if 0 < low <= 1 and 2 < high <= 100 and high > 20 * low:
            return (_MIXED,)
    return ()
