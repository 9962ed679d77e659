"""Samples of any log: one answer of one model to one case, with its scores by name."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError, invalid, nearest
from replicast.reading.cases import tabulate_cases
from replicast.reading.requests import Manner, Request
from replicast.reading.rows import Rows
from replicast.reading.sheets import Key, in_order, listing
from replicast.reading.vocabulary.naming import squeezed
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
    models = [one.model for one in samples]
    if len(set(models)) < 2:
        domain = "logs of at least two models on the same cases"
        raise invalid("source", domain, f"{name} with {models[0]} alone" if models else name)
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
        notes=habits.notes,
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
            raise invalid(
                "metric", f"one of {listing(known)}", repr(wanted), nearest(wanted, known)
            )
        return match
    usual = [key for key in habits.usual if all(key in one.scores for one in samples)]
    if usual and (len(usual) == 1 or habits.usual[0] == usual[0]):
        return usual[0]
    if len(known) == 1:
        return known[0]
    if not known:
        raise invalid("source", "samples with scores", f"{name} with none")
    raise invalid("metric", f"one of {listing(known)}", "none")


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
