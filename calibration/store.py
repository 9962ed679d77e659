"""Experiments of the worlds, kept on disk as they finish: `python -m calibration.store [name ...]`."""

import sys
from pathlib import Path
from typing import Any

import numpy as np

from calibration.worlds import FIT_WORLDS, WORLDS, World
from calibration.worlds.boards import EXPERIMENTS as BOARD_EXPERIMENTS
from calibration.worlds.boards import BoardWorld
from calibration.worlds.folds import EXPERIMENTS, Arrays

ROOT = Path(__file__).parents[1]
STORE = ROOT / "calibration-output"
SEED = 20252


def experiments_of(world: World, store: Path = STORE) -> Arrays:
    """Return the experiments of a world, drawn once and then read from the store."""
    path = store / "worlds" / f"{world.name}.npz"
    if not path.exists():
        count = BOARD_EXPERIMENTS if isinstance(world, BoardWorld) else EXPERIMENTS
        print(f"{world.name}: {count} experiments", file=sys.stderr, flush=True)
        drawn: Any = world.experiments(np.random.default_rng([SEED, *world.name.encode()]), count)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".tmp.npz")
        np.savez_compressed(draft, **drawn)
        draft.rename(path)
    with np.load(path) as content:
        return {key: content[key] for key in content.files}


if __name__ == "__main__":
    asked = sys.argv[1:]
    for each in (*FIT_WORLDS, *WORLDS):
        if not asked or each.name in asked:
            experiments_of(each)
