"""Scores case by case become a ScoreTable that knows its cases."""

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.arrays import Bools, Floats
from replicast.design import Cases, Holdout, describe_design, format_design
from replicast.errors import DesignMismatchError, InvalidContentError, MissingScoresError, shorten
from replicast.formatting import plural
from replicast.kernels.cases import answer_variance
from replicast.reading.assembly import tabulate
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import Rows
from replicast.reading.sheets import Codes, Key, listing
from replicast.scores.gaps import say_left_out
from replicast.scores.tables import ScoreTable

AS_SAMPLE = "The datasets are taken as a sample: each counts by its mean over its cases."


def tabulate_cases(rows: Rows, manner: Manner, request: Request) -> ScoreTable:
    """Arrange cases: one test set becomes a holdout or graded cases, several a score each.

    Cases of runs and folds are averaged within each, which gives the scores of the design they are.
    """
    if request.dataset is not None and not rows.dataset.is_single:
        rows = rows.of_dataset(request.dataset)
    single = rows.dataset.is_single and rows.run is None and rows.fold is None
    if single:
        return _one_test_set(rows, manner, request)
    if request.asks_for_cases:
        domain = "none, or that of the runs and folds in the file"
        raise DesignMismatchError("design", domain, f"one test set for {rows.name}")
    means = _mean_of_sets(rows)
    if rows.run is None and rows.fold is None:
        means = replace(means, notes=(*means.notes, AS_SAMPLE))
    table = tabulate(means, manner, request)
    cases = _cases_of_sets(table, rows)
    told = rows.scores[~np.isnan(rows.scores)]
    if np.isin(told, (0.0, 1.0)).all():
        right = tuple(np.nan_to_num(one, nan=-1.0).astype(np.int8) for one in cases)
        return replace(table, correct=right)
    return replace(table, graded_cases=cases)


def _one_test_set(rows: Rows, manner: Manner, request: Request) -> ScoreTable:
    """Arrange the cases of one test set: right or wrong, or the mean of what each was given."""
    if request.design is not None and not request.design.of_cases:
        sets = f"the predictions or cases of one test set in {rows.name}"
        domain = f"left out, holdout or cases, for {sets}"
        raise DesignMismatchError("design", domain, str(request.design))
    if request.missing == "drop-case":
        kept, gone = _complete_cases(rows, request)
        table = _one_test_set(kept, manner, replace(request, missing="refuse"))
        count = 0 if rows.case is None else len(rows.case.names)
        return replace(table, left_out=say_left_out("case", gone, count))
    _refuse_twins(rows)
    told = rows.scores[~np.isnan(rows.scores)]
    several = rows.answer is not None and not rows.answer.is_single
    binary = bool(np.isin(told, (0.0, 1.0)).all())
    means, noise = _mean_answers(rows)
    blank = ""
    if several:
        blank = _blank_answers(rows, request)
        means = replace(means, notes=(*means.notes, _answers_note(rows)))
    arranged = replace(means, case=None, run=None, fold=means.case, fold_kind="case")
    manner, holdout = replace(manner, binary=binary), replace(request, design=Holdout())
    table = tabulate(arranged, manner, holdout)
    left_out = " ".join(filter(None, (table.left_out, blank)))
    table = replace(table, case_names=_tested(table, means), left_out=left_out)
    if several or not binary or _clusters(rows) is not None:
        table = _graded(table, rows, means, noise, request)
    else:
        right = np.where(np.isnan(table.scores), -1, table.scores)
        correct = tuple(right[:, k, :1].astype(np.int8) for k in range(len(table.datasets)))
        table = replace(table, design=Holdout(table.scores.shape[3]), correct=correct)
    return replace(table, account=_account(table))


def _account(table: ScoreTable) -> tuple[str, ...]:
    """Return the account of cases with their own design; those some lack are told elsewhere."""
    return tuple(
        line if not line.startswith("Design: ") else f"Design: {describe_design(table.design)}."
        for line in table.account
        if not line.startswith("Fewer than ")
    )


