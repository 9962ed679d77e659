"""Result files of tsml and aeon: one a resample, one a classifier, or one a measure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError, invalid, shorten
from replicast.reading.assembly import tabulate
from replicast.reading.cases import same_labels, stem, tabulate_cases
from replicast.reading.documents import Document, Neighbour
from replicast.reading.formats.tables.several import own_names
from replicast.reading.packing import decode
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import Columns, Rows, rows_of
from replicast.reading.sheets import Key, Sheet, join_sheets
from replicast.reading.vocabulary.measures import find_measure
from replicast.reading.vocabulary.roles import are_resamples
from replicast.scores.tables import ScoreTable

_UNITS = {"MILLISECONDS", "NANOSECONDS", "PREDICTIONS"}
_BLANK = "\ufeff \t\r\n\f\v"
_NUMBER = re.compile(r"(?<!\d)(\d+)$")
_QUOTED = re.compile(r'"[^"]*"')
_SUMMARY = "Estimators:"  # first cell of what tsml-eval's evaluation writes


def is_resample(document: Document) -> bool:
    """Tell by the first line: dataset, classifier, TEST or TRAIN, resample, unit of time.

    Without a unit it may be a header with such names, above rows of as many cells.
    """
    lines = document.head.decode("latin-1").split("\n")
    first = [cell.strip().upper() for cell in lines[0].split(",")]
    if len(first) < 4 or first[2] not in ("TEST", "TRAIN"):
        return False
    commas = {_QUOTED.sub("", line).count(",") for line in lines[:5] if line.strip()}
    return not _UNITS.isdisjoint(first) or (first[3].isdecimal() and len(commas) > 1)


def read_resamples(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read `testResample*.csv` files; the number of a resample joins the classifiers."""
    if request.metric not in (None, "accuracy"):
        raise invalid("metric", "accuracy for tsml result files", repr(request.metric))
    parsed = [_parse(document) for document in documents]
    _refuse_twins(parsed)
    off = [one["source"].iloc[0] for one in parsed if one["off"].iloc[0]]
    notes = [note for document in documents for note in document.decoded[1]]
    if off:
        notes.append(f"Accuracy and predictions disagree in {', '.join(off[:5])}.")
    frame = pd.concat(parsed, ignore_index=True)
    sheet = Sheet(name=f"{len(documents)} files", frame=frame, first_row=1)
    single = frame["dataset"].nunique() == 1 and frame["resample"].nunique() == 1
    rows = Rows(
        name=sheet.name,
        scores=frame["right"].to_numpy(float),
        classifier=sheet.labels("classifier"),
        dataset=sheet.labels("dataset"),
        run=None if single else sheet.ranks("resample"),
        run_kind=None if single else "resample",
        case=_cases(frame, single),
        n_train=frame["n_train"].to_numpy(float),
        sheet=sheet,
    )
    manner = Manner(
        kind="tsml results",
        metric="accuracy",
        notes=tuple(notes),
        counted="from the files",
    )
    return tabulate_cases(rows, manner, request)


def _cases(frame: pd.DataFrame, single: bool) -> Key:
    """Name the cases; those of different resamples are different cases."""
    names = frame["case"].astype(str)
    if not single:
        names = frame["resample"].astype(str) + "/" + names
    codes, found = pd.factorize(names)
    return Key(np.asarray(codes, dtype=np.intp), tuple(map(str, found)))


def _parse(document: Document) -> pd.DataFrame:
    path, text = document.path, document.decoded[0]
    lines = text.lstrip(_BLANK).split("\n")  # splitlines would see more ends than recognition does
    head = [cell.strip() for cell in lines[0].split(",")]
    name = f"{shorten(head[1])}/{shorten(head[0])}/{path.name}"
    if head[2].upper() != "TEST":
        place, got = f"{name}, line 1", shorten(head[2])
        raise InvalidContentError(
            place, "results on a test set (TEST)", got, "Give the testResample files"
        )
    resample = _NUMBER.search(head[3]) or _NUMBER.search(stem(path))
    if resample is None:
        domain = "the number of the resample as fourth value"
        raise InvalidContentError(f"{name}, line 1", domain, shorten(repr(head[3])))
    numbered = [(n, line) for n, line in enumerate(lines[3:], start=4) if line.strip()]
    cases = [line.split(",", 2) for _, line in numbered]
    short = next((i for i, cells in enumerate(cases) if len(cells) < 2), None)
    if short is not None:
        number, line = numbered[short]
        domain = "true and predicted class"
        raise InvalidContentError(f"{name}, line {number}", domain, shorten(repr(line)))
    if not cases:
        raise InvalidContentError(name, "predictions from line 4 on", "none")
    columns = [pd.Series([cells[i] for cells in cases], dtype=object) for i in (0, 1)]
    right = same_labels(*columns)
    accuracy = _accuracy(lines[2] if len(lines) > 2 else "", name)
    n_train = _n_train(path, document.beside)
    return pd.DataFrame(
        {
            "source": name,
            "classifier": document.label or _classifier(head[1]) or path.parent.name,
            "dataset": head[0],
            "resample": int(resample.group(1)),
            "case": range(1, len(cases) + 1),
            "right": right.astype(float),
            "n_train": np.nan if n_train is None else float(n_train),
            "off": abs(accuracy - float(right.mean())) > 0.5 / len(right),
        }
    )


