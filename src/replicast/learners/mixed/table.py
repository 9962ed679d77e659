"""One coded form of a table with numeric and nominal columns and missing cells."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.arrays import Floats, Ints
from replicast.errors import invalid

Categories = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class MixedTable:
    """A table coded as numbers: one row of `columns` per attribute, NaN for a missing cell.

    Parameters
    ----------
    columns : array of shape (attributes, rows)
        Values of numeric attributes, codes 0, 1, ... of nominal ones.
    n_categories : array of shape (attributes,)
        Size of each declared category list, 0 for a numeric attribute.
    categories : tuple
        The declared category list of each attribute, None for a numeric one.
    names : tuple of str, optional
        Column names if the table came from a data frame.
    """

    columns: Floats
    n_categories: Ints
    categories: tuple[Categories | None, ...]
    names: tuple[Any, ...] | None = None

    @classmethod
    def of(cls, X: object) -> "MixedTable":
        """Code a data frame, a numeric 2-D array, or return a table as it is."""
        if isinstance(X, MixedTable):
            return X
        if isinstance(X, pd.DataFrame):
            return cls.from_frame(X)
        return cls.from_array(X)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> "MixedTable":
        """Code a data frame: categorical, bool, object and string columns are nominal.

        Examples
        --------
        >>> frame = pd.DataFrame({"size": [1.5, None], "shape": ["round", "flat"]})
        >>> MixedTable.from_frame(frame).columns
        array([[1.5, nan],
               [1. , 0. ]])
        """
        categories = tuple(_declared(frame.iloc[:, j]) for j in range(frame.shape[1]))
        names = tuple(frame.columns)
        return cls._coded([frame.iloc[:, j] for j in range(frame.shape[1])], categories, names)

    @classmethod
    def from_array(cls, values: object) -> "MixedTable":
        """Code a 2-D array of numbers."""
        series = _series_of(values)
        return cls._coded(series, (None,) * len(series), None)

    @classmethod
    def from_codes(cls, codes: NDArray[Any], n_categories: object) -> "MixedTable":
        """Wrap rows of ready codes 0, 1, ...; `n_categories` is one size or one per column."""
        sizes = np.broadcast_to(np.asarray(n_categories, dtype=np.int64), codes.shape[1:])
        columns = np.array(codes.T, dtype=np.float64, order="C")
        return cls(columns, np.array(sizes), tuple(tuple(range(v)) for v in sizes))

    def __len__(self) -> int:
        return int(self.columns.shape[1])

    @property
    def n_columns(self) -> int:
        """Return the number of attributes."""
        return int(self.columns.shape[0])

    @property
    def is_nominal(self) -> NDArray[np.bool_]:
        """Return which attributes are nominal."""
        return self.n_categories > 0

    @cached_property
    def order(self) -> Ints:
        """Return the rows by ascending value of each numeric attribute, missing cells last."""
        return np.argsort(self.columns[~self.is_nominal], axis=1, kind="stable").astype(np.int64)

    def take(self, rows: object) -> "MixedTable":
        """Return the chosen rows (indices or a mask) with the same declared categories."""
        chosen = np.ascontiguousarray(self.columns[:, np.asarray(rows)])
        return MixedTable(chosen, self.n_categories, self.categories, self.names)

    def code_like(self, X: object) -> "MixedTable":
        """Code `X` with this table's attributes; categories not declared here become missing."""
        if isinstance(X, MixedTable):
            if X.n_columns != self.n_columns or (X.n_categories != self.n_categories).any():
                raise invalid("X", "a table with the attributes of the training table", "others")
            return X
        if isinstance(X, pd.DataFrame):
            self._require_names(X)
            series = [X.iloc[:, j] for j in range(X.shape[1])]
        else:
            if self.names is not None and self.is_nominal.any():
                raise invalid(
                    "X",
                    "a data frame with the columns of the training data",
                    type(X).__name__,
                    "Nominal columns are matched by their values",
                )
            series = _series_of(X)
        if len(series) != self.n_columns:
            raise invalid("X", f"a table of {self.n_columns} columns", len(series))
        return MixedTable._coded(series, self.categories, self.names)

    def _require_names(self, frame: pd.DataFrame) -> None:
        names = tuple(frame.columns)
        if self.names is None or names == self.names:
            return
        remedy = "Select the training columns, in their order, before predicting"
        raise invalid("X", f"a table with the columns {list(self.names)}", list(names), remedy)

    @classmethod
    def _coded(
        cls,
        series: "list[pd.Series[Any]]",
        categories: tuple[Categories | None, ...],
        names: tuple[Any, ...] | None,
    ) -> "MixedTable":
        n_rows = len(series[0]) if series else 0
        if n_rows == 0:
            raise invalid("X", "a table with at least one row and one column", "an empty one")
        columns = np.empty((len(series), n_rows))
        for j, (values, declared) in enumerate(zip(series, categories, strict=True)):
            if declared is None:
                columns[j] = _numbers(values, j if names is None else names[j])
            else:
                codes = pd.Index(declared, dtype=object).get_indexer(
                    pd.Index(values.astype(object))
                )
                columns[j] = np.where(codes < 0, np.nan, codes)
        sizes = np.array([0 if c is None else max(len(c), 1) for c in categories], dtype=np.int64)
        return cls(columns, sizes, categories, names)


def _declared(values: "pd.Series[Any]") -> Categories | None:
    if isinstance(values.dtype, pd.CategoricalDtype):
        return tuple(values.dtype.categories)
    if pd.api.types.is_bool_dtype(values.dtype):
        return (False, True)
    if pd.api.types.is_object_dtype(values.dtype) or pd.api.types.is_string_dtype(values.dtype):
        return _seen(values)
    return None


def _seen(values: "pd.Series[Any]") -> Categories:
    known = list(pd.unique(values.dropna().astype(object)))
    try:
        return tuple(sorted(known))
    except TypeError:  # values of different types have no order of their own
        return tuple(sorted(known, key=lambda value: (type(value).__name__, str(value))))


def _numbers(values: "pd.Series[Any]", name: object) -> Floats:
    try:
        if not pd.api.types.is_numeric_dtype(values.dtype) and not values.dtype == object:
            raise TypeError
        numbers = np.asarray(values.to_numpy(dtype=np.float64, na_value=np.nan))
    except (TypeError, ValueError):
        raise invalid(
            "X",
            f"numeric in column {name!r}",
            str(values.dtype),
            "Make the column categorical or convert it to numbers",
        ) from None
    if np.isinf(numbers).any():
        raise invalid("X", f"finite or missing in column {name!r}", "an infinite value")
    return numbers


def _series_of(values: object) -> "list[pd.Series[Any]]":
    """Return the columns of a 2-D array."""
    array = np.asarray(values)
    if array.ndim != 2:
        raise invalid("X", "a 2-D table", f"{array.ndim} dimensions")
    return [pd.Series(column) for column in array.T]