def _graded(
    table: ScoreTable, rows: Rows, means: Rows, noise: Floats, request: Request
) -> ScoreTable:
    """Return scores of any kind with the noise and the cluster of every case."""
    clusters = _cluster_of_cases(rows, table.case_names)
    answers = 1 if rows.answer is None else len(rows.answer.names)
    count = None if clusters is None else int(clusters.max()) + 1
    design = Cases(table.scores.shape[3], clusters=count, answers=answers)
    for field in ("count", "clusters"):
        asked = getattr(request.design, field, None)
        if asked not in (None, getattr(design, field)):
            domain = f"{format_design(design)} for {rows.name}"
            raise DesignMismatchError("design", domain, str(request.design))
    names = means.classifier.names
    kept = [noise[names.index(one)] for one in table.classifiers]
    variances = np.array(kept) if answers > 1 else None
    return replace(table, design=design, clusters=clusters, answer_variances=variances)


def _blank_answers(rows: Rows, request: Request) -> str:
    """Say whose answers are missing, which counts for neither right nor wrong; or refuse them."""
    if request.classifiers is not None:
        rows = rows.of_classifiers(request.classifiers)
    blank = np.isnan(rows.scores)
    names = rows.classifier.names
    counts = np.bincount(rows.classifier.codes[blank], minlength=len(names))
    asked = np.bincount(rows.classifier.codes, minlength=len(names))
    told = [
        f"{name} lacks {n:,} of {of:,} answers"
        for name, n, of in zip(names, counts, asked, strict=True)
        if n
    ]
    if told and request.missing == "refuse":
        remedy = "Write 0 where none is a wrong one, or leave these cases out: `missing=drop-case`"
        raise MissingScoresError("missing", "drop-case", "; ".join(told), remedy)
    return f"{'; '.join(told)}, which count neither as right nor as wrong." if told else ""


def _complete_cases(rows: Rows, request: Request) -> tuple[Rows, list[str]]:
    """Leave out the cases that some model has no score for, and say which."""
    if request.classifiers is not None:
        rows = rows.of_classifiers(request.classifiers)
    if rows.case is None:
        return rows, []
    shape = (len(rows.case.names), len(rows.classifier.names))
    scored = np.zeros(shape, dtype=bool)
    given = ~np.isnan(rows.scores)
    scored[rows.case.codes[given], rows.classifier.codes[given]] = True
    scored[rows.case.codes[~given], rows.classifier.codes[~given]] = False  # of several answers too
    whole: Bools = np.asarray(scored.all(axis=1))
    if whole.all():
        return rows, []
    if whole.sum() < 2:
        domain = f"such that at least two cases of {rows.name} are left"
        raise DesignMismatchError("missing", domain, f"'drop-case', which leaves {whole.sum()}")
    gone = [name for name, kept in zip(rows.case.names, whole, strict=True) if not kept]
    note = f"Dropped {plural(len(gone), 'case')} with missing scores: {listing(gone)}."
    kept = rows.take(np.flatnonzero(whole[rows.case.codes]))
    return replace(kept, notes=(*kept.notes, note)), gone


def _tested(table: ScoreTable, rows: Rows) -> tuple[str, ...]:
    """Return the names of the cases in the order of the table; some may have gone with a model."""
    if rows.case is None:
        return ()
    names = rows.case.names
    if len(names) == table.scores.shape[3]:
        return names
    kept = np.isin(_codes(rows.classifier, table.classifiers), range(len(table.classifiers)))
    seen = np.unique(rows.case.codes[kept & ~np.isnan(rows.scores)])
    return tuple(names[code] for code in seen) if len(seen) == table.scores.shape[3] else ()


def _clusters(rows: Rows) -> Key | None:
    """Return the clusters, if they hold more than a case each and are more than one."""
    if rows.cluster is None or rows.case is None or rows.cluster.is_single:
        return None
    return None if len(rows.cluster.names) >= len(rows.case.names) else rows.cluster


