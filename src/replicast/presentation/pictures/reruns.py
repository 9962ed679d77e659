"""An audit as a picture: the p-values of all reruns."""

from collections.abc import Iterator

import numpy as np

from replicast.arrays import Floats
from replicast.presentation.pictures.figure import (
    Axis,
    Data,
    Dots,
    Figure,
    Label,
    Line,
    Mark,
    Panel,
    Rule,
    Tick,
)
from replicast.presentation.pictures.ticks import pvalue_ticks
from replicast.presentation.words.audit import agreement_words
from replicast.replicability.procedures import PROCEDURES
from replicast.replicability.records import Audit

_SMALLEST = 1e-6  # smaller p-values are arrows at the edge


def audit_figure(found: Audit) -> Figure:
    """Describe the p-values of all reruns, one row for each test."""
    level = next(iter(found.values())).significance
    every = {name: np.array(item.pvalues).ravel() for name, item in found.items()}
    least = max(_SMALLEST, min(float(p.min()) for p in every.values()))
    marks: list[Mark] = [Rule(level, f"p = {level:g}")]
    for row, (name, item) in enumerate(found.items()):
        height = (len(found) - 0.5 - row) / len(found)
        marks += _reruns(every[name], row, least)
        marks.append(Label(1, height, agreement_words(item), "ink", dx=12, of="panel"))
    marks.append(Label(1, 1, "agree", dx=12, dy=8, of="panel"))
    titles = [PROCEDURES[name].title for name in found]
    words = [
        f"{title}: two reruns agree {agreement_words(item)}, p from {every[name].min():.2g} to "
        f"{every[name].max():.2g}"
        for title, (name, item) in zip(titles, found.items(), strict=True)
    ]
    label = "p-value · stronger evidence →"
    across = Axis(1.0, least / 1.3, pvalue_ticks(least, 1.0), label, "log")
    names = tuple(Tick(row, title) for row, title in enumerate(titles))
    return Figure(
        title=f"The same test on the same data, other partitions · {found.dataset}",
        alt="; ".join(words),
        panels=(Panel(across, Axis(len(found) - 0.5, -0.5, names, line=False), marks),),
        note="A dot is a rerun; on the right, how often two reruns agree.",
        width=620,
        height=26.0 * len(found) + 80,
        data=Data.of(
            ("test", "p"), ((k, v) for k, values in every.items() for v in values.tolist())
        ),
    )


def _reruns(pvalues: Floats, row: int, least: float) -> Iterator[Mark]:
    """Yield the p-values of a test; those off the chart are one arrow."""
    inside = pvalues[pvalues >= _SMALLEST].tolist()
    ends = max(float(pvalues.min()), least), float(pvalues.max())
    yield Line(ends, (row, row), "line", 6.0, rounded=True)
    yield Dots(inside, [row] * len(inside), radius=3.8, opacity=0.7)
    if len(inside) < len(pvalues):
        said = f"{len(pvalues) - len(inside)} reruns below {_SMALLEST:.6f}"
        yield Dots((least,), (row,), radius=6, shape="right", said=(said,))
