"""The calibration page: tables with equal weight for each world, figure, and what they say."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from calibration.scoring import ESTIMATORS, OTHER_PRIORS, Forecasts

COLOURS = {
    "calibrated": "#1f5fb0", "sceptic": "#4d7c4d", "flat": "#8a94a3", "as-published": "#b4632a"
}  # fmt: skip
NAMES = {
    "calibrated": "default", "sceptic": "sceptic", "flat": "flat", "as-published": "Berrar 2024"
}  # fmt: skip
KNOWN = ("cases", "scores and sizes", "scores alone")  # what may be known of one dataset
ASKED_COVERAGE = 0.9
PROMISED = (0.9, 0.97)  # forecasts of the planner that are held against what came true
MAIN = (
    "10-fold, cases", "10-fold, scores and sizes", "10-fold, scores alone",
    "10x10, cases", "10x10, scores and sizes",
)  # fmt: skip


def write_report(
    found: list[Forecasts], planned: list[Forecasts], missing: Sequence[str], folder: Path
) -> None:
    """Write calibration.md and calibration.png; `missing` worlds were not run."""
    scored = [item for item in found if len(item.truth)]
    draw(scored).savefig(folder / "calibration.png", dpi=130)
    page = (Path(__file__).parent / "calibration.md.in").read_text(encoding="utf-8")
    parts = {
        "summary": summary(scored),
        "missing": absent(missing),
        "losses": losses(scored),
        "priors": other_priors(scored),
        "coverage": short_ranges(scored),
        "planner": promises([item for item in planned if len(item.truth)]),
        "worlds": "\n\n".join(f"### {kind}\n\n{by_world(scored, kind)}" for kind in MAIN),
        "others": others(scored),
    }
    for name, text in parts.items():
        page = page.replace(f"{{{name}}}", text)
    (folder / "calibration.md").write_text(page, encoding="utf-8")


def absent(missing: Sequence[str]) -> str:
    """Say which worlds were not run for this edition of the page."""
    if not missing:
        return "Every world of the list was run for this page."
    return f"Not run for this edition of the page, for want of time: {', '.join(missing)}."


def kinds(found: Iterable[Forecasts]) -> list[str]:
    """Return the ways to ask, in their order."""
    return list(dict.fromkeys(item.kind for item in found))


def _of(found: Iterable[Forecasts], kind: str, estimator: str) -> list[Forecasts]:
    return [item for item in found if (item.kind, item.estimator) == (kind, estimator)]


def _mean(items: Sequence[Forecasts], figure: Callable[[Forecasts], float]) -> str:
    return f"{np.mean([figure(item) for item in items]):.3f}" if items else "-"


def _error(item: Forecasts) -> float:
    return item.calibration_error


def summary(found: list[Forecasts]) -> str:
    """Return one line for each way to ask: ECE with equal weight for each world, and coverage."""
    lines = [
        "| first result | worlds (near-null) | ECE: default | sceptic | flat | Berrar 2024 "
        "| default, near-null | default, others | coverage, others: mean | least |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for kind in kinds(found):
        ours = _of(found, kind, "calibrated")
        near = [item for item in ours if item.near_null]
        rest = [item for item in ours if not item.near_null]
        errors = " | ".join(_mean(_of(found, kind, name), _error) for name in ESTIMATORS)
        least = f"{min(item.coverage for item in rest):.2f}" if rest else "-"
        lines.append(
            f"| {kind} | {len(ours)} ({len(near)}) | {errors} | {_mean(near, _error)} "
            f"| {_mean(rest, _error)} | {_mean(rest, lambda item: item.coverage)} | {least} |"
        )
    return "\n".join(lines)


def by_world(found: list[Forecasts], kind: str) -> str:
    """Return one line for each world."""
    lines = [
        "| world | results | said | came true | ECE: default | sceptic | flat | Berrar 2024 "
        "| coverage |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for item in _of(found, kind, "calibrated"):
        same = {
            other.estimator: other
            for other in found
            if (other.world, other.kind) == (item.world, item.kind)
        }
        errors = " | ".join(f"{same[name].calibration_error:.3f}" for name in ESTIMATORS)
        name = f"{item.world}, near-null" if item.near_null else item.world
        lines.append(
            f"| {name} | {len(item.truth)} | {item.said.mean():.2f} | {item.truth.mean():.2f} "
            f"| {errors} | {item.coverage:.2f} |"
        )
    return "\n".join(lines)


def others(found: list[Forecasts]) -> str:
    """Return one line for each world of the remaining ways to ask, default and coverage only."""
    lines = [
        "| first result | world | said | came true | ECE | coverage |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for kind in kinds(found):
        if kind in MAIN:
            continue
        for item in _of(found, kind, "calibrated"):
            name = f"{item.world}, near-null" if item.near_null else item.world
            lines.append(
                f"| {kind} | {name} | {item.said.mean():.2f} | {item.truth.mean():.2f} "
                f"| {item.calibration_error:.3f} | {item.coverage:.2f} |"
            )
    return "\n".join(lines)


def losses(found: list[Forecasts]) -> str:
    """Count, for each way to ask, the worlds in which each estimator has the least error."""
    lines = [
        "| first result | worlds | default best | sceptic best | flat best | Berrar 2024 best "
        "| where the default loses most |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for kind in kinds(found):
        ours = _of(found, kind, "calibrated")
        best = dict.fromkeys(ESTIMATORS, 0)
        worst, told = 0.0, "nowhere"
        for item in ours:
            same = [
                other
                for other in found
                if (other.world, other.kind) == (item.world, item.kind)
                and other.estimator in ESTIMATORS
            ]
            leader = min(same, key=_error)
            best[leader.estimator] += 1
            lost = item.calibration_error - leader.calibration_error
            if lost > worst:
                worst = lost
                told = (
                    f"{item.world}: {item.calibration_error:.3f}, {NAMES[leader.estimator]} "
                    f"{leader.calibration_error:.3f}"
                )
        counts = " | ".join(str(best[name]) for name in ESTIMATORS)
        lines.append(f"| {kind} | {len(ours)} | {counts} | {told} |")
    return "\n".join(lines)


def other_priors(found: list[Forecasts]) -> str:
    """Return the default's error on one dataset beside those of other priors, worlds alike."""
    lines = [
        "| first result | worlds | default | if close | if any two | prior of version 0.1 |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for kind in kinds(found):
        if not kind.endswith(KNOWN):
            continue
        named = ("calibrated", *OTHER_PRIORS)
        errors = " | ".join(_mean(_of(found, kind, name), _error) for name in named)
        lines.append(f"| {kind} | {len(_of(found, kind, 'calibrated'))} | {errors} |")
    return "\n".join(lines)


def short_ranges(found: list[Forecasts]) -> str:
    """List the worlds, near-null ones apart, in which ranges hold the truth too seldom."""
    ours = [item for item in found if item.estimator == "calibrated"]
    short = [item for item in ours if item.coverage < ASKED_COVERAGE]
    lines = []
    for near, title in ((False, "Other worlds"), (True, "Near-null worlds")):
        named = [
            f"{item.world} ({item.kind}) {item.coverage:.2f}"
            for item in sorted(short, key=lambda item: item.coverage)
            if item.near_null == near
        ]
        count = sum(item.near_null == near for item in ours)
        lines.append(f"- {title}: {len(named)} of {count} fall short. {'; '.join(named)}")
    return "\n".join(lines)


def promises(planned: list[Forecasts]) -> str:
    """Return said against came true of larger replications, and of the sure ones together."""
    lines = [
        "| first result -> replication | worlds | ECE: default | sceptic | flat | Berrar 2024 "
        "| said 90-97% | mean said | came true |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    every: list[Forecasts] = []
    for kind in kinds(planned):
        ours = _of(planned, kind, "calibrated")
        every += ours
        errors = " | ".join(_mean(_of(planned, kind, name), _error) for name in ESTIMATORS)
        lines.append(f"| {kind} | {len(ours)} | {errors} | {_kept_promises(ours)} |")
    lines.append(f"| all together | {len(every)} |  |  |  |  | {_kept_promises(every)} |")
    return "\n".join(lines)


def _kept_promises(items: Sequence[Forecasts]) -> str:
    """Return how many forecasts were nearly sure, their mean, and the mean that came true."""
    said = np.concatenate([item.said for item in items])
    truth = np.concatenate([item.truth for item in items])
    sure = (said >= PROMISED[0]) & (said <= PROMISED[1])
    if not sure.any():
        return "0 | - | -"
    return f"{sure.sum():,} | {said[sure].mean():.2f} | {truth[sure].mean():.2f}"


def draw(found: list[Forecasts]) -> Figure:
    """Draw came true against said, every world with the same weight, one panel a way to ask."""
    shown = [kind for kind in kinds(found) if kind in (*MAIN, "test set of 100", "signed-rank")]
    columns = 4
    rows = -(-len(shown) // columns)
    figure = Figure(figsize=(11, 3.1 * rows), layout="constrained", facecolor="white")
    for position, kind in enumerate(shown):
        ax = figure.add_subplot(rows, columns, position + 1)
        ax.plot([0, 1], [0, 1], color="#d5dae0", linewidth=1)
        for name in ESTIMATORS:
            x, y, weight = _bins(_of(found, kind, name))
            ax.plot(x, y, color=COLOURS[name], linewidth=1.4, label=NAMES[name])
            ax.scatter(x, y, s=8 + 120 * weight, color=COLOURS[name])
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        ax.set_title(kind, fontsize=9, loc="left")
        ax.tick_params(labelsize=8, colors="#5b6675")
        if position == 0:
            ax.legend(frameon=False, fontsize=8)
        if position % columns == 0:
            ax.set_ylabel("came true", fontsize=9, color="#5b6675")
        if position >= len(shown) - columns:
            ax.set_xlabel("said", fontsize=9, color="#5b6675")
    return figure


def _bins(items: Sequence[Forecasts]) -> tuple[list[float], list[float], np.ndarray]:
    said = np.concatenate([item.said for item in items])
    truth = np.concatenate([item.truth for item in items])
    weight = np.concatenate([np.full(len(item.said), 1 / len(item.said)) for item in items])
    weight /= weight.sum()
    bins = np.minimum((said * 10).astype(int), 9)
    kept = [b for b in range(10) if weight[bins == b].sum() >= 0.01]
    return (
        [float(np.average(said[bins == b], weights=weight[bins == b])) for b in kept],
        [float(np.average(truth[bins == b], weights=weight[bins == b])) for b in kept],
        np.array([weight[bins == b].sum() for b in kept]),
    )
