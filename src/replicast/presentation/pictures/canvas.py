"""Figures drawn by matplotlib, for files, for notebooks and windows, and on axes of the caller's own."""

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from replicast.errors import invalid, require_instance
from replicast.presentation.pictures.figure import (
    TEXT,
    Anchor,
    Axis,
    Bar,
    Cell,
    Dots,
    Figure,
    Label,
    Line,
    Mark,
    Panel,
    Rule,
    Spots,
    Tick,
)
from replicast.presentation.pictures.layout import Plot, in_frame, plots, wrapped
from replicast.presentation.pictures.palette import Tone, light

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Sheet

MARGIN = 5.0  # pixels beside a figure in a file
_POINT = 0.75  # points of a pixel
_INCH = 1 / 96
_LINE = 18  # pixels of a line above or below the axes
_LEAST = 4.0  # points of the smallest letters
_AROUND = (
    0.5  # points around words that nothing is drawn on; an outline would make paths of letters
)
_WORD = "_replicast-word"  # a mark of our words; legends skip it
_MARKERS = {
    "disc": "o",
    "ring": "o",
    "cross": "x",
    "square": "s",
    "diamond": "D",
    "left": "<",
    "right": ">",
}
_OPEN = ("ring", "cross")
_SIDES: dict[Anchor, Any] = {"start": "left", "middle": "center", "end": "right"}
_DASHES: Any = (0, (3, 3))
_FONTS = """
DejaVu Sans, Noto Sans, Noto Sans CJK JP, Noto Sans CJK SC, Noto Sans Arabic, Noto Sans Hebrew,
Noto Sans Devanagari, Noto Sans Thai, Noto Emoji, WenQuanYi Zen Hei, Arial Unicode MS,
Hiragino Sans, Yu Gothic, Microsoft YaHei, Malgun Gothic, Segoe UI Emoji
"""


class Pen(NamedTuple):
    """What is drawn and written with, in points: a pixel of the drawing, and letters."""

    point: float = _POINT
    text: float = TEXT * _POINT
    ticks: tuple[float, float] = (TEXT * _POINT, TEXT * _POINT)  # below the axes, and beside them
    label: float = TEXT * _POINT  # of the level axis
    fonts: tuple[str, ...] = ()  # before our own


def draw(figure: Figure, ax: "Axes | None" = None) -> "Axes":
    """Draw a figure on a sheet of its own, or into the room of axes that are given.

    The caller's figure has its own caption, so axes that are given get neither title nor note.
    """
    if ax is None:
        return draw_sheet(figure, _shown_sheet).axes[0]
    from matplotlib.axes import Axes

    require_instance(ax, Axes, "ax", "Leave it out for a figure of its own")
    sheet = ax.get_figure(root=True)
    if sheet is None:
        raise invalid("ax", "axes of a figure", "axes that were removed from theirs")
    if len(figure.panels) == 1:
        _draw_into(ax, sheet, figure.panels[0], plots(figure)[0].frame)
        return ax
    ax.set_axis_off()
    for panel, plot in zip(figure.panels, plots(figure), strict=True):
        place = _fractions(plot.frame, figure.width, figure.height)
        _draw_into(ax.inset_axes(place), sheet, panel, plot.frame)
    return ax


