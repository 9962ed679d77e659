"""Wilcoxon's Z, sums of ranks and exact p-values: each from the other, as papers report them."""

import numpy as np
from scipy import special

from replicast.errors import invalid
from replicast.kernels.ranks import EXACT_UP_TO, untied_lower_tail
from replicast.replication.counts import RankModel

_SURE = 0.05  # ranks: digits that leave more open single out no sum


def rank_model(z: float, datasets: int, spread: float) -> RankModel:
    """Return the model of a positive Z; its share is above 1 if so few datasets cannot give it."""
    total = datasets * (datasets + 1) / 2
    half = 0.5 if z != 0 else 0.0  # the continuity correction that Z had taken off
    share = 0.5 + (z * _rank_deviation(datasets) + half) / total
    return RankModel(share=share, nonzero=datasets, z=z, datasets=datasets, spread=spread)


def largest_z(datasets: int, correction: float = 0.5) -> float:
    """Return Wilcoxon's Z of a win on every dataset."""
    total = datasets * (datasets + 1) / 2
    return (total / 2 - correction) / _rank_deviation(datasets)


def z_of_pvalue(pvalue: float, datasets: int) -> float:
    """Return the size of Z, with continuity correction, that has a two-sided p-value.

    Up to 50 datasets p is the exact one, as it is from scores; a p-value between those of two sums of
    ranks is read as lying between the two.
    """
    if datasets > EXACT_UP_TO:
        return min(-float(special.ndtri(pvalue / 2)), largest_z(datasets))
    tails = untied_lower_tail(datasets)
    lost = float(np.interp(np.log(pvalue / 2), np.log(tails), np.arange(len(tails))))
    return max(0.0, (len(tails) - 1 - 2 * lost - 1) / 2 / _rank_deviation(datasets))


def _rank_deviation(datasets: int) -> float:
    """Return the standard deviation of the sum of ranks between equal classifiers."""
    return float(np.sqrt(datasets * (datasets + 1) * (2 * datasets + 1) / 24))


def rank_sum_of(z: float, datasets: int) -> tuple[float, float]:
    """Return a reported size of Z with continuity correction, and its p-value.

    Where its digits single out a sum of ranks, with the correction or without as SPSS has it, p is
    exact; any other Z, such as a mean of several, is taken as corrected, and p is the normal one.
    """
    most = largest_z(datasets, 0.0)
    digits = max(2, len(repr(z).partition(".")[2]))
    rounded = 0.5 * 10.0**-digits if "e" not in repr(z) else 0.0
    if z > most + max(rounded, 1e-9):
        domain = f"at most {most:.3f} in size, that of a win on all of {datasets} datasets"
        remedy = "Z is meant with continuity correction or without; `datasets` leaves ties out"
        raise invalid("z", domain, z, remedy)
    total = datasets * (datasets + 1) // 2
    deviation = _rank_deviation(datasets)
    unsure = rounded * deviation + 1e-9 * total
    if datasets <= EXACT_UP_TO and unsure <= _SURE:
        for half in (0.5, 0.0):
            lost = total / 2 - z * deviation - half  # the smaller sum of ranks
            if abs(lost - round(lost)) <= unsure and z:
                tail = untied_lower_tail(datasets)[max(0, round(lost))]
                corrected = (total / 2 - round(lost) - 0.5) / deviation
                return max(0.0, corrected), min(1.0, 2 * float(tail))
    size = min(z, largest_z(datasets))
    if size < z and datasets <= EXACT_UP_TO:  # a win everywhere
        return size, 2.0 ** (1 - datasets)
    return size, 2 * float(special.ndtr(-size))
