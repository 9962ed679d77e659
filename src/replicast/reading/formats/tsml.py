"""Result files of tsml and aeon: one a resample, one a classifier, or one a measure."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError, invalid, shorten
from replicast.reading.assembly import tabulate
from replicast.reading.cases import same_labels, stem, tabulate_cases
from replicast.reading.documents import Document
from replicast.reading.formats.tables.several import own_names
from replicast.reading.packing import decode
from replicast.reading.requests import Manner, Request, choose_metric
from replicast.reading.rows import Columns, rows_of
from replicast.reading.sheets import Sheet, join_sheets
from replicast.reading.vocabulary.famous import tell_apart
from replicast.reading.vocabulary.measures import find_measure
from replicast.reading.vocabulary.roles import are_resamples, find_role
from replicast.scores.tables import ScoreTable

_UNITS = {"MILLISECONDS", "NANOSECONDS", "PREDICTIONS"}
_BLANK = "\ufeff \t\r\n\f\v"
_NUMBER = re.compile(r"(?<!\d)(\d+)$")
_QUOTED = re.compile(r'"[^"]*"')
_SUMMARY = "Estimators:"  # first cell of what tsml-eval's evaluation writes
_KEYS = ("classifier", "dataset", "resample")


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
    heads = pd.DataFrame([one.iloc[0] for one in parsed])
    twice = heads[heads.duplicated(list(_KEYS))]
    if len(twice):
        classifier, dataset, resample = (twice.iloc[0][key] for key in _KEYS)
        got = f"more than one result for {classifier} on {dataset}, resample {resample}"
        remedy = "Keep one file for each"
        raise InvalidContentError(str(twice.iloc[0]["source"]), "one file for each", got, remedy)
    off = heads["source"][heads["off"].astype(bool)].tolist()
    notes = [note for document in documents for note in document.decoded[1]]
    if off:
        notes.append(f"Accuracy and predictions disagree in {', '.join(off[:5])}.")
    frame = pd.concat(parsed, ignore_index=True)
    single = frame["dataset"].nunique() == 1 and frame["resample"].nunique() == 1
    if not single:  # cases of different resamples are different cases
        frame["case"] = frame["resample"].astype(str) + "/" + frame["case"].astype(str)
    columns = Columns(
        classifier="classifier",
        dataset="dataset",
        run=None if single else "resample",
        case="case",
        score="right",
        n_train="n_train",
    )
    sheet = Sheet(name=f"{len(documents)} files", frame=frame, first_row=1)
    manner = Manner(
        kind="tsml results", metric="accuracy", notes=tuple(notes), counted="from the files"
    )
    return tabulate_cases(rows_of(sheet, columns, {"run": "resample"}), manner, request)


def _parse(document: Document) -> pd.DataFrame:
    """Return the cases of one file: a line that says whose they are, one of settings, the accuracy."""
    path, text = document.path, document.decoded[0]
    lines = text.lstrip(_BLANK).split("\n")  # splitlines would see more ends than recognition does
    dataset, named, kind, number = (cell.strip() for cell in lines[0].split(",")[:4])
    name = f"{shorten(named)}/{shorten(dataset)}/{path.name}"

    def wrong(number: int, domain: str, got: str) -> InvalidContentError:
        return InvalidContentError(f"{name}, line {number}", domain, shorten(repr(got)))

    if kind.upper() != "TEST":
        raise wrong(1, "results on a test set (TEST), as in the testResample files", kind)
    resample = _NUMBER.search(number) or _NUMBER.search(stem(path))
    if resample is None:
        raise wrong(1, "the number of the resample as fourth value", number)
    cell = [*lines, "", ""][2].split(",")[0].strip()
    accuracy = pd.to_numeric(cell, errors="coerce")
    if not np.isfinite(accuracy):
        raise wrong(3, "the accuracy as a number", cell)
    cases = [line.split(",", 2) for line in lines[3:] if line.strip()] or [[""]]
    short = next((at for at, cells in enumerate(cases) if len(cells) < 2), None)
    if short is not None:
        raise wrong(4 + short, "true and predicted class", cases[short][0])
    right = same_labels(*(pd.Series([cells[k] for cells in cases], dtype=object) for k in (0, 1)))
    program = re.fullmatch(r"(.*\S)\s+\(\w+\)", named)  # ROCKET (RocketClassifier)
    return pd.DataFrame(
        {
            "source": name,
            "classifier": document.label or (program[1] if program else named) or path.parent.name,
            "dataset": dataset,
            "resample": int(resample[1]),
            "case": range(1, len(cases) + 1),
            "right": right.astype(float),
            "n_train": _n_train(document),
            "off": abs(accuracy - float(right.mean())) > 0.5 / len(right),
        }
    )


def _n_train(document: Document) -> float:
    """Return the number of training cases if the results on them stand beside."""
    path = document.path
    beside = path.with_name(path.name.replace("test", "train", 1))
    raw = None if beside == path else document.beside(beside)
    lines = [] if raw is None else decode(raw, beside.name)[0].splitlines()[3:]
    return float(sum(1 for line in lines if line.strip())) or np.nan


def is_reference(document: Document) -> bool:
    """Tell by the columns: a name that is no classifier's, then resamples with numbers from 0 on."""
    if not are_resamples(document.columns) or find_role(document.columns[0]) == "classifier":
        return False
    labels = map(str, document.sheet.frame[document.columns[0]])
    return tell_apart(labels, ()) != "classifiers"


