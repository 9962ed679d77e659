"""The test on seeds: a mean difference, judged by what fresh splits would do to it."""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats
from replicast.design import Design, DesignLike
from replicast.errors import DesignMismatchError
from replicast.inference.evidence import Scores, admit
from replicast.inference.traits import Chances, Method
from replicast.kernels import seeds as kernel
from replicast.kernels.student import constant_row_pvalue, t_pvalue
from replicast.results import Alternative, Caution, SignificanceResult


def seeds_ttest(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    alternative: Alternative = "two-sided",
) -> SignificanceResult:
    """Test equal expected scores on fresh data by seeds of one split, or of several.

    Seeds vary the training alone. A t-test over seeds, Welch's or paired, is about this split: on
    fresh splits of the same data it calls equal models different far more often than its level says,
    and more seeds make that worse. This test asks how large t over seeds would be if the split varied
    too: its variance is 1 + k·share, with the share of the split (its variance over that of the
    seeds) averaged over what published results say, or over what two or more splits leave of that.
    Several splits of one dataset share most of their rows, and are corrected for it as in the
    corrected resampled t-test (`Seeds.test_percent`).
    The statistic is t over seeds, with Welch's degrees of freedom unless seeds are paired. Seeds that
    all give one score say nothing about fresh data: p is 1. Positive estimates favour the first.
    `details` has the p-value of t over seeds alone, which papers report.
    Where nothing is split (`Seeds(10, split=None)`: reinforcement learning, simulation) the share is 0,
    and the test is Welch's, or the paired t-test of paired seeds: it is about new seeds alone.

    Parameters
    ----------
    scores : PairedScores
        Scores with the design `Seeds`, split after split.
    alternative : {"two-sided", "greater", "less"}
        `greater` asks whether the first model is better.

    References
    ----------
    .. [1] Welch (1947), Biometrika 34, 28-35.
    .. [2] Bouthillier et al. (2021), MLSys 3, 747-769.
    .. [3] Nadeau and Bengio (2003), Machine Learning 52, 239-281.

    Examples
    --------
    >>> from replicast import PairedScores, Seeds, seeds_ttest
    >>> first, second = [0.834, 0.831, 0.838, 0.829, 0.836], [0.826, 0.829, 0.822, 0.825, 0.827]
    >>> found = seeds_ttest(PairedScores(first=first, second=second, design=Seeds(5)))
    >>> round(found.statistic, 2), round(found.pvalue, 3)
    (3.9, 0.172)
    """
    admitted = admit(SEEDS_TTEST, scores, second, design, alternative=alternative)
    told = admitted.scores.seed_means
    if told is None:
        raise DesignMismatchError("scores", "scores of seeds", str(admitted.scores.design))
    unvaried = float(told.deviation) == 0
    details: dict[str, float] = {}
    cautions: tuple[Caution, ...] = ()
    if not told.layout.split:
        cautions = (_NO_SPLIT,)
    elif unvaried:
        cautions = (_UNVARIED,) if told.layout.splits == 1 else ()
    else:
        cautions = (_one_split() if told.layout.splits == 1 else _some_splits(told.layout),)
        alone = t_pvalue(kernel.seed_t(told), float(told.df), alternative)
        details = {"pvalue_of_seeds_alone": float(alone)}
        if told.layout.splits > 1:
            details["split_ratio"] = float(kernel.split_ratio(told))
    return admitted.result(
        estimand="mean difference",
        estimate=float(told.difference),
        standard_error=float(kernel.fresh_error(told)),
        statistic=float(kernel.seed_t(told)),
        df=float(told.df),
        pvalue=float(_pvalues(told, alternative)),
        exactness="convention" if unvaried and float(told.between) == 0 else "student",
        details=details,
        cautions=cautions,
        interval_rule=partial(kernel.fresh_interval, told),
    )


def _row_pvalues(sample: Floats, design: Design) -> Floats:
    """Judge differences as paired: they do not tell how much each model varies by itself."""
    layout = design.layout
    return _pvalues(kernel.seed_means(sample, sample, sample, layout, paired=True), "two-sided")


def _pvalues(found: kernel.SeedMeans, alternative: str) -> Floats:
    """Return tail areas; where no seed varies, as many equal differences as there are splits decide."""
    distance = np.abs(found.difference) if alternative == "two-sided" else found.difference
    distance = -distance if alternative == "less" else distance
    tail = kernel.fresh_tail(found, distance)
    pvalue = np.minimum(2 * tail, 1.0) if alternative == "two-sided" else tail
    constant = (found.deviation == 0) & (found.between == 0)
    layout = found.layout
    counted = layout.splits if layout.split else layout.seeds
    set_by_convention = constant_row_pvalue(found.difference, counted, alternative)
    return np.where(constant, np.minimum(set_by_convention, 1.0), pvalue)


_UNVARIED = Caution(
    "seeds-never-vary",
    "All seeds of a model give one score: they say nothing about fresh data. Compare the predictions "
    "for every case instead, or use several splits.",
)


_NO_SPLIT = Caution(
    "no-split",
    "Nothing is split into training and test data, so a repeat has new seeds and nothing else: this "
    "says nothing about other tasks or environments.",
)


def _one_split() -> Caution:
    low, _, high = kernel.share_range()
    text = (
        "All seeds share one split into training and test data, which on fresh data varies too. How "
        f"much is taken from {kernel.learned()['datasets']} published datasets; in half of them its "
        f"variance is {low:.1f} to {high:.1f} times that of the seeds. Splits of your "
        "own would tell: about five, since two say little about how much they vary."
    )
    return Caution("one-split", text)


def _some_splits(layout: kernel.Layout) -> Caution:
    low, _, high = kernel.share_range()
    text = (
        f"How much the split varies is estimated from {layout.splits} splits, and from published "
        f"results ({low:.1f} to {high:.1f} times the variance of seeds) as far as these leave it open."
    )
    if layout.tested:
        text += (
            f" They are taken for splits of one dataset that test on {layout.tested:.0%} of it: what "
            "they have in common does not average out."
        )
    return Caution("few-splits", text)


def _power(effect: float, _: int, design: Design, level: float) -> Chances:
    """Return the power over fresh splits, for a difference in deviations of the seeds."""
    found = kernel.fresh_power(effect, design.layout, seed_df(design), level)
    right, wrong = kernel.share_nodes(split=design.has_split)[1] @ found
    return float(right), float(wrong)


def seed_df(design: Design) -> float:
    """Return the degrees of freedom of the seeds' spread if both models vary alike."""
    return design.splits * (design.layout.seeds - 1.0) * (1 if design.paired else 2)


def _title(design: Design) -> str:
    if design.has_split:
        return SEEDS_TTEST.title
    return "paired t-test over seeds" if design.paired else "Welch's t-test over seeds"


SEEDS_TTEST = Method(
    name="seeds-ttest",
    title="t-test over seeds and splits",
    title_on=_title,
    reference="Welch (1947), Biometrika 34; Bouthillier et al. (2021), MLSys 3",
    test=seeds_ttest,
    row_pvalues=_row_pvalues,
    designs=("seeds",),
    default_for=("seeds",),
    symbol="t",
    difference="estimate",
    assumes="normal differences",
    convention="equal differences",
    power={"exact": _power},
    replication=("seeds",),
)
TESTS = (SEEDS_TTEST,)
