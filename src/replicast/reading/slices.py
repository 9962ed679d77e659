"""A file cut by one of its columns: the rows of every value, and all of them, without the column."""

from collections.abc import Sequence

import pandas as pd

from replicast.errors import invalid, nearest
from replicast.reading.documents import Document
from replicast.reading.door import Source, open_documents
from replicast.reading.formats.tables.preparing import described
from replicast.reading.formats.tables.several import one_sheet
from replicast.reading.limits import HERE, Limits
from replicast.reading.sheets import label_of, listing
from replicast.reading.vocabulary.roles import PLACES, REPEATS

_MOST = 200
_FEWEST = 20  # cases whose order says anything
_LEAST_BLOCK = 4  # cases of one value, on average


def read_slices(
    source: Source,
    by: str,
    sheet: str | None = None,
    limits: Limits = HERE,
) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """Return the table without the column, and the rows of each of its values, likewise."""
    documents = open_documents(source, sheet, limits)
    strange = next((one.path.name for one in documents if not one.is_table), None)
    if strange is not None:
        remedy = "Write a table with a row for each case, and a column to cut it by"
        raise invalid("by", "left out, where a file is no table", f"{by!r} for {strange}", remedy)
    document = documents[0] if len(documents) == 1 else one_sheet(documents)
    frame = document.sheet.frame
    frame.attrs["name"] = document.path.name
    columns = [str(name) for name in frame.columns]
    if by not in columns:
        raise invalid(
            "by", f"one of the columns {listing(columns)}", repr(by), nearest(by, columns)
        )
    labels = frame[by].map(lambda cell: "none" if pd.isna(cell) else label_of(str(cell)))
    values = list(dict.fromkeys(labels))
    if not 1 < len(values) <= _MOST:
        raise invalid("by", f"a column with 2 to {_MOST} values", f"{len(values)} in {by}")
    rest = _with_names_of_cases(document, by, labels).drop(columns=[by])
    rest.attrs["name"] = (
        documents[0].path.name if len(documents) == 1 else f"{len(documents)} files"
    )
    return rest, {value: rest[labels == value].reset_index(drop=True) for value in values}


def sorted_by(source: Source, models: Sequence[str], sheet: str | None = None) -> tuple[str, ...]:
    """Return the columns whose values stand one after the other: the cases of a table come in blocks.

    Of a table with a row for each model and case, the cases of one model are looked at.
    """
    documents = open_documents(source, sheet)
    if len(documents) > 1 or not documents[0].is_table:
        return ()
    cells = documents[0].sheet.frame.astype(str)
    for name in cells.columns:
        if set(models) <= set(cells[name]):
            cells = cells[cells[name] == models[0]]
    if len(cells) < _FEWEST:
        return ()
    counts = {str(name): cells[name].nunique() for name in cells.columns}
    blocks = {str(name): int((cells[name] != cells[name].shift()).sum()) for name in cells.columns}
    few = len(cells) / _LEAST_BLOCK
    return tuple(
        name for name, count in counts.items() if 1 < count <= few and blocks[name] == count
    )


def _with_names_of_cases(document: Document, by: str, labels: "pd.Series[str]") -> pd.DataFrame:
    """Return the table, with cases that are numbered anew for each value named by it too."""
    table = described(document.sheet)
    frame = document.sheet.frame
    keys = [c.name for c in table.find("classifier", "answer", *PLACES, *REPEATS) if c.name != by]
    for column in table.find("case"):
        told = [*keys, column.name]
        if column.name != by and table.repeats(*told) and not table.repeats(*told, by):
            return frame.assign(**{column.name: labels + " " + frame[column.name].astype(str)})
    return frame
