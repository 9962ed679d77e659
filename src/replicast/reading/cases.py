"""Predictions case by case become a ScoreTable that knows which cases were right."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.design import Holdout
from replicast.errors import DesignMismatchError, InvalidArgumentError
from replicast.reading.assembly import Columns, Manner, Request, tabulate
from replicast.reading.files import Sheet
from replicast.scores import ScoreTable

Right = NDArray[np.int8]


@dataclass(frozen=True, kw_only=True)
class TestedCases:
    """Correctness of one classifier on one test set.

    Attributes
    ----------
    source : str
        File, for error sentences.
    right : array of int8
        1 if a case was predicted right, 0 if wrong.
    ids : tuple of str
        Names of the cases; classifiers are joined by them.
    accuracy : float
        As the file has it.
    n_train : int or None
        Size of the training set, where known.
    """

    source: str
    classifier: str
    dataset: str
    resample: int
    right: Right
    ids: tuple[str, ...]
    accuracy: float
    n_train: int | None = None


def tabulate_cases(
    tested: Sequence[TestedCases], manner: Manner, request: Request, *, in_one_file: bool = False
) -> ScoreTable:
    """Arrange test sets: one test set becomes a holdout, several a score each."""
    name = tested[0].source if in_one_file else f"{len(tested)} files"
    places = [(one.classifier, one.dataset, one.resample) for one in tested]
    for at, place in enumerate(places):
        if place in places[:at]:
            earlier = tested[places.index(place)].source
            raise InvalidArgumentError(
                f"{tested[at].source}: more than one result for {place[0]} on {place[1]}, resample "
                f"{place[2]}, the other in {earlier}. Keep one file for each."
            )
    single = len({place[1:] for place in places}) == 1
    if single and not isinstance(request.design, Holdout | None):
        raise DesignMismatchError(
            f"{name}: expected design=Holdout() or none for one test set, got {request.design}."
        )
    sheet = _one_test_set(tested, name) if single else _test_sets(tested, name)
    columns = Columns(
        classifier="classifier",
        dataset="dataset",
        run=None if single else "run",
        fold="case" if single else None,
        score="score",
        n_train=None if single else "n_train",
        n_test=None if single else "n_test",
    )
    if single:
        request = replace(request, design=Holdout())
    table = tabulate(sheet, columns, manner, request)
    design = Holdout(table.scores.shape[3]) if single else table.design
    return replace(table, design=design, correct=_correct(table, tested, single))


def _one_test_set(tested: Sequence[TestedCases], name: str) -> Sheet:
    order = {case: i for i, case in enumerate(dict.fromkeys(i for t in tested for i in t.ids))}
    lengths = [len(one.ids) for one in tested]
    frame = pd.DataFrame(
        {
            "classifier": np.repeat(np.array([t.classifier for t in tested], object), lengths),
            "dataset": tested[0].dataset,
            "case": [order[case] for one in tested for case in one.ids],
            "score": np.concatenate([one.right for one in tested]).astype(float),
        }
    )
    return Sheet(name=name, frame=frame, first_row=1)


def _test_sets(tested: Sequence[TestedCases], name: str) -> Sheet:
    frame = pd.DataFrame(
        {
            "classifier": [one.classifier for one in tested],
            "dataset": [one.dataset for one in tested],
            "run": [one.resample for one in tested],
            "score": [one.accuracy for one in tested],
            "n_train": [np.nan if one.n_train is None else one.n_train for one in tested],
            "n_test": [len(one.right) for one in tested],
        }
    )
    return Sheet(name=name, frame=frame, first_row=1)


def _correct(table: ScoreTable, tested: Sequence[TestedCases], single: bool) -> tuple[Right, ...]:
    """Return correctness by dataset; cases of different resamples are different columns."""
    if single:
        return tuple(table.scores[:, k, :1].astype(np.int8) for k in range(len(table.datasets)))
    resamples = sorted({one.resample for one in tested})
    if table.scores.shape[2] != len(resamples):
        return ()  # runs were averaged
    found = []
    for dataset in table.datasets:
        here = [one for one in tested if one.dataset == dataset]
        keys = dict.fromkeys((one.resample, case) for one in here for case in one.ids)
        column = {key: i for i, key in enumerate(keys)}
        right = np.full((len(table.classifiers), len(resamples), len(column)), -1, dtype=np.int8)
        for one in here:
            if one.classifier in table.classifiers:
                i = table.classifiers.index(one.classifier)
                at = [column[one.resample, case] for case in one.ids]
                right[i, resamples.index(one.resample), at] = one.right
        found.append(right)
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
    return Path(path.name.removesuffix(".gz")).stem
