"""A table of scores: the mean of each classifier on each dataset, as far as there is room."""

import numpy as np

from replicast.formatting import format_number, plural
from replicast.presentation.document import Document, Listing
from replicast.scores.tables import ScoreTable

_MOST_ROWS = 30
_MOST_COLUMNS = 8


def tell_table(table: ScoreTable) -> Document:
    """Tell what scores a table has."""
    counted = np.isfinite(table.scores)
    totals = np.where(counted, table.scores, 0.0).sum(axis=(2, 3))
    with np.errstate(invalid="ignore"):
        means = (totals / counted.sum(axis=(2, 3))).T[:_MOST_ROWS, :_MOST_COLUMNS]
    rows = zip(table.datasets, means.tolist(), strict=False)
    sizes = (
        (len(table.datasets), _MOST_ROWS, "dataset"),
        (len(table.classifiers), _MOST_COLUMNS, "classifier"),
    )
    hidden = [plural(count - most, f"more {noun}") for count, most, noun in sizes if count > most]
    return Document(
        headline=f"{plural(len(table.classifiers), 'classifier')} on "
        f"{plural(len(table.datasets), 'dataset')}: {table.metric}, {table.design.words}",
        listing=Listing(
            ("dataset", *table.classifiers[:_MOST_COLUMNS]),
            tuple(
                (name, *("–" if np.isnan(mean) else format_number(mean, 4) for mean in values))
                for name, values in rows
            ),
        ),
        notes=(f"And {', '.join(hidden)}.",) if hidden else (),
    )
