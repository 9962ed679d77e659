"""Berrar's printed values and table 1 beside ours."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from replicast.studies.plan import Study
from replicast.studies.published import printed
from replicast.studies.published.berrar import Group, Groups, study_number


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


def berrar_tables(study: Study, read: Groups) -> list[str]:
    """Return the paper's row of table 1 and every printed value beside ours."""
    lines = [table_1(study, read.groups)]
    compared = deviations(study, read.groups)
    if compared:
        lines += [
            "",
            "| printed value | paper | ours | error | errors apart |",
            "|---|---:|---:|---:|---:|",
            *map(str, compared),
            "",
            "Errors are Monte Carlo standard errors of the difference, the paper's own included; "
            "two stars mark more than four of them.",
        ]
    return lines


def deviations(study: Study, found: Sequence[Group]) -> list[Deviation]:
    """Compare with every printed value of the study's groups."""
    paper = printed("berrar_2024").get(f"study{study_number(study.name)}", {})
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
        sizes = printed("berrar_2024")[f"study{study_number(study.name)}"]["start_sizes_a"]
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


def table_1(study: Study, found: Sequence[Group]) -> str:
    """Return the paper's row of table 1 for this study beside ours."""
    rows = {row["study"]: row for row in printed("berrar_2024")["table1"]}
    number = study_number(study.name)
    row = rows.get(number)
    if row is None or number is None:
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
