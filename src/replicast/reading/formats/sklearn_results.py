"""Results of scikit-learn: dicts of `cross_validate`, and `cv_results_` of a search."""

import ast
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.design import Design, RandomSplits, cross_validation
from replicast.errors import DesignMismatchError, InvalidArgumentError, invalid, nearest
from replicast.reading.assembly import Columns, Manner, Request, tabulate
from replicast.reading.designs import arrange
from replicast.reading.documents import Document
from replicast.reading.files import Sheet, listing, sheet_of
from replicast.scores import ScoreTable

_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_COLUMNS = Columns(
    classifier="classifier",
    run="run",
    fold="fold",
    score="score",
    n_train="n_train",
    n_test="n_test",
)
Splits = list[tuple[int, NDArray[Any]]]  # size of the training set, test cases


def is_results(document: Document) -> bool:
    """Take every dict."""
    return document.results is not None


def read_results(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a dict from names to results of `cross_validate`, or a `cv_results_`."""
    source = documents[0].results or {}
    if any(_SPLIT.fullmatch(str(key)) for key in source):
        try:
            frame = pd.DataFrame({key: list(source[key]) for key in source})
        except (TypeError, ValueError) as error:
            raise invalid(
                "source", "a cv_results_ with columns of one length", str(error)
            ) from None
        name = "cv_results_"
        return read_search([Document(path=Path(name), table=sheet_of(frame, name))], request)
    if not source or not all(isinstance(value, Mapping) for value in source.values()):
        raise invalid(
            "source",
            "a dict from names to results of cross_validate, or a cv_results_",
            f"a dict with {listing(list(source))}" if source else "an empty dict",
        )
    metric = _metric([set(map(str, value)) for value in source.values()], request)
    scores = {str(name): _scores(value, metric, str(name)) for name, value in source.items()}
    counts = {len(values) for values in scores.values()}
    if len(counts) > 1:
        told = ", ".join(f"{len(values)} for {name}" for name, values in scores.items())
        raise DesignMismatchError(
            f"`source` must be results on the same splits, got {told} scores. "
            f"Give cross_validate the same cv with a fixed random_state."
        )
    n = counts.pop()
    splits = _common_splits(source, n)
    design, note = request.design, "Splits are assumed to be the same for all classifiers."
    if splits is not None:
        note = "Splits and sizes are those of the indices, the same for all classifiers."
        design = _design_of(splits) if design is None else design
    remedy = " with design=RepeatedKFold(runs, folds), or use cross_validate(return_indices=True)"
    runs, folds, order = arrange(n, design, "source", remedy)
    if isinstance(design, RandomSplits):
        runs, folds = n, 1
    return _table(scores, splits, (runs, folds), metric, (order, note), request)


def _table(
    scores: dict[str, list[Any]],
    splits: Splits | None,
    shape: tuple[int, int],
    metric: str,
    notes: tuple[str, ...],
    request: Request,
) -> ScoreTable:
    n = shape[0] * shape[1]
    train = [np.nan] * n if splits is None else [size for size, _ in splits]
    test = [np.nan] * n if splits is None else [len(cases) for _, cases in splits]
    frame = pd.DataFrame(
        {
            "classifier": np.repeat(np.array(list(scores), dtype=object), n),
            "run": np.tile(np.arange(n) // shape[1], len(scores)),
            "fold": np.tile(np.arange(n) % shape[1], len(scores)),
            "score": [value for values in scores.values() for value in values],
            "n_train": np.tile(train, len(scores)),
            "n_test": np.tile(test, len(scores)),
        }
    )
    sheet = Sheet(
        name="source", frame=frame, rows=np.tile(np.arange(n, dtype=np.intp), len(scores))
    )
    manner = Manner(
        kind="results of scikit-learn",
        metric=metric,
        greater_is_better=True,  # scorers of scikit-learn change the sign of losses
        notes=notes,
        counted="from the indices" if splits is not None else "from the number of scores",
    )
    return tabulate(sheet, _COLUMNS, manner, request)


def _metric(keys: Sequence[set[str]], request: Request) -> str:
    """Return the metric all results have: the one asked for, score, or the only one."""
    common = sorted(
        key.removeprefix("test_") for key in set.intersection(*keys) if key.startswith("test_")
    )
    if request.metric is not None:
        wanted = request.metric.removeprefix("test_")
    else:
        wanted = common[0] if len(common) == 1 else "score"
    if wanted not in common:
        known = tuple(common)
        raise invalid(
            "metric",
            f"one of {', '.join(common)}" if common else "among results that have test_score",
            repr(request.metric) if request.metric else "none",
            nearest(wanted, known),
        )
    return wanted


def _scores(result: Mapping[str, Any], metric: str, name: str) -> list[Any]:
    values = np.atleast_1d(np.asarray(result[f"test_{metric}"], dtype=object))
    if values.ndim != 1 or not len(values):
        raise InvalidArgumentError(
            f"`source` must hold a list of scores, got shape {values.shape} for {name}."
        )
    return list(values)


def _common_splits(source: Mapping[str, Any], n: int) -> Splits | None:
    """Return the splits if all results have indices; different ones cannot be paired."""
    found: Splits | None = None
    for name, result in source.items():
        try:
            parts = result["indices"]
            splits = [
                (len(train), np.sort(np.asarray(test)))
                for train, test in zip(parts["train"], parts["test"], strict=True)
            ]
        except (KeyError, TypeError, ValueError):
            return None
        if len(splits) != n:
            return None
        if found is not None:
            for at, ((_, mine), (_, others)) in enumerate(zip(splits, found, strict=True)):
                if not np.array_equal(mine, others):
                    raise DesignMismatchError(
                        f"`source` must be results on the same splits, got other test cases for "
                        f"{name} in split {at}. Give cross_validate the same cv with a fixed "
                        f"random_state."
                    )
        found = splits
    return found


def _design_of(splits: Splits) -> Design | None:
    """Tell cross-validation from random splits: the folds of a run share no case and cover all."""
    total = splits[0][0] + len(splits[0][1])
    reached = np.cumsum([len(cases) for _, cases in splits])
    ends = np.flatnonzero(reached == total)
    if len(ends):
        folds = int(ends[0]) + 1
        runs = len(splits) // folds
        covered = all(
            len(np.unique(np.concatenate([c for _, c in splits[r * folds : (r + 1) * folds]])))
            == total
            for r in range(runs)
        )
        if folds > 1 and runs * folds == len(splits) and covered:
            return cross_validation(folds, runs)
    if len(splits) < 2:
        return None
    return RandomSplits(len(splits), splits[0][0], max(1, len(splits[0][1])))


def is_search(document: Document) -> bool:
    """Tell by the scores of the splits."""
    return document.has("params") and any(map(_SPLIT.fullmatch, document.sheet.frame.columns))


def read_search(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a `cv_results_`: every candidate is a classifier named by its parameters."""
    sheet = documents[0].sheet
    sheet.require(["params"], "a cv_results_")
    found = [match for match in map(_SPLIT.fullmatch, sheet.frame.columns) if match]
    metric = _metric([{f"test_{match.group(2)}" for match in found}], request)
    ordered = sorted((int(m.group(1)), m.group(0)) for m in found if m.group(2) == metric)
    names = [_candidate(params) for params in sheet.frame["params"]]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidArgumentError(
            f"{sheet.place(names.index(twice))}: more than one candidate with {twice}. Keep one."
        )
    remedy = " with design=RepeatedKFold(runs, folds)"
    n = len(ordered)
    runs, folds, order = arrange(n, request.design, sheet.name, remedy)
    values = np.stack([sheet.numbers(column, gaps=True) for _, column in ordered], axis=1)
    scores = {name: list(row) for name, row in zip(names, values, strict=True)}
    note = "All candidates of a search have the same splits; their sizes are unknown."
    if isinstance(request.design, RandomSplits):
        runs, folds = n, 1
    return _table(scores, None, (runs, folds), metric, (order, note), request)


def _candidate(params: object) -> str:
    """Name a candidate the same way whether its parameters come from memory or from a file."""
    text = str(params).strip()
    if isinstance(params, str):
        # fails for a parameter that only its own class can write: then the text is the name
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            params = ast.literal_eval(text)
    if isinstance(params, Mapping):
        return ", ".join(f"{key}={value}" for key, value in params.items()) or "default"
    return text
