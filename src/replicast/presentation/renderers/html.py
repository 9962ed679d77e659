"""A document as a page, and as a part of a notebook: one template, no network, no script."""

from typing import TYPE_CHECKING, Any

import numpy as np

from replicast.design import describe_design
from replicast.formatting import format_number
from replicast.presentation.document import Document
from replicast.presentation.renderers.rendering import render, render_part

if TYPE_CHECKING:
    from replicast.scores.tables import ScoreTable

_MOST_ROWS = 30  # datasets of a table that are shown
_MOST_COLUMNS = 8


def page(document: Document) -> str:
    """Return a document as a whole page, one sheet of paper when printed."""
    return render("document.html.j2", title=document.headline, document=document)


def notebook_part(document: Document) -> str:
    """Return a document as a part of a notebook: headline, picture and lines, the rest folded."""
    return render_part("_document.html.j2", document=document, heading="h3")


def table_part(table: "ScoreTable") -> str:
    """Return a table of scores as a part of a notebook."""
    return render_part("_table.html.j2", **_table(table))


def _table(table: "ScoreTable") -> dict[str, Any]:
    """Return the mean score of each classifier on each dataset, as far as there is room."""
    counted = np.isfinite(table.scores)
    totals = np.where(counted, table.scores, 0.0).sum(axis=(2, 3))
    with np.errstate(invalid="ignore"):
        means = (totals / counted.sum(axis=(2, 3))).T
    names, rows = table.classifiers[:_MOST_COLUMNS], table.datasets[:_MOST_ROWS]
    more = [
        f"{count - room} more {what}"
        for count, room, what in (
            (len(table.datasets), _MOST_ROWS, "datasets"),
            (len(table.classifiers), _MOST_COLUMNS, "classifiers"),
        )
        if count > room
    ]
    return {
        "title": f"{len(table.classifiers)} classifiers on {len(table.datasets)} "
        f"{'dataset' if len(table.datasets) == 1 else 'datasets'}: {table.metric}, "
        f"{describe_design(table.design)}",
        "names": names,
        "rows": [
            (dataset, ["–" if np.isnan(v) else format_number(v, 4) for v in values[: len(names)]])
            for dataset, values in zip(rows, means.tolist(), strict=False)
        ],
        "more": ", ".join(more),
        "account": table.account,
    }
