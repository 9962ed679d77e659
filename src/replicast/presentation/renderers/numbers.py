"""A document as numbers, for programs and spreadsheets: the record behind it as JSON and as CSV."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from replicast.comparison.records import ManyComparison
from replicast.presentation.document import Document
from replicast.presentation.pictures.behind import as_csv
from replicast.presentation.pictures.figure import Data
from replicast.presentation.pictures.intervals import audit_figure
from replicast.presentation.pictures.standings import pairs_data
from replicast.replicability.records import Audit


def as_json(document: Document) -> str:
    """Return the record behind a document as JSON, with what was read."""
    return json.dumps({**document.result.to_dict(), "account": list(document.account)}, indent=2)


def numbers(document: Document) -> str:
    """Return the record as CSV: pairs of many classifiers and reruns as rows, others as one row.

    The columns of one row are the keys of the JSON, those of its parts as `part_name`.
    """
    match document.result:
        case ManyComparison() as many:
            return as_csv(pairs_data(many))
        case Audit() as audit:
            return as_csv(audit_figure(audit).data)
    row = dict(_columns("", document.result.to_dict()))
    return as_csv(Data(tuple(row), (tuple(row.values()),)))


def _columns(name: str, value: Any) -> Iterator[tuple[str, str | float | int]]:
    """Yield the numbers and words of a value, those of its parts as `part_name`."""
    if isinstance(value, list):
        kinds = {type(part) for part in value}
        if kinds & {dict, list}:
            return  # a table inside a record has no place in a row
        interval = len(value) == 2 and kinds <= {float, int, bool}
        keys = ("low", "high") if interval else range(1, len(value) + 1)
        value = dict(zip(map(str, keys), value, strict=True))
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _columns(f"{name}_{key}" if name else key, part)
    else:
        yield name, "" if value is None else value
