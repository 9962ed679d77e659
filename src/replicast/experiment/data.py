"""A user's X and y, checked once: class codes for kernels, the original rows for estimators."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from replicast.arrays import Floats, Ints
from replicast.errors import invalid
from replicast.learners.classes import class_codes
from replicast.scores.parsing import require_numbers


@dataclass(frozen=True)
class Problem:
    """Rows, class codes, and the classes they stand for; or rows and a number to predict for each.

    Rows of one of the `groups` stay together; `weights` say how much each row counts.
    """

    X: Any
    codes: Ints
    classes: tuple[Any, ...]
    name: str
    target: Floats | None = None
    groups: Ints | None = None
    weights: Floats | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @property
    def labels(self) -> Any:
        """Class of each row, as the user gave it; or the number to predict."""
        if self.target is not None:
            return self.target
        return np.array(self.classes, dtype=_label_type(self.classes))[self.codes]

    def rows(self, index: NDArray[np.intp]) -> Any:
        """Return rows of X, as a frame, a sparse matrix or texts if it is such."""
        return self.X.iloc[index] if isinstance(self.X, pd.DataFrame) else self.X[index]


def _label_type(classes: tuple[Any, ...]) -> Any:
    return object if any(isinstance(label, str) for label in classes) else None


def prepare(
    X: Any,
    y: ArrayLike,
    name: str = "data",
    *,
    numbers: bool = False,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Problem:
    """Check that X and y belong together and code the classes; or keep `numbers` to predict.

    The classes of a categorical y keep their order, those without rows included; others are sorted.
    """
    rows = X if isinstance(X, pd.DataFrame) else _rows(X)
    count = rows.shape[0]
    if count == 0:
        raise invalid("X", "a table with at least one row", "an empty one")
    grouped, weighed = _groups(groups, count), _weights(weights, count)
    if numbers:
        target = require_numbers(y, "y")
        if target.shape != (count,) or not np.isfinite(target).all():
            raise invalid("y", f"one finite number for each of the {count} rows", _shape(target))
        return Problem(
            rows, np.zeros(count, dtype=np.int64), (), str(name), target, grouped, weighed
        )
    classes, codes = class_codes(y, count)
    if classes.dtype.kind == "f" and (classes % 1 != 0).any():
        raise invalid("y", "classes", "fractions", "Give class labels, not a number to predict")
    if len(np.unique(codes)) < 2:
        raise invalid("y", "at least two classes", "one", "There is nothing to tell apart")
    return Problem(rows, codes, tuple(classes.tolist()), str(name), None, grouped, weighed)


def _shape(array: NDArray[Any]) -> str:
    return f"shape {array.shape}" if np.isfinite(array).all() else "a value that is not"


def _groups(groups: ArrayLike | None, n: int) -> Ints | None:
    """Return the number of the group of each row."""
    if groups is None:
        return None
    try:
        codes, labels = pd.factorize(np.asarray(groups).ravel())
    except (TypeError, ValueError):
        raise invalid("groups", "a label for every row", type(groups).__name__) from None
    if len(codes) != n or (codes < 0).any():
        raise invalid("groups", f"a label for each of the {n} rows", f"{len(codes)} labels")
    if len(labels) < 2:
        raise invalid("groups", "at least two groups", "one")
    return codes.astype(np.int64)


def _weights(weights: ArrayLike | None, n: int) -> Floats | None:
    if weights is None:
        return None
    found = require_numbers(weights, "sample_weight")
    if found.shape != (n,) or not np.isfinite(found).all() or (found < 0).any():
        raise invalid("sample_weight", f"a weight of 0 or more for each of the {n} rows", "others")
    return found


def _rows(X: Any) -> Any:
    """Return a matrix, dense or sparse, or texts."""
    from scipy import sparse

    matrix: Any = X
    if sparse.issparse(X):
        return matrix.tocsr()
    listed = isinstance(X, list | tuple | pd.Series) or (isinstance(X, np.ndarray) and X.ndim == 1)
    if listed and len(X) and _is_text(X):
        return np.array(list(X), dtype=object)
    return _matrix(X)


def _is_text(X: Any) -> bool:
    return all(isinstance(row, str) for row in X)


def _matrix(X: Any) -> NDArray[Any]:
    try:
        matrix = np.asarray(X)
    except (TypeError, ValueError):
        raise invalid("X", "a table of rows and columns", type(X).__name__) from None
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise invalid("X", "two-dimensional, rows by columns", f"shape {matrix.shape}")
    return matrix
