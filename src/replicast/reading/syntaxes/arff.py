"""Weka's ARFF files: nominal columns become categorical in the declared order."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError, shorten
from replicast.reading.packing import decode, load

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|\S+)\s+(.*)", re.IGNORECASE)
_CELL = re.compile(rf"\s*+(?:({_QUOTED})\s*+(?:,|$)|([^,]*+)(?:,|$))")
_NUMERIC = ("numeric", "real", "integer")


@dataclass(frozen=True)
class ArffFile:
    """Name of the relation and its rows."""

    relation: str
    frame: pd.DataFrame


def read_arff(path: str | Path) -> ArffFile:
    """Read an ARFF file, plain or gzipped; an unquoted ? is missing, a quoted one is a value.

    Columns are numeric (float), nominal (categorical, all declared categories kept) or string. Date,
    relational and sparse files are refused in words.
    """
    path = Path(path)
    text, _ = decode(load(path), path.name)
    return parse_arff(text, path.name)


def parse_arff(text: str, name: str = "ARFF text") -> ArffFile:
    """Read the text of an ARFF file; `name` is for error sentences."""
    relation, declared, rows = "", [], []
    in_data = False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("%"):
            continue
        lowered = line.lower()
        if in_data:
            rows.append((number, _cells(line, name, number)))
        elif lowered.startswith("@relation"):
            relation = _unquoted(line[len("@relation") :].strip())
        elif lowered.startswith("@attribute"):
            declared.append(_attribute(line, name, number))
        elif lowered.startswith("@data"):
            in_data = True
        else:
            raise _wrong(name, number, "@relation, @attribute, @data or a comment", line)
    if not declared or not in_data:
        raise InvalidContentError(
            name, "attributes and an @data section", "neither or one", "Is it an ARFF file?"
        )
    return ArffFile(relation, _frame(declared, rows, name))


Attribute = tuple[str, list[str] | str]


def _attribute(line: str, name: str, number: int) -> Attribute:
    match = _ATTRIBUTE.match(line)
    if match is None:
        raise _wrong(name, number, "@attribute, a name and a type", line)
    kind = match.group(2).strip()
    column = _unquoted(match.group(1))
    if kind.startswith("{"):
        if "}" not in kind:
            raise _wrong(name, number, "a closing } of the nominal values", line)
        inner = kind[1 : kind.rindex("}")].strip()
        values = [cell if cell is not None else "?" for cell in _cells(inner, name, number)]
        if len(set(values)) < len(values):
            raise _wrong(name, number, "nominal values that all differ", kind)
        return column, values
    word = kind.split()[0].lower()
    if word in _NUMERIC:
        return column, "numeric"
    if word == "string":
        return column, "string"
    raise _wrong(name, number, "a numeric, nominal or string attribute", kind)


def _cells(line: str, name: str, number: int) -> list[str | None]:
    """Split at commas outside quotes; a bare ? becomes None."""
    if line.startswith("{"):
        raise _wrong(name, number, "rows with a value for every attribute", "a sparse row")
    cells: list[str | None] = []
    at = 0
    while at < len(line):
        match = _CELL.match(line, at)
        if match is None or match.end() == at:
            raise _wrong(name, number, "values separated by commas", line)
        text = match.group(2).rstrip() if match.group(1) is None else match.group(1)
        cells.append(None if text == "?" else _unquoted(text))
        at = match.end()
    if line.endswith(","):
        cells.append("")
    return cells


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] in "'\"" and text[0] == text[-1]:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _frame(
    declared: list[Attribute], rows: list[tuple[int, list[str | None]]], name: str
) -> pd.DataFrame:
    for number, row in rows:
        if len(row) != len(declared):
            raise _wrong(name, number, f"{len(declared)} values", f"{len(row)}")
    labels = [label for label, _ in declared]
    if len(set(labels)) != len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise InvalidContentError(name, "attributes that all differ", f"{twice!r} twice")
    columns = {
        label: _column(kind, [(number, row[j]) for number, row in rows], name, label)
        for j, (label, kind) in enumerate(declared)
    }
    return pd.DataFrame(columns)


def _column(
    kind: list[str] | str, cells: list[tuple[int, str | None]], name: str, label: str
) -> "pd.Series[Any]":
    values = [cell for _, cell in cells]
    if kind == "string":
        return pd.Series(values, dtype="object")
    if kind == "numeric":
        numbers = [_number(cell, label, name, number) for number, cell in cells]
        return pd.Series(numbers, dtype="float64")
    known = set(kind)
    for number, value in cells:
        if value is not None and value not in known:
            raise _wrong(name, number, f"one of {', '.join(kind)} for {label}", value)
    return pd.Series(pd.Categorical(values, categories=list(kind)))


def _number(cell: str | None, label: str, name: str, number: int) -> float:
    try:
        return np.nan if cell is None else float(cell)
    except ValueError:
        raise _wrong(name, number, f"a number for {label}", str(cell)) from None


def _wrong(name: str, number: int, expected: str, got: str) -> InvalidContentError:
    return InvalidContentError(f"{name}, line {number}", expected, repr(shorten(got)))
