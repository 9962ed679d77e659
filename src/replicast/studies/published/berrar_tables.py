"""Berrar's printed values and table 1 beside ours."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from replicast.replication.records import Replication
from replicast.replication.replicate import replicate
from replicast.studies.plan import Study
from replicast.studies.published import Beside, one_below_the_other, printed, table
from replicast.studies.published.berrar import Group, Groups, nearest_wins, study_number
from replicast.studies.summary import Mean, Summary

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
    return [*compared, *_overall(paper, number, read)]


def _level(number: int, key: str) -> int | None:
    """Return the level that the paper's name for a group stands for: group3, q7, d24."""
    letters, digits = key.rstrip("0123456789"), key[len(key.rstrip("0123456789")) :]
    if not digits or letters not in ("group", "q", "d"):
        return None
    if letters == "group":
        return int(printed("berrar_2024")[f"study{number}"]["start_sizes_a"][int(digits) - 1])
    return int(digits)


def _compare(key: str, values: dict[str, Any], group: Group) -> list[Beside]:
    rate, both = group.significant, _both(group)
    shift = group.statistic.error * both
    p_error = _slope(group) * shift + _spread_error(group)
    normal = special.ndtri(1 - group.pvalue / 2)
    offered: dict[str, tuple[float, float]] = {
        "p_value": (group.pvalue, abs(2 * special.ndtr(-normal + shift) - group.pvalue)),
        "mean_Z": (group.statistic.value, shift),
        "mean_T": (group.statistic.value, shift),
        "significant_wilcoxon": (rate.value * 1000, rate.error * 1000 * both),
        "significant": (rate.value * 1000, rate.error * 1000 * both),
        "F_wilcoxon": (group.empirical, rate.error * both),
        "F": (group.empirical, rate.error * both),
        "P_wilcoxon": (group.replication.as_published, p_error),
        "P": (group.replication.as_published, p_error),
    }
    if group.retrained:
        offered["s_bootstrap"] = (float(np.mean(group.retrained)), _spread(group))
    if group.success and group.wins_significant and group.eighteen_wins:
        mean, won, eighteen = group.success, group.wins_significant, group.eighteen_wins
        offered["mean_success_rate"] = (mean.value, mean.error * both)
        offered["significant_binomial"] = (won.value * 1000, won.error * 1000 * both)
        offered["F_binomial"] = (won.value, won.error * both)
        offered["experiments_with_18_wins"] = (eighteen.value * 1000, eighteen.error * 1000 * both)
        for name, model, found in (
            ("P_binomial", "sign", group.binomial),
            ("P_bayesian", "bayesian", group.bayesian),
        ):
            if found:
                error = _whole_wins_error(group, found, model)
                offered[name] = (found.as_published, error)
    return [
        Beside(f"{key}: {name}", float(values[name]), *offered[name])
        for name in offered
        if name in values
    ]


def _both(group: Group) -> float:
    """Return by how much the error of the difference exceeds ours: the paper has its own."""
    return float(np.sqrt(1 + group.significant.count / _EXPERIMENTS))


def _whole_wins_error(group: Group, found: Replication, model: str) -> float:
    """Return the error of P at a whole number of wins: how far P moves as the mean wins do."""
    datasets, success = found.design.n_scores or 0, group.success or Mean(0.0, 0.0)
    wins = nearest_wins(datasets * success.value)
    other = wins + 1 if wins < datasets else wins - 1
    step = replicate(wins=other, datasets=datasets, model=model).as_published - found.as_published
    return float(np.hypot(_LAST_DIGIT, step * datasets * success.error * _both(group)))


def _overall(paper: dict[str, Any], number: int, read: Groups) -> list[Beside]:
    """Compare the mean of |F - P| over all groups, and the wins that figure 9 shows."""
    if "mean_absolute_deviation" not in paper or len(read.groups) < len(paper["start_sizes_a"]):
        return []
    gaps = np.array([abs(g.empirical - g.replication.as_published) for g in read.groups])
    errors = [np.hypot(g.significant.error, _spread_error(g)) for g in read.groups]
    error = float(np.linalg.norm(errors)) / len(gaps) * _both(read.groups[0])
    said = paper["mean_absolute_deviation"]
    if number == 2:
        said = {"bootstrapped": said, "range": paper["range"]}
    unit = np.array([abs(g.empirical - (g.unit_sd or 0.0)) for g in read.groups])
    found: list[Beside] = []
    for mean, ends, ours, end in (
        ("bootstrapped", "range", gaps, ""), ("unit_sd", "unit_sd_range", unit, " with s = 1")
    ):  # fmt: skip
        if mean in said:
            found.append(
                Beside(
                    f"mean absolute deviance of F and P{end}", said[mean], float(ours.mean()), error
                )
            )
            found.append(Beside(f"least absolute deviance{end}", said[ends][0], float(ours.min())))
            found.append(
                Beside(f"largest absolute deviance{end}", said[ends][1], float(ours.max()))
            )
    for wins in paper.get("figure9_groups", ()):
        group = read.groups[paper["figure9_groups"][wins] - 1]
        success, n = group.success or Mean(0.0, 0.0), int(paper["N"])
        what = f"figure 9: mean wins of group {paper['figure9_groups'][wins]}"
        found.append(Beside(what, float(wins), success.value * n, success.error * n * _both(group)))
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
