"""The settings of a support vector machine, in one vocabulary for `machine` and `single`."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from replicast.arrays import Codes, Floats
from replicast.errors import invalid, require_choice
from replicast.kernels.compiled import compiled

Scaling = Literal["fold", "none"]
Gamma = Literal["scale", "auto"] | float

BY_VARIANCE = -1.0  # stands for gamma="scale"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a machine is fitted, checked.

    Attributes
    ----------
    C, gamma, tolerance
        As in `sklearn.svm.SVC`.
    scaling : {"fold", "none"}
        Scale features with the moments of each training set, or not at all.
    ddof : {0, 1}
        Divisor of the variances less than the count by this: 0 as in scikit-learn's
        StandardScaler, 1 as in R's e1071, which scales nothing if a feature is constant.
    """

    C: float = 1.0
    gamma: Gamma = "scale"
    scaling: Scaling = "fold"
    ddof: int = 0
    tolerance: float = 1e-3

    def __post_init__(self) -> None:
        if self.C <= 0:
            raise invalid("C", "positive", self.C)
        require_choice(self.scaling, "scaling", ("fold", "none"))
        if isinstance(self.gamma, str):
            require_choice(self.gamma, "gamma", ("scale", "auto"))
        elif self.gamma <= 0:
            raise invalid("gamma", "scale, auto or a positive number", self.gamma)

    def gamma_of(self, features: int) -> float:
        """Return gamma as a number for rows with so many features."""
        if isinstance(self.gamma, str):
            return BY_VARIANCE if self.gamma == "scale" else 1.0 / features
        return float(self.gamma)


def gamma_for(gamma: float, features: int, variance: float) -> float:
    """Return gamma itself, or by the variance of the scaled entries where that is asked for."""
    if gamma != BY_VARIANCE:
        return gamma
    return 1.0 / (features * variance) if variance > 0 else 1.0


def moments(X: Floats, scale: bool, ddof: int) -> tuple[float, Floats, Floats]:
    """Return the variance of the scaled entries, and the means and divisors of the features."""
    mean, divisor = np.empty(X.shape[1]), np.empty(X.shape[1])
    zero, one, once = np.zeros(X.shape[1]), np.ones(X.shape[1]), np.ones(len(X), np.int16)
    variance = fill_scales(X, once, scale, ddof, zero, one, mean, divisor)
    return variance, mean, divisor


@compiled
def fill_scales(
    X: Floats,
    counts: Codes,
    scale: bool,
    ddof: int,
    shift: Floats,
    stretch: Floats,
    mean: Floats,
    divisor: Floats,
) -> float:
    """Fill means and divisors of the features; return the variance of all scaled entries.

    The features as given by the user are X · stretch + shift.
    """
    features = X.shape[1]
    total = 0.0
    spread = np.zeros(features)
    least, most = np.full(features, np.inf), np.full(features, -np.inf)
    mean[:] = 0.0
    for i in range(len(X)):
        if counts[i] > 0:
            weight = float(counts[i])
            total += weight
            for k in range(features):
                mean[k] += weight * X[i, k]
                least[k] = min(least[k], X[i, k])
                most[k] = max(most[k], X[i, k])
    for k in range(features):
        mean[k] /= total
    for i in range(len(X)):
        if counts[i] > 0:
            weight = float(counts[i])
            for k in range(features):
                spread[k] += weight * (X[i, k] - mean[k]) * (X[i, k] - mean[k])
    constant = 0
    epsilon = 2.0**-52
    for k in range(features):
        spread[k] /= total
        divisor[k] = np.sqrt(spread[k] * total / (total - ddof)) if total > 1 else 0.0
        given = spread[k] * stretch[k] * stretch[k]
        tiny = total * (mean[k] * stretch[k] + shift[k]) * epsilon
        # scikit-learn's rule for constants, and equality where only the mean is rounded
        if least[k] == most[k] or given <= total * epsilon * given + tiny * tiny:
            spread[k] = 0.0 if least[k] == most[k] else spread[k]
            divisor[k] = 1.0 / stretch[k]
            constant += 1
    if ddof == 1 and constant > 0:  # e1071 then leaves all features as they are
        scale = False
    grand, squares = 0.0, 0.0
    for k in range(features):
        middle = 0.0
        if not scale:
            divisor[k] = 1.0 / stretch[k]
            middle = mean[k] * stretch[k] + shift[k]
        grand += middle / features
        squares += (spread[k] / (divisor[k] * divisor[k]) + middle * middle) / features
    return squares - grand * grand
