"""Run the calibration study; write docs/calibration.md with its figure, and docs/which-test.md.

Experiments and forecasts are kept in `calibration-output/` as they finish, so that an interrupted run
goes on where it stopped. Forecasts are made anew when the code that makes them changes.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from calibration.planned import planned_cross_validation, planned_elsewhere
from calibration.report import write_report
from calibration.scoring import Forecasts, score
from calibration.settings import settings_of
from calibration.store import ROOT, STORE
from calibration.which_test import measured, write_page
from calibration.worlds import WORLDS, World

_ARRAYS = ("said", "low", "high", "truth")
_WORDS = ("world", "kind", "estimator", "near_null", "resolution")
_FORECASTERS = (
    *("src/replicast/kernels/" + name for name in ("layouts.py", "mixtures.py", "replication*.py")),
    *(
        "src/replicast/replication/" + name
        for name in ("models.py", "student.py", "counts.py", "priors.*")
    ),
    *("calibration/" + name for name in ("settings.py", "scoring.py", "planned.py", "worlds/*.py")),
)


def main() -> None:
    """Score every world, then the planner, then write both pages.

    With `--finished` the page of calibration is written from what is in the store, and names what is
    not; with `--levels` the page of tests is written too.
    """
    parts: dict[str, Callable[[], Iterable[list[Forecasts]]]] = {
        world.name: partial(_scored, world) for world in WORLDS
    }
    planned = {"planned-folds": planned_cross_validation, "planned-elsewhere": planned_elsewhere}
    missing: list[str] = []
    if "--finished" in sys.argv:
        missing = [name for name in (*parts, *planned) if not _path(name).exists()]
    repeated = [
        item for name, make in parts.items() if name not in missing for item in kept(name, make())
    ]
    forecasts = [
        item for name, make in planned.items() if name not in missing for item in kept(name, make())
    ]
    write_report(repeated, forecasts, missing, ROOT / "docs")
    if "--levels" in sys.argv:
        print("level and power of every test", file=sys.stderr)
        write_page(measured(), ROOT / "docs")


def _path(name: str) -> Path:
    return STORE / f"forecasts-{digest()}" / f"{name}.json"


def _scored(world: World) -> Iterable[list[Forecasts]]:
    return (score(setting) for setting in settings_of(world))


def kept(name: str, parts: Iterable[list[Forecasts]]) -> list[Forecasts]:
    """Return forecasts from the store, or make and keep them."""
    path = _path(name)
    if not path.exists():
        print(name, file=sys.stderr, flush=True)
        found = [item for part in parts for item in part]
        content = [
            {key: getattr(item, key) for key in _WORDS}
            | {key: getattr(item, key).round(6).tolist() for key in _ARRAYS}
            for item in found
        ]
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".tmp")
        draft.write_text(json.dumps(content), encoding="utf-8")
        draft.rename(path)
    return [_read(row) for row in json.loads(path.read_text(encoding="utf-8"))]


def _read(row: dict[str, Any]) -> Forecasts:
    arrays = {key: np.array(row[key]) for key in _ARRAYS}
    return Forecasts(**(row | arrays))


def digest() -> str:
    """Return a word that changes with the code and the priors that make forecasts."""
    files = sorted(path for pattern in _FORECASTERS for path in ROOT.glob(pattern))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:8]


if __name__ == "__main__":
    main()
