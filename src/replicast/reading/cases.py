"""Scores case by case become a ScoreTable that knows its cases."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.arrays import Bools, Floats
from replicast.design import Cases, Design, Holdout, format_design
from replicast.errors import (
    Choice,
    DesignMismatchError,
    DesignNeededError,
    InvalidContentError,
    MissingScoresError,
    shorten,
)
from replicast.formatting import plural
from replicast.kernels.cases import answer_variance
from replicast.reading.assembly import tabulate
from replicast.reading.designs import FEWEST_DATASETS, are_right_or_wrong
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import UNTITLED, Rows
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
    alone = rows.run is None and rows.fold is None
    if alone and (rows.dataset.is_single or request.asks_for_cases):
        return _one_test_set(together(rows), manner, request)
    if request.asks_for_cases:
        domain = "none, or that of the runs and folds in the file"
        raise DesignMismatchError("design", domain, f"one test set for {rows.name}")
    if alone and request.design is None and not request.by_dataset:
        _ask_few_datasets(rows)
    means = _mean_of_sets(rows)
    if rows.run is None and rows.fold is None:
        means = replace(means, notes=(*means.notes, AS_SAMPLE))
    table = tabulate(means, manner, request)
    return replace(table, case_scores=_cases_of_sets(table, rows))


def together(rows: Rows) -> Rows:
    """Take the cases of several datasets for those of one test set: each is its dataset and its name.

    A name that stands in several of them is one patient, say, with a row for each organ: its cases are
    related. Numbers may begin anew in every dataset.
    """
    if rows.dataset.is_single or rows.case is None:
        return rows
    pairs = rows.codes("dataset", "case")
    codes = pairs.groupby(["dataset", "case"], sort=False).ngroup().to_numpy()
    names = tuple(
        f"{rows.dataset.names[dataset]} {rows.case.names[case]}"
        for dataset, case in pairs.drop_duplicates().itertuples(index=False)
    )
    notes = [*rows.notes, f"The cases of {listing(rows.dataset.names, 6)} are taken together."]
    cluster, known = rows.cluster, rows.case.names
    if cluster is None and len(known) < len(names) and not all(map(str.isdecimal, known)):
        cluster = rows.case
        notes.append("Cases of one name are related.")
    case = Key(np.asarray(codes, dtype=np.intp), names)
    dataset = Key.constant(UNTITLED, len(codes))
    return replace(rows, case=case, dataset=dataset, cluster=cluster, notes=tuple(notes))


def _ask_few_datasets(rows: Rows) -> None:
    """Ask whether one or all are meant, where datasets are too few for a test over them."""
    names = rows.dataset.names
    if len(names) < FEWEST_DATASETS and rows.case is not None:
        count = len(rows.codes("dataset", "case").drop_duplicates())
        choices = (
            Choice("design", "cases", f"if the {count:,} cases are compared together"),
            Choice("design", "datasets", f"if the {len(names)} datasets are a sample of others"),
        )
        domain = f"given for {count:,} cases of {len(names)} datasets"
        raise DesignNeededError(domain, listing(names, 6), "", count).offering(choices)


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
    several = rows.answer is not None and not rows.answer.is_single
    binary = are_right_or_wrong(rows.scores)
    graded = several or not binary or _clusters(rows) is not None
    answers = 1 if rows.answer is None else len(rows.answer.names)

    def design(cases: Sequence[str]) -> Design:
        if not graded:
            return Holdout(len(cases))
        clusters = _cluster_of_cases(rows, cases)
        count = None if clusters is None else int(clusters.max()) + 1
        return _as_asked(Cases(len(cases), clusters=count, answers=answers), rows.name, request)

    rows = _told_of_orders(rows)
    means, noise = _mean_answers(rows)
    blank = ""
    if several:
        blank = _blank_answers(rows, request)
        means = replace(means, notes=(*means.notes, _answers_note(rows)))
    arranged = replace(means, case=None, run=None, fold=means.case, fold_kind="case")
    table = tabulate(arranged, replace(manner, binary=binary), request, design)
    table = replace(table, left_out=" ".join(filter(None, (table.left_out, blank))))
    if not graded:
        return table
    noises = [noise[means.classifier.names.index(one)] for one in table.classifiers]
    return replace(
        table,
        clusters=_cluster_of_cases(rows, table.case_names),
        answer_variances=np.array(noises) if answers > 1 else None,
    )


def _told_of_orders(rows: Rows) -> Rows:
    """Say that cases were joined by their names, where they come in other orders for some models."""
    if rows.case is None:
        return rows
    cases = pd.Series(rows.case.codes).groupby(rows.classifier.codes).unique()
    first, *others = (one.tolist() for one in cases)
    if all(one == first or sorted(one) != sorted(first) for one in others):
        return rows
    note = "Cases stand in another order for some models: they were joined by their names."
    return replace(rows, notes=(*rows.notes, note))


def _as_asked(design: Design, name: str, request: Request) -> Design:
    """Refuse another number of cases or clusters than was asked for."""
    for field in ("count", "clusters"):
        asked = getattr(request.design, field, None)
        if asked not in (None, getattr(design, field)):
            domain = f"{format_design(design)} for {name}"
            raise DesignMismatchError("design", domain, str(request.design))
    return design


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
    scored = np.zeros((len(rows.case.names), len(rows.classifier.names)), dtype=bool)
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


def _clusters(rows: Rows) -> Key | None:
    """Return the clusters, if they hold more than a case each and are more than one."""
    if rows.cluster is None or rows.case is None or rows.cluster.is_single:
        return None
    return None if len(rows.cluster.names) >= len(rows.case.names) else rows.cluster


def _cluster_of_cases(rows: Rows, names: Sequence[str]) -> Codes | None:
    """Return the cluster of every case by name, refusing a case that is in two."""
    if _clusters(rows) is None or rows.case is None:
        return None
    pairs = rows.codes("case", "cluster").drop_duplicates()
    twice = pairs["case"].duplicated()
    if twice.any():
        got = f"case {shorten(rows.case.names[pairs['case'][twice].min()])} in two"
        raise InvalidContentError(rows.name, "one cluster for each case", got)
    of = pairs.set_index("case")["cluster"]
    places = {name: at for at, name in enumerate(rows.case.names)}
    found, codes = np.unique(of[[places[name] for name in names]], return_inverse=True)
    return np.asarray(codes, dtype=np.intp) if len(found) > 1 else None


def _answers_note(rows: Rows) -> str:
    """Say of how many answers the score of a case is the mean."""
    given = rows.take(np.flatnonzero(~np.isnan(rows.scores)))
    counts = given.codes("classifier", "case").value_counts()
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
    given = np.full((count, len(rows.case.names), len(rows.answer.names)), np.nan)
    given[rows.classifier.codes, rows.case.codes, rows.answer.codes] = rows.scores
    first = ~rows.codes("classifier", "case").duplicated().to_numpy()
    at = rows.classifier.codes[first], rows.case.codes[first]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a case without any answer has no mean
        means = np.nanmean(given, axis=2)
    chosen = rows.take(np.flatnonzero(first))
    return replace(chosen, scores=means[at], answer=None), answer_variance(given)


def _mean_of_sets(rows: Rows) -> Rows:
    """Return the mean score of every classifier on every test set."""
    _refuse_twins(rows)
    keys = rows.codes("classifier", "dataset", "run", "fold")
    sets = pd.Series(rows.scores).groupby(keys.groupby(list(keys), sort=False).ngroup())
    counts: Floats = np.asarray(sets.size(), dtype=np.float64)
    means = np.asarray(sets.mean().where(sets.count() == counts), dtype=np.float64)
    chosen = rows.take(np.flatnonzero(~keys.duplicated()))
    sizes = counts if chosen.n_train is not None or rows.fold is not None else chosen.n_test
    return replace(chosen, scores=means, n_test=sizes, case=None, cluster=None, answer=None)


def _refuse_twins(rows: Rows) -> None:
    twice = rows.codes().duplicated().to_numpy()
    if rows.case is not None and twice.any():
        at = int(np.flatnonzero(twice)[0])
        got = f"more than one case {shorten(rows.case.names[rows.case.codes[at]])} of one model"
        remedy = (
            "If they are several answers, number them in a column named answer; else keep one row "
            "for each"
        )
        raise InvalidContentError(rows.place(at), "one row for each case", got, remedy)


def _cases_of_sets(table: ScoreTable, rows: Rows) -> tuple[Floats, ...]:
    """Return classifier x run x case on every dataset.

    Cases without a name of their own cannot be joined; those of resamples that share none are columns
    of their own.
    """
    runs = 1 if rows.run is None else len(rows.run.names)
    rows = rows.of_classifiers(table.classifiers)
    if rows.case is None or table.scores.shape[2] != runs:
        return ()  # runs were averaged
    found = []
    for dataset in table.datasets:
        at = np.flatnonzero(rows.dataset.codes == rows.dataset.names.index(dataset))
        case = rows.case.take(at)
        scores = np.full((len(table.classifiers), runs, len(case.names)), np.nan)
        run = 0 if rows.run is None else rows.run.codes[at]
        scores[rows.classifier.codes[at], run, case.codes] = rows.scores[at]
        found.append(scores)
    return tuple(found)


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
