"""Measures: which way is better, and on what scale, known from whole words alone.

A guess here would turn a verdict round, so a name with a word that is not known is not known.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from replicast.reading.vocabulary.naming import table_lines, word_lists, words

Scale = Literal["share", "signed", "amount", "time", "rank"]
Part = Literal["test", "train"]

_WORDS = word_lists()
_MODIFIERS, _TRAINING, _NEGATION = _WORDS["modifiers"], _WORDS["training"], _WORDS["negation"]
_SPREAD, _TWO_SIDED, _NEUTRAL = _WORDS["spread"], _WORDS["two-sided"], _WORDS["neutral"]
_RANKS = frozenset(("rank", "ranks", "ranking"))
_COMPLEMENT = re.compile(
    r"(?:100%?|1(?:\.0+)?|one)[\s_-]*(?:minus[\s_-]*|[-–−]\s*)(?=[A-Za-z(])", re.I
)
# lm-eval writes a filter behind a comma, lighteval settings behind a colon: pass@k:k=1&n=16
_SETTINGS = re.compile(r",|:(?=\w+=)")
_WITH_INTERVAL = re.compile(
    r"[(\[]\d{1,3}\s?% ?CI[)\]]", re.I
)  # AUC (95% CI): it stands in the cells
_UP = re.compile(r"[↑▲⬆]|\(up\)|\bhigher is better\b", re.I)
_DOWN = re.compile(r"[↓▼⬇]|\(down\)|\blower is better\b", re.I)


@dataclass(frozen=True)
class Measure:
    """What is known about a measure; a share is a fraction or a percentage."""

    greater_is_better: bool
    scale: Scale
    part: Part = "test"  # training scores are no scores to compare by
    negated: bool = False  # a loss with its sign changed, or the reverse
    of_many: bool = False  # cases: one is right or wrong, and has no curve
    of_any: bool = False  # lost in a measure that may be named elsewhere: error, regret, rank
    positive: bool = False  # never below 0, unless its sign was changed


def _parse_table() -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for line in table_lines("measures"):
        direction, scale, *names = line.split()
        for name in names:
            found[name] = Measure(
                direction == "higher",
                scale,  # type: ignore[arg-type]  # of the table
                of_many=name in _WORDS["of-many"],
                of_any=name in _WORDS["of-any"] or scale == "rank",
                positive=scale in ("share", "time", "rank") or name in _WORDS["positive"],
            )
    return found


MEASURES = _parse_table()


@lru_cache(maxsize=4096)
def find_measure(name: str) -> Measure | None:
    """Return what is known about a measure by its name, None if a word of it is not known.

    Examples
    --------
    >>> [find_measure(name).greater_is_better for name in ("test_neg_log_loss", "1 - acc", "mAP@50")]
    [True, False, True]
    >>> find_measure("sentiment_acc"), find_measure("quux"), find_measure("accuracy_std")
    (None, None, None)
    """
    name = without_interval(name).lstrip()
    complement = _COMPLEMENT.match(name)
    bare = name[complement.end() :] if complement else name
    parts = list(words(_SETTINGS.split(bare)[0]))
    part: Part = "test"
    turned, negated = complement is not None, False
    if _is_timed(parts):
        return Measure(False, "time", "test", turned)
    while parts:
        known = MEASURES.get("".join(parts)) or _numbered(parts)
        if known is not None:
            better = known.greater_is_better != turned
            return replace(known, greater_is_better=better, part=part, negated=negated)
        if "".join(parts) in _TWO_SIDED or not _SPREAD.isdisjoint((parts[0], parts[-1])):
            return None
        if parts[-1] in _RANKS and len(parts) > 1 and find_measure(" ".join(parts[:-1])):
            return Measure(False, "rank", part, of_any=True)
        if not _TRAINING.isdisjoint((parts[0], parts[-1])):
            part = "train"
        elif parts[0] in _NEGATION and not negated:
            negated, turned, parts = True, not turned, parts[1:]
            continue
        rest = _without_modifier(parts)
        if len(rest) == len(parts):
            return None
        parts = rest
    return None


def without_interval(name: str) -> str:
    """Leave out that an interval stands in the cells, beside the score: AUC (95% CI)."""
    return _WITH_INTERVAL.sub("", name).rstrip()


def _without_modifier(parts: list[str]) -> list[str]:
    """Leave out a word at either end that changes neither what is measured nor which way is better."""
    for known in (lambda word: word in _TRAINING, _is_modifier):
        if known(parts[0]):
            return parts[1:]
        if known(parts[-1]):
            return parts[:-1]
    return parts


def _is_timed(parts: list[str]) -> bool:
    """Know a time by its unit, whatever it was for: time_transform_test_seconds."""
    return "time" in (parts[:1] + parts[-2:]) and parts[-1] in ("seconds", "minutes", "hours", "ms")


def _is_modifier(word: str) -> bool:
    return word in _MODIFIERS or word.isdecimal() or re.fullmatch(r"top\d+|v\d+", word) is not None


def _numbered(parts: list[str]) -> Measure | None:
    """Know a measure with a number behind its last word: rouge2, ndcg10, hit1; rank2 is no rank."""
    bare = "".join(parts).rstrip("0123456789")
    known = MEASURES.get(bare) if len(bare) > 1 else None
    return None if known is not None and known.scale == "rank" else known


def direction_by_arrow(name: str) -> bool | None:
    """Return which way is better where a name says so itself: FID ↓, Acc ↑."""
    up, down = _UP.search(name) is not None, _DOWN.search(name) is not None
    return None if up == down else up


def measure_in(title: str) -> str | None:
    """Return the measure that the name of a file or a caption names; None if it names none or two.

    Examples
    --------
    >>> measure_in("Test accuracy (%) on 12 datasets"), measure_in("rmse"), measure_in("error_vs_auc")
    ('accuracy', 'rmse', None)
    """
    parts = words(title)
    found: dict[bool, str] = {}
    if not _NEGATION.isdisjoint(parts) or _COMPLEMENT.search(title):
        return None
    for length in (3, 2, 1):
        for at in range(len(parts) - length + 1):
            name = "".join(parts[at : at + length])
            if name in _WORDS["in-titles"] and name in MEASURES:
                found.setdefault(MEASURES[name].greater_is_better, name)
    return next(iter(found.values())) if len(found) == 1 else None


def is_neutral(name: str) -> bool:
    """Say whether a name tells only that there is a number: score, value, result."""
    parts = [
        word
        for word in words(name)
        if word not in ("test", "val", "validation", "mean", "metric", "percent")
    ]
    return not parts or "".join(parts) in _NEUTRAL


def says_nothing(name: str) -> bool:
    """Say whether a column of scores is called by words alone that say nothing about them.

    Examples
    --------
    >>> [says_nothing(name) for name in ("score", "final_score", "mean", "0", "error", "gap")]
    [True, True, True, True, False, False]
    """
    return all(_is_modifier(word) or word in _NEUTRAL for word in words(name))


def is_spread(name: str) -> bool:
    """Say whether a name is that of a standard deviation, a standard error or the like."""
    own = words(without_interval(name))
    ends = [re.sub(r"^ci\d+$", "ci", word) for word in own[:1] + own[-1:]]
    return not _SPREAD.isdisjoint(ends) and find_measure(name) is None
