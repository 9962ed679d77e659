"""Figures of published studies, redrawn from what a store holds."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from replicast.arrays import Floats
from replicast.design import KFold
from replicast.inference.student import PAIRED_TTEST
from replicast.kernels.agreement import disjoint_pairs_variance, pairs_variance
from replicast.power_analysis import power
from replicast.presentation.pictures.figure import (
    Axis,
    Bar,
    Dots,
    Figure,
    Line,
    Mark,
    Panel,
    Shape,
    Tick,
)
from replicast.presentation.pictures.palette import Tone
from replicast.presentation.pictures.ticks import PERCENT, log_ticks, pvalue_ticks, round_ticks
from replicast.replication.records import Replication
from replicast.studies.published import berrar, bouckaert, bouckaert_frank, neumann, printed
from replicast.studies.reports import Findings

_TONES: tuple[Tone, ...] = ("accent", "warm", "ink")
_CASES: dict[int, Tone] = {1: "accent", 2: "soft", 3: "warm", 4: "good"}
_TABLES = "table2_corrected_resampled_t", "table3_corrected_rx10cv"
Looks = tuple[tuple[str, Tone, Shape, list[float]], ...]  # names, looks and heights of dots
_EFFECT = {"t": "d'", "wilcoxon": "r"}


def study_figures(findings: Findings) -> dict[str, Figure]:
    """Return the figures of the paper that a study redraws, by the names of their files."""
    match findings.read:
        case berrar.Groups() as read:
            return _berrar(findings.study.name, findings.study.title, read)
        case bouckaert.Simulation():
            return {"figure-2.png": _variances()}
        case dict() as read if "t" in read:
            return _special_cases(read)
        case dict():
            return {"runs.png": _runs(findings)}
        case _:
            return {}


# --------------------------------------------------------------------------- Berrar (2024)
def _berrar(name: str, title: str, read: berrar.Groups) -> dict[str, Figure]:
    study = berrar.study_number(name)
    shown = [group for group in read.groups if group.pvalue <= 0.055] or read.groups
    number = {1: 10, 2: 12, 4: 14}.get(study or 3, 13)
    drawn = {f"figure-{number}.png": _replication(shown, f"Figure {number} redrawn: {title}")}
    if read.groups and read.groups[0].over:
        which = 9 if study == 1 else 11
        drawn[f"figure-{which}.png"] = _wins(shown, f"Figure {which} redrawn: wins over datasets")
    if read.third:
        drawn["figure-7.png"] = _third_group(read)
    return drawn


def _replication(groups: Sequence[berrar.Group], title: str) -> Figure:
    p = [group.pvalue for group in groups]
    published = [group.replication for group in groups]
    forecasts = [group.forecast["unknown"].value for group in groups]
    plug_in = [group.plug_in.value for group in groups]
    ours = "replicast's forecast if nobody says, mean over single experiments"
    looks: Looks = (
        ("P, Berrar's formula at the mean statistic", "ink", "square", _published(published)),
        ("F, what happened", "error", "cross", [group.empirical for group in groups]),
        (ours, "accent", "disc", forecasts),
        ("Berrar's formula, mean over single experiments", "accent", "ring", plug_in),
    )
    return _against_p(title, p, published, looks, "p-value of the mean statistic")


def _wins(groups: Sequence[berrar.Group], title: str) -> Figure:
    rows = [group.over for group in groups if group.over]
    binomial = [over.binomial for over in rows]
    bayesian = _published([over.bayesian for over in rows])
    looks: Looks = (
        ("binomial model", "ink", "square", _published(binomial)),
        ("Bayesian model", "accent", "square", bayesian),
        ("what happened (ties left out)", "error", "cross", [over.won.value for over in rows]),
    )
    label = "binomial p-value of the mean number of wins"
    return _against_p(
        title, [binomial_.first_pvalue for binomial_ in binomial], binomial, looks, label
    )


def _published(replications: Sequence[Replication]) -> list[float]:
    return [replication.as_published for replication in replications]


def _against_p(
    title: str, p: Sequence[float], published: Sequence[Replication], looks: Looks, label: str
) -> Figure:
    """Describe chances against p-values, those published with their intervals."""
    low, high = (min(p) / 1.3, max(p) * 1.3) if p else (0.001, 0.1)
    x = Axis(high, low, pvalue_ticks(low, high), f"{label} · stronger evidence →", "log")
    marks: list[Mark] = [
        Line((at, at), replication.as_published_interval, "line", 3.5)
        for at, replication in zip(p, published, strict=True)
    ]
    marks += [Dots(p, y, tone, 3.8, shape, name=name) for name, tone, shape, y in looks]
    panel = Panel(x, replace(PERCENT, label="chance of replication"), marks)
    return Figure(title, f"{title}: {len(p)} groups.", (panel,), width=640, height=340)


def _third_group(read: berrar.Groups) -> Figure:
    """Describe the experiments of group 3: success rate, Z, and both p-values."""
    count = len(next(iter(read.third.values())))
    title = f"Figure 7c redrawn: {count:,} experiments of group 3 (a = {read.groups[2].level})"
    panels = tuple(
        Panel(Axis(0, 2, line=False), _spanning(values), tuple(_box(1, values)), name)
        for name, values in read.third.items()
    )
    return Figure(title, title, panels, width=720, height=260)


# --------------------------------------------------------------------------- Bouckaert (2004)
def _variances() -> Figure:
    """Describe the variances of R1 and R2 over replicability, for the numbers of tests of the paper."""
    r = np.linspace(0.5, 1, 101)
    kinds: tuple[tuple[str, Tone, Any], ...] = (
        ("R1", "warm", disjoint_pairs_variance),
        ("R2", "accent", pairs_variance),
    )
    marks = [
        Line(r.tolist(), [variance(x, n) for x in r], tone, 1.8, opacity=shade, name=name)
        for n, shade in ((4, 1.0), (10, 0.65), (28, 0.35))
        for name, tone, variance in kinds
    ]
    title = "Figure 2 redrawn: variances of two estimates of replicability"
    x = Axis(0.5, 1, round_ticks(0.5, 1), "replicability")
    y = Axis(0, 0.15, round_ticks(0, 0.15), "variance of the estimate", grid=True)
    note = "From dark to pale: 4, 10 and 28 outcomes."
    return Figure(title, title, (Panel(x, y, marks),), note, width=560, height=300)


# --------------------------------------------------------------------------- Bouckaert and Frank
def _runs(findings: Findings) -> Figure:
    """Describe replicability against the number of runs, the paper dashed, ours solid."""
    ours = {row["test"]: row["replicability_all_reruns"] for row in findings.summary.numbers}
    paper = printed("bouckaert_frank_2004")
    panels = []
    for title, names, key, amounts in (
        ("random splits", bouckaert_frank.SPLITS, _TABLES[0], (10, 20, 50, 100)),
        ("runs of 10-fold", bouckaert_frank.RUNS, _TABLES[1], (1, 2, 5, 10)),
    ):
        marks: list[Mark] = []
        for index, (pair, tone) in enumerate(zip(bouckaert_frank.PAIRS, _TONES, strict=True)):
            y = [ours[name][index] for name in names]
            theirs = paper[key]["replicability"][pair]
            marks += [
                Line(amounts, theirs, tone, 1.5, dashed=True, opacity=0.7),
                Line(amounts, y, tone, 2.0, name=pair),
                Dots(amounts, y, tone, 3.4),
            ]
        x = Axis(amounts[0], amounts[-1], log_ticks(amounts[0], amounts[-1]), title, "log")
        up = Axis(0.7, 1.0, round_ticks(0.7, 1.0), "R, mean over datasets", grid=True, line=False)
        panels.append(Panel(x, up, marks))
    title = "Corrected t: replicability grows with the runs"
    return Figure(title, title, tuple(panels), "Dashed: as printed.", width=760, height=300)


# --------------------------------------------------------------------------- Neumann et al. (2021)
def _special_cases(read: dict[str, pd.DataFrame]) -> dict[str, Figure]:
    """Describe p against effect and the power of each group (figures 1 to 5)."""
    drawn = {"figure-1.png": _power()}
    for scatter, boxes, test in ((2, 3, "t"), (4, 5, "wilcoxon")):
        cases = neumann.comparable(read[test], test, screened=test == "t")
        by_folds = {n: cases[cases["folds"] == n] for n in neumann.FOLDS}
        drawn[f"figure-{scatter}.png"] = _scatter(scatter, test, by_folds)
        drawn[f"figure-{boxes}.png"] = _powers(boxes, test, by_folds)
    return drawn


def _scatter(number: int, test: str, by_folds: dict[int, pd.DataFrame]) -> Figure:
    medium = neumann.MEDIUM[test]
    panels = []
    for folds, cases in by_folds.items():
        marks: list[Mark] = [
            Bar((0, 0.05), (0, medium), "good-page"),
            Bar((0.05, 1), (medium, 2), "warn-page"),
        ]
        for group, tone in _CASES.items():
            mine = cases[cases["group"] == group]
            effects = mine["effect"].clip(upper=2.0).tolist()
            name, p = neumann.GROUPS[group], mine["pvalue"].tolist()
            marks.append(Dots(p, effects, tone, 2.8, opacity=0.75, name=name))
        x = Axis(0, 1, round_ticks(0, 1), "p-value")
        y = Axis(0, 2, round_ticks(0, 2), _EFFECT[test])
        panels.append(Panel(x, y, marks, f"{folds} folds"))
    title = f"Figure {number} redrawn: p-value and effect size ({_words(test)})"
    note = f"Shaded: the special cases. Effects above 2 are drawn at 2; medium is {medium:g}."
    return Figure(title, title, tuple(panels), note, width=860, height=290)


def _powers(number: int, test: str, by_folds: dict[int, pd.DataFrame]) -> Figure:
    panels = []
    for folds, cases in by_folds.items():
        marks: list[Mark] = []
        for group in neumann.GROUPS:
            values = cases.loc[cases["group"] == group, "power"].to_numpy()
            marks += _box(group, values) if len(values) else []
        x = Axis(0.4, 4.6, tuple(Tick(group, str(group)) for group in neumann.GROUPS), "group")
        panels.append(Panel(x, replace(PERCENT, label="observed power"), marks, f"{folds} folds"))
    title = f"Figure {number} redrawn: power of each group ({_words(test)})"
    note = "; ".join(f"{group}: {words}" for group, words in neumann.GROUPS.items())
    return Figure(title, title, tuple(panels), f"Groups: {note}.", width=860, height=290)


def _words(test: str) -> str:
    return "paired t-test" if test == "t" else "Wilcoxon"


def _power() -> Figure:
    """Describe power against the true difference for 10, 25 and 50 folds, and the case study."""
    case = printed("neumann_2021")["case_t"]
    at, spread = float(case["mean_difference"]), float(case["sd"])
    differences = np.linspace(-5, 5, 101)

    def seen(difference: float, folds: int) -> float:
        effect, name = difference / spread, PAIRED_TTEST.name
        return power(effect, KFold(folds), method=name, approach="shifted").power

    marks: list[Mark] = [
        Line(differences.tolist(), [seen(x, n) for x in differences], width=2.0, opacity=shade)
        for n, shade in ((10, 1.0), (25, 0.65), (50, 0.35))
    ]
    name = f"case study: {at:g} points, 10 folds, power {seen(at, 10):.2f}"
    marks.append(Dots((at,), (seen(at, 10),), "warm", 5.5, name=name))
    title = "Figure 1 redrawn: power of the paired t-test"
    x = Axis(-5, 5, round_ticks(-5, 5), "true difference, points of accuracy")
    panel = Panel(x, replace(PERCENT, label="power"), marks)
    note = "From dark to pale: 10, 25 and 50 folds."
    return Figure(title, title, (panel,), note, width=560, height=300)


# --------------------------------------------------------------------------- parts
def _spanning(values: Floats) -> Axis:
    low, high = float(values.min()), float(values.max())
    room = (high - low) * 0.05 or 0.5
    return Axis(low - room, high + room, round_ticks(low - room, high + room), grid=True)


def _box(at: float, values: Floats) -> list[Mark]:
    """Describe a box plot: quartiles, whiskers to 1.5 times their distance, what lies beyond."""
    low, middle, high = (float(q) for q in np.quantile(values, (0.25, 0.5, 0.75)))
    reach = 1.5 * (high - low)
    inside = values[(values >= low - reach) & (values <= high + reach)]
    beyond = values[(values < low - reach) | (values > high + reach)].tolist()
    ends = float(inside.min()), float(inside.max())
    marks: list[Any] = [
        Line((at, at), ends, "ink", 1.2),
        Bar((at - 0.28, at + 0.28), (low, high), "band"),
        Line((at - 0.28, at + 0.28), (middle, middle), "accent", 2.2),
    ]
    return [*marks, Dots([at] * len(beyond), beyond, "soft", 1.4)] if beyond else marks
