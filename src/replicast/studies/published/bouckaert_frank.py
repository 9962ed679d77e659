"""Bouckaert and Frank (2004): replicability of tests on the UCI datasets."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from replicast.arrays import Floats
from replicast.replicability.procedures import PROCEDURES
from replicast.replicability.records import Replicability
from replicast.studies.plan import Study
from replicast.studies.published import printed
from replicast.studies.published.bouckaert import judged, spaced
from replicast.studies.summary import Summary, groups

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INK, _MUTED, _BLUE, _WARM = "#1a2332", "#5b6675", "#1f5fb0", "#b4632a"
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
        lines.append(f"| {test} | {spaced([values[t] for t in PAIRS])} | {spaced(mine_r)} |")
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
