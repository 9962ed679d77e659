"""Draw the figures of the concept pages by replicast itself: python docs/make_figures.py"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import replicast as rc
from replicast.presentation.pictures.canvas import draw
from replicast.presentation.pictures.figure import (
    Axis,
    Bar,
    Dots,
    Figure,
    Label,
    Line,
    Mark,
    Panel,
    Rule,
)
from replicast.presentation.pictures.ticks import PERCENT, pvalue_ticks, round_ticks

HERE = Path(__file__).parent / "images"
Floats = NDArray[np.float64]
RERUNS = 60
TRUE_EFFECT, N_DATASETS = 0.5, 20


def save(ax, name: str) -> None:
    ax.figure.savefig(HERE / f"{name}.png", dpi=200)


def draw_sample(rng: np.random.Generator, rows: int = 300, features: int = 6):
    """Return two Gaussian classes, the source of every experiment of the first figure."""
    y = np.arange(rows) % 2
    return rng.normal(size=(rows, features)) + 0.45 * y[:, None], y


def pvalue(X: Floats, y: NDArray[np.intp], seed: int) -> tuple[float, float]:
    """Return the p-value and the difference of one experiment."""
    models = {"bayes": GaussianNB(), "neighbours": KNeighborsClassifier(3)}
    table = rc.evaluate(models, X, y, design=rc.RepeatedKFold(runs=10, folds=10), rng=seed)
    found = rc.corrected_ttest(table.pair("bayes", "neighbours"))
    return found.pvalue, found.estimate


def two_questions() -> None:
    """Draw p-values of one experiment rerun on the same data, and repeated on fresh data."""
    samples = [draw_sample(np.random.default_rng(i)) for i in range(RERUNS + 20)]
    first = next(i for i in range(20) if pvalue(*samples[i], 0)[0] < 0.05)  # a paper's result
    same = [pvalue(*samples[first], seed) for seed in range(RERUNS)]
    fresh = [pvalue(*sample, seed) for seed, sample in enumerate(samples[20:])]
    jitter = np.random.default_rng(0)
    marks = [Rule(0.05, "p = 0.05")]
    rows = (
        (1.0, same, ("REPLICABILITY", "same data, new partitions")),
        (0.0, fresh, ("REPLICATION", "fresh data")),
    )
    for height, found, words in rows:
        ps = np.array([p for p, _ in found])
        won = np.array([p < 0.05 and mean > 0 for p, mean in found])
        at = height + jitter.uniform(-0.3, 0.3, RERUNS)
        for chosen, tone in ((won, "accent"), (~won, "warm")):
            for inside, shape in ((ps >= 1e-5, "disc"), (ps < 1e-5, "right")):
                shown = chosen & inside
                marks.append(Dots(np.maximum(ps[shown], 1e-5).tolist(), at[shown].tolist(), tone,
                                  3.6, shape, opacity=0.75))  # fmt: skip
        told = (*words, f"{won.sum()} of {RERUNS} significant")
        for place, line in enumerate(told):
            marks.append(Label(0, (height + 0.6) / 2.2, line, "ink" if place else "soft", "end",
                               dx=-10, dy=16 * (1 - place), of="panel"))  # fmt: skip
    figure = Figure(
        title="The same experiment, repeated in two ways",
        alt="P-values of an experiment rerun on the same data and repeated on fresh data.",
        panels=(
            Panel(
                Axis(1.0, 8e-6, pvalue_ticks(1e-5, 1), "p-value · stronger evidence →", "log"),
                Axis(-0.6, 1.6, line=False),
                tuple(marks),
            ),
        ),
        note="A dot is an experiment; triangles lie beyond the axis. Blue: significant.",
        width=620,
        height=290,
    )
    save(draw(figure), "two-questions")


def power_by_datasets() -> None:
    """Draw what 6 to 40 datasets can see."""
    effects, counts = np.linspace(0, 1.2, 25), (6, 10, 20, 40)
    rows = rc.power_curve(effects, [rc.Datasets(n) for n in counts], method="signed-rank")
    marks: list[Mark] = [Rule(0.8, "80%", level=True)]
    for shade, row in zip(np.linspace(0.4, 1.0, len(rows)), rows, strict=True):
        powers = [item.power for item in row]
        marks.append(Line(list(effects), powers, opacity=round(float(shade), 2)))
    for count, row in zip(counts, rows, strict=True):
        marks.append(Label(float(effects[-1]), row[-1].power, f"{count} datasets", dx=6))
    figure = Figure(
        title="What Wilcoxon's test can see",
        alt="Power against the true effect for 6, 10, 20 and 40 datasets",
        panels=(
            Panel(
                Axis(0, 1.2, round_ticks(0, 1.2), "true effect d'"),
                Axis(0, 1, PERCENT.ticks, "power", grid=True, line=False),
                tuple(marks),
            ),
        ),
        width=560,
        height=300,
    )
    save(draw(figure), "power")


def plan_runs() -> None:
    """Draw that more runs do not reach every target."""
    first = rc.replicate(t=2.4, folds=10)
    save(rc.plan(first, vary="runs", probability=0.8).plot(), "plan-runs")


def winners_curse() -> None:
    """Draw the observed effects of all experiments and of the significant ones."""
    rng = np.random.default_rng(3)
    rows = rng.normal(TRUE_EFFECT, 1, size=(20_000, N_DATASETS))
    observed = rows.mean(axis=1) / rows.std(axis=1, ddof=1)
    pvalues = rc.METHODS["signed-rank"].batch_pvalues(rows, rc.Datasets(N_DATASETS))
    picked = observed[np.asarray(pvalues) < 0.05]
    share = len(picked) / len(rows)
    edges = np.linspace(-0.5, 1.7, 56)
    everything, chosen = (np.histogram(values, edges)[0] for values in (observed, picked))
    bars = [
        Bar((low, high), (0, float(count)), tone)
        for counts, tone in ((everything, "band"), (chosen, "accent"))
        for low, high, count in zip(edges, edges[1:], counts, strict=False)
    ]
    top = float(everything.max()) * 1.08
    found = float(picked.mean())
    figure = Figure(
        title=f"20,000 experiments on {N_DATASETS} datasets, one true effect",
        alt="Observed effects of all experiments and of the significant ones.",
        panels=(
            Panel(
                Axis(-0.5, 1.7, round_ticks(-0.5, 1.7), "observed effect d'"),
                Axis(0, top, line=False),
                (
                    *bars,
                    Rule(TRUE_EFFECT, tone="ink", dashed=False),
                    Rule(found, tone="warm", dashed=False),
                    Label(TRUE_EFFECT, top, f"truth {TRUE_EFFECT:.2f}", "ink", "end", dx=-6, dy=8),
                    Label(found, top, f"mean of the significant {found:.2f}", "warm", dx=6, dy=8),
                    Label(1, 0.55, "all experiments", "soft", "end", of="panel"),
                    Label(1, 0.55, f"significant: {round(100 * share)}%", "accent", "end", dy=-18,
                          of="panel"),
                ),
            ),
        ),
    )  # fmt: skip
    save(draw(figure), "winners-curse")


def chance_curve() -> None:
    """Draw the chance of replication against the p-value, published and calibrated."""
    save(rc.replicate(t=2.4, folds=10).plot(figure="curve"), "chance")


def repeats() -> None:
    """Draw what 100 repeats of a just significant result would find."""
    save(rc.replicate(t=2.4, folds=10).plot(figure="repeats"), "repeats")


def seen_and_again() -> None:
    """Draw the table of the README: what was seen, and a hundred repeats."""
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    table = readme.partition("```csv\n")[2].partition("```")[0]
    scores = rc.read_scores({"scores.csv": table.encode()}, metric="accuracy")
    rc.compare(scores.pair("ours", "baseline")).report(HERE / "seen-and-again.png")


def main() -> None:
    seen_and_again()
    two_questions()
    power_by_datasets()
    plan_runs()
    winners_curse()
    chance_curve()
    repeats()


if __name__ == "__main__":
    main()
