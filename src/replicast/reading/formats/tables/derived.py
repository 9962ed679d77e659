"""Columns that are made from those of classifiers: differences, means, times and bounds of theirs."""

import math
import re

import numpy as np

from replicast.arrays import Floats
from replicast.errors import InvalidContentError
from replicast.reading.columns import Column
from replicast.reading.formats.tables.averaging import PEAK
from replicast.reading.vocabulary.measures import find_measure
from replicast.reading.vocabulary.naming import word_lists, words
from replicast.reading.vocabulary.summaries import is_difference

_MEANS = frozenset(("mean", "average", "avg", "median"))
_BOUNDS = word_lists()["bounds"] | {"bound", "ci", "limit"}
_FEWEST = 3  # rows in which no mean agrees by chance; a difference needs one more
_MOST = 60  # columns; more are not compared with each other
_LOOKED_AT = 1000  # rows


def find_differences(columns: list[Column]) -> list[str]:
    """Return columns that compare others: called so and off their scale, or equal to a difference.

    A method may be called Gain, and its scores are then like those of the others.
    """
    values = _values(columns)
    found: list[str] = []
    for at, column in enumerate(columns):
        others = [
            one for one in range(len(columns)) if one != at and columns[one].name not in found
        ]
        if len(others) < 2 or not _is_small(values[at], values[others]):
            continue
        if is_difference(column.name) or _is_difference(values, at, others):
            found.append(column.name)
    return found


def find_mean(columns: list[Column], coincidence: float = math.inf) -> list[str]:
    """Return the last column, if it is the mean of the others in every row.

    With a `coincidence`, only if the chance that scores between those of the others agree so is less.
    """
    values = _values(columns)
    if len(columns) < 3 or values.shape[1] < _FEWEST or columns[-1].is_whole:
        return []
    told = values[-1]
    gap = np.abs(told - values[:-1].mean(axis=0))
    spread = values[:-1].std(axis=0)
    unit = _unit(told)
    if spread.max() == 0 or not (gap <= 0.5 * unit + 1e-12).all():
        return []
    with np.errstate(divide="ignore"):
        chance = np.minimum(1.0, PEAK * unit / spread).prod()
    return [columns[-1].name] if chance < coincidence else []


def refuse_odd_summaries(scores: list[Column], summaries: list[Column], name: str) -> None:
    """Ask about a column called Mean that is no mean of the others: one may fill gaps with means."""
    for column in summaries:
        if "".join(words(column.name)) not in _MEANS:
            continue
        own, *others = _values([column, *scores])
        if len(others) < 2 or not own.size:
            continue
        rest = np.array(others)
        unit = _unit(own)
        if (own < rest.min(axis=0) - unit).any() or (own > rest.max(axis=0) + unit).any():
            domain = "columns of classifiers alone"
            got = f"{column.name}, which is no mean of the others"
            remedy = "Rename it, if it is a classifier; else leave it out"
            raise InvalidContentError(name, domain, got, remedy)


def find_costs(columns: list[Column]) -> list[str]:
    """Return columns called like others with a word for time behind or before it: svm, svm_time.

    One alone may be a method: InceptionTime beside Inception, or LSTM-Time beside LSTM.
    """
    told = [
        column
        for column in columns
        for rest in _beside(column, columns)
        if (measure := find_measure(" ".join(rest))) is not None
        and measure.scale == "time"
        and re.search(r"[^0-9A-Za-z]", column.name.strip())
    ]
    scores = [column.high for column in columns if column not in told]
    sure = len(told) > 1 or any(column.high > 1.5 * max(scores, default=0) for column in told)
    return [column.name for column in told] if sure else []


def find_bounds(columns: list[Column]) -> list[str]:
    """Return columns of both ends of intervals around others: svm, svm_lower, svm_upper."""
    told = {words(column.name): column for column in columns}
    found: dict[tuple[str, ...], list[Column]] = {}
    for column in columns:
        for rest in _beside(column, columns):
            if _BOUNDS.issuperset(rest):
                base = tuple(word for word in words(column.name) if word not in rest)
                found.setdefault(base, []).append(column)
    names = []
    for base, ends in found.items():
        middle = told.get(base)
        if middle is None or len(ends) != 2:
            continue
        low, high = np.sort(_values(ends), axis=0)
        score = _values([middle])[0]
        if ((low <= score) & (score <= high)).all():
            names += [end.name for end in ends]
    return names


def _beside(column: Column, columns: list[Column]) -> list[tuple[str, ...]]:
    """Return what the name of a column says beyond those of others that it begins or ends with."""
    own = words(column.name)
    found = []
    for other in columns:
        base = words(other.name)
        if base and len(base) < len(own):
            if own[: len(base)] == base:
                found.append(own[len(base) :])
            elif own[-len(base) :] == base:
                found.append(own[: -len(base)])
    return found


def _values(columns: list[Column]) -> Floats:
    """Return the rows in which all columns have a number: a line for each column."""
    if not columns or len(columns) > _MOST:
        return np.empty((len(columns), 0))
    told = np.array([column.sheet.parsed(column.name).values[:_LOOKED_AT] for column in columns])
    return told[:, np.isfinite(told).all(axis=0)]


def _is_small(values: Floats, others: Floats) -> bool:
    """Say whether numbers are far below those of others, or signed where others are not."""
    if values.size == 0:
        return False
    if others.min() < 0:
        return False
    return bool(values.min() < 0 or values.max() < 0.5 * np.median(others, axis=1).min())


def _is_difference(values: Floats, at: int, others: list[int]) -> bool:
    if values.shape[1] <= _FEWEST or np.ptp(values[at]) == 0:
        return False
    few = values.shape[1] < 2 * _FEWEST  # many rows may be off by one for rounding
    allowed = (0.51 if few else 1.01) * max(_unit(values[one]) for one in (at, *others))
    if np.abs(values[at]).max() < 3 * allowed:
        return False
    for first in others:
        gaps = values[first] - values[others]
        close = np.abs(np.abs(gaps) - np.abs(values[at])) <= allowed
        if close.all(axis=1).any():
            return True
    return False


def _unit(values: Floats) -> float:
    """Return one in the last decimal digit that numbers are written with."""
    for digits in range(13):
        if np.allclose(values, np.round(values, digits), rtol=0, atol=1e-13):
            return float(10.0**-digits)
    return 1e-13
