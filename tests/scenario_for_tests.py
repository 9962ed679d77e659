"""A user's own scenario, as the documentation describes it."""

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from replicast import scenario


@scenario
def shifted(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> dict[str, Any]:
    """Differences of eight datasets with a true mean of `shift`; some blocks are slow or fail."""
    time.sleep(float(levels.get("seconds", 0)))
    if levels.get("fail_at") in replicates:
        raise ValueError("this block does not work")
    rows = rng.normal(levels["shift"], 1, size=(len(replicates), 8))
    return {"differences": list(rows), "largest": rows.max(axis=1)}


@scenario
def lopsided(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> dict[str, Any]:
    """Columns of different lengths: a mistake."""
    return {"a": [1], "b": [1, 2]}


@scenario
def empty(levels: Mapping[str, Any], replicates: range, rng: np.random.Generator) -> dict[str, Any]:
    """No records at all: a mistake."""
    return {}


@scenario
def overfull(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> dict[str, Any]:
    """One record more than there are replicates: a mistake."""
    return {"a": [1] * (len(replicates) + 1)}


@scenario
def wordless(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> dict[str, Any]:
    """Records that no summary knows."""
    return {"largest": rng.random(len(replicates))}


@scenario
def ragged(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> dict[str, Any]:
    """Lists of several lengths."""
    return {"differences": [rng.random(1 + k % 3) for k in range(len(replicates))]}
