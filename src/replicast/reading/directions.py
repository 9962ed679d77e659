"""Which way is better: said, known by a name, assumed where nobody doubts it, or asked."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replicast.arrays import Floats
from replicast.errors import Choice, InvalidContentError, shorten
from replicast.reading.requests import Manner, Request
from replicast.reading.sheets import listing
from replicast.reading.vocabulary.measures import (
    Measure,
    direction_by_arrow,
    find_measure,
    is_neutral,
    measure_in,
    says_nothing,
)
from replicast.reading.vocabulary.units import are_percent

_WAYS = (
    Choice("greater_is_better", "True", "if higher scores are better, like an accuracy"),
    Choice("greater_is_better", "False", "if lower scores are better, like an error or a loss"),
)
_RIGHT = (
    Choice("greater_is_better", "True", "if 1 is right"),
    Choice("greater_is_better", "False", "if 1 is wrong"),
)
_PERCENT = 100.0


@dataclass(frozen=True)
class Direction:
    """Whether greater scores are better, how that is known, and on what scale they are."""

    greater_is_better: bool
    reason: str
    scale: str
    assumed: bool = False

    def __str__(self) -> str:
        return f"{'higher' if self.greater_is_better else 'lower'} is better{self.reason}"


def settle_direction(scores: Floats, manner: Manner, request: Request, name: str) -> Direction:
    """Return which way is better: said, told by a name, assumed where nobody doubts it; or ask."""
    called, of_file = measured_by(manner)
    measure = find_measure(called)
    scale = "unknown" if measure is None else measure.scale
    if request.greater_is_better is not None:
        return Direction(request.greater_is_better, ", as you said", scale)
    if manner.greater_is_better is not None:
        if measure is not None and measure.greater_is_better != manner.greater_is_better:
            got = f"{called}, though {manner.convention}"
            raise _ask(name, "one way in which scores are better", got)
        return Direction(
            manner.greater_is_better, f" for {manner.metric} ({manner.convention})", scale
        )
    arrow = direction_by_arrow(manner.metric)
    if arrow is not None:
        return Direction(arrow, f" for {manner.metric} (its arrow says so)", scale)
    if measure is None:
        return _assumed(scores, manner, request, name)
    if measure.negated and _contradicts(scores, measure):
        got = f"{called}, whose values have the other sign"
        raise _ask(name, "a measure whose name tells which way is better", got)
    if of_file and _is_off_scale(scores, measure):
        got = f"numbers that are hardly {called}, as the file is called"
        raise _ask(name, "a measure whose name tells which way is better", got)
    source = " (the file's name)" if of_file else ""
    return Direction(measure.greater_is_better, f" for {called}{source}", scale)


def _assumed(scores: Floats, manner: Manner, request: Request, name: str) -> Direction:
    """Take higher for better where a name is silent and the scale allows it, else ask."""
    told = scores[np.isfinite(scores)]
    if not is_neutral(manner.metric):
        got = f"{manner.metric}, which may be better high or low"
        raise _ask(name, "a measure whose name tells which way is better", got)
    binary = bool(len(told)) and bool(np.isin(told, (0.0, 1.0)).all())
    if request.assume and (binary or is_high(told)):
        reason = ", assumed: `greater_is_better=False` if 1 is wrong"
        if not binary:
            reason = ", assumed: `greater_is_better=False` if not"
        return Direction(True, reason, "unknown", assumed=True)
    if binary:
        domain = "a measure whose name tells whether 1 is right or wrong"
        raise _ask(name, domain, "0 or 1 for every case and no name", _RIGHT)
    got = "scores that have no name"
    raise _ask(name, "a measure whose name tells which way is better", got)


def is_high(scores: Floats) -> bool:
    """Say whether scores may be shares of what is right: within 0 and 1 or 100, most in the upper half.

    Examples
    --------
    >>> [is_high(np.array(some)) for some in ([0.7, 0.9], [71.0, 90.0], [0.1, 0.3], [80.0, 120.0])]
    [True, True, False, False]
    """
    if not len(scores) or scores.min() < 0 or scores.max() > _PERCENT:
        return False
    whole = 1.0 if scores.max() <= 1 else _PERCENT
    return bool(np.median(scores) > whole / 2)


def _is_off_scale(scores: Floats, measure: Measure) -> bool:
    """Say whether numbers contradict what the name of their file calls them."""
    told = scores[np.isfinite(scores)]
    if not len(told):
        return False
    if measure.scale == "share" and (told.min() < 0 or told.max() > _PERCENT):
        return True
    lost = not measure.greater_is_better and (measure.scale == "share" or measure.of_any)
    return lost and is_high(told)


def measured_by(manner: Manner) -> tuple[str, bool]:
    """Return what scores measure, and whether the name of their file, table or sheet says so."""
    if find_measure(manner.metric) is None and is_neutral(manner.metric):
        for text in manner.titles:
            named = measure_in(text)
            if named is not None:
                return named, True
    return manner.metric, False


def name_measure(
    column: str, named: str, request: Request, place: str
) -> tuple[str, tuple[str, ...]]:
    """Return what scores measure that their column calls so and the table or the caller otherwise.

    The column's name decides which way is better: an error is better low, whatever it is an error
    in, and so is a loss, a regret or a rank. Other names that disagree are asked about.
    """
    if says_nothing(column) and direction_by_arrow(column) is None:
        return named, ()
    own, told = find_measure(column), find_measure(named)
    better, other = _better(column), _better(named)
    said = request.greater_is_better is not None
    if better is None:
        if said:
            return named, ()
        got = f"scores called {column}, which may be better high or low, in a table of {named}"
        raise _ask(place, "one way in which scores are better", got)
    if better == other:
        another = own is not None and (own.negated or own.scale in ("rank", "time"))
        return column if another else named, ()
    if other is None or said:
        return column, ()
    if own is not None and own.of_any and not (told is not None and told.negated):
        note = f"Lower is better: the scores are called {column}, though the measure is {named}."
        return column, (note,)
    got = f"scores called {column} in a table of {named}, which are better in opposite ways"
    raise _ask(place, "one way in which scores are better", got)


def _better(name: str) -> bool | None:
    """Return which way is better by an arrow in a name, or by what it measures."""
    arrow, measure = direction_by_arrow(name), find_measure(name)
    return arrow if arrow is not None or measure is None else measure.greater_is_better


def _contradicts(scores: Floats, measure: Measure) -> bool:
    """Tell a loss called negative whose values are positive: a negative log likelihood, perhaps."""
    told = scores[np.isfinite(scores)]
    wrong = told > 0 if measure.greater_is_better else told < 0
    return bool(len(told)) and bool(np.mean(wrong) > 0.5)


def _ask(
    place: str, domain: str, got: str, choices: tuple[Choice, ...] = _WAYS
) -> InvalidContentError:
    """Ask which way is better; which of two measures is meant is not for the answer to say."""
    return InvalidContentError(place, domain, got, "", "greater_is_better").offering(choices)


def refuse_mixed(
    scores: Floats,
    classifiers: Sequence[str],
    datasets: Sequence[str],
    direction: Direction,
    name: str,
) -> None:
    """Refuse percent beside fractions, and counts or ranks: a test would compare 92 with 0.93."""
    if direction.scale != "share" or not direction.greater_is_better or scores.size == 0:
        return  # an error of 0.5 may be half a percent beside one of 20 percent
    tops = _tops(scores)
    low, high = np.fmin.reduce(tops), np.fmax.reduce(tops)
    if (0.2 < low <= 1 and 20 < high <= 100) or (1 < high <= 20 and _are_shares(scores[tops <= 1])):
        percent = [one for one, top in zip(classifiers, tops, strict=True) if top > 1]
        got = f"percent for {listing(percent, 5)} and fractions for others"
        if high <= 20:
            got = f"numbers above 1 for {listing(percent, 5)} and fractions for others"
        remedy = "Bring all to one scale, and leave out columns that are no scores"
        raise InvalidContentError(name, "all scores on one scale", got, remedy)
    _refuse_mixed_rows(scores, datasets, name)
    beyond = np.flatnonzero(np.fmax.reduce(scores, axis=(0, 2, 3)) > 100)
    if 0 < len(beyond) <= scores.shape[1] / 2:
        got = f"numbers above 100 on {listing([datasets[int(at)] for at in beyond], 3)}"
        remedy = "Leave out what is no score"
        raise InvalidContentError(name, "scores that are shares or percent", got, remedy)
    if _are_ranks(scores):
        got = f"ranks from 1 to {len(scores)} on every dataset"
        remedy = "Give the scores; or say `metric=rank`, if ranks shall be compared"
        raise InvalidContentError(name, "scores of the measure named", got, remedy)


def _refuse_mixed_rows(scores: Floats, datasets: Sequence[str], name: str) -> None:
    """Refuse datasets in percent beside others in fractions; 0.3 alone may be a third of a percent."""
    low, high = np.fmin.reduce(scores, axis=(0, 2, 3)), np.fmax.reduce(scores, axis=(0, 2, 3))
    fractions, percent = (low > 0.2) & (high <= 1), (low > 1) & (high > 20) & (high <= 100)
    if not fractions.any() or not percent.any() or np.median(high[fractions]) < 0.5:
        return
    first, other = (datasets[int(np.flatnonzero(which)[0])] for which in (percent, fractions))
    got = f"percent on {shorten(first)} and fractions on {shorten(other)}"
    raise InvalidContentError(name, "all scores on one scale", got, "Bring all to one scale")


def _are_shares(scores: Floats) -> bool:
    """Tell fractions of two classifiers or more: a few percent may stand beside half a percent."""
    return len(scores) > 1 and bool(np.nanmedian(scores) >= 0.5)


def _are_ranks(scores: Floats) -> bool:
    """Say whether the scores of every dataset are ranks: from 1 to the number of classifiers."""
    count = len(scores)
    flat = scores.reshape(count, -1)
    if count < 3 or flat.shape[1] < 2 or not np.isfinite(flat).all():
        return False
    total = count * (count + 1) / 2
    return bool(
        flat.min() == 1
        and flat.max() <= count
        and (2 * flat == np.rint(2 * flat)).all()
        and (flat.sum(axis=0) == total).all()
    )


def _tops(scores: Floats) -> Floats:
    """Return the largest size of each classifier's scores."""
    with np.errstate(invalid="ignore"):
        flat = scores.reshape(len(scores), -1)
        tops: Floats = np.fmax(np.fmax.reduce(flat, axis=1), -np.fmin.reduce(flat, axis=1))
    return tops


def describe_scale(scores: Floats, direction: Direction) -> str:
    """Say whether scores are fractions or percent; they are never converted.

    Only shares can be percent: a loss, an error in the unit of its target or a reward is neither.
    """
    tops = _tops(scores)
    unnamed = direction.scale != "share" and not direction.greater_is_better  # perhaps a loss
    if direction.scale in ("amount", "time", "rank", "signed") or unnamed or not len(tops):
        return "kept as they are"
    if (tops <= 1).all() and not (scores < 0).any():
        return "fractions"
    if direction.scale == "share" and are_percent(scores):
        if (tops > 1).all():
            return "percent, kept as percent"
        return "fractions for some classifiers and percent for others, kept as they are"
    return "kept as they are"
