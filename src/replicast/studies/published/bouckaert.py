"""Bouckaert (2004) and Bouckaert and Frank (2004): which tests keep their level, and which agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from replicast.agreement import Replicability
from replicast.procedures import PROCEDURES, Procedure, judge
from replicast.studies.plan import Study
from replicast.studies.published import printed
from replicast.studies.summary import Mean, Summary, groups

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
_SHAPES = {"cross-validation": ("folds", 10), "random splits": ("splits", 1), "5x2": ("halves", 2)}
_INK, _MUTED, _BLUE, _WARM = "#1a2332", "#5b6675", "#1f5fb0", "#b4632a"


def _matrix(part: pa.Table, name: str) -> Floats:
    return np.array(part.column(name).to_pylist(), dtype=np.float64)


def judged(
    part: pa.Table, rows: int, names: Sequence[str] | None = None
) -> dict[str, tuple[Floats, Floats]]:
    """Return p-values and directions of every procedure the records have enough runs for."""
    samples = {}
    for source, (column, width) in _SHAPES.items():
        flat = _matrix(part, column)
        samples[source] = flat.reshape(len(flat), -1, width)
    wanted = [PROCEDURES[name] for name in names] if names else list(PROCEDURES.values())

    def enough(procedure: Procedure) -> bool:
        return procedure.source == "5x2" or samples[procedure.source].shape[1] >= procedure.amount

    return {p.name: judge(p, samples[p.source], rows) for p in wanted if enough(p)}


# --------------------------------------------------------------------------- simulation
@dataclass(frozen=True)
class Behaviour:
    """One procedure on one source: how often it rejects, and how often it agrees with itself."""

    rejects: Mean
    normalised: float
    consistent: float


def behaviours(study: Study, part: pa.Table, significance: float = 0.05) -> dict[str, Behaviour]:
    """Return the behaviour of every procedure on the datasets of one source."""
    repetitions = int(study.constants["repetitions"])
    found = {}
    for name, (pvalues, signs) in judged(part, int(study.constants["rows"])).items():
        p, direction = (values.reshape(-1, repetitions) for values in (pvalues, signs))
        rejects = Mean.of((p < significance).mean(axis=1))  # repetitions share a dataset
        agreement = Replicability.from_pvalues(p, direction, significance=significance)
        found[name] = Behaviour(rejects, agreement.normalised, agreement.consistent / len(p))
    return found


def summarise_simulation(study: Study, table: pa.Table, failed: int) -> Summary:
    """Return Type I error, power, replicability and consistency of every procedure."""
    cells = [
        (levels, behaviours(study, _in_order(part)))
        for levels, part in groups(table, list(study.factors))
    ]
    names = list(cells[0][1])
    labels = [", ".join(f"{v}" for v in levels.values()) for levels, _ in cells]
    headings = (
        "test",
        *(f"rejects, {label}" for label in labels),
        "least R",
        *(f"consistent, {label}" for label in labels),
    )
    rows, numbers = [], []
    for name in names:
        each = [found[name] for _, found in cells]
        least = min(item.normalised for item in each)
        rows.append(
            (
                PROCEDURES[name].title,
                *(
                    f"{100 * item.rejects.value:.1f} ± {100 * item.rejects.error:.1f}"
                    for item in each
                ),
                f"{100 * least:.1f}",
                *(f"{100 * item.consistent:.1f}" for item in each),
            )
        )
        numbers.append(
            {
                "test": name,
                "rejects": [item.rejects.value for item in each],
                "rejects_error": [item.rejects.error for item in each],
                "normalised": [item.normalised for item in each],
                "consistent": [item.consistent for item in each],
            }
        )
    notes = [
        "Percent. Rejects: share of experiments with p < 0.05, the Type I error on source 1, the power "
        "on sources 2 to 4. Least R: the smallest normalised replicability. Consistent: datasets on "
        "which all repetitions agree."
    ]
    if failed:
        notes.append(f"{failed} records failed and are not counted.")
    return Summary(study.title, headings, tuple(rows), tuple(numbers), tuple(notes))


def _in_order(part: pa.Table) -> pa.Table:
    return part.sort_by([("replicate", "ascending"), ("repetition", "ascending")])


_TABLE_1 = {
    "resampling": "splits", "k-fold cv": "kfold", "use all data": "all",
    "average over folds": "folds", "average over runs": "runs",
    "average over sorted runs": "sorted",
}  # fmt: skip
_TABLE_5 = {
    "5x2cv": "5x2cv-t", "10x resampling": "corrected-splits-10", "10-fold cv": "t-kfold",
    "100x resampling": "corrected-splits-100", "corrected 10x10 cv": "corrected-cv-10",
}  # fmt: skip


def simulation_tables(found: Summary) -> list[str]:
    """Return Bouckaert's table 1 and Bouckaert and Frank's table 5 beside ours."""
    ours = {row["test"]: row for row in found.numbers}
    lines = [
        "## Bouckaert (2004), table 1",
        "",
        "| test | scheme | Type I: paper | ours | power: paper | ours | least R: paper | ours |",
        "|---|---|---:|---:|---|---|---:|---:|",
    ]
    for row in printed("bouckaert_2004")["table1_percent"]:
        name = f"{row['test']}-{_TABLE_1[row['scheme']]}"
        mine = ours[name]
        rates = [100 * value for value in mine["rejects"]]
        lines.append(
            f"| {row['test']} | {row['scheme']} | {row['type1']} | {rates[0]:.1f} "
            f"| {_spaced(row['power'])} | {_spaced(rates[1:])} | {row['min_norm_replicability']} "
            f"| {100 * min(mine['normalised']):.1f} |"
        )
    lines += [
        "",
        "## Bouckaert and Frank (2004), table 5: consistency",
        "",
        "| test | sources 1 to 4: paper | ours | least: paper | ours |",
        "|---|---|---|---:|---:|",
    ]
    for title, values in printed("bouckaert_frank_2004")[
        "table5_simulation_consistency_percent"
    ].items():
        if title in _TABLE_5:
            agreed = [100 * value for value in ours[_TABLE_5[title]]["consistent"]]
            lines.append(
                f"| {title} | {_spaced(values)} | {_spaced(agreed)} | {min(values)} "
                f"| {min(agreed):.1f} |"
            )
    return lines


def _spaced(values: Sequence[float]) -> str:
    return " / ".join(f"{value:.1f}" for value in values)


# --------------------------------------------------------------------------- UCI
PAIRS = {
    "NB vs C4.5": ("naive-bayes", "c45"),
    "NB vs NN": ("naive-bayes", "nearest"),
    "C4.5 vs NN": ("c45", "nearest"),
}


def uci_agreement(
    table: pa.Table, pair: tuple[str, str], names: Sequence[str], significance: float = 0.05
) -> dict[str, Replicability]:
    """Return the replicability of procedures over all datasets, for one pair of learners."""
    frame = table.select(["first", "second"]).to_pandas()
    chosen = table.take(np.flatnonzero((frame["first"] == pair[0]) & (frame["second"] == pair[1])))
    rows: dict[str, list[tuple[Floats, Floats]]] = {name: [] for name in names}
    labels = []
    for levels, part in groups(chosen, ["dataset"]):
        labels.append(str(levels["dataset"]))
        ordered = part.sort_by("replicate")
        found = judged(ordered, int(ordered.column("rows")[0].as_py()), names)
        for name in names:
            rows[name].append(found[name])
    return {
        name: Replicability.from_pvalues(
            np.array([p for p, _ in values]), np.array([s for _, s in values]),
            test=name, datasets=labels, significance=significance,
        )
        for name, values in rows.items()
    }  # fmt: skip


_SPLITS = tuple(f"corrected-splits-{n}" for n in (10, 20, 50, 100))
_RUNS = tuple(f"corrected-cv-{n}" for n in (1, 2, 5, 10))
_SORTED = {"sign": "sign-sorted", "rank": "rank-sorted", "t": "t-sorted"}


def summarise_uci(study: Study, table: pa.Table, failed: int) -> Summary:
    """Return consistency and replicability over the datasets, for the three pairs of learners."""
    names = ("5x2cv-t", "5x2cv-f", "t-kfold", *_SPLITS, *_RUNS, *_SORTED.values())
    found = {title: uci_agreement(table, pair, names) for title, pair in PAIRS.items()}
    rows, numbers = [], []
    for name in names:
        each = [found[title][name] for title in PAIRS]
        rows.append(
            (
                PROCEDURES[name].title,
                *(f"{r.consistent} / {r.almost_consistent} / {r.r2:.3f}" for r in each),
            )
        )
        numbers.append(
            {
                "test": name,
                "consistent": [r.consistent for r in each],
                "almost_consistent": [r.almost_consistent for r in each],
                "replicability": [r.r2 for r in each],
                "replicability_interval": [list(r.interval) for r in each],
                "draws": {
                    title: {d: o[1] for d, o in zip(r.datasets, r.outcomes, strict=True)}
                    for title, r in zip(PAIRS, each, strict=True)
                },
            }
        )
    count = len(found["NB vs C4.5"]["5x2cv-t"].datasets)
    notes = [
        f"{count} datasets; consistent / almost consistent / R for each pair. The paper has 27: the "
        "27th, Hungarian heart disease, can be added as an ARFF file among the levels of `dataset`."
    ]
    if failed:
        notes.append(f"{failed} records failed and are not counted.")
    return Summary(study.title, ("test", *PAIRS), tuple(rows), tuple(numbers), tuple(notes))


def uci_tables(table: pa.Table, found: Summary) -> list[str]:
    """Return the papers' tables beside ours."""
    ours = {row["test"]: row for row in found.numbers}
    paper = printed("bouckaert_frank_2004")
    lines = ["## Bouckaert and Frank (2004), tables 1 to 3", "", *_head("test")]
    lines.append(_pair_line("5x2cv t", paper["table1_5x2cv"], ours["5x2cv-t"], None))
    for key, names in (
        ("table2_corrected_resampled_t", _SPLITS),
        ("table3_corrected_rx10cv", _RUNS),
    ):
        for position, name in enumerate(names):
            lines.append(_pair_line(PROCEDURES[name].title, paper[key], ours[name], position))
    lines += ["", "## Table 4: corrected 10x10 at other levels", "", *_head("level")]
    levels = paper["table4_corrected_10x10_alpha"]
    for position, level in enumerate(levels["alpha"]):
        each = [
            uci_agreement(table, pair, ["corrected-cv-10"], level)["corrected-cv-10"]
            for pair in PAIRS.values()
        ]
        mine = {
            "consistent": [r.consistent for r in each],
            "replicability": [r.r2 for r in each],
        }
        lines.append(_pair_line(f"{level:g}", levels, mine, position))
    lines += [
        "",
        "## Bouckaert (2004), table 2: mean normalised R under sorted runs, percent",
        "",
        "| test | paper | ours |",
        "|---|---|---|",
    ]
    for test, values in printed("bouckaert_2004")["table2_mean_normalised_R2_percent"].items():
        mine_r = [200 * (r - 0.5) for r in ours[_SORTED[test]]["replicability"]]
        lines.append(f"| {test} | {_spaced([values[t] for t in PAIRS])} | {_spaced(mine_r)} |")
    lines += ["", "## Draws of the 5x2cv test on each dataset", "", *_draws(ours["5x2cv-t"])]
    return lines


