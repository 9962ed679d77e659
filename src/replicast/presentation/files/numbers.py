"""A result as rows of numbers, for spreadsheets and scripts; its columns are the keys of its JSON."""

from collections.abc import Iterator, Mapping
from typing import Any

from replicast.comparison.records import ManyComparison
from replicast.presentation.pictures.behind import as_csv
from replicast.presentation.pictures.figure import Data
from replicast.presentation.pictures.reruns import audit_figure
from replicast.presentation.pictures.standings import pairs_data
from replicast.replicability.records import Audit
from replicast.results import Record


def numbers_csv(result: Record) -> str:
    """Return a result as CSV: pairs of many classifiers as rows, anything else as one row."""
    if isinstance(result, ManyComparison):
        return as_csv(pairs_data(result))
    if isinstance(result, Audit):
        return as_csv(audit_figure(result).data)
    row = dict(_columns("", result.to_dict()))
    return as_csv(Data(tuple(row), (tuple(row.values()),)))


def _columns(name: str, value: Any) -> Iterator[tuple[str, str | float | int]]:
    """Yield the numbers and words of a value, those of its parts as `part_name`."""
    match value:
        case Mapping():
            parts: Iterator[tuple[str, Any]] = iter(value.items())
        case [float() | int(), float() | int()]:
            parts = zip(("low", "high"), value, strict=True)
        case list() if not any(isinstance(part, Mapping | list) for part in value):
            parts = ((str(place), part) for place, part in enumerate(value, start=1))
        case list():  # a table inside a record has no place in a row
            parts = iter(())
        case _:
            yield name, "" if value is None else value
            return
    for key, part in parts:
        yield from _columns(f"{name}_{key}" if name else key, part)
