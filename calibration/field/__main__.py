"""Learn the priors from every corpus, score them where they were not learned, and write it all down.

`python -m calibration.field` rewrites src/replicast/replication/priors.json, docs/track-record.md and
docs/concepts/which-repeats.md with their pictures; `python -m calibration.field priors` only the first.
"""

import json
import sys
from pathlib import Path

from calibration.field.crowds import crowds, write_concept
from calibration.field.kinds import KINDS, Kind, fit
from calibration.field.others import fresh_images, new_imagenet
from calibration.field.page import TITLES, write_page
from calibration.field.record import lines, relation_priors

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


def write_priors() -> None:
    """Fit every kind and write one file."""
    content = {
        "made_by": "python -m calibration.field",
        "seed": SEED,
        "kinds": {kind.name: fitted(kind) for kind in KINDS},
    }
    PRIORS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def write_record() -> None:
    """Score every kind, each corpus left out in turn, and write the pages."""
    record = [line for kind in KINDS if kind.name in TITLES for line in lines(kind, SEED)]
    cases = KINDS[0]
    others = [table for table in cases.tables() if table.corpus != "CIFAR-10"]
    priors = relation_priors(cases, others, SEED)
    images = [fresh_images(priors, "any", SEED), fresh_images(priors, "close", SEED)]
    gaps = list(new_imagenet(priors["any"], SEED))
    write_page(record, images, gaps, ROOT / "docs")
    write_concept(crowds(SEED), ROOT / "docs")


if __name__ == "__main__":
    write_priors()
    if sys.argv[1:] != ["priors"]:
        write_record()