def draw_sheet(figure: Figure, new_sheet: "Callable[..., Sheet] | None" = None) -> "Sheet":
    """Draw a figure with its title above and its note below; without `new_sheet`, unseen."""
    from matplotlib.figure import Figure as Sheet

    titles = wrapped(figure.title, figure.width, (TEXT + 1) * 1.1)
    notes = wrapped(figure.note, figure.width, TEXT - 1)
    headed = _LINE * len(titles) + 8 * bool(titles)
    named = figure.named
    above = headed + _LINE * len(named)
    width = figure.width + 2 * MARGIN
    height = figure.height + above + _LINE * len(notes) + 8 * bool(notes)
    size = (width * _INCH, height * _INCH)
    sheet = (new_sheet or Sheet)(figsize=size, facecolor=light("card"))
    pen = _sheet_pen()

    def write(x: float, y: float, text: str, **look: Any) -> None:
        sheet.text(x / width, 1 - y / height, printable(text), **look)

    for plot in plots(figure):
        frame = plot.frame
        ax = sheet.add_axes(_fractions(frame.moved(MARGIN, above), width, height))
        _draw_marks(ax, plot, pen)
        _write_words(ax, plot, pen)
        _dress(ax, plot, pen)
    if titles:
        ax, frame = sheet.axes[0], plots(figure)[0].frame
        left = -frame.left / (frame.right - frame.left)
        top = 1 + (frame.top + above - 3) / (frame.bottom - frame.top)
        bold = _look("ink", (TEXT + 1) * _POINT, strong=True)
        text = printable("\n".join(titles))
        ax.set_title(text, loc="left", va="top", pad=0, x=left, y=top, **bold)
    plain = {**_look("soft", (TEXT - 1) * _POINT), "va": "center"}
    for row, (name, mark) in enumerate(named.items()):
        y = headed + _LINE * (row + 0.4)
        sheet.add_artist(_key(mark, 12 / width, 1 - y / height, 5 / width))
        write(26, y, name, **plain)
    for row, line in enumerate(notes):
        write(MARGIN, above + figure.height + 10 + _LINE * row, line, **plain)
    return sheet


def _shown_sheet(**options: Any) -> "Sheet":
    """Return a figure of pyplot where someone may look: it is in use, or a person types.

    Notebooks and prompts set `sys.ps1`. A script that only writes files keeps no figure open.
    """
    from matplotlib.figure import Figure as Sheet

    if "matplotlib.pyplot" in sys.modules or hasattr(sys, "ps1"):
        try:
            from matplotlib import pyplot

            return pyplot.figure(**options)
        except ImportError:  # windows were asked for, and there is no screen
            pass
    return Sheet(**options)


def _key(mark: Line | Bar | Dots, x: float, y: float, half: float) -> "Artist":
    """Return a mark as it stands beside its name."""
    from matplotlib.lines import Line2D

    if isinstance(mark, Line):
        return Line2D([x - half, x + half], [y, y], color=light(mark.tone), linewidth=2)
    shape = "square" if isinstance(mark, Bar) else mark.shape
    return Line2D([x], [y], **_marker(Dots((), (), mark.tone, 4, shape), Pen()))


def _fractions(frame: Cell, width: float, height: float) -> tuple[float, float, float, float]:
    """Return a place in pixels as matplotlib has it: left, bottom, width, height, as shares."""
    wide, tall = frame.right - frame.left, frame.bottom - frame.top
    return frame.left / width, 1 - frame.bottom / height, wide / width, tall / height


# --------------------------------------------------------------------------- axes of the caller's
_DRAWN: "WeakKeyDictionary[Axes, tuple[Panel, Cell]]" = WeakKeyDictionary()


def _draw_into(ax: "Axes", sheet: "Sheet", panel: Panel, drawn: Cell) -> None:
    """Draw a panel on axes that have their place; `drawn` is the frame it was described for."""
    _let_it_fit(sheet)
    _DRAWN[ax] = panel, drawn
    for _ in range(2):  # words take room, and how much they take depends on it
        for each in filter(_DRAWN.__contains__, sheet.findobj(type(ax))):
            _write_again(each)  # those drawn before have less room now
        sheet.draw_without_rendering()
    _draw_marks(ax, *_write_again(ax))


def _write_again(ax: Any) -> tuple[Plot, Pen]:
    """Write the words of a panel where they have room now; return that place and the pen."""
    panel, drawn = _DRAWN[ax]
    for text in list(ax.texts):
        if text.get_label() == _WORD:
            text.remove()
    pen = _pen()
    pixels = 72 / ax.figure.dpi * TEXT / pen.text  # of a dot
    box, top = ax.bbox, ax.figure.bbox.y1
    left, right = box.x0 * pixels, box.x1 * pixels
    frame = Cell(left, right, (top - box.y1) * pixels, (top - box.y0) * pixels)
    scale = min(
        (frame.right - frame.left) / (drawn.right - drawn.left),
        (frame.bottom - frame.top) / (drawn.bottom - drawn.top),
    )
    pen = pen._replace(point=scale * pen.text / TEXT)
    plot = in_frame(panel, frame, _slot(ax, frame))
    _dress(ax, plot, pen)
    _write_words(ax, plot, pen)
    return plot, pen


