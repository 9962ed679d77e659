"""Samples of any log: one answer of one model to one case, with its scores by name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError, invalid, nearest
from replicast.reading.cases import stem, tabulate_cases
from replicast.reading.formats.logs.questions import refuse_other_questions
from replicast.reading.requests import Manner, Request, ask_metric
from replicast.reading.rows import Rows
from replicast.reading.sheets import Key, in_order, listing
from replicast.reading.vocabulary.naming import squeezed
from replicast.reading.vocabulary.roles import is_sure_cluster
from replicast.scores.tables import ScoreTable

_RIGHT = {"c": 1.0, "correct": 1.0, "pass": 1.0, "passed": 1.0, "true": 1.0, "yes": 1.0, "p": 0.5}
_WRONG = {"i": 0.0, "incorrect": 0.0, "fail": 0.0, "failed": 0.0, "false": 0.0, "no": 0.0, "n": 0.0}
_WORDS = {**_RIGHT, **_WRONG}


@dataclass(frozen=True)
class Sample:
    """One answer of one model to one case."""

    model: str
    task: str
    case: str
    scores: dict[str, Any]
    place: str
    answer: str = "1"
    cluster: str | None = None
    file: Path = Path()
    marks: Mapping[str, str] = field(default_factory=dict)  # what it says about the question


@dataclass(frozen=True, kw_only=True)
class Habits:
    """What a program does.

    Attributes
    ----------
    kind : str
        Name of its logs.
    usual : tuple of str
        Scores that are taken if none is asked for, the first that is there.
    convention : str
        Why higher is better for all of its scores; empty if their names have to tell.
    notes : tuple of str
        What was assumed.
    """

    kind: str
    usual: tuple[str, ...] = ()
    convention: str = ""
    notes: tuple[str, ...] = field(default=())


def tabulate_samples(
    samples: Sequence[Sample], habits: Habits, request: Request, name: str
) -> ScoreTable:
    """Arrange samples: cases of one task are one test set, several tasks a score each."""
    if request.dataset is not None:
        known = tuple(dict.fromkeys(one.task for one in samples))
        if request.dataset not in known:
            domain, remedy = f"one of {listing(known)}", nearest(request.dataset, known)
            raise invalid("dataset", domain, repr(request.dataset), remedy)
        samples = [one for one in samples if one.task == request.dataset]
    metric = _metric(samples, habits, request, name)
    models, notes = _models(samples, name)
    asked = {*models} if request.classifiers is None else {*request.classifiers}
    notes += refuse_other_questions(
        (
            (model, (one.task, one.case), one.marks)
            for model, one in zip(models, samples, strict=True)
            if model in asked
        ),
        name,
    )
    if request.cluster_column is not None and not any(one.cluster for one in samples):
        domain = "a field that the samples of these logs have"
        raise invalid("cluster_column", domain, repr(request.cluster_column))
    scores = [number_of(one.scores.get(metric), metric, one.place) for one in samples]
    values = np.array(scores, dtype=float)
    rows = Rows(
        name=name,
        scores=values,
        classifier=_key(models),
        dataset=_key([one.task for one in samples]),
        case=_key([one.case for one in samples]),
        answer=in_order(_key([one.answer for one in samples])),
        cluster=_key([one.cluster or "" for one in samples]),
        notes=(*habits.notes, *notes),
    )
    binary = bool(np.isin(values[~np.isnan(values)], (0.0, 1.0)).all())
    words = any(isinstance(one.scores.get(metric), str | bool) for one in samples)
    sure = habits.convention or ("1 is a right answer" if words and binary else "")
    manner = Manner(
        kind=habits.kind,
        metric=metric,
        convention=sure,
        greater_is_better=True if sure else None,
        counted="from the samples",
    )
    return tabulate_cases(rows, manner, request)


def _models(samples: Sequence[Sample], name: str) -> tuple[list[str], tuple[str, ...]]:
    """Return who gave each sample: the model, or its file where one model answered twice.

    Two prompts for one model make two logs of it. Files that share no case are parts of one log.
    """
    models = [one.model for one in samples]
    if len(set(models)) > 1:
        return models, ()
    cases: dict[Path, set[tuple[str, str]]] = {}
    for one in samples:
        cases.setdefault(one.file, set()).add((one.task, one.case))
    if len(cases) > 1 and set.intersection(*cases.values()):
        for called in (lambda path: stem(path), lambda path: path.parent.name,
                       lambda path: path.parent.parent.name):  # fmt: skip
            if len({called(path) for path in cases}) == len(cases):
                note = f"All logs are of {models[0]}; they go by their files."
                return [called(one.file) for one in samples], (note,)
    domain = "logs of at least two models on the same cases, or two files of one model"
    raise invalid("source", domain, f"{name} with {models[0]} alone" if models else name)


def cluster_of(fields: Any, request: Request) -> str | None:
    """Return the cluster that the fields of a sample name: that asked for, or a sure one."""
    if not isinstance(fields, Mapping) or request.unrelated:
        return None
    asked = request.cluster_column
    names = [asked] if asked is not None else [n for n in fields if is_sure_cluster(str(n))]
    found = next((fields[name] for name in names if fields.get(name) is not None), None)
    return str(found) if isinstance(found, str | int | float) else None


def _key(names: Sequence[str]) -> Key:
    codes, found = pd.factorize(np.array(names, dtype=object))
    return Key(np.asarray(codes, dtype=np.intp), tuple(map(str, found)))


def _metric(samples: Sequence[Sample], habits: Habits, request: Request, name: str) -> str:
    """Return the score asked for, the usual one, or the only one."""
    known = tuple(dict.fromkeys(key for one in samples for key in one.scores))
    if request.metric is not None:
        wanted = request.metric
        match = next((key for key in known if key == wanted), None) or next(
            (key for key in known if squeezed(key) == squeezed(wanted)), None
        )
        if match is None:
            raise ask_metric(known, wanted)
        return match
    usual = [key for key in habits.usual if all(key in one.scores for one in samples)]
    if usual and (len(usual) == 1 or habits.usual[0] == usual[0]):
        return usual[0]
    if len(known) == 1:
        return known[0]
    if not known:
        raise invalid("source", "samples with scores", f"{name} with none")
    raise ask_metric(known, None)


def number_of(value: Any, metric: str, place: str) -> float:
    """Return a score as a number: right and wrong are 1 and 0, nothing is missing."""
    if value is None:
        return float("nan")
    if isinstance(value, bool | int | float) and np.isfinite(value):
        return float(value)
    if isinstance(value, str):
        word = value.strip().casefold()
        if word in _WORDS:
            return _WORDS[word]
        try:
            return float(word)
        except ValueError:
            pass
    domain = "0 or 1, right or wrong, or another number"
    remedy = "Name another score with `metric=...`"
    raise InvalidContentError(f"{place}, {metric}", domain, value, remedy, "metric")
