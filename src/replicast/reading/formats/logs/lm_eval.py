"""Samples logged by lm-eval (`--log_samples`): one line per document, joined by doc_id."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from replicast.errors import InvalidContentError, invalid
from replicast.reading.cases import stem
from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import marks_of
from replicast.reading.formats.logs.samples import Habits, Sample, cluster_of, tabulate_samples
from replicast.reading.requests import Request
from replicast.reading.syntaxes.records import is_flat
from replicast.scores.tables import ScoreTable

_USUAL = ("acc", "exact_match")
_SAMPLES = re.compile(r"samples_(.+?)(?:_\d{4}-\d{2}-\d{2}T[\d.\-:]+)?")
_OTHERS = frozenset(("doc_id", "target", "filter", "doc_hash", "prompt_hash", "target_hash"))


def is_samples(document: Document) -> bool:
    """Tell by doc_id in the records."""
    if b'"doc_id"' not in document.head and document.value is None:
        return False
    tree = document.tree
    records = tree if isinstance(tree, list) else [tree]
    return bool(records) and isinstance(records[0], Mapping) and "doc_id" in records[0]


def read_samples(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read samples of two or more models.

    A model goes by its label, else by the folder lm-eval made for it, else by its file. A metric with
    several filters is written as lm-eval does: `exact_match,strict-match`.
    """
    if documents[0].label is None and len(documents) < 2:
        name = documents[0].path.name
        raise invalid("source", "samples of at least two models", name, "Give a list of files")
    samples: list[Sample] = []
    for document in documents:
        path = document.path
        told = _SAMPLES.fullmatch(stem(path))
        own = path.parent.name if told and path.parent.name else stem(path)
        task = told.group(1) if told else "samples"
        if request.dataset is None or request.dataset == task:
            samples += _parse(document, document.label or own, task, request)
    if not samples:
        tasks = [
            found.group(1) for one in documents if (found := _SAMPLES.fullmatch(stem(one.path)))
        ]
        raise invalid("dataset", f"one of {', '.join(dict.fromkeys(tasks))}", repr(request.dataset))
    notes = tuple(note for document in documents for note in document.decoded[1])
    habits = Habits(kind="lm-eval samples", usual=_USUAL, notes=notes)
    name = f"{len(documents)} files"
    return tabulate_samples(samples, habits, request, name)


def _parse(document: Document, model: str, task: str, request: Request) -> list[Sample]:
    """Return a sample for each document; scores of several filters have the filter in their names."""
    tree = document.tree
    records = tree if isinstance(tree, list) else [tree]
    name = document.path.name
    for number, record in enumerate(records, start=1):
        if not isinstance(record, Mapping) or "doc_id" not in record:
            place = f"{name}, row {number}"
            remedy = "Are these samples of lm-eval?"
            raise InvalidContentError(place, "a JSON object with doc_id", str(record)[:40], remedy)
    filters = list(dict.fromkeys(str(record.get("filter", "none")) for record in records))
    found: dict[str, dict[str, Any]] = {}
    clusters: dict[str, str | None] = {}
    marks: dict[str, dict[str, str]] = {}
    for number, record in enumerate(records, start=1):
        case, chosen = str(record["doc_id"]), str(record.get("filter", "none"))
        scores = found.setdefault(case, {})
        clusters[case] = cluster_of(record.get("doc"), request)
        marks[case] = marks_of(record, "doc_hash|doc", "target|target_hash")
        for key, value in _scores(record).items():
            called = f"{key},{chosen}" if len(filters) > 1 else key
            if called in scores:
                got = f"more than one sample with doc_id {case}"
                place = f"{name}, row {number}"
                raise InvalidContentError(place, "one row for each", got, "Keep one row for each")
            scores[called] = value
            if len(filters) == 1:
                scores[f"{key},{chosen}"] = value
    return [
        Sample(
            model, task, case, scores, f"{name}, doc_id {case}",
            cluster=clusters[case], file=document.path, marks=marks[case],
        )
        for case, scores in found.items()
    ]  # fmt: skip


def _scores(record: Mapping[str, Any]) -> dict[str, Any]:
    named = record.get("metrics")
    if isinstance(named, list):
        return {str(key): record.get(str(key)) for key in named}
    return {
        str(key): value
        for key, value in record.items()
        if key not in _OTHERS and is_flat(value) and not isinstance(value, str)
    }
