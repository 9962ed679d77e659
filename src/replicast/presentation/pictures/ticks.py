"""Round numbers for axes."""

import math
from collections.abc import Sequence

from replicast.formatting import format_signed
from replicast.presentation.pictures.figure import Axis, Tick
from replicast.presentation.words.scales import Scale

PERCENT = Axis(
    0.0, 1.0, tuple(Tick(p, f"{p:.0%}") for p in (0.0, 0.25, 0.5, 0.75, 1.0)), grid=True, line=False
)
_LARGE = 1e11  # steps of numbers that are written with a power of ten
_PVALUES = (0.05, 0.001, 0.01, 0.2, 1.0, 0.0001, 0.000001, 0.00001)


def pvalue_ticks(low: float, high: float) -> tuple[Tick, ...]:
    """Return the p-values people know between two others, those they know best first."""
    inside = [p for p in _PVALUES if low * 0.99 <= p <= high * 1.01]
    return tuple(Tick(p, f"{p:.6f}".rstrip("0").rstrip(".")) for p in inside)


def round_ticks(low: float, high: float, most: int = 6) -> tuple[Tick, ...]:
    """Return round numbers between two ends, evenly spaced, 0 among them where it lies inside."""
    span = high - low or 1.0
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(m * power for m in (1, 2, 5, 10, 20) if span / (m * power) <= most)
    digits = -math.floor(math.log10(step) + 1e-9)
    if step < _LARGE:
        digits = max(0, digits)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(Tick(k * step, format_signed(k * step, digits)) for k in range(first, last + 1))


def spanning(values: Sequence[float], share: float, scale: Scale) -> Axis:
    """Return an axis of differences that holds zero and some values, with room beyond both ends."""
    factor = scale.factor
    low, high = min(0.0, *values), max(0.0, *values)
    room = (high - low) * share or 1 / factor
    low, high = low - room, high + room
    ticks = round_ticks(factor * low, factor * high)
    return Axis(low, high, tuple(Tick(tick.at / factor, tick.label) for tick in ticks), scale.axis)


def log_ticks(low: float, high: float) -> tuple[Tick, ...]:
    """Return 1-2-5 numbers between two ends."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = [m * 10.0**e for e in decades for m in (1, 2, 5)]
    inside = [s for s in steps if low * 0.999 <= s <= high * 1.001]
    if len(inside) > 7:
        inside = [s for s in inside if f"{s:e}"[0] == "1"]
    return tuple(Tick(s, f"{s:,g}") for s in inside)
