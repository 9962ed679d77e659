"""Does first place stay first on fresh questions? Boards of LiveBench, halved at random.

python -m calibration.first_place

A board is twelve models on half the questions of a category; the other half says whether its first
stays first. Beside the chance that `rank` prints stand the share of bootstrap samples in which first
place stays, and the redrawn half of ours alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.kernels.stability import order_chances

Floats = NDArray[np.float64]
_CORPUS = Path(__file__).parent / "corpora" / "livebench.parquet"
_MODELS = 12
_BOOTSTRAPS = 500
_TIE = 1e-9


@dataclass(frozen=True)
class Board:
    """One board: its category, what came true (shared first places count in part), and what was said."""

    category: str
    stayed: float
    ours: float
    bootstrap: float


def categories() -> Iterator[tuple[str, Floats]]:
    """Yield each category with its scores, questions by models; models that miss many are left out."""
    for category, rows in pd.read_parquet(_CORPUS).groupby("category"):
        wide = rows.pivot_table(index="question", columns="model", values="score")
        wide = wide.dropna(axis=1, thresh=int(0.9 * len(wide))).dropna()
        yield str(category), wide.to_numpy(np.float64)


def boards(count: int, rng: np.random.Generator) -> list[Board]:
    """Return so many boards of every category."""
    return [_board(name, scores, rng) for name, scores in categories() for _ in range(count)]


def _board(category: str, scores: Floats, rng: np.random.Generator) -> Board:
    chosen = scores[:, rng.choice(scores.shape[1], _MODELS, replace=False)]
    shuffled = rng.permutation(len(chosen))
    half = len(chosen) // 2
    seen, fresh = chosen[shuffled[:half]], chosen[shuffled[half : 2 * half]]
    order = np.argsort(-seen.mean(axis=0), kind="stable")
    losses = -seen[:, order]
    ours, _ = order_chances(losses, rng, draws=_BOOTSTRAPS)
    redrawn = rng.multinomial(half, np.full(half, 1 / half), size=_BOOTSTRAPS) @ losses
    return Board(
        category,
        float(_leads(-fresh[:, order].sum(axis=0)[None])),
        ours,
        float(_leads(redrawn)),
    )


def _leads(losses: Floats) -> float:
    """Return how often the first column is lowest; a shared place is divided."""
    lowest = losses <= losses.min(axis=1, keepdims=True) + _TIE
    return float((lowest[:, 0] / lowest.sum(axis=1)).mean())


def table(found: list[Board]) -> str:
    """Return what was said and what came true, by category."""
    frame = pd.DataFrame([vars(board) for board in found])
    means = frame.groupby("category").mean()
    means.loc["all"] = frame.drop(columns="category").mean()
    lines = [
        "| category | stayed | ours | bias | bootstrap | bias |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, row in means.iterrows():
        ours, other = (
            f"{row[key]:.3f} | {row[key] - row['stayed']:+.3f}" for key in ("ours", "bootstrap")
        )
        lines.append(f"| {name} | {row['stayed']:.3f} | {ours} | {other} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table; half a minute."""
    print(table(boards(100, np.random.default_rng(20241))))


if __name__ == "__main__":
    main()
