"""Large batches part by part, so that what is computed in passes stays in the processor's cache."""

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

_CELLS_AT_ONCE = 2**16


def row_slices(rows: NDArray[Any]) -> Iterator[slice]:
    """Yield slices of the rows (m, n), each of few enough.

    Examples
    --------
    >>> import numpy as np
    >>> list(row_slices(np.zeros((3, 40_000))))
    [slice(0, 1, None), slice(1, 2, None), slice(2, 3, None)]
    """
    count, width = rows.shape
    step = max(1, _CELLS_AT_ONCE // max(1, width))
    for start in range(0, count, step):
        yield slice(start, min(count, start + step))
