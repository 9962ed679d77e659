"""Which pictures a result has, the one that stands for it first, and how they get into files."""

import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from replicast.comparison.records import ManyComparison
from replicast.errors import invalid, require_choice
from replicast.presentation.pictures.canvas import MARGIN, draw, draw_sheet
from replicast.presentation.pictures.figure import Figure
from replicast.presentation.pictures.standings import MATRIX, matrix_figure
from replicast.results import Record

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# by the name of the record: what describes its pictures; the first one stands for the result
FIGURES: Mapping[str, Mapping[str, str]] = {
    "Audit": {"pvalues": "intervals:audit_figure"},
    "Calibration": {"calibration": "intervals:calibration_figure"},
    "Comparison": {
        "again": "hero:hero_figure",
        "differences": "comparison:comparison_figure",
        "repeats": "repeats:forecast_figure",
    },
    "Finding": {"again": "hero:hero_figure"},
    "Gate": {"margin": "intervals:difference_figure"},
    "Judgement": {"both": "intervals:judgement_figure"},
    "Look": {"sequence": "intervals:difference_figure"},
    "ManyComparison": {"ranks": "standings:standing_figure", "matrix": "standings:matrix_figure"},
    "MeansReplication": {"correlations": "curves:means_figure"},
    "Parts": {"parts": "intervals:parts_figure"},
    "Plan": {"plan": "curves:plan_figure"},
    "Replication": {
        "again": "hero:hero_figure",
        "repeats": "repeats:repeats_figure",
        "curve": "curves:result_figure",
    },
}
_SIZED = ("hero", "comparison", "repeats")  # modules whose dots are as large as there is room
WIDTHS = {"column": 3.25, "text": 5.5}  # inches, as papers have them
_PIXELS = 96.0  # of an inch
PHONE = (320.0 + 2 * MARGIN) / _PIXELS


def figure_of(result: Record, name: str | None = None, width: float | None = None) -> Figure:
    """Return one picture of a result, the one that stands for it unless another is named."""
    figures = FIGURES.get(type(result).__name__, {})
    if not figures:
        raise invalid("result", "one that has a picture", type(result).__name__)
    chosen = next(iter(figures)) if name is None else require_choice(name, "figure", tuple(figures))
    describe: Callable[..., Figure] = resolve_name(f"{__package__}.{figures[chosen]}")
    if width is None:
        return describe(result)
    pixels = width * _PIXELS - 2 * MARGIN
    sized = figures[chosen].partition(":")[0] in _SIZED
    return describe(result, width=pixels) if sized else replace(describe(result), width=pixels)


def figures_of(result: Record) -> tuple[Figure, ...]:
    """Return the pictures of a report, the one that stands for the result first."""
    if type(result).__name__ not in FIGURES:
        return ()
    first = figure_of(result)
    if isinstance(result, ManyComparison) and 2 < len(result.classifiers) <= MATRIX:
        return first, matrix_figure(result)
    return (first,)


def plot(result: Record, ax: "Axes | None" = None, *, figure: str | None = None) -> "Axes":
    """Draw one picture of a result, on axes of its own unless some are given."""
    return draw(figure_of(result, figure), ax)


def inches(width: str | float | None) -> float | None:
    """Return a width in inches: `column`, `text`, `4in` or a number."""
    if width is None or isinstance(width, int | float):
        return None if width is None else float(width)
    text = width.strip().lower()
    try:
        size = WIDTHS[text] if text in WIDTHS else float(text.removesuffix("in"))
    except ValueError:
        raise invalid("width", "column, text or inches such as 4in", repr(width)) from None
    if not 1.0 <= size <= 40.0:
        raise invalid("width", "between 1 and 40 inches", repr(width))
    return size


def picture(
    result: Record,
    ending: str,
    *,
    figure: str | None = None,
    width: str | float | None = None,
    bare: bool = False,
) -> bytes:
    """Return a picture of a result as the bytes of a file; text stays text."""
    from matplotlib import rc_context

    drawn = figure_of(result, figure, inches(width))
    if bare:
        panels = tuple(replace(panel, title="") for panel in drawn.panels)
        drawn = replace(drawn, title="", note="", panels=panels)
    sink = io.BytesIO()
    about: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(ending, {})
    with rc_context({"svg.fonttype": "none", "pdf.fonttype": 42}):
        draw_sheet(drawn).savefig(sink, format=ending[1:], dpi=200, metadata=about or None)
    return sink.getvalue()
