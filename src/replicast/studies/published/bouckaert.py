"""Bouckaert (2004): Type I error, power and replicability in a simulation."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from scipy.special import bdtrc, ndtr

from replicast.arrays import Floats
from replicast.kernels.agreement import equal_pairs
from replicast.kernels.ranks import signed_rank_statistics
from replicast.replicability.procedures import PROCEDURES, Procedure, judge, sample_of
from replicast.results import is_significant
from replicast.studies.plan import Study
from replicast.studies.published import Beside, beside_share, printed, table
from replicast.studies.scenarios.networks import shipped_gaps
from replicast.studies.summary import Mean, Summary, groups, matrix_of, percent

NORMAL = "-normal"  # behind the name of a rank test: by the normal approximation, as printed
AS_PRINTED = "sign-sorted-as-printed"  # from 8 of 10 on, as printed
_SHAPES = {"cross-validation": ("folds", 10), "random splits": ("splits", 1), "5x2": ("halves", 2)}
Outcomes = tuple[Floats, Floats]  # p-values and directions


def rank_as_printed(procedure: Procedure, scores: Floats, _: int = 0) -> Outcomes:
    """Return p-values and directions of the rank test by the paper's normal approximation.

    There is no correction for continuity or ties. The paper prints n' + 2 for 2n' + 1 in the variance;
    with the misprint a fifth of null experiments would be rejected, so it was not what was run.
    """
    sample = sample_of(procedure, scores)
    w_plus, n, _ties = signed_rank_statistics(sample)
    off = w_plus - n * (n + 1) / 4
    deviation = np.sqrt(np.maximum(n * (n + 1) * (2 * n + 1) / 24, 1.0))
    return 2 * ndtr(-np.abs(off / deviation)), np.sign(off)


def sign_as_printed(procedure: Procedure, scores: Floats, _: int = 0) -> Outcomes:
    """Return p-values and directions of the sign test on sorted runs that the printed rates show.

    They are those of a test that rejects from 8 of 10 on, where the exact two-sided p is 0.109. Twice
    the chance of more wins than were counted, 0.021 for 8, does so; that the paper computed it is
    inferred. Ties count half.
    """
    sample = sample_of(procedure, scores)
    count = sample.shape[1]
    wins = (sample > 0).sum(axis=1) + (sample == 0).sum(axis=1) / 2
    larger = np.floor(np.maximum(wins, count - wins))
    pvalues = np.minimum(1.0, 2 * bdtrc(larger, count, 0.5))
    return pvalues, np.sign(wins - count / 2)


class Way(NamedTuple):
    """A procedure, and who judges by it: our own test, or the one that was printed."""

    procedure: Procedure
    title: str
    judge: Callable[[Procedure, Floats, int], Outcomes]


WAYS = {
    **{name: Way(own, own.title, judge) for name, own in PROCEDURES.items()},
    **{
        name + NORMAL: Way(own, f"{own.title}, normal", rank_as_printed)
        for name, own in PROCEDURES.items()
        if name.startswith("rank-")
    },
    AS_PRINTED: Way(
        PROCEDURES["sign-sorted"],
        "sign test, 10x10 sorted runs, from 8 of 10 as printed",
        sign_as_printed,
    ),
}


def _samples(part: pa.Table) -> dict[str, Floats]:
    """Return the differences of each way to split as (records, runs, folds)."""
    flat = {source: (matrix_of(part, column), width) for source, (column, width) in _SHAPES.items()}
    return {source: rows.reshape(len(rows), -1, width) for source, (rows, width) in flat.items()}


def judged(part: pa.Table, rows: int, names: Iterable[str] = tuple(WAYS)) -> dict[str, Outcomes]:
    """Return p-values and directions of every procedure the records have enough runs for."""
    samples = _samples(part)
    return {
        name: way.judge(way.procedure, samples[way.procedure.source], rows)
        for name, way in ((name, WAYS[name]) for name in names)
        if samples[way.procedure.source].shape[1] >= way.procedure.amount
    }


# --------------------------------------------------------------------------- simulation
@dataclass(frozen=True)
class Behaviour:
    """One procedure on one source: how often it rejects, and how often it agrees with itself."""

    rejects: Mean
    normalised: Mean
    consistent: Mean


def behaviour(pvalues: Floats, repetitions: int, significance: float = 0.05) -> Behaviour:
    """Return how a procedure behaves; errors are over datasets, which repetitions share."""
    rejected = is_significant(pvalues.reshape(-1, repetitions), significance).sum(axis=1)
    accepted = repetitions - rejected
    agreement = equal_pairs(np.stack([accepted, rejected], axis=1))
    shared = Mean.of_shares(agreement)
    return Behaviour(
        Mean.of_shares(rejected / repetitions),
        Mean(float(np.mean(2 * agreement - 1)), 2 * shared.error, shared.count),
        Mean.of_shares((np.minimum(accepted, rejected) == 0).astype(np.float64)),
    )


@dataclass(frozen=True)
class Simulation:
    """Levels and records of every cell, and how each procedure behaved on them, in the same order."""

    levels: tuple[dict[str, Any], ...]
    parts: tuple[pa.Table, ...]
    seen: dict[str, list[Behaviour]]


def read_simulation(study: Study, records: pa.Table) -> Simulation:
    """Return the cells of the simulation."""
    by = dict.fromkeys([*study.factors, *({"pair"} & set(records.column_names))])
    levels, found = zip(*groups(records, list(by)), strict=True)
    order = [("replicate", "ascending"), ("repetition", "ascending")]
    parts = tuple(part.sort_by(order) for part in found)
    rows, repetitions = _sizes(study)
    seen: dict[str, list[Behaviour]] = {}
    for part in parts:
        for name, (pvalues, _) in judged(part, rows).items():
            seen.setdefault(name, []).append(behaviour(pvalues, repetitions))
    return Simulation(levels, parts, seen)


def _least(each: Iterable[Behaviour]) -> Mean:
    return min((one.normalised for one in each), key=lambda mean: mean.value)


def _sizes(study: Study) -> tuple[int, int]:
    """Return rows of a dataset, and repetitions on it."""
    return int(study.constants["rows"]), int(study.constants["repetitions"])


def summarise_simulation(study: Study, read: Simulation) -> Summary:
    """Return Type I error, power, replicability and consistency of every procedure.

    Where more than the source is varied, a row is a cell and only the main procedures are shown.
    """
    headings, rows = (_by_test if set(read.levels[0]) == {"source"} else _by_cell)(read)
    numbers = tuple(
        {
            "test": name,
            "rejects": [one.rejects.value for one in each],
            "rejects_error": [one.rejects.error for one in each],
            "normalised": [one.normalised.value for one in each],
            "consistent": [one.consistent.value for one in each],
        }
        for name, each in read.seen.items()
    )
    notes = [
        "Percent. Rejects: share of experiments with p < 0.05, the Type I error on source 1, the power "
        "on sources 2 to 4. R: normalised replicability. Consistent: datasets on which all "
        "repetitions agree."
    ]
    if "pair" in read.levels[0]:
        notes.append(
            "Nothing can be learned on source 1, but learners that guess differ in accuracy unless the "
            "classes are equally frequent: what is rejected there is a Type I error at class "
            "probability 0.5 alone."
        )
    return Summary(study.title, headings, rows, numbers, tuple(notes))


_Table = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


def _by_test(read: Simulation) -> _Table:
    labels = [", ".join(map(str, levels.values())) for levels in read.levels]
    rejects = [f"rejects, {label}" for label in labels]
    consistent = [f"consistent, {label}" for label in labels]
    rows = tuple(
        (
            WAYS[name].title,
            *(percent(one.rejects) for one in each),
            f"{100 * _least(each).value:.1f}",
            *(f"{100 * one.consistent.value:.1f}" for one in each),
        )
        for name, each in read.seen.items()
    )
    return ("test", *rejects, "least R", *consistent), rows


def _by_cell(read: Simulation) -> _Table:
    main = {_SHORT[name]: read.seen[name] for name in _SHORT if name in read.seen}
    factors = [name.replace("_", " ") for name in read.levels[0]]
    rows = []
    for at, levels in enumerate(read.levels):
        found = [each[at] for each in main.values()]
        cells = [f"{percent(one.rejects)} / {100 * one.normalised.value:.0f}" for one in found]
        rows.append((*map(str, levels.values()), *cells))
    return (*factors, *(f"{name}: rejects / R" for name in main)), tuple(rows)


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
    if set(read.levels[0]) != {"source"}:
        return claims(read)
    if int(study.constants["runs"]) > 10:
        return runs_table(study, read)
    return [*simulation_tables(read), *level_table(study, read)]


def claims(read: Simulation) -> list[str]:
    """Return the largest Type I error and the least R, of which the paper reports in words."""
    lines = ["The paper reports that no Type I error exceeds the level by more than 1%.", ""]
    null = [
        at
        for at, levels in enumerate(read.levels)
        if levels["source"] == 1 and levels.get("class_probability", 0.5) == 0.5
    ]  # elsewhere the learners differ
    for name in (name for name in _SHORT if null and name in read.seen):
        each = read.seen[name]
        worst = null[int(np.argmax([each[at].rejects.value for at in null]))]
        where = ", ".join(f"{v}" for key, v in read.levels[worst].items() if key != "source")
        lines.append(
            f"- {_SHORT[name]}: rejects at most {percent(each[worst].rejects)}% on source 1 ({where}); "
            f"least R {100 * _least(each).value:.0f}%."
        )
    return [*lines, ""]


def simulation_tables(read: Simulation) -> list[str]:
    """Return Bouckaert's table 1 and Bouckaert and Frank's table 5 beside ours."""
    if [levels["source"] for levels in read.levels] != [1, 2, 3, 4]:
        return []
    rows = [
        row
        for said in printed("bouckaert_2004")["table1_percent"]
        for row in _table_1_rows(said, read)
    ]
    heads = ("test", "scheme", "Type I", "power, 2", "power, 3", "power, 4", "least R")
    paper = printed("bouckaert_frank_2004")["table5_simulation_consistency_percent"]
    gaps = zip(paper["delta_accuracy"], shipped_gaps(), strict=True)
    consistent: list[list[object]] = [
        ["C4.5 over naive Bayes", *(Beside(said, round(100 * own, 2)) for said, own in gaps)]
    ]
    for title, name in _TABLE_5.items():
        both = zip(paper[title], read.seen[name], strict=True)
        each = (beside_share(said, _DATASETS, own.consistent) for said, own in both)
        consistent.append([title, *each])
    sources = ("test", *(f"source {source}" for source in paper["sources"]))
    return [
        "## Bouckaert (2004), table 1", "", *table(heads, rows), _ERRORS, "",
        "The printed rates of the sign test are those of a test that rejects from 8 of 10 on; at "
        "the level 0.05 the exact two-sided test needs 9.", "",
        "## Bouckaert and Frank (2004), table 5: consistency", "",
        "Percent: paper / ours (errors apart).", "", *table(sources, consistent),
    ]  # fmt: skip


def _table_1_rows(said: dict[str, Any], read: Simulation) -> list[list[str]]:
    """Return a printed row of table 1, and ours below it: as printed too where that is another test."""
    test, name = said["test"], f"{said['test']}-{_TABLE_1[said['scheme']]}"
    values = [said["type1"], *said["power"], said["min_norm_replicability"]]
    cells = (f"{value} ± {half}" for value, half in zip(values, said["within"], strict=True))
    rows = [[test, said["scheme"], *cells]]
    labels = {
        "sign": {name: "ours, exact", AS_PRINTED: "ours, from 8 of 10"},
        "rank": {name: "ours, exact", name + NORMAL: "ours, normal"},
    }
    for key, label in labels.get(test, {name: "ours"}).items():
        each = read.seen[key]
        rates = zip(values[:-1], (one.rejects for one in each), strict=True)
        least = _apart(values[-1], _least(each), chance=0.5)
        rows.append(["", label, *(_apart(value, mean) for value, mean in rates), least])
    return rows


_DATASETS = 1000  # of each source in the papers
_ERRORS = (
    "Percent; first the print with its 95% intervals, then ours with our standard error over datasets "
    "and how many errors of the difference they are apart. The print is taken to vary as ours does, "
    "over its 1,000 datasets; no error is 0, since one more dataset could differ."
)


def _apart(value: float, mean: Mean, chance: float = 0.0) -> str:
    """Return our rate and how many errors it is from a printed one.

    Normalised R is 0 where outcomes agree by chance, in half of the pairs: the share of pairs that
    agree is compared.
    """
    left = 1 - chance
    share = Mean(chance + left * mean.value, left * mean.error, mean.count)
    beside = beside_share(100 * chance + left * value, _DATASETS, share)
    return f"{percent(mean)} ({beside.apart.replace(' ', '')})"


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
_LEVELS = (0.01, 0.025, 0.05, 0.1)


def level_table(study: Study, read: Simulation) -> list[str]:
    """Return Type I error and least R at other levels, which the paper reports in words."""
    rows, repetitions = _sizes(study)
    if read.levels[0]["source"] != 1:
        return []
    found = [judged(part, rows, _SHORT) for part in read.parts]
    shown = []
    for name in found[0]:
        cells = []
        for level in _LEVELS:
            each = [behaviour(one[name][0], repetitions, level) for one in found]
            cells.append(_percents(each[0].rejects, _least(each)))
        shown.append([WAYS[name].title, *cells])
    heads = ("test", *(f"{100 * level:g}%" for level in _LEVELS))
    title = "## Type I error on source 1 and least R at other levels, percent"
    return [title, "", *table(heads, shown)]


def _percents(rejects: Mean, agreement: Mean) -> str:
    return f"{100 * rejects.value:.1f} / {100 * agreement.value:.0f}"


def runs_table(study: Study, read: Simulation) -> list[str]:
    """Return Type I error, power and replicability as the runs of cross-validation grow."""
    amounts = [n for n in range(10, 101, 10) if n <= int(study.constants["runs"])]
    rows, repetitions = _sizes(study)
    shown = []
    for name in ("t-sorted", "sign-sorted", AS_PRINTED, "rank-sorted", "corrected-cv-10"):
        for levels, part in zip(read.levels, read.parts, strict=True):
            sample, way = _samples(part)["cross-validation"], WAYS[name]
            longer = (replace(way.procedure, amount=amount) for amount in amounts)
            each = (way.judge(procedure, sample, rows) for procedure in longer)
            seen = [behaviour(pvalues, repetitions) for pvalues, _ in each]
            cells = [_percents(one.rejects, one.normalised) for one in seen]
            shown.append([_SHORT[name].replace(", 10x10", ""), levels["source"], *cells])
    title = "## More runs of 10-fold cross-validation: rejections / R, percent"
    return ["", title, "", *table(("test", "source", *(f"{n} runs" for n in amounts)), shown)]
