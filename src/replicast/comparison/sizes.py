"""How large a difference on one dataset is: in points, against a region that counts as nothing.

d' of fold scores cannot say it: it grows with the cases in a fold, and whatever is significant in few
folds has a large one. Over datasets it can, and the cells of Neumann et al. (2021) stay there.
"""

from replicast.comparison.records import Case, Region
from replicast.reading.vocabulary.units import point_of
from replicast.results import Effect
from replicast.scores.pairs import PairedScores

_CASES: dict[tuple[bool, bool], Case] = {
    (True, True): "significant and sizeable",
    (True, False): "significant but small",
    (False, True): "not significant but sizeable",
    (False, False): "no evidence",
}


def region_of(pair: PairedScores, rope: float | None) -> Region | None:
    """Return the region that was named, else one point either way; None where points mean nothing.

    Examples
    --------
    >>> from replicast import KFold
    >>> print(region_of(PairedScores(first=[0.9, 0.8], second=[0.8, 0.8], design=KFold(2)), None))
    ±0.01 (default)
    """
    if rope is not None:
        return Region(width=float(rope), source="named")
    point = point_of(pair)
    return None if point is None else Region(width=point, source="default")


def sized(significant: bool, difference: Effect, region: Region | None) -> Case | None:
    """Name the cell of significance and size in points; without a region there is none."""
    if region is None:
        return None
    # a decimal difference that equals the region but for round-off lies outside it
    return _CASES[significant, abs(difference.estimate) * (1 + 1e-9) >= region.width]
