"""Algorithm 1 of Berrar (2024): how much Z varies when everything is resampled and retrained."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicast.arrays import Floats, Ints
from replicast.design import require_count
from replicast.errors import invalid, require_choice, require_sequence, show
from replicast.experiment.engines import recognise_resampling, seeded
from replicast.experiment.evaluation import require_estimator
from replicast.kernels.ranks import signed_rank_statistics, signed_rank_z
from replicast.randomness import RandomSource, generator
from replicast.replication.records import Spread

_MOST_RESAMPLES = 1_000_000


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
    rng: RandomSource = 0,
    engine: Literal["auto", "refit"] = "auto",
) -> Spread:
    """Return the standard deviation s* of Wilcoxon's Z by retraining (Algorithm 1, Berrar 2024).

    Training and test rows of every dataset are resampled, both classifiers are refitted, and Z is
    computed anew from the differences in accuracy. It needs the data and `resamples` times the
    training; without them `replicate` resamples the differences instead. Also called: bootstrapped
    standard deviation of Z_w.

    Parameters
    ----------
    first, second : scikit-learn classifiers
        Cloned for every fit, never fitted in place.
    datasets : sequence of TrainTest
        One split for each dataset of the comparison.
    engine : {"auto", "refit"}
        Naive Bayes and SVMs are trained on weighted rows, with the same answers as refitting.

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
    require_choice(engine, "engine", ("auto", "refit"))
    resamples = require_count(resamples, "resamples", 2, _MOST_RESAMPLES)
    for argument, model in (("first", first), ("second", second)):
        require_estimator(model, argument, show(model))
    require_sequence(datasets, "datasets", 2)
    source = generator(rng)
    models = (first, second)
    differences = np.stack(
        [_resampled_differences(models, each, resamples, source, engine) for each in datasets],
        axis=1,
    )
    z = signed_rank_z(*signed_rank_statistics(differences.round(12)))
    return Spread(value=float(z.std(ddof=1)), source="retrained", resamples=resamples)


def _resampled_differences(
    models: tuple[Any, Any],
    dataset: TrainTest,
    resamples: int,
    source: np.random.Generator,
    engine: str,
) -> Floats:
    """Return the differences in accuracy of both classifiers, refitted on resampled rows."""
    X_train, y_train, X_test, y_test = _parts(dataset)
    classes, codes = np.unique(y_train, return_inverse=True)
    train = _draws_with_every_class(codes, resamples, source)
    test = _draws(len(y_test), resamples, source)
    accuracies = []
    for model in models:
        found = _predictions(model, X_train, codes, X_test, train, classes, engine)
        right = classes[found] == y_test
        accuracies.append((right * test).sum(axis=1) / len(y_test))
    return np.asarray(accuracies[0] - accuracies[1])


def _parts(dataset: TrainTest) -> tuple[NDArray[Any], ...]:
    """Return the four parts of a dataset as arrays, or say which does not fit."""
    if not isinstance(dataset, tuple) or len(dataset) != 4:
        raise invalid("datasets", "a TrainTest for each dataset", dataset)
    parts = tuple(np.asarray(part) for part in dataset)
    for X, y in (parts[:2], parts[2:]):
        if X.ndim != 2 or y.ndim != 1 or len(X) != len(y) or len(y) == 0:
            got = f"shapes {X.shape} and {y.shape}"
            raise invalid("datasets", "rows by columns, with a class for each row", got)
    return parts


def _predictions(
    model: Any,
    X_train: NDArray[Any],
    codes: Ints,
    X_test: NDArray[Any],
    draws: Ints,
    classes: NDArray[Any],
    engine: str,
) -> Ints:
    """Return class numbers (resamples, test rows), by weights where that is exact."""
    from sklearn.base import clone

    numeric = X_train.dtype.kind in "fiu"
    fast = recognise_resampling(model, X_train) if numeric and engine == "auto" else None
    if fast is not None:
        X_train, X_test = (np.ascontiguousarray(X, dtype=np.float64) for X in (X_train, X_test))
        return np.asarray(fast(X_train, codes, X_test, draws, len(classes)), dtype=np.int64)
    found = np.empty((len(draws), len(X_test)), dtype=np.int64)
    for position, counts in enumerate(draws):
        rows = np.repeat(np.arange(len(codes)), counts)
        fitted = seeded(clone(model), 0, position, 0).fit(X_train[rows], codes[rows])
        found[position] = fitted.predict(X_test)
    return found


def _draws(rows: int, resamples: int, source: np.random.Generator) -> Ints:
    """Return how often each row is drawn in each resample."""
    return np.asarray(source.multinomial(rows, np.full(rows, 1 / rows), size=resamples))


def _draws_with_every_class(codes: Ints, resamples: int, source: np.random.Generator) -> Ints:
    """Draw rows until every class is there, in every resample; a classifier needs them all."""
    draws = _draws(len(codes), resamples, source)
    members = np.eye(codes.max() + 1, dtype=np.int64)[codes]
    while (lacking := ((draws @ members) == 0).any(axis=1)).any():
        draws[lacking] = _draws(len(codes), int(lacking.sum()), source)
    return draws
