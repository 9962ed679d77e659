"""What two means and their spreads leave open: the correlation of the scores decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from replicast.design import (
    Cases,
    Design,
)
from replicast.errors import invalid, number, require_flag, require_sequence
from replicast.replication.first_result import FirstResult
from replicast.replication.probability import report_replication
from replicast.replication.reported import TTest, design_from, first_from_discordant, first_from_t
from replicast.replication.seeds import SeedsModel
from replicast.results import Answer, Caution
from replicast.scores.parsing import parse_names

CORRELATIONS = (0.0, 0.5, 0.8, 0.9, 1.0)
_LARGEST_T = 1e6  # where the spread of the differences may be nothing at all
_PERCENT = 100.0


@dataclass(frozen=True, kw_only=True)
class MeansReplication(Answer):
    """What two means and spreads say of a replication, for every correlation the scores may have.

    Attributes
    ----------
    means, sds : tuple of float
        As reported; without spreads, right and wrong answers have those of their accuracies.
    correlations, pvalues, probabilities : tuple of float
        How closely the scores of the two go together, the p-value that follows, and the calibrated
        chance that a repeat on fresh data is significant in the same direction.
    low, high : float
        The least and the largest of the chances.
    better : str
        The classifier with the better mean.
    ask : str
        What the authors could tell that would settle it.
    first_result : FirstResult
        The reading with the least chance: what can be planned and judged with safety.
    """

    means: tuple[float, float]
    sds: tuple[float, float] | None
    design: Design
    correlations: tuple[float, ...]
    pvalues: tuple[float, ...]
    probabilities: tuple[float, ...]
    low: float
    high: float
    better: str
    names: tuple[str, str]
    significance: float
    ask: str
    cautions: tuple[Caution, ...] = ()
    first_result: FirstResult = field(repr=False, compare=False)


def replicate_means(
    means: Sequence[float] | str,
    sds: Sequence[float] | None,
    where: Mapping[str, Any],
    *,
    greater_is_better: bool = True,
    names: tuple[str, str] = ("first", "second"),
    **asked: Any,
) -> MeansReplication:
    """Return the range of chances that two reported means and spreads leave open.

    Tables report 93.4 ± 1.2 against 92.1 ± 1.0. How noisy their difference is depends on how closely
    the scores of the two go together on the same folds, datasets or cases, which such a table does not
    say: from not at all (the least significant) to entirely. Seeds that are not paired have no such
    correlation, and one chance. The answer names what would settle it. What is `asked` of a
    replication otherwise goes to `report_replication`.
    """
    pair = _two(means, "means")
    chosen = _design(where)
    names = parse_names(names)
    if greater_is_better is True and 0.2 < min(pair) <= 1 and 20 < max(pair) <= _PERCENT:
        got = f"{max(pair):g}, which looks like percent, beside {min(pair):g}"
        raise invalid("means", "two means on one scale", got, "Give both in percent, or neither")
    gap = (pair[0] - pair[1]) * (1 if require_flag(greater_is_better, "greater_is_better") else -1)
    better = names[0] if gap >= 0 else names[1]
    if sds is None:
        spreads = None
        readings = _accuracies(pair, chosen, gap, names)
    else:
        spreads = _two(sds, "sds")
        if min(spreads) < 0 or spreads == (0.0, 0.0):
            raise invalid("sds", "two standard deviations, not both 0", repr(sds))
        readings = _spreads(spreads, chosen, gap, names)
    reports = [report_replication(first, **asked) for _, first in readings]
    chances = [report.probability for report in reports]
    return MeansReplication(
        means=pair,
        sds=spreads,
        design=chosen,
        correlations=tuple(correlation for correlation, _ in readings),
        pvalues=tuple(first.pvalue for _, first in readings),
        probabilities=tuple(chances),
        low=min(chances),
        high=max(chances),
        better=better,
        names=names,
        significance=reports[0].significance,
        ask=_ask(chosen, spreads is None),
        cautions=_cautions(chosen, spreads is not None) if len(readings) > 1 else (),
        first_result=readings[int(np.argmin(chances))][1],
    )


def _two(values: Sequence[float] | str, argument: str) -> tuple[float, float]:
    if hasattr(values, "tolist"):
        values = values.tolist()
    found = tuple(number(value) for value in require_sequence(values, argument, 2))
    if len(found) != 2 or not np.isfinite(found).all():
        raise invalid(argument, "two finite numbers", values)
    return found[0], found[1]


def _design(where: Mapping[str, Any]) -> Design:
    cases = where.get("cases")
    told = {name: value for name, value in where.items() if name != "cases"}
    if cases is not None:
        if any(value is not None for name, value in told.items() if name != "runs"):
            raise invalid("cases", "alone: one way to say where the means come from", cases)
        return Cases(cases)
    found = design_from(told)
    return Cases(found.count) if found.binary else found


def _spreads(
    spreads: tuple[float, float], design: Design, gap: float, names: tuple[str, str]
) -> list[tuple[float, FirstResult]]:
    """Return the result that each correlation would have meant."""
    n = design.n_scores
    if n is None or n < 2:
        raise invalid("design", "a design with at least two scores", str(design))
    if not design.paired:
        variance = np.array(spreads) ** 2
        error = float(np.sqrt(variance.sum() / n))
        first = first_from_t(gap / error, design=design, names=names)
        df = float(variance.sum() ** 2 / (variance**2).sum()) * (n - 1)
        model = replace(
            cast(SeedsModel, first.model), df=df
        )  # Welch's, of models that vary unequally
        return [(0.0, replace(first, model=model, pvalue=model.pvalue))]
    readings = []
    for correlation in CORRELATIONS:
        product = 2 * correlation * spreads[0] * spreads[1]
        spread = float(np.sqrt(max(spreads[0] ** 2 + spreads[1] ** 2 - product, 0.0)))
        error = spread * float(np.sqrt((1 + design.overlap) / n + design.test_train_ratio))
        t = gap / error if error > 0 else _LARGEST_T * np.sign(gap)
        t = float(np.clip(t, -_LARGEST_T, _LARGEST_T))
        test: TTest = "corrected" if design.shares_training else "unknown"
        readings.append((correlation, first_from_t(t, design=design, test=test, names=names)))
    return readings


def _accuracies(
    means: tuple[float, float], design: Design, gap: float, names: tuple[str, str]
) -> list[tuple[float, FirstResult]]:
    """Return what accuracies on one test set leave open: how many cases the two disagree on."""
    if not design.of_cases or design.count is None:
        remedy = "Only accuracies on one test set, with `cases`, need none"
        raise invalid("sds", "two standard deviations", "nothing", remedy)
    unit = 1.0 if max(means) <= 1 else _PERCENT
    if not 0 <= min(means) <= max(means) <= unit:
        raise invalid("means", "accuracies, as shares or percentages, without `sds`", repr(means))
    n, (p, q) = design.count, (mean / unit for mean in means)
    deviations = float(np.sqrt(p * (1 - p) * q * (1 - q)))
    closest = 1.0 if deviations == 0 else (min(p, q) - p * q) / deviations
    ahead = abs(gap) / unit * n
    readings: dict[tuple[int, int], tuple[float, FirstResult]] = {}
    for correlation in (*(r for r in CORRELATIONS if r < closest), closest):
        disagree = p + q - 2 * p * q - 2 * correlation * deviations
        lost = max(0, round((disagree * n - ahead) / 2))
        won = min(lost + round(ahead), n - lost)
        only = (won, lost) if gap >= 0 else (lost, won)
        first = first_from_discordant(*only, cases=n, names=names)
        readings[only] = (float(correlation), first)
    return list(readings.values())


def _ask(design: Design, accuracies: bool) -> str:
    """Say what the authors could tell."""
    if design.of_cases and accuracies:
        return "how many cases only the one and only the other got right"
    if not design.seeds:
        every = f"{'on' if design.over_datasets else 'of'} every {design.unit}"
        return f"the score {every}, or the standard deviation of the differences"
    if not design.has_split:
        return "the score of every seed"
    if design.paired:
        return "the score of every seed, and scores on other splits"
    return "scores on other splits: no number of seeds tells what fresh data would do"


def _cautions(design: Design, with_spreads: bool) -> tuple[Caution, ...]:
    text = (
        f"The scores of the two may go together on the same {design.unit}s or not, but are not taken "
        "to go against each other."
    )
    if with_spreads:
        text += (
            " Spreads that are standard errors, not standard deviations, would make every chance too "
            "high."
        )
    return (Caution("unknown-correlation", text),)
