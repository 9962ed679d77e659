"""Long rows of any origin become a ScoreTable: joined by key, gaps settled, assumptions said."""

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from replicast.arrays import Bools, Floats
from replicast.design import Design, describe_design
from replicast.errors import (
    DesignMismatchError,
    InvalidArgumentError,
    InvalidContentError,
    shorten,
)
from replicast.reading.designs import (
    Codes,
    Sizes,
    describe_sizes,
    number_rows,
    settle_design,
)
from replicast.reading.files import COMPLETE, Sheet, listing
from replicast.scores import ScoreTable

Missing = Literal["refuse", "drop-dataset", "drop-classifier"]
MISSING: tuple[str, ...] = ("refuse", "drop-dataset", "drop-classifier")
UNTITLED = "all"
_NEUTRAL = ("score", "value", "values", "result", "metric_value")  # names that do not tell
_ASSUMED = " (assumed)"
_MOST_CELLS = 50_000_000
_LOWER = re.compile(
    r"error|loss|incorrect|unclassified|misclass|time|false_|deviance|regret|negative_log|1 ?- ?acc"
    r"|(^|_)(rmse|mae|mse|msle|rmsle|mape|smape|brier|nll|err|wer|cer|eer|fpr|fnr|cost|risk)(\b|_)"
    r"|(prior|scheme|cross)_?entropy|_size$|davies|perplexity",
    re.IGNORECASE,
)
_HIGHER = re.compile(
    r"acc|auc|auroc|correct|score|precision|recall|kappa|match|jaccard|dice|likelihood|^neg|_true|true_"
    r"|(^|_)(f1|f_?beta|mcc|r2|roc|prc|ap|map|ndcg|bleu|rouge|iou|sensitivity|specificity)(\b|_)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the caller of `read_scores` asked for."""

    design: Design | None = None
    metric: str | None = None
    missing: Missing = "refuse"
    greater_is_better: bool | None = None
    classifier_column: str | None = None
    dataset_column: str | None = None
    run_column: str | None = None
    fold_column: str | None = None
    score_column: str | None = None


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Where a sheet keeps what a table of scores needs."""

    classifier: str
    score: str
    dataset: str | None = None
    run: str | None = None
    fold: str | None = None
    n_train: str | None = None
    n_test: str | None = None


@dataclass(frozen=True, kw_only=True)
class Manner:
    """What a format knows about its scores.

    Attributes
    ----------
    kind : str
        Name of the format, for the account.
    metric : str
        Name of the score.
    greater_is_better : bool or None
        None if the format does not say.
    gaps : bool
        Whether an empty score is a missing one, or an error in its row.
    by_order : bool
        Whether rows without run and fold may be counted in their order.
    counted : str
        What the design was found by.
    notes, failures : tuple of str
        For the table.
    """

    kind: str
    metric: str = "score"
    greater_is_better: bool | None = None
    gaps: bool = True
    by_order: bool = False
    counted: str = "from the columns"
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


def lower_is_better(metric: str) -> bool:
    """Tell by its name whether a metric is a loss; a name beginning with neg is none.

    Examples
    --------
    >>> lower_is_better("logloss"), lower_is_better("neg_logloss"), lower_is_better("auc")
    (True, False, False)
    """
    turned = re.match(r"neg(_|(?!ative_log))", metric, re.IGNORECASE)
    return turned is None and _LOWER.search(metric) is not None


def tabulate(sheet: Sheet, columns: Columns, manner: Manner, request: Request) -> ScoreTable:
    """Arrange long rows as classifier x dataset x run x fold."""
    scores = sheet.numbers(columns.score, gaps=manner.gaps)
    c, classifiers = sheet.labels(columns.classifier)
    zeros = np.zeros(len(scores), dtype=np.intp)
    d, datasets = sheet.labels(columns.dataset) if columns.dataset else (zeros, [UNTITLED])
    notes = list(sheet.notes + manner.notes)
    if columns.run is None and columns.fold is None and manner.by_order:
        if columns.dataset is not None and request.design is None:
            _refuse_odd_twins(c, d, classifiers, datasets, sheet)
        r, f, shape = number_rows(c, d, request.design, sheet.name)
        runs, folds = ([str(i + 1) for i in range(n)] for n in shape)
        if shape != (1, 1):
            notes.append("Rows were taken in their order: fold after fold, run after run.")
    else:
        r, runs = sheet.ranks(columns.run) if columns.run else (zeros, ["1"])
        f, folds = sheet.ranks(columns.fold) if columns.fold else (zeros, ["1"])
    axes = (classifiers, datasets, runs, folds)
    cell = _cells((c, d, r, f), axes, sheet)
    cube = np.full(tuple(map(len, axes)), np.nan)
    cube.reshape(-1)[cell] = scores
    sizes: Sizes = {
        "n_train": _sizes(sheet, columns.n_train, cell, cube.shape),
        "n_test": _sizes(sheet, columns.n_test, cell, cube.shape),
    }
    n_read = int(np.count_nonzero(~np.isnan(scores)))
    head = (
        f"{sheet.name}: {manner.kind}, {n_read:,} scores of {_plural(len(classifiers), 'classifier')} "
        f"on {_plural(len(datasets), 'dataset')}."
    )
    notes.extend(_shorter(cube, datasets))
    kept_c, kept_d, dropped = settle_missing(cube, classifiers, datasets, request, sheet.name)
    cube = cube[np.ix_(kept_c, kept_d)]
    sizes = {key: None if size is None else size[kept_d] for key, size in sizes.items()}
    if dropped:
        cube, sizes = _trim(cube, sizes)
    found, averaged = settle_design(cube, sizes, request.design, manner.kind, sheet.name)
    if averaged:
        notes.append(
            f"Each score is the mean of {cube.shape[2]} runs: without the sizes of training and test "
            "sets the runs of one dataset cannot be compared. Give a design for that."
        )
        cube = np.asarray(np.nanmean(cube, axis=(2, 3), keepdims=True))
        sizes = {"n_train": None, "n_test": None}
    notes.extend(describe_sizes(found, sizes, given=request.design is not None))
    greater, why = _direction(manner, request)
    direction = f"{'higher' if greater else 'lower'} is better{why}"
    source = "" if request.design is not None else f" ({manner.counted})"
    return ScoreTable(
        classifiers=tuple(classifiers[i] for i in kept_c),
        datasets=tuple(datasets[i] for i in kept_d),
        scores=cube,
        design=found,
        metric=manner.metric,
        greater_is_better=greater,
        account=(
            head,
            f"Design: {describe_design(found)}{source}.",
            f"Scores: {describe_scale(cube)}; {direction}.",
            *notes,
            *dropped,
        ),
        n_train=sizes["n_train"],
        n_test=sizes["n_test"],
        failures=manner.failures,
        direction_known=not why.endswith(_ASSUMED),
    )


def _shorter(cube: Floats, datasets: list[str]) -> list[str]:
    """Say which datasets have fewer scores than the others: a gap that all classifiers share."""
    counts = (~np.isnan(cube)).any(axis=0).sum(axis=(1, 2))
    most = int(counts.max(initial=0))
    short = [f"{shorten(datasets[k])} ({counts[k]})" for k in np.flatnonzero(counts < most)]
    return [f"Fewer than {most} scores a classifier on {listing(short, 5)}."] if short else []


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _direction(manner: Manner, request: Request) -> tuple[bool, str]:
    """Return whether higher is better, and how that is known."""
    if request.greater_is_better is not None:
        return request.greater_is_better, ""
    if manner.greater_is_better is not None:
        return manner.greater_is_better, f" for {manner.metric}"
    if manner.metric.lower() not in _NEUTRAL:
        lower = lower_is_better(manner.metric)
        known = lower or _HIGHER.search(manner.metric) is not None
        return not lower, f" for {manner.metric}{'' if known else _ASSUMED}"
    return True, _ASSUMED


def describe_scale(cube: Floats) -> str:
    """Say whether scores look like fractions or percent; they are never converted."""
    with np.errstate(invalid="ignore"):
        tops = np.fmax.reduce(np.abs(cube).reshape(len(cube), -1), axis=1)
    if not len(tops) or (tops > 100).any():
        return "neither fractions nor percent, kept as they are"
    if (tops <= 1).all():
        return "fractions"
    if (tops > 1).all():
        return "percent, kept as percent"
    return "fractions for some classifiers and percent for others, kept as they are"


def _cells(codes: tuple[Codes, ...], axes: tuple[list[str], ...], sheet: Sheet) -> Codes:
    """Return the flat position of every row, refusing two rows for one key."""
    shape = tuple(map(len, axes))
    size = int(np.prod([float(n) for n in shape]))
    if size > _MOST_CELLS:
        raise InvalidArgumentError(
            f"{sheet.name}: expected the same runs and folds on every dataset, got "
            f"{' x '.join(map(str, shape))} classifiers, datasets, runs and folds for "
            f"{len(codes[0]):,} rows. Number runs and folds from 1 for each dataset."
        )
    cell = np.ravel_multi_index(codes, shape)
    if len(cell) and int(np.bincount(cell, minlength=1).max()) > 1:
        at = int(np.flatnonzero(pd.Series(cell).duplicated())[0])
        c, d, r, f = (names[code[at]] for names, code in zip(axes, codes, strict=True))
        raise InvalidArgumentError(
            f"{sheet.place(at)}: more than one score for {c} on {d}, run {r}, fold {f}. "
            f"Keep one row for each, or add a run or fold column."
        )
    return np.asarray(cell, dtype=np.intp)


def _refuse_odd_twins(
    c: Codes, d: Codes, classifiers: list[str], datasets: list[str], sheet: Sheet
) -> None:
    """Refuse a second score where others have one: a repeated row, not the next fold."""
    pair = c * len(datasets) + d
    counts = np.bincount(pair)
    if counts.max() > 1 and counts[counts > 0].min() < counts.max():
        at = int(np.flatnonzero(pd.Series(pair).duplicated())[0])
        raise InvalidArgumentError(
            f"{sheet.place(at)}: more than one score for {shorten(classifiers[c[at]])} on "
            f"{shorten(datasets[d[at]])}. Keep one row for each, or add a run or fold column."
        )


def _sizes(sheet: Sheet, column: str | None, cell: Codes, shape: tuple[int, ...]) -> Floats | None:
    if column is None:
        return None
    sizes = np.full(shape, np.nan)
    sizes.reshape(-1)[cell] = sheet.numbers(column, gaps=True)
    if np.isnan(sizes).all():
        return None
    return np.asarray(np.fmax.reduce(sizes, axis=0))


def settle_missing(
    cube: Floats, classifiers: list[str], datasets: list[str], request: Request, name: str
) -> tuple[Codes, Codes, tuple[str, ...]]:
    """Return the classifiers and datasets to keep, and what to say about the others.

    A score is missing where another classifier has one, or where a dataset has none at all; runs
    and folds no classifier has are the padding of a shorter design.
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
    if request.missing == "refuse":
        domain = "every score of every classifier on every dataset"
        raise InvalidContentError(
            name, domain, f"a table where some are missing for {shown}", COMPLETE, "missing"
        )
    axis = 0 if request.missing == "drop-dataset" else 1
    bad: Bools = np.any(gaps, axis=axis)
    labels, word = (datasets, "dataset") if axis == 0 else (classifiers, "classifier")
    kept = np.flatnonzero(~bad)
    if len(kept) < 1 + axis:
        raise DesignMismatchError(
            f"{name}: expected at least {_plural(1 + axis, word)} with every score, got {len(kept)} "
            f"after missing={request.missing!r}; some are missing for {shown}. Complete them."
        )
    gone = listing([labels[i] for i in np.flatnonzero(bad)])
    note = f"Dropped {_plural(int(bad.sum()), word)} with missing scores: {gone}."
    return (everything[0], kept, (note,)) if axis == 0 else (kept, everything[1], (note,))


def _trim(cube: Floats, sizes: Sizes) -> tuple[Floats, Sizes]:
    """Cut off runs and folds that only the dropped had."""
    used = ~np.isnan(cube)
    runs, folds = used.any(axis=(0, 1, 3)), used.any(axis=(0, 1, 2))
    kept: Sizes = {
        key: None if size is None else size[:, runs][:, :, folds] for key, size in sizes.items()
    }
    return cube[:, :, runs][..., folds], kept
