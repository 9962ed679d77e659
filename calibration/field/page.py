"""The track record: what was said, what came true, and where we are wrong."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from calibration.field.corpora import Floats
from calibration.field.experiments import Relation
from calibration.field.others import GapLine, Images
from calibration.field.record import (
    BINS,
    Line,
    bands,
    brier_difference,
    half_and_half,
    one_unit,
    pooled,
    some,
)

COLOURS: dict[Relation, str] = {"any": "#1f5fb0", "close": "#b4632a"}
NAMES: dict[Relation, str] = {"any": "any two models", "close": "close rivals"}
TITLES = {"one-test-set": "one test set, McNemar's test", "datasets": "datasets, signed-rank test"}
AFTER = {True: "significant", False: "other"}
WRONG_BY = 0.15
_SOFT = "#5b6675"
Larger = tuple[str, Relation, int, Floats, Floats]


def write_page(
    found: Sequence[Line],
    images: Sequence[Images],
    gaps: Sequence[GapLine],
    larger: Sequence[tuple[str, Larger]],
    folder: Path,
) -> None:
    """Write track-record.md and its picture."""
    published = [line for line in found if line.published]
    draw(published).savefig(folder / "track-record.png", dpi=130)
    page = (Path(__file__).parent / "track-record.md.in").read_text(encoding="utf-8")
    parts = {
        "summary": summary(published),
        "pooled": pooled_table(published),
        "bands": band_table(published),
        "predicted": predicted_table(published),
        "larger": larger_table(larger),
        "one_test_set": table(found, "one-test-set"),
        "datasets": table(found, "datasets"),
        "images": image_table(images),
        "gaps": gap_table(gaps),
        "wrong": wrong(found),
    }
    for name, text in parts.items():
        page = page.replace(f"{{{name}}}", text)
    (folder / "track-record.md").write_text(page, encoding="utf-8")


def _group(found: Iterable[Line], kind: str, relation: str, significant: bool) -> list[Line]:
    wanted = kind, relation, significant
    return [x for x in found if (x.cell.kind, x.cell.relation, x.significant) == wanted]


def summary(found: Sequence[Line]) -> str:
    """Return one line for each kind of design, relation, first result and speaker, over all cells."""
    rows = [
        "| design | pairs | first results | who speaks | said | came true | ECE | Brier |",
        "|---|---|---|---|---:|---:|---:|---:|",
    ]
    for kind, title in TITLES.items():
        for relation, pairs in NAMES.items():
            for flag, after in AFTER.items():
                cells = _group(found, kind, relation, flag)
                for speaker in ("told", "unknown", "two lines", "flat", "Berrar 2024"):
                    said, true, error, brier = pooled(cells, speaker)
                    start = f"| {title} | {pairs} | {after} " if speaker == "told" else "| | | "
                    name = f"`{relation}`" if speaker == "told" else speaker
                    rows.append(
                        f"{start}| {name} | {_percent(said)} | {_percent(true)} | {error:.3f} "
                        f"| {brier:.4f} |"
                    )
    return "\n".join(rows)


def pooled_table(found: Sequence[Line]) -> str:
    """Return calibration errors over both designs, and Brier scores beside the two lines."""
    rows = ["| first results | `any` | `close` | `unknown` |", "|---|---:|---:|---:|"]
    for flag, after in AFTER.items():
        cells = [line for line in found if line.significant == flag]
        errors = [
            pooled([line for line in cells if line.cell.relation == relation], "told")[2]
            for relation in NAMES
        ]
        rows.append(f"| {after} | {errors[0]:.3f} | {errors[1]:.3f} | {half_and_half(cells):.3f} |")
    rows += [
        "",
        "| design | pairs | first results | Brier, less that of the two lines | standard error over "
        "corpora |",
        "|---|---|---|---:|---:|",
    ]
    for kind, title in TITLES.items():
        for relation, pairs in NAMES.items():
            for flag, after in AFTER.items():
                gain, error = brier_difference(_group(found, kind, relation, flag))
                rows.append(f"| {title} | {pairs} | {after} | {gain:+.4f} | {error:.4f} |")
    return "\n".join(rows)


def band_table(found: Sequence[Line]) -> str:
    """Return what came true for each tenth of what was said, by relation."""
    rows = ["| said | `any`: came true | `close`: came true | `unknown`: came true |",
            "|---|---:|---:|---:|"]  # fmt: skip
    columns = [
        bands([line for line in found if line.cell.relation == relation], "told")
        for relation in NAMES
    ]
    columns.append(bands(found, "unknown"))
    for b in range(BINS):
        shown = [
            f"{_percent(each[b][1])} ({each[b][2]:,})" if each[b][2] else "" for each in columns
        ]
        rows.append(f"| {10 * b} to {10 * b + 10}% | {' | '.join(shown)} |")
    return "\n".join(rows)


def predicted_table(found: Sequence[Line]) -> str:
    """Return how often repeats lay inside the predicted interval, and what was expected."""
    rows = [
        "| design | pairs | first results | inside the 95% interval | least of the cells | seen "
        "| expected | repeat |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for kind, title in TITLES.items():
        for relation, pairs in NAMES.items():
            for flag, after in AFTER.items():
                cells = [x for x in _group(found, kind, relation, flag) if one_unit(x.cell)]
                covered = [line.covered for line in cells]
                seen, fresh = (
                    np.mean([getattr(some(line.cell), name).mean() for line in cells])
                    for name in ("mean", "fresh")
                )
                expected = np.mean([line.expected.mean() for line in cells])
                rows.append(
                    f"| {title} | {pairs} | {after} | {100 * np.mean(covered):.1f}% "
                    f"| {_percent(min(covered))} | {100 * seen:.1f} | {100 * expected:.1f} "
                    f"| {100 * fresh:.1f} |"
                )
    return "\n".join(rows)


def larger_table(found: Sequence[tuple[str, Larger]]) -> str:
    """Return what came true of larger repeats of significant results."""
    rows = [
        "| design | pairs | results | said | came true | said 85 to 95%: results | came true |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for kind, title in TITLES.items():
        for relation, pairs in NAMES.items():
            each = [x for k, x in found if k == kind and x[1] == relation]
            said, came = (np.concatenate([x[at] for x in each]) for at in (3, 4))
            inside = (said >= 0.85) & (said < 0.95)
            rows.append(
                f"| {title} | {pairs} | {len(said):,} | {_percent(said.mean())} "
                f"| {_percent(came.mean())} | {inside.sum()} | {_percent(came[inside].mean())} |"
            )
    return "\n".join(rows)


def table(found: Iterable[Line], kind: str) -> str:
    """Return one line for each cell: what was said for its pairs, and beside it."""
    rows = [
        "| corpus, size of an experiment | pairs | first results | number | said | came true "
        "| `unknown` said | two lines said | Berrar 2024 said |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for line in found:
        if line.cell.kind == kind:
            others = (line.said[name].mean() for name in ("unknown", "two lines", "Berrar 2024"))
            rows.append(
                f"| {line.cell.name} | {NAMES[line.cell.relation]} | {AFTER[line.significant]} "
                f"| {len(line.truth)} | {_percent(line.said['told'].mean())} "
                f"| {_percent(line.truth.mean())} | {' | '.join(map(_percent, others))} |"
            )
    return "\n".join(rows)


def image_table(found: Iterable[Images]) -> str:
    """Return what was said of CIFAR-10.1, and what came true."""
    rows = ["| first result on | pairs | significant results | said | came true | Berrar 2024 said |",
            "|---|---|---:|---:|---:|---:|"]  # fmt: skip
    for each in found:
        said, published = (each.said[name].mean() for name in ("told", "Berrar 2024"))
        rows.append(
            f"| {each.cases:,} images | {NAMES[each.relation]} | {len(each.truth)} | {_percent(said)} "
            f"| {_percent(each.truth.mean())} | {_percent(published)} |"
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
                f"- {line.cell.name}, {NAMES[line.cell.relation]}, {AFTER[line.significant]} results: "
                f"said {_percent(line.said['told'].mean())}, {_percent(line.truth.mean())} came true."
            )
    return "\n".join(rows)


def _bias(line: Line) -> float:
    return float(line.said["told"].mean() - line.truth.mean())


def _percent(value: float) -> str:
    return f"{100 * value:.0f}%"


def draw(found: Sequence[Line]) -> Figure:
    """Draw what came true against what was said, a dot for each cell."""
    figure = Figure(figsize=(9, 4.6), layout="constrained", facecolor="white")
    for position, (kind, title) in enumerate(TITLES.items(), start=1):
        ax = figure.add_subplot(1, 2, position)
        ax.plot([0, 1], [0, 1], color="#d5dae0", linewidth=1, zorder=0)
        for relation, colour in COLOURS.items():
            for flag, after in AFTER.items():
                cells = _group(found, kind, relation, flag)
                ax.scatter(
                    [line.said["told"].mean() for line in cells],
                    [line.truth.mean() for line in cells],
                    s=14 + 26 * np.log10([line.cell.size for line in cells]),
                    color=colour if flag else "none",
                    edgecolor=colour,
                    alpha=0.75,
                    label=f"{NAMES[relation]}, {after} results",
                )
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        ax.set_title(title, fontsize=10, loc="left")
        ax.set_xlabel("said", fontsize=9, color=_SOFT)
        ax.set_ylabel("came true", fontsize=9, color=_SOFT)
        ax.set_xticks(ticks := [0, 0.25, 0.5, 0.75, 1], [f"{t:.0%}" for t in ticks])
        ax.set_yticks(ticks, [f"{t:.0%}" for t in ticks])
        ax.tick_params(labelsize=8, colors=_SOFT)
        ax.spines[["top", "right"]].set_visible(False)
        if position == 1:
            ax.legend(frameon=False, fontsize=8, loc="upper left")
    return figure
