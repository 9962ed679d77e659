"""Logs of HELM, OpenAI evals, DeepEval and promptfoo."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from replicast.errors import InvalidContentError
from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import INPUT, marks_of
from replicast.reading.formats.logs.samples import Sample, log_reader, mapping, records
from replicast.reading.requests import Manner, Request
from replicast.scores.tables import ScoreTable

_MODEL = re.compile(r"(?:^|[:,])model=([^,]+)")
_PROMPT = re.compile(r"\[([^\]]+)\]\s*(.*)", re.DOTALL)
_PASSED = "success"
_NO_ANSWER = 2  # promptfoo's reason of a failure: an error, not an assertion


def helm(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every instance; a run's folder names scenario and model."""
    folder = document.path.parent.name
    told = _MODEL.search(folder)
    model = document.label or (told[1] if told else folder or model)
    task = _MODEL.sub("", folder).strip(":,") if told else "instances"
    found = []
    for place, record in records(document, document.tree, "instance"):
        stats = [one for _, one in records(document, record.get("stats"), "statistic")]
        named = [(one.get("name"), one.get("mean")) for one in stats]
        scores = {str(mapping(key).get("name", key)): value for key, value in named}
        instance = case = str(record.get("instance_id"))
        changed = record.get("perturbation")
        if isinstance(changed, Mapping):
            case = f"{instance} ({changed.get('name', 'perturbed')})"
        trial, place = str(record.get("train_trial_index", 0)), f"{folder}/{place}"
        found.append(Sample(model, task, case, scores, place, trial, instance))
    return found


def is_evals(document: Document) -> bool:
    """Tell by the events after the specification."""
    tree = document.tree
    return isinstance(tree, list) and any(
        {"event_id", "sample_id", "type"} <= set(mapping(one)) for one in tree[:50]
    )


