"""Berrar's figures and table 1 redrawn from a store, ours and the printed values side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from replicast.studies.plan import Study
from replicast.studies.published import printed
from replicast.studies.published.berrar import Group
from replicast.studies.summary import differences_of, groups

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK, _MUTED, _BLUE, _RED, _LINE = "#1a2332", "#5b6675", "#1f5fb0", "#c0392b", "#d5dae0"


@dataclass(frozen=True)
class Deviation:
    """A printed value, ours, and the Monte Carlo error of their difference."""

    what: str
    printed: float
    ours: float
    error: float

    @property
    def errors(self) -> float:
        """How many Monte Carlo errors apart."""
        return (self.ours - self.printed) / self.error if self.error else 0.0

    def __str__(self) -> str:
        flag = " **" if abs(self.errors) > 4 else ""
        return (
            f"| {self.what} | {self.printed:g} | {self.ours:.4g} | {self.error:.2g} "
            f"| {self.errors:+.1f}{flag} |"
        )


# --------------------------------------------------------------------------- deviations
def deviations(study: Study, found: Sequence[Group]) -> list[Deviation]:
    """Compare with every printed value of the study's groups."""
    name = study.name.removesuffix("-shared").replace("berrar-", "study")
    paper = printed("berrar_2024").get(name, {})
    by_level = {group.level: group for group in found}
    compared: list[Deviation] = []
    for key, values in paper.items():
        if not isinstance(values, dict):
            continue
        level = _level(study, key)
        group = None if level is None else by_level.get(level)
        if group is not None:
            compared += _compare(key, values, group)
    return compared


def _level(study: Study, key: str) -> int | None:
    """Return the level that the paper's name for a group stands for: group3, q7, d24."""
    digits = "".join(letter for letter in key if letter.isdigit())
    if not digits:
        return None
    if key.startswith("group"):
        sizes = printed("berrar_2024")[study.name.replace("berrar-", "study")]["start_sizes_a"]
        return int(sizes[int(digits) - 1])
    return int(digits)


def _compare(key: str, values: dict[str, Any], group: Group) -> list[Deviation]:
    both = np.sqrt(2)  # the paper's 1000 experiments have the same error as ours
    rate = group.significant
    shift = max(group.statistic.error, 1e-6) * both
    slope = _slope(group)
    paper_rate = float(
        np.hypot(rate.error, np.sqrt(max(rate.value * (1 - rate.value), 1e-3) / 1000))
    )
    offered: dict[str, tuple[float, float]] = {
        "mean_Z": (group.statistic.value, shift),
        "mean_T": (group.statistic.value, shift),
        "significant_wilcoxon": (rate.value * 1000, paper_rate * 1000),
        "significant": (rate.value * 1000, paper_rate * 1000),
        "F_wilcoxon": (group.empirical, paper_rate),
        "F": (group.empirical, paper_rate),
        "P_wilcoxon": (group.replication.as_published, slope * shift + _spread_error(group)),
        "P": (group.replication.as_published, slope * shift + _spread_error(group)),
    }
    if group.retrained_sd is not None:
        offered["s_bootstrap"] = (group.retrained_sd, 0.1)
    if group.success:
        offered["mean_success_rate"] = (
            group.success["ties half"].value, group.success["ties half"].error * float(both),
        )  # fmt: skip
        half = group.wins_significant["ties half"]
        offered["significant_binomial"] = (half.value * 1000, half.error * 1000 * float(both))
        offered["F_binomial"] = (half.value, half.error * float(both))
    return [
        Deviation(f"{key}: {name}", float(value), *offered[name])
        for name, value in values.items()
        if name in offered and isinstance(value, int | float)
    ]


def _slope(group: Group) -> float:
    """Return how fast P moves with the mean statistic: the density at the threshold, at most 0.5."""
    p = group.replication.as_published
    spread = group.retrained_sd or 1.0
    return min(0.5, float(np.sqrt(max(p * (1 - p), 1e-4))) / spread)


def _spread_error(group: Group) -> float:
    """Return what one bootstrap's own error in s* adds to the error of P."""
    if group.retrained_sd is None:
        return 0.0
    z = (group.statistic.value - 1.96) / group.retrained_sd
    density = float(np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi))
    return abs(z) * density * 0.1 / group.retrained_sd


# --------------------------------------------------------------------------- figures
def figures(study: Study, table: pa.Table, found: Sequence[Group]) -> dict[str, "Figure"]:
    """Return the figures of the paper that this study redraws, by file name."""
    from matplotlib.figure import Figure

    def new(width: float, height: float) -> Figure:
        return Figure(figsize=(width, height), layout="constrained", facecolor="white")

    drawn: dict[str, Figure] = {}
    number = {"berrar-1": 10, "berrar-2": 12, "berrar-4": 14, "berrar-4-as-described": 14}.get(
        study.name, 13
    )
    shown = [group for group in found if group.pvalue <= 0.055]
    figure = new(8.4, 4.6)
    _replication_axes(figure.add_subplot(), shown, f"Figure {number} redrawn: {study.title}")
    drawn[f"figure-{number}.png"] = figure
    if found and found[0].success:
        figure = new(8.4, 4.6)
        which = 9 if study.name == "berrar-1" else 11
        _binomial_axes(figure.add_subplot(), shown, f"Figure {which} redrawn: wins over datasets")
        drawn[f"figure-{which}.png"] = figure
    if study.name == "berrar-1" and len(found) > 2:
        figure = new(9.4, 3.4)
        _experiment_boxes(figure, table, found[2])
        drawn["figure-7.png"] = figure
    return drawn


