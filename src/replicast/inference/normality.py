"""Do the differences look normal? A check to report, never to choose a test by."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy import special

from replicast.arrays import Floats
from replicast.errors import invalid, require_choice
from replicast.results import Record

NormalityMethod = Literal["shapiro-wilk", "lilliefors", "kolmogorov-smirnov"]
_NAMES = {
    "shapiro-wilk": "Shapiro-Wilk",
    "lilliefors": "Lilliefors",
    "kolmogorov-smirnov": "Kolmogorov-Smirnov with estimated parameters, uncorrected",
}


@dataclass(frozen=True, kw_only=True)
class NormalityCheck(Record):
    """Statistic and p-value of a test of normality."""

    name: str
    statistic: float
    pvalue: float
    n: int

    def __str__(self) -> str:
        return f"{self.name}: p = {self.pvalue:.3g}"


def skewness(differences: Floats) -> tuple[float, float]:
    """Return the skewness G1 of a sample, and its standard error if the sample were normal.

    Examples
    --------
    >>> found, error = skewness(np.array([1.0, 2.0, 3.0, 4.0, 100.0]))
    >>> round(found, 3), round(error, 3)
    (2.232, 0.913)
    """
    values = _unit_scale(np.asarray(differences, dtype=np.float64))
    n = len(values)
    off = values - values.mean()
    variance = float((off**2).mean())
    if n < 3 or variance == 0:
        return 0.0, np.inf
    found = np.sqrt(n * (n - 1)) / (n - 2) * float((off**3).mean()) / variance**1.5
    return float(found), float(np.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3))))


def check_normality(
    differences: Floats, *, method: NormalityMethod = "shapiro-wilk"
) -> NormalityCheck:
    """Test whether a sample looks normal.

    `kolmogorov-smirnov` compares with a normal of the sample's own mean and spread, as papers do; its
    p-value is then far too large, so it almost never objects. `lilliefors` is the same statistic
    with the right p-value. A constant sample gives p = 1: there is nothing to object to.

    Examples
    --------
    >>> check_normality(np.array([1.0, 2.0, 3.0, 4.0, 100.0])).pvalue < 0.01
    True
    """
    require_choice(method, "method", tuple(_NAMES))
    try:
        values = np.asarray(differences, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise invalid("differences", "numbers", type(differences).__name__) from None
    if values.ndim != 1 or not np.isfinite(values).all():
        raise invalid("differences", "a sequence of finite numbers", f"shape {values.shape}")
    sample = np.sort(_unit_scale(values))
    n = len(sample)
    if n < 3:
        if n < 2:
            raise invalid("differences", "at least two values", n)
        return NormalityCheck(name=_NAMES[method], statistic=1.0, pvalue=1.0, n=n)
    if sample[0] == sample[-1]:
        return NormalityCheck(name=_NAMES[method], statistic=1.0, pvalue=1.0, n=n)
    if method == "shapiro-wilk":
        from scipy import stats

        if n > 5000:  # beyond the range of the published approximation: use evenly spaced quantiles
            sample = np.quantile(sample, np.linspace(0, 1, 5000))
        found = stats.shapiro(sample)
        return NormalityCheck(
            name=_NAMES[method], statistic=float(found.statistic), pvalue=float(found.pvalue), n=n
        )
    distance = float(ks_distance(sample[None])[0])
    if method == "lilliefors":
        null = _lilliefors_null(min(n, 500))
        # sqrt(n) D has nearly the same distribution for all larger n
        scaled = distance * np.sqrt(n / min(n, 500))
        pvalue = (int(np.count_nonzero(null >= scaled)) + 1) / (len(null) + 1)
    else:
        from scipy import stats

        pvalue = float(stats.kstwo.sf(distance, n))
    return NormalityCheck(name=_NAMES[method], statistic=distance, pvalue=float(pvalue), n=n)


def _unit_scale(sample: Floats) -> Floats:
    """Scale by a power of two, which changes no digit, so that squares stay within the floats."""
    _, exponent = np.frexp(np.abs(sample).max(initial=0.0))
    half = exponent // 2  # in two steps: one power of two may itself leave the floats
    return np.asarray(np.ldexp(np.ldexp(sample, -half), half - exponent))


def ks_distance(sorted_rows: Floats) -> Floats:
    """Return the largest gap between the empirical and the fitted normal distribution of each row."""
    n = sorted_rows.shape[-1]
    spread = sorted_rows.std(axis=-1, ddof=1, keepdims=True)
    centred = (sorted_rows - sorted_rows.mean(axis=-1, keepdims=True)) / spread
    fitted = special.ndtr(centred)
    steps = np.arange(1, n + 1) / n
    return np.asarray(
        np.maximum((steps - fitted).max(axis=-1), (fitted - steps + 1 / n).max(axis=-1))
    )


@lru_cache(maxsize=64)
def _lilliefors_null(n: int) -> Floats:
    rows = np.sort(np.random.default_rng(0).normal(size=(10_000, n)), axis=-1)
    return ks_distance(rows)
