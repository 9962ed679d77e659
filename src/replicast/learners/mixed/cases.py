"""A coded table with classes, prepared once for learning from any subset of its rows."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Floats, Ints
from replicast.kernels.compiled import compiled


class Cases(NamedTuple):
    """Columns, classes, the order of numeric columns and the counting cells of nominal ones."""

    columns: Floats  # (attributes, rows)
    n_categories: Ints  # 0 for a numeric attribute
    y: Ints
    place: Ints  # numeric: its row in `order`; nominal: its first cell among all cells
    order: Ints  # (numeric attributes, rows): rows by ascending value, missing cells last
    cells: NDArray[np.uint32]  # (rows, nominal attributes): where a row is counted
    n_cells: int  # a branch for each category and one for missing cells, times the classes


@compiled
def prepared_cases(
    columns: Floats, n_categories: Ints, order: Ints, y: Ints, n_classes: int
) -> Cases:
    """Give every nominal cell the place where its row is counted."""
    n_columns, n = columns.shape
    n_nominal = 0
    for j in range(n_columns):
        n_nominal += n_categories[j] > 0
    place = np.zeros(n_columns, dtype=np.int64)
    cells = np.empty((n, n_nominal), dtype=np.uint32)
    at_nominal = at_numeric = n_cells = 0
    for j in range(n_columns):
        column = columns[j]
        if n_categories[j] == 0:
            place[j] = at_numeric
            at_numeric += 1
        else:
            place[j] = n_cells
            for i in range(n):
                code = n_categories[j] if math.isnan(column[i]) else int(column[i])
                cells[i, at_nominal] = n_cells + code * n_classes + y[i]
            at_nominal += 1
            n_cells += (n_categories[j] + 1) * n_classes
    return Cases(columns, n_categories, y, place, order, cells, n_cells)
