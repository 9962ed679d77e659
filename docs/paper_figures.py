"""Figures of Berrar (2024) that need no study: 1, 2 and 3, and one experiment as in Figure 7b."""

from pathlib import Path

import numpy as np
from scipy import stats

import replicast as rc
from replicast.presentation.pictures.canvas import draw_sheet
from replicast.presentation.pictures.figure import (
    Axis,
    Bar,
    Dots,
    Figure,
    Line,
    Mark,
    Panel,
    Rule,
)
from replicast.presentation.pictures.palette import Tone
from replicast.presentation.pictures.ticks import PERCENT, pvalue_ticks, round_ticks
from replicast.studies.published import table
from replicast.studies.scenarios.datasets import draw_dataset, predict_both

HERE = Path(__file__).parent / "images"
DATASETS, FIRST_WINS, CRITICAL_Z = 44, 29, 1.96


def wins_under_both_hypotheses() -> Figure:
    """Describe figure 1: how many of 44 datasets are won if nothing differs, and if 29/44 is true."""
    wins = np.arange(DATASETS + 1)
    null = stats.binom.pmf(wins, DATASETS, 0.5)
    other = stats.binom.pmf(wins, DATASETS, FIRST_WINS / DATASETS)
    usual: tuple[Tone, str] = ("line", "no difference")
    extreme: tuple[Tone, str] = ("error", "significant if no difference")
    fewer: tuple[Tone, str] = ("band", "29 of 44 is the true rate")
    again: tuple[Tone, str] = ("good", "significant again")
    marks: list[Mark] = []
    for w, under_null, under_other in zip(wins, null, other, strict=True):
        tone, name = extreme if w >= FIRST_WINS or w <= DATASETS - FIRST_WINS else usual
        marks.append(Bar((w - 0.45, w), (0, under_null), tone, name=name))
        tone, name = again if w >= FIRST_WINS else fewer
        marks.append(Bar((w, w + 0.45), (0, under_other), tone, name=name))
    p = rc.replicate(wins=FIRST_WINS, datasets=DATASETS)
    return Figure(
        "Figure 1 redrawn: wins over 44 datasets",
        f"Two binomial distributions; 29 wins or more have the chance {p.as_published:.2f} again.",
        (Panel(
            Axis(-1, 45, round_ticks(0, 44), "datasets won"),
            Axis(0, 0.13, round_ticks(0, 0.13), "chance", grid=True, line=False), tuple(marks),
        ),),
        note=f"Chance of 29 wins or more if 29 of 44 is the true rate: {p.as_published:.4f}.",
        width=640, height=300,
    )  # fmt: skip


def every_significant_number_of_wins() -> Figure:
    """Describe figure 2: P of all 16 significant numbers of wins, by both models, with intervals."""
    marks: list[Mark] = []
    for model, word, tone, shift in (
        ("sign", "binomial", "ink", 0.93), ("bayesian", "Bayesian", "accent", 1.07)
    ):  # fmt: skip
        found = [
            rc.replicate(wins=w, datasets=DATASETS, model=model)
            for w in range(FIRST_WINS, DATASETS + 1)
        ]
        x = [rc.replicate(wins=w, datasets=DATASETS).first_pvalue * shift
             for w in range(FIRST_WINS, DATASETS + 1)]  # fmt: skip
        marks += [
            Line((at, at), one.as_published_interval, tone, 1.4, opacity=0.6)
            for at, one in zip(x, found, strict=True)
        ]
        published = [one.as_published for one in found]
        marks.append(Dots(x, published, tone, 3.2, "square", name=f"{word} model"))
    low, high = 5e-14, 0.1
    return Figure(
        "Figure 2 redrawn: all 16 significant results over 44 datasets",
        "Replication probability against the p-value of 29 to 44 wins, by two models.",
        (Panel(
            Axis(high, low, pvalue_ticks(low, high), "binomial p-value · stronger evidence →", "log"),
            Axis(0, 1, PERCENT.ticks, "chance of replication", grid=True, line=False),
            (Rule(0.5, level=True), *marks),
        ),),
        note="Lines: 95% prediction intervals. The two models are moved apart a little.",
        width=640, height=320,
    )  # fmt: skip