def _classifier(name: str) -> str:
    """Return `ROCKET` of `ROCKET (RocketClassifier)`, as tsml-eval names its classifiers."""
    found = re.fullmatch(r"(.*\S)\s+\(\w+\)", name)
    return found[1] if found else name


def _refuse_twins(parsed: list[pd.DataFrame]) -> None:
    seen: dict[tuple[object, ...], str] = {}
    for one in parsed:
        first = one.iloc[0]
        place = (first["classifier"], first["dataset"], first["resample"])
        if place in seen:
            got = (
                f"more than one result for {place[0]} on {place[1]}, resample {place[2]}, the other in "
                f"{seen[place]}"
            )
            raise InvalidContentError(
                str(first["source"]), "one file for each", got, "Keep one file for each"
            )
        seen[place] = str(first["source"])


def _accuracy(line: str, name: str) -> float:
    cell = line.split(",")[0].strip()
    try:
        value = float(cell)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise InvalidContentError(
            f"{name}, line 3", "the accuracy as a number", shorten(repr(cell))
        )
    return value


def _n_train(path: Path, neighbour: Neighbour) -> int | None:
    """Return the number of training cases if the results on them stand beside."""
    beside = path.with_name(path.name.replace("test", "train", 1))
    raw = None if beside == path else neighbour(beside)
    if raw is None:
        return None
    lines = decode(raw, beside.name)[0].splitlines()[3:]
    return sum(1 for line in lines if line.strip()) or None


def is_reference(document: Document) -> bool:
    """Tell by the columns: a name, then resamples with numbers from 0 on."""
    return are_resamples(document.columns)


def read_reference(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read `<estimator>_<measure>.csv` files: one row per dataset, one column per resample."""
    paths = [document.path for document in documents]
    parts = [stem(path).rpartition("_") for path in paths]
    if not any(find_measure(measure) for _, _, measure in parts):
        named = request.metric or "score"  # the names of the files say what they like
        parts = [(name, "_", named) for name in own_names(documents)]
    for path, (estimator, _, _) in zip(paths, parts, strict=True):
        if not estimator:
            raise invalid("source", "files called <estimator>_<measure>.csv", path.name)
    measures = list(dict.fromkeys(measure for _, _, measure in parts))
    usual = "accuracy" if "accuracy" in measures else measures[0]
    metric = request.metric or usual
    if metric not in measures or (
        request.metric is None and usual != "accuracy" and len(measures) > 1
    ):
        raise invalid("metric", f"one of {', '.join(measures)}", repr(request.metric))
    estimators = [estimator for estimator, _, measure in parts if measure == metric]
    if len(set(estimators)) < 2:
        remedy = "Give the file of a second one too"
        domain = "results of at least two classifiers, a file each"
        raise invalid("source", domain, f"one, {estimators[0]}", remedy)
    chosen = [
        _melt(document.sheet, estimator)
        for document, (estimator, _, measure) in zip(documents, parts, strict=True)
        if measure == metric
    ]
    joined = join_sheets(chosen, ("classifier", "dataset", "run", "score"))
    manner = Manner(kind="aeon reference results", metric=metric, counted="from the files")
    columns = Columns(classifier="classifier", dataset="dataset", run="run", score="score")
    return tabulate(rows_of(joined, columns, {"run": "resample"}), manner, request)


def _melt(sheet: Sheet, estimator: str) -> Sheet:
    first, *resamples = sheet.columns
    n = len(sheet.frame)
    rows = np.tile(np.arange(n), len(resamples))
    scores = [sheet.numbers(column) for column in resamples]
    frame = pd.DataFrame(
        {
            "classifier": estimator,
            "dataset": sheet.frame[first].to_numpy(dtype=object)[rows],
            "run": np.repeat([int(column) for column in resamples], n),
            "score": np.concatenate(scores),
        }
    )
    return sheet.with_frame(frame, rows)


def is_evaluation(document: Document) -> bool:
    """Tell by the first cell: rows are datasets although it says Estimators."""
    return bool(document.columns) and document.columns[0] == _SUMMARY


def read_evaluation(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a table of tsml-eval: `<measure>_mean.csv`, `<measure>_ranks.csv`."""
    document = documents[0]
    sheet, name = document.sheet, stem(document.path)
    estimators = list(sheet.columns[1:])
    if set(sheet.frame[_SUMMARY].astype(str)) <= set(estimators):
        domain = "a row for each dataset"
        got = "rows and columns of the same names, a matrix of p-values or the like"
        raise InvalidContentError(sheet.name, domain, got)
    metric = request.metric or re.sub(r"_(mean|all|table)$", "", name)
    n = len(sheet.frame)
    datasets = sheet.labels(_SUMMARY)
    origin = np.tile(np.arange(n), len(estimators))
    rows = Rows(
        name=sheet.name,
        scores=np.concatenate([sheet.numbers(column) for column in estimators]),
        classifier=Key(np.repeat(np.arange(len(estimators)), n), tuple(estimators)),
        dataset=Key(datasets.codes[origin], datasets.names),
        sheet=sheet,
        origin=origin,
        notes=sheet.notes,
    )
    manner = Manner(kind="tsml-eval table", metric=metric)
    if request.metric is None and find_measure(metric) is not None:
        manner = replace(manner, notes=(f"The measure, {metric}, is that of the file's name.",))
    return tabulate(rows, manner, request)
