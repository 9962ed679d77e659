"""The same p-value among any two models and among close rivals: the page `Which repeats?`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy import special

from calibration.field.cells import Cell, Kind
from calibration.field.corpora import Floats
from calibration.field.experiments import RELATIONS, Integers, Relation
from calibration.field.page import COLOURS, NAMES, TITLES
from replicast.kernels.counts import upper_tail

BANDS = ((0.01, 0.05), (0.001, 0.01), (0.0001, 0.001), (0.0, 0.0001))
WORDS = ("0.01 to 0.05", "0.001 to 0.01", "0.0001 to 0.001", "below 0.0001")
_FEWEST = 20
_SOFT = "#5b6675"


@dataclass(frozen=True)
class Crowd:
    """What became of results with a p-value in a band: the mean over cells, and of each corpus."""

    kind: str
    relation: Relation
    band: int
    came_true: float
    corpora: dict[str, float]


def crowds(cells: Mapping[Kind, Sequence[Cell]]) -> list[Crowd]:
    """Return the share of repeats that were significant again, by p-value and relation."""
    found = []
    for kind, every in cells.items():
        for relation in RELATIONS:
            bands: dict[int, list[tuple[str, float]]] = {band: [] for band in range(len(BANDS))}
            for cell in (each.part(True) for each in every if each.relation == relation):
                pvalues = _PVALUES[kind](cell.rows)
                for band, (low, high) in enumerate(BANDS):
                    inside = (pvalues >= low) & (pvalues < high)
                    if inside.sum() >= _FEWEST:
                        bands[band].append((cell.corpus, float(cell.truth[inside].mean())))
            found += [_crowd(kind, relation, band, each) for band, each in bands.items() if each]
    return found


def _crowd(kind: str, relation: Relation, band: int, cells: list[tuple[str, float]]) -> Crowd:
    corpora = {
        name: float(np.mean([share for corpus, share in cells if corpus == name]))
        for name in dict.fromkeys(corpus for corpus, _ in cells)
    }
    return Crowd(kind, relation, band, float(np.mean([share for _, share in cells])), corpora)


def _of_cases(rows: Integers) -> Floats:
    return np.asarray(2 * upper_tail(rows[:, 0], rows.sum(axis=1)))


def _of_ranks(rows: Integers) -> Floats:
    """Return normal p-values of doubled rank sums: close enough to sort them into bands."""
    doubled, n = rows.T
    spread = np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return np.asarray(2 * special.ndtr(-(doubled / 2 - n * (n + 1) / 4 - 0.5) / spread))


_PVALUES = {"one-test-set": _of_cases, "datasets": _of_ranks}


def write_concept(found: Sequence[Crowd], folder: Path) -> None:
    """Write concepts/which-repeats.md and its picture."""
    draw(found).savefig(folder / "images" / "which-repeats.png", dpi=130)
    page = (Path(__file__).parent / "which-repeats.md.in").read_text(encoding="utf-8")
    page = page.replace("{table}", table(found))
    for each in found:
        page = page.replace(
            f"{{{each.kind} {each.relation} {each.band}}}", f"{100 * each.came_true:.0f}"
        )
    (folder / "concepts" / "which-repeats.md").write_text(page, encoding="utf-8")


def table(found: Sequence[Crowd]) -> str:
    """Return one line for each design and band of p-values."""
    shares = {(each.kind, each.band, each.relation): each.came_true for each in found}
    rows = [
        f"| design | p-value of the first result | {NAMES['any']} | {NAMES['close']} |",
        "|---|---|---:|---:|",
    ]
    for kind, title in TITLES.items():
        for band, words in enumerate(WORDS):
            values = [shares.get((kind, band, relation)) for relation in ("any", "close")]
            shown = ["too few" if value is None else f"{100 * value:.0f}%" for value in values]
            rows.append(f"| {title if band == 0 else ''} | {words} | {' | '.join(shown)} |")
    return "\n".join(rows)


def draw(found: Sequence[Crowd]) -> Figure:
    """Draw the share of repeats against the p-value, a line for each crowd."""
    figure = Figure(figsize=(9, 3.9), layout="constrained", facecolor="white")
    for position, (kind, title) in enumerate(TITLES.items(), start=1):
        ax = figure.add_subplot(1, 2, position)
        for relation in RELATIONS:
            line = [each for each in found if (each.kind, each.relation) == (kind, relation)]
            x, y = [each.band for each in line], [each.came_true for each in line]
            colour = COLOURS[relation]
            for each in line:  # what single corpora say, faintly
                own = list(each.corpora.values())
                ax.scatter([each.band] * len(own), own, s=10, color=colour, alpha=0.25, linewidth=0)
            ax.plot(x, y, color=colour, linewidth=2, marker="o", markersize=5)
            for band, share in zip(x, y, strict=True):
                place = 0, 7 if relation == "any" else -14
                ax.annotate(f"{share:.0%}", (band, share), place, textcoords="offset points",
                            ha="center", fontsize=8.5, color=colour)  # fmt: skip
            ax.annotate(NAMES[relation], (x[0], y[0]), (-10, 24 if relation == "any" else -30),
                        textcoords="offset points", fontsize=9, color=colour)  # fmt: skip
        ax.set(xlim=(-0.35, len(BANDS) - 0.65), ylim=(0, 1.1))
        ax.set_xticks(range(len(BANDS)), WORDS, fontsize=8)
        ax.set_yticks(ticks := [0, 0.25, 0.5, 0.75, 1], [f"{t:.0%}" for t in ticks], fontsize=8)
        ax.set_title(title, fontsize=10, loc="left")
        ax.set_xlabel("p-value of the first result", fontsize=9, color=_SOFT)
        if position == 1:
            ax.set_ylabel("repeats significant again", fontsize=9, color=_SOFT)
        ax.tick_params(colors=_SOFT)
        ax.spines[["top", "right"]].set_visible(False)
    return figure
