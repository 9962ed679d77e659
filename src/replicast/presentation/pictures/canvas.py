"""Figures drawn by matplotlib, for files, for notebooks and windows."""

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from replicast.errors import require_instance
from replicast.presentation.pictures import layout
from replicast.presentation.pictures.figure import (
    TEXT,
    Axis,
    Bar,
    Dots,
    Figure,
    Key,
    Label,
    Line,
    Mark,
    Panel,
    Rule,
    Spots,
)
from replicast.presentation.pictures.palette import light

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Sheet
    from matplotlib.text import Annotation

_POINT = 0.75  # points of a pixel
MEASURED = 1.06  # how much wider than estimated letters may be
_INCH = 1 / 96
_MARKERS = {
    "disc": "o", "ring": "o", "cross": "x", "square": "s", "diamond": "D", "left": "<", "right": ">",
}  # fmt: skip
_OPEN = ("ring", "cross")
_LINE = 18  # pixels of a line above or below the axes
_FONTS = (
    "DejaVu Sans", "Noto Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans Arabic",
    "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Thai", "Noto Emoji", "WenQuanYi Zen Hei",
    "Arial Unicode MS", "Hiragino Sans", "Yu Gothic", "Microsoft YaHei", "Malgun Gothic",
    "Segoe UI Emoji",
)  # fmt: skip


def draw(figure: Figure, ax: "Axes | None" = None) -> "Axes":
    """Draw a figure on a sheet of its own, or into the room of axes that are given."""
    if ax is None:
        return draw_sheet(figure, _shown_sheet).axes[0]
    from matplotlib.axes import Axes

    from replicast.presentation.pictures.fitting import draw_fitted, draw_parts

    require_instance(ax, Axes, "ax", "Leave it out for a figure of its own")
    if len(figure.panels) > 1:
        draw_parts(ax, figure)
    else:
        draw_fitted(ax, figure)
    return ax


def draw_sheet(figure: Figure, new_sheet: "Callable[..., Sheet] | None" = None) -> "Sheet":
    """Draw a figure with its title above and its note below; without `new_sheet`, unseen."""
    from matplotlib.figure import Figure as Sheet

    parts, pen = _parts(figure), _sheet_pen()
    width, height = figure.width, parts.height
    size = (width * _INCH, height * _INCH)
    sheet = (new_sheet or Sheet)(figsize=size, facecolor=light("card"))

    def write(x: float, y: float, text: str) -> None:
        look = words("soft", (TEXT - 1) * _POINT)
        sheet.text(x / width, 1 - y / height, known(text), va="center", **look)

    for panel, plot in zip(figure.panels, layout.plots(figure, TEXT * MEASURED), strict=True):
        wide, tall = plot.right - plot.left, plot.bottom - plot.top
        bottom = 1 - (parts.above + plot.bottom) / height
        ax = sheet.add_axes((plot.left / width, bottom, wide / width, tall / height))
        draw_marks(ax, panel, pen)
        draw_words(ax, panel, pen)
        dress(ax, panel, pen)
        if panel is figure.panels[0] and parts.titles:
            look = words("ink", (TEXT + 1) * _POINT, strong=True)
            look |= {"x": (5 - plot.left) / wide, "y": 1 + (plot.top + parts.above - 3) / tall}
            ax.set_title(known("\n".join(parts.titles)), loc="left", va="top", pad=0, **look)
    for row, placed in enumerate(parts.keys):
        for x, key in placed:
            y = parts.headed + _LINE * (row + 0.4)
            sheet.add_artist(_key_mark(x, y, key, (width, height)))
            write(x + 14, y, key.text)
    for row, line in enumerate(parts.notes):
        write(5, parts.above + figure.height + 10 + _LINE * row, line)
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


class _Parts(NamedTuple):
    titles: list[str]
    notes: list[str]
    keys: list[list[tuple[float, Key]]]
    headed: float  # pixels of the title
    above: float  # pixels of title and keys
    height: float


