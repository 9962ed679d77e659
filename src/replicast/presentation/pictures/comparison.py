"""Pictures of results: they draw what results know."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from replicast.comparison.records import Comparison
from replicast.design import Datasets, Holdout, describe_design
from replicast.formatting import format_difference
from replicast.presentation.words.comparison import score_unit
from replicast.results import Power

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, MUTED, ACCENT, BAND, LINE = "#1a2332", "#5b6675", "#1f5fb0", "#bcd3ef", "#d5dae0"


def new_axes(width: float = 7.2, height: float = 2.2) -> "Axes":
    """Return fresh axes without a window."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    return figure.add_subplot()


def plot_differences(
    comparison: Comparison, *, ax: "Axes | None" = None, confidence: float = 0.95
) -> "Axes":
    """Draw every difference as a dot, the mean, and the interval of the mean.

    Dots to the right of zero are test sets on which the first classifier was better.
    """
    ax = new_axes() if ax is None else ax
    scores = comparison.scores
    unit = score_unit(scores)
    scale = 100.0 if unit == "fraction" else 1.0
    low, high = comparison.difference.confidence_interval(confidence)
    mean = comparison.difference.estimate
    ax.plot(
        [low * scale, high * scale],
        [0, 0],
        color=BAND,
        linewidth=16,
        solid_capstyle="butt",
        zorder=1,
    )
    values = scores.differences * scale
    ax.plot(
        values,
        stack_dots(values),
        "o",
        color=ACCENT,
        alpha=0.75,
        markersize=6,
        zorder=3,
        markeredgecolor="white",
        markeredgewidth=0.6,
    )
    ax.plot([mean * scale, mean * scale], [-1.3, 1.3], color=INK, linewidth=2, zorder=2)
    ax.axvline(0, color=MUTED, linewidth=1, linestyle=(0, (3, 3)), zorder=0)
    first, second = scores.names
    reach = max(abs(low * scale), abs(high * scale), np.abs(values).max()) * 1.08 or 1.0
    ax.set_xlim(-reach, reach)
    ax.set_ylim(-1.6, 1.6)
    ax.set_yticks([])
    for side in ("left", "top", "right"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(LINE)
    ax.tick_params(axis="x", colors=MUTED, labelsize=9)
    ax.annotate(
        f"← {second} better",
        (0.0, 1.0),
        xycoords="axes fraction",
        ha="left",
        va="top",
        color=MUTED,
        fontsize=9,
    )
    ax.annotate(
        f"{first} better →",
        (1.0, 1.0),
        xycoords="axes fraction",
        ha="right",
        va="top",
        color=MUTED,
        fontsize=9,
    )
    noun = {Datasets: "dataset", Holdout: "case"}.get(type(scores.design), "fold")
    axis = "difference in points" if unit != "score" else "difference in score"
    ax.set_xlabel(
        f"{axis} · a dot is a {noun}, the bar the {confidence:.0%} interval of the mean",
        color=MUTED,
        fontsize=9,
    )
    ax.set_title(
        f"{first} − {second}: {format_difference(mean, unit)}  ({describe_design(scores.design)})",
        loc="left",
        color=INK,
        fontsize=11,
        fontweight="bold",
    )
    return ax


def stack_dots(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spread dots that would hide each other alternately above and below the line."""
    width = np.ptp(values) / 55
    heights = np.zeros(len(values))
    group: list[int] = []
    for index in [*np.argsort(values, kind="stable"), None]:
        if index is not None and (not group or values[index] - values[group[0]] <= width):
            group.append(int(index))
            continue
        steps = np.arange(len(group))
        heights[group] = (steps + 1) // 2 * np.where(steps % 2, 1, -1) * min(0.22, 2.2 / len(group))
        group = [] if index is None else [int(index)]
    return heights


def plot_power(
    rows: Sequence[Sequence[Power]], *, ax: "Axes | None" = None, point: Power | None = None
) -> "Axes":
    """Draw power against effect, one line a design, and mark the power of a case if given."""
    ax = new_axes(6.4, 4.0) if ax is None else ax
    shades = np.linspace(0.35, 1.0, max(len(rows), 2))
    for shade, row in zip(shades, rows, strict=False):
        effects = [item.effect for item in row]
        ax.plot(
            effects, [item.power for item in row], color=ACCENT, alpha=float(shade), linewidth=2
        )
        ax.annotate(
            describe_design(row[-1].design),
            (effects[-1], row[-1].power),
            fontsize=9,
            color=MUTED,
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
        )
    if point is not None:
        ax.plot([point.effect], [point.power], "o", color=INK, markersize=7, zorder=3)
    ax.axhline(0.8, color=MUTED, linewidth=1, linestyle=(0, (3, 3)))
    ax.set_ylim(0, 1.02)
    ax.set_xlabel("true effect d'", color=MUTED, fontsize=9)
    ax.set_ylabel("power", color=MUTED, fontsize=9)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.tick_params(colors=MUTED, labelsize=9)
    return ax
