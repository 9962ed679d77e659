"""The reader of tables: it finds out how one is laid out, and reads it so, or asks."""

from collections.abc import Sequence

import pandas as pd

from replicast.errors import invalid
from replicast.reading.cases import stem
from replicast.reading.documents import Document
from replicast.reading.formats.tables.long import classifier_column, read_long
from replicast.reading.formats.tables.predictions import find_predictions, read_predictions
from replicast.reading.formats.tables.preparing import Table, of_finished_runs, prepare
from replicast.reading.formats.tables.several import one_sheet
from replicast.reading.formats.tables.turning import turned
from replicast.reading.formats.tables.wide import read_wide
from replicast.reading.requests import Request
from replicast.scores.tables import ScoreTable


def is_table(document: Document) -> bool:
    """Take every table that no other reader knows."""
    return document.is_table


def read_tables(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a table, or several files that are one table: a file for each model, or for each dataset."""
    document = documents[0] if len(documents) == 1 else one_sheet(documents)
    title = stem(document.path)
    table = prepare(of_finished_runs(document.sheet, request), request)
    predictions = find_predictions(table, request)
    if predictions is not None:
        return read_predictions(table, predictions, request, title)
    if request.rows == "classifiers":
        return read_wide(_turned(table, request), request, title)
    classifier = classifier_column(table, request)
    if classifier is not None:
        return read_long(table, classifier, request, title)
    return read_wide(table, request, title)


def _turned(table: Table, request: Request) -> Table:
    """Turn a table whose rows are classifiers."""
    asked = request.classifier_column or classifier_column(table, request)
    texts = [c.name for c in table.columns.values() if not c.is_number and not c.is_empty]
    label = asked or next(iter(texts), None)
    numbers = [
        c.name
        for c in table.columns.values()
        if c.is_number and c.name != label and c.role in (None, "fold", "run", "split", "dataset")
    ]
    if label is None or not numbers:
        raise invalid("rows", "datasets for a table without names of classifiers", "'classifiers'")
    cells = table.sheet.frame[label].astype(str)
    if cells.duplicated().any():
        twice = pd.unique(cells[cells.duplicated()])[0]
        raise invalid("rows", "classifiers only if each has one row", f"{twice!r} twice")
    return turned(table, label, numbers, request)
