"""DeepEval: the JSON of a test run, a file per model; cases have metrics, and pass or fail."""

from collections.abc import Mapping, Sequence
from typing import Any

from replicast.errors import InvalidContentError, shorten
from replicast.reading.cases import stem
from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import INPUT, marks_of
from replicast.reading.formats.logs.samples import Habits, Sample, tabulate_samples
from replicast.reading.requests import Request
from replicast.scores.tables import ScoreTable

_PASSED = "success"


def is_deepeval(document: Document) -> bool:
    """Tell by the cases of a run and the metrics of a case."""
    if document.value is None and not any(
        mark in document.raw for mark in (b'"metricsData"', b'"metrics_data"')
    ):
        return False
    cases = _cases(document.tree)
    return bool(cases) and isinstance(cases[0], Mapping) and _metrics(cases[0]) is not None


def read_deepeval(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read the runs of two or more models on the same cases."""
    models = [_model(document) for document in documents]
    if len(set(models)) < len(models):  # one name for all says nothing: the files have to tell
        models = [document.label or stem(document.path) for document in documents]
    samples: list[Sample] = []
    for document, model in zip(documents, models, strict=True):
        samples += _samples(document, model)
    tried = [one for document in documents for case in _cases(document.tree) for one in _told(case)]
    sure = "what reaches its threshold passes" if _higher_passes(tried) else ""
    binary = request.metric in (None, _PASSED) and all(_PASSED in one.scores for one in samples)
    habits = Habits(
        kind="DeepEval runs",
        usual=(_PASSED,),
        convention="a case passes or fails" if binary else sure,
    )
    return tabulate_samples(samples, habits, request, f"{len(documents)} files")


def _cases(tree: Any) -> list[Any]:
    """Return the cases of a run, which may lie in an envelope."""
    if isinstance(tree, Mapping) and isinstance(tree.get("testRunData"), Mapping):
        tree = tree["testRunData"]
    if not isinstance(tree, Mapping):
        return []
    found = tree.get("testCases", tree.get("test_results"))
    return found if isinstance(found, list) else []


def _metrics(case: Mapping[str, Any]) -> list[Any] | None:
    found = case.get("metricsData", case.get("metrics_data"))
    return found if isinstance(found, list) else None


def _told(case: Any) -> list[Mapping[str, Any]]:
    metrics = _metrics(case) if isinstance(case, Mapping) else None
    return [one for one in metrics or [] if isinstance(one, Mapping)]


def _model(document: Document) -> str:
    tree = document.tree.get("testRunData", document.tree)
    settings = tree.get("hyperparameters") if isinstance(tree, Mapping) else None
    named = settings.get("model") if isinstance(settings, Mapping) else None
    return document.label or (named if isinstance(named, str) and named else stem(document.path))


def _samples(document: Document, model: str) -> list[Sample]:
    cases = _cases(document.tree)
    inputs = [case.get("input") if isinstance(case, Mapping) else None for case in cases]
    by_input = all(isinstance(one, str) and one for one in inputs)
    by_input = by_input and len(set(inputs)) == len(inputs)
    found = []
    for number, case in enumerate(cases, start=1):
        place = f"{document.path.name}, case {number}"
        if not isinstance(case, Mapping) or _metrics(case) is None:
            raise InvalidContentError(place, "a case with its metrics", shorten(str(case)))
        scores = {str(one["name"]): one.get("score") for one in _told(case) if "name" in one}
        if isinstance(case.get(_PASSED), bool):
            scores[_PASSED] = case[_PASSED]
        key = case["input"] if by_input else case.get("name", number)
        marks = marks_of(case, "expectedOutput|expected_output", INPUT)
        found.append(Sample(model, "cases", str(key), scores, place, marks=marks))
    return found


def _higher_passes(metrics: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether scores above their thresholds pass and others fail, for every metric and case.

    Metrics of what should not be there, such as hallucination, pass below their threshold.
    """
    seen = []
    for one in metrics:
        score, bar, passed = (one.get(key) for key in ("score", "threshold", _PASSED))
        if not isinstance(score, int | float) or not isinstance(bar, int | float):
            continue
        if isinstance(passed, bool) and score != bar:
            seen.append((score > bar) == passed)
    return bool(seen) and all(seen)
