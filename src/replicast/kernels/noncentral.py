"""Tails of the noncentral t distribution, and noncentrality limits."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import scipy
from scipy import special

from replicast.arrays import Floats

_DIGITS_FROM = 1e-6  # SciPy's tails are right to about 1e-15, so smaller ones lack digits
_LARGE = 1e4  # noncentralities beyond which SciPy is slow or gives NaN
_HUGE = 1e15  # noncentralities beyond which T is proportional to them
_NEAREST = 1e-15  # tails nearer to 0 or 1 cannot be told from them


def nct_upper(critical: float | Floats, df: float | Floats, ncp: float | Floats) -> Floats:
    """Return P(T > critical) of the noncentral t; small tails keep their digits.

    Uses P(T > c; ncp) = P(T < -c; -ncp), which keeps tails that 1 - cdf would lose. What SciPy gives
    to few digits, or not at all, is integrated.
    """
    critical, df, ncp = (np.asarray(value, dtype=np.float64) for value in (critical, df, ncp))
    large = (np.abs(ncp) > _LARGE) | ~np.isfinite(critical)
    found = np.asarray(
        special.nctdtr(df, np.where(large, 0.0, -ncp), np.where(large, 0.0, -critical))
    )
    lost = ~(found >= _DIGITS_FROM) | large  # NaN is lost as well
    if lost.any():
        critical, df, ncp = np.broadcast_arrays(critical, df, ncp)
        patched = [
            _upper_integral(*each) for each in zip(critical[lost], df[lost], ncp[lost], strict=True)
        ]
        found = found.copy()
        found[lost] = patched
    return np.minimum(np.maximum(found, 0.0), 1.0)


def _upper_integral(critical: float, df: float, ncp: float) -> float:
    """Integrate over the normal part z of T, or over x = log(chi / sqrt(df)): the smoother one."""
    if np.isinf(critical):
        return 0.0 if critical > 0 else 1.0
    if (critical >= 0 and ncp < -40) or (critical <= 0 and ncp > 40):  # beyond the floats
        return float(ncp > 0)
    if abs(critical) > np.sqrt(2 * df):
        start = (
            -ncp if critical > 0 else -np.inf
        )  # below, a positive critical value is out of reach
        low, high = max(-40.0, start), max(40.0, 40.0 - ncp)

        def log_share(z: Floats) -> Floats:
            squares = df / 2 * np.minimum(np.abs(z + ncp) / abs(critical), 1e100) ** 2
            if critical > 0:
                share = special.gammainc(df / 2, squares)
            else:
                share = np.where(z > -ncp, 1.0, special.gammaincc(df / 2, squares))
            with np.errstate(divide="ignore"):
                return np.asarray(np.log(share)) - z**2 / 2

        return _integral(log_share, low, high) / float(np.sqrt(2 * np.pi))

    def log_mass(x: Floats) -> Floats:
        density = df * (x - np.expm1(2 * x) / 2)
        return np.asarray(density + special.log_ndtr(ncp - critical * np.exp(x)))

    low, high = -(40 / np.sqrt(df) + 750 / df), float(np.log1p(40 / np.sqrt(df)))
    return _integral(log_mass, low, high) * _chi_constant(df / 2)


def _chi_constant(a: float) -> float:
    """Return 2 a^a exp(-a) / Gamma(a); by Stirling's series where logarithms would cancel."""
    if a < 100:
        return float(np.exp(np.log(2) + a * np.log(a) - a - special.gammaln(a)))
    return float(2 * np.sqrt(a / (2 * np.pi)) * np.exp(-1 / (12 * a) + 1 / (360 * a**3)))


@lru_cache(maxsize=64)
def gauss_panels(count: int, order: int) -> tuple[Floats, Floats]:
    """Return nodes in [0, 1] and weights of Gauss's rule of this order on so many panels."""
    x, weights = np.polynomial.legendre.leggauss(order)
    nodes = (np.arange(count)[:, None] + (x + 1) / 2) / count
    return nodes.ravel(), np.tile(weights / (2 * count), count)


def _integral(log_integrand: Callable[[Floats], Floats], low: float, high: float) -> float:
    """Integrate a function with one peak, given its logarithm, around the peak."""
    rough = np.linspace(low, high, 3001)
    logs = log_integrand(rough)
    peak = float(logs.max())
    if not np.isfinite(peak):
        return 0.0
    near = np.flatnonzero(logs > peak - 45)
    low, high = float(rough[max(near[0] - 1, 0)]), float(rough[min(near[-1] + 1, 3000)])
    nodes, weights = gauss_panels(12, 32)
    values = np.exp(log_integrand(low + (high - low) * nodes) - peak)
    return float(np.exp(peak) * (high - low) * (weights @ values))


def noncentrality_limit(statistic: float, df: float, upper_tail: float) -> float:
    """Return the noncentrality at which P(T > statistic) equals `upper_tail`."""
    if np.isinf(statistic):
        return statistic
    upper_tail = min(max(upper_tail, _NEAREST), 1 - _NEAREST)
    if statistic < -_LARGE:  # T of -ncp is -T; the search is for positive values
        return -noncentrality_limit(-statistic, df, 1 - upper_tail)
    if statistic > _HUGE:
        return statistic / _HUGE * noncentrality_limit(_HUGE, df, upper_tail)
    reach = 10.0 + abs(statistic) * 2
    while True:
        low, high = statistic - reach, statistic + reach
        below = float(nct_upper(statistic, df, low)) - upper_tail
        above = float(nct_upper(statistic, df, high)) - upper_tail
        if below < 0 < above:
            break
        reach *= 2
    return _root(lambda ncp: float(nct_upper(statistic, df, ncp)) - upper_tail, low, high)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where the function is zero; SciPy loads `optimize` when it is first asked for."""
    return float(scipy.optimize.brentq(function, low, high, xtol=1e-12))


def nct_quantile(probability: float, df: float, ncp: float) -> float:
    """Return the value below which the noncentral t falls with this probability."""
    probability = min(max(probability, _NEAREST), 1 - _NEAREST)
    if ncp < -_LARGE:
        return -nct_quantile(1 - probability, df, -ncp)
    if ncp > _HUGE:
        return ncp / _HUGE * nct_quantile(probability, df, _HUGE)
    if abs(ncp) < _LARGE / 10:  # beyond, SciPy is slow
        found = float(special.nctdtrit(df, ncp, probability))
        if np.isfinite(found) and abs(float(nct_upper(found, df, ncp)) - (1 - probability)) < 1e-9:
            return found
    reach = 10.0 + abs(ncp)

    def excess(t: float) -> float:
        return 1 - probability - float(nct_upper(t, df, ncp))

    while not excess(ncp - reach) < 0 < excess(ncp + reach):
        reach *= 2
    return _root(excess, ncp - reach, ncp + reach)
