"""Pictures of many classifiers: their order with what is not clearly different, and every pair."""

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from replicast.comparison.records import ManyComparison, PairCell
from replicast.formatting import format_difference, format_percent, format_pvalue
from replicast.presentation.pictures.comparison import ACCENT, INK, LINE, MUTED, new_axes
from replicast.presentation.pictures.replication import WARM
from replicast.presentation.words.standings import LONGEST_NAME, many_unit, short_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def groups(result: ManyComparison) -> tuple[tuple[str, ...], ...]:
    """Return the groups of classifiers that are not significantly different from each other.

    Two classifiers share a group exactly if their adjusted p-value is not significant. Groups of
    neighbours in the order come first; a pair that stands apart in it gets a group of its own with
    whoever fits. With a control only its pairs were tested, and there are no groups.

    Examples
    --------
    >>> import numpy as np
    >>> from replicast import Datasets, ScoreTable, compare_many
    >>> best = np.linspace(0.7, 0.9, 9)
    >>> scores = np.array([best, best - np.linspace(-0.01, 0.012, 9), best - 0.1])[:, :, None, None]
    >>> table = ScoreTable(classifiers=("a", "b", "c"), datasets=tuple("123456789"),
    ...                    scores=scores, design=Datasets())
    >>> groups(compare_many(table))
    (('a', 'b'),)
    """
    if result.control is not None:
        return ()
    k = len(result.classifiers)
    place = {name: i for i, name in enumerate(result.classifiers)}
    alike = np.eye(k, dtype=np.bool_)
    for cell in result.pairs:
        i, j = place[cell.first], place[cell.second]
        alike[i, j] = alike[j, i] = not cell.significant
    found = _neighbours(alike)
    open_pairs = alike.copy()
    for members in found:
        open_pairs[np.ix_(members, members)] = False
    for i, j in combinations(range(k), 2):
        if open_pairs[i, j]:
            members = _grow([i, j], alike, open_pairs)
            open_pairs[np.ix_(members, members)] = False
            found.append(members)
    return tuple(tuple(result.classifiers[i] for i in members) for members in found)


def _neighbours(alike: NDArray[np.bool_]) -> list[list[int]]:
    """Return the longest runs of neighbours in which all pairs are alike."""
    runs: list[list[int]] = []
    for start in range(len(alike)):
        stop = start + 1
        while stop < len(alike) and alike[stop, start:stop].all():
            stop += 1
        if stop - start > 1 and (not runs or stop - 1 > runs[-1][-1]):
            runs.append(list(range(start, stop)))
    return runs


def _grow(members: list[int], alike: NDArray[np.bool_], open_pairs: NDArray[np.bool_]) -> list[int]:
    """Add whoever is alike to all members and joins pairs that no group holds yet."""
    while True:
        fits = np.asarray(alike[members].all(axis=0))
        fits[members] = False
        gain = np.where(fits, open_pairs[members].sum(axis=0), 0)
        if gain.max() == 0:
            return sorted(members)
        members = [*members, int(gain.argmax())]