def evals(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every sample with the scores of its events; `match` says what was right."""
    events = [mapping(one) for one in document.tree]
    spec = next((mapping(one["spec"]) for one in events if "spec" in one), {})
    functions = spec.get("completion_fns")
    model = document.label or str(
        functions[0] if isinstance(functions, list) and functions else model
    )
    task, name = str(spec.get("eval_name") or "samples"), document.path.name
    found: dict[str, Sample] = {}
    for number, one in enumerate(events, start=1):
        data, kind = mapping(one.get("data")), one.get("type")
        if kind not in ("match", "metrics"):
            continue
        case = str(one.get("sample_id"))
        marks = marks_of(data, "expected")
        sample = found.setdefault(
            case, Sample(model, task, case, {}, f"{name}, {case}", marks=marks)
        )
        if kind == "match" and "correct" in sample.scores:
            place, got = f"{name}, row {number}", f"more than one match for {case}"
            raise InvalidContentError(place, "one match for each sample", got)
        numbers = {str(k): v for k, v in data.items() if isinstance(v, bool | int | float)}
        sample.scores.update(numbers)
    return list(found.values())


def is_deepeval(document: Document) -> bool:
    """Tell by the cases of a run and the metrics of a case."""
    cases = _tested(document.tree)
    return bool(cases) and _metrics(mapping(cases[0])) is not None


def _tested(tree: Any) -> list[Any]:
    """Return the cases of a run, which may lie in an envelope."""
    told = mapping(mapping(tree).get("testRunData", tree))
    found = told.get("testCases", told.get("test_results"))
    return found if isinstance(found, list) else []


def _metrics(case: Mapping[str, Any]) -> list[Any] | None:
    found = case.get("metricsData", case.get("metrics_data"))
    return found if isinstance(found, list) else None


def _deepeval(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every case with its metrics, and whether it passed; of the same input, or in order."""
    told = mapping(mapping(document.tree).get("testRunData", document.tree))
    named = mapping(told.get("hyperparameters")).get("model")
    model = document.label or (named if isinstance(named, str) and named else model)
    cases = records(document, _tested(document.tree), "case")
    inputs = [case.get("input") for _, case in cases]
    unique = all(isinstance(one, str) and one for one in inputs) and len({*inputs}) == len(inputs)
    found = []
    for place, case in cases:
        given = [mapping(one) for one in _metrics(case) or []]
        scores = {str(one["name"]): one.get("score") for one in given if "name" in one}
        if isinstance(case.get(_PASSED), bool):
            scores[_PASSED] = case[_PASSED]
        key = case["input"] if unique else case.get("name", place)
        marks = marks_of(case, "expectedOutput|expected_output", INPUT)
        found.append(Sample(model, "cases", str(key), scores, place, marks=marks))
    return found


def read_deepeval(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read the runs of two or more models on the same cases."""
    metrics = [
        mapping(one)
        for document in documents
        for case in _tested(document.tree)
        for one in _metrics(mapping(case)) or []
    ]
    sure = "what reaches its threshold passes" if _higher_passes(metrics) else ""
    if request.metric in (None, _PASSED):
        sure = "a case passes or fails"
    manner = Manner(kind="DeepEval runs", convention=sure)
    return log_reader(_deepeval, manner, (_PASSED,))(documents, request)


def _higher_passes(metrics: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether scores above their thresholds pass and others fail, for every metric and case.

    Metrics of what should not be there, such as hallucination, pass below their threshold.
    """
    seen = []
    for one in metrics:
        score, bar, passed = (one.get(key) for key in ("score", "threshold", _PASSED))
        if isinstance(score, int | float) and isinstance(bar, int | float) and score != bar:
            seen.append((score > bar) == passed)
    return bool(seen) and all(seen)


def _results(tree: Any) -> Any:
    told = mapping(tree).get("results", tree)
    return mapping(told).get("results", told)


def is_promptfoo(document: Document) -> bool:
    """Tell by the fields of a result, or by the columns Status and Score behind every prompt."""
    if document.tree is not None:
        found = _results(document.tree)
        first = mapping(found[0]) if isinstance(found, list) and found else {}
        return len({"gradingResult", "testIdx", "provider", "success"} & {*first}) >= 3
    line = document.head.partition(b"\n")[0]
    return b",Status,Score" in line and b"[" in line and b"Grader Reason" in line


def _of_csv(document: Document) -> list[Sample]:
    """Read a CSV, in which Status and Score appear once for every prompt and provider."""
    try:
        header, *rows = csv.reader(io.StringIO(document.decoded[0]))
    except csv.Error as error:
        name = document.path.name
        raise InvalidContentError(name, "as many cells in every row", str(error)) from None
    heads = [(at, found) for at, name in enumerate(header) if (found := _PROMPT.fullmatch(name))]
    samples = []
    for number, cells in enumerate(rows, start=2):
        for at, found in heads:
            if len(cells) > at + 2:
                status, score = cells[at + 1].strip(), cells[at + 2].strip()
                scores = {_PASSED: status.casefold() == "pass", "score": score or None}
                case, place = str(number), f"{document.path.name}, row {number}"
                samples.append(Sample(found[1].strip(), found[2].strip(), case, scores, place))
    return samples


def promptfoo(document: Document, _model: str, _: Request) -> list[Sample]:
    """Return results of providers on the same tests; of one provider, its prompts are compared."""
    samples = _of_csv(document) if document.tree is None else []
    for place, record in records(document, _results(document.tree), "result"):
        provider, prompt = record.get("provider"), record.get("prompt")
        about, told = mapping(provider), mapping(prompt)
        lost = record.get("failureReason") == _NO_ANSWER
        scores = {key: None if lost else record.get(key) for key in (_PASSED, "score")}
        samples.append(
            Sample(
                model=str(about.get("label") or about.get("id") or provider),
                task=str(told.get("label") or told.get("raw") or prompt),
                case=str(record.get("testIdx", place)),
                scores={**mapping(record.get("namedScores")), **scores},
                place=place,
                answer=str(record.get("repeatIndex", 1)),
            )
        )
    models, prompts = {one.model for one in samples}, {one.task for one in samples}
    named_by = "{0.model}" if len(prompts) < 2 else "{0.model} · {0.task}"
    named_by = named_by if len(models) > 1 or len(prompts) < 2 else "{0.task}"
    return [replace(one, model=named_by.format(one), task="tests") for one in samples]
