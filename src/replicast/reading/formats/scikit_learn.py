"""Results of scikit-learn: dicts of `cross_validate` or of scores, and `cv_results_` of a search."""

import ast
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.arrays import Floats
from replicast.design import Design, RandomSplits, cross_validation
from replicast.errors import DesignMismatchError, DesignNeededError, InvalidContentError, invalid
from replicast.reading.assembly import tabulate
from replicast.reading.designs import arrange
from replicast.reading.documents import Document
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
_ONE_RUN = (2, 3, 5, 7)  # scores that cannot be several runs of several folds
_KEPT = "scorers of scikit-learn change the sign of losses"
_FIXED = "Give cross_validate the same cv with a fixed random_state"
Splits = list[tuple[int, NDArray[Any]]]  # size of the training set, test cases
Results = dict[str, Mapping[str, Any]]


def is_results(document: Document) -> bool:
    """Tell a dict from names to results or frames, or the columns of a search."""
    tree = document.tree
    if not isinstance(tree, Mapping):
        return False
    if any(_SPLIT.fullmatch(str(key)) for key in tree):
        return True
    if document.value is not None or document.is_arrays:
        return not document.is_table  # a dict in memory can be nothing else
    return all(
        isinstance(one, Mapping) and any(str(key).startswith("test_") for key in one)
        for one in tree.values()
    )


