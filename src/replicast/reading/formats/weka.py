"""Results of the Weka Experimenter, as ARFF or CSV, one file or several."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from replicast.errors import invalid, nearest
from replicast.reading.assembly import Columns, Manner, Request, lower_is_better, tabulate
from replicast.reading.documents import Document
from replicast.reading.files import Sheet, join_sheets, listing
from replicast.scores import ScoreTable

_KEYS = ("Key_Dataset", "Key_Run", "Key_Fold", "Key_Scheme", "Key_Scheme_options")
_TRAIN, _TEST = "Number_of_training_instances", "Number_of_testing_instances"


def is_weka(document: Document) -> bool:
    """Tell by the key columns."""
    return document.has("Key_Dataset", "Key_Scheme")


def read_weka(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read what the Experimenter wrote; every row is one fold of one scheme on one dataset.

    Schemes go by the last part of their name; where that is not enough, by their options too, and
    then by the whole name.
    """
    metric = request.metric or "Percent_correct"
    sheets = [document.sheet for document in documents]
    for sheet in sheets:
        _require_metric(sheet, metric)
    joined = join_sheets(sheets, list(dict.fromkeys((*_KEYS, metric, _TRAIN, _TEST))))
    frame = joined.frame
    present = [column for column in frame.columns if frame[column].notna().any()]
    options = frame["Key_Scheme_options"].astype(str).where(frame["Key_Scheme_options"].notna(), "")
    schemes = frame["Key_Scheme"]
    codes, found = pd.factorize(pd.MultiIndex.from_arrays([schemes.astype(str), options]))
    names = pd.Series(_short_names([(str(s), str(o)) for s, o in found]), dtype=object)
    classifier = names.iloc[codes].reset_index(drop=True).where(schemes.notna())
    long = replace(joined, frame=frame.assign(classifier=classifier))
    columns = Columns(
        classifier="classifier",
        score=metric,
        dataset="Key_Dataset",
        run="Key_Run" if "Key_Run" in present else None,
        fold="Key_Fold" if "Key_Fold" in present else None,
        n_train=_TRAIN if _TRAIN in present else None,
        n_test=_TEST if _TEST in present else None,
    )
    manner = Manner(
        kind="Weka Experimenter results",
        metric=metric,
        greater_is_better=not lower_is_better(metric),
        counted="from Key_Run and Key_Fold",
    )
    return tabulate(long, columns, manner, request)


def _require_metric(sheet: Sheet, metric: str) -> None:
    if metric in sheet.frame.columns and not metric.startswith("Key_"):
        return
    numeric = tuple(
        column
        for column in sheet.frame.columns
        if not column.startswith("Key_") and pd.api.types.is_numeric_dtype(sheet.frame[column])
    )
    raise invalid(
        "metric",
        f"a numeric column of {sheet.name}: {listing(numeric)}",
        repr(metric),
        nearest(metric, numeric),
    )


def _short_names(schemes: list[tuple[str, str]]) -> list[str]:
    """Return the shortest names that tell all schemes apart: class, with options, in full."""
    last = [scheme.rpartition(".")[2] for scheme, _ in schemes]
    names = []
    for (scheme, options), short in zip(schemes, last, strict=True):
        rivals = [o for (s, o), other in zip(schemes, last, strict=True) if other == short]
        if len(rivals) == 1:
            names.append(short)
        elif rivals.count(options) == 1:
            names.append(f"{short} {options}".strip())
        else:
            names.append(f"{scheme} {options}".strip())
    return names
