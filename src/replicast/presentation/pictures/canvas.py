"""Figures drawn by matplotlib, for files and for axes of the caller's own."""

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from replicast.errors import require_instance
from replicast.presentation.pictures import layout
from replicast.presentation.pictures.figure import (
    TEXT,
    Axis,
    Band,
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

_POINT = 0.75  # points of a pixel
_MEASURED = TEXT * 1.06
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
    """Draw a figure of one panel, on axes of its own unless some are given."""
    if ax is None:
        return draw_sheet(figure).axes[0]
    from matplotlib.axes import Axes

    require_instance(ax, Axes, "ax", "Leave it out for a figure of its own")
    (panel,) = figure.panels
    _draw_panel(ax, panel)
    ax.set_title(_known(figure.title), loc="left", **_words("ink", TEXT + 1, strong=True))
    return ax


def draw_sheet(figure: Figure) -> "Sheet":
    """Draw a figure with its title above and its note below, without a window."""
    from matplotlib.figure import Figure as Sheet

    titles = layout.wrapped(figure.title, figure.width - 10, (TEXT + 1) * 1.1)
    notes = layout.wrapped(figure.note, figure.width - 10, TEXT - 1)
    keys = _key_rows(figure)
    headed = _LINE * len(titles) + 8 * bool(titles)
    above = headed + _LINE * len(keys)
    height = figure.height + above + _LINE * len(notes) + 8 * bool(notes)
    sheet = Sheet(figsize=(figure.width * _INCH, height * _INCH), facecolor=light("card"))
    for panel, plot in zip(figure.panels, layout.plots(figure, _MEASURED), strict=True):
        width, tall = plot.right - plot.left, plot.bottom - plot.top
        ax = sheet.add_axes(
            (plot.left / figure.width, 1 - (above + plot.bottom) / height,
             width / figure.width, tall / height)
        )  # fmt: skip
        _draw_panel(ax, panel)
        if panel is figure.panels[0] and titles:
            look = _words("ink", TEXT + 1, strong=True)
            ax.set_title(_known("\n".join(titles)), loc="left", x=(5 - plot.left) / width,
                         y=1 + (plot.top + above - 3) / tall, va="top", pad=0, **look)  # fmt: skip

    def write(x: float, y: float, text: str) -> None:
        look = _words("soft", TEXT - 1)
        sheet.text(x / figure.width, 1 - y / height, _known(text), va="center", **look)

    for row, placed in enumerate(keys):
        for x, key in placed:
            y = headed + _LINE * (row + 0.4)
            sheet.add_artist(_key_mark(x / figure.width, 1 - y / height, key))
            write(x + 14, y, key.text)
    for row, line in enumerate(notes):
        write(5, above + figure.height + 10 + _LINE * row, line)
    return sheet


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


def _key_mark(x: float, y: float, key: Key) -> Any:
    from matplotlib.lines import Line2D

    if key.shape == "line" or key.shape == "dashes":  # mypy narrows these, not `in`
        dash: Any = "-" if key.shape == "line" else (0, (3, 2))
        return Line2D([x - 0.008, x + 0.012], [y, y], color=light(key.tone), linewidth=2,
                      linestyle=dash)  # fmt: skip
    return Line2D([x], [y], **_marker(Dots((), (), key.tone, 4, key.shape)))


def _words(tone: Any, size: float, *, strong: bool = False) -> dict[str, Any]:
    return {
        "color": light(tone), "fontsize": size * _POINT, "fontfamily": list(_fonts()),
        "fontweight": "bold" if strong else "normal", "parse_math": False,
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


def _known(text: str) -> str:
    """Put a square where no font has the letter; matplotlib would draw one too, and warn."""
    return "".join(c if c == "\n" or ord(c) in _glyphs() else "□" for c in text)


def _draw_panel(ax: "Axes", panel: Panel) -> None:
    for order, mark in enumerate(panel.marks, start=2):
        _draw_mark(ax, panel, mark, order)
    _dress(ax, panel)


def _draw_mark(ax: "Axes", panel: Panel, mark: Mark, order: int) -> None:
    match mark:
        case Line():
            caps = "round" if mark.rounded else "butt"
            ax.plot(
                mark.x, mark.y, color=light(mark.tone), linewidth=mark.width * _POINT, zorder=order,
                linestyle=(0, (3, 3)) if mark.dashed else "-", alpha=mark.opacity, clip_on=False,
                solid_capstyle=caps,
            )  # fmt: skip
        case Band():
            ax.fill_between(mark.x, mark.low, mark.high, color=light(mark.tone), zorder=order,
                            alpha=mark.opacity, linewidth=0)  # fmt: skip
        case Bar():
            ax.fill_between(mark.x, *mark.y, color=light(mark.tone), alpha=mark.opacity,
                            linewidth=0, zorder=order)  # fmt: skip
        case Dots():
            ax.plot(mark.x, mark.y, **_marker(mark), zorder=order, clip_on=False)
        case Rule():
            along = ax.axhline if mark.level else ax.axvline
            along(mark.at, color=light(mark.tone), linewidth=_POINT * 1.2, zorder=order,
                  linestyle=(0, (3, 3)) if mark.dashed else "-")  # fmt: skip
            if mark.label:
                _write(ax, layout.rule_label(panel, mark), order)
        case Label():
            _write(ax, mark, order)
        case Spots():
            return


def _marker(mark: Dots) -> dict[str, Any]:
    return {
        "linestyle": "", "marker": _MARKERS[mark.shape], "markersize": 2 * mark.radius * _POINT,
        "color": light(mark.tone), "alpha": mark.opacity,
        "markerfacecolor": light("card" if mark.shape == "ring" else mark.tone),
        "markeredgewidth": 1.4 * _POINT if mark.shape in _OPEN else 0,
    }  # fmt: skip


def _write(ax: "Axes", label: Label, order: int) -> None:
    from matplotlib.patheffects import withStroke

    ax.annotate(
        _known(label.text), (label.x, label.y), xytext=(label.dx * _POINT, label.dy * _POINT),
        xycoords="data" if label.of == "data" else "axes fraction", textcoords="offset points",
        ha={"start": "left", "middle": "center", "end": "right"}[label.anchor], va="center",
        annotation_clip=False,
        zorder=order,
        path_effects=[withStroke(linewidth=3, foreground=light("card"))] if label.halo else None,
        **_words(label.tone, label.size, strong=label.strong),
    )  # fmt: skip


def _dress(ax: "Axes", panel: Panel) -> None:
    for side, shown in (("left", panel.y.line and bool(panel.y.ticks)), ("bottom", panel.x.line),
                        ("top", False), ("right", False)):  # fmt: skip
        ax.spines[side].set_visible(shown)
        ax.spines[side].set_color(light("line"))
    for name, axis in (("x", panel.x), ("y", panel.y)):
        _set_axis(ax, name, axis)
    ax.tick_params(axis="y", length=0, pad=6 * _POINT)
    ax.tick_params(axis="x", color=light("soft"), length=4 * _POINT)
    for above, label in layout.heading_rows(panel):
        _write(ax, replace(label, dy=above), 9)


def _set_axis(ax: "Axes", name: str, axis: Axis) -> None:
    own: Any = getattr(ax, f"{name}axis")
    getattr(ax, f"set_{name}scale")(axis.scale)
    getattr(ax, f"set_{name}lim")(axis.start, axis.stop)
    look = _words("ink" if name == "y" and not axis.line and not axis.grid else "soft", TEXT)
    ticks = axis.ticks
    if name == "x":
        ticks = tuple(layout.shown_ticks(axis, ax.bbox.width / _dpi(ax) / _INCH, _MEASURED))
    own.set_ticks([tick.at for tick in ticks], [_known(tick.label) for tick in ticks], **look)
    own.set_minor_locator(_no_locator())
    if axis.grid:
        ax.grid(axis=name, color=light("line"), linewidth=_POINT, zorder=0)  # type: ignore[arg-type]  # x or y
        ax.set_axisbelow(True)
    if name == "x" and axis.label:
        ax.set_xlabel(_known(axis.label), labelpad=4 * _POINT, **_words("soft", TEXT))


def _dpi(ax: "Axes") -> float:
    sheet = ax.get_figure(root=True)
    return 100.0 if sheet is None else sheet.dpi


def _no_locator() -> Any:
    from matplotlib.ticker import NullLocator

    return NullLocator()
