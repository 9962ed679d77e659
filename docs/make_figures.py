"""Draw the figures of the concept pages by replicast itself: python docs/make_figures.py"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import replicast as rc
from replicast.presentation.pictures.comparison import ACCENT, BAND, INK, LINE, MUTED, new_axes
from replicast.presentation.pictures.replication import WARM

HERE = Path(__file__).parent / "images"
Floats = NDArray[np.float64]
RERUNS = 60
TRUE_EFFECT, N_DATASETS = 0.5, 20


def save(ax, name: str) -> None:
    ax.figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1)
    ax.figure.savefig(HERE / f"{name}.png", dpi=160)


def draw_sample(rng: np.random.Generator, rows: int = 300, features: int = 6):
    """Return two Gaussian classes, the source of every experiment of the first figure."""
    y = np.arange(rows) % 2
    return rng.normal(size=(rows, features)) + 0.45 * y[:, None], y


def pvalue(X: Floats, y: NDArray[np.intp], seed: int) -> tuple[float, float]:
    """Return the p-value and the difference of one experiment."""
    models = {"bayes": GaussianNB(), "neighbours": KNeighborsClassifier(3)}
    table = rc.evaluate(models, X, y, design=rc.RepeatedKFold(10, 10), rng=seed)
    found = rc.corrected_ttest(table.pair("bayes", "neighbours"))
    return found.pvalue, found.estimate


def two_questions() -> None:
    """Draw p-values of one experiment rerun on the same data, and repeated on fresh data."""
    samples = [draw_sample(np.random.default_rng(i)) for i in range(RERUNS + 20)]
    first = next(i for i in range(20) if pvalue(*samples[i], 0)[0] < 0.05)  # a paper's result
    same = [pvalue(*samples[first], seed) for seed in range(RERUNS)]
    fresh = [pvalue(*sample, seed) for seed, sample in enumerate(samples[20:])]
    jitter = np.random.default_rng(0)
    ax = new_axes(7.2, 3.3)
    rows = (
        (1.0, same, "same data, new partitions\nREPLICABILITY"),
        (0.0, fresh, "fresh data\nREPLICATION"),
    )
    for height, found, label in rows:
        ps = np.maximum([p for p, _ in found], 1e-5)
        won = np.array([p < 0.05 and mean > 0 for p, mean in found])
        at = height + jitter.uniform(-0.3, 0.3, RERUNS)
        ax.scatter(ps[won], at[won], s=26, color=ACCENT, alpha=0.75, linewidth=0)
        ax.scatter(ps[~won], at[~won], s=26, color=WARM, alpha=0.75, linewidth=0)
        ax.annotate(
            f"{label}\n{won.sum()} of {RERUNS} significant", (0, height), xytext=(-12, 0),
            xycoords=("axes fraction", "data"), textcoords="offset points", ha="right",
            va="center", color=INK, fontsize=9, annotation_clip=False,
        )  # fmt: skip
    ax.axvline(0.05, color=MUTED, linewidth=1, linestyle=(0, (3, 3)))
    ax.set_xscale("log")
    ax.set_xlim(1.3, 7e-6)
    ticks = [1, 0.05, 0.01, 0.001, 0.0001, 0.00001]
    ax.set_xticks(ticks, ["1", "0.05", "0.01", "0.001", "0.0001", "0.00001\nor less"])
    ax.minorticks_off()
    ax.set_ylim(-0.6, 1.6)
    ax.set_yticks([])
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(LINE)
    ax.tick_params(colors=MUTED, labelsize=9)
    ax.set_xlabel("p-value; a dot is an experiment", color=MUTED, fontsize=9)
    ax.set_title("The same experiment, repeated in two ways", loc="left", color=INK,
                 fontsize=11, fontweight="bold")  # fmt: skip
    save(ax, "two-questions")


def power_by_datasets() -> None:
    """Draw what 6 to 40 datasets can see."""
    effects = np.linspace(0, 1.2, 25)
    rows = rc.power_curve(effects, [rc.Datasets(n) for n in (6, 10, 20, 40)], method="signed-rank")
    ax = rc.plot_power(rows, ax=new_axes(6.8, 3.8))
    ax.set_xlim(0, 1.2)
    for text, height in zip(ax.texts, (None, None, 0.955, 1.02), strict=True):
        if height is not None:  # both end near 1: keep the labels apart
            text.set_verticalalignment("center")
            text.xyann = (4, 40 * (height - text.xy[1]) * 3)
    ax.set_title("What Wilcoxon's test can see", loc="left", color=INK, fontsize=11,
                 fontweight="bold")  # fmt: skip
    save(ax, "power")


def plan_runs() -> None:
    """Draw that more runs do not reach every target."""
    first = rc.replication_from_t(2.4, folds=10)
    save(rc.plot_plan(rc.plan(first, vary="runs", probability=0.8)), "plan-runs")


def winners_curse() -> None:
    """Draw the observed effects of all experiments and of the significant ones."""
    rng = np.random.default_rng(3)
    rows = rng.normal(TRUE_EFFECT, 1, size=(20_000, N_DATASETS))
    observed = rows.mean(axis=1) / rows.std(axis=1, ddof=1)
    pvalues = rc.METHODS["signed-rank"].batch_pvalues(rows, rc.Datasets(N_DATASETS))
    picked = observed[np.asarray(pvalues) < 0.05]
    share = len(picked) / len(rows)
    bins = np.linspace(-0.5, 1.7, 56)
    ax = new_axes(7.2, 3.2)
    ax.hist(observed, bins, color=BAND, label="all experiments")
    ax.hist(picked, bins, color=ACCENT, label=f"significant: {round(100 * share)}%")
    top = ax.get_ylim()[1] * 1.12
    ax.set_ylim(0, top)
    marks = (
        (TRUE_EFFECT, INK, f"truth {TRUE_EFFECT:.2f}", "right"),
        (picked.mean(), WARM, f"mean of the significant {picked.mean():.2f}", "left"),
    )
    for value, colour, words, side in marks:
        ax.axvline(value, color=colour, linewidth=1.6)
        ax.annotate(words, (value, top), xytext=(-5 if side == "right" else 5, -11),
                    textcoords="offset points", ha=side, color=colour, fontsize=9)  # fmt: skip
    ax.set_yticks([])
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(LINE)
    ax.tick_params(colors=MUTED, labelsize=9)
    ax.set_xlabel("observed effect d'", color=MUTED, fontsize=9)
    ax.legend(frameon=False, fontsize=9, labelcolor=MUTED, loc="center right")
    ax.set_title(f"20,000 experiments on {N_DATASETS} datasets, one true effect", loc="left",
                 color=INK, fontsize=11, fontweight="bold")  # fmt: skip
    save(ax, "winners-curse")


def chance_curve() -> None:
    """Draw the chance of replication against the p-value, published and calibrated."""
    mark = rc.replication_from_t(2.4, folds=10)
    ax = rc.plot_replication_curve(rc.KFold(10), mark=mark)
    label = next(text for text in ax.texts if text.get_text() == "43%")
    label.set_horizontalalignment("left")
    label.xyann = (9, -13)
    save(ax, "chance")


def main() -> None:
    two_questions()
    power_by_datasets()
    plan_runs()
    winners_curse()
    chance_curve()


if __name__ == "__main__":
    main()
