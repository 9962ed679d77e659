"""An audit in words and as a picture: which tests agree with themselves."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from replicast.agreement import Replicability
from replicast.formatting import format_number, format_percent
from replicast.presentation.plots import ACCENT, INK, LINE, MUTED, new_axes
from replicast.presentation.wording import Narrative, Row
from replicast.procedures import PROCEDURES

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def narrate_audit(
    found: Mapping[str, Replicability], names: tuple[str, str], dataset: str
) -> Narrative:
    """Put an audit of one dataset into words: who changed their mind, and whom to trust."""
    rows = [
        Row(PROCEDURES[name].title, _agreement(item), f"{_outcomes(item)}  {_spread(item)}")
        for name, item in found.items()
    ]
    best = recommended(found)
    reruns = next(iter(found.values())).reruns
    cautions = [
        f"{PROCEDURES[name].title} ignores that the scores share data: it finds differences that are "
        "not there more often than its level says."
        for name in found
        if not PROCEDURES[name].keeps_level
    ]
    return Narrative(
        title=f"{names[0]} against {names[1]} on {dataset}, rerun {reruns} times on new partitions",
        verdict=_verdict(found, best, dataset),
        replication="",
        reason="Each line: how often two reruns agree; reruns won by the first, by nobody, by the "
        "second; smallest and largest p-value.",
        rows=tuple(rows),
        outlook="Which test to use, and the measurements behind it: docs/which-test.md.",
        cautions=tuple(cautions),
    )


def recommended(found: Mapping[str, Replicability]) -> str | None:
    """Return the test that keeps its level and agrees with itself most.

    Ties go to the one whose p-values move least, then to the one that uses most data.
    """
    valid = [name for name in found if PROCEDURES[name].keeps_level]
    if not valid:
        return None
    return min(
        valid,
        key=lambda name: (
            -found[name].r2,
            round(_restlessness(found[name]), 1),
            PROCEDURES[name].source != "cross-validation",
            PROCEDURES[name].method != "corrected-ttest",
        ),
    )


def _restlessness(item: Replicability) -> float:
    """Return the range of the p-values on the log scale; below 0.001 nobody minds."""
    p = np.maximum(np.array(item.pvalues), 0.001)
    return float(np.ptp(np.log(p)))


def _verdict(found: Mapping[str, Replicability], best: str | None, dataset: str) -> str:
    worst = min(found, key=lambda name: (found[name].r2, -_restlessness(found[name])))
    words = []
    if found[worst].r2 < 1:
        minority = min(
            found[worst].outcomes[0][1], found[worst].reruns - found[worst].outcomes[0][1]
        )
        words.append(
            f"On {dataset}, the {PROCEDURES[worst].title} changed its mind in {minority} of "
            f"{found[worst].reruns} reruns (p from {_range(found[worst], ' to ')})."
        )
    else:
        words.append(f"On {dataset}, every test agreed with itself in every rerun.")
    if best is not None:
        item = found[best]
        agreed = "every time" if item.r2 == 1 else f"{format_percent(item.r2)} of the time"
        words.append(f"The {PROCEDURES[best].title} agreed with itself {agreed}. Report that one.")
    return " ".join(words)


def _agreement(item: Replicability) -> str:
    return "always" if item.r2 == 1 else format_percent(item.r2)


def _outcomes(item: Replicability) -> str:
    first, none, second = item.outcomes[0]
    return f"{first} : {none} : {second}"


def _range(item: Replicability, between: str) -> str:
    p = np.array(item.pvalues)
    return f"{_short(float(p.min()))}{between}{_short(float(p.max()))}"


def _spread(item: Replicability) -> str:
    return f"p {_range(item, ' to ')}"


def _short(pvalue: float) -> str:
    return "<0.001" if pvalue < 0.001 else format_number(pvalue, 2)


def plot_audit(
    found: Mapping[str, Replicability], dataset: str, *, ax: "Axes | None" = None
) -> "Axes":
    """Draw the p-values of all reruns, one line for each test."""
    ax = new_axes(7.6, 0.42 * len(found) + 1.4) if ax is None else ax
    level = next(iter(found.values())).significance
    for position, item in enumerate(found.values()):
        p = np.maximum(np.array(item.pvalues).ravel(), 1e-6)
        height = np.full(len(p), -position, dtype=float)
        ax.plot([p.min(), p.max()], [-position, -position], color=LINE, linewidth=5, zorder=1)
        ax.plot(p, height, "o", color=ACCENT, alpha=0.6, markersize=6, zorder=2,
                markeredgecolor="white", markeredgewidth=0.5)  # fmt: skip
        ax.annotate(_agreement(item), (1.02, -position), xycoords=("axes fraction", "data"),
                    va="center", color=INK, fontsize=9)  # fmt: skip
    ax.axvline(level, color=MUTED, linewidth=1, linestyle=(0, (3, 3)))
    ax.set_xscale("log")
    low = min(np.array(item.pvalues).min() for item in found.values())
    ax.set_xlim(max(1e-6, low) / 1.6, 1.3)
    ticks = [t for t in (1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.2, 1.0) if t >= ax.get_xlim()[0]]
    ax.set_xticks(ticks, [f"{t:g}" for t in ticks])
    ax.minorticks_off()
    ax.set_yticks([-i for i in range(len(found))], [PROCEDURES[name].title for name in found])
    for side in ("left", "top", "right"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(LINE)
    ax.tick_params(colors=MUTED, labelsize=9, length=0)
    ax.set_xlabel("p-value · a dot is a rerun; right: how often two reruns agree", color=MUTED,
                  fontsize=9)  # fmt: skip
    ax.set_title(f"The same test on the same data, other partitions · {dataset}", loc="left",
                 color=INK, fontsize=11, fontweight="bold")  # fmt: skip
    return ax
