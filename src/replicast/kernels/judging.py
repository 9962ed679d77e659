"""Judging a replication by its estimate and standard error beside those of the original.

All functions broadcast. Estimates come in as they favour the original's direction, so that a positive
replication agrees with it.
"""

from typing import NamedTuple

import numpy as np
from scipy import special

from replicast.arrays import Bools, Floats

GOLDEN = float(np.sqrt((1 + np.sqrt(5)) / 2))
_NODES, _CHUNK = 200, 4096
_NEAR, _FAR = 1e-20, 40.0  # of z_S: below, p is 1/2; beyond, it is nothing
_MARGIN = 6.0  # the grid ends where the integrand is 1e-16 of its peak


def sceptical_z(z_original: Floats, z_replication: Floats, ratio: Floats) -> Floats:
    """Return z_S, at which (z_o²/z_S² - 1)(z_r²/z_S² - 1) is the ratio of variances (Held 2020).

    `ratio` is the original's variance over the replication's.
    """
    scale = np.maximum(np.abs(z_original), np.abs(z_replication))
    safe = np.where(scale == 0, 1.0, scale)
    a, b = np.abs(z_original) / safe, np.abs(z_replication) / safe
    mean = (a**2 + b**2) / 2
    root = np.sqrt(np.maximum(mean**2 + (ratio - 1) * (a * b) ** 2, 0.0))
    return np.where(scale == 0, 0.0, safe * a * b / np.sqrt(np.where(scale == 0, 1.0, mean + root)))


def golden_p(z: Floats, agrees: Bools) -> Floats:
    """Return the golden sceptical p-value of z_S, one-sided (Held, Micheloud and Pawel 2022)."""
    return _one_sided(special.ndtr(-z * GOLDEN), agrees)


def nominal_p(z: Floats, agrees: Bools) -> Floats:
    """Return the nominal sceptical p-value of z_S, never below the larger one-sided p-value."""
    return _one_sided(special.ndtr(-z), agrees)


def controlled_p(z: Floats, ratio: Floats, agrees: Bools) -> Floats:
    """Return the controlled sceptical p-value: the root of its own false-alarm rate.

    If neither experiment has an effect, it is at most alpha with probability alpha² (Micheloud,
    Balabdaoui and Held 2023).
    """
    z, ratio = np.broadcast_arrays(np.asarray(z, np.float64), np.asarray(ratio, np.float64))
    found = np.full(z.shape, 0.5)
    for at in range(0, z.size, _CHUNK):
        part = slice(at, at + _CHUNK)
        found.reshape(-1)[part] = _controlled_tail(z.ravel()[part, None], ratio.ravel()[part, None])
    return _one_sided(found, agrees)


def _controlled_tail(z: Floats, ratio: Floats) -> Floats:
    safe = np.clip(z, _NEAR, _FAR)
    low = np.log(safe) - _MARGIN
    step = (_MARGIN**2 - low) / _NODES
    s = low + step * np.arange(_NODES + 1)  # a grid on which the integrand falls off both ways
    inverse = 1 + np.exp(-2 * s)
    inside = np.exp(-(safe**2) * inverse * (1 + np.sqrt(1 + (ratio - 1) / inverse)))
    alarm = (inside / np.cosh(s) * step).sum(axis=-1) / np.pi
    return np.where(z[..., 0] < _NEAR, 0.5, np.sqrt(alarm) / 2)


def _one_sided(tail: Floats, agrees: Bools) -> Floats:
    return np.where(agrees, tail, 1 - tail)


def edgington(first: Floats, second: Floats) -> Floats:
    """Return Edgington's p-value: the chance that two uniform p-values add up to no more."""
    total = np.asarray(first + second)
    return np.where(total <= 1, total**2 / 2, 1 - (2 - total) ** 2 / 2)


class Judged(NamedTuple):
    """What two estimates with standard errors say together; seen from the original's direction."""

    z_original: Floats
    z_replication: Floats
    ratio: Floats
    sceptical_z: Floats
    golden_p: Floats
    controlled_p: Floats
    nominal_p: Floats
    q_pvalue: Floats
    low: Floats
    high: Floats
    edgington_p: Floats
    bayes_factor: Floats
    pooled: Floats
    pooled_se: Floats


def judge(
    original: Floats,
    original_se: Floats,
    replication: Floats,
    replication_se: Floats,
    *,
    confidence: float = 0.95,
    evidence: tuple[Floats, Floats] | None = None,
) -> Judged:
    """Judge replications; an original below 0 is turned, and what is in its unit turned back.

    The z-values of both are `evidence`, where an estimate over its error is not that of its p-value.

    `low` and `high` are the limits of the prediction interval of the replication; `bayes_factor` is
    that of no effect against the effect the original leaves open (Verhagen and Wagenmakers 2014).
    """
    direction = np.where(original < 0, -1.0, 1.0)
    z_o, z_r = evidence or (original / original_se, replication / replication_se)
    z_o, z_r = direction * z_o, direction * z_r
    ratio = (original_se / replication_se) ** 2
    z_s, agrees = sceptical_z(z_o, z_r, ratio), z_r >= 0
    spread = np.hypot(original_se, replication_se)
    gap = (replication - original) / spread
    reach = special.ndtri(0.5 + confidence / 2) * spread
    null = replication / replication_se
    log_factor = np.log(spread / replication_se) + (gap**2 - null**2) / 2
    share = 1 / (1 + ratio)  # of the original in the pooled estimate
    return Judged(
        z_original=direction * z_o,
        z_replication=direction * z_r,
        ratio=ratio,
        sceptical_z=z_s,
        golden_p=golden_p(z_s, agrees),
        controlled_p=controlled_p(z_s, ratio, agrees),
        nominal_p=nominal_p(z_s, agrees),
        q_pvalue=special.erfc(np.abs(gap) / np.sqrt(2)),
        low=original - reach,
        high=original + reach,
        edgington_p=edgington(special.ndtr(-z_o), special.ndtr(-z_r)),
        bayes_factor=np.exp(np.minimum(log_factor, 700.0)),
        pooled=share * original + (1 - share) * replication,
        pooled_se=original_se * np.sqrt(share),
    )
