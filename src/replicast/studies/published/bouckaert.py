"""Bouckaert (2004): Type I error, power and replicability in a simulation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.special import bdtrc

from replicast.arrays import Floats
from replicast.kernels.schemes import sample_scores
from replicast.replicability.procedures import PROCEDURES, Procedure, judge
from replicast.replicability.records import Replicability
from replicast.results import is_significant
from replicast.studies.plan import Study
from replicast.studies.published import printed
from replicast.studies.summary import Mean, Summary, groups

AS_PRINTED = "sign-sorted-as-printed"
TITLES = {
    **{name: procedure.title for name, procedure in PROCEDURES.items()},
    AS_PRINTED: "sign test, 10x10 sorted runs, from 8 of 10 as printed",
}
_SHAPES = {"cross-validation": ("folds", 10), "random splits": ("splits", 1), "5x2": ("halves", 2)}


def _matrix(part: pa.Table, name: str) -> Floats:
    return np.array(part.column(name).to_pylist(), dtype=np.float64)


def _samples(part: pa.Table) -> dict[str, Floats]:
    """Return the differences of each way to split as (records, runs, folds)."""
    found = {}
    for source, (column, width) in _SHAPES.items():
        flat = _matrix(part, column)
        found[source] = flat.reshape(len(flat), -1, width)
    return found


def judged(
    part: pa.Table, rows: int, names: Sequence[str] | None = None
) -> dict[str, tuple[Floats, Floats]]:
    """Return p-values and directions of every procedure the records have enough runs for."""
    samples = _samples(part)
    wanted = names or (*PROCEDURES, AS_PRINTED)

    def enough(procedure: Procedure) -> bool:
        return procedure.source == "5x2" or samples[procedure.source].shape[1] >= procedure.amount

    found = {
        p.name: judge(p, samples[p.source], rows)
        for p in (PROCEDURES[name] for name in wanted if name != AS_PRINTED)
        if enough(p)
    }
    if AS_PRINTED in wanted:
        found[AS_PRINTED] = sign_as_printed(samples["cross-validation"])
    return found


def sign_as_printed(scores: Floats, runs: int = 10) -> tuple[Floats, Floats]:
    """Return p-values and directions of the sign test on sorted runs that the printed rates show.

    They are those of a test that rejects from 8 of 10 on, where the exact two-sided p is 0.109. Twice
    the chance of more wins than were counted, 0.021 for 8, does so; that the paper computed it is
    inferred. Ties count half.
    """
    sample = sample_scores(scores[:, :runs], "sorted").round(12)
    count = sample.shape[1]
    wins = (sample > 0).sum(axis=1) + (sample == 0).sum(axis=1) / 2
    larger = np.floor(np.maximum(wins, count - wins))
    pvalues = np.minimum(1.0, 2 * bdtrc(larger, count, 0.5))
    return pvalues, np.sign(wins - count / 2)


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
    return {
        name: _behaviour(pvalues, signs, repetitions, significance)
        for name, (pvalues, signs) in judged(part, int(study.constants["rows"])).items()
    }


def _behaviour(
    pvalues: Floats, signs: Floats, repetitions: int, significance: float = 0.05
) -> Behaviour:
    p, direction = (values.reshape(-1, repetitions) for values in (pvalues, signs))
    rejects = Mean.of(is_significant(p, significance).mean(axis=1))  # repetitions share a dataset
    agreement = Replicability.from_pvalues(p, direction, significance=significance)
    return Behaviour(rejects, agreement.normalised, agreement.consistent / len(p))


@dataclass(frozen=True)
class Simulation:
    """The records of each cell in order, and how every procedure behaved on them."""

    parts: tuple[tuple[dict[str, Any], pa.Table], ...]
    cells: tuple[tuple[dict[str, Any], dict[str, Behaviour]], ...]


def read_simulation(study: Study, table: pa.Table) -> Simulation:
    """Return the cells of the simulation."""
    parts = tuple((levels, _in_order(part)) for levels, part in groups(table, list(study.factors)))
    return Simulation(parts, tuple((levels, behaviours(study, part)) for levels, part in parts))


def summarise_simulation(study: Study, read: Simulation, failed: int) -> Summary:
    """Return Type I error, power, replicability and consistency of every procedure.

    Where more than the source is varied, a row is a cell and only the main procedures are shown.
    """
    cells = read.cells
    headings, rows = (_by_test if set(study.factors) == {"source"} else _by_cell)(cells)
    numbers = tuple(
        {
            "test": name,
            "rejects": [found[name].rejects.value for _, found in cells],
            "rejects_error": [found[name].rejects.error for _, found in cells],
            "normalised": [found[name].normalised for _, found in cells],
            "consistent": [found[name].consistent for _, found in cells],
        }
        for name in cells[0][1]
    )
    notes = [
        "Percent. Rejects: share of experiments with p < 0.05, the Type I error on source 1, the power "
        "on sources 2 to 4. R: normalised replicability. Consistent: datasets on which all "
        "repetitions agree."
    ]
    if "pair" in study.factors:
        notes.append(
            "Nothing can be learned on source 1, but learners that guess differ in accuracy unless the "
            "classes are equally frequent: with nearest neighbours, what is rejected there is a Type I "
            "error at class probability 0.5 alone."
        )
    if failed:
        notes.append(f"{failed} records failed and are not counted.")
    return Summary(study.title, headings, rows, numbers, tuple(notes))


_Cells = Sequence[tuple[dict[str, Any], dict[str, Behaviour]]]
_Table = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


def _rate(mean: Mean) -> str:
    return f"{100 * mean.value:.1f} ± {100 * mean.error:.1f}"


def _by_test(cells: _Cells) -> _Table:
    labels = [", ".join(f"{v}" for v in levels.values()) for levels, _ in cells]
    headings = (
        "test",
        *(f"rejects, {label}" for label in labels),
        "least R",
        *(f"consistent, {label}" for label in labels),
    )
    rows = []
    for name in cells[0][1]:
        each = [found[name] for _, found in cells]
        rows.append(
            (
                TITLES[name],
                *(_rate(item.rejects) for item in each),
                f"{100 * min(item.normalised for item in each):.1f}",
                *(f"{100 * item.consistent:.1f}" for item in each),
            )
        )
    return headings, tuple(rows)


def _by_cell(cells: _Cells) -> _Table:
    names = [name for name in _MAIN if name in cells[0][1]]
    factors = [name.replace("_", " ") for name in cells[0][0]]
    headings = (*factors, *(f"{_SHORT[name]}: rejects / R" for name in names))
    rows = tuple(
        (
            *(str(value) for value in levels.values()),
            *(f"{_rate(found[n].rejects)} / {100 * found[n].normalised:.0f}" for n in names),
        )
        for levels, found in cells
    )
    return headings, rows


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


def network_tables(study: Study, read: Simulation, found: Summary) -> list[str]:
    """Return what the papers report beside ours, where the study is theirs."""
    if set(study.factors) != {"source"}:
        return []
    if int(study.constants["runs"]) > 10:
        return runs_table(study, read)
    return [*simulation_tables(found), *level_table(study, read)]


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
            f"| {spaced(row['power'])} | {spaced(rates[1:])} | {row['min_norm_replicability']} "
            f"| {100 * min(mine['normalised']):.1f} |"
        )
        if name == "sign-sorted":
            counted = ours[AS_PRINTED]
            rates = [100 * value for value in counted["rejects"]]
            lines.append(
                f"| sign | the same, rejecting from 8 of 10 | {row['type1']} | {rates[0]:.1f} "
                f"| {spaced(row['power'])} | {spaced(rates[1:])} | {row['min_norm_replicability']} "
                f"| {100 * min(counted['normalised']):.1f} |"
            )
    lines += [
        "",
        "The printed rates of the sign test are those of a test that rejects from 8 of 10 on; at the "
        "level 0.05 the exact two-sided test needs 9.",
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
                f"| {title} | {spaced(values)} | {spaced(agreed)} | {min(values)} "
                f"| {min(agreed):.1f} |"
            )
    return lines


_SHORT = {
    "t-sorted": "t, sorted runs",
    "sign-sorted": "sign, sorted runs",
    AS_PRINTED: "sign from 8 of 10",
    "rank-sorted": "rank, sorted runs",
    "corrected-cv-10": "corrected t, 10x10",
    "corrected-splits-100": "corrected t, 100 splits",
    "5x2cv-t": "5x2cv t",
}
_MAIN = tuple(_SHORT)
_LEVELS = (0.01, 0.025, 0.05, 0.1)


def level_table(study: Study, read: Simulation) -> list[str]:
    """Return the Type I error at other levels of significance, which the paper reports in words."""
    part = next(part for levels, part in read.parts if levels["source"] == 1)
    found = judged(part, int(study.constants["rows"]), _MAIN)
    lines = [
        "",
        "## Type I error at other levels, percent",
        "",
        "| test | " + " | ".join(f"{100 * level:g}%" for level in _LEVELS) + " |",
        "|---|" + "---:|" * len(_LEVELS),
    ]
    for name, (pvalues, _) in found.items():
        cells = " | ".join(
            f"{100 * np.mean(is_significant(pvalues, level)):.1f}" for level in _LEVELS
        )
        lines.append(f"| {TITLES[name]} | {cells} |")
    return lines


def runs_table(study: Study, read: Simulation) -> list[str]:
    """Return Type I error, power and replicability as the runs of cross-validation grow."""
    amounts = [n for n in range(10, 101, 10) if n <= int(study.constants["runs"])]
    rows, repetitions = int(study.constants["rows"]), int(study.constants["repetitions"])
    lines = [
        "",
        "## More runs of 10-fold cross-validation: rejections / R, percent",
        "",
        "| test | source | " + " | ".join(f"{n} runs" for n in amounts) + " |",
        "|---|---:|" + "---:|" * len(amounts),
    ]
    samples = [
        (levels["source"], _samples(part)["cross-validation"]) for levels, part in read.parts
    ]
    for name in ("t-sorted", "sign-sorted", AS_PRINTED, "rank-sorted", "corrected-cv-10"):
        for source, sample in samples:
            cells = []
            for amount in amounts:
                if name == AS_PRINTED:
                    found = sign_as_printed(sample, amount)
                else:
                    found = judge(replace(PROCEDURES[name], amount=amount), sample, rows)
                seen = _behaviour(*found, repetitions)
                cells.append(f"{100 * seen.rejects.value:.1f} / {100 * seen.normalised:.0f}")
            lines.append(
                f"| {_SHORT[name].replace(', 10x10', '')} | {source} | {' | '.join(cells)} |"
            )
    return lines


def spaced(values: Sequence[float]) -> str:
    """Write numbers side by side, one decimal each."""
    return " / ".join(f"{value:.1f}" for value in values)
