"""JSON: records, columns or lines become a sheet; other values stay as they are."""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from replicast.errors import InvalidArgumentError, InvalidContentError, invalid, shorten
from replicast.reading.limits import HERE, Limits
from replicast.reading.sheets import Sheet, named
from replicast.reading.vocabulary.measures import find_measure
from replicast.reading.vocabulary.roles import find_role

_NESTED = 3  # levels of a record
_LONG = re.compile(r"\d{250}")  # digits that no float has; they may stand in a text


def parse_json(text: str, name: str, limits: Limits = HERE) -> Any:
    """Return the value of a JSON text, or the list of the values of its lines."""
    read = _Reader(text, name, limits)
    try:
        return read(text)
    except InvalidArgumentError:
        raise
    except ValueError as error:
        reason = str(error)
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    values: list[Any] = []
    for number, line in lines:
        try:
            values.append(read(line))
        except InvalidArgumentError:
            raise
        except ValueError:
            if not values or len(lines) < 2:
                raise invalid("source", "JSON", f"{name}: {reason}") from None
            place, got = f"{name}, row {number}", repr(shorten(line, 40))
            raise InvalidContentError(place, "a JSON value", got) from None
    return values


class RefusedValueError(InvalidArgumentError):
    """JSON that can be parsed, and means two things or nothing."""


class _Reader:
    """Reads JSON, where a name stands once in a record and every text can be written."""

    def __init__(self, text: str, name: str, limits: Limits) -> None:
        self._name, self._limits = name, limits
        self._halves = "\\ud" in text or "\\uD" in text
        whole = {"parse_int": self._whole} if _LONG.search(text) else {}
        self._options: dict[str, Any] = {"object_pairs_hook": self._record, **whole}

    def __call__(self, text: str) -> Any:
        try:
            value = json.loads(text, **self._options)
        except RecursionError:
            raise self._limits.beyond("depth", f"{self._name} with more") from None
        if self._halves:
            try:
                json.dumps(value, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                got = f"{self._name} with half of a letter (a lone surrogate)"
                raise RefusedValueError("source", "JSON whose texts can be written", got) from None
        return value

    def _record(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
            domain = "JSON with a name once in a record"
            got = f"{self._name} with {shorten(twice)!r} twice"
            raise RefusedValueError("source", domain, got, "Keep one of them")
        return record

    def _whole(self, digits: str) -> int:
        self._limits.require("digits", len(digits), self._name)
        return int(digits)


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
        and all(isinstance(one, int | float | np.number) for one in value)
    )


def records_sheet(value: Any, name: str, limits: Limits = HERE) -> Sheet | None:
    """Return a table written as JSON, None if the value is none.

    Records ([{"a": 1}, ...]), columns ({"a": [1, ...]}, {"a": {"0": 1}}), what pandas writes with
    orient="split", and numbers by two names ({"svm": {"iris": 0.9, ...}, ...}) are tables.
    """
    if isinstance(value, list):
        frame = _frame_of_records(value, name, limits)
    elif isinstance(value, Mapping) and value:
        inner = [one for one in value.values() if not is_flat(one)]
        if len(inner) == 1 and _names_models(inner[0]):
            return records_sheet(inner[0], name, limits)
        frame = _frame_of(value)
    else:
        frame = None
    return None if frame is None else _sheet(frame, name, limits)


def _frame_of_records(records: list[Any], name: str, limits: Limits) -> pd.DataFrame | None:
    if not records or not all(isinstance(one, Mapping) and one for one in records):
        return None
    flat = [_flattened(one) for one in records]
    if not all(map(is_record, flat)):
        return None
    limits.require_shape(len(flat), len({key for one in flat for key in one}), name)
    return pd.DataFrame(flat)


def _names_models(value: Any) -> bool:
    """Tell a list of records that say whose scores they hold, in an envelope of remarks."""
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, Mapping) and any(find_role(str(key)) == "classifier" for key in first)


def _frame_of(value: Mapping[str, Any]) -> pd.DataFrame | None:
    """Return the table that a mapping is: of columns, as pandas splits it, or by two names."""
    if {"columns", "data"} <= set(value) and isinstance(value["data"], list):
        try:
            return pd.DataFrame(value["data"], columns=value["columns"])
        except (ValueError, TypeError):
            return None
    columns = list(value.values())
    if all(isinstance(one, list) and all(map(is_flat, one)) for one in columns):
        return pd.DataFrame(dict(value)) if len(set(map(len, columns))) == 1 else None
    same = all(map(is_record, columns)) and len({tuple(one) for one in columns}) == 1
    return _by_two_names(value, list(columns[0])) if same else None


def _by_two_names(value: Mapping[str, Any], rows: list[str]) -> pd.DataFrame | None:
    """Return the table of a mapping of mappings, all with the same names."""
    columns = list(value.values())
    if all(key.isdecimal() for key in rows):  # pandas' default: column -> row number -> cell
        return pd.DataFrame({key: list(one.values()) for key, one in value.items()})
    if len(rows) < 2 or not all(_is_score(cell) for one in columns for cell in one.values()):
        return None
    frame = pd.DataFrame(dict(value))
    if _are_measures(rows):  # of every query
        return frame.T.rename_axis("key").reset_index()
    called = "key" if _are_measures(list(value)) else "Unnamed: 0"
    return frame.rename_axis(called).reset_index()


def _flattened(record: Mapping[str, Any], before: str = "", depth: int = 0) -> dict[str, Any]:
    """Bring what is nested in a record to one level: {"scores": {"f1": 1}} becomes scores.f1."""
    found: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Mapping) and value and depth < _NESTED:
            found |= _flattened(value, f"{before}{key}.", depth + 1)
        elif isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            found[f"{before}{key}"] = ", ".join(value)  # tags, or who judged
        else:
            found[f"{before}{key}"] = value
    return found


def _are_measures(names: Sequence[str]) -> bool:
    return 2 * sum(find_measure(name) is not None for name in names) > len(names)


def _is_score(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _sheet(frame: pd.DataFrame, name: str, limits: Limits) -> Sheet:
    limits.require_shape(*frame.shape, name)
    for column in frame.columns:
        if frame[column].dtype == object:
            cells = frame[column].map(
                lambda cell: None if isinstance(cell, float) and math.isnan(cell) else cell
            )
            frame[column] = cells.infer_objects()
    return Sheet(name=name, frame=named(frame, name), first_row=1)
