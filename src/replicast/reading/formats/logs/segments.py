"""Scores of segments, images and queries: COMET, nnU-Net, trec_eval."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from replicast.errors import InvalidContentError
from replicast.reading.documents import Document
from replicast.reading.formats.logs.boards import board
from replicast.reading.formats.logs.samples import Habits, Sample

_LINE = re.compile(r"(\S+)\s+(\S+)\s+(\S+)\s*")
_SUMMARY = re.compile(rb"^(?:map|ndcg|recip_rank|P_\d+|Rprec)\s+all\s+[\d.]+\s*$", re.MULTILINE)
_COUNTS = ("num_", "runid", "relstring")  # of trec_eval: no measures


def is_comet(document: Document) -> bool:
    """Tell by the lists of segments, each with its translation and its COMET."""
    tree = document.tree if b'"COMET"' in document.raw else None
    if not isinstance(tree, Mapping) or not tree:
        return False
    return all(
        isinstance(one, list)
        and one
        and isinstance(one[0], Mapping)
        and {"mt", "COMET"} <= set(one[0])
        for one in tree.values()
    )


def parse_comet(document: Document, model: str) -> list[Sample]:  # noqa: ARG001  # systems are named inside
    """Return every segment of every system."""
    found = []
    endings = {PurePosixPath(system).suffix for system in document.tree}
    shared = endings.pop() if len(endings) == 1 else ""
    ending = shared if shared[1:].isalpha() else ""  # .txt of all of them; C4.5 has none
    for system, segments in document.tree.items():
        for number, one in enumerate(segments, start=1):
            place = f"{document.path.name}, {system}, segment {number}"
            if not isinstance(one, Mapping):
                raise InvalidContentError(place, "a segment with its COMET", str(one)[:40])
            marks = {"src": str(one["src"])} if "src" in one else {}
            named = (PurePosixPath(system).name if ending else system).removesuffix(ending)
            scores = {"COMET": one.get("COMET")}
            found.append(Sample(named, "segments", str(number), scores, place, marks=marks))
    return found


def is_nnunet(document: Document) -> bool:
    """Tell by the metrics of every case."""
    tree = document.tree if b'"metric_per_case"' in document.raw else None
    return isinstance(tree, Mapping) and isinstance(tree.get("metric_per_case"), list)


def parse_nnunet(document: Document, model: str) -> list[Sample]:
    """Return every image with the mean of its labels; a label in neither image has no score."""
    found = []
    for number, one in enumerate(document.tree["metric_per_case"], start=1):
        place = f"{document.path.name}, case {number}"
        labels = one.get("metrics") if isinstance(one, Mapping) else None
        if not isinstance(labels, Mapping):
            raise InvalidContentError(place, "the metrics of a case", str(one)[:40])
        told: dict[str, list[float]] = {}
        for measures in labels.values():
            for key, value in measures.items() if isinstance(measures, Mapping) else ():
                told.setdefault(str(key), []).append(_number(value))
        scores: dict[str, Any] = {
            key: float(np.nanmean(values)) if np.isfinite(values).any() else None
            for key, values in told.items()
        }
        case = PurePosixPath(str(one.get("reference_file", number))).name
        found.append(Sample(model, "images", case, scores, place))
    return found


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else np.nan


def is_trec(document: Document) -> bool:
    """Tell by lines of a measure, a query and a value, some of them for all queries."""
    if document.archive is not None or document.table is not None or b"all" not in document.raw:
        return False
    lines = document.head.decode("latin-1").splitlines()[:20]
    cells = [_LINE.fullmatch(line) for line in lines[:-1]]
    return len(cells) > 2 and all(cells) and _SUMMARY.search(document.raw) is not None


def parse_trec(document: Document, model: str) -> list[Sample]:
    """Return every query with its measures, without the lines that sum up all of them."""
    told: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(document.decoded[0].splitlines(), start=1):
        cells = _LINE.fullmatch(line)
        if cells is None:
            if line.strip():
                place = f"{document.path.name}, line {number}"
                raise InvalidContentError(place, "a measure, a query and a value", line[:40])
            continue
        measure, query, value = cells.groups()
        if query != "all" and not measure.startswith(_COUNTS):
            told.setdefault(query, {})[measure] = value
    name = document.path.name
    return [Sample(model, "queries", query, scores, name) for query, scores in told.items()]


read_comet = board(Habits(kind="COMET scores"), parse_comet)
read_nnunet = board(
    Habits(
        kind="nnU-Net summaries",
        usual=("Dice",),
        notes=("The score of an image is the mean of its labels.",),
    ),
    parse_nnunet,
)
read_trec = board(Habits(kind="trec_eval output"), parse_trec)
