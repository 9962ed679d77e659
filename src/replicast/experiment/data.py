"""A user's X and y, checked once: class codes for kernels, the original rows for estimators."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from replicast.arrays import Ints
from replicast.errors import invalid
from replicast.learners.classes import class_codes


@dataclass(frozen=True)
class Problem:
    """A classification problem: rows, class codes, and the classes they stand for."""

    X: Any
    codes: Ints
    classes: tuple[Any, ...]
    name: str

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @property
    def labels(self) -> Any:
        """Class of each row, as the user gave it."""
        return np.array(self.classes, dtype=_label_type(self.classes))[self.codes]

    def rows(self, index: NDArray[np.intp]) -> Any:
        """Return rows of X, as a frame if it is one."""
        return self.X.iloc[index] if isinstance(self.X, pd.DataFrame) else self.X[index]


def _label_type(classes: tuple[Any, ...]) -> Any:
    return object if any(isinstance(label, str) for label in classes) else None


def prepare(X: Any, y: ArrayLike, name: str = "data") -> Problem:
    """Check that X and y belong together and code the classes.

    The classes of a categorical y keep their order, those without rows included; others are sorted.
    """
    rows = X if isinstance(X, pd.DataFrame) else _matrix(X)
    if len(rows) == 0:
        raise invalid("X", "a table with at least one row", "an empty one")
    classes, codes = class_codes(y, len(rows))
    if classes.dtype.kind == "f" and (classes % 1 != 0).any():
        raise invalid("y", "classes", "fractions", "Give class labels, not a number to predict")
    if len(np.unique(codes)) < 2:
        raise invalid("y", "at least two classes", "one", "There is nothing to tell apart")
    return Problem(rows, codes, tuple(classes.tolist()), str(name))


def _matrix(X: Any) -> NDArray[Any]:
    try:
        matrix = np.asarray(X)
    except (TypeError, ValueError):
        raise invalid("X", "a table of rows and columns", type(X).__name__) from None
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise invalid("X", "two-dimensional, rows by columns", f"shape {matrix.shape}")
    return matrix