def z_under_both_hypotheses() -> Figure:
    """Describe figure 3: Z = 1.96 under both hypotheses, and its worst and best case."""
    z = np.linspace(-4, 8, 241)

    def bell(mean: float) -> list[float]:
        return stats.norm.pdf(z, mean).tolist()

    def beyond(mean: float, low: float, high: float, tone: Tone) -> list[Mark]:
        edges = z[(z >= low) & (z <= high)]
        heights = stats.norm.pdf((edges[1:] + edges[:-1]) / 2, mean).tolist()
        sides = zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
        return [Bar(ends, (0.0, up), tone, 0.55) for ends, up in zip(sides, heights, strict=True)]

    x = Axis(-4, 8, round_ticks(-4, 8), "Wilcoxon's Z")
    y = Axis(0, 0.42, round_ticks(0, 0.4), "density")
    left: tuple[Mark, ...] = (
        *beyond(CRITICAL_Z, CRITICAL_Z, 8, "band"),
        *beyond(0, CRITICAL_Z, 8, "error"),
        *beyond(0, -4, -CRITICAL_Z, "error"),
        Line(z.tolist(), bell(0), "ink", name="no difference"),
        Line(z.tolist(), bell(CRITICAL_Z), name="Z is 1.96"),
        Rule(CRITICAL_Z),
    )
    found = rc.replicate(z=CRITICAL_Z, datasets=DATASETS, spread=1.0)
    low, high = found.as_published_interval
    right: tuple[Mark, ...] = (
        Line(z.tolist(), bell(0), "warm", name=f"Z is 0: P = {low:.3f}"),
        Line(z.tolist(), bell(CRITICAL_Z)),
        Line(z.tolist(), bell(2 * CRITICAL_Z), "good", name=f"Z is 3.92: P = {high:.3f}"),
        Rule(CRITICAL_Z),
    )
    return Figure(
        "Figure 3 redrawn: a replication of Z = 1.96",
        f"Half of the curve at 1.96 lies beyond 1.96; {low:.3f} and {high:.3f} of those at the limits.",
        (Panel(x, y, left, "a: observed, P = 0.5"), Panel(x, y, right, "b: worst and best case")),
        width=760, height=300,
    )  # fmt: skip


FIGURES = {
    "berrar-figure-1": wins_under_both_hypotheses,
    "berrar-figure-2": every_significant_number_of_wins,
    "berrar-figure-3": z_under_both_hypotheses,
}


def one_experiment(seed: int = 7) -> list[str]:
    """Return one experiment of group 3 of study 1 as Figure 7b shows one: accuracies and both tests."""
    rng, start, datasets = np.random.default_rng(seed), 390, 20
    rows, first, second = [], [], []
    for i in range(1, datasets + 1):
        drawn = draw_dataset(start, i, datasets, rng)
        once = np.ones((1, len(drawn.y)), np.int64)
        bayes, svm = (float(np.mean(one == drawn.y)) for one in predict_both(drawn, once))
        first.append(bayes)
        second.append(svm)
        rows.append((i, len(drawn.y), f"{bayes:.3f}", f"{svm:.3f}"))
    pair = rc.PairedScores(first=first, second=second, design=rc.Datasets())
    sign, rank = rc.sign_test(pair, ties="drop"), rc.signed_rank(pair, pvalue_method="normal")
    wins, losses = (pair.differences > 0).sum(), (pair.differences < 0).sum()
    said = (
        f"Naive Bayes wins {wins} and loses {losses}: binomial p = {sign.pvalue:.3f}, Wilcoxon p = "
        f"{rank.pvalue:.3f}. The paper's one experiment has 14 wins, 0.115 and 0.064; every experiment "
        "has its own."
    )
    return [*table(("dataset", "cases", "naive Bayes", "SVM"), rows), said, ""]


def draw_figures() -> None:
    """Write the figures into docs/images."""
    for name, figure in FIGURES.items():
        draw_sheet(figure()).savefig(HERE / f"{name}.png", dpi=160)
