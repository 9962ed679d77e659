"""What a measure is made of, and the standard error of a difference that this gives."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from replicast.arrays import Floats, Ints
from replicast.comparison.finding import Estimate
from replicast.design import require_count
from replicast.errors import invalid
from replicast.inference.cases import mean_of_cases
from replicast.kernels import resampling
from replicast.kernels.cases import cluster_sums, roc_areas, roc_influences
from replicast.scores.parsing import require_numbers

Function = Callable[..., Any]
_FAST, _SLOW = 10_000, 2_000  # resamples of sums, and of whole sets of cases
_MOST = 1_000_000
_HELD = 4_000_000  # counts of cases held at a time


class Drawn(NamedTuple):
    """What varies: independent parts, which are cases or clusters; and how they are resampled."""

    codes: Ints | None
    parts: int
    resamples: int | None
    rng: np.random.Generator

    def count(self, usual: int) -> int:
        """Return how many resamples were asked for, or the usual number."""
        wanted = usual if self.resamples is None else self.resamples
        return require_count(wanted, "resamples", 100, _MOST)

    def summed(self, values: Floats) -> Floats:
        """Return the sums of parts."""
        return values if self.codes is None else cluster_sums(values, self.codes)

    def moved(self, gaps: Floats) -> float:
        """Return the standard error of a sum of what every case moves."""
        squares = float((self.summed(gaps) ** 2).sum())
        return float(np.sqrt(self.parts / (self.parts - 1) * squares))

    def spread(self, one: Floats, other: Floats) -> Estimate:
        """Return both values and their error by resamples; the first row is the data."""
        if not np.isfinite([one, other]).all():
            remedy = "Let it return a number for every set of cases, also where a class is missing"
            raise invalid(
                "measure", "a function that is finite on every resample", "others", remedy
            )
        parts, gaps = self.parts, (one - other)[1:]
        error = float(gaps.std(ddof=1)) * float(np.sqrt(parts / (parts - 1)))
        values = float(one[0]), float(other[0])
        return Estimate(values, error, "bootstrap", df=float(parts - 1), resamples=len(gaps))


class Parts(Protocol):
    """What a measure of one model is made of."""

    def against(self, other: Any, drawn: Drawn) -> Estimate:
        """Compare with the same of another model."""


class Means(NamedTuple):
    """A measure that is the mean of a value of every case."""

    values: Floats

    def against(self, other: "Means", drawn: Drawn) -> Estimate:
        """Compare by the standard error of cases."""
        gaps = self.values - other.values
        _, error, df = mean_of_cases(gaps, drawn.codes)
        values = float(self.values.mean()), float(other.values.mean())
        alone = gaps if drawn.codes is None else None
        return Estimate(values, float(error), "cases", df=float(df), gaps=alone)


class Moved(NamedTuple):
    """A measure with its value, and how much every case moves it."""

    value: float
    influences: Floats

    def against(self, other: "Moved", drawn: Drawn) -> Estimate:
        """Compare by the standard error of influences."""
        error = drawn.moved(self.influences - other.influences)
        return Estimate((self.value, other.value), error, "influence", df=float(drawn.parts - 1))


class Area(NamedTuple):
    """The area under the ROC curve, of the scores of two classes."""

    truth: Floats
    scores: Floats

    def against(self, other: "Area", drawn: Drawn) -> Estimate:
        """Compare by DeLong's standard error, normal as pROC has it.

        Clusters hold cases of both classes, whose influences add up (Obuchowski 1997).
        """
        both, truth = np.stack([self.scores, other.scores]), self.truth
        if drawn.codes is not None:
            areas, moved = roc_influences(both, truth)
            error, df = drawn.moved(moved[0] - moved[1]), float(drawn.parts - 1)
            return Estimate((float(areas[0]), float(areas[1])), error, "delong", df=df)
        if min(truth.sum(), (1 - truth).sum()) < 2:
            raise invalid("truth", "at least two cases of either class", "one")
        areas, covariance = roc_areas(both, truth)
        variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
        error = float(np.sqrt(max(variance, 0.0)))
        return Estimate((float(areas[0]), float(areas[1])), error, "delong")


class Sums(NamedTuple):
    """A measure that is a function of sums over cases."""

    rows: Floats
    of_sums: Callable[[Floats], Floats]

    def against(self, other: "Sums", drawn: Drawn) -> Estimate:
        """Compare by sums of resamples."""
        count, width = drawn.count(_FAST), self.rows.shape[1]
        both = drawn.summed(np.concatenate([self.rows, other.rows], axis=1).T).T
        whole = both.sum(axis=0)[None]
        sums = np.concatenate([whole, resampling.resampled_sums(both, count, drawn.rng)])
        return drawn.spread(self.of_sums(sums[:, :width]), self.of_sums(sums[:, width:]))


class Weighted(NamedTuple):
    """A measure that is a function of how often every case occurs, (..., cases)."""

    of_times: Callable[[Floats], Floats]

    def against(self, other: "Weighted", drawn: Drawn) -> Estimate:
        """Compare by how often resamples hold every case."""
        count, parts, codes = drawn.count(_FAST), drawn.parts, drawn.codes
        found = []
        for start in range(0, count + 1, block := max(1, _HELD // parts)):
            rows = min(block, count + 1 - start)
            counts = drawn.rng.multinomial(parts, np.full(parts, 1 / parts), size=rows)
            times: Floats = counts.astype(np.float64)
            if start == 0:
                times[0] = 1.0
            times = times if codes is None else times[:, codes]
            found.append([one.of_times(times) for one in (self, other)])
        one, another = (np.concatenate(side) for side in zip(*found, strict=True))
        return drawn.spread(one, another)


class Recomputed(NamedTuple):
    """A function of cases that knows no more of itself."""

    function: Function
    truth: Any
    predicted: Any

    def against(self, other: "Recomputed", drawn: Drawn) -> Estimate:
        """Compare by computing it anew for every resample."""
        count, n = drawn.count(_SLOW), len(self.truth)
        found = np.empty((2, count + 1))
        for row, at in enumerate(_resamples(drawn, n, count)):
            found[:, row] = self.value(at), other.value(at)
        return drawn.spread(found[0], found[1])

    def value(self, at: Ints) -> float:
        """Return the measure of some cases."""
        value = _called(self.function, "measure", self.truth[at], self.predicted[at])
        try:
            return float(value)
        except (TypeError, ValueError):
            raise invalid("measure", "a function that returns one number", value) from None


def _resamples(drawn: Drawn, n: int, count: int) -> Iterable[Ints]:
    """Yield the places of all cases, then those of resampled cases or clusters."""
    codes, parts = drawn.codes, drawn.parts
    yield np.arange(n)
    members = None
    if codes is not None:
        order = np.argsort(codes, kind="stable")
        members = np.split(order, np.searchsorted(codes[order], np.arange(1, parts)))
    for _ in range(count):
        some = drawn.rng.integers(0, parts, size=parts)
        yield some if members is None else np.concatenate([members[part] for part in some])


def parts_of_function(
    function: Function, statistics: Function | None, truth: Any, predicted: Any
) -> Parts:
    """Return what a function of cases is made of: sums of statistics, if there are any."""
    if statistics is None:
        return Recomputed(function, truth, predicted)
    rows = require_numbers(_called(statistics, "statistics", truth, predicted), "statistics")
    rows = rows.reshape(len(rows), -1) if rows.ndim else rows
    if rows.ndim != 2 or len(rows) != len(truth) or not np.isfinite(rows).all():
        domain = "a function that returns finite numbers (cases, k)"
        raise invalid("statistics", domain, f"shape {rows.shape}")
    return Sums(rows, partial(_of_sums, function))


def _of_sums(function: Function, sums: Floats) -> Floats:
    """Ask a user's function of sums, and hold it to its shape."""
    found = require_numbers(_called(function, "measure", sums), "measure")
    if found.shape != sums.shape[:-1]:
        domain = "a function that reduces the last axis of its sums"
        raise invalid("measure", domain, f"shape {found.shape} of {sums.shape}")
    return found


def _called(function: Function, argument: str, *arrays: Any) -> Any:
    """Call a user's function; what it raises is told in a sentence, and kept as the cause."""
    try:
        return function(*arrays)
    except Exception as error:
        domain = "a function that can be called on any part of the cases"
        raise invalid(argument, domain, f"{type(error).__name__}: {error}") from error
