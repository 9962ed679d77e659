"""Scores of segments, images and queries: COMET, nnU-Net, trec_eval."""

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from replicast.errors import InvalidContentError
from replicast.reading.documents import Document
from replicast.reading.formats.logs.questions import marks_of
from replicast.reading.formats.logs.samples import Sample, log_reader, mapping, records
from replicast.reading.formats.tables.several import own_names
from replicast.reading.requests import Manner, Request
from replicast.reading.sheets import listing
from replicast.reading.vocabulary.naming import squeezed
from replicast.scores.tables import ScoreTable

_LINE = re.compile(r"(\S+)\s+(\S+)\s+(\S+)\s*")
_SUMMARY = re.compile(rb"^(?:map|ndcg|recip_rank|P_\d+|Rprec)\s+all\s+[\d.]+\s*$", re.MULTILINE)
_MEANS = "The score of an image is the mean of its labels."
_COUNTS = ("num_", "runid", "relstring")  # of trec_eval: no measures


def is_comet(document: Document) -> bool:
    """Tell by the lists of segments, each with its translation and its COMET."""
    lists = list(mapping(document.tree).values())
    return bool(lists) and all(
        isinstance(one, list) and one and {"COMET", "mt"} <= {*mapping(one[0])} for one in lists
    )


def comet(document: Document, _model: str, _: Request) -> list[Sample]:
    """Return every segment of every system."""
    endings = {PurePosixPath(system).suffix for system in document.tree}
    shared = endings.pop() if len(endings) == 1 else ""
    ending = shared if shared[1:].isalpha() else ""  # .txt of all of them; C4.5 has none
    return [
        Sample(
            model=(PurePosixPath(system).name if ending else system).removesuffix(ending),
            task="segments",
            case=place.rpartition(" ")[2],
            scores={"COMET": one.get("COMET")},
            place=f"{place} of {system}",
            marks=marks_of(one, "src"),
        )
        for system, segments in document.tree.items()
        for place, one in records(document, segments, "segment")
    ]


Labels = dict[tuple[str, str], float]  # scores of one image, by measure and label


def _images(document: Document) -> dict[str, tuple[str, Labels]]:
    """Return the place of every image, and its scores by measure and label."""
    found = {}
    for place, one in records(document, mapping(document.tree).get("metric_per_case"), "case"):
        case = PurePosixPath(str(one.get("reference_file", place))).name
        found[case] = (
            place,
            {
                (str(key), str(label)): float(value) if isinstance(value, int | float) else np.nan
                for label, measures in mapping(one.get("metrics")).items()
                for key, value in mapping(measures).items()
            },
        )
    return found


def _nnunet(document: Document, model: str, _request: Request, gone: Set[str]) -> list[Sample]:
    """Return every image with the mean of its labels; a label in neither image has no score."""
    found = []
    for case, (place, labels) in _images(document).items():
        told: dict[str, list[float]] = {}
        for (key, _), value in labels.items():
            told.setdefault(key, []).append(np.nan if case in gone else value)
        scores: dict[str, Any] = {
            key: float(np.nanmean(values)) if np.isfinite(values).any() else None
            for key, values in told.items()
        }
        found.append(Sample(model, "images", case, scores, place))
    return found


def read_nnunet(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read summaries of nnU-Net; an image of which one network lacks a label is missing for all.

    A network that finds a label that is not there scores 0, one that finds none has no score: without
    that label the first would look better, and means of other labels are no pair.
    """
    wanted = squeezed(request.metric or "Dice")
    scored: dict[tuple[str, str], set[str]] = {}
    networks: dict[str, set[str]] = {}
    for document, network in zip(documents, own_names(documents), strict=True):
        for case, (_, labels) in _images(document).items():
            networks.setdefault(case, set()).add(network)
            for (key, label), value in labels.items():
                if squeezed(key) == wanted and np.isfinite(value):
                    scored.setdefault((case, label), set()).add(network)
    lacking = {
        case: f"{case} has no label {label} in {listing(sorted(networks[case] - having))}"
        for (case, label), having in scored.items()
        if networks[case] - having
    }
    manner = Manner(kind="nnU-Net summaries", notes=(_MEANS,))
    read = log_reader(partial(_nnunet, gone=lacking.keys()), manner, ("Dice",))
    table = read(documents, request)
    if not lacking:
        return table
    told = f"{listing(list(lacking.values()), 3)}: the image counts for no network."
    return replace(table, left_out=" ".join(filter(None, (table.left_out, told))))


def is_trec(document: Document) -> bool:
    """Tell by lines of a measure, a query and a value, some of them for all queries."""
    lines = document.head.decode("latin-1").splitlines()[:20]
    cells = [_LINE.fullmatch(line) for line in lines[:-1]]
    return len(cells) > 2 and all(cells) and _SUMMARY.search(document.raw) is not None


def trec(document: Document, model: str, _: Request) -> list[Sample]:
    """Return every query with its measures, without the lines that sum up all of them."""
    told: dict[str, dict[str, Any]] = {}
    name = document.path.name
    for number, line in enumerate(document.decoded[0].splitlines(), start=1):
        cells = _LINE.fullmatch(line)
        if cells is None and line.strip():
            place = f"{name}, line {number}"
            raise InvalidContentError(place, "a measure, a query and a value", line[:40])
        measure, query, value = ("", "all", "") if cells is None else cells.groups()
        if query != "all" and not measure.startswith(_COUNTS):
            told.setdefault(query, {})[measure] = value
    return [Sample(model, "queries", query, scores, name) for query, scores in told.items()]