def _replication_axes(ax: "Axes", found: Sequence[Group], title: str) -> None:
    p = [group.pvalue for group in found]
    low = [group.replication.as_published_interval.low for group in found]
    high = [group.replication.as_published_interval.high for group in found]
    ax.vlines(p, low, high, color=_LINE, linewidth=3)
    ax.plot(p, [group.replication.as_published for group in found], "s", color=_INK, markersize=6,
            label="P, published formula at the mean statistic")  # fmt: skip
    ax.plot(p, [group.empirical for group in found], "x", color=_RED, markersize=9,
            markeredgewidth=2, label="F, what happened")  # fmt: skip
    ax.plot(p, [group.calibrated.value for group in found], "o", color=_BLUE, markersize=5,
            label="calibrated, mean over single experiments")  # fmt: skip
    ax.plot(p, [group.plug_in.value for group in found], "o", color=_BLUE, markersize=5,
            markerfacecolor="none", label="published, mean over single experiments")  # fmt: skip
    _dress(ax, title, "p-value of the mean statistic")


def _binomial_axes(ax: "Axes", found: Sequence[Group], title: str) -> None:
    p, binomial, bayesian, low, high, happened = [], [], [], [], [], []
    for group in found:
        if group.binomial is None or group.bayesian is None:
            continue
        p.append(group.binomial.first_pvalue)
        binomial.append(group.binomial.as_published)
        bayesian.append(group.bayesian.as_published)
        low.append(group.binomial.as_published_interval.low)
        high.append(group.binomial.as_published_interval.high)
        happened.append(group.wins_significant["ties half"].value)
    ax.vlines(p, low, high, color=_LINE, linewidth=3)
    ax.plot(p, binomial, "s", color=_INK, markersize=6, label="binomial model")
    ax.plot(p, bayesian, "s", color=_BLUE, markersize=6, label="Bayesian model")
    ax.plot(p, happened, "x", color=_RED, markersize=9, markeredgewidth=2,
            label="what happened (ties half)")  # fmt: skip
    _dress(ax, title, "binomial p-value of the mean number of wins")


def _dress(ax: "Axes", title: str, xlabel: str) -> None:
    ax.set_xscale("log")
    ax.invert_xaxis()
    ax.set_ylim(0, 1.02)
    ax.set_title(title, loc="left", fontsize=10, fontweight="bold", color=_INK)
    ax.set_xlabel(xlabel, fontsize=9, color=_MUTED)
    ax.set_ylabel("replication probability", fontsize=9, color=_MUTED)
    ax.tick_params(labelsize=8, colors=_MUTED)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.legend(frameon=False, fontsize=8, loc="lower right")


def _experiment_boxes(figure: "Figure", table: pa.Table, group: Group) -> None:
    """Draw the experiments of group 3: success rate, Z, and both p-values."""
    from scipy import special

    from replicast.kernels.counts import binomial_pvalue, win_loss_tie
    from replicast.kernels.ranks import signed_rank_statistics, signed_rank_z

    part = next(p for levels, p in groups(table, ["a"]) if int(levels["a"]) == group.level)
    values = differences_of(part)
    wins, losses, ties = win_loss_tie(values)
    z = signed_rank_z(*signed_rank_statistics(values))
    sign = binomial_pvalue(wins, losses, ties, ties_rule="half", alternative="two-sided")
    columns: tuple[tuple[str, Any], ...] = (
        ("success rate", (wins + ties / 2) / values.shape[1]),
        ("binomial p", sign),
        ("Wilcoxon Z", z),
        ("Wilcoxon p", 2 * special.ndtr(-np.abs(z))),
    )
    for position, (name, column) in enumerate(columns):
        ax = figure.add_subplot(1, len(columns), position + 1)
        ax.boxplot(column, widths=0.5, flierprops={"markersize": 2})
        ax.set_title(name, fontsize=9, color=_INK)
        ax.set_xticks([])
        ax.tick_params(labelsize=8, colors=_MUTED)
    figure.suptitle(
        f"Figure 7c redrawn: {len(values):,} experiments of group 3 (a = {group.level})",
        fontsize=10, fontweight="bold", color=_INK, x=0.01, ha="left",
    )  # fmt: skip


def table_1(study: Study, found: Sequence[Group]) -> str:
    """Return the paper's row of table 1 for this study beside ours."""
    rows = {row["study"]: row for row in printed("berrar_2024")["table1"]}
    number = int(study.name.split("-")[1])
    row = rows.get(number)
    if row is None:
        return ""
    key = {1: "group7", 2: "group7", 3: "q7", 4: "d24"}[number]
    group = next((g for g in found if g.level == _level(study, key)), None)
    if group is None:
        return ""
    return "\n".join(
        [
            "| table 1 | p-value | P | F |",
            "|---|---:|---:|---:|",
            f"| printed, {row['group']} | {row['p']:.5f} | {row['P']:.4f} | {row['F']:.4f} |",
            f"| ours | {group.pvalue:.5f} | {group.replication.as_published:.4f} "
            f"| {group.empirical:.4f} ± {group.significant.error:.4f} |",
        ]
    )
