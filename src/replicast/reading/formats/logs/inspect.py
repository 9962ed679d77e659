"""Logs of Inspect: .eval archives and .json files, a log per model and task; and `samples_df`."""

from collections.abc import Mapping
from typing import Any

from replicast.errors import InvalidContentError
from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import INPUT, marks_of
from replicast.reading.formats.logs.samples import (
    Sample,
    cluster_of,
    log_reader,
    mapping,
    records,
)
from replicast.reading.packing import Archive
from replicast.reading.requests import Request
from replicast.reading.syntaxes.records import parse_json

HEADERS = ("header.json", "_journal/start.json")


def is_inspect(document: Document) -> bool:
    """Tell by the parts of a log."""
    if document.archive is not None:
        return any(header in document.archive.names for header in HEADERS)
    told = mapping(document.tree)
    return isinstance(told.get("eval"), Mapping) and "version" in told


def _unpacked(archive: Archive) -> dict[str, Any]:
    """Return the header and the samples of an archive as one log."""

    def parsed(name: str) -> Any:
        return parse_json(archive.read(name).decode("utf-8", "replace"), f"{archive.name}: {name}")

    header = next(name for name in HEADERS if name in archive.names)
    log = parsed(header)
    if not isinstance(log, dict):
        raise InvalidContentError(archive.name, "a log of Inspect", f"{header} without an object")
    samples = [name for name in archive.names if name.startswith("samples/")]
    return {**log, "samples": [parsed(name) for name in samples if name.endswith(".json")]}


def _parse(document: Document, model: str, request: Request) -> list[Sample]:
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


def _frame(document: Document, _model: str, _: Request) -> list[Sample]:
    """Return the rows of a data frame of samples; scores stand in columns called score_<scorer>."""
    names = {name.removeprefix("score_"): name for name in document.columns if "score_" in name}
    return [
        Sample(
            model=str(one["model"]),
            task=str(one.get("task_name", "samples")),
            case=str(one["id"]),
            scores={key: one[name] for key, name in names.items()},
            place=document.sheet.place(at),
            answer=str(one["epoch"]),
            marks=marks_of(one, "target", INPUT),
        )
        for at, one in enumerate(document.sheet.frame.to_dict("records"))
    ]


read_inspect = log_reader(_parse, kind="Inspect logs")
read_samples_frame = log_reader(_frame, kind="samples of Inspect")