def _head(first: str) -> list[str]:
    titles = " | ".join(f"{title}: paper | ours" for title in PAIRS)
    return [f"| {first} | {titles} |", "|---|" + "---|" * (2 * len(PAIRS))]


def _pair_line(
    label: str, paper: Mapping[str, Any], ours: Mapping[str, Any], position: int | None
) -> str:
    cells = []
    for index, title in enumerate(PAIRS):
        consistent, r = paper["consistent"][title], paper["replicability"][title]
        if position is not None:
            consistent, r = consistent[position], r[position]
        cells.append(f"{consistent} / {r:.3f}")
        cells.append(f"{ours['consistent'][index]} / {ours['replicability'][index]:.3f}")
    return f"| {label} | " + " | ".join(cells) + " |"


def _draws(ours: Mapping[str, Any]) -> list[str]:
    lines = [f"| dataset | {' | '.join(PAIRS)} |", "|---|" + "---:|" * len(PAIRS)]
    for dataset in ours["draws"]["NB vs C4.5"]:
        cells = " | ".join(str(ours["draws"][title][dataset]) for title in PAIRS)
        lines.append(f"| {dataset} | {cells} |")
    return lines


# --------------------------------------------------------------------------- figures
def runs_figure(found: Summary) -> "Figure":
    """Draw replicability against the number of runs, paper dashed, ours solid."""
    from matplotlib.figure import Figure

    ours = {row["test"]: row["replicability"] for row in found.numbers}
    paper = printed("bouckaert_frank_2004")
    figure = Figure(figsize=(9.4, 3.6), layout="constrained", facecolor="white")
    for place, (title, names, key, amounts) in enumerate(
        (
            ("random splits", _SPLITS, "table2_corrected_resampled_t", (10, 20, 50, 100)),
            ("runs of 10-fold", _RUNS, "table3_corrected_rx10cv", (1, 2, 5, 10)),
        )
    ):
        ax = figure.add_subplot(1, 2, place + 1)
        for index, (pair, shade) in enumerate(zip(PAIRS, (_BLUE, _WARM, _INK), strict=True)):
            ax.plot(amounts, [ours[name][index] for name in names], "o-", color=shade, label=pair)
            ax.plot(amounts, paper[key]["replicability"][pair], "--", color=shade, alpha=0.6)
        ax.set_xscale("log")
        ax.set_xticks(amounts, [str(a) for a in amounts])
        ax.minorticks_off()
        ax.set_ylim(0.7, 1.0)
        ax.set_xlabel(title, fontsize=9, color=_MUTED)
        ax.tick_params(labelsize=8, colors=_MUTED)
        if place == 0:
            ax.set_ylabel("R, mean over datasets", fontsize=9, color=_MUTED)
            ax.legend(frameon=False, fontsize=8)
    figure.suptitle("Corrected t: replicability grows with the runs (dashed: as printed)", x=0.01,
                    ha="left", fontsize=10, fontweight="bold", color=_INK)  # fmt: skip
    return figure


def variance_figure() -> "Figure":
    """Draw the standard deviations of R1 and R2 over replicability (Bouckaert 2004, figure 2)."""
    from matplotlib.figure import Figure

    from replicast.kernels.agreement import disjoint_pairs_variance, pairs_variance

    figure = Figure(figsize=(6.4, 3.6), layout="constrained", facecolor="white")
    ax = figure.add_subplot()
    r = np.linspace(0.5, 1, 101)
    for n, style in ((10, "-"), (20, "--"), (50, ":")):
        one = [disjoint_pairs_variance(x, n) ** 0.5 for x in r]
        two = [pairs_variance(x, n) ** 0.5 for x in r]
        ax.plot(r, one, style, color=_WARM, label=f"R1, {n} outcomes")
        ax.plot(r, two, style, color=_BLUE, label=f"R2, {n} outcomes")
    ax.set_xlabel("replicability", fontsize=9, color=_MUTED)
    ax.set_ylabel("standard deviation of the estimate", fontsize=9, color=_MUTED)
    ax.tick_params(labelsize=8, colors=_MUTED)
    ax.legend(frameon=False, fontsize=8, ncols=3)
    ax.set_ylim(0, 0.3)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return figure
