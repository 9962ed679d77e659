"""Run the experiment: estimators, data and a design."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicast.errors import invalid
from replicast.kernels.ranks import signed_rank_statistics, signed_rank_z
from replicast.prospects import Spread


class TrainTest(NamedTuple):
    """One dataset of a comparison over datasets, already split."""

    X_train: ArrayLike
    y_train: ArrayLike
    X_test: ArrayLike
    y_test: ArrayLike


def retraining_spread(
    first: Any,
    second: Any,
    datasets: Sequence[TrainTest],
    *,
    resamples: int = 300,
    rng: int | np.random.Generator | None = 0,
) -> Spread:
    """Return the standard deviation s* of Wilcoxon's Z by retraining (Algorithm 1, Berrar 2024).

    Training and test rows of every dataset are resampled, both classifiers are refitted, and Z is
    computed anew from the differences in accuracy. It needs the data and `resamples` times the
    training; without them `replication_probability` resamples the differences instead.

    Parameters
    ----------
    first, second : scikit-learn classifiers
        Cloned for every fit, never fitted in place.
    datasets : sequence of TrainTest
        One split for each dataset of the comparison.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> rng = np.random.default_rng(0)
    >>> def dataset(shift):
    ...     X, y = rng.normal(size=(80, 2)), np.arange(80) % 2
    ...     X[y == 1] += shift
    ...     return TrainTest(X[:40], y[:40], X[40:], y[40:])
    >>> sets = [dataset(0.5 + i / 4) for i in range(6)]
    >>> spread = retraining_spread(
    ...     GaussianNB(), DecisionTreeClassifier(random_state=0), sets, resamples=20
    ... )
    >>> spread.source, spread.resamples, 0 < spread.value < 2
    ('retrained', 20, True)
    """
    if resamples < 2:
        raise invalid("resamples", "an integer of at least 2", resamples)
    if len(datasets) < 2:
        raise invalid("datasets", "at least two datasets", len(datasets))
    generator = np.random.default_rng(rng)
    differences = np.empty((resamples, len(datasets)))
    for column, dataset in enumerate(datasets):
        arrays = [np.asarray(part) for part in dataset]
        for row in range(resamples):
            differences[row, column] = _resampled_difference(first, second, arrays, generator)
    z = signed_rank_z(*signed_rank_statistics(differences.round(12)))
    return Spread(value=float(z.std(ddof=1)), source="retrained", resamples=resamples)


def _resampled_difference(
    first: Any, second: Any, arrays: list[NDArray[Any]], generator: np.random.Generator
) -> float:
    """Return the difference in accuracy of both classifiers, refitted on resampled rows."""
    from sklearn.base import clone

    X_train, y_train, X_test, y_test = arrays
    train = _rows_with_every_class(y_train, generator)
    test = generator.integers(0, len(y_test), size=len(y_test))
    scores = [
        np.mean(
            clone(model).fit(X_train[train], y_train[train]).predict(X_test[test]) == y_test[test]
        )
        for model in (first, second)
    ]
    return float(scores[0] - scores[1])


def _rows_with_every_class(y: NDArray[Any], generator: np.random.Generator) -> NDArray[np.int64]:
    """Draw rows with replacement until every class is there; a classifier needs them all."""
    classes = len(np.unique(y))
    while True:
        rows = generator.integers(0, len(y), size=len(y))
        if len(np.unique(y[rows])) == classes:
            return rows
