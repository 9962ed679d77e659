"""Samples of any log: one answer of one model to one case, with its scores by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError, invalid, nearest, shorten
from replicast.reading.cases import stem, tabulate_cases
from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import refuse_other_questions
from replicast.reading.formats.tables.several import own_names
from replicast.reading.requests import Manner, Request, choose_metric
from replicast.reading.rows import Rows
from replicast.reading.sheets import Key, in_order, listing
from replicast.reading.vocabulary.naming import squeezed
from replicast.reading.vocabulary.roles import is_sure_cluster
from replicast.scores.tables import ScoreTable

_WORDS = {
    **dict.fromkeys(("c", "correct", "pass", "passed", "true", "yes"), 1.0),
    **dict.fromkeys(("i", "incorrect", "fail", "failed", "false", "no", "n"), 0.0),
    "p": 0.5,
}


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


Parse = Callable[[Document, str, Request], list[Sample]]
Read = Callable[[Sequence[Document], Request], ScoreTable]


def log_reader(parse: Parse, manner: Manner, usual: Sequence[str] = ()) -> Read:
    """Return the reader of logs, a file or a folder for each model, all in one or several.

    Of the scores the first of `usual` that is there is taken if none is asked for.
    """

    def read(documents: Sequence[Document], request: Request) -> ScoreTable:
        samples = [
            replace(one, file=document.path)
            for document, name in zip(documents, own_names(documents), strict=True)
            for one in parse(document, document.label or name, request)
        ]
        guessed = tuple(note for document in documents for note in document.guessed)
        told = replace(manner, notes=(*manner.notes, *guessed), counted="from the samples")
        name = documents[0].path.name if len(documents) == 1 else f"{len(documents)} files"
        return tabulate_samples(samples, told, usual, request, name)

    return read


def mapping(value: Any) -> Mapping[str, Any]:
    """Return a record, an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def records(document: Document, value: Any, what: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the records of a list, each with its place; refuse another thing among them."""
    found = []
    for number, one in enumerate(value if isinstance(value, list) else [], start=1):
        place = f"{document.path.name}, {what} {number}"
        if not isinstance(one, Mapping):
            raise InvalidContentError(place, f"a {what} with its scores", shorten(str(one), 40))
        found.append((place, one))
    return found


def tabulate_samples(
    samples: Sequence[Sample], manner: Manner, usual: Sequence[str], request: Request, name: str
) -> ScoreTable:
    """Arrange samples: cases of one task are one test set, several tasks a score each."""
    samples = _of_dataset(samples, request, name)
    known = tuple(dict.fromkeys(key for one in samples for key in one.scores))
    metric = _metric(known, samples, usual, request, name)
    models, notes = _models(samples, name)
    asked = {*models} if request.classifiers is None else {*request.classifiers}
    told = zip(models, samples, strict=True)
    notes += refuse_other_questions(
        [(model, (one.task, one.case), one.marks) for model, one in told if model in asked], name
    )
    bare = [key.partition(",")[0] for key in known if request.metric is None]
    unused = [key for key in dict.fromkeys(bare) if key != metric.partition(",")[0]]
    notes += (f"Not used: {listing(unused, 5)}.",) if unused else ()
    scores = [number_of(one.scores.get(metric), metric, one.place) for one in samples]
    rows = Rows(
        name=name,
        scores=np.array(scores, dtype=float),
        classifier=_key(models),
        dataset=_key([one.task for one in samples]),
        case=_key([one.case for one in samples]),
        answer=in_order(_key([one.answer for one in samples])),
        cluster=_key([one.cluster or "" for one in samples]),
        notes=(*manner.notes, *notes),
    )
    words = any(isinstance(one.scores.get(metric), str | bool) for one in samples)
    binary = words and {*scores} <= {0.0, 1.0}
    sure = manner.convention or ("1 is a right answer" if binary else "")
    higher = True if sure else None
    manner = replace(manner, metric=metric, convention=sure, greater_is_better=higher, notes=())
    return tabulate_cases(rows, manner, request)


def _of_dataset(samples: Sequence[Sample], request: Request, name: str) -> Sequence[Sample]:
    """Return the samples of the dataset asked for; refuse none, and clusters that none has."""
    known = tuple(dict.fromkeys(one.task for one in samples))
    if request.dataset is not None:
        samples = [one for one in samples if one.task == request.dataset]
    if not samples and known:
        domain, remedy = f"one of {listing(known)}", nearest(request.dataset or "", known)
        raise invalid("dataset", domain, repr(request.dataset), remedy)
    if not samples:
        raise invalid("source", "logs with samples", f"{name} without")
    if request.cluster_column is not None and not any(one.cluster for one in samples):
        domain = "a field that the samples of these logs have"
        raise invalid("cluster_column", domain, repr(request.cluster_column))
    return samples


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
        for called in (stem, lambda path: path.parent.name, lambda path: path.parent.parent.name):
            if len({called(path) for path in cases}) == len(cases):
                note = f"All logs are of {models[0]}; they go by their files."
                return [called(one.file) for one in samples], (note,)
    domain = "logs of at least two models on the same cases, or two files of one model"
    raise invalid("source", domain, f"{name} with {models[0]} alone")


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


def _metric(
    known: tuple[str, ...],
    samples: Sequence[Sample],
    usual: Sequence[str],
    request: Request,
    name: str,
) -> str:
    """Return the score asked for, whatever stands around its name, the usual one, or the only one."""
    if not known:
        raise invalid("source", "samples with scores", f"{name} with none")
    wanted = request.metric
    if wanted is not None and wanted not in known:
        bare = squeezed(wanted).removeprefix("score")
        same = (key for key in known if squeezed(key).removeprefix("score") == bare)
        wanted = next(same, wanted)
    everywhere = [key for key in usual if all(key in one.scores for one in samples)]
    return choose_metric(known, wanted, everywhere)


def number_of(value: Any, metric: str, place: str) -> float:
    """Return a score as a number: right and wrong are 1 and 0, nothing is missing."""
    if value is None or value != value:
        return float("nan")
    if isinstance(value, bool | int | float) and np.isfinite(value):
        return float(value)
    if isinstance(value, str):
        word = value.strip().casefold()
        try:
            return _WORDS[word] if word in _WORDS else float(word)
        except ValueError:
            pass
    domain = "0 or 1, right or wrong, or another number"
    remedy = "Name another score with `metric=...`"
    raise InvalidContentError(f"{place}, {metric}", domain, value, remedy, "metric")