def _answers_note(rows: Rows) -> str:
    """Say of how many answers the score of a case is the mean."""
    assert rows.case is not None
    given = ~np.isnan(rows.scores)
    cells = rows.classifier.codes[given] * len(rows.case.names) + rows.case.codes[given]
    counts = np.bincount(cells)[np.unique(cells)]
    if not len(counts):
        return "The score of a case is the mean of its answers."
    least, most = int(counts.min()), int(counts.max())
    if least == most:
        return f"The score of a case is the mean of its {most} answers."
    return f"The score of a case is the mean of its answers, {least} to {most} of them."


def _mean_answers(rows: Rows) -> tuple[Rows, Floats]:
    """Return the mean answer of every model to every case, and how noisy the means of a model are."""
    count = len(rows.classifier.names)
    if rows.answer is None or rows.case is None:
        return rows, np.zeros(count)
    cases, answers = len(rows.case.names), len(rows.answer.names)
    given = np.full((count, cases, answers), np.nan)
    given[rows.classifier.codes, rows.case.codes, rows.answer.codes] = rows.scores
    cell = rows.classifier.codes * cases + rows.case.codes
    _, first = np.unique(cell, return_index=True)
    chosen = rows.take(np.asarray(first, dtype=np.intp))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a case without any answer has no mean
        means = np.nanmean(given, axis=2)
    scores = means[chosen.classifier.codes, chosen.case.codes]  # type: ignore[union-attr]  # taken along
    return replace(chosen, scores=scores, answer=None), answer_variance(given)


def _cluster_of_cases(rows: Rows, names: tuple[str, ...]) -> Codes | None:
    """Return the cluster of every case by name, refusing a case that is in two."""
    found = _clusters(rows)
    if found is None or rows.case is None:
        return None
    pairs = np.unique(np.stack([rows.case.codes, found.codes]), axis=1)
    if len(np.unique(pairs[0])) < pairs.shape[1]:
        twice = rows.case.names[int(pairs[0][np.flatnonzero(np.diff(pairs[0]) == 0)[0]])]
        got = f"case {shorten(twice)} in two"
        raise InvalidContentError(rows.name, "one cluster for each case", got)
    of = dict(zip(pairs[0].tolist(), pairs[1].tolist(), strict=True))
    places = {name: at for at, name in enumerate(rows.case.names)}
    _, codes = np.unique([of[places[name]] for name in names], return_inverse=True)
    return np.asarray(codes, dtype=np.intp) if len(set(codes.tolist())) > 1 else None


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
    keys = [rows.classifier, rows.dataset, rows.run, rows.fold, rows.case, rows.answer]
    frame = pd.DataFrame({i: key.codes for i, key in enumerate(keys) if key is not None})
    twice = frame.duplicated().to_numpy()
    if twice.any():
        at = int(np.flatnonzero(twice)[0])
        case = rows.case.names[rows.case.codes[at]]
        got = f"more than one case {shorten(case)} of one model"
        remedy = (
            "If they are several answers, number them in a column named answer; else keep one row "
            "for each"
        )
        raise InvalidContentError(rows.place(at), "one row for each case", got, remedy)


def _cases_of_sets(table: ScoreTable, rows: Rows) -> tuple[Floats, ...]:
    """Return scores of cases by dataset; cases without a name of their own cannot be joined."""
    if rows.case is None:
        return ()
    runs = rows.run or Key.constant("1", len(rows.scores))
    if table.scores.shape[2] != len(runs.names):
        return ()  # runs were averaged
    found = []
    for dataset in table.datasets:
        here = rows.take(np.flatnonzero(rows.dataset.codes == rows.dataset.names.index(dataset)))
        found.append(_cases_on(here, table.classifiers, runs.names))
    return tuple(found)


def _cases_on(rows: Rows, classifiers: tuple[str, ...], runs: tuple[str, ...]) -> Floats:
    """Return classifier x run x case; cases of resamples that share none are columns of their own."""
    case = rows.case
    if case is None:
        return np.zeros((len(classifiers), len(runs), 0))
    scores = np.full((len(classifiers), len(runs), len(case.names)), np.nan)
    i = _codes(rows.classifier, classifiers)
    j = np.zeros(len(i), dtype=np.intp) if rows.run is None else _codes(rows.run, runs)
    kept = i >= 0
    scores[i[kept], j[kept], case.codes[kept]] = rows.scores[kept]
    return scores


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
