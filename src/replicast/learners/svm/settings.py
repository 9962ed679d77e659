"""The settings of a support vector machine, in one vocabulary for `machine` and `single`."""

from typing import Literal, NamedTuple, TypedDict

import numpy as np

from replicast.arrays import Codes, Floats
from replicast.errors import invalid, require_choice
from replicast.kernels.compiled import compiled

Scaling = Literal["fold", "once", "none"]
Gamma = Literal["scale", "auto"] | float

BY_VARIANCE = -1.0  # stands for gamma="scale"


class Options(TypedDict, total=False):
    """What a caller may say.

    C, gamma, tolerance
        As in `sklearn.svm.SVC`: 1.0, "scale" and 1e-3 if not given.
    scaling : {"fold", "once", "none"}
        Scale features with the moments of each training set (the default), of all rows once, or not
        at all.
    ddof : {0, 1}
        Divisor of the variances less than the count by this: 0 as in scikit-learn's
        StandardScaler, 1 as in R's e1071, which scales nothing if a feature is constant.
    """

    C: float
    gamma: Gamma
    scaling: Scaling
    ddof: int
    tolerance: float


class Settings(NamedTuple):
    """The options, checked; `gamma` is a number."""

    C: float
    gamma: float
    scaling: Scaling
    ddof: int
    tolerance: float

    @classmethod
    def checked(
        cls,
        features: int,
        *,
        C: float = 1.0,
        gamma: Gamma = "scale",
        scaling: Scaling = "fold",
        ddof: int = 0,
        tolerance: float = 1e-3,
    ) -> "Settings":
        """Return the settings for rows with so many features, or say which option is wrong."""
        if C <= 0:
            raise invalid("C", "positive", C)
        require_choice(scaling, "scaling", ("fold", "once", "none"))
        return cls(float(C), _gamma_number(gamma, features), scaling, ddof, tolerance)


def _gamma_number(gamma: Gamma, features: int) -> float:
    if isinstance(gamma, str):
        chosen = require_choice(gamma, "gamma", ("scale", "auto"))
        return BY_VARIANCE if chosen == "scale" else 1.0 / features
    if gamma <= 0:
        raise invalid("gamma", "scale, auto or a positive number", gamma)
    return float(gamma)


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
