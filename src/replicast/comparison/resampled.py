"""Resampled measures: functions of sums over cases, and functions that are computed anew."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from replicast.arrays import Floats, Ints
from replicast.design import require_count
from replicast.errors import invalid
from replicast.kernels import resampling
from replicast.kernels.cases import cluster_sums
from replicast.scores.parsing import require_numbers

Measure = Callable[..., Any]
_FAST, _SLOW = 10_000, 2_000  # resamples of sums, and of whole sets of cases
_MOST = 1_000_000
_HELD = 4_000_000  # counts of cases held at a time


class Found(NamedTuple):
    """A measure of both models, the standard error of the difference, and how it was found.

    `gaps` are the differences of the cases, where the measure is their mean.
    """

    values: tuple[float, float]
    error: float
    resamples: int = 0
    way: str = "bootstrap"
    df: float | None = None
    gaps: Floats | None = None


def resampled(
    measure: Measure,
    statistics: Measure | None,
    arrays: list[Any],
    codes: Ints | None,
    resamples: int | None,
    rng: np.random.Generator,
) -> Found:
    """Resample a function of cases, or of the sums of what is counted of them."""
    truth, first, second = arrays
    if statistics is None:
        return _recomputed(measure, arrays, codes, resamples, rng)
    rows = [_statistics(statistics, truth, each) for each in (first, second)]
    return resampled_sums(rows, partial(_told, measure), codes, resamples, rng)


def resampled_sums(
    rows: list[Floats],
    of_sums: Callable[[Floats], Floats],
    codes: Ints | None,
    resamples: int | None,
    rng: np.random.Generator,
) -> Found:
    """Resample the cases of a measure that is a function of their sums."""
    count = require_count(_FAST if resamples is None else resamples, "resamples", 100, _MOST)
    width = rows[0].shape[1]
    both = np.concatenate(rows, axis=1)
    if codes is not None:
        both = cluster_sums(both.T, codes).T
    sums = np.concatenate([both.sum(axis=0)[None], resampling.resampled_sums(both, count, rng)])
    one, other = of_sums(sums[:, :width]), of_sums(sums[:, width:])
    return _spread(one, other, len(both), count)


def _called(function: Measure, argument: str, *arrays: Any) -> Any:
    """Call a user's function; what it raises is told in a sentence, and kept as the cause."""
    try:
        return function(*arrays)
    except Exception as error:
        domain = "a function that can be called on any part of the cases"
        raise invalid(argument, domain, f"{type(error).__name__}: {error}") from error


def _told(measure: Measure, sums: Floats) -> Floats:
    """Ask a user's function of sums, and hold it to its shape."""
    found = require_numbers(_called(measure, "measure", sums), "measure")
    if found.shape != sums.shape[:-1]:
        domain = "a function that reduces the last axis of its sums"
        raise invalid("measure", domain, f"shape {found.shape} of {sums.shape}")
    return found


def _statistics(statistics: Measure, truth: Any, predicted: Any) -> Floats:
    found = require_numbers(_called(statistics, "statistics", truth, predicted), "statistics")
    found = found.reshape(len(found), -1) if found.ndim else found
    if found.ndim != 2 or len(found) != len(truth) or not np.isfinite(found).all():
        domain = "a function that returns finite numbers (cases, k)"
        raise invalid("statistics", domain, f"shape {found.shape}")
    return found


def reweighted(
    of_times: list[Callable[[Floats], Floats]],
    parts: int,
    codes: Ints | None,
    resamples: int | None,
    rng: np.random.Generator,
) -> Found:
    """Resample the cases, or clusters, of a measure that is told how often each of them occurs."""
    count = require_count(_FAST if resamples is None else resamples, "resamples", 100, _MOST)
    found = []
    for start in range(0, count + 1, block := max(1, _HELD // parts)):
        rows = min(block, count + 1 - start)
        times = rng.multinomial(parts, np.full(parts, 1 / parts), size=rows).astype(np.float64)
        if start == 0:
            times[0] = 1.0
        times = times if codes is None else times[:, codes]
        found.append([one(times) for one in of_times])
    one, other = (np.concatenate(side) for side in zip(*found, strict=True))
    return _spread(one, other, parts, count)


def _recomputed(
    measure: Measure,
    arrays: list[Any],
    codes: Ints | None,
    resamples: int | None,
    rng: np.random.Generator,
) -> Found:
    """Compute a measure anew for every resample of the cases."""
    count = require_count(_SLOW if resamples is None else resamples, "resamples", 100, _MOST)
    truth, first, second = arrays
    n = len(truth)
    members = None
    parts = n
    if codes is not None:
        parts = int(codes.max()) + 1
        order = np.argsort(codes, kind="stable")
        members = np.split(order, np.searchsorted(codes[order], np.arange(1, parts)))
    found = np.empty((count + 1, 2))
    for row in range(count + 1):
        at = np.arange(n)
        if row:
            drawn = rng.integers(0, parts, size=parts)
            at = drawn if members is None else np.concatenate([members[part] for part in drawn])
        for column, predicted in enumerate((first, second)):
            value = _called(measure, "measure", truth[at], predicted[at])
            try:
                found[row, column] = float(value)
            except (TypeError, ValueError):
                raise invalid("measure", "a function that returns one number", value) from None
    return _spread(found[:, 0], found[:, 1], parts, count)


def _spread(one: Floats, other: Floats, parts: int, count: int) -> Found:
    """Return both values and the standard error of their difference; the first row is the data."""
    if not np.isfinite([one, other]).all():
        remedy = "Let it return a number for every set of cases, also where a class is missing"
        raise invalid("measure", "a function that is finite on every resample", "others", remedy)
    error = float((one - other)[1:].std(ddof=1)) * float(np.sqrt(parts / (parts - 1)))
    return Found((float(one[0]), float(other[0])), error, count, df=float(parts - 1))
