"""Logs of Inspect: .eval archives and .json files, a log per model and task; and `samples_df`."""

from collections.abc import Mapping
from typing import Any

from replicast.errors import InvalidContentError
from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import INPUT, marks_of
from replicast.reading.formats.logs.samples import Sample, cluster_of, mapping, records
from replicast.reading.packing import LOG_HEADERS, Archive
from replicast.reading.requests import Request
from replicast.reading.syntaxes.records import parse_json


def is_inspect(document: Document) -> bool:
    """Tell by the parts of a log."""
    if document.archive is not None:
        return document.archive.is_log
    told = mapping(document.tree)
    return isinstance(told.get("eval"), Mapping) and "version" in told


def _unpacked(archive: Archive) -> dict[str, Any]:
    """Return the header and the samples of an archive as one log."""

    def parsed(name: str) -> Any:
        return parse_json(archive.read(name).decode("utf-8", "replace"), f"{archive.name}: {name}")

    header = next(name for name in LOG_HEADERS if name in archive.names)
    log = parsed(header)
    if not isinstance(log, dict):
        raise InvalidContentError(archive.name, "a log of Inspect", f"{header} without an object")
    samples = [name for name in archive.names if name.startswith("samples/")]
    return {**log, "samples": [parsed(name) for name in samples if name.endswith(".json")]}


def inspect_log(document: Document, model: str, request: Request) -> list[Sample]:
    """Return the samples of a log, an answer for each epoch."""
    log = document.tree if document.archive is None else _unpacked(document.archive)
    about = mapping(log.get("eval"))
    return [
        Sample(
            model=document.label or str(about.get("model") or model),
            task=str(about.get("task") or "samples"),
            case=str(sample.get("id", place)),
            scores={
                str(key): one.get("value") if isinstance(one, Mapping) else one
                for key, one in mapping(sample.get("scores")).items()
            },
            place=place,
            answer=str(sample.get("epoch", 1)),
            cluster=cluster_of(sample.get("metadata"), request),
            marks=marks_of(sample, "target", INPUT),
        )
        for place, sample in records(document, log.get("samples"), "sample")
    ]


def samples_frame(document: Document, _model: str, _: Request) -> list[Sample]:
    """Return the rows of a data frame of samples; scores stand in columns called score_<scorer>."""
    names = {name.removeprefix("score_"): name for name in document.columns if "score_" in name}
    found = []
    for at, one in enumerate(document.sheet.frame.to_dict("records")):
        task, scores = one.get("task_name", "samples"), {key: one[names[key]] for key in names}
        who, case, answer = (str(one[key]) for key in ("model", "id", "epoch"))
        marks, place = marks_of(one, "target", INPUT), document.sheet.place(at)
        found.append(Sample(who, str(task), case, scores, place, answer, marks=marks))
    return found
