"""Where a function of one variable crosses zero."""

import math
from collections.abc import Callable

_MOST_STEPS = 200


def crossing(
    function: Callable[[float], float], low: float, high: float, *, within: float = 1e-12
) -> float:
    """Return where a function that differs in sign at both ends is zero, to `within`.

    Chandrupatla's method (Advances in Engineering Software, 1997): inverse quadratic steps where the
    last three points allow them, halving elsewhere. SciPy's routines give the same; to load them takes
    longer than most answers do.
    """
    a, b = high, low  # b is the newest point, a one beyond the crossing, c the one before
    fa, fb = float(function(a)), float(function(b))
    if fa == 0 or fb == 0:
        return a if fa == 0 else b
    if (fa > 0) == (fb > 0) or math.isnan(fa) or math.isnan(fb):
        raise ValueError("the function has one sign at both ends")
    share = 0.5
    best = b
    for _ in range(_MOST_STEPS):  # halving alone would take 60; a function with jumps may take more
        new = a + share * (b - a)
        at = float(function(new))
        if (at > 0) == (fa > 0):
            c, fc = a, fa
        else:
            c, fc, b, fb = b, fb, a, fa
        a, fa = new, at
        best, left = (a, fa) if abs(fa) < abs(fb) else (b, fb)
        tolerance = 2 * 2.0**-52 * abs(best) + within / 2
        nearest = tolerance / abs(b - a)
        if left == 0 or nearest > 0.5:
            return best
        x, y = (a - b) / (c - b), (fa - fb) / (fc - fb)
        share = 0.5
        if y * y < x and (1 - y) * (1 - y) < 1 - x:
            share = fa / (fb - fa) * fc / (fb - fc)
            share += (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        share = min(max(share, nearest), 1 - nearest)
    return best
