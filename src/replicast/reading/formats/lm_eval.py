"""Samples logged by lm-eval (`--log_samples`): a line a document, joined by doc_id."""

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from replicast.errors import InvalidArgumentError, invalid
from replicast.reading.assembly import Manner, Request
from replicast.reading.cases import TestedCases, stem, tabulate_cases
from replicast.reading.documents import Document
from replicast.scores import ScoreTable

_USUAL = ("acc", "exact_match")
_SAMPLES = re.compile(r"samples_(.+?)(?:_\d{4}-\d{2}-\d{2}T[\d.\-:]+)?")


def is_samples(document: Document) -> bool:
    """Tell by the first character: a line is a JSON object."""
    return document.head.startswith(b"{")


def read_samples(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read samples of two or more models.

    A model goes by its label, else by the folder lm-eval made for it, else by its file. A metric with
    several filters is written as lm-eval does: `exact_match,strict-match`.
    """
    if documents[0].label is None and len(documents) < 2:
        name = documents[0].path.name
        raise invalid("source", "samples of at least two models", name, "Give a list of files")
    tested: list[TestedCases] = []
    notes: list[str] = []
    for document in documents:
        path, (text, assumed) = document.path, document.decoded
        notes += assumed
        told = _SAMPLES.fullmatch(stem(path))
        own = path.parent.name if told and path.parent.name else stem(path)
        dataset = told.group(1) if told else "samples"
        tested.append(_parse(path.name, text, document.label or own, dataset, request))
    metric = request.metric or "correct"
    manner = Manner(
        kind="lm-eval samples", metric=metric, greater_is_better=True, notes=tuple(notes)
    )
    return tabulate_cases(tested, manner, request)


def _parse(name: str, text: str, classifier: str, dataset: str, request: Request) -> TestedCases:
    wanted, _, chosen = (request.metric or "").partition(",")
    right: dict[str, int] = {}
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        record = _record(line, name, number)
        if chosen and str(record.get("filter")) != chosen:
            continue
        case = str(record["doc_id"])
        if case in right:
            filters = "" if chosen else _filter_remedy(record)
            raise InvalidArgumentError(
                f"{name}, row {number}: more than one sample with doc_id {case}. "
                f"Keep one row for each{filters}."
            )
        right[case] = _correctness(record, wanted, f"{name}, row {number}")
    if not right:
        raise InvalidArgumentError(f"{name}: expected samples with filter {chosen}, got none.")
    values = np.array(list(right.values()), dtype=np.int8)
    return TestedCases(
        source=name,
        classifier=classifier,
        dataset=dataset,
        resample=0,
        right=values,
        ids=tuple(right),
        accuracy=float(values.mean()),
    )


def _record(line: str, name: str, number: int) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict) or "doc_id" not in record:
        shown = line if len(line) <= 40 else line[:37] + "..."
        raise InvalidArgumentError(
            f"{name}, row {number}: expected a JSON object with doc_id, got {shown!r}. "
            f"Are these samples of lm-eval?"
        )
    return record


def _filter_remedy(record: dict[str, Any]) -> str:
    key = next((key for key in _USUAL if key in record), "acc")
    return (
        f", or choose a filter with metric='{key},{record['filter']}'" if "filter" in record else ""
    )


def _correctness(record: dict[str, Any], wanted: str, place: str) -> int:
    key = wanted or next((key for key in _USUAL if key in record), "acc")
    value = record.get(key)
    if isinstance(value, bool | int | float) and value in (0, 1):
        return int(value)
    raise InvalidArgumentError(
        f"{place}, {key}: expected 0 or 1, got {value!r}. Name the metric that tells right from wrong."
    )
