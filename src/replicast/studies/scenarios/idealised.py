"""Normal differences of known size: the simplest world a test can be tried in."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from replicast.studies.scenarios import Columns


def normal_differences(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> Columns:
    """Draw `n` differences with standardised effect `effect`; 0 gives the Type I error of a test."""
    rows = rng.normal(float(levels["effect"]), 1.0, size=(len(replicates), int(levels["n"])))
    return {"differences": list(rows)}
