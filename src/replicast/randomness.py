"""Where random numbers come from: a seed, a generator, or fresh entropy."""

import numpy as np

from replicast.errors import invalid

RandomSource = int | np.random.Generator | None


def generator(rng: RandomSource) -> np.random.Generator:
    """Return a generator from a seed, a generator, or (None) fresh entropy."""
    seeded = isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0
    if not (rng is None or seeded or isinstance(rng, np.random.Generator)):
        raise invalid("rng", "a whole number from 0 as seed, a numpy Generator or None", rng)
    return np.random.default_rng(rng)
