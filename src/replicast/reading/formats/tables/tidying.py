"""Before a table is looked into: headings, merged cells and names that pandas wrote as tuples."""

import ast
from dataclasses import replace

import numpy as np
import pandas as pd

from replicast.reading.sheets import Sheet, called, listing
from replicast.reading.syntaxes.grids import BETWEEN
from replicast.reading.vocabulary.roles import is_label

_LONGEST = 100_000  # rows of a table that may have headings, footnotes and merged cells


def tidied(sheet: Sheet) -> Sheet:
    """Return a sheet in which every line is a row, and every name stands where it belongs."""
    return _carried(_untupled(_without_lone(_without_hollow(sheet))))


def _without_hollow(sheet: Sheet) -> Sheet:
    hollow = [
        name
        for name in sheet.columns
        if name.startswith("Unnamed: ") and sheet.frame[name].isna().all()
    ]
    return sheet.without(hollow) if hollow else sheet


def _without_lone(sheet: Sheet) -> Sheet:
    """Leave out lines with one cell, which are headings, rules and footnotes, and say so."""
    if len(sheet.frame) > _LONGEST:
        return sheet
    told = sheet.frame.notna().to_numpy()
    lone = told.sum(axis=1) == 1
    if told.shape[1] < 3 or not lone.any() or lone.mean() > 0.5:
        return sheet
    first = [str(sheet.frame.iloc[int(at), int(told[at].argmax())]) for at in np.flatnonzero(lone)]
    note = f"Left out lines with one cell: {listing(first, 3)}."
    return retyped(sheet.take(np.flatnonzero(~lone), note))


def _untupled(sheet: Sheet) -> Sheet:
    """Take names apart that pandas wrote as tuples: ('accuracy', 'svm') above, ('iris', 0) beside."""
    named = {name: BETWEEN.join(found) for name in sheet.columns if (found := _tuple(name))}
    if len(named) > 1:
        sheet = replace(sheet, frame=sheet.frame.rename(columns=named))
    first = sheet.columns[0]
    if len(sheet.frame) > _LONGEST or not isinstance(sheet.frame[first].iloc[0], str):
        return sheet
    parts = [_tuple(str(cell)) for cell in sheet.frame[first]]
    if len({len(part) for part in parts}) > 1 or not parts[0]:
        return sheet
    columns = pd.DataFrame(parts, columns=[f"Unnamed: {at}" for at in range(len(parts[0]))])
    rest = sheet.frame.drop(columns=first)
    return retyped(replace(sheet, frame=pd.concat([columns, rest], axis=1)))


def _tuple(text: str) -> list[str]:
    """Return the parts of a tuple as Python writes it, none if a text is no tuple of them."""
    if not text.startswith("(") or not text.endswith(")") or "," not in text:
        return []
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return []
    return [str(part) for part in found] if isinstance(found, tuple) and len(found) > 1 else []


def _carried(sheet: Sheet) -> Sheet:
    """Fill the empty cells below a name where cells were merged: blocks of one length, none short."""
    if not 3 < len(sheet.frame) <= _LONGEST:
        return sheet
    for name in sheet.columns:
        cells = sheet.frame[name]
        if pd.api.types.is_numeric_dtype(cells):
            break  # names stand before numbers
        begun = np.flatnonzero(cells.notna())
        lengths = set(np.diff([*begun, len(cells)]).tolist())
        if len(begun) < 2 or begun[0] or len(lengths) > 1 or lengths == {1}:
            continue
        note = f"Empty cells of column {called(name)} were taken as merged with those above them."
        frame = sheet.frame.assign(**{name: cells.ffill()})
        sheet = replace(sheet, frame=frame, notes=(*sheet.notes, note))
    return sheet


def retyped(sheet: Sheet) -> Sheet:
    """Read columns as numbers again that were text for the sake of the rows left out."""
    frame = sheet.frame.copy()
    for name in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[name]) and not is_label(name):
            numbers = pd.to_numeric(frame[name].astype(object), errors="coerce")
            if numbers.notna().any() and (numbers.notna() | frame[name].isna()).all():
                frame[name] = numbers
    return Sheet(
        name=sheet.name, frame=frame, first_row=sheet.first_row, rows=sheet.rows,
        files=sheet.files, notes=sheet.notes,
    )  # fmt: skip
