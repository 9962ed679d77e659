"""Scores case by case become a ScoreTable that knows its cases."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.design import Holdout
from replicast.errors import DesignMismatchError, InvalidContentError, invalid, shorten
from replicast.reading.assembly import tabulate
from replicast.reading.directions import settle_direction
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import Rows
from replicast.reading.sheets import Codes, Key
from replicast.scores import ScoreTable

Right = NDArray[np.int8]


def tabulate_cases(rows: Rows, manner: Manner, request: Request) -> ScoreTable:
    """Arrange cases: one test set becomes a holdout, several a score each.

    Cases of runs and folds are averaged within each, which gives the scores of the design they are.
    """
    if request.dataset is not None and not rows.dataset.is_single:
        rows = rows.of_dataset(request.dataset)
    _refuse_answers(rows)
    single = rows.dataset.is_single and rows.run is None and rows.fold is None
    if single:
        return _one_test_set(rows, manner, request)
    if isinstance(request.design, Holdout):
        domain = "none, or that of the runs and folds in the file"
        raise DesignMismatchError("design", domain, f"one test set for {rows.name}")
    means = _mean_of_sets(rows)
    table = tabulate(means, manner, request)
    return replace(table, correct=_correct(table, rows))


def _refuse_answers(rows: Rows) -> None:
    if rows.answer is not None and not rows.answer.is_single:
        count = len(rows.answer.names)
        domain, got = "one answer per case and model", f"{count} answers per case"
        if rows.sheet is None:
            remedy = "Log one epoch, or write the mean score of every case into a table"
            raise InvalidContentError(rows.name, domain, got, remedy)
        remedy = "Keep the rows of one answer with `where=...`"
        raise InvalidContentError(rows.name, domain, got, remedy, "where")


def _one_test_set(rows: Rows, manner: Manner, request: Request) -> ScoreTable:
    if not isinstance(request.design, Holdout | None):
        raise DesignMismatchError(
            "design",
            f"left out, or holdout, for the predictions or cases of one test set in {rows.name}",
            str(request.design),
        )
    told = rows.scores[~np.isnan(rows.scores)]
    if not np.isin(told, (0.0, 1.0)).all():
        settle_direction(
            rows.scores, manner, request, rows.name
        )  # what has to be asked comes first
        odd = float(told[~np.isin(told, (0.0, 1.0))][0])
        domain = "0 or 1 for every case, wrong or right"
        raise invalid("metric", domain, f"{odd:g} for {manner.metric} in {rows.name}")
    arranged = replace(rows, case=None, run=None, fold=rows.case, fold_kind="case")
    table = tabulate(arranged, manner, replace(request, design=Holdout()))
    cases = table.scores.shape[3]
    design = Holdout(cases)
    account = tuple(
        line if not line.startswith("Design: ") else f"Design: one test set of {cases} cases."
        for line in table.account
        if not line.startswith("Fewer than ")
    )
    right = np.where(np.isnan(table.scores), -1, table.scores)
    correct = tuple(right[:, k, :1].astype(np.int8) for k in range(len(table.datasets)))
    return replace(table, design=design, correct=correct, account=account)


def _mean_of_sets(rows: Rows) -> Rows:
    """Return the mean score of every classifier on every test set."""
    keys = [
        rows.classifier,
        rows.dataset,
        *(key for key in (rows.run, rows.fold) if key is not None),
    ]
    _refuse_twins(rows)
    shape = tuple(len(key.names) for key in keys)
    cell = np.ravel_multi_index(tuple(key.codes for key in keys), shape)
    found, first, place = np.unique(cell, return_index=True, return_inverse=True)
    total = np.bincount(place, weights=np.nan_to_num(rows.scores), minlength=len(found))
    told = np.bincount(place, weights=~np.isnan(rows.scores), minlength=len(found))
    counts = np.bincount(place, minlength=len(found)).astype(float)
    with np.errstate(invalid="ignore"):
        means = np.where(told < counts, np.nan, total / counts)
    chosen = rows.take(np.asarray(first, dtype=np.intp))
    sizes = counts if chosen.n_train is not None or rows.fold is not None else chosen.n_test
    return replace(chosen, scores=means, n_test=sizes, case=None, cluster=None, answer=None)


def _refuse_twins(rows: Rows) -> None:
    if rows.case is None:
        return
    keys = [rows.classifier, rows.dataset, rows.run, rows.fold, rows.case]
    frame = pd.DataFrame({i: key.codes for i, key in enumerate(keys) if key is not None})
    twice = frame.duplicated().to_numpy()
    if twice.any():
        at = int(np.flatnonzero(twice)[0])
        case = rows.case.names[rows.case.codes[at]]
        got = f"more than one case {shorten(case)} of one model"
        raise InvalidContentError(
            rows.place(at), "one row for each case", got, "Keep one row for each"
        )


def _correct(table: ScoreTable, rows: Rows) -> tuple[Right, ...]:
    """Return correctness by dataset; cases without a name of their own cannot be joined."""
    told = rows.scores[~np.isnan(rows.scores)]
    if rows.case is None or not np.isin(told, (0.0, 1.0)).all():
        return ()
    runs = rows.run or Key.constant("1", len(rows.scores))
    if table.scores.shape[2] != len(runs.names):
        return ()  # runs were averaged
    found = []
    for dataset in table.datasets:
        here = rows.take(np.flatnonzero(rows.dataset.codes == rows.dataset.names.index(dataset)))
        found.append(_correct_on(here, table.classifiers, runs.names))
    return tuple(found)


def _correct_on(rows: Rows, classifiers: tuple[str, ...], runs: tuple[str, ...]) -> Right:
    """Return classifier x run x case; cases of resamples that share none are columns of their own."""
    case = rows.case
    if case is None:
        return np.zeros((len(classifiers), len(runs), 0), dtype=np.int8)
    right = np.full((len(classifiers), len(runs), len(case.names)), -1, dtype=np.int8)
    i = _codes(rows.classifier, classifiers)
    j = np.zeros(len(i), dtype=np.intp) if rows.run is None else _codes(rows.run, runs)
    kept = (i >= 0) & ~np.isnan(rows.scores)
    right[i[kept], j[kept], case.codes[kept]] = rows.scores[kept].astype(np.int8)
    return right


def _codes(key: Key, names: tuple[str, ...]) -> Codes:
    place = {name: at for at, name in enumerate(names)}
    return np.array([place.get(name, -1) for name in key.names], dtype=np.intp)[key.codes]


def same_labels(first: "pd.Series[str]", second: "pd.Series[str]") -> NDArray[np.bool_]:
    """Tell which labels agree: as numbers if all are numbers, so that 1 is 1.0, else as text."""
    numbers = [pd.to_numeric(column, errors="coerce") for column in (first, second)]
    if not any(column.isna().any() for column in numbers):
        return np.asarray(numbers[0].to_numpy(float) == numbers[1].to_numpy(float))
    texts = [column.astype(str).str.strip().to_numpy() for column in (first, second)]
    return np.asarray(texts[0] == texts[1], dtype=bool)


def stem(path: Path) -> str:
    """Return a file's name without its endings .gz, .csv, .jsonl and the like."""
    name = path.name
    for ending in (".gz", ".bz2", ".xz", ".zip"):
        name = name.removesuffix(ending)
    return Path(name).stem
