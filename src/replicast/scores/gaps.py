"""Scores that are missing: what is left out for them, and what is said of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from replicast.arrays import Bools, Floats
from replicast.design import Cases, Datasets, Design
from replicast.errors import Choice, MissingScoresError
from replicast.formatting import plural

if TYPE_CHECKING:
    from replicast.scores.tables import ScoreTable

_SHOWN = 3
_MOST_LOST = 0.5  # of cases, datasets or classifiers; more is no comparison of the same thing
_CASES = "Complete the table, or leave such cases out of both with `missing=drop-case`"
_DATASETS = (
    "Complete the table, or leave out what lacks scores with `missing=drop-dataset` or "
    "`missing=drop-classifier`"
)
_TRAINED = "The others were trained on its cases, so that no {unit} can be left out: complete it"
_OTHERS = ", or leave out the classifier with `missing=drop-classifier`"


def complete(table: "ScoreTable") -> "ScoreTable":
    """Return a table without gaps, where they are shared out: what costs least is left out."""
    everyone = list(range(len(table.classifiers)))
    fewer = shared(table, everyone)
    gaps = _missing(table, everyone)
    if table.gaps != "share" or not gaps.any() or len(table.datasets) < 2:
        return table if fewer is None else fewer
    lacking: Bools = np.any(gaps, axis=(1, 2, 3))
    rest = [at for at in everyone if not lacking[at]]
    cost = {
        "datasets": np.any(gaps, axis=(0, 2, 3)).mean(),
        "classifiers": lacking.mean() if len(rest) > 1 else np.inf,
    }
    if fewer is not None and cost["classifiers"] >= cost["datasets"]:
        return replace(fewer, left_out=f"{fewer.left_out} {_price('classifiers', cost)}")
    if len(rest) < 2 or cost["classifiers"] > _MOST_LOST:
        return table
    gone = [table.classifiers[at] for at in everyone if lacking[at]]
    told = say_left_out("classifier", gone, len(everyone))
    every = list(range(len(table.datasets)))
    return _some(table, rest, every, f"{told} {_price('datasets', cost)}")


def shared(table: "ScoreTable", chosen: list[int]) -> "ScoreTable | None":
    """Return the table without the cases or datasets that one of some classifiers lacks.

    None where nothing is missing, where gaps are refused, and where most would be left out.
    """
    several = len(table.datasets) > 1
    if table.gaps != "share" or not (several or table.design.of_cases):
        return None
    gaps = _missing(table, chosen)
    lost: Bools = np.any(gaps, axis=(0, 2, 3) if several else (0, 1, 2))
    if not lost.any() or lost.mean() > _MOST_LOST or (~lost).sum() < 2:
        return None
    at = np.flatnonzero(lost)
    if several:
        told = say_left_out("dataset", [table.datasets[k] for k in at], len(lost))
        every = list(range(len(table.classifiers)))
        return _some(table, every, np.flatnonzero(~lost).tolist(), told)
    names = table.case_names or tuple(str(k + 1) for k in range(len(lost)))
    return _some_cases(table, ~lost, say_left_out("case", [names[k] for k in at], len(lost)))


def _missing(table: "ScoreTable", chosen: list[int]) -> Bools:
    """Return where some classifiers lack a score that others have, or that nobody has."""
    absent = np.isnan(table.scores[chosen])
    used: Bools = ~np.all(absent, axis=0)
    used |= ~np.any(used, axis=(1, 2), keepdims=True)
    return np.asarray(absent & used)


def _some(table: "ScoreTable", i: list[int], k: list[int], left_out: str) -> "ScoreTable":
    """Return some classifiers on some datasets."""
    variances = table.answer_variances
    return replace(
        table,
        classifiers=tuple(table.classifiers[at] for at in i),
        datasets=tuple(table.datasets[at] for at in k),
        scores=table.scores[np.ix_(i, k)],
        design=Datasets(len(k)) if table.design.over_datasets else table.design,
        n_train=None if table.n_train is None else table.n_train[k],
        n_test=None if table.n_test is None else table.n_test[k],
        case_scores=tuple(table.case_scores[at][i] for at in k if table.case_scores),
        spreads=None if table.spreads is None else table.spreads[np.ix_(i, k)],
        answer_variances=None if variances is None else variances[i],
        left_out=_joined(table, left_out),
    )


def _some_cases(table: "ScoreTable", kept: Bools, left_out: str) -> "ScoreTable":
    """Return some cases of one test set."""

    def cut(values: Floats | None) -> Floats | None:
        return None if values is None else values[..., kept]

    clusters = table.clusters
    if clusters is not None:
        clusters = np.unique(clusters[kept], return_inverse=True)[1]
    held = None if clusters is None else int(clusters.max()) + 1
    return replace(
        table,
        scores=table.scores[..., kept],
        design=replace(cast(Cases, table.design), count=int(kept.sum()), clusters=held),
        n_train=cut(table.n_train),
        n_test=cut(table.n_test),
        case_scores=tuple(part[..., kept] for part in table.case_scores),
        spreads=cut(table.spreads),
        case_names=tuple(np.array(table.case_names, dtype=object)[kept])
        if table.case_names
        else (),
        clusters=clusters,
        left_out=_joined(table, left_out),
        gaps="refuse",
    )


def _joined(table: "ScoreTable", left_out: str) -> str:
    return " ".join(filter(None, (table.left_out, left_out)))


def say_left_out(word: str, gone: Sequence[str], count: int) -> str:
    """Say what was dropped of so many for a missing score, which is seldom missing by chance."""
    if not gone:
        return ""
    more = f" and {len(gone) - _SHOWN} more" if len(gone) > _SHOWN else ""
    return (
        f"{len(gone)} of {plural(count, word)} left out for a missing score: "
        f"{', '.join(gone[:_SHOWN])}{more}. "
        "Failures are seldom by chance: a method that fails where it is weak looks better without them."
    )


def _price(instead: str, cost: dict[str, float]) -> str:
    """Say what the other way to deal with gaps would have cost."""
    paid = next(share for name, share in cost.items() if name != instead)
    if cost[instead] > 1:
        return f"That is {100 * paid:.0f}% of them."
    argument = "drop-dataset" if instead == "datasets" else "drop-classifier"
    return (
        f"That is {100 * paid:.0f}% of them; leaving out {instead} instead would cost "
        f"{100 * cost[instead]:.0f}% (`missing={argument}`)."
    )


def lacking_scores(
    names: Sequence[str],
    count: int | None,
    design: Design,
    datasets: Sequence[str],
    *,
    alone: bool,
    others: int,
) -> MissingScoresError:
    """Return the refusal to compare classifiers of which some lack scores.

    The table may be of one dataset `alone`, which goes by `all` where it has no name; without them it
    has so many `others`.
    """
    more = f" and {len(names) - 5} more" if names[5:] else ""
    shown = " and ".join(names) if len(names) < 3 else f"{', '.join(names[:5])}{more}"
    verb = "lacks" if len(names) == 1 else "lack"
    where = (
        ""
        if alone and (design.of_cases or datasets[0] == "all")
        else f" on {on_datasets(datasets)}"
    )
    unit = "case" if design.of_cases else design.unit if alone else "score"
    got = f"{shown} {verb} {f'{unit}s' if count is None else plural(count, unit)}{where}"
    if design.of_cases:
        domain, remedy, gone = "drop-case", _CASES, {"drop-case": "these cases, for both"}
    elif alone:
        domain, remedy, gone = "drop-classifier", one_dataset_advice(design, others), {}
    else:
        domain, remedy = "drop-dataset or drop-classifier", _DATASETS
        gone = {"drop-dataset": on_datasets(datasets)}
    if others > 1 and not design.of_cases:
        gone["drop-classifier"] = shown
    choices = [Choice("missing", way, what) for way, what in gone.items()]
    error = MissingScoresError("missing", domain, got, remedy)
    return error.offering(choices, f"{got}. What shall be left out?")


def one_dataset_advice(design: Design, others: int) -> str:
    """Say what to do about a gap where there is one dataset, which cannot be left out."""
    kept = _TRAINED.format(unit=design.unit) if design.shares_training else "Complete it"
    return kept + (_OTHERS if others > 1 else "")


def on_datasets(names: Sequence[str]) -> str:
    """Name the first three datasets, and say how many more there are.

    Examples
    --------
    >>> on_datasets(["a", "b"]), on_datasets(["a", "b", "c", "d", "e"])
    ("'a', 'b'", "'a', 'b', 'c' and 2 more")
    """
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(map(repr, names[:3])) + more
