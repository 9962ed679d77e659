"""The track record: what was said, what came true, and where we are wrong."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from calibration.field.others import GapLine
from calibration.field.record import Line, pooled

COLOURS = {"any": "#1f5fb0", "close": "#b4632a"}
NAMES = {"any": "any two models", "close": "close rivals"}
TITLES = {"one-test-set": "one test set, McNemar's test", "datasets": "datasets, signed-rank test"}
WRONG_BY = 0.15
_SOFT = "#5b6675"


def write_page(
    found: Sequence[Line], images: Sequence[Line], gaps: Sequence[GapLine], folder: Path
) -> None:
    """Write track-record.md and its picture."""
    draw(found, images).savefig(folder / "track-record.png", dpi=130)
    page = (Path(__file__).parent / "track-record.md.in").read_text(encoding="utf-8")
    parts = {
        "summary": summary(found),
        "one_test_set": table(found, "one-test-set"),
        "datasets": table(found, "datasets"),
        "images": table(images, "one-test-set"),
        "gaps": gap_table(gaps),
        "wrong": wrong(found),
    }
    for name, text in parts.items():
        page = page.replace(f"{{{name}}}", text)
    (folder / "track-record.md").write_text(page, encoding="utf-8")


def summary(found: Sequence[Line]) -> str:
    """Return one line for each kind of design, relation and speaker, over all cells."""
    rows = [
        "| design | pairs | who speaks | said | came true | ECE, all cells together "
        "| ECE, mean of the cells |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for kind, title in TITLES.items():
        for relation, pairs in NAMES.items():
            cells = [line for line in found if (line.kind, line.relation) == (kind, relation)]
            for speaker in (relation, "unknown", "flat", "Berrar 2024"):
                first = speaker == relation
                said, true, error, own = pooled(cells, speaker)
                rows.append(
                    f"| {title if first and relation == 'any' else ''} | {pairs if first else ''} "
                    f"| {_speaker(speaker)} | {_percent(said)} | {_percent(true)} "
                    f"| {error:.3f} | {own:.3f} |"
                )
    return "\n".join(rows)


def _speaker(name: str) -> str:
    return name if name == "Berrar 2024" else f"`{name}`"


def table(found: Iterable[Line], kind: str) -> str:
    """Return one line for each cell: what was said for its pairs, and beside it."""
    rows = [
        "| corpus, size of an experiment | pairs | significant results | said | came true | ECE "
        "| `unknown` said | Berrar 2024 said |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for line in found:
        if line.kind == kind:
            rows.append(
                f"| {line.cell}, {line.size:,} | {NAMES[line.relation]} | {len(line.own.said):,} "
                f"| {_percent(line.own.said.mean())} | {_percent(line.own.truth.mean())} "
                f"| {line.own.calibration_error:.3f} "
                f"| {_percent(line.scored['unknown'].said.mean())} "
                f"| {_percent(line.scored['Berrar 2024'].said.mean())} |"
            )
    return "\n".join(rows)


def gap_table(gaps: Iterable[GapLine]) -> str:
    """Return how often a lead on ImageNet was a lead again, by its size."""
    rows = [
        "| lead on ImageNet, points | pairs | said | still ahead on V2 |",
        "|---|---:|---:|---:|",
    ]
    for gap in gaps:
        size = f"{gap.low:g} to {gap.high:g}" if gap.high < 100 else f"above {gap.low:g}"
        rows.append(f"| {size} | {gap.pairs:,} | {_percent(gap.said)} | {_percent(gap.true)} |")
    return "\n".join(rows)


def wrong(found: Iterable[Line]) -> str:
    """List the cells in which the forecast was far from what came true."""
    rows = []
    for line in sorted(found, key=lambda line: -abs(_bias(line))):
        if abs(_bias(line)) > WRONG_BY:
            rows.append(
                f"- {line.cell}, {line.size:,}, {NAMES[line.relation]}: said "
                f"{_percent(line.own.said.mean())}, {_percent(line.own.truth.mean())} came true."
            )
    return "\n".join(rows)


def _bias(line: Line) -> float:
    return float(line.own.said.mean() - line.own.truth.mean())


def _percent(value: float) -> str:
    return f"{100 * value:.0f}%"


def draw(found: Sequence[Line], images: Sequence[Line]) -> Figure:
    """Draw what came true against what was said, a dot for each cell."""
    figure = Figure(figsize=(9, 4.6), layout="constrained", facecolor="white")
    for position, (kind, title) in enumerate(TITLES.items(), start=1):
        ax = figure.add_subplot(1, 2, position)
        ax.plot([0, 1], [0, 1], color="#d5dae0", linewidth=1, zorder=0)
        for relation, colour in COLOURS.items():
            cells = [line for line in found if (line.kind, line.relation) == (kind, relation)]
            said, true = (
                [float(getattr(line.own, name).mean()) for line in cells]
                for name in ("said", "truth")
            )
            size = 14 + 26 * np.log10([line.size for line in cells])
            ax.scatter(
                said, true, s=size, color=colour, alpha=0.75, linewidth=0, label=NAMES[relation]
            )
        if kind == "one-test-set":
            for line in images:
                x, y = line.own.said.mean(), line.own.truth.mean()
                ax.scatter(x, y, s=90, marker="*", color=COLOURS[line.relation], zorder=3)
                if line.relation == "any":
                    ax.annotate("CIFAR-10.1", (x, y), (-8, 8), textcoords="offset points",
                                ha="right", fontsize=8, color=_SOFT)  # fmt: skip
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        ax.set_title(title, fontsize=10, loc="left")
        ax.set_xlabel("said", fontsize=9, color=_SOFT)
        ax.set_ylabel("came true", fontsize=9, color=_SOFT)
        ax.set_xticks(ticks := [0, 0.25, 0.5, 0.75, 1], [f"{t:.0%}" for t in ticks])
        ax.set_yticks(ticks, [f"{t:.0%}" for t in ticks])
        ax.tick_params(labelsize=8, colors=_SOFT)
        ax.spines[["top", "right"]].set_visible(False)
        if position == 1:
            ax.legend(frameon=False, fontsize=9, loc="upper left")
    return figure
