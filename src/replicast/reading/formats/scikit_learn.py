"""Results of scikit-learn: dicts of `cross_validate` or of scores, and `cv_results_` of a search."""

import ast
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.design import Design, RandomSplits, cross_validation
from replicast.errors import DesignMismatchError, DesignNeededError, InvalidContentError, invalid
from replicast.reading.assembly import tabulate
from replicast.reading.designs import arrange
from replicast.reading.documents import Document
from replicast.reading.formats.tables.preparing import prepare
from replicast.reading.requests import Manner, Request, choose_metric
from replicast.reading.rows import Columns, Kinds, rows_of
from replicast.reading.sheets import Sheet, listing, sheet_of
from replicast.reading.syntaxes.records import is_numbers
from replicast.scores.tables import ScoreTable

_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_COLUMNS = Columns(
    classifier="classifier",
    run="run",
    fold="fold",
    score="score",
    n_train="n_train",
    n_test="n_test",
)
_CHOSEN = (
    "The best candidate of a search was chosen on these folds, so its lead is overstated: judge it on "
    "data that the search has not seen."
)
_ONE_RUN = (2, 3, 5, 7)  # scores that cannot be several runs of several folds
_FIXED = "Give cross_validate the same cv with a fixed random_state"
Splits = list[tuple[int, NDArray[Any]]]  # size of the training set, test cases
Results = dict[str, Mapping[str, Any]]


def is_results(document: Document) -> bool:
    """Tell a dict from names to results, lists of scores or frames."""
    tree = document.tree
    if not isinstance(tree, Mapping):
        return False
    if document.value is not None or document.is_arrays:
        return True  # a dict in memory can be nothing else
    if any(_SPLIT.fullmatch(str(key)) for key in tree) or all(map(is_numbers, tree.values())):
        return bool(tree)
    return bool(tree) and all(
        isinstance(one, Mapping) and any(str(key).startswith("test_") for key in one)
        for one in tree.values()
    )


