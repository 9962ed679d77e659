"""Rows of any origin become a ScoreTable: joined by key, gaps settled, assumptions said."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from replicast.arrays import Bools, Floats
from replicast.design import (
    describe_design,
)
from replicast.errors import (
    DesignMismatchError,
    InvalidContentError,
    shorten,
)
from replicast.formatting import plural
from replicast.reading.designs import (
    Facts,
    Sizes,
    describe_sizes,
    number_rows,
    require_shape,
    settle_design,
)
from replicast.reading.directions import (
    describe_scale,
    measured_by,
    refuse_mixed,
    settle_direction,
)
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import UNTITLED, Rows
from replicast.reading.seeds import count_seeds
from replicast.reading.sheets import Codes, Key, listing
from replicast.reading.vocabulary.naming import word_lists, words
from replicast.scores.tables import ScoreTable, say_left_out

_MOST_CELLS = 50_000_000
_UNSPLIT = word_lists()["unsplit"]


def tabulate(rows: Rows, manner: Manner, request: Request) -> ScoreTable:
    """Arrange scores as classifier x dataset x run x fold."""
    if request.dataset is not None and not rows.dataset.is_single:
        rows = rows.of_dataset(request.dataset)
    if request.classifiers is not None:
        rows = rows.of_classifiers(request.classifiers)
    rows = count_seeds(rows, request.design)
    notes = list(rows.notes + manner.notes)
    rows, ordered = _placed(rows, manner, request)
    if ordered:
        notes.append("Rows were taken in their order: fold after fold, run after run.")
    cube, sizes, spreads = _cube(rows)
    classifiers, datasets = list(rows.classifier.names), list(rows.dataset.names)
    head = _head(rows, manner, classifiers, datasets)
    notes.extend(_shorter(cube, datasets))
    kept_c, kept_d, dropped = settle_missing(cube, classifiers, datasets, request, rows.name)
    if len(kept_c) < len(classifiers) or len(kept_d) < len(datasets):
        cube = cube[np.ix_(kept_c, kept_d)]
        spreads = None if spreads is None else spreads[np.ix_(kept_c, kept_d)]
        sizes = {key: None if size is None else size[kept_d] for key, size in sizes.items()}
        cube, sizes, spreads = _trim(cube, sizes, spreads)
    facts = _facts(rows, cube, sizes, manner)
    found, averaged = settle_design(facts, request.design)
    if averaged:
        notes.append(averaged)
        cube = _mean(cube)
        sizes, spreads = {"n_train": None, "n_test": None}, None
    notes.extend(describe_sizes(found, sizes, given=request.design is not None))
    notes.extend(_doubts(rows, request))
    direction = settle_direction(cube, manner, request, rows.name)
    left_c, left_d = (
        tuple(names[i] for i in kept) for names, kept in ((classifiers, kept_c), (datasets, kept_d))
    )
    refuse_mixed(cube, left_c, left_d, direction, rows.name)
    source = "" if request.design is not None else f" ({manner.counted})"
    return ScoreTable(
        classifiers=left_c,
        datasets=left_d,
        scores=cube,
        design=found,
        metric=measured_by(manner)[0],
        direction="assumed" if direction.assumed else "known",
        greater_is_better=direction.greater_is_better,
        account=(
            head,
            f"Design: {describe_design(found)}{source}.",
            f"Scores: {describe_scale(cube, direction)}; {direction}.",
            *dict.fromkeys(notes),
            *dropped,
        ),
        n_train=sizes["n_train"],
        n_test=sizes["n_test"],
        spreads=spreads,
        failures=manner.failures,
        chosen=manner.chosen,
        gaps="share" if request.missing == "share" else "refuse",
        left_out=say_left_out(
            "dataset", [one for at, one in enumerate(datasets) if at not in kept_d], len(datasets)
        )
        or _say_gone([one for at, one in enumerate(classifiers) if at not in kept_c]),
    )


def _head(rows: Rows, manner: Manner, classifiers: list[str], datasets: list[str]) -> str:
    n_read = int(np.count_nonzero(~np.isnan(rows.scores)))
    return (
        f"{rows.name}: {manner.kind}, {n_read:,} scores of {plural(len(classifiers), 'classifier')} "
        f"({listing(classifiers, 6)}) on {plural(len(datasets), 'dataset')}."
    )


def _facts(rows: Rows, cube: Floats, sizes: Sizes, manner: Manner) -> Facts:
    return Facts(
        datasets=cube.shape[1],
        runs=cube.shape[2],
        folds=cube.shape[3],
        kind=manner.kind,
        name=rows.name,
        sizes=sizes,
        run_kind=rows.run_kind,
        fold_kind=rows.fold_kind,
        averaged_folds=rows.averaged_folds,
        fewest=int((~np.isnan(cube)).sum(axis=(2, 3)).min(initial=cube.shape[2] * cube.shape[3])),
        unsplit=_unsplit(rows, manner),
    )


def _unsplit(rows: Rows, manner: Manner) -> str:
    """Return the name that tells of reinforcement learning or simulation, unless splits are numbered."""
    if "split" in (rows.run_kind, rows.fold_kind):
        return ""
    names = (manner.metric, *(() if rows.sheet is None else rows.sheet.columns))
    return next((name for name in names if not _UNSPLIT.isdisjoint(words(name))), "")


def _placed(rows: Rows, manner: Manner, request: Request) -> tuple[Rows, bool]:
    """Return rows with run and fold: those of their columns, or counted in their order."""
    c, d = rows.classifier.codes, rows.dataset.codes
    if rows.run is None and rows.fold is None:
        if not manner.by_order:
            return rows, False
        if rows.dataset.names != (UNTITLED,) and request.design is None:
            _refuse_odd_twins(rows)
        r, f, shape = number_rows(c, d, request.design, rows.name)
        run, fold = (
            Key(np.asarray(codes, dtype=np.intp), tuple(str(i + 1) for i in range(n)))
            for codes, n in zip((r, f), shape, strict=True)
        )
        return replace(rows, run=run, fold=fold, fold_kind="fold"), shape != (1, 1)
    return _as_designed(rows, request), False


def _as_designed(rows: Rows, request: Request) -> Rows:
    """Share one numbering out over the runs and folds of a design that was given."""
    design = request.design
    if (rows.run_kind, rows.fold_kind) == ("seed", "split") and (design is None or design.seeds):
        rows = replace(rows, run=rows.fold, fold=rows.run, run_kind="split", fold_kind="seed")
    one = rows.fold if rows.run is None else rows.run if rows.fold is None else None
    if design is None or design.independent or one is None:
        return rows
    count = len(one.names)
    if design.n_train is not None:
        require_shape(count, design, rows.name)
        return replace(rows, run=one, fold=None, run_kind=rows.run_kind or rows.fold_kind)
    runs, folds = require_shape(count, design, rows.name)
    run = Key(one.codes // folds, tuple(str(i + 1) for i in range(runs)))
    fold = Key(one.codes % folds, tuple(str(i + 1) for i in range(folds)))
    kind = rows.fold_kind if rows.run is None else rows.run_kind
    return replace(rows, run=run, fold=fold, run_kind=kind, fold_kind=kind)


def _doubts(rows: Rows, request: Request) -> list[str]:
    """Say where a design that was given does not fit what the rows are called."""
    design = request.design
    if design is not None and design.shares_training and "seed" in (rows.run_kind, rows.fold_kind):
        return [
            "The rows are called seeds. If they share one training and one test set they are no folds "
            "or splits, and the test is far too often significant: say `design=seeds:count=...`."
        ]
    return []


def _cube(rows: Rows) -> tuple[Floats, Sizes, Floats | None]:
    n = len(rows.scores)
    keys = (
        rows.classifier,
        rows.dataset,
        rows.run or Key.constant("1", n),
        rows.fold or Key.constant("1", n),
    )
    cell = _cells(keys, rows)
    shape = tuple(len(key.names) for key in keys)

    def arranged(values: Floats | None) -> Floats | None:
        if values is None or np.isnan(values).all():
            return None
        found = np.full(shape, np.nan)
        found.reshape(-1)[cell] = values
        return found

    cube = np.full(shape, np.nan)
    cube.reshape(-1)[cell] = rows.scores
    sizes: Sizes = {}
    for key, values in (("n_train", rows.n_train), ("n_test", rows.n_test)):
        size = arranged(values)
        sizes[key] = None if size is None else np.asarray(np.fmax.reduce(size, axis=0))
    return cube, sizes, arranged(rows.spreads)


def _cells(keys: tuple[Key, ...], rows: Rows) -> Codes:
    """Return the flat position of every row, refusing two rows for one key."""
    shape = tuple(len(key.names) for key in keys)
    size = float(np.prod([float(n) for n in shape]))
    if size > _MOST_CELLS:
        raise InvalidContentError(
            rows.name,
            "the same runs and folds on every dataset",
            f"{' x '.join(map(str, shape))} classifiers, datasets, runs and folds for "
            f"{len(rows.scores):,} rows",
            "Number runs and folds from 1 for each dataset",
        )
    cell = np.zeros(len(rows.scores), dtype=np.int32)
    for key, length in zip(keys, shape, strict=True):
        cell *= length
        cell += key.codes
    taken = np.zeros(int(size), dtype=bool)
    taken[cell] = True
    if np.count_nonzero(taken) < len(cell):
        at = int(np.flatnonzero(pd.Series(cell).duplicated())[0])
        c, d, r, f = (shorten(key.names[key.codes[at]]) for key in keys)
        raise InvalidContentError(
            rows.place(at),
            "one score for each classifier, dataset, run and fold",
            f"more than one score for {c} on {d}, run {r}, fold {f}",
            "Keep one row for each, by `where=...` for instance, or name the column that tells them "
            "apart with `run_column=...` or `fold_column=...`",
        )
    return cell


def _refuse_odd_twins(rows: Rows) -> None:
    """Refuse a second score where others have one: a repeated row, not the next fold."""
    pair = rows.classifier.codes * len(rows.dataset.names) + rows.dataset.codes.astype(np.int64)
    counts = np.bincount(pair)
    if counts.max() > 1 and counts[counts > 0].min() < counts.max():
        at = int(np.flatnonzero(pd.Series(pair).duplicated())[0])
        c = rows.classifier.names[rows.classifier.codes[at]]
        d = rows.dataset.names[rows.dataset.codes[at]]
        raise InvalidContentError(
            rows.place(at),
            "one score for each classifier and dataset",
            f"more than one score for {shorten(c)} on {shorten(d)}",
            "Keep one row for each, or add a run or fold column",
        )


def _mean(cube: Floats) -> Floats:
    """Return the mean over runs and folds; a classifier with a gap has none."""
    used: Bools = np.asarray(~np.isnan(cube).all(axis=0, keepdims=True))
    lacking = (np.isnan(cube) & used).any(axis=(2, 3), keepdims=True)
    counts = np.maximum(used.sum(axis=(2, 3), keepdims=True), 1)
    total = np.where(np.isnan(cube), 0.0, cube).sum(axis=(2, 3), keepdims=True)
    empty = ~used.any(axis=(2, 3), keepdims=True)
    return np.asarray(np.where(lacking | empty, np.nan, total / counts))


def _say_gone(classifiers: Sequence[str]) -> str:
    """Say which classifiers were dropped for a missing score."""
    return f"Left out for a missing score: {listing(classifiers, 3)}." if classifiers else ""


def _shorter(cube: Floats, datasets: list[str]) -> list[str]:
    """Say which datasets have fewer scores than the others: a gap that all classifiers share."""
    counts = (~np.isnan(cube)).any(axis=0).sum(axis=(1, 2))
    most = int(counts.max(initial=0))
    short = [f"{shorten(datasets[k])} ({counts[k]})" for k in np.flatnonzero(counts < most)]
    return [f"Fewer than {most} scores per classifier on {listing(short, 5)}."] if short else []


def settle_missing(
    cube: Floats, classifiers: list[str], datasets: list[str], request: Request, name: str
) -> tuple[Codes, Codes, tuple[str, ...]]:
    """Return the classifiers and datasets to keep, and what to say about gaps.

    A score is missing where another classifier has one, or where a dataset has none at all; runs
    and folds no classifier has are the padding of a shorter design. Gaps are kept unless the caller
    says what to drop: they are refused where scores are compared, for those that are compared.
    """
    absent = np.isnan(cube)
    used: Bools = ~np.all(absent, axis=0)
    used |= ~np.any(used, axis=(1, 2), keepdims=True)
    gaps: Bools = np.any(absent & used, axis=(2, 3))
    everything = np.arange(len(classifiers)), np.arange(len(datasets))
    if not gaps.any():
        return *everything, ()
    pairs = [
        f"{shorten(classifiers[i])} on {shorten(datasets[j])}" for i, j in np.argwhere(gaps)[:5]
    ]
    more = int(gaps.sum()) - len(pairs)
    shown = ", ".join(pairs) + (f" and {more} more" if more else "")
    if request.missing in ("refuse", "share"):
        return *everything, (f"Scores are missing for {shown}.",)
    if request.missing == "drop-case":
        domain = "drop-dataset or drop-classifier, where rows are not the cases of one test set"
        raise DesignMismatchError("missing", domain, f"'drop-case' for {name}")
    axis = 0 if request.missing == "drop-dataset" else 1
    bad: Bools = np.any(gaps, axis=axis)
    labels, word = (datasets, "dataset") if axis == 0 else (classifiers, "classifier")
    kept = np.flatnonzero(~bad)
    if len(kept) < 1 + axis:
        raise DesignMismatchError(
            "missing",
            f"such that at least {plural(1 + axis, word)} of {name} is left",
            f"{request.missing!r}, which leaves {len(kept)}; scores are missing for {shown}",
            "Complete them",
        )
    gone = listing([labels[i] for i in np.flatnonzero(bad)])
    note = f"Dropped {plural(int(bad.sum()), word)} with missing scores: {gone}."
    return (everything[0], kept, (note,)) if axis == 0 else (kept, everything[1], (note,))


def _trim(
    cube: Floats, sizes: Sizes, spreads: Floats | None
) -> tuple[Floats, Sizes, Floats | None]:
    """Cut off runs and folds that only the dropped had."""
    used = ~np.isnan(cube)
    runs, folds = used.any(axis=(0, 1, 3)), used.any(axis=(0, 1, 2))
    kept: Sizes = {
        key: None if size is None else size[:, runs][:, :, folds] for key, size in sizes.items()
    }
    return (
        cube[:, :, runs][..., folds],
        kept,
        None if spreads is None else spreads[:, :, runs][..., folds],
    )