def _parts(figure: Figure) -> _Parts:
    titles = layout.wrapped(figure.title, figure.width - 10, (TEXT + 1) * 1.1)
    notes = layout.wrapped(figure.note, figure.width - 10, TEXT - 1)
    keys = _key_rows(figure)
    headed = _LINE * len(titles) + 8 * bool(titles)
    above = headed + _LINE * len(keys)
    height = figure.height + above + _LINE * len(notes) + 8 * bool(notes)
    return _Parts(titles, notes, keys, headed, above, height)


def _key_rows(figure: Figure) -> list[list[tuple[float, Key]]]:
    rows: list[list[tuple[float, Key]]] = []
    x = figure.width
    for key in figure.keys:
        width = 34 + layout.text_width(key.text, TEXT - 1)
        if x + width > figure.width:
            rows.append([])
            x = 12.0
        rows[-1].append((x, key))
        x += width
    return rows


def _key_mark(left: float, top: float, key: Key, size: tuple[float, float]) -> Any:
    from matplotlib.lines import Line2D

    width, height = size
    x, y = left / width, 1 - top / height
    if key.shape == "line" or key.shape == "dashes":  # mypy narrows these, not `in`
        dash: Any = "-" if key.shape == "line" else (0, (3, 2))
        ends = [x - 4 / width, x + 6 / width]
        return Line2D(ends, [y, y], color=light(key.tone), linewidth=2, linestyle=dash)
    return Line2D([x], [y], **_marker(Dots((), (), key.tone, 4, key.shape), _SHEET))


class Pen(NamedTuple):
    """What is drawn and written with, all in points: of a pixel of the drawing, and of letters."""

    point: float = _POINT
    text: float = TEXT * _POINT
    ticks: tuple[float, float] = (TEXT * _POINT, TEXT * _POINT)  # of the level axis and the upright
    label: float = TEXT * _POINT  # of the level axis
    fonts: tuple[str, ...] = ()  # before our own

    def letters(self, size: float) -> float:
        """Return the size of letters; small ones belong to the drawing and grow with it."""
        return size * (self.text / TEXT if size >= TEXT else self.point)


_SHEET = Pen()


def _sheet_pen() -> Pen:
    """Return what a file is written with: the reader's own fonts where rcParams names some."""
    from matplotlib import rcParams, rcParamsDefault

    family = list(rcParams["font.family"])
    return _SHEET if family == list(rcParamsDefault["font.family"]) else Pen(fonts=tuple(family))


