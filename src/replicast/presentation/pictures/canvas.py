"""Figures drawn by matplotlib, for files and for axes of the caller's own."""

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

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
from replicast.presentation.pictures.palette import Tone, light

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
    page = new_page(figure.width, _parts(figure).height)
    place(page, figure)
    return page.sheet


class Page(NamedTuple):
    """A sheet of paper, and its size in pixels."""

    sheet: "Sheet"
    width: float
    height: float

    def write(
        self, x: float, y: float, text: str, tone: Tone = "ink", *, size: float = TEXT,
        strong: bool = False,
    ) -> None:  # fmt: skip
        """Write one line at pixels from the left and the top."""
        look = _words(tone, size, strong=strong)
        self.sheet.text(x / self.width, 1 - y / self.height, _known(text), va="center", **look)


def new_page(width: float, height: float) -> Page:
    """Return an empty sheet of so many pixels."""
    from matplotlib.figure import Figure as Sheet

    return Page(
        Sheet(figsize=(width * _INCH, height * _INCH), facecolor=light("card")), width, height
    )


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


def place(page: Page, figure: Figure, left: float = 0.0, top: float = 0.0) -> float:
    """Draw a figure with its title and note on a page; return how many pixels it took."""
    parts = _parts(figure)
    for panel, plot in zip(figure.panels, layout.plots(figure, _MEASURED), strict=True):
        width, tall = plot.right - plot.left, plot.bottom - plot.top
        ax = page.sheet.add_axes(
            ((left + plot.left) / page.width, 1 - (top + parts.above + plot.bottom) / page.height,
             width / page.width, tall / page.height)
        )  # fmt: skip
        _draw_panel(ax, panel)
        if panel is figure.panels[0] and parts.titles:
            look = _words("ink", TEXT + 1, strong=True)
            ax.set_title(_known("\n".join(parts.titles)), loc="left", x=(5 - plot.left) / width,
                         y=1 + (plot.top + parts.above - 3) / tall, va="top", pad=0, **look)  # fmt: skip
    for row, placed in enumerate(parts.keys):
        for x, key in placed:
            y = top + parts.headed + _LINE * (row + 0.4)
            page.sheet.add_artist(_key_mark(page, left + x, y, key))
            page.write(left + x + 14, y, key.text, "soft", size=TEXT - 1)
    for row, line in enumerate(parts.notes):
        y = top + parts.above + figure.height + 10 + _LINE * row
        page.write(left + 5, y, line, "soft", size=TEXT - 1)
    return parts.height


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


def _key_mark(page: Page, left: float, top: float, key: Key) -> Any:
    from matplotlib.lines import Line2D

    x, y = left / page.width, 1 - top / page.height
    if key.shape == "line" or key.shape == "dashes":  # mypy narrows these, not `in`
        dash: Any = "-" if key.shape == "line" else (0, (3, 2))
        ends = [x - 4 / page.width, x + 6 / page.width]
        return Line2D(ends, [y, y], color=light(key.tone), linewidth=2, linestyle=dash)
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
