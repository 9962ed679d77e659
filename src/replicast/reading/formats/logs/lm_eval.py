"""Samples logged by lm-eval (`--log_samples`): one line per document, joined by doc_id."""

import re
from collections.abc import Mapping
from typing import Any

from replicast.errors import InvalidContentError
from replicast.reading.cases import stem
from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import marks_of
from replicast.reading.formats.logs.samples import Sample, cluster_of, records
from replicast.reading.requests import Request
from replicast.reading.syntaxes.records import is_flat

_SAMPLES = re.compile(r"samples_(.+?)(?:_\d{4}-\d{2}-\d{2}T[\d.\-:]+)?")
_OTHERS = frozenset(("doc_id", "target", "filter", "doc_hash", "prompt_hash", "target_hash"))


def lm_eval(document: Document, _: str, request: Request) -> list[Sample]:
    """Return a sample for each document; scores of several filters have the filter in their names.

    A model goes by its label, else by the folder lm-eval made for it, else by its file. A metric with
    several filters is written as lm-eval does: `exact_match,strict-match`.
    """
    path = document.path
    told = _SAMPLES.fullmatch(stem(path))
    model = document.label or (path.parent.name if told and path.parent.name else stem(path))
    tree = document.tree if isinstance(document.tree, list) else [document.tree]
    rows = records(document, tree, "row")
    filters = {str(record.get("filter", "none")) for _, record in rows}
    found: dict[str, Sample] = {}
    for place, record in rows:
        if "doc_id" not in record:
            raise InvalidContentError(place, "a JSON object with doc_id", str(record)[:40])
        case, chosen = str(record["doc_id"]), str(record.get("filter", "none"))
        marks = marks_of(record, "doc_hash|doc", "target|target_hash")
        cluster = cluster_of(record.get("doc"), request)
        task, at = told[1] if told else "samples", f"{path.name}, doc_id {case}"
        one = found.setdefault(
            case, Sample(model, task, case, {}, at, cluster=cluster, marks=marks)
        )
        for key, value in _scores(record).items():
            if f"{key},{chosen}" in one.scores:
                got = f"more than one sample with doc_id {case}"
                raise InvalidContentError(place, "one row for each", got, "Keep one row for each")
            one.scores[f"{key},{chosen}"] = value
            if len(filters) == 1:
                one.scores[key] = value
    return list(found.values())


def _scores(record: Mapping[str, Any]) -> dict[str, Any]:
    named = record.get("metrics")
    if isinstance(named, list):
        return {str(key): record.get(str(key)) for key in named}
    return {
        str(key): value
        for key, value in record.items()
        if key not in _OTHERS and is_flat(value) and not isinstance(value, str)
    }
