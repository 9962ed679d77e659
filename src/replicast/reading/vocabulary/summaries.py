"""Rows and columns that sum up or compare others: means, wins, gains; no datasets and no classifiers."""

import re
from functools import lru_cache

from replicast.reading.vocabulary.measures import MEASURES, find_measure
from replicast.reading.vocabulary.naming import word_lists, words

_ASIDE = re.compile(r"(?<!\s)\s++\([^()]*+\)$")  # Mean (UCI)
_APART = re.compile(r"[^\W_][\W_]+[^\W_]")  # words with a mark between them
_BEHIND = re.compile(r"[(\[]([^()\[\]]+)[)\]]\s*$")
_SIGNS = frozenset((*"Ø∅μσµΣ", "x̄"))
_COUNTS = (("w", "t", "l"), ("w", "d", "l"), ("w", "l"), ("p",), ("s", "d"))
_HOMONYMS = word_lists()["homonyms"]
_SUMMARY, _FILLERS = word_lists()["summaries"], word_lists()["fillers"]
_DIFFERENCES, _SIDES = word_lists()["differences"], word_lists()["sides"]
_WEIGHTS, _UNITS = word_lists()["weights"], word_lists()["units"]
_PRICES, _RESOURCES = word_lists()["prices"], word_lists()["resources"]
_BESIDE = _PRICES | _RESOURCES | word_lists()["beside-prices"] | _WEIGHTS | _UNITS


@lru_cache(maxsize=65536)
def is_summary(label: str) -> bool:
    """Say whether a row or column sums up others, by its name.

    Examples
    --------
    >>> [is_summary(name) for name in ("Avg. Acc.", "W/T/L", "#wins", "Mean rank", "iris", "Ø")]
    [True, True, True, True, False, True]
    """
    stripped = _ASIDE.sub("", label.strip()).strip(":") or label.strip()
    found = words(stripped)
    if found[-1:] and found[-1].isdecimal() and "".join(found) in MEASURES:
        return False  # rank-1, of a search for persons
    if stripped in _SIGNS or found in _COUNTS or found[:2] == ("p", "value"):
        return True
    if found[:1] in (("mean",), ("average",), ("avg",)) and "".join(found[1:]) in MEASURES:
        return True  # mean win rate
    return _are_known([word for word in found if not word.isdecimal()], _SUMMARY, _FILLERS)


def _are_known(found: list[str], telling: frozenset[str], beside: frozenset[str]) -> bool:
    """Say whether one of the words tells what is meant, and all others may stand beside it."""
    return not telling.isdisjoint(found) and all(
        word in telling or word in beside or word in MEASURES for word in found
    )


def is_homonym(label: str) -> bool:
    """Say whether a dataset or a task may be called like this summary, difference or time.

    Examples
    --------
    >>> [is_homonym(name) for name in ("lift", "ALL", "Avg. rank", "p-value", "Δ", "gain")]
    [True, True, False, False, False, True]
    """
    return bool(words(label)) and _HOMONYMS.issuperset(words(label))


@lru_cache(maxsize=4096)
def is_difference(label: str) -> bool:
    """Say whether a row or column is called a difference of others; a method may be called so too.

    Examples
    --------
    >>> [is_difference(name) for name in ("Δ", "Rel. improvement (%)", "gain vs. best", "GAIN-net")]
    [True, True, True, False]
    """
    if label.strip()[:1] in ("Δ", "∆"):
        return True
    found = [word for word in words(label) if word not in ("percent", "in")]
    return _are_known(found, _DIFFERENCES, _SIDES | _FILLERS)


@lru_cache(maxsize=4096)
def is_cost(label: str) -> bool:
    """Say whether a row of a table of scores is a time or the size of a model.

    Examples
    --------
    >>> [is_cost(name) for name in ("Time (s)", "# Params (M)", "FLOPs", "iris", "energy")]
    [True, True, True, False, False]
    """
    for taken in (label, " ".join(words(label)[-3:]), " ".join(words(label)[-2:])):
        measure = find_measure(taken)  # the last words alone, in MMLU: inference time (s)
        if measure is not None and measure.scale == "time":
            return True
    found = [word for word in words(label) if word not in ("m", "b", "k", "g", "of", "number")]
    return "".join(found) in _WEIGHTS


@lru_cache(maxsize=4096)
def is_beside(label: str) -> bool:
    """Say whether a column of a leaderboard is no benchmark: what a model costs, or who uses it.

    Examples
    --------
    >>> [is_beside(name) for name in ("Price per 1M tokens", "GPU hours", "Elo", "MMLU", "Energy")]
    [True, True, True, False, True]
    >>> [is_beside(name) for name in ("Memory [GB]", "tokens/s", "Housing prices", "Time (s)")]
    [True, True, False, True]
    >>> is_beside("FPS"), is_beside("FP-S")
    (True, False)
    """
    unit = has_unit(label)
    found = words(_BEHIND.sub("", label) if unit else label)
    if is_cost(label) or (found and _RESOURCES.issuperset(found)):
        return True
    if "".join(found) in _PRICES and not _APART.search(label):  # RTFx; FP-S is no FPS
        return True
    return (unit or not _PRICES.isdisjoint(found)) and _BESIDE.issuperset(found)


def has_unit(label: str) -> bool:
    """Say whether a unit of time, money or matter stands behind a name, in brackets.

    Examples
    --------
    >>> [has_unit(name) for name in ("CO2 cost (kg)", "Cost [$]", "Amazon (en)", "Acc (%)")]
    [True, True, False, False]
    """
    found = _BEHIND.search(label)
    return found is not None and found[1].strip().casefold() in _UNITS
