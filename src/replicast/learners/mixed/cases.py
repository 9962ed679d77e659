"""A coded table with classes, prepared once for learning from any subset of its rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from replicast.arrays import Floats, Ints
from replicast.learners.mixed.table import MixedTable


class Cases(NamedTuple):
    """Columns, classes, the order of numeric columns and the counting cells of nominal ones."""

    columns: Floats  # (attributes, rows)
    n_categories: Ints  # 0 for a numeric attribute
    y: Ints
    place: Ints  # numeric: its row in `order`; nominal: its first cell among all cells
    order: Ints  # (numeric attributes, rows): rows by ascending value, missing cells last
    cells: NDArray[np.uint32]  # (rows, nominal attributes): where a row is counted
    n_cells: int  # a branch for each category and one for missing cells, times the classes


def prepared_cases(table: MixedTable, y: Ints, n_classes: int) -> Cases:
    """Give every nominal cell the place where its row is counted."""
    nominal = table.is_nominal
    sizes = np.where(nominal, (table.n_categories + 1) * n_classes, 0)
    first_cells = np.cumsum(sizes) - sizes
    place = np.where(nominal, first_cells, np.cumsum(~nominal) - 1)
    values = table.columns[nominal]
    codes = np.where(np.isnan(values), table.n_categories[nominal, None], values).astype(np.int64)
    cells = first_cells[nominal, None] + codes * n_classes + y
    return Cases(
        table.columns,
        table.n_categories,
        y,
        place,
        table.order,
        np.ascontiguousarray(cells.T, dtype=np.uint32),
        int(sizes.sum()),
    )
