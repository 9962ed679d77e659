"""Results of the Weka Experimenter, as ARFF or CSV, one file or several."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from replicast.reading.assembly import tabulate
from replicast.reading.documents import Document
from replicast.reading.requests import Manner, Request, choose_metric
from replicast.reading.rows import Columns, rows_of
from replicast.reading.sheets import Sheet, join_sheets
from replicast.scores.tables import ScoreTable

_KEYS = ("Key_Dataset", "Key_Run", "Key_Fold", "Key_Scheme", "Key_Scheme_options")
_TRAIN, _TEST = "Number_of_training_instances", "Number_of_testing_instances"
_USUAL = ("Percent_correct", "Root_mean_squared_error")  # of classes, and of numbers
_AVERAGED = "Num_Fold"  # of the AveragingResultProducer: a row is the mean of so many folds


def read_weka(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read what the Experimenter wrote; every row is one fold of one scheme on one dataset.

    Schemes go by the last part of their name; where that is not enough, by their options too, and
    then by the whole name.
    """
    sheets = [document.sheet for document in documents]
    metric = choose_metric(_measures(sheets), request.metric, _USUAL)
    wanted = list(dict.fromkeys((*_KEYS, metric, _TRAIN, _TEST, _AVERAGED)))
    joined = join_sheets(sheets, wanted)
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
    rows = rows_of(long, columns)
    if _AVERAGED in present and "Key_Fold" not in present:
        folds = int(np.nanmedian(long.numbers(_AVERAGED)))
        note = f"Every row is the mean of {folds} folds of one run."
        rows = replace(rows, averaged_folds=folds, notes=(*rows.notes, note))
    manner = Manner(
        kind="Weka Experimenter results", metric=metric, counted="from Key_Run and Key_Fold"
    )
    return tabulate(rows, manner, request)


def _measures(sheets: Sequence[Sheet]) -> list[str]:
    """Return the columns in which something stands and that all files have."""
    return [
        name
        for name in sheets[0].columns
        if not name.startswith("Key_")
        and all(name in one.columns for one in sheets)
        and any(one.frame[name].notna().any() for one in sheets)
    ]


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
