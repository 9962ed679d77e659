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
from replicast.errors import (
    DesignMismatchError,
    DesignNeededError,
    InvalidContentError,
    invalid,
    nearest,
)
from replicast.reading.assembly import tabulate
from replicast.reading.designs import arrange
from replicast.reading.documents import Document
from replicast.reading.requests import Manner, Request, ask_metric
from replicast.reading.rows import Columns, rows_of
from replicast.reading.sheets import Sheet, listing, sheet_of
from replicast.reading.syntaxes.records import is_numbers
from replicast.reading.vocabulary.roles import Role
from replicast.scores.tables import ScoreTable

_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_CONVENTION = "scorers of scikit-learn change the sign of losses"
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
Splits = list[tuple[int, NDArray[Any]]]  # size of the training set, test cases


def is_results(document: Document) -> bool:
    """Tell a dict from names to results, lists of scores or frames."""
    tree = document.tree
    if not isinstance(tree, Mapping):
        return False
    if any(_SPLIT.fullmatch(str(key)) for key in tree):
        return True
    if document.value is not None or document.is_arrays:
        return True  # a dict in memory can be nothing else
    return bool(tree) and (
        all(isinstance(one, Mapping) and any(str(key).startswith("test_") for key in one)
            for one in tree.values())
        or all(is_numbers(one) for one in tree.values())
    )  # fmt: skip


