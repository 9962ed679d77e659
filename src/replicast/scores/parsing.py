"""What all records of scores parse alike: arrays, names, clusters."""

from collections.abc import Sequence
from dataclasses import fields
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicast.arrays import Floats, Ints
from replicast.errors import (
    DesignMismatchError,
    invalid,
    show,
)


class Arrays:
    """Records that hold arrays: equal if all their fields are."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        named = [one.name for one in fields(self) if one.compare]  # type: ignore[arg-type]  # all are dataclasses
        return all(_same(getattr(self, name), getattr(other, name)) for name in named)

    __hash__ = None  # type: ignore[assignment]  # arrays have none either


def _same(one: object, other: object) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if not isinstance(one, np.ndarray) or not isinstance(other, np.ndarray):
        return type(one) is type(other) and one == other
    return np.array_equal(one, other, equal_nan=one.dtype.kind == other.dtype.kind == "f")


def parse_scores(values: ArrayLike, argument: str) -> Floats:
    """Return a read-only copy of finite one-dimensional scores."""
    if isinstance(values, set | frozenset | dict):
        raise invalid(argument, "a sequence in a fixed order", type(values).__name__)
    array = require_numbers(values, argument)
    if array.ndim != 1:
        raise invalid(argument, "one-dimensional", f"an array of shape {array.shape}")
    bad = np.flatnonzero(~np.isfinite(array))
    if len(bad):
        remedy = "Drop the split from both classifiers or impute its score"
        raise invalid(argument, "finite", f"{array[bad[0]]} at position {bad[0]}", remedy)
    array.setflags(write=False)
    return array


def require_numbers(values: ArrayLike, argument: str) -> Floats:
    """Return a copy of numbers as an array of floats, whatever its shape, else raise."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise invalid(argument, "numbers", _first_stranger(values)) from None


def _first_stranger(values: ArrayLike) -> str:
    for position, value in enumerate(values if isinstance(values, Sequence) else [values]):
        try:
            float(value)
        except (TypeError, ValueError, OverflowError):
            shown = repr(value) if isinstance(value, str) else show(value)
            return f"{shown} at position {position}"
    return f"a {type(values).__name__}"


def parse_items(values: object, argument: str) -> list[Any]:
    """Return the items of whatever holds some and is no text, else raise."""
    if not isinstance(values, str | bytes):
        try:
            return list(values)  # type: ignore[call-overload,no-any-return]  # or it raises
        except TypeError:  # an array without a dimension, or a number
            pass
    raise invalid(argument, "a sequence", values)


def parse_names(names: Sequence[str]) -> tuple[str, str]:
    """Return the names of two classifiers."""
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != 2:
        raise invalid("names", "two classifier names", repr(names))
    return str(names[0]), str(names[1])


def is_correctness(first: Floats, second: Floats) -> bool:
    """Say whether every score is 0 or 1."""
    return bool(np.isin(first, (0.0, 1.0)).all() and np.isin(second, (0.0, 1.0)).all())


def _are_codes(labels: NDArray[np.generic]) -> bool:
    """Say whether labels are the numbers from 0 on, each in use."""
    numbers = labels.astype(np.int64)
    if len(numbers) == 0 or numbers.min() < 0 or numbers.max() >= len(numbers):
        return False
    return bool((np.bincount(numbers) > 0).all())


def cluster_codes(labels: object, n: int, argument: str = "clusters") -> tuple[Ints, int]:
    """Return the clusters of n cases as numbers from 0, and how many clusters there are."""
    if isinstance(labels, set | frozenset | dict) or not hasattr(labels, "__len__"):
        raise invalid(argument, "a label for every case", type(labels).__name__)
    array = np.asarray(list(labels) if isinstance(labels, str) else labels)
    if array.ndim != 1 or len(array) != n:
        raise DesignMismatchError(argument, f"one label for each of {n} cases", f"{array.shape}")
    codes = _codes_of(array, argument)
    count = int(codes.max()) + 1
    if count < 2:
        remedy = (
            "Cases that all hang together are one observation; leave clusters out if they do not"
        )
        raise DesignMismatchError(argument, "two or more", "one", remedy)
    codes.setflags(write=False)
    return codes, count


def _codes_of(labels: NDArray[Any], argument: str) -> Ints:
    """Return numbers from 0 for labels: in order of size for numbers, else of appearance."""
    if labels.dtype.kind in "iub":
        if _are_codes(labels):
            return labels.astype(np.int64)
        return np.unique(labels, return_inverse=True)[1].astype(np.int64)
    places: dict[object, int] = {}
    codes = [places.setdefault(label, len(places)) for label in labels.tolist()]
    if any(label is None or label != label for label in places):
        raise invalid(argument, "a label for every case", "a missing one")
    return np.array(codes, dtype=np.int64)


def parse_folds(folds: object, n: int, clusters: Ints | None = None) -> int:
    """Return how many folds there are: a number, or that of the labels, one for each case.

    Labels also tell whether a cluster is in two folds, whose models then have seen their test cases.
    """
    if type(folds) is not bool and isinstance(folds, Integral):
        count = int(folds)
    else:
        codes, count = cluster_codes(folds, n, "folds")
        together = 0 if clusters is None else len(np.unique(np.stack([clusters, codes]), axis=1)[0])
        if clusters is not None and together > int(clusters.max()) + 1:
            remedy = "Cross-validate with the groups kept together (GroupKFold)"
            raise DesignMismatchError("folds", "such that no cluster is in two", "one", remedy)
    if not 2 <= count <= n:
        raise invalid("folds", f"at least 2 and at most as many as the {n} cases", count)
    return count
