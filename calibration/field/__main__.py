"""Fit the priors on every corpus and write them into the package: `python -m calibration.field`."""

import json
from pathlib import Path

from calibration.field.kinds import KINDS, Kind, fit

ROOT = Path(__file__).parents[2]
PRIORS = ROOT / "src/replicast/replication/priors.json"
SEED = 20259


def fitted(kind: Kind) -> dict[str, object]:
    """Return the entry of a kind in the file of priors."""
    tables = kind.tables()
    weights = fit(kind, tables, SEED)
    return {
        "about": kind.about,
        "corpora": sorted({table.corpus for table in tables}),
        "components": list(kind.components),
        **{relation: _rounded(found.tolist()) for relation, found in weights.items()},
    }


def _rounded(weights: list[float]) -> list[float]:
    """Round to nine digits so that the sum stays 1; the largest weight takes up the rest."""
    short = [round(weight, 9) for weight in weights]
    largest = short.index(max(short))
    short[largest] = round(1 - sum(short[:largest] + short[largest + 1 :]), 9)
    return short


def main() -> None:
    """Fit every kind and write one file."""
    content = {
        "made_by": "python -m calibration.field",
        "seed": SEED,
        "kinds": {kind.name: fitted(kind) for kind in KINDS},
    }
    PRIORS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
