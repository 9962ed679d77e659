"""OpenAI evals: JSON lines of events, a file per model; `match` says what was right."""

from collections.abc import Mapping, Sequence
from typing import Any

from replicast.errors import InvalidContentError
from replicast.reading.cases import stem
from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import marks_of
from replicast.reading.formats.logs.samples import Habits, Sample, tabulate_samples
from replicast.reading.requests import Request
from replicast.scores.tables import ScoreTable

_TOLD = ("match", "metrics")


def is_evals(document: Document) -> bool:
    """Tell by the specification in the first line and the events after it."""
    if b'"spec"' not in document.head and b'"event_id"' not in document.head:
        return False
    tree = document.tree
    return isinstance(tree, list) and any(
        isinstance(one, Mapping) and {"event_id", "sample_id", "type"} <= set(one)
        for one in tree[:50]
    )


def read_evals(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read the events of two or more models on the same samples."""
    samples: list[Sample] = []
    for document in documents:
        samples += _parse(document)
    habits = Habits(kind="OpenAI evals", usual=("correct",))
    return tabulate_samples(samples, habits, request, f"{len(documents)} files")


def _parse(document: Document) -> list[Sample]:
    records = [one for one in document.tree if isinstance(one, Mapping)]
    spec: Mapping[str, Any] = next(
        (one["spec"] for one in records if isinstance(one.get("spec"), Mapping)), {}
    )
    functions = spec.get("completion_fns")
    named = functions[0] if isinstance(functions, list) and functions else None
    model = document.label or str(named or stem(document.path))
    task = str(spec.get("eval_name") or "samples")
    found: dict[str, dict[str, Any]] = {}
    marks: dict[str, dict[str, str]] = {}
    for number, one in enumerate(records, start=1):
        data = one.get("data")
        if one.get("type") not in _TOLD or not isinstance(data, Mapping):
            continue
        case = str(one.get("sample_id"))
        if one["type"] == "match" and "correct" in found.get(case, {}):
            got = f"more than one match for {case}"
            place = f"{document.path.name}, row {number}"
            raise InvalidContentError(place, "one match for each sample", got)
        scores = {str(k): v for k, v in data.items() if isinstance(v, bool | int | float)}
        found.setdefault(case, {}).update(scores)
        marks.setdefault(case, {}).update(marks_of(data, "expected"))
    if not found:
        domain = "events of type match or metrics"
        raise InvalidContentError(document.path.name, domain, "none of them")
    return [
        Sample(model, task, case, scores, f"{document.path.name}, {case}", marks=marks[case])
        for case, scores in found.items()
    ]