def read_results(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a dict from names to results of `cross_validate` or to scores, or a `cv_results_`."""
    document = documents[0]
    source: Mapping[str, Any] = document.tree
    name = "source" if document.value is not None else document.path.name
    if any(_SPLIT.fullmatch(str(key)) for key in source):
        try:
            frame = pd.DataFrame({key: list(source[key]) for key in source})
        except (TypeError, ValueError) as error:
            raise invalid(
                "source", "a cv_results_ with columns of one length", str(error)
            ) from None
        sheet = sheet_of(frame, "cv_results_")
        return read_search([Document(path=Path("cv_results_"), table=sheet)], request)
    _refuse_history([str(key) for key in source], name)
    results = {str(key): _as_mapping(one) for key, one in source.items()}
    bare = source and all(is_numbers(one) for one in source.values())
    if not source or any(one is None for one in results.values()):
        raise invalid(
            "source",
            "a dict from names to scores or to results of cross_validate, or a cv_results_",
            f"a dict with {listing(list(map(str, source)))}" if source else "an empty dict",
        )
    told = {key: one for key, one in results.items() if one is not None}
    metric = "score" if bare else _metric([set(map(str, one)) for one in told.values()], request)
    scores = {key: _scores(one, metric, key) for key, one in told.items()}
    n = _same_length(scores)
    splits = None if bare else _common_splits(told, n)
    notes, design = ["Splits are assumed to be the same for all classifiers."], request.design
    if splits is not None:
        notes = ["Splits and sizes are those of the indices, the same for all classifiers."]
        design = _design_of(splits, name) if design is None else design
    elif not bare:
        design = _one_run(n, request)
    remedy = "; or use cross_validate(return_indices=True)"
    runs, folds, order = arrange(n, design, name, remedy)
    if bare and request.metric is not None:
        metric = request.metric
    return _table(scores, splits, (runs, folds), metric, (order, *notes), request, name)


def _refuse_history(names: list[str], name: str) -> None:
    """Refuse the history of one training, as Keras keeps it: measures by name, and those of val_."""
    if any(one.removeprefix("val_") in names for one in names if one.startswith("val_")):
        domain = "scores of at least two classifiers"
        got = f"the history of one training with the measures {listing(names, 6)}"
        remedy = "Epochs are no repeats of an experiment: give the last value of each run"
        raise InvalidContentError(name, domain, got, remedy)


def _as_mapping(one: Any) -> Mapping[str, Any] | None:
    """Return a result of `cross_validate` as a mapping; a bare list is that of its scores."""
    if isinstance(one, pd.DataFrame):
        return {str(key): one[key].to_numpy() for key in one.columns}
    if isinstance(one, Mapping):
        return one
    if isinstance(one, pd.Series):
        one = one.to_numpy()
    return {"test_score": one} if is_numbers(one) else None


def _same_length(scores: Mapping[str, list[Any]]) -> int:
    counts = {len(values) for values in scores.values()}
    if len(counts) > 1:
        told = ", ".join(f"{len(values)} for {name}" for name, values in scores.items())
        raise DesignMismatchError(
            "source",
            "results on the same splits",
            f"{told} scores",
            "Give cross_validate the same cv with a fixed random_state",
        )
    return counts.pop()


def _table(
    scores: dict[str, list[Any]],
    splits: Splits | None,
    shape: tuple[int, int],
    metric: str,
    notes: tuple[str, ...],
    request: Request,
    name: str,
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
    rows = np.tile(np.arange(n, dtype=np.intp), len(scores))
    sheet = Sheet(name=name, frame=frame, rows=rows)
    manner = Manner(
        kind="results of scikit-learn",
        metric=metric,
        convention=_CONVENTION,
        greater_is_better=True,
        notes=notes,
        counted="from the indices" if splits is not None else "from the number of scores",
    )
    kinds: dict[str, Role | None] = {"run": "run" if shape[1] > 1 else "split", "fold": "fold"}
    return tabulate(rows_of(sheet, _COLUMNS, kinds), manner, request)


def _metric(keys: Sequence[set[str]], request: Request) -> str:
    """Return the metric all results have: the one asked for, score, or the only one."""
    common = sorted(
        key.removeprefix("test_") for key in set.intersection(*keys) if key.startswith("test_")
    )
    if request.metric is not None:
        wanted = request.metric.removeprefix("test_")
        if wanted not in common and common == ["score"]:
            return "score"  # the caller says what the only score is
    else:
        wanted = common[0] if len(common) == 1 else "score"
    if wanted not in common and common:
        raise ask_metric(common, request.metric)
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
        raise invalid("source", "a dict with a list of scores", f"shape {values.shape} for {name}")
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
                        "source",
                        "results on the same splits",
                        f"other test cases for {name} in split {at}",
                        "Give cross_validate the same cv with a fixed random_state",
                    )
        found = splits
    return found


def _design_of(splits: Splits, name: str) -> Design | None:
    """Tell cross-validation from random splits: the folds of a run share no case and cover all."""
    sizes = [train for train, _ in splits]
    if len(splits) > 2 and all(a < b for a, b in pairwise(sizes)):
        domain = "given for training sets that grow, as those of a time series do"
        remedy = "No design here has growing windows; say the nearest with `design=...`"
        raise DesignNeededError(domain, name, remedy, len(splits))
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
            return cross_validation(folds, runs=runs)
    if len(splits) < 2:
        return None
    return RandomSplits(splits=len(splits), n_train=splits[0][0], n_test=max(1, len(splits[0][1])))


def _one_run(count: int, request: Request) -> Design | None:
    """Take a few results of cross-validation, as by default five, for the folds of one run."""
    one_run = request.design is None and count in _ONE_RUN
    return cross_validation(count) if one_run else request.design


def is_search(document: Document) -> bool:
    """Tell by the scores of the splits."""
    return document.has("params") and any(map(_SPLIT.fullmatch, document.columns))


def read_search(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a `cv_results_`: every candidate is a classifier named by its parameters."""
    sheet = _of_one_iteration(documents[0].sheet, request)
    sheet.require(["params"], "a cv_results_")
    found = [match for match in map(_SPLIT.fullmatch, sheet.columns) if match]
    metric = _metric([{f"test_{match.group(2)}" for match in found}], request)
    ordered = sorted((int(m.group(1)), m.group(0)) for m in found if m.group(2) == metric)
    names = [_candidate(params) for params in sheet.frame["params"]]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        place = sheet.place(names.index(twice))
        got = f"more than one candidate with {twice}"
        raise InvalidContentError(place, "one row for each candidate", got, "Keep one")
    n = len(ordered)
    runs, folds, order = arrange(n, _one_run(n, request), sheet.name, "")
    values = np.stack([sheet.numbers(column) for _, column in ordered], axis=1)
    scores = {name: list(row) for name, row in zip(names, values, strict=True)}
    note = "All candidates of a search have the same splits; their sizes are unknown."
    notes = (*sheet.notes, order, note)
    table = _table(scores, None, (runs, folds), metric, notes, request, sheet.name)
    return replace(table, chosen=_CHOSEN)


def _of_one_iteration(sheet: Sheet, request: Request) -> Sheet:
    """Ask which iteration of a halving search to read: each uses another amount of data."""
    if request.where:
        from replicast.reading.formats.tables.preparing import prepare

        sheet = prepare(sheet, request).sheet
    if "iter" in sheet.columns and sheet.frame["iter"].nunique() > 1:
        last = sheet.frame["iter"].max()
        domain = "candidates on the same amount of data"
        got = f"iterations 0 to {last} of a halving search, with other resources each"
        remedy = f"Keep one with `where=iter=...`; the last is {last}"
        raise InvalidContentError(sheet.name, domain, got, remedy, "where")
    return sheet


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
