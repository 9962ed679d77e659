"""Berrar's printed values and table 1 beside ours."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from replicast.replication.records import Replication
from replicast.replication.replicate import replicate
from replicast.studies.plan import Study
from replicast.studies.published import Beside, one_below_the_other, printed, table
from replicast.studies.published.berrar import Group, Groups, nearest_wins, study_number
from replicast.studies.summary import Mean, Rate, Summary

_EXPERIMENTS = 1000  # of each group in the paper
_LAST_DIGIT = 5e-5  # of a printed probability
# standard deviation of s* between experiments: ten each gave 0.057 and 0.070 for groups 3 and 7 of
# study 1, and 0.055 for group 7 of study 2 (berrar-1-spread, berrar-2-spread)
_SPREAD = 0.06
_TABLE_1 = {1: "group7", 2: "group7", 3: "q7", 4: "d24"}


def berrar_tables(study: Study, read: Groups, _summary: Summary) -> list[str]:
    """Return the paper's row of table 1, every printed value beside ours, and what s* was."""
    lines = table_1(study, read.groups)
    compared = deviations(study, read)
    if compared:
        lines += one_below_the_other(compared)
        lines += ["Errors are Monte Carlo standard errors of the difference, the paper's own included; "
                  "two stars mark more than four of them.", ""]  # fmt: skip
    several = [group for group in read.groups if len(group.retrained) > 1]
    if several:
        rows = []
        for group in several:
            s = group.retrained
            spread = f"{np.mean(s):.3f}", f"{np.std(s, ddof=1):.3f}"
            rows.append([group.level, len(s), *spread, " ".join(f"{one:.2f}" for one in s)])
        lines += ["s* of each bootstrapped experiment (Algorithm 1):", ""]
        lines += table(("group", "experiments", "mean s*", "standard deviation", "each"), rows)
    return lines


def deviations(study: Study, read: Groups) -> list[Beside]:
    """Compare with every printed value of the study and of its groups."""
    number = study_number(study.name)
    if number is None:
        return []
    paper = printed("berrar_2024")[f"study{number}"]
    by_level = {group.level: group for group in read.groups}
    compared = [
        one
        for key in paper
        if (group := by_level.get(_level(number, key) or -1)) is not None
        for one in _compare(key, paper[key], group)
    ]
    return [*compared, *_deviances(paper, read.groups), *_mean_wins(paper, read.groups)]


def _level(number: int, key: str) -> int | None:
    """Return the level that the paper's name for a group stands for: group3, q7, d24."""
    found = re.fullmatch(r"(group|q|d)(\d+)", key)
    if found is None:
        return None
    place = int(found[2])
    if found[1] == "group":
        return int(printed("berrar_2024")[f"study{number}"]["start_sizes_a"][place - 1])
    return place


def _compare(key: str, values: dict[str, Any], group: Group) -> list[Beside]:
    rate, both = group.significant, _both(group)
    shift = group.statistic.error * both
    normal = special.ndtri(1 - group.pvalue / 2)
    offered: dict[str, tuple[float, float]] = {
        "p_value": (group.pvalue, abs(2 * special.ndtr(-normal + shift) - group.pvalue)),
        **dict.fromkeys(("mean_Z", "mean_T"), (group.statistic.value, shift)),
        **dict.fromkeys(("significant_wilcoxon", "significant"), _in_1000(rate, both)),
        **dict.fromkeys(("F_wilcoxon", "F"), (group.empirical, rate.error * both)),
        **dict.fromkeys(
            ("P_wilcoxon", "P"),
            (group.replication.as_published, _slope(group) * shift + _spread_error(group)),
        ),
    }
    if group.retrained:
        offered["s_bootstrap"] = (float(np.mean(group.retrained)), _spread(group))
    if over := group.over:
        offered |= {
            "mean_success_rate": (over.success.value, over.success.error * both),
            "significant_binomial": _in_1000(over.won, both),
            "F_binomial": (over.won.value, over.won.error * both),
            "experiments_with_18_wins": _in_1000(over.eighteen_wins, both),
            "P_binomial": _at_whole_wins(over.binomial, over.success, both),
            "P_bayesian": _at_whole_wins(over.bayesian, over.success, both),
        }
    return [
        Beside(float(values[name]), *offered[name], f"{key}: {name}")
        for name in offered
        if name in values
    ]


def _both(group: Group) -> float:
    """Return by how much the error of the difference exceeds ours: the paper has its own."""
    return float(np.sqrt(1 + group.significant.count / _EXPERIMENTS))


