"""Which way is better: said, known by a name, assumed where nobody doubts it, or asked."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replicast.arrays import Bools, Floats
from replicast.errors import Choice, InvalidContentError
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
from replicast.reading.vocabulary.naming import word_lists, words
from replicast.reading.vocabulary.units import are_percent, is_high

_WAYS = (
    Choice("greater_is_better", "True", "if higher scores are better, like an accuracy"),
    Choice("greater_is_better", "False", "if lower scores are better, like an error or a loss"),
)
_RIGHT = (
    Choice("greater_is_better", "True", "if 1 is right"),
    Choice("greater_is_better", "False", "if 1 is wrong"),
)
_PERCENT = 100.0
_LOST = word_lists()["lost"]
_TITLES = ("the table's title", "the file's name")  # of a manner, in their order
_TELLING = "a measure whose name tells which way is better"
_ONE_WAY = "one way in which scores are better"


@dataclass(frozen=True)
class Direction:
    """Whether greater scores are better, how that is known, and on what scale they are."""

    greater_is_better: bool
    reason: str
    scale: str
    assumed: bool = False

    def __str__(self) -> str:
        return f"{'higher' if self.greater_is_better else 'lower'} is better{self.reason}"


def settle_direction(
    scores: Floats, manner: Manner, request: Request, name: str, *, worded: bool = False
) -> Direction:
    """Return which way is better: said, told by a name, assumed where nobody doubts it; or ask.

    Of scores that were words, such as pass and fail, nobody doubts which is better.
    """
    called, of_file = measured_by(manner)
    measure = find_measure(called)
    scale = "unknown" if measure is None else measure.scale
    if request.greater_is_better is not None:
        return Direction(request.greater_is_better, ", as you said", scale)
    convention = manner.greater_is_better
    if convention is not None:
        if measure is not None and measure.greater_is_better != convention:
            raise _ask(name, _ONE_WAY, f"{called}, though {manner.convention}")
        return Direction(convention, f" for {manner.metric} ({manner.convention})", scale)
    arrow = direction_by_arrow(manner.metric)
    if arrow is not None:
        return Direction(arrow, f" for {manner.metric} (its arrow says so)", scale)
    told = scores[np.isfinite(scores)]
    if measure is None and worded and bool(len(told)) and bool(((told >= 0) & (told <= 1)).all()):
        return Direction(True, ", as its words say", scale)
    if measure is None:
        return _assumed(scores, manner, request, name)
    if _is_negated(told, measure) and request.assume:
        reason = (
            f" for {called}, of which all are negative: the sign was changed, as in neg_{called}"
        )
        return Direction(True, f"{reason}, assumed: `greater_is_better=False` if not", scale, True)
    if _contradict(told, measure, of_file=bool(of_file)):
        raise _ask(name, _TELLING, f"numbers that are hardly {called}")
    source = f" ({of_file})" if of_file else ""
    return Direction(measure.greater_is_better, f" for {called}{source}", scale)


def _assumed(scores: Floats, manner: Manner, request: Request, name: str) -> Direction:
    """Take higher for better where a name is silent and the scale allows it, else ask."""
    told = scores[np.isfinite(scores)]
    if not is_neutral(manner.metric):
        raise _ask(name, _TELLING, f"{manner.metric}, which may be better high or low")
    binary = manner.binary or (bool(len(told)) and bool(np.isin(told, (0.0, 1.0)).all()))
    doubtful = any(not _LOST.isdisjoint(words(title)) for title in manner.titles)
    if request.assume and not doubtful and (binary or is_high(told)):
        otherwise = "if 1 is wrong" if binary else "if not"
        reason = f", assumed: `greater_is_better=False` {otherwise}"
        return Direction(True, reason, "unknown", assumed=True)
    order = -1 if doubtful else 1  # the likeliest first
    if binary:
        domain = "a measure whose name tells whether 1 is right or wrong"
        raise _ask(name, domain, "0 or 1 for every case and no name", _RIGHT[::order])
    raise _ask(name, _TELLING, "scores that have no name", _WAYS[::order])


def _is_negated(scores: Floats, measure: Measure) -> bool:
    """Tell losses and errors that are all negative, which they never are: their sign was changed."""
    lost = measure.positive and not measure.negated and not measure.greater_is_better
    return lost and bool(len(scores)) and bool(scores.max() < 0)


def _contradict(scores: Floats, measure: Measure, *, of_file: bool) -> bool:
    """Tell a measure that its values belie: by their sign, or named by the file and out of its range."""
    if not len(scores):
        return False
    low, high, share = scores.min(), scores.max(), measure.scale == "share"
    if measure.negated:
        return bool(np.mean(scores > 0 if measure.greater_is_better else scores < 0) > 0.5)
    if measure.positive and (high < 0 or (low < 0 and not share)):
        return True
    lost = not measure.greater_is_better and (share or measure.of_any) and is_high(scores)
    return of_file and bool(lost or (share and (low < 0 or high > _PERCENT)))


def measured_by(manner: Manner) -> tuple[str, str]:
    """Return what scores measure, and who says so, if it is the title of their table or file."""
    if find_measure(manner.metric) is None and is_neutral(manner.metric):
        for text, source in zip(manner.titles, _TITLES, strict=False):
            named = measure_in(text)
            if named is not None:
                return named, source
    return manner.metric, ""


def name_measure(
    column: str, named: str, request: Request, place: str
) -> tuple[str, tuple[str, ...]]:
    """Return what scores measure that their column calls so and the table or the caller otherwise.

    The column's name decides which way is better: an error is better low, whatever it is an error
    in, and so is a loss, a regret or a rank. Other names that disagree are asked about.
    """
    own, told = find_measure(column), find_measure(named)
    better, other = _better(column, own), _better(named, told)
    said = request.greater_is_better is not None
    if says_nothing(column) and direction_by_arrow(column) is None:
        return named, ()
    if better is None and not said:
        got = f"scores called {column}, which may be better high or low, in a table of {named}"
        raise _ask(place, _ONE_WAY, got)
    if better is None or better == other:
        return column if _is_another(own) else named, ()
    if other is None or said:
        return column, ()
    if own and own.of_any and not (told and told.negated):
        note = f"Lower is better: the scores are called {column}, though the measure is {named}."
        return column, (note,)
    got = f"scores called {column} in a table of {named}, which are better in opposite ways"
    raise _ask(place, _ONE_WAY, got)


def _is_another(measure: Measure | None) -> bool:
    """Say whether a column measures another thing than the table says: a rank, a time, a gain."""
    return measure is not None and (measure.negated or measure.scale in ("rank", "time"))


def _better(name: str, measure: Measure | None) -> bool | None:
    """Return which way is better by an arrow in a name, or by what it measures."""
    arrow = direction_by_arrow(name)
    return arrow if arrow is not None or measure is None else measure.greater_is_better


def _ask(
    place: str, domain: str, got: str, choices: tuple[Choice, ...] = _WAYS
) -> InvalidContentError:
    """Ask which way is better; which of two measures is meant is not for the answer to say."""
    asks = f"The table holds {got}. Which scores are better?"
    if choices is _RIGHT:
        asks = "Every score is 0 or 1. Does 1 mean right or wrong?"
    return InvalidContentError(place, domain, got, "", "greater_is_better").offering(choices, asks)


def refuse_mixed(
    scores: Floats, classifiers: Sequence[str], direction: Direction, name: str
) -> None:
    """Refuse percent beside fractions, and grades beside right and wrong: 92 is not above 0.93."""
    got = _two_scales(scores, classifiers)
    # an error of 0.5 may be half a percent beside one of 20 percent
    if not got and direction.scale == "share" and direction.greater_is_better and scores.size:
        got = _odd_shares(scores, classifiers)
    if got:
        remedy = "Bring all to one scale, and leave out what is no score"
        raise InvalidContentError(name, "all scores on one scale", got, remedy)


def _odd_shares(scores: Floats, classifiers: Sequence[str]) -> str:
    """Say which shares are in percent where others are fractions, or beyond 100; nothing, if none is."""
    above = _above_fractions(_tops(scores))
    if above.any():
        whose = [classifiers[at] for at in np.flatnonzero(above).tolist()]
        return f"numbers above 1 for {listing(whose, 5)} and fractions for others"
    by_dataset = _tops(np.moveaxis(scores, 1, 0))
    if _above_fractions(by_dataset, np.fmin.reduce(scores, axis=(0, 2, 3))).any():
        return "numbers above 1 and fractions for others"
    beyond = 0 < (by_dataset > _PERCENT).sum() <= len(by_dataset) / 2
    return "numbers above 100 among shares" if beyond else ""


def _two_scales(scores: Floats, classifiers: Sequence[str]) -> str:
    """Name the classifiers that have 0 and 1 alone where others have grades."""
    told = {who: one[np.isfinite(one)] for who, one in zip(classifiers, scores, strict=True)}
    binary = [who for who, one in told.items() if {*np.unique(one).tolist()} == {0.0, 1.0}]
    graded = [who for who, one in told.items() if len(one) and one.max() > 1]
    if not binary or not graded:
        return ""
    return f"0 and 1 for {listing(binary, 3)} and grades for {listing(graded, 3)}"


def _above_fractions(tops: Floats, lows: Floats | None = None) -> Bools:
    """Tell largest scores in percent where others are fractions; given the least too, be sure."""
    fractions, percent = (tops > 0.2) & (tops <= 1), (tops > 20) & (tops <= _PERCENT)
    if lows is not None:
        fractions &= lows > 0.2
        return percent & (fractions.any() and np.median(tops[fractions]) >= 0.5)
    sure = fractions.sum() > 1 and np.median(tops[fractions]) >= 0.5
    return (tops > 1) & sure | percent & fractions.any()


def _tops(scores: Floats) -> Floats:
    """Return the largest size of the scores along the first axis."""
    flat = np.abs(scores.reshape(len(scores), -1))
    return np.asarray(np.fmax.reduce(flat, axis=1))


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
    told = scores[np.isfinite(scores)]
    unknown = direction.scale == "unknown" and is_high(told)
    if unknown or (direction.scale == "share" and are_percent(scores)):
        if (tops > 1).all():
            return "percent, kept as percent"
        return "fractions for some classifiers and percent for others, kept as they are"
    return "kept as they are"
