"""An audit as a picture: the p-values of all reruns."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from replicast.presentation.pictures.comparison import ACCENT, INK, LINE, MUTED, new_axes
from replicast.presentation.words.audit import agreement_words
from replicast.replicability.procedures import PROCEDURES
from replicast.replicability.records import Replicability

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_audit(
    found: Mapping[str, Replicability], dataset: str, *, ax: "Axes | None" = None
) -> "Axes":
    """Draw the p-values of all reruns, one line for each test."""
    ax = new_axes(7.6, 0.42 * len(found) + 1.4) if ax is None else ax
    level = next(iter(found.values())).significance
    for position, item in enumerate(found.values()):
        p = np.maximum(np.array(item.pvalues).ravel(), 1e-6)
        height = np.full(len(p), -position, dtype=float)
        ax.plot([p.min(), p.max()], [-position, -position], color=LINE, linewidth=5, zorder=1)
        ax.plot(p, height, "o", color=ACCENT, alpha=0.6, markersize=6, zorder=2,
                markeredgecolor="white", markeredgewidth=0.5)  # fmt: skip
        ax.annotate(agreement_words(item), (1.02, -position), xycoords=("axes fraction", "data"),
                    va="center", color=INK, fontsize=9)  # fmt: skip
    ax.axvline(level, color=MUTED, linewidth=1, linestyle=(0, (3, 3)))
    ax.set_xscale("log")
    low = min(np.array(item.pvalues).min() for item in found.values())
    ax.set_xlim(max(1e-6, low) / 1.6, 1.3)
    ticks = [t for t in (1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.2, 1.0) if t >= ax.get_xlim()[0]]
    ax.set_xticks(ticks, [f"{t:g}" for t in ticks])
    ax.minorticks_off()
    ax.set_yticks([-i for i in range(len(found))], [PROCEDURES[name].title for name in found])
    for side in ("left", "top", "right"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(LINE)
    ax.tick_params(colors=MUTED, labelsize=9, length=0)
    ax.set_xlabel("p-value · a dot is a rerun; right: how often two reruns agree", color=MUTED,
                  fontsize=9)  # fmt: skip
    ax.set_title(f"The same test on the same data, other partitions · {dataset}", loc="left",
                 color=INK, fontsize=11, fontweight="bold")  # fmt: skip
    return ax
