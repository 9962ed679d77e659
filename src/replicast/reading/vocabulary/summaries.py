"""Rows and columns that sum up others: means, ranks, wins; they are no datasets and no classifiers."""

import re
from functools import lru_cache

from replicast.reading.vocabulary.measures import MEASURES
from replicast.reading.vocabulary.naming import word_lists, words

_ASIDE = re.compile(r"\s+\([^()]*\)$")  # Mean (UCI)
_SUMMARY, _FILLERS = word_lists()["summaries"], word_lists()["fillers"]


@lru_cache(maxsize=65536)
def is_summary(label: str) -> bool:
    """Say whether a row or column sums up others, by its name.

    Examples
    --------
    >>> [is_summary(name) for name in ("Avg. Acc.", "W/T/L", "#wins", "Mean rank", "iris", "Ø")]
    [True, True, True, True, False, True]
    """
    stripped = _ASIDE.sub("", label.strip()).strip(":") or label.strip()
    if stripped in ("Ø", "∅", "μ", "σ", "µ", "Σ"):
        return True
    found = words(stripped)
    if found in (("w", "t", "l"), ("w", "d", "l"), ("w", "l"), ("p",)):
        return True
    if not found or _SUMMARY.isdisjoint(found):
        return False
    return all(word in _SUMMARY or word in _FILLERS or word in MEASURES for word in found)
