"""Run the calibration study; write docs/calibration.md with its figure, and docs/which-test.md.

Worlds are kept in `calibration-output/` as they finish, so that an interrupted run goes on where it
stopped.
"""

import json
import sys
from pathlib import Path

import numpy as np

from calibration import which_test
from calibration.groups import WORLDS, World
from calibration.report import write_report
from calibration.scoring import Predictions, score

ROOT = Path(__file__).parents[1]
STORE = ROOT / "calibration-output"
SEED = 20241
FIELDS = ("predicted", "low", "high", "truth")


def main() -> None:
    STORE.mkdir(exist_ok=True)
    found = [item for world in WORLDS for item in finished(world)]
    write_report(found, ROOT / "docs")
    print("level and power of every test", file=sys.stderr)
    which_test.main()


def finished(world: World) -> list[Predictions]:
    """Return the predictions of a world, from the store if they are there."""
    path = STORE / f"{world.name}-{world.size}.json"
    if not path.exists():
        print(f"{world.name}: {world.size} experiments a group", file=sys.stderr)
        rng = np.random.default_rng([SEED, *world.name.encode()])
        scored = score(world, world.groups(world.size, rng))
        content = [
            {
                "model": item.model,
                "estimator": item.estimator,
                "resolution": item.resolution,
                **{field: getattr(item, field).tolist() for field in FIELDS},
            }
            for item in scored
        ]
        draft = path.with_suffix(".tmp")
        draft.write_text(json.dumps(content), encoding="utf-8")
        draft.rename(path)
    return [
        Predictions(
            world=world.name,
            model=item["model"],
            estimator=item["estimator"],
            resolution=item["resolution"],
            **{field: np.array(item[field]) for field in FIELDS},
        )
        for item in json.loads(path.read_text(encoding="utf-8"))
    ]


if __name__ == "__main__":
    main()