def _in_1000(rate: Rate, both: float) -> tuple[float, float]:
    """Return a rate as experiments of the paper's thousand, and its error."""
    return rate.value * _EXPERIMENTS, rate.error * _EXPERIMENTS * both


def _at_whole_wins(found: Replication, success: Mean, both: float) -> tuple[float, float]:
    """Return P at a whole number of wins, and its error: how far P moves as the mean wins do."""
    datasets = found.design.n_scores or 0
    wins = nearest_wins(datasets * success.value)
    other = wins + 1 if wins < datasets else wins - 1
    beside = replicate(wins=other, datasets=datasets, model=found.model)
    step = beside.as_published - found.as_published
    return found.as_published, float(np.hypot(_LAST_DIGIT, step * datasets * success.error * both))


def _deviances(paper: dict[str, Any], groups: Sequence[Group]) -> list[Beside]:
    """Compare |F - P| over all groups, also with a standard deviation of 1 for s*."""
    if "mean_absolute_deviation" not in paper or len(groups) < len(paper["start_sizes_a"]):
        return []
    said = paper["mean_absolute_deviation"]
    if "range" in paper:
        said = {"bootstrapped": said, "range": paper["range"]}
    errors = [np.hypot(g.significant.error, _spread_error(g)) for g in groups]
    error = float(np.linalg.norm(errors)) / len(groups) * _both(groups[0])
    happened = np.array([group.empirical for group in groups])
    found: list[Beside] = []
    published = [group.replication.as_published for group in groups]
    unit = [group.over.unit_sd for group in groups if group.over]
    for mean, ends, chances, end in (
        ("bootstrapped", "range", published, ""), ("unit_sd", "unit_sd_range", unit, " with s = 1")
    ):  # fmt: skip
        if mean in said:
            gaps, (least, most) = np.abs(happened - chances), said[ends]
            what = f"mean absolute deviance of F and P{end}"
            found += [
                Beside(said[mean], float(gaps.mean()), error, what),
                Beside(least, float(gaps.min()), what=f"least absolute deviance{end}"),
                Beside(most, float(gaps.max()), what=f"largest absolute deviance{end}"),
            ]
    return found


def _mean_wins(paper: dict[str, Any], groups: Sequence[Group]) -> list[Beside]:
    """Compare the mean wins that figure 9 shows, where all its groups are there."""
    shown = paper.get("figure9_groups", {})
    if len(groups) < len(paper.get("start_sizes_a", ())):
        return []
    found = []
    for wins, place in shown.items():
        group, n = groups[place - 1], int(paper["N"])
        if group.over:
            success, what = group.over.success, f"figure 9: mean wins of group {place}"
            error = success.error * n * _both(group)
            found.append(Beside(float(wins), success.value * n, error, what))
    return found


def _slope(group: Group) -> float:
    """Return how fast P moves with the mean statistic: the density at the threshold, at most 0.5."""
    p = group.replication.as_published
    spread = float(np.mean(group.retrained)) if group.retrained else 1.0
    return min(0.5, float(np.sqrt(max(p * (1 - p), 1e-4))) / spread)


def _spread(group: Group) -> float:
    """Return the error of the difference between our mean s* and one experiment's, the paper's."""
    several = len(group.retrained) > 1
    deviation = float(np.std(group.retrained, ddof=1)) if several else _SPREAD
    return deviation * float(np.sqrt(1 + 1 / len(group.retrained)))


def _spread_error(group: Group) -> float:
    """Return what the error in s* adds to the error of P."""
    if not group.retrained:
        return 0.0
    s = float(np.mean(group.retrained))
    z = (group.statistic.value - 1.96) / s
    density = float(np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi))
    return abs(z) * density * _spread(group) / s


def table_1(study: Study, found: Sequence[Group]) -> list[str]:
    """Return the paper's row of table 1 for this study, and its averages over studies, beside ours."""
    number = study_number(study.name)
    rows = {row["study"]: row for row in printed("berrar_2024")["table1"]}
    if number is None:
        return []
    level = _level(number, _TABLE_1[number])
    group = next((g for g in found if g.level == level), None)
    if group is None:
        return []
    row, mean = rows[number], rows["average"]
    shown = [
        [f"printed, {row['group']}", f"{row['p']:.5f}", f"{row['P']:.4f}", f"{row['F']:.4f}"],
        ["ours", f"{group.pvalue:.5f}", f"{group.replication.as_published:.4f}",
         f"{group.empirical:.4f} ± {group.significant.error:.4f}"],
        ["printed, average of the four studies", f"{mean['p']:.5f}", f"{mean['P']:.4f}",
         f"{mean['F']:.4f}"],
    ]  # fmt: skip
    return table(("table 1", "p-value", "P", "F"), shown)
