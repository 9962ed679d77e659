"""Tails of the noncentral t distribution, and noncentrality limits."""

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

Floats = NDArray[np.float64]


def nct_upper(critical: float | Floats, df: float | Floats, ncp: float | Floats) -> Floats:
    """Return P(T > critical) of the noncentral t.

    Uses P(T > c; ncp) = P(T < -c; -ncp), which keeps small tails that 1 - cdf would lose. SciPy's
    function gives NaN for some vanishing tails; those are integrated.
    """
    critical, df, ncp = np.broadcast_arrays(
        *(np.asarray(value, dtype=np.float64) for value in (critical, df, ncp))
    )
    found = np.asarray(special.nctdtr(df, -ncp, -critical))
    lost = np.isnan(found)
    if lost.any():
        patched = [
            _upper_integral(*each) for each in zip(critical[lost], df[lost], ncp[lost], strict=True)
        ]
        found = found.copy()
        found[lost] = patched
    return np.minimum(np.maximum(found, 0.0), 1.0)


def _upper_integral(critical: float, df: float, ncp: float) -> float:
    """Integrate Phi(ncp - critical·w) over the density of w = chi / sqrt(df), on the log scale."""
    log_w = np.linspace(-30.0 / np.sqrt(df), 8.0 / np.sqrt(df), 4001)
    log_density = (
        np.log(2)
        + df / 2 * np.log(df / 2)
        - special.gammaln(df / 2)
        + df * log_w
        - df / 2 * np.exp(2 * log_w)
    )
    log_tail = special.log_ndtr(ncp - critical * np.exp(log_w))
    return float(np.trapezoid(np.exp(log_density + log_tail), log_w))


def two_sided_power(critical: float, df: float, ncp: float | Floats) -> Floats:
    """Return P(|T| > critical) of the noncentral t."""
    return np.minimum(1.0, nct_upper(critical, df, ncp) + nct_upper(critical, df, -np.asarray(ncp)))


def noncentrality_limit(statistic: float, df: float, upper_tail: float) -> float:
    """Return the noncentrality at which P(T > statistic) equals `upper_tail`."""
    if np.isinf(statistic):
        return statistic
    reach = 10.0 + abs(statistic) * 2
    while True:
        low, high = statistic - reach, statistic + reach
        below = float(nct_upper(statistic, df, low)) - upper_tail
        above = float(nct_upper(statistic, df, high)) - upper_tail
        if below < 0 < above:
            break
        reach *= 2
    return float(
        optimize.brentq(
            lambda ncp: float(nct_upper(statistic, df, ncp)) - upper_tail, low, high, xtol=1e-12
        )
    )


def nct_quantile(probability: float, df: float, ncp: float) -> float:
    """Return the value below which the noncentral t falls with this probability."""
    found = float(special.nctdtrit(df, ncp, probability))
    if np.isfinite(found) and abs(float(nct_upper(found, df, ncp)) - (1 - probability)) < 1e-9:
        return found
    reach = 10.0 + abs(ncp)

    def excess(t: float) -> float:
        return 1 - probability - float(nct_upper(t, df, ncp))

    while not excess(ncp - reach) < 0 < excess(ncp + reach):
        reach *= 2
    return float(optimize.brentq(excess, ncp - reach, ncp + reach, xtol=1e-12))