def read_results(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a dict from names to results of `cross_validate` or to scores, or a `cv_results_`."""
    document = documents[0]
    source: Mapping[str, Any] = document.tree
    name = "source" if document.value is not None else document.path.name
    if any(_SPLIT.fullmatch(str(key)) for key in source):
        return read_search([_search_of(source)], request)
    results = _results(source, name)
    bare = all(is_numbers(one) for one in source.values())
    metric = "score" if bare else _metric([{*map(str, one)} for one in results.values()], request)
    scores = {key: _scores(one, metric, key) for key, one in results.items()}
    n = _same_length(scores)
    splits = None if bare else _common_splits(results, n)
    note, design = "Splits are assumed to be the same for all classifiers.", request.design
    if splits is not None:
        note = "Splits and sizes are those of the indices, the same for all classifiers."
        design = _design_of(splits, name) if design is None else design
    elif not bare:
        design = _one_run(n, request)
    runs, folds, order = arrange(n, design, name, "; or use cross_validate(return_indices=True)")
    metric = request.metric or metric if bare else metric
    return _table(scores, splits, (runs, folds), metric, (order, note), request, name)


def _same_length(scores: Mapping[str, list[Any]]) -> int:
    counts = {len(values) for values in scores.values()}
    if len(counts) > 1:
        told = ", ".join(f"{len(values)} for {key}" for key, values in scores.items())
        raise DesignMismatchError("source", "results on the same splits", f"{told} scores", _FIXED)
    return counts.pop()


def _search_of(source: Mapping[str, Any]) -> Document:
    """Return a `cv_results_` in memory as a table."""
    try:
        frame = pd.DataFrame({key: list(source[key]) for key in source})
    except (TypeError, ValueError) as error:
        domain = "a cv_results_ with columns of one length"
        raise invalid("source", domain, str(error)) from None
    return Document(path=Path("cv_results_"), table=sheet_of(frame, "cv_results_"))


def _results(source: Mapping[str, Any], name: str) -> Results:
    """Return the results by classifier; refuse the history of one training, as Keras keeps it."""
    names = [str(key) for key in source]
    if any(one.removeprefix("val_") in names for one in names if one.startswith("val_")):
        got = f"the history of one training with the measures {listing(names, 6)}"
        remedy = "Epochs are no repeats of an experiment: give the last value of each run"
        raise InvalidContentError(name, "scores of at least two classifiers", got, remedy)
    found: Results = {}
    for key, one in source.items():
        values = one.to_numpy() if isinstance(one, pd.Series) else one
        if isinstance(values, pd.DataFrame):
            values = {str(column): values[column].to_numpy() for column in values.columns}
        elif is_numbers(values):
            values = {"test_score": values}
        if isinstance(values, Mapping):
            found[str(key)] = values
    if not source or len(found) < len(source):
        domain = "a dict from names to scores or to results of cross_validate, or a cv_results_"
        got = f"a dict with {listing(names)}" if source else "an empty dict"
        raise invalid("source", domain, got)
    return found


def _table(
    scores: dict[str, list[Any]],
    splits: Splits | None,
    shape: tuple[int, int],
    metric: str,
    notes: tuple[str, ...],
    request: Request,
    name: str,
) -> ScoreTable:
    n, models = shape[0] * shape[1], len(scores)
    sizes = [(np.nan, np.nan)] * n if splits is None else [(t, len(c)) for t, c in splits]
    train, test = zip(*sizes, strict=True)
    frame = pd.DataFrame(
        {
            "classifier": np.repeat(np.array(list(scores), dtype=object), n),
            "run": np.tile(np.arange(n) // shape[1], models),
            "fold": np.tile(np.arange(n) % shape[1], models),
            "score": [value for values in scores.values() for value in values],
            "n_train": np.tile(train, models),
            "n_test": np.tile(test, models),
        }
    )
    sheet = Sheet(name=name, frame=frame, rows=np.tile(np.arange(n, dtype=np.intp), models))
    manner = Manner(
        kind="results of scikit-learn",
        metric=metric,
        convention="scorers of scikit-learn change the sign of losses",
        greater_is_better=True,
        notes=notes,
        counted="from the indices" if splits is not None else "from the number of scores",
    )
    kinds: Kinds = {"run": "run" if shape[1] > 1 else "split", "fold": "fold"}
    return tabulate(rows_of(sheet, _COLUMNS, kinds), manner, request)


def _metric(keys: Sequence[set[str]], request: Request) -> str:
    """Return the metric all results have: the one asked for, score, or the only one."""
    common = sorted(
        key.removeprefix("test_") for key in set.intersection(*keys) if key.startswith("test_")
    )
    wanted = None if request.metric is None else request.metric.removeprefix("test_")
    if common == ["score"]:
        return "score"  # the caller says what the only score is
    if not common:
        got = "none" if request.metric is None else repr(request.metric)
        raise invalid("metric", "among results that have test_score", got)
    return choose_metric(common, wanted, ("score",))


def _scores(result: Mapping[str, Any], metric: str, name: str) -> list[Any]:
    values = np.atleast_1d(np.asarray(result[f"test_{metric}"], dtype=object))
    if values.ndim != 1 or not len(values):
        raise invalid("source", "a dict with a list of scores", f"shape {values.shape} for {name}")
    return list(values)


def _common_splits(source: Results, n: int) -> Splits | None:
    """Return the splits if all results have indices; different ones cannot be paired."""
    found: Splits | None = None
    for name, result in source.items():
        try:
            both = zip(result["indices"]["train"], result["indices"]["test"], strict=True)
            splits = [(len(train), np.sort(np.asarray(test))) for train, test in both]
        except (KeyError, TypeError, ValueError):
            return None
        if len(splits) != n:
            return None
        found = found or splits
        for at, ((_, mine), (_, others)) in enumerate(zip(splits, found, strict=True)):
            if not np.array_equal(mine, others):
                got = f"other test cases for {name} in split {at}"
                raise DesignMismatchError("source", "results on the same splits", got, _FIXED)
    return found


def _design_of(splits: Splits, name: str) -> Design | None:
    """Tell cross-validation from random splits: the folds of a run share no case and cover all."""
    sizes = [train for train, _ in splits]
    if len(splits) > 2 and all(a < b for a, b in pairwise(sizes)):
        domain = "given for training sets that grow, as those of a time series do"
        remedy = "No design here has growing windows; say the nearest with `design=...`"
        raise DesignNeededError(domain, name, remedy, len(splits))
    tests = [cases for _, cases in splits]
    total = sizes[0] + len(tests[0])
    ends = np.flatnonzero(np.cumsum([len(cases) for cases in tests]) == total)
    folds = int(ends[0]) + 1 if len(ends) else 1
    runs = [tests[at : at + folds] for at in range(0, len(tests), folds)]
    if folds > 1 and all(len(np.unique(np.concatenate(run))) == total for run in runs):
        return cross_validation(folds, runs=len(runs))
    if len(splits) < 2:
        return None
    return RandomSplits(splits=len(splits), n_train=sizes[0], n_test=max(1, len(tests[0])))


def _one_run(count: int, request: Request) -> Design | None:
    """Take a few results of cross-validation, as by default five, for the folds of one run."""
    one_run = request.design is None and count in _ONE_RUN
    return cross_validation(count) if one_run else request.design


def is_search(document: Document) -> bool:
    """Tell by the scores of the splits."""
    return any(map(_SPLIT.fullmatch, document.columns))


def read_search(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a `cv_results_`: every candidate is a classifier named by its parameters."""
    sheet = documents[0].sheet
    sheet = prepare(sheet, request).sheet if request.where else sheet
    sheet.require(["params"], "a cv_results_")
    if "iter" in sheet.columns and sheet.frame["iter"].nunique() > 1:
        last = sheet.frame["iter"].max()
        got = f"iterations 0 to {last} of a halving search, with other resources each"
        remedy = f"Keep one with `where=iter=...`; the last is {last}"
        domain = "candidates on the same amount of data"
        raise InvalidContentError(sheet.name, domain, got, remedy, "where")
    found = [match for match in map(_SPLIT.fullmatch, sheet.columns) if match]
    metric = _metric([{f"test_{match.group(2)}" for match in found}], request)
    ordered = sorted((int(m.group(1)), m.group(0)) for m in found if m.group(2) == metric)
    names = [_candidate(params) for params in sheet.frame["params"]]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        place, got = sheet.place(names.index(twice)), f"more than one candidate with {twice}"
        raise InvalidContentError(place, "one row for each candidate", got, "Keep one")
    n = len(ordered)
    runs, folds, order = arrange(n, _one_run(n, request), sheet.name, "")
    values = np.stack([sheet.numbers(column) for _, column in ordered], axis=1)
    scores = {name: list(row) for name, row in zip(names, values, strict=True)}
    note = "All candidates of a search have the same splits; their sizes are unknown."
    notes = (*sheet.notes, order, note)
    table = _table(scores, None, (runs, folds), metric, notes, request, sheet.name)
    return replace(table, chosen=_CHOSEN)


def _candidate(params: object) -> str:
    """Name a candidate the same way whether its parameters come from memory or from a file."""
    text = str(params).strip()
    if isinstance(params, str):
        plain = re.sub(r"\bnp\.\w+\(((?:[^()]|\([^()]*\))*)\)", r"\1", text)
        # fails for a parameter that only its own class can write: then the text is the name
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            params = ast.literal_eval(plain)
    if isinstance(params, Mapping):
        return ", ".join(f"{key}={value}" for key, value in params.items()) or "default"
    return text
