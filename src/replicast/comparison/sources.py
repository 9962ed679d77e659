"""What a comparison was given: scores, or whatever `read_scores` makes scores of."""

from collections.abc import Mapping, Sized
from dataclasses import replace
from inspect import signature as parameters
from pathlib import Path
from typing import Any

import numpy as np

from replicast.design import DesignLike
from replicast.reading.door import read_scores
from replicast.scores.pairing import paired_scores
from replicast.scores.pairs import PairedScores
from replicast.scores.tables import ScoreTable

_READING = frozenset(parameters(read_scores).parameters) - {"source", "design"}


def reading_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that say how to read, and take them out of the others."""
    return {name: options.pop(name) for name in tuple(options) if name in _READING}


def _has_names(source: Any) -> bool:
    """Say whether something may tell whose scores it holds; numbers alone do not."""
    if isinstance(source, list | tuple):
        return len(source) > 0 and isinstance(source[0], str | Path | Mapping)
    return not isinstance(source, np.ndarray)


def table_given(source: Any, design: DesignLike | None, **reading: Any) -> ScoreTable:
    """Return a table as it is, and read anything else."""
    if isinstance(source, ScoreTable) and design is None and not reading:
        return source
    return read_scores(source, design=design, **reading)


def pair_given(
    scores: Any,
    second: Any,
    design: DesignLike | None,
    names: tuple[str, str] | None,
    **reading: Any,
) -> PairedScores:
    """Return the pair that was given; two arrays without a design are read as a table of two columns."""
    if second is None and not isinstance(scores, PairedScores | ScoreTable) and _has_names(scores):
        return paired_scores(read_scores(scores, design=design, **reading), names=names)
    if second is None or design is not None or isinstance(scores, PairedScores):
        return paired_scores(scores, second, design, names)
    if not (isinstance(scores, Sized) and isinstance(second, Sized)):
        return paired_scores(scores, second, design, names)  # which says that it needs a design
    pair = paired_scores(read_scores({"first": scores, "second": second}, **reading))
    return pair if names is None else replace(pair, names=names)