def read_reference(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read `<estimator>_<measure>.csv` files: one row per dataset, one column per resample."""
    parts = [stem(document.path).rpartition("_")[::2] for document in documents]
    if not any(find_measure(measure) for _, measure in parts):
        named = request.metric or "score"  # the names of the files say what they like
        parts = [(name, named) for name in own_names(documents)]
    measures = list(dict.fromkeys(measure for _, measure in parts))
    metric = choose_metric(measures, request.metric, ("accuracy",))
    told = zip(documents, parts, strict=True)
    chosen = {
        estimator: _melt(document.sheet, estimator)
        for document, (estimator, measure) in told
        if measure == metric
    }
    if len(chosen) < 2:
        domain = "results of at least two classifiers, each in <estimator>_<measure>.csv"
        remedy = "Give a second file too; or, if rows are classifiers, call the first column model"
        raise invalid("source", domain, f"one, {next(iter(chosen))}", remedy)
    joined = join_sheets(list(chosen.values()), ("classifier", "dataset", "run", "score"))
    manner = Manner(kind="aeon reference results", metric=metric, counted="from the files")
    columns = Columns(classifier="classifier", dataset="dataset", run="run", score="score")
    return tabulate(rows_of(joined, columns, {"run": "resample"}), manner, request)


def _melt(sheet: Sheet, estimator: str) -> Sheet:
    first, *resamples = sheet.columns
    n = len(sheet.frame)
    rows = np.tile(np.arange(n), len(resamples))
    frame = pd.DataFrame(
        {
            "classifier": estimator,
            "dataset": sheet.frame[first].to_numpy(dtype=object)[rows],
            "run": np.repeat([int(column) for column in resamples], n),
            "score": np.concatenate([sheet.numbers(column) for column in resamples]),
        }
    )
    return sheet.with_frame(frame, rows)


def read_evaluation(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a table of tsml-eval: `<measure>_mean.csv`; rows are datasets though it says Estimators."""
    sheet, name = documents[0].sheet, stem(documents[0].path)
    estimators = list(sheet.columns[1:])
    if not estimators:
        raise InvalidContentError(sheet.name, "a column for each estimator", "none")
    if set(sheet.frame[_SUMMARY].astype(str)) <= set(estimators):
        domain = "a row for each dataset"
        got = "rows and columns of the same names, a matrix of p-values or the like"
        raise InvalidContentError(sheet.name, domain, got)
    metric = request.metric or re.sub(r"_(mean|all|table)$", "", name)
    columns = Columns(classifier=None, dataset=_SUMMARY, score=estimators[0])
    rows = rows_of(sheet, columns, None, [sheet.read(one) for one in estimators], estimators)
    known = request.metric is None and find_measure(metric) is not None
    notes = (f"The measure, {metric}, is that of the file's name.",) if known else ()
    return tabulate(rows, Manner(kind="tsml-eval table", metric=metric, notes=notes), request)
