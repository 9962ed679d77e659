"""Pictures of replication: chance against p-value, the two experiments, and the plan."""

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from replicast.design import Design, describe_design
from replicast.formatting import format_percent
from replicast.presentation.pictures.comparison import ACCENT, BAND, INK, LINE, MUTED, new_axes
from replicast.replication.curves import curve_like, curve_of_design
from replicast.replication.records import Plan, Replication, ReplicationCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WARM = "#b4632a"


def _dress(ax: "Axes", xlabel: str, ylabel: str) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(LINE)
    ax.tick_params(colors=MUTED, labelsize=9)
    ax.set_xlabel(xlabel, color=MUTED, fontsize=9)
    ax.set_ylabel(ylabel, color=MUTED, fontsize=9)


def plot_replication_curve(
    design: Design,
    *,
    significance: float = 0.05,
    model: str | None = None,
    mark: Replication | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the chance of replication against the p-value, calibrated and as published.

    The bands are 95% limits. `mark` puts one result on the calibrated curve, which is then that of
    its test. Else for datasets the test is Wilcoxon's, or with `model` "sign" or "bayesian" a
    count of wins, which has few p-values.
    """
    ax = new_axes(6.8, 4.2) if ax is None else ax
    curve = _curve(design, model, significance, mark)
    x = np.array(curve.pvalues)
    calibrated = curve.low, curve.calibrated, curve.high
    published = curve.as_published_low, curve.as_published, curve.as_published_high
    ax.fill_between(x, calibrated[0], calibrated[2], color=BAND, alpha=0.55, linewidth=0)
    ax.plot(x, published[0], color=WARM, linewidth=0.9, linestyle=(0, (2, 2)))
    ax.plot(x, published[2], color=WARM, linewidth=0.9, linestyle=(0, (2, 2)))
    ax.plot(x, published[1], color=WARM, linewidth=1.6, label="as published (limits dotted)")
    ax.plot(x, calibrated[1], color=ACCENT, linewidth=2.4, label="calibrated (band: its limits)")
    ax.axvline(significance, color=MUTED, linewidth=1, linestyle=(0, (3, 3)))
    ax.annotate(
        f"p = {significance:g}", (significance, 1.03), color=MUTED, fontsize=9, ha="center",
        va="bottom", annotation_clip=False,
    )  # fmt: skip
    if mark is not None:
        inside = max(mark.first_pvalue, float(x.min()))
        ax.plot([inside], [mark.probability], "o", color=INK, markersize=8, zorder=4)
        right = inside > 0.02
        ax.annotate(
            format_percent(mark.probability),
            (inside, mark.probability),
            xytext=(-9 if right else 9, -14),
            textcoords="offset points",
            ha="right" if right else "left",
            color=INK,
            fontsize=10,
            fontweight="bold",
        )
    ax.set_xscale("log")
    ticks = [t for t in (0.0001, 0.001, 0.01, 0.05, 0.2) if t >= x.min() * 0.99]
    ax.set_xticks(ticks, [f"{t:g}" for t in ticks])
    ax.minorticks_off()
    ax.set_ylim(0, 1.02)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
    ax.invert_xaxis()
    _dress(ax, "p-value of the first experiment", "significant again, same direction")
    ax.set_title(
        f"Chance of replication on fresh data · {describe_design(design)}",
        loc="left", color=INK, fontsize=11, fontweight="bold", pad=18,
    )  # fmt: skip
    ax.legend(frameon=False, fontsize=9, labelcolor=MUTED, loc="lower right")
    return ax


def _curve(
    design: Design, model: str | None, significance: float, mark: Replication | None
) -> ReplicationCurve:
    """Return the curve `mark` lies on, or that of the design."""
    if mark is not None and model is None:
        return curve_like(mark.first_result, significance)
    return curve_of_design(design, model, significance)


def plot_two_experiments(found: Replication, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the test statistic if the classifiers were equal, and as the next experiment may see it.

    The shaded part of the second distribution is the chance of replication as published; the
    calibrated one averages over where that distribution may really lie.
    """
    ax = new_axes(6.8, 3.2) if ax is None else ax
    statistic, spread, df, critical = _standard_scale(found)
    top = max(statistic + 4 * spread, 5.0)
    x = np.linspace(-4.5, top, 500)
    null = _density(x, 0.0, 1.0, df)
    shifted = _density(x, statistic, spread, df)
    ax.plot(x, null, color=MUTED, linewidth=1.6)
    ax.plot(x, shifted, color=ACCENT, linewidth=2)
    ax.fill_between(x, shifted, where=(x >= critical).tolist(), color=BAND, linewidth=0)
    ax.axvline(critical, color=INK, linewidth=1.2, linestyle=(0, (3, 3)))
    peak = float(max(null.max(), shifted.max()))
    ax.set_ylim(0, peak * 1.3)
    ax.annotate("equal classifiers", (0, null.max()), xytext=(0, 6), textcoords="offset points",
                ha="right", color=MUTED, fontsize=9)  # fmt: skip
    ax.annotate("next experiment, if the\nobserved effect were true",
                (statistic, shifted.max()), xytext=(6, 4), textcoords="offset points",
                ha="left", color=ACCENT, fontsize=9)  # fmt: skip
    ax.annotate(f"significant: {format_percent(found.as_published)}\ncalibrated: "
                f"{format_percent(found.calibrated)}", (1.0, 0.5), xycoords="axes fraction",
                ha="right", va="top", color=INK, fontsize=10)  # fmt: skip
    ax.set_yticks([])
    _dress(ax, f"test statistic · significant beyond {critical:.2f}", "")
    ax.spines["left"].set_visible(False)
    ax.set_title(f"The result and its repeat · {describe_design(found.design)}", loc="left",
                 color=INK, fontsize=11, fontweight="bold")  # fmt: skip
    return ax


def _standard_scale(found: Replication) -> tuple[float, float, float | None, float]:
    """Return statistic, its spread, degrees of freedom and critical value of the first test."""
    if found.model in ("corrected-t", "paired-t"):
        df = float((found.design.n_scores or 2) - 1)
        statistic = -float(special.stdtrit(df, found.first_pvalue / 2))
        return statistic, 1.0, df, -float(special.stdtrit(df, found.significance / 2))
    spread = 1.0 if found.spread is None else max(found.spread.value, 0.05)
    statistic = -float(special.ndtri(found.first_pvalue / 2))
    return statistic, spread, None, -float(special.ndtri(found.significance / 2))


def _density(x: Any, centre: float, spread: float, df: float | None) -> Any:
    """Return the density of the statistic: a noncentral t, or a normal of this spread."""
    if df is None:
        return np.exp(-(((x - centre) / spread) ** 2) / 2) / (spread * np.sqrt(2 * np.pi))
    step = 1e-3
    return (special.nctdtr(df, centre, x + step) - special.nctdtr(df, centre, x - step)) / (
        2 * step
    )


def plot_plan(found: Plan, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the chance of replication against the size of the replication."""
    ax = new_axes(6.8, 3.8) if ax is None else ax
    ax.plot(found.amounts, found.probabilities, color=ACCENT, linewidth=2.4)
    ax.axhline(found.probability, color=MUTED, linewidth=1, linestyle=(0, (3, 3)))
    ax.axhline(found.limit, color=WARM, linewidth=1.2)
    left = found.amounts[0]
    ax.annotate(f"limit {format_percent(found.limit)}", (left, found.limit), xytext=(2, 3),
                textcoords="offset points", color=WARM, fontsize=9)  # fmt: skip
    ax.annotate(f"wanted {format_percent(found.probability)}", (left, found.probability),
                xytext=(2, -12), textcoords="offset points", color=MUTED, fontsize=9)  # fmt: skip
    if found.needed is not None:
        ax.plot([found.needed], [found.probability], "o", color=INK, markersize=8, zorder=4)
        ax.annotate(f"{found.needed:,g}", (found.needed, found.probability), xytext=(0, -16),
                    textcoords="offset points", ha="center", color=INK, fontsize=10,
                    fontweight="bold")  # fmt: skip
    ax.set_xscale("log")
    ticks = round_ticks(found.amounts[0], found.amounts[-1])
    ax.set_xticks(ticks, [f"{t:,g}" for t in ticks])
    ax.minorticks_off()
    ax.set_ylim(0, 1.06)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
    _dress(ax, f"{found.unit} of the replication", "significant, same direction")
    ax.set_title(f"Planning the repeat · {describe_design(found.design)}", loc="left",
                 color=INK, fontsize=11, fontweight="bold")  # fmt: skip
    return ax


def round_ticks(low: float, high: float) -> list[float]:
    """Return 1-2-5 numbers between the ends."""
    decades = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    steps = [m * 10.0**e for e in decades for m in (1, 2, 5)]
    inside = [s for s in steps if low * 0.999 <= s <= high * 1.001]
    return inside if len(inside) <= 9 else [s for s in inside if f"{s:e}"[0] == "1"]