def words(
    tone: Any, size: float, *, strong: bool = False, fonts: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return how letters of so many points look; names are no formulas."""
    return {
        "color": light(tone), "fontsize": size, "fontfamily": [*fonts, *_fonts()],
        "fontweight": "bold" if strong else "normal", "parse_math": False, "usetex": False,
    }  # fmt: skip


@lru_cache(maxsize=1)
def _fonts() -> tuple[str, ...]:
    from matplotlib import font_manager

    there = set(font_manager.fontManager.get_font_names())
    return tuple(name for name in _FONTS if name in there) or ("sans-serif",)


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    from matplotlib import font_manager

    paths = [font_manager.findfont(name) for name in _fonts()]
    return frozenset(code for path in paths for code in font_manager.get_font(path).get_charmap())


def known(text: str) -> str:
    """Put a square where no font has the letter; matplotlib would draw one too, and warn."""
    return "".join(c if c == "\n" or ord(c) in _glyphs() else "□" for c in text)


def draw_marks(ax: "Axes", panel: Panel, pen: Pen) -> None:
    """Draw everything but words."""
    for order, mark in enumerate(panel.marks, start=2):
        _draw_mark(ax, mark, order, pen)


def draw_words(ax: "Axes", panel: Panel, pen: Pen) -> "list[Annotation]":
    """Write the words among the marks and those above the axes."""
    written = []
    for order, mark in enumerate(panel.marks, start=2):
        if isinstance(mark, Rule) and mark.label:
            written.append(_write(ax, layout.rule_label(panel, mark), order, pen))
        elif isinstance(mark, Label):
            written.append(_write(ax, mark, order, pen))
    for above, label in layout.heading_rows(panel):
        written.append(_write(ax, replace(label, dy=above), 9, pen))
    return written


def _draw_mark(ax: "Axes", mark: Mark, order: int, pen: Pen) -> None:
    match mark:
        case Line():
            caps = "round" if mark.rounded else "butt"
            ax.plot(
                mark.x, mark.y, color=light(mark.tone), linewidth=mark.width * pen.point,
                linestyle=(0, (3, 3)) if mark.dashed else "-", alpha=mark.opacity, clip_on=False,
                solid_capstyle=caps, zorder=order,
            )  # fmt: skip
        case Bar():
            ax.fill_between(mark.x, *mark.y, color=light(mark.tone), alpha=mark.opacity,
                            linewidth=0, zorder=order)  # fmt: skip
        case Dots() if len(mark.x):  # matplotlib takes an empty line for a point in the corner
            ax.plot(mark.x, mark.y, **_marker(mark, pen), zorder=order, clip_on=False)
        case Rule():
            along = ax.axhline if mark.level else ax.axvline
            along(mark.at, color=light(mark.tone), linewidth=pen.point * 1.2, zorder=order,
                  linestyle=(0, (3, 3)) if mark.dashed else "-")  # fmt: skip
        case Dots() | Label() | Spots():
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


def _write(ax: "Axes", label: Label, order: int, pen: Pen) -> "Annotation":
    from matplotlib.patheffects import withStroke

    size = pen.letters(label.size)
    offset = size / label.size  # points of a pixel beside these letters
    return ax.annotate(
        known(label.text), (label.x, label.y), xytext=(label.dx * offset, label.dy * offset),
        xycoords="data" if label.of == "data" else "axes fraction", textcoords="offset points",
        ha={"start": "left", "middle": "center", "end": "right"}[label.anchor], va="center",
        annotation_clip=False,
        zorder=order,
        path_effects=[withStroke(linewidth=3, foreground=light("card"))] if label.halo else None,
        **words(label.tone, size, strong=label.strong, fonts=pen.fonts),
    )  # fmt: skip


def dress(ax: "Axes", panel: Panel, pen: Pen) -> None:
    """Set ends, ticks, lines and the label of the axes."""
    for side, shown in (("left", panel.y.line and bool(panel.y.ticks)), ("bottom", panel.x.line),
                        ("top", False), ("right", False)):  # fmt: skip
        ax.spines[side].set_visible(shown)
        ax.spines[side].set_color(light("line"))
    for name, axis in (("x", panel.x), ("y", panel.y)):
        _set_axis(ax, name, axis, pen)
    ax.tick_params(axis="y", length=0, pad=6 * _POINT)
    ax.tick_params(axis="x", color=light("soft"), length=4 * _POINT)


def _set_axis(ax: "Axes", name: str, axis: Axis, pen: Pen) -> None:
    from matplotlib.ticker import NullLocator

    own: Any = getattr(ax, f"{name}axis")
    getattr(ax, f"set_{name}scale")(axis.scale)
    getattr(ax, f"set_{name}lim")(axis.start, axis.stop)
    tone = "ink" if name == "y" and not axis.line and not axis.grid else "soft"
    size = pen.ticks[name == "y"]
    ticks = axis.ticks
    if name == "x":
        sheet = ax.get_figure(root=True)
        wide = ax.bbox.width / (100.0 if sheet is None else sheet.dpi) / _INCH
        ticks = tuple(layout.shown_ticks(axis, wide, size / _POINT * MEASURED))
    own.set_ticks(
        [tick.at for tick in ticks],
        [known(tick.label) for tick in ticks],
        **words(tone, size, fonts=pen.fonts),
    )
    own.set_minor_locator(NullLocator())
    if axis.grid:
        ax.grid(axis=name, color=light("line"), linewidth=_POINT, zorder=0)  # type: ignore[arg-type]  # x or y
        ax.set_axisbelow(True)
    if name == "x" and axis.label:
        look = words("soft", pen.label, fonts=pen.fonts)
        ax.set_xlabel(known(axis.label), labelpad=4 * _POINT, **look)
