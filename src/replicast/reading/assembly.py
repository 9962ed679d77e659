"""Rows of any origin become a ScoreTable: joined by key, gaps settled, assumptions said."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from replicast.arrays import Bools, Floats
from replicast.design import Design, KFold
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
from replicast.reading.vocabulary.roles import Role
from replicast.scores.gaps import one_dataset_advice, say_left_out
from replicast.scores.tables import ScoreTable

_MOST_CELLS = 50_000_000
_SEEDS = (
    "The rows are called seeds. If they share one training and one test set they are no folds "
    "or splits, and the test is far too often significant: say `design=seeds:count=...`.",
)


def tabulate(
    rows: Rows,
    manner: Manner,
    request: Request,
    design_of_cases: Callable[[Sequence[str]], Design] | None = None,
) -> ScoreTable:
    """Arrange scores as classifier x dataset x run x fold.

    Of the cases of one test set, which stand where folds do, the design is given by their names.
    """
    models = len(rows.classifier.names)
    rows = count_seeds(_asked_for(rows, request), request.design)
    notes = list(rows.notes + manner.notes)
    rows, ordered = _placed(rows, manner, request)
    if ordered:
        notes.append("Rows were taken in their order: fold after fold, run after run.")
    cube, sizes, spreads = _cube(rows)
    classifiers, datasets = rows.classifier.names, rows.dataset.names
    _refuse_two_spellings(cube, classifiers, rows.name)
    head = _head(rows, manner)
    if design_of_cases is None:
        notes.extend(_short(cube, datasets))
    keeps, dropped = settle_missing(cube, classifiers, datasets, request, rows.name)
    if not (keeps[0].all() and keeps[1].all()):
        kept = keeps[0][rows.classifier.codes] & keeps[1][rows.dataset.codes]
        rows = rows.take(np.flatnonzero(kept & ~np.isnan(rows.scores)))
        cube, sizes, spreads = _cube(rows)
    if not cube.size:
        raise InvalidContentError(rows.name, "scores of at least two classifiers", "none")
    if design_of_cases is not None and rows.fold is not None:
        design, averaged = design_of_cases(rows.fold.names), ""
    else:
        design, averaged = settle_design(Facts(rows, manner, cube, sizes), request.design)
    if averaged:
        notes.append(averaged)
        cube = _mean(cube)
        sizes, spreads = {"n_train": None, "n_test": None}, None
    notes.extend(describe_sizes(design, sizes, given=request.design is not None))
    notes.extend(_warn_of_seeds(rows, request))
    worded = rows.sheet is not None and bool(rows.sheet.verdicts)
    direction = settle_direction(cube, manner, request, rows.name, worded=worded)
    refuse_mixed(cube, rows.classifier.names, direction, rows.name)
    given = request.design is not None or design_of_cases is not None
    source = "" if given else f" ({manner.counted})"
    return ScoreTable(
        classifiers=rows.classifier.names,
        datasets=rows.dataset.names,
        scores=cube,
        design=design,
        metric=measured_by(manner)[0],
        direction="assumed" if direction.assumed else "known",
        greater_is_better=direction.greater_is_better,
        account=(
            head,
            f"Design: {design.words}{source}.",
            f"Scores: {describe_scale(cube, direction)}; {direction}.",
            *dict.fromkeys(notes),
            *dropped,
        ),
        n_train=sizes["n_train"],
        n_test=sizes["n_test"],
        spreads=spreads,
        case_names=() if design_of_cases is None or rows.fold is None else rows.fold.names,
        failures=manner.failures,
        chosen=manner.chosen,
        unused=manner.unused,
        models=models,
        gaps="share" if request.missing == "share" else "refuse",
        left_out=_gone(classifiers, rows.classifier.names, datasets, rows.dataset.names),
    )


def _warn_of_seeds(rows: Rows, request: Request) -> tuple[str, ...]:
    """Say that seeds of one split are no folds, where the caller calls them so."""
    shares = request.design is not None and request.design.shares_training
    return _SEEDS if shares and "seed" in (rows.run_kind, rows.fold_kind) else ()


def _asked_for(rows: Rows, request: Request) -> Rows:
    """Return the rows of the dataset and the classifiers asked for."""
    if request.dataset is not None and not rows.dataset.is_single:
        rows = rows.of_dataset(request.dataset)
    return rows if request.classifiers is None else rows.of_classifiers(request.classifiers)


def _refuse_two_spellings(cube: Floats, classifiers: Sequence[str], name: str) -> None:
    """Refuse svm beside SVM, if no score of the one stands beside one of the other."""
    first: dict[str, int] = {}
    for at, one in enumerate(classifiers):
        other = first.setdefault(one.casefold(), at)
        if other != at and not np.isfinite(cube[[at, other]]).all(axis=0).any():
            got = f"{shorten(classifiers[other])} and {shorten(one)}, never side by side"
            raise InvalidContentError(name, "one spelling of each name", got, "Write one alone")


def _head(rows: Rows, manner: Manner) -> str:
    """Say what was read."""
    classifiers, datasets = rows.classifier.names, rows.dataset.names
    n_read = int(np.count_nonzero(~np.isnan(rows.scores)))
    return (
        f"{rows.name}: {manner.kind}, {n_read:,} scores of {plural(len(classifiers), 'classifier')} "
        f"({listing(classifiers, 6)}) on {plural(len(datasets), 'dataset')}."
    )


def _short(cube: Floats, datasets: Sequence[str]) -> list[str]:
    """Say on which datasets all classifiers have fewer scores than on others."""
    counts = (~np.isnan(cube)).any(axis=0).sum(axis=(1, 2))
    most = int(counts.max(initial=0))
    short = [
        f"{shorten(datasets[k])} ({counts[k]})" for k in np.flatnonzero(counts < most).tolist()
    ]
    return [f"Fewer than {most} scores per classifier on {listing(short, 5)}."] if short else []


def _gone(
    classifiers: Sequence[str],
    left_c: Sequence[str],
    datasets: Sequence[str],
    left_d: Sequence[str],
) -> str:
    """Say what was left out for a missing score."""
    lost = [one for one in classifiers if one not in left_c]
    gone = f"Left out for a missing score: {listing(lost, 3)}." if lost else ""
    kept = set(left_d)  # of a million datasets, too
    return (
        say_left_out("dataset", [one for one in datasets if one not in kept], len(datasets)) or gone
    )


def _placed(rows: Rows, manner: Manner, request: Request) -> tuple[Rows, bool]:
    """Return rows with run and fold: those of their columns, or counted in their order."""
    if rows.run is None and rows.fold is None:
        if not manner.by_order:
            return rows, False
        r, f, shape = number_rows(rows, request.design)
        run, fold = (
            Key(np.asarray(codes, dtype=np.intp), tuple(str(i + 1) for i in range(n)))
            for codes, n in zip((r, f), shape, strict=True)
        )
        named: Role | None = "fold" if request.design is not None else None
        return replace(rows, run=run, fold=fold, fold_kind=named), shape != (
            1,
            1,
        ) and named is not None
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


def _cube(rows: Rows) -> tuple[Floats, Sizes, Floats | None]:
    """Return scores as classifier x dataset x run x fold, with sizes and spreads likewise."""
    one = Key.constant("1", len(rows.scores))
    keys = (rows.classifier, rows.dataset, rows.run or one, rows.fold or one)
    cell = _cells(keys, rows)

    def arranged(values: Floats | None) -> Floats | None:
        if values is None or (values is not rows.scores and np.isnan(values).all()):
            return None
        cube = np.full(tuple(len(key.names) for key in keys), np.nan)
        cube.reshape(-1)[cell] = values
        return cube

    sizes: Sizes = {}
    for name, values in (("n_train", rows.n_train), ("n_test", rows.n_test)):
        size = arranged(values)
        sizes[name] = None if size is None else np.asarray(np.fmax.reduce(size))
    scores = arranged(rows.scores)
    assert scores is not None
    return scores, sizes, arranged(rows.spreads)


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


def _mean(cube: Floats) -> Floats:
    """Return the mean over runs and folds; a classifier with a gap has none."""
    used: Bools = np.asarray(~np.isnan(cube).all(axis=0, keepdims=True))
    lacking = (np.isnan(cube) & used).any(axis=(2, 3), keepdims=True)
    counts = np.maximum(used.sum(axis=(2, 3), keepdims=True), 1)
    total = np.where(np.isnan(cube), 0.0, cube).sum(axis=(2, 3), keepdims=True)
    empty = ~used.any(axis=(2, 3), keepdims=True)
    return np.asarray(np.where(lacking | empty, np.nan, total / counts))


def settle_missing(
    cube: Floats,
    classifiers: Sequence[str],
    datasets: Sequence[str],
    request: Request,
    name: str,
) -> tuple[tuple[Bools, Bools], tuple[str, ...]]:
    """Say which classifiers and datasets to keep, and what to say about gaps.

    A score is missing where another classifier has one, or where a dataset has none at all; runs
    and folds no classifier has are the padding of a shorter design. Gaps are kept unless the caller
    says what to drop: they are refused where scores are compared, for those that are compared.
    """
    absent = np.isnan(cube)
    used: Bools = ~np.all(absent, axis=0)
    used |= ~np.any(used, axis=(1, 2), keepdims=True)
    gaps: Bools = np.any(absent & used, axis=(2, 3))
    everything = np.ones(len(classifiers), dtype=bool), np.ones(len(datasets), dtype=bool)
    if not gaps.any():
        return everything, ()
    shown = _gaps_by_name(gaps, classifiers, datasets)
    if request.missing in ("refuse", "share"):
        return everything, (f"Scores are missing for {shown}.",)
    if request.missing == "drop-case":
        domain = "drop-dataset or drop-classifier, where rows are not the cases of one test set"
        raise DesignMismatchError("missing", domain, f"'drop-case' for {name}")
    by_dataset = request.missing == "drop-dataset"
    if by_dataset and len(datasets) == 1:
        domain = f"drop-classifier or refuse, where {name} has one dataset"
        got = f"'drop-dataset', though scores are missing for {shown}"
        advice = one_dataset_advice(KFold(), int(cube.shape[0] - gaps.any(axis=1).sum()))
        raise DesignMismatchError("missing", domain, got, advice)
    kept = np.asarray(~np.any(gaps, axis=0 if by_dataset else 1))
    labels, word, least = (datasets, "dataset", 1) if by_dataset else (classifiers, "classifier", 2)
    if kept.sum() < least:
        are = "is" if by_dataset else "are"
        domain = f"such that at least {plural(least, word)} of {name} {are} left"
        got = f"{request.missing!r}, which leaves {kept.sum()}; scores are missing for {shown}"
        raise DesignMismatchError("missing", domain, got, "Complete them")
    gone = listing([labels[i] for i in np.flatnonzero(~kept).tolist()])
    note = f"Dropped {plural(int((~kept).sum()), word)} with missing scores: {gone}."
    return ((everything[0], kept) if by_dataset else (kept, everything[1])), (note,)


def _gaps_by_name(gaps: Bools, classifiers: Sequence[str], datasets: Sequence[str]) -> str:
    """Name the first gaps: svm on iris, nb on wine and 3 more."""
    untitled = tuple(datasets) == (UNTITLED,)
    pairs = [
        shorten(classifiers[i]) + ("" if untitled else f" on {shorten(datasets[j])}")
        for i, j in np.argwhere(gaps)[:5]
    ]
    more = int(gaps.sum()) - len(pairs)
    return ", ".join(pairs) + (f" and {more} more" if more else "")
