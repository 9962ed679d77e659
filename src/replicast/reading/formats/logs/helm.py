"""HELM: per_instance_stats.json, a file per model and scenario, in folders that say which."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from replicast.errors import InvalidContentError
from replicast.reading.cases import stem
from replicast.reading.documents import Document
from replicast.reading.formats.logs.samples import Habits, Sample, tabulate_samples
from replicast.reading.requests import Request
from replicast.scores.tables import ScoreTable

_MODEL = re.compile(r"(?:^|[:,])model=([^,]+)")


def is_helm(document: Document) -> bool:
    """Tell by the statistics of an instance."""
    if b'"instance_id"' not in document.head and document.value is None:
        return False
    tree = document.tree
    return (
        isinstance(tree, list)
        and bool(tree)
        and isinstance(tree[0], Mapping)
        and {"instance_id", "stats"} <= set(tree[0])
    )


def read_helm(documents: Sequence[Document], request: Request) -> ScoreTable:
    """Read statistics of every instance; a run's folder names scenario and model."""
    samples: list[Sample] = []
    for document in documents:
        folder = document.path.parent.name or stem(document.path)
        told = _MODEL.search(folder)
        model = document.label or (told[1] if told else folder)
        task = _MODEL.sub("", folder).strip(":,") if told else "instances"
        for number, record in enumerate(document.tree, start=1):
            place = f"{folder}/{document.path.name}, instance {number}"
            samples.append(_sample(record, model, task, place))
    name = f"{len(documents)} files"
    return tabulate_samples(samples, Habits(kind="HELM instances"), request, name)


def _sample(record: Any, model: str, task: str, place: str) -> Sample:
    if not isinstance(record, Mapping) or not isinstance(record.get("stats"), list):
        raise InvalidContentError(place, "an instance with its statistics", str(record)[:40])
    scores = {}
    for one in record["stats"]:
        named = one.get("name") if isinstance(one, Mapping) else None
        key = named.get("name") if isinstance(named, Mapping) else named
        if key is not None:
            scores[str(key)] = one.get("mean")
    perturbation = record.get("perturbation")
    case = str(record.get("instance_id"))
    if isinstance(perturbation, Mapping):
        case = f"{case} ({perturbation.get('name', 'perturbed')})"
    trial = str(record.get("train_trial_index", 0))
    return Sample(
        model=model, task=task, case=case, scores=scores, place=place, answer=trial,
        cluster=str(record.get("instance_id")),
    )  # fmt: skip
