"""Logs of Inspect: .eval archives and .json files, a log per model and task."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from replicast.errors import InvalidContentError, invalid
from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import INPUT, marks_of
from replicast.reading.formats.logs.samples import Habits, Sample, cluster_of, tabulate_samples
from replicast.reading.packing import Archive
from replicast.reading.requests import Request
from replicast.reading.syntaxes.records import parse_json
from replicast.scores.tables import ScoreTable

_HEADERS = ("header.json", "_journal/start.json")


def is_inspect(document: Document) -> bool:
    """Tell by the parts of a log."""
    if document.archive is not None:
        return any(header in document.archive.names for header in _HEADERS)
    if b'"eval"' not in document.raw[:65536] and document.value is None:
        return False
    tree = document.tree
    return isinstance(tree, Mapping) and isinstance(tree.get("eval"), Mapping) and "version" in tree


def read_inspect(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read logs of two or more models on the same tasks; C and I are right and wrong."""
    samples: list[Sample] = []
    for document in documents:
        log = document.tree if document.archive is None else _unpacked(document.archive)
        samples += _parse(log, document, request)
    if not samples:
        got = documents[0].path.name
        raise invalid(
            "source", "logs with samples", f"{got} without", "Log samples, not headers only"
        )
    name = documents[0].path.name if len(documents) == 1 else f"{len(documents)} files"
    return tabulate_samples(samples, Habits(kind="Inspect logs"), request, name)


def _unpacked(archive: Archive) -> dict[str, Any]:
    """Return the header and the samples of an archive as one log."""
    header = next(name for name in _HEADERS if name in archive.names)
    log = parse_json(archive.read(header).decode("utf-8", "replace"), f"{archive.name}: {header}")
    if not isinstance(log, dict):
        raise InvalidContentError(archive.name, "a log of Inspect", f"{header} without an object")
    log["samples"] = [
        parse_json(archive.read(name).decode("utf-8", "replace"), f"{archive.name}: {name}")
        for name in archive.names
        if name.startswith("samples/") and name.endswith(".json")
    ]
    return log


def _parse(log: Mapping[str, Any], document: Document, request: Request) -> list[Sample]:
    told = log.get("eval")
    about: Mapping[str, Any] = told if isinstance(told, Mapping) else {}
    model = document.label or str(about.get("model") or document.path.stem)
    task = str(about.get("task") or "samples")
    found = []
    listed = log.get("samples")
    for number, sample in enumerate(listed if isinstance(listed, list) else [], start=1):
        place = f"{document.path.name}, sample {number}"
        if not isinstance(sample, Mapping):
            raise InvalidContentError(place, "a sample of Inspect", str(sample)[:40])
        given = sample.get("scores")
        scores = {
            str(key): one.get("value") if isinstance(one, Mapping) else one
            for key, one in (given.items() if isinstance(given, Mapping) else ())
        }
        found.append(
            Sample(
                model=model,
                task=task,
                case=str(sample.get("id", number)),
                scores=scores,
                place=place,
                answer=str(sample.get("epoch", 1)),
                cluster=cluster_of(sample.get("metadata"), request),
                file=document.path,
                marks=marks_of(sample, "target", INPUT),
            )
        )
    return found


def is_samples_frame(document: Document) -> bool:
    """Tell what `samples_df` returns by its columns."""
    return document.has("sample_id", "eval_id", "model", "id", "epoch") and any(
        name.startswith("score_") for name in document.columns
    )


def read_samples_frame(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read a data frame of samples; scores stand in columns called score_<scorer>."""
    sheet = documents[0].sheet
    names = [name for name in sheet.columns if name.startswith("score_")]
    called = {name: name.removeprefix("score_") for name in names}
    frame = sheet.frame
    tasks = frame["task_name"] if "task_name" in frame.columns else ["samples"] * len(frame)
    about = [name for name in ("target", INPUT) if name in frame.columns]
    marks = [marks_of(one, *about) for one in frame[about].to_dict("records")]
    samples = [
        Sample(
            model=str(model),
            task=str(task),
            case=str(case),
            scores={
                key: None if value != value else value
                for name, value in zip(names, values, strict=True)
                for key in (name, called[name])
            },
            place=sheet.place(at),
            answer=str(epoch),
            marks=marks[at],
        )
        for at, (model, task, case, epoch, *values) in enumerate(
            zip(frame["model"], tasks, frame["id"], frame["epoch"], *(frame[n] for n in names),
                strict=True)
        )
    ]  # fmt: skip
    habits = Habits(kind="samples of Inspect", notes=sheet.notes)
    if request.metric is None and len(names) > 1:
        raise invalid("metric", f"one of {', '.join(called.values())}", "none")
    return tabulate_samples(samples, habits, _named(request, called), sheet.name)


def _named(request: Request, called: dict[str, str]) -> Request:
    return replace(request, metric=request.metric or next(iter(called.values())))
