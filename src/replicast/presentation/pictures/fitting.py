"""A picture on axes of the caller's own: sizes from rcParams, and room for every word.

The caller's figure has its own caption, so the picture brings neither title nor note.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Sheet
from matplotlib.font_manager import FontProperties
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from replicast.errors import invalid
from replicast.presentation.pictures import layout
from replicast.presentation.pictures.canvas import (
    MEASURED,
    Pen,
    draw_marks,
    draw_words,
    dress,
)
from replicast.presentation.pictures.figure import TEXT, Axis, Figure, Tick
from replicast.presentation.words.scales import short_name

_RC: Any = rcParams  # its keys are typed one by one
_NAMES = 0.5  # of the width, at most, for the names of rows
_LEAST = 4.0  # points of the smallest letters
_FEWEST = 5  # letters of a name
_MOVED, _ROOM = "_replicast-word", "_replicast-room"  # marks of our words; legends skip these
_OVERLAP = 1.0  # points by which boxes around words may overlap


def draw_fitted(ax: Axes, figure: Figure) -> None:
    """Draw a figure of one panel into the room that axes have."""
    sheet = ax.get_figure(root=True)
    if sheet is None:
        raise invalid("ax", "axes of a figure", "axes that were removed from theirs")
    (panel,) = figure.panels
    drawn = layout.plots(figure, TEXT * MEASURED)[0]
    left, right = _slot(ax)
    names, pen = panel.y, _pen()
    written: list[Annotation] = []
    _let_it_fit(sheet)
    for _ in range(2):  # words take room, and how much they take depends on it
        start, wide, tall = _points(ax)
        beside = max(0.0, min(start - left, right - start - wide))
        size = min(pen.ticks[1], max(_LEAST, _least_step(names) * tall))
        pen = pen._replace(
            point=min(wide / (drawn.right - drawn.left), tall / (drawn.bottom - drawn.top)),
            ticks=(pen.ticks[0], size),
        )
        panel = replace(
            panel,
            x=replace(panel.x, label=_broken(panel.x.label, wide + 2 * beside, pen.label)),
            y=replace(
                _short_names(names, _NAMES * (right - left), size),
                label=_broken(names.label, right - start, pen.text),
            ),
        )
        for text in written:
            text.remove()
        dress(ax, panel, pen)
        written = draw_words(ax, panel, pen)
        for text in written:
            text.set_label(_MOVED if float(text.get_fontsize()) >= pen.text else "")
        _keep_apart(ax)
        sheet.draw_without_rendering()
    dress(ax, panel, pen)  # as many ticks as have room now
    draw_marks(ax, panel, pen)
    for each in sheet.axes:  # those drawn before have less room now
        _keep_apart(each)


def draw_parts(ax: Axes, figure: Figure) -> None:
    """Draw a figure of several panels: each has its part of the axes, which show nothing themselves."""
    ax.set_axis_off()
    for panel, plot in zip(figure.panels, layout.plots(figure, TEXT * MEASURED), strict=True):
        wide, tall = figure.width, figure.height
        part = ax.inset_axes(
            (plot.left / wide, 1 - plot.bottom / tall, (plot.right - plot.left) / wide,
             (plot.bottom - plot.top) / tall)
        )  # fmt: skip
        cell = panel.cell
        alone = replace(figure, panels=(replace(panel, cell=None),))
        if cell is not None:
            alone = replace(alone, width=cell.right - cell.left, height=cell.bottom - cell.top)
        draw_fitted(part, alone)


def _pen() -> Pen:
    """Return letters as rcParams has them."""

    def points(name: str) -> float:
        return float(FontProperties(size=_RC[name]).get_size_in_points())

    return Pen(
        text=points("font.size"),
        ticks=(points("xtick.labelsize"), points("ytick.labelsize")),
        label=points("axes.labelsize"),
        fonts=tuple(_RC["font.family"]),
    )


def _points(ax: Axes) -> tuple[float, float, float]:
    """Return where axes start from the left, their width and their height, in points."""
    dot = ax.figure.dpi / 72
    return ax.bbox.x0 / dot, ax.bbox.width / dot, ax.bbox.height / dot


def _slot(ax: Axes) -> tuple[float, float]:
    """Return the ends of the column that axes share with their words, in points."""
    spec = ax.get_subplotspec()
    if spec is None:  # placed by hand: what is beside it is not ours
        start, wide, _ = _points(ax)
        return start, start + wide
    pad = 1.1 * _pen().text  # as much as matplotlib leaves between words and the edge
    whole, dot = ax.figure.bbox, ax.figure.dpi / 72
    start, column = whole.x0 / dot, whole.width / dot / spec.get_gridspec().ncols
    return start + spec.colspan.start * column + pad, start + spec.colspan.stop * column - pad


def _short_names(axis: Axis, most: float, size: float) -> Axis:
    """Shorten the names of rows to so many points; the value behind a name is kept."""
    return replace(
        axis, ticks=tuple(Tick(t.at, _shortened(t.label, most, size)) for t in axis.ticks)
    )


def _shortened(label: str, most: float, size: float) -> str:
    name, blank, value = label.partition("\u2002")
    letters = len(name)
    while letters > _FEWEST and layout.text_width(name + blank + value, size) > most:
        letters -= 1
        name = short_name(name, letters)
    return name + blank + value


def _least_step(axis: Axis) -> float:
    """Return the least distance of two ticks, as a share of the axis."""
    places = sorted(axis.share(tick.at) for tick in axis.ticks)
    return min((b - a for a, b in pairwise(places)), default=1.0)


def _let_it_fit(sheet: Sheet) -> None:
    """Have matplotlib make room for words, unless the caller has placed the axes."""
    placed = any(
        getattr(sheet.subplotpars, side) != _RC[f"figure.subplot.{side}"]
        for side in ("left", "right", "bottom", "top", "wspace", "hspace")
    ) or not all(each.get_subplotspec() for each in sheet.axes)
    if sheet.get_layout_engine() is None and not placed:
        sheet.set_layout_engine("tight")


def _broken(text: str, wide: float, size: float) -> str:
    return "\n".join(layout.wrapped(text.replace("\n", " "), wide, size))


def _keep_apart(ax: Axes) -> None:
    """Move words until they cover no others and none reaches over the end.

    Words above the axes stay above, those to the right on the right, and strong ones come first.
    Only words to the right ask for width; for the height of those above a blank does.
    """
    frame, dot = ax.bbox, ax.figure.dpi / 72
    all_words = [text for text in ax.texts if isinstance(text, Annotation)]
    written = [text for text in all_words if text.get_label() == _MOVED]
    end = max(frame.x1, _slot(ax)[1] * dot)
    highest, taken = frame.y1, list[Bbox]()

    def beyond(box: Bbox) -> bool:
        return bool(box.x0 >= frame.x1 - dot)

    def place(each: tuple[Annotation, Bbox]) -> tuple[bool, bool, float]:
        text, box = each
        plain = not beyond(box) and text.get_fontweight() != "bold"
        return not beyond(box), plain, abs(frame.y1 - box.y0)

    for text, box in sorted(((text, text.get_window_extent()) for text in written), key=place):
        above = bool((box.y0 + box.y1) / 2 > frame.y1)
        text.set_in_layout(beyond(box) and not above)
        shift = 0.0 if beyond(box) else max(frame.x0 - box.x0, 0.0) or min(end - box.x1, 0.0)
        tried = (box.translated(shift, up) for up in _steps(box, frame, above=above))
        free = (moved for moved in tried if not moved.count_overlaps(taken))
        moved = next(free, box.translated(shift, 0.0))
        x, y = map(float, text.xyann)
        text.xyann = (x + (moved.x0 - box.x0) / dot, y + (moved.y0 - box.y0) / dot)
        taken.append(moved.padded(box.height if above else -_OVERLAP * dot, -_OVERLAP * dot))
        highest = max(highest, float(moved.y1))
    for text in all_words:
        if text.get_label() == _ROOM:
            text.remove()
    if highest > frame.y1:
        up = (0.0, (highest - frame.y1) / dot)
        blank = ax.annotate(" ", (0, 1), up, "axes fraction", "offset points", va="top")
        blank.set_label(_ROOM)


def _steps(box: Bbox, frame: Bbox, *, above: bool) -> Iterator[float]:
    """Yield how far words may move, the nearest place first."""
    step = box.height / 4
    if above:
        least = max(frame.y1 - box.y0, 0.0)
        yield from (least + k * step for k in range(24))
        return
    for k in range(1 + int(2 * frame.height / step)):
        up = (k + 1) // 2 * step * (-1 if k % 2 else 1)
        if k == 0 or (frame.y0 <= box.y0 + up and box.y1 + up <= frame.y1):
            yield up
