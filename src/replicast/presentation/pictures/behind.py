"""The numbers behind pictures and reports as CSV: columns of numbers, and names that stay names."""

import csv
import io
import re
from base64 import b64encode
from functools import lru_cache

from replicast.presentation.pictures.figure import Data

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$")


def escape_cell(text: str) -> str:
    """Keep a spreadsheet from running a name as a formula.

    Examples
    --------
    >>> escape_cell("=1+1"), escape_cell("-0.25")
    ("'=1+1", '-0.25')
    """
    return f"'{text}" if text.startswith(_FORMULA) and not _NUMBER.match(text) else text


def as_csv(data: Data) -> str:
    """Return the numbers behind a figure as CSV."""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow([escape_cell(heading) for heading in data.headings])
    writer.writerows(
        [escape_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in data.rows
    )
    return sink.getvalue()


@lru_cache(maxsize=64)  # many charts of a kind share their data
def csv_link(data: Data) -> str:
    """Return the numbers behind a figure as an address that holds them."""
    return "data:text/csv;charset=utf-8;base64," + b64encode(as_csv(data).encode()).decode()
