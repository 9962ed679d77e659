"""What two classifiers predicted for the same cases, and the truth."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicast.design import (
    Holdout,
)
from replicast.errors import (
    DesignMismatchError,
    invalid,
)
from replicast.scores.pairs import PairedScores
from replicast.scores.parsing import Arrays, parse_names

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PairedPredictions(Arrays):
    """Predictions of two fitted classifiers for the same cases of one test set.

    Examples
    --------
    >>> pair = PairedPredictions(truth=[1, 0, 1], first=[1, 0, 0], second=[0, 0, 0])
    >>> pair.discordant
    (1, 0)
    """

    truth: NDArray[np.generic]
    first: NDArray[np.generic]
    second: NDArray[np.generic]
    names: tuple[str, str] = ("first", "second")

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            truth: ArrayLike,
            first: ArrayLike,
            second: ArrayLike,
            names: Sequence[str] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        arrays = {name: _array(getattr(self, name), name) for name in ("truth", "first", "second")}
        for name, array in arrays.items():
            if array.ndim != 1 or len(array) == 0:
                raise invalid(name, "a non-empty one-dimensional array", f"shape {array.shape}")
            if len(array) != len(arrays["truth"]):
                raise DesignMismatchError(
                    name, f"as long as `truth` ({len(arrays['truth'])})", f"{len(array)}"
                )
            missing = [i for i, value in enumerate(array) if value is None or value != value]
            if missing:
                raise invalid(
                    name,
                    "free of missing values",
                    f"one at position {missing[0]}",
                    "Drop the case from all three",
                )
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        object.__setattr__(self, "names", parse_names(self.names))

    def __repr__(self) -> str:
        first, second = self.names
        return f"<PairedPredictions: {first} against {second}, {len(self.truth)} cases>"

    @property
    def discordant(self) -> tuple[int, int]:
        """Cases only the first got right, and cases only the second got right."""
        first, second = self.first == self.truth, self.second == self.truth
        return int(np.count_nonzero(first & ~second)), int(np.count_nonzero(second & ~first))

    @property
    def scores(self) -> PairedScores:
        """Correctness of every case as paired scores of a holdout."""
        return PairedScores(
            first=(self.first == self.truth).astype(np.float64),
            second=(self.second == self.truth).astype(np.float64),
            design=Holdout(len(self.truth)),
            names=self.names,
        )

    def swapped(self) -> Self:
        """Return the same predictions with the classifiers exchanged."""
        return replace(
            self, first=self.second, second=self.first, names=(self.names[1], self.names[0])
        )


def _array(values: ArrayLike, argument: str) -> NDArray[Any]:
    try:
        return np.array(values)
    except ValueError:  # rows of several lengths
        raise invalid(argument, "a non-empty one-dimensional array", "rows of lists") from None