def read_results(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a dict from names to results of `cross_validate` or to scores, or a `cv_results_`."""
    document = documents[0]
    source: Mapping[str, Any] = document.tree
    if any(_SPLIT.fullmatch(str(key)) for key in source):
        return read_search([_search_of(source)], request)
    name = "source" if document.value is not None else document.path.name
    results = _results(source)
    metric = _metric([{*map(str, one)} for one in results.values()], request)
    scores = {key: _scores(one, metric, key) for key, one in results.items()}
    n = _same_length(scores)
    splits = _common_splits(results, n)
    design = request.design
    if design is None:
        design = _one_run(n) if splits is None else _design_of(splits, name)
    shape = arrange(n, design, name, "; or use cross_validate(return_indices=True)")
    sizes, counted = np.full((n, 2), np.nan), "from the number of scores"
    note = "Splits are assumed to be the same for all classifiers."
    if splits is not None:
        sizes = np.array([(train, len(test)) for train, test in splits])
        counted = "from the indices"
        note = "Splits and sizes are those of the indices, the same for all classifiers."
    manner = Manner(
        kind="results of scikit-learn",
        metric=metric,
        convention=_KEPT,
        greater_is_better=True,
        notes=(shape[2], note),
        counted=counted,
    )
    return _table(name, scores, sizes, shape[1], manner, request)


def _same_length(scores: Mapping[str, Sequence[Any]]) -> int:
    counts = {key: len(values) for key, values in scores.items()}
    if len({*counts.values()}) > 1:
        got = ", ".join(f"{count} for {key}" for key, count in counts.items())
        raise DesignMismatchError("source", "results on the same splits", f"{got} scores", _FIXED)
    return max(counts.values())


def _search_of(source: Mapping[str, Any]) -> Document:
    """Return a `cv_results_` in memory as a table."""
    try:
        frame = pd.DataFrame({key: list(source[key]) for key in source})
    except (TypeError, ValueError) as error:
        domain = "a cv_results_ with columns of one length"
        raise invalid("source", domain, str(error)) from None
    return Document(path=Path("cv_results_"), table=sheet_of(frame, "cv_results_"))


def _results(source: Mapping[str, Any]) -> Results:
    """Return the results by classifier."""
    names = [str(key) for key in source]
    found: Results = {}
    for key, one in source.items():
        if isinstance(one, Mapping):
            found[str(key)] = one
        elif isinstance(one, pd.DataFrame):
            found[str(key)] = {str(column): one[column].to_numpy() for column in one.columns}
        elif is_numbers(one):  # of other lengths: lists of one length are a table
            found[str(key)] = {"test_score": one}
    if not source or len(found) < len(source):
        domain = "a dict from names to scores or to results of cross_validate, or a cv_results_"
        got = f"a dict with {listing(names)}" if source else "an empty dict"
        raise invalid("source", domain, got)
    return found


def _table(
    name: str,
    scores: Mapping[str, Sequence[Any]],
    sizes: Floats,
    folds: int,
    manner: Manner,
    request: Request,
) -> ScoreTable:
    """Return the table of scores on the same splits, fold after fold and run after run."""
    n, models = len(sizes), len(scores)
    split = np.tile(np.arange(n), models)
    frame = pd.DataFrame(
        {
            "classifier": np.repeat(np.array(list(scores), dtype=object), n),
            "run": split // folds,
            "fold": split % folds,
            "score": [value for values in scores.values() for value in values],
            "n_train": sizes[split, 0],
            "n_test": sizes[split, 1],
        }
    )
    kinds: Kinds = {"run": "run" if folds > 1 else "split", "fold": "fold"}
    return tabulate(
        rows_of(Sheet(name=name, frame=frame, rows=split), _COLUMNS, kinds), manner, request
    )


def _metric(keys: Sequence[set[str]], request: Request) -> str:
    """Return the metric all results have: the one asked for, score, or the only one."""
    common = sorted(
        key.removeprefix("test_") for key in set.intersection(*keys) if key.startswith("test_")
    )
    if common == ["score"]:
        return "score"  # the caller says what the only score is
    if not common:
        got = "none" if request.metric is None else repr(request.metric)
        raise invalid("metric", "among results that have test_score", got)
    wanted = None if request.metric is None else request.metric.removeprefix("test_")
    return choose_metric(common, wanted, ("score",))


def _scores(result: Mapping[str, Any], metric: str, name: str) -> list[Any]:
    values = np.atleast_1d(np.asarray(result[f"test_{metric}"], dtype=object))
    if values.ndim != 1 or not len(values):
        raise invalid("source", "a dict with a list of scores", f"shape {values.shape} for {name}")
    return list(values)


def _common_splits(source: Results, n: int) -> Splits | None:
    """Return the splits if all results have indices; different ones cannot be paired."""
    splits: Splits = []
    for name, result in source.items():
        try:
            both = zip(result["indices"]["train"], result["indices"]["test"], strict=True)
            own = [(len(train), np.sort(np.asarray(test))) for train, test in both]
        except (KeyError, TypeError, ValueError):
            return None
        if len(own) != n:
            return None
        splits = splits or own
        for at, ((_, test), (_, other)) in enumerate(zip(own, splits, strict=True)):
            if not np.array_equal(test, other):
                got = f"other test cases for {name} in split {at}"
                raise DesignMismatchError("source", "results on the same splits", got, _FIXED)
    return splits


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


def _one_run(count: int) -> Design | None:
    """Take a few results of cross-validation, as by default five, for the folds of one run."""
    return cross_validation(count) if count in _ONE_RUN else None


def is_search(document: Document) -> bool:
    """Tell by the scores of the splits."""
    return any(map(_SPLIT.fullmatch, document.columns))


def read_search(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a `cv_results_`: every candidate is a classifier named by its parameters."""
    sheet = documents[0].sheet
    sheet.require(["params"], "a cv_results_")
    if "iter" in sheet.columns and sheet.frame["iter"].nunique() > 1:
        last = sheet.frame["iter"].max()
        got = f"iterations 0 to {last} of a halving search, with other resources each"
        remedy = f"Keep one with `where=iter=...`; the last is {last}"
        domain = "candidates on the same amount of data"
        raise InvalidContentError(sheet.name, domain, got, remedy, "where")
    names = list(map(_candidate, sheet.frame["params"]))
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        place, got = sheet.place(names.index(twice)), f"more than one candidate with {twice}"
        raise InvalidContentError(place, "one row for each candidate", got, "Keep one")
    found = [match for match in map(_SPLIT.fullmatch, sheet.columns) if match]
    metric = _metric([{f"test_{match[2]}" for match in found}], request)
    columns = sorted((int(match[1]), match[0]) for match in found if match[2] == metric)
    n = len(columns)
    _, folds, order = arrange(n, request.design or _one_run(n), sheet.name, "")
    note = "All candidates of a search have the same splits; their sizes are unknown."
    values = np.stack([sheet.numbers(column) for _, column in columns], axis=1)
    manner = Manner(
        kind="results of scikit-learn",
        metric=metric,
        convention=_KEPT,
        greater_is_better=True,
        notes=(*sheet.notes, order, note),
        counted="from the number of scores",
        chosen=names[int(np.argmax(np.nan_to_num(values.mean(axis=1), nan=-np.inf)))],
    )
    scores = dict(zip(names, values, strict=True))
    return _table(sheet.name, scores, np.full((n, 2), np.nan), folds, manner, request)


def _candidate(params: object) -> str:
    """Name a candidate the same way whether its parameters come from memory or from a file."""
    text = str(params).strip()
    if isinstance(params, str):
        plain = re.sub(r"\bnp\.\w+\(([^()]*+)\)", r"\1", text)
        # fails for a parameter that only its own class can write: then the text is the name
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            params = ast.literal_eval(plain)
    if isinstance(params, Mapping):
        return ", ".join(f"{key}={value}" for key, value in params.items()) or "default"
    return text
