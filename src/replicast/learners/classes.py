"""Classes as the user names them, and the codes that learners count with."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.arrays import Ints
from replicast.errors import invalid

MOST_CLASSES = np.iinfo(np.int16).max


def class_codes(y: object, n_rows: int) -> tuple[NDArray[Any], Ints]:
    """Return the classes and the class code of each row.

    Classes are sorted, unless `y` is categorical: then its categories are the classes, in their
    order and with those that do not occur.

    Examples
    --------
    >>> class_codes(["spam", "ham", "spam"], 3)
    (array(['ham', 'spam'], dtype='<U4'), array([1, 0, 1]))
    """
    labels = _one_dimensional(y)
    if len(labels) != n_rows:
        raise invalid(
            "y",
            f"one class for each of the {n_rows} rows of `X`",
            f"{len(labels)}",
            "Every row needs its class",
        )
    missing = np.flatnonzero(pd.isna(labels))
    if len(missing):
        raise invalid(
            "y", "free of missing classes", f"one at position {missing[0]}", "Drop those rows first"
        )
    if isinstance(labels, pd.Categorical):
        classes, codes = np.asarray(labels.categories), labels.codes
    else:
        try:
            classes, codes = np.unique(labels, return_inverse=True)
        except TypeError:
            raise invalid("y", "classes of one kind", "values that cannot be sorted") from None
    if len(classes) > MOST_CLASSES:
        raise invalid("y", f"at most {MOST_CLASSES} classes", len(classes))
    return classes, np.asarray(codes, dtype=np.int64)


def _one_dimensional(y: object) -> Any:
    values = y.array if isinstance(y, pd.Series) else y
    if isinstance(values, pd.Categorical):
        return values
    try:
        array = np.asarray(y)
    except ValueError:
        raise invalid("y", "a 1-D sequence of classes", "rows of different lengths") from None
    if array.ndim != 1:
        raise invalid("y", "a 1-D sequence of classes", f"{array.ndim} dimensions")
    return array