def _pen() -> Pen:
    """Return letters as rcParams has them."""
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties

    def points(name: Any) -> float:
        return float(FontProperties(size=rcParams[name]).get_size_in_points())

    return Pen(
        text=points("font.size"),
        ticks=(points("xtick.labelsize"), points("ytick.labelsize")),
        label=points("axes.labelsize"),
        fonts=tuple(rcParams["font.family"]),
    )


def _slot(ax: "Axes", frame: Cell) -> Cell:
    """Return the column that axes share with their words; axes placed by hand have their own."""
    spec = ax.get_subplotspec()
    if spec is None:
        return frame
    whole = (frame.right - frame.left) / ax.bbox.width * ax.figure.bbox.width
    column = whole / spec.get_gridspec().ncols
    left, right = spec.colspan.start * column, spec.colspan.stop * column
    pad = 1.1 * TEXT  # as much as matplotlib leaves between words and the edge
    return Cell(left + pad, right - pad, frame.top, frame.bottom)


def _let_it_fit(sheet: "Sheet") -> None:
    """Have matplotlib make room for words, unless the caller has placed the axes."""
    from matplotlib import rcParams

    rc: Any = rcParams  # its keys are typed one by one
    placed = any(
        getattr(sheet.subplotpars, side) != rc[f"figure.subplot.{side}"]
        for side in ("left", "right", "bottom", "top", "wspace", "hspace")
    ) or not all(each.get_subplotspec() for each in sheet.axes)
    if sheet.get_layout_engine() is None and not placed:
        sheet.set_layout_engine("tight")


# --------------------------------------------------------------------------- letters
def _sheet_pen() -> Pen:
    """Return what a file is written with: the reader's own fonts where rcParams names some."""
    from matplotlib import rcParams, rcParamsDefault

    family = list(rcParams["font.family"])
    return Pen() if family == list(rcParamsDefault["font.family"]) else Pen(fonts=tuple(family))


