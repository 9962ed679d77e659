"""Bouckaert and Frank (2004): replicability of tests on the UCI datasets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from replicast.arrays import Floats
from replicast.replicability.procedures import PROCEDURES
from replicast.replicability.records import Replicability
from replicast.studies.plan import Study
from replicast.studies.published import printed
from replicast.studies.published.bouckaert import judged, spaced
from replicast.studies.summary import Summary, groups

PAIRS = {
    "NB vs C4.5": ("naive-bayes", "c45"),
    "NB vs NN": ("naive-bayes", "nearest"),
    "C4.5 vs NN": ("c45", "nearest"),
}


@dataclass(frozen=True)
class Outcomes:
    """P-values and directions of every procedure on every dataset, for one pair of learners."""

    datasets: tuple[str, ...]
    judged: Mapping[str, tuple[Floats, Floats]]

    @property
    def reruns(self) -> int:
        """How often every comparison was repeated."""
        return int(self.judged[NAMES[0]][0].shape[1])

    def agreement(
        self, name: str, significance: float = 0.05, reruns: int | None = None
    ) -> Replicability:
        """Return the replicability of a procedure over all datasets, by the first reruns or all."""
        pvalues, signs = (values[:, :reruns] for values in self.judged[name])
        return Replicability.from_pvalues(
            pvalues, signs, test=name, datasets=list(self.datasets), significance=significance
        )


def read_uci(_study: Study, table: pa.Table) -> dict[str, Outcomes]:
    """Return what every procedure found, for the three pairs of learners."""
    frame = table.select(["first", "second"]).to_pandas()
    found = {}
    for title, (first, second) in PAIRS.items():
        chosen = table.take(np.flatnonzero((frame["first"] == first) & (frame["second"] == second)))
        parts = [
            (levels, part.sort_by("replicate")) for levels, part in groups(chosen, ["dataset"])
        ]
        each = [judged(part, int(part.column("rows")[0].as_py()), NAMES) for _, part in parts]
        found[title] = Outcomes(
            tuple(str(levels["dataset"]) for levels, _ in parts),
            {
                name: (
                    np.array([one[name][0] for one in each]),
                    np.array([one[name][1] for one in each]),
                )
                for name in NAMES
            },
        )
    return found


AS_PAPER = 10  # reruns in the papers: consistency depends on their number, R does not
SPLITS = tuple(f"corrected-splits-{n}" for n in (10, 20, 50, 100))
RUNS = tuple(f"corrected-cv-{n}" for n in (1, 2, 5, 10))
_SORTED = {"sign": "sign-sorted", "rank": "rank-sorted", "t": "t-sorted"}
NAMES = ("5x2cv-t", "5x2cv-f", "t-kfold", *SPLITS, *RUNS, *_SORTED.values())


def summarise_uci(study: Study, read: Mapping[str, Outcomes], failed: int) -> Summary:
    """Return consistency and replicability over the datasets, for the three pairs of learners."""
    rows, numbers = [], []
    for name in NAMES:
        each = [read[title].agreement(name, reruns=AS_PAPER) for title in PAIRS]
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
                "replicability_all_reruns": [read[title].agreement(name).r2 for title in PAIRS],
                "replicability_interval": [list(r.interval) for r in each],
                "draws": {
                    title: {d: o[1] for d, o in zip(r.datasets, r.outcomes, strict=True)}
                    for title, r in zip(PAIRS, each, strict=True)
                },
            }
        )
    count = len(read["NB vs C4.5"].datasets)
    notes = [
        f"{count} datasets; consistent / almost consistent / R for each pair, ten reruns. The paper has "
        "27: the 27th, Hungarian heart disease, can be added as an ARFF file among the levels of "
        "`dataset`."
    ]
    if failed:
        notes.append(f"{failed} records failed and are not counted.")
    return Summary(study.title, ("test", *PAIRS), tuple(rows), tuple(numbers), tuple(notes))


def uci_tables(read: Mapping[str, Outcomes], found: Summary) -> list[str]:
    """Return the papers' tables beside ours."""
    ours = {row["test"]: row for row in found.numbers}
    paper = printed("bouckaert_frank_2004")
    lines = ["## Bouckaert and Frank (2004), tables 1 to 3", "", *_head("test")]
    lines.append(_pair_line("5x2cv t", paper["table1_5x2cv"], ours["5x2cv-t"], None))
    for key, names in (
        ("table2_corrected_resampled_t", SPLITS),
        ("table3_corrected_rx10cv", RUNS),
    ):
        for position, name in enumerate(names):
            lines.append(_pair_line(PROCEDURES[name].title, paper[key], ours[name], position))
    lines += ["", "## Table 4: corrected 10x10 at other levels", "", *_head("level")]
    levels = paper["table4_corrected_10x10_alpha"]
    for position, level in enumerate(levels["alpha"]):
        each = [read[title].agreement("corrected-cv-10", level, AS_PAPER) for title in PAIRS]
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
    lines += _more_reruns(read)
    lines += ["", "## Draws of the 5x2cv test on each dataset", "", *_draws(ours["5x2cv-t"])]
    return lines


def _more_reruns(read: Mapping[str, Outcomes]) -> list[str]:
    """Return R over all reruns, where there are more than the papers had."""
    reruns = read["NB vs C4.5"].reruns
    if reruns <= AS_PAPER:
        return []
    lines = [
        "",
        f"## R over {reruns} reruns",
        "",
        f"| test | {' | '.join(PAIRS)} |",
        "|---|" + "---:|" * len(PAIRS),
    ]
    for name in NAMES:
        each = [read[title].agreement(name) for title in PAIRS]
        cells = " | ".join(f"{r.r2:.3f} ± {np.sqrt(r.r2_variance):.3f}" for r in each)
        lines.append(f"| {PROCEDURES[name].title} | {cells} |")
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
