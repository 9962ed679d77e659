"""Learn the priors from every corpus, score them where they were not learned, and write it all down.

`python -m calibration.field` rewrites src/replicast/replication/priors.json and track-record.json,
docs/track-record.md and docs/concepts/which-repeats.md with their pictures.
"""

import json
from pathlib import Path
from typing import Any

from calibration.field.cells import KINDS, SEED, cells
from calibration.field.crowds import crowds, write_concept
from calibration.field.experiments import RELATIONS, Relation
from calibration.field.fitting import (
    AT,
    EXPONENTS,
    FAR,
    by_relation,
    corpus_scales,
    held_out,
    prior_scale,
)
from calibration.field.others import fresh_images, new_imagenet
from calibration.field.page import write_page
from calibration.field.record import (
    BINS,
    Line,
    bands,
    larger,
    lines,
    one_unit,
    predictions_of,
    some,
    widening,
)

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src/replicast/replication"
_NAMES = {"one-test-set": "cases", "datasets": "datasets"}


def write(path: Path, content: dict[str, Any]) -> None:
    """Write one small file."""
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def band_entries(found: list[Line]) -> dict[str, list[dict[str, float] | None]]:
    """Return what came true for each tenth of what was said, by relation as it was told."""
    told: dict[str, tuple[list[Line], str]] = {"unknown": (found, "unknown")}
    for relation in RELATIONS:
        told[relation] = [line for line in found if line.cell.relation == relation], "told"
    return {
        relation: [
            {"came_true": round(true, 3), "results": count} if count else None
            for _, true, count in bands(*group)
        ]
        for relation, group in told.items()
    }


def main() -> None:
    """Fit, score and write; a few minutes."""
    every = {kind: list(cells(kind)) for kind in KINDS}
    found = {kind: by_relation(every[kind]) for kind in KINDS}
    exponent = min(EXPONENTS, key=lambda a: sum(held_out(k, found[k], a) for k in KINDS))
    scales = {
        kind: {relation: corpus_scales(found[kind][relation], exponent) for relation in RELATIONS}
        for kind in KINDS
    }
    content: dict[str, Any] = {
        "made_by": "python -m calibration.field",
        "about": "standard deviation of the true difference in standard errors of the first result",
        "exponent": exponent,
        "far": {"weight": FAR[0], "times": FAR[1]},
    }
    for kind in KINDS:
        parts = [
            (some(cell.part(flag)), predictions_of(cell.part(flag), kind, scales[kind], exponent))
            for cell in every[kind]
            for flag in (True, False)
            if kind == "datasets" and one_unit(cell) and len(cell.part(flag).truth) >= 20
        ]
        content[_NAMES[kind]] = {
            "at": AT[kind],
            **{
                relation: round(prior_scale(kind, relation, scales[kind][relation]), 3)
                for relation in RELATIONS
            },
            "widened": round(widening(parts), 2) if parts else 1.0,
            "corpora": scales[kind],
        }
    write(FOLDER / "priors.json", content)
    record = [line for kind in KINDS for line in lines(kind, found[kind], exponent)]
    published = [line for line in record if line.published]
    shown = {"made_by": content["made_by"], "bands": BINS, **band_entries(published)}
    write(FOLDER / "track-record.json", shown)
    grown = {
        relation: prior_scale(KINDS[0], relation, scales[KINDS[0]][relation], "CIFAR-10")
        for relation in RELATIONS
    }
    sizes: dict[Relation, int] = {"any": 10_000, "close": 5_000}
    images = [
        fresh_images(
            {r: s * (cases / AT[KINDS[0]]) ** exponent for r, s in grown.items()}, relation, SEED
        )
        for relation, cases in sizes.items()
    ]
    gaps = list(new_imagenet(grown["any"] * (50_000 / AT[KINDS[0]]) ** exponent, SEED))
    repeats = [
        (kind, each)
        for kind in KINDS
        for each in larger(kind, scales[kind], exponent)
        if kind == "datasets" or each[0] != "our learners"
    ]
    write_page(record, images, gaps, repeats, ROOT / "docs")
    write_concept(crowds(every), ROOT / "docs")


if __name__ == "__main__":
    main()
