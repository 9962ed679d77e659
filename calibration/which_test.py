"""The page docs/which-test.md: levels measured here, replicability from the study reports.

python -m calibration.which_test
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from calibration.levels import measure, table
from calibration.nulls import (
    COLLECTIONS,
    DATASETS,
    feature_sets,
    feature_table,
    skewed,
    skewed_table,
)
from replicast import PROCEDURES

SEED = 20241
SIZE = 10_000


def main() -> None:
    """Measure every test and rewrite the page; takes minutes."""
    write_page(measured(), Path(__file__).parents[1] / "docs")


def measured() -> dict[str, str]:
    """Return the measured tables by their names in the template."""
    return {
        "levels": table(measure(SIZE, np.random.default_rng(SEED))),
        "features": feature_table(list(feature_sets(DATASETS, np.random.default_rng(SEED)))),
        "skewed": skewed_table(list(skewed(COLLECTIONS, np.random.default_rng(SEED)))),
    }


def write_page(found: dict[str, str], docs: Path) -> None:
    """Fill the template with the measured tables and the summaries of the committed reports."""
    text = Path(__file__).with_name("which-test.md.in").read_text(encoding="utf-8")
    page = (
        text.replace("{levels}", found["levels"])
        .replace("{features}", found["features"])
        .replace("{skewed}", found["skewed"])
        .replace("{simulation}", simulation_table(_rows(docs, "bouckaert-simulation")))
        .replace("{uci}", uci_table(_rows(docs, "uci-replicability")))
    )
    (docs / "which-test.md").write_text(page, encoding="utf-8")


def _rows(docs: Path, study: str) -> list[dict[str, Any]]:
    text = (docs / "studies" / study / "summary.json").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = json.loads(text)["rows"]
    return rows


def simulation_table(rows: list[dict[str, Any]]) -> str:
    """Return the simulation's procedures, those that keep their level first."""
    lines = [
        "| way to test | Type I error | power | least R | all ten agree |",
        "|---|---:|---:|---:|---:|",
    ]
    ordered = sorted(rows, key=lambda row: (row["rejects"][0] > 0.07, -min(row["normalised"])))
    for row in ordered:
        if row["test"] not in PROCEDURES:  # the printed sign test is nobody's to use
            continue
        rates = [100 * value for value in row["rejects"]]
        lines.append(
            f"| {PROCEDURES[row['test']].title} | {rates[0]:.1f} | {rates[2]:.1f} "
            f"| {100 * min(row['normalised']):.0f} | {100 * row['consistent'][2]:.0f} |"
        )
    return "\n".join(lines)


def uci_table(rows: list[dict[str, Any]]) -> str:
    """Return R of each procedure for the three pairs of learners."""
    lines = [
        "| way to test | NB against C4.5 | NB against NN | C4.5 against NN |",
        "|---|---:|---:|---:|",
    ]
    for row in sorted(rows, key=lambda row: -sum(row["replicability"])):
        if row["test"] not in PROCEDURES:
            continue
        cells = " | ".join(f"{value:.3f}" for value in row["replicability"])
        lines.append(f"| {PROCEDURES[row['test']].title} | {cells} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
