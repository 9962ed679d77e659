"""Rows that are the mean of the others, told by their numbers: left out only beyond coincidence."""

from dataclasses import replace

import numpy as np

from replicast.arrays import Bools, Floats
from replicast.errors import shorten
from replicast.reading.columns import Column
from replicast.reading.sheets import Sheet

_LISTED = 1000  # rows of a table that may have a mean among them
COINCIDENCE = 1e-6  # chance below which no row that is called like a dataset is one
PEAK = 0.4  # density of a normal distribution at its mean, in units of its deviation


def without_mean(sheet: Sheet, columns: dict[str, Column]) -> Sheet:
    """Leave out a row that is the mean of the others in every column of scores, wherever it stands.

    A row with a name may agree by chance: two columns of two decimals do in one table of fifty. It is
    a dataset then, and the account says so where it is the last one.
    """
    numbers = [column for column in columns.values() if column.is_number and not column.is_whole]
    labels = [column for column in columns.values() if not column.is_number and not column.is_empty]
    if len(numbers) < 2 or not 4 <= len(sheet.frame) <= _LISTED or len(labels) != 1:
        return sheet
    scores = np.array([sheet.parsed(column.name).values for column in numbers])
    cells = sheet.frame[[column.name for column in numbers]]
    names = sheet.frame[labels[0].name]
    nameless = (names.isna() | (names.astype(str).str.strip() == "")).to_numpy()
    for at in np.flatnonzero(nameless):
        unit = 10.0 ** -max(map(_digits, cells.iloc[at]))
        if _agreeing(scores, unit)[at]:
            return _without(sheet, int(at), "without a name")
    unit = 10.0 ** -max(map(_digits, cells.to_numpy().ravel()))
    found = np.flatnonzero(_agreeing(scores, unit) & ~nameless)
    if len(found) != 1:
        return sheet
    place = int(found[0])
    name = str(names.iloc[place]).strip()
    if len(names) * _coincidence(np.delete(scores, place, axis=1), unit) < COINCIDENCE:
        return _without(sheet, place, f"called {shorten(name)}")
    if place < len(names) - 1:
        return sheet
    told = f"{labels[0].name}!={name}"
    way = "call it Mean" if "," in told else f"say `where={told}`, or call it Mean"
    note = (
        f"The last row, {shorten(name)}, is what the mean of the others rounds to; it is taken for a "
        f"dataset. To leave it out, {way}."
    )
    return replace(sheet, notes=(*sheet.notes, note))


def _without(sheet: Sheet, at: int, shown: str) -> Sheet:
    rows = np.delete(np.arange(len(sheet.frame)), at)
    which = "the last row" if at == len(rows) else "a row"
    note = f"Left out {which}, {shown}: it is the mean of the others in every column."
    return sheet.take(rows, note)


def _agreeing(scores: Floats, unit: float) -> Bools:
    """Say of every row whether the mean of the others rounds to it in every column."""
    known = np.isfinite(scores)
    others = known.sum(axis=1, keepdims=True) - 1
    total = np.where(known, scores, 0.0).sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        gaps = np.abs(scores - (total - scores) / others)
    return np.asarray((gaps <= 0.5 * unit + 1e-12).all(axis=0))


def _coincidence(others: Floats, unit: float) -> float:
    """Return the chance that one more row of such scores is their mean to so many digits.

    Scores of one row go together, so a column counts by what those before it leave open.
    """
    chance = 1.0
    for at, column in enumerate(others):
        spread = np.nanstd(np.vstack([column[None], others[:at] - column]), axis=1).min()
        chance *= min(1.0, PEAK * unit / spread) if spread > 0 else 1.0
        if chance < COINCIDENCE / _LISTED:
            break
    return chance


def _digits(cell: object) -> int:
    """Return the decimal digits a number is written with, at most 12."""
    text = str(cell).strip().rstrip("%").replace(",", ".")
    return min(12, len(text.partition(".")[2])) if "e" not in text.lower() else 12
