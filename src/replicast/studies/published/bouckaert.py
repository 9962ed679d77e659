"""Bouckaert (2004): Type I error, power and replicability in a simulation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.special import bdtrc, ndtr

from replicast.arrays import Floats
from replicast.kernels.agreement import equal_pairs
from replicast.kernels.ranks import signed_rank_statistics
from replicast.kernels.schemes import sample_scores
from replicast.replicability.procedures import PROCEDURES, Procedure, judge
from replicast.results import is_significant
from replicast.studies.plan import Study
from replicast.studies.published import Beside, printed, table
from replicast.studies.scenarios.networks import shipped_gaps
from replicast.studies.summary import Mean, Summary, groups

AS_PRINTED = "sign-sorted-as-printed"
NORMAL = "-normal"  # behind the name of a rank test: by the normal approximation, as printed
_RANKS = {name: f"{p.title}, normal" for name, p in PROCEDURES.items() if name.startswith("rank-")}
TITLES = {
    **{name: procedure.title for name, procedure in PROCEDURES.items()},
    **{name + NORMAL: title for name, title in _RANKS.items()},
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
    found = {}
    for name in names or (*PROCEDURES, *(name + NORMAL for name in _RANKS), AS_PRINTED):
        if name == AS_PRINTED:
            found[name] = sign_as_printed(samples["cross-validation"])
            continue
        procedure = PROCEDURES[name.removesuffix(NORMAL)]
        sample = samples[procedure.source]
        if procedure.source == "5x2" or sample.shape[1] >= procedure.amount:
            normal = name.endswith(NORMAL)
            found[name] = (
                rank_as_printed(procedure, sample) if normal else judge(procedure, sample, rows)
            )
    return found


def rank_as_printed(procedure: Procedure, scores: Floats) -> tuple[Floats, Floats]:
    """Return p-values and directions of the rank test by the paper's normal approximation.

    There is no correction for continuity or ties. The paper prints n' + 2 for 2n' + 1 in the variance;
    with the misprint a fifth of null experiments would be rejected, so it was not what was run.
    """
    used = scores[:, : procedure.amount]
    sample = sample_scores(used, procedure.scheme).reshape(len(used), -1).round(12)
    w_plus, n, _ = signed_rank_statistics(sample)
    off = w_plus - n * (n + 1) / 4
    deviation = np.sqrt(np.maximum(n * (n + 1) * (2 * n + 1) / 24, 1.0))
    return 2 * ndtr(-np.abs(off / deviation)), np.sign(off)


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
    normalised: Mean
    consistent: Mean


def behaviours(study: Study, part: pa.Table, significance: float = 0.05) -> dict[str, Behaviour]:
    """Return the behaviour of every procedure on the datasets of one source."""
    repetitions = int(study.constants["repetitions"])
    return {
        name: behaviour(pvalues, repetitions, significance)
        for name, (pvalues, _) in judged(part, int(study.constants["rows"])).items()
    }


def behaviour(pvalues: Floats, repetitions: int, significance: float = 0.05) -> Behaviour:
    """Return how a procedure behaves; errors are over datasets, which repetitions share."""
    rejected = is_significant(pvalues.reshape(-1, repetitions), significance).sum(axis=1)
    accepted = repetitions - rejected
    return Behaviour(
        Mean.of(rejected / repetitions),
        Mean.of(2 * equal_pairs(np.stack([accepted, rejected], axis=1)) - 1),
        Mean.of((np.minimum(accepted, rejected) == 0).astype(np.float64)),
    )


@dataclass(frozen=True)
class Simulation:
    """The records of each cell in order, and how every procedure behaved on them."""

    parts: tuple[tuple[dict[str, Any], pa.Table], ...]
    cells: tuple[tuple[dict[str, Any], dict[str, Behaviour]], ...]


def read_simulation(study: Study, records: pa.Table) -> Simulation:
    """Return the cells of the simulation."""
    by = [*study.factors, *(["pair"] if "pair" in records.column_names else [])]
    parts = tuple(
        (levels, _in_order(part)) for levels, part in groups(records, list(dict.fromkeys(by)))
    )
    return Simulation(parts, tuple((levels, behaviours(study, part)) for levels, part in parts))


def summarise_simulation(study: Study, read: Simulation, failed: int) -> Summary:
    """Return Type I error, power, replicability and consistency of every procedure.

    Where more than the source is varied, a row is a cell and only the main procedures are shown.
    """
    cells = read.cells
    headings, rows = (_by_test if set(cells[0][0]) == {"source"} else _by_cell)(cells)
    numbers = tuple(
        {
            "test": name,
            "rejects": [found[name].rejects.value for _, found in cells],
            "rejects_error": [found[name].rejects.error for _, found in cells],
            "normalised": [found[name].normalised.value for _, found in cells],
            "consistent": [found[name].consistent.value for _, found in cells],
        }
        for name in cells[0][1]
    )
    notes = [
        "Percent. Rejects: share of experiments with p < 0.05, the Type I error on source 1, the power "
        "on sources 2 to 4. R: normalised replicability. Consistent: datasets on which all "
        "repetitions agree."
    ]
    if "pair" in cells[0][0]:
        notes.append(
            "Nothing can be learned on source 1, but learners that guess differ in accuracy unless the "
            "classes are equally frequent: what is rejected there is a Type I error at class "
            "probability 0.5 alone."
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
                f"{100 * min(item.normalised.value for item in each):.1f}",
                *(f"{100 * item.consistent.value:.1f}" for item in each),
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
            *(f"{_rate(found[n].rejects)} / {100 * found[n].normalised.value:.0f}" for n in names),
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


def network_tables(study: Study, read: Simulation, _found: Summary) -> list[str]:
    """Return what the papers report beside ours, where the study is theirs."""
    if set(read.cells[0][0]) != {"source"}:
        return claims(read)
    if int(study.constants["runs"]) > 10:
        return runs_table(study, read)
    return [*simulation_tables(read), *level_table(study, read)]


def claims(read: Simulation) -> list[str]:
    """Return the largest Type I error and the least R, of which the paper reports in words."""
    lines = ["The paper reports that no Type I error exceeds the level by more than 1%.", ""]
    for name in (name for name in _SHORT if name in read.cells[0][1]):
        null = [
            (levels, found[name])
            for levels, found in read.cells
            if levels["source"] == 1 and levels.get("class_probability", 0.5) == 0.5
        ]  # elsewhere the learners differ
        if null:
            levels, worst = max(null, key=lambda one: one[1].rejects.value)
            at = ", ".join(f"{value}" for key, value in levels.items() if key != "source")
            least = min(found[name].normalised.value for _, found in read.cells)
            lines.append(
                f"- {_SHORT[name]}: rejects at most {_rate(worst.rejects)}% on source 1 ({at}); "
                f"least R {100 * least:.0f}%."
            )
    return [*lines, ""]


def simulation_tables(read: Simulation) -> list[str]:
    """Return Bouckaert's table 1 and Bouckaert and Frank's table 5 beside ours."""
    by_source = {levels["source"]: found for levels, found in read.cells}
    if set(by_source) != {1, 2, 3, 4}:
        return []
    rows = []
    for row in printed("bouckaert_2004")["table1_percent"]:
        name = f"{row['test']}-{_TABLE_1[row['scheme']]}"
        values = [row["type1"], *row["power"], row["min_norm_replicability"]]
        said = [f"{value} ± {half}" for value, half in zip(values, row["within"], strict=True)]
        rows.append([row["test"], row["scheme"], *said])
        other = {"sign": AS_PRINTED, "rank": name + NORMAL}.get(row["test"], name)
        for key in dict.fromkeys((name, other)):
            each = [by_source[source][key] for source in (1, 2, 3, 4)]
            least = min((one.normalised for one in each), key=lambda one: one.value)
            pairs = zip(values, [*(one.rejects for one in each), least], strict=True)
            label = {AS_PRINTED: "ours, from 8 of 10"}.get(key, "ours, exact" if key != other else
                     "ours, normal" if key.endswith(NORMAL) else "ours")  # fmt: skip
            rows.append(["", label, *(_apart(value, mean) for value, mean in pairs)])
    heads = ("test", "scheme", "Type I", "power, 2", "power, 3", "power, 4", "least R")
    lines = ["## Bouckaert (2004), table 1", "", *table(heads, rows), _ERRORS, ""]
    lines += ["The printed rates of the sign test are those of a test that rejects from 8 of 10 on; at "
              "the level 0.05 the exact two-sided test needs 9.", ""]  # fmt: skip
    paper, rows = printed("bouckaert_frank_2004")["table5_simulation_consistency_percent"], []
    gaps = zip(paper["delta_accuracy"], shipped_gaps(), strict=True)
    rows.append(
        ["C4.5 over naive Bayes", *(Beside("", a, round(100 * b, 2)).cell for a, b in gaps)]
    )
    for title, name in _TABLE_5.items():
        agreed = [by_source[source][name].consistent for source in paper["sources"]]
        cells = [Beside("", p, round(100 * one.value, 1), 100 * one.error * _BOTH).cell
                 for p, one in zip(paper[title], agreed, strict=True)]  # fmt: skip
        rows.append([title, *cells])
    lines += ["## Bouckaert and Frank (2004), table 5: consistency", ""]
    sources = ("test", *(f"source {source}" for source in paper["sources"]))
    return [*lines, "Percent: paper / ours (errors apart).", "", *table(sources, rows)]


_BOTH = float(np.sqrt(2))  # the papers had as many datasets
_ERRORS = (
    "Percent; first the print with its 95% intervals, then ours with our standard error over datasets "
    "and how many errors they are apart, the paper's taken to be as large as ours."
)


def _apart(value: float, mean: Mean) -> str:
    """Return our rate and how many errors it is from a printed one, the error as halfway between."""
    here, half = (np.clip(p, 1e-4, 1 - 1e-4) for p in (mean.value, (mean.value + value / 100) / 2))
    error = max(mean.error, 1e-4) * np.sqrt(max(1.0, half * (1 - half) / (here * (1 - here))))
    beside = Beside("", value, 100 * mean.value, 100 * float(error) * _BOTH)
    return f"{_rate(mean)} ({beside.apart.replace(' ', '')})"


_SHORT = {
    "t-sorted": "t, sorted runs",
    "sign-sorted": "sign, sorted runs",
    AS_PRINTED: "sign from 8 of 10",
    "rank-sorted": "rank, sorted runs",
    "rank-sorted-normal": "rank, normal, sorted runs",
    "corrected-cv-10": "corrected t, 10x10",
    "corrected-splits-100": "corrected t, 100 splits",
    "5x2cv-t": "5x2cv t",
}
_MAIN = tuple(_SHORT)
_LEVELS = (0.01, 0.025, 0.05, 0.1)


def level_table(study: Study, read: Simulation) -> list[str]:
    """Return Type I error and least R at other levels, which the paper reports in words."""
    rows, repetitions = int(study.constants["rows"]), int(study.constants["repetitions"])
    found = {levels["source"]: judged(part, rows, _MAIN) for levels, part in read.parts}
    if 1 not in found:
        return []
    shown = []
    for name in found[1]:
        cells = []
        for level in _LEVELS:
            each = {s: behaviour(one[name][0], repetitions, level) for s, one in found.items()}
            least = min(one.normalised.value for one in each.values())
            cells.append(f"{100 * each[1].rejects.value:.1f} / {100 * least:.0f}")
        shown.append([TITLES[name], *cells])
    heads = ("test", *(f"{100 * level:g}%" for level in _LEVELS))
    title = "## Type I error on source 1 and least R at other levels, percent"
    return [title, "", *table(heads, shown)]


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
                seen = behaviour(found[0], repetitions)
                cells.append(f"{100 * seen.rejects.value:.1f} / {100 * seen.normalised.value:.0f}")
            lines.append(
                f"| {_SHORT[name].replace(', 10x10', '')} | {source} | {' | '.join(cells)} |"
            )
    return lines
