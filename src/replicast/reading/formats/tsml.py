"""Result files of tsml and aeon: one file a resample, or one file a classifier."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from replicast.errors import InvalidArgumentError, invalid, shorten
from replicast.reading.assembly import Columns, Manner, Request, lower_is_better, tabulate
from replicast.reading.cases import TestedCases, same_labels, stem, tabulate_cases
from replicast.reading.documents import Document, Neighbour
from replicast.reading.files import Sheet, decode, join_sheets
from replicast.scores import ScoreTable

_UNITS = {"MILLISECONDS", "NANOSECONDS", "PREDICTIONS"}
_BLANK = "\ufeff \t\r\n\f\v"
_NUMBER = re.compile(r"(\d+)$")


def is_resample(document: Document) -> bool:
    """Tell by the first line: dataset, classifier, TEST or TRAIN, resample, unit of time."""
    line = document.head.decode("latin-1").partition("\n")[0]
    first = [cell.strip().upper() for cell in line.split(",")]
    if len(first) < 4 or first[2] not in ("TEST", "TRAIN"):
        return False
    return first[3].isdecimal() or not _UNITS.isdisjoint(first)  # else a header with such a name


def read_resamples(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read `testResample*.csv` files; the number of a resample joins the classifiers."""
    if request.metric not in (None, "accuracy"):
        raise invalid("metric", "accuracy for tsml result files", repr(request.metric))
    tested = [_parse(document) for document in documents]
    off = [
        one.source
        for one in tested
        if abs(one.accuracy - float(one.right.mean())) > 0.5 / len(one.right)
    ]
    notes = [note for document in documents for note in document.decoded[1]]
    if off:
        notes.append(f"Accuracy and predictions disagree in {', '.join(off[:5])}.")
    manner = Manner(
        kind="tsml results",
        metric="accuracy",
        greater_is_better=True,
        notes=tuple(notes),
        counted="from the files",
    )
    return tabulate_cases(tested, manner, request)


def _parse(document: Document) -> TestedCases:
    path, text = document.path, document.decoded[0]
    lines = text.lstrip(_BLANK).split("\n")  # splitlines would see more ends than recognition does
    head = [cell.strip() for cell in lines[0].split(",")]
    name = f"{shorten(head[1])}/{shorten(head[0])}/{path.name}"
    if head[2].upper() != "TEST":
        raise InvalidArgumentError(
            f"{name}, line 1: expected results on a test set (TEST), got {shorten(head[2])}. "
            f"Give the testResample files."
        )
    resample = _NUMBER.search(head[3]) or _NUMBER.search(stem(path))
    if resample is None:
        raise InvalidArgumentError(
            f"{name}, line 1: expected the number of the resample as fourth value, got "
            f"{shorten(repr(head[3]))}."
        )
    numbered = [(n, line) for n, line in enumerate(lines[3:], start=4) if line.strip()]
    cases = [line.split(",", 2) for _, line in numbered]
    short = next((i for i, cells in enumerate(cases) if len(cells) < 2), None)
    if short is not None:
        number, line = numbered[short]
        raise InvalidArgumentError(
            f"{name}, line {number}: expected true and predicted class, got {shorten(repr(line))}."
        )
    if not cases:
        raise InvalidArgumentError(f"{name}: expected predictions from line 4 on, got none.")
    columns = [pd.Series([cells[i] for cells in cases], dtype=object) for i in (0, 1)]
    return TestedCases(
        source=name,
        classifier=head[1] or path.parent.name,
        dataset=head[0],
        resample=int(resample.group(1)),
        right=same_labels(*columns).astype(np.int8),
        ids=tuple(map(str, range(1, len(cases) + 1))),
        accuracy=_accuracy(lines[2], name),
        n_train=_n_train(path, document.beside),
    )


def _accuracy(line: str, name: str) -> float:
    cell = line.split(",")[0].strip()
    try:
        value = float(cell)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise InvalidArgumentError(
            f"{name}, line 3: expected the accuracy as a number, got {shorten(repr(cell))}."
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
    """Tell by the columns: a name, then resamples with numbers."""
    first, *others = document.sheet.frame.columns
    return bool(others) and all(other.isdecimal() for other in others) and not first.isdecimal()


def read_reference(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read `<estimator>_<measure>.csv` files: a row a dataset, a column a resample."""
    paths = [document.path for document in documents]
    parts = [stem(path).rpartition("_") for path in paths]
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
    chosen = [
        _melt(document.sheet, estimator)
        for document, (estimator, _, measure) in zip(documents, parts, strict=True)
        if measure == metric
    ]
    joined = join_sheets(chosen, ("classifier", "dataset", "run", "score"))
    manner = Manner(
        kind="aeon reference results",
        metric=metric,
        greater_is_better=not lower_is_better(metric),
        counted="from the files",
    )
    columns = Columns(classifier="classifier", dataset="dataset", run="run", score="score")
    return tabulate(joined, columns, manner, request)


def _melt(sheet: Sheet, estimator: str) -> Sheet:
    first, *resamples = sheet.frame.columns
    n = len(sheet.frame)
    rows = np.tile(np.arange(n), len(resamples))
    scores = [sheet.numbers(column, gaps=True) for column in resamples]
    frame = pd.DataFrame(
        {
            "classifier": estimator,
            "dataset": sheet.frame[first].to_numpy(dtype=object)[rows],
            "run": np.repeat([int(column) for column in resamples], n),
            "score": np.concatenate(scores),
        }
    )
    return sheet.with_frame(frame, rows)
