"""A scenario of one's own: differences with a heavy right tail, as a few hard datasets give them.

Try it from the project's root:

    PYTHONPATH=examples replicast study run examples/skewed.toml --store runs/skewed
    replicast study summary runs/skewed
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from replicast import scenario


@scenario
def lognormal(
    levels: Mapping[str, Any], replicates: range, rng: np.random.Generator
) -> dict[str, Any]:
    """Return differences of `n` datasets: lognormal, centred on their mean, moved by `effect`."""
    shape = (len(replicates), int(levels["n"]))
    sigma = float(levels["sigma"])
    rows = rng.lognormal(0.0, sigma, size=shape) - np.exp(sigma**2 / 2)
    spread = np.sqrt((np.exp(sigma**2) - 1) * np.exp(sigma**2))
    return {"differences": list(rows / spread + float(levels["effect"]))}
