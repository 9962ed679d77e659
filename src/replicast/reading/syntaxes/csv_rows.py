"""Cells of a CSV as they stand, for formats whose columns share their names."""

import csv
import io

from replicast.errors import invalid


def csv_rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the lines of a CSV as lists of cells, with the number of the line each ends on."""
    reader = csv.reader(io.StringIO(text))
    try:
        rows = [(reader.line_num, cells) for cells in reader if any(cells)]
    except csv.Error as error:
        raise invalid("source", "a table with as many cells in every row", str(error)) from None
    if len(rows) < 2:
        raise invalid("source", "a table with at least one row of scores", "a header only")
    return rows