def _look(
    tone: Tone, size: float, *, strong: bool = False, fonts: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return how letters of so many points look; names are no formulas."""
    return {
        "color": light(tone),
        "fontsize": size,
        "fontfamily": [*fonts, *_fonts()],
        "fontweight": "bold" if strong else "normal",
        "parse_math": False,
        "usetex": False,
    }


@lru_cache(maxsize=1)
def _fonts() -> tuple[str, ...]:
    from matplotlib import font_manager

    there = set(font_manager.fontManager.get_font_names())
    wanted = _FONTS.replace("\n", " ").split(",")
    return tuple(name.strip() for name in wanted if name.strip() in there) or ("sans-serif",)


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    from matplotlib import font_manager

    paths = [font_manager.findfont(name) for name in _fonts()]
    return frozenset(code for path in paths for code in font_manager.get_font(path).get_charmap())


def printable(text: str) -> str:
    """Put a square where no font has the letter; matplotlib would draw one too, and warn."""
    return "".join(c if c == "\n" or ord(c) in _glyphs() else "□" for c in text)


def _write_words(ax: "Axes", plot: Plot, pen: Pen) -> None:
    """Write the words among the marks and those above the axes; small ones grow with the drawing."""
    for label in plot.words:
        large = label.size >= TEXT
        _write(ax, label, label.size * pen.text / TEXT if large else label.size * pen.point, pen)


def _write(ax: "Axes", label: Label, size: float, pen: Pen) -> None:
    pixel = size / label.size
    around = (
        {"facecolor": light("card"), "edgecolor": "none", "pad": _AROUND} if label.halo else None
    )
    ax.annotate(
        printable(label.text),
        (label.x, label.y),
        xytext=(label.dx * pixel, label.dy * pixel),
        xycoords="data" if label.of == "data" else "axes fraction",
        textcoords="offset points",
        ha=_SIDES[label.anchor],
        va="center",
        annotation_clip=False,
        zorder=4,
        bbox=around,
        label=_WORD,
        **_look(label.tone, size, strong=label.strong, fonts=pen.fonts),
    )


# --------------------------------------------------------------------------- marks and axes
def _draw_marks(ax: "Axes", plot: Plot, pen: Pen) -> None:
    """Draw everything but words."""
    marks = plot.panel.marks
    for place, mark in enumerate(marks):
        for part in plot.rule(mark) if isinstance(mark, Rule) else (mark,):
            _draw_mark(ax, part, 2 + place / len(marks), pen)


def _draw_mark(ax: "Axes", mark: Mark, order: float, pen: Pen) -> None:
    match mark:
        case Line():
            ax.plot(
                mark.x,
                mark.y,
                color=light(mark.tone),
                linewidth=mark.width * pen.point,
                linestyle=_DASHES if mark.dashed else "-",
                solid_capstyle="round" if mark.rounded else "butt",
                alpha=mark.opacity,
                clip_on=False,
                zorder=order,
            )
        case Bar():
            look: dict[str, Any] = {"color": light(mark.tone), "alpha": mark.opacity}
            ax.fill_between(mark.x, *mark.y, linewidth=0, zorder=order, **look)
        case Dots() if len(mark.x):  # matplotlib takes an empty line for a point in the corner
            ax.plot(mark.x, mark.y, **_marker(mark, pen), zorder=order, clip_on=False)
        case Dots() | Label() | Rule() | Spots():
            return


def _marker(mark: Dots, pen: Pen) -> dict[str, Any]:
    return {
        "linestyle": "",
        "marker": _MARKERS[mark.shape],
        "markersize": 2 * mark.radius * pen.point,
        "color": light(mark.tone),
        "alpha": mark.opacity,
        "markerfacecolor": light("card" if mark.shape == "ring" else mark.tone),
        "markeredgewidth": 1.4 * pen.point if mark.shape in _OPEN else 0,
    }


def _dress(ax: "Axes", plot: Plot, pen: Pen) -> None:
    """Set ends, ticks, lines and the label of the axes."""
    x, y = plot.panel.x, plot.panel.y
    shown = {"left": y.line and bool(y.ticks), "bottom": x.line}
    for side in ("left", "bottom", "top", "right"):
        ax.spines[side].set_visible(shown.get(side, False))
        ax.spines[side].set_color(light("line"))
    row = (plot.frame.bottom - plot.frame.top) / max(1, len(y.ticks)) * pen.text / TEXT
    named: Tone = "ink" if not y.line and not y.grid else "soft"
    names = _look(named, min(pen.ticks[1], max(_LEAST, row)), fonts=pen.fonts)
    _set_axis(ax, "y", y, y.ticks, names)
    _set_axis(
        ax, "x", x, [tick for tick, _ in plot.ticks], _look("soft", pen.ticks[0], fonts=pen.fonts)
    )
    for text, (_, anchor) in zip(ax.get_xticklabels(), plot.ticks, strict=True):
        text.set_horizontalalignment(_SIDES[anchor])
    ax.tick_params(axis="y", length=0, pad=6 * _POINT)
    ax.tick_params(axis="x", color=light("soft"), length=4 * _POINT)
    if plot.below:
        below = printable("\n".join(plot.below))
        ax.set_xlabel(below, labelpad=4 * _POINT, **_look("soft", pen.label, fonts=pen.fonts))


def _set_axis(
    ax: "Axes", name: str, axis: Axis, ticks: Sequence[Tick], look: dict[str, Any]
) -> None:
    from matplotlib.ticker import NullLocator

    own: Any = getattr(ax, f"{name}axis")
    getattr(ax, f"set_{name}scale")(axis.scale)
    getattr(ax, f"set_{name}lim")(axis.start, axis.stop)
    own.set_ticks([tick.at for tick in ticks], [printable(tick.label) for tick in ticks], **look)
    own.set_minor_locator(NullLocator())
    if axis.grid:
        ax.grid(axis=name, color=light("line"), linewidth=_POINT, zorder=0)  # type: ignore[arg-type]  # x or y
        ax.set_axisbelow(True)
