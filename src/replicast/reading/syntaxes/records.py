"""JSON: records, columns or lines become a sheet; other values stay as they are."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError, invalid, shorten
from replicast.reading.sheets import Sheet, named
from replicast.reading.vocabulary.measures import find_measure

_NESTED = 3  # levels of a record
_DEEPEST = "a value nested too deep"


def parse_json(text: str, name: str) -> Any:
    """Return the value of a JSON text, or the list of the values of its lines."""
    try:
        return json.loads(text)
    except RecursionError:
        raise invalid("source", "JSON", f"{name}, {_DEEPEST}") from None
    except ValueError as error:
        lines = [
            (number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()
        ]
        if len(lines) < 2 or not _is_value(lines[0][1]):
            raise invalid("source", "JSON", f"{name}: {error}") from None
        return [_line(line, name, number) for number, line in lines]


def _is_value(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _line(line: str, name: str, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        place = f"{name}, row {number}"
        raise InvalidContentError(place, "a JSON value", repr(shorten(line, 40))) from None


def is_flat(value: Any) -> bool:
    """Say whether a value is a cell of a table."""
    return value is None or isinstance(value, str | int | float | bool)


def is_record(value: Any) -> bool:
    """Say whether a value is a row of a table: names with cells."""
    return isinstance(value, Mapping) and bool(value) and all(map(is_flat, value.values()))


def is_numbers(value: Any) -> bool:
    """Say whether a value is a list of numbers."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and bool(len(value)) and value.dtype.kind in "iufb"
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str | bytes)
        and bool(len(value))
        and all(
            isinstance(one, int | float | np.number) and not isinstance(one, bool) for one in value
        )
    )


def records_sheet(value: Any, name: str) -> Sheet | None:
    """Return a table written as JSON, None if the value is none.

    Records ([{"a": 1}, ...]), columns ({"a": [1, ...]}, {"a": {"0": 1}}), what pandas writes with
    orient="split", and numbers by two names ({"svm": {"iris": 0.9, ...}, ...}) are tables.
    """
    if isinstance(value, list) and value and all(isinstance(one, Mapping) and one for one in value):
        flat = [_flattened(one) for one in value]
        if all(map(is_record, flat)):
            return _sheet(pd.DataFrame(flat), name)
    if not isinstance(value, Mapping) or not value:
        return None
    if {"columns", "data"} <= set(value) and isinstance(value["data"], list):
        try:
            frame = pd.DataFrame(value["data"], columns=value["columns"], index=value.get("index"))
        except (ValueError, TypeError):
            return None
        return _sheet(frame.reset_index(drop=True), name)
    columns = list(value.values())
    if all(isinstance(one, list) and all(map(is_flat, one)) for one in columns):
        if len(set(map(len, columns))) == 1 and not all(map(is_numbers, columns)):
            return _sheet(pd.DataFrame(dict(value)), name)
        return None
    if all(is_record(one) for one in columns) and len({tuple(one) for one in columns}) == 1:
        rows = list(columns[0])
        if all(key.isdecimal() for key in rows):  # pandas' default: column -> row number -> cell
            return _sheet(
                pd.DataFrame({key: list(one.values()) for key, one in value.items()}), name
            )
        if len(rows) > 1 and all(_is_score(cell) for one in columns for cell in one.values()):
            frame = pd.DataFrame(dict(value))
            if _are_measures(rows):  # of every query
                return _sheet(frame.T.rename_axis("key").reset_index(), name)
            called = "key" if _are_measures(list(value)) else "Unnamed: 0"
            return _sheet(frame.rename_axis(called).reset_index(), name)
    return None


def _flattened(record: Mapping[str, Any], before: str = "", depth: int = 0) -> dict[str, Any]:
    """Bring what is nested in a record to one level: {"scores": {"f1": 1}} becomes scores.f1."""
    found: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Mapping) and value and depth < _NESTED:
            found |= _flattened(value, f"{before}{key}.", depth + 1)
        else:
            found[f"{before}{key}"] = value
    return found


def _are_measures(names: Sequence[str]) -> bool:
    return 2 * sum(find_measure(name) is not None for name in names) > len(names)


def _is_score(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _sheet(frame: pd.DataFrame, name: str) -> Sheet:
    for column in frame.columns:
        if frame[column].dtype == object:
            cells = frame[column].map(
                lambda cell: None if isinstance(cell, float) and math.isnan(cell) else cell
            )
            frame[column] = cells.infer_objects()
    return Sheet(name=name, frame=named(frame, name), first_row=1)
