"""Undo the round-off of subtracting decimal numbers, so that ties are ties and zeros are zeros."""

import numpy as np

from replicast.arrays import Bools, Floats
from replicast.kernels.slices import row_slices

_DIGITS = 14
_SMALLEST_SCALE = 1e-290  # below this the rounding unit would itself lose precision
_POWERS = 10.0 ** np.arange(309)  # exact up to 22 digits, unlike their inverses


def snap(differences: Floats, magnitude: Floats) -> Floats:
    """Round differences to 14 decimal digits of the scores they came from.

    0.8 - 0.7 and 0.9 - 0.8 differ in the last bit; ranks, ties and zero variances would see two
    different numbers. `magnitude` is the larger absolute score of each pair, or of all of them,
    broadcastable to `differences`; pairs of different size that differ by one decimal number are
    rounded to one number.
    """
    usable, exponent = _last_digit(magnitude)
    power = _POWERS[np.abs(exponent).astype(np.intp)]
    below = exponent < 0
    with np.errstate(over="ignore"):
        rounded = np.rint(differences * power)
        rounded /= power
        if not below.all():
            rounded = np.where(below, rounded, np.rint(differences / power) * power)
    kept = usable & np.isfinite(rounded)
    return rounded if kept.all() else np.where(kept, rounded, differences)


def rounding_unit(magnitude: Floats) -> Floats:
    """Return the unit of the 14th decimal digit, or 0 where rounding would do harm."""
    usable, exponent = _last_digit(magnitude)
    return np.where(usable, 10.0**exponent, 0.0)


def _last_digit(magnitude: Floats) -> tuple[Bools, Floats]:
    """Return where rounding does no harm, and the power of ten of the 14th decimal digit."""
    scale = np.asarray(magnitude, dtype=np.float64)
    usable = np.isfinite(scale) & (scale > _SMALLEST_SCALE)
    return usable, np.ceil(np.log10(np.where(usable, scale, 1.0))) - _DIGITS


def snap_rows(rows: Floats) -> Floats:
    """Snap rows (m, n) of differences whose scores are not known, each by its largest difference."""
    rows = np.asarray(rows, dtype=np.float64)
    snapped = np.empty(rows.shape)
    for some in row_slices(rows):
        largest = np.abs(rows[some].T, order="C").max(axis=0, initial=0.0)  # quick for short rows
        snapped[some] = snap(rows[some], largest[:, None])
    return snapped