def safe_label(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a short name in which no dollar starts a formula."""
    return short_name(name, longest).replace("$", r"\$")


def plot_critical_difference(result: ManyComparison, *, ax: "Axes | None" = None) -> "Axes":
    """Draw classifiers by mean rank, and join those that are not significantly different.

    A line for each classifier, the best on top. Bars on the right join groups: two classifiers have
    dots on a common bar exactly if their adjusted p-value is not significant. On one dataset the
    mean score takes the place of the rank; with a control, open dots are not clearly different.
    """
    k = len(result.classifiers)
    bars = [[result.classifiers.index(name) for name in members] for members in groups(result)]
    lanes = _lanes(bars)
    width = max(lanes, default=-1) + 1
    ax = new_axes(7.6 + 0.16 * max(0, width - 8), 1.45 + 0.27 * k) if ax is None else ax
    ranked = result.average_ranks is not None
    values = np.array(result.average_ranks if result.average_ranks else result.mean_scores)
    better_left = ranked or not result.greater_is_better
    span = float(np.ptp(values)) or 1.0
    worst = values.max() if better_left else values.min()
    towards = 1.0 if better_left else -1.0
    for row, name in enumerate(result.classifiers):
        ax.plot([worst + towards * span * 2, values[row]], [row, row], color=LINE, linewidth=0.6,
                zorder=1)  # fmt: skip
        ax.plot([values[row]], [row], "o", color=_dot_colour(result, name), markersize=7, zorder=3,
                markerfacecolor=_dot_face(result, name))  # fmt: skip
    room = span * (0.12 + 0.07 * width)
    for rows, lane in zip(bars, lanes, strict=True):
        x = worst + towards * span * (0.12 + 0.07 * lane)
        solid = rows[-1] - rows[0] + 1 == len(rows)
        ax.plot([x, x], [rows[0], rows[-1]], color=ACCENT, zorder=2, solid_capstyle="round",
                linewidth=3.2 if solid else 1.0, linestyle="-" if solid else (0, (2, 2)))  # fmt: skip
        ax.plot([x] * len(rows), rows, "o", color=ACCENT, markersize=4.6, zorder=3)
    ends = (values.min() - 0.06 * span, values.max() + 0.06 * span)
    limits = (ends[0], worst + room) if better_left else (ends[1], worst - room)
    ax.set_xlim(*limits)
    ax.set_ylim(k - 0.4, -0.6)
    _label_rows(ax, result, values)
    _dress_ranks(ax, result, ends, bool(bars))
    return ax


def _lanes(bars: list[list[int]]) -> list[int]:
    """Put each bar into the first lane in which it meets no other."""
    lanes: list[int] = []
    for i, bar in enumerate(bars):
        taken = {lanes[j] for j in range(i) if bars[j][0] <= bar[-1] and bar[0] <= bars[j][-1]}
        lanes.append(next(lane for lane in range(len(bars)) if lane not in taken))
    return lanes


def _dot_colour(result: ManyComparison, name: str) -> str:
    return ACCENT if name == result.control else INK


def _dot_face(result: ManyComparison, name: str) -> str:
    if result.control in (None, name):
        return _dot_colour(result, name)
    return INK if result.pair(str(result.control), name).significant else "white"


def _label_rows(ax: "Axes", result: ManyComparison, values: NDArray[np.float64]) -> None:
    digits = 2 if result.average_ranks is not None else 3
    labels = [
        f"{safe_label(name)}   {value:.{digits}f}"
        for name, value in zip(result.classifiers, values, strict=True)
    ]
    ax.set_yticks(range(len(labels)), labels)
    ax.tick_params(axis="y", length=0, labelsize=9, labelcolor=INK)
    for name, label in zip(result.classifiers, ax.get_yticklabels(), strict=True):
        if name == result.control:
            label.set_color(ACCENT)
            label.set_fontweight("bold")


def _dress_ranks(
    ax: "Axes", result: ManyComparison, ends: tuple[float, float], joined: bool
) -> None:
    from matplotlib.ticker import MaxNLocator

    ticks = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(*ends)
    ax.set_xticks([tick for tick in ticks if ends[0] <= tick <= ends[1]])
    for side in ("left", "top", "right"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(LINE)
    ax.tick_params(axis="x", colors=MUTED, labelsize=9)
    what = "mean rank, 1 is best" if result.average_ranks else f"mean {safe_label(result.metric)}"
    if result.control is not None:
        rule = f"open: not clearly different from {safe_label(result.control, 22)}"
    else:
        rule = "dots on a common bar: not clearly different" if joined else "all pairs differ"
    ax.set_xlabel(
        f"{what}\n{rule} ({result.correction}, level {result.significance:g})",
        color=MUTED, fontsize=9, loc="left",
    )  # fmt: skip
    ax.set_title(_title(result), loc="left", color=INK, fontsize=11, fontweight="bold")


def _title(result: ManyComparison) -> str:
    count = len(result.datasets)
    place = f"{count} datasets" if count > 1 else safe_label(result.datasets[0])
    return f"{len(result.classifiers)} classifiers on {place}"


def plot_comparison_matrix(result: ManyComparison, *, ax: "Axes | None" = None) -> "Axes":
    """Draw every pair as a cell: mean difference, wins / ties / losses, adjusted p, replication.

    The mean difference favours the classifier of the row in blue cells, that of the column in orange
    ones. Bold cells are significant after correction; where the test then favours the other side
    than the mean, the cell says so.
    """
    rows = [result.control] if result.control else list(result.classifiers[:-1])
    columns = [name for name in result.classifiers if name != result.control]
    columns = columns if result.control else columns[1:]
    if ax is None:
        ax = new_axes(max(6.8, 2.6 + 1.02 * len(columns)), 2.3 + 0.74 * len(rows))
    size = _font_size(ax, len(columns), len(rows))
    largest = max(abs(cell.difference) for cell in result.pairs) or 1.0
    unit = many_unit(result)
    for cell in result.pairs:
        x, y = columns.index(cell.second), rows.index(cell.first)
        colour = ACCENT if cell.difference > 0 else WARM
        strength = 0.04 + 0.36 * abs(cell.difference) / largest if cell.difference else 0.0
        ax.fill_between([x - 0.48, x + 0.48], y - 0.46, y + 0.46, color=colour, alpha=strength,
                        linewidth=0)  # fmt: skip
        ax.text(x, y, _cell_text(cell, unit), ha="center", va="center", fontsize=size, color=INK,
                fontweight="bold" if cell.significant else "normal", linespacing=1.25)  # fmt: skip
    ax.set_xlim(-0.55, len(columns) - 0.45)
    ax.set_ylim(len(rows) - 0.45, -0.55)
    ax.set_xticks(
        range(len(columns)), [safe_label(name, 22) for name in columns], rotation=30, ha="left"
    )
    ax.set_yticks(range(len(rows)), [safe_label(str(name), 22) for name in rows])
    ax.xaxis.tick_top()
    ax.tick_params(length=0, labelsize=9, labelcolor=INK)
    for side in ("left", "top", "right", "bottom"):
        ax.spines[side].set_visible(False)
    ax.set_title(f"Row minus column · {_title(result)}", loc="left", color=INK, fontsize=11,
                 fontweight="bold")  # fmt: skip
    ax.set_xlabel(
        "mean difference · won / tied / lost\nadjusted p · chance of replication\n"
        f"bold: significant ({result.correction}, level {result.significance:g})\n"
        "blue: mean favours row",
        color=MUTED, fontsize=9, loc="left",
    )  # fmt: skip
    return ax


def _cell_text(cell: PairCell, unit: str) -> str:
    again = ""
    if cell.replication is not None:
        chance = format_percent(cell.replication).replace("over", ">").replace("under", "<")
        again = f"\nagain {chance}"
    if cell.at_odds:
        again += f"\ntest: {'row' if cell.better == cell.first else 'column'}"
    difference = format_difference(cell.difference, unit).removesuffix(" points")
    sign = "+" if cell.difference > 0 else ""
    return (
        f"{sign}{difference}\n{cell.wins} / {cell.ties} / {cell.losses}\n"
        f"{format_pvalue(cell.adjusted)}{again}"
    )


def _font_size(ax: "Axes", columns: int, rows: int) -> float:
    """Return the size at which four lines of text fit a cell."""
    box = ax.get_position()
    figure = ax.get_figure(root=True)
    width, height = figure.get_size_inches() if figure is not None else (6.4, 4.8)
    wide = box.width * width * 72 / (columns + 0.1) / 8.2
    high = box.height * height * 72 / (rows + 0.1) / 6.6
    return float(np.clip(min(wide, high), 2.0, 8.5))
