"""Invent the tables of two recipes: returns over environments and seeds, and Dice of images.

Run: python examples/make_recipe_files.py
"""

import csv
from pathlib import Path

import numpy as np

RECIPES = Path(__file__).parents[1] / "docs" / "recipes"
GAMES = {  # level, spread of seeds, gain of the new algorithm
    "Hopper": (2400, 500, 420),
    "Walker2d": (3600, 700, 500),
    "HalfCheetah": (9500, 900, 650),
    "Ant": (4100, 800, 300),
    "Swimmer": (105, 18, 22),
}


def main() -> None:
    rng = np.random.default_rng(2026)
    rows: list[list[object]] = []
    for game, (level, spread, gain) in GAMES.items():
        for name in ("sac-x", "sac"):
            for seed in range(1, 9):
                score = level + gain * (name == "sac-x") + spread * rng.normal()
                rows.append([name, game, seed, round(float(score), 1)])
    write("returns.csv", ["algorithm", "env", "seed", "return"], rows)

    rows = []
    for patient in range(1, 31):
        level, lead = rng.normal(0.86, 0.04), rng.normal(0.008, 0.012)
        for _ in range(rng.integers(2, 6)):
            image, hard = f"img{len(rows) // 2 + 1:03d}", rng.normal(0, 0.03)
            for name in ("unet-b", "unet"):
                score = level + hard + lead * (name == "unet-b") + rng.normal(0, 0.012)
                rows.append([f"P{patient:02d}", image, name, round(float(min(score, 0.99)), 3)])
    write("dice.csv", ["patient", "image", "model", "dice"], rows)


def write(name: str, headings: list[str], rows: list[list[object]]) -> None:
    with (RECIPES / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(headings)
        writer.writerows(rows)
    print(f"{len(rows)} rows in {name}")


if __name__ == "__main__":
    main()
