"""The calibration page: table, figure, and what they say."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from calibration.groups import WORLDS
from calibration.scoring import ESTIMATORS, Predictions

COLOURS = {"as-published": "#b4632a", "flat": "#8a94a3", "calibrated": "#1f5fb0"}
_TITLES = {world.name: world.title for world in WORLDS}


def write_report(found: list[Predictions], folder: Path) -> None:
    """Write calibration.md and calibration.png."""
    draw(found).savefig(folder / "calibration.png", dpi=130)
    text = (Path(__file__).parent / "calibration.md.in").read_text(encoding="utf-8")
    page = text.replace("{table}", table(found)).replace("{losses}", losses(found))
    (folder / "calibration.md").write_text(page, encoding="utf-8")


def table(found: list[Predictions]) -> str:
    """Return one line for each world, model and estimator."""
    lines = [
        "| world | model | estimator | predicted | truth | ECE | Brier | coverage |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for item in found:
        first = item.estimator == ESTIMATORS[0]
        world = f"{_TITLES[item.world]}; {len(item.truth):,} significant" if first else ""
        lines.append(
            f"| {world} | {item.model if first else ''} | {item.estimator} "
            f"| {item.predicted.mean():.3f} | {item.truth.mean():.3f} "
            f"| {item.calibration_error:.3f} | {item.brier:.3f} | {item.coverage:.3f} |"
        )
    return "\n".join(lines)


def losses(found: list[Predictions]) -> str:
    """List where the default has a larger calibration error than another estimator."""
    lines = []
    for item in found:
        if item.estimator != "calibrated":
            continue
        better = [
            other
            for other in found
            if (other.world, other.model) == (item.world, item.model)
            and other.calibration_error < item.calibration_error - 0.005
        ]
        lines += [
            f"- {_TITLES[item.world]}, {item.model}: {other.estimator} has ECE "
            f"{other.calibration_error:.3f}, the default {item.calibration_error:.3f}."
            for other in better
        ]
    return "\n".join(lines) if lines else "- In none of these worlds."


def draw(found: list[Predictions]) -> Figure:
    """Draw truth against prediction, one panel for each world and model."""
    panels = list(dict.fromkeys((item.world, item.model) for item in found))
    columns = 4
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(11, 3.1 * rows), layout="constrained", facecolor="white")
    for position, (world, model) in enumerate(panels):
        ax = figure.add_subplot(rows, columns, position + 1)
        ax.plot([0, 1], [0, 1], color="#d5dae0", linewidth=1)
        for item in found:
            if (item.world, item.model) == (world, model):
                x, y, weight = _bins(item)
                ax.plot(x, y, color=COLOURS[item.estimator], linewidth=1.4, label=item.estimator)
                ax.scatter(x, y, s=8 + 120 * weight, color=COLOURS[item.estimator])
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        ax.set_title(f"{world}\n{model}", fontsize=9, loc="left")
        ax.tick_params(labelsize=8, colors="#5b6675")
        if position == 0:
            ax.legend(frameon=False, fontsize=8)
        if position % columns == 0:
            ax.set_ylabel("replicated", fontsize=9, color="#5b6675")
        if position >= len(panels) - columns:
            ax.set_xlabel("predicted", fontsize=9, color="#5b6675")
    return figure


def _bins(item: Predictions) -> tuple[list[float], list[float], np.ndarray]:
    bins = np.minimum((item.predicted * 10).astype(int), 9)
    kept = [b for b in range(10) if np.mean(bins == b) >= 0.01]
    return (
        [float(item.predicted[bins == b].mean()) for b in kept],
        [float(item.truth[bins == b].mean()) for b in kept],
        np.array([np.mean(bins == b) for b in kept]),
    )
