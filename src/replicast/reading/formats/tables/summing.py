"""Rows that sum up others: by their names, and by their numbers where names do not tell."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import permutations

import numpy as np
import pandas as pd

from replicast.arrays import Floats
from replicast.reading.columns import Column
from replicast.reading.vocabulary.naming import words
from replicast.reading.vocabulary.summaries import (
    has_unit,
    is_cost,
    is_difference,
    is_homonym,
    is_summary,
)

_FEWEST = 3  # rows of which another may be the mean
_LAST = 3  # rows behind all others
_LISTED = 200  # rows of which any two may be subtracted
_CHANCE = 20.0  # so many other numbers could have been written, where a name says what they are
_NO_CHANCE = 1000.0  # and where nothing says it
_COUNTED = frozenset(
    ("win", "wins", "tie", "ties", "loss", "losses", "draw", "draws", "count", "rank", "ranks")
)
_RANKED = frozenset(("rank", "ranks", "ranking"))
_ENDS = frozenset(("best", "worst", "max", "maximum", "min", "minimum"))


def may_be_no_score(name: str, *, named: bool) -> bool:
    """Say whether a row may hold no scores, by its name alone."""
    return is_summary(name) or (named and (is_difference(name) or is_cost(name)))


def says_no_score(name: str, own: Floats, others: Floats, *, named: bool) -> str:
    """Say why a row holds no scores, by its name and its numbers; nothing, if it may hold some.

    A task may be called lift, gain or time. Such a name counts if the numbers are what it says: a sum
    or a difference of other rows, a time far above them.
    """
    if is_summary(name) or (named and is_difference(name)):
        return "sum up others" if not is_homonym(name) or agrees(name, own, others) else ""
    if not named or not is_cost(name):
        return ""
    told = own[np.isfinite(own)]
    above = len(told) and np.isfinite(others).any() and told.min() > np.nanmax(others)
    return "are no scores" if above or has_unit(name) or not is_homonym(name) else ""


def sums_up(column: Column, columns: Sequence[Column]) -> bool:
    """Say whether a column sums up others, by its name, and by numbers if a task may be called so."""
    if not is_homonym(column.name):
        return is_summary(column.name)
    others = [c.sheet.parsed(c.name).values for c in columns if not is_summary(c.name)]
    own = column.sheet.parsed(column.name).values
    return is_summary(column.name) and bool(others) and agrees(column.name, own, np.array(others))


@np.errstate(over="ignore", invalid="ignore")  # a sum of huge numbers is none of the others
def agrees(name: str, own: Floats, others: Floats) -> bool:
    """Say whether numbers are what a name says of other rows: mean, extreme, count, rank, difference."""
    told = np.isfinite(own)
    own, others, parts = own[told], others[:, told], {*words(name)}
    others = np.where(np.isfinite(others), others, np.nan)
    others = others[np.isfinite(others).any(axis=1)]
    if not len(own) or not np.isfinite(others).any(axis=0).all():
        return False
    if not parts.isdisjoint(_RANKED) and np.array_equal(np.sort(own), np.arange(1, len(own) + 1)):
        return True
    if not parts.isdisjoint(_COUNTED):
        return _is_one_of(own, _counts(others))
    if is_difference(name):
        some = range(min(len(others), _LISTED))
        sums = [others[i] - others[j] for i, j in permutations(some, 2)]
    else:
        ends = [np.nanmax(others, axis=0), np.nanmin(others, axis=0)]
        sums = [*_means(others), np.nanmedian(others, axis=0), np.nansum(others, axis=0)]
        sums += [] if parts.isdisjoint(_ENDS) else ends
    return _chances(own, others) > _CHANCE * len(sums) and _is_one_of(own, sums)


def _chances(own: Floats, others: Floats) -> float:
    """Return how many other numbers could have been written in a row."""
    room = np.nanmax(others, axis=0) - np.nanmin(others, axis=0)
    return float(np.prod(room / _last_digit(own)))


def _means(rows: Floats) -> list[Floats]:
    """Return the mean of rows, and their deviation."""
    spread, count = np.nanstd(rows, axis=0), np.isfinite(rows).sum(axis=0)
    return [np.nanmean(rows, axis=0), spread, spread * np.sqrt(count / np.maximum(count - 1, 1))]


def _is_one_of(own: Floats, sums: Iterable[Floats]) -> bool:
    """Say whether numbers are one of some sums, but for the last digit that is written."""
    digit = 1.01 * _last_digit(own)
    return any(bool((np.abs(own - one) <= digit).all()) for one in sums)


def _last_digit(values: Floats) -> float:
    places = (len(f"{value:.9g}".partition(".")[2]) for value in values.tolist())
    return float(10.0 ** -max(places, default=0))


def _counts(rows: Floats) -> Iterator[Floats]:
    """Return how often each column is best, or not, its mean rank, and the number of rows."""
    for best in (np.nanmax(rows, axis=1), np.nanmin(rows, axis=1)):
        ahead = (rows == best[:, None]).sum(axis=0).astype(np.float64)
        yield from (ahead, len(rows) - ahead)
    for ascending in (True, False):
        yield pd.DataFrame(rows).rank(axis=1, ascending=ascending).mean().to_numpy()
    yield np.full(rows.shape[1], float(len(rows)))


@np.errstate(over="ignore", invalid="ignore")
def last_means(rows: Floats, known: Collection[int]) -> list[int]:
    """Return the last rows that are the mean of those above, or their deviation, whatever their names.

    No coincidence explains it: so many other numbers could have been written there. Some are known by
    their names.
    """
    count = len(rows)
    if rows.shape[1] < 2 or not np.isfinite(rows).all():
        return []
    for last in range(1, _LAST + 1):
        above = rows[[at for at in range(count - last) if at not in known]]
        below = [at for at in range(count - last, count) if at not in known]
        if len(above) < _FEWEST:
            break
        means = _means(above)
        if below and all(
            _is_one_of(rows[at], means) and _chances(rows[at], above) > _NO_CHANCE for at in below
        ):
            return below
    return []
